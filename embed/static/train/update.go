package train

import "slices"

// scatter lists, for each row of the vocabulary, the texts of a batch that hold it: texts and weights of row r are at
// start[r] … start[r+1]-1, questions first, in the order of the texts.
type scatter struct {
	start  []uint32
	texts  []uint32
	weight []uint8
}

// sort fills the lists for a batch.
func (x *scatter) sort(s *step) {
	rows := len(s.params.query)
	if x.start == nil {
		x.start = make([]uint32, rows+1)
	}
	clear(x.start)
	total := len(s.texts.rows)
	for _, row := range s.texts.rows {
		x.start[row+1]++
	}
	for r := range rows {
		x.start[r+1] += x.start[r]
	}
	if cap(x.texts) < total {
		x.texts, x.weight = make([]uint32, total*5/4), make([]uint8, total*5/4)
	}
	x.texts, x.weight = x.texts[:total], x.weight[:total]
	next := slices.Clone(x.start[:rows])
	for t := range s.count() {
		r, w := s.texts.text(t)
		for k, row := range r {
			x.texts[next[row]], x.weight[next[row]] = uint32(t), w[k]
			next[row]++
		}
	}
}

// update moves the parameters against the gradients of the batch; part is the part of the rates that is left.
func (s *step) update(part float32) {
	s.sorted.sort(s)
	rows, entries := len(s.params.query), len(s.sorted.texts)
	workers := s.config.Workers
	bounds := make([]int, workers+1) // rows are dealt out so that every worker has as many entries
	for w, r := 1, 0; w <= workers; w++ {
		for r < rows && int(s.sorted.start[r+1]) <= entries*w/workers {
			r++
		}
		bounds[w] = r
	}
	bounds[workers] = rows
	parallel(workers, workers, func(from, to int) {
		sums := make([]float32, 3*s.params.dimensions)
		for w := from; w < to; w++ {
			for r := bounds[w]; r < bounds[w+1]; r++ {
				if s.sorted.start[r] < s.sorted.start[r+1] {
					s.updateRow(r, part, sums)
				}
			}
		}
	})
}

// gradients sums the gradients of one row: by the row itself, and by the logarithms of its two weights.
func (s *step) gradients(r int, sums []float32) (row []float32, query, code float32) {
	d := s.params.dimensions
	byQuery, byCode, row := sums[:d], sums[d:2*d], sums[2*d:3*d]
	clear(sums)
	for e := s.sorted.start[r]; e < s.sorted.start[r+1]; e++ {
		t := int(s.sorted.texts[e])
		to := byCode
		if t < s.batch {
			to = byQuery
		}
		axpy(float32(s.sorted.weight[e])*weightStep, s.grad(t), to)
	}
	own := s.params.row(r)
	wq, wc := s.weights[0][r], s.weights[1][r]
	query, code = wq*dot(own, byQuery), wc*dot(own, byCode)
	axpy(wq, byQuery, row)
	axpy(wc, byCode, row)
	return row, query, code
}

func (s *step) updateRow(r int, part float32, sums []float32) {
	grad, query, code := s.gradients(r, sums)
	p := s.params
	step := adagrad(&p.rowSum[r], dot(grad, grad)/float32(p.dimensions), part*float32(s.config.Rate))
	axpy(-step, grad, p.row(r))
	if rate := part * float32(s.config.WeightRate); rate > 0 {
		p.query[r] -= float32(adagrad(&p.querySum[r], query*query, rate) * query)
		p.code[r] -= float32(adagrad(&p.codeSum[r], code*code, rate) * code)
	}
}
