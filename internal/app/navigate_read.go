package app

import (
	"strings"

	"agenvantage"
)

// read makes an item of each line of the subject and those around it.
func (n *navigator) read(s spot) ([]NavigationItem, error) {
	lines, err := n.linesOf(s.file)
	if err != nil {
		return nil, err
	}
	spans := []agenvantage.Span{{StartLine: 1, EndLine: len(lines)}}
	if s.lines {
		spans = []agenvantage.Span{s.span}
	} else if len(s.symbols) > 0 {
		x, err := n.corpus.Facts(s.file)
		if err != nil {
			return nil, err
		}
		spans = spans[:0]
		for _, i := range s.symbols {
			spans = append(spans, x.Symbols[i].Span)
		}
	}
	var items []NavigationItem
	last := 0
	for _, span := range spans {
		for line := max(last+1, span.StartLine-n.request.Around); line <= min(len(lines), span.EndLine+n.request.Around); line++ {
			items = append(items, NavigationItem{Path: n.corpus.Path(s.file), StartLine: line, EndLine: line, Kind: kindLine, Text: lines[line-1], node: agenvantage.Node{File: s.file, Symbol: -1}})
			last = line
		}
	}
	return items, nil
}

// joinLines makes items of runs of lines.
func joinLines(items []NavigationItem) []NavigationItem {
	var out []NavigationItem
	for _, item := range items {
		if k := len(out) - 1; k >= 0 && out[k].EndLine+1 == item.StartLine {
			out[k].EndLine = item.EndLine
			out[k].Text += item.Text + "\n"
			continue
		}
		item.Kind = kindLines
		item.Text += "\n"
		out = append(out, item)
	}
	return out
}

// hydrate gives an item the text of its first line, and says whether the file has changed since.
func (n *navigator) hydrate(item *NavigationItem) error {
	lines, err := n.linesOf(item.node.File)
	if err != nil {
		return err
	}
	item.Stale = n.changed(item.node.File)
	if item.Kind == kindLine {
		return nil
	}
	if item.StartLine >= 1 && item.StartLine <= len(lines) {
		item.Text = shortLine(strings.TrimRight(lines[item.StartLine-1], " \t\r"))
	}
	return nil
}

// maxItemText bounds the text of a line, in bytes: a minified file has lines of megabytes.
const maxItemText = 400

func shortLine(s string) string {
	if len(s) <= maxItemText {
		return s
	}
	return strings.ToValidUTF8(s[:maxItemText], "") + "…"
}
