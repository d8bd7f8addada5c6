package ablations

import (
	"regexp"
	"slices"
	"strings"
)

// firstLook decides by the listing alone. It returns the source files that existed before the commit, or a reason.
func (m *miner) firstLook(c MinedCommit) ([]MinedFile, DropReason) {
	switch {
	case len(c.Parents) > 1:
		return nil, DropMerge
	case c.Boundary:
		return nil, DropBoundary
	case len(c.Parents) == 0:
		return nil, DropRoot
	case isRevert(c.Subject, c.Body):
		return nil, DropRevert
	case isBump(c.Subject):
		return nil, DropBump
	}
	return m.sourceFiles(c)
}

// sourceFiles sorts the commit's files and applies the bounds to those that are source.
func (m *miner) sourceFiles(c MinedCommit) ([]MinedFile, DropReason) {
	var existed []MinedFile
	source, generated := 0, 0
	for _, f := range c.Files {
		if f.Status == 'T' || !m.inRoot(f.base()) || !m.o.IsSource(f.base()) || m.o.IsTest(f.base()) {
			continue
		}
		if m.o.IsGenerated(f.base()) {
			generated++
			continue
		}
		source++
		if f.Status != 'A' && f.Status != 'C' {
			existed = append(existed, f)
		}
	}
	switch {
	case source == 0 && generated > 0:
		return nil, DropGenerated
	case source == 0:
		return nil, DropNoSource
	case len(existed) == 0:
		return nil, DropAdditions
	case source > m.o.MaxFiles:
		return nil, DropFiles
	}
	return existed, ""
}

// testFiles lists the test files in code that the commit touched and that its parent has, as a task names them. Fixtures
// and recorded outputs are no code: nobody reads them to learn how a thing is tested. Paths that a task cannot hold are left
// out, and so is what is beyond the most that it can hold.
func (m *miner) testFiles(c MinedCommit) (tests []string) {
	for _, f := range c.Files {
		file := f.base()
		existed := f.Status != 'A' && f.Status != 'C' && f.Status != 'T'
		if existed && m.inRoot(file) && m.o.IsSource(file) && m.o.IsTest(file) && !m.o.IsGenerated(file) && writablePath(m.below(file)) {
			tests = append(tests, m.below(file))
		}
	}
	slices.Sort(tests)
	tests = slices.Compact(tests)
	return tests[:min(len(tests), maxTargets)]
}

func (m *miner) inRoot(path string) bool {
	return m.o.Root == "" || strings.HasPrefix(path, m.o.Root+"/")
}

// writablePath reports whether a task can hold the path.
func writablePath(path string) bool {
	ok := true
	checkPath("", path, func(string, ...any) { ok = false })
	return ok
}

var (
	revertSubject = regexp.MustCompile(`(?i)^\W*(?:(?:[a-z]+(?:\([^)]*\))?!?: *)?(?:re-?)?revert(?:s|ed|ing)?\b|` +
		`back(?:ed|ing|s)? ?out\b)`)
	revertBody   = regexp.MustCompile(`(?i)\bthis reverts commit ([0-9a-f]{7,64})`)
	revertQuoted = regexp.MustCompile(`(?i)^\W*revert:? *"(.+)"`)
)

func isRevert(subject, body string) bool {
	return revertSubject.MatchString(subject) || revertBody.MatchString(body)
}

// A bump is told by its subject: versions, releases, dependencies, and what bots do by themselves.
var bumpSubject = regexp.MustCompile(`(?i)^\W*(?:(?:chore|build|ci|fix|feat|deps?|deps-dev)(?:\([^)]*\))?!?: *)?(?:` + strings.Join([]string{
	`bump(?:s|ed|ing)?\b`,
	`(?:prepar(?:e|es|ed|ing)(?: for)?|cut|tag|start|begin|post|pre)?[ -]*(?:the )?(?:next |new )?releas(?:e|es|ing)\b(?: of)?[ :]*` +
		`(?:\w+ )?(?:v?\d+\.\d|v\d|$|notes|candidate|version)`,
	`(?:prepare|start|begin)(?: for)?(?: the)?(?: next)?(?: [\w.]+)? (?:release|development|dev version|iteration)\b`,
	`(?:\w+[ -])?v?\d+\.\d+(?:\.\d+)*[\w.+-]*$`,
	`(?:set|update|updated|increment|change|raise)(?: the)?(?: \w+)? version(?: number| string)?(?:$| to| for)`,
	`(?:start |begin )?version (?:v?\d|bump)`,
	`(?:update|updated|upgrade|upgraded|updating|pin|lock|refresh|renovate|roll)(?: [\w@/.-]+){0,2} ` +
		`(?:dependenc(?:y|ies)|deps|lock ?files?|requirements|submodules?)\b`,
	`(?:update|upgrade|upgraded|updated|downgrade|pin)\b.* (?:to|from|==|@) ?v?\d+(?:\.\d+)+`,
	`(?:dependabot|renovate|pre-commit\.ci\b|auto fixes from pre-commit|pre-commit autoupdate)`,
}, "|") + `)|\bdeps(?:-dev)?\): |\bbump(?:s|ed|ing)? (?:\S+ )?(?:version|from v?\d|to v?\d)`)

func isBump(subject string) bool { return bumpSubject.MatchString(subject) }

// revertIndex gathers what commits say that they revert.
type revertIndex struct {
	ids      []string         // whole or abbreviated
	subjects map[string]int64 // subject of the reverted commit to the time of the newest revert that names no id
}

func (r *revertIndex) note(c MinedCommit) {
	if !isRevert(c.Subject, c.Body) {
		return
	}
	ids := revertBody.FindAllStringSubmatch(c.Body, -1)
	for _, m := range ids {
		r.ids = append(r.ids, strings.ToLower(m[1]))
	}
	if q := revertQuoted.FindStringSubmatch(c.Subject); q != nil && len(ids) == 0 {
		if r.subjects == nil {
			r.subjects = map[string]int64{}
		}
		r.subjects[q[1]] = max(r.subjects[q[1]], c.Time)
	}
}

// reverted is the set of those of commits that a later one takes back. A revert without an id takes back the newest
// commit with its subject that is not newer than itself.
func (r *revertIndex) reverted(commits []mined) map[string]bool {
	out := map[string]bool{}
	byShort := map[string][]string{} // the first 7 digits to whole ids
	newest := map[string]mined{}
	for _, c := range commits {
		if len(c.id) >= 7 {
			byShort[c.id[:7]] = append(byShort[c.id[:7]], c.id)
		}
		if t, ok := r.subjects[c.subject]; ok && c.time <= t {
			if n, has := newest[c.subject]; !has || compareAge(n, c) < 0 {
				newest[c.subject] = c
			}
		}
	}
	for _, id := range r.ids {
		for _, whole := range byShort[id[:7]] {
			if strings.HasPrefix(whole, id) {
				out[whole] = true
			}
		}
	}
	for _, c := range newest {
		out[c.id] = true
	}
	return out
}
