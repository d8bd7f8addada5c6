package app

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/index"
)

// site is where references and edges start: a symbol of a file and a line.
type site struct{ from, line int }

// account accounts for the mentions of one name in one file.
//
// A mention in a comment is no use of the name, unless a tool reads the comment. One in a string may be one. One in code is
// accounted for when it is the name of a definition; when its reference has an edge, resolved or unique; or when it is
// certainly something else by the rules of the language: a member of a package from outside, a local name, the key of an
// argument.
type account struct {
	*mentions
	*sought
	file     uint32
	lang     string
	text     string
	facts    *agenvantage.Extraction
	refs     []agenvantage.Reference
	bindings []agenvantage.Binding
	links    index.Links

	ofName  []int         // references whose last name is the name, in order
	named   map[int][]int // the same by line
	defined map[int]int   // line -> definitions of the name
}

// settle counts what is not accounted for.
func (a *account) settle(found []occurrence) error {
	a.named, a.defined = map[int][]int{}, map[int]int{}
	for i := range a.refs {
		if r := &a.refs[i]; r.Kind != agenvantage.RefImport && a.isName(lastName(r.Name)) {
			a.ofName = append(a.ofName, i)
			a.named[r.Line] = append(a.named[r.Line], i)
		}
	}
	for i := range a.facts.Symbols {
		if a.isName(bareName(a.facts.Symbols[i].Name)) {
			a.defined[a.facts.Symbols[i].NameLine]++
		}
	}
	var strings, loose []int // lines
	code := found[:0:0]
	for _, o := range found {
		switch {
		case o.in == inComment && len(a.named[o.line]) == 0:
		case isSymbolLiteral(&o, a.lang) && a.takeDefinition(o.line):
		case o.in == inString || isSymbolLiteral(&o, a.lang):
			strings = append(strings, o.line)
		default:
			code = append(code, o)
		}
	}
	a.countAt("string", a.file, strings...)
	if a.scope.excludes(a.file, a.lang) {
		return nil
	}
	for i := range code {
		ok, err := a.accounted(&code[i])
		if err != nil {
			return err
		}
		if !ok {
			loose = append(loose, code[i].line)
		}
	}
	a.countAt(reasonMention, a.file, loose...)
	open, err := a.open()
	if err != nil {
		return err
	}
	return a.explain(open)
}

func (a *account) isName(name string) bool {
	return name == a.bare || a.lang == "php" && strings.EqualFold(name, a.bare)
}

// takeDefinition accounts for one mention on a line by a definition on it.
func (a *account) takeDefinition(line int) bool {
	if a.defined[line] == 0 {
		return false
	}
	a.defined[line]--
	return true
}

// accounted reports whether a mention in code needs no reference of its own, or has one: open looks at those.
func (a *account) accounted(o *occurrence) (bool, error) {
	if o.directive || a.importedTwice(o) {
		return false, nil
	}
	if a.hasReference(o) || a.takeDefinition(o.line) {
		return true, nil
	}
	if ok, err := a.qualifies(o); ok || err != nil {
		return ok, err
	}
	if ok, err := a.imported(o); ok || err != nil {
		return ok, err
	}
	return a.declares(o), nil
}

// hasReference reports whether a reference stands for a mention: one on its line with the same qualifiers, or, since a mention
// that is no call is kept once, one before it in the same symbol.
func (a *account) hasReference(o *occurrence) bool {
	for _, i := range a.named[o.line] {
		if a.fits(&a.refs[i], o) {
			return true
		}
	}
	for _, i := range a.ofName {
		r := &a.refs[i]
		if r.Line >= o.line {
			break
		}
		if r.Kind == agenvantage.RefType && a.fits(r, o) && a.encloses(r.From, o.line) {
			return true
		}
	}
	return false
}

func (a *account) encloses(symbol, line int) bool {
	return symbol < 0 || symbol < len(a.facts.Symbols) && a.facts.Symbols[symbol].Span.HasLine(line)
}

