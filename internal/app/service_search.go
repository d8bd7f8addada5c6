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
	"agenvantage/server"
)

// searchRequest reads the arguments.
func searchRequest(a *server.SearchArguments) (SearchRequest, error) {
	r := SearchRequest{Query: a.Query, Regex: a.Regex, Channels: a.Channels, TopK: a.TopK, NoRefresh: a.NoRefresh,
		Filter: agenvantage.Filter{Paths: a.Path, NotPaths: a.NotPath, Langs: a.Lang}}
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

// search asks for as many results as lie before the cursor and after it, and shows the latter.
func (s *Service) search(ctx context.Context, c server.Call, a *server.SearchArguments) (server.Answer, error) {
	r, err := searchRequest(a)
	if err != nil {
		return server.Answer{}, err
	}
	topK := cmp.Or(a.TopK, s.app.config.Search.TopK)
	question := hashOf(fmt.Sprintf("%q %v %q %q %q %q %q", a.Query, a.Regex, a.Channels, a.Path, a.NotPath, a.Lang, a.Kind))
	at, err := readCursor(a.Cursor, question)
	if err != nil {
		return server.Answer{}, err
	}
	r.TopK = at.Offset + topK + 1 // one more, to know whether there are more
	response, err := s.app.Search(ctx, r, nil)
	if err != nil {
		return server.Answer{}, err
	}
	if a.Cursor != "" && at.Generation != response.Generation {
		return server.Answer{}, fmt.Errorf("%w: the cursor is of generation %d and the index is at generation %d: ask again without it", agenvantage.ErrBadInput, at.Generation, response.Generation)
	}
	if at.Offset > len(response.Results) {
		at.Offset = len(response.Results)
	}
	answer := response
	rest := response.Results[at.Offset:]
	shown := rest[:min(topK, len(rest))]
	limit := c.Limits
	limit.MaxTokens = lowerBound(a.MaxTokens, limit.MaxTokens)
	shown = s.fitResults(slices.Clone(shown), limit, c.Sent)
	answer.Results = shown
	heldBack(shown, rest[len(shown):])
	if len(shown) < len(rest) {
		answer.Next = cursorText(response.Generation, question, at.Offset+len(shown))
	}
	out := server.Answer{Value: &answer, Text: searchText(answer), Generation: response.Generation, Channels: liveChannels(response.Channels), Class: string(response.Class), Reports: response.Channels}
	if response.Coverage.Stale {
		out.Stale = response.Coverage.StaleReason
	}
	for _, ch := range response.Channels {
		if ch.Status != agenvantage.StatusOK && ch.Status != agenvantage.StatusEmpty && ch.Status != agenvantage.StatusOff {
			out.Partial = strings.TrimSpace(fmt.Sprintf("channel %s: %s %s", ch.Name, ch.Status, ch.Error))
		}
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
		return cursor{}, fmt.Errorf("%w: cursor %q is none that this program gave", agenvantage.ErrBadInput, text)
	case c.Question != question:
		return cursor{}, fmt.Errorf("%w: the cursor belongs to another question", agenvantage.ErrBadInput)
	}
	return c, nil
}

// maxServedResults is the most results that one call asks for, as of the setting search.top_k.
const maxServedResults = 10_000

// maxCursorOffset keeps a made-up cursor from asking for millions of results.
const maxCursorOffset = 100_000

// What an answer spends beside its results: notes, the line about the index, the names of JSON.
const (
	frameTokens = 250
	frameBytes  = 6000
)

// lowerBound is the lower of two bounds, of which 0 sets none.
func lowerBound(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// fitResults keeps as many results as the limits hold, one at least, whose text is cut where it alone is too long. Text that was
// sent before becomes a reference.
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
		over := limit.MaxTokens > 0 && tokens > max(limit.MaxTokens-frameTokens, 0) || limit.MaxBytes > 0 && max(textBytes, jsonBytes) > limit.MaxBytes-frameBytes
		switch {
		case over && i > 0:
			return results[:i]
		case over:
			r.Text, r.Shortened = s.cutText(r.Text, limit), true
			sent.Take(r.Path, r.StartLine, r.Text)
			return results[:1]
		}
		sent.Take(r.Path, r.StartLine, whole)
	}
	return results
}

// cutText keeps the first lines of a text that stay within the limits, and half of the bytes for the escapes of JSON. Of a first
// line that is too long alone it keeps the beginning.
func (s *Service) cutText(text string, limit server.Limits) string {
	budget, room := limit.MaxTokens-frameTokens, (limit.MaxBytes-frameBytes)/2
	kept, used := 0, 0
	for line := range strings.Lines(text) {
		if limit.MaxTokens > 0 && len(line) < maxCountedLine {
			used += s.counter.Count(line)
		} else if limit.MaxTokens > 0 {
			used += len(line) // never less than its tokens
		}
		if limit.MaxTokens > 0 && used > budget || limit.MaxBytes > 0 && kept+len(line) > room {
			break
		}
		kept += len(line)
	}
	if kept > 0 || text == "" {
		return text[:kept]
	}
	most := len(text)
	if limit.MaxTokens > 0 {
		most = min(most, max(budget, 1))
	}
	if limit.MaxBytes > 0 {
		most = min(most, max(room, 1))
	}
	line, _, _ := strings.Cut(text[:most], "\n")
	return strings.ToValidUTF8(line, "") + "…\n"
}

// maxCountedLine is the longest line, in bytes, that is counted in tokens before it is cut.
const maxCountedLine = 8192

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
	return head + "\n" + strings.TrimRight(r.Text, "\n") + "\n\n"
}

// searchText is an answer for a reader.
func searchText(a agenvantage.Response) string {
	var b strings.Builder
	for _, r := range a.Results {
		b.WriteString(resultText(r))
	}
	if len(a.Results) == 0 {
		fmt.Fprintf(&b, "Nothing found: %s indexed, %d skipped, %d in scope.\nTry fewer or other words, a part of a name, or plain grep for files that are left out.\n",
			plural(a.Coverage.FilesIndexed, "file", "files"), a.Coverage.FilesSkipped, a.Coverage.FilesInScope)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "Note: %s\n", n)
	}
	if a.Next != "" {
		fmt.Fprintf(&b, "More: cursor %s\n", a.Next)
	}
	return b.String()
}

// cutBytes keeps whole lines of a text within a number of bytes; 0 sets no bound.
func cutBytes(text string, most int) string {
	if most <= 0 || len(text) <= most {
		return text
	}
	const end = "… cut here: it was too long\n"
	text = text[:max(most-len(end), 0)]
	return text[:strings.LastIndexByte(text, '\n')+1] + end
}

// stopwatch measures a time.
type stopwatch struct{ began time.Time }

func newStopwatch() stopwatch   { return stopwatch{time.Now()} }
func (w stopwatch) ms() float64 { return float64(time.Since(w.began).Microseconds()) / 1000 }
