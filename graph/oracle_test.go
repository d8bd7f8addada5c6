package graph

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// The floors of the oracle; found were 1.000 and 0.998 for calls, 0.998 and 0.999 for references. What is missed are mostly
// results of generic functions, whose type arguments only a type checker infers; what is too much are twins by build tag
// and types inside of functions, which the checker's side leaves out.
const (
	minRecall    = 0.97
	minPrecision = 0.98
)

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir, Export, ForTest, Name string
	GoFiles, CgoFiles                      []string
	ImportMap                              map[string]string
	Module                                 *struct{ Main bool }
}

// TestGoOracle compares the edges of this repository's own Go files with those that the type checker finds.
func TestGoOracle(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	packages := listPackages(t, root)
	m := newMemory(t, goFiles(t, root), nil)
	truth := &oracle{t: t, root: root, memory: m, calls: map[string]string{}, mentions: map[string]string{}}
	truth.check(packages)
	if len(truth.calls) < 1000 || len(truth.mentions) < 1000 {
		t.Fatalf("the type checker found %d calls and %d references in this repository", len(truth.calls), len(truth.mentions))
	}
	calls, mentions := resolvedEdges(t, m, truth.files)
	for _, c := range []struct {
		name        string
		truth, have map[string]string
	}{{"calls", truth.calls, calls}, {"references", truth.mentions, mentions}} {
		hit := 0
		var missed, wrong []string
		for _, k := range slices.Sorted(maps.Keys(c.truth)) {
			if _, ok := c.have[k]; ok {
				hit++
			} else {
				missed = append(missed, c.truth[k]+" "+k)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(c.have)) {
			if _, ok := c.truth[k]; !ok {
				wrong = append(wrong, c.have[k]+" "+k)
			}
		}
		recall, precision := float64(hit)/float64(len(c.truth)), float64(hit)/float64(len(c.have))
		t.Logf("%s: %d true, %d found, recall %.3f, precision %.3f", c.name, len(c.truth), len(c.have), recall, precision)
		if recall < minRecall || precision < minPrecision {
			t.Errorf("%s: recall %.3f (floor %.2f), precision %.3f (floor %.2f)", c.name, recall, minRecall, precision, minPrecision)
		}
		if os.Getenv("GRAPH_ORACLE") != "" {
			t.Logf("missed:\n%s\nwrong:\n%s", strings.Join(missed, "\n"), strings.Join(wrong, "\n"))
		}
	}
}

// goFiles reads the Go files and go.mod of the repository, without folders that hold other modules or fixtures.
func goFiles(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); rel != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "tools" || name == "bin" || name == "shared") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(rel, ".go") || rel == "go.mod" {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(rel)] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// listPackages asks the go command for the packages and their export data; it skips the test without one.
func listPackages(t *testing.T, root string) []*listed {
	program, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not available")
	}
	cmd := exec.Command(program, "list", "-e", "-export", "-deps", "-test", "-json=ImportPath,Dir,Export,ForTest,Name,GoFiles,CgoFiles,ImportMap,Module", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("go list does not answer here: %v", err)
	}
	var packages []*listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &listed{}
		if err := d.Decode(p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// oracle holds the true edges: "from -> to" to the place where the first one shows.
type oracle struct {
	t               *testing.T
	root            string
	memory          *memory
	calls, mentions map[string]string
	files           map[string]bool // that were checked
}

func (o *oracle) check(packages []*listed) {
	o.files = map[string]bool{}
	exports, tested := map[string]string{}, map[string]bool{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
		if p.ForTest != "" {
			tested[strings.Fields(p.ImportPath)[0]] = true
		}
	}
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ImportPath, ".test") || p.ForTest == "" && tested[p.ImportPath] || len(p.CgoFiles) > 0 {
			continue
		}
		o.checkPackage(p, exports)
	}
}

func (o *oracle) checkPackage(p *listed, exports map[string]string) {
	files := token.NewFileSet()
	lookup := func(name string) (io.ReadCloser, error) {
		if to := p.ImportMap[name]; to != "" {
			name = to
		}
		if exports[name] == "" {
			return nil, fmt.Errorf("no export data of %s", name)
		}
		return os.Open(exports[name])
	}
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			o.t.Logf("left out: %v", err)
			return
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	failed := 0
	conf := types.Config{Importer: importer.ForCompiler(files, "gc", lookup), Error: func(error) { failed++ }}
	_, _ = conf.Check(strings.Fields(p.ImportPath)[0], files, parsed, info)
	if failed > 0 {
		o.t.Logf("%s: %d type errors, left out", p.ImportPath, failed)
		return
	}
	for _, f := range parsed {
		o.file(files, f, info)
	}
}