// fits reports whether a reference is written as a mention is.
func (a *account) fits(r *agenvantage.Reference, o *occurrence) bool {
	if r.On != "" {
		return o.before != ""
	}
	before, name := dotted(o.before), dotted(r.Name)
	if i := strings.LastIndexAny(before, `)]}"'?`); i >= 0 || len(o.before) >= 200 {
		return strings.HasSuffix(strings.TrimRight(name, "?!"), before[i+1:]+a.bare)
	}
	return before+a.bare == strings.TrimRight(name, "?!") || a.lang == "php" && strings.EqualFold(before+a.bare, name)
}

// dotted writes separators as "." and leaves out what stands before a name without being a part of it.
func dotted(s string) string {
	return separators.Replace(strings.TrimLeft(s, `:\@&!>-.`))
}

var separators = strings.NewReplacer("::", ".", `\`, ".", "?->", ".", "->", ".", "?.", ".", "!!.", ".", "!.", ".", ":", ".", "#", "")

// qualifies accounts for a mention that stands before a member: what has an edge to the member, or to the name on the way, is
// known; so is a local value and a module.
func (a *account) qualifies(o *occurrence) (bool, error) {
	if !member.MatchString(a.text[o.end:min(len(a.text), o.end+40)]) {
		return false, nil
	}
	path := dotted(o.before) + a.bare
	for i := range a.refs {
		r := &a.refs[i]
		if r.Line > o.line {
			break
		}
		if r.Line < o.line && (r.Kind != agenvantage.RefType || !a.encloses(r.From, o.line)) {
			continue
		}
		if name := dotted(r.Name); !strings.HasPrefix(name, path+".") && !strings.Contains(name, "."+path+".") && !strings.Contains(r.On, path) {
			continue
		}
		if r.Binding > 0 && o.before == "" {
			return true, nil
		}
		known, err := a.leadsBy(r)
		if known || err != nil {
			return known, err
		}
	}
	return o.before == "" && a.isModule(), nil
}

var member = regexp.MustCompile(`^(\(\)|\[[^\]]*\])?\s*(\.|->|::|\?\.|\\)\s*[A-Za-z_#$]`)

// leadsBy reports whether a reference has an edge to a definition of the name or to what lies inside of one.
func (a *account) leadsBy(r *agenvantage.Reference) (bool, error) {
	for _, e := range a.links.Edges {
		if e.Line != r.Line || e.From.Symbol != r.From || e.Kind == agenvantage.EdgeDefines || e.Confidence == agenvantage.ByName || e.To.Symbol < 0 {
			continue
		}
		if a.targets[e.To] {
			return true, nil
		}
		x, err := a.corpus.Facts(e.To.File)
		if err != nil {
			return false, err
		}
		if slices.Contains(splitName(x.Symbols[e.To.Symbol].Qualified), a.bare) {
			return true, nil
		}
	}
	return false, nil
}

// isModule reports whether the name is that of an imported module in this file.
func (a *account) isModule() bool {
	for i := range a.facts.Imports {
		if m := &a.facts.Imports[i]; m.Path != "" && m.Name == "" && localName(m) == a.bare {
			return true
		}
	}
	return false
}

// localName is the name that an import gives to what it brings in.
func localName(m *agenvantage.Import) string {
	if m.Alias != "" {
		return m.Alias
	}
	if m.Name != "" {
		return m.Name
	}
	parts := splitName(m.Path)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// importedTwice reports whether a mention imports the name under one that the file gets from elsewhere too, as in try and except:
// the graph follows one of them.
func (a *account) importedTwice(o *occurrence) bool {
	imports := a.facts.Imports
	for i := range imports {
		m := &imports[i]
		if m.Path == "" || m.Line > o.line || o.line-m.Line > 40 || m.Name != a.bare && localName(m) != a.bare {
			continue
		}
		local := localName(m)
		for j := range imports {
			if other := &imports[j]; other.Path != "" && localName(other) == local && (other.Path != m.Path || other.Name != m.Name) && other.From == m.From {
				return true
			}
		}
		for j := range a.facts.Symbols {
			if s := &a.facts.Symbols[j]; s.Name == local && s.Parent < 0 && s.NameLine != m.Line && m.From < 0 && a.lang != "go" {
				return true
			}
		}
	}
	return false
}

// imported accounts for a mention in a statement that imports or exports the name.
func (a *account) imported(o *occurrence) (bool, error) {
	for i := range a.facts.Imports {
		m := &a.facts.Imports[i]
		if m.Line > o.line || o.line-m.Line > 40 || m.Name != a.bare && localName(m) != a.bare && !slices.Contains(splitName(m.Path), a.bare) {
			continue
		}
		if m.Line != o.line && !strings.Contains(a.text[max(0, o.start-2000):o.start], "import") {
			continue
		}
		switch {
		case m.Path == "" && m.Name == a.bare && m.Alias != "" && m.Alias != a.bare:
			return false, nil // offered to others under another name, which no mention shows
		case m.Path == "", m.Name == "":
			return true, nil
		}
		if outside, err := a.outside(a.lang, m.Path); outside || err != nil {
			return outside, err
		}
		for _, e := range a.links.Edges {
			if e.Line != m.Line || e.Confidence == agenvantage.ByName || e.Kind == agenvantage.EdgeDefines {
				continue
			}
			if a.targets[e.To] || e.Kind == agenvantage.EdgeImports && e.To.Symbol < 0 && a.definedIn(e.To.File) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (a *account) definedIn(f uint32) bool {
	for node := range a.targets {
		if node.File == f {
			return true
		}
	}
	return false
}

// declares reports whether a mention without a reference names something new, or something local. The grammars see every use
// of a name that is not local, so that what they leave out is local where the text says so as well.
func (a *account) declares(o *occurrence) bool {
	before, after := a.text[lineStart(a.text, o.start):o.start], a.text[o.end:lineEnd(a.text, o.end)]
	switch {
	case a.lang == "go":
		return o.before == "" && types.Universe.Lookup(a.bare) == nil // references come from a whole syntax tree, without the language's own names
	case a.lang == "ruby" && o.before == "@", a.lang == "ruby" && o.before == "@@":
		return !a.value
	case a.lang == "php" && strings.HasSuffix(o.before, "$"), a.lang == "bash" && strings.HasSuffix(strings.TrimSuffix(before, "{"), "$"):
		return !a.value
	case a.value || o.before != "" && o.before != "?." || strings.HasPrefix(after, "("):
		return false
	case a.lang == "python" || a.lang == "bash" || a.lang == "ruby" || a.lang == "elixir":
		if assigned.MatchString(after) {
			return true
		}
	case typeAfter[a.lang] && annotated.MatchString(after):
		return true
	case declared.MatchString(before) && !statement.MatchString(before) && ends.MatchString(after):
		return !strings.HasPrefix(strings.TrimSpace(before), "#")
	}
	for i := range a.bindings {
		if b := &a.bindings[i]; b.Name == a.bare && !b.Attribute && b.Symbol >= 0 && a.encloses(b.Symbol, o.line) {
			return true
		}
	}
	return false
}

var (
	assigned  = regexp.MustCompile(`^\s*=[^=~>]`)
	annotated = regexp.MustCompile(`^\s*:[^:]`)
	// declared is a type or a keyword before a name, statement what only looks like one.
	declared  = regexp.MustCompile(`[\w>\]*&]\s+[*&]*$`)
	statement = regexp.MustCompile(`\b(return|new|await|typeof|instanceof|in|of|is|as|not|and|or|else|yield|case|throw|throws|delete|void|do|assert|raise|if|unless|while|until|echo|print|then|when|super|extends|implements|import|export|default|from|co_await|co_return|goto|sizeof|using|use|=|=>)\s+[*&]*$`)
	ends      = regexp.MustCompile(`^\s*([=;,)]|$)`)
	typeAfter = map[string]bool{"kotlin": true, "swift": true, "rust": true, "scala": true}
)
