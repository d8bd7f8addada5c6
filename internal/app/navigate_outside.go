package app

import (
	"regexp"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
)

// Reasons beside those of the resolver.
const (
	reasonMention  = "mention"  // code holds the name, and no reference stands for it
	reasonName     = "name"     // edges by the name alone
	reasonPassed   = "passed"   // the subject is passed on as a value, or offered under a name that importers choose
	reasonHook     = "hook"     // the language, or what an annotation stands for, calls it
	reasonOutside  = "outside"  // code from outside may call it through a type or an interface of its own
	reasonOverload = "overload" // a call of another definition of the same thing: a clause, an overload, a declaration
	reasonDispatch = "dispatch" // a call of another definition may lead to it at run time
	reasonComputed = "computed" // a name that is computed at run time, or by a macro, may be its name
)

// subjectReasons are those that speak of the subject and of no mention of its name.
var subjectReasons = []string{reasonPassed, reasonHook, reasonOutside, reasonComputed}

// whySubject says what each of them means, of how many.
var whySubject = map[string]func(n int) string{
	reasonPassed: func(n int) string {
		return count.Of(n, "place takes it as a value", "places take it as a value") + ", whose callers are not known"
	},
	reasonHook:    func(int) string { return "the language, or what its annotation stands for, calls it without a mention" },
	reasonOutside: func(int) string { return "code from outside may call it through a type or an interface of its own" },
	reasonComputed: func(n int) string {
		return count.Of(n, "place computes a name that may be its", "places compute a name that may be its")
	},
}

// hooks says what a language calls without a mention.
type hooks struct {
	names   *regexp.Regexp // of functions and methods
	methods *regexp.Regexp // of methods that callers from outside know by name
	signed  *regexp.Regexp // signatures that have it called from outside
	marks   *regexp.Regexp // annotations, decorators and attributes, with their names in group 1
	quiet   *regexp.Regexp // those of them that have nothing called
}

// known by name to libraries that are handed an object of a language without declared interfaces.
const duck = `read|readline|write|writelines|close|flush|send|recv|get|set|has|delete|items|keys|values|update|run|start|stop|emit|handle|call|apply|each|next|iter|format|filter|open|seek|encode|decode|default|dump|load|process|execute|dispatch|visit|render|accept|handler|log|end|destroy|pipe|push|on|once|listen|connect`

var (
	atMark    = regexp.MustCompile(`(?:^|[\s({;])@([A-Za-z_][\w.:]*)`)
	hashMark  = regexp.MustCompile(`#!?\[\s*(\w[\w:\\]*)`)
	boxMark   = regexp.MustCompile(`(?:^|[\s{};])\[\s*(?:\w+:\s*)?([A-Z]\w*)`)
	jvmQuiet  = regexp.MustCompile(`^(Override|Deprecated|SuppressWarnings|SafeVarargs|FunctionalInterface|Nullable|NonNull|NotNull|Nonnull|CheckReturnValue|CanIgnoreReturnValue|VisibleForTesting|JvmStatic|JvmOverloads|Throws|PublishedApi|InternalCoroutinesApi|ExperimentalCoroutinesApi|Suppress|tailrec|inline|throws|nowarn|unused|uncheckedVariance|interface|param|return|see|since|code|link)$`)
	jsHooks   = &hooks{names: regexp.MustCompile(`^(constructor|toJSON|toString|valueOf|then|catch|next|return|throw|inspect|handleEvent|default|main|connectedCallback|disconnectedCallback|attributeChangedCallback|adoptedCallback|componentDid\w+|componentWill\w+|shouldComponentUpdate|getDerivedStateFromProps|ng[A-Z]\w*|asyncIterator|iterator)$`), methods: regexp.MustCompile(`^(` + duck + `)$`), signed: regexp.MustCompile(`^(?:export |static |async |public |protected |private |override |readonly )*(?:get|set|accessor) |^\[`), marks: atMark}
	cHooks    = &hooks{names: regexp.MustCompile(`^(main|wmain|WinMain|wWinMain|DllMain|_start|_init|_fini|LLVMFuzzer\w+|JNI_On\w+|Java_\w+|PyInit_\w+|luaopen_\w+|Init_\w+|begin|end|swap|operator.*|~.*|await_\w+|initial_suspend|final_suspend|return_void|return_value|yield_value|unhandled_exception|get_return_object\w*)$`), signed: regexp.MustCompile(`__attribute__|__declspec|\bextern\b|EXPORT|\w_API\b|CALLBACK|WINAPI|\bvirtual\b|\boverride\b|\boperator\b`)}
	jvmMethod = regexp.MustCompile(`^(main|toString|equals|hashCode|compareTo|finalize|clone|readObject|writeObject|readResolve|writeReplace|readObjectNoData|premain|agentmain|values|valueOf)$|^(get|set|is)[A-Z]`)
)

