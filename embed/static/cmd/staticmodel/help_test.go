package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed is what a run writes to standard output and standard error, with its error.
func printed(t *testing.T, args ...string) (out, talk string, err error) {
	t.Helper()
	files := [2]*os.File{}
	for i := range files {
		f, err := os.Create(filepath.Join(t.TempDir(), "printed"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = files[0], files[1]
	err = run(context.Background(), args)
	os.Stdout, os.Stderr = stdout, stderr
	var texts [2]string
	for i, f := range files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(b)
	}
	return texts[0], texts[1], err
}

// TestHelpWasAnError: it is what was asked for, and belongs on standard output.
func TestHelpWasAnError(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"-help"}, {"--help"}} {
		if out, talk, err := printed(t, args...); err != nil || talk != "" || !strings.Contains(out, "  rebuild ") || !strings.Contains(out, "COMMAND -h") {
			t.Errorf("%v: %q, %q, %v", args, out, talk, err)
		}
	}
	for name, flag := range map[string]string{"train": "-config", "study": "-variants", "rebuild": "-apt", "evaluate": "-bench", "pairs": "-keep", "fingerprints": "-out"} {
		for _, args := range [][]string{{name, "-h"}, {name, "--help"}, {"help", name}} {
			if out, talk, err := printed(t, args...); err != nil || talk != "" || !strings.HasPrefix(out, "staticmodel "+name+": ") || !strings.Contains(out, "  "+flag) {
				t.Errorf("%v: %q, %q, %v", args, out, talk, err)
			}
		}
	}
	if len(purposes) != len(commands) {
		t.Errorf("%d purposes for %d commands", len(purposes), len(commands))
	}
}

// TestWrongArgumentsAreToldBeforeAnythingIsDone, once, and nothing is fetched or written for them.
func TestWrongArgumentsAreToldBeforeAnythingIsDone(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	for _, x := range []struct{ args, says string }{
		{"rebuild -work " + work + " -model ../../model.bin -workers 0", "rebuild: -workers 0: want 1 or more"},
		{"rebuild -work " + work + " -model ../../model.bin -workers -3", "rebuild: -workers -3: want 1 or more"},
		{"pairs -out " + work + " -workers 0", "pairs: -workers 0: want 1 or more"},
		{"train -pairs x -out " + work + " -workers 0", "train: -workers 0: want 1 or more"},
		{"study -pairs x -out " + work + " -variants x -workers -1", "study: -workers -1: want 1 or more"},
		{"rebuild -work " + work + " extra", `rebuild: "extra": it takes flags alone`},
		{"pairs -out " + work + " extra", `pairs: "extra": it takes flags alone`},
		{"train -pairs x -out " + work + " extra", `train: "extra": it takes flags alone`},
		{"study -pairs x -out " + work + " -variants x extra", `study: "extra": it takes flags alone`},
		{"evaluate -bench x -repos x -out " + work + " extra", `evaluate: "extra": it takes flags alone`},
		{"pairs -fast", "pairs: flag provided but not defined: -fast"},
		{"fingerprints -fast", "fingerprints: flag provided but not defined: -fast"},
		{"help fly", "no such command: fly; there are"},
	} {
		out, talk, err := printed(t, strings.Fields(x.args)...)
		if err == nil || !strings.HasPrefix(err.Error(), x.says) || out+talk != "" {
			t.Errorf("%s: %v, printed %q", x.args, err, out+talk)
		}
	}
	if _, err := os.Stat(work); err == nil {
		t.Error("something was written")
	}
}

// TestAnEmptyManifestGaveNothing without a word, or an error of the training.
func TestAnEmptyManifestGaveNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"manifest": "# no packages\n", "variants": `{"name":"a"}` + "\n"})
	manifest := filepath.Join(dir, "manifest")
	for _, args := range []string{
		"pairs -out " + dir + "/pairs -exclude ../../corpus/exclude.txt -fingerprints ../../corpus/fingerprints.bin", "train -pairs " + dir + " -out " + dir + "/m",
		"study -pairs " + dir + " -out " + dir + " -variants " + dir + "/variants", "rebuild -work " + dir + "/work -model ../../model.bin",
	} {
		_, _, err := printed(t, append(strings.Fields(args), "-manifest", manifest)...)
		if err == nil || !strings.Contains(err.Error(), "the manifest "+manifest+" is empty") {
			t.Errorf("%s: %v", args, err)
		}
	}
}
