package ablations

// Report is all that a run says. It is a pure function of the task set, the rankings and Run; what depends on the clock or
// the disk is in Measured alone, so that a repeated run gives the same bytes apart from it. Lists are in a fixed order.
type Report struct {
	Format      int             `json:"format"` // ReportFormat
	Run         RunInfo         `json:"run"`
	Tasks       TaskInfo        `json:"tasks"`
	Variants    []VariantReport `json:"variants"`
	Packs       []PackReport    `json:"packs,omitempty"` // of the variants that answer with packs, in their order
	Comparisons []Comparison    `json:"comparisons"`
	Verdicts    []Verdict       `json:"verdicts"`
	// Moved are the twenty tasks whose score differs most between the baseline and MovedVariant: the variant with every
	// channel, or, where that is the baseline or was not run, the one that differs most from it.
	Moved        []MovedTask `json:"moved"`
	MovedVariant string      `json:"moved_variant"` // "" when there is nothing to compare
	Measured     Measured    `json:"measured"`
}

// ReportFormat is the version of Report's JSON.
const ReportFormat = 1

// RunInfo is what is needed to repeat a run.
type RunInfo struct {
	Product     string    `json:"product"` // version and commit of the program
	ConfigHash  string    `json:"config_hash"`
	Settings    []Setting `json:"settings"` // those that differ from the defaults
	TaskSet     string    `json:"task_set"`
	TaskSetHash string    `json:"task_set_hash"`
	IndexFormat int       `json:"index_format"`
	Tokenizer   string    `json:"tokenizer"` // "o200k_base (tiktoken-go/tokenizer v0.10.0)"
	Depth       int       `json:"depth"`     // results asked of each search
	Budgets     []int     `json:"budgets"`   // tokens
	Seed        uint64    `json:"seed"`
	Resamples   int       `json:"resamples"`
	Baseline    string    `json:"baseline"`        // name of the variant that others are compared with
	All         string    `json:"all"`             // name of the variant with every channel, "" when none has them all
	Model       string    `json:"model,omitempty"` // of embeddings, with its digest where the provider tells one; "" without a provider
}

// Setting is one configuration key with its value.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// TaskInfo counts the tasks.
type TaskInfo struct {
	Count        int         `json:"count"`
	Repositories []RepoInfo  `json:"repositories"` // sorted by name
	Classes      []CountInfo `json:"classes"`
	Categories   []CountInfo `json:"categories"`
	Languages    []CountInfo `json:"languages"`
	Sources      []CountInfo `json:"sources"`
	NoAnswer     int         `json:"no_answer"`
	Missing      int         `json:"missing_answers"` // 0 when every variant answered every task
	Notes        []string    `json:"notes,omitempty"`
}

// RepoInfo is one repository of the set.
type RepoInfo struct {
	Name      string   `json:"name"`
	Language  string   `json:"language"`
	Tasks     int      `json:"tasks"`
	Revisions []string `json:"revisions"` // distinct, sorted; "" is a folder as it stands
}

// CountInfo is a label and how many tasks have it.
type CountInfo struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// VariantReport is one variant with its scores.
type VariantReport struct {
	Variant
	ConfigHash string  `json:"config_hash"`
	Overall    Scores  `json:"overall"`
	ByRepo     []Group `json:"by_repo"`
	ByClass    []Group `json:"by_class"`
	ByCategory []Group `json:"by_category"`
	ByLanguage []Group `json:"by_language"`
}

// Group is the scores of the tasks with one label.
type Group struct {
	Name   string `json:"name"`
	Scores Scores `json:"scores"`
}

// Scores maps a metric's name to its estimate. A metric that no task of the group defines is absent. Names and
// definitions: Metrics.
type Scores map[string]Estimate

