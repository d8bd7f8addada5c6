package scan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"agenvantage"
	"agenvantage/scan/git"
)

// FindRoot returns the top of the git work tree that encloses dir, or dir itself when none does. A submodule and a
// linked work tree are work trees of their own. Links in dir are resolved.
func FindRoot(dir string) (string, error) {
	dir, err := resolveFolder(dir)
	if err != nil {
		return "", err
	}
	if r, ok := git.FindWorkTree(dir); ok {
		return r.Top, nil
	}
	return dir, nil
}

// resolveFolder makes dir absolute without links, and makes sure that it is a folder.
func resolveFolder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("%w: folder %q: %v", agenvantage.ErrBadInput, dir, err)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: folder %q does not exist", agenvantage.ErrBadInput, dir)
	}
	if err != nil {
		return "", fmt.Errorf("%w: folder %q: %v", agenvantage.ErrBadInput, dir, err)
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", fmt.Errorf("%w: folder %q: %v", agenvantage.ErrBadInput, dir, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%w: %q is not a folder", agenvantage.ErrBadInput, dir)
	}
	return resolved, nil
}

// Head reads the commit id and the branch that HEAD names in the work tree that encloses dir, without running git.
// revision is "" before the first commit, branch is "" when HEAD is detached; ok is false outside of a repository and
// where refs are kept in a format that only git reads.
func Head(dir string) (revision, branch string, ok bool) {
	r, found := git.FindWorkTree(dir)
	if !found {
		return "", "", false
	}
	return r.Head()
}

// refuseGitFolder returns an error when dir is a bare repository or lies inside a git folder.
func refuseGitFolder(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	for d := dir; ; d = filepath.Dir(d) {
		if git.IsFolder(d) {
			if filepath.Base(d) == ".git" {
				return fmt.Errorf("%w: %q is inside a git folder, not a work tree; give the folder that holds it (%q)", agenvantage.ErrBadInput, dir, filepath.Dir(d))
			}
			return fmt.Errorf("%w: %q is a bare repository: it has no files to read; check it out first (git clone %q DIR, or git worktree add) and give that folder", agenvantage.ErrBadInput, dir, d)
		}
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil || d == filepath.Dir(d) {
			return nil
		}
	}
}
