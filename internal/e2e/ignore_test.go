//go:build unix

package e2e

import (
	"path/filepath"
	"testing"
)

// pyFunc is a Python file with one function of that name.
func pyFunc(name string) string { return "def " + name + "():\n    return 1\n" }

func TestNegatedIgnorePatternsAreReadInOrder(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		".gitignore": lines("plugins/*", "!plugins/mine", "/*.bak", "!keep.bak", "build/", "!build/inner.py",
			"fixtures/**", "!fixtures/", "!fixtures/*.py", "fixtures/last.py", `\!bang.py`, `\#hash.py`, "trailing.py   ", "deep/**/gone.py",
			"[xyz]1.py", "!y1.py"),
		"plugins/mine/a.py":   pyFunc("plugin_mine"),
		"plugins/others/a.py": pyFunc("plugin_others"),
		"keep.bak":            "kept_backup = 1\n",
		"drop.bak":            "dropped_backup = 1\n",
		"sub/drop.bak":        "anchored_only_at_root = 1\n",
		"build/inner.py":      pyFunc("inside_excluded_folder"),
		"fixtures/some.py":    pyFunc("fixture_some"),
		"fixtures/last.py":    pyFunc("fixture_last"),
		"!bang.py":            pyFunc("bang_name"),
		"#hash.py":            pyFunc("hash_name"),
		"trailing.py":         pyFunc("trailing_space"),
		"deep/gone.py":        pyFunc("deep_zero"),
		"deep/a/b/gone.py":    pyFunc("deep_two"),
		"deep/a/b/stays.py":   pyFunc("deep_stays"),
		"x1.py":               pyFunc("class_x"),
		"y1.py":               pyFunc("class_y"),
		"main.py":             pyFunc("entry_point"),
	})
	tl.commit()
	tl.index()
	tl.wantIndexed(".gitignore", "plugins/mine/a.py", "keep.bak", "sub/drop.bak", "fixtures/some.py", "deep/a/b/stays.py", "y1.py", "main.py")
	tl.nothingSilent()
	tl.find("plugin_mine", "plugins/mine/a.py")
	tl.find("anchored_only_at_root", "sub/drop.bak")
	tl.lacks("plugin_others", "inside_excluded_folder", "dropped_backup", "fixture_last", "bang_name", "deep_two", "trailing_space", nowhere)
}

func TestNestedIgnoreFilesOverrideTheirParents(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		".gitignore":              "*.pb.ts\n",
		"ui/.gitignore":           lines(".cache", "/lib/", "!wanted.pb.ts"),
		"ui/.cache/chunk.ts":      "export function cachedChunk() {}\n",
		"ui/lib/three.ts":         "export function libThree() {}\n",
		"ui/src/lib/own.ts":       "export function ownLib() {}\n",
		"ui/wanted.pb.ts":         "export function wantedProto() {}\n",
		"ui/deep/.gitignore":      "wanted.pb.ts\n",
		"ui/deep/wanted.pb.ts":    "export function deepProto() {}\n",
		"root.pb.ts":              "export function rootProto() {}\n",
		"server/lib/elsewhere.ts": "export function libElsewhere() {}\n",
	})
	tl.commit()
	tl.index()
	tl.wantIndexed(".gitignore", "ui/.gitignore", "ui/deep/.gitignore", "ui/src/lib/own.ts", "ui/wanted.pb.ts", "server/lib/elsewhere.ts")
	tl.find("ownLib", "ui/src/lib/own.ts")
	tl.find("wantedProto", "ui/wanted.pb.ts")
	tl.find("libElsewhere", "server/lib/elsewhere.ts")
	tl.lacks("cachedChunk", "libThree", "rootProto", "deepProto")
}

