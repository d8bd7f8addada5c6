package ablations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
)

// Defaults of MineOptions.
const (
	DefaultMineMax      = 200 // tasks: twice the hundred that a verdict on one repository asks for
	DefaultMinePerMonth = 17  // tasks of a month: six months, the fewest that a verdict takes, make 102; 200 tasks cover a year
	DefaultMineMaxFiles = 5   // source files: a change of more is seldom about one thing
	DefaultMineMaxLines = 200 // changed lines of source: above that a change is a feature or a move, and its lines are no evidence
	DefaultMineScan     = 20_000
)

// History tells what a repository's commits changed. It reads ancestors of one revision only. Paths are relative to the
// top of the repository.
type History interface {
	// Commits calls visit for the commits of r, merges too, newest first. It ends with the first error of visit.
	Commits(ctx context.Context, r CommitRange, visit func(MinedCommit) error) error
	// Changes gives for each of the commits, in their order, the lines that it changed against its first parent; lines
	// that differ in white space alone are not changed.
	Changes(ctx context.Context, commits []string) ([]MinedChange, error)
	// LineCount is the number of lines that a file has at a revision; an empty file has none.
	LineCount(ctx context.Context, revision, path string) (int, error)
}

// CommitRange is where a History begins and ends.
type CommitRange struct {
	Revision string    // the newest commit, "" means HEAD
	Since    time.Time // commits before it are left out; zero means none are
	Max      int       // commits; 0 means all
}

// MinedCommit is one commit with the regular files that it changed against its only parent; links and submodules are left
// out.
type MinedCommit struct {
	ID       string // full, hexadecimal, lower case
	Parents  []string
	Boundary bool  // a shallow clone ends here: the parents exist but are not at hand
	Time     int64 // of the commit, Unix seconds
	Subject  string
	Body     string
	Files    []MinedFile
}

// MinedFile is a file that a commit changed.
type MinedFile struct {
	Path    string // after the commit; of a deleted file, before it
	OldPath string // before the commit where it differs from Path: of a rename or a copy
	Status  byte   // A added, M modified, D deleted, R renamed, C copied, T became something else
}

// base is the path before the commit, or that of a new file. The origin of a copy is not changed by it.
func (f MinedFile) base() string {
	if f.OldPath == "" || f.Status == 'C' {
		return f.Path
	}
	return f.OldPath
}

// MinedChange is the changed lines of one commit.
type MinedChange struct {
	Files []MinedHunks // those that existed before the commit; files without changed lines may be absent
	Err   error        // why they are not known: an object that is not at hand
}

// MinedHunks is the changed line ranges of one file.
type MinedHunks struct {
	Path  string // before the commit
	Hunks []MinedHunk
}

// MinedHunk is a changed range in the numbering before the commit, as "git diff -U0" gives it: with OldLines 0 lines were
// inserted behind line OldStart, and OldStart 0 is the top of the file.
type MinedHunk struct {
	OldStart, OldLines int
	NewLines           int // that stand there after the commit
}

// MineOptions say what becomes a task. Only Repo and IsSource have no default.
type MineOptions struct {
	Repo     string // Task.Repo
	Root     string // folder whose files count, "" for all
	Revision string // where to begin, "" for HEAD
	Since    time.Time
	Max      int // tasks, 0 means DefaultMineMax
	PerMonth int // tasks of a calendar month (UTC), 0 means DefaultMinePerMonth
	MaxFiles int // source files that a commit may change, 0 means DefaultMineMaxFiles
	MaxLines int // lines, removed and added, that it may change in source files that existed, 0 means DefaultMineMaxLines
	Scan     int // commits to look at, newest first, 0 means DefaultMineScan
	Seed     uint64
	// WithTests takes only commits that touched test files that existed before.
	WithTests bool

	IsSource    func(path string) bool   // code, by its path
	IsTest      func(path string) bool   // nil means nothing is
	IsGenerated func(path string) bool   // generated or vendored; nil means nothing is
	Language    func(path string) string // language id; nil means ""
	TreePaths   []string                 // paths of the tree, whose names are taken out of texts; those of the history always are
	Progress    func(MineProgress)       // nil means nobody looks
}

// MineProgress is how far mining has come. It is told every thousand commits and after each commit whose lines were read.
type MineProgress struct {
	Scanned int
	Tasks   int
	Max     int
}

