package configs

import (
	"fmt"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// Fault is one setting that cannot be used as given. It never holds the value of a secret.
type Fault struct {
	File    string // "" when the setting is not from a file
	Line    int    // 1-based, 0 when not from a file
	Place   string // "AGENVANTAGE_FUSION_K" or "command line" when not from a file
	Key     string // dotted, "" when the file as a whole cannot be read
	Message string
}

// Error is one line: "FILE:LINE: message" or "PLACE: message".
func (f *Fault) Error() string {
	switch {
	case f.File == "":
		return f.Place + ": " + f.Message
	case f.Line == 0:
		return f.File + ": " + f.Message
	default:
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
}

// Unwrap makes every fault an agenvantage.ErrBadInput.
func (f *Fault) Unwrap() error { return agenvantage.ErrBadInput }

// Faults are all faults of one load, lowest layer first and by line within a file.
type Faults []*Fault

// Error shows the first fault and says how many others there are.
func (fs Faults) Error() string {
	if len(fs) == 1 {
		return fs[0].Error()
	}
	return fmt.Sprintf("%s (and %d more like it)", fs[0].Error(), len(fs)-1)
}

// Unwrap gives the faults one by one.
func (fs Faults) Unwrap() []error {
	out := make([]error, len(fs))
	for i, f := range fs {
		out[i] = f
	}
	return out
}

// Warning is something in a layer that does not count.
type Warning struct {
	File    string // "" when not from a file
	Line    int
	Key     string // dotted key, or the name of a variable
	Message string
}

// String is one line, with the place before the message.
func (w Warning) String() string {
	if w.File == "" {
		return w.Message
	}
	if w.Line == 0 {
		return w.File + ": " + w.Message
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Message)
}

// nearest is the known name that is most like name: an edit distance where a swap of two neighbours is one step. Among
// equals a name with the same last word wins, then the first by name.
func nearest(name string, known []string) string {
	best, bestCost := "", 1<<30
	for _, k := range known {
		cost := 2 * distance(strings.ToLower(name), k)
		if last(k) == last(name) {
			cost = min(cost, 3)
		} else if c := 2*distance(strings.ToLower(last(name)), last(k)) + 3; c < cost {
			cost = c
		}
		if cost < bestCost {
			best, bestCost = k, cost
		}
	}
	return best
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// distance is the edit distance of a and b, of which the first 100 bytes count.
func distance(a, b string) int {
	a, b = a[:min(len(a), 100)], b[:min(len(b), 100)]
	return analysis.EditDistance(a, b, max(len(a), len(b)))
}
