// Package history reads what was committed: which commits there are, which files and lines each one changed, and what a
// work tree changes beyond HEAD. It owns the formats of git log and of patches. Of the text of files it holds no more than
// the heads of functions that git prints before changed lines (Hunk.Context); otherwise there are paths, line numbers and the
// messages of commits. All text passes scan/redact. Only ancestors of a revision that the caller names are ever read. Read
// history.go first, then log.go (commits) and hunks.go (lines); the parsers are logreader.go and patch.go.
//
// # Paths
//
// Paths are relative to the root with forward slashes; their bytes are those of git's trees, so they need not be valid
// UTF-8. What happened outside of the root is left out, and a file that was moved into it counts as added.
//
// # What decides
//
// Commits are compared from their objects alone, with git's own defaults: no configuration, no .gitattributes, no
// replacement objects and no mailmap has a say, so that the same commit gives the same facts in every clone. Nothing is
// fetched; what a shallow or partial clone lacks is marked (Commit.Cut, Commit.Limited, ErrCut, ErrMissing).
package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"agenvantage"
	"agenvantage/scan/git"
)

// ErrNoHistory is wrapped by every error that says that there is no history to read, whatever the revision.
var ErrNoHistory = errors.New("no git history")

// The reasons for ErrNoHistory.
var (
	ErrNoGit        = fmt.Errorf("%w: there is no git program", ErrNoHistory)
	ErrNoRepository = fmt.Errorf("%w: not a git repository", ErrNoHistory)
	ErrUnborn       = fmt.Errorf("%w: no commit yet", ErrNoHistory)
)

// Errors about single commits and clones.
var (
	// ErrNoParent means that a commit is the first of its history.
	ErrNoParent = errors.New("the commit has no parent")
	// ErrCut means that a shallow clone ends at the commit: its parents, and so its changes, are not known.
	ErrCut = errors.New("the history is cut off at the commit")
	// ErrMissing means that a partial or damaged clone lacks the contents that are needed.
	ErrMissing = errors.New("contents are not in this clone")
	// ErrNoWorkTree means that a repository is bare.
	ErrNoWorkTree = errors.New("the repository has no work tree")
)

// Reader reads the history of one root. It keeps nothing open and is safe for concurrent use.
type Reader struct {
	program *git.Program
	repo    git.Repository
	root    string
	prefix  string // of paths at the top of the repository: "" or "FOLDER/"
}

// Open makes a Reader for root: a work tree, linked ones included, a folder inside of one, or a bare repository.
// Errors: agenvantage.ErrBadInput for what is no folder; ErrNoRepository and ErrNoGit.
func Open(root string) (*Reader, error) {
	absolute, err := filepath.Abs(root)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: folder %q: %v", agenvantage.ErrBadInput, root, err)
	}
	if info, err := os.Stat(absolute); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %q is not a folder", agenvantage.ErrBadInput, root)
	}
	repo, ok := git.FindRepository(absolute)
	if !ok {
		return nil, fmt.Errorf("open the history of %q: %w", root, ErrNoRepository)
	}
	r := &Reader{program: git.Find(), repo: repo, root: absolute}
	if r.program == nil {
		return nil, fmt.Errorf("open the history of %q: %w", root, ErrNoGit)
	}
	if repo.Top != "" {
		r.prefix = prefixOf(repo.Top, absolute)
	}
	return r, nil
}

// prefixOf is the prefix of paths below root at the top of the repository: none for the top and for its git folder.
func prefixOf(top, root string) string {
	below, err := filepath.Rel(top, root)
	if err != nil || below == "." || !filepath.IsLocal(below) {
		return ""
	}
	below = filepath.ToSlash(below) + "/"
	if strings.HasPrefix(below, ".git/") {
		return ""
	}
	return below
}

// Root returns the root, absolute and with its links resolved.
func (r *Reader) Root() string { return r.root }

// Prefix is the root's folder in the repository with a slash at its end, "" when the root is the top or bare.
func (r *Reader) Prefix() string { return r.prefix }

