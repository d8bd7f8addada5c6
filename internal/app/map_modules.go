package app

import (
	"cmp"
	"container/heap"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pack/repomap"
)

// folder is a module while it is collected.
type folder struct {
	path    string
	files   []uint32 // of code, in order
	lines   int
	aside   bool           // it stands beside the product
	langs   map[string]int // lines
	rank    float64
	value   float64
	symbols []symbolAt
	uses    map[string]int // path of another module -> references
	usedBy  map[string]int // likewise
}

// symbolAt is a symbol of a module that may be shown.
type symbolAt struct {
	node  agenvantage.Node
	score float64
}

// modules groups the code of the whole tree by folder, in the order of paths.
func (v *mapView) modules() []*folder {
	by := map[string]*folder{}
	var list []*folder
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		if !ff.Code || ff.Test {
			continue
		}
		dir := folderOf(ff.Path)
		m := by[dir]
		if m == nil {
			m = &folder{path: dir, aside: isAside(auxiliaryKind(ff.Path)), langs: map[string]int{}, uses: map[string]int{}, usedBy: map[string]int{}}
			by[dir] = m
			list = append(list, m)
		}
		m.files = append(m.files, uint32(f))
		m.lines += ff.Lines
		m.langs[v.corpus.Lang(uint32(f))] += ff.Lines
		m.rank += v.overview.Rank[f]
	}
	for _, m := range list {
		for _, f := range m.files {
			for _, l := range v.overview.Links[f] {
				to := by[folderOf(v.overview.Files[l.To].Path)]
				// The product does not use its examples: what looks so is an equal name.
				if to != nil && to != m && v.overview.Files[l.To].Code && !v.overview.Files[l.To].Test && (m.aside || !to.aside) {
					m.uses[to.path] += l.Count
					to.usedBy[m.path] += l.Count
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b *folder) int { return cmp.Compare(a.path, b.path) })
	v.value(list)
	return list
}

// Shares of a module's value: what its files' rank, its size, and with a task its relevance say.
const (
	rankShare = 0.65
	sizeShare = 1 - rankShare
	taskShare = 0.85
	doorBonus = 0.2 // what a program starts in or a library is entered by is asked for first
)

// value says how much of the map each module of the scope deserves.
func (v *mapView) value(list []*folder) {
	ranks, sizes := make([]float64, len(list)), make([]float64, len(list))
	for i, m := range list {
		if v.inside(m.path) || v.insideFile(m) {
			ranks[i], sizes[i] = m.rank, math.Sqrt(float64(m.lines))
		}
	}
	scaled(ranks)
	scaled(sizes)
	values := make([]float64, len(list))
	for i, m := range list {
		_, share := v.auxiliary(v.overview.Files[m.files[0]].Path)
		values[i] = rankShare*ranks[i] + sizeShare*sizes[i]
		if slices.ContainsFunc(m.files, func(f uint32) bool { return v.overview.Files[f].isDoor() }) {
			values[i] += doorBonus
		}
		values[i] *= share
	}
	scaled(values)
	for i, m := range list {
		m.value = values[i]
		if v.relevance == nil {
			continue
		}
		near := 0.0
		for _, f := range m.files {
			near = max(near, v.relevance[f])
		}
		if near > 0 {
			m.value = taskShare*near + (1-taskShare)*values[i]
		} else {
			m.value *= 1 - taskShare
		}
	}
}

// insideFile reports whether the scope is one file of a module.
func (v *mapView) insideFile(m *folder) bool {
	return v.scope != "" && m.path == folderOf(v.scope) && slices.ContainsFunc(m.files, func(f uint32) bool { return v.overview.Files[f].Path == v.scope })
}

// shownModules are those of the scope that a map shows, most wanted first.
func (v *mapView) shownModules(list []*folder) []*folder {
	var shown []*folder
	for _, m := range list {
		if v.inside(m.path) || v.insideFile(m) {
			shown = append(shown, m)
		}
	}
	product := slices.DeleteFunc(slices.Clone(shown), func(m *folder) bool {
		kind, _ := v.auxiliary(v.overview.Files[m.files[0]].Path)
		return isAside(kind) || strings.HasPrefix(m.path, ".") && m.path != "."
	})
	if len(product) > 0 {
		shown = product
	}
	slices.SortStableFunc(shown, func(a, b *folder) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.path, b.path)) })
	return shown
}

