package graph

import (
	"regexp"
	"strings"

	"agenvantage"
)

// Routes are read from lines: a literal path and a handler beside it look alike in all frameworks of a language. The edge
// starts at the symbol, or the file, that registers the route.

// routeAbove matches a decorator, an annotation or an attribute that routes to the definition below it.
var routeAbove = map[string]*regexp.Regexp{
	"python": regexp.MustCompile(`^\s*@[\w.]+\.(?:route|get|post|put|patch|delete|head|options|websocket|api_route|trace)\(`),
	"java":   regexp.MustCompile(`^\s*@(?:(?:Get|Post|Put|Patch|Delete|Request)Mapping|GET|POST|PUT|DELETE|PATCH|Path)\b`),
	"kotlin": regexp.MustCompile(`^\s*@(?:(?:Get|Post|Put|Patch|Delete|Request)Mapping|GET|POST|PUT|DELETE|PATCH|Path)\b`),
	"csharp": regexp.MustCompile(`^\s*\[(?:Http(?:Get|Post|Put|Patch|Delete|Head)|Route)\b`),
	"rust":   regexp.MustCompile(`^\s*#\[(?:get|post|put|patch|delete|head|route)\("`),
	"php":    regexp.MustCompile(`^\s*#\[(?:[\w\\]+\\)?(?:Route|Get|Post|Put|Patch|Delete)\(`),
	"ts":     regexp.MustCompile(`^\s*@(?:Get|Post|Put|Patch|Delete|All|Head|Options)\(`),
}

// routeCall matches a call that routes a literal path; what follows the path is the last group.
var routeCall = map[string]*regexp.Regexp{
	"go": regexp.MustCompile(`\.(?:HandleFunc|Handle|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options|Method|MethodFunc|Group)\(` +
		`\s*(?:(?:http\.Method\w+|"[A-Z]+")\s*,\s*)?["` + "`" + `](?:[A-Z]+ )?[^"` + "`" + `]*/[^"` + "`" + `]*["` + "`" + `]\s*,(.*)$`),
	"python": regexp.MustCompile(`(?:\b(?:path|re_path|url)|\.(?:add_url_rule|add_route|add_api_route|add_get|add_post|route))\(\s*[rf]?["'][^"']*["']\s*,(.*)$`),
	"js":     regexp.MustCompile(`\.(?:get|post|put|patch|delete|all|head|options|use|route)\(\s*["'` + "`" + `]/[^"'` + "`" + `]*["'` + "`" + `]\s*,(.*)$`),
	"rust":   regexp.MustCompile(`\.route\(\s*"[^"]*"\s*,(.*)$`),
	"php":    regexp.MustCompile(`Route::(?:get|post|put|patch|delete|any|match|resource|view)\((.*)$`),
	"csharp": regexp.MustCompile(`\.Map(?:Get|Post|Put|Patch|Delete|Methods)\(\s*"[^"]*"\s*,(.*)$`),
	"ruby":   regexp.MustCompile(`^\s*(?:get|post|put|patch|delete|match|root)\b(.*)$`),
	"elixir": regexp.MustCompile(`^\s*(?:get|post|put|patch|delete)\s*\(?\s*"/[^"]*"\s*,(.*)$`),
}

// routeLanguage is the key of the tables above.
func routeLanguage(lang string) string {
	switch lang {
	case "javascript":
		return "js"
	case "typescript", "tsx":
		return "js"
	}
	return lang
}

// routes links the places that register routes to their handlers.
func (j *job) routes() {
	lang := j.r.files[j.file].lang
	above, call := routeAbove[lang], routeCall[routeLanguage(lang)]
	if lang == "typescript" || lang == "tsx" || lang == "javascript" {
		above = routeAbove["ts"]
	}
	if above == nil && call == nil || len(j.refs) == 0 {
		return
	}
	number := 0
	text := j.text()
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 1000 {
			continue
		}
		if above != nil && above.MatchString(line) {
			j.routeBelow(number)
		}
		if call == nil {
			continue
		}
		m := call.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if rest := m[len(m)-1]; strings.Contains(rest, "#") && lang == "ruby" {
			j.routeByConvention(rest, number)
		} else {
			j.routeTo(rest, number)
		}
	}
}

