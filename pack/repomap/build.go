package repomap

import (
	"cmp"
	"slices"
)

// How the budget is kept. Everything that could be shown is an item: a line, or a part of one. Items have one order of
// usefulness, which does not depend on the budget, and the map shows the longest start of that order that fits. So a larger
// budget shows all that a smaller one showed, and more. An item brings what it stands under: its section's heading, the
// module of a symbol.

// item is one thing to show.
type item struct {
	what    what
	section section
	i, j    int    // which one of Input's lists, and which of that one's
	parent  int    // item that it stands under, -1 for none
	inline  bool   // stands on the parent's line
	text    string // without line end
	worth   float64
}

// what tells items apart when they become data.
type what uint8

const (
	aHeading what = iota
	anAbout
	aSize
	aFact
	aModule
	aSymbol
	aUse
	aNeighbour
	aTestFolder
	aTested
	aKind // names the kind of the facts on its line
)

type section uint8

// The sections in the order of the text.
const (
	sectionHead section = iota
	sectionInstructions
	sectionCommands
	sectionEntries
	sectionModules
	sectionNeighbours
	sectionTests
	sectionLandmarks
	sectionCount
)

// sectionNames are the headings, and the names in LeftOut.
var sectionNames = [sectionCount]struct{ heading, key, noun string }{
	sectionHead:         {"", "head", "lines about the whole"},
	sectionInstructions: {"Read first:", "instructions", "to read"},
	sectionCommands:     {"Build and test, as its files state it:", "commands", "commands"},
	sectionEntries:      {"Entry points:", "entry_points", "entry points"},
	sectionModules:      {"Modules:", "modules", "modules"},
	sectionNeighbours:   {"Around it:", "neighbours", "around it"},
	sectionTests:        {"Tests:", "tests", "with tests"},
	sectionLandmarks:    {"Landmarks:", "landmarks", "landmarks"},
}

// Build makes the map of in. Errors wrap agenvantage.ErrBadInput (Input.Validate). The same input gives the same bytes.
func Build(in Input) (Map, error) {
	if err := in.Validate(); err != nil {
		return Map{}, err
	}
	b := &builder{in: &in}
	b.collect()
	if in.Task != "" {
		b.favourRelevant()
	}
	steps := b.order()
	shown := b.fit(steps)
	m := b.data(shown)
	m.Text = b.render(shown)
	m.Tokens = in.Count(m.Text)
	return m, nil
}

type builder struct {
	in    *Input
	items []item
	terse bool // no last line about what is not shown
}

// lineBytes is added to the length of an item, so that a long line has a chance beside two short ones.
const lineBytes = 40

// order lists the items by usefulness for each byte, heaviest first; ties go to what stands first in the text. Each is
// preceded by what it stands under.
func (b *builder) order() []int {
	density := make([]float64, len(b.items))
	for i := range b.items {
		it := &b.items[i]
		// The length stands for the tokens, so that few have to be counted and every tokenizer gives the same order.
		density[i] = it.worth / float64(len(it.text)+lineBytes)
		// A symbol does not come before a module that would not be worth showing: it would bring the module's line with it.
		if p := it.parent; p >= 0 && (b.items[p].what == aModule || b.items[p].what == aTestFolder || b.items[p].what == aUse) {
			density[i] = min(density[i], density[p])
		}
	}
	wanted := make([]int, 0, len(b.items))
	for i := range b.items {
		if b.items[i].what != aHeading && b.items[i].what != aKind {
			wanted = append(wanted, i)
		}
	}
	slices.SortStableFunc(wanted, func(x, y int) int { return cmp.Compare(density[y], density[x]) })
	placed := make([]bool, len(b.items))
	var order []int
	var place func(i int)
	place = func(i int) {
		if i < 0 || placed[i] {
			return
		}
		place(b.items[i].parent)
		placed[i] = true
		order = append(order, i)
	}
	for _, i := range wanted {
		place(i)
	}
	return order
}

// Upper bounds, in tokens, of what the text says about what is left out: "+12 more" behind or under an item, and the folders
// of the modules that are left out.
const (
	restTokens       = 8
	moduleRestTokens = 48
)

// fit picks the longest start of the order whose tokens are within the budget. Lines are counted one by one, which is at least
// as much as the whole, since a tokenizer does not join what line ends divide; the whole is counted in the end all the same.
func (b *builder) fit(order []int) (shown []bool) {
	children := make([]int, len(b.items)) // hidden ones
	var present [sectionCount]bool
	var missing [sectionCount]int
	rests := 0
	for i := range b.items {
		if p := b.items[i].parent; p >= 0 {
			children[p]++
		}
		if countsAsMissing(b.items[i].what) {
			missing[b.items[i].section]++
		}
	}
	absent := 0 // tokens of the last line, which names the sections of which nothing is shown
	rest := func(i int) int {
		it := &b.items[i]
		switch {
		case children[i] == 0 || it.what == aModule:
			return 0
		case it.what == aHeading && it.section == sectionModules:
			return moduleRestTokens
		}
		return restTokens
	}
	shown = make([]bool, len(b.items))
	spent, best := 0, 0
	for k, i := range order {
		it := &b.items[i]
		if !present[it.section] {
			present[it.section] = true
			if absent = 0; absentText(present, missing) != "" {
				absent = b.in.Count(absentText(present, missing) + "\n")
			}
		}
		shown[i] = true
		if spent += b.in.Count(it.text + "\n"); spent > b.in.Budget {
			break // nothing beyond can fit
		}
		rests += rest(i)
		if p := it.parent; p >= 0 {
			rests -= rest(p)
			children[p]--
			rests += rest(p)
		}
		if spent+rests+absent <= b.in.Budget && it.what != aHeading && it.what != aKind {
			best = k + 1
		}
	}
	if best == 0 && len(order) > 0 { // the first line alone, without a word about the others
		best, b.terse = 1, true
		if first := &b.items[order[0]]; first.what == aSize && b.in.Count(first.text+"\n") > b.in.Budget {
			first.text = wholeText(b.in) // without its languages, which a larger budget adds
		}
	}
	clear(shown)
	for _, i := range order[:best] {
		shown[i] = true
	}
	for ; best > 0; best-- {
		if b.in.Count(b.render(shown)) <= b.in.Budget {
			return shown
		}
		shown[order[best-1]] = false
	}
	return shown
}

// favourRelevant lets modules and their symbols take more of the budget when they were chosen for a task.
func (b *builder) favourRelevant() {
	for i := range b.items {
		if w := b.items[i].what; w == aModule || w == aSymbol {
			b.items[i].worth *= taskFavour
		}
	}
}
