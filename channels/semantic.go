package channels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
)

// VectorReader finds chunks of the pinned view by their vectors. Both methods may return a *StateError, such as one of
// agenvantage.StatusNoVectors or StatusModelChanged: then the channel is in that state.
type VectorReader interface {
	// Covered counts the chunks of the files that in lets through, nil for all, and those of them that have a vector.
	Covered(ctx context.Context, in func(file uint32) bool) (have, all int, err error)
	// Nearest lists the k chunks nearest to the query among those that allow lets through, nil for all; fewer when there are
	// fewer. Of a hit File, Chunk and Score, the cosine, are set. The order is score descending, then file, then chunk. Allow is
	// called by several goroutines at the same time.
	Nearest(ctx context.Context, query []float32, k int, allow func(file uint32, chunk int) bool) ([]agenvantage.Hit, error)
}

// QueryEmbedder turns the text of a question, as plan.Parse bounds it, into a vector of the model that the chunks' vectors are of;
// it cuts the text at the model's window. It may return a *StateError, such as one of agenvantage.StatusUnreachable or
// StatusModelMissing. It may go on when ctx has ended, so it must not use the view.
type QueryEmbedder func(ctx context.Context, text string) ([]float32, error)

// SemanticOptions are the parameters of the channel semantic. The zero value means DefaultSemanticOptions; any other value is
// taken as it stands.
type SemanticOptions struct {
	Floor   float64 // cosine, -1..1, below which a chunk is not a hit
	PerFile int     // most hits of a file; 0 for no cap
	Note    string  // told with the hits: that the embedder is one for tests
}

// DefaultSemanticOptions are the shipped ones. Models differ in what they call near, so a floor for all of them only keeps out what
// none does: over 4,785 chunks of this repository and the character n-grams of package embed/ngrams about nine in ten chunks
// score below 0.1 for a question of three words, half for one of nine, and none of the hundred best of either. Three chunks of a
// file are a starting point without a measurement: more of them push other files out of the list, and say the same about this one.
func DefaultSemanticOptions() SemanticOptions {
	return SemanticOptions{Floor: 0.1, PerFile: 3}
}

// Validate reports the first option that is out of its range.
func (o SemanticOptions) Validate() error {
	switch {
	case !(o.Floor >= -1 && o.Floor <= 1):
		return fmt.Errorf("%w: semantic floor is %v, want a cosine from -1 to 1", agenvantage.ErrBadInput, o.Floor)
	case o.PerFile < 0:
		return fmt.Errorf("%w: semantic hits per file is %d, want 0 or more", agenvantage.ErrBadInput, o.PerFile)
	}
	return nil
}

// SemanticReader is what the channel semantic reads of the view beside vectors.
type SemanticReader interface {
	FileReader
	PostingsReader
	FactsReader
}

// Semantic ranks chunks by the cosine of their vectors and the question's. It says nothing about a chunk below the floor, or
// about a pattern of text. Where only part of the chunks in scope have a vector, it answers from those and says how many.
type Semantic struct {
	reader  SemanticReader
	vectors VectorReader
	embed   QueryEmbedder
	options SemanticOptions
}

// NewSemantic makes the channel over a pinned view. The options must be valid.
func NewSemantic(reader SemanticReader, vectors VectorReader, embed QueryEmbedder, o SemanticOptions) *Semantic {
	if o == (SemanticOptions{}) {
		o = DefaultSemanticOptions()
	}
	return &Semantic{reader: reader, vectors: vectors, embed: embed, options: o}
}

// Name is "semantic".
func (c *Semantic) Name() string { return "semantic" }

// Search embeds the question, unless no vector could answer it, and lists the nearest chunks.
func (c *Semantic) Search(ctx context.Context, r Request) (List, error) {
	text := strings.TrimSpace(r.Query.Text)
	if r.Query.Regex != "" || text == "" {
		return List{Covered: 1}, nil
	}
	list, have, err := c.coverage(ctx, r.Scope)
	if err != nil || have == 0 {
		return list, err
	}
	allow, err := c.filter(r)
	if err != nil {
		return List{}, fmt.Errorf("semantic: %w", err)
	}
	query, err := awaited(ctx, c.embed, text)
	if err != nil {
		return List{}, fmt.Errorf("embed the question: %w", err)
	}
	list.Note = c.options.Note
	if list.Hits, list.Dropped, err = c.nearest(ctx, query, r.limit(), allow); err != nil {
		return List{}, fmt.Errorf("nearest chunks: %w", err)
	}
	for i := range list.Hits {
		h := &list.Hits[i]
		facts, err := c.reader.Facts(h.File)
		if err != nil {
			return List{}, fmt.Errorf("facts of file %d: %w", h.File, err)
		}
		if h.Chunk < 0 || h.Chunk >= len(facts.Chunks) {
			return List{}, fmt.Errorf("file %d has no chunk %d", h.File, h.Chunk)
		}
		h.Span, h.Symbol, h.Reason = facts.Chunks[h.Chunk].Span, -1, fmt.Sprintf("cosine %.2f", h.Score)
	}
	slices.SortFunc(list.Hits, agenvantage.CompareHits)
	return list, nil
}

