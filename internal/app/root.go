package app

import (
	"fmt"
	"os"
	"path/filepath"

	"agenvantage"
	"agenvantage/scan/git"
)

// CheckRoot refuses, with agenvantage.ErrBadInput, a root that nobody has named (ResolveRoot of "") when it is the whole disk, the home
// folder or one above that, and no work tree: nobody asks for all that they own by being there, and an index of it would take
// hours. Any other folder without git is a root like any other.
func CheckRoot(root string) error {
	if _, isTree := git.FindWorkTree(root); isTree {
		return nil
	}
	what := ""
	switch {
	case root == filepath.Dir(root):
		what = "the whole disk"
	case holdsHome(root):
		what = "the home folder or one that holds it"
	default:
		return nil
	}
	return fmt.Errorf("%w: no git repository here, and %s is %s: go to a project, or name one with --repo DIR", agenvantage.ErrBadInput, root, what)
}

// holdsHome reports whether a folder without links is the home folder or one above it.
func holdsHome(folder string) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return false
	}
	below, err := filepath.Rel(folder, home)
	return err == nil && filepath.IsLocal(below)
}
