package extract

import (
	"context"
	"errors"
	"regexp"
	"sort"
	"strings"

	"agenvantage"
)

// scriptTag is an opening script tag with its attributes; a ">" inside quotes does not end it.
var scriptTag = regexp.MustCompile(`(?i)<script((?:\s+|/)(?:"[^"]*"|'[^']*'|[^"'>])*)?>`)

// scriptLang is the attribute that names the language.
var scriptLang = regexp.MustCompile(`(?i)\s(lang|type)\s*=\s*["']?([A-Za-z0-9/+.-]+)`)

// maxScripts bounds the script parts of one file.
const maxScripts = 64

// script is one embedded part; text [start, end) lies between the tags.
type script struct {
	start, end int
	lang       string
	span       agenvantage.Span // lines of the tags and all between
}

// scripts finds the script parts of an HTML-like text in order.
func scripts(lines *lineTable) []script {
	var out []script
	text := lines.text
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // lower-casing changed the length of some letter: offsets would lie
		lower = text
	}
	for at := 0; at < len(text) && len(out) < maxScripts; {
		m := scriptTag.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		s := script{start: at + m[1], lang: "javascript"}
		if m[2] >= 0 {
			if attribute := scriptLang.FindStringSubmatch(text[at+m[2] : at+m[3]]); attribute != nil {
				s.lang = scriptLanguage(attribute[2])
			}
		}
		length := strings.Index(lower[s.start:], "</script")
		if length < 0 {
			length = len(text) - s.start
		}
		s.end = s.start + length
		s.span = agenvantage.Span{StartLine: lines.line(at + m[0]), EndLine: lines.line(min(s.end, len(text)-1))}
		if s.lang != "" && strings.TrimSpace(text[s.start:s.end]) != "" {
			out = append(out, s)
		}
		at = s.end
	}
	return out
}

// scriptLanguage is the grammar for a lang or type attribute, "" for data and templates.
func scriptLanguage(value string) string {
	switch strings.ToLower(value) {
	case "ts", "typescript", "text/typescript":
		return "typescript"
	case "tsx":
		return "tsx"
	case "js", "jsx", "javascript", "module", "text/javascript", "application/javascript", "text/babel", "text/jsx":
		return "javascript"
	}
	return ""
}

// blankOutside is text with every byte outside of [start, end) turned into a blank, line breaks kept: positions in the
// rest stay those of the file.
func blankOutside(text string, start, end int) string {
	b := make([]byte, len(text))
	for i := range b {
		switch {
		case i >= start && i < end, text[i] == '\n':
			b[i] = text[i]
		default:
			b[i] = ' '
		}
	}
	return string(b)
}

// withScripts extracts an HTML-like text: its scripts with their own grammars at their own lines, the rest by the
// grammar of the file, if it has one, and as text.
func (e *Extractor) withScripts(ctx context.Context, in Input, lines *lineTable) (agenvantage.Extraction, error) {
	out := agenvantage.Extraction{State: agenvantage.ParseFull}
	whole, err := e.outlineOf(ctx, in.Lang, lines)
	if err != nil {
		return out, err
	}
	if whole.outline == nil {
		whole.outline = &outline{}
		if in.Lang != "vue" {
			out.State = whole.state
		}
	} else {
		out.State = whole.state
	}
	found := scripts(lines)
	merged := &outline{}
	var chunks []agenvantage.Chunk
	at := 1
	for _, s := range found {
		if s.span.StartLine < at { // a second script on the line of the first: its text stays with that one
			continue
		}
		chunks = append(chunks, e.textChunks(lines, agenvantage.Span{StartLine: at, EndLine: s.span.StartLine - 1})...)
		inner := newLineTable(blankOutside(lines.text, s.start, s.end))
		part := e.parsed(ctx, s.lang, inner)
		if part.outline != nil {
			if part.state == agenvantage.ParsePartial && out.State != agenvantage.ParseTimeout {
				out.State = agenvantage.ParsePartial
			}
			part.outline.lang = s.lang
			chunks = append(chunks, shift(e.chunksWithin(lines, part.outline, s.span), len(merged.symbols))...)
			merged.append(part.outline)
		} else {
			chunks = append(chunks, e.textChunks(lines, s.span)...)
			if errors.Is(part.err, errTimeout) {
				out.State = agenvantage.ParseTimeout
			}
		}
		part.close()
		if err := ctx.Err(); err != nil {
			return out, err
		}
		at = s.span.EndLine + 1
	}
	chunks = append(chunks, e.textChunks(lines, agenvantage.Span{StartLine: at, EndLine: lines.count()})...)
	if len(found) == 0 && len(whole.outline.symbols) == 0 && in.Lang == "vue" {
		out.State = agenvantage.ParseText
	}
	whole.outline.dropWithin(found)
	merged.append(whole.outline)
	out.Chunks = merged.finish(chunks)
	merged.give(&out)
	return out, nil
}

