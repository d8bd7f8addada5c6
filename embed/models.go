package embed

import (
	"path"
	"strings"
)

// Model is what is known of a model beforehand. Zero values are unknown. Nothing depends on a model being known: dimension
// and window are read from the service, prompts and price can be set.
type Model struct {
	Provider       string // whose API has it, "" for open models, which any server may offer
	Pattern        string // of its name in lower case without owner and tag, as of path.Match
	Dimensions     int    // of its vectors when none is asked for; for an estimate only
	Window         int    // tokens
	QueryPrompt    string // that it was trained with, its spaces included
	DocumentPrompt string
	Price          float64 // US dollars for a million tokens, at PriceSnapshot
	MaxItems       int     // texts in a request
	MaxTokens      int     // tokens in a request
}

// PriceSnapshot is the month of the price lists that Model.Price is from. Prices change: a plan shows the month beside the
// money, and embed.price replaces it.
const PriceSnapshot = "2025-06"

// Prompts that several models share, as their model cards give them.
const (
	passages = "Represent this sentence for searching relevant passages: "
	codeFor  = "Represent this query for searching relevant code: "
)

// models is in order: the first that fits counts. Dimension, window and prompts are those of the models' own cards and of
// their configuration files; limits and prices those of the services' reference and price pages, all as known at
// PriceSnapshot and from no later look. Where a source was not certain the field is left 0, which is never wrong.
var models = []Model{
	// OpenAI: platform.openai.com, embeddings guide, API reference (2,048 inputs, 300,000 tokens a request) and pricing.
	{Provider: OpenAI, Pattern: "text-embedding-3-small", Dimensions: 1536, Window: 8191, Price: 0.02, MaxItems: 2048, MaxTokens: 300000},
	{Provider: OpenAI, Pattern: "text-embedding-3-large", Dimensions: 3072, Window: 8191, Price: 0.13, MaxItems: 2048, MaxTokens: 300000},
	{Provider: OpenAI, Pattern: "text-embedding-ada-002", Dimensions: 1536, Window: 8191, Price: 0.10, MaxItems: 2048, MaxTokens: 300000},
	// Mistral: docs.mistral.ai, code embeddings and pricing.
	{Provider: OpenAI, Pattern: "mistral-embed*", Dimensions: 1024, Window: 8192, Price: 0.10, MaxTokens: 16384},
	{Provider: OpenAI, Pattern: "codestral-embed*", Dimensions: 1536, Window: 8192, Price: 0.15, MaxTokens: 16384},
	// Gemini by its compatible address: ai.google.dev, embeddings and pricing (100 texts a request).
	{Provider: OpenAI, Pattern: "gemini-embedding-001", Dimensions: 3072, Window: 2048, Price: 0.15, MaxItems: 100},
	{Provider: OpenAI, Pattern: "text-embedding-004", Dimensions: 768, Window: 2048, MaxItems: 100},
	// Voyage: docs.voyageai.com, embeddings (1,000 texts; tokens by model) and pricing.
	{Provider: Voyage, Pattern: "voyage-code-3", Dimensions: 1024, Window: 32000, Price: 0.18, MaxItems: 1000, MaxTokens: 120000},
	{Provider: Voyage, Pattern: "voyage-3-large", Dimensions: 1024, Window: 32000, Price: 0.18, MaxItems: 1000, MaxTokens: 120000},
	{Provider: Voyage, Pattern: "voyage-3.5", Dimensions: 1024, Window: 32000, Price: 0.06, MaxItems: 1000, MaxTokens: 320000},
	{Provider: Voyage, Pattern: "voyage-3.5-lite", Dimensions: 1024, Window: 32000, Price: 0.02, MaxItems: 1000, MaxTokens: 1000000},
	{Provider: Voyage, Pattern: "voyage-3", Dimensions: 1024, Window: 32000, Price: 0.06, MaxItems: 1000, MaxTokens: 320000},
	{Provider: Voyage, Pattern: "voyage-3-lite", Dimensions: 512, Window: 32000, Price: 0.02, MaxItems: 1000, MaxTokens: 1000000},
	{Provider: Voyage, Pattern: "voyage-code-2", Dimensions: 1536, Window: 16000, Price: 0.12, MaxItems: 1000, MaxTokens: 120000},
	{Provider: Voyage, Pattern: "*", MaxItems: 1000, MaxTokens: 120000},
	// Cohere: docs.cohere.com, Embed (96 texts a request) and pricing.
	{Provider: Cohere, Pattern: "embed-v4.0", Dimensions: 1536, Window: 128000, Price: 0.12, MaxItems: 96},
	{Provider: Cohere, Pattern: "embed-*-light-v3.0", Dimensions: 384, Window: 512, Price: 0.10, MaxItems: 96},
	{Provider: Cohere, Pattern: "embed-*-v3.0", Dimensions: 1024, Window: 512, Price: 0.10, MaxItems: 96},
	{Provider: Cohere, Pattern: "*", MaxItems: 96},
	// Open models, from their cards. A server's own setting of the window is read where it tells it, and the smaller one holds.
	{Pattern: "nomic-embed-code*", Dimensions: 3584, QueryPrompt: codeFor},
	{Pattern: "coderankembed*", Dimensions: 768, Window: 8192, QueryPrompt: codeFor},
	{Pattern: "nomic-embed-text*", Dimensions: 768, QueryPrompt: "search_query: ", DocumentPrompt: "search_document: "},
	{Pattern: "mxbai-embed-large*", Dimensions: 1024, Window: 512, QueryPrompt: passages},
	{Pattern: "snowflake-arctic-embed2*", Dimensions: 1024, Window: 8192, QueryPrompt: "query: "},
	{Pattern: "snowflake-arctic-embed-*-v2.0", Window: 8192, QueryPrompt: "query: "},
	{Pattern: "snowflake-arctic-embed*", QueryPrompt: passages},
	{Pattern: "embeddinggemma*", Dimensions: 768, Window: 2048, QueryPrompt: "task: code retrieval | query: ", DocumentPrompt: "title: none | text: "},
	{Pattern: "qwen3-embedding*", Window: 32768, QueryPrompt: "Instruct: Given a question about a program, retrieve the code that answers it\nQuery: "},
	{Pattern: "multilingual-e5-*-instruct", Window: 512, QueryPrompt: "Instruct: Given a question about a program, retrieve the code that answers it\nQuery: "},
	{Pattern: "*e5-*", Window: 512, QueryPrompt: "query: ", DocumentPrompt: "passage: "},
	{Pattern: "bge-m3*", Dimensions: 1024, Window: 8192},
	{Pattern: "bge-*-en*", Window: 512, QueryPrompt: passages},
	{Pattern: "bge-large*", Dimensions: 1024, Window: 512, QueryPrompt: passages},
	{Pattern: "all-minilm*", Dimensions: 384},
	{Pattern: "jina-embeddings-v2-base-*", Dimensions: 768, Window: 8192},
	{Pattern: "jina-embeddings-v3*", Dimensions: 1024, Window: 8192},
	{Pattern: "granite-embedding*", Window: 512},
}

// Known finds a model in the table by the name that its provider knows it by; owner and tag make no difference.
func Known(provider, name string) (Model, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	for _, m := range models {
		if m.Provider != "" && m.Provider != provider || m.Provider == "" && provider != Ollama && provider != OpenAI {
			continue
		}
		if ok, _ := path.Match(m.Pattern, name); ok {
			return m, true
		}
	}
	return Model{}, false
}

// Cost is what a million tokens cost by the options, in US dollars or whatever currency embed.price is meant in, and where the
// figure is from: "embed.price", "price list of 2025-06" or, with 0, "unknown". What runs on this machine is free of charge,
// "local": hosted is the embedder's Hosted.
func (o Options) Cost(hosted bool) (price float64, from string) {
	if o.Price > 0 {
		return o.Price, "embed.price"
	}
	if !hosted {
		return 0, "local"
	}
	if m, _ := Known(o.Provider, o.Model); m.Price > 0 {
		return m.Price, "price list of " + PriceSnapshot
	}
	return 0, "unknown"
}