// file walks the top-level declarations of a file.
func (o *oracle) file(files *token.FileSet, f *ast.File, info *types.Info) {
	o.files[o.rel(files.Position(f.Pos()).Filename)] = true
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			o.walk(files, d, d.Name, info)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					o.walk(files, s, s.Name, info)
				case *ast.ValueSpec:
					if s.Type != nil {
						o.walk(files, s.Type, s.Names[0], info)
					}
					for i, v := range s.Values {
						o.walk(files, v, s.Names[min(i, len(s.Names)-1)], info)
					}
				}
			}
		}
	}
}

func (o *oracle) walk(files *token.FileSet, n ast.Node, name *ast.Ident, info *types.Info) {
	from := o.place(files.Position(name.Pos()), name.Name)
	called := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			fun := ast.Unparen(c.Fun)
			switch f := fun.(type) {
			case *ast.IndexExpr:
				fun = f.X
			case *ast.IndexListExpr:
				fun = f.X
			}
			switch f := fun.(type) {
			case *ast.Ident:
				called[f] = true
			case *ast.SelectorExpr:
				called[f.Sel] = true
			}
		}
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] == nil {
			return true
		}
		to := o.object(files, info.Uses[id])
		if to == "" {
			return true
		}
		at := files.Position(id.Pos())
		place := fmt.Sprintf("%s:%d", o.rel(at.Filename), at.Line)
		into := o.mentions
		if _, isFunc := info.Uses[id].(*types.Func); isFunc && called[id] {
			into = o.calls
		}
		if k := from + " -> " + to; into[k] == "" {
			into[k] = place
		}
		return true
	})
}

func (o *oracle) rel(file string) string {
	rel, err := filepath.Rel(o.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// object is the node of a function, method, type, constant, variable or field of this repository, "" for others.
func (o *oracle) object(files *token.FileSet, obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	switch x := obj.(type) {
	case *types.Func:
		obj = x.Origin()
	case *types.Var:
		obj = x.Origin()
		if x.Embedded() {
			named, ok := types.Unalias(deref(x.Type())).(*types.Named)
			if !ok {
				return ""
			}
			obj = named.Origin().Obj()
		} else if !x.IsField() && x.Parent() != x.Pkg().Scope() {
			return ""
		}
	case *types.TypeName, *types.Const:
		if obj.Parent() == nil || obj.Pkg().Scope() != obj.Parent() {
			return ""
		}
	default:
		return ""
	}
	at := files.Position(obj.Pos())
	if !strings.HasPrefix(at.Filename, o.root) {
		return ""
	}
	return o.place(at, obj.Name())
}

func deref(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// place is the node with a name on a line, "" when extraction has none.
func (o *oracle) place(at token.Position, name string) string {
	rel := o.rel(at.Filename)
	f := o.memory.files[rel]
	if f == nil {
		return ""
	}
	for i := range f.x.Symbols {
		if s := &f.x.Symbols[i]; s.NameLine == at.Line && s.Name == name {
			return rel + " " + s.Qualified
		}
	}
	return ""
}

// resolvedEdges are the calls and references of files, from top-level symbols, that rest on more than a name.
func resolvedEdges(t *testing.T, m *memory, files map[string]bool) (calls, mentions map[string]string) {
	calls, mentions = map[string]string{}, map[string]string{}
	r := NewResolver(m)
	for f := range uint32(m.FileCount()) {
		if !files[m.Path(f)] {
			continue
		}
		links, err := r.Resolve(f)
		if err != nil {
			t.Fatal(err)
		}
		symbols := m.files[m.Path(f)].x.Symbols
		for _, e := range links.Edges {
			into := mentions
			switch {
			case e.Confidence == agenvantage.ByName || e.From.Symbol < 0:
				continue
			case e.Kind == agenvantage.EdgeCalls:
				into = calls
			case e.Kind != agenvantage.EdgeReferences && e.Kind != agenvantage.EdgeInherits:
				continue
			}
			for symbols[e.From.Symbol].Parent >= 0 {
				e.From.Symbol = symbols[e.From.Symbol].Parent
			}
			if k := m.node(e.From) + " -> " + m.node(e.To); into[k] == "" {
				into[k] = fmt.Sprintf("%s:%d", path.Clean(m.Path(f)), e.Line)
			}
		}
	}
	return calls, mentions
}
