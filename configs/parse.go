package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// layer is what one file, the environment or the flags set: typed values that were checked, by dotted key.
type layer struct {
	values   map[string]any
	faults   Faults
	unknown  Faults // unknown keys: faults or warnings by config.allow_unknown
	warnings []Warning
}

// maxSuggestions bounds the search for near names: a repository's file may hold any number of unknown keys.
const maxSuggestions = 20

// reader turns the nodes of one YAML file into a layer. YAML is read as nodes, not by viper, because only nodes have
// line numbers, repeated keys, and the case of the keys that are data.
type reader struct {
	layer
	file    string
	project bool   // a repository's own file: personal keys do not count
	home    string // what ~ stands for, "" when unknown
}

// readYAML reads text, which came from the file of that name.
func readYAML(file string, text []byte, project bool, home string) layer {
	r := &reader{layer: layer{values: map[string]any{}}, file: file, project: project, home: home}
	if line, why := badBytes(text); why != "" {
		r.fault(line, "", why)
		return r.layer
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	err := d.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return r.layer
	}
	if err == nil {
		if err = d.Decode(&more); err == nil {
			r.fault(more.Line, "", "a second YAML document; one is allowed")
			return r.layer
		}
	}
	if !errors.Is(err, io.EOF) {
		line, message := syntax(err, text)
		r.fault(line, "", "not valid YAML: "+message)
		return r.layer
	}
	r.section("", doc.Content[0], 0)
	return r.layer
}

// badBytes finds the first byte that YAML text cannot hold. UTF-16 with a byte order mark is left to the decoder.
func badBytes(text []byte) (line int, why string) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return 0, ""
	}
	line = 1
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			return line, "not UTF-8 text"
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return line, fmt.Sprintf("a control character (U+%04X)", c)
		case c == '\n':
			line++
		}
		i += n
	}
	return 0, ""
}

var syntaxLine = regexp.MustCompile(`^yaml: line (\d+): (?s:(.*))$`)

// syntax takes the line out of a decoder's error. Where the decoder names none, the line of an unknown anchor is looked
// for; the rest concern the beginning of the file.
func syntax(err error, text []byte) (int, string) {
	if m := syntaxLine.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n, m[2]
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "'")
		if i := bytes.Index(text, []byte("*"+name)); i >= 0 {
			return 1 + bytes.Count(text[:i], []byte("\n")), message
		}
	}
	return 1, message
}

func (r *reader) fault(line int, key, message string) {
	r.faults = append(r.faults, &Fault{File: r.file, Line: line, Key: key, Message: message})
}

// follow resolves aliases. YAML allows an alias inside its own anchor; values are at most two levels deep here, so a
// cycle ends with a wrong type.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// section reads the mapping n, whose keys are sections and keys below prefix ("" at the top).
func (r *reader) section(prefix string, n *yaml.Node, line int) {
	n = follow(n)
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		if prefix == "" {
			r.fault(n.Line, "", "the file must hold keys with values, such as \"search:\"")
		} else {
			r.fault(max(line, n.Line), prefix, prefix+" is a section with keys of its own")
		}
		return
	}
	r.entries(prefix, n, func(name string, k, v *yaml.Node) {
		if r.project && personal(name) {
			if section, _, _ := strings.Cut(name, "."); follow(v).Kind == yaml.MappingNode && isSection(section) {
				r.eachLeaf(name, v, r.ignored)
			} else {
				r.ignored(name, k.Line)
			}
			return
		}
		if isSection(name) {
			r.section(name, v, k.Line)
			return
		}
		known, ok := byName(name)
		if ok && strings.Contains(k.Value, ".") {
			section, rest, _ := strings.Cut(name, ".")
			r.fault(k.Line, name, fmt.Sprintf("%s must be nested: %s: {%s: …}", name, section, rest))
			return
		}
		if !ok {
			message := "unknown key " + name
			if len(r.unknown) < maxSuggestions {
				message = unknownKey(name)
			}
			r.unknown = append(r.unknown, &Fault{File: r.file, Line: k.Line, Key: name, Message: message})
			return
		}
		if isNull(follow(v)) {
			return
		}
		value, message := r.value(known, v)
		if message != "" {
			r.fault(max(k.Line, v.Line), name, message)
			return
		}
		if value != nil {
			r.values[name] = value
		}
	})
}

// entries visits the entries of a mapping and reports keys that are repeated or that are no text.
func (r *reader) entries(prefix string, n *yaml.Node, visit func(name string, k, v *yaml.Node)) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		plain := follow(k)
		name := plain.Value
		if prefix != "" {
			name = prefix + "." + name
		}
		if plain.Kind != yaml.ScalarNode {
			r.fault(k.Line, prefix, "a key must be a text")
			continue
		}
		if at, ok := first[plain.Value]; ok {
			r.fault(k.Line, name, fmt.Sprintf("duplicate key %s (first on line %d)", name, at))
			continue
		}
		first[plain.Value] = k.Line
		visit(name, k, v)
	}
}

