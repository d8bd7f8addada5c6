package agenvantage

// TaskKind is the kind of work that a task asks for. It decides which evidence slots there are.
type TaskKind string

// The kinds of tasks.
const (
	TaskFeature   TaskKind = "feature"
	TaskBug       TaskKind = "bug"
	TaskReview    TaskKind = "review"
	TaskExplain   TaskKind = "explain"
	TaskMigration TaskKind = "migration"
	TaskIncident  TaskKind = "incident"
)

// TaskKinds lists every kind, in the order in which help texts name them.
func TaskKinds() []TaskKind {
	return []TaskKind{TaskFeature, TaskBug, TaskReview, TaskExplain, TaskMigration, TaskIncident}
}

// AnchorKind is what a task names so exactly that it can be looked up.
type AnchorKind string

// The kinds of anchors.
const (
	AnchorPath       AnchorKind = "path"
	AnchorFrame      AnchorKind = "frame" // a path with a line, perhaps a function
	AnchorIdentifier AnchorKind = "identifier"
	AnchorString     AnchorKind = "string" // quoted text: a message, a label
	AnchorRoute      AnchorKind = "route"  // /api/users/:id
	AnchorConfigKey  AnchorKind = "config_key"
	AnchorTest       AnchorKind = "test" // the name of a test
)

// Anchor is one exact name in a task.
type Anchor struct {
	Kind AnchorKind `json:"kind"`
	Text string     `json:"text"`           // as written; of a frame the path
	Line int        `json:"line,omitempty"` // of a frame
}

// Concept is a thing that a task speaks of in plain words. Terms are its words as the lexical index holds them.
type Concept struct {
	Text  string   `json:"text"`
	Terms []string `json:"terms"`
}

// SlotName names a role that evidence plays for a task. The set is closed.
type SlotName string

// The slots.
const (
	SlotImplementation SlotName = "implementation" // what has to be read or changed first
	SlotData           SlotName = "state"          // data and state model: types, schemas, stores that it works on
	SlotSurface        SlotName = "surface"        // where it is shown or joined in: routes, views, entry points
	SlotAnalogous      SlotName = "analogous"      // the same kind of behaviour elsewhere
	SlotTests          SlotName = "tests"          // tests and test utilities
	SlotConfig         SlotName = "config"         // configuration, schema, style, migration
	SlotCallers        SlotName = "callers"        // callers and contracts
	SlotConstraints    SlotName = "constraints"    // instruction files: AGENTS.md, CLAUDE.md, CONTRIBUTING, rule files of editors
	SlotChanges        SlotName = "changes"        // recent changes
	SlotUnresolved     SlotName = "unresolved"     // concepts and anchors that nothing in the repository answers to
)

// SlotNames lists every slot in the order in which a pack lists them.
func SlotNames() []SlotName {
	return []SlotName{SlotImplementation, SlotData, SlotSurface, SlotAnalogous, SlotTests, SlotConfig, SlotCallers, SlotConstraints, SlotChanges, SlotUnresolved}
}

// SlotPlan is one slot of a task before anything was looked for.
type SlotPlan struct {
	Name      SlotName `json:"name"`
	Required  bool     `json:"required"`
	Queries   []string `json:"queries"`   // questions for search; empty where edges, names or history fill the slot
	Threshold float64  `json:"threshold"` // least confidence at which it counts as filled, 0 to 1
	Share     float64  `json:"share"`     // of the evidence tokens, 0 to 1; the shares of a task sum to 1
}

// Task is the reading of what somebody wants done.
type Task struct {
	Text     string
	Kind     TaskKind
	Why      string // what decided the kind: "preset", or the words that did
	Query    Query  // the text as a question
	Anchors  []Anchor
	Concepts []Concept
	Slots    []SlotPlan // in the order of SlotNames
}

// SlotState is what became of a slot.
type SlotState string

// The states of a slot.
const (
	SlotFilled       SlotState = "filled"
	SlotProvenAbsent SlotState = "proven absent" // everything that could hold it was looked at
	SlotUnknown      SlotState = "unknown"
)

