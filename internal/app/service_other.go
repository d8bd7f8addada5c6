package app

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/server"
)

// The operations that are one call of the App each.

func hashOf(s string) uint64 { return xxh3.HashString(s) }

// cursorText writes a cursor.
func cursorText(generation, question uint64, offset int) string {
	b, _ := json.Marshal(cursor{generation, question, offset}) // numbers always encode
	return base64.RawURLEncoding.EncodeToString(b)
}

// changesFor lists commits within the limits.
func (s *Service) changesFor(ctx context.Context, c server.Call, a *server.ChangesForArguments) (server.Answer, error) {
	r := ChangesRequest{Location: a.Location, Max: a.Max, MaxTokens: a.MaxTokens, Cursor: a.Cursor, NoRefresh: a.NoRefresh}
	if a.Max < 0 || a.MaxTokens < 0 {
		return server.Answer{}, fmt.Errorf("%w: max is %d and max_tokens %d, want 1 or more", agenvantage.ErrBadInput, a.Max, a.MaxTokens)
	}
	r.MaxTokens = lowerBound(r.MaxTokens, c.Limits.MaxTokens)
	for beside := maxCochanged; ; beside /= 2 {
		answer, err := s.app.ChangesFor(ctx, r, nil)
		if err != nil {
			return server.Answer{}, err
		}
		trimChanges(&answer, beside)
		out, over, err := s.sized(&answer, func() string { return changesForText(answer) }, c.Limits)
		if err != nil {
			return server.Answer{}, err
		}
		if over > 1 && (beside > 0 || len(answer.Commits) > 1) {
			r.Max = max(1, min(len(answer.Commits)-1, int(float64(len(answer.Commits))/over*0.9)))
			continue
		}
		out.Stale = staleNote(answer.Notes)
		if answer.Coverage.Covered < 1 {
			out.Partial = "only a part of the history was seen: " + cmp.Or(answer.Coverage.Reason, "it is not stored as a whole")
		}
		return out, nil
	}
}

// maxSubjectBytes is what is left of a text of history in an answer that holds nothing beside its one commit.
const maxSubjectBytes = 120

// trimChanges keeps so many of each list beside the commits, the first ones, and says what it left out. With 0 the commits' own words are
// cut as well: it is the last try, and one commit has to come within the limits or pages would never go on.
func trimChanges(c *Changes, most int) {
	left := 0
	trim(&c.Authors, most, &left)
	trim(&c.Cochanged, most, &left)
	if most == maxCochanged { // what the work tree changes, and candidates, are cut only where the whole is too long
		return
	}
	before := len(c.Candidates)
	trim(&c.Candidates, max(most, 1), &left)
	c.Omitted += before - len(c.Candidates)
	trim(&c.Renamed, most, &left)
	trim(&c.Uncommitted, max(most, 1), &left)
	for i := range c.Uncommitted {
		trim(&c.Uncommitted[i].Lines, max(most, 1), &left)
	}
	trim(&c.Notes, max(most, 1), &left)
	if most == 0 {
		for i := range c.Commits {
			c.Commits[i].Subject, c.Commits[i].Author = server.Head(c.Commits[i].Subject, maxSubjectBytes), server.Head(c.Commits[i].Author, maxSubjectBytes)
		}
		for i := range c.Notes {
			c.Notes[i] = server.Head(c.Notes[i], maxSubjectBytes)
		}
	}
	if left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s beside the commits left out: the limits of this answer", count.Of(left, "entry", "entries")))
	}
}

// trim keeps the first entries of a list in a copy, and adds to left how many it drops.
func trim[T any](list *[]T, most int, left *int) {
	if n := len(*list); n > most {
		*left += n - most
	}
	*list = append([]T{}, (*list)[:min(len(*list), most)]...)
}

// changesForText is an answer for a reader.
func changesForText(c Changes) string {
	var b strings.Builder
	if len(c.Candidates) > 0 {
		candidatesText(&b, c.Location, c.Candidates, c.Omitted)
		return b.String()
	}
	fmt.Fprintf(&b, "%s changed %s\n", count.Of(c.Total, "commit", "commits"), c.Path)
	if c.Deleted {
		b.WriteString("the path is not in the tree any more\n")
	}
	for _, r := range c.Renamed {
		fmt.Fprintf(&b, "renamed %s from %s, not committed\n", r.Path, r.From)
	}
	for _, u := range c.Uncommitted {
		fmt.Fprintf(&b, "uncommitted %s:", u.Path)
		for _, l := range u.Lines {
			fmt.Fprintf(&b, " %d-%d", l.Start, l.End)
		}
		b.WriteString("\n")
	}
	for _, commit := range c.Commits {
		b.WriteString(commit.Line() + "\n")
	}
	if c.Next != "" {
		fmt.Fprintf(&b, "More: cursor %s\n", c.Next)
	}
	for _, a := range c.Authors {
		fmt.Fprintf(&b, "author %s, %s\n", a.Author, count.Of(a.Commits, "commit", "commits"))
	}
	cochangesText(&b, c.Cochanged, c.Notes)
	return b.String()
}

