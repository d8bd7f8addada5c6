package app

import (
	"errors"
	"os"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/pack"
)

func (w *packWorld) rehydrate(id string) Rehydrated {
	w.t.Helper()
	r, err := w.Rehydrate(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

const (
	textF1 = "func F1() int {\n\tx := 1\n\ty := x\n\treturn y\n}"
	textF2 = "func F2() int {\n\tx := 2\n\ty := x\n\treturn y\n}"
)

func TestRehydrate(t *testing.T) {
	w := newPackWorld(t)
	block, handle := w.record.Pack.Blocks[0], w.record.Pack.Handles[0]
	r := w.rehydrate(block.ID)
	if r.State != RehydratedExact || r.Text != textF1 || r.Path != "src/a.go" || r.StartLine != 3 || r.EndLine != 7 || r.Symbol != "F1" || r.Revision != block.Revision ||
		r.PackID != w.record.Pack.ID || r.SourceID != block.ID || r.Tokens == 0 || r.Why != "" {
		t.Errorf("block: %+v", r)
	}
	if r = w.rehydrate(handle.SourceID[:minIDPrefix]); r.State != RehydratedExact || r.Text != textF2 || r.SourceID != handle.SourceID {
		t.Errorf("handle: %+v", r)
	}

	// The same text at another time, and in an index that is not of today, is still the same.
	w.write(files{"src/other.go": function("Another")})
	if r = w.rehydrate(handle.SourceID); r.State != RehydratedExact {
		t.Errorf("another file changed: %+v", r)
	}

	w.write(files{"src/a.go": "package p\n"})
	if r = w.rehydrate(handle.SourceID); r.State != RehydratedChanged || r.Text != textF2 || r.StartLine != 9 || !strings.Contains(r.Why, "the text is that of commit "+w.head[:7]) {
		t.Errorf("changed, from git: %+v", r)
	}
	if r = w.rehydrate(block.ID); r.State != RehydratedChanged || r.Text != textF1 || !strings.Contains(r.Why, "the text is that of the pack") {
		t.Errorf("changed, from the pack: %+v", r)
	}
	if err := os.Remove(w.path("src/a.go")); err != nil {
		t.Fatal(err)
	}
	if r = w.rehydrate(handle.SourceID); r.State != RehydratedGone || r.Text != textF2 || !r.Found() {
		t.Errorf("gone: %+v", r)
	}
}

func TestRehydrateOfAFileThatWasNotCommitted(t *testing.T) {
	w := newPackWorld(t)
	w.write(files{"src/a.go": "// dirty\n" + numbered(8)})
	w.mustIndex()
	w.consider(OutcomeHandle, "src/a.go", 10, 14, "F2")
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	id := w.record.Pack.Handles[len(w.record.Pack.Handles)-1].SourceID
	if r := w.rehydrate(id); r.State != RehydratedExact || r.Text != textF2 {
		t.Errorf("%+v", r)
	}
	w.write(files{"src/a.go": "package p\n"})
	r := w.rehydrate(id)
	if r.State != RehydratedChanged || r.Text != "" || r.Found() || r.StartLine != 10 || r.EndLine != 14 || !strings.Contains(r.Why, "its old text is lost: it was not what commit "+w.head[:7]+" has") {
		t.Errorf("%+v", r)
	}
}

func TestRehydrateWithoutGit(t *testing.T) {
	w := &packWorld{gitWorld: &gitWorld{world: newWorld(t, files{"a.go": numbered(2)})}}
	w.mustIndex()
	w.consider(OutcomeHandle, "a.go", 3, 7, "F1")
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	id := w.record.Pack.Handles[0].SourceID
	if r := w.rehydrate(id); r.State != RehydratedExact || r.Text != textF1 {
		t.Errorf("%+v", r)
	}
	w.write(files{"a.go": "package p\n"})
	if r := w.rehydrate(id); r.State != RehydratedChanged || r.Found() || !strings.Contains(r.Why, "a tree without a commit") {
		t.Errorf("%+v", r)
	}
}

func TestRehydrateMasksSecrets(t *testing.T) {
	w := &packWorld{gitWorld: newGitWorld(t, nil)}
	secret := "AKIA" + "Q7ZN4TJ2M5XVWB3R"
	w.record.Pack.Revision = w.commit("first", files{"a.py": "key = \"" + secret + "\"\n"})
	w.mustIndex()
	w.consider(OutcomeHandle, "a.py", 1, 1, "")
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	id := w.record.Pack.Handles[0].SourceID
	exact := w.rehydrate(id)
	w.write(files{"a.py": "key = None\n"})
	old := w.rehydrate(id)
	for _, r := range []Rehydrated{exact, old} {
		if !strings.HasPrefix(r.Text, "key = ") || strings.Contains(r.Text, secret) {
			t.Errorf("%s: %q", r.State, r.Text)
		}
	}
}

func TestRehydrateOfUnknownIDs(t *testing.T) {
	w := newPackWorld(t)
	w.keep(PackRecord{Pack: agenvantage.Pack{ID: packID(1), Handles: []agenvantage.Handle{{SourceID: "haaaaaa111111", Path: "src/a.go", StartLine: 1, EndLine: 1}, {SourceID: "haaaaaa222222", Path: "src/a.go", StartLine: 2, EndLine: 2}}}})
	for id, want := range map[string]string{"h12": "is too short", "habcdef": "none of the 2 kept packs has", "": "too short", "haaaaaa": `"haaaaaa" begins 2 ids: haaaaaa111111, haaaaaa222222`} {
		if _, err := w.Rehydrate(t.Context(), id); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", id, err, want)
		}
	}
	empty := newWorld(t, files{"a.go": function("A")})
	if _, err := empty.Rehydrate(t.Context(), "h123456"); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "no pack is kept") {
		t.Errorf("%v", err)
	}
}

func TestRehydrateOfABlockWithoutAPath(t *testing.T) {
	w := newPackWorld(t)
	b := agenvantage.Block{Kind: agenvantage.BlockMap, Text: "the map"}
	b.ID = pack.BlockID(b)
	w.record.Pack.Blocks = append(w.record.Pack.Blocks, b)
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	if r := w.rehydrate(b.ID); r.State != RehydratedExact || r.Text != "the map" || r.Path != "" {
		t.Errorf("%+v", r)
	}
}

// A record may name any path: what lies outside of the tree, or what the gate leaves out, is not read for it.
func TestRehydrateStaysInsideOfTheTree(t *testing.T) {
	w := newPackWorld(t)
	w.write(files{".env": "PASSWORD=x\n"})
	for _, path := range []string{"../secret.txt", "/etc/hostname", ".env", ".git/config"} {
		w.keep(PackRecord{Pack: agenvantage.Pack{ID: packID(1), Handles: []agenvantage.Handle{{SourceID: "h111111111111", Path: path, StartLine: 1, EndLine: 1, Revision: "blob:000000000000"}}}})
		if r := w.rehydrate("h111111111111"); r.Found() || r.State == RehydratedExact {
			t.Errorf("%s: %+v", path, r)
		}
	}
}
