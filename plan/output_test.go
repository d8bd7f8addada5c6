package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

// showOutput prints an output as the files in testdata/output write down what they want.
func showOutput(o Output) string {
	var b strings.Builder
	fmt.Fprintln(&b, o.Kind)
	for _, f := range o.Frames {
		fmt.Fprintf(&b, "frame %s:%d %s\n", f.Path, f.Line, f.Function)
	}
	for _, m := range o.Messages {
		fmt.Fprintln(&b, "message", m)
	}
	for _, t := range o.Tests {
		fmt.Fprintln(&b, "test", t)
	}
	return b.String()
}

// Each file holds an output as the tool it is named after writes it, and below "-- want --" its reading.
func TestReadOutput(t *testing.T) {
	files, err := filepath.Glob("testdata/output/*.txt")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text, want, ok := strings.Cut(string(data), "-- want --\n")
			if !ok {
				t.Fatal("no -- want -- line")
			}
			got, err := ReadOutput(text)
			if err != nil {
				t.Fatal(err)
			}
			if s := showOutput(got); s != want {
				t.Errorf("got\n%s\nwant\n%s", s, want)
			}
		})
	}
}

func TestReadOutputErrors(t *testing.T) {
	for _, text := range []string{"", " \n\t\r\n", "\x1b[0m\x1b[2K\n"} {
		if _, err := ReadOutput(text); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: %v, want bad input", text, err)
		}
	}
}

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\x1b[31;1mb\x1b[0mc", "abc"},
		{"\x1b]8;;https://x.y/\x1b\\link\x1b]8;;\x07 end", "link end"},
		{"\x1b(Bplain\x1b7", "plain"},
		{"a\x00b\xffc", "a\ufffdb\ufffdc"},
		{"a\r\nb\tc", "a\nb\tc"},
		{"cut\x1b", "cut"},
		{"cut\x1b[3", "cut3"},
		{"\x1b]never closed\nnext", "never closed\nnext"},
	} {
		if got := plainText(c.text); got != c.want {
			t.Errorf("%q gives %q, want %q", c.text, got, c.want)
		}
	}
}

// A carriage return takes back what stands before it on the line.
func TestProgressBarsAreTakenBack(t *testing.T) {
	out, err := ReadOutput("10%\r50%\rerror: disk is full\n")
	if err != nil || !reflect.DeepEqual(out.Messages, []string{"disk is full"}) || out.Tail != "error: disk is full" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWithoutValues(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"object at 0x7f3a2b1c4d10 is gone", "object at … is gone"},
		{"cannot open /tmp/build-1/a.go: denied", "cannot open …: denied"},
		{"cannot open '/var/folders/zz/T/x y'", "cannot open '… y'"},
		{`no file C:\Users\ann\AppData\Local\Temp\x.tmp`, "no file …"},
		{"job 123e4567-e89b-12d3-a456-426614174000 failed", "job … failed"},
		{"at 2026-03-04T10:22:01Z it broke", "at … it broke"},
		{"dial 127.0.0.1:43211 refused", "dial … refused"},
		{"status 500 of 0x1F", "status 500 of 0x1F"},
	} {
		if got := withoutValues(c.text); got != c.want {
			t.Errorf("%q gives %q, want %q", c.text, got, c.want)
		}
	}
}

func TestIsDependency(t *testing.T) {
	for _, c := range []struct {
		path string
		want bool
	}{
		{"/srv/.venv/lib/python3.11/site-packages/requests/api.py", true}, {"node_modules/jest/build/index.js", true}, {"/usr/lib/go/src/net/http/server.go", true},
		{"/usr/local/go/src/runtime/panic.go", true}, {"/home/ann/.cargo/registry/src/serde-1.0/lib.rs", true}, {"vendor/symfony/Kernel.php", true},
		{"/root/go/pkg/mod/github.com/x/y@v1/y.go", true}, {"java/util/List.java", true}, {"org/junit/Assert.java", true}, {"/rustc/90b3/library/core/src/option.rs", true},
		{"src/cart.py", false}, {"/home/ann/go/src/shop/cart.go", false}, {"com/shop/Cart.java", false}, {"lib/cart.rb", false}, {"internal/app/app.go", false},
		{"/usr/src/app/cart.js", false}, {"src/vendors.ts", false},
	} {
		if got := isDependency(c.path, ""); got != c.want {
			t.Errorf("%s: %v, want %v", c.path, got, c.want)
		}
	}
}

