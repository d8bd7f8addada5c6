package app

// ChangesRequest asks what changed a place. Zero values mean the defaults.
type ChangesRequest struct {
	Location  string // PATH (a file or a folder), PATH:LINE, PATH:A-B, or the name of a symbol
	Max       int    // commits; 0 means DefaultMaxCommits
	MaxTokens int    // of the shown commits; 0 means no bound. One commit is always shown.
	Cursor    string // Next of the answer before; "" begins with the newest
	NoRefresh bool
}

// DefaultMaxCommits is how many commits an answer holds when the request does not say.
const DefaultMaxCommits = 20

// CommitInfo is one commit as it is shown.
type CommitInfo struct {
	ID      string `json:"id"`
	Time    string `json:"time"` // when its author wrote it, RFC 3339 in UTC
	Author  string `json:"author"`
	Subject string `json:"subject"`
	Files   int    `json:"files"` // changed by it in the whole repository
}

// AuthorInfo counts the commits of one author.
type AuthorInfo struct {
	Author  string `json:"author"`
	Commits int    `json:"commits"`
	Last    string `json:"last"` // the newest of them, RFC 3339 in UTC
}

// LineSpan is a range of lines, 1-based and inclusive. End is below Start where lines were deleted alone, after line Start.
type LineSpan struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// UncommittedChange is what the work tree changes in one file.
type UncommittedChange struct {
	Path  string     `json:"path"`
	Lines []LineSpan `json:"lines"` // in the numbering of the work tree
}

// CochangeInfo is a file that changes together with another one.
type CochangeInfo struct {
	Path       string  `json:"path"`
	With       string  `json:"with"`       // the file of the question that it goes with most surely
	Support    int     `json:"support"`    // commits that changed both
	Confidence float64 `json:"confidence"` // share of With's commits that changed Path too
	Lift       float64 `json:"lift"`       // Confidence over the share of all commits that changed Path
}

// HistoryCoverage says how much history was looked at.
type HistoryCoverage struct {
	Commits int     `json:"commits"` // seen, without merges
	Covered float64 `json:"covered"` // share of the history
	Shallow bool    `json:"shallow"`
	Reason  string  `json:"reason,omitempty"` // why Covered is below 1
}

// Changes is the contract of `changes-for --json`. Commits come newest first.
type Changes struct {
	Location    string              `json:"location"`
	Path        string              `json:"path"`
	Symbol      string              `json:"symbol,omitempty"`
	StartLine   int                 `json:"start_line,omitempty"` // of the work tree; absent for a whole file or folder
	EndLine     int                 `json:"end_line,omitempty"`
	Revision    string              `json:"revision"`
	Uncommitted []UncommittedChange `json:"uncommitted"`
	LastChange  string              `json:"last_change,omitempty"` // RFC 3339 in UTC
	Total       int                 `json:"total"`                 // commits that changed the place
	Commits     []CommitInfo        `json:"commits"`
	Next        string              `json:"next,omitempty"`    // the cursor for those that follow
	Authors     []AuthorInfo        `json:"authors"`           // most commits first, at most maxAuthors
	Cochanged   []CochangeInfo      `json:"cochanged"`         // surest first, at most maxCochanged
	Deleted     bool                `json:"deleted,omitempty"` // the path is not in the tree: the history is that until it was removed
	// Renamed are the files of the place that the work tree has renamed: their history is that of the old path as well.
	Renamed []RenamedFile `json:"renamed,omitempty"`
	// Candidates are the places that an ambiguous location may mean; then there is nothing else.
	Candidates []NavigationItem `json:"candidates,omitempty"`
	Omitted    int              `json:"omitted,omitempty"` // candidates that are not listed
	Coverage   HistoryCoverage  `json:"coverage"`
	Notes      []string         `json:"notes,omitempty"`
}

// RenamedFile is a file that the work tree has renamed, staged or not.
type RenamedFile struct {
	Path string `json:"path"`
	From string `json:"from"` // what HEAD calls it
}

// CochangeRequest asks what changes together with files.
type CochangeRequest struct {
	Paths      []string
	MinSupport int // commits; 0 means provenance.min_support
	NoRefresh  bool
}

// Cochanges is the contract of `cochange --json`.
type Cochanges struct {
	Paths    []string        `json:"paths"`
	Revision string          `json:"revision"`
	Changed  []ChangedFile   `json:"changed"`  // the files of the question, in their order
	Partners []CochangeInfo  `json:"partners"` // surest first, at most maxPartners
	Missing  []string        `json:"missing"`  // warnings about partners that are likely to be needed
	Coverage HistoryCoverage `json:"coverage"`
	Notes    []string        `json:"notes,omitempty"`
}

// ChangedFile counts the commits of a file.
type ChangedFile struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"`           // those of at most provenance.max_files files
	Deleted bool   `json:"deleted,omitempty"` // it is not in the tree: the history is that until it was removed
}

// Bounds of what is listed.
const (
	maxAuthors   = 10
	maxCochanged = 10
	maxPartners  = 50
)
