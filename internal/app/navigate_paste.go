package app

import (
	"fmt"
	"regexp"
	"strings"

	"agenvantage/analysis"
)

// What follows looks for names that macros of C put together from tokens.

// paste is a definition of a macro of C that joins tokens.
var paste = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?((?:[^\n]*\\\n)*[^\n]*##[^\n]*)`)

var pastedParts = regexp.MustCompile(`\w*(?:\s*##\s*\w*)+`)

// pasted counts the macros of C whose joined tokens may make a name.
func (m *mentions) pasted(name string) error {
	files, err := m.filesWith("define")
	if err != nil {
		return err
	}
	places := 0
	for _, f := range files {
		if lang := m.corpus.Lang(f); lang != "c" && lang != "cpp" {
			continue
		}
		text, err := m.corpus.Text(f)
		if err != nil {
			return err
		}
		if !strings.Contains(text, "##") {
			continue
		}
		for _, d := range paste.FindAllStringSubmatch(text, -1) {
			for _, joined := range pastedParts.FindAllString(d[2], -1) {
				if ok, err := m.makes(joined, d[1], name); err != nil {
					return err
				} else if ok {
					places++
				}
			}
		}
	}
	m.count(reasonComputed, places)
	return nil
}

// makes reports whether joined tokens may make a name: what is no parameter of the macro stands as it is, and a parameter for
// one or more letters. Where everything is a parameter the index must have the parts.
func (m *mentions) makes(joined, parameters, name string) (bool, error) {
	params := map[string]bool{"": true, "__VA_ARGS__": true}
	for p := range strings.SplitSeq(parameters, ",") {
		params[strings.TrimSpace(p)] = true
	}
	pattern, literal := "^", false
	for part := range strings.SplitSeq(joined, "##") {
		if part = strings.TrimSpace(part); params[part] {
			pattern += `\w*`
		} else {
			pattern, literal = pattern+regexp.QuoteMeta(part), true
		}
	}
	made, err := regexp.Compile(pattern + "$")
	if err != nil {
		return false, fmt.Errorf("read the pasted tokens %q: %w", joined, err)
	}
	if literal || !made.MatchString(name) {
		return literal && made.MatchString(name), nil
	}
	return m.hasParts(name)
}

// hasParts reports whether the index has two words that make a name together.
func (m *mentions) hasParts(name string) (bool, error) {
	if known, ok := m.parts[name]; ok {
		return known, nil
	}
	if m.parts == nil {
		m.parts = map[string]bool{}
	}
	m.parts[name] = false
	for i := 1; i < len(name); i++ {
		both := true
		for _, part := range []string{name[:i], name[i:]} {
			terms := analysis.AppendTokens(nil, part)
			if len(terms) == 0 {
				continue
			}
			in, err := m.filesWith(terms[0])
			if err != nil {
				return false, err
			}
			both = both && len(in) > 0
		}
		if both {
			m.parts[name] = true
			return true, nil
		}
	}
	return false, nil
}
