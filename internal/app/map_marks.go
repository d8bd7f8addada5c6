package app

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage/pack/repomap"
)

// placedMark is a mark with its file and what it is worth in this map.
type placedMark struct {
	mark
	path  string
	value float64
}

// mapMarks are the marks of the files in the scope, and what was found beside them.
type mapMarks struct {
	bySection [markPurpose + 1][]placedMark
	helpers   map[string]int // auxiliary folder, ending in "/" -> programs in it
	kinds     map[string]string
}

// marks collects the marks of the scope. What is deep in the tree, or in a folder of examples, is worth less.
func (v *mapView) marks() *mapMarks {
	all := &mapMarks{helpers: map[string]int{}, kinds: map[string]string{}}
	_, rootReadme := v.readmeAt(v.scope)
	main := v.mainFolder()
	base := 0
	if v.scope != "" {
		base = depth(v.scope) + 1
	}
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		if !v.inside(ff.Path) {
			continue
		}
		kind, share := v.auxiliary(ff.Path)
		below := max(0, depth(ff.Path)-base)
		if helper := helperFolder(ff.Path, kind); helper != "" && ff.Code {
			all.helpers[helper]++
			all.kinds[helper] = kind
		}
		for _, m := range ff.Marks {
			p := placedMark{mark: m, path: ff.Path, value: m.Value * share / (1 + 0.15*float64(below))}
			if !v.place(&p, uint32(f), placing{kind, share, below, rootReadme, main}) {
				continue
			}
			if v.relevance != nil {
				p.value *= 1 + v.relevance[f]
			}
			all.bySection[m.Section] = append(all.bySection[m.Section], p)
		}
		if ff.Routes > 0 && !ff.Test && kind == "" {
			all.bySection[markLandmark] = append(all.bySection[markLandmark], placedMark{mark: mark{Kind: "routes", Count: ff.Routes}, path: ff.Path, value: 1})
		}
	}
	all.packageDoors(v)
	all.namesakes(v)
	return all
}

// testCommand tells the command that a newcomer wants first from those that lint and publish.
var testCommand = regexp.MustCompile(`(^|[\s:])test([\s:]|$)`)

// placing is what the place of a file says about its marks.
type placing struct {
	kind       string // of auxiliary folder
	share      float64
	below      int    // folders between the scope and the file
	rootReadme bool   // the scope has a README of its own
	main       string // folder that holds most of the code
}

// place says what a mark is worth where it stands, and reports whether it belongs into the map at all.
func (v *mapView) place(p *placedMark, f uint32, at placing) bool {
	m, ff := &p.mark, &v.overview.Files[f]
	switch m.Section {
	case markInstruction:
		p.value = m.Value
		if isAside(at.kind) && at.kind != "documentation" {
			p.value *= at.share
		}
		if m.Kind == "readme" && depth(ff.Path) == 1 && !at.rootReadme {
			p.value = 0.7 // where the root has none, those of its folders are what there is
			if folderOf(ff.Path) == at.main {
				p.value = 1
			}
		}
	case markCommand:
		p.value = m.Value / (1 + float64(at.below))
		if m.Kind == "ci" {
			p.value = m.Value
			if testCommand.MatchString(m.Text) {
				p.value = 0.8
			}
		} else if at.kind != "" && at.kind != "scripts" {
			return false // an example's own build is no matter of the product
		}
	case markEntry:
		if isAside(at.kind) {
			return false // counted as helpers
		}
		if m.Kind == defaultMain && m.Line == 0 && m.Text == "" && path.Base(ff.Path) == "package.json" {
			if p.path = v.indexBeside(ff.Path); p.path == "" {
				return false
			}
		}
		if !at.rootReadme && at.main != "" && strings.HasPrefix(ff.Path, at.main+"/") {
			p.value *= 1.2
		}
		p.value *= 0.9 + 0.1*v.overview.strength(f) // of equals, what more depends on comes first
	case markLandmark:
		switch {
		case strings.HasPrefix(ff.Path, ".") || m.Kind == "documentation":
			p.value = m.Value
		case isAside(at.kind) || ff.Test:
			return false
		}
	}
	return true
}

