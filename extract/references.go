package extract

import (
	"sort"
	"strings"

	"agenvantage"
	"agenvantage/internal/clip"
)

// maxReferenceText bounds what is read of one reference, from its end: a chain of calls that fills a file holds a
// reference for each of them, each as long as all before it.
const maxReferenceText = 4096

// references gives every reference its line and its innermost enclosing symbol, in one sweep over both sorted lists.
// A mention of a type on the very name of a definition is not a reference.
func (s *source) references(o *outline, symbolOf []int, locals *locals) {
	defs := s.found.defs
	next := 0
	var stack []int // indexes of defs
	line := 1
	mentioned := map[mention]bool{}
	for i, r := range s.found.refs {
		if s.partOfNext(i) || s.rules.flatMembers && r.use && r.start > 1 && s.text[r.start-1] == '.' && s.text[r.start-2] != '.' {
			continue
		}
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
		if s.importReferences(o, r, from) {
			continue
		}
		ref := s.referenceOf(r, from, locals)
		if ref.Name == "" {
			continue
		}
		if r.use {
			m := mention{ref.Name, ref.On, from, ref.Binding}
			if ref.Binding > 0 && ref.On == "" && firstWord(ref.Name) == ref.Name || mentioned[m] {
				continue
			}
			mentioned[m] = true
		}
		for line < s.lines.count() && s.lines.start[line] <= r.start {
			line++
		}
		ref.Line = line
		if chain := s.text[r.start:r.end]; r.kind != agenvantage.RefImport && strings.Contains(chain, "\n") { // the line of the name
			if i := strings.LastIndex(chain, ref.Name); i >= 0 {
				ref.Line = s.lines.line(r.start + i)
			}
		}
		o.addReference(ref)
	}
	sort.SliceStable(o.refs, func(i, j int) bool { return o.refs[i].Line < o.refs[j].Line })
}

// importReferences adds the parts of an import that names several, and reports whether it is one.
func (s *source) importReferences(o *outline, r reference, from int) bool {
	if r.kind != agenvantage.RefImport || r.end-r.start >= 1<<12 || strings.IndexByte(s.text[r.start:r.end], '{') <= 0 {
		return false
	}
	for _, name := range expandBraces(strings.TrimPrefix(s.text[r.start:r.end], "import "), 0) {
		name, _, _ = strings.Cut(name, " as ")
		name, _, _ = strings.Cut(name, "=>")
		name = strings.TrimSuffix(strings.Join(strings.Fields(name), ""), "::self")
		o.addReference(agenvantage.Reference{Kind: r.kind, Name: clip.Bytes(name, maxNameBytes), Line: s.lines.line(r.start), From: from})
	}
	return true
}

// referenceOf is one reference without its line; its name is "" when the text has none.
func (s *source) referenceOf(r reference, from int, locals *locals) agenvantage.Reference {
	text := s.text[r.start:r.end]
	if r.kind == agenvantage.RefImport {
		text = strings.TrimPrefix(text, "import ") // a whole statement (Scala)
		return agenvantage.Reference{Kind: r.kind, Name: referenceName(r.kind, text), From: from}
	}
	if len(text) > maxReferenceText {
		text = text[len(text)-maxReferenceText:]
	}
	ref := agenvantage.Reference{Kind: r.kind, Name: referenceName(r.kind, text), From: from}
	if ref.Name == "" {
		return ref
	}
	if ref.On = onWhat(text, ref.Name); ref.On != "" && len(text) == maxReferenceText {
		ref.On = unknownPath
	}
	word := firstWord(ref.Name)
	if ref.On != "" {
		word = firstWord(ref.On)
	}
	ref.Binding = locals.number(word, r.start)
	return ref
}

// addReference appends r unless its line already has it; a mention adds nothing to a more telling use of the same name.
func (o *outline) addReference(r agenvantage.Reference) {
	for i := len(o.refs) - 1; i >= 0 && o.refs[i].Line == r.Line && len(o.refs)-i <= 16; i-- {
		p := &o.refs[i]
		if p.Name != r.Name || p.On != r.On || p.From != r.From || p.Binding != r.Binding {
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
		return clip.Bytes(strings.Trim(strings.TrimSpace(s), "\"'`<>;"), maxNameBytes)
	}
	if strings.IndexByte(s, '<') > 0 && strings.IndexByte(s, '(') < 0 {
		s = strings.TrimSpace(stripAngles(s))
	}
	if i := strings.IndexByte(s, '<'); i > 0 && kind != agenvantage.RefCall && strings.HasSuffix(s, ">") {
		s = strings.TrimSpace(s[:i]) // a type whose arguments hold the type of a function
	}
	s = strings.ReplaceAll(s, "->", ".")
	if i := strings.LastIndexAny(s, "()[]{}\n \t\"'`"); i >= 0 {
		s = s[i+1:]
	}
	s = strings.TrimLeft(s, "?.:!-&*>")
	return clip.Bytes(strings.ToValidUTF8(s, ""), maxNameBytes)
}

// partOfNext reports whether a mention is a part of another reference that begins at the same byte: a.b of a.b.c.
func (s *source) partOfNext(i int) bool {
	r := &s.found.refs[i]
	if r.kind == agenvantage.RefType && s.endsLonger(i) {
		return true
	}
	if !r.use {
		return false
	}
	for k := i - 1; k >= max(0, i-64) && s.found.refs[k].start == r.start; k-- {
		if o := &s.found.refs[k]; o.end >= r.end && (o.end > r.end || !o.use) {
			return true
		}
	}
	for k := i + 1; k < min(len(s.found.refs), i+64) && s.found.refs[k].start == r.start; k++ {
		if s.found.refs[k].end >= r.end {
			return true
		}
	}
	return false
}

// onWhat is the path of what stands before a name that is a member of more than a plain name, "" when nothing does.
func onWhat(text, name string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, "([{\"'`\n"); i < 0 || i > strings.LastIndex(text, name) {
		return ""
	}
	before := strings.TrimSpace(text[:strings.LastIndex(text, name)])
	if rest, ok := strings.CutSuffix(before, ":"); ok && !strings.HasSuffix(rest, ":") { // a method of Lua
		before = rest + "."
	}
	for _, sep := range separators {
		if rest, ok := strings.CutSuffix(before, sep); ok {
			if path := reducePath(rest); path != "" {
				return path
			}
			return unknownPath
		}
	}
	return ""
}

// expandBraces spells out the parts of a nested import, aliases and all: "std::{io, fmt::{self, Write as W}}".
func expandBraces(s string, depth int) []string {
	s = strings.TrimSpace(s)
	open := strings.IndexByte(s, '{')
	if open < 0 || !strings.HasSuffix(s, "}") || depth > 8 {
		return []string{s}
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

// endsLonger reports whether a mention is the last part of a qualified mention: Sub of Types.Sub.
func (s *source) endsLonger(i int) bool {
	r := &s.found.refs[i]
	if r.start == 0 || s.text[r.start-1] != '.' && s.text[r.start-1] != ':' {
		return false
	}
	for k := i - 1; k >= 0 && i-k <= 8; k-- {
		if o := &s.found.refs[k]; o.start < r.start && o.end == r.end && o.kind != agenvantage.RefImport {
			return true
		}
	}
	return false
}
