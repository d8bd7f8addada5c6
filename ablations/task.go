package ablations

import "agenvantage"

// Task is one question whose evidence is known. Paths are relative to the root that is searched (see Root), with forward
// slashes; lines are 1-based and inclusive, in the numbering of Revision.
type Task struct {
	ID       string // unique in its set
	Repo     string // "flask", or "owner/name"; the folder in --repos is the same with + for /
	Revision string // commit that is searched; "" means the folder as it stands
	Root     string // folder of the repository that is searched, "" for all of it
	Source   string // where the task comes from: "codesearch", "swe-bench-verified", "mined"
	Language string // language id, "" when unknown
	Category string // the set's own label: "symbol", "architecture", "issue"
	Query    string
	Gold     []Target // evidence that must be found; empty only when NoAnswer
	Optional []Target // evidence that counts for nDCG, as gold does, but that success does not need
	Context  []Place  // lines that are useful beside the gold: shown lines in them are not waste
	Tests    []string // paths of existing test files that the change touched as well; what a pack should bring beside the gold
	NoAnswer bool     // the repository holds no answer: every confident result is wrong
	Match    Match
	Time     int64  // Unix seconds of the commit that a mined task was made of, 0 otherwise
	Origin   string // "FILE:LINE" of the task, for errors; not part of a report
}

// Target is a file, or lines of one, that a task is about. Without Ranges any line of the file is evidence.
type Target struct {
	Path   string
	Ranges []agenvantage.Span
}

// Place is a range of lines of a file.
type Place struct {
	Path string
	Span agenvantage.Span
}

// Match is how a result's path is compared with a target's.
type Match string

// The rules.
const (
	MatchExact  Match = "exact"  // equal
	MatchSuffix Match = "suffix" // equal, or one ends with "/" and the other: the rule of code search annotations
)

// Class is a class of questions that has a verdict of its own. It is derived from the text by the production classifier,
// since that alone is known when a real question comes.
type Class string

// The classes.
const (
	ClassSymbol  Class = "symbol"
	ClassNatural Class = "natural"
	ClassIssue   Class = "issue"
)

// Classes lists the classes in the order of reports.
func Classes() []Class { return []Class{ClassSymbol, ClassNatural, ClassIssue} }

// ClassOf groups the classes of plan.Parse: names and places; words, sentences and patterns; long texts and traces.
func ClassOf(c agenvantage.QueryClass) Class {
	switch c {
	case agenvantage.ClassIdentifier, agenvantage.ClassPath:
		return ClassSymbol
	case agenvantage.ClassIssue, agenvantage.ClassTrace:
		return ClassIssue
	}
	return ClassNatural
}

// TaskSet is a checked, non-empty list of tasks in a fixed order.
type TaskSet struct {
	Name  string // of the file or folder, for titles
	Tasks []Task // sorted by Repo, Revision, ID
	Hash  string // hex digest of all that decides scores: every field but Origin
	Notes []string
}