func TestLocalAndGlobalExcludesCount(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("pkg/app.py", pyFunc("public_app"))
	tl.commit()
	tl.writeAll(files{
		"drafts/notes.py": pyFunc("draft_note"), "mine.py": pyFunc("only_mine"), "pkg/editor.swp": "editor_leftover = 1\n",
		".git/info/exclude": "drafts/\n",
	})
	writeFile(t, filepath.Join(tl.base, "excludes"), "mine.py\n")
	tl.git("config", "core.excludesFile", filepath.Join(tl.base, "excludes"))
	tl.index()
	tl.wantIndexed("pkg/app.py", "pkg/editor.swp")

	// Without the setting git reads the user's own file.
	tl.git("config", "--unset", "core.excludesFile")
	writeFile(t, filepath.Join(tl.home(), ".config/git/ignore"), "*.swp\nmine.py\n")
	tl.index()
	tl.wantIndexed("pkg/app.py")
	tl.lacks("draft_note", "only_mine", "editor_leftover")
	tl.find("public_app", "pkg/app.py")
}

func TestIgnoreFilesOfOtherToolsDoNotEmptyTheIndex(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		".dockerignore": "*\n!out/\n", ".npmignore": "app/\n", ".prettierignore": "**/*.ts\n", ".eslintignore": "tools\n", ".ignore": "*\n",
		".rgignore":     "app\n",
		".cursorignore": "*\n", ".hgignore": "syntax: glob\n*\n",
		"app/orders.ts": "export function placeOrder(): number { return 1 }\n", "tools/run.ts": "export function runTool(): number { return 2 }\n",
	})
	tl.commit()
	tl.index()
	tl.find("placeOrder", "app/orders.ts")
	tl.find("runTool", "tools/run.ts")
	tl.nothingSilent()
}

func TestARuleThatHidesEverythingIsNamed(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{".agenvantageignore": "*\n", ".gitignore": "*.py\n.gitignore\n"} {
		tl := newTool(t)
		tl.git("init", "-q", "-b", "main")
		tl.writeAll(files{"a.py": pyFunc("hidden_a"), "b/c.py": pyFunc("hidden_c"), name: rule})
		o := tl.refused(tl.flags("index", "--json"), name)
		if o.stderr == "" {
			t.Errorf("%s: nothing on stderr: %v", name, o)
		}
	}
}

func TestOwnIgnoreFileHoldsForTrackedFilesAndIsListed(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"src/keep.py": pyFunc("kept_here"), "src/data/huge.py": pyFunc("left_out_data"), "src/data/schema.py": pyFunc("schema_back"),
		"src/.agenvantageignore": "data/*\n!data/schema.py\n",
	})
	tl.commit()
	tl.index()
	tl.find("kept_here", "src/keep.py")
	tl.find("schema_back", "src/data/schema.py")
	tl.wantSkipped("src/data/huge.py", "agenvantageignore")
	tl.lacks("left_out_data")
}

// Rules change while no file of the tree does: its size and time stay the same.
func TestChangedIgnoreRulesAreApplied(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{".gitignore": "inner/\n", "inner/p.py": pyFunc("formerly_hidden"), "base.py": pyFunc("always_there")})
	tl.commit()
	tl.write("outer/q.py", pyFunc("formerly_shown")) // untracked: git goes on showing a tracked file
	tl.index()
	tl.find("formerly_shown", "outer/q.py")
	tl.lacks("formerly_hidden")

	tl.write(".gitignore", "outer/\n")
	tl.index()
	tl.find("formerly_hidden", "inner/p.py")
	tl.lacks("formerly_shown")
	tl.wantIndexed(".gitignore", "base.py", "inner/p.py")

	tl.write(".git/info/exclude", "inner\n")
	tl.lacks("formerly_hidden") // a search notices by itself
	tl.write(".git/info/exclude", "")
	tl.write("inner/.gitignore", "*\n")
	tl.lacks("formerly_hidden")
	tl.remove("inner/.gitignore")
	tl.write(".agenvantageignore", "inner/**\n")
	tl.lacks("formerly_hidden")
	tl.remove(".agenvantageignore")
	tl.find("formerly_hidden", "inner/p.py")
	tl.equalsFresh("formerly_hidden", "formerly_shown", "always_there")
}