// fillModules puts the modules of the scope, their symbols and their neighbours into the input.
func (v *mapView) fillModules(in *repomap.Input, list []*folder) error {
	shown := v.shownModules(list)
	v.chooseSymbols(shown)
	within := map[string]bool{}
	for _, m := range shown {
		within[m.path] = true
	}
	for _, m := range shown {
		module := repomap.Module{Path: m.path, Files: len(m.files), Lines: m.lines, Languages: byCount(m.langs), Purpose: v.purpose(m.path), Value: m.value}
		for _, f := range m.files {
			module.Public += len(v.overview.Files[f].Definitions)
		}
		for _, other := range byCount(m.uses) {
			if within[other] || v.scope == "" {
				module.Uses = append(module.Uses, repomap.Relation{Path: other, References: m.uses[other]})
			}
		}
		var err error
		if module.Symbols, err = v.symbols(m); err != nil {
			return err
		}
		in.Modules = append(in.Modules, module)
	}
	if v.scope != "" {
		in.Neighbours = neighbours(shown, within)
	}
	return nil
}

// byCount lists the keys of counts, the largest first.
func byCount(counts map[string]int) []string {
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return keys
}

func neighbours(shown []*folder, within map[string]bool) (list []repomap.Neighbour) {
	by := map[string]*repomap.Neighbour{}
	at := func(p string) *repomap.Neighbour {
		if by[p] == nil {
			by[p] = &repomap.Neighbour{Path: p}
		}
		return by[p]
	}
	for _, m := range shown {
		for other, n := range m.uses {
			if !within[other] {
				at(other).UsedBy += n
			}
		}
		for other, n := range m.usedBy {
			if !within[other] {
				at(other).Uses += n
			}
		}
	}
	for _, n := range by {
		list = append(list, *n)
	}
	slices.SortFunc(list, func(a, b repomap.Neighbour) int {
		return cmp.Or(cmp.Compare(b.Uses+b.UsedBy, a.Uses+a.UsedBy), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// Bounds of the symbols that may be shown: enough for the largest budgets that are of use, and the same for every budget, so
// that a larger one shows all that a smaller one shows.
const (
	maxSymbols      = 3000
	symbolsOfModule = 4 // that every module may show, however little they are used
)

// chooseSymbols picks the symbols that may be shown.
func (v *mapView) chooseSymbols(shown []*folder) {
	var best bestSymbols
	for _, m := range shown {
		seen := map[agenvantage.Node]bool{} // of those that the task names
		for _, f := range m.files {
			if v.scope != "" && !v.inside(v.overview.Files[f].Path) {
				continue
			}
			for _, t := range v.overview.Tops[f] {
				n := agenvantage.Node{File: f, Symbol: t.Symbol}
				if v.soughtSymbols[n] > 0 {
					seen[n] = true
				}
				m.symbols = append(m.symbols, symbolAt{n, v.scoreOf(n, t.Score)})
			}
			for _, d := range v.overview.Files[f].Definitions { // what the task names beside the most central ones
				n := agenvantage.Node{File: f, Symbol: d.Symbol}
				if v.soughtSymbols[n] > 0 && !seen[n] {
					m.symbols = append(m.symbols, symbolAt{n, v.scoreOf(n, 0)})
				}
			}
		}
		slices.SortFunc(m.symbols, compareSymbols)
		for _, s := range m.symbols {
			if !best.add(s) { // the others of the module come after it
				break
			}
		}
	}
	if len(best) > maxSymbols {
		floor := best[0]
		for _, m := range shown {
			keep := min(len(m.symbols), symbolsOfModule)
			for keep < len(m.symbols) && compareSymbols(m.symbols[keep], floor) < 0 {
				keep++
			}
			m.symbols = m.symbols[:keep]
		}
	}
}

// bestSymbols holds the first maxSymbols+1 of what was added, in a heap whose top is the last of them.
type bestSymbols []symbolAt

func (b bestSymbols) Len() int           { return len(b) }
func (b bestSymbols) Less(i, j int) bool { return compareSymbols(b[i], b[j]) > 0 }
func (b bestSymbols) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *bestSymbols) Push(x any)        { *b = append(*b, x.(symbolAt)) }
func (b *bestSymbols) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// add reports whether a symbol is one of the best so far.
func (b *bestSymbols) add(s symbolAt) bool {
	switch {
	case len(*b) <= maxSymbols:
		heap.Push(b, s)
	case compareSymbols(s, (*b)[0]) < 0:
		(*b)[0] = s
		heap.Fix(b, 0)
	default:
		return false
	}
	return true
}

func compareSymbols(a, b symbolAt) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.node.File, b.node.File), cmp.Compare(a.node.Symbol, b.node.Symbol))
}

