package scan_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"agenvantage/extract"
	"agenvantage/index"
	"agenvantage/scan"
)

// TestIndexReadsOnlyTheBlobsThatDiffer moves an index from one commit to the next and back: what did not change is not
// read, however soon after the first update the second one comes.
func TestIndexReadsOnlyTheBlobsThatDiffer(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir, ctx := t.TempDir(), context.Background()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=f", "-c", "user.email=f@example.invalid"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	for i := range 20 {
		write(fmt.Sprintf("f%02d.go", i), fmt.Sprintf("package f\n\nfunc F%02d() {}\n", i))
	}
	write("blob.bin", "\x00\x01")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	write("f03.go", "package f\n\nfunc G03() {}\n") // of the same size
	write("f07.go", "package f\n\nfunc F07() {}\n\nfunc More() {}\n")
	write("new.go", "package f\n")
	git("rm", "-q", "f11.go")
	git("mv", "f12.go", "moved.go")
	git("add", "-A")
	git("commit", "-q", "-m", "two")

	ix, err := index.Open(filepath.Join(t.TempDir(), "index"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := extract.New(extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		revision             string
		files, read, changed int
	}{
		{"HEAD~1", 20, 21, 20}, // the binary file is looked at as well
		{"HEAD~1", 20, 0, 0},
		{"HEAD", 20, 4, 6},   // f03, f07, new, moved; f11 and f12 went
		{"HEAD~1", 20, 4, 6}, // f03, f07, f11, f12; new and moved went
	} {
		c, err := scan.OpenCommit(ctx, dir, step.revision, scan.CommitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := ix.Update(ctx, index.UpdateRequest{Source: c, Extractor: x, OptionsHash: "h"})
		if c.Close(); err != nil {
			t.Fatal(err)
		}
		if s.Files != step.files || s.Read != step.read || s.Changed != step.changed || s.Skipped["binary"] != 1 {
			t.Errorf("%s: %d files, %d read, %d changed, skipped %v; want %+v", step.revision, s.Files, s.Read, s.Changed, s.Skipped, step)
		}
	}
}
