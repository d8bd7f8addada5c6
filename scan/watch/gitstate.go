package watch

import (
	"os"
	"path/filepath"
	"time"

	"agenvantage/scan/git"
)

// gitState knows what git is doing to a work tree, by the files that git keeps while it works.
type gitState struct {
	root   string
	folder string // the git folder of the work tree that holds root, "" without one
}

func newGitState(root string) *gitState {
	g := &gitState{root: root}
	g.find()
	return g
}

// find looks for the git folder again: a repository may be made or removed at any time.
func (g *gitState) find() {
	g.folder = ""
	if r, ok := git.FindWorkTree(g.root); ok {
		g.folder = r.GitDir
	}
}

// tells reports whether a name in the git folder stands for a change of the tree: another commit or branch, staged files, or
// an operation that begins or ends.
func (g *gitState) tells(name string) bool {
	switch name {
	case "HEAD", "index", "index.lock", "packed-refs", "ORIG_HEAD", "MERGE_HEAD", "rebase-merge", "rebase-apply":
		return true
	}
	return false
}

// locked reports that git is writing the index of the work tree at this moment. A lock that is older than maxHold is one that a
// crash left.
func (g *gitState) locked(now time.Time) bool {
	if g.folder == "" {
		return false
	}
	info, err := os.Lstat(filepath.Join(g.folder, "index.lock"))
	return err == nil && now.Sub(info.ModTime()) < maxHold
}

// limit is how long a burst may last before the tree is updated all the same: a rebase goes through states that nobody asks
// for, one commit after the other.
func (g *gitState) limit() time.Duration {
	for _, name := range []string{"rebase-merge", "rebase-apply"} {
		if g.folder == "" {
			break
		}
		if _, err := os.Lstat(filepath.Join(g.folder, name)); err == nil {
			return maxHold
		}
	}
	return maxDelay
}
