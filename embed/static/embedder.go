package static

import (
	"context"
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/embed"
)

// Provider is the name of the built-in model in configurations and identities.
const Provider = "builtin"

// Name is the model's name in identities; the digest tells versions apart.
const Name = "static"

// Embedder is a Model as an embed.Embedder: nothing leaves the process.
type Embedder struct {
	model      *Model
	dimensions int
}

// NewEmbedder returns an Embedder of vectors of the given dimensions, 0 for all that the model has.
func NewEmbedder(m *Model, dimensions int) (*Embedder, error) {
	if dimensions == 0 {
		dimensions = m.dimensions
	}
	if !slices.Contains(m.info.Nested, dimensions) {
		return nil, fmt.Errorf("built-in model: %d dimensions, it has %v: %w", dimensions, m.info.Nested, agenvantage.ErrBadInput)
	}
	return &Embedder{model: m, dimensions: dimensions}, nil
}

var _ embed.Embedder = (*Embedder)(nil)

// parameters name the treatment of chunks: other weights give other vectors.
var parameters = fmt.Sprintf("path=%v names=%v", pathWeight, namesWeight)

// Identity needs no asking.
func (e *Embedder) Identity(context.Context) (embed.Identity, error) {
	return embed.Identity{Provider: Provider, Model: Name, Digest: e.model.digest, Dimensions: e.dimensions, Parameters: parameters}, nil
}

// Limits are none.
func (e *Embedder) Limits() embed.Limits { return embed.Limits{} }

// Hosted is false.
func (e *Embedder) Hosted() bool { return false }

// Embed embeds questions as they are and documents as Chunk.Document gives them; a document of another form is embedded too,
// but as a body of which neither path nor names are known, which finds less. A text without a single letter is refused as
// embed.ReasonZero.
func (e *Embedder) Embed(ctx context.Context, purpose embed.Purpose, texts []string) ([]embed.Answer, error) {
	answers := make([]embed.Answer, len(texts))
	var buffer []float32
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if purpose == embed.Query {
			buffer, err = e.model.EmbedQuery(buffer[:0], text, e.dimensions)
		} else {
			buffer, err = e.model.EmbedChunk(buffer[:0], chunkOf(text), e.dimensions)
		}
		if err != nil {
			return nil, err
		}
		answers[i] = embed.Check(buffer, e.dimensions)
	}
	return answers, nil
}
