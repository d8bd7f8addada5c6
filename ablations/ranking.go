package ablations

import "context"

// Ranking is what one variant answered to one task: all that a report needs, and nothing that depends on the clock.
type Ranking struct {
	Task       string           `json:"task"`
	Class      Class            `json:"class"`
	Units      []Unit           `json:"units"`            // in the order in which an agent reads them
	Files      []string         `json:"files,omitempty"`  // distinct paths of the search in rank order; nil means those of Units
	Status     string           `json:"status,omitempty"` // of a pack: ready, partial, insufficient; "" for a search
	Caveat     bool             `json:"caveat,omitempty"` // the answer itself says that it may miss the question
	Channels   []ChannelOutcome `json:"channels,omitempty"`
	*PackFacts                  // nil for a search
}

// PackFacts is what a pack says beside its evidence. Its fields stand among those of the ranking in JSON.
type PackFacts struct {
	Budget int `json:"budget"` // tokens that were asked for
	Tokens int `json:"tokens"` // of all of it: frame, instructions, map and history too
	// IndexedBytes is the size of the indexed text of the repository at the revision that was asked.
	IndexedBytes int64             `json:"indexed_bytes"`
	Chance       float64           `json:"chance"` // stated, that every file to change is shown: 0 to 1
	Slots        map[string]string `json:"slots"`  // slot to filled, proven absent or unknown
}

// Unit is one block of evidence as it is shown: a result of a search, or a block of source or of a document in a pack. The
// instructions, the map and the history that a pack holds are no evidence and no units. Tokens counts everything of it that an agent sees: the header line, line
// numbers and the text.
type Unit struct {
	Path   string  `json:"path"`
	Start  int     `json:"start"`
	End    int     `json:"end"`
	Tokens int     `json:"tokens"`
	Score  float64 `json:"score"`
}

// ChannelOutcome is what a channel did for the task.
type ChannelOutcome struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Hits   int    `json:"hits"`
}

// Timing is how long the answer took. Timings are kept apart from rankings: a repeated run gives the same rankings.
type Timing struct {
	Task   string  `json:"task"`
	TookMS float64 `json:"took_ms"`
}

// Variant is one configuration under test. It is nothing but a list of channels and settings over the run's own
// configuration, so that every variant goes through the production pipeline.
type Variant struct {
	Name     string            `json:"name" yaml:"name"`
	Channels []string          `json:"channels" yaml:"channels"`           // names for --channels, sorted in the order of app.Channels
	Settings map[string]string `json:"settings,omitempty" yaml:"settings"` // configuration key to value
	Pack     int               `json:"pack,omitempty" yaml:"pack"`         // token budget of a pack whose evidence is the units; 0 means a search
}

// Corpus names one state of one repository.
type Corpus struct {
	Repo     string
	Revision string // "" means the folder as it stands
	Root     string // folder below the repository's top, "" for all
}

// Engine prepares corpora; internal/app has one.
type Engine interface {
	// Open brings the index of the corpus under the variant's settings up to date and returns a session over it. The
	// error names the repository. Sessions of one corpus may be open side by side.
	Open(ctx context.Context, c Corpus, v Variant) (Session, error)
}

// Session answers tasks over one corpus under one variant.
type Session interface {
	// Answer runs one task through the pipeline. Ranking.Task is the task's ID.
	Answer(ctx context.Context, t Task) (Ranking, Timing, error)
	Cost() Cost
	Close() error
}

// Cost is what the index of one corpus took, by channel name.
type Cost struct {
	Files        int                    `json:"files"`
	BuildSeconds float64                `json:"build_seconds"` // 0 when the index was already there
	IndexBytes   int64                  `json:"index_bytes"`
	Channels     map[string]ChannelCost `json:"channels"`
}

// ChannelCost is a channel's share.
type ChannelCost struct {
	IndexBytes     int64 `json:"index_bytes"`
	EmbeddedTokens int64 `json:"embedded_tokens"`
}
