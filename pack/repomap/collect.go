package repomap

import (
	"math"
	"strconv"
	"strings"

	"agenvantage/internal/count"
)

// What things are worth beside each other. An order of wants and no measurement: what a newcomer asks first, read off the maps
// of six repositories in six languages at 1,500 tokens. Worth is divided by length, and falls along each list by its decay:
// the item number i, from 0, is worth 1 / (1 + decay * i) of the first.
const (
	worthSize        = 1_000_000 // before all else: it is short, and the least budget holds the start of it
	worthHead        = 10_000
	worthInstruction = 330
	worthEntry       = 420
	worthCommand     = 350
	worthModule      = 300
	worthSymbol      = 190
	worthUses        = 45
	worthNeighbour   = 150
	worthTests       = 130
	worthTested      = 80
	worthLandmark    = 75

	decayInstruction = 0.35
	decayEntry       = 0.15
	decayCommand     = 0.25
	decayUses        = 0.5
	decayTests       = 0.5
	decayLandmark    = 0.2

	taskFavour = 1.6
)

func decayed(worth, decay float64, i int) float64 { return worth / (1 + decay*float64(i)) }

// collect lists every item in the order of the text.
func (b *builder) collect() {
	b.head()
	b.facts(sectionInstructions, b.in.Instructions, worthInstruction, decayInstruction, true)
	b.facts(sectionCommands, b.in.Commands, worthCommand, decayCommand, false)
	b.facts(sectionEntries, b.in.EntryPoints, worthEntry, decayEntry, false)
	b.modules()
	b.neighbours()
	b.tests()
	b.landmarks()
}

func (b *builder) add(it item) int {
	b.items = append(b.items, it)
	return len(b.items) - 1
}

func (b *builder) heading(s section) int {
	return b.add(item{what: aHeading, section: s, parent: -1, text: sectionNames[s].heading})
}

func (b *builder) head() {
	in := b.in
	name := OneLine(in.Name, 80)
	switch {
	case in.Scope != "" && name != "":
		name = shownPath(in.Scope) + " of " + name
	case in.Scope != "":
		name = shownPath(in.Scope)
	}
	if in.About.Text != "" {
		if name != "" {
			name += ": "
		}
		name += quoted(in.About.Text, maxAbout) + " (" + in.About.place() + ")"
	}
	if name != "" {
		b.add(item{what: anAbout, section: sectionHead, parent: -1, text: name, worth: worthHead})
	}
	var s strings.Builder
	s.WriteString(wholeText(in))
	for i, l := range in.Languages {
		if i == 0 {
			s.WriteString(": ")
		} else {
			s.WriteString(", ")
		}
		if i == maxLanguages && len(in.Languages) > maxLanguages+1 {
			s.WriteString(strconv.Itoa(len(in.Languages)-i) + " more")
			break
		}
		s.WriteString(l.Lang + " " + count.Thousands(l.Lines))
	}
	if in.Generated+in.Vendored > 0 {
		s.WriteString("; without symbols: " + strings.Join(nonZero(in.Generated, "generated", in.Vendored, "vendored"), ", ") + " files")
	}
	b.add(item{what: aSize, section: sectionHead, parent: -1, text: s.String(), worth: worthSize})
}

// wholeText is how large the whole is: the least that a map says.
func wholeText(in *Input) string {
	return count.Grouped(in.Files, "file", "files") + ", " + count.Grouped(in.Lines, "line", "lines")
}

// maxLanguages is how many languages the line about the whole names.
const maxLanguages = 5

func nonZero(a int, wordA string, c int, wordC string) (out []string) {
	if a > 0 {
		out = append(out, count.Thousands(a)+" "+wordA)
	}
	if c > 0 {
		out = append(out, count.Thousands(c)+" "+wordC)
	}
	return out
}

// facts lists a section of facts, one a line, or all on the heading's line.
func (b *builder) facts(s section, list []Fact, worth, decay float64, inline bool) {
	if len(list) == 0 {
		return
	}
	heading := b.heading(s)
	for i := range list {
		f := &list[i]
		b.add(item{what: aFact, section: s, i: i, parent: heading, inline: inline, text: factText(f, !inline), worth: decayed(worth, decay, i) * f.Value})
	}
}

// factText is "path:line kind "text"", on a line of its own or as a part of one.
func factText(f *Fact, line bool) string {
	s := f.place()
	if line {
		s = "  " + s
		if f.Kind != "" {
			s += " " + f.Kind
		}
	}
	if f.Text != "" {
		s += " " + quoted(f.Text, maxQuote)
	}
	if f.Count > 1 {
		s += " (" + count.Thousands(f.Count) + ")"
	}
	return s
}

