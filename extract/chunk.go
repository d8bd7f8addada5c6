package extract

import (
	"sort"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

// How a file becomes chunks: its lines are cut into pieces at the borders of the outermost symbols. A piece that is
// larger than the budget is cut again: a symbol with members into its head and its members, anything else at the borders
// of syntax nodes (split.go), and where no tree helps at blank lines. Then neighbours are joined while they fit.

// piece is a run of lines on its way to a chunk.
type piece struct {
	span   agenvantage.Span
	chars  int
	symbol int // the symbol whose span this is, -1 for code between symbols or a part of one, or severalSymbols
	owner  int // the innermost symbol around it, -1 at the top level
	header bool
	fixed  bool // a chunk of its own: too large or too telling to be joined
}

// severalSymbols marks a piece of symbols that share lines.
const severalSymbols = -2

// chunker cuts one file.
type chunker struct {
	lines    *lineTable
	outline  *outline
	children [][]int // by symbol index + 1: the symbols directly inside, in order
	budget   int
	alone    int
	steps    int // syntax nodes still allowed to be looked at
	pieces   []piece
}

// maxSplitNodes bounds the syntax nodes that are looked at to cut one file.
const maxSplitNodes = 100_000

// maxSplitDepth bounds how deep members and statements are cut before lines are.
const maxSplitDepth = 48

// chunks cuts a file with an outline into chunks.
func (e *Extractor) chunks(lines *lineTable, o *outline) []agenvantage.Chunk {
	return e.chunksWithin(lines, o, agenvantage.Span{StartLine: 1, EndLine: lines.count()})
}

// chunksWithin cuts the lines of region; symbols outside of it are left alone.
func (e *Extractor) chunksWithin(lines *lineTable, o *outline, region agenvantage.Span) []agenvantage.Chunk {
	c := &chunker{lines: lines, outline: o, budget: e.options.MaxChunkChars, alone: e.options.AloneChars, steps: maxSplitNodes}
	if o.document {
		c.alone = min(c.alone, c.budget/7) // only a bare heading or a line of text is joined with its neighbour
	}
	c.children = make([][]int, len(o.symbols)+1)
	for i := range o.symbols {
		p := o.symbols[i].Parent
		c.children[p+1] = append(c.children[p+1], i)
	}
	c.cut(region, -1, o.root, 0)
	c.joinClosers()
	return c.join()
}

// cut divides region, whose innermost symbol is owner and whose narrowest known node is node, into pieces.
func (c *chunker) cut(region agenvantage.Span, owner int, node *sitter.Node, depth int) {
	at := region.StartLine
	first := true
	children := c.children[owner+1]
	for i := 0; i < len(children); {
		group := c.outline.symbols[children[i]].Span
		symbol := children[i]
		for i++; i < len(children); i++ { // symbols that share lines stay together
			s := c.outline.symbols[children[i]].Span
			if s.StartLine > group.EndLine {
				break
			}
			if s.EndLine > group.EndLine || s.StartLine < group.StartLine {
				group.StartLine, group.EndLine = min(group.StartLine, s.StartLine), max(group.EndLine, s.EndLine)
				symbol = severalSymbols
			}
		}
		group.StartLine, group.EndLine = max(group.StartLine, at), min(group.EndLine, region.EndLine)
		if group.EndLine < group.StartLine || owner >= 0 && group == c.outline.symbols[owner].Span {
			continue // outside of the region, or on the very lines of its owner, which it does not divide
		}
		c.between(agenvantage.Span{StartLine: at, EndLine: group.StartLine - 1}, owner, node, depth, first)
		first = false
		c.symbol(group, symbol, owner, node, depth)
		at = group.EndLine + 1
	}
	c.between(agenvantage.Span{StartLine: at, EndLine: region.EndLine}, owner, node, depth, first)
}

// symbol adds the lines of one symbol, or of several that share lines, whole if they fit.
func (c *chunker) symbol(span agenvantage.Span, symbol, owner int, node *sitter.Node, depth int) {
	span, ok := c.lines.trim(span)
	if !ok {
		return
	}
	chars := c.lines.size(span)
	whole := chars <= c.budget || span.Lines() == 1
	if whole && c.outline.document && symbol >= 0 && len(c.children[symbol+1]) > 0 && chars > c.alone {
		whole = false // a section with sections inside is cut at each heading
	}
	if whole {
		c.add(piece{span: span, chars: chars, symbol: symbol, owner: owner, fixed: chars >= c.alone && symbol >= 0 || chars > c.budget})
		return
	}
	if symbol < 0 {
		c.split(span, owner, node, depth+1)
		return
	}
	inner := c.outline.nodes[symbol]
	if len(c.children[symbol+1]) == 0 || depth >= maxSplitDepth {
		c.split(span, symbol, inner, depth+1)
		return
	}
	c.cut(span, symbol, inner, depth+1)
}

// between adds lines that belong to no symbol inside owner.
func (c *chunker) between(span agenvantage.Span, owner int, node *sitter.Node, depth int, first bool) {
	span, ok := c.lines.trim(span)
	if !ok {
		return
	}
	from := len(c.pieces)
	if chars := c.lines.size(span); chars <= c.budget {
		c.add(piece{span: span, chars: chars, symbol: -1, owner: owner})
	} else {
		c.split(span, owner, node, depth+1)
	}
	if first && owner < 0 && !c.outline.document && c.isHeader(span) {
		for i := from; i < len(c.pieces); i++ {
			c.pieces[i].header = true
		}
	}
}

// isHeader reports whether the lines before the first symbol hold imports or a package clause.
func (c *chunker) isHeader(span agenvantage.Span) bool {
	if len(c.outline.symbols) == 0 {
		return false
	}
	for _, r := range c.outline.refs {
		if r.Line > span.EndLine {
			break
		}
		if r.Kind == agenvantage.RefImport && span.HasLine(r.Line) {
			return true
		}
	}
	for line := span.StartLine; line <= span.EndLine; line++ {
		word, _, _ := strings.Cut(strings.TrimSpace(c.lines.at(line)), " ")
		switch strings.TrimRight(word, ";") {
		case "package", "module", "namespace", "syntax", "#include", "#pragma", "#ifndef", "import", "use", "using", "require", "<?php", "defmodule":
			return true
		}
	}
	return false
}

func (c *chunker) add(p piece) { c.pieces = append(c.pieces, p) }

// joinClosers gives every piece that only closes brackets or blocks to the piece before it.
func (c *chunker) joinClosers() {
	out := c.pieces[:0]
	for _, p := range c.pieces {
		if n := len(out); n > 0 && p.symbol < 0 && c.onlyCloses(p.span) {
			out[n-1].span.EndLine = p.span.EndLine
			out[n-1].chars += p.chars
			continue
		}
		out = append(out, p)
	}
	c.pieces = out
}

// onlyCloses reports whether the lines hold nothing but closing marks.
func (c *chunker) onlyCloses(s agenvantage.Span) bool {
	if s.Lines() > 8 {
		return false
	}
	for line := s.StartLine; line <= s.EndLine; line++ {
		switch t := strings.Trim(c.lines.at(line), " \t\r})];,>"); t {
		case "", "end", "fi", "done", "esac", "#endif", "</script", "</template", "*/", "\"\"\"":
		default:
			return false
		}
	}
	return true
}

// join merges neighbours up to the budget and turns pieces into chunks.
func (c *chunker) join() []agenvantage.Chunk {
	var out []agenvantage.Chunk
	for i := 0; i < len(c.pieces); {
		j := i + 1
		chars := c.pieces[i].chars
		for j < len(c.pieces) && c.joinable(&c.pieces[j-1], &c.pieces[j]) && chars+c.pieces[j].chars <= c.budget {
			chars += c.pieces[j].chars
			j++
		}
		out = append(out, c.chunk(c.pieces[i:j]))
		i = j
	}
	c.list(out)
	return out
}

// joinable reports whether b may stand in the chunk that ends with a.
func (c *chunker) joinable(a, b *piece) bool {
	return !a.fixed && !b.fixed && a.header == b.header && (a.owner == b.owner || a.owner < 0 && b.owner < 0)
}

// chunk makes one chunk of neighbouring pieces.
func (c *chunker) chunk(ps []piece) agenvantage.Chunk {
	out := agenvantage.Chunk{Span: agenvantage.Span{StartLine: ps[0].span.StartLine, EndLine: ps[len(ps)-1].span.EndLine}, Owner: -1, Lang: c.outline.lang}
	symbols, loose, symbol := 0, 0, -1
	for _, p := range ps {
		switch {
		case p.symbol >= 0:
			symbols, symbol = symbols+1, p.symbol
		case p.symbol == severalSymbols:
			symbols += 2
		default:
			loose++
		}
	}
	owner := ps[0].owner
	switch {
	case symbols == 1 && loose == 0:
		out.Kind, out.Owner = c.outline.symbols[symbol].Kind, symbol
	case symbols > 0 && (loose == 0 || owner < 0):
		out.Kind = agenvantage.ChunkGroup
	case ps[0].header:
		out.Kind = agenvantage.ChunkHeader
	case owner < 0 && (c.outline.document || c.outline.plain):
		out.Kind = agenvantage.ChunkText
	default:
		out.Kind, out.Owner = agenvantage.ChunkBlock, c.innermost(owner, out.Span)
	}
	return out
}

// innermost is owner or the first symbol around it that holds all of span.
func (c *chunker) innermost(owner int, span agenvantage.Span) int {
	for owner >= 0 && !c.outline.symbols[owner].Span.Contains(span) {
		owner = c.outline.symbols[owner].Parent
	}
	return owner
}

// list fills in the symbols whose name lies in each chunk.
func (c *chunker) list(chunks []agenvantage.Chunk) {
	symbols := c.outline.symbols
	byName := make([]int, len(symbols))
	for i := range byName {
		byName[i] = i
	}
	sort.SliceStable(byName, func(i, j int) bool { return symbols[byName[i]].NameLine < symbols[byName[j]].NameLine })
	next := 0
	for i := range chunks {
		for next < len(byName) && symbols[byName[next]].NameLine < chunks[i].Span.StartLine {
			next++
		}
		for ; next < len(byName) && symbols[byName[next]].NameLine <= chunks[i].Span.EndLine; next++ {
			chunks[i].Symbols = append(chunks[i].Symbols, byName[next])
		}
	}
}
