package repomap

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"agenvantage/internal/count"
)

// render writes the shown items and, for each list, how much of it is not shown.
func (b *builder) render(shown []bool) string {
	hidden := make([]int, len(b.items)) // facts below an item that are not shown
	present := [sectionCount]bool{}
	missing := [sectionCount]int{}
	for i := range b.items {
		it := &b.items[i]
		present[it.section] = present[it.section] || shown[i]
		if shown[i] || it.what == aHeading || it.what == aKind {
			continue
		}
		if countsAsMissing(it.what) {
			missing[it.section]++
		}
		p := it.parent
		for p >= 0 && !shown[p] {
			p = b.items[p].parent
		}
		if p >= 0 && (it.parent == p || b.items[it.parent].what == aKind) {
			hidden[p]++
		}
	}
	var out strings.Builder
	for i := range b.items {
		if !shown[i] || b.items[i].inline {
			continue
		}
		it := &b.items[i]
		out.WriteString(it.text)
		b.inline(&out, i, shown, hidden[i])
		out.WriteByte('\n')
		if b.endsSection(i, shown) {
			b.rest(&out, it.section, shown, hidden)
		}
	}
	if absent := absentText(present, missing); absent != "" && out.Len() > 0 && !b.terse {
		out.WriteString(absent + "\n")
	}
	return out.String()
}

// countsAsMissing tells the items that LeftOut counts with their section.
func countsAsMissing(w what) bool {
	return w == aFact || w == aModule || w == aNeighbour || w == aTestFolder || w == anAbout || w == aSize
}

// inline writes what stands on the line of an item, and how much more would.
func (b *builder) inline(out *strings.Builder, parent int, shown []bool, hidden int) {
	first := true
	for i := parent + 1; i < len(b.items) && b.items[i].section == b.items[parent].section; i++ {
		it := &b.items[i]
		if !it.inline || it.parent != parent {
			continue
		}
		if !shown[i] {
			continue
		}
		sep := ", "
		if w := b.items[parent].what; first && (w == aHeading || w == aKind) {
			sep = " "
		}
		first = false
		out.WriteString(sep + it.text)
	}
	if hidden > 0 && b.hasInline(parent) {
		fmt.Fprintf(out, ", +%d more", hidden)
	}
}

// hasInline reports whether the children of an item stand on its line.
func (b *builder) hasInline(parent int) bool {
	w := b.items[parent].what
	return w == aKind || w == aUse || w == aTested || w == aHeading && b.items[parent].section == sectionInstructions
}

// endsSection reports whether i is the last line of its section.
func (b *builder) endsSection(i int, shown []bool) bool {
	for k := i + 1; k < len(b.items) && b.items[k].section == b.items[i].section; k++ {
		if shown[k] && !b.items[k].inline {
			return false
		}
	}
	return true
}

// rest says how much of a section is not shown.
func (b *builder) rest(out *strings.Builder, s section, shown []bool, hidden []int) {
	if s == sectionHead || s == sectionInstructions {
		return
	}
	heading := -1
	for i := range b.items {
		if b.items[i].what == aHeading && b.items[i].section == s {
			heading = i
		}
	}
	switch n := hidden[heading]; {
	case n == 0:
	case s == sectionModules:
		out.WriteString("  " + b.modulesLeft(shown) + "\n")
	default:
		fmt.Fprintf(out, "  +%d more\n", n)
	}
}

// maxRestFolders is how many folders the modules that are left out are counted in.
const maxRestFolders = 3

// modulesLeft counts the modules that are not shown by their topmost folder: "+12 more in internal/…, +3 in cmd/…".
func (b *builder) modulesLeft(shown []bool) string {
	counts := map[string]int{}
	for i := range b.items {
		if b.items[i].what != aModule || shown[i] {
			continue
		}
		counts[topFolder(b.in.Modules[b.items[i].i].Path, b.in.Scope)]++
	}
	folders := make([]string, 0, len(counts))
	for f := range counts {
		folders = append(folders, f)
	}
	slices.SortFunc(folders, func(x, y string) int { return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y)) })
	var parts []string
	elsewhere := 0
	for i, f := range folders {
		if i >= maxRestFolders {
			elsewhere += counts[f]
			continue
		}
		parts = append(parts, fmt.Sprintf("%d in %s", counts[f], OneLine(f, 40)))
	}
	if elsewhere > 0 {
		parts = append(parts, fmt.Sprintf("%d elsewhere", elsewhere))
	}
	return "+" + strings.Replace(strings.Join(parts, ", "), " in ", " more in ", 1)
}

