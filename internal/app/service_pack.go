package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"agenvantage"
	"agenvantage/server"
)

// packRequest reads the arguments, as the command does its flags.
func packRequest(a *server.PackArguments) (PackRequest, error) {
	r := PackRequest{Task: a.Task, Preset: agenvantage.TaskKind(a.Preset), Budget: a.Budget, Channels: a.Channels, OneRound: a.Adaptive != nil && !*a.Adaptive, FromDiff: a.FromDiff,
		Output: a.FromOutput, Seeds: a.Seed, Tokenizer: a.Tokenizer, NoRefresh: a.NoRefresh}
	if err := checkPackBudget(a.Budget); err != nil {
		return r, err
	}
	if strings.TrimSpace(a.Task) != "" {
		return r, nil
	}
	if strings.TrimSpace(a.FromOutput) == "" && a.FromDiff == nil {
		return r, fmt.Errorf("%w: pack: argument \"task\" is needed, or \"from_output\" or \"from_diff\"", agenvantage.ErrBadInput)
	}
	return r.WithoutTask(), nil
}

// WithoutTask is a request that names no task with the one that it means: of the output of a program, else of a change.
func (r PackRequest) WithoutTask() PackRequest {
	kind := agenvantage.TaskReview
	if r.Task = ReviewTask; strings.TrimSpace(r.Output) != "" {
		r.Task, kind = FailureTask, agenvantage.TaskBug
	}
	r.Preset = cmp.Or(r.Preset, kind)
	return r
}

func checkPackBudget(budget int) error {
	if budget < 0 || budget > MaxPackBudget {
		return fmt.Errorf("%w: budget is %d, want 1 to %d tokens", agenvantage.ErrBadInput, budget, MaxPackBudget)
	}
	return nil
}

// pack makes a pack within the limits: a larger budget is lowered, and a note says so.
func (s *Service) pack(ctx context.Context, c server.Call, a *server.PackArguments) (server.Answer, error) {
	r, err := packRequest(a)
	if err != nil {
		return server.Answer{}, err
	}
	budget := cmp.Or(r.Budget, DefaultPackBudget)
	var on basis
	answer, err := s.packed(c, budget, func(budget int, note string) (p agenvantage.Pack, err error) {
		r.Budget, r.Note = budget, note
		p, on, err = s.app.packBased(ctx, r, nil)
		return p, err
	})
	if err == nil && len(on.reports) > 0 {
		on.tell(&answer)
	}
	return answer, err
}

// tell says in an answer which channels it rests on, and which could not look.
func (b basis) tell(out *server.Answer) {
	out.Generation, out.Channels, out.Reports = b.generation, liveChannels(b.reports), b.reports
	var failures []string
	for _, r := range b.reports {
		if failure := r.Failure(); failure != "" {
			failures = append(failures, "channel "+failure)
		}
	}
	out.Partial = strings.Join(failures, "; ")
}

// expand shows more of a slot within the limits.
func (s *Service) expand(ctx context.Context, c server.Call, a *server.ExpandArguments) (server.Answer, error) {
	if err := checkPackBudget(a.Budget); err != nil {
		return server.Answer{}, err
	}
	budget := cmp.Or(a.Budget, DefaultExpandBudget)
	return s.packed(c, budget, func(budget int, note string) (agenvantage.Pack, error) {
		return s.app.Expand(ctx, ExpandRequest{Note: note, PackID: a.PackID, Slot: agenvantage.SlotName(a.Slot), Budget: budget, Tokenizer: a.Tokenizer, NoRefresh: a.NoRefresh})
	})
}

// packLineTokens is for the line about a pack behind its text.
const packLineTokens = 40

// packed makes a pack with a budget that keeps text and JSON within the limits, and puts references in the place of what was sent
// before. A budget that was lowered is told in the pack, where its tokens are counted. Where the smallest pack of the task is too
// long for an answer, the error names the limit that would do.
func (s *Service) packed(c server.Call, asked int, make func(budget int, note string) (agenvantage.Pack, error)) (server.Answer, error) {
	budget, tooMuch := asked, MaxPackBudget+1
	if c.Limits.MaxTokens > 0 {
		budget = max(min(asked, c.Limits.MaxTokens-packLineTokens), 1)
	}
	for range maxShrinks {
		note := ""
		if budget < asked {
			note = fmt.Sprintf("the budget was lowered from %d to %d tokens, the most that one answer of this server holds; expand shows more", asked, budget)
		}
		p, err := make(budget, note)
		var small *agenvantage.BudgetError
		if errors.As(err, &small) && budget < asked {
			holds := c.Limits.MaxTokens == 0 || small.Smallest+packLineTokens <= c.Limits.MaxTokens
			if !holds || small.Smallest >= tooMuch {
				return server.Answer{}, tooSmall(c, small.Smallest, holds)
			}
			budget = small.Smallest
			continue
		}
		if err != nil {
			return server.Answer{}, err
		}
		text := func() string {
			return fmt.Sprintf("%s\n[pack %s: %s, %d of %d tokens]", strings.TrimRight(PackMarkdown(p), "\n"), p.ID, p.Status, p.Tokens, p.Budget)
		}
		out, over, err := s.sized(&p, text, c.Limits)
		if err != nil {
			return server.Answer{}, err
		}
		if over > 1 {
			tooMuch = min(tooMuch, budget)
			budget = max(int(float64(budget)/over*0.9), 1)
			continue
		}
		out.Stale = staleNote(p.Notes)
		s.refer(&p, c.Sent)
		out.Text = text()
		return out, nil
	}
	return server.Answer{}, fmt.Errorf("%w: %s does not come within the %d bytes that an answer of this server may have: serve with a higher --max-bytes", agenvantage.ErrBadInput, c.Operation, c.Limits.MaxBytes)
}

