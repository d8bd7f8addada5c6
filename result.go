package agenvantage

import (
	"cmp"
	"fmt"
	"slices"
)

// Hit is one entry of a channel's ranked list. File is the rank of the file's path among the paths of the view, sorted
// by bytes, so that ordering by File is ordering by path.
type Hit struct {
	File   uint32
	Chunk  int // index of the chunk in its file, -1 when the hit is a span that is no chunk
	Symbol int // index of the symbol in its file that the query names, -1 when the hit is its chunk
	Span   Span
	Score  float64 // the channel's own; larger is better
	Reason string  // one phrase for --explain: "definition", "path", "literal"
}

// Less is the total order of hits inside a channel: score descending, then path, start line, end line, symbol.
func (h Hit) Less(o Hit) bool { return CompareHits(h, o) < 0 }

// CompareHits compares by score descending, then path, start line, end line descending (a parent before its child), symbol.
func CompareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File), cmp.Compare(a.Span.StartLine, b.Span.StartLine),
		cmp.Compare(b.Span.EndLine, a.Span.EndLine), cmp.Compare(a.Symbol, b.Symbol))
}

// ChannelStatus is the state of one channel in one answer.
type ChannelStatus string

// The states.
const (
	StatusOK           ChannelStatus = "ok"
	StatusEmpty        ChannelStatus = "empty" // ran and found nothing
	StatusOff          ChannelStatus = "off"   // not asked for, or not on by default
	StatusTimeout      ChannelStatus = "timeout"
	StatusError        ChannelStatus = "error"
	StatusPartial      ChannelStatus = "partial" // Covered says how much was looked at
	StatusNoVectors    ChannelStatus = "no_vectors"
	StatusUnreachable  ChannelStatus = "unreachable"
	StatusModelMissing ChannelStatus = "model_missing"
	StatusModelChanged ChannelStatus = "model_changed"
)

// Failure says why a channel that was asked could not look, or not at everything, as in "semantic: no_vectors: …"; "" where it could, and where the
// gate has it off.
func (r ChannelReport) Failure() string {
	switch r.Status {
	case StatusOK, StatusEmpty:
		return ""
	case StatusOff:
		if r.Error == "" {
			return ""
		}
	}
	switch {
	case r.Error != "":
		return fmt.Sprintf("%s: %s: %s", r.Name, r.Status, r.Error)
	case r.Status == StatusPartial:
		return fmt.Sprintf("%s: %s: not everything that may match was looked at", r.Name, r.Status)
	}
	return fmt.Sprintf("%s: %s", r.Name, r.Status)
}

// Blind lists the failures of the channels that were asked, where none of them could look: then nothing that was not found is known to be absent.
func Blind(reports []ChannelReport) (failures []string) {
	for _, r := range reports {
		failure := r.Failure()
		if failure == "" && r.Status != StatusOff || r.Status == StatusPartial {
			return nil
		}
		if failure != "" {
			failures = append(failures, failure)
		}
	}
	return failures
}

// Remarks are the notes of a channel without which there are no results, as in "semantic: …": where another channel has a hit too, it speaks for them.
func Remarks(reports []ChannelReport) (remarks []string) {
	for _, r := range reports {
		if r.Note != "" && r.Hits > 0 && !slices.ContainsFunc(reports, func(o ChannelReport) bool { return o.Hits > 0 && o.Name != r.Name }) {
			remarks = append(remarks, r.Name+": "+r.Note)
		}
	}
	return remarks
}

// ChannelReport is what one channel did for one query.
type ChannelReport struct {
	Name    string        `json:"name"`
	Status  ChannelStatus `json:"status"`
	Hits    int           `json:"hits"`
	TookMS  float64       `json:"took_ms,omitempty"` // only where timings are asked for
	Error   string        `json:"error,omitempty"`
	Covered *float64      `json:"covered,omitempty"` // 0..1, where Status is partial
	Dropped int           `json:"dropped,omitempty"` // candidates beyond the length of the list
	Why     string        `json:"why,omitempty"`     // why the gate has the channel on or off, where it was asked
	Note    string        `json:"note,omitempty"`    // what a reader of its hits must know, though nothing is wrong

	// AlsoAsked are the words that it asked for beside those of the question, each as "remove for delete": other forms, synonyms, and near
	// words of a model, in the order of the question. What no chunk holds is left out, and so are other forms of a word that many chunks hold:
	// they are not asked for.
	AlsoAsked []string `json:"also_asked,omitempty"`
}

