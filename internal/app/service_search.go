package app

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/server"
)

// searchRequest reads the arguments.
func searchRequest(a *server.SearchArguments) (SearchRequest, error) {
	r := SearchRequest{Query: a.Query, Like: strings.TrimSpace(a.Like), Regex: a.Regex, Channels: a.Channels, TopK: a.TopK, NoRefresh: a.NoRefresh,
		Filter: agenvantage.Filter{Paths: a.Path, NotPaths: a.NotPath, Langs: a.Lang}}
	if r.Like != "" && strings.TrimSpace(r.Query) == "" {
		r.Query = "" // of a client that names every argument
	}
	for _, k := range a.Kind {
		r.Filter.Kinds = append(r.Filter.Kinds, agenvantage.SymbolKind(strings.ToLower(k)))
	}
	switch {
	case a.TopK < 0 || a.TopK > maxServedResults:
		return r, fmt.Errorf("%w: top_k is %d, want 1 to %d", agenvantage.ErrBadInput, a.TopK, maxServedResults)
	case a.MaxTokens < 0:
		return r, fmt.Errorf("%w: max_tokens is %d, want 1 or more", agenvantage.ErrBadInput, a.MaxTokens)
	}
	return r, nil
}

// search answers one page. The cursor names the generation and a place in its ranking, which is the same however much is asked for.
func (s *Service) search(ctx context.Context, c server.Call, a *server.SearchArguments) (server.Answer, error) {
	r, err := searchRequest(a)
	if err != nil {
		return server.Answer{}, err
	}
	topK := cmp.Or(a.TopK, s.app.config.Search.TopK)
	question := hashOf(fmt.Sprintf("%q %q %v %q %q %q %q %q %s", a.Query, r.Like, a.Regex, a.Channels, a.Path, a.NotPath, a.Lang, a.Kind, s.app.config.Hash()))
	at, err := readCursor(a.Cursor, question)
	if err != nil {
		return server.Answer{}, err
	}
	r.Offset, r.TopK = at.Offset, topK+1 // one more, to know whether there are more
	answer, err := s.app.Search(ctx, r, nil)
	if err != nil {
		return server.Answer{}, err
	}
	if a.Cursor != "" {
		if err := at.check(answer.Generation); err != nil {
			return server.Answer{}, err
		}
	}
	found := answer.Results
	limit := c.Limits
	limit.MaxTokens = lowerBound(a.MaxTokens, limit.MaxTokens)
	answer.Results = nil
	if limit, err = s.room(limit, shown(&answer, func() string { return searchText(answer, r.Like != "") })); err != nil {
		return server.Answer{}, err
	}
	answer.Results = s.fitResults(slices.Clone(found[:min(topK, len(found))]), limit, c.Sent)
	heldBack(answer.Results, found[len(answer.Results):])
	if n := len(answer.Results); n < len(found) {
		answer.Next = cursorText(answer.Generation, question, found[n].Place)
	}
	on := basis{answer.Generation, answer.Channels}
	if !a.Timings {
		answer = answer.WithoutTimings()
	}
	out := shown(&answer, func() string { return searchText(answer, r.Like != "") })
	on.tell(&out)
	out.Class = string(answer.Class)
	if answer.Coverage.Stale {
		out.Stale = answer.Coverage.StaleReason
	}
	return out, nil
}

// heldBack counts the results that are not shown beside the first one of their file, as a shorter search would.
func heldBack(shown, cut []agenvantage.Result) {
	for _, c := range cut {
		if i := slices.IndexFunc(shown, func(r agenvantage.Result) bool { return r.Path == c.Path }); i >= 0 {
			shown[i].MoreInFile++
		}
	}
}

