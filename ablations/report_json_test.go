package ablations

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"agenvantage"
)

func TestReportJSONRoundTrip(t *testing.T) {
	want := sampleReport()
	var first, second bytes.Buffer
	if err := want.WriteJSON(&first); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReport(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("what was read differs from what was written")
	}
	if err := got.WriteJSON(&second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("written again, the report has other bytes")
	}
}

func TestReadReport(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"empty", "", "read report: line 1: unexpected end of JSON input"},
		{"no object", `[1]`, "cannot unmarshal array"},
		{"no format", `{"run":{}}`, "not an ablation report: it names no format"},
		{"format null", `{"format":null}`, "it names no format"},
		{"format zero", `{"format":0}`, "it names no format"},
		{"newer", `{"format":99,"run":"in another shape"}`, "it has format 99 and this program reads up to 1: use a newer program"},
		{"format of another type", `{"format":"1"}`, "cannot unmarshal string"},
		{"broken", "{\"format\":1,\n\"run\":{", "line 2: unexpected end of JSON input"},
		{"two values", "{\"format\":1}\n{}", "line 2: invalid character '{' after top-level value"},
		{"wrong type", "{\"format\":1,\n\n\"variants\":{}}", "line 3: json: cannot unmarshal object"},
	} {
		_, err := ReadReport(strings.NewReader(x.in))
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
	}
	r, err := ReadReport(strings.NewReader(`{"format":1,"added_later":[1],"run":{"task_set":"x","also":2}}`))
	if err != nil || r.Run.TaskSet != "x" {
		t.Errorf("keys that are not known: %q, %v", r.Run.TaskSet, err)
	}
}

// brokenPipe takes and gives nothing.
type brokenPipe struct{}

var errBroken = errors.New("pipe broken")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }
func (brokenPipe) Read([]byte) (int, error)  { return 0, errBroken }

func TestReportErrorsOfStreams(t *testing.T) {
	r := sampleReport()
	for name, write := range map[string]func(io.Writer) error{
		"JSON": r.WriteJSON, "Markdown": r.WriteMarkdown, "HTML": r.WriteHTML,
		"text": func(w io.Writer) error { return r.WriteText(w, 0) },
	} {
		if err := write(brokenPipe{}); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "write report as "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadReport(brokenPipe{}); !errors.Is(err, errBroken) || errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("read: %v", err)
	}
}

func TestReportJSONRefusesNaN(t *testing.T) {
	r := Report{Format: ReportFormat, Variants: []VariantReport{{Overall: Scores{"ndcg@10": {RepoMean: math.NaN()}}}}}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err == nil || b.Len() > 0 {
		t.Errorf("error %v, %d bytes written", err, b.Len())
	}
}

// FuzzReadReport: no report that can be read makes a writer fail, and what was written is read as the same.
func FuzzReadReport(f *testing.F) {
	var b bytes.Buffer
	if err := smallReport().WriteJSON(&b); err != nil { // mutations of a large one take seconds each
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"run":{"budgets":[500]},"variants":[{"name":"a","pack":-6000,"overall":{"all_in":{"query_mean":1e308},"success@500":{"query_mean":0.5}}}],
		"packs":[{"variant":"a","packs":-1,"median_tokens":1e308,"reduced":1,"slots":[{"slot":"<x>","packs":0,"filled":9}],"calibration":[{"half":"first","bins":[{"low":-1e308,"tasks":1}],"brier":1e308}]},{"variant":"gone"}]}`))
	f.Add([]byte(`{"format":1,"run":{"baseline":"a","all":"b","budgets":[-1,0,2000]},"variants":[{"name":"a","overall":{"ndcg@10":{"repo_mean":1e308,"clusters":3,"low":-1e308}}},
		{"name":"b","overall":{"ndcg@10":{"repo_mean":-1e308,"clusters":3},"success@2000":{"repo_mean":1e14}}}],
		"measured":{"latencies":[{"variant":"a","p95_ms":-5,"tasks":1},{"variant":"b","p95_ms":1e14,"tasks":1}]}}`))
	f.Add([]byte(`{"format":1,"run":{"baseline":"a"},"variants":[{"name":"a","by_class":[{"name":"\u202e<script>","scores":{"ndcg@10":{}}}]},{"name":"a"}],
		"comparisons":[{"a":"a","b":"a","metric":"spt@2000","difference":1e300}],"verdicts":[{"decision":"promote","gain":1e-300,"clusters":2,"p95_limit_ms":1e308}],"moved":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadReport(bytes.NewReader(data))
		if err != nil {
			return
		}
		var first, second, page bytes.Buffer
		if err := r.WriteJSON(&first); err != nil {
			t.Fatal(err)
		}
		again, err := ReadReport(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := again.WriteJSON(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again: %v, equal %v", err, bytes.Equal(first.Bytes(), second.Bytes()))
		}
		for _, width := range []int{0, minTextWidth} {
			if err := r.WriteText(io.Discard, width); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.WriteMarkdown(io.Discard); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		checkDrawings(t, page.String())
	})
}
