package channels

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"agenvantage/internal/topk"
)

// maxLikelyWords is the most words that candidates are looked for by: one bit each.
const maxLikelyWords = 64

// likely is what the postings say about a list of words in a row.
type likely struct {
	weights []float64 // of each word: the rarer the more, by the logarithm of the chunks for each that holds it
	holding []int     // chunks that hold it
	chunks  []place   // the most promising, best first
}

// likelyChunks finds the chunks in scope that hold most of words, the rare ones first; two in a row count again, as what is looked for are texts and not
// words alone. A word that is "" is in no chunk. At most limit chunks come back, of those that hold two words, or the only one that any holds.
func (s *exactSearch) likelyChunks(words []string, limit int) (likely, error) {
	words = words[:min(len(words), maxLikelyWords)]
	scratch := s.takeScratch()
	defer s.giveScratch(scratch)
	out := likely{weights: make([]float64, len(words)), holding: make([]int, len(words))}
	total, found := float64(s.reader.ChunkCount()), 0
	var docs []uint32
	for i, word := range words {
		if err := s.ctx.Err(); err != nil {
			return out, err
		}
		out.weights[i] = math.Log(1 + total)
		if first := slices.Index(words[:i], word); word == "" || first >= 0 {
			if word != "" {
				out.weights[i], out.holding[i] = out.weights[first], out.holding[first]
			}
			continue
		}
		docs = docs[:0]
		if err := s.reader.Postings(FieldBody, word, func(doc uint32, _, _ int) { docs = append(docs, doc) }); err != nil {
			return out, err
		}
		if len(docs) == 0 {
			continue
		}
		found++
		out.holding[i] = len(docs)
		out.weights[i] = math.Log(1 + total/float64(len(docs)))
		for _, doc := range docs {
			if scratch.texts[doc] == 0 {
				scratch.touched = append(scratch.touched, doc)
			}
			scratch.texts[doc] |= 1 << i
			scratch.estimate[doc] += out.weights[i]
		}
	}
	out.chunks = s.mostPromising(scratch, out.weights, min(found, 2), limit)
	return out, nil
}

// mostPromising are the touched chunks that hold at least some words, best first.
func (s *exactSearch) mostPromising(scratch *docScratch, weights []float64, least, limit int) []place {
	best := topk.New(limit, func(a, b promising) int {
		return cmp.Or(cmp.Compare(b.estimate, a.estimate), comparePlaces(a.place, b.place))
	})
	for _, doc := range scratch.touched {
		held := scratch.texts[doc]
		if bits.OnesCount64(held) < least || !s.allowed.allows(doc) {
			continue
		}
		estimate := scratch.estimate[doc]
		for pairs := held & (held >> 1); pairs != 0; pairs &= pairs - 1 {
			i := bits.TrailingZeros64(pairs)
			estimate += min(weights[i], weights[i+1])
		}
		if last, full := best.Last(); full && estimate < last.estimate {
			continue
		}
		if file, chunk := s.reader.Locate(doc); chunk >= 0 && s.request.Scope.Has(file) {
			best.Add(promising{place{doc, file, chunk}, estimate})
		}
	}
	var places []place
	for _, p := range best.Sorted() {
		places = append(places, p.place)
	}
	return places
}
