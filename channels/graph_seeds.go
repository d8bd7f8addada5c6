package channels

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// Weights of seeds. A name that is the question, or is qualified, is what it is about; in a sentence it may be a word.
const (
	seedNamed    = 1.0
	seedPlace    = 1.0
	seedPath     = 0.7
	seedSentence = 0.4
	seedSpelling = 0.3 // another spelling of a name, or the words of a phrase taken as one
)

// commonName is the number of definitions up to which each is a full seed: a name with more of them says less (aider
// divides by ten above five).
const commonName = 5

// seedList collects seeds; a node that is named twice has the sum.
type seedList struct {
	seeds []graphSeed
	at    map[uint32]int
}

func (l *seedList) add(node uint32, weight float64, why string) {
	if l.at == nil {
		l.at = map[uint32]int{}
	}
	if i, ok := l.at[node]; ok {
		l.seeds[i].weight += weight
		return
	}
	l.at[node] = len(l.seeds)
	l.seeds = append(l.seeds, graphSeed{node, weight, why})
}

// sorted lists the seeds by node.
func (l *seedList) sorted() []graphSeed {
	slices.SortFunc(l.seeds, func(a, b graphSeed) int { return cmp.Compare(a.node, b.node) })
	return l.seeds
}

// seeds finds what the question names, else the landmarks; named tells the two apart. Filters do not apply here: what lies outside
// of the scope may lead into it.
func (s *graphSearch) seeds(ctx context.Context) (seeds []graphSeed, named bool, err error) {
	q := s.request.Query
	var l seedList
	if err := s.seedPlaces(&l); err != nil {
		return nil, false, err
	}
	for _, asked := range q.Paths {
		s.seedPath(&l, asked)
	}
	for _, name := range q.Qualified {
		if err := s.seedName(ctx, &l, splitQualified(name), seedNamed); err != nil {
			return nil, false, err
		}
	}
	weight := seedSentence
	if q.Class == agenvantage.ClassIdentifier {
		weight = seedNamed
	}
	for _, name := range q.Identifiers {
		if err := s.seedName(ctx, &l, []string{name}, weight); err != nil {
			return nil, false, err
		}
	}
	if name := joinedName(q); name != "" {
		if err := s.seedSpelling(ctx, &l, name); err != nil {
			return nil, false, err
		}
	}
	if len(l.seeds) == 0 {
		if err := s.seedWords(ctx, &l); err != nil {
			return nil, false, err
		}
	}
	if len(l.seeds) > 0 {
		return l.sorted(), true, nil
	}
	seeds, err = s.findLandmarks(ctx)
	return seeds, false, err
}

// Bounds of words that are taken for names.
const (
	minWordName  = 5 // characters
	maxWordNames = 24
)

// seedWords starts from the words of a question that are names of few symbols as they stand: gopark, kfree. It is for
// questions that name nothing in a clearer way.
func (s *graphSearch) seedWords(ctx context.Context, l *seedList) error {
	looked := 0
	for _, t := range s.request.Query.Terms {
		if t.Part || len(t.Text) < minWordName {
			continue
		}
		if looked++; looked > maxWordNames {
			return nil
		}
		nodes, err := s.named(ctx, t.Text)
		if err != nil {
			return err
		}
		nodes = slices.DeleteFunc(nodes, func(n agenvantage.Node) bool {
			return analysis.Normalise(s.facts[n.File].Symbols[n.Symbol].Name) != t.Text
		})
		if len(nodes) > 0 && len(nodes) <= commonName {
			s.seedNodes(l, nodes, seedSpelling, "a word of the question that is a name")
		}
	}
	return nil
}

