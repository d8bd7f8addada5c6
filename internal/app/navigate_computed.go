package app

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// reflection says how code of some languages reaches a definition by a name that is computed.
type reflection struct {
	langs []string
	terms []string // one of these stands in a file that does it, as a term of the index
	// byArgument are functions whose argument, numbered from 0, is a name. A literal is a mention in a string; of one that is
	// put together the literal beginning and end say which names it may be.
	byArgument *regexp.Regexp // up to the argument list, with the function in group 1
	argument   func(function string, arguments []string) string
	anyName    *regexp.Regexp                                                            // reaches a definition of any name
	ownFile    *regexp.Regexp                                                            // as byArgument, with the name in group 1, but reaches what is at the top of its own file alone
	members    func(x *agenvantage.Extraction, function string, arguments []string) bool // reports that it reaches members of classes alone; nil: anything
}

var reflections = []*reflection{
	{langs: []string{"python"}, terms: []string{"getattr", "methodcaller", "attrgetter", "globals", "locals", "vars", "__dict__", "eval", "exec", "getmembers"},
		byArgument: regexp.MustCompile(`\b(getattr|methodcaller|attrgetter)\(`),
		argument: func(f string, args []string) string {
			return args[min(len(args)-1, map[bool]int{true: 1, false: 0}[f == "getattr"])]
		},
		members: pythonMembers,
		ownFile: regexp.MustCompile(`\b(?:globals|locals|vars)\(\)\s*(?:\[|\.get\()([^\]\n]*)`),
		anyName: regexp.MustCompile(`\bvars\([^()]+\)\s*(?:\[[^"'\]]|\.)|\.__dict__\s*(?:\[[^"'\]]|\.(?:get|items|values)\b)|(?:^|[^.\w])(?:eval|exec)\(|\bgetmembers\(`)},
	{langs: []string{"ruby"}, terms: []string{"send", "public_send", "__send__", "method", "public_method", "instance_method", "eval", "class_eval", "instance_eval", "module_eval", "try"},
		byArgument: regexp.MustCompile(`(?:\.|\b)(public_send|__send__|send|method|public_method|instance_method|try)[( ]`),
		argument:   func(_ string, args []string) string { return args[0] },
		anyName:    regexp.MustCompile(`\b(?:class_|instance_|module_)?eval[( ](?:\s*[^\s{d&|]|\s*d[^o])`)},
	{langs: []string{"php"}, terms: []string{"php", "call_user_func", "call_user_func_array", "function", "new"},
		anyName: regexp.MustCompile(`(?:->|::)\s*\{?\$\w+\}?\s*\(|(?:^|[^>:\w$])\$\w+\s*\(|call_user_func(?:_array)?\(\s*[^"'\[\s]|\[\s*\$\w+\s*,\s*(?:\$|["'][^"']*["']\s*\.)|new\s+\$\w+`)},
	{langs: []string{"java", "kotlin", "scala", "groovy"}, terms: []string{"getMethod", "getMethods", "getDeclaredMethod", "getDeclaredMethods", "declaredMemberFunctions", "memberFunctions", "findVirtual", "findStatic"},
		byArgument: regexp.MustCompile(`\b(getMethod|getDeclaredMethod)\(`),
		argument:   func(_ string, args []string) string { return args[0] },
		anyName:    regexp.MustCompile(`\b(?:getMethods|getDeclaredMethods)\(|\b(?:declaredM|m)emberFunctions\b|\bfind(?:Virtual|Static)\([^,]*,\s*[^"\s]`)},
	{langs: []string{"csharp"}, terms: []string{"GetMethod", "GetMethods", "InvokeMember", "GetRuntimeMethods", "GetProperties", "GetProperty", "GetMembers"},
		byArgument: regexp.MustCompile(`\b(GetMethod|GetProperty|InvokeMember)\(`),
		argument:   func(_ string, args []string) string { return args[0] },
		anyName:    regexp.MustCompile(`\b(?:GetMethods|GetRuntimeMethods|GetProperties|GetMembers)\(`)},
	{langs: []string{"javascript", "typescript", "tsx", "vue", "svelte"}, terms: []string{"function", "const", "require", "import", "var", "let", "return", "export", "class", "exports"},
		anyName: regexp.MustCompile(`[\w$)\]]\[\s*[^\s"'` + "`" + `0-9\]][^\]]*\]\s*(?:\?\.)?(?:\(|\.(?:call|apply|bind)\b)|[\w$)\]]\[\s*[\w.$]*(?i:name|method|key|type|action|event|prop|func|fn|handler|verb|command|cmd|hook)\s*\]|\bReflect\.(?:get|apply|ownKeys)\(|(?:^|[^.\w])(?:eval\(|new Function\()|\[\s*["'][^"']*["']\s*\+|\[\s*` + "`" + `[^\]]*\$\{`)},
	{langs: []string{"c", "cpp"}, terms: []string{"dlsym", "GetProcAddress", "uv_dlsym"},
		byArgument: regexp.MustCompile(`\b(dlsym|GetProcAddress|uv_dlsym)\(`),
		argument:   func(_ string, args []string) string { return args[min(1, len(args)-1)] }},
	{langs: []string{"elixir"}, terms: []string{"apply", "unquote", "eval_string", "eval_quoted", "to_atom", "to_existing_atom"},
		anyName: regexp.MustCompile(`\bapply\([^:()]*(?:\([^()]*\))?[^:()]*,\s*[a-z_]\w*\s*,|\|>\s*apply\(\s*[a-z_]|\bunquote\([^)]*\)\s*\(|\bCode\.eval_|\bString\.to_(?:existing_)?atom\(`)},
	{langs: []string{"swift"}, terms: []string{"NSSelectorFromString", "Selector"},
		byArgument: regexp.MustCompile(`\b(NSSelectorFromString|Selector)\(`),
		argument:   func(_ string, args []string) string { return args[0] }},
	{langs: []string{"lua"}, terms: []string{"local", "function", "return"},
		anyName: regexp.MustCompile(`[\w)\]]\[\s*[a-zA-Z_][^\]"']*\]\s*[({"]|\b(?:load|loadstring|dofile)\s*\(|\b_G\s*\[\s*[^"'\s]`)},
	{langs: []string{"bash"}, terms: []string{"bash", "sh", "function", "local", "if", "then", "eval", "echo", "set", "exit", "fi", "do"},
		anyName: regexp.MustCompile(`(?m)(?:^|[;&|({]|\b(?:then|do|else|if|while|until|time|exec|!))[ \t]*"?\$(?:\{?[A-Za-z_@*1-9])[^=\n;]*?(?:"|\s|;|$)|\beval\b|\bcompgen\b|\bdeclare -[fF]|[;&|({\s]\w*\$\{?\w+\}?_\w+[ \t]`)},
}

