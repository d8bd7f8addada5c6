package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// packID is a made-up id.
func packID(n int) string { return fmt.Sprintf("p%016x", uint64(n)*0x9e3779b97f4a7c15) }

// emptyRecord is a record of a pack without blocks.
func emptyRecord(id string) PackRecord {
	return PackRecord{Pack: agenvantage.Pack{ID: id, Task: "task of " + id, Slots: []agenvantage.Slot{{Name: agenvantage.SlotTests}}}}
}

func (w *world) keep(r PackRecord) {
	w.t.Helper()
	if err := w.keepPack(r); err != nil {
		w.t.Fatal(err)
	}
}

// keptIDs lists the kept packs, the newest first.
func (w *world) keptIDs() []string {
	w.t.Helper()
	kept, err := listPacks(w.packFolder())
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, k := range kept {
		ids = append(ids, k.id)
	}
	return ids
}

func TestTheLastHundredPacksAreKept(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	for i := range 100 {
		w.keep(emptyRecord(packID(i)))
	}
	w.keep(emptyRecord(packID(0))) // written again: it moves to the end, and none goes
	if ids := w.keptIDs(); len(ids) != 100 || ids[0] != packID(0) || ids[99] != packID(1) {
		t.Fatalf("%d packs, newest %s, oldest %s", len(ids), ids[0], ids[len(ids)-1])
	}
	w.keep(emptyRecord(packID(100)))
	ids := w.keptIDs()
	if len(ids) != 100 || ids[0] != packID(100) || ids[1] != packID(0) || ids[99] != packID(2) {
		t.Errorf("%d packs, newest %v, oldest %s", len(ids), ids[:2], ids[len(ids)-1])
	}
	if _, err := w.packRecord(packID(1)); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("the oldest is still there: %v", err)
	}
	r, err := w.packRecord(packID(2))
	if err != nil || r.Pack.Task != "task of "+packID(2) || r.Format != packFormat {
		t.Errorf("%v, %v", r, err)
	}
}

func TestPacksSurviveAClockThatIsSetBack(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	w.keep(emptyRecord(packID(1)))
	future := time.Now().Add(24 * time.Hour)
	if err := os.Chtimes(filepath.Join(w.packFolder(), packID(1)+packSuffix), future, future); err != nil {
		t.Fatal(err)
	}
	w.keep(emptyRecord(packID(2)))
	if ids := w.keptIDs(); len(ids) != 2 || ids[0] != packID(2) {
		t.Errorf("the newest is not the first: %v", ids)
	}
}

func TestPackIDs(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	if _, err := w.packRecord("p123456"); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "none is kept") {
		t.Errorf("without packs: %v", err)
	}
	for _, id := range []string{"paaaaaa1111111111", "paaaaaa2222222222", "pbbbbbb3333333333"} {
		w.keep(emptyRecord(id))
	}
	for _, c := range []struct{ id, want string }{
		{"pbbbbbb3333333333", "pbbbbbb3333333333"},
		{"pbbbbb", "pbbbbbb3333333333"},
		{"paaaaaa1", "paaaaaa1111111111"},
		{"paaaaaa", `"paaaaaa" begins the ids of 2 packs: paaaaaa2222222222, paaaaaa1111111111`},
		{"pbbbb", "3 are kept, the newest are pbbbbbb3333333333, paaaaaa2222222222, paaaaaa1111111111"},
		{"paaaaaa1111111112", "the nearest are paaaaaa1111111111"},
		{"", `unknown pack ""`},
		{"../manifest", `unknown pack "../manifest"`},
	} {
		r, err := w.packRecord(c.id)
		switch {
		case err == nil && r.Pack.ID != c.want:
			t.Errorf("%q is %q, want %q", c.id, r.Pack.ID, c.want)
		case err != nil && (!errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v, want %q", c.id, err, c.want)
		}
	}
	if err := w.keepPack(emptyRecord("../../etc")); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("an id that names a path is kept: %v", err)
	}
}

func TestDamagedPacksAreSkippedAndRemoved(t *testing.T) {
	whole, err := json.Marshal(func() PackRecord { r := emptyRecord(packID(1)); r.Format = 1; return r }())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, content string
		removed       bool
	}{
		{"empty", "", true},
		{"cut", string(whole[:len(whole)/2]), true},
		{"no object", "[]", true},
		{"zeroes", strings.Repeat("\x00", 100), true},
		{"another id", strings.ReplaceAll(string(whole), packID(1), packID(2)), true},
		{"no format", strings.Replace(string(whole), `"format":1,`, "", 1), true},
		{"lines that go down", `{"format":1,"pack":{"pack_id":"` + packID(1) + `","blocks":[{"path":"a","start_line":5,"end_line":2}]}}`, true},
		{"a handle without lines", `{"format":1,"pack":{"pack_id":"` + packID(1) + `","handles":[{"path":"a"}]}}`, true},
		{"a place far away", `{"format":1,"pack":{"pack_id":"` + packID(1) + `"},"considered":[{"path":"a","start_line":1,"end_line":9223372036854775807}]}`, true},
		{"a later format", strings.Replace(string(whole), `"format":1`, `"format":2`, 1), false},
	} {
		w := newWorld(t, files{"a.go": function("A")})
		w.keep(emptyRecord(packID(1)))
		w.keep(emptyRecord(packID(7)))
		name := filepath.Join(w.packFolder(), packID(1)+packSuffix)
		if err := os.WriteFile(name, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		read := 0
		if err := w.eachPack(func(PackRecord) bool { read++; return true }); err != nil || read != 1 {
			t.Errorf("%s: %d packs were read, want the whole one: %v", c.name, read, err)
		}
		if _, err := w.packRecord(packID(1)); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := os.Stat(name); os.IsNotExist(err) != c.removed {
			t.Errorf("%s: removed is not %t: %v", c.name, c.removed, err)
		}
	}
}