// tooSmall says that the smallest pack is too long for an answer, and which limit would hold it.
func tooSmall(c server.Call, smallest int, holds bool) error {
	if holds {
		return fmt.Errorf("%w: the smallest %s of this task does not come within the %d bytes that an answer of this server may have: serve with a higher --max-bytes", agenvantage.ErrBadInput, c.Operation, c.Limits.MaxBytes)
	}
	needs := server.LimitFor(smallest + packLineTokens)
	return fmt.Errorf("%w: the smallest %s of this task takes %d tokens, and an answer of this server holds fewer: serve with --max-tokens %d or more, or make the task shorter", agenvantage.ErrBadInput, c.Operation, smallest, needs)
}

// staleMarks begin the notes that say why an answer is behind the tree.
var staleMarks = []string{"the index is stale: ", "the index is older than the tree: "}

// staleNote is why an answer is stale, by its notes; "" when it is not.
func staleNote(notes []string) string {
	for _, n := range notes {
		for _, mark := range staleMarks {
			if reason, ok := strings.CutPrefix(n, mark); ok {
				return reason
			}
		}
	}
	return ""
}

// refer puts references in the place of blocks that were sent before.
func (s *Service) refer(p *agenvantage.Pack, sent *server.Sent) {
	if sent == nil {
		return
	}
	changed := false
	for i := range p.Blocks {
		b := &p.Blocks[i]
		text := sent.Take(b.Path, b.StartLine, b.Text)
		changed = changed || text != b.Text
		b.Text = text
	}
	if changed {
		p.Tokens = s.counter.Count(PackMarkdown(*p))
	}
}

// rehydratedAnswer is a text behind an id with the cursor of the rest.
type rehydratedAnswer struct {
	Rehydrated
	Next string `json:"next,omitempty"`
}

// rehydrate gives the text behind an id, as many lines as the limits hold.
func (s *Service) rehydrate(ctx context.Context, c server.Call, a *server.RehydrateArguments) (server.Answer, error) {
	r, err := s.app.Rehydrate(ctx, a.SourceID)
	if err != nil {
		return server.Answer{}, err
	}
	at, err := readCursor(a.Cursor, hashOf(r.SourceID))
	if err != nil {
		return server.Answer{}, err
	}
	answer := rehydratedAnswer{Rehydrated: r}
	lines := strings.SplitAfter(r.Text, "\n")
	at.Offset = min(at.Offset, len(lines))
	rest := strings.Join(lines[at.Offset:], "")
	answer.Text = rest
	if c.Limits != (server.Limits{}) {
		answer.Text = ""
		room, err := s.room(c.Limits, shown(&answer, func() string { return rehydratedText(answer) }))
		if err != nil {
			return server.Answer{}, err
		}
		answer.Text = s.cutText(rest, room)
	}
	if len(answer.Text) < len(rest) && answer.Text != "" {
		answer.Next = cursorText(0, hashOf(r.SourceID), at.Offset+strings.Count(answer.Text, "\n"))
	}
	if r.Path != "" && r.StartLine > 0 {
		answer.StartLine = r.StartLine + at.Offset
		answer.EndLine = answer.StartLine + max(strings.Count(strings.TrimSuffix(answer.Text, "\n"), "\n"), 0)
	}
	answer.Text = c.Sent.Take(answer.Path, answer.StartLine, answer.Text)
	return shown(&answer, func() string { return rehydratedText(answer) }), nil
}

// rehydratedText is a text behind an id for a reader.
func rehydratedText(r rehydratedAnswer) string {
	place := r.SourceID
	if r.Path != "" {
		place = fmt.Sprintf("%s:%d-%d at %s", r.Path, r.StartLine, r.EndLine, r.Revision)
	}
	text := fmt.Sprintf("%s (%s)\n%s\n", place, r.State, strings.TrimRight(r.Text, "\n"))
	if !r.Found() {
		text = fmt.Sprintf("%s: the text is not to be had: %s\n", place, r.Why)
	} else if r.Why != "" {
		text += "Note: " + r.Why + "\n"
	}
	if r.Next != "" {
		text += "More: cursor " + r.Next + "\n"
	}
	return text
}
