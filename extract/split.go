package extract

import (
	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

// split cuts lines that are too many for one chunk: at the borders of the children of the narrowest syntax node around
// them, again inside children that are still too large, and at blank lines where no node helps.
func (c *chunker) split(span agenvantage.Span, owner int, node *sitter.Node, depth int) {
	if span.Lines() <= 1 {
		c.add(piece{span: span, chars: c.lines.size(span), symbol: -1, owner: owner, fixed: true})
		return
	}
	var parts []part
	if node != nil && depth < maxSplitDepth {
		parts = c.parts(span, node)
	}
	if len(parts) < 2 {
		c.splitLines(span, owner)
		return
	}
	for _, p := range parts {
		trimmed, ok := c.lines.trim(p.span)
		if !ok {
			continue
		}
		if chars := c.lines.size(trimmed); chars <= c.budget {
			c.add(piece{span: trimmed, chars: chars, symbol: -1, owner: owner})
		} else {
			c.split(trimmed, owner, p.node, depth+1)
		}
	}
}

// part is a run of lines that begins with a syntax node; node is the largest one in it.
type part struct {
	span  agenvantage.Span
	node  *sitter.Node
	bytes int
}

// parts cuts span before each child that begins a line, in the narrowest node below root whose children do so. A comment
// stays with what follows it. Fewer than two parts mean that there is no such node.
func (c *chunker) parts(span agenvantage.Span, root *sitter.Node) []part {
	from, to := c.lines.start[span.StartLine-1], c.lines.start[span.EndLine]
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	for level := 0; level < 4*maxSplitDepth; level++ {
		if cursor.GoToFirstChildForByte(uint32(from)) < 0 {
			return nil
		}
		parts, widest := c.level(cursor, span, from, to)
		if len(parts) >= 2 {
			return parts
		}
		if widest == nil {
			return nil
		}
		cursor.Reset(widest)
	}
	return nil
}

// level reads the children at the cursor that lie in bytes [from, to) and returns the parts that they make and the
// widest of them.
func (c *chunker) level(cursor *sitter.TreeCursor, span agenvantage.Span, from, to int) (parts []part, widest *sitter.Node) {
	parts = []part{{span: agenvantage.Span{StartLine: span.StartLine}}}
	most := 0
	glued := false // the child before is a comment that belongs to the next one
	for ok := true; ok && c.steps > 0; ok = cursor.GoToNextSibling() {
		c.steps--
		n := cursor.CurrentNode()
		start, end := int(n.StartByte()), int(n.EndByte())
		if end <= from {
			continue
		}
		if start >= to {
			break
		}
		inside := min(end, to) - max(start, from)
		if inside > most {
			most, widest = inside, n
		}
		if line := c.lines.line(start); start >= from && line > span.StartLine && n.IsNamed() && c.lines.startsLine(start) {
			if !glued {
				parts[len(parts)-1].span.EndLine = line - 1
				parts = append(parts, part{span: agenvantage.Span{StartLine: line}})
			}
			glued = n.IsExtra() && !c.lines.blankAfter(max(start, end-1))
		} else if n.IsNamed() {
			glued = false
		}
		if last := &parts[len(parts)-1]; inside > last.bytes {
			last.bytes, last.node = inside, n
		}
	}
	parts[len(parts)-1].span.EndLine = span.EndLine
	return parts, widest
}

// blankAfter reports whether the line below the one of byte b is blank or missing.
func (t *lineTable) blankAfter(b int) bool {
	line := t.line(b) + 1
	return line > t.count() || t.blank(line)
}

// splitLines cuts at blank lines; a paragraph that is too large is cut after the last line that fits, and a line that is
// too large on its own is a piece.
func (c *chunker) splitLines(span agenvantage.Span, owner int) {
	emit := func(s agenvantage.Span) {
		if s, ok := c.lines.trim(s); ok {
			chars := c.lines.size(s)
			c.add(piece{span: s, chars: chars, symbol: -1, owner: owner, fixed: chars > c.budget})
		}
	}
	current := agenvantage.Span{StartLine: span.StartLine, EndLine: span.StartLine - 1}
	for line := span.StartLine; line <= span.EndLine; line++ {
		one := c.lines.size(agenvantage.Span{StartLine: line, EndLine: line})
		if one == 0 || c.lines.size(current)+one > c.budget {
			emit(current)
			current = agenvantage.Span{StartLine: line, EndLine: line - 1}
		}
		current.EndLine = line
	}
	emit(current)
}

// textChunks cuts lines of which nothing is known.
func (e *Extractor) textChunks(lines *lineTable, region agenvantage.Span) []agenvantage.Chunk {
	return e.chunksWithin(lines, &outline{plain: true}, region)
}
