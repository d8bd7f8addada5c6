package train

import (
	"math"
	"math/rand/v2"
)

// step holds the buffers of one batch. The texts of a batch are numbered: the questions, then their code, then the hard
// negatives of the first question, of the second, and so on.
type step struct {
	config  Config
	data    *Data
	params  *params
	batch   int
	hard    int         // negatives for each question
	pairs   []int       // by position
	texts   bags        // of the batch, after dropout
	chosen  []int32     // hard negatives: pair, or -1
	vectors []float32   // by text
	grads   []float32   // by text
	norms   [][]float32 // by head and text: lengths of the leading parts
	scores  [][]float32 // by head: batch × batch, cosine / temperature; then the parts of the gradients of lengths
	exps    [][]float32 // by head: batch × batch; then gradients by dot product, summed over the longer heads
	rowSums [][]float32 // by head and question: of the exponentials, hard negatives included
	colSums [][]float32 // by head and code
	masks   [][]int32   // by position: codes that are no negatives of it
	weights [2][]float32
	sorted  scatter
}

func newStep(c Config, d *Data, p *params) *step {
	s := &step{config: c, data: d, params: p, batch: c.Batch, hard: c.HardNegatives}
	texts := c.Batch * (2 + c.HardNegatives)
	s.pairs, s.chosen = make([]int, c.Batch), make([]int32, c.Batch*c.HardNegatives)
	s.vectors, s.grads = make([]float32, texts*c.Dimensions), make([]float32, texts*c.Dimensions)
	s.masks = make([][]int32, c.Batch)
	for range c.Nested {
		s.norms = append(s.norms, make([]float32, texts))
		s.scores = append(s.scores, make([]float32, c.Batch*c.Batch))
		s.exps = append(s.exps, make([]float32, c.Batch*c.Batch))
		s.rowSums = append(s.rowSums, make([]float32, c.Batch))
		s.colSums = append(s.colSums, make([]float32, c.Batch))
	}
	return s
}

// gather copies the texts of the batch and leaves out the part of their pieces that random decides on, but never the last
// piece of a text.
func (s *step) gather(random *rand.Rand) {
	s.texts.offset, s.texts.rows, s.texts.weight = append(s.texts.offset[:0], 0), s.texts.rows[:0], s.texts.weight[:0]
	limit := uint32(s.config.Dropout * (1 << 32))
	for t := range s.count() {
		rows, weights := s.stored(t)
		first := len(s.texts.rows)
		for k, row := range rows {
			if limit > 0 && random.Uint32() < limit && (k+1 < len(rows) || len(s.texts.rows) > first) {
				continue
			}
			s.texts.rows, s.texts.weight = append(s.texts.rows, row), append(s.texts.weight, weights[k])
		}
		s.texts.offset = append(s.texts.offset, uint32(len(s.texts.rows)))
	}
}

// stored returns all pieces of a text of the batch; none for a missing negative.
func (s *step) stored(t int) (rows []uint16, weights []uint8) {
	switch {
	case t < s.batch:
		return s.data.queries.text(s.pairs[t])
	case t < 2*s.batch:
		return s.data.code.text(s.pairs[t-s.batch])
	case s.chosen[t-2*s.batch] >= 0:
		return s.data.code.text(int(s.chosen[t-2*s.batch]))
	}
	return nil, nil
}

func (s *step) vector(t int) []float32 {
	return s.vectors[t*s.params.dimensions : (t+1)*s.params.dimensions]
}

func (s *step) grad(t int) []float32 {
	return s.grads[t*s.params.dimensions : (t+1)*s.params.dimensions]
}

// count is how many texts the batch has.
func (s *step) count() int { return s.batch * (2 + s.hard) }

