package ablations

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"agenvantage"
)

// Matrix is the variants of a run with the part that some of them play.
type Matrix struct {
	Variants []Variant         `json:"variants"`
	Baseline string            `json:"baseline"` // what others are compared with: the deterministic channels
	All      string            `json:"all"`      // every channel
	Arms     map[string]string `json:"arms"`     // channel → baseline and that channel
	LeftOut  map[string]string `json:"left_out"` // channel → all but that channel
	Alone    map[string]string `json:"alone"`    // channel → that channel alone
}

// Deterministic lists the channels that no verdict turns off: they need no model and are what others are measured against.
func Deterministic() []string { return []string{"exact", "bm25f"} }

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

// variantFile is the YAML that --variants takes.
type variantFile struct {
	Baseline string    `yaml:"baseline"`
	Variants []Variant `yaml:"variants"`
}

// variantName is what a variant can be called: it names files.
var variantName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+._-]{0,63}$`)

// ReadVariants reads a list of variants: "variants" holds name, channels (those of channels) and settings of each, and
// "baseline" names the one that the others are compared with (the first, when it is absent). A fault is
// agenvantage.ErrBadInput naming file and, where the parser tells, line.
func ReadVariants(r io.Reader, file string, channels []string) (Matrix, error) {
	data, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return Matrix{}, fmt.Errorf("read %s: %w", file, err)
	}
	var f variantFile
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return Matrix{}, fmt.Errorf("%w: %s: %s", agenvantage.ErrBadInput, file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	m := Matrix{Variants: f.Variants, Baseline: f.Baseline, Arms: map[string]string{}, LeftOut: map[string]string{}, Alone: map[string]string{}}
	if len(m.Variants) == 0 {
		return Matrix{}, fmt.Errorf("%w: %s names no variants", agenvantage.ErrBadInput, file)
	}
	names := map[string]bool{}
	for i := range m.Variants {
		v := &m.Variants[i]
		if err := checkVariant(v, channels); err != nil {
			return Matrix{}, fmt.Errorf("%w: %s: variant %d: %v", agenvantage.ErrBadInput, file, i+1, err)
		}
		if names[v.Name] {
			return Matrix{}, fmt.Errorf("%w: %s: variant %d: the name %q is given twice", agenvantage.ErrBadInput, file, i+1, v.Name)
		}
		names[v.Name] = true
	}
	if m.Baseline == "" {
		m.Baseline = m.Variants[0].Name
	}
	if !names[m.Baseline] {
		return Matrix{}, fmt.Errorf("%w: %s: baseline %q is none of its variants", agenvantage.ErrBadInput, file, m.Baseline)
	}
	m.assignParts(channels)
	return m, nil
}

func checkVariant(v *Variant, channels []string) error {
	if !variantName.MatchString(v.Name) {
		return fmt.Errorf("name %q: want letters, digits and . _ + -, at most 64", v.Name)
	}
	if len(v.Channels) == 0 {
		v.Channels = slices.Clone(channels)
	}
	for _, c := range v.Channels {
		if !slices.Contains(channels, c) {
			return fmt.Errorf("unknown channel %q; the channels are %s", c, strings.Join(channels, ", "))
		}
	}
	slices.SortFunc(v.Channels, func(a, b string) int { return slices.Index(channels, a) - slices.Index(channels, b) })
	v.Channels = slices.Compact(v.Channels)
	return nil
}

// assignParts finds, by their channels, the variants that play the parts of the standard matrix; a variant with the
// baseline's own settings alone can.
func (m *Matrix) assignParts(channels []string) {
	base := m.Variants[slices.IndexFunc(m.Variants, func(v Variant) bool { return v.Name == m.Baseline })]
	m.All = m.Baseline
	for _, v := range m.Variants {
		if !equalSettings(v.Settings, base.Settings) {
			continue
		}
		if len(v.Channels) == len(channels) && v.Name != m.Baseline {
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