func (b *builder) modules() {
	if len(b.in.Modules) == 0 {
		return
	}
	heading := b.heading(sectionModules)
	for i := range b.in.Modules {
		m := &b.in.Modules[i]
		module := b.add(item{what: aModule, section: sectionModules, i: i, parent: heading, text: moduleText(m), worth: worthModule * rise(m.Value)})
		for j := range m.Symbols {
			s := &m.Symbols[j]
			b.add(item{what: aSymbol, section: sectionModules, i: i, j: j, parent: module, text: symbolText(m, s), worth: worthSymbol * rise(s.Value)})
		}
		uses := -1
		for j := range m.Uses {
			u := &m.Uses[j]
			worth := decayed(worthUses, decayUses, j) * rise(m.Value)
			if uses < 0 {
				uses = b.add(item{what: aUse, section: sectionModules, i: i, j: j, parent: module, text: "    → " + relationText(u), worth: worth})
				continue
			}
			b.add(item{what: aUse, section: sectionModules, i: i, j: j, parent: uses, inline: true, text: relationText(u), worth: worth})
		}
	}
}

// rise lifts small values: the tenth module is worth a third of the first, not a tenth.
func rise(v float64) float64 { return math.Sqrt(max(0, min(v, 1))) }

// sizeText names the languages with most lines, and counts.
func sizeText(langs []string, files, lines int) string {
	return strings.Join(langs[:min(len(langs), 2)], ", ") + ", " + count.Grouped(files, "file", "files") + ", " + count.Grouped(lines, "line", "lines")
}

func moduleText(m *Module) string {
	s := "  " + shownPath(m.Path) + " (" + sizeText(m.Languages, m.Files, m.Lines)
	if m.Public > 0 {
		s += ", " + count.Thousands(m.Public) + " public"
	}
	s += ")"
	if m.Purpose.Text != "" {
		s += ": " + quoted(m.Purpose.Text, maxPurpose)
	}
	return s
}

// symbolText gives the place below the module's folder.
func symbolText(m *Module, s *Symbol) string {
	p := s.Path
	if m.Path != "." {
		p = strings.TrimPrefix(p, m.Path+"/")
	}
	signature := s.Signature
	if signature == "" {
		signature = string(s.Kind) + " " + s.Name
	}
	return "    " + shownPath(p) + ":" + strconv.Itoa(s.Line) + " " + OneLine(signature, maxSignature)
}

func relationText(r *Relation) string {
	return shownPath(r.Path) + " (" + count.Thousands(r.References) + ")"
}

func (b *builder) neighbours() {
	if len(b.in.Neighbours) == 0 {
		return
	}
	heading := b.heading(sectionNeighbours)
	for i := range b.in.Neighbours {
		n := &b.in.Neighbours[i]
		text := "  " + shownPath(n.Path) + ": "
		switch {
		case n.Uses > 0 && n.UsedBy > 0:
			text += "uses it (" + count.Thousands(n.Uses) + "), used by it (" + count.Thousands(n.UsedBy) + ")"
		case n.Uses > 0:
			text += "uses it (" + count.Thousands(n.Uses) + ")"
		default:
			text += "used by it (" + count.Thousands(n.UsedBy) + ")"
		}
		b.add(item{what: aNeighbour, section: sectionNeighbours, i: i, parent: heading, text: text, worth: decayed(worthNeighbour, decayEntry, i)})
	}
}

func (b *builder) tests() {
	if len(b.in.Tests) == 0 {
		return
	}
	heading := b.heading(sectionTests)
	for i := range b.in.Tests {
		t := &b.in.Tests[i]
		text := "  " + shownPath(t.Path) + " (" + sizeText(t.Languages, t.Files, t.Lines) + ")"
		worth := decayed(worthTests, decayTests, i) * rise(t.Value)
		folder := b.add(item{what: aTestFolder, section: sectionTests, i: i, parent: heading, text: text, worth: worth})
		tested := -1
		for j := range t.Tests {
			text, parent := relationText(&t.Tests[j]), tested
			if tested < 0 {
				text, parent = "    tests "+text, folder
			}
			worth := decayed(worthTested, decayUses, j) * rise(t.Value)
			at := b.add(item{what: aTested, section: sectionTests, i: i, j: j, parent: parent, inline: tested >= 0, text: text, worth: worth})
			if tested < 0 {
				tested = at
			}
		}
	}
}

// landmarks puts those of a kind on one line.
func (b *builder) landmarks() {
	if len(b.in.Landmarks) == 0 {
		return
	}
	heading := b.heading(sectionLandmarks)
	kind, inKind := -1, 0
	for i := range b.in.Landmarks {
		f := &b.in.Landmarks[i]
		if i == 0 || f.Kind != b.in.Landmarks[i-1].Kind {
			kind, inKind = b.add(item{what: aKind, section: sectionLandmarks, i: i, parent: heading, text: "  " + OneLine(f.Kind, 40) + ":"}), 0
		}
		worth := decayed(worthLandmark, decayLandmark, 2*inKind) * f.Value
		b.add(item{what: aFact, section: sectionLandmarks, i: i, parent: kind, inline: true, text: factText(f, false), worth: worth})
		inKind++
	}
}