// forward computes the vectors, their lengths and the scores, and returns the loss, the mean over questions and heads.
func (s *step) forward() float64 {
	s.weights[0], s.weights[1] = exps(s.weights[0], s.params.query), exps(s.weights[1], s.params.code)
	workers := s.config.Workers
	parallel(s.count(), workers, func(from, to int) {
		for t := from; t < to; t++ {
			s.embed(t)
		}
	})
	s.maskBatch()
	d := s.params.dimensions
	start := 0
	for h, end := range s.config.Nested { // the products of the parts, then their running sums
		clear(s.scores[h])
		a, b := rowMatrix(s.vectors[start:], d), rowMatrix(s.vectors[s.batch*d+start:], d)
		multiplyAdd(rowMatrix(s.scores[h], s.batch), shape{s.batch, s.batch, end - start}, a, b.transposed(), workers)
		start = end
	}
	parallel(s.batch, workers, func(from, to int) {
		for i := from; i < to; i++ {
			s.scoreRow(i)
		}
	})
	parallel(s.batch, workers, func(from, to int) {
		for h := range s.config.Nested {
			s.sumColumns(s.exps[h], s.colSums[h], from, to)
		}
	})
	loss := 0.0
	for h := range s.config.Nested {
		for i := range s.batch {
			score := float64(s.scores[h][i*s.batch+i])
			loss += (math.Log(float64(s.rowSums[h][i]))+math.Log(float64(s.colSums[h][i])))/2 - score
		}
	}
	return loss / float64(s.batch*len(s.config.Nested))
}

// embed sums the pieces of a text.
func (s *step) embed(t int) {
	w := s.weights[1]
	if t < s.batch {
		w = s.weights[0]
	}
	rows, weights := s.texts.text(t)
	for h, n := range s.params.embed(s.vector(t), rows, weights, w, s.config.Nested) {
		s.norms[h][t] = n
	}
}

// maskBatch finds which code of the batch is no negative of which question.
func (s *step) maskBatch() {
	byPackage, byQuery, byCode := map[uint16][]int32{}, map[uint32][]int32{}, map[uint32][]int32{}
	for i, p := range s.pairs {
		s.masks[i] = s.masks[i][:0]
		byPackage[s.data.places[p].pkg] = append(byPackage[s.data.places[p].pkg], int32(i))
		byQuery[s.data.queryID[p]] = append(byQuery[s.data.queryID[p]], int32(i))
		byCode[s.data.codeID[p]] = append(byCode[s.data.codeID[p]], int32(i))
	}
	for i, p := range s.pairs {
		for _, list := range [][]int32{byPackage[s.data.places[p].pkg], byQuery[s.data.queryID[p]], byCode[s.data.codeID[p]]} {
			for _, j := range list {
				if int(j) != i && s.data.same(p, s.pairs[j]) {
					s.masks[i] = append(s.masks[i], j)
				}
			}
		}
	}
}

// scoreRow turns the products of one question into scores and exponentials.
func (s *step) scoreRow(i int) {
	n := s.batch
	scale := float32(1 / s.config.Temperature)
	for h := 1; h < len(s.config.Nested); h++ {
		row := s.scores[h][i*n : (i+1)*n]
		for j, x := range s.scores[h-1][i*n : (i+1)*n] { // still the products: scaled below
			row[j] += x
		}
	}
	for h := range s.config.Nested {
		row, exp := s.scores[h][i*n:(i+1)*n], s.exps[h][i*n:(i+1)*n]
		norms := s.norms[h][n : 2*n]
		factor := scale / s.norms[h][i]
		for j, x := range row {
			score := float32(x*factor) / norms[j]
			row[j] = score
			exp[j] = fastExp(score)
		}
		for _, j := range s.masks[i] {
			exp[j] = 0
		}
		sum := float32(0)
		for _, e := range exp {
			sum += e
		}
		for k := range s.hard {
			if e, _ := s.hardScore(h, i, k); e > 0 {
				sum += fastExp(e)
			}
		}
		s.rowSums[h][i] = sum
	}
}

// hardScore is the score of a question and one of its hard negatives. A missing one, and one that scores below zero and so
// has no influence to speak of, is 0.
func (s *step) hardScore(h, i, k int) (score float32, t int) {
	if s.chosen[i*s.hard+k] < 0 {
		return 0, 0
	}
	t = 2*s.batch + i*s.hard + k
	end := s.config.Nested[h]
	x := dot(s.vector(i)[:end], s.vector(t)[:end])
	return max(0, x/(s.norms[h][i]*s.norms[h][t]*float32(s.config.Temperature))), t
}

// sumColumns adds the rows of m over the columns from … to-1.
func (s *step) sumColumns(m, sums []float32, from, to int) {
	out := sums[from:to]
	clear(out)
	for i := range s.batch {
		for j, x := range m[i*s.batch+from : i*s.batch+to] {
			out[j] += x
		}
	}
}

