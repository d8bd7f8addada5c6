package app

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage/pack/repomap"
)

// testComponent finds the outermost folder of tests of a path.
var testComponent = regexp.MustCompile(`(?i)^(.*?(?:^|/)(?:tests?|__tests__|specs?|e2e|testdata|androidtest|unit_?tests?|integration_?tests?|cypress|[\w.-]+\.tests?))(?:/|$)`)

// testNames are the patterns of test files that lie beside the code.
var testNames = []struct {
	suffix, shown string
}{
	{"_test.", "*_test."}, {".test.", "*.test."}, {".spec.", "*.spec."}, {"_spec.", "*_spec."}, {"-test.", "*-test."},
	{"Tests.", "*Tests."}, {"Test.", "*Test."}, {"Spec.", "*Spec."}, {"_tests.", "*_tests."},
}

// testPlace is the folder that holds a test, or the pattern of its name where it lies beside the code.
func testPlace(p string, beside bool) string {
	if m := testComponent.FindStringSubmatch(folderOf(p)); m != nil {
		return m[1]
	}
	if !beside {
		return folderOf(p)
	}
	base := path.Base(p)
	for _, n := range testNames {
		if strings.Contains(base, n.suffix) {
			return "**/" + n.shown + strings.TrimPrefix(path.Ext(base), ".")
		}
	}
	return "**/test*" + path.Ext(base)
}

// tests collects where tests lie and what they exercise.
func (v *mapView) tests(modules []*folder) []repomap.TestFolder {
	code := map[string]bool{}
	for _, m := range modules {
		code[m.path] = true
	}
	type group struct {
		repomap.TestFolder
		langs, uses map[string]int
	}
	by := map[string]*group{}
	for f := range v.overview.Files {
		ff := &v.overview.Files[f]
		kind, _ := v.auxiliary(ff.Path)
		if !ff.Test || !ff.Code || !v.inside(ff.Path) || kind == "examples" || kind == "documentation" {
			continue
		}
		place := testPlace(ff.Path, code[folderOf(ff.Path)])
		g := by[place]
		if g == nil {
			g = &group{TestFolder: repomap.TestFolder{Path: place}, langs: map[string]int{}, uses: map[string]int{}}
			by[place] = g
		}
		g.Files++
		g.Lines += ff.Lines
		g.langs[v.corpus.Lang(uint32(f))] += ff.Lines
		for _, l := range v.overview.Links[f] {
			if to := &v.overview.Files[l.To]; to.Code && !to.Test && !isAside(auxiliaryKind(to.Path)) {
				g.uses[folderOf(to.Path)] += l.Count
			}
		}
	}
	var list []repomap.TestFolder
	most := 0
	for _, g := range by {
		g.Languages = byCount(g.langs)
		for _, p := range byCount(g.uses) {
			g.Tests = append(g.Tests, repomap.Relation{Path: p, References: g.uses[p]})
		}
		most = max(most, g.Lines)
		list = append(list, g.TestFolder)
	}
	for i := range list {
		_, share := v.auxiliary(list[i].Path)
		list[i].Value = max(0.02, share*float64(list[i].Lines)/float64(max(most, 1)))
	}
	slices.SortFunc(list, func(a, b repomap.TestFolder) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Path, b.Path))
	})
	return list
}
