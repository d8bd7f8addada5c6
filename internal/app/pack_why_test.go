package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/pack"
)

func (w *packWorld) why(location string) PackReason {
	w.t.Helper()
	r, err := w.WhyPacked(w.t.Context(), w.record.Pack.ID, location)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestWhyPacked(t *testing.T) {
	w := newPackWorld(t)
	for _, c := range []struct{ location, path, state, why, places string }{
		{"src/a.go", "src/a.go", "shown", "it is shown for implementation, rank 1: names numbers", "3-7 shown,9-13 handle,27-31 handle,15-19 dropped,1-4 dropped,11-20 dropped"},
		{"src/a.go:4", "src/a.go", "shown", "it is shown for implementation, rank 1: names numbers", "3-7 shown,1-4 dropped"},
		{"a.go:10-12", "src/a.go", "left out", "it was considered for implementation, rank 3: names numbers; left out: the budget is used up", "9-13 handle,11-20 dropped"},
		{"./src/a.go#L2", "src/a.go", "left out", "it was considered for implementation, rank 4: names numbers; left out: the budget is used up", "1-4 dropped"},
		{"src/a.go:40", "src/a.go", "not considered", "it is indexed, and other lines of the file were considered: these are part of none of them", ""},
		{"other.go", "src/other.go", "not considered", "it is indexed, and none of the 6 considered places: no channel, edge or rule of the task led there", ""},
		{"gen.bin:3", "gen.bin", "skipped", "the index leaves gen.bin out as binary", ""},
		{"nowhere.go:3-4", "nowhere.go", "out of scope", "it is no file of the tree, or git ignores it", ""},
		{"src", "src", "out of scope", "it is a folder; ask about a file in it", ""},
	} {
		r := w.why(c.location)
		var places []string
		for _, p := range r.Places {
			places = append(places, fmt.Sprintf("%d-%d %s", p.StartLine, p.EndLine, p.Outcome))
		}
		if got := strings.Join(places, ","); r.Path != c.path || string(r.State) != c.state || r.Why != c.why || got != c.places || r.PackID != w.record.Pack.ID || r.Location != c.location {
			t.Errorf("%s: %s %s: %s: %s\nwant %s %s: %s: %s", c.location, r.Path, r.State, r.Why, got, c.path, c.state, c.why, c.places)
		}
		if len(r.Notes) > 0 {
			t.Errorf("%s: notes %q", c.location, r.Notes)
		}
	}
	p := w.why("src/a.go:4").Places[0]
	if p.Symbol != "F1" || p.ID != w.record.Pack.Blocks[0].ID || p.Slot != agenvantage.SlotImplementation || strings.Join(p.Channels, " ") != "bm25f exact" {
		t.Errorf("%+v", p)
	}
	if r := w.why("gen.bin"); r.Skip != agenvantage.SkipBinary {
		t.Errorf("%+v", r)
	}
	w.write(files{"src/a.go": "package p\n"})
	w.mustIndex()
	if r := w.why("src/a.go:4"); r.State != ReasonShown || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "src/a.go has changed since the pack was made") {
		t.Errorf("%+v", r)
	}
}

func TestWhyOfAnExpansion(t *testing.T) {
	w := newPackWorld(t)
	p := w.expand(w.record.Pack.ID, 2000)
	for _, c := range []struct{ location, why string }{
		{"src/a.go:9", "it is shown for implementation, rank 3: names numbers"},
		{"src/a.go:5", "a pack that this one goes on from showed it for implementation, rank 1: names numbers"},
	} {
		r, err := w.WhyPacked(t.Context(), p.ID, c.location)
		if err != nil || r.State != ReasonShown || r.Why != c.why {
			t.Errorf("%s: %+v, %v", c.location, r, err)
		}
	}
}

func TestWhyOfMergedAndCutBlocks(t *testing.T) {
	w := newPackWorld(t)
	r := &w.record
	b := r.Pack.Blocks[0]
	b.StartLine, b.EndLine = 3, 5 // cut
	b.ID = pack.BlockID(b)
	r.Pack.Blocks, r.Considered[0].ID = []agenvantage.Block{b}, b.ID
	merged := agenvantage.Block{ID: "b123456789012", Kind: agenvantage.BlockSource, Path: "src/other.go", StartLine: 1, EndLine: 3, Slot: agenvantage.SlotTests, Reason: "both parts", Revision: "blob:0"}
	r.Pack.Blocks = append(r.Pack.Blocks, merged)
	r.Considered = append(r.Considered, Considered{Path: "src/other.go", StartLine: 3, EndLine: 3, Slot: agenvantage.SlotTests, Rank: 1, Outcome: OutcomeMerged, ID: merged.ID, Reason: "tests it"})
	r.Pack.ID = pack.ID(r.Pack)
	w.keep(*r)
	for _, c := range []struct{ location, state, why string }{
		{"src/a.go:6", "left out", "its block was cut before these lines; it was considered for implementation, rank 1: names numbers"},
		{"src/other.go:3", "shown", "it is shown for tests, rank 1: tests it"},
		{"src/other.go:2", "shown", "it is shown for tests: both parts"},
	} {
		if got := w.why(c.location); string(got.State) != c.state || got.Why != c.why {
			t.Errorf("%s: %s: %s", c.location, got.State, got.Why)
		}
	}
}

func TestWhyRefusesBadInput(t *testing.T) {
	w := newPackWorld(t)
	for _, c := range []struct{ pack, location, want string }{
		{"p0000000000000000", "src/a.go", "unknown pack"},
		{w.record.Pack.ID, " ", "a location is needed"},
		{w.record.Pack.ID, "src/a.go:0", "names no lines"},
		{w.record.Pack.ID, "src/a.go:9-3", "names no lines"},
		{w.record.Pack.ID, "src/a.go:99999999999999999999", "names no lines"},
	} {
		if _, err := w.WhyPacked(t.Context(), c.pack, c.location); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.location, err, c.want)
		}
	}
	w.write(files{"a.go": function("Root"), "x/same.go": function("A"), "y/same.go": function("B")})
	w.mustIndex()
	if _, err := w.WhyPacked(t.Context(), w.record.Pack.ID, "same.go"); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "x/same.go, y/same.go") {
		t.Errorf("%v", err)
	}
	if r := w.why("a.go:1"); r.Path != "a.go" || r.State != ReasonNotConsidered { // not src/a.go, which ends in it
		t.Errorf("%+v", r)
	}
}

func TestWhyWithoutAnIndex(t *testing.T) {
	w := newWorld(t, files{"a.go": function("A")})
	w.keep(emptyRecord(packID(1)))
	r, err := w.WhyPacked(t.Context(), packID(1), "a.go")
	if err != nil || r.State != ReasonNotConsidered || !strings.Contains(r.Why, "is not known") || len(r.Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