// aModule is an expression that a module may be the value of, as far as its words tell.
var aModule = regexp.MustCompile(`(?i)mod|import|sys\.|package|pkg`)

// pythonMembers reports whether getattr looks at something that is no module as far as the file tells: then it reaches what
// classes have, and no function of a module.
func pythonMembers(x *agenvantage.Extraction, function string, args []string) bool {
	if function != "getattr" || len(args) < 2 {
		return false
	}
	if aModule.MatchString(args[0]) {
		return false
	}
	first, _, _ := strings.Cut(args[0], ".")
	return !slices.ContainsFunc(x.Imports, func(m agenvantage.Import) bool { return localName(&m) == first || strings.HasPrefix(m.Path, first+".") })
}

// computed counts the places where a name that may be the subject's is computed.
func (m *mentions) computed(node agenvantage.Node, x *agenvantage.Extraction, lang string) error {
	sym := &x.Symbols[node.Symbol]
	if !reachable(x, node.Symbol, lang) {
		return nil
	}
	for _, r := range reflections {
		if !slices.Contains(r.langs, lang) {
			continue
		}
		places, err := m.reflected(r, node, sym)
		if err != nil {
			return err
		}
		m.count(reasonComputed, places)
	}
	if lang == "c" || lang == "cpp" {
		return m.pasted(sym.Name)
	}
	return nil
}