// Megabytes of output keep their first error and their end, within the bounds.
func TestReadOutputIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("ValueError: the first of all\n")
	for i := range 100000 {
		fmt.Fprintf(&b, "  File \"/srv/app/mod%d.py\", line %d, in run\n    raise CartError%d('x')\nCartError: number %d\n--- FAIL: Test%d (0.00s)\n", i, i+1, i, i, i)
	}
	b.WriteString(strings.Repeat("é", 40000) + "\nthe last line")
	out, err := ReadOutput(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Frames) != maxOutputFrames || len(out.Messages) != maxMessages || len(out.Tests) != maxFailing {
		t.Errorf("%d frames, %d messages, %d tests", len(out.Frames), len(out.Messages), len(out.Tests))
	}
	if out.Messages[0] != "ValueError: the first of all" || !strings.HasSuffix(out.Tail, "the last line") || len(out.Tail) > outputTail || !utf8.ValidString(out.Tail) {
		t.Errorf("first message %q, tail of %d bytes ends in %q", out.Messages[0], len(out.Tail), out.Tail[max(0, len(out.Tail)-20):])
	}
}

// A recursion without end is one block of frames; its innermost frames are at its end in Python.
func TestDeepRecursionKeepsInnermostFrames(t *testing.T) {
	var b strings.Builder
	b.WriteString("Traceback (most recent call last):\n")
	for i := range 3 * maxPlaced {
		fmt.Fprintf(&b, "  File \"a.py\", line %d, in f\n", i+1)
	}
	b.WriteString("RecursionError: maximum recursion depth exceeded\n")
	out, err := ReadOutput(b.String())
	if err != nil || len(out.Frames) != maxOutputFrames || out.Frames[0].Line != 3*maxPlaced {
		t.Errorf("%d frames, first %+v, %v", len(out.Frames), out.Frames[0], err)
	}
}

func FuzzReadOutput(f *testing.F) {
	files, _ := filepath.Glob("testdata/output/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("\x1b[31m\x1b]8;;\xff\x00 1) a\n2 failing\n 1) b\n")
	f.Fuzz(func(t *testing.T, text string) {
		out, err := ReadOutput(text)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatalf("error %v is not bad input", err)
			}
			return
		}
		if out.Kind == "" || len(out.Frames) > maxOutputFrames || len(out.Messages) > maxMessages || len(out.Tests) > maxFailing || len(out.Tail) > outputTail || strings.TrimSpace(out.Tail) == "" {
			t.Fatalf("out of bounds: %+v", out)
		}
		for _, s := range append(append([]string{out.Tail}, out.Messages...), out.Tests...) {
			if s == "" || !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\x1b") {
				t.Fatalf("bad text %q", s)
			}
		}
		for _, fr := range out.Frames {
			if fr.Path == "" || fr.Line < 1 || !utf8.ValidString(fr.Path+fr.Function) {
				t.Fatalf("bad frame %+v", fr)
			}
		}
		if again, _ := ReadOutput(text); !reflect.DeepEqual(out, again) {
			t.Fatal("two calls differ")
		}
	})
}

// The readers of these forms take their groups by name.
func TestOutputFormsHaveTheirGroups(t *testing.T) {
	for _, f := range outputForms {
		for _, name := range []string{"path", "line", "fn"} {
			if f.form.SubexpIndex(name) < 0 {
				t.Errorf("%s has no group %s", f.form, name)
			}
		}
	}
	for _, f := range compilerForms {
		for _, name := range []string{"path", "line", "msg"} {
			if f.form.SubexpIndex(name) < 0 {
				t.Errorf("%s has no group %s", f.form, name)
			}
		}
	}
}
