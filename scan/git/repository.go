package git

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// Repository is where a repository keeps its parts.
type Repository struct {
	Top    string // the work tree; "" for a bare repository
	GitDir string // its own git folder (HEAD, index)
	Common string // the git folder that holds refs, objects and info/exclude; GitDir unless Top is a linked work tree
}

// Name is what messages call the repository: its work tree, or its git folder where there is none.
func (r Repository) Name() string { return cmp.Or(r.Top, r.GitDir) }

// FindWorkTree walks up from dir to the first folder with a usable .git, as git does. dir is absolute, without links.
func FindWorkTree(dir string) (Repository, bool) {
	for {
		if gitDir, ok := FolderOf(dir); ok {
			return Repository{Top: dir, GitDir: gitDir, Common: commonFolder(gitDir)}, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Repository{}, false
		}
		dir = parent
	}
}

// FindRepository is FindWorkTree for callers that need no files: it accepts a bare repository, a .git folder, and
// folders inside of both as well.
func FindRepository(dir string) (Repository, bool) {
	for {
		if gitDir, ok := FolderOf(dir); ok {
			return Repository{Top: dir, GitDir: gitDir, Common: commonFolder(gitDir)}, true
		}
		if IsFolder(dir) {
			r := Repository{GitDir: dir, Common: commonFolder(dir)}
			if filepath.Base(dir) == ".git" {
				r.Top = filepath.Dir(dir)
			}
			return r, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Repository{}, false
		}
		dir = parent
	}
}

// FolderOf returns the git folder of the work tree whose top is dir: dir/.git, or where the file dir/.git points to.
func FolderOf(dir string) (string, bool) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return dotGit, IsFolder(dotGit)
	}
	target, ok := ReadFile(dotGit)
	if !ok {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target, IsFolder(target)
}

// ReadFile reads a .git file: one line "gitdir: PATH".
func ReadFile(name string) (target string, ok bool) {
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

// IsFolder tests whether dir is a git folder: HEAD, and refs and objects, which a linked work tree has in its common folder.
func IsFolder(dir string) bool {
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

// Head reads the commit id and the branch that HEAD names, without running git. revision is "" before the first commit,
// branch is "" when HEAD is detached; ok is false where refs are kept in a format that only git reads.
func (r Repository) Head() (revision, branch string, ok bool) {
	content, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return "", "", false
	}
	value := strings.TrimSpace(string(content))
	ref, symbolic := strings.CutPrefix(value, "ref:")
	if !symbolic {
		return value, "", IsObjectID(value)
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
			return value, branch, value == "" || IsObjectID(value)
		}
		ref = strings.TrimSpace(next)
	}
	return "", "", false
}

// readRef returns the value of a loose or packed ref, "" when there is none.
func (r Repository) readRef(ref string) string {
	for _, dir := range []string{r.GitDir, r.Common} {
		if content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ref))); err == nil {
			return strings.TrimSpace(string(content))
		}
	}
	f, err := os.Open(filepath.Join(r.Common, "packed-refs"))
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

// Shallow returns the commits at which the history of a shallow clone was cut off: their parents are not known here.
// It is empty for a whole history.
func (r Repository) Shallow() (map[string]bool, error) {
	content, err := os.ReadFile(filepath.Join(r.Common, "shallow"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	cut := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		if id := strings.TrimSpace(line); IsObjectID(id) {
			cut[id] = true
		}
	}
	return cut, nil
}