// PackStatus says whether a pack is enough to start with.
type PackStatus string

// The states of a pack.
const (
	PackReady        PackStatus = "ready"        // nothing that was looked for is missing
	PackPartial      PackStatus = "partial"      // a start, with what is missing named
	PackInsufficient PackStatus = "insufficient" // not enough to act on
)

// Slot is one slot of a pack: part of the documented contract of `pack --format json`.
type Slot struct {
	Name       SlotName  `json:"name"`
	Required   bool      `json:"required"`
	State      SlotState `json:"state"`
	Confidence float64   `json:"confidence"` // 0 to 1
	Channels   []string  `json:"channels"`   // that agreed on its evidence
	Evidence   []string  `json:"evidence"`   // ids of blocks
	Coverage   string    `json:"coverage"`   // how much was looked at
	NextCost   int       `json:"next_cost"`  // tokens that one more step would cost, 0 when there is none
}

// BlockKind is what a block of a pack is.
type BlockKind string

// The kinds of blocks.
const (
	BlockSource      BlockKind = "source"      // code
	BlockLine        BlockKind = "line"        // one line of a file that may be needed and is not shown otherwise
	BlockDocument    BlockKind = "document"    // prose and other text files
	BlockInstruction BlockKind = "instruction" // an excerpt of an instruction file, with its path
	BlockMap         BlockKind = "map"         // the repository map: no path
	BlockHistory     BlockKind = "history"     // commits: no path
)

// Block is one block of a pack, in the order in which an agent reads them. Its lines are those of the file as indexed; a
// block that is no range of a file has no path.
type Block struct {
	ID        string    `json:"id"` // hash of kind, path, lines and text
	Kind      BlockKind `json:"kind"`
	Path      string    `json:"path,omitempty"`
	StartLine int       `json:"start_line,omitempty"`
	EndLine   int       `json:"end_line,omitempty"`
	Slot      SlotName  `json:"slot"`
	Symbol    string    `json:"symbol,omitempty"`
	Lang      string    `json:"lang,omitempty"`
	Tokens    int       `json:"tokens"` // of its rendered Markdown, header and fence included
	Reason    string    `json:"reason"`
	Revision  string    `json:"revision"`       // hash of the file's content as indexed, "blob:" and 12 hexadecimal digits
	Dirty     bool      `json:"dirty"`          // differs from the commit
	Cut       string    `json:"cut,omitempty"`  // what of its symbol is not shown: "lines 40-90 of Foo.bar are not shown"
	Warn      []string  `json:"warn,omitempty"` // instruction-like text, control characters: said outside of the fence
	Text      string    `json:"text"`
}

// Handle is something that was found and left out: its exact text can be asked for by its id.
type Handle struct {
	SourceID  string   `json:"source_id"`
	Path      string   `json:"path"`
	StartLine int      `json:"start_line"`
	EndLine   int      `json:"end_line"`
	Symbol    string   `json:"symbol,omitempty"`
	Slot      SlotName `json:"slot"`
	Tokens    int      `json:"tokens"` // of the block that it would be
	Why       string   `json:"why"`
	Revision  string   `json:"revision"`
}

// Pack is the evidence for one task: the documented contract of `pack --format json`.
type Pack struct {
	ID        string     `json:"pack_id"` // hash of everything below
	Status    PackStatus `json:"status"`
	Why       string     `json:"why"` // the reason of the status, one sentence
	Task      string     `json:"task"`
	Preset    TaskKind   `json:"preset"`
	Budget    int        `json:"budget"`
	Tokens    int        `json:"tokens"` // of the Markdown, whatever the format
	Tokenizer string     `json:"tokenizer"`
	Revision  string     `json:"revision"` // of the indexed tree
	Slots     []Slot     `json:"slots"`
	Blocks    []Block    `json:"blocks"`
	Handles   []Handle   `json:"handles"`
	Missing   []string   `json:"missing"`
	Next      []string   `json:"next"`
	Notes     []string   `json:"notes,omitempty"`
	Prompt    string     `json:"prompt,omitempty"` // the Markdown, with --handoff-json
}