// hooksOf are the tables of the languages.
var hooksOf = map[string]*hooks{
	"go":         {names: regexp.MustCompile(`^(main|init)$`)},
	"python":     {names: regexp.MustCompile(`^__\w+__$|^(test|setUp|tearDown|setup_|teardown_|pytest_)|^(setup|teardown)$`), methods: regexp.MustCompile(`^(` + duck + `)$|^(on|do|visit|handle)_`), marks: atMark, quiet: regexp.MustCompile(`^(staticmethod|classmethod|(abc\.)?abstractmethod|(t\.|typing\.|te\.)?(override|overload|final|no_type_check)|(functools\.)?(wraps|lru_cache|cache)|(contextlib\.)?(async)?contextmanager|(dataclasses\.)?dataclass|deprecated|total_ordering|functools\.total_ordering)$`)},
	"javascript": jsHooks, "typescript": jsHooks, "tsx": jsHooks, "vue": jsHooks, "svelte": jsHooks,
	"java":   {names: jvmMethod, signed: regexp.MustCompile(`\bnative\b`), marks: atMark, quiet: jvmQuiet},
	"kotlin": {names: jvmMethod, signed: regexp.MustCompile(`\b(operator|external)\b`), marks: atMark, quiet: jvmQuiet},
	"scala":  {names: regexp.MustCompile(`^(main|apply|unapply|unapplySeq|update|map|flatMap|foreach|withFilter|filter|toString|equals|hashCode|compare)$|_=$`), signed: regexp.MustCompile(`\b(implicit|given|override|extension)\b`), marks: atMark, quiet: jvmQuiet},
	"csharp": {names: regexp.MustCompile(`^(Main|ToString|Equals|GetHashCode|Dispose|DisposeAsync|Finalize|GetEnumerator|MoveNext|Add|Deconstruct|GetAwaiter|GetResult|Configure|ConfigureServices|Select|SelectMany|Where|OrderBy\w*|ThenBy\w*|GroupBy|Join|GroupJoin|Cast|Slice|Append(?:Literal|Formatted)|GetPinnableReference|GetAsyncEnumerator|MoveNextAsync|OnCompleted|ShouldSerialize\w+|Reset\w+|On[A-Z]\w*)$`), signed: regexp.MustCompile(`\b(operator|extern|override|partial|implicit|explicit)\b`), marks: boxMark, quiet: regexp.MustCompile(`^(MethodImpl|Obsolete|Conditional|DebuggerStepThrough|NotNull|MaybeNull|CallerMemberName|SuppressMessage|Pure|EditorBrowsable)`)},
	"swift":  {names: regexp.MustCompile(`^(main|init|deinit|subscript|callAsFunction|dynamicallyCall|hash|encode|description|debugDescription|body|makeIterator|build\w+|append(?:Interpolation|Literal)|wrappedValue|projectedValue|dynamicMember)$`), signed: regexp.MustCompile(`\b(override|dynamic|prefix|postfix|infix)\b`), marks: atMark, quiet: regexp.MustCompile(`^(discardableResult|inlinable|inline|available|escaping|autoclosure|MainActor|usableFromInline|Sendable|preconcurrency|unchecked|warn_unqualified_access|frozen)$`)},
	"rust":   {names: regexp.MustCompile(`^(main|drop)$`), signed: regexp.MustCompile(`\bextern\b`), marks: hashMark, quiet: regexp.MustCompile(`^(inline|must_use|allow|warn|deny|cfg|doc|deprecated|cold|track_caller|rustfmt|automatically_derived|derive|non_exhaustive|repr|expect|clippy.*|rustfmt.*|target_feature)$`)},
	"c":      cHooks, "cpp": cHooks,
	"ruby":   {names: regexp.MustCompile(`^(initialize\w*|method_missing|respond_to\w*\??|to_\w+|inspect|each|call|coerce|hash|eql\?|included|extended|inherited|prepended|method_added|const_missing|setup|teardown|new|allocate|marshal_\w+|_dump|_load|begin|succ|test_\w+)$|=$|^\W+$`), methods: regexp.MustCompile(`^(` + duck + `)$`)},
	"php":    {names: regexp.MustCompile(`(?i)^(__\w*|test\w*|setUp\w*|tearDown\w*|offset\w+|getIterator|current|key|next|rewind|valid|count|jsonSerialize|serialize|unserialize|main)$`), marks: hashMark, quiet: regexp.MustCompile(`^\\?(Override|Deprecated|SensitiveParameter|ReturnTypeWillChange|Pure|ArrayShape)$`)},
	"elixir": {names: regexp.MustCompile(`^(init|handle_\w+|terminate|code_change|start|stop|start_link|child_spec|call|__\w+__|mount|update|render|perform|run|format_status|config_change|main|test|setup|exception|message|fetch|pop|get_and_update)$`), marks: atMark, quiet: regexp.MustCompile(`^(doc|spec|since|deprecated|typedoc|moduledoc|type|dialyzer|compile|opaque|typep|\w+)$`)},
	"bash":   {names: regexp.MustCompile(`^(setup|teardown|setup_file|teardown_file|setup_suite|teardown_suite|command_not_found_handle|oneTimeSetUp|oneTimeTearDown|setUp|tearDown|test\w*)$`)},
	"lua":    {names: regexp.MustCompile(`^(__\w+|init|setup|config|main|love|update|draw)$`), methods: regexp.MustCompile(`^(` + duck + `)$`)},
}

