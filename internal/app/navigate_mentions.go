package app

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/graph"
	"agenvantage/index"
)

// callSite is a reference without an edge.
type callSite struct {
	file uint32
	ref  agenvantage.Reference
}

// mentions gathers what may lead to, or from, the subject without an edge.
type mentions struct {
	*navigator
	coverage *NavigationCoverage
	open     []callSite // of one file at a time
	partial  int        // files with a mention that have places which their grammar did not understand
	failed   int
	unlooked int
	resolved int // files that were resolved again to learn why
	resolver *resolvedWithout
}

// Bounds of the work for one name.
const (
	maxMentionFiles  = 2000
	maxResolvedAgain = 48
)

// of looks at every file that holds a name as a word.
func (m *mentions) of(name string) error {
	tokens := analysis.AppendTokens(nil, name)
	if len(tokens) == 0 {
		return nil
	}
	in := map[uint32]bool{}
	err := m.corpus.Postings(channels.FieldBody, tokens[0], func(doc uint32, _, _ int) {
		if f, c := m.corpus.Locate(doc); c >= 0 {
			in[f] = true
		}
	})
	if err != nil {
		return err
	}
	defined, err := m.corpus.Named(name)
	if err != nil {
		return err
	}
	targets := nodeSet(defined)
	files := slices.Sorted(maps.Keys(in))
	if len(files) > maxMentionFiles {
		m.unlooked += len(files) - maxMentionFiles
		files = files[:maxMentionFiles]
	}
	for _, f := range files {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if err := m.inFile(f, name, targets); err != nil {
			return err
		}
	}
	return nil
}

// inFile looks at one file for mentions of a name that have no edge to a definition of it. Prose mentions without meaning
// a run.
func (m *mentions) inFile(f uint32, name string, targets map[agenvantage.Node]bool) error {
	info := m.corpus.File(f)
	if info.Class.Has(agenvantage.ClassDocument) || info.Class.Has(agenvantage.ClassLock) {
		return nil
	}
	text, err := m.corpus.Text(f)
	if err != nil {
		return err
	}
	words, quoted := wordsIn(text, name)
	if words == 0 {
		return nil
	}
	if !parsed(info.State) {
		m.coverage.Unparsed[string(info.State)]++
		m.coverage.Mentions += words
		return nil
	}
	links, err := m.corpus.Links(f)
	if err != nil {
		return err
	}
	if links.Failure != "" {
		m.failed++
		m.coverage.Mentions += words
		return nil
	}
	if info.State == agenvantage.ParsePartial {
		m.partial++
	}
	if m.request.Verb == VerbSymbol { // a mention is no definition
		return nil
	}
	m.count("string", quoted)
	refs, _, err := m.corpus.Uses(f)
	if err != nil {
		return err
	}
	type at struct{ from, line int }
	led := map[at]bool{}
	for _, e := range links.Edges {
		if targets[e.To] && e.Kind != agenvantage.EdgeDefines {
			led[at{e.From.Symbol, e.Line}] = true
		}
	}
	m.open = m.open[:0]
	for _, ref := range refs {
		if ref.Kind != agenvantage.RefImport && lastName(ref.Name) == name && !led[at{ref.From, ref.Line}] {
			m.open = append(m.open, callSite{f, ref})
		}
	}
	return m.explain(f, links)
}

// dispatched counts the calls of a method of the same name in a type that the subject's type inherits from or implements: at
// run time they may lead to the subject. Those that have an edge to the subject too are known already.
func (m *mentions) dispatched(s spot) error {
	x, err := m.corpus.Facts(s.file)
	if err != nil {
		return err
	}
	type at struct {
		from agenvantage.Node
		line int
	}
	for _, symbol := range s.symbols {
		sym := &x.Symbols[symbol]
		if sym.Parent < 0 {
			continue // of Go: the resolver gives such calls an edge to each implementation
		}
		known := map[at]bool{}
		for _, e := range m.graph.In(agenvantage.Node{File: s.file, Symbol: symbol}) {
			known[at{e.From, e.Line}] = true
		}
		super, err := m.walk([]agenvantage.Node{{File: s.file, Symbol: sym.Parent}}, superKinds, true, false, 0)
		if err != nil {
			return err
		}
		for owner := range super {
			for _, inner := range m.graph.Out(owner) {
				if inner.Kind != agenvantage.EdgeDefines || inner.To.File != owner.File {
					continue
				}
				facts, err := m.corpus.Facts(owner.File)
				if err != nil {
					return err
				}
				if facts.Symbols[inner.To.Symbol].Name != sym.Name {
					continue
				}
				for _, e := range m.graph.In(inner.To) {
					if e.Kind == agenvantage.EdgeCalls && !known[at{e.From, e.Line}] {
						known[at{e.From, e.Line}] = true
						m.count("dispatch", 1)
					}
				}
			}
		}
	}
	return nil
}

