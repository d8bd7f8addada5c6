package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/server"
	"agenvantage/tokens"
)

// within wants an answer to keep the limits, text and JSON.
func within(t *testing.T, what string, a server.Answer, limits server.Limits) {
	t.Helper()
	count, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(a.Value)
	if err != nil {
		t.Fatal(err)
	}
	if n := count.Count(a.Text); n > limits.MaxTokens || len(a.Text) > limits.MaxBytes || len(b) > limits.MaxBytes {
		t.Errorf("%s: %d tokens, %d bytes, %d bytes of JSON, at most %+v", what, n, len(a.Text), len(b), limits)
	}
}

// Whatever the length of an input, the answer repeats a bounded part of it, in every operation, with limits and without.
func TestAnswersRepeatAWholeInput(t *testing.T) {
	s, _ := served(t, store)
	s.mustBuild(t)
	_, pack := mustAsk(t, s, "pack", `{"task":"Total is wrong for negative prices"}`)
	id := pack["pack_id"].(string)
	prose, odd := strings.Repeat("Total prices ", 90000), strings.Repeat("\x01<\"", 2500)
	for _, o := range server.Operations() {
		arguments := reflect.New(reflect.TypeOf(mustDecode(t, o)).Elem())
		fill(arguments.Elem(), prose, odd, id)
		for _, limits := range []server.Limits{{}, {MaxTokens: 4000, MaxBytes: 40000}} {
			a, err := s.Answer(t.Context(), server.Call{Operation: o.Name, Arguments: arguments.Interface(), Limits: limits})
			if err != nil {
				if !errors.Is(err, agenvantage.ErrBadInput) {
					t.Errorf("%s: %v", o.Name, err)
				}
				continue
			}
			b, _ := json.Marshal(a.Value)
			if strings.Contains(a.Text, prose[:3000]) || strings.Contains(string(b), prose[:3000]) || len(a.Text)+len(b) > 300000 {
				t.Errorf("%s: %d bytes of text, %d of JSON", o.Name, len(a.Text), len(b))
			}
			if limits.MaxBytes > 0 && o.Tool {
				within(t, o.Name, a, limits)
			}
		}
	}
}

// mustDecode gives empty arguments of an operation.
func mustDecode(t *testing.T, o server.Operation) any {
	t.Helper()
	for _, arguments := range []string{`{}`, `{"query":"x"}`, `{"task":"x"}`, `{"location":"x"}`, `{"source_id":"x"}`, `{"paths":["x"]}`, `{"pack_id":"x","slot":"tests"}`, `{"pack_id":"x","location":"x"}`} {
		if a, err := o.Decode([]byte(arguments)); err == nil {
			return a
		}
	}
	t.Fatalf("%s takes none of these arguments", o.Name)
	return nil
}

// fill sets every text of arguments, as far as the operation is asked something.
func fill(v reflect.Value, prose, odd, pack string) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case f.Kind() == reflect.Struct:
			fill(f, prose, odd, pack)
		case name == "PackID":
			f.SetString(pack)
		case name == "Slot":
			f.SetString("tests")
		case name == "Query", name == "Task":
			f.SetString(prose)
		case name == "Location", name == "Name", name == "SourceID":
			f.SetString(odd)
		case name == "Path", name == "NotPath":
			f.Set(reflect.ValueOf([]string{"**", odd[1:] + "x", "nosuch/" + odd[2:]}))
		}
	}
}

