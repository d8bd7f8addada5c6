package server

import "strings"

// The arguments of each operation are the long flags of its command with underscores. The tags are read by decode.go:
// `json` is the name, `about` the description, `need` marks what must be given ("yes", or the name of the argument that may stand in its
// place), `of` lists the values of a closed set, `long` prose that has no bound of its own, and `rare` what the lists of MCP tools leave out, since every conversation pays for
// them; it is taken all the same.

// In is what every operation takes.
type In struct {
	Root string `json:"root" about:"Root folder of the repository, when the server serves several."`
}

// root is the argument of the same name.
func (a *In) root() string { return a.Root }

// Again is what operations take whose answers repeat text.
type Again struct {
	Fresh bool `json:"fresh" about:"Send text again that this conversation was sent already."`
}

// Index is what operations take that read the index.
type Index struct {
	NoRefresh bool `json:"no_refresh" rare:"yes" about:"Answer from the index as it is."`
}

// AsIs reports whether the index is to be asked as it is.
func (a *Index) AsIs() bool { return a.NoRefresh }

// SearchArguments are those of search.
type SearchArguments struct {
	Query     string   `json:"query" need:"like" long:"yes" about:"A name, path, place, \"literal\", /regex/, stack trace or a focused question."`
	Like      string   `json:"like" about:"Instead of query: code like that at this PATH:LINE, PATH:A-B or symbol, by the vectors of an embedding model."`
	TopK      int      `json:"top_k" about:"At most this many results (default 10)."`
	Path      []string `json:"path" about:"Only paths that match one of these globs; a folder means all below it."`
	NotPath   []string `json:"not_path" about:"No path that matches one of these globs."`
	Lang      []string `json:"lang" about:"Only files in these languages."`
	Kind      []string `json:"kind" about:"Only results of these kinds: function, method, class, section and so on."`
	Channels  []string `json:"channels" about:"Retrieval channels: auto, or some of exact, bm25f, graph, provenance, semantic."`
	Regex     bool     `json:"regex" about:"The whole query is a regular expression (RE2)."`
	MaxTokens int      `json:"max_tokens" about:"At most this many tokens in the answer."`
	Cursor    string   `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Timings   bool     `json:"timings" rare:"yes" about:"Say how long the answer, its stages and each channel took, in milliseconds."`
	Again
	Index
	In
}

// NeedsIndex reports whether the files themselves cannot answer: what code is like is in the index alone.
func (a *SearchArguments) NeedsIndex() bool { return strings.TrimSpace(a.Like) != "" }

// PackArguments are those of pack.
type PackArguments struct {
	Task       string   `json:"task" long:"yes" about:"What is to be done, in words; may be missing beside from_output or from_diff."`
	Preset     string   `json:"preset" about:"Kind of the task; by default its words decide." of:"presets"`
	Budget     int      `json:"budget" about:"At most this many tokens (default 6000)."`
	Seed       []string `json:"seed" about:"Paths that belong to the task."`
	FromDiff   *string  `json:"from_diff" about:"Begin with what the work tree changes beyond this revision, such as HEAD."`
	FromOutput string   `json:"from_output" long:"yes" about:"Begin with this output of a failing program: traces, compiler errors, failing tests."`
	Channels   []string `json:"channels" about:"Retrieval channels: auto, or some of exact, bm25f, graph, provenance, semantic."`
	Adaptive   *bool    `json:"adaptive" rare:"yes" about:"Look a second time for what is missing (default true)."`
	Tokenizer  string   `json:"tokenizer" rare:"yes" about:"Count tokens as o200k or cl100k does (default: the larger count)."`
	Again
	Index
	In
}

// ExpandArguments are those of expand.
type ExpandArguments struct {
	PackID    string `json:"pack_id" need:"yes" about:"The id of a pack, or its first six characters."`
	Slot      string `json:"slot" need:"yes" about:"The slot to show more of." of:"slots"`
	Budget    int    `json:"budget" about:"At most this many tokens (default 2000)."`
	Tokenizer string `json:"tokenizer" rare:"yes" about:"Count tokens as o200k or cl100k does (default: as the pack was counted)."`
	Again
	Index
	In
}

// ReadArguments are those of read.
type ReadArguments struct {
	Location  string `json:"location" need:"yes" about:"PATH, PATH:LINE, PATH:A-B or a symbol."`
	Around    int    `json:"around" about:"Lines more before and after."`
	MaxTokens int    `json:"max_tokens" about:"At most this many tokens in the answer."`
	Cursor    string `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Again
	Index
	In
}