// outlineOf parses the whole text by the grammar of lang, if there is one, and lets go of the tree.
func (e *Extractor) outlineOf(ctx context.Context, lang string, lines *lineTable) (*parsed, error) {
	p := e.parsed(ctx, lang, lines)
	p.close()
	if p.outline != nil {
		for i := range p.outline.nodes {
			p.outline.nodes[i] = nil
		}
		p.outline.root = nil
	}
	if p.state == "" {
		p.state = agenvantage.ParseText
		switch {
		case errors.Is(p.err, errTimeout):
			p.state = agenvantage.ParseTimeout
		case errors.Is(p.err, errTooDeep):
			p.state = agenvantage.ParseTooDeep
		}
	}
	return p, ctx.Err()
}

// dropWithin removes symbols and references whose lines lie in a script.
func (o *outline) dropWithin(found []script) {
	inside := func(line int) bool {
		for _, s := range found {
			if line > s.span.StartLine && line < s.span.EndLine {
				return true
			}
		}
		return false
	}
	to := make([]int, len(o.symbols))
	kept := o.symbols[:0]
	for i, s := range o.symbols {
		if s.Parent >= 0 {
			s.Parent = to[s.Parent]
		}
		if inside(s.NameLine) {
			to[i] = s.Parent
			continue
		}
		to[i] = len(kept)
		kept = append(kept, s)
	}
	o.symbols, o.nodes = kept, o.nodes[:len(kept)]
	refs := o.refs[:0]
	for _, r := range o.refs {
		if inside(r.Line) {
			continue
		}
		if r.From >= 0 {
			r.From = to[r.From]
		}
		refs = append(refs, r)
	}
	o.refs = refs
	imports := o.imports[:0]
	for _, m := range o.imports {
		if inside(m.Line) {
			continue
		}
		if m.From >= 0 {
			m.From = to[m.From]
		}
		imports = append(imports, m)
	}
	o.imports = imports
	for i := range o.binds {
		if o.binds[i].Symbol >= 0 {
			o.binds[i].Symbol = to[o.binds[i].Symbol]
		}
	}
	o.refs, o.binds = pruneBindings(o.refs, o.binds)
}

// append adds the symbols and references of p behind those of o.
func (o *outline) append(p *outline) {
	base, numbers := len(o.symbols), len(o.binds)
	if o.pkg == "" {
		o.pkg = p.pkg
	}
	for _, s := range p.symbols {
		if s.Parent >= 0 {
			s.Parent += base
		}
		s.Lang = p.lang
		o.symbols, o.nodes = append(o.symbols, s), append(o.nodes, nil)
	}
	for _, r := range p.refs {
		if r.From >= 0 {
			r.From += base
		}
		if r.Binding > 0 {
			r.Binding += numbers
		}
		o.refs = append(o.refs, r)
	}
	for _, b := range p.binds {
		if b.Symbol >= 0 {
			b.Symbol += base
		}
		if b.Head > 0 {
			b.Head += numbers
		}
		o.binds = append(o.binds, b)
	}
	for _, m := range p.imports {
		if m.From >= 0 {
			m.From += base
		}
		o.imports = append(o.imports, m)
	}
}

// shift moves the symbol indexes of chunks by base.
func shift(chunks []agenvantage.Chunk, base int) []agenvantage.Chunk {
	for i := range chunks {
		if chunks[i].Owner >= 0 {
			chunks[i].Owner += base
		}
		for j := range chunks[i].Symbols {
			chunks[i].Symbols[j] += base
		}
	}
	return chunks
}

// finish brings merged symbols into the order of an extraction and the chunks with them.
func (o *outline) finish(chunks []agenvantage.Chunk) []agenvantage.Chunk {
	to := o.order()
	for i := range chunks {
		if chunks[i].Owner >= 0 {
			chunks[i].Owner = to[chunks[i].Owner]
		}
	}
	c := &chunker{outline: o}
	for i := range chunks {
		chunks[i].Symbols = nil
	}
	c.list(chunks)
	sort.SliceStable(o.refs, func(i, j int) bool { return o.refs[i].Line < o.refs[j].Line })
	sort.SliceStable(o.imports, func(i, j int) bool { return o.imports[i].Line < o.imports[j].Line })
	return chunks
}

// give moves what o found, all but chunks, into x.
func (o *outline) give(x *agenvantage.Extraction) {
	x.Package, x.Symbols, x.References, x.Imports, x.Bindings = o.pkg, o.symbols, o.refs, o.imports, o.binds
}
