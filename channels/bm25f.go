package channels

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"agenvantage"
)

// FieldOptions weigh one field.
type FieldOptions struct {
	Weight float64 // of a term frequency in this field; 0 leaves the field out
	B      float64 // 0..1, how far the frequency is divided by the field's length
}

// BM25FOptions are the parameters of the channel bm25f. The zero value means DefaultBM25FOptions; any other value is
// taken as it stands.
type BM25FOptions struct {
	K1 float64 // saturation of a term's frequency in a chunk
	K3 float64 // saturation of a term's frequency in the question

	Path, Symbol, Signature, Doc, Body FieldOptions

	PartWeight float64 // of a term that is only a part of an identifier in the question
	JoinWeight float64 // of neighbouring words taken together (user profile: userprofile); 0 for none
	MaxTerms   int     // the rarest terms that are used of a longer question
}

// DefaultBM25FOptions are starting points from published settings: zoekt counts a match in a symbol or file name five
// times; a path's length says little, so its b is small; k3 = 8 is the classic choice for long questions. k1 was measured.
func DefaultBM25FOptions() BM25FOptions {
	return BM25FOptions{
		K1: 2.4, K3: 8,
		Path: FieldOptions{5, 0.3}, Symbol: FieldOptions{5, 0.5}, Signature: FieldOptions{2, 0.5}, Doc: FieldOptions{1.5, 0.75}, Body: FieldOptions{1, 0.75},
		PartWeight: 0.6, JoinWeight: 0.5, MaxTerms: 64,
	}
}

// Validate reports the first option that is out of its range.
func (o BM25FOptions) Validate() error {
	if o == (BM25FOptions{}) {
		return nil
	}
	for _, f := range o.fields() {
		if !(f.Weight >= 0) || !(f.B >= 0 && f.B <= 1) || math.IsInf(f.Weight, 0) {
			return fmt.Errorf("%w: bm25f field %s has weight %v and b %v, want weight >= 0 and b from 0 to 1", agenvantage.ErrBadInput, f.name, f.Weight, f.B)
		}
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"k1", o.K1}, {"k3", o.K3}, {"part weight", o.PartWeight}, {"join weight", o.JoinWeight}} {
		if !(v.value >= 0) || math.IsInf(v.value, 0) {
			return fmt.Errorf("%w: bm25f %s is %v, want 0 or more", agenvantage.ErrBadInput, v.name, v.value)
		}
	}
	if o.MaxTerms < 1 {
		return fmt.Errorf("%w: bm25f max terms is %d, want 1 or more", agenvantage.ErrBadInput, o.MaxTerms)
	}
	return nil
}

type namedField struct {
	name string
	FieldOptions
}

// fields lists the fields in the order in which their shares are summed.
func (o BM25FOptions) fields() []namedField {
	return []namedField{{FieldPath, o.Path}, {FieldSymbol, o.Symbol}, {FieldSignature, o.Signature}, {FieldDoc, o.Doc}, {FieldBody, o.Body}}
}

// BM25FReader is what the channel bm25f reads.
type BM25FReader interface {
	PostingsReader
	FactsReader
}

// BM25F ranks chunks by BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3.5):
//
//	tf(t, d)    = sum over fields f: weight_f * freq(t, d, f) / (1 - b_f + b_f * length(d, f) / mean length(f))
//	idf(t)      = ln(1 + (N - df + 0.5) / (df + 0.5))      df = chunks with t in any field, N = chunks; always positive
//	score(q, d) = sum over t in q: weight(t) * (k3+1) * count(t, q) / (k3 + count(t, q)) * idf(t) * (k1+1) * tf / (k1 + tf)
//
// so that a term saturates once over all its fields. A word of Query.Near adds its weighted frequencies to tf(t, d) of the term that it
// stands for, and df is the term's own, or where no chunk has it that of those words: what is rarer than the term weighs no more.
// Other forms of a term that is rare are that term, and df is theirs too. Sums run over terms in the order of the question and over fields in
// a fixed order, never in the order of documents: scores do not depend on how the index is cut into segments.
type BM25F struct {
	reader  BM25FReader
	options BM25FOptions
	scratch sync.Pool // *bm25fScratch
}

// NewBM25F makes the channel over a pinned view. The options must be valid.
func NewBM25F(reader BM25FReader, o BM25FOptions) *BM25F {
	if o == (BM25FOptions{}) {
		o = DefaultBM25FOptions()
	}
	return &BM25F{reader: reader, options: o}
}

// Name is "bm25f".
func (c *BM25F) Name() string { return "bm25f" }

// bm25fScratch holds one number per document. Only the entries named by found are not zero between terms.
type bm25fScratch struct {
	score   []float64
	tf      []float64 // of the current term
	terms   []uint16  // how many terms the document has
	touched []uint32  // documents with the current term
	found   []uint32  // documents with any term
}