// coverage says how many chunks of the scope have vectors. A view without any is a state of its own.
func (c *Semantic) coverage(ctx context.Context, scope *Scope) (list List, have int, err error) {
	var in func(uint32) bool
	if scope != nil && scope.files != nil {
		in = scope.Has
	}
	have, all, err := c.vectors.Covered(ctx, in)
	if err != nil {
		return List{}, 0, fmt.Errorf("vectors: %w", err)
	}
	if have == 0 && all > 0 {
		anywhere := 0
		if in != nil {
			if anywhere, _, err = c.vectors.Covered(ctx, nil); err != nil {
				return List{}, 0, fmt.Errorf("vectors: %w", err)
			}
		}
		if anywhere == 0 {
			return List{}, 0, &StateError{Status: agenvantage.StatusNoVectors, Err: errors.New("no chunk has a vector of the configured model")}
		}
	}
	list.Covered = 1
	if have < all {
		list.Covered = float64(have) / float64(all)
		list.Reason = fmt.Sprintf("%d of %d chunks have a vector", have, all)
	}
	return list, have, nil
}

// filter says which chunks the request lets through; nil for all.
func (c *Semantic) filter(r Request) (func(file uint32, chunk int) bool, error) {
	everywhere := r.Scope == nil || r.Scope.files == nil
	if len(r.Filter.Kinds) == 0 {
		if everywhere {
			return nil, nil
		}
		return func(file uint32, _ int) bool { return r.Scope.Has(file) }, nil
	}
	docs, err := allowedDocs(c.reader, r.Filter.Kinds)
	if err != nil {
		return nil, err
	}
	ofKind := make([]bitset, c.reader.FileCount())
	for doc := range uint32(c.reader.DocBound()) {
		if !docs.has(doc) {
			continue
		}
		file, chunk := c.reader.Locate(doc)
		if chunk < 0 {
			return nil, fmt.Errorf("document %d is in no file", doc)
		}
		for len(ofKind[file]) <= chunk/64 {
			ofKind[file] = append(ofKind[file], 0)
		}
		ofKind[file].add(uint32(chunk))
	}
	return func(file uint32, chunk int) bool {
		return (everywhere || r.Scope.Has(file)) && chunk/64 < len(ofKind[file]) && ofKind[file].has(uint32(chunk))
	}, nil
}

// nearest lists at most limit chunks that are not below the floor, no more of a file than the cap. What the cap holds back makes
// room for others, so more are asked for until the list is full, or nothing is left above the floor.
func (c *Semantic) nearest(ctx context.Context, query []float32, limit int, allow func(uint32, int) bool) ([]agenvantage.Hit, int, error) {
	for ask := limit; ; ask *= 2 {
		near, err := c.vectors.Nearest(ctx, query, ask, allow)
		if err != nil {
			return nil, 0, err
		}
		above := near
		if i := slices.IndexFunc(near, func(h agenvantage.Hit) bool { return h.Score < c.options.Floor }); i >= 0 {
			above = near[:i]
		}
		hits := c.capped(above)
		if len(hits) >= limit || len(above) < ask || ask > math.MaxInt/2 {
			hits = hits[:min(len(hits), limit)]
			return hits, len(above) - len(hits), nil
		}
	}
}

// capped leaves out what a file has beyond the cap.
func (c *Semantic) capped(near []agenvantage.Hit) []agenvantage.Hit {
	if c.options.PerFile == 0 {
		return near
	}
	count := map[uint32]int{}
	kept := make([]agenvantage.Hit, 0, len(near))
	for _, h := range near {
		if count[h.File]++; count[h.File] <= c.options.PerFile {
			kept = append(kept, h)
		}
	}
	return kept
}

// awaited calls embed and returns when it does or when ctx ends, whatever comes first: a service that does not answer holds
// back neither this channel's report nor the other channels. A panic is an error.
func awaited(ctx context.Context, embed QueryEmbedder, text string) ([]float32, error) {
	type answer struct {
		v   []float32
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: fmt.Errorf("embedder panicked: %v", p)}
			}
			answered <- a
		}()
		a.v, a.err = embed(ctx, text)
	}()
	select {
	case a := <-answered:
		return a.v, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