// SymbolArguments are those of symbol. One of Name and Location is needed.
type SymbolArguments struct {
	Name      string `json:"name" about:"Name of a symbol, qualified or not: Serve, Mux.Serve."`
	Location  string `json:"location" about:"PATH:LINE of the symbol, instead of its name."`
	Relation  string `json:"relation" about:"What to list of it (default definition)." of:"definition|references|callers|callees"`
	MaxTokens int    `json:"max_tokens" about:"At most this many tokens in the answer."`
	Cursor    string `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Index
	In
}

// NavigateArguments are those of refs, callers, callees, impact and tests_for.
type NavigateArguments struct {
	Location  string `json:"location" need:"yes" about:"PATH, PATH:LINE, PATH:A-B or a symbol."`
	Depth     int    `json:"depth" about:"At most this many edges away; of impact and tests_for."`
	MaxTokens int    `json:"max_tokens" about:"At most this many tokens in the answer."`
	Cursor    string `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Index
	In
}

// NeighborsArguments are those of neighbors.
type NeighborsArguments struct {
	Location  string   `json:"location" need:"yes" about:"PATH, PATH:LINE, PATH:A-B or a symbol."`
	Edges     []string `json:"edges" about:"Only edges of these kinds, such as calls, imports, inherits."`
	Depth     int      `json:"depth" about:"At most this many edges away (default 1)."`
	MaxTokens int      `json:"max_tokens" about:"At most this many tokens in the answer."`
	Cursor    string   `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Index
	In
}

// ChangesForArguments are those of changes_for.
type ChangesForArguments struct {
	Location  string `json:"location" need:"yes" about:"PATH (a file or folder), PATH:LINE, PATH:A-B or a symbol."`
	Max       int    `json:"max" about:"At most this many commits (default 20)."`
	MaxTokens int    `json:"max_tokens" about:"At most this many tokens of commits."`
	Cursor    string `json:"cursor" about:"Go on after the commit that the answer before named as next."`
	Index
	In
}

// CochangeArguments are those of cochange.
type CochangeArguments struct {
	Paths      []string `json:"paths" need:"yes" about:"Files or folders."`
	MinSupport int      `json:"min_support" about:"Only files that changed together in at least this many commits."`
	Index
	In
}

// MapArguments are those of map.
type MapArguments struct {
	Budget    int    `json:"budget" about:"At most this many tokens (default 1500)."`
	Scope     string `json:"scope" about:"Only this folder or file, in more detail."`
	Task      string `json:"task" long:"yes" about:"Put first what has to do with this."`
	Tokenizer string `json:"tokenizer" rare:"yes" about:"Count tokens as o200k_base or cl100k_base does (default: the larger count)."`
	Index
	In
}

// RehydrateArguments are those of rehydrate.
type RehydrateArguments struct {
	SourceID string `json:"source_id" need:"yes" about:"The id of a block or handle of a pack, or its first six characters."`
	Cursor   string `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	Again
	In
}

// WhyArguments are those of why.
type WhyArguments struct {
	PackID   string `json:"pack_id" need:"yes" about:"The id of a pack, or its first six characters."`
	Location string `json:"location" need:"yes" about:"PATH, PATH:LINE or PATH:A-B."`
	In
}

// PlanArguments are those of plan.
type PlanArguments struct {
	Task   string   `json:"task" long:"yes" need:"yes" about:"What is to be done, in words."`
	Preset string   `json:"preset" about:"Kind of the task; by default its words decide." of:"presets"`
	Seed   []string `json:"seed" about:"Paths that belong to the task."`
	In
}

// StatusArguments are those of status.
type StatusArguments struct{ In }

// FilesArguments are those of files.
type FilesArguments struct {
	Cursor string `json:"cursor" about:"Go on behind the answer that named this cursor as next."`
	In
}
