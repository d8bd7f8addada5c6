package extract

import (
	"context"
	"errors"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

// errTimeout means that the time of a file is spent.
var errTimeout = errors.New("parse time spent")

// parsers keeps idle parsers for reuse by any language. A parser that was stopped in the middle never comes back, since
// its next parse would go on with the old text.
type parsers struct {
	mu   sync.Mutex
	idle []*sitter.Parser
	max  int
}

func (p *parsers) get() *sitter.Parser {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		parser := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return parser
	}
	return sitter.NewParser()
}

func (p *parsers) put(parser *sitter.Parser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < p.max {
		p.idle = append(p.idle, parser)
		return
	}
	parser.Close()
}

// hangGrace is how long after its deadline a parse may run before it is left behind. Some scanners read to the end of the
// text for each character that they do not know, and look at no clock meanwhile.
const hangGrace = time.Second

// maxHanging is the number of parses of one language that may run on, left behind, before the language is refused.
const maxHanging = 2

// parse returns the tree of text, which the caller closes. The error is errTimeout, the context's or the parser's own.
// A parse that does not come back is left behind on its thread and cleaned up when it ends.
func (p *parsers) parse(ctx context.Context, r *rules, text string, deadline time.Time) (*sitter.Tree, error) {
	if r.hanging.Load() >= maxHanging {
		return nil, errTimeout
	}
	type result struct {
		tree *sitter.Tree
		err  error
	}
	done := make(chan result)
	left := make(chan int32, 1) // how many parses that hang end with this one
	go func() {
		tree, err := p.whole(r.tsLanguage, text, deadline)
		select {
		case done <- result{tree, err}:
		case hung := <-left:
			if tree != nil {
				tree.Close()
			}
			r.hanging.Add(-hung)
		}
	}()
	watch := time.NewTimer(time.Until(deadline) + hangGrace)
	defer watch.Stop()
	select {
	case got := <-done:
		return got.tree, got.err
	case <-watch.C:
		r.hanging.Add(1)
		left <- 1
		return nil, errTimeout
	case <-ctx.Done(): // ends by itself, at the deadline at the latest
		left <- 0
		return nil, ctx.Err()
	}
}

// whole parses in one go and gives up at the deadline. A parser that was stopped would go on where it was, but from there it may recover from errors
// in another way: with slices of time, as they were here, the tree of a text with errors depended on how fast and how busy the machine is.
func (p *parsers) whole(lang *sitter.Language, text string, deadline time.Time) (*sitter.Tree, error) {
	parser := p.get()
	parser.SetLanguage(lang)
	parser.SetOperationLimit(max(1, int(time.Until(deadline)/time.Microsecond)))
	// The background context keeps the binding from starting a goroutine that may set the parser's cancellation flag after the
	// parse has ended.
	tree, err := parser.ParseCtx(context.Background(), nil, []byte(text))
	if err == nil {
		p.put(parser)
		return tree, nil
	}
	parser.Close()
	if errors.Is(err, sitter.ErrOperationLimit) {
		err = errTimeout
	}
	return nil, err
}

// bracketDepth is the deepest nesting of one kind of bracket in text, as a cheap bound on the depth of its tree. Brackets in
// strings and comments count too. It stops counting at limit.
func bracketDepth(text string, limit int) int {
	var open [3]int // round, square, curly
	deepest := 0
	for i := 0; i < len(text); i++ {
		var kind, step int
		switch text[i] {
		case '(':
			kind, step = 0, 1
		case '[':
			kind, step = 1, 1
		case '{':
			kind, step = 2, 1
		case ')':
			kind, step = 0, -1
		case ']':
			kind, step = 1, -1
		case '}':
			kind, step = 2, -1
		default:
			continue
		}
		if open[kind] += step; open[kind] < 0 {
			open[kind] = 0
		}
		if open[kind] > deepest {
			if deepest = open[kind]; deepest > limit {
				return deepest
			}
		}
	}
	return deepest
}

// stateOf is the parse state of a tree.
func stateOf(root *sitter.Node) agenvantage.ParseState {
	if root.HasError() {
		return agenvantage.ParsePartial
	}
	return agenvantage.ParseFull
}