// topFolder is the first folder of a path below scope.
func topFolder(p, scope string) string {
	below := p
	if scope != "" {
		below = strings.TrimPrefix(strings.TrimPrefix(p, scope), "/")
	}
	first, _, nested := strings.Cut(below, "/")
	if first == "" || first == "." {
		return cmp.Or(p, ".")
	}
	if nested {
		return shownPath(path.Join(scope, first)) + "/…"
	}
	return shownPath(path.Join(scope, first))
}

// absentText names the sections of which nothing is shown.
func absentText(present [sectionCount]bool, missing [sectionCount]int) string {
	var parts []string
	for s := range sectionCount {
		if !present[s] && missing[s] > 0 {
			parts = append(parts, count.Thousands(missing[s])+" "+sectionNames[s].noun)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Left out: " + strings.Join(parts, ", ")
}

// data is what is shown as data.
func (b *builder) data(shown []bool) Map {
	in := b.in
	m := Map{Scope: in.Scope, Task: in.Task, Name: OneLine(in.Name, 80), Files: in.Files, Lines: in.Lines,
		Generated: in.Generated, Vendored: in.Vendored, Budget: in.Budget, Languages: append([]Language{}, in.Languages...),
		Instructions: []Fact{}, Commands: []Fact{}, EntryPoints: []Fact{}, Modules: []ShownModule{}, Neighbours: []Neighbour{},
		Tests: []TestFolder{}, Landmarks: []Fact{}, LeftOut: map[string]int{}}
	for i := range b.items {
		it := &b.items[i]
		if !shown[i] {
			switch {
			case it.what == aSymbol:
				m.LeftOut["symbols"]++
			case countsAsMissing(it.what):
				m.LeftOut[sectionNames[it.section].key]++
			}
			continue
		}
		b.addData(&m, it)
	}
	return m
}

func (b *builder) addData(m *Map, it *item) {
	in := b.in
	switch it.what {
	case anAbout:
		if in.About.Text != "" {
			m.About = shownFact(in.About, maxAbout)
		}
	case aFact:
		into, from := &m.Instructions, in.Instructions
		switch it.section {
		case sectionCommands:
			into, from = &m.Commands, in.Commands
		case sectionEntries:
			into, from = &m.EntryPoints, in.EntryPoints
		case sectionLandmarks:
			into, from = &m.Landmarks, in.Landmarks
		}
		*into = append(*into, *shownFact(from[it.i], maxQuote))
	case aModule:
		f := &in.Modules[it.i]
		module := ShownModule{Path: f.Path, Files: f.Files, Lines: f.Lines, Public: f.Public,
			Languages: append([]string{}, f.Languages...), Symbols: []ShownSymbol{}, Uses: []Relation{}}
		if f.Purpose.Text != "" {
			module.Purpose = shownFact(f.Purpose, maxPurpose)
		}
		m.Modules = append(m.Modules, module)
	case aSymbol:
		s := &in.Modules[it.i].Symbols[it.j]
		last := &m.Modules[len(m.Modules)-1]
		last.Symbols = append(last.Symbols, ShownSymbol{Name: s.Name, Kind: s.Kind, Signature: OneLine(s.Signature, maxSignature), Path: s.Path, Line: s.Line})
	case aUse:
		last := &m.Modules[len(m.Modules)-1]
		last.Uses = append(last.Uses, in.Modules[it.i].Uses[it.j])
	case aNeighbour:
		m.Neighbours = append(m.Neighbours, in.Neighbours[it.i])
	case aTestFolder:
		f := in.Tests[it.i]
		f.Languages, f.Tests = append([]string{}, f.Languages...), []Relation{}
		m.Tests = append(m.Tests, f)
	case aTested:
		last := &m.Tests[len(m.Tests)-1]
		last.Tests = append(last.Tests, in.Tests[it.i].Tests[it.j])
	}
}

func shownFact(f Fact, max int) *Fact {
	f.Text = OneLine(f.Text, max)
	return &f
}