func (c *BM25F) takeScratch() *bm25fScratch {
	n := c.reader.DocBound()
	if s, ok := c.scratch.Get().(*bm25fScratch); ok && len(s.score) >= n {
		return s
	}
	return &bm25fScratch{score: make([]float64, n), tf: make([]float64, n), terms: make([]uint16, n)}
}

func (c *BM25F) giveScratch(s *bm25fScratch) {
	for _, doc := range s.touched {
		s.tf[doc] = 0
	}
	for _, doc := range s.found {
		s.score[doc], s.terms[doc] = 0, 0
	}
	s.touched, s.found = s.touched[:0], s.found[:0]
	c.scratch.Put(s)
}

// Search ranks the chunks that hold at least one term of the question.
func (c *BM25F) Search(ctx context.Context, r Request) (List, error) {
	list := List{Covered: 1}
	terms, err := c.weigh(ctx, r.Query)
	if err != nil || len(terms) == 0 {
		return list, err
	}
	allowed, err := allowedDocs(c.reader, r.Filter.Kinds)
	if err != nil {
		return List{}, err
	}
	s := c.takeScratch()
	defer c.giveScratch(s)
	k1 := c.options.K1
	if r.Query.Class == agenvantage.ClassTrace {
		k1 = min(k1, traceK1)
	}
	for _, t := range terms {
		asked, err := c.addTerm(ctx, s, t, k1)
		if err != nil {
			return List{}, err
		}
		for _, n := range asked {
			list.AlsoAsked = append(list.AlsoAsked, n.Text+" for "+n.For)
		}
	}
	top := newTopList(r.limit())
	for _, doc := range s.found {
		if !allowed.allows(doc) || s.score[doc] <= 0 {
			continue
		}
		if r.Scope == nil || r.Scope.files == nil {
			if !top.takes(s.score[doc]) {
				top.dropped++
				continue
			}
		}
		file, chunk := c.reader.Locate(doc)
		if r.Scope.Has(file) {
			top.add(scoredChunk{score: s.score[doc], file: file, chunk: chunk, terms: int(s.terms[doc])})
		}
	}
	list.Dropped, list.Note = top.dropped, noteOfNear(r.Query.Near)
	for _, sc := range top.sorted() {
		facts, err := c.reader.Facts(sc.file)
		if err != nil {
			return List{}, fmt.Errorf("facts of file %d: %w", sc.file, err)
		}
		if sc.chunk < 0 || sc.chunk >= len(facts.Chunks) {
			return List{}, fmt.Errorf("file %d has no chunk %d", sc.file, sc.chunk)
		}
		list.Hits = append(list.Hits, agenvantage.Hit{File: sc.file, Chunk: sc.chunk, Symbol: -1, Span: facts.Chunks[sc.chunk].Span, Score: sc.score,
			Reason: fmt.Sprintf("%d of %d terms", sc.terms, len(terms))})
	}
	return list, nil
}

type weightedTerm struct {
	text   string
	weight float64
	near   []agenvantage.Near
}

// nearOf are the words that may stand for a term.
func nearOf(q agenvantage.Query, term string) (near []agenvantage.Near) {
	for _, n := range q.Near {
		if n.For == term {
			near = append(near, n)
		}
	}
	return near
}

// noteOfNear says which words were asked for beside those of the question because a model finds them near, "" for none.
func noteOfNear(near []agenvantage.Near) string {
	var all []string
	for _, n := range near {
		if n.Source != agenvantage.NearModel {
			continue
		}
		all = append(all, fmt.Sprintf("%s for %s (%.2f)", n.Text, n.For, n.Weight))
	}
	if len(all) == 0 {
		return ""
	}
	return "asked for near words too: " + strings.Join(all, ", ")
}

// weigh turns the terms of q into weights: repeats saturate, parts and joined neighbours count less.
func (c *BM25F) weigh(ctx context.Context, q agenvantage.Query) ([]weightedTerm, error) {
	o := c.options
	terms := q.Terms
	if len(terms) > o.MaxTerms {
		var err error
		if terms, err = c.rarest(ctx, terms); err != nil {
			return nil, err
		}
	}
	weighted := make([]weightedTerm, 0, len(terms)+4)
	seen := make(map[string]bool, len(terms))
	for _, t := range terms {
		count := float64(t.Count)
		if q.Class == agenvantage.ClassTrace {
			count = 1 // repeats in a trace are recursion, not emphasis
		}
		w := (o.K3 + 1) * count / (o.K3 + count)
		if t.Part {
			w *= o.PartWeight
		}
		seen[t.Text] = true
		if w > 0 {
			weighted = append(weighted, weightedTerm{t.Text, w, nearOf(q, t.Text)})
		}
	}
	if o.JoinWeight == 0 {
		return weighted, nil
	}
	for _, joined := range joinedNeighbours(q) {
		if !seen[joined] {
			seen[joined] = true
			weighted = append(weighted, weightedTerm{joined, o.JoinWeight, nil})
		}
	}
	return weighted, nil
}

// maxJoinTerms is the longest question whose neighbouring words are joined.
const maxJoinTerms = 12

