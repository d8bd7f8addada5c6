package scan

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agenvantage"
)

// repository is where a work tree keeps its git folder.
type repository struct {
	top    string // the work tree that encloses the folder
	gitDir string // its own git folder (HEAD, index)
	common string // the git folder that holds refs and info/exclude; equal to gitDir unless top is a linked work tree
}

// FindRoot returns the top of the git work tree that encloses dir, or dir itself when none does. A submodule and a
// linked work tree are work trees of their own. Links in dir are resolved.
func FindRoot(dir string) (string, error) {
	dir, err := resolveFolder(dir)
	if err != nil {
		return "", err
	}
	if r, ok := findRepository(dir); ok {
		return r.top, nil
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

// findRepository walks up from dir to the first folder with a usable .git, as git does.
func findRepository(dir string) (repository, bool) {
	for {
		if gitDir, ok := gitFolderOf(dir); ok {
			return repository{top: dir, gitDir: gitDir, common: commonFolder(gitDir)}, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return repository{}, false
		}
		dir = parent
	}
}

// gitFolderOf returns the git folder of the work tree whose top is dir: dir/.git, or where the file dir/.git points to.
func gitFolderOf(dir string) (string, bool) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return dotGit, isGitFolder(dotGit)
	}
	target, ok := readGitFile(dotGit)
	if !ok {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target, isGitFolder(target)
}

// readGitFile reads a .git file: one line "gitdir: PATH".
func readGitFile(name string) (target string, ok bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return "", false
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return "", false
	}
	target, ok = strings.CutPrefix(string(content), "gitdir:")
	return strings.TrimSpace(target), ok
}

// isGitFolder tests for HEAD, refs and objects, the last two of which a linked work tree has in its common folder.
func isGitFolder(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonFolder(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func commonFolder(gitDir string) string {
	content, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	common := strings.TrimSpace(string(content))
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitDir, common)
	}
	return common
}

// Head reads the commit id and the branch that HEAD names in the work tree that encloses dir, without running git.
// revision is "" before the first commit, branch is "" when HEAD is detached; ok is false outside of a repository and
// where refs are kept in a format that only git reads.
func Head(dir string) (revision, branch string, ok bool) {
	r, found := findRepository(dir)
	if !found {
		return "", "", false
	}
	return r.head()
}

func (r repository) head() (revision, branch string, ok bool) {
	content, err := os.ReadFile(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return "", "", false
	}
	value := strings.TrimSpace(string(content))
	ref, symbolic := strings.CutPrefix(value, "ref:")
	if !symbolic {
		return value, "", isObjectID(value)
	}
	ref = strings.TrimSpace(ref)
	branch = strings.TrimPrefix(ref, "refs/heads/")
	for range 5 { // a ref may name another
		if !strings.HasPrefix(ref, "refs/") || strings.Contains(ref, "..") || strings.HasSuffix(ref, "/.invalid") {
			return "", "", false
		}
		value = r.readRef(ref)
		next, symbolic := strings.CutPrefix(value, "ref:")
		if !symbolic {
			return value, branch, value == "" || isObjectID(value)
		}
		ref = strings.TrimSpace(next)
	}
	return "", "", false
}

// readRef returns the value of a loose or packed ref, "" when there is none.
func (r repository) readRef(ref string) string {
	for _, dir := range []string{r.gitDir, r.common} {
		if content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ref))); err == nil {
			return strings.TrimSpace(string(content))
		}
	}
	f, err := os.Open(filepath.Join(r.common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if id, name, found := strings.Cut(lines.Text(), " "); found && name == ref {
			return id
		}
	}
	return ""
}

// isObjectID accepts SHA-1 and SHA-256 ids in hexadecimal.
func isObjectID(s string) bool {
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

// refuseGitFolder returns an error when dir is a bare repository or lies inside a git folder.
func refuseGitFolder(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	for d := dir; ; d = filepath.Dir(d) {
		if isGitFolder(d) {
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
