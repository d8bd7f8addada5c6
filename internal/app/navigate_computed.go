package app

import (
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
	anyName    *regexp.Regexp                                                                  // reaches a definition of any name
	ownFile    *regexp.Regexp                                                                  // as byArgument, with the name in group 1, but reaches what is at the top of its own file alone
	members    func(x *agenvantage.Extraction, text, function string, arguments []string) bool // reports that it reaches members of classes alone; nil: anything
	word       *regexp.Regexp                                                                  // a word put together, which is the name: its beginning in group 1, its end in group 2
	types      *regexp.Regexp                                                                  // reaches a type of any name
	also       func(text string) int                                                           // counts places that reach a definition of any name
}

var reflections = []*reflection{
	{langs: []string{"python"}, terms: []string{"getattr", "methodcaller", "attrgetter", "globals", "locals", "vars", "__dict__", "eval", "exec", "getmembers", "__subclasses__"},
		types:      regexp.MustCompile(`\b__subclasses__\(`),
		byArgument: regexp.MustCompile(`\b(getattr|methodcaller|attrgetter)\(`),
		argument:   pythonArgument,
		members:    pythonMembers,
		ownFile:    regexp.MustCompile(`\b(?:globals|locals|vars)\(\)\s*(?:\[|\.get\()([^\]\n]*)`),
		anyName:    regexp.MustCompile(`\bvars\([^()]+\)\s*(?:\[[^"'\]]|\.)|\.__dict__\s*(?:\[[^"'\]]|\.(?:get|items|values)\b)|(?:^|[^.\w])(?:eval|exec)\(|\bgetmembers\b`)},
	{langs: []string{"ruby"}, terms: []string{"send", "public_send", "__send__", "method", "public_method", "instance_method", "eval", "class_eval", "instance_eval", "module_eval", "try", "const_get", "constantize", "safe_constantize", "subclasses", "descendants"},
		types:      regexp.MustCompile(`\bconst_get[( ]\s*[^\s:"']|\bconst_get[( ]\s*["'][^"'\n]*(?:#|["']\s*\+)|\.(?:safe_)?constantize\b|\.(?:subclasses|descendants)\b`),
		byArgument: regexp.MustCompile(`(?:\.|\b)(public_send|__send__|send|method|public_method|instance_method|try)[( ]`),
		argument:   firstArgument,
		anyName:    regexp.MustCompile(`\b(?:class_|instance_|module_)?eval[( ](?:\s*[^\s{d&|]|\s*d[^o])`)},
	{langs: []string{"php"}, terms: []string{"php", "call_user_func", "call_user_func_array", "function", "new"},
		anyName: regexp.MustCompile(`(?:->|::)\s*\{?\$\w+\}?\s*\(|(?:^|[^>:\w$])\$\w+\s*\(|call_user_func(?:_array)?\(\s*[^"'\[\s]|\[\s*\$\w+\s*,\s*(?:\$|["'][^"']*["']\s*\.)|new\s+\$\w+`)},
	{langs: []string{"java", "kotlin", "scala", "groovy"}, terms: []string{"getMethod", "getMethods", "getDeclaredMethod", "getDeclaredMethods", "declaredMemberFunctions", "memberFunctions", "findVirtual", "findStatic", "forName", "loadClass"},
		types:      regexp.MustCompile(`\b(?:forName|loadClass)\(\s*(?:[^"\s)]|"[^"\n]*"\s*\+)`),
		byArgument: regexp.MustCompile(`\b(getMethod|getDeclaredMethod)\(`),
		argument:   firstArgument,
		anyName:    regexp.MustCompile(`\b(?:getMethods|getDeclaredMethods)\(|\b(?:declaredM|m)emberFunctions\b|\bfind(?:Virtual|Static)\([^,]*,\s*[^"\s]`)},
	{langs: []string{"csharp"}, terms: []string{"GetMethod", "GetMethods", "InvokeMember", "GetRuntimeMethods", "GetProperties", "GetProperty", "GetMembers", "Activator", "GetType", "GetTypes", "GetExportedTypes", "DefinedTypes"},
		types:      regexp.MustCompile(`\bType\.GetType\(\s*(?:[^"\s)]|"[^"\n]*"\s*\+)|\bActivator\.CreateInstance\(\s*[^t\s)]|\.GetType\(\s*[^\s)"]|\b(?:GetTypes|GetExportedTypes)\(|\bDefinedTypes\b`),
		byArgument: regexp.MustCompile(`\b(GetMethod|GetProperty|InvokeMember)\(`),
		argument:   firstArgument,
		anyName:    regexp.MustCompile(`\b(?:GetMethods|GetRuntimeMethods|GetProperties|GetMembers)\(`)},
	{langs: []string{"javascript", "typescript", "tsx", "vue", "svelte"}, terms: []string{"function", "const", "require", "import", "var", "let", "return", "export", "class", "exports"},
		anyName: regexp.MustCompile(`[\w$)\]]\[\s*[^\s"'` + "`" + `0-9\]][^\]]*\]\s*(?:\?\.)?(?:\(|\.(?:call|apply|bind)\b)|[\w$)\]]\[\s*[\w.$]*(?i:name|method|key|type|action|event|prop|func|fn|handler|verb|command|cmd|hook)\s*\]|\bReflect\.(?:get|apply|ownKeys)\(|\bObject\.(?:values|entries|getOwnPropertyNames|getOwnPropertyDescriptors)\(|\{\s*\[\s*\w+\s*\]\s*:\s*\w+[^{}]*\}\s*=[^=]|(?:^|[^.\w])(?:eval\(|new Function\()|\[\s*["'][^"']*["']\s*\+|\[\s*` + "`" + `[^\]]*\$\{`),
		also:    membersTaken},
	{langs: []string{"c", "cpp"}, terms: []string{"dlsym", "GetProcAddress", "uv_dlsym"},
		byArgument: regexp.MustCompile(`\b(dlsym|GetProcAddress|uv_dlsym)\(`),
		argument:   secondArgument},
	{langs: []string{"elixir"}, terms: []string{"apply", "unquote", "eval_string", "eval_quoted", "to_atom", "to_existing_atom"},
		anyName: regexp.MustCompile(`\bapply\([^:()]*(?:\([^()]*\))?[^:()]*,\s*[a-z_]\w*\s*,|\|>\s*apply\(\s*[a-z_]|\bunquote\([^)]*\)\s*\(|\bCode\.eval_|\bString\.to_(?:existing_)?atom\(`)},
	{langs: []string{"swift"}, terms: []string{"NSSelectorFromString", "Selector"},
		byArgument: regexp.MustCompile(`\b(NSSelectorFromString|Selector)\(`),
		argument:   firstArgument},
	{langs: []string{"lua"}, terms: []string{"local", "function", "return"},
		anyName: regexp.MustCompile(`[\w)\]]\[\s*[a-zA-Z_][^\]"']*\]\s*[({"]|\b(?:load|loadstring|dofile)\s*\(|\b_G\s*\[\s*[^"'\s]`),
		also:    elementsCalled},
	{langs: []string{"rust"}, terms: []string{"paste", "concat_idents", "format_ident"},
		byArgument: regexp.MustCompile(`\b(format_ident!)\(`),
		argument:   firstArgument,
		anyName:    regexp.MustCompile(`\[<[^>\n]*>\]|\bconcat_idents!`)},
	{langs: []string{"bash"}, terms: []string{"bash", "sh", "function", "local", "if", "then", "eval", "echo", "set", "exit", "fi", "do", "case", "while", "for", "in", "source", "shift", "cd", "export", "return"},
		anyName: regexp.MustCompile(`(?m)(?:^|[;&|({]|\b(?:then|do|else|if|while|until|time|exec|!))[ \t]*"?\$(?:\{?[A-Za-z_@*1-9])[^=\n;]*?(?:"|\s|;|$)|\beval\b|\bcompgen\b|\bdeclare -[fF]|[;&|({\s]\w*\$\{?\w+\}?_\w+[ \t]`),
		// cmd_$1, "cmd_${sub}", "$1"_cmd: wherever it stands, since the name may be kept before it is called
		word: regexp.MustCompile(`(?m)(?:^|[\s;&|(){}"'=` + "`" + `])([A-Za-z_][\w:.-]*|)["']?\$(?:\w|\{\w+[^}\s]*\}|[@*])\w*["']?([\w:.-]*)`)},
}