func cochangesText(b *strings.Builder, partners []CochangeInfo, notes []string) {
	for _, f := range partners {
		fmt.Fprintf(b, "together %s with %s in %s, confidence %.2f\n", f.Path, f.With, count.Of(f.Support, "commit", "commits"), f.Confidence)
	}
	for _, n := range notes {
		fmt.Fprintf(b, "Note: %s\n", n)
	}
}

func (s *Service) cochange(ctx context.Context, a *server.CochangeArguments) (server.Answer, error) {
	if a.MinSupport < 0 || len(a.Paths) == 0 {
		return server.Answer{}, fmt.Errorf("%w: cochange: a path is needed, and min_support of 1 or more", agenvantage.ErrBadInput)
	}
	answer, err := s.app.Cochange(ctx, CochangeRequest{Paths: a.Paths, MinSupport: a.MinSupport, NoRefresh: a.NoRefresh}, nil)
	if err != nil {
		return server.Answer{}, err
	}
	out := shown(&answer, func() string {
		var b strings.Builder
		for _, m := range answer.Missing {
			fmt.Fprintf(&b, "missing %s\n", m)
		}
		cochangesText(&b, answer.Partners, answer.Notes)
		return b.String()
	})
	out.Stale = staleNote(answer.Notes)
	return out, nil
}

// mapNoteTokens is for the notes behind a map.
const mapNoteTokens = 80

// overview makes the map within the limits: a larger budget is lowered, and a note says so.
func (s *Service) overview(ctx context.Context, c server.Call, a *server.MapArguments) (server.Answer, error) {
	r := MapRequest{Budget: cmp.Or(a.Budget, MapDefaultBudget), Scope: a.Scope, Task: a.Task, Tokenizer: encodingOf(a.Tokenizer), NoRefresh: a.NoRefresh}
	if r.Budget < MapMinBudget || r.Budget > MapMaxBudget {
		return server.Answer{}, fmt.Errorf("%w: budget is %d, want %d to %d tokens", agenvantage.ErrBadInput, r.Budget, MapMinBudget, MapMaxBudget)
	}
	asked := r.Budget
	if c.Limits.MaxTokens > 0 {
		r.Budget = min(r.Budget, max(MapMinBudget, c.Limits.MaxTokens-mapNoteTokens))
	}
	for range maxShrinks {
		answer, err := s.app.Map(ctx, r, nil)
		if err != nil {
			return server.Answer{}, err
		}
		if r.Budget < asked {
			answer.Notes = append(answer.Notes, fmt.Sprintf("the budget was lowered from %d to %d tokens, the most that one answer of this server holds; scope shows a part in more detail", asked, r.Budget))
		}
		out, over, err := s.sized(&answer, func() string { return mapText(answer) }, c.Limits)
		if err != nil {
			return server.Answer{}, err
		}
		if over > 1 && r.Budget > MapMinBudget {
			r.Budget = max(MapMinBudget, shrunk(r.Budget, over))
			continue
		}
		if answer.Stale {
			out.Stale = answer.StaleReason
		}
		return out, nil
	}
	return server.Answer{}, fmt.Errorf("%w: a map does not come within the limits of this server", agenvantage.ErrBadInput)
}

// mapText is a map for a reader.
func mapText(a MapAnswer) string {
	text := a.Text
	if a.Files == 0 {
		text = "no file of the tree is indexed\n"
	}
	for _, n := range a.Notes {
		text += "Note: " + n + "\n"
	}
	return text
}

// statusAnswer is the state of an index with the build that is under way.
type statusAnswer struct {
	Status
	Building *server.Progress `json:"building,omitempty"`
}

