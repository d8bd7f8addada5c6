package extract

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"sort"
	"strings"

	"agenvantage"
)

// A notebook is JSON. Its cells are read with the position of each string, so that a line of a cell knows the line of the
// file on which it stands: its own one in the usual layout, the line of the whole string otherwise. Outputs and
// attachments are no source; PrepareText takes them out of the text before it is stored.

// cell is one cell: its lines and, for each, the line of the file.
type cell struct {
	code  bool
	lines []string
	at    []int
}

// notebookFile is what is read from the JSON.
type notebookFile struct {
	language string
	cells    []cell
	dropped  []byteRange // values of "outputs" and "attachments", brackets left out
}

// maxCells bounds the cells of one notebook.
const maxCells = 5000

// readNotebook reads text; ok is false when it is no whole notebook.
func readNotebook(text string, lines *lineTable) (nb notebookFile, ok bool) {
	r := &notebookReader{decoder: json.NewDecoder(strings.NewReader(text)), lines: lines, text: text}
	nb.language = "python"
	r.object(func(key string) {
		switch key {
		case "cells":
			r.array(func() {
				if c, ok := r.cell(&nb); ok && len(nb.cells) < maxCells {
					nb.cells = append(nb.cells, c)
				}
			})
		case "worksheets":
			r.array(func() {
				r.object(func(key string) {
					if key != "cells" {
						r.skip()
						return
					}
					r.array(func() {
						if c, ok := r.cell(&nb); ok && len(nb.cells) < maxCells {
							nb.cells = append(nb.cells, c)
						}
					})
				})
			})
		case "metadata":
			r.object(func(key string) {
				if key != "kernelspec" && key != "language_info" {
					r.skip()
					return
				}
				r.object(func(inner string) {
					if s, isText := r.value(); isText && s != "" && (inner == "language" || inner == "name" && key == "language_info") {
						nb.language = kernelLanguage(s)
					}
				})
			})
		default:
			r.skip()
		}
	})
	return nb, !r.failed && nb.cells != nil
}

// kernelLanguage maps the name that a kernel gives its language to a language id.
func kernelLanguage(s string) string {
	switch s = strings.ToLower(s); s {
	case "ipython", "python2", "python3":
		return "python"
	case "c++", "c++11", "c++14", "c++17":
		return "cpp"
	case "ir":
		return "r"
	case "c#":
		return "csharp"
	case "f#":
		return "fsharp"
	}
	return s
}

// notebookReader walks the JSON token by token; after a failure every call returns at once.
type notebookReader struct {
	decoder *json.Decoder
	lines   *lineTable
	text    string
	failed  bool
}

func (r *notebookReader) token() json.Token {
	if r.failed {
		return nil
	}
	t, err := r.decoder.Token()
	if err != nil {
		r.failed = true
		return nil
	}
	return t
}

// object reads an object and lets field read each value; any other value is skipped.
func (r *notebookReader) object(field func(key string)) {
	t := r.token()
	if t != json.Delim('{') {
		r.rest(t)
		return
	}
	for !r.failed && r.decoder.More() {
		key, _ := r.token().(string)
		field(key)
	}
	r.token()
}

// array reads an array and lets element read each; any other value is skipped.
func (r *notebookReader) array(element func()) {
	t := r.token()
	if t != json.Delim('[') {
		r.rest(t)
		return
	}
	for !r.failed && r.decoder.More() {
		element()
	}
	r.token()
}

// value reads any value and says whether it is a text.
func (r *notebookReader) value() (string, bool) {
	t := r.token()
	s, isText := t.(string)
	r.rest(t)
	return s, isText
}

func (r *notebookReader) skip() { r.rest(r.token()) }