// routeBelow links a decorator to the definition that it stands on.
func (j *job) routeBelow(line int) {
	for i := j.symbolAtLine(line); i >= 0; i = j.unit.symbols[i].Parent {
		if s := &j.unit.symbols[i]; s.NameLine >= line && (isFunction(s.Kind) || isClass(s.Kind)) {
			j.link(agenvantage.EdgeRoutes, j.from(s.Parent), j.from(i), line, agenvantage.ByScope)
			return
		}
	}
}

// routeTo links a call to the last function or class among its arguments that the file mentions: middleware stands before
// the handler.
func (j *job) routeTo(rest string, line int) {
	from := j.symbolAtLine(line)
	var best []agenvantage.Edge
	at := -1
	for _, e := range j.edges {
		if e.From.Symbol != from || e.Kind != agenvantage.EdgeCalls && e.Kind != agenvantage.EdgeReferences || e.Confidence == agenvantage.ByName {
			continue
		}
		s := j.symbol(e.To)
		if s == nil || !isFunction(s.Kind) && !isClass(s.Kind) {
			continue
		}
		switch i := lastWord(rest, s.Name); {
		case i > at:
			best, at = []agenvantage.Edge{e}, i
		case i == at && i >= 0:
			best = append(best, e)
		}
	}
	for _, e := range best {
		to := e.To
		if s := j.symbol(to); isClass(s.Kind) {
			to = j.actionOf(to, rest[at:])
		}
		j.link(agenvantage.EdgeRoutes, e.From, to, line, e.Confidence)
	}
}

// actionName is a method that is named by a string or a symbol behind its class: [Users::class, 'show'].
var actionName = regexp.MustCompile(`^[\w\\]+(?:::class)?\s*,\s*['":]([A-Za-z_]\w*)`)

// actionOf is the method of a class that the text behind its name names, or the class.
func (j *job) actionOf(c agenvantage.Node, rest string) agenvantage.Node {
	if m := actionName.FindStringSubmatch(rest); m != nil {
		for _, s := range j.unitAt(c.File).childNamed(c.Symbol, m[1]) {
			return agenvantage.Node{File: c.File, Symbol: s}
		}
	}
	return c
}

// controllerAction is "users#show" of Ruby on Rails.
var controllerAction = regexp.MustCompile(`['"]([\w/]+)#(\w+)['"]`)

// routeByConvention links "users#show" to the method show of the file users_controller.rb.
func (j *job) routeByConvention(rest string, line int) {
	m := controllerAction.FindStringSubmatch(rest)
	if m == nil {
		return
	}
	suffix := "/" + m[1] + "_controller.rb"
	for _, n := range j.named(m[2]) {
		if strings.HasSuffix("/"+j.r.files[n.File].path, suffix) {
			j.link(agenvantage.EdgeRoutes, j.from(j.symbolAtLine(line)), n, line, agenvantage.ByUnique)
		}
	}
}

// lastWord is the index of the last place at which word stands in s as a whole word, -1 when it does not.
func lastWord(s, word string) int {
	if word == "" {
		return -1
	}
	for end := len(s); ; {
		i := strings.LastIndex(s[:end], word)
		if i < 0 {
			return -1
		}
		before, after := i == 0 || !isWordByte(s[i-1]), i+len(word) == len(s) || !isWordByte(s[i+len(word)])
		if before && after {
			return i
		}
		end = i + len(word) - 1
	}
}

func isWordByte(c byte) bool { return c == '_' || c == '$' || isAlphanumeric(c) || c >= 0x80 }
