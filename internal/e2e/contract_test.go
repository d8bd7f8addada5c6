//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// The types below restate the documented JSON contract on purpose: a renamed field fails here.

type channelRank struct {
	Rank   int
	Score  float64
	Share  float64
	Reason string
}

type hit struct {
	Rank       int                    `json:"rank"`
	Path       string                 `json:"path"`
	Start      int                    `json:"start_line"`
	End        int                    `json:"end_line"`
	Lang       string                 `json:"lang"`
	Kind       string                 `json:"kind"`
	Symbol     string                 `json:"symbol"`
	Signature  string                 `json:"signature"`
	Doc        string                 `json:"doc"`
	Score      float64                `json:"score"`
	Channels   map[string]channelRank `json:"channels"`
	Parts      []part                 `json:"parts"`
	MoreInFile int                    `json:"more_in_file"`
	Also       []struct {
		Path  string  `json:"path"`
		Start int     `json:"start_line"`
		End   int     `json:"end_line"`
		Alike float64 `json:"alike"`
	} `json:"also"`
	Shortened bool   `json:"shortened"`
	Stale     bool   `json:"stale"`
	Text      string `json:"text"`
}

type part struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

func (h hit) String() string {
	return fmt.Sprintf("%s:%d-%d %s %s", h.Path, h.Start, h.End, h.Kind, h.Symbol)
}

func (h hit) covers(line int) bool { return h.Start <= line && line <= h.End }

// name is the last word of the qualified name.
func (h hit) name() string { return h.Symbol[strings.LastIndexAny(h.Symbol, ".:#/")+1:] }

type channelReport struct {
	Name      string   `json:"name"`
	Status    string   `json:"status"`
	Hits      int      `json:"hits"`
	TookMS    float64  `json:"took_ms"`
	Error     string   `json:"error"`
	Covered   *float64 `json:"covered"`
	Dropped   int      `json:"dropped"`
	Why       string   `json:"why"`
	Note      string   `json:"note"`
	AlsoAsked []string `json:"also_asked"`
}

type stage struct {
	Name   string  `json:"name"`
	TookMS float64 `json:"took_ms"`
}

type answer struct {
	ID         string          `json:"id"`
	Query      string          `json:"query"`
	Class      string          `json:"class"`
	Root       string          `json:"root"`
	Revision   string          `json:"revision"`
	Generation uint64          `json:"generation"`
	ConfigHash string          `json:"config_hash"`
	TookMS     float64         `json:"took_ms"`
	Stages     []stage         `json:"stages"`
	Channels   []channelReport `json:"channels"`
	Results    []hit           `json:"results"`
	Coverage   struct {
		FilesIndexed int    `json:"files_indexed"`
		FilesSkipped int    `json:"files_skipped"`
		FilesInScope int    `json:"files_in_scope"`
		Stale        bool   `json:"stale"`
		StaleReason  string `json:"stale_reason"`
	} `json:"coverage"`
	Notes []string `json:"notes"`
	Error *struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
	} `json:"error"`
	run outcome
}

func (a answer) String() string {
	out := fmt.Sprintf("%.80q, %d results, coverage %+v, notes %q", a.Query, len(a.Results), a.Coverage, a.Notes)
	for _, c := range a.Channels {
		out += fmt.Sprintf("\n  channel %s: %s, %d hits %s", c.Name, c.Status, c.Hits, c.Error)
	}
	for _, h := range a.Results[:min(len(a.Results), 12)] {
		out += fmt.Sprintf("\n  %d. %.4f %v", h.Rank, h.Score, h)
	}
	return out
}

// paths lists the paths of the results in order.
func (a answer) paths() []string {
	out := []string{}
	for _, h := range a.Results {
		out = append(out, h.Path)
	}
	return out
}

type indexSummary struct {
	Root       string         `json:"root"`
	IndexDir   string         `json:"index_dir"`
	Files      int            `json:"files"`
	Chunks     int            `json:"chunks"`
	Symbols    int            `json:"symbols"`
	Skipped    map[string]int `json:"skipped"`
	Masked     int            `json:"masked"`
	Bytes      int64          `json:"bytes"`
	Seconds    float64        `json:"seconds"`
	IndexBytes int64          `json:"index_bytes"`
	Changed    int            `json:"changed"`
	Generation uint64         `json:"generation"`
	Notes      []string       `json:"notes"`
	run        outcome
}