// readmeAt finds the README right in a folder, "" for the root.
func (v *mapView) readmeAt(folder string) (file string, ok bool) {
	for f := range v.overview.Files {
		if p := v.overview.Files[f].Path; folderOf(p) == cmp.Or(folder, ".") && strings.HasPrefix(strings.ToLower(path.Base(p)), "readme") {
			return p, true
		}
	}
	return "", false
}

// indexBeside is the index file that npm takes for a package without an entry, "" when there is none.
func (v *mapView) indexBeside(manifest string) string {
	for _, base := range []string{"index.js", "index.mjs", "index.cjs", "index.ts", "src/index.ts", "src/index.js"} {
		if p := path.Join(folderOf(manifest), base); v.holds(p) {
			return p
		}
	}
	return ""
}

func (v *mapView) holds(p string) bool {
	_, ok := v.corpus.Find(p)
	return ok
}

// namesake is the kind of a file that bears the name of the project.
const namesake = "named like the project"

// namesakes adds the files that bear the name of the project, as the doors of many libraries do.
func (all *mapMarks) namesakes(v *mapView) {
	if len(all.bySection[markName]) == 0 {
		return
	}
	bearers := map[string][]*fileFacts{} // by name: a tree may hold hundreds of manifests
	for f := range v.overview.Files {
		if ff := &v.overview.Files[f]; ff.Code && !ff.Test && len(ff.Definitions) > 0 && v.inside(ff.Path) {
			bearers[stemOf(ff.Path)] = append(bearers[stemOf(ff.Path)], ff)
		}
	}
	for _, m := range all.bySection[markName] {
		dir := folderOf(m.path)
		if kind, _ := v.auxiliary(m.path); kind != "" {
			continue
		}
		for _, ff := range bearers[projectWord(m.Text)] {
			if dir != "." && !strings.HasPrefix(ff.Path, dir+"/") {
				continue
			}
			if kind, _ := v.auxiliary(ff.Path); kind == "" {
				all.addDoor(mark{Kind: namesake}, ff.Path, 0.6/(1+0.05*float64(depth(ff.Path))))
			}
		}
	}
}

// majorVersion ends a Go module path.
var majorVersion = regexp.MustCompile(`/v\d+$`)

// helperFolder is the topmost folder of a kind of auxiliary folder, "" for others. It ends in "/".
func helperFolder(p, kind string) string {
	if kind == "" || kind == "scripts" || kind == "fixtures" {
		return ""
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '/' {
			if k, _ := auxiliary(p[:i] + "/"); k == kind {
				return p[:i+1]
			}
		}
	}
	return ""
}

// addDoor adds an entry point.
func (all *mapMarks) addDoor(m mark, path string, value float64) {
	all.bySection[markEntry] = append(all.bySection[markEntry], placedMark{mark: m, path: path, value: value})
}

// packageDoors adds the packages through which Python and Go libraries are used: the outermost ones.
func (all *mapMarks) packageDoors(v *mapView) {
	outer := map[string]bool{}
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		if path.Base(ff.Path) != "__init__.py" || ff.Test || !v.inside(ff.Path) {
			continue
		}
		if kind, _ := v.auxiliary(ff.Path); kind != "" {
			continue
		}
		dir := folderOf(ff.Path)
		_, nested := v.corpus.Find(path.Join(path.Dir(dir), "__init__.py"))
		if dir != "." && !nested && !outer[dir] {
			outer[dir] = true
			all.addDoor(mark{Kind: "package", Text: "import " + path.Base(dir)}, ff.Path, 0.8/(1+0.1*float64(depth(dir))))
		}
	}
	for _, m := range all.bySection[markCommand] {
		if m.Kind != "go module" || path.Base(m.path) != "go.mod" {
			continue
		}
		dir := folderOf(m.path)
		if pkg := v.goPackage(dir); pkg != "" && pkg != "main" {
			all.addDoor(mark{Kind: "package " + pkg, Text: "import " + m.Text}, dir+"/", 0.8/(1+0.3*float64(depth(m.path))))
		}
	}
}

