package embed

import (
	"context"

	"agenvantage/internal/hosted"
)

// openai speaks POST /embeddings as OpenAI does and as many services and servers copy it; for Voyage with its own fields.
type openai struct{ *remote }

type openaiRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"` // servers of models that cannot shorten refuse the field

	// Voyage.
	InputType       string `json:"input_type,omitempty"`
	Truncation      *bool  `json:"truncation,omitempty"`
	OutputDimension int    `json:"output_dimension,omitempty"`
}

type openaiAnswer struct {
	Data []struct {
		Index     *int `json:"index"`
		Embedding raw  `json:"embedding"`
	} `json:"data"`
}

func (openai) find(context.Context) (found, error) { return found{}, nil }
func (openai) missing() string                     { return "" }

func (b openai) ask(ctx context.Context, purpose Purpose, texts []string) ([]raw, error) {
	request := openaiRequest{Model: b.o.Model, Input: texts, Dimensions: b.o.Dimensions}
	if b.o.Provider == Voyage {
		keepWhole := false
		request.InputType, request.Truncation = string(purpose), &keepWhole // its words are "document" and "query"
		request.Dimensions, request.OutputDimension = 0, b.o.Dimensions
	}
	a, err := b.client.Post(ctx, "/embeddings", request, call(texts))
	if err != nil {
		return nil, err
	}
	var got openaiAnswer
	if err := b.read(a, texts, &got); err != nil {
		return nil, err
	}
	if err := b.count(len(got.Data), a, texts); err != nil {
		return nil, err
	}
	return inOrder(b.client, a, got)
}

// inOrder puts vectors where their index says. Without any index they stand in the order of the inputs; where others have
// one, a missing index is 0, since some encoders leave zeros out.
func inOrder(client *hosted.Client, a hosted.Answer, got openaiAnswer) ([]raw, error) {
	indexed := false
	for _, d := range got.Data {
		indexed = indexed || d.Index != nil
	}
	out, taken := make([]raw, len(got.Data)), make([]bool, len(got.Data))
	for i, d := range got.Data {
		at := i
		if indexed {
			at = 0
			if d.Index != nil {
				at = *d.Index
			}
		}
		if at < 0 || at >= len(out) || taken[at] {
			return nil, client.Bad(a, nil, "the indexes of %d vectors are not 0 to %d: which text each is for cannot be told", len(out), len(out)-1)
		}
		out[at], taken[at] = d.Embedding, true
		if out[at].length == 0 && out[at].refused == "" { // no field "embedding"
			out[at].refused = ReasonNull
		}
	}
	return out, nil
}

// cohere speaks POST /embed as version 2 of Cohere's API does.
type cohere struct{ *remote }

type cohereRequest struct {
	Model           string   `json:"model"`
	Texts           []string `json:"texts"`
	InputType       string   `json:"input_type"`
	EmbeddingTypes  []string `json:"embedding_types"`
	Truncate        string   `json:"truncate"`
	OutputDimension int      `json:"output_dimension,omitempty"`
}

func (cohere) find(context.Context) (found, error) { return found{}, nil }
func (cohere) missing() string                     { return "" }

func (b cohere) ask(ctx context.Context, purpose Purpose, texts []string) ([]raw, error) {
	request := cohereRequest{Model: b.o.Model, Texts: texts, InputType: "search_document", EmbeddingTypes: []string{"float"}, Truncate: "NONE",
		OutputDimension: b.o.Dimensions}
	if purpose == Query {
		request.InputType = "search_query"
	}
	a, err := b.client.Post(ctx, "/embed", request, call(texts))
	if err != nil {
		return nil, err
	}
	var got struct {
		Embeddings struct {
			Float []raw `json:"float"`
		} `json:"embeddings"`
	}
	if err := b.read(a, texts, &got); err != nil {
		return nil, err
	}
	return got.Embeddings.Float, b.count(len(got.Embeddings.Float), a, texts)
}
