package app

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pack/repomap"
)

// mapView collects the input of one map from the overview of a generation, and reads no more of the index than the
// signatures that may be shown.
type mapView struct {
	ctx      context.Context
	corpus   *corpus
	overview *overview
	scope    string // folder or file, "" for all
	notes    []string

	task          string
	relevance     []float64                    // by file, 0 to 1; nil without a task
	soughtSymbols map[agenvantage.Node]float64 // 0 to 1
	words         map[string]bool              // of the task, as tokens
}

// inside reports whether a path lies in the scope.
func (v *mapView) inside(p string) bool {
	return v.scope == "" || p == v.scope || strings.HasPrefix(p, v.scope+"/")
}

// input collects everything.
func (v *mapView) input() (repomap.Input, error) {
	in := repomap.Input{Scope: v.scope, Task: v.task}
	v.whole(&in)
	v.describe(&in)
	marks := v.marks()
	in.Instructions, in.Commands, in.EntryPoints, in.Landmarks = marks.instructions(), marks.commands(), marks.entries(), marks.landmarks()
	modules := v.modules()
	if err := v.fillModules(&in, modules); err != nil {
		return in, err
	}
	in.Tests = v.tests(modules)
	return in, nil
}

// whole counts files and lines.
func (v *mapView) whole(in *repomap.Input) {
	by := map[string]*repomap.Language{}
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		if !v.inside(ff.Path) {
			continue
		}
		in.Files++
		in.Lines += ff.Lines
		class := v.corpus.Class(uint32(f))
		switch {
		case class.Has(agenvantage.ClassVendored):
			in.Vendored++
			continue
		case class.Has(agenvantage.ClassGenerated), class.Has(agenvantage.ClassMinified), class.Has(agenvantage.ClassLock):
			in.Generated++
			continue
		}
		lang := cmp.Or(v.corpus.Lang(uint32(f)), "other")
		if by[lang] == nil {
			by[lang] = &repomap.Language{Lang: lang}
		}
		by[lang].Files++
		by[lang].Lines += ff.Lines
	}
	for _, l := range by {
		in.Languages = append(in.Languages, *l)
	}
	slices.SortFunc(in.Languages, func(a, b repomap.Language) int {
		// Code first: a folder of generated pages is not what a repository is written in.
		return cmp.Or(cmp.Compare(codeOrder(a.Lang), codeOrder(b.Lang)), cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Lang, b.Lang))
	})
}

func codeOrder(lang string) int {
	if notCode[lang] || lang == "other" {
		return 1
	}
	return 0
}

// auxiliary is the auxiliary folder kind of a path, seen from the scope: in a folder of examples examples are the matter.
func (v *mapView) auxiliary(p string) (kind string, share float64) {
	if v.scope != "" {
		if kind, _ := auxiliary(v.scope + "/"); kind != "" {
			return "", 1
		}
	}
	return auxiliary(p)
}

// isAside reports a kind of folder whose code stands beside the product: it is counted, and not shown as modules.
func isAside(kind string) bool {
	return kind == "examples" || kind == "documentation" || kind == "fixtures"
}

// depth is the number of folders that a path lies in.
func depth(p string) int { return strings.Count(p, "/") }

// describe finds the name and the sentence about the scope: in its own folder, else, for the whole, as near to the root as
// there is one.
func (v *mapView) describe(in *repomap.Input) {
	root := v.scope
	if v.scope != "" {
		if _, isFile := v.corpus.Find(v.scope); isFile {
			root = path.Dir(v.scope)
		}
	}
	in.Name = v.nameAt(".")
	in.About = v.aboutOf(cmp.Or(root, "."))
	if in.About.Text == "" && v.scope == "" {
		if main := v.mainFolder(); main != "" {
			in.Name, in.About = cmp.Or(in.Name, v.nameAt(main)), v.aboutOf(main)
		}
	}
}