func TestPacksOutliveARebuildAndGoWithClean(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	w.mustIndex()
	w.keep(emptyRecord(packID(1)))
	if _, err := w.Index(t.Context(), true, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.packRecord(packID(1)); err != nil {
		t.Errorf("a rebuild loses packs: %v", err)
	}
	if _, err := w.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.packFolder()); !os.IsNotExist(err) {
		t.Errorf("clean leaves packs: %v", err)
	}
	w.keep(emptyRecord(packID(2))) // the folder is made anew, and still is one of ours
	w.mustIndex()
}

func TestAPackThatCannotBeKeptIsANote(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	w.mustIndex()
	if note := w.keepPackOrNote(emptyRecord(packID(1))); note != "" {
		t.Errorf("note %q", note)
	}
	if err := os.RemoveAll(w.packFolder()); err != nil {
		t.Fatal(err)
	}
	w.write(files{".agenvantage/packs": "a file in the way"})
	if note := w.keepPackOrNote(emptyRecord(packID(1))); !strings.Contains(note, "could not be kept") {
		t.Errorf("note %q", note)
	}
	if os.Geteuid() == 0 {
		return // permissions do not hold for root
	}
	if err := os.Remove(w.packFolder()); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(w.packFolder()), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(w.packFolder()), 0o755) })
	if note := w.keepPackOrNote(emptyRecord(packID(1))); !strings.Contains(note, "could not be kept") {
		t.Errorf("read-only folder: note %q", note)
	}
}

// keepingRoot is set in the processes that TestTwoProcessesKeepPacks starts, to the root that they keep packs for.
const keepingRoot = "AGENVANTAGE_TEST_KEEPING_ROOT"

func TestTwoProcessesKeepPacks(t *testing.T) {
	const each = 70
	if root := os.Getenv(keepingRoot); root != "" {
		a, err := Open(root, config(t))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		first := 0
		if os.Getenv(keepingRoot+"_2") != "" {
			first = each
		}
		for i := range each {
			if err := a.keepPack(emptyRecord(packID(first + i))); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	w := newWorld(t, files{"a.go": function("A")})
	var running []*exec.Cmd
	var outputs [2]bytes.Buffer
	for i := range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTwoProcessesKeepPacks$")
		cmd.Env = append(os.Environ(), keepingRoot+"="+w.root)
		if i == 1 {
			cmd.Env = append(cmd.Env, keepingRoot+"_2=1")
		}
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, outputs[i].String())
		}
	}
	ids := w.keptIDs()
	if len(ids) != maxKeptPacks {
		t.Errorf("%d packs are kept", len(ids))
	}
	for _, id := range ids {
		if _, err := w.packRecord(id); err != nil {
			t.Error(err)
		}
	}
	last := map[string]bool{packID(each - 1): true, packID(2*each - 1): true}
	if !last[ids[0]] {
		t.Errorf("the newest is %s, the last of none of the two", ids[0])
	}
	if left, _ := filepath.Glob(filepath.Join(w.packFolder(), "*.tmp")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func FuzzParsePackRecord(f *testing.F) {
	whole, err := json.Marshal(PackRecord{Format: 1, Pack: agenvantage.Pack{ID: packID(1), Blocks: []agenvantage.Block{{ID: "b1", Path: "a.go", StartLine: 1, EndLine: 2}},
		Handles: []agenvantage.Handle{{SourceID: "h1", Path: "a.go", StartLine: 4, EndLine: 9}}}, Considered: []Considered{{Path: "a.go", StartLine: 1, EndLine: 2, Outcome: OutcomeShown, ID: "b1"}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parsePackRecord(data, packID(1))
		if err != nil {
			return
		}
		r.complete()
		for _, c := range r.shown() {
			if c.Path == "" || !isRange(c.StartLine, c.EndLine) {
				t.Errorf("shown lines %d-%d of %q", c.StartLine, c.EndLine, c.Path)
			}
		}
		for _, s := range r.sources() {
			if s.Path != "" && !isRange(s.StartLine, s.EndLine) {
				t.Errorf("source with lines %d-%d", s.StartLine, s.EndLine)
			}
		}
	})
}