// eachLeaf visits the keys below a section that does not count, one level deep.
func (r *reader) eachLeaf(name string, n *yaml.Node, visit func(name string, line int)) {
	n = follow(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		visit(name+"."+n.Content[i].Value, n.Content[i].Line)
	}
}

func (r *reader) ignored(name string, line int) {
	r.warnings = append(r.warnings, Warning{File: r.file, Line: line, Key: name,
		Message: name + " is ignored in a repository's own file; set it in your user file or the environment"})
}

func unknownKey(name string) string {
	known := make([]string, 0, 2*len(table))
	for _, k := range table {
		known = append(known, k.name)
		for i := range k.name {
			if k.name[i] == '.' && !slices.Contains(known, k.name[:i]) {
				known = append(known, k.name[:i])
			}
		}
	}
	return fmt.Sprintf("unknown key %s; the nearest known key is %s", name, nearest(name, known))
}

// value reads one value as the kind of k. A message that is not "" says what is wrong.
func (r *reader) value(k key, n *yaml.Node) (any, string) {
	n = follow(n)
	if k.kind.isMap() {
		return r.dataMap(k, n)
	}
	if k.kind == KindGlobs {
		return r.globs(k, n)
	}
	wrong := func() (any, string) {
		if k.secret {
			return nil, fmt.Sprintf("%s: want %s", k.name, k.want())
		}
		return nil, fmt.Sprintf("%s: want %s, not %s", k.name, k.want(), k.describe(n))
	}
	v, ok := scalar(k.kind, n)
	if !ok {
		return wrong()
	}
	if k.kind == KindPath {
		v = expandHome(v.(string), r.home)
	}
	if !k.check(v) {
		return wrong()
	}
	return v, ""
}

// globs reads a list of globs. An empty list counts: it takes the place of a lower layer's.
func (r *reader) globs(k key, n *yaml.Node) (any, string) {
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Sprintf("%s: want %s, not %s", k.name, k.want(), describe(n))
	}
	out := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		item = follow(item)
		v, ok := scalar(k.kind, item)
		if !ok || !k.check([]string{v.(string)}) {
			return nil, fmt.Sprintf("%s: want %s; %s is no glob", k.name, k.want(), describe(item))
		}
		out = append(out, v.(string))
	}
	return out, ""
}

// dataMap reads a map whose keys are data: their case is kept.
func (r *reader) dataMap(k key, n *yaml.Node) (any, string) {
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Sprintf("%s: want %s, not %s", k.name, k.want(), describe(n))
	}
	weights, names := map[string]float64{}, map[string]string{}
	r.entries("", n, func(name string, kn, v *yaml.Node) {
		v = follow(v)
		if isNull(v) {
			return
		}
		entry, ok := scalar(k.kind, v)
		if f, is := entry.(float64); is && ok {
			ok = k.check(map[string]float64{name: f})
		}
		if !ok {
			r.fault(kn.Line, k.name, fmt.Sprintf("%s: %q: want %s, not %s", k.name, name, k.want(), describe(v)))
			return
		}
		switch e := entry.(type) {
		case float64:
			weights[name] = e
		case string:
			names[name] = e
		}
	})
	if k.kind == KindWeights {
		return weights, ""
	}
	return names, ""
}

// scalar reads a scalar node as the kind; for maps, as the kind of their values.
func scalar(kind Kind, n *yaml.Node) (any, bool) {
	if n.Kind != yaml.ScalarNode {
		return nil, false
	}
	tag := n.ShortTag()
	switch kind {
	case KindInt:
		var i int64
		ok := tag == "!!int" && n.Decode(&i) == nil
		return i, ok
	case KindNumber, KindWeights:
		var f float64
		ok := (tag == "!!int" || tag == "!!float") && n.Decode(&f) == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
		return f, ok
	case KindSwitch:
		var b bool
		ok := tag == "!!bool" && n.Decode(&b) == nil
		return b, ok
	case KindDuration:
		d, err := time.ParseDuration(n.Value)
		return d, err == nil
	default:
		return n.Value, tag == "!!str"
	}
}

// describe names a value in a message, short and on one line.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	s := n.Value
	if utf8.RuneCountInString(s) > 60 {
		s = string([]rune(s)[:60]) + "…"
	}
	if n.ShortTag() == "!!str" {
		return strconv.Quote(s)
	}
	return s
}
