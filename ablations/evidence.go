package ablations

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agenvantage/internal/count"
)

// Tree is the files of one corpus. Paths are relative to its root, with forward slashes.
type Tree interface {
	// Files lists the paths of all files that are known, those that an index leaves out among them.
	Files() []string
	// Lookup says what stands at a path. The error is one of reading, never that nothing is there.
	Lookup(path string) (TreeEntry, error)
}

// TreeEntry is what stands at a path of a tree.
type TreeEntry struct {
	Kind    TreeKind
	Lines   int    // of a file that an index holds
	LeftOut string // of a file that an index leaves out: the reason, in a word
}

// TreeKind says what a TreeEntry is.
type TreeKind int

// The kinds.
const (
	TreeNothing TreeKind = iota
	TreeFile             // an index holds it
	TreeLeftOut          // it is there, and an index does not hold it
	TreeFolder
)

// EvidenceCheck holds gold, optional evidence and tests against the trees that are searched, before anything is answered: a place
// that is not there could never be found, and each answer would count as wrong. Faults are the places of our own tasks
// that are not there. Sets of others are taken as they are, and Notes counts what is missing in them.
type EvidenceCheck struct {
	Faults  TaskFaults
	places  int
	missing evidenceCount // in sets of others
	leftOut evidenceCount
}

// evidenceCount counts places, the tasks that name them, and remembers the first.
type evidenceCount struct {
	places, tasks int
	first, last   string
}

func (c *evidenceCount) add(t Task, what string) {
	if c.places == 0 {
		c.first = t.ID + ": " + what
	}
	c.places++
	if c.last != t.ID {
		c.last = t.ID
		c.tasks++
	}
}

// Add checks the tasks of one corpus against its tree; where names the state in faults, as "at 5f2c9e".
func (c *EvidenceCheck) Add(tasks []Task, tree Tree, where string) error {
	byBase := map[string][]string{}
	for _, f := range tree.Files() {
		byBase[path.Base(f)] = append(byBase[path.Base(f)], f)
	}
	for _, t := range tasks {
		for _, list := range []struct {
			label   string
			targets []Target
		}{{"gold", t.Gold}, {"optional", t.Optional}, {"tests", wholeFiles(t.Tests)}} {
			for _, target := range list.targets {
				c.places++
				e, err := lookupTarget(t, target, tree, byBase)
				if err != nil {
					return err
				}
				c.judge(t, list.label, target, e, where)
			}
		}
	}
	return nil
}

// wholeFiles are targets without lines.
func wholeFiles(paths []string) []Target {
	targets := make([]Target, len(paths))
	for i, p := range paths {
		targets[i].Path = p
	}
	return targets
}

// lookupTarget finds the file that a target names by the task's rule: of several the one with most lines.
func lookupTarget(t Task, target Target, tree Tree, byBase map[string][]string) (best TreeEntry, err error) {
	rule := ruleOf(t)
	candidates := []string{rule.relative(target.Path), target.Path}
	if !rule.exact {
		for _, f := range byBase[path.Base(target.Path)] {
			if rule.same(f, f, target.Path) {
				candidates = append(candidates, f)
			}
		}
	}
	slices.Sort(candidates)
	rank := func(e TreeEntry) int {
		return slices.Index([]TreeKind{TreeNothing, TreeFolder, TreeLeftOut, TreeFile}, e.Kind)
	}
	for _, p := range slices.Compact(candidates) {
		e, err := tree.Lookup(p)
		if err != nil {
			return TreeEntry{}, err
		}
		if cmp.Or(cmp.Compare(rank(e), rank(best)), cmp.Compare(e.Lines, best.Lines)) > 0 {
			best = e
		}
	}
	return best, nil
}

// judge notes what is wrong with one target, given what stands at its place.
func (c *EvidenceCheck) judge(t Task, label string, target Target, e TreeEntry, where string) {
	wrong := ""
	switch e.Kind {
	case TreeNothing:
		wrong = "there is no such file " + where
	case TreeFolder:
		wrong = "this is a folder " + where + ": name the files in it"
	case TreeLeftOut:
		c.leftOut.add(t, target.Path+", "+e.LeftOut)
	case TreeFile:
		for _, r := range target.Ranges {
			if r.EndLine > e.Lines {
				wrong = fmt.Sprintf("lines %d to %d end behind the file, which has %d %s", r.StartLine, r.EndLine, e.Lines, where)
				break
			}
		}
	}
	switch {
	case wrong == "":
	case ofOthers(t.Source):
		c.missing.add(t, target.Path+": "+wrong)
	default:
		c.Fault(t, "%s %s: %s", label, target.Path, wrong)
	}
}

// Fault notes what is wrong with a task as a whole.
func (c *EvidenceCheck) Fault(t Task, format string, args ...any) {
	faultsOf(&c.Faults, t.Origin)("task %q: "+format, append([]any{t.ID}, args...)...)
}

// ofOthers says whether a source is a public set, which is scored as it is.
func ofOthers(source string) bool {
	return source == "codesearch" || strings.HasPrefix(source, "swe-bench") || strings.HasPrefix(source, "contextbench")
}

// Err is all faults in the order of files and lines, nil when there is none.
func (c *EvidenceCheck) Err() error {
	if len(c.Faults) == 0 {
		return nil
	}
	split := func(place string) (file string, line int) {
		i := strings.LastIndexByte(place, ':')
		if i < 0 {
			return place, 0
		}
		line, err := strconv.Atoi(place[i+1:])
		if err != nil {
			return place, 0
		}
		return place[:i], line
	}
	slices.SortStableFunc(c.Faults, func(a, b *TaskFault) int {
		fileA, lineA := split(a.Place)
		fileB, lineB := split(b.Place)
		return cmp.Or(strings.Compare(fileA, fileB), cmp.Compare(lineA, lineB))
	})
	return c.Faults
}

// Notes says how much of the evidence no answer can find.
func (c *EvidenceCheck) Notes() (notes []string) {
	if n := c.missing; n.places > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d places of evidence, of %s, are not in the trees that are searched and cannot be found (the first: %s)",
			n.places, c.places, count.Grouped(n.tasks, "task", "tasks"), n.first))
	}
	if n := c.leftOut; n.places > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d places of evidence, of %s, are in files that an index leaves out and cannot be found (the first: %s)",
			n.places, c.places, count.Grouped(n.tasks, "task", "tasks"), n.first))
	}
	return notes
}