// Head returns the commit that HEAD names, and its branch, "" when HEAD is detached. Before the first commit the error
// is ErrUnborn.
func (r *Reader) Head(ctx context.Context) (commit, branch string, err error) {
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	commit, branch, ok := r.repo.Head()
	if ok && commit == "" {
		return "", branch, fmt.Errorf("head of %q: %w", r.root, ErrUnborn)
	}
	if !ok { // refs in a format that only git reads, or a damaged HEAD
		if commit, err = r.program.Resolve(ctx, r.repo, "HEAD"); err != nil {
			if ctx.Err() != nil {
				return "", "", ctx.Err()
			}
			return "", "", fmt.Errorf("head of %q: %w", r.root, ErrUnborn)
		}
		out, _, err := r.program.Run(ctx, r.repo.GitDir, nil, "--git-dir="+r.repo.GitDir, "symbolic-ref", "-q", "--short", "HEAD")
		if err == nil {
			branch = strings.TrimSpace(string(out))
		}
	}
	return commit, branch, nil
}

// Resolve returns the full id of the commit that a revision names by git's own rules; "" means HEAD. An unknown one is an
// error wrapping agenvantage.ErrBadInput; an empty history is ErrUnborn.
func (r *Reader) Resolve(ctx context.Context, revision string) (string, error) {
	if revision == "" || revision == "HEAD" {
		id, _, err := r.Head(ctx)
		return id, err
	}
	return r.program.Resolve(ctx, r.repo, revision)
}

// IsShallow reports whether the history of this clone was cut off somewhere.
func (r *Reader) IsShallow() (bool, error) {
	cut, err := r.repo.Shallow()
	if err != nil {
		return false, fmt.Errorf("read the shallow list of %q: %w", r.root, err)
	}
	return len(cut) > 0, nil
}

// CommitCount returns how many commits are ancestors of the revision ("" means HEAD), itself and merges included.
func (r *Reader) CommitCount(ctx context.Context, revision string) (int, error) {
	id, err := r.Resolve(ctx, revision)
	if err != nil {
		return 0, err
	}
	out, err := r.run(ctx, id, "rev-list", "--count", id)
	if err != nil {
		return 0, fmt.Errorf("count the commits of %q: %w", r.root, err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, fmt.Errorf("count the commits of %q: %w", r.root, err)
	}
	return n, nil
}

// IsAncestor reports whether ancestor is revision or one of the commits before it.
func (r *Reader) IsAncestor(ctx context.Context, ancestor, revision string) (bool, error) {
	a, err := r.Resolve(ctx, ancestor)
	if err != nil {
		return false, err
	}
	b, err := r.Resolve(ctx, revision)
	if err != nil {
		return false, err
	}
	_, err = r.run(ctx, a, "merge-base", "--is-ancestor", a, b)
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() == nil && git.Says(err) == "": // exit status 1, without a word
		return false, nil
	}
	return false, fmt.Errorf("compare %s and %s of %q: %w", a, b, r.root, err)
}

// ParentOf returns the first parent of a commit. Without one the error is ErrNoParent, or ErrCut where a shallow clone
// ends.
func (r *Reader) ParentOf(ctx context.Context, revision string) (string, error) {
	id, err := r.Resolve(ctx, revision)
	if err != nil {
		return "", err
	}
	if err := r.refuseCut(id); err != nil {
		return "", err
	}
	out, err := r.run(ctx, id, "rev-list", "--parents", "-n", "1", id)
	if err != nil {
		return "", fmt.Errorf("find the parent of %s in %q: %w", id, r.root, err)
	}
	ids := strings.Fields(string(out))
	if len(ids) < 2 || !git.IsObjectID(ids[1]) {
		return "", fmt.Errorf("%s in %q: %w", id, r.root, ErrNoParent)
	}
	return ids[1], nil
}

// refuseCut returns ErrCut for a commit at which a shallow clone ends.
func (r *Reader) refuseCut(id string) error {
	cut, err := r.repo.Shallow()
	if err != nil {
		return fmt.Errorf("read the shallow list of %q: %w", r.root, err)
	}
	if cut[id] {
		return fmt.Errorf("%s in %q: %w", id, r.root, ErrCut)
	}
	return nil
}

// run runs one short git command over the objects.
func (r *Reader) run(ctx context.Context, id string, args ...string) ([]byte, error) {
	objects, err := r.program.OpenObjects(r.repo, id)
	if err != nil {
		return nil, err
	}
	defer objects.Close()
	return objects.Run(ctx, nil, args...)
}
