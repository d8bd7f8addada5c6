package configs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

// EnvToken is the variable of the HTTP server's token, which is no setting: it is in no file and is never shown.
const EnvToken = EnvPrefix + "TOKEN"

// readEnv reads the AGENVANTAGE_ variables. An empty variable is unset. A variable that names no key is a warning: it
// may be meant for another version, and an environment is not a file that one run can mend.
func readEnv(o LoadOptions, home string) layer {
	l := layer{values: map[string]any{}}
	values := map[string]string{}
	for _, e := range o.Env {
		if name, value, ok := strings.Cut(e, "="); ok && strings.HasPrefix(name, EnvPrefix) && !strings.HasPrefix(name, EnvReserved) {
			values[name] = value
		}
	}
	delete(values, EnvToken)
	names := make([]string, 0, len(table))
	for _, k := range table {
		names = append(names, k.env())
		if text := values[k.env()]; text != "" {
			dir := o.Dir
			if k.absolute { // it would be read from whatever folder one is in
				dir = ""
			}
			l.text(k, k.env(), text, dir, home)
		}
		delete(values, k.env())
	}
	for _, name := range sortedKeys(values) {
		if values[name] == "" {
			continue
		}
		l.warnings = append(l.warnings, Warning{Key: name,
			Message: fmt.Sprintf("%s names no setting and is ignored; the nearest is %s", name, nearestEnv(name, names))})
	}
	return l
}

func nearestEnv(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// readFlags reads settings given on the command line.
func readFlags(o LoadOptions, home string) layer {
	l := layer{values: map[string]any{}}
	for _, name := range sortedKeys(o.Flags) {
		const place = "command line"
		k, ok := byName(name)
		switch {
		case ok:
			l.text(k, place, o.Flags[name], o.Dir, home)
		case isSection(name):
			l.faults = append(l.faults, &Fault{Place: place, Key: name, Message: name + " is a section with keys of its own"})
		default:
			l.unknown = append(l.unknown, &Fault{Place: place, Key: name, Message: unknownKey(name)})
		}
	}
	return l
}

// text reads one value that was given as plain text.
func (l *layer) text(k key, place, text, dir, home string) {
	v, err := parseText(k, text)
	if p, ok := v.(string); ok && k.kind == KindPath && p != "" && err == nil {
		if p = expandHome(p, home); !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		v = p
	}
	if err == nil && !k.check(v) {
		err = fmt.Errorf("out of range")
	}
	if err != nil {
		message := fmt.Sprintf("%s: want %s, not %s", k.name, k.want(), k.describe(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}))
		if k.secret {
			message = fmt.Sprintf("%s: want %s", k.name, k.want())
		}
		l.faults = append(l.faults, &Fault{Place: place, Key: k.name, Message: message})
		return
	}
	l.values[k.name] = v
}

// parseText reads text as the kind of k. A map is a JSON or YAML object in braces, or NAME=VALUE pairs with commas; a list is
// a JSON or YAML list in brackets, or its items with commas, where a comma within braces ({go,c}) divides nothing.
func parseText(k key, text string) (any, error) {
	trimmed := strings.TrimSpace(text)
	switch k.kind {
	case KindInt:
		return strconv.ParseInt(trimmed, 10, 64)
	case KindNumber:
		return strconv.ParseFloat(trimmed, 64)
	case KindSwitch:
		return strconv.ParseBool(strings.ToLower(trimmed))
	case KindDuration:
		return time.ParseDuration(trimmed)
	case KindWeights, KindNames:
		if strings.HasPrefix(trimmed, "{") {
			return parseObject(k, trimmed)
		}
		return parsePairs(k, trimmed)
	case KindGlobs:
		return parseGlobs(k, trimmed)
	case KindText:
		return text, nil
	default:
		return trimmed, nil
	}
}

// parseObject reads an object in braces with the reader of files, so that both have the same rules.
func parseObject(k key, text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	r := &reader{}
	v, message := r.dataMap(k, doc.Content[0])
	if message != "" || len(r.faults) > 0 {
		return nil, fmt.Errorf("not a usable object")
	}
	return v, nil
}

func parsePairs(k key, text string) (any, error) {
	weights, names := map[string]float64{}, map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		i := strings.LastIndexByte(pair, '=')
		if i < 0 {
			return nil, fmt.Errorf("pair %q has no =", pair)
		}
		name, value := strings.TrimSpace(pair[:i]), strings.TrimSpace(pair[i+1:])
		if k.kind == KindNames {
			names[name] = value
			continue
		}
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, err
		}
		weights[name] = f
	}
	if k.kind == KindNames {
		return names, nil
	}
	return weights, nil
}

// parseGlobs reads a list in brackets with the reader of files, as parseObject does, and anything else as items with commas.
func parseGlobs(k key, text string) (any, error) {
	var doc yaml.Node
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") || yaml.Unmarshal([]byte(text), &doc) != nil || doc.Content[0].Kind != yaml.SequenceNode {
		return splitGlobs(text), nil
	}
	v, message := (&reader{}).globs(k, doc.Content[0])
	if message != "" {
		return nil, fmt.Errorf("not a usable list")
	}
	return v, nil
}

// splitGlobs divides at commas outside of braces. Blank items are left out.
func splitGlobs(text string) []string {
	out, depth, from := []string{}, 0, 0
	add := func(item string) {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				add(text[from:i])
				from = i + 1
			}
		}
	}
	add(text[from:])
	return out
}
