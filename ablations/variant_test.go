package ablations

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

func TestStandardMatrix(t *testing.T) {
	m := StandardMatrix([]string{"exact", "bm25f", "graph", "semantic"})
	var got []string
	for _, v := range m.Variants {
		got = append(got, v.Name+"="+strings.Join(v.Channels, "+"))
	}
	want := []string{"baseline=exact+bm25f", "all=exact+bm25f+graph+semantic", "baseline+graph=exact+bm25f+graph", "baseline+semantic=exact+bm25f+semantic",
		"only-exact=exact", "only-bm25f=bm25f", "only-graph=graph", "only-semantic=semantic", "without-exact=bm25f+graph+semantic",
		"without-bm25f=exact+graph+semantic"}
	// All but graph is the baseline and semantic: one variant plays both parts.
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("variants %v\nwant     %v", got, want)
	}
	if m.Baseline != "baseline" || m.All != "all" || m.Arms["graph"] != "baseline+graph" || m.LeftOut["graph"] != "baseline+semantic" || m.Alone["exact"] != "only-exact" {
		t.Errorf("parts %+v", m)
	}
}

func TestStandardMatrixOfDeterministicChannelsAlone(t *testing.T) {
	m := StandardMatrix([]string{"exact", "bm25f"})
	if len(m.Variants) != 3 || m.All != "baseline" || m.LeftOut["exact"] != "only-bm25f" || len(m.Arms) != 0 {
		t.Errorf("%+v", m)
	}
}

func TestReadVariants(t *testing.T) {
	m, err := ReadVariants(strings.NewReader(`
baseline: plain
variants:
  - name: plain
    channels: [bm25f, exact]
  - name: k20
    channels: [exact, bm25f]
    settings: {fusion.k: 20, extract.max_chunk_chars: "900"}
  - name: everything
`), "v.yaml", []string{"exact", "bm25f", "graph"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Baseline != "plain" || m.All != "everything" || m.Arms["graph"] != "everything" || m.LeftOut["graph"] != "plain" {
		t.Errorf("%+v", m)
	}
	if v := m.Variants[1]; v.Settings["fusion.k"] != "20" || v.Settings["extract.max_chunk_chars"] != "900" {
		t.Errorf("settings %v", v.Settings)
	}
	if v := m.Variants[0]; fmt.Sprint(v.Channels) != "[exact bm25f]" {
		t.Errorf("channels are put in order: %v", v.Channels)
	}
}

func TestReadVariantsNamesFileAndFault(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "v.yaml names no variants"},
		{"baseline: a", "v.yaml names no variants"},
		{"variants: []", "v.yaml names no variants"},
		{"variants: 3", "v.yaml:1: variants is no list"},
		{"variants:\n- 3", "v.yaml:2: variant 1 has no keys: want name, channels, settings, pack"},
		{"variant: [{name: a}]", `v.yaml:1: the file: key "variant" is not known; the nearest is "variants"`},
		{"variants: [{name: a, chanels: [exact]}]", `v.yaml:1: variant 1: key "chanels" is not known; the nearest is "channels", and the keys are name, channels, settings`},
		{"variants:\n- name: a\n  name: b", `v.yaml:`},
		{"variants:\n- {name: a, channels: [nothing]}", `v.yaml:2: variant 1: unknown channel "nothing"; the nearest is "exact", and the channels are exact, graph`},
		{"variants:\n- {name: a, channels: exat}", `v.yaml:2: variant 1: unknown channel "exat"; the nearest is "exact"`},
		{"variants:\n- {name: a, channels: auto}", `v.yaml:2: variant 1: channels auto would mean what verdicts say at the moment`},
		{"variants:\n- {name: a, channels: [exact, auto]}", `channels auto would mean`},
		{"variants:\n- {name: a, channels: []}", `v.yaml:2: variant 1: channels is empty`},
		{"variants:\n- {name: a, channels: {x: y}}", `v.yaml:2: variant 1: channels is neither a list of names nor a name`},
		{"variants:\n- name: a\n  settings:\n    fusion: {k: 3}", `v.yaml:4: variant 1: setting "fusion" has no single value`},
		{"variants: [{name: a, settings: 3}]", `v.yaml:1: variant 1: settings has no keys`},
		{"variants: [{name: a}, {name: a}]", `v.yaml:1: variant 2: the name "a" is given twice, first at v.yaml:1`},
		{"variants: [{name: ../a}]", `variant 1: name "../a"`},
		{"variants: [{channels: exact}]", `v.yaml:1: variant 1 has no name`},
		{"baseline: b\nvariants: [{name: a}]", `v.yaml:1: baseline "b" is none of its variants`},
		{"variants:\n- {name: a, pack: many}", `v.yaml:2: variant 1: pack "many": want a number of tokens, from 1 to 10000000; leave the key out for a search`},
		{"variants: [{name: a, pack: 0}]", `variant 1: pack "0": want`},
		{"variants: [{name: a, pack: -5}]", `variant 1: pack "-5": want`},
		{"variants: [{name: a, pack: 10000001}]", `variant 1: pack "10000001": want`},
		{"variants: [{name: a, pack: 1.5}]", `variant 1: pack "1.5": want`},
		{"variants: [{name: a, pack: [6000]}]", `variant 1: pack "": want`},
		{"variants: {", "v.yaml:1: broken YAML: "},
	} {
		_, err := ReadVariants(strings.NewReader(c.text), "v.yaml", []string{"exact", "graph"})
		if strings.Contains(fmt.Sprint(err), "ablations.") || strings.Contains(fmt.Sprint(err), "!!") {
			t.Errorf("%q: Go or YAML types in %v", c.text, err)
		}
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestOneChannelNeedsNoList(t *testing.T) {
	m, err := ReadVariants(strings.NewReader("variants:\n- {name: a, channels: exact}\n- {name: b, channels: &both [graph, exact, graph]}\n- {name: c, channels: *both}\n"), "v.yaml", []string{"exact", "graph"})
	if err != nil || fmt.Sprint(m.Variants[0].Channels, m.Variants[1].Channels, m.Variants[2].Channels) != "[exact] [exact graph] [exact graph]" || m.Origin("b") != "v.yaml:3" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAMatrixWithoutAVariantOfAllChannelsNamesNone(t *testing.T) {
	channels := []string{"exact", "bm25f", "graph"}
	for _, c := range []struct{ text, want string }{
		{"variants: [{name: a, channels: [exact, bm25f]}, {name: b, channels: graph}]", ""},
		{"variants: [{name: a, channels: [exact, bm25f]}, {name: b}]", "b"},
		{"variants: [{name: a}, {name: b, channels: graph}]", "a"},
		{"variants: [{name: a, channels: [exact, bm25f]}, {name: b, settings: {fusion.k: 3}}]", ""},
	} {
		if m, err := ReadVariants(strings.NewReader(c.text), "v.yaml", channels); err != nil || m.All != c.want {
			t.Errorf("%s: all is %q, want %q (%v)", c.text, m.All, c.want, err)
		}
	}
}

func FuzzReadVariants(f *testing.F) {
	f.Add("variants: [{name: a, channels: [exact], settings: {fusion.k: 3}}]\nbaseline: a\n")
	f.Add("variants: &a [*a]")
	f.Add("variants:\n- &x {name: a, <<: *x}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadVariants(strings.NewReader(text), "v.yaml", []string{"exact", "bm25f", "graph"})
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Errorf("%v", err)
			}
			return
		}
		for _, v := range m.Variants {
			if v.Name == "" || len(v.Channels) == 0 || m.Origin(v.Name) == "" {
				t.Errorf("%+v", v)
			}
		}
	})
}
