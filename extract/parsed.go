package extract

import (
	"context"
	"errors"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

// errTooDeep means that brackets nest beyond Options.MaxDepth.
var errTooDeep = errors.New("nested too deep")

// parsed is a text with its tree. Every node of the outline is dead after close.
type parsed struct {
	tree    *sitter.Tree
	outline *outline // nil when the language has no grammar or the parse failed
	state   agenvantage.ParseState
	err     error
}

func (p *parsed) close() {
	if p.tree != nil {
		p.tree.Close()
	}
}

// parsed parses text and finds its outline. The caller closes the result, whatever it holds.
func (e *Extractor) parsed(ctx context.Context, lang string, lines *lineTable) *parsed {
	if rulesByID[lang] == nil {
		return &parsed{}
	}
	if bracketDepth(lines.text, e.options.MaxDepth) > e.options.MaxDepth {
		return &parsed{err: errTooDeep}
	}
	if refuse := rulesByID[lang].refuse; refuse != nil && refuse(lines.text) {
		return &parsed{err: errTooDeep}
	}
	rules, err := load(lang)
	if err != nil {
		return &parsed{err: err}
	}
	deadline := time.Now().Add(e.options.ParseTimeout)
	p := &parsed{}
	text := lines.text
	if rules.prepare != nil {
		text = rules.prepare(text)
	}
	if p.tree, p.err = e.parsers.parse(ctx, rules, text, deadline); p.err != nil {
		return p
	}
	root := p.tree.RootNode()
	p.state = stateOf(root)
	found, err := rules.collect(ctx, root, lines.text, lines, deadline)
	if err != nil {
		p.err = err
		return p
	}
	s := &source{rules: rules, text: lines.text, lines: lines, found: found}
	p.outline = s.outline()
	if p.state == agenvantage.ParsePartial {
		s.repair(p.outline)
	}
	if lang == "go" {
		p.outline.goFacts(lines)
	}
	p.outline.root = root
	return p
}
