package ablations

import (
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
)

// Bounds of what a task may hold. They are far above what real sets hold; beyond them a file is something else.
const (
	maxNameBytes  = 1 << 10  // of an id, a repository, a label
	maxQueryBytes = 1 << 20  // of a question
	maxTargets    = 10_000   // gold, optional, context and tests entries of a task, each
	maxLine       = 10 << 20 // line number
)

// checkTask notes what a task lacks or holds too much of. Its fields have the right types already.
func checkTask(t Task, fault faultFunc) {
	checkName("id", t.ID, true, fault)
	checkName("source", t.Source, false, fault)
	checkName("language", t.Language, false, fault)
	checkName("category", t.Category, false, fault)
	checkRepo(t.Repo, fault)
	checkRevision(t.Revision, fault)
	if t.Root != "" {
		checkPath("root", t.Root, fault)
	}
	switch {
	case strings.TrimSpace(t.Query) == "":
		fault("the question is empty")
	case len(t.Query) > maxQueryBytes:
		fault("the question has %d bytes, at most %d are taken", len(t.Query), maxQueryBytes)
	case !utf8.ValidString(t.Query) || strings.Contains(t.Query, "\x00"):
		fault("the question holds a NUL or bytes that are not UTF-8")
	}
	if t.Match != MatchExact && t.Match != MatchSuffix {
		fault("match is %q, known are %q and %q", t.Match, MatchExact, MatchSuffix)
	}
	switch {
	case !t.NoAnswer && len(t.Gold) == 0:
		fault("no gold: name the files that answer, or say \"no_answer\": true")
	case t.NoAnswer && len(t.Gold)+len(t.Optional)+len(t.Context)+len(t.Tests) > 0:
		fault("no_answer and gold, optional, context or tests exclude each other")
	}
	if t.Time < 0 {
		fault("time %d is below 0", t.Time)
	}
	checkTargets("gold", t.Gold, t.Match, fault)
	checkTargets("optional", t.Optional, t.Match, fault)
	if len(t.Context) > maxTargets {
		fault("context has %d entries, at most %d are taken", len(t.Context), maxTargets)
	}
	for _, p := range t.Context {
		checkPath("context", p.Path, fault)
		checkRange("context of "+p.Path, p.Span, fault)
	}
	checkTests(t.Tests, fault)
}

// checkTests notes bad paths of test files, and those that stand twice.
func checkTests(tests []string, fault faultFunc) {
	if len(tests) > maxTargets {
		fault("tests has %d entries, at most %d are taken", len(tests), maxTargets)
	}
	seen := map[string]bool{}
	for _, p := range tests {
		checkPath("tests", p, fault)
		if seen[p] {
			fault("tests names %s twice", p)
		}
		seen[p] = true
	}
}

// checkTargets notes bad paths and ranges. A path that stands twice is a fault in a set of ours, where its ranges belong
// together; code search annotations name a file once for each of its places.
func checkTargets(label string, targets []Target, m Match, fault faultFunc) {
	if len(targets) > maxTargets {
		fault("%s has %d entries, at most %d are taken", label, len(targets), maxTargets)
	}
	seen := map[string]bool{}
	for _, t := range targets {
		checkPath(label, t.Path, fault)
		if seen[t.Path] && m == MatchExact {
			fault("%s names %s twice: put its ranges together", label, t.Path)
		}
		seen[t.Path] = true
		for _, r := range t.Ranges {
			checkRange(label+" of "+t.Path, r, fault)
		}
	}
}

func checkRange(label string, r agenvantage.Span, fault faultFunc) {
	switch {
	case r.StartLine < 1:
		fault("%s: lines %d to %d: the first line is 1", label, r.StartLine, r.EndLine)
	case r.EndLine < r.StartLine:
		fault("%s: lines %d to %d are reversed", label, r.StartLine, r.EndLine)
	case r.EndLine > maxLine:
		fault("%s: lines %d to %d: at most %d lines are taken", label, r.StartLine, r.EndLine, maxLine)
	}
}

// checkPath takes a path below a folder, with forward slashes and in its shortest form. Backslashes are refused: on some
// systems they separate folders and on others they are part of a name.
func checkPath(label, p string, fault faultFunc) {
	switch {
	case p == "":
		fault("%s: the path is empty", label)
	case strings.ContainsFunc(p, unicode.IsControl) || !utf8.ValidString(p):
		fault("%s: path %q holds a control character or bytes that are not UTF-8", label, p)
	case strings.Contains(p, `\`):
		fault("%s: path %q holds a backslash: write it with forward slashes", label, p)
	case strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':':
		fault("%s: path %q is absolute: it must be relative to the root that is searched", label, p)
	case p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../") || strings.HasSuffix(p, "/.."):
		fault("%s: path %q leaves the root that is searched", label, p)
	case !fs.ValidPath(p) || p == ".":
		fault("%s: path %q is not in its shortest form (no \".\", no empty name, no slash at an end)", label, p)
	}
}

// checkRepo takes "name" or "owner/name": it is turned into the name of a folder.
func checkRepo(repo string, fault faultFunc) {
	if repo == "" {
		fault("the repository is missing")
		return
	}
	checkName("repo", repo, true, fault)
	if strings.Contains(repo, `\`) || !fs.ValidPath(repo) || repo == "." || strings.Count(repo, "/") > 1 || strings.HasPrefix(repo, "-") {
		fault("repository %q is neither \"name\" nor \"owner/name\"", repo)
	}
}

// checkRevision keeps what git would read as an option or as several words away from it.
func checkRevision(revision string, fault faultFunc) {
	if len(revision) > 255 || strings.HasPrefix(revision, "-") || strings.Contains(revision, "..") ||
		strings.ContainsFunc(revision, func(r rune) bool {
			return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`:?*[\`, r)
		}) {
		fault("base_commit %q is no commit id or name", clip(revision, 60))
	}
}

func checkName(label, name string, needed bool, fault faultFunc) {
	switch {
	case needed && strings.TrimSpace(name) == "":
		fault("%s is missing", label)
	case len(name) > maxNameBytes:
		fault("%s has %d bytes, at most %d are taken", label, len(name), maxNameBytes)
	case strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name):
		fault("%s %q holds a control character or bytes that are not UTF-8", label, name)
	}
}

// checkSet notes what is wrong between tasks: an id twice, two repositories with one folder.
func checkSet(tasks []Task, faults *TaskFaults) {
	ids, folders := map[string]string{}, map[string]string{}
	for _, t := range tasks {
		fault := faultsOf(faults, t.Origin)
		if first, ok := ids[t.ID]; ok {
			if first == "" {
				first = "another task"
			}
			fault("id %q is taken by %s", t.ID, first)
		} else {
			ids[t.ID] = t.Origin
		}
		folder := strings.ReplaceAll(t.Repo, "/", "+")
		if other, ok := folders[folder]; ok && other != t.Repo {
			fault("repositories %q and %q would be the same folder %q", other, t.Repo, folder)
		} else {
			folders[folder] = t.Repo
		}
	}
}
