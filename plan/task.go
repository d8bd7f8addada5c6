package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// TaskOptions are what the caller knows about a task besides its text. The zero value knows nothing.
type TaskOptions struct {
	Preset agenvantage.TaskKind // the kind; "" lets the words decide
	Seeds  []string             // paths that the caller knows to matter, each perhaps with a line: src/cart.go:12
	Output *Output              // of the program that fails; nil when there is none
	Diff   bool                 // the task is about a change at hand: a review, unless Preset says otherwise
}

// maxSeeds is the most paths that a caller may name: more are a folder or a filter.
const maxSeeds = 64

// Validate returns an error that wraps agenvantage.ErrBadInput for an unknown kind and for a seed that is no path.
func (o TaskOptions) Validate() error {
	if o.Preset != "" && !slices.Contains(agenvantage.TaskKinds(), o.Preset) {
		var names []string
		for _, k := range agenvantage.TaskKinds() {
			names = append(names, string(k))
		}
		return fmt.Errorf("%w: unknown kind of task %q, known are %s", agenvantage.ErrBadInput, o.Preset, strings.Join(names, ", "))
	}
	if len(o.Seeds) > maxSeeds {
		return fmt.Errorf("%w: %d seed paths, at most %d are taken", agenvantage.ErrBadInput, len(o.Seeds), maxSeeds)
	}
	for _, s := range o.Seeds {
		switch {
		case strings.TrimSpace(s) == "":
			return fmt.Errorf("%w: a seed path is empty", agenvantage.ErrBadInput)
		case !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\n\r"):
			return fmt.Errorf("%w: the seed path %q is not one line of UTF-8", agenvantage.ErrBadInput, s)
		case len(s) > maxPathBytes:
			return fmt.Errorf("%w: a seed path is %d bytes long, at most %d are taken", agenvantage.ErrBadInput, len(s), maxPathBytes)
		}
	}
	return nil
}

const maxPathBytes = 4096

// ReadTask reads what somebody wants done. Anchors and concepts come from the text without the boilerplate of issue
// templates (CleanIssue), and so does Query; with an Output they also come from its frames, messages and failing tests.
// Text stays as given. Everything is bounded in number, in a fixed order and without repeats; ReadTask keeps nothing.
//
// An error wraps agenvantage.ErrBadInput: bad options, a text that is not UTF-8 or holds a NUL, or an empty text without
// an Output or a Diff that could stand in for it. Only with such an empty text and a Diff is Query the zero Query.
func ReadTask(text string, o TaskOptions) (agenvantage.Task, error) {
	if err := o.Validate(); err != nil {
		return agenvantage.Task{}, err
	}
	switch {
	case !utf8.ValidString(text):
		return agenvantage.Task{}, fmt.Errorf("%w: the task is not valid UTF-8", agenvantage.ErrBadInput)
	case strings.IndexByte(text, 0) >= 0:
		return agenvantage.Task{}, fmt.Errorf("%w: the task holds a NUL character", agenvantage.ErrBadInput)
	case strings.TrimSpace(text) == "" && !o.Diff && (o.Output == nil || outputQuestion(o.Output) == ""):
		return agenvantage.Task{}, fmt.Errorf("%w: the task is empty", agenvantage.ErrBadInput)
	}
	short := bounded(text)
	clean := CleanIssue(short)
	query, err := taskQuery(clean, o.Output)
	if err != nil {
		return agenvantage.Task{}, fmt.Errorf("read task: %w", err)
	}
	t := agenvantage.Task{Text: text, Query: query}
	t.Kind, t.Why = readKind(short, query, o)
	page := readPage(clean)
	t.Anchors = readAnchors(clean, page, query, o)
	t.Concepts = readConcepts(page.prose, t.Kind)
	t.Slots = SlotsFor(t.Kind, t.Anchors, t.Concepts)
	withoutNeeds(t.Slots, t.Kind, page.title)
	if query.Text != "" {
		for i := range t.Slots {
			if s := &t.Slots[i]; s.Name == agenvantage.SlotImplementation {
				s.Queries = slices.Insert(s.Queries, 0, query.Text)
			}
		}
	}
	return t, nil
}

// taskQuery is the cleaned text as a question, with what the output of the failing program says joined to it: its
// messages as text, its frames as frames.
func taskQuery(clean string, out *Output) (agenvantage.Query, error) {
	text := clean
	if out != nil {
		text = strings.TrimSpace(clean + "\n\n" + outputQuestion(out))
	}
	if strings.TrimSpace(text) == "" {
		return agenvantage.Query{}, nil
	}
	q, err := Parse(text, ParseOptions{})
	if err != nil || out == nil {
		return q, err
	}
	seen := make(map[agenvantage.Frame]bool)
	for _, f := range q.Frames {
		seen[f] = true
	}
	for _, f := range out.Frames {
		if len(q.Frames) >= maxFrames {
			break
		}
		if !seen[f] && f.Path != "" && f.Line > 0 {
			seen[f] = true
			q.Frames = append(q.Frames, f)
		}
	}
	if len(out.Frames) > 0 && q.Class != agenvantage.ClassRegex {
		q.Class = agenvantage.ClassTrace
	}
	return q, nil
}

// outputQuestion is what an output asks in words: its messages, else its end. An Output made by hand may hold anything, so
// its text is made valid.
func outputQuestion(out *Output) string {
	text := strings.Join(out.Messages, "\n")
	if strings.TrimSpace(text) == "" {
		text = out.Tail
	}
	return strings.TrimSpace(plainText(text))
}
