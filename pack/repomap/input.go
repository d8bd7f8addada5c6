package repomap

import (
	"fmt"

	"agenvantage"
)

// Budgets in tokens. Below MinBudget not even the lines about the repository as a whole fit.
const (
	DefaultBudget = 1500
	MinBudget     = 50
	MaxBudget     = 100_000
)

// Input is what is known of a repository, or of a part of it. The order of every list is the order of the map; Value says
// what comes first when the budget does not hold all.
type Input struct {
	Scope string // folder or file that the map is of, "" for the whole repository
	Task  string // what the reader is about to do, "" when nothing is known

	Name      string // as the manifest or the README gives it, "" when neither does
	About     Fact   // the sentence that says what the repository is; the zero Fact when none is found
	Files     int
	Lines     int
	Languages []Language // most lines first

	Generated, Vendored int // files whose symbols are left out

	Instructions []Fact // files that tell people and agents what to do here
	Commands     []Fact // how it is built and tested, as its own files state it
	EntryPoints  []Fact
	Modules      []Module
	Neighbours   []Neighbour // modules outside of Scope
	Tests        []TestFolder
	Landmarks    []Fact // those of one Kind follow each other

	Budget int              // in tokens
	Count  func(string) int // tokens of a text
}

// Language is a share of the files.
type Language struct {
	Lang  string `json:"lang"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// Fact is a place that is worth knowing, with what stands there.
type Fact struct {
	Kind  string  `json:"kind"`
	Path  string  `json:"path"` // a folder's ends in "/"
	Line  int     `json:"line,omitempty"`
	Text  string  `json:"text,omitempty"`  // what stands there, on one line
	Count int     `json:"count,omitempty"` // of things of the kind there
	Value float64 `json:"-"`               // 0 to 1: how much a newcomer wants it, beside others of its section
}

// Module is a folder with code.
type Module struct {
	Path      string     // "." for the root
	Files     int        // of code, tests left out
	Lines     int        // of those
	Languages []string   // most lines first
	Purpose   Fact       // sentence about the folder; the zero Fact when none is found
	Public    int        // symbols that others may use
	Symbols   []Symbol   // those that may be shown, most central first
	Uses      []Relation // modules that it refers to, most references first
	Value     float64    // 0 to 1: centrality, or relevance to the task
}

// Symbol is a definition that others use.
type Symbol struct {
	Name      string
	Kind      agenvantage.SymbolKind
	Signature string
	Path      string
	Line      int
	Value     float64 // 0 to 1, beside all symbols of the map
}

// Relation is what one module has to do with another.
type Relation struct {
	Path       string `json:"path"`
	References int    `json:"references"`
}

// Neighbour is a module outside of the scope that refers to it or is referred to from it.
type Neighbour struct {
	Path   string `json:"path"`
	Uses   int    `json:"uses"`    // references from it into the scope
	UsedBy int    `json:"used_by"` // references from the scope to it
}

// TestFolder is a folder with tests.
type TestFolder struct {
	Path      string     `json:"path"`
	Files     int        `json:"files"`
	Lines     int        `json:"lines"`
	Languages []string   `json:"languages"`
	Tests     []Relation `json:"tests"` // modules that they exercise, most references first
	Value     float64    `json:"-"`
}

// Validate reports what Build cannot work with: an error wrapping agenvantage.ErrBadInput.
func (in *Input) Validate() error {
	switch {
	case in.Budget < MinBudget || in.Budget > MaxBudget:
		return fmt.Errorf("%w: budget is %d tokens, want %d to %d", agenvantage.ErrBadInput, in.Budget, MinBudget, MaxBudget)
	case in.Count == nil:
		return fmt.Errorf("%w: nothing counts tokens", agenvantage.ErrBadInput)
	}
	return nil
}
