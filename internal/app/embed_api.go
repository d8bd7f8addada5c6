package app

import "agenvantage/embed"

// EmbedSet is one set of stored vectors: those of one model, prepared in one way.
type EmbedSet struct {
	Key        string `json:"key"`
	Provider   string `json:"provider"`
	Endpoint   string `json:"endpoint"` // who was last found to give these vectors, "" for what runs in the program
	Model      string `json:"model"`
	Digest     string `json:"digest,omitempty"` // of the model's content, where the provider tells it
	Dimensions int    `json:"dimensions"`
	Parameters string `json:"parameters,omitempty"` // what else a vector depends on: prompts, input types, dimensions that are asked for
	Prefix     int    `json:"prefix"`               // version of what each chunk is preceded by
	Vectors    int    `json:"vectors"`              // of all repositories
	Failures   int    `json:"failures"`
	Queries    int    `json:"queries"` // stored vectors of questions
	Created    string `json:"created"` // RFC 3339
}

// EmbedFailure is one chunk without a vector, and why.
type EmbedFailure struct {
	EmbedPlace
	Reason embed.Reason `json:"reason"`
}

// EmbedPlace is the place of a chunk.
type EmbedPlace struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// EmbedState says how many of the index's chunks have a vector of the configured model.
type EmbedState string

// The states.
const (
	EmbedOff      EmbedState = "off"        // no provider is configured
	EmbedNone     EmbedState = "no_vectors" // of the configured model
	EmbedPartial  EmbedState = "partial"
	EmbedComplete EmbedState = "complete" // every chunk has one
)

// EmbedCounts count the chunks of the index, each place of a text by itself. Total is the sum of the others and the failed ones.
type EmbedCounts struct {
	Total   int            `json:"total"`
	Done    int            `json:"done"`             // have a vector
	Missing int            `json:"missing"`          // embed run would send them
	Denied  int            `json:"denied,omitempty"` // the path policy keeps them here
	Failed  []EmbedFailure `json:"failed"`           // by path and line
}

// EmbedStatus is the contract of `embed status --json`. Nothing is asked of a service for it.
type EmbedStatus struct {
	State      EmbedState `json:"state"`
	Provider   string     `json:"provider"`
	Model      string     `json:"model"`
	Generation uint64     `json:"generation"` // of the index that is counted
	EmbedCounts
	Set        *EmbedSet  `json:"set,omitempty"` // that belongs to the settings
	Others     []EmbedSet `json:"other_sets"`    // in the store, of other models or repositories
	Store      string     `json:"store"`         // file of the vectors, "" while there is none
	StoreBytes int64      `json:"store_bytes"`
	Running    string     `json:"running,omitempty"`  // the process that is embedding now
	Log        string     `json:"log,omitempty"`      // of the last run in the background
	LogTail    string     `json:"log_tail,omitempty"` // its last line, or its error
	Notes      []string   `json:"notes,omitempty"`
}

// EmbedSummary is the contract of `embed run --json`.
type EmbedSummary struct {
	Set EmbedSet `json:"set"`
	EmbedCounts
	Texts       int          `json:"texts"`    // different ones: chunks that say the same share one
	Cached      int          `json:"cached"`   // of them had a vector before
	Embedded    int          `json:"embedded"` // have one now
	Refused     int          `json:"refused"`  // in this run; status lists them
	Split       []EmbedPlace `json:"split"`    // were too long for the model in this run: the mean of their parts stands for them, by path and line
	Known       int          `json:"known"`    // refused before, and not sent again without --retry-failed
	Requests    int          `json:"requests"`
	Tokens      int64        `json:"tokens"`      // sent, estimated
	Bytes       int64        `json:"bytes"`       // sent
	Paid        int          `json:"paid"`        // texts that may be on the bill without a vector to show for it
	Interrupted int          `json:"interrupted"` // the same of earlier runs that were killed, found now
	Store       string       `json:"store"`
	Seconds     float64      `json:"seconds"`
	Notes       []string     `json:"notes,omitempty"`
}

