package app

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"agenvantage"
	"agenvantage/pack/repomap"
)

// overview is what a map needs of a whole generation: it is computed once, kept beside the index (map_store.go) and read
// by every map of that generation. Files are in the order of ranks.
type overview struct {
	Files []fileFacts
	Links [][]link  // by file: what it refers to in other files
	Rank  []float64 // by file: sums to 1 over all
	Tops  [][]top   // by file: symbols for others, most central first

	// Shown are the symbols that a map of the whole may show, as it shows them, so that it reads no file's facts.
	Shown map[agenvantage.Node]repomap.Symbol
}

// fileFacts is what one file says about itself. It depends on its path and content alone.
type fileFacts struct {
	Path        string
	Hash        [16]byte
	Lines       int
	Code        bool // of a module: no document, configuration, build script, generated or vendored file
	Test        bool
	Prose       string // first sentence of the README, of the docstring or of the first comment
	ProseLine   int
	Title       string // first heading of a README
	Speaks      int    // how well Prose speaks for the folder
	Marks       []mark
	Definitions []definition // symbols for others, in order
	Routes      int          // routes that are registered in it
}

// definition is a symbol that others may use. Worth is what its kind and visibility are worth, 0 to 1.
type definition struct {
	Symbol int
	Worth  float64
}

// top is a symbol with its share of all votes.
type top struct {
	Symbol int
	Score  float64
}

// maxTops is how many symbols of a file a map can name.
const maxTops = 24

// newOverview reads a whole view. known are facts of an earlier generation by path, which count where path and content are
// the same.
func newOverview(ctx context.Context, c *corpus, known map[string]*fileFacts) (*overview, error) {
	o := &overview{Files: make([]fileFacts, c.FileCount())}
	if err := eachFile(ctx, c.FileCount(), func(f uint32) (err error) {
		info := c.File(f)
		if old := known[info.Path]; old != nil && old.Hash == info.Hash {
			o.Files[f] = *old
			return nil
		}
		o.Files[f], err = newFileFacts(c, f)
		return err
	}); err != nil {
		return nil, err
	}
	uses := make([][]use, c.FileCount())
	routes := make([]int, c.FileCount())
	linked := make([]bool, c.FileCount())
	err := c.EachEdges(ctx, func(f uint32, edges []agenvantage.Edge) {
		uses[f] = gatherUses(f, edges)
		for _, e := range edges {
			if e.Kind == agenvantage.EdgeRoutes && !insideTests(c, e.From) {
				routes[f]++
			}
			linked[f] = linked[f] || e.Kind == agenvantage.EdgeCalls || e.Kind == agenvantage.EdgeReferences || e.Kind == agenvantage.EdgeImports
		}
	})
	if err != nil {
		return nil, err
	}
	if err := linkByName(ctx, c, o, uses, linked); err != nil {
		return nil, err
	}
	for f := range o.Files {
		o.Files[f].Routes = routes[f]
	}
	o.rank(uses)
	return o, o.keepShown(ctx, c)
}

// keepShown fills in Shown.
func (o *overview) keepShown(ctx context.Context, c *corpus) error {
	v := &mapView{ctx: ctx, corpus: c, overview: o}
	shown := v.shownModules(v.modules())
	v.chooseSymbols(shown)
	o.Shown = map[agenvantage.Node]repomap.Symbol{}
	for _, m := range shown {
		for _, s := range m.symbols {
			d, err := v.shownSymbol(s.node)
			if err != nil {
				return err
			}
			o.Shown[s.node] = d
		}
	}
	return nil
}

// insideTests reports whether a symbol lies in a module of tests in a file of code, as Rust has them.
func insideTests(c *corpus, n agenvantage.Node) bool {
	x, err := c.Facts(n.File)
	if err != nil {
		return false
	}
	for at := n.Symbol; at >= 0 && at < len(x.Symbols); at = x.Symbols[at].Parent {
		if s := &x.Symbols[at]; s.Kind == agenvantage.KindModule && (s.Name == "tests" || s.Name == "test") {
			return true
		}
	}
	return false
}