// named lists the symbols that may have a normalised name, in order. A name of very many is cut, in the order of paths.
func (s *graphSearch) named(ctx context.Context, name string) ([]agenvantage.Node, error) {
	if name == "" {
		return nil, nil
	}
	var places []place
	err := s.reader.Postings(FieldName, name, func(doc uint32, _, _ int) {
		if file, chunk := s.reader.Locate(doc); chunk >= 0 {
			places = append(places, place{doc, file, chunk})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	slices.SortFunc(places, comparePlaces)
	var nodes []agenvantage.Node
	for _, p := range places[:min(len(places), 4*s.options.MaxSeeds)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, err := s.open(p.file)
		if err != nil {
			return nil, err
		}
		for _, i := range x.Chunks[p.chunk].Symbols {
			nodes = append(nodes, agenvantage.Node{File: p.file, Symbol: i})
		}
	}
	return nodes, nil
}

// seedName starts from the definitions of a name given as its parts, outermost first. Of a qualified name whose qualifiers
// fit nothing the last part alone counts, and of a name that is written in another way its spelling.
func (s *graphSearch) seedName(ctx context.Context, l *seedList, parts []string, weight float64) error {
	if len(parts) == 0 {
		return nil
	}
	last := parts[len(parts)-1]
	nodes, err := s.named(ctx, analysis.Normalise(last))
	if err != nil {
		return err
	}
	var exact, loose, spelled []agenvantage.Node
	for _, n := range nodes {
		sym := &s.facts[n.File].Symbols[n.Symbol]
		switch {
		case sym.Name == last && (len(parts) == 1 || endsWithNames(splitQualified(sym.Qualified), parts) || s.inModule(n.File, sym, parts)):
			exact = append(exact, n)
		case sym.Name == last:
			loose = append(loose, n)
		case analysis.Normalise(sym.Name) == analysis.Normalise(last):
			spelled = append(spelled, n)
		}
	}
	switch {
	case len(exact) > 0:
		s.seedNodes(l, exact, weight, "named in the question")
	case len(loose) > 0 && len(loose) <= maxLastNames:
		s.seedNodes(l, loose, weight*seedSentence, "last name in the question")
	case len(spelled) > 0:
		s.seedNodes(l, spelled, weight*seedSpelling, "named in another spelling")
	}
	return nil
}

// inModule reports whether the qualifier before a symbol without parents is its file's or its folder's name.
func (s *graphSearch) inModule(file uint32, sym *agenvantage.Symbol, parts []string) bool {
	if sym.Qualified != sym.Name {
		return false
	}
	dir, base := splitPath(s.reader.Path(file))
	outer := analysis.Normalise(parts[len(parts)-2])
	return analysis.Normalise(stemOf(base)) == outer || analysis.Normalise(lastName(dir)) == outer
}

func (s *graphSearch) seedNodes(l *seedList, nodes []agenvantage.Node, weight float64, why string) {
	nodes = nodes[:min(len(nodes), s.options.MaxSeeds)]
	each := weight * min(1, commonName/float64(len(nodes))) / float64(len(nodes))
	for _, n := range nodes {
		l.add(s.graph.Number(n), each, why)
	}
}

func (s *graphSearch) seedSpelling(ctx context.Context, l *seedList, name string) error {
	nodes, err := s.named(ctx, name)
	if err != nil {
		return err
	}
	nodes = slices.DeleteFunc(nodes, func(n agenvantage.Node) bool {
		return analysis.Normalise(s.facts[n.File].Symbols[n.Symbol].Name) != name
	})
	if len(nodes) > 0 {
		s.seedNodes(l, nodes, seedSpelling, "the words of the question as one name")
	}
	return nil
}

// seedPath starts from the files that a path fits as a whole.
func (s *graphSearch) seedPath(l *seedList, asked string) {
	asked = strings.TrimPrefix(asked, "./")
	_, base := splitPath(strings.TrimRight(asked, "/"))
	var nodes []agenvantage.Node
	for _, file := range s.paths().byBase[strings.ToLower(base)] {
		if fits, _ := pathFits(asked, s.reader.Path(file)); fits == fitWhole {
			nodes = append(nodes, agenvantage.Node{File: file, Symbol: -1})
		}
	}
	if len(nodes) > 0 {
		s.seedNodes(l, nodes, seedPath, "path in the question")
	}
}

// seedPlaces starts from the innermost symbols at the places and frames of the question.
func (s *graphSearch) seedPlaces(l *seedList) error {
	for _, f := range s.request.Query.Frames {
		_, base := splitPath(f.Path)
		var nodes []agenvantage.Node
		for _, file := range s.paths().byBase[strings.ToLower(base)] {
			fits, _ := pathFits(f.Path, s.reader.Path(file))
			if fits != fitWhole && fits != fitSuffix || len(nodes) == s.options.MaxSeeds {
				continue
			}
			x, err := s.open(file)
			if err != nil {
				return err
			}
			nodes = append(nodes, agenvantage.Node{File: file, Symbol: x.Innermost(f.Line, nil)})
		}
		if len(nodes) > 0 {
			s.seedNodes(l, nodes, seedPlace, "place in the question")
		}
	}
	return nil
}

// maxLandmarks is the most nodes of each kind of landmark.
const maxLandmarks = 64

// packageRoots are the files through which a package shows what it exports, by base name.
var packageRoots = map[string]bool{"__init__.py": true, "index.js": true, "index.ts": true, "index.tsx": true, "mod.ts": true, "lib.rs": true, "mod.rs": true,
	"doc.go": true, "package-info.java": true, "Package.swift": true, "mix.exs": true}

// findLandmarks finds where a reader new to the repository begins: what its README names, main functions, the files through
// which the uppermost packages export, handlers of routes. Each of the four that there is has the same weight in all. They
// are looked for once.
func (s *graphSearch) findLandmarks(ctx context.Context) ([]graphSeed, error) {
	s.landmarking.Lock()
	defer s.landmarking.Unlock()
	if s.landmarks != nil {
		return s.landmarks, nil
	}
	var l seedList
	add := func(nodes []agenvantage.Node, why string) {
		nodes = nodes[:min(len(nodes), maxLandmarks)]
		for _, n := range nodes {
			l.add(s.graph.Number(n), 1/float64(len(nodes)), why)
		}
	}
	add(s.namedByReadme(), "named in the README")
	mains, err := s.named(ctx, "main")
	if err != nil {
		return nil, err
	}
	mains = slices.DeleteFunc(mains, func(n agenvantage.Node) bool {
		sym := &s.facts[n.File].Symbols[n.Symbol]
		return sym.Name != "main" && sym.Name != "Main" || sym.Kind != agenvantage.KindFunction && sym.Kind != agenvantage.KindMethod || s.reader.Class(n.File).Has(agenvantage.ClassTest)
	})
	add(mains, "entry point")
	add(s.uppermost(func(base string) bool { return packageRoots[base] }), "package root")
	add(s.routeHandlers(), "route handler")
	s.landmarks = append([]graphSeed{}, l.sorted()...)
	return s.landmarks, nil
}

// uppermost lists the files of some base names that lie in the fewest folders.
func (s *graphSearch) uppermost(is func(base string) bool) []agenvantage.Node {
	var found []agenvantage.Node
	least := 1 << 30
	for file := range uint32(s.reader.FileCount()) {
		path := s.reader.Path(file)
		_, base := splitPath(path)
		depth := strings.Count(path, "/")
		if depth > least || !is(base) || s.reader.Class(file)&(agenvantage.ClassTest|agenvantage.ClassVendored|agenvantage.ClassGenerated) != 0 {
			continue
		}
		if depth < least {
			found, least = found[:0], depth
		}
		found = append(found, agenvantage.Node{File: file, Symbol: -1})
	}
	return found
}

// namedByReadme lists what the uppermost README documents.
func (s *graphSearch) namedByReadme() []agenvantage.Node {
	var nodes []agenvantage.Node
	for _, file := range s.uppermost(func(base string) bool { return strings.HasPrefix(strings.ToLower(base), "readme") }) {
		for n := s.graph.base[file.File]; n < s.graph.base[file.File+1]; n++ {
			for i := s.graph.outAt[n]; i < s.graph.outAt[n+1]; i++ {
				if kindOfCode(s.graph.out.code[i]) == agenvantage.EdgeDocuments {
					nodes = append(nodes, s.graph.Node(s.graph.out.other[i]))
				}
			}
		}
	}
	return distinct(nodes)
}

// routeHandlers lists what routes lead to.
func (s *graphSearch) routeHandlers() []agenvantage.Node {
	var nodes []agenvantage.Node
	for i, code := range s.graph.out.code {
		if kindOfCode(code) == agenvantage.EdgeRoutes {
			nodes = append(nodes, s.graph.Node(s.graph.out.other[i]))
		}
	}
	return distinct(nodes)
}

// distinct sorts nodes by path and symbol and drops repeats.
func distinct(nodes []agenvantage.Node) []agenvantage.Node {
	slices.SortFunc(nodes, func(a, b agenvantage.Node) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Symbol, b.Symbol))
	})
	return slices.Compact(nodes)
}