func (s *Service) status(ctx context.Context, c server.Call) (server.Answer, error) {
	status, err := s.app.Status(ctx)
	if err != nil {
		return server.Answer{}, err
	}
	if status.History.State == "" {
		status.History.State = HistoryAbsent
	}
	answer := statusAnswer{Status: status, Building: c.Building}
	var b strings.Builder
	fmt.Fprintf(&b, "index of %s: %s\n", status.Root, status.State)
	if c.Building != nil {
		fmt.Fprintf(&b, "%s\n", buildingText(c))
	}
	if status.State == "ready" || status.State == "stale" {
		fmt.Fprintf(&b, "generation %d, %d s old: %s indexed, %d skipped, %d symbols\n", status.Generation, int(status.AgeS), count.Of(status.Files, "file", "files"), status.Skipped, status.Symbols)
		fmt.Fprintf(&b, "indexed revision %s, live %s\n", cmp.Or(status.IndexedRevision, "none"), cmp.Or(status.LiveRevision, "none"))
	}
	if status.DirtyCount > 0 {
		fmt.Fprintf(&b, "%s changed since: %s\n", count.Of(status.DirtyCount, "file", "files"), strings.Join(status.Dirty[:min(len(status.Dirty), 10)], ", "))
	}
	for _, ch := range status.Channels {
		fmt.Fprintf(&b, "channel %s: %s, %d items\n", ch.Name, ch.Status, ch.Items)
	}
	for _, l := range status.Languages {
		fmt.Fprintf(&b, "%s: %s, %s\n", cmp.Or(l.Lang, "unknown"), count.Of(l.Files, "file", "files"), l.Parser)
	}
	for _, n := range status.Notes {
		fmt.Fprintf(&b, "Note: %s\n", n)
	}
	out := server.Answer{Value: &answer, Text: b.String()}
	if status.State == "absent" || status.State == "incomplete" {
		out.Partial = buildingText(c)
	}
	return out, nil
}

// filesAnswer is the list of files, or a page of it.
type filesAnswer struct {
	Files []FileStatus `json:"files"`
	Next  string       `json:"next,omitempty"` // the cursor of the rest
}

// fileText is one file for a reader.
func fileText(f FileStatus) string { return fmt.Sprintf("%s  %s %s\n", f.Path, f.State, f.Reason) }

// files lists the files after the cursor, as many as the limits hold. The cursor holds for one list of paths and states.
func (s *Service) files(ctx context.Context, c server.Call, a *server.FilesArguments) (server.Answer, error) {
	files, err := s.app.Files(ctx)
	if err != nil {
		return server.Answer{}, err
	}
	var all strings.Builder
	for _, f := range files {
		all.WriteString(fileText(f))
	}
	list := hashOf(all.String())
	at, err := readCursor(a.Cursor, list)
	if err != nil {
		return server.Answer{}, err
	}
	rest := files[min(at.Offset, len(files)):]
	tokens, text, bytes := 0, 0, 0
	for i, f := range rest {
		b, err := json.Marshal(f)
		if err != nil {
			return server.Answer{}, fmt.Errorf("write JSON: %w", err)
		}
		line := fileText(f)
		if text, bytes = text+len(line), bytes+len(b)+1; c.Limits.MaxTokens > 0 {
			tokens += s.counter.Count(line)
		}
		over := c.Limits.MaxTokens > 0 && tokens > c.Limits.MaxTokens-nextTokens || c.Limits.MaxBytes > 0 && max(text, bytes) > c.Limits.MaxBytes-nextBytes
		if over && i > 0 {
			rest = rest[:i]
			break
		}
	}
	answer := filesAnswer{Files: rest}
	if end := at.Offset + len(rest); end < len(files) {
		answer.Next = cursorText(0, list, end)
	}
	return shown(&answer, func() string {
		var b strings.Builder
		for _, f := range answer.Files {
			b.WriteString(fileText(f))
		}
		if answer.Next != "" {
			fmt.Fprintf(&b, "More: cursor %s\n", answer.Next)
		}
		return b.String()
	}), nil
}

func (s *Service) why(ctx context.Context, a *server.WhyArguments) (server.Answer, error) {
	answer, err := s.app.WhyPacked(ctx, a.PackID, a.Location)
	if err != nil {
		return server.Answer{}, err
	}
	return shown(&answer, func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s: %s\n", answer.Path, answer.State, answer.Why)
		for _, p := range answer.Places {
			fmt.Fprintf(&b, "%d-%d %s, %s rank %d: %s\n", p.StartLine, p.EndLine, p.Outcome, p.Slot, p.Rank, p.Reason)
		}
		return b.String()
	}), nil
}

func (s *Service) plan(a *server.PlanArguments) (server.Answer, error) {
	answer, err := ReadPlan(PackRequest{Task: a.Task, Preset: agenvantage.TaskKind(a.Preset), Seeds: a.Seed})
	if err != nil {
		return server.Answer{}, err
	}
	for _, slot := range answer.Slots { // whose questions repeat the task
		for i, q := range slot.Queries {
			slot.Queries[i] = server.Head(q, server.MaxEchoBytes)
		}
	}
	out := shown(&answer, func() string { return fmt.Sprintf("%s: %s\n", answer.Preset, answer.Why) })
	out.Channels = []string{}
	return out, nil
}
