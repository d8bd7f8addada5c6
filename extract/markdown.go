package extract

import (
	"strings"

	"agenvantage"
	"agenvantage/internal/clip"
)

// Markdown is read here and not by the bundled grammar: that one ends the whole process by an assertion when some
// hundred block quotes or lists nest, and does not nest sections under underlined headings.

// markdownHeadings finds the headings outside of code fences, HTML comments and the metadata at the head of the file.
func markdownHeadings(lines *lineTable) []candidate {
	var out []candidate
	var open []int
	line := afterFrontMatter(lines)
	fence, comment := "", false
	for ; line <= lines.count() && len(out) < maxPatternSymbols; line++ {
		text := lines.at(line)
		if len(text) > maxPatternLine {
			continue
		}
		trimmed := strings.TrimSpace(text)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		case comment:
			comment = !strings.Contains(trimmed, "-->")
			continue
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
			if !strings.Contains(trimmed[len(mark):], "`") {
				fence = mark
			}
			continue
		case strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(trimmed, "-->")
			continue
		}
		level, title := atxHeading(text)
		if level == 0 {
			level, title = setextHeading(lines, line)
		}
		if level == 0 {
			continue
		}
		for len(open) > 0 && out[open[len(open)-1]].indent >= level {
			open = open[:len(open)-1]
		}
		c := candidate{line: line, indent: level, kind: agenvantage.KindSection, name: clip.Bytes(title, maxNameBytes), parent: -1}
		if len(open) > 0 {
			c.parent = open[len(open)-1]
		}
		open = append(open, len(out))
		out = append(out, c)
	}
	return out
}

// afterFrontMatter is the first line behind a block between "---" or "+++" lines at the head of the file.
func afterFrontMatter(lines *lineTable) int {
	first := strings.TrimRight(lines.at(1), " \t\r")
	if first != "---" && first != "+++" {
		return 1
	}
	for line := 2; line <= lines.count(); line++ {
		if strings.TrimRight(lines.at(line), " \t\r") == first {
			return line + 1
		}
	}
	return 1
}

// atxHeading reads "## Title ##"; level 0 means that the line is none.
func atxHeading(text string) (level int, title string) {
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 {
		return 0, ""
	}
	title = strings.TrimLeft(rest, "#")
	level = len(rest) - len(title)
	if level < 1 || level > 6 || title != "" && title[0] != ' ' && title[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(title)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	if title == "" {
		return 0, ""
	}
	return level, title
}

// setextHeading reads a line of text over a line of "=" or "-".
func setextHeading(lines *lineTable, line int) (level int, title string) {
	rule := strings.TrimSpace(lines.at(line + 1))
	if len(rule) < 2 || lines.indent(line+1) > 3 || lines.indent(line) > 3 {
		return 0, ""
	}
	switch {
	case strings.Trim(rule, "=") == "":
		level = 1
	case strings.Trim(rule, "-") == "":
		level = 2
	default:
		return 0, ""
	}
	title = strings.TrimSpace(lines.at(line))
	if title == "" || strings.ContainsRune(">|-*+=#", rune(title[0])) || len(title) > 200 || line > 1 && !lines.blank(line-1) && level == 2 && strings.Contains(title, "|") {
		return 0, ""
	}
	return level, title
}