// readCursor reads a cursor of a question; "" is the beginning.
func readCursor(text string, question uint64) (c cursor, err error) {
	if text == "" {
		return cursor{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	switch {
	case err != nil || c.Offset < 0 || c.Offset > maxCursorOffset:
		return cursor{}, foreignCursor(text)
	case c.Question != question:
		return cursor{}, &cursorError{"the cursor belongs to another question"}
	}
	return c, nil
}

// maxServedResults is the most results that one call asks for, as of the setting search.top_k.
const maxServedResults = 10_000

// maxCursorOffset keeps a made-up cursor from asking for millions of results.
const maxCursorOffset = 100_000

// lowerBound is the lower of two bounds, of which 0 sets none.
func lowerBound(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// fitResults keeps as many results as the room that is left to them holds, one at least, whose text is cut where it alone is too long.
// Text that was sent before becomes a reference.
func (s *Service) fitResults(results []agenvantage.Result, limit server.Limits, sent *server.Sent) []agenvantage.Result {
	if limit == (server.Limits{}) && sent == nil {
		return results
	}
	tokens, textBytes, jsonBytes := 0, 0, 0
	for i := range results {
		r := &results[i]
		whole := r.Text
		r.Text = sent.Peek(r.Path, r.StartLine, whole)
		text := resultText(*r)
		b, err := json.Marshal(r)
		if err != nil {
			return results[:i]
		}
		tokens, textBytes, jsonBytes = tokens+s.counter.Count(text), textBytes+len(text), jsonBytes+len(b)+1
		over := limit.MaxTokens > 0 && tokens > limit.MaxTokens || limit.MaxBytes > 0 && max(textBytes, jsonBytes) > limit.MaxBytes
		switch {
		case over && i > 0:
			return results[:i]
		case over:
			empty := *r
			empty.Text = ""
			b, _ := json.Marshal(empty) // as above
			spent := server.Limits{MaxTokens: s.counter.Count(resultText(empty)) + shortenedTokens, MaxBytes: len(b)}
			left := lessSpent(limit, spent, server.Limits{MaxTokens: minLineTokens, MaxBytes: minLineTokens})
			r.Text, r.Shortened = s.cutText(r.Text, left), true
			sent.Take(r.Path, r.StartLine, r.Text)
			return results[:1]
		}
		sent.Take(r.Path, r.StartLine, whole)
	}
	return results
}

// Of the text of a result that is cut: what saying so takes, and the least that is shown.
const (
	shortenedTokens = 12
	minLineTokens   = 40
)

// liveChannels are those that answered.
func liveChannels(reports []agenvantage.ChannelReport) []string {
	names := []string{}
	for _, r := range reports {
		switch r.Status {
		case agenvantage.StatusOK, agenvantage.StatusEmpty, agenvantage.StatusPartial:
			names = append(names, r.Name)
		}
	}
	return names
}

// resultText is one result for a reader.
func resultText(r agenvantage.Result) string {
	head := fmt.Sprintf("%s:%d-%d  %s", r.Path, r.StartLine, r.EndLine, r.Kind)
	if r.Symbol != "" {
		head += " " + r.Symbol
	}
	if r.MoreInFile > 0 {
		head += fmt.Sprintf("  +%d more in this file", r.MoreInFile)
	}
	if r.Shortened {
		head += "  (shortened: read has the rest)"
	}
	if r.Stale {
		head += "  (changed on disk since it was indexed)"
	}
	for i, c := range r.Also {
		before := "\nalso: "
		if i > 0 {
			before = ", "
		}
		head += fmt.Sprintf("%s%s:%d-%d", before, c.Path, c.StartLine, c.EndLine)
	}
	return head + "\n" + strings.TrimRight(r.Text, "\n") + "\n\n"
}

// searchText is an answer for a reader; like says that it is one to a place.
func searchText(a agenvantage.Response, like bool) string {
	var b strings.Builder
	for _, n := range a.Notes { // first: that what was asked for is not there must not be found out behind results that only resemble it
		fmt.Fprintf(&b, "Note: %s\n", n)
	}
	if len(a.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, r := range a.Results {
		b.WriteString(resultText(r))
	}
	switch failures := agenvantage.Blind(a.Channels); {
	case len(a.Results) > 0:
	case len(failures) > 0:
		fmt.Fprintf(&b, "Nothing was looked for: channel %s.\nTry it without channels.\n", strings.Join(failures, "; "))
	default:
		try := "fewer or other words, a part of a name, or plain grep for files that are left out."
		if other, why, ok := OnlyByMeaning(a, like); ok && a.Coverage.FilesInScope > 0 {
			try = other + ": " + why + "."
		}
		fmt.Fprintf(&b, "Nothing found: %s indexed, %d skipped, %d in scope.\nTry %s\n",
			count.Of(a.Coverage.FilesIndexed, "file", "files"), a.Coverage.FilesSkipped, a.Coverage.FilesInScope, try)
	}
	for _, n := range agenvantage.Remarks(a.Channels) {
		fmt.Fprintf(&b, "Note: channel %s\n", n)
	}
	if a.Next != "" {
		fmt.Fprintf(&b, "More: cursor %s\n", a.Next)
	}
	return b.String()
}

// stopwatch measures a time.
type stopwatch struct{ began time.Time }

func newStopwatch() stopwatch   { return stopwatch{time.Now()} }
func (w stopwatch) ms() float64 { return float64(time.Since(w.began).Microseconds()) / 1000 }
