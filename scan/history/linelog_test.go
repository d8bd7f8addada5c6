package history

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

// lines makes a file of n lines, line k being "k".
func lines(n int, change map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if s, ok := change[i]; ok {
			b.WriteString(s + "\n")
		} else {
			fmt.Fprintf(&b, "line %d of the file\n", i)
		}
	}
	return b.String()
}

func TestLinesChangedBy(t *testing.T) {
	f := newFixture(t)
	f.write("sub/a.txt", lines(20, nil))
	f.commit("add")
	f.write("sub/a.txt", lines(20, map[int]string{5: "five"}))
	f.commit("five")
	f.write("sub/a.txt", "new\n"+lines(20, map[int]string{5: "five"}))
	f.commit("shift")
	f.git("repo", "mv", "sub/a.txt", "sub/b.txt")
	f.commit("move")
	f.write("sub/b.txt", "new\n"+lines(20, map[int]string{5: "five", 15: "fifteen"}))
	f.commit("fifteen")
	for _, c := range []struct {
		at   LineRange
		most int
		want string
	}{
		{LineRange{Path: "sub/b.txt", From: 6, To: 6}, 0, "five add"},
		{LineRange{Path: "sub/b.txt", From: 16, To: 16}, 0, "fifteen add"},
		{LineRange{Path: "sub/b.txt", From: 10, To: 10}, 0, "add"},
		{LineRange{Path: "sub/b.txt", From: 1, To: 21}, 0, "fifteen shift five add"},
		{LineRange{Path: "sub/b.txt", From: 1, To: 21}, 2, "fifteen shift"},
		{LineRange{Revision: "HEAD~3", Path: "sub/a.txt", From: 5, To: 5}, 0, "five add"},
	} {
		ids, err := f.open("repo").LinesChangedBy(t.Context(), c.at, c.most)
		if err != nil {
			t.Errorf("%+v: %v", c.at, err)
		}
		var names []string
		for _, id := range ids {
			names = append(names, f.names[id])
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.at, got, c.want)
		}
	}
	if ids, err := f.open("repo/sub").LinesChangedBy(t.Context(), LineRange{Path: "b.txt", From: 6, To: 6}, 0); err != nil || len(ids) != 2 {
		t.Errorf("below the top: %v, %v", ids, err)
	}
	for _, bad := range []LineRange{{Path: "sub/b.txt"}, {Path: "sub/b.txt", From: 3, To: 2}, {Path: "sub/b.txt", From: 90, To: 91}, {Path: "none", From: 1, To: 1},
		{Path: "../x", From: 1, To: 1}, {Path: "", From: 1, To: 1}, {Path: "a\x00", From: 1, To: 1}, {Revision: "none", Path: "sub/b.txt", From: 1, To: 1}} {
		if _, err := f.open("repo").LinesChangedBy(t.Context(), bad, 0); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestUntracked(t *testing.T) {
	f := newFixture(t)
	f.write("sub/a.txt", "a")
	f.write(".gitignore", "*.o\n")
	f.commit("add")
	f.write("sub/new b.txt", "b")
	f.write("sub/x.o", "o")
	f.write("top.txt", "t")
	f.git("repo", "init", "-q", "other")
	f.write("other/o.txt", "o")
	f.git("repo/other", "commit", "-q", "--allow-empty", "-m", "x")
	got, err := f.open("repo").Untracked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want(t, "at the top", got, "sub/new b.txt", "top.txt")
	if got, err = f.open("repo/sub").Untracked(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "below", got, "new b.txt")
	f.git("", "clone", "-q", "--bare", "repo", "bare")
	if _, err := f.open("bare").Untracked(t.Context()); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("bare: %v", err)
	}
}

func TestHunkContext(t *testing.T) {
	f := newFixture(t)
	f.write("a.go", "package a\n\nfunc Open() {\n\tone()\n\ttwo()\n}\n\nfunc Shut() {\n\tone()\n\tkey()\n\ttwo()\n}\n")
	f.commit("add")
	f.write("a.go", "package a\n\nfunc Open() {\n\tone()\n\tthree()\n}\n\nfunc Shut() {\n\tone()\n\tkey()\n\tthree()\n}\n")
	f.commit("change")
	files, err := f.open("repo").Hunks(t.Context(), "HEAD", HunkOptions{})
	if err != nil || len(files) != 1 || len(files[0].Hunks) != 2 {
		t.Fatalf("%+v, %v", files, err)
	}
	want(t, "contexts", []string{files[0].Hunks[0].Context, files[0].Hunks[1].Context}, "func Open() {", "func Shut() {")

	// A line of a file passes the gate of secrets like every other text.
	secret := "AKIA" + "Q3EGRXZ7H4SDN2PL"
	h, err := parseHunk("@@ -1 +1 @@ aws_access_key_id = \"" + secret + "\"")
	if err != nil || strings.Contains(h.Context, secret) || h.Context == "" {
		t.Errorf("%q, %v", h.Context, err)
	}
}
