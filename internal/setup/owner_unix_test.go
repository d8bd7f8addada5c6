//go:build unix

package setup

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// A file that a rename replaced had the owner of who ran setup, and its other names kept the old text.
func TestAFileKeepsItsOwnerItsModeAndItsNames(t *testing.T) {
	d := newDesk(t)
	d.write("home/.codex/config.toml", "a = 1\n")
	path := d.at("home/.codex/config.toml")
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 4321, 8765
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string) {
		t.Helper()
		info, err := os.Stat(d.at(name))
		if err != nil {
			t.Fatal(err)
		}
		is := info.Sys().(*syscall.Stat_t)
		if int(is.Uid) != uid || int(is.Gid) != gid || info.Mode().Perm() != 0o604 {
			t.Errorf("%s: owner %d, group %d, mode %v", name, is.Uid, is.Gid, info.Mode())
		}
	}
	d.run(Options{}, "codex")
	check("home/.codex/config.toml")
	check("home/.codex/config.toml" + BackupSuffix)
	if err := os.Link(path, d.at("home/other.toml")); err != nil {
		t.Skip("no hard links here")
	}
	d.run(Options{Remove: true}, "codex")
	check("home/.codex/config.toml")
	if got := d.read("home/other.toml"); got != "a = 1\n" {
		t.Errorf("the other name has %q", got)
	}
}

// Where the owner cannot be kept the file is written over and not replaced: its place on the disk stays.
func TestOverwriteKeepsTheFile(t *testing.T) {
	d := newDesk(t)
	d.write("home/a", "a long text that was there")
	was, err := os.Stat(d.at("home/a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := overwrite(d.at("home/a"), []byte("short")); err != nil {
		t.Fatal(err)
	}
	is, err := os.Stat(d.at("home/a"))
	if err != nil || !os.SameFile(was, is) || d.read("home/a") != "short" {
		t.Errorf("%q, %v", d.read("home/a"), err)
	}
	if err := overwrite(d.at("home/none"), nil); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A file that may not be read is an error of permission, so that the advice can be about that.
func TestAForbiddenFileIsAnErrorOfPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	d := newDesk(t)
	d.write("home/.codex/config.toml", "a = 1\n")
	for name, mode := range map[string]fs.FileMode{"home/.codex/config.toml": 0, "home/.codex": 0} {
		if err := os.Chmod(d.at(name), mode); err != nil {
			t.Fatal(err)
		}
		if _, err := d.plan(Options{}, "codex"); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Chmod(d.at(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}
