package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"agenvantage/embed/static"
)

// smallData are pairs of random pieces in a few packages.
func smallData(t testing.TB, pairs int) (Config, *Data) {
	t.Helper()
	var spellings []string
	for i := range 40 {
		spellings = append(spellings, fmt.Sprintf("p%02d", i))
	}
	v, err := static.NewVocabulary(spellings, 8)
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	c.Batch, c.Run, c.Dimensions, c.Nested, c.HardNegatives, c.Workers, c.Dropout = 16, 4, 64, []int{16, 48, 64}, 2, 2, 0.2
	d := &Data{Vocabulary: v, Packages: []string{"a", "b"}, queries: newBags(), code: newBags(), probs: make([]float32, v.Rows()), first: []int{0, pairs / 2, pairs}}
	random := rand.New(rand.NewPCG(3, 3))
	fill := func(b *bags, n int) {
		for _, r := range random.Perm(v.Rows())[:n] {
			b.rows, b.weight = append(b.rows, uint16(r)), append(b.weight, uint8(10+random.IntN(60)))
		}
		b.offset = append(b.offset, uint32(len(b.rows)))
	}
	for i := range pairs {
		fill(d.queries, 3)
		fill(d.code, 6)
		pkg := uint16(0)
		if i >= pairs/2 {
			pkg = 1
		}
		d.places = append(d.places, place{pkg: pkg, file: uint32(i / 3), start: 1, end: 2})
		d.queryID, d.codeID = append(d.queryID, uint32(i)), append(d.codeID, uint32(i))
	}
	for i := range d.probs {
		d.probs[i] = 1 / float32(len(d.probs))
	}
	d.mine(1)
	return c, d
}

func firstStep(c Config, d *Data) *step {
	s := newStep(c, d, newParams(c, d.probs))
	for i := range s.pairs {
		s.pairs[i] = i
	}
	s.drawHard(rand.New(rand.NewPCG(4, 4)))
	s.gather(rand.New(rand.NewPCG(5, 5)))
	return s
}

// TestGradients compares the gradients by rows and by weights with differences of the loss.
func TestGradients(t *testing.T) {
	c, d := smallData(t, 24)
	s := firstStep(c, d)
	s.forward()
	s.backward()
	s.sorted.sort(s)
	scale := float64(c.Batch * len(c.Nested)) // forward gives a mean, backward sums
	hard := 0
	for _, x := range s.chosen {
		if x >= 0 {
			hard++
		}
	}
	if hard == 0 || len(s.masks[0]) == 0 {
		t.Fatalf("%d hard negatives, masks %v: the test covers neither", hard, s.masks)
	}
	type want struct {
		name     string
		at       *float32
		gradient float64
	}
	var wants []want
	sums := make([]float32, 3*c.Dimensions)
	for _, r := range []int{0, 7, 21, 39, 44} {
		row, query, code := s.gradients(r, sums)
		for _, k := range []int{0, 15, 16, 47, 63} {
			wants = append(wants, want{fmt.Sprintf("row %d[%d]", r, k), &s.params.rows[r*c.Dimensions+k], float64(row[k])})
		}
		wants = append(wants, want{fmt.Sprintf("query weight %d", r), &s.params.query[r], float64(query)}, want{fmt.Sprintf("code weight %d", r), &s.params.code[r], float64(code)})
	}
	for _, w := range wants {
		const h = 1e-2
		old := *w.at
		*w.at = old + h
		up := s.forward()
		*w.at = old - h
		down := s.forward()
		*w.at = old
		got := w.gradient
		if difference := (up - down) / (2 * h) * scale; math.Abs(got-difference) > 2e-2*max(1, math.Abs(difference)) {
			t.Errorf("%s: gradient %.5f, difference of the loss %.5f", w.name, got, difference)
		}
	}
}

// TestWorkersDoNotChangeTheResult trains a few batches with one, two and three goroutines and with the plain kernels.
func TestWorkersDoNotChangeTheResult(t *testing.T) {
	var first []float32
	for _, workers := range []int{1, 2, 3} {
		c, d := smallData(t, 24)
		c.Workers = workers
		s := firstStep(c, d)
		for range 3 {
			s.forward()
			s.backward()
			s.update(1)
		}
		if first == nil {
			first = s.params.rows
		}
		for i, x := range s.params.rows {
			if x != first[i] {
				t.Fatalf("%d workers: number %d is %v, with one %v", workers, i, x, first[i])
			}
		}
	}
}

// TestLossFalls trains until the pairs are told apart.
func TestLossFalls(t *testing.T) {
	c, d := smallData(t, 16)
	s := firstStep(c, d)
	before := s.forward()
	for range 40 {
		s.forward()
		s.backward()
		s.update(1)
	}
	if after := s.forward(); after > before/4 {
		t.Errorf("loss %.4f after 40 batches, %.4f before", after, before)
	}
}