// elixirImpl marks a function as a callback; every other attribute of Elixir is data.
var elixirImpl = regexp.MustCompile(`(?m)^\s*@impl\b`)

// judgeSubject counts the ways by which a symbol is reached without a mention of its name.
func (m *mentions) judgeSubject(node agenvantage.Node) error {
	x, err := m.corpus.Facts(node.File)
	if err != nil {
		return err
	}
	sym, lang := &x.Symbols[node.Symbol], m.corpus.Lang(node.File)
	if sym.Lang != "" {
		lang = sym.Lang
	}
	lines, err := m.linesOf(node.File)
	if err != nil {
		return err
	}
	head := headOf(lines, sym)
	if h := hooksOf[lang]; h != nil && (canBeCalled(sym.Kind) || lang == "swift") {
		m.count(reasonHook, h.calls(sym, lang, m.corpus.Path(node.File), head))
	}
	m.count(reasonHook, m.constructs(node, x, lang))
	if err := m.otherwise(node, x, lang); err != nil {
		return err
	}
	outside, err := m.calledFromOutside(node, x, lang, lines)
	if err != nil {
		return err
	}
	if outside {
		m.count(reasonOutside, 1)
	}
	if err := m.dispatched(node, x, lang); err != nil {
		return err
	}
	if err := m.overloaded(node, sym, lang); err != nil {
		return err
	}
	if err := m.passedOn(node, sym, lang); err != nil {
		return err
	}
	return m.computed(node, x, lang)
}