// nameAt is what the manifest in a folder calls the project, else the title of its README.
func (v *mapView) nameAt(folder string) string {
	title := ""
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		if folderOf(ff.Path) != folder {
			continue
		}
		for _, m := range ff.Marks {
			if m.Section == markName && m.Text != "" && !strings.ContainsAny(m.Text, "{$") {
				return repomap.OneLine(m.Text, 80)
			}
		}
		title = cmp.Or(title, repomap.OneLine(ff.Title, 60))
	}
	return title
}

func folderOf(p string) string { return path.Dir(p) }

// aboutOf is the sentence about a folder: its README's first, what its manifest says, or the comment at the head of the file
// that speaks for it.
func (v *mapView) aboutOf(folder string) repomap.Fact {
	best, speaks := repomap.Fact{}, 0
	first, _ := v.corpus.Find(strings.TrimPrefix(folder+"/", "./"))
	for f := first; int(f) < len(v.overview.Files); f++ {
		ff := &v.overview.Files[f]
		if folder != "." && !strings.HasPrefix(ff.Path, folder+"/") {
			break
		}
		if folderOf(ff.Path) != folder || ff.Test {
			continue
		}
		for _, m := range ff.Marks {
			if m.Section == markDescription && m.Text != "" && speaks < 4 {
				best, speaks = repomap.Fact{Kind: "description", Path: ff.Path, Line: m.Line, Text: m.Text}, 4
			}
		}
		said := ff.Speaks
		if folder == "." && said > 0 && said < 5 && ff.Code {
			said = 1
		}
		if ff.Prose != "" && said > speaks {
			best, speaks = repomap.Fact{Kind: "description", Path: ff.Path, Line: ff.ProseLine, Text: ff.Prose}, said
		}
	}
	if speaks < 2 && folder != "." && v.codeFiles(folder) > 1 {
		return repomap.Fact{} // one file among many does not speak for them
	}
	return best
}

// codeFiles counts the code files right in a folder.
func (v *mapView) codeFiles(folder string) (n int) {
	first, _ := v.corpus.Find(strings.TrimPrefix(folder+"/", "./"))
	for f := first; int(f) < len(v.overview.Files) && (folder == "." || strings.HasPrefix(v.overview.Files[f].Path, folder+"/")); f++ {
		if ff := &v.overview.Files[f]; ff.Code && !ff.Test && folderOf(ff.Path) == folder {
			n++
		}
	}
	return n
}

// mainFolder is the folder right below the root that holds most of the code, of those with a README or a description.
func (v *mapView) mainFolder() string {
	lines := map[string]int{}
	described := map[string]bool{}
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		top, _, nested := strings.Cut(ff.Path, "/")
		if kind, _ := auxiliary(ff.Path); !nested || kind != "" {
			continue
		}
		if ff.Code && !ff.Test {
			lines[top] += ff.Lines
		}
		if folderOf(ff.Path) == top {
			described[top] = described[top] || ff.Speaks >= 5 || slices.ContainsFunc(ff.Marks, func(m mark) bool { return m.Section == markDescription })
		}
	}
	for _, top := range byCount(lines) {
		if described[top] {
			return top
		}
	}
	return ""
}

// holdsScope reports whether anything is indexed in the scope.
func (v *mapView) holdsScope() bool {
	for f := range v.overview.Files {
		if v.inside(v.overview.Files[f].Path) {
			return true
		}
	}
	return v.scope == ""
}

// near lists the folders and files that are nearest to the scope.
func (v *mapView) near() []string {
	var all []near
	consider := func(p string) {
		if d, ok := nearPath(v.scope, p); ok {
			all = append(all, near{d, p})
		}
	}
	seen := map[string]bool{".": true}
	for f := range v.overview.Files {
		consider(v.overview.Files[f].Path)
		for dir := folderOf(v.overview.Files[f].Path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			consider(dir)
		}
	}
	return nearestOf(all)
}
