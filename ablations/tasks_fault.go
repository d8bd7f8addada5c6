package ablations

import (
	"fmt"
	"strings"

	"agenvantage"
)

// maxFaultsShown is how many faults an error of a task set spells out: a screen of them.
const maxFaultsShown = 20

// TaskFault is one thing in a task set that cannot be used as given.
type TaskFault struct {
	Place   string // "FILE:LINE" of the task's first line, or FILE
	Message string
}

// Error is one line: "PLACE: message".
func (f *TaskFault) Error() string {
	if f.Place == "" {
		return f.Message
	}
	return f.Place + ": " + f.Message
}

// Unwrap makes every fault an agenvantage.ErrBadInput.
func (f *TaskFault) Unwrap() error { return agenvantage.ErrBadInput }

// TaskFaults are all faults of a task set, in the order of its files and lines.
type TaskFaults []*TaskFault

// Error shows the first twenty faults, one a line, and says how many others there are.
func (fs TaskFaults) Error() string {
	lines := make([]string, 0, maxFaultsShown+1)
	for i, f := range fs {
		if i == maxFaultsShown {
			lines = append(lines, fmt.Sprintf("and %d more", len(fs)-i))
			break
		}
		lines = append(lines, f.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the faults one by one.
func (fs TaskFaults) Unwrap() []error {
	out := make([]error, len(fs))
	for i, f := range fs {
		out[i] = f
	}
	return out
}

// faultFunc notes a fault at a place that is fixed.
type faultFunc func(format string, args ...any)

func faultsOf(faults *TaskFaults, place string) faultFunc {
	return func(format string, args ...any) {
		*faults = append(*faults, &TaskFault{Place: place, Message: fmt.Sprintf(format, args...)})
	}
}

// clip cuts s to at most n bytes at the start of a character and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
