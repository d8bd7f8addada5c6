package configs

import "time"

// embedKeys are the keys of the semantic channel, of who makes its vectors, and of the reranker. What changes a vector or an
// order is part of Hash; where a service is, how it is asked and what it costs is not: the same model behind another address,
// in larger batches or with another engine gives the same answers.
func embedKeys() []key {
	const hour = float64(time.Hour)
	return []key{
		{name: "embed.provider", kind: KindChoice, choices: []string{"", "builtin", "ollama", "openai", "voyage", "cohere", "ngrams", "none"},
			alike: map[string]string{"": "builtin"}, at: func(c *Config) any { return &c.Embed.Provider }},
		{name: "embed.base_url", kind: KindURL, local: true, at: func(c *Config) any { return &c.Embed.BaseURL }},
		{name: "embed.model", kind: KindText, at: func(c *Config) any { return &c.Embed.Model }},
		{name: "embed.api_key", kind: KindText, secret: true, local: true, at: func(c *Config) any { return &c.Embed.APIKey }},
		{name: "embed.api_key_file", kind: KindPath, absolute: true, local: true, at: func(c *Config) any { return &c.Embed.APIKeyFile }},
		{name: "embed.plain_http", kind: KindSwitch, local: true, at: func(c *Config) any { return &c.Embed.PlainHTTP }},
		{name: "embed.dimensions", kind: KindInt, max: 1 << 16, at: func(c *Config) any { return &c.Embed.Dimensions }},
		{name: "embed.query_prompt", kind: KindText, at: func(c *Config) any { return &c.Embed.QueryPrompt }},
		{name: "embed.document_prompt", kind: KindText, at: func(c *Config) any { return &c.Embed.DocumentPrompt }},
		{name: "embed.window", kind: KindInt, max: 1e7, at: func(c *Config) any { return &c.Embed.Window }},
		{name: "embed.price", kind: KindNumber, max: 1e6, local: true, at: func(c *Config) any { return &c.Embed.Price }},
		{name: "embed.batch", kind: KindInt, min: 1, max: 1e5, local: true, at: func(c *Config) any { return &c.Embed.Batch }},
		{name: "embed.batch_tokens", kind: KindInt, max: 1e8, local: true, at: func(c *Config) any { return &c.Embed.BatchTokens }},
		{name: "embed.batch_bytes", kind: KindInt, max: 1 << 30, local: true, at: func(c *Config) any { return &c.Embed.BatchBytes }},
		{name: "embed.concurrency", kind: KindInt, min: 1, max: 256, local: true, at: func(c *Config) any { return &c.Embed.Concurrency }},
		{name: "embed.timeout", kind: KindDuration, max: hour, local: true, at: func(c *Config) any { return &c.Embed.Timeout }},
		{name: "embed.allow", kind: KindGlobs, at: func(c *Config) any { return &c.Embed.Allow }},
		{name: "embed.deny", kind: KindGlobs, at: func(c *Config) any { return &c.Embed.Deny }},
		{name: "embed.store_dir", kind: KindPath, absolute: true, local: true, at: func(c *Config) any { return &c.Embed.StoreDir }},
		{name: "embed.expand", kind: KindInt, max: 1000, at: func(c *Config) any { return &c.Embed.Expand }},
		{name: "embed.expand_floor", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.Embed.ExpandFloor }},
		{name: "semantic.floor", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.Semantic.Floor }},
		{name: "semantic.max_per_file", kind: KindInt, max: 10000, at: func(c *Config) any { return &c.Semantic.MaxPerFile }},
		{name: "semantic.engine", kind: KindChoice, choices: []string{"chromem", "flat"}, local: true, at: func(c *Config) any { return &c.Semantic.Engine }},
		{name: "rerank.provider", kind: KindChoice, choices: []string{"", "cohere", "jina", "voyage"}, at: func(c *Config) any { return &c.Rerank.Provider }},
		{name: "rerank.base_url", kind: KindURL, local: true, at: func(c *Config) any { return &c.Rerank.BaseURL }},
		{name: "rerank.model", kind: KindText, at: func(c *Config) any { return &c.Rerank.Model }},
		{name: "rerank.api_key", kind: KindText, secret: true, local: true, at: func(c *Config) any { return &c.Rerank.APIKey }},
		{name: "rerank.api_key_file", kind: KindPath, absolute: true, local: true, at: func(c *Config) any { return &c.Rerank.APIKeyFile }},
		{name: "rerank.plain_http", kind: KindSwitch, local: true, at: func(c *Config) any { return &c.Rerank.PlainHTTP }},
		{name: "rerank.candidates", kind: KindInt, min: 2, max: 1000, at: func(c *Config) any { return &c.Rerank.Candidates }},
		{name: "rerank.timeout", kind: KindDuration, min: 1e6, max: hour, extent: true, at: func(c *Config) any { return &c.Rerank.Timeout }},
	}
}