// EmbedPlan is the contract of `embed plan --json`: what a run would send where. Nothing was sent to find it out.
type EmbedPlan struct {
	Provider string `json:"provider"`
	Endpoint string `json:"endpoint"` // "" for what runs in the program
	Model    string `json:"model"`
	Hosted   bool   `json:"hosted"` // text would leave this machine
	// HostedUnknown: the service on this machine may pass texts on to another one, which is known when it has been asked once.
	HostedUnknown bool     `json:"hosted_unknown,omitempty"`
	Files         int      `json:"files"`  // with chunks
	Chunks        int      `json:"chunks"` // places
	Texts         int      `json:"texts"`  // different ones
	Cached        int      `json:"cached"` // of them have a vector
	Known         int      `json:"known"`  // were refused before, and are not sent again without --retry-failed
	Denied        int      `json:"denied"` // stay here by the path policy
	Send          int      `json:"send"`
	Requests      int      `json:"requests"` // when none fails
	Tokens        int64    `json:"tokens"`   // estimated, rather too many than too few
	Bytes         int64    `json:"bytes"`
	Price         float64  `json:"price"`      // of a million tokens
	PriceFrom     string   `json:"price_from"` // embed.price, a price list with its month, local or unknown
	Money         float64  `json:"money"`      // at that price
	Redactions    int      `json:"redactions"` // secrets that are masked in what would be sent
	Blocked       []string `json:"blocked"`    // paths that the path policy keeps here, sorted
	Notes         []string `json:"notes,omitempty"`
}

// EmbedEntry is one text of one request in the egress ledger.
type EmbedEntry struct {
	Batch     int64  `json:"batch"` // number of the request
	Set       string `json:"set"`   // key
	Purpose   string `json:"purpose"`
	Hash      string `json:"hash"` // of the chunk, or of the question's text
	Provider  string `json:"provider"`
	Host      string `json:"host"`
	Model     string `json:"model"`
	Bytes     int    `json:"bytes"`
	Tokens    int    `json:"tokens"` // estimated
	State     string `json:"state"`
	Reason    string `json:"reason,omitempty"`
	MaybePaid bool   `json:"maybe_paid,omitempty"` // sent, and nothing came of it that is stored
	Sent      string `json:"sent"`                 // RFC 3339
	Done      string `json:"done,omitempty"`       // RFC 3339; absent while there is no answer
}

// EmbedLog is the contract of `embed log --json`, the newest entry last.
type EmbedLog struct {
	Store   string       `json:"store"`
	Entries []EmbedEntry `json:"entries"`
}

// EmbedRemoved is what `embed prune` and `embed purge` removed, or would.
type EmbedRemoved struct {
	Store      string     `json:"store"` // file of the vectors, "" where there was none
	Sets       int        `json:"sets"`  // that are gone as a whole
	Vectors    int        `json:"vectors"`
	Failures   int        `json:"failures"`
	Queries    int        `json:"queries"`
	Entries    int        `json:"entries"`           // of the ledger
	Bytes      int64      `json:"bytes"`             // by which the store shrank
	Files      int        `json:"files"`             // that went: all of the store's, with its locks and logs, once it holds nothing; 0 while it stays
	StoreBytes int64      `json:"store_bytes"`       // of the store afterwards
	Of         []EmbedSet `json:"of"`                // what went of each set, by key: vectors, failures and queries are those that went
	Damaged    bool       `json:"damaged,omitempty"` // the store could not be read, so that what went with its files is not counted
	DryRun     bool       `json:"dry_run,omitempty"`
}

// Nothing reports whether nothing was there to remove.
func (r EmbedRemoved) Nothing() bool {
	return r.Sets+r.Vectors+r.Failures+r.Queries+r.Entries+r.Files == 0
}
