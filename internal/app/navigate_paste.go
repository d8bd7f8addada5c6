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

// joinedTokens are tokens that macros join, and the names that these may make: what is no parameter of the macro stands as it
// is, and a parameter for one or more letters.
type joinedTokens struct {
	makes   *regexp.Regexp
	literal bool        // one of them is no parameter
	places  []openPlace // where the like of them are joined
}

// pasted counts the macros of C whose joined tokens may make a name. Where everything is a parameter the index must have the
// parts.
func (m *mentions) pasted(name string) error {
	if m.joined == nil {
		if err := m.readJoined(); err != nil {
			return err
		}
	}
	for _, j := range m.joined {
		ok := j.makes.MatchString(name)
		if ok && !j.literal {
			var err error
			if ok, err = m.hasParts(name); err != nil {
				return err
			}
		}
		if !ok {
			continue
		}
		for _, p := range j.places {
			m.countAt(reasonComputed, p.file, p.line)
		}
	}
	return nil
}

// readJoined finds the tokens that the macros of all files join.
func (m *mentions) readJoined() error {
	files, err := m.filesWith("define")
	if err != nil {
		return err
	}
	joined, at := []joinedTokens{}, map[string]int{} // pattern -> index in joined
	for _, f := range files {
		if !isC(m.corpus.Lang(f)) {
			continue
		}
		text, err := m.corpus.Text(f)
		if err != nil {
			return err
		}
		if !strings.Contains(text, "##") {
			continue
		}
		lines := lineCounter{text: text}
		for _, d := range paste.FindAllStringSubmatchIndex(text, -1) {
			for _, tokens := range pastedParts.FindAllString(groupOf(text, d, 2), -1) {
				pattern, literal := patternOf(tokens, groupOf(text, d, 1))
				i, known := at[pattern]
				if !known {
					makes, err := regexp.Compile(pattern)
					if err != nil {
						return fmt.Errorf("read the pasted tokens %q: %w", tokens, err)
					}
					i = len(joined)
					at[pattern], joined = i, append(joined, joinedTokens{makes: makes, literal: literal})
				}
				joined[i].places = append(joined[i].places, openPlace{file: f, line: lines.line(d[0])})
			}
		}
	}
	m.joined = joined
	return nil
}

// patternOf is the pattern of the names that joined tokens may make, and whether one of the tokens is no parameter.
func patternOf(joined, parameters string) (pattern string, literal bool) {
	params := map[string]bool{"": true, "__VA_ARGS__": true}
	for p := range strings.SplitSeq(parameters, ",") {
		params[strings.TrimSpace(p)] = true
	}
	pattern = "^"
	for part := range strings.SplitSeq(joined, "##") {
		if part = strings.TrimSpace(part); params[part] {
			pattern += `\w*`
		} else {
			pattern, literal = pattern+regexp.QuoteMeta(part), true
		}
	}
	return pattern + "$", literal
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
