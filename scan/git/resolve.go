package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"agenvantage"
)

// IsObjectID accepts whole SHA-1 and SHA-256 ids in lower-case hexadecimal.
func IsObjectID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Resolve returns the full id of the commit that revision names in r, by git's own rules (gitrevisions). A revision that
// names no commit there is an error wrapping agenvantage.ErrBadInput, which holds the repository and the revision.
func (p *Program) Resolve(ctx context.Context, r Repository, revision string) (string, error) {
	bad := func(why string) (string, error) {
		return "", fmt.Errorf("%w: repository %q: revision %q %s", agenvantage.ErrBadInput, r.Name(), revision, why)
	}
	if revision == "" || strings.HasPrefix(revision, "-") || strings.ContainsAny(revision, "\x00\n") {
		return bad("cannot be the name of a commit")
	}
	out, _, err := p.Run(ctx, r.GitDir, nil, "--git-dir="+r.GitDir, "rev-parse", "--verify", "-q", "--end-of-options",
		revision+"^{commit}")
	id := string(bytes.TrimSpace(out))
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil && IsObjectID(id):
		return id, nil
	}
	return bad("is unknown" + reason(Says(err)))
}

// reason is the line in which git gives its reason, among advice and warnings; "" when there is none.
func reason(says string) string {
	for line := range strings.Lines(says) {
		for _, mark := range []string{"fatal: ", "error: "} {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
				return ": " + strings.ToValidUTF8(rest, "\ufffd")
			}
		}
	}
	return ""
}

// WithoutFilters returns a program that runs no clean, smudge or process filter of the configuration that holds in r: git
// would run them when it compares files of a work tree, whatever options a command has.
func (p *Program) WithoutFilters(ctx context.Context, r Repository) (*Program, error) {
	out, _, err := p.Run(ctx, r.GitDir, nil, "--git-dir="+r.GitDir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && (ctx.Err() != nil || Says(err) != "") { // git says nothing, and fails, when there is none
		return nil, fmt.Errorf("list the filters of %s: %w", r.Name(), err)
	}
	count := 0
	env := make([]string, 0, len(p.env)+16)
	for _, kv := range p.env {
		if n, isCount := strings.CutPrefix(kv, "GIT_CONFIG_COUNT="); isCount {
			count, _ = strconv.Atoi(n)
			continue
		}
		env = append(env, kv)
	}
	for key := range strings.SplitSeq(string(out), "\x00") {
		value := ""
		if last := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:]); last == "required" {
			value = "false"
		} else if last != "clean" && last != "smudge" && last != "process" {
			continue
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, value))
		count++
	}
	return &Program{path: p.path, env: append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(count))}, nil
}
