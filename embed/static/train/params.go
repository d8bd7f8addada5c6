package train

import (
	"math"
	"math/rand/v2"
)

// params are the numbers that are learned, with the state of AdaGrad.
type params struct {
	dimensions  int
	rows        []float32 // piece rows, one after another
	query, code []float32 // logarithms of the weights for questions and for code
	rowSum      []float32 // AdaGrad: sums of the mean squares of each row's gradients
	querySum    []float32
	codeSum     []float32
}

// newParams draws rows from a normal distribution of deviation 0.1 and sets the weights to a/(a+p).
func newParams(c Config, probs []float32) *params {
	n := len(probs)
	p := &params{dimensions: c.Dimensions, rows: make([]float32, n*c.Dimensions), query: make([]float32, n), code: make([]float32, n),
		rowSum: make([]float32, n), querySum: make([]float32, n), codeSum: make([]float32, n)}
	random := rand.New(rand.NewPCG(c.Seed, 1))
	for i := range p.rows {
		p.rows[i] = float32(random.NormFloat64() * 0.1)
	}
	for i, prob := range probs {
		w := math.Log(c.Rarity / (c.Rarity + float64(prob)))
		p.query[i], p.code[i] = float32(w), float32(w)
	}
	return p
}

func (p *params) row(r int) []float32 { return p.rows[r*p.dimensions : (r+1)*p.dimensions] }

// exps returns e^x for each logarithm.
func exps(dst, logs []float32) []float32 {
	dst = dst[:0]
	for _, x := range logs {
		dst = append(dst, fastExp(max(-80, min(20, x))))
	}
	return dst
}

// adagrad returns the factor of a step for a gradient whose mean square is square, and adds it to the sum.
func adagrad(sum *float32, square, rate float32) float32 {
	*sum += square
	if *sum < 1e-20 {
		return 0
	}
	return rate / float32(math.Sqrt(float64(*sum)))
}

// embed sums the pieces of a text into v and returns the lengths of its leading parts.
func (p *params) embed(v []float32, rows []uint16, weights []uint8, w []float32, nested []int) []float32 {
	clear(v)
	for k, r := range rows {
		axpy(float32(float32(weights[k])*weightStep)*w[r], p.row(int(r)), v)
	}
	lengths := make([]float32, len(nested))
	sum, start := float32(0), 0
	for h, end := range nested {
		sum += dot(v[start:end], v[start:end])
		lengths[h] = float32(math.Sqrt(float64(max(sum, 1e-12))))
		start = end
	}
	return lengths
}
