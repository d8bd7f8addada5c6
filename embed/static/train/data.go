package train

import (
	"hash/fnv"
	"slices"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
)

// The most different pieces that are kept of a text.
const (
	maxQueryPieces = 64
	maxCodePieces  = 288
)

// weightStep is the resolution at which 1 + ln(count) is kept: eight bits reach a count of e^7.
const weightStep = 1.0 / 32

// bags are texts as pieces with weights, one after another: text i has rows[offset[i]:offset[i+1]].
type bags struct {
	offset []uint32
	rows   []uint16
	weight []uint8 // in weightStep
}

func newBags() *bags { return &bags{offset: []uint32{0}} }

func (b *bags) append(bag *static.Bag, most int) {
	rows := bag.Rows()
	for _, row := range rows[:min(len(rows), most)] {
		b.rows = append(b.rows, uint16(row))
		b.weight = append(b.weight, uint8(max(1, min(255, int(bag.Weight(row)/weightStep+0.5)))))
	}
	b.offset = append(b.offset, uint32(len(b.rows)))
}

func (b *bags) text(i int) ([]uint16, []uint8) {
	from, to := b.offset[i], b.offset[i+1]
	return b.rows[from:to], b.weight[from:to]
}

// place is where the code of a pair stands.
type place struct {
	pkg        uint16
	kind       uint8
	file       uint32 // hash of the path
	start, end int32
}

// overlaps reports whether two pairs are about the same lines: neither is a negative of the other.
func (p place) overlaps(o place) bool {
	return p.pkg == o.pkg && p.file == o.file && p.start <= o.end && o.start <= p.end
}

// Data are pairs as numbers.
type Data struct {
	Vocabulary *static.Vocabulary
	Packages   []string // keys
	queries    *bags
	code       *bags
	places     []place
	queryID    []uint32 // hash of the question's pieces: equal questions are no negatives of each other
	codeID     []uint32
	first      []int   // by package, its first pair; one more entry at the end
	hard       []int32 // mined negatives, hardKept a pair, -1 for none
	probs      []float32
}

// Pairs is the number of pairs.
func (d *Data) Pairs() int { return len(d.places) }

// encode turns the pairs that each gives into numbers.
func encode(c Config, v *static.Vocabulary, keys []string, each func(do func(pkg int, p *corpus.Pair)) error) (*Data, error) {
	d := &Data{Vocabulary: v, Packages: keys, queries: newBags(), code: newBags(), probs: make([]float32, v.Rows())}
	bag := static.NewBag(v)
	last := -1
	err := each(func(pkg int, p *corpus.Pair) {
		for ; last < pkg; last++ {
			d.first = append(d.first, len(d.places))
		}
		bag.Reset()
		addCode(bag, c, p)
		d.add(bag, pkg, p)
	})
	for len(d.first) <= len(keys) {
		d.first = append(d.first, len(d.places))
	}
	total := float64(0)
	for _, p := range d.probs {
		total += float64(p)
	}
	for i := range d.probs {
		d.probs[i] = float32(float64(d.probs[i]) / max(total, 1))
	}
	return d, err
}

// add appends a pair whose code is in bag.
func (d *Data) add(bag *static.Bag, pkg int, p *corpus.Pair) {
	if len(bag.Rows()) == 0 {
		return
	}
	d.code.append(bag, maxCodePieces)
	bag.Reset()
	bag.Add(p.Query, 1)
	if len(bag.Rows()) == 0 {
		d.code.removeLast()
		return
	}
	d.queries.append(bag, maxQueryPieces)
	i := len(d.places)
	kind, _ := slices.BinarySearch(corpus.Kinds(), p.Kind)
	d.places = append(d.places, place{uint16(pkg), uint8(kind), hash32(p.Path), int32(p.Start), int32(p.End)})
	d.queryID = append(d.queryID, hashRows(d.queries.text(i)))
	d.codeID = append(d.codeID, hashRows(d.code.text(i)))
	for _, bags := range []*bags{d.queries, d.code} {
		rows, weights := bags.text(i)
		for k, row := range rows {
			d.probs[row] += float32(weights[k]) * weightStep
		}
	}
}

// removeLast takes the last text off.
func (b *bags) removeLast() {
	b.offset = b.offset[:len(b.offset)-1]
	b.rows, b.weight = b.rows[:b.offset[len(b.offset)-1]], b.weight[:b.offset[len(b.offset)-1]]
}

// subset returns the pairs of the kinds and of the part of the packages that c uses.
func (d *Data) subset(c Config, packages []corpus.Package) *Data {
	in := map[string]bool{}
	for _, p := range packages {
		in[p.Key()] = inPart(p, c.Part)
	}
	kinds := corpus.Kinds()
	out := &Data{Vocabulary: d.Vocabulary, Packages: d.Packages, queries: newBags(), code: newBags(), probs: d.probs}
	for pkg, key := range d.Packages {
		out.first = append(out.first, len(out.places))
		for i := d.first[pkg]; i < d.first[pkg+1] && in[key]; i++ {
			if !c.uses(kinds[d.places[i].kind]) {
				continue
			}
			out.queries.copyOf(d.queries, i)
			out.code.copyOf(d.code, i)
			out.places = append(out.places, d.places[i])
			out.queryID, out.codeID = append(out.queryID, d.queryID[i]), append(out.codeID, d.codeID[i])
		}
	}
	out.first = append(out.first, len(out.places))
	return out
}

// copyOf appends text i of another list.
func (b *bags) copyOf(from *bags, i int) {
	rows, weights := from.text(i)
	b.rows, b.weight = append(b.rows, rows...), append(b.weight, weights...)
	b.offset = append(b.offset, uint32(len(b.rows)))
}

// addCode adds the code side of a pair to a bag.
func addCode(bag *static.Bag, c Config, p *corpus.Pair) {
	if c.PathWeight > 0 {
		bag.Add(p.Path, c.PathWeight)
	}
	if c.NameWeight > 0 {
		bag.Add(p.Name, c.NameWeight)
	}
	bag.Add(p.Body, 1)
}

func hash32(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}

func hashRows(rows []uint16, weights []uint8) uint32 {
	h := uint32(2166136261)
	for i, r := range rows {
		h = (h ^ uint32(r)) * 16777619
		h = (h ^ uint32(weights[i])) * 16777619
	}
	return h
}

// source reads the pairs of packages from a folder.
type source struct {
	dir      string
	packages []corpus.Package
	config   Config
}

// each calls do for the pairs of the kinds that are used, package after package.
func (s source) each(do func(pkg int, p *corpus.Pair)) error {
	for i, p := range s.packages {
		pairs, err := corpus.ReadPairs(s.dir, p)
		if err != nil {
			return err
		}
		for k := range pairs {
			if s.config.uses(pairs[k].Kind) {
				do(i, &pairs[k])
			}
		}
	}
	return nil
}

// heldOut reports whether a package is kept for validation: one of 24, by its name.
func heldOut(p corpus.Package) bool { return packageHash(p)%24 == 0 }

func packageHash(p corpus.Package) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.Key()))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}
