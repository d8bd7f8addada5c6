package graph

import (
	"sort"

	"agenvantage"
)

// job is one file while it is resolved. It notes every fact that it was told, so that Links.DependsOn is complete.
type job struct {
	r        *Resolver
	file     uint32
	unit     *unit
	refs     []agenvantage.Reference
	language semantics

	edges   []agenvantage.Edge
	missed  map[Reason]int
	depends map[string]bool
	err     error // the first error of the corpus; what follows it is thrown away

	bound  map[boundName]value        // binding -> its value
	values map[agenvantage.Node]value // symbol -> its value
	depth  int
	line   int // of the reference that is resolved, for families that look at it; 0: none

	looking  map[lookup]bool
	rules    map[string]*nominalRules   // language -> rules of nominal.go
	included map[uint32]map[uint32]bool // C: file -> what it includes, through others too
}

func (r *Resolver) newJob(f uint32) (*job, error) {
	u, err := r.unitOf(f)
	if err != nil {
		return nil, err
	}
	refs, _, err := r.corpus.Uses(f)
	if err != nil {
		return nil, err
	}
	j := &job{r: r, file: f, unit: u, missed: map[Reason]int{}, depends: map[string]bool{},
		bound: map[boundName]value{}, values: map[agenvantage.Node]value{}, looking: map[lookup]bool{}}
	for _, ref := range refs {
		if ref.From < -1 || ref.From >= len(u.symbols) || ref.Binding < 0 || ref.Binding > len(u.bindings) {
			continue
		}
		j.refs = append(j.refs, ref)
	}
	return j, nil
}

// dependsOn notes that the answer depends on a key of depends.go.
func (j *job) dependsOn(key string) { j.depends[key] = true }

// named lists the definitions of a simple name.
func (j *job) named(name string) []agenvantage.Node {
	j.dependsOn(nameKey + name)
	nodes, ok := j.r.names[name]
	if !ok {
		var err error
		if nodes, err = j.r.corpus.Named(name); err != nil && j.err == nil {
			j.err = err
		}
		j.r.names[name] = nodes
	}
	return nodes
}

// inDir keeps the definitions of a name that lie in files directly in a folder.
func (j *job) inDir(name, dir string) []agenvantage.Node {
	nodes, files := j.named(name), j.r.dirs[dir]
	var out []agenvantage.Node
	if len(nodes) <= 4*len(files) {
		for _, n := range nodes {
			if j.r.files[n.File].dir == dir {
				out = append(out, n)
			}
		}
		return out
	}
	for _, f := range files {
		at := sort.Search(len(nodes), func(i int) bool { return nodes[i].File >= f })
		for ; at < len(nodes) && nodes[at].File == f; at++ {
			out = append(out, nodes[at])
		}
	}
	return out
}

// peek is a definition as far as Provides names it: its name, kind, parents' names and kinds, and its file's package.
// What else is read of it must come from symbol.
func (j *job) peek(n agenvantage.Node) (*agenvantage.Symbol, *unit) {
	u, err := j.r.unitOf(n.File)
	if err != nil {
		if j.err == nil {
			j.err = err
		}
		return nil, nil
	}
	if n.Symbol < 0 || n.Symbol >= len(u.symbols) {
		return nil, nil
	}
	return &u.symbols[n.Symbol], u
}

// symbol is a definition that the job goes on with; nil when the corpus does not have it.
func (j *job) symbol(n agenvantage.Node) *agenvantage.Symbol {
	s, _ := j.peek(n)
	if s != nil {
		j.readFile(n.File)
	}
	return s
}

// unitAt is a file that the job reads; an empty one after an error.
func (j *job) unitAt(f uint32) *unit {
	u, err := j.r.unitOf(f)
	if err != nil {
		if j.err == nil {
			j.err = err
		}
		return &unit{file: f}
	}
	j.readFile(f)
	return u
}

func (j *job) readFile(f uint32) {
	if f != j.file {
		j.dependsOn(fileKey + j.r.files[f].path)
	}
}

// probe finds a file by its path.
func (j *job) probe(path string) (uint32, bool) {
	j.dependsOn(pathKey + path)
	return j.r.corpus.Find(path)
}

// listing is the files directly in a folder.
func (j *job) listing(dir string) []uint32 {
	j.dependsOn(dirKey + dir)
	return j.r.dirs[dir]
}

// withBase is the files with a base name.
func (j *job) withBase(base string) []uint32 {
	j.dependsOn(baseKey + base)
	return j.r.bases[base]
}

// from is the node that a reference belongs to.
func (j *job) from(symbol int) agenvantage.Node {
	return agenvantage.Node{File: j.file, Symbol: symbol}
}

// link adds an edge.
func (j *job) link(kind agenvantage.EdgeKind, from, to agenvantage.Node, line int, c agenvantage.Confidence) {
	j.readFile(to.File)
	j.edges = append(j.edges, agenvantage.Edge{From: from, To: to, Kind: kind, Line: line, Confidence: c})
}

// miss counts a reference without an edge.
func (j *job) miss(r Reason) { j.missed[r]++ }

// defines links the file to its top-level symbols and each symbol to those inside of it.
func (j *job) defines() {
	for i, s := range j.unit.symbols {
		j.link(agenvantage.EdgeDefines, j.from(s.Parent), j.from(i), s.NameLine, agenvantage.ByScope)
	}
}

// kindFor is the edge that a reference of a kind makes to a symbol: calling a type makes a value of it, which is a mention.
func kindFor(ref agenvantage.ReferenceKind, s agenvantage.SymbolKind) agenvantage.EdgeKind {
	switch ref {
	case agenvantage.RefInherit:
		return agenvantage.EdgeInherits
	case agenvantage.RefImplements:
		return agenvantage.EdgeImplements
	case agenvantage.RefCall:
		if isFunction(s) || isClass(s) && s != agenvantage.KindInterface {
			return agenvantage.EdgeCalls
		}
	}
	return agenvantage.EdgeReferences
}

// byName links a reference to the definitions of its simple name that fit, as far as there are few.
func (j *job) byName(ref *agenvantage.Reference, name string, fits func(s *agenvantage.Symbol, u *unit, n agenvantage.Node) bool) {
	nodes := j.named(name)
	if len(nodes) > 8*maxByName { // so many definitions are not worth reading
		j.miss(ReasonMany)
		return
	}
	var found []agenvantage.Node
	for _, n := range nodes {
		if s, u := j.peek(n); s != nil && fits(s, u, n) {
			found = append(found, n)
		}
	}
	switch {
	case len(found) == 0:
		j.miss(ReasonUnknown)
		return
	case len(found) > maxByName:
		j.miss(ReasonMany)
		return
	}
	confidence := agenvantage.ByName
	if len(found) == 1 {
		confidence = agenvantage.ByUnique
	}
	for _, n := range found {
		s, _ := j.peek(n)
		j.link(kindFor(ref.Kind, s.Kind), j.from(ref.From), n, ref.Line, confidence)
	}
}
