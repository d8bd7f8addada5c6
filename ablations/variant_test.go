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
		{"variants: [{name: a, chanels: [exact]}]", "line 1: field chanels not found"},
		{"variants:\n- {name: a, channels: [nothing]}", `variant 1: unknown channel "nothing"`},
		{"variants: [{name: a}, {name: a}]", `variant 2: the name "a" is given twice`},
		{"variants: [{name: ../a}]", `variant 1: name "../a"`},
		{"baseline: b\nvariants: [{name: a}]", `baseline "b" is none of its variants`},
		{"variants: {", "v.yaml: "},
	} {
		_, err := ReadVariants(strings.NewReader(c.text), "v.yaml", []string{"exact"})
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