// backward computes the gradients of the loss by each vector, times the size of the batch. It overwrites scores and exps.
func (s *step) backward() {
	workers, n, d := s.config.Workers, s.batch, s.params.dimensions
	clear(s.grads)
	lengths := make([][]float32, len(s.config.Nested)) // by head and question: sums of gradient × score
	columns := make([][]float32, len(s.config.Nested))
	for h := range lengths {
		lengths[h], columns[h] = make([]float32, n), make([]float32, n)
	}
	parallel(n, workers, func(from, to int) {
		for i := from; i < to; i++ {
			s.gradRow(i, lengths)
		}
	})
	parallel(n, workers, func(from, to int) {
		for h := range s.config.Nested {
			s.sumColumns(s.scores[h], columns[h], from, to)
		}
	})
	start := 0
	for h, end := range s.config.Nested {
		m := rowMatrix(s.exps[h], n)
		q, c := rowMatrix(s.vectors[start:], d), rowMatrix(s.vectors[n*d+start:], d)
		multiplyAdd(rowMatrix(s.grads[start:], d), shape{n, end - start, n}, m, c, workers)
		multiplyAdd(rowMatrix(s.grads[n*d+start:], d), shape{n, end - start, n}, m.transposed(), q, workers)
		start = end
	}
	parallel(n, workers, func(from, to int) {
		for i := from; i < to; i++ {
			s.gradHard(i, lengths)
			s.gradLength(i, func(h int) float32 { return lengths[h][i] })
			s.gradLength(n+i, func(h int) float32 { return columns[h][i] })
		}
	})
}

// gradRow turns the scores and exponentials of one question into gradients by dot product.
func (s *step) gradRow(i int, lengths [][]float32) {
	n := s.batch
	for h := range s.config.Nested {
		row, exp := s.scores[h][i*n:(i+1)*n], s.exps[h][i*n:(i+1)*n]
		norms, cols := s.norms[h][n:2*n], s.colSums[h]
		half := 0.5 / s.rowSums[h][i]
		factor := 1 / (s.norms[h][i] * float32(s.config.Temperature))
		sum := float32(0)
		for j, e := range exp {
			g := e * (half + 0.5/cols[j])
			if j == i {
				g--
			}
			gs := float32(g * row[j])
			sum += gs
			row[j] = gs
			exp[j] = float32(g*factor) / norms[j]
		}
		lengths[h][i] = sum
	}
	for h := len(s.config.Nested) - 2; h >= 0; h-- {
		exp := s.exps[h][i*n : (i+1)*n]
		for j, x := range s.exps[h+1][i*n : (i+1)*n] {
			exp[j] += x
		}
	}
}

// gradHard adds what the hard negatives of a question give.
func (s *step) gradHard(i int, lengths [][]float32) {
	q, dq := s.vector(i), s.grad(i)
	for k := range s.hard {
		own := make([]float32, len(s.config.Nested))
		factors := make([]float32, len(s.config.Nested))
		negative := 0
		for h := range s.config.Nested {
			score, t := s.hardScore(h, i, k)
			if score <= 0 {
				continue
			}
			negative = t
			g := float32(fastExp(score) * (0.5 / s.rowSums[h][i]))
			own[h] = float32(g * score)
			lengths[h][i] += own[h]
			factors[h] = g / (s.norms[h][i] * s.norms[h][t] * float32(s.config.Temperature))
		}
		if negative == 0 {
			continue
		}
		v, dv := s.vector(negative), s.grad(negative)
		start := 0
		for h, end := range s.config.Nested {
			factor := float32(0)
			for _, f := range factors[h:] {
				factor += f
			}
			axpy(factor, v[start:end], dq[start:end])
			axpy(factor, q[start:end], dv[start:end])
			start = end
		}
		s.gradLength(negative, func(h int) float32 { return own[h] })
	}
}

// gradLength takes off what a longer vector gives: sum(h) is the sum of gradient × score over everything that the text was
// compared with under head h.
func (s *step) gradLength(t int, sum func(h int) float32) {
	v, dv := s.vector(t), s.grad(t)
	start := 0
	for h, end := range s.config.Nested {
		factor := float32(0)
		for l := h; l < len(s.config.Nested); l++ {
			factor += sum(l) / (s.norms[l][t] * s.norms[l][t])
		}
		axpy(-factor, v[start:end], dv[start:end])
		start = end
	}
}
