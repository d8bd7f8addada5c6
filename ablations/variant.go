package ablations

import (
	"regexp"
	"slices"
	"strings"
)

// Matrix is the variants of a run with the part that some of them play.
type Matrix struct {
	Variants []Variant         `json:"variants"`
	Baseline string            `json:"baseline"` // what others are compared with: the deterministic channels
	All      string            `json:"all"`      // every channel, "" when no variant has them all
	Arms     map[string]string `json:"arms"`     // channel → baseline and that channel
	LeftOut  map[string]string `json:"left_out"` // channel → all but that channel
	Alone    map[string]string `json:"alone"`    // channel → that channel alone

	origins map[string]string // name → "FILE:LINE"; no part of what a run is
}

// Origin is "FILE:LINE" of a variant that was read from a file, "" for others.
func (m Matrix) Origin(name string) string { return m.origins[name] }

// WithPack is m with a pack of the given number of tokens where a variant has none; channels are those of the program.
// Which variants play a part is found anew where the variants come from a file.
func (m Matrix) WithPack(tokens int, channels []string) Matrix {
	m.Variants = slices.Clone(m.Variants)
	for i := range m.Variants {
		if m.Variants[i].Pack == 0 {
			m.Variants[i].Pack = tokens
		}
	}
	if m.origins != nil {
		m.All, m.Arms, m.LeftOut, m.Alone = "", map[string]string{}, map[string]string{}, map[string]string{}
		m.assignParts(channels)
	}
	return m
}

// PackBudgets lists the budgets of the packs with which variants answer, ascending; 0 stands for those that search.
func PackBudgets(variants []Variant) []int {
	var budgets []int
	for _, v := range variants {
		budgets = append(budgets, v.Pack)
	}
	slices.Sort(budgets)
	return slices.Compact(budgets)
}

// Deterministic lists the channels that no verdict turns off: they need no model and are what others are measured against.
func Deterministic() []string { return []string{"exact", "bm25f"} }

// vectorChannel is the channel that rests on an embedding model.
const vectorChannel = "semantic"

// StandardMatrix is the baseline, all channels, each channel alone, each left out, and the baseline with each other
// channel. Sets of channels that are equal share one variant, named for the first part that it plays.
func StandardMatrix(channels []string) Matrix {
	m := Matrix{Arms: map[string]string{}, LeftOut: map[string]string{}, Alone: map[string]string{}}
	seen := map[string]string{}
	add := func(name string, set []string) string {
		key := strings.Join(set, ",")
		if first, ok := seen[key]; ok {
			return first
		}
		seen[key] = name
		m.Variants = append(m.Variants, Variant{Name: name, Channels: set})
		return name
	}
	subset := func(keep func(string) bool) (set []string) {
		for _, c := range channels {
			if keep(c) {
				set = append(set, c)
			}
		}
		return set
	}
	deterministic := func(c string) bool { return slices.Contains(Deterministic(), c) }
	m.Baseline = add("baseline", subset(deterministic))
	m.All = add("all", channels)
	for _, c := range channels {
		if !deterministic(c) {
			m.Arms[c] = add("baseline+"+c, subset(func(d string) bool { return d == c || deterministic(d) }))
		}
	}
	for _, c := range channels {
		m.Alone[c] = add("only-"+c, []string{c})
	}
	if len(channels) > 1 {
		for _, c := range channels {
			m.LeftOut[c] = add("without-"+c, subset(func(d string) bool { return d != c }))
		}
	}
	return m
}

// variantName is what a variant can be called: it names files.
var variantName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+._-]{0,63}$`)

// assignParts finds, by their channels, the variants that play the parts of the standard matrix; a variant with the
// baseline's own settings and its budget of a pack alone can.
func (m *Matrix) assignParts(channels []string) {
	base := m.Variants[slices.IndexFunc(m.Variants, func(v Variant) bool { return v.Name == m.Baseline })]
	if len(base.Channels) == len(channels) {
		m.All = m.Baseline
	}
	for _, v := range m.Variants {
		if !equalSettings(v.Settings, base.Settings) || v.Pack != base.Pack {
			continue
		}
		if m.All == "" && len(v.Channels) == len(channels) {
			m.All = v.Name
		}
		for _, c := range channels {
			with, without := slices.Contains(v.Channels, c), len(v.Channels) == len(channels)-1 && !slices.Contains(v.Channels, c)
			switch {
			case with && len(v.Channels) == 1:
				m.Alone[c] = v.Name
			case without:
				m.LeftOut[c] = v.Name
			}
			if with && !slices.Contains(base.Channels, c) && len(v.Channels) == len(base.Channels)+1 && containsAll(v.Channels, base.Channels) {
				m.Arms[c] = v.Name
			}
		}
	}
}

func equalSettings(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func containsAll(set, of []string) bool {
	for _, c := range of {
		if !slices.Contains(set, c) {
			return false
		}
	}
	return true
}
