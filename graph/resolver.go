package graph

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"agenvantage"
)

// Corpus is what a Resolver reads: one state of a repository. A file is the rank of its path among all paths, sorted by
// bytes. It has more methods than an interface of this repository should, because one snapshot answers them all.
type Corpus interface {
	FileCount() int
	Path(f uint32) string
	Lang(f uint32) string
	Class(f uint32) agenvantage.Class
	Find(path string) (uint32, bool)

	// Facts is the extraction of a file; references and bindings may be missing.
	Facts(f uint32) (*agenvantage.Extraction, error)
	// Uses are the references of a file and the bindings that they name.
	Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error)
	// Text is the text of a file as it is indexed.
	Text(f uint32) (string, error)
	// Named lists every definition with that simple name, in order of file and symbol.
	Named(name string) ([]agenvantage.Node, error)
}

// Reason says why a reference has no edge. The set is closed.
type Reason string

// The reasons.
const (
	ReasonExternal Reason = "external" // the import, or the type, is outside of the repository
	ReasonBuiltin  Reason = "builtin"  // the language itself defines the name
	ReasonDynamic  Reason = "dynamic"  // only a run tells: reflection, a computed member, a value of unknown type
	ReasonUnknown  Reason = "unknown"  // no definition was found
	ReasonMany     Reason = "many"     // more definitions of the name than edges by name are made for
)

// Links is what leads out of one file.
type Links struct {
	Edges      []agenvantage.Edge // in the order of CompareEdges, without doubles
	Unresolved map[Reason]int     // references without an edge
	DependsOn  []string           // keys whose change makes the answer stale, sorted; see Provides
}

// maxByName is the number of definitions up to which an unresolved name gets edges to all of them. Above it a name says
// too little about each: in the Go standard library 5 in 6 names have at most this many definitions.
const maxByName = 5

// Resolver resolves the files of one corpus. It is not safe for concurrent use; several may share a corpus.
type Resolver struct {
	corpus Corpus
	files  []fileInfo
	dirs   map[string][]uint32 // folder -> files directly in it, in order
	bases  map[string][]uint32 // base name -> files, in order

	units     map[uint32]*unit
	unitOrder []uint32 // for eviction
	names     map[string][]agenvantage.Node
	types     map[typeText]*typeRef
	manifests map[string]any // of a family, by its own key
}

type fileInfo struct {
	path, dir, lang string
	class           agenvantage.Class
}

// NewResolver reads the paths of a corpus. It reads no facts yet.
func NewResolver(c Corpus) *Resolver {
	r := &Resolver{corpus: c, files: make([]fileInfo, c.FileCount()), dirs: map[string][]uint32{}, bases: map[string][]uint32{},
		units: map[uint32]*unit{}, names: map[string][]agenvantage.Node{}, types: map[typeText]*typeRef{}, manifests: map[string]any{}}
	for i := range r.files {
		f := uint32(i)
		p := c.Path(f)
		r.files[i] = fileInfo{path: p, dir: dirOf(p), lang: c.Lang(f), class: c.Class(f)}
		r.dirs[r.files[i].dir] = append(r.dirs[r.files[i].dir], f)
		r.bases[path.Base(p)] = append(r.bases[path.Base(p)], f)
	}
	return r
}

// dirOf is the folder of a path, "" for the root.
func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Resolve finds the edges that lead out of a file. The error is one of the corpus, or agenvantage.ErrBadInput for a file
// that it does not have. The same corpus gives the same answer, whatever was resolved before.
func (r *Resolver) Resolve(f uint32) (Links, error) {
	if int(f) >= len(r.files) {
		return Links{}, fmt.Errorf("resolve file %d of %d: %w", f, len(r.files), agenvantage.ErrBadInput)
	}
	j, err := r.newJob(f)
	if err != nil {
		return Links{}, fmt.Errorf("resolve %q: %w", r.files[f].path, err)
	}
	j.defines()
	if resolve := families[r.files[f].lang]; resolve != nil {
		resolve(j)
	} else {
		j.otherFile()
	}
	j.routes()
	j.tests()
	if j.err != nil {
		return Links{}, fmt.Errorf("resolve %q: %w", r.files[f].path, j.err)
	}
	return j.links(), nil
}

// CompareEdges is the order of edges: by the symbol that they start from, line, kind, target and confidence, surer first.
func CompareEdges(a, b agenvantage.Edge) int {
	return cmp.Or(cmp.Compare(a.From.File, b.From.File), cmp.Compare(a.From.Symbol, b.From.Symbol), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.To.File, b.To.File), cmp.Compare(a.To.Symbol, b.To.Symbol), cmp.Compare(b.Confidence, a.Confidence))
}

// links brings what was found into order. Of edges that differ in nothing but confidence the surest stays.
func (j *job) links() Links {
	slices.SortFunc(j.edges, CompareEdges)
	out := Links{Unresolved: j.missed}
	for _, e := range j.edges {
		if n := len(out.Edges); n > 0 {
			last := out.Edges[n-1]
			last.Confidence = e.Confidence
			if last == e {
				continue
			}
		}
		out.Edges = append(out.Edges, e)
	}
	for key := range j.depends {
		out.DependsOn = append(out.DependsOn, key)
	}
	slices.Sort(out.DependsOn)
	return out
}
