package ablations

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"agenvantage"
)

// maxVariantsBytes bounds a variants file.
const maxVariantsBytes = 1 << 20

// MaxPackBudget bounds the tokens of a pack: more is no pack but a repository.
const MaxPackBudget = 10_000_000

// The keys of a variants file and of one variant.
var (
	matrixKeys  = []string{"baseline", "variants"}
	variantKeys = []string{"name", "channels", "settings", "pack"}
)

// ReadVariants reads a variants file, which docs/reference/variants.md describes: "variants" holds name, channels (those of
// channels), settings and pack of each, and "baseline" names the one that the others are compared with (the first, when it is
// absent). A fault is agenvantage.ErrBadInput naming file and line. Keys and values of settings are left to the caller,
// who has Matrix.Origin for its errors.
func ReadVariants(r io.Reader, file string, channels []string) (Matrix, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxVariantsBytes+1))
	if err != nil {
		return Matrix{}, fmt.Errorf("read %s: %w", file, err)
	}
	v := variantReader{file: file, channels: channels}
	m, err := v.read(data)
	if err != nil {
		return Matrix{}, fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
	}
	return m, nil
}

// variantReader reads one variants file. Its nodes are walked by hand: the decoder would name Go types in its errors, and
// no line for what it does not know.
type variantReader struct {
	file     string
	channels []string
}

func (r variantReader) fault(at *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, at.Line, fmt.Sprintf(format, args...))
}

// yamlLine is how the parser begins its errors.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (r variantReader) read(data []byte) (Matrix, error) {
	if len(data) > maxVariantsBytes {
		return Matrix{}, fmt.Errorf("%s has more than %d bytes", r.file, maxVariantsBytes)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		place := r.file
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil && m[1] != "" {
			place += ":" + m[1]
		}
		return Matrix{}, fmt.Errorf("%s: broken YAML: %s", place, yamlLine.ReplaceAllString(err.Error(), ""))
	}
	none := fmt.Errorf("%s names no variants: it needs a list \"variants\"", r.file)
	if len(document.Content) == 0 {
		return Matrix{}, none
	}
	top, err := r.keys(document.Content[0], "the file", matrixKeys)
	if err != nil {
		return Matrix{}, err
	}
	list := top["variants"]
	if list == nil || isNull(list) {
		return Matrix{}, none
	}
	if list.Kind != yaml.SequenceNode {
		return Matrix{}, r.fault(list, "variants is no list: begin each variant with \"- name: …\"")
	}
	m := Matrix{Arms: map[string]string{}, LeftOut: map[string]string{}, Alone: map[string]string{}, origins: map[string]string{}}
	for i, node := range list.Content {
		v, err := r.variant(resolve(node), fmt.Sprintf("variant %d", i+1))
		if err != nil {
			return Matrix{}, err
		}
		if first := m.origins[v.Name]; first != "" {
			return Matrix{}, r.fault(node, "variant %d: the name %q is given twice, first at %s", i+1, v.Name, first)
		}
		m.origins[v.Name] = fmt.Sprintf("%s:%d", r.file, node.Line)
		m.Variants = append(m.Variants, v)
	}
	if len(m.Variants) == 0 {
		return Matrix{}, none
	}
	m.Baseline = m.Variants[0].Name
	if node := top["baseline"]; node != nil && !isNull(node) {
		if m.Baseline = node.Value; node.Kind != yaml.ScalarNode || m.origins[m.Baseline] == "" {
			return Matrix{}, r.fault(node, "baseline %q is none of its variants", node.Value)
		}
	}
	m.assignParts(r.channels)
	return m, nil
}

// keys reads a mapping whose keys are known.
func (r variantReader) keys(node *yaml.Node, what string, known []string) (map[string]*yaml.Node, error) {
	if node = resolve(node); node.Kind != yaml.MappingNode {
		return nil, r.fault(node, "%s has no keys: want %s", what, strings.Join(known, ", "))
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolve(node.Content[i+1])
		switch {
		case !slices.Contains(known, key.Value):
			return nil, r.fault(key, "%s: key %q is not known; the nearest is %q, and the keys are %s", what, key.Value, nearestName(key.Value, known), strings.Join(known, ", "))
		case values[key.Value] != nil:
			return nil, r.fault(key, "%s: key %q stands twice", what, key.Value)
		}
		values[key.Value] = value
	}
	return values, nil
}

