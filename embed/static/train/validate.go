package train

import (
	"math"

	"agenvantage/embed/static/corpus"
)

// Score is how well a model finds the code of a question among all code of its package: the mean over packages of nDCG@10
// with the one right place as the only relevant one.
type Score struct {
	NDCG    float64            `json:"ndcg"`
	Kinds   map[string]float64 `json:"kinds"`  // by kind of pair
	Nested  []float64          `json:"nested"` // of each leading part
	Queries int                `json:"queries"`
}

// askedPerPackage bounds the questions of one package, so that validation stays short.
const askedPerPackage = 120

// validate scores p on data.
func validate(c Config, data *Data, p *params) Score {
	s := &step{config: c, data: data, params: p}
	s.weights[0], s.weights[1] = exps(nil, p.query), exps(nil, p.code)
	packages := make([]packageScore, len(data.Packages))
	parallel(len(packages), c.Workers, func(from, to int) {
		for pkg := from; pkg < to; pkg++ {
			packages[pkg] = s.validatePackage(data.first[pkg], data.first[pkg+1])
		}
	})
	kinds := corpus.Kinds()
	score := Score{Kinds: map[string]float64{}, Nested: make([]float64, len(c.Nested))}
	byKind, asked := make([]float64, len(kinds)), make([]float64, len(kinds))
	used := 0
	for _, x := range packages {
		if x.queries == 0 {
			continue
		}
		used++
		score.Queries += x.queries
		for h := range score.Nested {
			score.Nested[h] += x.nested[h] / float64(x.queries)
		}
		for k := range kinds {
			byKind[k] += x.kinds[k]
			asked[k] += float64(x.asked[k])
		}
	}
	for h := range score.Nested {
		score.Nested[h] /= float64(max(1, used))
	}
	score.NDCG = score.Nested[len(score.Nested)-1]
	for k, name := range kinds {
		if asked[k] > 0 {
			score.Kinds[name] = byKind[k] / asked[k]
		}
	}
	return score
}

// packageScore are sums over the questions of one package.
type packageScore struct {
	queries int
	nested  []float64
	kinds   []float64
	asked   []int
}

func (s *step) validatePackage(from, to int) packageScore {
	n, d := to-from, s.params.dimensions
	kinds := len(corpus.Kinds())
	out := packageScore{nested: make([]float64, len(s.config.Nested)), kinds: make([]float64, kinds), asked: make([]int, kinds)}
	if n < 20 { // too few to be found among
		return out
	}
	code, norms := make([]float32, n*d), make([][]float32, n)
	for i := range n {
		rows, weights := s.data.code.text(from + i)
		norms[i] = s.params.embed(code[i*d:(i+1)*d], rows, weights, s.weights[1], s.config.Nested)
	}
	query := make([]float32, d)
	scores := make([]float32, n)
	for asked := range min(n, askedPerPackage) {
		i := from + asked*n/min(n, askedPerPackage)
		rows, weights := s.data.queries.text(i)
		s.params.embed(query, rows, weights, s.weights[0], s.config.Nested)
		kind := s.data.places[i].kind
		for h, end := range s.config.Nested {
			for j := range n {
				scores[j] = dot(query[:end], code[j*d:j*d+end]) / norms[j][h]
			}
			gain := s.gain(i, from, scores)
			out.nested[h] += gain
			if h == len(s.config.Nested)-1 {
				out.kinds[kind] += gain
			}
		}
		out.asked[kind]++
		out.queries++
	}
	return out
}

// gain is 1/log2(rank+1) of the best place that answers question i, 0 beyond ten. Ties count against it.
func (s *step) gain(i, from int, scores []float32) float64 {
	best := float32(math.Inf(-1))
	for j, x := range scores {
		if x > best && s.data.same(i, from+j) {
			best = x
		}
	}
	rank := 1
	for j, x := range scores {
		if x >= best && !s.data.same(i, from+j) {
			rank++
		}
	}
	if rank > 10 {
		return 0
	}
	return 1 / math.Log2(float64(rank+1))
}