// A server of short answers makes packs all the same, as far as they fit, and says what would.
func TestShortAnswersMakePacksImpossible(t *testing.T) {
	s, _ := served(t, manyFunctions(30))
	s.mustBuild(t)
	const task = `{"task":"Harvest001 collects apples twice"}`
	lowered := 0
	for _, most := range []int{200, 300, 400, 600, 900, 1500, 4000, 8000} {
		limits := server.Limits{MaxTokens: most, MaxBytes: 64 << 10}
		a, err := askFor(t, s, "pack", task, limits, nil)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "serve with --max-tokens ") || most >= 600 {
				t.Errorf("%d: %v", most, err)
				continue
			}
			var needs int
			_, after, _ := strings.Cut(err.Error(), "--max-tokens ")
			if _, e := fmt.Sscan(after, &needs); e != nil || needs <= most {
				t.Errorf("%d: %v", most, err)
			}
			own := needs - (server.LimitFor(1000) - 1000)
			if _, e := askFor(t, s, "pack", task, server.Limits{MaxTokens: own, MaxBytes: 64 << 10}, nil); e != nil {
				t.Errorf("%d: the error names %d, which does not do: %v", most, needs, e)
			}
			continue
		}
		within(t, fmt.Sprintf("a pack of %d", most), a, limits)
		p := a.Value.(*agenvantage.Pack)
		if said := strings.Contains(strings.Join(p.Notes, "\n"), "the budget was lowered from 6000 to"); said != (p.Budget < DefaultPackBudget) {
			t.Errorf("%d: a budget of %d, notes %q", most, p.Budget, p.Notes)
		} else if said {
			lowered++
		}
		if p.Tokens > p.Budget {
			t.Errorf("%d: %d tokens of %d", most, p.Tokens, p.Budget)
		}
	}
	if lowered < 3 {
		t.Errorf("%d packs say that their budget was lowered", lowered)
	}
	if _, err := askFor(t, s, "pack", `{"task":"Harvest001","budget":3}`, server.Limits{MaxTokens: 8000, MaxBytes: 64 << 10}, nil); err == nil || strings.Contains(err.Error(), "--max-tokens") {
		t.Errorf("a budget that the caller chose: %v", err)
	}
}

// A long list of files comes in pages that add up to it.
func TestFilesAreListedWithoutLimits(t *testing.T) {
	fs := files{}
	for i := range 400 {
		fs[fmt.Sprintf("some/folder/file%03d.txt", i)] = "text\n"
	}
	s, _ := served(t, fs)
	s.mustBuild(t)
	limits := server.Limits{MaxTokens: 2000, MaxBytes: 20000}
	seen, cursor := map[string]bool{}, ""
	for range 100 {
		a, err := askFor(t, s, "files", fmt.Sprintf(`{"cursor":%q}`, cursor), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "files", a, limits)
		got := object(t, a.Value)
		for _, f := range got["files"].([]any) {
			seen[f.(map[string]any)["path"].(string)] = true
		}
		if cursor, _ = got["next"].(string); cursor == "" {
			break
		}
	}
	if len(seen) != 400 {
		t.Errorf("%d files", len(seen))
	}
	if _, got := mustAskUnbound(t, s, "files", `{}`); len(got["files"].([]any)) != 400 {
		t.Errorf("without limits: %d files", len(got["files"].([]any)))
	}
}

func TestBoundNotes(t *testing.T) {
	many := strings.Split(strings.Repeat("a note,", 12), ",")[:12]
	if got := boundNotes(many); len(got) != maxNotes+1 || got[maxNotes] != "and 2 notes like these" {
		t.Errorf("%q", got)
	}
	if got := boundNotes([]string{strings.Repeat("x", 1000)}); len(got) != 1 || !strings.HasSuffix(got[0], "… (cut: 1000 bytes)") {
		t.Errorf("%q", got)
	}
}

// The same question gives the same bytes: how long it took is told where it is asked for.
func TestServedAnswersHoldAClock(t *testing.T) {
	s, _ := served(t, store)
	for range 2 {
		a, _ := mustAsk(t, s, "search", `{"query":"Total"}`)
		timed, _ := mustAsk(t, s, "search", `{"query":"Total","timings":true}`)
		b, _ := json.Marshal(a.Value)
		c, _ := json.Marshal(timed.Value)
		if strings.Contains(string(b), "took_ms") || strings.Count(string(c), "took_ms") < 2 || a.Reports[0].TookMS == 0 {
			t.Errorf("%s\n%s", b, c)
		}
		s.mustBuild(t) // the first answer came from the files
	}
}
