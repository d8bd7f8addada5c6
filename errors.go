package agenvantage

import (
	"errors"
	"fmt"
)

// Errors that callers branch on with errors.Is.
var (
	// ErrBadInput marks an argument, a flag, a config value or a query that cannot be used as given.
	ErrBadInput = errors.New("bad input")
	// ErrNoIndex means that no generation of an index exists yet.
	ErrNoIndex = errors.New("no index")
	// ErrIncomplete means that a first build was begun and never finished.
	ErrIncomplete = errors.New("index incomplete")
	// ErrBusy means that another process is writing the index.
	ErrBusy = errors.New("another index run is active")
	// ErrNothingSelected means that every candidate file was left out; the text names the deciding rule.
	ErrNothingSelected = errors.New("no file selected")
	// ErrNotWritable means that the index folder cannot be written.
	ErrNotWritable = errors.New("index folder not writable")
	// ErrRootGone means that the folder of the repository was removed, moved or replaced after it was opened.
	ErrRootGone = errors.New("repository folder is gone")
)

// StaleError is an error that rests on an index which is behind the tree, or may be: what it denies may be there by now. Unwrap gives
// the denial, so that its kind stays.
type StaleError struct {
	Err    error
	Reason string // a sentence: "the index is stale: 2 files changed"
}

// Error is the denial with the reason.
func (e *StaleError) Error() string { return fmt.Sprintf("%v; %s", e.Err, e.Reason) }

// Unwrap is the denial.
func (e *StaleError) Unwrap() error { return e.Err }

// BudgetError says that an answer does not come within a budget of tokens however much of it is left out. It wraps ErrBadInput.
type BudgetError struct {
	Budget, Smallest int    // tokens: given, and the least that would do
	What             string // that has to be held: "slots, status and task"
}

// Error names both budgets.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%v: a budget of %d tokens does not hold %s; the smallest that does is %d", ErrBadInput, e.Budget, e.What, e.Smallest)
}

// Unwrap is ErrBadInput.
func (e *BudgetError) Unwrap() error { return ErrBadInput }
