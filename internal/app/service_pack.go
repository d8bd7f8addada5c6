package app

import (
	"cmp"
	"context"
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
	return s.packed(c, budget, func(budget int) (agenvantage.Pack, error) {
		r.Budget = budget
		return s.app.Pack(ctx, r, nil)
	})
}

// expand shows more of a slot within the limits.
func (s *Service) expand(ctx context.Context, c server.Call, a *server.ExpandArguments) (server.Answer, error) {
	if err := checkPackBudget(a.Budget); err != nil {
		return server.Answer{}, err
	}
	budget := cmp.Or(a.Budget, DefaultExpandBudget)
	return s.packed(c, budget, func(budget int) (agenvantage.Pack, error) {
		return s.app.Expand(ctx, ExpandRequest{PackID: a.PackID, Slot: agenvantage.SlotName(a.Slot), Budget: budget, Tokenizer: a.Tokenizer, NoRefresh: a.NoRefresh})
	})
}

// packed makes a pack with a budget that keeps text and JSON within the limits, and puts references in the place of what was sent
// before.
func (s *Service) packed(c server.Call, budget int, make func(budget int) (agenvantage.Pack, error)) (server.Answer, error) {
	asked := budget
	if most := c.Limits.MaxTokens - frameTokens; c.Limits.MaxTokens > 0 && budget > most {
		budget = most
	}
	for range maxShrinks {
		p, err := make(budget)
		if err != nil {
			return server.Answer{}, err
		}
		out, over, err := s.sized(PackMarkdown(p), &p, c.Limits)
		if err != nil {
			return server.Answer{}, err
		}
		if over > 1 && budget > minShrunkTokens {
			budget = shrunk(budget, over)
			continue
		}
		if budget < asked {
			p.Notes = append(p.Notes, fmt.Sprintf("the budget was lowered from %d to %d tokens, the most that one answer of this server may have; expand shows more", asked, budget))
		}
		for _, n := range p.Notes {
			for _, mark := range []string{"the index is stale: ", "the index is older than the tree: "} {
				if reason, ok := strings.CutPrefix(n, mark); ok {
					out.Stale = reason
				}
			}
		}
		s.refer(&p, c.Sent)
		out.Text = fmt.Sprintf("%s\n[pack %s: %s, %d of %d tokens]", strings.TrimRight(PackMarkdown(p), "\n"), p.ID, p.Status, p.Tokens, p.Budget)
		return out, nil
	}
	return server.Answer{}, fmt.Errorf("%w: a pack of this task does not come within the limits of this server", agenvantage.ErrBadInput)
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
		answer.Text = s.cutText(rest, c.Limits)
	}
	if len(answer.Text) < len(rest) && answer.Text != "" {
		answer.Next = cursorText(0, hashOf(r.SourceID), at.Offset+strings.Count(answer.Text, "\n"))
	}
	if r.Path != "" && r.StartLine > 0 {
		answer.StartLine = r.StartLine + at.Offset
		answer.EndLine = answer.StartLine + max(strings.Count(strings.TrimSuffix(answer.Text, "\n"), "\n"), 0)
	}
	answer.Text = c.Sent.Take(answer.Path, answer.StartLine, answer.Text)
	place := r.SourceID
	if r.Path != "" {
		place = fmt.Sprintf("%s:%d-%d at %s", r.Path, answer.StartLine, answer.EndLine, r.Revision)
	}
	text := fmt.Sprintf("%s (%s)\n%s\n", place, r.State, strings.TrimRight(answer.Text, "\n"))
	if !r.Found() {
		text = fmt.Sprintf("%s: the text is not to be had: %s\n", place, r.Why)
	} else if r.Why != "" {
		text += "Note: " + r.Why + "\n"
	}
	if answer.Next != "" {
		text += "More: cursor " + answer.Next + "\n"
	}
	return server.Answer{Value: &answer, Text: text}, nil
}