// reachable reports whether a computed name can lead to a symbol: it is a member of something.
func reachable(x *agenvantage.Extraction, symbol int, lang string) bool {
	sym := &x.Symbols[symbol]
	if sym.Parent >= 0 {
		if k := x.Symbols[sym.Parent].Kind; (k == agenvantage.KindFunction || k == agenvantage.KindMethod) && sym.Kind == agenvantage.KindFunction {
			return false // local
		}
	}
	switch lang {
	case "javascript", "typescript", "tsx", "vue", "svelte":
		if strings.HasPrefix(sym.Name, "#") {
			return false
		}
		if sym.Parent >= 0 || sym.Qualified != sym.Name || strings.HasPrefix(sym.Signature, "export ") || sym.Visibility == "public" {
			return true
		}
		for i := range x.Imports {
			if o := &x.Imports[i]; o.Path == "" && o.Name == sym.Name {
				return true
			}
		}
		return len(x.Imports) == 0 // a script, whose functions are members of the global object
	case "elixir":
		return sym.Visibility != "private"
	case "lua":
		return !strings.HasPrefix(sym.Signature, "local ")
	}
	return true
}

// maxComputed ends the look for places that compute names: more say no more, and the look costs milliseconds for ten files.
const maxComputed = 100

// reflected counts the places of a kind of reflection that may lead to a name.
func (m *mentions) reflected(r *reflection, node agenvantage.Node, sym *agenvantage.Symbol) (places int, err error) {
	files := map[uint32]bool{}
	for _, term := range r.terms {
		in, err := m.filesWith(firstTerm(term))
		if err != nil {
			return 0, err
		}
		for _, f := range in {
			files[f] = slices.Contains(r.langs, m.corpus.Lang(f))
		}
	}
	for _, f := range slices.Sorted(maps.Keys(files)) {
		if !files[f] || isProse(m.corpus.File(f)) {
			continue
		}
		if err := m.ctx.Err(); err != nil || places >= maxComputed {
			return places, err
		}
		in, err := m.reflectionsIn(r, f)
		if err != nil {
			return 0, err
		}
		for _, maybe := range in {
			if maybe.matches(sym.Name) && !(maybe.members && sym.Parent < 0) && !(maybe.ownFile && (f != node.File || sym.Parent >= 0)) {
				places++
			}
		}
	}
	return places, nil
}

func firstTerm(word string) string {
	return append(analysis.AppendTokens(nil, word), word)[0]
}

// affixes are what is known of a computed name.
type affixes struct {
	prefix, suffix string
	members        bool // it is that of a member of a class
	ownFile        bool // it is one at the top of the file
}

func (a affixes) matches(name string) bool {
	return len(name) >= len(a.prefix)+len(a.suffix) && strings.HasPrefix(name, a.prefix) && strings.HasSuffix(name, a.suffix)
}

// reflectionsIn lists what a file computes names of, in order.
func (m *mentions) reflectionsIn(r *reflection, f uint32) (out []affixes, err error) {
	text, err := m.corpus.Text(f)
	if err != nil {
		return nil, err
	}
	text = withoutComments(text, m.corpus.Lang(f))
	if r.anyName != nil {
		out = make([]affixes, len(r.anyName.FindAllStringIndex(text, -1)))
	}
	if r.ownFile != nil {
		for _, at := range r.ownFile.FindAllStringSubmatch(text, -1) {
			if a, computed := affixesOf(strings.TrimSpace(at[1])); computed {
				a.ownFile = true
				out = append(out, a)
			}
		}
	}
	if r.byArgument == nil {
		return out, nil
	}
	x, err := m.corpus.Facts(f)
	if err != nil {
		return nil, err
	}
	for _, at := range r.byArgument.FindAllStringSubmatchIndex(text, -1) {
		args := argumentsAt(text, at[1])
		if len(args) == 0 {
			continue
		}
		function := text[at[2]:at[3]]
		if a, computed := affixesOf(r.argument(function, args)); computed {
			a.members = r.members != nil && r.members(x, function, args)
			out = append(out, a)
		}
	}
	return out, nil
}

// withoutComments blanks the comments of a text, as far as they are known.
func withoutComments(text, lang string) string {
	l, ok := lexicons[lang]
	if !ok {
		return text
	}
	begins := l.begins("")
	var b strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		if !begins[text[i]] {
			i++
			continue
		}
		end, in := l.skip(text, i)
		if in == inComment {
			b.WriteString(text[kept:i])
			kept = end
		}
		i = max(end, i+1)
	}
	return b.String() + text[min(kept, len(text)):]
}

