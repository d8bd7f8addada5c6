package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"agenvantage"
	"agenvantage/scan"
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

// rootGone is the error of a root that is not there any more.
func rootGone(root string) error { return fmt.Errorf("%w: %s", agenvantage.ErrRootGone, root) }

// present returns an error wrapping agenvantage.ErrRootGone when the root is not the folder any more that was opened.
func (a *App) present() error {
	if a.folder == nil {
		return nil
	}
	now, err := os.Stat(a.root)
	switch {
	case err != nil || !now.IsDir():
		return rootGone(a.root)
	case !os.SameFile(now, a.folder):
		return fmt.Errorf("%w: %s is another folder now", agenvantage.ErrRootGone, a.root)
	}
	return nil
}

// presentTree is the tree of a folder. What goes wrong because the folder is gone says so.
type presentTree struct {
	*scan.Walker
	app *App
}

// List implements index.Source.
func (t presentTree) List(ctx context.Context) (scan.Listing, error) {
	if err := t.app.present(); err != nil {
		return scan.Listing{}, err
	}
	listing, err := t.Walker.List(ctx)
	if err != nil && ctx.Err() == nil {
		if gone := t.app.present(); gone != nil {
			err = gone
		}
	}
	return listing, err
}