func firstArgument(_ string, args []string) string { return args[0] }

func secondArgument(_ string, args []string) string { return args[min(1, len(args)-1)] }

func pythonArgument(function string, args []string) string {
	if function == "getattr" {
		return secondArgument(function, args)
	}
	return firstArgument(function, args)
}

// aModule is an expression that a module may be the value of, as far as its words tell.
var aModule = regexp.MustCompile(`(?i)mod|import|sys\.|package|pkg`)

// modulesMade are functions whose result is a module.
var modulesMade = regexp.MustCompile(`\b(?:import_module|__import__|module_from_spec|load_module)\(`)

// pythonMembers reports whether getattr looks at something that is no module as far as the file tells: then it reaches what
// classes have, and no function of a module.
func pythonMembers(x *agenvantage.Extraction, text, function string, args []string) bool {
	if function != "getattr" || len(args) < 2 {
		return false
	}
	if aModule.MatchString(args[0]) || modulesMade.MatchString(text) {
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
		if err := m.reflections(r, node, sym); err != nil {
			return err
		}
	}
	if isC(lang) {
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

// reflectedIn is a kind of reflection and a file.
type reflectedIn struct {
	how  *reflection
	file uint32
}

// reflectingFiles are the files that may do a kind of reflection, in order.
func (m *mentions) reflectingFiles(r *reflection) ([]uint32, error) {
	if files, ok := m.reflecting[r]; ok {
		return files, nil
	}
	files := map[uint32]bool{}
	for _, term := range r.terms {
		in, err := m.filesWith(firstTerm(term))
		if err != nil {
			return nil, err
		}
		for _, f := range in {
			if slices.Contains(r.langs, m.corpus.Lang(f)) && !isProse(m.corpus.File(f)) {
				files[f] = true
			}
		}
	}
	m.reflecting[r] = slices.Sorted(maps.Keys(files))
	return m.reflecting[r], nil
}

// reflections counts the places of a kind of reflection that may lead to a name.
func (m *mentions) reflections(r *reflection, node agenvantage.Node, sym *agenvantage.Symbol) error {
	files, err := m.reflectingFiles(r)
	if err != nil {
		return err
	}
	places := 0
	for _, f := range files {
		if err := m.ctx.Err(); err != nil || places >= maxComputed {
			return err
		}
		in, known := m.reflected[reflectedIn{r, f}]
		if !known {
			if in, err = m.reflectionsIn(r, f); err == nil {
				m.reflected[reflectedIn{r, f}] = in
			}
		}
		if err != nil {
			return err
		}
		for _, maybe := range in {
			ok, err := m.mayReach(maybe, f, node, sym)
			if err != nil {
				return err
			}
			if ok {
				places++
				m.countAt(reasonComputed, f, maybe.line)
			}
		}
	}
	return nil
}

// mayReach reports whether a name that a file computes may be that of a symbol.
func (m *mentions) mayReach(a affixes, f uint32, node agenvantage.Node, sym *agenvantage.Symbol) (bool, error) {
	switch {
	case !a.matches(sym.Name), a.types && !definesType(sym.Kind), a.ownFile && sym.Parent >= 0:
		return false, nil
	case a.ownFile && f != node.File:
		x, err := m.corpus.Facts(f) // names that a star brings in are among those of the file
		return err == nil && slices.ContainsFunc(x.Imports, func(i agenvantage.Import) bool { return i.Name == "*" }), err
	case a.members && sym.Parent < 0:
		return m.moduleTaken(node.File)
	}
	return true, nil
}

func firstTerm(word string) string {
	return append(analysis.AppendTokens(nil, word), word)[0]
}

// affixes are what is known of a computed name.
type affixes struct {
	prefix, suffix string
	members        bool // it is that of a member of a class
	ownFile        bool // it is one at the top of the file
	types          bool // it is that of a type
	line           int  // 0 when it is not known
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
	lines := lineCounter{text: text}
	if r.anyName != nil {
		for _, at := range r.anyName.FindAllStringIndex(text, -1) {
			out = append(out, affixes{line: lines.line(at[0])})
		}
	}
	if r.also != nil {
		out = append(out, make([]affixes, r.also(text))...)
	}
	if r.types != nil {
		for _, at := range r.types.FindAllStringIndex(text, -1) {
			out = append(out, affixes{types: true, line: lines.line(at[0])})
		}
	}
	if r.word != nil {
		for _, at := range r.word.FindAllStringSubmatchIndex(text, -1) {
			if prefix, suffix := groupOf(text, at, 1), groupOf(text, at, 2); len(prefix)+len(suffix) > 1 {
				out = append(out, affixes{prefix: prefix, suffix: suffix, line: lines.line(at[0])})
			}
		}
	}
	if r.ownFile != nil {
		for _, at := range r.ownFile.FindAllStringSubmatchIndex(text, -1) {
			if a, computed := affixesOf(strings.TrimSpace(groupOf(text, at, 1))); computed {
				a.ownFile, a.line = true, lines.line(at[0])
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
			a.members, a.line = r.members != nil && r.members(x, text, function, args), lines.line(at[2])
			out = append(out, a)
		}
	}
	return out, nil
}

// groupOf is what a group of a match matched, "" for one that took no part.
func groupOf(text string, match []int, n int) string {
	if match[2*n] < 0 {
		return ""
	}
	return text[match[2*n]:match[2*n+1]]
}

// withoutComments blanks the comments of a text, as far as they are known. Its lines stay.
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
			b.WriteString(strings.Repeat("\n", strings.Count(text[i:end], "\n")))
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