// ChannelRank is the place that a channel gave to a result.
type ChannelRank struct {
	Rank   int     `json:"rank"` // 1-based
	Score  float64 `json:"score"`
	Share  float64 `json:"share"` // what the channel added to the fused score
	Reason string  `json:"reason,omitempty"`
}

// Part is a named part of a result's score. The parts of a result sum to its score.
type Part struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Candidate is a span that one or more channels returned, before and after fusion and reranking.
type Candidate struct {
	File     uint32
	Chunk    int // -1 when the span is no chunk
	Symbol   int // -1 when the span is a chunk
	Span     Span
	Score    float64
	Channels map[string]ChannelRank
	Parts    []Part
}

// CompareCandidates is the one total order of results: score descending, then path, start line, end line descending, symbol.
func CompareCandidates(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File), cmp.Compare(a.Span.StartLine, b.Span.StartLine),
		cmp.Compare(b.Span.EndLine, a.Span.EndLine), cmp.Compare(a.Symbol, b.Symbol))
}

// Result is one span of the answer, ready to be shown.
type Result struct {
	Rank       int                    `json:"rank"` // 1-based
	Place      int                    `json:"-"`    // in the whole ranking, 0-based, those counted whose file is gone
	Path       string                 `json:"path"`
	StartLine  int                    `json:"start_line"`
	EndLine    int                    `json:"end_line"`
	Lang       string                 `json:"lang"`
	Kind       SymbolKind             `json:"kind"`
	Symbol     string                 `json:"symbol"` // qualified name, "" when the span is no symbol
	Signature  string                 `json:"signature,omitempty"`
	Doc        string                 `json:"doc,omitempty"`
	Score      float64                `json:"score"`
	Channels   map[string]ChannelRank `json:"channels"`
	Parts      []Part                 `json:"parts"`
	MoreInFile int                    `json:"more_in_file,omitempty"` // spans of this file that were held back
	Also       []Copy                 `json:"also,omitempty"`         // what has nearly this text and is not shown for it, in the order of the ranking
	Shortened  bool                   `json:"shortened,omitempty"`    // a line longer than the limit was cut around the hit
	Stale      bool                   `json:"stale,omitempty"`        // the file on disk differs from the indexed text
	Text       string                 `json:"text"`
}

// Copy is a span that is not shown since a better one has its text, or nearly.
type Copy struct {
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
	Alike     float64 `json:"alike"` // 1: the same lines but for white space at their ends and a common indentation; below: the share of runs of five words and signs that both have
}

// Coverage says how much was looked at, so that an empty answer can be judged.
type Coverage struct {
	FilesIndexed int    `json:"files_indexed"`
	FilesSkipped int    `json:"files_skipped"`
	FilesInScope int    `json:"files_in_scope"` // after path and language filters
	Stale        bool   `json:"stale"`
	StaleReason  string `json:"stale_reason,omitempty"`
}

// Response is the answer to one search: the documented contract of `search --json`.
type Response struct {
	ID         string          `json:"id,omitempty"` // echoed in batches
	Query      string          `json:"query"`
	Class      QueryClass      `json:"class"`
	Root       string          `json:"root"`
	Revision   string          `json:"revision"` // indexed revision, "" without a repository or commits
	Generation uint64          `json:"generation"`
	ConfigHash string          `json:"config_hash"`       // of the settings that decide what is answered; how much one request asks for is no part of it
	TookMS     float64         `json:"took_ms,omitempty"` // only where timings are asked for: the same question gives the same bytes
	Stages     []StageTime     `json:"stages,omitempty"`  // of took_ms, in the order of the flow; only where timings are asked for
	Channels   []ChannelReport `json:"channels"`
	Results    []Result        `json:"results"`
	Coverage   Coverage        `json:"coverage"`
	Next       string          `json:"next,omitempty"`  // of a server's answer that is not all: the cursor that goes on
	Notes      []string        `json:"notes,omitempty"` // "no indexed file matches --path nowhere/**"
	Error      *ErrorBody      `json:"error,omitempty"` // in batches: this query could not be answered
}

// StageTime is how long one stage of a search took. The channels run side by side and are one stage.
type StageTime struct {
	Name   string  `json:"name"` // plan, channels, fusion, files, rerank or hydrate
	TookMS float64 `json:"took_ms"`
}

// ErrorBody is an error as data.
type ErrorBody struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Stale   string `json:"stale,omitempty"` // why the index that the error rests on is behind the tree: what is denied may be there
}

// WithoutTimings is the response without what a clock said.
func (r Response) WithoutTimings() Response {
	r.TookMS, r.Stages = 0, nil
	r.Channels = slices.Clone(r.Channels)
	for i := range r.Channels {
		r.Channels[i].TookMS = 0
	}
	return r
}