type fileState struct {
	Path   string `json:"path"`
	State  string `json:"state"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
	Size   int64  `json:"size"`
	Limit  int64  `json:"limit"`
	Lang   string `json:"lang"`
	Parse  string `json:"parse"`
}

type statusReport struct {
	Root            string   `json:"root"`
	IndexDir        string   `json:"index_dir"`
	State           string   `json:"state"`
	IndexedRevision string   `json:"indexed_revision"`
	LiveRevision    string   `json:"live_revision"`
	Dirty           []string `json:"dirty"`
	DirtyCount      int      `json:"dirty_count"`
	AgeS            float64  `json:"age_s"`
	Format          int      `json:"format"`
	Generation      uint64   `json:"generation"`
	Files           int      `json:"files"`
	Skipped         int      `json:"skipped"`
	Chunks          int      `json:"chunks"`
	Symbols         int      `json:"symbols"`
	IndexBytes      int64    `json:"index_bytes"`
	Channels        []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
		Items  int    `json:"items"`
		Bytes  int64  `json:"bytes"`
		Gate   []struct {
			Class    string `json:"class"`
			On       bool   `json:"on"`
			Decision string `json:"decision"`
			Source   string `json:"source"`
			Why      string `json:"why"`
		} `json:"gate"`
	} `json:"channels"`
	Languages []struct {
		Lang    string         `json:"lang"`
		Files   int            `json:"files"`
		Bytes   int64          `json:"bytes"`
		Symbols int            `json:"symbols"`
		Parser  string         `json:"parser"`
		States  map[string]int `json:"states"`
	} `json:"languages"`
	History struct {
		State    string  `json:"state"`
		Revision string  `json:"revision"`
		Commits  int     `json:"commits"`
		Covered  float64 `json:"covered"`
		Shallow  bool    `json:"shallow"`
		Bytes    int64   `json:"bytes"`
		Reason   string  `json:"reason"`
	} `json:"history"`
	Notes []string `json:"notes"`
}

type setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// The closed sets of the contract.
var (
	channelStatuses = strings.Fields("ok empty off timeout error no_vectors partial unreachable model_missing model_changed")
	resultKinds     = strings.Fields(`block class constant enum field function group header interface macro method module rule section struct text trait
		type variable`)
	skipReasons = strings.Fields(`binary too_large minified generated lock credential symlink submodule nested_repository nested_worktree unreadable vanished
		irregular agenvantageignore index_folder unrepresentable`)
)

// decodeOne decodes text as exactly one JSON document whose fields are all known.
func decodeOne(text string, into any) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("not valid UTF-8: %.200q", text)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("not the documented JSON: %w: %.200q", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one JSON document: %.200q", text)
	}
	return nil
}

// checkAnswer holds one answer to the contract. It may be called from any goroutine.
func (tl *tool) checkAnswer(a answer, topK int) error {
	if a.Results == nil || a.Channels == nil {
		return fmt.Errorf("results or channels is null: %v", a)
	}
	if want, err := filepath.EvalSymlinks(tl.root); err == nil && a.Root != want {
		return fmt.Errorf("root is %q, want %q", a.Root, want)
	}
	if len(a.Results) > topK {
		return fmt.Errorf("%d results for a limit of %d", len(a.Results), topK)
	}
	for _, c := range a.Channels {
		if !slices.Contains(channelStatuses, c.Status) || c.Error != "" && slices.Contains([]string{"ok", "empty", "off"}, c.Status) {
			return fmt.Errorf("channel report %+v", c)
		}
		if (c.Status == "ok") != (c.Hits > 0) && c.Status != "partial" && c.Status != "timeout" {
			return fmt.Errorf("channel %s is %s with %d hits", c.Name, c.Status, c.Hits)
		}
	}
	for i, h := range a.Results {
		if err := tl.checkHit(h); err != nil {
			return fmt.Errorf("result %d of %v: %w", i+1, a, err)
		}
		if h.Rank != i+1 {
			return fmt.Errorf("rank %d at place %d: %v", h.Rank, i+1, a)
		}
		if i > 0 && h.Score > a.Results[i-1].Score {
			return fmt.Errorf("scores rise at rank %d: %v", h.Rank, a)
		}
		for _, before := range a.Results[:i] {
			if before.Path == h.Path && before.Start <= h.End && h.Start <= before.End && !nested(before, h) {
				return fmt.Errorf("a line is shown twice, by %v and %v: %v", before, h, a)
			}
		}
	}
	return nil
}

// nested reports whether one of two results is a symbol inside the symbol of the other.
func nested(a, b hit) bool {
	inside := a.Start <= b.Start && b.End <= a.End || b.Start <= a.Start && a.End <= b.End
	return inside && a.Symbol != "" && b.Symbol != "" && a.Symbol != b.Symbol
}

func (tl *tool) checkHit(h hit) error {
	switch {
	case h.Path == "" || strings.HasPrefix(h.Path, "/") || slices.Contains(strings.Split(h.Path, "/"), ".."):
		return fmt.Errorf("path %q is not relative to the root", h.Path)
	case h.Start < 1 || h.End < h.Start:
		return fmt.Errorf("lines %d-%d", h.Start, h.End)
	case math.IsNaN(h.Score) || math.IsInf(h.Score, 0):
		return fmt.Errorf("score %v", h.Score)
	case !slices.Contains(resultKinds, h.Kind):
		return fmt.Errorf("kind %q", h.Kind)
	case len(h.Channels) == 0:
		return fmt.Errorf("no channel found it")
	}
	sum := 0.0
	for _, p := range h.Parts {
		sum += p.Value
	}
	if math.Abs(sum-h.Score) > 1e-9 {
		return fmt.Errorf("parts %v sum to %v, the score is %v", h.Parts, sum, h.Score)
	}
	for name, c := range h.Channels {
		if c.Rank < 1 || math.IsNaN(c.Score) || math.IsInf(c.Score, 0) {
			return fmt.Errorf("channel %s: %+v", name, c)
		}
	}
	if h.Stale || tl.altered[h.Path] || strings.HasSuffix(h.Path, ".ipynb") {
		return nil
	}
	want, ok := diskLines(filepath.Join(tl.root, h.Path), h.Start, h.End)
	if !ok {
		return nil
	}
	if got := strings.Split(h.Text, "\n"); len(got) != h.End-h.Start+1 {
		return fmt.Errorf("%d lines of text: %.300q", len(got), h.Text)
	}
	if !h.Shortened && h.Text != want {
		return fmt.Errorf("text is\n%.600q\nthe file has\n%.600q", h.Text, want)
	}
	return nil
}

// diskLines reads lines of a file as an editor would count them; not ok when its bytes are in an encoding that needs
// guessing, or the file is gone.
func diskLines(path string, start, end int) (string, bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	text := decodeUTF16(raw)
	text = strings.TrimPrefix(text, "\uFEFF")
	if !utf8.ValidString(text) {
		return "", false
	}
	all := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if end > len(all) {
		return fmt.Sprintf("only %d lines", len(all)), true
	}
	return strings.Join(all[start-1:end], "\n"), true
}

// decodeUTF16 decodes text with a UTF-16 byte-order mark and returns any other as it stands.
func decodeUTF16(raw []byte) string {
	little := bytes.HasPrefix(raw, []byte{0xff, 0xfe})
	if !little && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}) {
		return string(raw)
	}
	var units []uint16
	for i := 2; i+1 < len(raw); i += 2 {
		if little {
			units = append(units, uint16(raw[i])|uint16(raw[i+1])<<8)
		} else {
			units = append(units, uint16(raw[i+1])|uint16(raw[i])<<8)
		}
	}
	return string(utf16.Decode(units))
}

// checkFiles holds a file table to the contract: sorted, each path once, closed sets.
func checkFiles(t *testing.T, all []fileState) {
	t.Helper()
	for i, f := range all {
		switch {
		case f.State != "indexed" && f.State != "skipped":
			t.Errorf("%q: state %q", f.Path, f.State)
		case f.State == "skipped" && !slices.Contains(skipReasons, f.Reason):
			t.Errorf("%q: reason %q", f.Path, f.Reason)
		case f.State == "indexed" && f.Reason != "":
			t.Errorf("%q: indexed with reason %q", f.Path, f.Reason)
		case i > 0 && all[i-1].Path >= f.Path && utf8.ValidString(f.Path) && !strings.Contains(f.Path+all[i-1].Path, "\uFFFD"):
			t.Errorf("%q after %q", f.Path, all[i-1].Path)
		}
	}
}
