package app

import "agenvantage/pack/repomap"

// MapRequest asks for the map of the repository. Zero values mean the defaults.
type MapRequest struct {
	Budget    int    // tokens of the text; 0 means repomap.DefaultBudget
	Scope     string // folder or file; "" means the whole repository
	Task      string // what the reader is about to do; "" means nothing in particular
	Tokenizer string // "" means that the text is within the budget for each tokenizer that is known
	NoRefresh bool
}

// MapDefaultBudget and MapMinBudget are in tokens.
const (
	MapDefaultBudget = repomap.DefaultBudget
	MapMinBudget     = repomap.MinBudget
	MapMaxBudget     = repomap.MaxBudget
)

// MapAnswer is the contract of `map --json`. It holds nothing that changes while the tree stands.
type MapAnswer struct {
	repomap.Map
	Tokenizer   string   `json:"tokenizer"` // what Tokens is counted with; the largest count where several are named
	Stale       bool     `json:"stale"`     // the tree has changed since it was indexed
	StaleReason string   `json:"stale_reason,omitempty"`
	Notes       []string `json:"notes,omitempty"`
}