func (r variantReader) variant(node *yaml.Node, what string) (Variant, error) {
	values, err := r.keys(node, what, variantKeys)
	if err != nil {
		return Variant{}, err
	}
	var v Variant
	name := values["name"]
	switch {
	case name == nil:
		return v, r.fault(node, "%s has no name", what)
	case name.Kind != yaml.ScalarNode || !variantName.MatchString(name.Value):
		return v, r.fault(name, "%s: name %q: want letters, digits and . _ + -, at most 64", what, name.Value)
	}
	v.Name = name.Value
	if v.Channels, err = r.channelsOf(values["channels"], what); err != nil {
		return v, err
	}
	if v.Settings, err = r.settingsOf(values["settings"], what); err != nil {
		return v, err
	}
	v.Pack, err = r.packOf(values["pack"], what)
	return v, err
}

// packOf reads the budget of a pack; without it a variant searches.
func (r variantReader) packOf(node *yaml.Node, what string) (int, error) {
	if node == nil || isNull(node) {
		return 0, nil
	}
	tokens, err := strconv.Atoi(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode || tokens < 1 || tokens > MaxPackBudget {
		return 0, r.fault(node, "%s: pack %q: want a number of tokens, from 1 to %d; leave the key out for a search", what, node.Value, MaxPackBudget)
	}
	return tokens, nil
}

// channelsOf reads a list of channels or the name of one; without it a variant has all of them.
func (r variantReader) channelsOf(node *yaml.Node, what string) ([]string, error) {
	if node == nil || isNull(node) {
		return slices.Clone(r.channels), nil
	}
	list := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		list = node.Content
	}
	if len(list) == 0 {
		return nil, r.fault(node, "%s: channels is empty: leave the key out for all channels", what)
	}
	var names []string
	for _, one := range list {
		one = resolve(one)
		known := strings.Join(r.channels, ", ")
		switch {
		case one.Kind != yaml.ScalarNode:
			return nil, r.fault(one, "%s: channels is neither a list of names nor a name; the channels are %s", what, known)
		case one.Value == "auto":
			return nil, r.fault(one, "%s: channels auto would mean what verdicts say at the moment: name the channels (%s), or leave the key out for all", what, known)
		case !slices.Contains(r.channels, one.Value):
			return nil, r.fault(one, "%s: unknown channel %q; the nearest is %q, and the channels are %s", what, one.Value, nearestName(one.Value, r.channels), known)
		}
		names = append(names, one.Value)
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Index(r.channels, a) - slices.Index(r.channels, b) })
	return slices.Compact(names), nil
}

// settingsOf reads a mapping of dotted keys to single values.
func (r variantReader) settingsOf(node *yaml.Node, what string) (map[string]string, error) {
	if node == nil || isNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.MappingNode {
		return nil, r.fault(node, "%s: settings has no keys: write \"settings: {fusion.k: 20}\"", what)
	}
	settings := map[string]string{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolve(node.Content[i+1])
		if _, twice := settings[key.Value]; twice {
			return nil, r.fault(key, "%s: setting %q stands twice", what, key.Value)
		}
		if value.Kind != yaml.ScalarNode || isNull(value) {
			return nil, r.fault(value, "%s: setting %q has no single value: write the whole key with dots, as \"fusion.k: 20\"", what, key.Value)
		}
		settings[key.Value] = value.Value
	}
	return settings, nil
}

// resolve follows an alias.
func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode && node.Alias != nil {
		return node.Alias
	}
	return node
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// nearestName is the known name with the smallest edit distance, the first of equals.
func nearestName(name string, known []string) string {
	best, least := "", 1<<30
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), k); d < least {
			best, least = k, d
		}
	}
	return best
}

// editDistance counts insertions, removals and replacements of bytes. Names are short; of longer ones the first 64 bytes
// count.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			step := corner
			if a[i] != b[j] {
				step = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], step
		}
	}
	return row[len(b)]
}
