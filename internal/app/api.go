package app

import (
	"time"

	"agenvantage"
	"agenvantage/ablations"
)

// SearchRequest is one search as a front end asks for it. Zero values mean the configured default.
type SearchRequest struct {
	ID        string
	Query     string
	Regex     bool     // the whole query is a regular expression
	Channels  []string // nil or ["auto"] means the configured default
	Like      string   // instead of a query: a place, or a symbol, that results are to be like by their stored vectors
	TopK      int
	Offset    int                // places of the ranking to pass over (agenvantage.Result.Place)
	Filter    agenvantage.Filter // Langs may be aliases; unknown channels, languages and kinds are ErrBadInput
	NoRefresh bool
	SameIndex bool // leave the index as it is, as NoRefresh does, but make what vectors of it the question needs
}

// ProgressPhase is a stage of an index run.
type ProgressPhase string

// The phases of an index run, in order.
const (
	PhaseScan  ProgressPhase = "scan"
	PhaseIndex ProgressPhase = "index"
	PhaseLink  ProgressPhase = "link" // files whose references are resolved
	PhaseMerge ProgressPhase = "merge"
	PhaseWait  ProgressPhase = "wait" // for another writer; Note names it
	// PhaseHistory comes last: DoneFiles and TotalFiles count commits.
	PhaseHistory ProgressPhase = "history"
	// PhaseAnswer is of an ablation: DoneFiles and TotalFiles count answers, Note says what is done beside.
	PhaseAnswer ProgressPhase = "answer"
	PhaseMine   ProgressPhase = "mine" // Note says how far it is
)

// Progress is told now and then during an index run. Total is 0 while it is unknown.
type Progress struct {
	Phase      ProgressPhase
	DoneFiles  int
	TotalFiles int
	DoneBytes  int64
	TotalBytes int64
	Note       string
}

// IndexSummary is what an index run did: the contract of `index --json`.
type IndexSummary struct {
	Root       string                         `json:"root"`
	IndexDir   string                         `json:"index_dir"`
	Files      int                            `json:"files"`
	Chunks     int                            `json:"chunks"`
	Symbols    int                            `json:"symbols"`
	Skipped    map[agenvantage.SkipReason]int `json:"skipped"`
	Masked     int                            `json:"masked"`
	Bytes      int64                          `json:"bytes"`
	Seconds    float64                        `json:"seconds"`
	IndexBytes int64                          `json:"index_bytes"`
	Changed    int                            `json:"changed"` // files added, changed or removed by this run
	Generation uint64                         `json:"generation"`
	Revision   string                         `json:"-"`               // commit of the tree, "" without one
	Notes      []string                       `json:"notes,omitempty"` // "index of format 1 rebuilt as format 2"
}

// LanguageStatus is the share of one language in the index.
type LanguageStatus struct {
	Lang    string                         `json:"lang"`
	Files   int                            `json:"files"`
	Bytes   int64                          `json:"bytes"`
	Symbols int                            `json:"symbols"`
	Parser  string                         `json:"parser"` // grammar, patterns, text
	States  map[agenvantage.ParseState]int `json:"states"` // files by how far they were understood
}

// ChannelStatus is a channel's part of the index.
type ChannelStatus struct {
	Name   string                    `json:"name"`
	Status agenvantage.ChannelStatus `json:"status"`
	Items  int                       `json:"items"` // documents or symbols
	Bytes  int64                     `json:"bytes"`
	Gate   []GateStatus              `json:"gate"` // for each class of questions; empty for the channels that are always on
}

// GateStatus says whether --channels auto asks a channel for a class of questions, and why.
type GateStatus struct {
	Class    ablations.Class    `json:"class"`
	On       bool               `json:"on"`
	Decision ablations.Decision `json:"decision"`
	Source   string             `json:"source"` // shipped, local, "" when no verdict speaks of the channel
	Why      string             `json:"why"`
}

// Status is the contract of `status --json`. State is one of ready, stale, incomplete, absent.
type Status struct {
	Root            string           `json:"root"`
	IndexDir        string           `json:"index_dir"`
	State           string           `json:"state"`
	IndexedRevision string           `json:"indexed_revision"`
	LiveRevision    string           `json:"live_revision"`
	Dirty           []string         `json:"dirty"` // paths that an update would touch, at most 100
	DirtyCount      int              `json:"dirty_count"`
	AgeS            float64          `json:"age_s"`
	Format          int              `json:"format"`
	Generation      uint64           `json:"generation"`
	Files           int              `json:"files"`
	Skipped         int              `json:"skipped"`
	Chunks          int              `json:"chunks"`
	Symbols         int              `json:"symbols"`
	IndexBytes      int64            `json:"index_bytes"`
	Channels        []ChannelStatus  `json:"channels"`
	Languages       []LanguageStatus `json:"languages"`
	History         HistoryStatus    `json:"history"`
	Notes           []string         `json:"notes,omitempty"`
}

// HistoryState says how much of the history of commits is stored. The set is closed.
type HistoryState string

// The states.
const (
	HistoryReady   HistoryState = "ready"
	HistoryPartial HistoryState = "partial" // Covered and Reason say how much and why
	HistoryAbsent  HistoryState = "absent"  // nothing is stored yet
	HistoryNone    HistoryState = "none"    // there is nothing to store: Reason says why
	HistoryDamaged HistoryState = "damaged" // the next index run makes it anew
)

// HistoryStatus is the stored history of commits.
type HistoryStatus struct {
	State    HistoryState `json:"state"`
	Revision string       `json:"revision"` // newest commit that is stored of the indexed revision's history
	Commits  int          `json:"commits"`  // without merges
	Covered  float64      `json:"covered"`  // share of the history that is stored, 0 to 1; an upper bound in a shallow clone
	Shallow  bool         `json:"shallow"`  // the clone ends before the first commit
	Bytes    int64        `json:"bytes"`
	Reason   string       `json:"reason,omitempty"`
}

// channelStatus is the state of the channel that reads it.
func (s HistoryStatus) channelStatus() agenvantage.ChannelStatus {
	switch s.State {
	case HistoryReady:
		return agenvantage.StatusOK
	case HistoryPartial, HistoryAbsent:
		return agenvantage.StatusPartial
	case HistoryNone:
		return agenvantage.StatusOff
	}
	return agenvantage.StatusError
}

// FileStatus is one entry of `files --json`.
type FileStatus struct {
	Path   string                 `json:"path"`
	State  string                 `json:"state"` // indexed, skipped
	Reason agenvantage.SkipReason `json:"reason,omitempty"`
	Detail string                 `json:"detail,omitempty"`
	Size   int64                  `json:"size"`
	Limit  int64                  `json:"limit,omitempty"`
	Lang   string                 `json:"lang,omitempty"`
	Parse  agenvantage.ParseState `json:"parse,omitempty"`
}

// CleanSummary is what `clean` removed.
type CleanSummary struct {
	IndexDir string        `json:"index_dir"`
	Removed  bool          `json:"removed"`
	Bytes    int64         `json:"bytes"`
	Took     time.Duration `json:"-"`
}
