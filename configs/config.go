// Package configs owns the settings: their names, defaults, documentation and layers. It turns YAML files, environment
// variables and flags into one typed Config, and refuses what it cannot read with the file, the line, the key and the
// nearest known key. It knows no store, parser or channel and must not open anything but configuration files. Read
// default.yaml first, then keys.go (the table of all keys) and load.go (the layers).
package configs

import (
	_ "embed"
	"time"
)

// DefaultYAML is the shipped configuration: every key with its default and its documentation.
//
//go:embed default.yaml
var DefaultYAML []byte

// HostedYAML is the documented example of embeddings by a hosted service.
//
//go:embed hosted.yaml
var HostedYAML []byte

// Config is the effective configuration. Load returns it valid; a Config made by hand is checked with Validate. It is
// not changed after Load and may then be read by any number of goroutines.
type Config struct {
	Search Search `mapstructure:"search"`
	Fusion Fusion `mapstructure:"fusion"`
	BM25F  BM25F  `mapstructure:"bm25f"`
	// Provenance configures the channel of commits.
	Provenance Provenance `mapstructure:"provenance"`
	// Graph configures the channel of the code graph.
	Graph     Graph             `mapstructure:"graph"`
	Index     Index             `mapstructure:"index"`
	Scan      Scan              `mapstructure:"scan"`
	Extract   Extract           `mapstructure:"extract"`
	Ranking   Ranking           `mapstructure:"ranking"`
	Gate      Gate              `mapstructure:"gate"`
	Languages map[string]string `mapstructure:"languages"` // extension or file name -> language, case kept
	Log       Log               `mapstructure:"log"`
	IndexDir  string            `mapstructure:"index_dir"` // absolute or ""; IndexFolder says what it means for a root
	Config    Files             `mapstructure:"config"`
	Embed     Embed             `mapstructure:"embed"`
	Semantic  Semantic          `mapstructure:"semantic"`
	Rerank    Rerank            `mapstructure:"rerank"`

	sources map[string]Source
}

// Search bounds one search.
type Search struct {
	TopK           int           `mapstructure:"top_k"`
	MaxPerFile     int           `mapstructure:"max_per_file"` // 0 = no limit
	RefreshTimeout time.Duration `mapstructure:"refresh_timeout"`
	ChannelTimeout time.Duration `mapstructure:"channel_timeout"`
	ChannelLimit   int           `mapstructure:"channel_limit"`  // hits
	MaxLineChars   int           `mapstructure:"max_line_chars"` // characters
}

// Fusion configures reciprocal rank fusion.
type Fusion struct {
	K       float64            `mapstructure:"k"`
	Weights map[string]float64 `mapstructure:"weights"` // channel name -> weight; a channel that is absent has 1
}

// BM25F configures the lexical channel.
type BM25F struct {
	K1            float64     `mapstructure:"k1"`
	K3            float64     `mapstructure:"k3"`
	PartWeight    float64     `mapstructure:"part_weight"`
	JoinWeight    float64     `mapstructure:"join_weight"`
	SynonymWeight float64     `mapstructure:"synonym_weight"`
	FormWeight    float64     `mapstructure:"form_weight"`
	Fields        BM25FFields `mapstructure:"fields"`
}

// BM25FFields holds the settings of each field.
type BM25FFields struct {
	Path      BM25FField `mapstructure:"path"`
	Symbol    BM25FField `mapstructure:"symbol"`
	Signature BM25FField `mapstructure:"signature"`
	Doc       BM25FField `mapstructure:"doc"`
	Body      BM25FField `mapstructure:"body"`
}

// BM25FField is the weight and the length normalisation (0..1) of one field.
type BM25FField struct {
	Weight float64 `mapstructure:"weight"`
	B      float64 `mapstructure:"b"`
}

// Provenance configures the channel that ranks files by the messages of the commits that changed them.
type Provenance struct {
	K1          float64 `mapstructure:"k1"`
	B           float64 `mapstructure:"b"`
	AgeDays     float64 `mapstructure:"age_days"`     // days
	RecencyDays float64 `mapstructure:"recency_days"` // days
	MaxFiles    int     `mapstructure:"max_files"`
	Commits     int     `mapstructure:"commits"`
	HunkCommits int     `mapstructure:"hunk_commits"`
	Prior       float64 `mapstructure:"prior"`
	Cochange    float64 `mapstructure:"cochange"`
	MinSupport  int     `mapstructure:"min_support"` // commits
}

// Graph configures the channel of the code graph.
type Graph struct {
	Damping    float64 `mapstructure:"damping"`    // part of the rank that goes on in each round
	Iterations int     `mapstructure:"iterations"` // rounds
}

// Index configures index runs.
type Index struct {
	Batch   int `mapstructure:"batch"`   // files
	Workers int `mapstructure:"workers"` // 0 = one for each processor core
}

// Scan configures what is read.
type Scan struct {
	MaxFileBytes int64 `mapstructure:"max_file_bytes"`
}