// scoreOf is a symbol's score, 0 to 1, with a task's hits before centrality.
func (v *mapView) scoreOf(n agenvantage.Node, central float64) float64 {
	if v.relevance == nil {
		return central
	}
	return 0.7*v.soughtSymbols[n] + 0.3*central*(0.1+v.relevance[n.File])
}

// symbols reads the signatures of a module's symbols.
func (v *mapView) symbols(m *folder) ([]repomap.Symbol, error) {
	if len(m.symbols) == 0 {
		return nil, nil
	}
	best := m.symbols[0].score
	list := make([]repomap.Symbol, 0, len(m.symbols))
	seen := map[string]bool{}
	for i, s := range m.symbols {
		d, err := v.shownSymbol(s.node)
		if err != nil {
			return nil, err
		}
		key := v.overview.Files[s.node.File].Path + " " + d.Name
		if seen[key] {
			continue // a setter beside its getter, an overload
		}
		seen[key] = true
		value := 0.5 * s.score
		if best > 0 {
			value += 0.5 * m.value * (s.score / best) / (1 + 0.12*float64(i))
		}
		d.Path, d.Value = v.overview.Files[s.node.File].Path, value
		list = append(list, d)
	}
	return list, nil
}

// shownSymbol is a symbol as a map shows it, without path and value.
func (v *mapView) shownSymbol(n agenvantage.Node) (repomap.Symbol, error) {
	if d, ok := v.overview.Shown[n]; ok {
		return d, nil
	}
	x, err := v.corpus.Facts(n.File)
	if err != nil {
		return repomap.Symbol{}, err
	}
	s := &x.Symbols[n.Symbol]
	return repomap.Symbol{Name: s.Qualified, Kind: s.Kind, Signature: plainSignature(s), Line: s.NameLine}, nil
}

var (
	leadingMarks   = regexp.MustCompile(`^(?:(?:@[\w.]+(?:\([^()]*\))?|#\[[^\]]*\]|\[[A-Z]\w*(?:\([^()]*\))?\])\s+)+`)
	exportKeywords = regexp.MustCompile(`^(?:export |default |public |open |pub )+`)
)

// plainSignature is a signature without decorators and without the words that every symbol of a map has: it is public. What
// belongs to a type is named with it where the declaration does not say.
func plainSignature(s *agenvantage.Symbol) string {
	signature := exportKeywords.ReplaceAllString(leadingMarks.ReplaceAllString(s.Signature, ""), "")
	if s.Kind == agenvantage.KindVariable || s.Kind == agenvantage.KindConstant {
		signature, _, _ = strings.Cut(signature, " = ")
	}
	signature = strings.TrimRight(signature, "{:=;( ")
	owner, _ := strings.CutSuffix(s.Qualified, "."+s.Name)
	if owner == s.Qualified || strings.HasPrefix(signature, "func (") {
		return signature
	}
	if i := strings.Index(signature, s.Name); i >= 0 && !strings.HasSuffix(signature[:i], ".") {
		return signature[:i] + owner + "." + signature[i:]
	}
	return signature
}

// purpose is a sentence about a module: of its own folder, else of the folder around it that holds nothing but it, as src/ in
// a package with a README.
func (v *mapView) purpose(dir string) repomap.Fact {
	if dir == "." {
		return repomap.Fact{}
	}
	for at := dir; at != "." && at != "/"; at = path.Dir(at) {
		if at != dir && v.codeFiles(at) > 0 {
			break
		}
		if about := v.aboutOf(at); about.Text != "" {
			return about
		}
		if !layoutFolders[strings.ToLower(path.Base(at))] && at == dir {
			break
		}
	}
	return repomap.Fact{}
}

// layoutFolders say nothing about what is in them.
var layoutFolders = words(`src lib main java kotlin scala python source sources app pkg com org io net github google`)
