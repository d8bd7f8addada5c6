package extract

import (
	"strings"

	"agenvantage"
)

// references gives every reference its line and its innermost enclosing symbol, in one sweep over both sorted lists.
// A mention of a type on the very name of a definition is not a reference.
func (s *source) references(o *outline, symbolOf []int) {
	defs := s.found.defs
	next := 0
	var stack []int // indexes of defs
	line := 1
	for _, r := range s.found.refs {
		for next < len(defs) && defs[next].start <= r.start {
			for len(stack) > 0 && defs[stack[len(stack)-1]].end <= defs[next].start {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, next)
			next++
		}
		for len(stack) > 0 && defs[stack[len(stack)-1]].end <= r.start {
			stack = stack[:len(stack)-1]
		}
		from, isName := -1, false
		for i := len(stack) - 1; i >= 0 && from < 0; i-- {
			d := &defs[stack[i]]
			if isName = d.name[0] == r.start; isName {
				break
			}
			if d.end >= r.end {
				from = symbolOf[stack[i]]
			}
		}
		if isName {
			continue
		}
		if r.kind == agenvantage.RefImport {
			if text := s.text[r.start:r.end]; strings.HasPrefix(text, "import ") { // a whole statement (Scala)
				r.start += len("import ")
			}
		}
		if r.kind == agenvantage.RefImport && r.end-r.start < 1<<12 && strings.IndexByte(s.text[r.start:r.end], '{') > 0 {
			for _, name := range expandBraces(s.text[r.start:r.end], 0) {
				o.addReference(agenvantage.Reference{Kind: r.kind, Name: clip(name, maxNameBytes), Line: s.lines.line(r.start), From: from})
			}
			continue
		}
		name := referenceName(r.kind, s.text[r.start:r.end])
		if name == "" {
			continue
		}
		for line < s.lines.count() && s.lines.start[line] <= r.start {
			line++
		}
		o.addReference(agenvantage.Reference{Kind: r.kind, Name: name, Line: line, From: from})
	}
}

// addReference appends r unless its line already has it; a mention adds nothing to a more telling use of the same name.
func (o *outline) addReference(r agenvantage.Reference) {
	for i := len(o.refs) - 1; i >= 0 && o.refs[i].Line == r.Line && len(o.refs)-i <= 16; i-- {
		p := &o.refs[i]
		if p.Name != r.Name || p.From != r.From {
			continue
		}
		if p.Kind == r.Kind || r.Kind == agenvantage.RefType {
			return
		}
		if p.Kind == agenvantage.RefType {
			p.Kind = r.Kind
			return
		}
	}
	o.refs = append(o.refs, r)
}

// referenceName cleans the text of a reference: quotes are stripped; of an expression that is no plain qualified name
// ("f(x).Close", "rows[i].get") the last plain part stays.
func referenceName(kind agenvantage.ReferenceKind, s string) string {
	s = strings.TrimSpace(s)
	if kind == agenvantage.RefImport {
		s, _, _ = strings.Cut(s, "\n")
		return clip(strings.Trim(strings.TrimSpace(s), "\"'`<>;"), maxNameBytes)
	}
	if strings.IndexByte(s, '<') > 0 && strings.IndexByte(s, '(') < 0 {
		s = strings.TrimSpace(stripAngles(s))
	}
	s = strings.ReplaceAll(s, "->", ".")
	if i := strings.LastIndexAny(s, "()[]{}\n \t\"'`"); i >= 0 {
		s = s[i+1:]
	}
	s = strings.TrimLeft(s, "?.:!-&*>")
	return clip(strings.ToValidUTF8(s, ""), maxNameBytes)
}

// expandBraces spells out the names of a nested import: "std::{io, fmt::{self, Write}}".
func expandBraces(s string, depth int) []string {
	s = strings.TrimSpace(s)
	open := strings.IndexByte(s, '{')
	if open < 0 || !strings.HasSuffix(s, "}") || depth > 8 {
		name, _, _ := strings.Cut(s, " as ")
		name, _, _ = strings.Cut(name, "=>")
		return []string{strings.TrimSuffix(strings.Join(strings.Fields(name), ""), "::self")}
	}
	var out []string
	inner, from, level := s[open+1:len(s)-1], 0, 0
	for i := 0; i <= len(inner); i++ {
		switch {
		case i == len(inner) || inner[i] == ',' && level == 0:
			if part := strings.TrimSpace(inner[from:i]); part != "" && len(out) < 200 {
				out = append(out, expandBraces(s[:open]+part, depth+1)...)
			}
			from = i + 1
		case inner[i] == '{':
			level++
		case inner[i] == '}':
			level--
		}
	}
	return out
}