// DropReason says why a commit became no task. The set is closed.
type DropReason string

// The reasons, in the order in which they are asked: a commit has the first that holds. Up to no_tests the commit alone
// decides, then the history, then its changed lines; the last two are about its place in the choice.
const (
	DropMerge      DropReason = "merge"
	DropBoundary   DropReason = "shallow_boundary" // its parent is not in a shallow clone
	DropRoot       DropReason = "root"             // no parent
	DropRevert     DropReason = "revert"
	DropBump       DropReason = "bump"           // releases, versions, dependencies, bots
	DropGenerated  DropReason = "generated"      // of code, only generated or vendored files
	DropNoSource   DropReason = "no_source"      // tests, documents and others only
	DropAdditions  DropReason = "only_new_files" // of code
	DropFiles      DropReason = "too_many_files"
	DropNoTests    DropReason = "no_tests" // only with MineOptions.WithTests
	DropReverted   DropReason = "reverted" // by a later commit
	DropText       DropReason = "too_little_text"
	DropDuplicate  DropReason = "duplicate_text" // an older commit says the same
	DropUnreadable DropReason = "unreadable"     // a path that a task cannot hold, or lines that could not be read
	DropLines      DropReason = "too_many_lines"
	DropRename     DropReason = "rename_only" // files were moved, no line changed
	DropFormat     DropReason = "format_only" // nothing but white space or modes changed, or only files that were empty
	DropMonth      DropReason = "month_full"  // its month has its share of tasks
	DropMax        DropReason = "over_max"    // newer months hold Max tasks
)

// DropReasons lists the reasons in the order in which they are asked.
func DropReasons() []DropReason { return slices.Clone(dropOrder) }

var dropOrder = []DropReason{DropMerge, DropBoundary, DropRoot, DropRevert, DropBump, DropGenerated, DropNoSource, DropAdditions,
	DropFiles, DropNoTests, DropReverted, DropText, DropDuplicate, DropUnreadable, DropLines, DropRename, DropFormat, DropMonth, DropMax}

// DropCount is how many commits were left out for a reason.
type DropCount struct {
	Reason   DropReason
	Count    int
	Examples []string // ids of up to three of them, the newest
}

// MineResult is what was found. Every commit that was looked at became a task or is counted in Dropped.
type MineResult struct {
	Tasks   []Task // newest first, then by ID
	Scanned int
	Dropped []DropCount // in the order of the reasons, those that occurred
}

// Mine makes tasks out of commits: the question is the commit's message without what names its files, the gold is the lines
// of existing source that it changed, in the numbering of its parent, which is the state to search.
//
// Each calendar month gives at most PerMonth tasks, drawn by a seeded hash of the commit id, and the newest months that
// together hold Max are taken. So a new commit displaces none of an older month, but that the oldest one can lose tasks to
// Max; it can still take one out by reverting it, or shorten its question by bringing a file that it names. The changed
// lines of commits whose month is full are not read: reasons that depend on them count among the others only.
//
// Errors are those of h and of ctx, and agenvantage.ErrBadInput for options; a history without usable commits is none.
func Mine(ctx context.Context, h History, o MineOptions) (MineResult, error) {
	o, err := o.withDefaults()
	if err != nil {
		return MineResult{}, err
	}
	m := miner{o: o, history: h, names: newPathNames(o.TreePaths), drops: map[DropReason][]dropped{}}
	if err := m.scan(ctx); err != nil {
		return MineResult{}, fmt.Errorf("mine tasks of %s: %w", o.Repo, err)
	}
	tasks, err := m.draw(ctx, m.candidates())
	if err != nil {
		return MineResult{}, fmt.Errorf("mine tasks of %s: %w", o.Repo, err)
	}
	markRecent(tasks)
	return MineResult{Tasks: tasks, Scanned: m.scanned, Dropped: m.counts()}, nil
}

