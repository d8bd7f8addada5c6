package app

import (
	"agenvantage"
	"agenvantage/pack"
	"agenvantage/tokens"
)

// What front ends print of packs and plans: they know no stage of the pipeline.

// PackMarkdown is a pack as an agent reads it and as its tokens are counted.
func PackMarkdown(p agenvantage.Pack) string { return pack.Markdown(p) }

// PackXML is a pack as XML 1.0.
func PackXML(p agenvantage.Pack) string { return pack.XML(p) }

// PackJSON is a pack as one line of JSON, the contract of `pack --format json`.
func PackJSON(p agenvantage.Pack) ([]byte, error) { return pack.JSON(p) }

// PackVisible shows what a terminal would obey in a rendered pack, or in a text of the repository, as escapes.
func PackVisible(text string) string { return pack.Visible(text) }

// Tokenizers lists the full names that PackRequest.Tokenizer and ExpandRequest.Tokenizer take; without _base they are names too.
func Tokenizers() []string { return tokens.Encodings() }

// PlanAnswer is how a task is read before anything is looked for: the contract of `plan --json`.
type PlanAnswer struct {
	Task     string                 `json:"task"`
	Preset   agenvantage.TaskKind   `json:"preset"` // the kind of the task
	Why      string                 `json:"why"`    // what decided the kind: "preset", or the words that did
	Class    agenvantage.QueryClass `json:"class"`  // of its text as a question
	Anchors  []agenvantage.Anchor   `json:"anchors"`
	Concepts []agenvantage.Concept  `json:"concepts"`
	Slots    []agenvantage.SlotPlan `json:"slots"` // in the order in which a pack lists them
}

// ReadPlan is Plan in the form of its contract.
func ReadPlan(r PackRequest) (PlanAnswer, error) {
	t, err := Plan(r)
	if err != nil {
		return PlanAnswer{}, err
	}
	p := PlanAnswer{Task: t.Text, Preset: t.Kind, Why: t.Why, Class: t.Query.Class, Anchors: []agenvantage.Anchor{}, Concepts: []agenvantage.Concept{}, Slots: []agenvantage.SlotPlan{}}
	p.Anchors = append(p.Anchors, t.Anchors...)
	for _, c := range t.Concepts {
		c.Terms = append([]string{}, c.Terms...)
		p.Concepts = append(p.Concepts, c)
	}
	for _, s := range t.Slots {
		s.Queries = append([]string{}, s.Queries...)
		p.Slots = append(p.Slots, s)
	}
	return p, nil
}