// rest reads what remains of the value that begins with t.
func (r *notebookReader) rest(t json.Token) {
	d, isDelim := t.(json.Delim)
	if !isDelim || d != '{' && d != '[' {
		return
	}
	for depth := 1; depth > 0 && !r.failed; {
		switch r.token() {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

func (r *notebookReader) cell(nb *notebookFile) (c cell, ok bool) {
	r.object(func(key string) {
		switch key {
		case "cell_type":
			s, _ := r.value()
			c.code = s == "code"
		case "source", "input":
			r.source(&c)
			ok = true
		case "outputs", "attachments":
			start := int(r.decoder.InputOffset())
			r.skip()
			if end := int(r.decoder.InputOffset()); !r.failed {
				nb.dropped = append(nb.dropped, byteRange{start, end})
			}
		default:
			r.skip()
		}
	})
	return c, ok
}

// source reads the lines of a cell: one string or an array of strings that end in line breaks.
func (r *notebookReader) source(c *cell) {
	open := false // the last line goes on
	add := func(s string) {
		at := r.lines.line(int(r.decoder.InputOffset()) - 1)
		for s != "" {
			line, rest, whole := strings.Cut(s, "\n")
			if open {
				c.lines[len(c.lines)-1] += line
			} else {
				c.lines, c.at = append(c.lines, line), append(c.at, at)
			}
			open, s = !whole, rest
		}
	}
	t := r.token()
	if s, isText := t.(string); isText {
		add(s)
		return
	}
	if t != json.Delim('[') {
		r.rest(t)
		return
	}
	for !r.failed && r.decoder.More() {
		t := r.token()
		if s, isText := t.(string); isText {
			add(s)
		}
		r.rest(t)
	}
	r.token()
}

// notebook extracts the cells in order, each with the grammar of its language.
func (e *Extractor) notebook(ctx context.Context, in Input, lines *lineTable) (agenvantage.Extraction, error) {
	nb, ok := readNotebook(in.Text, lines)
	if !ok {
		return e.asText(lines, agenvantage.ParseText), ctx.Err()
	}
	out := agenvantage.Extraction{State: agenvantage.ParseFull}
	merged := &outline{}
	var chunks []agenvantage.Chunk
	for _, c := range nb.cells {
		if err := ctx.Err(); err != nil {
			return agenvantage.Extraction{}, err
		}
		lang := "markdown"
		if c.code {
			lang = nb.language
		}
		text := newLineTable(c.text())
		p := e.parsed(ctx, lang, text)
		if errors.Is(p.err, errTimeout) {
			out.State = agenvantage.ParseTimeout
		}
		if p.outline == nil {
			if p.outline = patternOutline(lang, text); p.outline == nil {
				p.outline = &outline{plain: true}
			}
		} else if p.state == agenvantage.ParsePartial && out.State != agenvantage.ParseTimeout {
			out.State = agenvantage.ParsePartial
		}
		p.outline.lang = lang
		own := shift(e.chunks(text, p.outline), len(merged.symbols))
		p.close()
		for i := range own {
			own[i].Span = c.inFile(own[i].Span)
		}
		for i := range p.outline.symbols {
			s := &p.outline.symbols[i]
			s.Span, s.NameLine = c.inFile(s.Span), c.at[s.NameLine-1]
		}
		for i := range p.outline.refs {
			p.outline.refs[i].Line = c.at[p.outline.refs[i].Line-1]
		}
		for i := range p.outline.imports {
			p.outline.imports[i].Line = c.at[p.outline.imports[i].Line-1]
		}
		chunks = append(chunks, own...)
		merged.append(p.outline)
	}
	out.Chunks = merged.finish(apart(chunks))
	merged.give(&out)
	return out, nil
}

// text is the cell as source; lines that only the notebook understands (%magic, !command, ?help) are blank.
func (c *cell) text() string {
	var b strings.Builder
	for _, l := range c.lines {
		if t := strings.TrimLeft(l, " \t"); !c.code || t == "" || !strings.ContainsRune("%!?", rune(t[0])) {
			b.WriteString(l)
		} else {
			b.WriteString("#" + strings.ReplaceAll(t, "\r", " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inFile maps lines of the cell to lines of the file.
func (c *cell) inFile(s agenvantage.Span) agenvantage.Span {
	return agenvantage.Span{StartLine: c.at[s.StartLine-1], EndLine: c.at[s.EndLine-1]}
}

// apart orders chunks by line and joins those that share lines.
func apart(chunks []agenvantage.Chunk) []agenvantage.Chunk {
	sort.SliceStable(chunks, func(i, j int) bool { return chunks[i].Span.StartLine < chunks[j].Span.StartLine })
	out := chunks[:0]
	for _, c := range chunks {
		if n := len(out); n > 0 && out[n-1].Span.EndLine >= c.Span.StartLine {
			last := &out[n-1]
			last.Span.EndLine = max(last.Span.EndLine, c.Span.EndLine)
			last.Kind, last.Owner = agenvantage.ChunkGroup, -1
			if last.Lang != c.Lang {
				last.Lang = ""
			}
			continue
		}
		out = append(out, c)
	}
	return out
}

// encodedRun is a run that looks like an encoded binary; escapeCode is an escaped control character of a terminal.
var (
	encodedRun = regexp.MustCompile(`[A-Za-z0-9+/=]{200,}(?:\\n[A-Za-z0-9+/=]+)*`)
	escapeCode = regexp.MustCompile(`\\u00(?:1[bB]|9[bB])(?:\[[0-9;]*[A-Za-z])?|\x1b(?:\[[0-9;]*[A-Za-z])?`)
)

// PrepareText returns the text of a file as it should be stored, searched and extracted. For a notebook that is its JSON
// without outputs, attachments, encoded binaries and terminal escapes; for every other language text itself. Line
// numbers stay those of the file.
func PrepareText(path, lang, text string) string {
	if lang != "notebook" {
		return text
	}
	if nb, ok := readNotebook(text, newLineTable(text)); ok && len(nb.dropped) > 0 {
		var b strings.Builder
		at := 0
		for _, d := range nb.dropped {
			b.WriteString(text[at:d.start])
			b.WriteString(emptied(text[d.start:d.end]))
			at = d.end
		}
		b.WriteString(text[at:])
		text = b.String()
	}
	if strings.Contains(text, `\u00`) || strings.Contains(text, "\x1b") {
		text = escapeCode.ReplaceAllString(text, "")
	}
	return encodedRun.ReplaceAllString(text, "")
}

// emptied is a JSON member ': [ … ]' without what its brackets hold, line breaks kept.
func emptied(s string) string {
	first, last := strings.IndexAny(s, "[{"), strings.LastIndexAny(s, "]}")
	if first < 0 || last <= first {
		return ": null" + strings.Repeat("\n", strings.Count(s, "\n"))
	}
	return s[:first+1] + strings.Repeat("\n", strings.Count(s[first+1:last], "\n")) + s[last:]
}
