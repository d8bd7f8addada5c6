package scan

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"agenvantage/scan/git"
)

// explainRows bounds how many ignored paths are looked at to explain an empty listing.
const explainRows = 2000

// manyIgnored is from how many ignored files on an empty listing is a problem whatever the rule: fewer can be the litter
// of a desktop or of a tool in a folder that is empty for its owner.
const manyIgnored = 10

// explainEmpty is called when no entry is left. It counts the files that git ignores and names the rule that ignores most
// of them, so that an empty index over a full tree is never a mystery.
func (w *Walker) explainEmpty(ctx context.Context, l *Listing, inRepository bool) {
	run := func(stdin []byte, args ...string) ([]byte, error) {
		out, _, err := w.git.Run(ctx, w.root, stdin, args...)
		return out, err
	}
	ignored, err := run(nil, "ls-files", "-z", "-o", "-i", "--exclude-standard")
	var prefix []string
	if !inRepository || err != nil || len(ignored) == 0 {
		gitDir, remove, tempErr := git.TemporaryFolder()
		if tempErr != nil {
			return
		}
		defer remove()
		prefix = []string{"--git-dir=" + gitDir, "--work-tree=" + w.root}
		if ignored, err = run(nil, append(prefix, "ls-files", "-z", "-o", "-i", "--exclude-standard")...); err != nil {
			return
		}
	}
	var asked bytes.Buffer
	rows := 0
	for row := range records(ignored) {
		if w.isOwnFolder(string(row)) {
			continue
		}
		if rows++; rows <= explainRows {
			asked.Write(row)
			asked.WriteByte(0)
		}
	}
	l.Candidates += rows
	if rows == 0 {
		return
	}
	answer, _ := run(asked.Bytes(), append(prefix, "check-ignore", "-v", "-z", "--stdin", "--no-index")...)
	if rule := mostFrequentRule(answer); rows >= manyIgnored || isMainRule(rule) {
		l.DecidingRule = rule
	}
}

// isMainRule reports whether a rule stands in a file that is about the whole tree and belongs to it.
func isMainRule(rule string) bool {
	return strings.HasPrefix(rule, ".gitignore:") || strings.HasPrefix(rule, ".git/info/exclude:")
}

// mostFrequentRule reads "SOURCE NUL LINE NUL PATTERN NUL PATH NUL" records; the first of equally frequent rules wins.
func mostFrequentRule(answer []byte) string {
	fields := bytes.Split(answer, []byte{0})
	counts := map[string]int{}
	best := ""
	for ; len(fields) >= 4; fields = fields[4:] {
		rule := fmt.Sprintf("%s:%s: %s", fields[0], fields[1], fields[2])
		if counts[rule]++; counts[rule] > counts[best] {
			best = rule
		}
	}
	return best
}
