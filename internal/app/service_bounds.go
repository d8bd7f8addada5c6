package app

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"agenvantage/internal/count"
	"agenvantage/server"
)

// What is sent is bounded as a whole: what repeats an input, notes, and what surrounds the results are counted with them.

// Bounds of an answer's own words.
const (
	maxNotes     = 10
	maxNoteBytes = 400
)

// echoes are the fields of answers that repeat an input, and wordy those that hold sentences, by their names in JSON.
var (
	echoes = []string{"query", "task", "location", "scope", "source_id", "pack_id"}
	wordy  = []string{"notes", "missing"}
)

// shown is a value, of which what repeats an input is cut, with its text.
func shown(value any, text func() string) server.Answer {
	cutEchoes(reflect.ValueOf(value))
	return server.Answer{Value: value, Text: text()}
}

// cutEchoes cuts what an answer repeats of its input, and what it has to say beside what it found. value points at a struct.
func cutEchoes(value reflect.Value) {
	value = reflect.Indirect(value)
	if value.Kind() != reflect.Struct {
		return
	}
	for i := range value.NumField() {
		f, t := value.Field(i), value.Type().Field(i)
		name, _, _ := strings.Cut(t.Tag.Get("json"), ",")
		switch {
		case !t.IsExported():
		case t.Anonymous, name == "subject":
			cutEchoes(f)
		case f.Kind() == reflect.String && slices.Contains(echoes, name):
			f.SetString(server.Head(f.String(), server.MaxEchoBytes))
		case f.Type() == reflect.TypeFor[[]string]() && slices.Contains(wordy, name):
			f.Set(reflect.ValueOf(boundNotes(f.Interface().([]string))))
		}
	}
}

// boundNotes keeps the first notes, each cut where it is long, and says how many there are more.
func boundNotes(notes []string) []string {
	if len(notes) <= maxNotes && !slices.ContainsFunc(notes, func(n string) bool { return len(n) > maxNoteBytes }) {
		return notes
	}
	var kept []string
	for _, n := range notes[:min(len(notes), maxNotes)] {
		kept = append(kept, server.Head(n, maxNoteBytes))
	}
	if more := len(notes) - len(kept); more > 0 {
		kept = append(kept, fmt.Sprintf("and %s like these", count.Of(more, "note", "notes")))
	}
	return kept
}

// sized makes an answer, and says how many times it is as long as the limits let it be.
func (s *Service) sized(value any, text func() string, limit server.Limits) (out server.Answer, over float64, err error) {
	out = shown(value, text)
	b, err := json.Marshal(value)
	if err != nil {
		return out, 0, fmt.Errorf("write JSON: %w", err)
	}
	if limit.MaxTokens > 0 {
		over = float64(s.counter.Count(out.Text)) / float64(limit.MaxTokens)
	}
	if limit.MaxBytes > 0 {
		over = max(over, float64(max(len(out.Text), len(b)+emptyLists))/float64(limit.MaxBytes))
	}
	return out, over, nil
}

// emptyLists is what present adds to the JSON of an answer at most, in bytes.
const emptyLists = 100

// nextTokens and nextBytes are for the line that names the cursor of the rest, in text and JSON.
const (
	nextTokens = 70
	nextBytes  = 300
)

// room is what the limits leave to results beside an answer that has none of them yet. Something is always left.
func (s *Service) room(limit server.Limits, empty server.Answer) (server.Limits, error) {
	b, err := json.Marshal(empty.Value)
	if err != nil {
		return limit, fmt.Errorf("write JSON: %w", err)
	}
	spent := server.Limits{MaxTokens: nextTokens, MaxBytes: max(len(empty.Text), len(b)+emptyLists) + nextBytes}
	if limit.MaxTokens > 0 {
		spent.MaxTokens += s.counter.Count(empty.Text)
	}
	return lessSpent(limit, spent, server.Limits{MaxTokens: minRoomTokens, MaxBytes: minRoomBytes}), nil
}

// lessSpent is what is left of limits, and the least at least. A bound that is not set stays so.
func lessSpent(limit, spent, least server.Limits) server.Limits {
	if limit.MaxTokens > 0 {
		limit.MaxTokens = max(limit.MaxTokens-spent.MaxTokens, least.MaxTokens)
	}
	if limit.MaxBytes > 0 {
		limit.MaxBytes = max(limit.MaxBytes-spent.MaxBytes, least.MaxBytes)
	}
	return limit
}

// The least that is left to results: some lines, and where they are.
const (
	minRoomTokens = 100
	minRoomBytes  = 2000
)

// cutText keeps the first lines of a text that stay within the limits, as text and as JSON. Of a first line that is too long alone it keeps
// the beginning.
func (s *Service) cutText(text string, limit server.Limits) string {
	kept, tokens, bytes := 0, 0, 0
	for line := range strings.Lines(text) {
		bytes += jsonBytes(line)
		if limit.MaxTokens > 0 && len(line) < maxCountedLine {
			tokens += s.counter.Count(line)
		} else if limit.MaxTokens > 0 {
			tokens += len(line) // never less than its tokens
		}
		if limit.MaxTokens > 0 && tokens > limit.MaxTokens || limit.MaxBytes > 0 && bytes > limit.MaxBytes {
			break
		}
		kept += len(line)
	}
	if kept > 0 || text == "" {
		return text[:kept]
	}
	line, _, _ := strings.Cut(text, "\n")
	most := len(line)
	if limit.MaxTokens > 0 {
		most = min(most, max(limit.MaxTokens, 1))
	}
	if limit.MaxBytes > 0 {
		most = min(most, max(limit.MaxBytes, 1))
	}
	for limit.MaxBytes > 0 && most > 1 && jsonBytes(line[:most]) > limit.MaxBytes {
		most /= 2
	}
	return strings.ToValidUTF8(line[:most], "") + "…\n"
}

// maxCountedLine is the longest line, in bytes, that is counted in tokens before it is cut.
const maxCountedLine = 8192

// jsonBytes is the length of a text in JSON, without its quotes.
func jsonBytes(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		return 6 * len(s) // never less
	}
	return len(b) - 2
}

// cutAnswer keeps whole lines of a text within the limits; 0 sets no bound.
func (s *Service) cutAnswer(text string, limit server.Limits) string {
	const end = "… cut here: it was too long\n"
	over := limit.MaxBytes > 0 && len(text) > limit.MaxBytes ||
		limit.MaxTokens > 0 && len(text) > limit.MaxTokens && s.counter.Count(text) > limit.MaxTokens
	if !over {
		return text
	}
	limit = lessSpent(limit, server.Limits{MaxTokens: 10, MaxBytes: len(end)}, server.Limits{MaxTokens: 1, MaxBytes: 1})
	return strings.TrimSuffix(s.cutText(text, limit), "\n") + "\n" + end
}
