package app

import "agenvantage"

// PackRequest asks for the evidence of one task. Zero values mean the defaults.
type PackRequest struct {
	Task      string
	Preset    agenvantage.TaskKind // "" reads it from the task
	Budget    int                  // tokens of the whole Markdown; 0 means DefaultPackBudget
	Channels  []string             // as of Search
	OneRound  bool                 // no second look, whatever is missing
	FromDiff  *string              // the revision that the work tree is compared with; "" is HEAD
	Output    string               // of a failing program
	Seeds     []string             // paths that belong to the task
	Tokenizer string               // o200k, cl100k or their full names; "" holds the larger count of both under the budget
	NoRefresh bool
	Note      string // what the caller has to say about the request: a note of the pack
}

// Tasks of requests that come with a failure or a diff alone.
const (
	FailureTask = "fix this failure"
	ReviewTask  = "review this change"
)

// DefaultPackBudget is the ceiling of a pack, in tokens, when the request does not say.
const DefaultPackBudget = 6000

// Considered is one place that a pack could have shown, with what became of it: what `why` answers from.
type Considered struct {
	Path      string               `json:"path"`
	StartLine int                  `json:"start_line"`
	EndLine   int                  `json:"end_line"`
	Symbol    string               `json:"symbol,omitempty"`
	Slot      agenvantage.SlotName `json:"slot"`
	Rank      int                  `json:"rank"` // in its slot, 1-based
	Reason    string               `json:"reason"`
	Channels  []string             `json:"channels"` // that found it
	Tokens    int                  `json:"tokens"`   // of the block that it is or would be
	Revision  string               `json:"revision"` // of the file's content, as in a block
	Outcome   PackOutcome          `json:"outcome"`
	Why       string               `json:"why"` // of the outcome, one phrase
	ID        string               `json:"id"`  // of the block or handle that it became, "" for none
}

// PackOutcome is what became of a considered place. The set is closed.
type PackOutcome string

// The outcomes.
const (
	OutcomeShown   PackOutcome = "shown"
	OutcomeMerged  PackOutcome = "merged" // part of another block
	OutcomeHandle  PackOutcome = "handle"
	OutcomeDropped PackOutcome = "dropped"
)

// PackRecord is a pack as it is kept, with everything that later questions about it need.
type PackRecord struct {
	Format     int              `json:"format"`
	Pack       agenvantage.Pack `json:"pack"`
	Signs      Readiness        `json:"signs"`      // what the status rests on
	Considered []Considered     `json:"considered"` // in the order of slots, then of rank
}