// superKinds are the edges from a type to those whose calls may lead to it.
var superKinds = []agenvantage.EdgeKind{agenvantage.EdgeImplements, agenvantage.EdgeInherits}

// ownCalls looks for calls of the subject that have no edge.
func (m *mentions) ownCalls(s spot) error {
	sources, err := m.withInner(m.nodes(s))
	if err != nil {
		return err
	}
	links, err := m.corpus.Links(s.file)
	if err != nil {
		return err
	}
	inside := nodeSet(sources)
	type at struct{ from, line int }
	names := map[at]map[string]bool{}
	for _, e := range links.Edges {
		if !inside[e.From] || e.To.Symbol < 0 {
			continue
		}
		x, err := m.corpus.Facts(e.To.File)
		if err != nil {
			return err
		}
		k := at{e.From.Symbol, e.Line}
		if names[k] == nil {
			names[k] = map[string]bool{}
		}
		names[k][x.Symbols[e.To.Symbol].Name] = true
	}
	refs, _, err := m.corpus.Uses(s.file)
	if err != nil {
		return err
	}
	if err := m.computedCalls(s, sources); err != nil {
		return err
	}
	m.open = m.open[:0]
	for _, ref := range refs {
		if ref.Kind == agenvantage.RefCall && inside[agenvantage.Node{File: s.file, Symbol: ref.From}] && !names[at{ref.From, ref.Line}][lastName(ref.Name)] &&
			(!s.lines || len(s.symbols) > 0 || s.span.HasLine(ref.Line)) {
			m.open = append(m.open, callSite{s.file, ref})
		}
	}
	return m.explain(s.file, links)
}

// computedCall is a call of a value that has no name: table["x"](), make()().
var computedCall = regexp.MustCompile(`[\])]\(`)

// computedCalls counts the calls of the subject that no reference stands for, because what is called is an index or the
// result of a call. What only looks like one, a conversion to a type in parentheses, counts too.
func (m *mentions) computedCalls(s spot, sources []agenvantage.Node) error {
	x, err := m.corpus.Facts(s.file)
	if err != nil {
		return err
	}
	lines, err := m.linesOf(s.file)
	if err != nil {
		return err
	}
	counted := map[int]bool{}
	for _, node := range sources {
		span := agenvantage.Span{StartLine: 1, EndLine: len(lines)}
		if node.Symbol >= 0 {
			span = agenvantage.Span{StartLine: x.Symbols[node.Symbol].NameLine, EndLine: x.Symbols[node.Symbol].Span.EndLine}
		} else if s.lines {
			span = s.span
		}
		for line := span.StartLine; line <= min(span.EndLine, len(lines)); line++ {
			if !counted[line] {
				counted[line] = true
				m.count(string(graph.ReasonDynamic), len(computedCall.FindAllString(lines[line-1], -1)))
			}
		}
	}
	return nil
}

// harmless are the reasons of references that surely lead out of the repository.
var harmless = map[string]bool{string(graph.ReasonExternal): true, string(graph.ReasonBuiltin): true}

// explain counts the open references of a file by the reason why they have no edge. Where the file as a whole tells it is
// taken from there; else the file is resolved once more without them, and the difference is theirs. What even so has no
// reason is a local value that the resolver followed, or, in a language that nothing resolves, unknown.
func (m *mentions) explain(f uint32, links index.Links) error {
	if len(m.open) == 0 {
		return nil
	}
	if !resolves(links) {
		m.count(string(graph.ReasonUnknown), len(m.open))
		return nil
	}
	doubtful := 0
	for reason, n := range links.Unresolved {
		if !harmless[reason] {
			doubtful += n
		}
	}
	if doubtful == 0 {
		return nil
	}
	if m.resolved++; m.resolved > maxResolvedAgain {
		m.count(string(graph.ReasonUnknown), len(m.open))
		return nil
	}
	if m.resolver == nil {
		m.resolver = newResolvedWithout(m.corpus)
	}
	without, err := m.resolver.unresolved(f, m.open)
	if err != nil {
		return err
	}
	for reason, n := range links.Unresolved {
		if d := n - without[reason]; d > 0 && !harmless[reason] {
			m.count(reason, d)
		}
	}
	return nil
}