// Estimate is a metric over a group. RepoMean weighs every repository alike and is the headline; QueryMean weighs every
// task alike. A ratio of sums has the same value in both. Low and High bound the 95% cluster bootstrap interval of RepoMean;
// clusters are repositories, or the calendar months of a set of one repository whose tasks have times. With fewer than two
// clusters both equal RepoMean and Clusters says so.
type Estimate struct {
	RepoMean  float64 `json:"repo_mean"`
	QueryMean float64 `json:"query_mean"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Tasks     int     `json:"tasks"`
	Clusters  int     `json:"clusters"`
}

// Comparison is variant B against variant A in one metric over one group of tasks that both answered.
type Comparison struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Metric     string  `json:"metric"`
	Class      Class   `json:"class,omitempty"` // "" means all classes
	AValue     float64 `json:"a_value"`
	BValue     float64 `json:"b_value"`
	Difference float64 `json:"difference"` // B - A
	Low        float64 `json:"low"`        // 95% cluster bootstrap interval of Difference
	High       float64 `json:"high"`
	P          float64 `json:"p"`      // see Test; 1 when nothing was tested
	PHolm      float64 `json:"p_holm"` // after Holm over what was tested together
	// Test is "McNemar, exact" for a binary metric, "arm-swap permutation, exact" for a ratio of sums, otherwise "sign-flip
	// permutation, exact", both by cluster and with "100000 draws" for many clusters; "none, …" when nothing was tested.
	Test     string `json:"test"`
	Tasks    int    `json:"tasks"`
	Clusters int    `json:"clusters"`
	Wins     int    `json:"wins"` // tasks where B is better
	Losses   int    `json:"losses"`
	Needed   int    `json:"needed"` // tasks needed to show the smallest effect that matters (SmallestEffect)
	// Shown: the interval excludes 0, PHolm is below .05, and there are at least 6 clusters; otherwise "no difference shown".
	Shown bool `json:"shown"`
}

// Decision is what the gate says of a channel for a class of questions.
type Decision string

// The decisions.
const (
	Promote      Decision = "promote"
	KeepOff      Decision = "keep off"
	Insufficient Decision = "insufficient evidence"
	AlwaysOn     Decision = "always on"
)

// Verdict is the gate's decision on one channel for one class, with its evidence.
type Verdict struct {
	Channel     string   `json:"channel"`
	Class       Class    `json:"class"`
	Decision    Decision `json:"decision"`
	Rule        string   `json:"rule"` // the condition that decided, in words
	Tasks       int      `json:"tasks"`
	Clusters    int      `json:"clusters"`
	ClusterKind string   `json:"cluster_kind"` // "repository" or "month": what the tasks were grouped by
	Baseline    string   `json:"baseline"`
	Arm         string   `json:"arm"`
	BaselineSPT float64  `json:"baseline_spt"` // success per 1,000 tokens at GateBudget
	ArmSPT      float64  `json:"arm_spt"`
	Gain        float64  `json:"gain"` // ArmSPT - BaselineSPT
	Low         float64  `json:"low"`  // 90% cluster bootstrap interval of Gain
	High        float64  `json:"high"`
	P           float64  `json:"p"`      // permutation of the arms by cluster; 1 when it was not tested
	PHolm       float64  `json:"p_holm"` // over every channel and class that had enough tasks; 1 for the others
	// Success@GateBudget of both arms.
	BaselineSuccess float64 `json:"baseline_success"`
	ArmSuccess      float64 `json:"arm_success"`
	// The change of the guard metric of the class: nDCG@10, strict acc@5 for issues.
	GuardMetric string  `json:"guard_metric"`
	GuardClass  Class   `json:"guard_class"` // the class itself: a channel is switched for each class alone
	GuardChange float64 `json:"guard_change"`
	// LeaveOneOut is the change of success per 1,000 tokens when the channel is taken out of all; 0 when it was not run.
	LeaveOneOut float64 `json:"leave_one_out"`
	// Model is the embedding model that the channel of vectors was measured with, "" for other channels: the verdict holds for it alone.
	Model string `json:"model,omitempty"`
	// Alone is the success per 1,000 tokens of the channel by itself.
	Alone float64 `json:"alone"`
	// Cost is how the measured cost stands to the limits of the configuration; the figures are in Measured.Verdicts.
	Cost          CostOutcome `json:"cost"`
	EvidenceRunID string      `json:"evidence"` // task-set hash and config hash
}

// CostOutcome is how a channel's measured cost stands to the limits of the gate.
type CostOutcome string

// The outcomes. Where both limits are passed the time is named.
const (
	CostWithin     CostOutcome = "within limits" // also where there is no limit
	CostTime       CostOutcome = "over the limit of time"
	CostIndex      CostOutcome = "over the limit of index bytes"
	CostUnmeasured CostOutcome = "not measured"
)

// VerdictCost is the measured cost of a channel for a class.
type VerdictCost struct {
	Channel    string  `json:"channel"`
	Class      Class   `json:"class"`
	P95MS      float64 `json:"p95_ms"`
	P95LimitMS float64 `json:"p95_limit_ms"` // 0 means no limit
	// IndexShare is the index bytes of the channel per byte of the index without the judged channels, to two significant
	// digits: what a store keeps on disk for equal content wobbles by more than the third.
	IndexShare float64 `json:"index_share"`
	IndexLimit float64 `json:"index_limit"` // 0 means no limit
}

// MovedTask is a task whose score moved, with what both variants showed.
type MovedTask struct {
	Task     string  `json:"task"`
	Repo     string  `json:"repo"`
	Language string  `json:"language"`
	Category string  `json:"category"`
	Class    Class   `json:"class"`
	Query    string  `json:"query"` // at most 300 bytes, cut at a character
	Metric   string  `json:"metric"`
	A        float64 `json:"a"`
	B        float64 `json:"b"`
	GoldText string  `json:"gold"` // "src/a.py:10-20, src/b.py"
	UnitsA   []Shown `json:"units_a"`
	UnitsB   []Shown `json:"units_b"`
}

// Shown is a unit of a moved task's ranking, at most ten for a variant.
type Shown struct {
	Path string `json:"path"`
	Span string `json:"span"` // "10-20"
	Gold bool   `json:"gold"`
}

// Measured is what depends on the machine: times and bytes on disk.
type Measured struct {
	Machine   string           `json:"machine"` // "linux/amd64, 2 cores, Intel…"
	Started   string           `json:"started"` // RFC 3339
	Seconds   float64          `json:"seconds"` // of answering, indexing aside
	Latencies []VariantLatency `json:"latencies"`
	Costs     []CorpusCost     `json:"costs"`
	Verdicts  []VerdictCost    `json:"verdicts"`        // in the order of Report.Verdicts
	Notes     []string         `json:"notes,omitempty"` // what of the above could not be read
}

// VariantLatency is how long a variant's answers took.
type VariantLatency struct {
	Variant string  `json:"variant"`
	P50MS   float64 `json:"p50_ms"`
	P95MS   float64 `json:"p95_ms"`
	Tasks   int     `json:"tasks"`
}

// CorpusCost is the cost of one repository's index.
type CorpusCost struct {
	Repo string `json:"repo"`
	Cost
}