// joinedNeighbours lists neighbouring terms of a question in plain words as one: pairs, and three in a short phrase.
func joinedNeighbours(q agenvantage.Query) []string {
	if q.Class != agenvantage.ClassPhrase && q.Class != agenvantage.ClassQuestion || len(q.Terms) > maxJoinTerms {
		return nil
	}
	var words []string
	for _, t := range q.Terms {
		if !t.Part {
			words = append(words, t.Text)
		}
	}
	var joined []string
	for i := 1; i < len(words); i++ {
		joined = append(joined, words[i-1]+words[i])
	}
	if len(words) <= maxJoinedWords {
		for i := 2; i < len(words); i++ {
			joined = append(joined, words[i-2]+words[i-1]+words[i])
		}
	}
	return joined
}

// rarest keeps the MaxTerms terms of highest idf, in the order of the question. The document frequency in the body stands
// for that in all fields; a term that the body lacks counts by the path, and is dropped when that lacks it too. Of equals, those near the start or
// the end of the question come first: that is where a report says what is wrong, and where a trace names the error.
func (c *BM25F) rarest(ctx context.Context, terms []agenvantage.Term) ([]agenvantage.Term, error) {
	type ranked struct{ position, df int }
	var order []ranked
	for i, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		df := 0
		count := func(uint32, int, int) { df++ }
		if err := c.reader.Postings(FieldBody, t.Text, count); err != nil {
			return nil, err
		}
		if df == 0 {
			if err := c.reader.Postings(FieldPath, t.Text, count); err != nil {
				return nil, err
			}
		}
		if df > 0 {
			order = append(order, ranked{i, df})
		}
	}
	fromEnd := func(position int) int { return min(position, len(terms)-1-position) }
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(fromEnd(a.position), fromEnd(b.position)), cmp.Compare(a.position, b.position))
	})
	order = order[:min(len(order), c.options.MaxTerms)]
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Compare(a.position, b.position) })
	kept := make([]agenvantage.Term, len(order))
	for i, r := range order {
		kept[i] = terms[r.position]
	}
	return kept, nil
}

// traceK1 bounds k1 for stack traces: a file that repeats one word of the trace must not pass the one that holds several.
const traceK1 = 1.2

// mostOfRare is the most chunks that hold a word whose other forms are asked for too (resolving: resolve). Who asks for a frequent word
// means the word as it is: nDCG@10 of half of code search is 0.901 with 10 or 15 chunks, 0.894 with 5, 0.898 with 20, 0.894 for all words.
const mostOfRare = 10

// addTerm adds the share of one term to the scores and gives the near words that counted for it, in their order. The term's other forms are
// the same term; synonyms do not make it more frequent.
func (c *BM25F) addTerm(ctx context.Context, s *bm25fScratch, t weightedTerm, k1 float64) (asked []agenvantage.Near, err error) {
	chunks := float64(c.reader.ChunkCount())
	if _, err := c.countTerm(ctx, s, t.text, 1); err != nil {
		return nil, err
	}
	rare := len(s.touched) <= mostOfRare
	count := func(forms bool) error {
		for _, n := range t.near {
			if (n.Source == agenvantage.NearForm) != forms {
				continue
			}
			held, err := c.countTerm(ctx, s, n.Text, n.Weight)
			if err != nil {
				return err
			}
			if held {
				asked = append(asked, n)
			}
		}
		return nil
	}
	if rare {
		if err := count(true); err != nil {
			return nil, err
		}
	}
	df := float64(len(s.touched))
	if err := count(false); err != nil {
		return nil, err
	}
	if df == 0 {
		df = float64(len(s.touched))
	}
	factor := t.weight * math.Log(1+(chunks-df+0.5)/(df+0.5)) * (k1 + 1)
	for _, doc := range s.touched {
		tf := s.tf[doc]
		s.tf[doc] = 0
		if s.terms[doc] == 0 {
			s.found = append(s.found, doc)
		}
		s.terms[doc]++
		s.score[doc] += factor * tf / (k1 + tf)
	}
	s.touched = s.touched[:0]
	return asked, nil
}

// countTerm adds the frequencies of a word, times weight, to those of the current term. held says that a chunk has the word.
func (c *BM25F) countTerm(ctx context.Context, s *bm25fScratch, text string, weight float64) (held bool, err error) {
	chunks := float64(c.reader.ChunkCount())
	for _, f := range c.options.fields() {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		total := float64(c.reader.FieldTokens(f.name))
		if f.Weight == 0 || total == 0 {
			continue
		}
		perToken := f.B * chunks / total
		err := c.reader.Postings(f.name, text, func(doc uint32, freq, fieldLen int) {
			held = true
			if s.tf[doc] == 0 {
				s.touched = append(s.touched, doc)
			}
			s.tf[doc] += weight * f.Weight * float64(freq) / (1 - f.B + perToken*float64(fieldLen))
		})
		if err != nil {
			return false, fmt.Errorf("postings of %q in %s: %w", text, f.name, err)
		}
	}
	return held, nil
}