func (o MineOptions) withDefaults() (MineOptions, error) {
	bad := func(format string, args ...any) (MineOptions, error) {
		return o, fmt.Errorf("%w: mining: %s", agenvantage.ErrBadInput, fmt.Sprintf(format, args...))
	}
	if o.Repo == "" {
		return bad("the repository has no name")
	}
	if o.IsSource == nil {
		return bad("nothing says which files are source")
	}
	for _, n := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"max", &o.Max, DefaultMineMax},
		{"tasks per month", &o.PerMonth, DefaultMinePerMonth},
		{"max files", &o.MaxFiles, DefaultMineMaxFiles},
		{"max lines", &o.MaxLines, DefaultMineMaxLines},
		{"commits to scan", &o.Scan, DefaultMineScan},
	} {
		if *n.value < 0 {
			return bad("%s is %d, below 0", n.name, *n.value)
		}
		if *n.value == 0 {
			*n.value = n.fallback
		}
	}
	o.Root = strings.Trim(o.Root, "/")
	no := func(string) bool { return false }
	if o.IsTest == nil {
		o.IsTest = no
	}
	if o.IsGenerated == nil {
		o.IsGenerated = no
	}
	if o.Language == nil {
		o.Language = func(string) string { return "" }
	}
	return o, nil
}

// miner is the state of one call of Mine.
type miner struct {
	o       MineOptions
	history History
	names   *pathNames
	scanned int
	kept    []mined // what the first look left
	reverts revertIndex
	drops   map[DropReason][]dropped
}

// mined is a commit that the first look left.
type mined struct {
	id, parent string
	time       int64
	subject    string
	body       string
	files      []MinedFile // source files that existed before
	tests      []string    // test files that existed before, below the root, sorted
	question   string      // set by candidates
}

// dropped is a commit that was left out, for the examples.
type dropped struct {
	id   string
	time int64
}

func (m *miner) drop(reason DropReason, id string, time int64) {
	m.drops[reason] = append(m.drops[reason], dropped{id, time})
}

// scan looks at every commit once, by what a listing tells of it.
func (m *miner) scan(ctx context.Context) error {
	r := CommitRange{Revision: m.o.Revision, Since: m.o.Since, Max: m.o.Scan}
	return m.history.Commits(ctx, r, func(c MinedCommit) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.scanned++
		if m.o.Progress != nil && m.scanned%1000 == 0 {
			m.o.Progress(MineProgress{Scanned: m.scanned, Max: m.o.Max})
		}
		for _, f := range c.Files {
			m.names.add(f.Path)
			m.names.add(f.OldPath)
		}
		m.reverts.note(c)
		files, reason := m.firstLook(c)
		if reason != "" {
			m.drop(reason, c.ID, c.Time)
			return nil
		}
		tests := m.testFiles(c)
		if m.o.WithTests && len(tests) == 0 {
			m.drop(DropNoTests, c.ID, c.Time)
			return nil
		}
		body := c.Body[:min(len(c.Body), maxBodyBytes)]
		m.kept = append(m.kept, mined{id: c.ID, parent: c.Parents[0], time: c.Time, subject: c.Subject, body: body, files: files, tests: tests})
		return nil
	})
}

// candidates takes out what only the whole history shows, and strips the messages.
func (m *miner) candidates() []mined {
	reverted := m.reverts.reverted(m.kept)
	var left []mined
	oldest := map[string]int{} // folded question to its place in left
	for _, c := range m.kept {
		if reverted[c.id] {
			m.drop(DropReverted, c.id, c.time)
			continue
		}
		c.question = stripMessage(c.subject, c.body, m.names)
		if !saysEnough(c.question) {
			m.drop(DropText, c.id, c.time)
			continue
		}
		folded := strings.ToLower(strings.Join(strings.Fields(c.question), " "))
		i, twice := oldest[folded]
		switch {
		case !twice:
			oldest[folded] = len(left)
			left = append(left, c)
		case compareAge(c, left[i]) < 0: // the older one stays, so that a new commit does not take its place
			m.drop(DropDuplicate, left[i].id, left[i].time)
			left[i] = c
		default:
			m.drop(DropDuplicate, c.id, c.time)
		}
	}
	return left
}

// compareAge orders by time, oldest first, then by id.
func compareAge(a, b mined) int {
	return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.id, b.id))
}

// counts lists the reasons that occurred, each with the newest of its commits.
func (m *miner) counts() []DropCount {
	var out []DropCount
	for _, reason := range dropOrder {
		list := m.drops[reason]
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b dropped) int {
			return cmp.Or(cmp.Compare(b.time, a.time), strings.Compare(a.id, b.id))
		})
		c := DropCount{Reason: reason, Count: len(list)}
		for _, d := range list[:min(3, len(list))] {
			c.Examples = append(c.Examples, d.id)
		}
		out = append(out, c)
	}
	return out
}