// resolves reports whether links are those of a language whose references are resolved.
func resolves(l index.Links) bool {
	return len(l.Unresolved) > 0 || slices.ContainsFunc(l.Edges, func(e agenvantage.Edge) bool { return e.Kind != agenvantage.EdgeDefines })
}

func (m *mentions) count(reason string, n int) {
	if n > 0 {
		m.coverage.Unresolved[reason] += n
		m.coverage.DynamicSites += n
	}
}

// settle draws the verdict from what was gathered.
func (m *mentions) settle() {
	c := m.coverage
	if c.DynamicSites > 0 {
		what := plural(c.DynamicSites, "mention of the name is", "mentions of the name are")
		switch m.request.Verb {
		case VerbCallees:
			what = plural(c.DynamicSites, "of its calls is", "of its calls are")
		case VerbNeighbors:
			what = plural(c.DynamicSites, "mention of the name or call in it is", "mentions of the name or calls in it are")
		}
		c.lower(VerdictBounded, what+" not resolved")
	}
	for _, state := range slices.Sorted(maps.Keys(c.Unparsed)) {
		c.lower(VerdictBounded, fmt.Sprintf("%s with the name read without a grammar (%s)", plural(c.Unparsed[state], "file", "files"), state))
	}
	for _, n := range []struct {
		count int
		what  string
	}{{m.partial, "with the name parsed with errors"}, {m.failed, "with the name could not be resolved"}, {m.unlooked, "with the name not looked at"}} {
		if n.count > 0 {
			c.lower(VerdictBounded, plural(n.count, "file", "files")+" "+n.what)
		}
	}
}

// lastName is the name behind the qualifiers of a reference.
func lastName(name string) string {
	parts := splitName(strings.TrimRight(name, "?!"))
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
}

// wordsIn counts name in text between word borders, and how often it stands in quotes there: alone, or as a part of a
// dotted path, as in getattr(x, "load") and "tasks.load".
func wordsIn(text, name string) (words, quoted int) {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return words, quoted
		}
		start, end := at+i, at+i+len(name)
		at = end
		if isWord(text, start-1) && isWord(text, start) || isWord(text, end-1) && isWord(text, end) {
			continue
		}
		words++
		for start > 0 && (isWord(text, start-1) || strings.IndexByte(".:/#-", text[start-1]) >= 0) {
			start--
		}
		for end < len(text) && (isWord(text, end) || strings.IndexByte(".:/#-", text[end]) >= 0) {
			end++
		}
		if start > 0 && end < len(text) && text[start-1] == text[end] && strings.IndexByte("\"'`", text[end]) >= 0 {
			quoted++
		}
	}
}

func isWord(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// resolvedWithout resolves files as if some of their references were not there.
type resolvedWithout struct {
	*corpus
	file    uint32
	without []callSite
}

func newResolvedWithout(c *corpus) *resolvedWithout { return &resolvedWithout{corpus: c} }

// Uses implements index.LinkCorpus.
func (r *resolvedWithout) Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	refs, bindings, err := r.corpus.Uses(f)
	if err != nil || f != r.file {
		return refs, bindings, err
	}
	kept := make([]agenvantage.Reference, 0, len(refs))
	for _, ref := range refs {
		if !slices.ContainsFunc(r.without, func(s callSite) bool { return s.ref == ref }) {
			kept = append(kept, ref)
		}
	}
	return kept, bindings, nil
}

// unresolved counts, by reason, the references of a file that have no edge, without some. A failure of the resolver counts
// them all.
func (r *resolvedWithout) unresolved(f uint32, without []callSite) (counts map[string]int, err error) {
	r.file, r.without = f, without
	defer func() {
		if p := recover(); p != nil {
			counts, err = nil, nil
		}
	}()
	links, err := linker{}.Resolver(r).Resolve(f)
	return links.Unresolved, err
}
