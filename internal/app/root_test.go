package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
)

// A command in the home folder, above it or at the top of the disk began to index all that is there.
func TestHomeAndTheWholeDiskAreNotIndexedUnasked(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(top, "people", "ann")
	for _, dir := range []string{"people/ann/plain", "people/ann/repo/.git/objects", "people/ann/repo/.git/refs", "people/ann/repo/sub", "people/bob"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "repo/.git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink(home, link); err != nil {
		t.Skip("no links here")
	}
	t.Setenv("HOME", link) // a home that is reached through a link is the same folder
	for _, c := range []struct{ here, want, refused string }{
		{"/", "", "the whole disk"},
		{home, "", "the home folder or one that holds it"},
		{link, "", "the home folder or one that holds it"},
		{filepath.Join(top, "people"), "", "the home folder or one that holds it"},
		{top, "", "the home folder or one that holds it"},
		{filepath.Join(home, "plain"), filepath.Join(home, "plain"), ""},
		{filepath.Join(home, "repo/sub"), filepath.Join(home, "repo"), ""},
		{filepath.Join(top, "people/bob"), filepath.Join(top, "people/bob"), ""},
	} {
		t.Chdir(c.here)
		root, err := ResolveRoot("")
		if err != nil {
			t.Fatal(err)
		}
		err = CheckRoot(root)
		if c.refused == "" && (err != nil || root != c.want) {
			t.Errorf("in %s: %s, %v", c.here, root, err)
		}
		if c.refused != "" && (!errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.refused) || !strings.Contains(err.Error(), "--repo DIR")) {
			t.Errorf("in %s: %s, %v", c.here, root, err)
		}
	}
	// A home folder that is a repository is a project.
	if err := os.Rename(filepath.Join(home, "repo/.git"), filepath.Join(home, ".git")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(home)
	if err := CheckRoot(home); err != nil {
		t.Errorf("a home that is a repository: %v", err)
	}
}
