package ablations

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
)

func promoteSet(channel string, d Decision, basis Basis) *Verdicts {
	return &Verdicts{Format: verdictsFormat, Basis: basis, Verdicts: []Verdict{{Channel: channel, Class: ClassIssue, Decision: d, Tasks: 120, Rule: "r"}}}
}

func TestPolicy(t *testing.T) {
	now := Basis{IndexFormat: 3, RankingHash: "a", Files: Prints{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
	with := func(change func(*Basis)) Basis { b := now; change(&b); return b }
	for _, c := range []struct {
		name    string
		shipped Decision
		local   *Verdicts
		on      bool
		source  string
		why     string
	}{
		{"no verdict at all", "", nil, false, "", "it was not measured"},
		{"shipped promote", Promote, nil, true, "shipped", "promote (shipped verdict on 120 tasks: r)"},
		{"shipped keep off", KeepOff, nil, false, "shipped", "keep off"},
		{"insufficient evidence is off", Insufficient, nil, false, "shipped", "insufficient evidence"},
		{"local wins: promote over keep off", KeepOff, promoteSet("graph", Promote, now), true, "local", "promote"},
		{"local wins: keep off over promote", Promote, promoteSet("graph", KeepOff, now), false, "local", "keep off"},
		{"a local lack of evidence leaves a shipped promote", Promote, promoteSet("graph", Insufficient, now), true, "shipped", "the local verdict on 120 tasks lacks evidence: r"},
		{"a local lack of evidence leaves a shipped keep off", KeepOff, promoteSet("graph", Insufficient, now), false, "shipped", "keep off (shipped verdict on 120 tasks: r); the local"},
		{"a local lack of evidence alone", "", promoteSet("graph", Insufficient, now), false, "local", "insufficient evidence (local verdict"},
		{"lapsed by format", Promote, promoteSet("graph", KeepOff, with(func(b *Basis) { b.IndexFormat = 2 })), true, "shipped", "the index format was 2 and is 3"},
		{"lapsed by settings", KeepOff, promoteSet("graph", Promote, with(func(b *Basis) { b.RankingHash = "b" })), false, "shipped", "settings that decide rankings"},
		{"lapsed by model", KeepOff, promoteSet("graph", Promote, with(func(b *Basis) { b.Model = "m" })), false, "shipped", `the model was "m"`},
		{"a tenth of the files changed", KeepOff, promoteSet("graph", Promote, with(func(b *Basis) { b.Files = Prints{1, 2, 3, 4, 5, 6, 7, 8, 9, 11} })), true, "local", "promote"},
		{"a fifth of the files changed", KeepOff, promoteSet("graph", Promote, with(func(b *Basis) { b.Files = Prints{1, 2, 3, 4, 5, 6, 7, 8, 11, 12} })), false, "shipped", "20% of the files have changed"},
		{"local verdict of another channel", Promote, promoteSet("semantic", KeepOff, now), true, "shipped", "promote"},
		{"lapsed and nothing shipped", "", promoteSet("graph", Promote, Basis{}), false, "", "lapsed: the index format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var shipped Verdicts
			if c.shipped != "" {
				shipped = *promoteSet("graph", c.shipped, Basis{})
			}
			r := NewPolicy(shipped, c.local, now).Rule("graph", ClassIssue)
			if r.On != c.on || r.Source != c.source || !strings.Contains(r.Why, c.why) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestDeterministicChannelsAreAlwaysOn(t *testing.T) {
	p := NewPolicy(*promoteSet("exact", KeepOff, Basis{}), nil, Basis{})
	if r := p.Rule("exact", ClassIssue); !r.On || r.Decision != AlwaysOn {
		t.Errorf("%+v", r)
	}
}

// A shipped verdict on the channel of vectors holds for the model that it was measured with.
func TestAShippedVerdictHoldsForItsModel(t *testing.T) {
	shipped := *promoteSet("semantic", Promote, Basis{})
	shipped.Verdicts[0].Model = "builtin static@1"
	for _, c := range []struct {
		model string
		on    bool
		why   string
	}{
		{"builtin static@1", true, "promote (shipped verdict on 120 tasks: r)"},
		{"builtin static@2", false, "no verdict: it was measured with the model builtin static@1 only"},
		{"", false, "measured with the model builtin static@1 only"},
	} {
		r := NewPolicy(shipped, nil, Basis{Model: c.model}).Rule("semantic", ClassIssue)
		if r.On != c.on || !strings.Contains(r.Why, c.why) {
			t.Errorf("model %q: %+v", c.model, r)
		}
	}
	local := promoteSet("semantic", Insufficient, Basis{Model: "builtin static@2"})
	r := NewPolicy(shipped, local, Basis{Model: "builtin static@2"}).Rule("semantic", ClassIssue)
	if r.On || r.Source != "local" {
		t.Errorf("a verdict for another model decides: %+v", r)
	}
}

func TestVerdictsGoThroughAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gate.json")
	if _, err := ReadVerdicts(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	want := promoteSet("graph", Promote, Basis{IndexFormat: 3, RankingHash: "h", Model: "m", Files: Prints{1, 1 << 63}})
	if err := want.Write(file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadVerdicts(file)
	if err != nil || got.Lapsed(want.Basis) != "" || len(got.Basis.Files) != 2 || got.Basis.Files[1] != 1<<63 || got.Verdicts[0] != want.Verdicts[0] {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"{", `{"format": 99}`, `{"format": 1, "basis": {"files": "AAA"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadVerdicts(file); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestShippedVerdictsCanBeRead(t *testing.T) {
	v, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range v.Verdicts {
		if one.Decision == Promote && (one.Tasks < gateTasks || one.Clusters < gateRepositories || one.Low <= 0) {
			t.Errorf("shipped promote of %s for %s rests on %d tasks of %d clusters, low %v", one.Channel, one.Class, one.Tasks, one.Clusters, one.Low)
		}
	}
}