// eachFile calls do for every file, several at a time.
func eachFile(ctx context.Context, files int, do func(f uint32) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 8)
	for w := range workers {
		wait.Go(func() {
			for f := w; f < files && ctx.Err() == nil; f += workers {
				if err := do(uint32(f)); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// newFileFacts reads one file.
func newFileFacts(c *corpus, f uint32) (fileFacts, error) {
	info := c.File(f)
	ff := fileFacts{Path: info.Path, Hash: info.Hash, Test: info.Class.Has(agenvantage.ClassTest)}
	x, err := c.Facts(f)
	if err != nil {
		return ff, err
	}
	for i := range x.Chunks {
		ff.Lines = max(ff.Lines, x.Chunks[i].Span.EndLine)
	}
	if info.Class&(agenvantage.ClassGenerated|agenvantage.ClassVendored|agenvantage.ClassMinified|agenvantage.ClassLock) != 0 {
		return ff, nil
	}
	ff.Code = info.Lang != "" && !notCode[info.Lang] && !buildScripts.MatchString(info.Path)
	ff.pathMarks()
	readme := strings.HasPrefix(strings.ToLower(path.Base(info.Path)), "readme")
	if !ff.Code && !readme && !isManifest(info.Path) {
		return ff, nil
	}
	text, err := c.Text(f)
	if err != nil {
		return ff, err
	}
	if isManifest(info.Path) {
		ff.Marks = append(ff.Marks, manifestMarks(info.Path, text)...)
	}
	switch {
	case readme:
		ff.Prose, ff.ProseLine, ff.Title = readmeProse(text)
	case ff.Code && !ff.Test:
		ff.Prose, ff.ProseLine = headerProse(info.Lang, text)
	}
	if ff.Prose != "" {
		ff.Speaks = speaksFor(info.Path, info.Lang)
	}
	if !ff.Code {
		return ff, nil
	}
	if !ff.Test {
		ff.Definitions = definitionsOf(info.Lang, x)
	}
	refs, err := c.References(f)
	if err != nil {
		return ff, err
	}
	ff.codeMarks(info.Lang, x, refs, text)
	return ff, nil
}

// pathMarks finds what the path alone says.
func (ff *fileFacts) pathMarks() {
	lower := strings.ToLower(ff.Path)
	var seen [markPurpose + 1]bool
	for i := range pathRows {
		r := &pathRows[i]
		if seen[r.section] {
			continue
		}
		m := r.pattern.FindStringSubmatchIndex(lower)
		if m == nil {
			continue
		}
		seen[r.section] = true
		found := mark{Section: r.section, Kind: r.kind, Value: r.value}
		if r.folder > 0 {
			// The lower-case path is as long as the path itself unless it holds rare letters.
			if end := m[2*r.folder+1]; end >= 0 && end <= len(ff.Path) && len(lower) == len(ff.Path) {
				found.Folder = cmp.Or(ff.Path[:end], ".")
			}
		}
		ff.Marks = append(ff.Marks, found)
	}
}

// codeMarks finds entry points and landmarks in code.
func (ff *fileFacts) codeMarks(lang string, x *agenvantage.Extraction, refs []agenvantage.Reference, text string) {
	if ff.Test {
		return
	}
	for i := range entryRows {
		r := &entryRows[i]
		if !slices.Contains(strings.Fields(r.langs), lang) || r.within != "" && r.within != x.Package || r.onlyIn != nil && !r.onlyIn.MatchString(ff.Path) {
			continue
		}
		if line, ok := r.find(x, text); ok {
			m := mark{Section: markEntry, Kind: r.kind, Line: line, Value: 0.9}
			if lang == "go" && strings.Contains(text, "//go:build ignore") { // run by hand or by go generate
				m.Kind, m.Value = "generator", 0.2
			}
			ff.Marks = append(ff.Marks, m)
		}
	}
	lower := strings.ToLower(ff.Path)
	for i := range libraryDoors {
		if r := &libraryDoors[i]; r.pattern.MatchString(lower) {
			ff.Marks = append(ff.Marks, mark{Section: markEntry, Kind: r.kind, Value: r.value})
		}
	}
	for i := range callRows {
		r := &callRows[i]
		if !slices.Contains(strings.Fields(r.langs), lang) {
			continue
		}
		for k := range refs {
			if ref := &refs[k]; (ref.Kind == agenvantage.RefCall || ref.Kind == agenvantage.RefType && r.types) && r.isNamed(ref) {
				ff.Marks = append(ff.Marks, mark{Section: markLandmark, Kind: r.kind, Line: ref.Line, Text: ref.Name, Value: r.value})
				break
			}
		}
	}
}

// isNamed reports whether a reference is to one of the row's names.
func (r *callRow) isNamed(ref *agenvantage.Reference) bool {
	for _, name := range strings.Fields(r.names) {
		if ref.Name == name || strings.HasPrefix(name, ".") && ("."+ref.Name == name && ref.On != "" || strings.HasSuffix(ref.Name, name)) {
			return true
		}
	}
	return false
}

// find looks for the first place in a file.
func (r *entryRow) find(x *agenvantage.Extraction, text string) (line int, ok bool) {
	if r.symbol != "" {
		for i := range x.Symbols {
			s := &x.Symbols[i]
			if s.Name == r.symbol && (s.Kind == agenvantage.KindFunction || s.Kind == agenvantage.KindMethod) && (r.line == nil || r.line.MatchString(s.Signature)) {
				return s.NameLine, true
			}
		}
		return 0, false
	}
	number := 0
	for l := range strings.Lines(text) {
		number++
		if len(l) < 400 && r.line.MatchString(strings.TrimRight(l, "\r\n")) {
			return number, true
		}
	}
	return 0, false
}

// restingShare is the part of a symbol's score that it has without votes, so that the order says something where no edge
// leads to anything.
const restingShare = 0.05

// leastWorth is what a symbol has to be worth to be named without votes.
const leastWorth = 0.2

// innerPath are files that serve others of the project: much used inside of it, and not what it is asked for. They keep
// innerShare of their symbols' scores.
var innerPath = regexp.MustCompile(`(?i)(^|[/_.-])(utils?|debughelpers|helpers?|internals?|_internal|common|compat)([/_.-]|$)`)

const innerShare = 0.5

// isDoor reports a file with an entry point, or the one by which a package is imported.
func (ff *fileFacts) isDoor() bool {
	if base := path.Base(ff.Path); base == "__init__.py" || base == "index.js" || base == "index.ts" {
		return true
	}
	return slices.ContainsFunc(ff.Marks, func(m mark) bool { return m.Section == markEntry })
}

// rank fills in Links, Rank and Tops.
func (o *overview) rank(uses [][]use) {
	n := len(o.Files)
	o.Links = make([][]link, n)
	base := make([]float64, n) // tests and examples have little rank to hand on: they use everything, and nothing depends on them
	for f := range o.Files {
		ff := &o.Files[f]
		_, share := auxiliary(ff.Path)
		switch {
		case !ff.Code:
			base[f] = 0.02
		case ff.Test:
			base[f] = testShare
		default:
			base[f] = share
		}
		o.Links[f] = linksOf(uses[f])
	}
	o.Rank = fileRanks(o.Links, base)
	voice := slices.Clone(o.Rank)
	for f := range o.Files {
		if o.Files[f].Test {
			voice[f] *= testVoice
		}
	}
	votes, names := symbolVotes(uses, voice), o.projectNames()
	best := 0.0
	for node, v := range votes {
		if !o.Files[node.File].Test {
			best = max(best, v) // a maximum does not depend on the order
		}
	}
	o.Tops = make([][]top, n)
	for f := range o.Files {
		ff := &o.Files[f]
		_, share := auxiliary(ff.Path)
		if innerPath.MatchString(ff.Path) {
			share *= innerShare
		}
		bearsName := names[stemOf(ff.Path)]
		for _, d := range ff.Definitions {
			vote := 0.0
			if best > 0 {
				vote = min(1, votes[agenvantage.Node{File: uint32(f), Symbol: d.Symbol}]/best)
			}
			if vote == 0 && d.Worth < leastWorth {
				continue // a variable that nothing uses: most are the imports of a script
			}
			score := share * (vote*(0.1+0.9*d.Worth) + restingShare*d.Worth*(0.2+o.strength(uint32(f))))
			if bearsName { // the file that bears the project's name holds what it is about
				score = min(1, namesakeFactor*score+share*restingShare*d.Worth)
			}
			o.Tops[f] = append(o.Tops[f], top{d.Symbol, score})
		}
		slices.SortStableFunc(o.Tops[f], func(a, b top) int { return cmp.Compare(b.Score, a.Score) })
		o.Tops[f] = o.Tops[f][:min(len(o.Tops[f]), maxTops)]
	}
}

// strength is the rank of a file beside the mean, 0 to 1.
func (o *overview) strength(f uint32) float64 {
	r := o.Rank[f] * float64(len(o.Rank))
	return r / (1 + r)
}

// known are the facts by path.
func (o *overview) known() map[string]*fileFacts {
	m := make(map[string]*fileFacts, len(o.Files))
	for i := range o.Files {
		m[o.Files[i].Path] = &o.Files[i]
	}
	return m
}
