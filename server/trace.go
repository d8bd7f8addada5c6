package server

import (
	"context"
	"encoding/json"
)

// Tracer is told of each call. It is safe for concurrent use.
type Tracer interface {
	// Caller gives the context of a call whose caller is traced too; header reads what the caller sent, "" for nothing.
	Caller(ctx context.Context, header func(name string) string) context.Context
	// Begin begins the span of a call. end is called once.
	Begin(ctx context.Context, operation string) (inside context.Context, end func(Traced))
}

// Traced is what a call came to.
type Traced struct {
	Arguments []byte // JSON as it came
	Answer    Answer
	Hits      int // results, items, blocks or commits in the answer
	Err       error
}

// untraced is a Tracer of nobody.
type untraced struct{}

func (untraced) Caller(ctx context.Context, _ func(string) string) context.Context { return ctx }
func (untraced) Begin(ctx context.Context, _ string) (context.Context, func(Traced)) {
	return ctx, func(Traced) {}
}

// metaHeader reads what an MCP client sent of its trace beside a call.
func metaHeader(meta map[string]any) func(string) string {
	return func(name string) string {
		text, _ := meta[name].(string)
		return text
	}
}

// hitsOf counts the hits of an answer, 0 for one that has none by its nature.
func hitsOf(value any) int {
	text, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	var lists struct{ Results, Items, Blocks, Commits, Files []json.RawMessage }
	if json.Unmarshal(text, &lists) != nil {
		return 0
	}
	return len(lists.Results) + len(lists.Items) + len(lists.Blocks) + len(lists.Commits) + len(lists.Files)
}

// traced answers a call inside of its span.
func (h *Hub) traced(ctx context.Context, o Operation, raw []byte, who asker) (answer Answer, err error) {
	if _, nobody := h.options.Tracer.(untraced); nobody {
		return h.answer(ctx, o, raw, who)
	}
	ctx, end := h.options.Tracer.Begin(ctx, o.Name)
	defer func() {
		t := Traced{Arguments: raw, Answer: answer, Err: err}
		if err == nil {
			t.Hits = hitsOf(answer.Value)
		}
		end(t)
	}()
	return h.answer(ctx, o, raw, who)
}