// headOf is what is written over and before the name of a symbol: its annotations, without comments.
func headOf(lines []string, sym *agenvantage.Symbol) string {
	from := max(1, sym.Span.StartLine)
	for ; from > 1 && sym.Span.StartLine-from < 12; from-- {
		if above := strings.TrimSpace(lines[from-2]); above == "" || strings.IndexByte("@#[/*", above[0]) < 0 {
			break
		}
	}
	var b strings.Builder
	for i := from; i <= min(sym.NameLine, len(lines)); i++ {
		line := lines[i-1]
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "*") || strings.HasPrefix(trimmed, "/*") || strings.HasPrefix(trimmed, "# ") {
			continue
		}
		if i == sym.NameLine {
			if at := strings.Index(line, sym.Name); at >= 0 {
				line = line[:at]
			}
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// calls is 1 when the language calls a symbol of itself.
func (h *hooks) calls(sym *agenvantage.Symbol, lang, path, head string) int {
	isMethod := sym.Kind == agenvantage.KindMethod || sym.Parent >= 0
	private := sym.Visibility == "private" || strings.HasPrefix(sym.Name, "#")
	switch {
	case lang == "go":
		if h.names.MatchString(sym.Name) && sym.Qualified == sym.Name || strings.HasSuffix(path, "_test.go") && goTest.MatchString(sym.Name) {
			return 1
		}
		return 0
	case sym.Kind == agenvantage.KindFunction || sym.Kind == agenvantage.KindMethod:
		if h.names.MatchString(sym.Name) && !(private && strings.HasPrefix(sym.Name, "#")) || isMethod && !private && h.methods != nil && h.methods.MatchString(sym.Name) ||
			h.signed != nil && h.signed.MatchString(sym.Signature) {
			return 1
		}
	}
	if lang == "swift" && sym.Parent >= 0 && h.names.MatchString(sym.Name) { // of a property wrapper: a property
		return 1
	}
	if lang == "elixir" {
		if elixirImpl.MatchString(head) {
			return 1
		}
		return 0
	}
	if h.marks != nil {
		for _, mark := range h.marks.FindAllStringSubmatch(head, -1) {
			if h.quiet == nil || !h.quiet.MatchString(mark[1]) {
				return 1
			}
		}
	}
	return 0
}

var goTest = regexp.MustCompile(`^(Test|Benchmark|Example|Fuzz)`)

// calledFromOutside reports whether code from outside can call a symbol because of its type.
func (m *mentions) calledFromOutside(node agenvantage.Node, x *agenvantage.Extraction, lang string, lines []string) (bool, error) {
	sym := &x.Symbols[node.Symbol]
	switch {
	case lang == "go":
		return sym.Kind == agenvantage.KindMethod && exportedGo(sym.Name), nil // any interface may have a method of the name
	case lang == "rust":
		return sym.Kind == agenvantage.KindMethod && inTraitImpl(lines, sym.NameLine), nil
	case sym.Visibility == "private" && sym.Kind == agenvantage.KindMethod || strings.HasPrefix(sym.Name, "#"):
		if lang != "python" && lang != "ruby" { // there private is a word
			return false, nil
		}
	}
	owner := node.Symbol
	if sym.Parent >= 0 {
		owner = sym.Parent
		switch parent := &x.Symbols[owner]; {
		case parent.Kind == agenvantage.KindFunction || parent.Kind == agenvantage.KindMethod:
			return sym.Kind == agenvantage.KindMethod, nil // of a class without a name, whose parent is not known; else a local function
		case !canBeCalled(parent.Kind) && canBeCalled(sym.Kind):
			return true, nil // of an object literal, which goes where the value goes
		case strings.HasPrefix(parent.Signature, "defimpl"):
			return true, nil
		}
	}
	owners, err := m.ownersOf(node, x, lang)
	if err != nil {
		return false, err
	}
	if len(owners) == 0 {
		owners = append(owners, agenvantage.Node{File: node.File, Symbol: owner})
	}
	return m.inheritsFromOutside(owners)
}

var (
	implStart = regexp.MustCompile(`^\s*(?:unsafe\s+|default\s+)*impl\b`)
	implTrait = regexp.MustCompile(`\bfor\b[^<]`)
)

// inTraitImpl reports whether a line of Rust lies in the implementation of a trait, whose callers know the trait alone.
func inTraitImpl(lines []string, line int) bool {
	for i := min(line, len(lines)); i >= 1; i-- {
		if !implStart.MatchString(lines[i-1]) {
			continue
		}
		head := lines[i-1]
		for next := i; next < len(lines) && next < i+12 && !strings.Contains(head, "{"); next++ {
			head += " " + lines[next]
		}
		head, _, _ = strings.Cut(head, "{")
		return implTrait.MatchString(head)
	}
	return false
}

// harmlessBases are parents whose methods nothing from outside calls under a name that a program chooses.
var harmlessBases = map[string]bool{"object": true, "ABC": true, "abc.ABC": true, "Generic": true, "t.Generic": true, "typing.Generic": true, "Object": true, "NamedTuple": true, "t.NamedTuple": true}

// inheritsFromOutside reports whether a type, or one that it inherits from, names a parent that is not in the repository.
func (m *mentions) inheritsFromOutside(owners []agenvantage.Node) (bool, error) {
	types, err := m.walk(owners, superKinds, true, false, 0)
	if err != nil {
		return false, err
	}
	for _, owner := range owners {
		types[owner] = arrival{}
	}
	for node := range types {
		if node.Symbol < 0 {
			continue
		}
		refs, _, err := m.usesIn(node.File)
		if err != nil {
			return false, err
		}
		named := 0
		for _, r := range refs {
			if r.From == node.Symbol && (r.Kind == agenvantage.RefInherit || r.Kind == agenvantage.RefImplements) && !harmlessBases[r.Name] {
				named++
			}
		}
		x, err := m.corpus.Facts(node.File)
		if err != nil {
			return false, err
		}
		for i := range x.Imports { // of Elixir: use brings callbacks
			if x.Imports[i].Name == "use" && x.Imports[i].From == node.Symbol && m.corpus.Lang(node.File) == "elixir" {
				return true, nil
			}
		}
		found := map[agenvantage.Node]bool{}
		for _, e := range m.graph.Out(node) {
			if (e.Kind == agenvantage.EdgeInherits || e.Kind == agenvantage.EdgeImplements) && e.Confidence != agenvantage.ByName {
				found[e.To] = true
			}
		}
		if named > len(found) {
			return true, nil
		}
	}
	return false, nil
}

// typedLanguages are those where a mention of a type is no value.
var typedLanguages = map[string]bool{"go": true, "java": true, "kotlin": true, "scala": true, "csharp": true, "swift": true, "rust": true, "c": true, "cpp": true}

// passedOn counts the places that take a symbol as a value: who calls the value is not known. Places that mention are asked
// for by refs and neighbors, and have those.
func (m *mentions) passedOn(node agenvantage.Node, sym *agenvantage.Symbol, lang string) error {
	isFunction := sym.Kind == agenvantage.KindFunction || sym.Kind == agenvantage.KindMethod
	if m.request.Verb == VerbRefs || m.request.Verb == VerbNeighbors || !canBeCalled(sym.Kind) || !isFunction && typedLanguages[lang] {
		return nil
	}
	taken := map[agenvantage.Edge]bool{}
	for _, e := range m.graph.In(node) {
		if e.Kind != agenvantage.EdgeReferences {
			continue
		}
		x, err := m.corpus.Facts(e.From.File)
		if err != nil {
			return err
		}
		if at := startOf(e); !taken[at] && !namesInImport(x, e.Line, sym.Name) {
			taken[at] = true
			m.countAt(reasonPassed, e.From.File, e.Line)
		}
	}
	x, err := m.corpus.Facts(node.File)
	if err != nil {
		return err
	}
	if strings.HasPrefix(sym.Signature, "export default ") {
		m.countAt(reasonPassed, node.File, sym.NameLine) // importers name it
	}
	for i := range x.Imports {
		if o := &x.Imports[i]; o.Path == "" && o.Name == sym.Name && o.Alias != "" && o.Alias != sym.Name {
			m.countAt(reasonPassed, node.File, o.Line)
			break
		}
	}
	return nil
}

// namesInImport reports whether a line imports a name, or offers it under the same one: no value is taken there.
func namesInImport(x *agenvantage.Extraction, line int, name string) bool {
	for i := range x.Imports {
		if m := &x.Imports[i]; m.Line == line && (m.Path != "" || m.Name == name && (m.Alias == "" || m.Alias == name)) {
			return true
		}
	}
	return false
}