// argumentsAt splits the arguments that begin at i, up to the bracket that closes them or the end of a line outside of any.
func argumentsAt(text string, i int) (args []string) {
	depth, from := 0, i
	quoted := byte(0)
	for end := i; end < len(text) && end-i < 400; end++ {
		c := text[end]
		switch {
		case quoted != 0:
			if c == '\\' {
				end++
			} else if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0 && depth > 0:
			depth--
		case strings.IndexByte(")]};\n", c) >= 0 && (c != '\n' || len(strings.TrimSpace(text[from:end])) > 0) && depth == 0:
			return append(args, strings.TrimSpace(text[from:end]))
		case c == ',' && depth == 0:
			args, from = append(args, strings.TrimSpace(text[from:end])), end+1
		}
	}
	return args
}

var (
	wholeLiteral = regexp.MustCompile(`^(?:[bru]?"[^"{}#$%+]*"|[bru]?'[^'{}%+]*'|:"?[\w?!=]+"?)$`)
	literalStart = regexp.MustCompile(`^:?[bfruBFRU$@]*["'](\w*)`)
	literalEnd   = regexp.MustCompile(`(\w*)["']$`)
)

// affixesOf is what an argument says about the name that it makes; false when it is a name as it stands.
func affixesOf(argument string) (a affixes, computed bool) {
	if argument == "" || wholeLiteral.MatchString(argument) {
		return a, false
	}
	if start := literalStart.FindStringSubmatch(argument); start != nil {
		a.prefix = start[1]
	}
	if end := literalEnd.FindStringSubmatch(argument); end != nil && (strings.Contains(argument, "+") || strings.ContainsAny(argument, "}")) {
		a.suffix = end[1]
	}
	return a, true
}

// paste is a definition of a macro of C that joins tokens.
var paste = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?((?:[^\n]*\\\n)*[^\n]*##[^\n]*)`)

var pastedParts = regexp.MustCompile(`\w*(?:\s*##\s*\w*)+`)

// pasted counts the macros of C whose joined tokens may make a name.
func (m *mentions) pasted(name string) error {
	files, err := m.filesWith("define")
	if err != nil {
		return err
	}
	places := 0
	for _, f := range files {
		if lang := m.corpus.Lang(f); lang != "c" && lang != "cpp" {
			continue
		}
		text, err := m.corpus.Text(f)
		if err != nil {
			return err
		}
		if !strings.Contains(text, "##") {
			continue
		}
		for _, d := range paste.FindAllStringSubmatch(text, -1) {
			for _, joined := range pastedParts.FindAllString(d[2], -1) {
				if ok, err := m.makes(joined, d[1], name); err != nil {
					return err
				} else if ok {
					places++
				}
			}
		}
	}
	m.count(reasonComputed, places)
	return nil
}

// makes reports whether joined tokens may make a name: what is no parameter of the macro stands as it is, and a parameter for
// one or more letters. Where everything is a parameter the index must have the parts.
func (m *mentions) makes(joined, parameters, name string) (bool, error) {
	params := map[string]bool{"": true, "__VA_ARGS__": true}
	for p := range strings.SplitSeq(parameters, ",") {
		params[strings.TrimSpace(p)] = true
	}
	pattern, literal := "^", false
	for part := range strings.SplitSeq(joined, "##") {
		if part = strings.TrimSpace(part); params[part] {
			pattern += `\w*`
		} else {
			pattern, literal = pattern+regexp.QuoteMeta(part), true
		}
	}
	made, err := regexp.Compile(pattern + "$")
	if err != nil {
		return false, fmt.Errorf("read the pasted tokens %q: %w", joined, err)
	}
	if literal || !made.MatchString(name) {
		return literal && made.MatchString(name), nil
	}
	return m.hasParts(name)
}

// hasParts reports whether the index has two words that make a name together.
func (m *mentions) hasParts(name string) (bool, error) {
	if known, ok := m.parts[name]; ok {
		return known, nil
	}
	if m.parts == nil {
		m.parts = map[string]bool{}
	}
	m.parts[name] = false
	for i := 1; i < len(name); i++ {
		both := true
		for _, part := range []string{name[:i], name[i:]} {
			terms := analysis.AppendTokens(nil, part)
			if len(terms) == 0 {
				continue
			}
			in, err := m.filesWith(terms[0])
			if err != nil {
				return false, err
			}
			both = both && len(in) > 0
		}
		if both {
			m.parts[name] = true
			return true, nil
		}
	}
	return false, nil
}