// Extract configures parsing and chunking.
type Extract struct {
	MaxChunkChars int           `mapstructure:"max_chunk_chars"` // characters that are not white space
	ParseTimeout  time.Duration `mapstructure:"parse_timeout"`   // for one file
	MaxDepth      int           `mapstructure:"max_depth"`       // levels of the syntax tree
}

// Ranking configures the rules that reorder results.
type Ranking struct {
	PathWeights  map[string]float64 `mapstructure:"path_weights"` // root-relative glob with ** -> factor, case kept
	ClassWeights ClassWeights       `mapstructure:"class_weights"`
	FileName     float64            `mapstructure:"file_name"`
	Folder       float64            `mapstructure:"folder"`
	NameFit      float64            `mapstructure:"name_fit"`
	Coherence    float64            `mapstructure:"coherence"`
	Header       float64            `mapstructure:"header"`
	Declaration  float64            `mapstructure:"declaration"`
	Roles        Roles              `mapstructure:"roles"`
	Saturation   float64            `mapstructure:"saturation"`
	Votes        Votes              `mapstructure:"votes"`
}

// Votes hold, for a kind of question, list of files -> weight; a list that is absent has 1.
type Votes struct {
	Report   map[string]float64 `mapstructure:"report"`
	Trace    map[string]float64 `mapstructure:"trace"` // over Report
	Question map[string]float64 `mapstructure:"question"`
}

// Roles holds the factor of each role of a file that the question does not ask for.
type Roles struct {
	Test     float64 `mapstructure:"test"`
	Document float64 `mapstructure:"document"`
	Example  float64 `mapstructure:"example"`
	Legacy   float64 `mapstructure:"legacy"`
	Other    float64 `mapstructure:"other"`
}

// ClassWeights holds the factor of each class of file.
type ClassWeights struct {
	Generated float64 `mapstructure:"generated"`
	Minified  float64 `mapstructure:"minified"`
	Lock      float64 `mapstructure:"lock"`
}

// Gate bounds what a retrieval channel may cost to be turned on. 0 means no bound.
type Gate struct {
	MaxP95MS      float64 `mapstructure:"max_p95_ms"`
	MaxIndexShare float64 `mapstructure:"max_index_share"`
}

// Log configures what is said on standard error.
type Log struct {
	Level string `mapstructure:"level"` // error, warn, info or debug
}

// Files configures how configuration files are read.
type Files struct {
	AllowUnknown bool `mapstructure:"allow_unknown"`
}

// Embed configures who turns text into vectors. Nothing is sent while Provider is "".
type Embed struct {
	Provider       string        `mapstructure:"provider"`
	BaseURL        string        `mapstructure:"base_url"`
	Model          string        `mapstructure:"model"`
	APIKey         string        `mapstructure:"api_key"` // secret: Settings, Hash and errors never hold it
	APIKeyFile     string        `mapstructure:"api_key_file"`
	PlainHTTP      bool          `mapstructure:"plain_http"`
	Dimensions     int           `mapstructure:"dimensions"` // 0 = the model's own
	QueryPrompt    string        `mapstructure:"query_prompt"`
	DocumentPrompt string        `mapstructure:"document_prompt"`
	Window         int           `mapstructure:"window"` // tokens, 0 = the model's own
	Price          float64       `mapstructure:"price"`  // for a million tokens, 0 = by the table of known models
	Batch          int           `mapstructure:"batch"`  // texts in one request
	BatchTokens    int           `mapstructure:"batch_tokens"`
	BatchBytes     int           `mapstructure:"batch_bytes"`
	Concurrency    int           `mapstructure:"concurrency"` // requests
	Timeout        time.Duration `mapstructure:"timeout"`     // of one request, 0 = the provider's own
	Allow          []string      `mapstructure:"allow"`       // root-relative globs with **; empty = all
	Deny           []string      `mapstructure:"deny"`
	StoreDir       string        `mapstructure:"store_dir"`    // absolute or "" for the user's cache folder
	Expand         int           `mapstructure:"expand"`       // near words for each word of a question, 0 = none
	ExpandFloor    float64       `mapstructure:"expand_floor"` // cosine

	// OllamaHost is the variable OLLAMA_HOST of the environment: no setting, and used where BaseURL is "".
	OllamaHost string `mapstructure:"-"`
}

// Semantic configures the channel that finds chunks by their vectors.
type Semantic struct {
	Floor      float64 `mapstructure:"floor"`        // cosine
	MaxPerFile int     `mapstructure:"max_per_file"` // chunks, 0 = no limit
	Engine     string  `mapstructure:"engine"`
}

// Rerank configures the hosted reranker. It is off while Provider is "".
type Rerank struct {
	Provider   string        `mapstructure:"provider"`
	BaseURL    string        `mapstructure:"base_url"`
	Model      string        `mapstructure:"model"`
	APIKey     string        `mapstructure:"api_key"` // secret
	APIKeyFile string        `mapstructure:"api_key_file"`
	PlainHTTP  bool          `mapstructure:"plain_http"`
	Candidates int           `mapstructure:"candidates"`
	Timeout    time.Duration `mapstructure:"timeout"`
}
