package declared

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// write makes a package of files given as name and text in turn.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestStringsInEveryForm(t *testing.T) {
	dir := write(t,
		"a.go", `package p
import "elsewhere/q"
type Mood string
type Count int
const Glad Mood = "glad"
const (
	Sad, Angry Mood = "sad", "angry"
	Calm            = Mood("calm")
	Same       Mood = "glad"
	None       Mood = ""
	base            = "very "
	More       Mood = base + "glad"
	Loose           = "no type"
	One Count       = 1
	Foreign         = q.Value
	Foreign2 q.Type = "foreign"
)
func f() { const inner Mood = "inner"; q.G() }
var v Mood = "variable"
`,
		"b.go", "package p\nconst Other Mood = `other`\ntype Size string\nconst Large Size = \"large\"\n",
		"a_test.go", "package p\nconst Tested Mood = \"tested\"\n", "note.txt", "no Go")
	got, err := Strings(dir)
	want := map[string][]string{"Mood": {"", "angry", "calm", "glad", "other", "sad", "very glad"}, "Size": {"large"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}

func TestStringsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ name, dir, want string }{
		{"no folder", filepath.Join(t.TempDir(), "missing"), "missing"},
		{"no Go files", write(t, "a_test.go", "package p\n"), "no Go files"},
		{"no Go", write(t, "a.go", "package p\nconst = 1\n"), "a.go"},
		{"a value of an import", write(t, "a.go", "package p\nimport \"q\"\ntype T string\nconst A T = q.B\n"), "A"},
	} {
		if got, err := Strings(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}
