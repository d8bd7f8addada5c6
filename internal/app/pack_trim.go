package app

import (
	"strings"

	"agenvantage"
)

// Long comments and doc strings are shown by their first lines: an agent that changes code reads the code.
const (
	longComment = 8 // lines from which a comment is long
	keptComment = 3 // lines of it that stay
)

// withoutLongComments divides lines of a file into the ranges that stay when the ends of its long comments are left out. Of a comment that
// is cut by the ends of the span, what lies inside counts. Lines that are kept, in their order, stay with keptComment lines on both sides.
func withoutLongComments(span agenvantage.Span, comments, kept []agenvantage.Span) []agenvantage.Span {
	var spans []agenvantage.Span
	start := span.StartLine
	for _, c := range comments {
		c.StartLine, c.EndLine = max(c.StartLine, span.StartLine), min(c.EndLine, span.EndLine)
		if c.Lines() < longComment {
			continue
		}
		for _, cut := range cutsOf(c, kept) {
			spans = append(spans, agenvantage.Span{StartLine: start, EndLine: cut.StartLine - 1})
			start = cut.EndLine + 1
		}
	}
	if start <= span.EndLine {
		spans = append(spans, agenvantage.Span{StartLine: start, EndLine: span.EndLine})
	}
	return spans
}

// cutsOf are the lines of a long comment that are left out.
func cutsOf(comment agenvantage.Span, kept []agenvantage.Span) (cuts []agenvantage.Span) {
	next := comment.StartLine + keptComment
	for _, k := range kept {
		from, to := k.StartLine-keptComment, k.EndLine+keptComment
		if to < next || from > comment.EndLine {
			continue
		}
		if from > next {
			cuts = append(cuts, agenvantage.Span{StartLine: next, EndLine: from - 1})
		}
		next = to + 1
	}
	if next <= comment.EndLine {
		cuts = append(cuts, agenvantage.Span{StartLine: next, EndLine: comment.EndLine})
	}
	return cuts
}

// codeShare is the share of code among the bytes of lines of which the first is numbered from, without spaces; 1 where there are none.
func codeShare(lines []string, from int, comments []agenvantage.Span) float64 {
	code, all := 0, 0
	for i, line := range lines {
		for len(comments) > 0 && comments[0].EndLine < from+i {
			comments = comments[1:]
		}
		size := len(strings.TrimSpace(line))
		if all += size; len(comments) == 0 || from+i < comments[0].StartLine {
			code += size
		}
	}
	if all == 0 {
		return 1
	}
	return float64(code) / float64(all)
}

// commentsIn are the comments of a file as commentsOf finds them; they are looked for once.
func (p *packer) commentsIn(file uint32) ([]agenvantage.Span, error) {
	if found, ok := p.comments[file]; ok {
		return found, nil
	}
	lines, err := p.linesOf(file)
	if err != nil {
		return nil, err
	}
	if p.comments == nil {
		p.comments = map[uint32][]agenvantage.Span{}
	}
	p.comments[file] = commentsOf(p.corpus.File(file).Lang, strings.Join(lines, "\n"))
	return p.comments[file], nil
}

// trimmed is what stays of lines of a file without the ends of long comments, with its estimated tokens.
func (p *packer) trimmed(file uint32, span agenvantage.Span) (pieces []agenvantage.Span, tokens int, err error) {
	pieces = []agenvantage.Span{span}
	if span.Lines() >= longComment {
		comments, err := p.commentsIn(file)
		if err != nil {
			return nil, 0, err
		}
		pieces = withoutLongComments(span, comments, p.kept[file])
	}
	for _, piece := range pieces {
		text, _, err := p.textOf(file, piece)
		if err != nil {
			return nil, 0, err
		}
		tokens += estimate(text)
	}
	return pieces, tokens, nil
}
