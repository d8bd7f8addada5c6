package setup

import (
	"bytes"
	"fmt"
	"strings"

	"agenvantage"
)

// The marks around our block. Only the beginning of the first one counts, so that its words may change.
const (
	beginMark = "<!-- agenvantage:begin"
	beginLine = beginMark + " (agenvantage setup writes this block; what is changed in it is lost) -->"
	endLine   = "<!-- agenvantage:end -->"
)

// Instructions is the block that tells an agent when to ask which tool, and when to stop.
const Instructions = `## Finding code

The MCP server ` + "`agenvantage`" + ` has an index of this repository. Its answers name files and lines, and say so when they are
stale, partial or cut.

- At the start of a task call ` + "`pack`" + ` with the task in a few sentences: definitions, callers, tests and settings that it
  needs come in one answer, under a token budget. Its status says whether that is enough and what is missing.
- To find something call ` + "`search`" + ` with one focused question: a name, a path, the text of an error, or a short sentence.
  Several small questions find more than one that asks for everything.
- To go on call ` + "`symbol`" + ` for a definition with its references, callers and callees, ` + "`read`" + ` for lines, ` + "`expand`" + ` for more of
  a pack.
- Stop asking when the code to be changed, its callers and its tests are in view.
- When an answer says that it cannot know, use grep for that question.
`

// findBlock returns the range of our block with its line end. found is false without one.
func findBlock(content []byte) (start, end int, found bool, err error) {
	start, begins := linesOf(content, beginMark)
	end, ends := linesOf(content, endLine)
	switch {
	case begins == 0 && ends == 0:
		return 0, 0, false, nil
	case begins != 1 || ends != 1 || end < start:
		return 0, 0, false, fmt.Errorf("%w: the marks %q and %q are not one pair: remove what is left of the block by hand", agenvantage.ErrBadInput, beginMark, endLine)
	}
	end += len(endLine)
	if next := bytes.IndexByte(content[end:], '\n'); next >= 0 {
		end += next + 1
	} else {
		end = len(content)
	}
	return start, end, true, nil
}

// linesOf counts the lines that begin with text; first is the offset of the first one.
func linesOf(content []byte, text string) (first, n int) {
	for at := 0; at < len(content); {
		if bytes.HasPrefix(content[at:], []byte(text)) {
			if n++; n == 1 {
				first = at
			}
		}
		next := bytes.IndexByte(content[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return first, n
}

// setBlock puts our block at the end of a file, or in the place of the one that is there. An empty file begins with preamble.
func setBlock(content []byte, preamble string) ([]byte, error) {
	start, end, found, err := findBlock(content)
	if err != nil {
		return nil, err
	}
	nl := newline(content[start:]) // a block that is there has the line ends that it was given
	block := inLines(beginLine+"\n"+Instructions+endLine+"\n", nl)
	switch {
	case found:
		return splice(content, start, end, block), nil
	case len(bytes.TrimSpace(content)) == 0:
		if preamble != "" {
			preamble += "\n"
		}
		return []byte(inLines(preamble, nl) + block), nil
	}
	out := bytes.Clone(content)
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, nl...)
	}
	return append(append(out, nl...), block...), nil
}

// unsetBlock takes our block out, with the empty line before it when it was the end of its paragraph.
func unsetBlock(content []byte) ([]byte, error) {
	start, end, found, err := findBlock(content)
	if err != nil || !found {
		return content, err
	}
	return cutParagraph(content, start, end), nil
}

// isBlankBlock reports that a file without our block holds at most its preamble.
func isBlankBlock(content []byte, preamble string) bool {
	text := strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n"))
	return text == "" || text == strings.TrimSpace(preamble)
}

// newline is the line end of a file: that of its first line.
func newline(content []byte) string {
	if at := bytes.IndexByte(content, '\n'); at > 0 && content[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func inLines(text, nl string) string { return strings.ReplaceAll(text, "\n", nl) }

// splice replaces a range.
func splice(content []byte, start, end int, text string) []byte {
	out := make([]byte, 0, len(content)-(end-start)+len(text))
	out = append(out, content[:start]...)
	out = append(out, text...)
	return append(out, content[end:]...)
}
