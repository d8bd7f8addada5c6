package vector

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/philippgille/chromem-go"
)

// chromemIndex searches with chromem-go, in memory only: its own persistence names files by 32 bits of a hash and loses
// some. What it answers is not an answer of this package yet, since
//
//   - of vectors that are equally near it keeps any, in any order;
//   - it can only filter by equal metadata;
//   - asking for more than there is is an error, and a context that ends while it runs is none;
//   - it sums in another order, so that its scores differ from ours in the last digits.
//
// So it finds candidates: the n nearest by its own score, with n so large that no vector outside of them can be among the k
// best that are allowed, scored by ours. A vector that it left out scores at most its last one's score, and the two scores of a vector
// differ by less than margin. When that does not settle the k-th, n is doubled, up to all vectors.
type chromemIndex struct {
	rows       rows
	collection *chromem.Collection
	margin     float32
}

// errNoText is what embedding a text would give: chromem-go would ask a service on the network otherwise.
var errNoText = errors.New("texts are not embedded here")

func newChromem(r rows) (*chromemIndex, error) {
	refuse := func(context.Context, string) ([]float32, error) { return nil, errNoText }
	collection, err := chromem.NewDB().CreateCollection("vectors", nil, refuse)
	if err != nil {
		return nil, fmt.Errorf("make vector collection: %w", err)
	}
	for i := range r.docs { // AddDocuments would start a goroutine for each of them
		if err := collection.AddDocument(context.Background(), chromem.Document{ID: strconv.Itoa(i), Embedding: r.vectors[i]}); err != nil {
			return nil, fmt.Errorf("add vector %d: %w", r.docs[i], err)
		}
	}
	return &chromemIndex{rows: r, collection: collection, margin: scoreMargin(r.dimensions)}, nil
}

// scoreMargin bounds how far two float32 dot products of the same vectors of length 1 are apart, whatever their order of
// summing: each is off by at most d*u/(1-d*u) times the sum of |a*b|, which is at most 1 (Higham, Accuracy and Stability of
// Numerical Algorithms, 2002, section 3.1), u = 2^-24. A tenth more covers lengths that are not quite 1 and the margin's own rounding.
func scoreMargin(dimensions int) float32 {
	du := float64(dimensions) / (1 << 24)
	return float32(2.2*du/(1-du) + 4*unitTolerance)
}

func (c *chromemIndex) Len() int        { return len(c.rows.docs) }
func (c *chromemIndex) Dimensions() int { return c.rows.dimensions }

func (c *chromemIndex) Search(ctx context.Context, query []float32, k int, allow func(doc uint32) bool) ([]Match, error) {
	query, err := unitQuery(query, k, c.rows.dimensions)
	if err != nil {
		return nil, err
	}
	all := len(c.rows.docs)
	allowed := all
	if allow != nil {
		allowed = 0
		for _, doc := range c.rows.docs {
			if allow(doc) {
				allowed++
			}
		}
	}
	if allowed == 0 {
		return nil, ctx.Err()
	}
	k = min(k, allowed)
	for n := firstAsk(k, allowed, all); ; n *= 2 {
		n = min(n, all)
		matches, last, err := c.candidates(ctx, query, n, allow)
		if err != nil {
			return nil, err
		}
		if n == all || len(matches) >= k && matches[k-1].Score > last+c.margin {
			return matches[:min(len(matches), k)], nil
		}
	}
}

// firstAsk is how many candidates probably hold k allowed ones and a few more to settle the last of them.
func firstAsk(k, allowed, all int) int {
	return int(min(float64(all), float64(k+16)*1.25*float64(all)/float64(allowed)))
}

// candidates are the allowed ones among the n nearest, by our score and in our order, with the last score of chromem-go.
func (c *chromemIndex) candidates(ctx context.Context, query []float32, n int, allow func(doc uint32) bool) ([]Match, float32, error) {
	results, err := c.collection.QueryEmbedding(ctx, query, n, nil, nil)
	if e := ctx.Err(); e != nil { // what it returns then is a part, without an error
		err = e
	}
	if err != nil {
		return nil, 0, fmt.Errorf("search %d vectors: %w", len(c.rows.docs), err)
	}
	if len(results) != n {
		return nil, 0, fmt.Errorf("search %d vectors: %d candidates, want %d", len(c.rows.docs), len(results), n)
	}
	matches := newBest(n)
	for i := range results {
		row, err := strconv.Atoi(results[i].ID)
		if err != nil || row < 0 || row >= len(c.rows.docs) {
			return nil, 0, fmt.Errorf("search %d vectors: candidate %q is none of them", len(c.rows.docs), results[i].ID)
		}
		if doc := c.rows.docs[row]; allow == nil || allow(doc) {
			matches.add(Match{Doc: doc, Score: score(query, c.rows.vectors[row])})
		}
	}
	return matches.sorted(), results[n-1].Similarity, nil
}
