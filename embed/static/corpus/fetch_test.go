package corpus

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standIn puts a program of the given name in front of the path: a client without a network.
func standIn(t *testing.T, name, script string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestFetchNPM(t *testing.T) {
	standIn(t, "npm", `[ "$1" = pack ] || exit 9
[ "$4" = "@scope/name@1.2.3" ] || { echo "no such package" >&2; exit 1; }
mkdir package && echo 'x' > package/index.js && tar -czf scope-name-1.2.3.tgz package && rm -r package
`)
	f := &Fetcher{Dir: t.TempDir()}
	dir, p, done, err := f.Fetch(context.Background(), Package{Ecosystem: NPM, Name: "@scope/name", Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "index.js")); err != nil || string(text) != "x\n" || len(p.SHA256) != 64 {
		t.Errorf("%q, %v, %+v", text, err, p)
	}
	done()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the sources are still there: %v", err)
	}
	p.SHA256 = strings.Repeat("0", 64)
	if _, _, _, err := f.Fetch(context.Background(), p); !errors.Is(err, ErrChanged) {
		t.Errorf("another archive than the pinned one: %v", err)
	}
	if _, _, _, err := f.Fetch(context.Background(), Package{Ecosystem: NPM, Name: "other", Version: "1"}); err == nil || !strings.Contains(err.Error(), "no such package") {
		t.Errorf("a missing package: %v", err)
	}
}

func TestFetchDebianSource(t *testing.T) {
	standIn(t, "apt-get", `[ "$4" = "tool=2:1.0-1" ] || exit 1
mkdir tool-1.0 debian && echo 'x' > tool-1.0/main.c && echo 'License: MIT' > debian/copyright
tar -czf tool_1.0.orig.tar.gz tool-1.0 && tar -czf tool_1.0-1.debian.tar.gz debian && rm -r tool-1.0 debian
sum=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
printf 'Checksums-Sha256:\n %s 10 tool_1.0.orig.tar.gz\n %s 10 tool_1.0-1.debian.tar.gz\n' $sum $sum > tool_1.0-1.dsc
`)
	f := &Fetcher{Dir: t.TempDir(), AptOptions: nil}
	dir, _, done, err := f.Fetch(context.Background(), Package{Ecosystem: Debian, Name: "tool", Version: "2:1.0-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for _, name := range []string{"main.c", "debian/copyright"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestAMirrorWithoutAPatchHasNotThePackage: what was left out for want of a patch has all that is read of it.
func TestAMirrorWithoutAPatchHasNotThePackage(t *testing.T) {
	standIn(t, "apt-get", `case "$4" in m=*) mkdir m && echo 'x' > m/main.c && tar -czf m_1.orig.tar.gz m && rm -r m ;; esac
name=${4%%=*}; sum=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
printf 'Checksums-Sha256:\n %s 10 %s_1.orig.tar.gz\n %s 10 %s_1-1.diff.gz\n' $sum $name $sum $name > ${name}_1-1.dsc
echo "E: Failed to fetch ${name}_1-1.diff.gz  404  Not Found" >&2; exit 100
`)
	f := &Fetcher{Dir: t.TempDir()}
	dir, _, done, err := f.Fetch(context.Background(), Package{Ecosystem: Debian, Name: "m", Version: "1-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := os.Stat(filepath.Join(dir, "main.c")); err != nil {
		t.Error(err)
	}
	if _, _, _, err := f.Fetch(context.Background(), Package{Ecosystem: Debian, Name: "other", Version: "1-1"}); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a package without its source: %v", err)
	}
}

// TestAPackageThatIsGoneGivesNoReason was so with go, which says it in JSON, and with npm, which was told to be silent.
func TestAPackageThatIsGoneGivesNoReason(t *testing.T) {
	standIn(t, "go", `echo '{"Path": "example.org/m", "Error": "example.org/m@v9: invalid version: unknown revision v9"}'; exit 1`)
	standIn(t, "npm", `for a in "$@"; do [ "$a" = --silent ] && exit 1; done
echo "npm warn old" >&2; echo "npm error code ETARGET" >&2; echo "npm error notarget No matching version found for m@9." >&2; echo "npm error A complete log of this run can be found in: /tmp/x" >&2; exit 1`)
	standIn(t, "apt-get", `echo "W: old lists" >&2; echo "E: Version '9' for 'm' was not found" >&2; exit 100`)
	f := &Fetcher{Dir: t.TempDir(), AptOptions: []string{"-o", "Dir::Cache=/tmp/y"}}
	for _, c := range []struct{ ecosystem, want string }{
		{Go, "fetch go-m: go mod download: example.org/m@v9: invalid version: unknown revision v9"},
		{NPM, "fetch npm-m: npm … m@9: exit status 1: code ETARGET; notarget No matching version found for m@9."},
		{Debian, "fetch debian-m: apt-get … m=9: exit status 100: E: Version '9' for 'm' was not found"},
		{Deb, "fetch deb-m: apt-get … m=9: exit status 100: E: Version '9' for 'm' was not found"},
	} {
		_, _, _, err := f.Fetch(context.Background(), Package{Ecosystem: c.ecosystem, Name: "m", Version: "9"})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// TestAFolderBelowTheWorkingDirectoryIsNotFound was so of every ecosystem: clients run in folders of their own, where a relative name means
// another place.
func TestAFolderBelowTheWorkingDirectoryIsNotFound(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "m.zip")
	if err := os.WriteFile(archive, zipOf(t, "m@v1/a.txt"), 0o644); err != nil {
		t.Fatal(err)
	}
	standIn(t, "go", `cp `+archive+` "$GOMODCACHE/m.zip" && printf '{"Zip": "%s/m.zip", "Dir": "%s/gone"}' "$GOMODCACHE" "$GOMODCACHE"`)
	standIn(t, "npm", `mkdir package && echo x > package/a.txt && tar -czf m-v1.tgz package && rm -r package`)
	standIn(t, "apt-get", `case "$2" in
source) mkdir m && echo x > m/a.txt && tar -czf m_v1.orig.tar.gz m && rm -r m
  printf 'Checksums-Sha256:\n %s 10 m_v1.orig.tar.gz\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > m_v1.dsc ;;
download) echo x > m_v1_all.deb ;;
esac`)
	standIn(t, "dpkg-deb", `cp "$2" "$3/a.txt"`)
	t.Chdir(t.TempDir())
	for _, ecosystem := range []string{Go, NPM, Debian, Deb} {
		f := &Fetcher{Dir: filepath.Join("some", "work")}
		dir, _, done, err := f.Fetch(context.Background(), Package{Ecosystem: ecosystem, Name: "m", Version: "v1"})
		if err != nil {
			t.Errorf("%s: %v", ecosystem, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "a.txt")); err != nil {
			t.Errorf("%s: %v", ecosystem, err)
		}
		done()
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("something lies beside the folder: %v, %v", entries, err)
	}
}

// zipOf is an archive with one file of one line.
func zipOf(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte("x\n"))
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnzipStaysInside(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.zip")
	for name, fine := range map[string]bool{"example.org/m@v1/a/b.go": true, "example.org/m@v1/../../../evil": false, "other@v1/a.go": false, "example.org/m@v1//etc/x": false} {
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("package a\n"))
		}
		if err := errors.Join(err, z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if err := unzip(file, "example.org/m@v1/", t.TempDir()); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
}