// goPackage is the package clause of the Go files right in a folder, "" when there are none.
func (v *mapView) goPackage(dir string) string {
	for f := range v.overview.Files {
		if ff := &v.overview.Files[f]; folderOf(ff.Path) == dir && ff.Code && !ff.Test && strings.HasSuffix(ff.Path, ".go") {
			if x, err := v.corpus.Facts(uint32(f)); err == nil {
				return x.Package
			}
		}
	}
	return ""
}

func compareMarks(a, b placedMark) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.path, b.path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
}

// facts turns marks into facts, most wanted first.
func factsOf(marks []placedMark) []repomap.Fact {
	marks = slices.Clone(marks)
	slices.SortFunc(marks, compareMarks)
	facts := make([]repomap.Fact, 0, len(marks))
	for _, m := range marks {
		facts = append(facts, repomap.Fact{Kind: m.Kind, Path: m.path, Line: m.Line, Text: m.Text, Count: m.Count, Value: min(1, m.value)})
	}
	return facts
}

func (all *mapMarks) instructions() []repomap.Fact { return factsOf(all.bySection[markInstruction]) }

// sameCommand is how many bytes two commands share that differ in a platform or a destination alone.
const sameCommand = 60

// commands leaves out what another line says too: a workflow runs what the manifest names, for each platform again.
func (all *mapMarks) commands() []repomap.Fact {
	var list []repomap.Fact
	seen := map[string]bool{}
	for _, f := range factsOf(all.bySection[markCommand]) {
		if f.Text != "" && strings.HasPrefix(f.Kind, "ci") {
			start := f.Text[:min(len(f.Text), sameCommand)]
			if seen[start] {
				continue
			}
			seen[start] = true
		}
		list = append(list, f)
	}
	return list
}

func (all *mapMarks) entries() []repomap.Fact {
	list := factsOf(all.bySection[markEntry])
	known := map[string]bool{}
	for _, f := range list {
		known[f.Path] = known[f.Path] || f.Kind != namesake
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(f repomap.Fact) bool { // a program may be found by more than one row
		key := f.Path + "\x00" + f.Text
		if f.Kind == namesake && known[f.Path] {
			return true
		}
		if seen[key] {
			return true
		}
		seen[key] = true
		return false
	})
}

// landmarks groups by kind: kinds by their best mark, marks by value. Files of one folder are one landmark.
func (all *mapMarks) landmarks() []repomap.Fact {
	var marks []placedMark
	folders := map[string]int{} // kind and folder -> index in marks
	for _, m := range all.bySection[markLandmark] {
		if m.Folder == "" {
			marks = append(marks, m)
			continue
		}
		key := m.Kind + "\x00" + m.Folder
		i, ok := folders[key]
		if !ok {
			i = len(marks)
			folders[key] = i
			m.path = m.Folder + "/"
			marks = append(marks, m)
		}
		marks[i].Count++
		marks[i].value = max(marks[i].value, m.value)
	}
	for folder, files := range all.helpers {
		marks = append(marks, placedMark{mark: mark{Kind: all.kinds[folder], Count: files}, path: folder, value: 0.7 / (1 + 0.3*float64(depth(folder)-1))})
	}
	best := map[string]float64{}
	for _, m := range marks {
		best[m.Kind] = max(best[m.Kind], m.value)
	}
	slices.SortFunc(marks, func(a, b placedMark) int {
		return cmp.Or(cmp.Compare(best[b.Kind], best[a.Kind]), cmp.Compare(a.Kind, b.Kind), compareMarks(a, b))
	})
	facts := make([]repomap.Fact, 0, len(marks))
	for _, m := range marks {
		facts = append(facts, repomap.Fact{Kind: m.Kind, Path: m.path, Line: m.Line, Count: m.Count, Value: min(1, m.value)})
	}
	return facts
}
