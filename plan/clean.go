package plan

import (
	"regexp"
	"strings"
)

// CleanIssue returns text without what issue templates and reporting tools add to it: HTML comments, images, headings that
// stand for themselves ("Steps to reproduce"), lines of check boxes, the sentences that a template comes with, and lists
// of versions and of the environment. Fenced and indented code, messages and stack traces stay as they are; the one
// exception is a fenced block under a heading such as "Environment" that holds nothing but versions. A text of at most 40
// words is returned as it is, and so is one of which nothing would be left.
//
// The rules know how such reports are laid out, not any one project's template. An HTML comment that is never closed is
// plain text. The time is linear in the length of text; ReadTask bounds that before.
func CleanIssue(text string) string {
	if len(strings.Fields(text)) <= issueWords {
		return text
	}
	c := cleaner{lines: strings.Split(removeComments(strings.ReplaceAll(text, "\r\n", "\n")), "\n")}
	c.run()
	c.dropEmptySections()
	cleaned := strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(c.kept, "\n"), "\n\n"))
	if cleaned == "" {
		return text
	}
	return cleaned
}

var blankLines = regexp.MustCompile(`\n(?:[ \t]*\n){2,}`)

// fenceOf returns the fence that a line opens or closes (``` or ~~~, with at most three spaces before it, also inside a
// quotation or a list) and what stands behind it, or "".
func fenceOf(line string) (fence, info string) {
	s := strings.TrimLeft(line, " >\t")
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(s, mark) {
			rest := strings.TrimLeft(s, mark[:1])
			if strings.Contains(rest, "`") { // ```code``` on one line
				return "", ""
			}
			return s[:len(s)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", ""
}

// fences follows the fenced blocks of a text.
type fences struct{ open string }

// step reads a line and reports whether it belongs to a fenced block, its fences included.
func (f *fences) step(line string) bool {
	fence, info := fenceOf(line)
	switch {
	case f.open == "" && fence != "":
		f.open = fence
		return true
	case f.open == "":
		return false
	case fence != "" && fence[0] == f.open[0] && len(fence) >= len(f.open) && info == "":
		f.open = ""
	}
	return true
}

// removeComments removes HTML comments that stand outside of fenced blocks and of code in backticks: behind an odd number of
// backticks on the line.
func removeComments(text string) string {
	var b strings.Builder
	var f fences
	closed := true // whether a comment that starts here can still be closed
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		inFence := f.step(text[at:end])
		for ticks := 0; !inFence && closed; {
			i := strings.Index(text[at:end], "<!--")
			if i < 0 {
				break
			}
			ticks += strings.Count(text[at:at+i], "`")
			if ticks%2 == 1 {
				b.WriteString(text[at : at+i+len("<!--")])
				at += i + len("<!--")
				continue
			}
			length := strings.Index(text[at+i:], "-->")
			if closed = length >= 0; !closed {
				break
			}
			b.WriteString(text[at : at+i])
			if at += i + length + len("-->"); at > end {
				end, ticks = lineEnd(text, at), 0
			}
		}
		if end < len(text) {
			end++ // the line feed
		}
		b.WriteString(text[at:end])
		at = end
	}
	return b.String()
}

// lineEnd is the index of the line feed behind at, or the length of text.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// cleaner walks over the lines of an issue.
type cleaner struct {
	lines       []string
	kept        []string
	environment bool // in a section that lists the environment
	headings    []keptHeading
}

// keptHeading is where a heading stands among the kept lines, how many lines it has, and its level: 1 is the highest.
type keptHeading struct{ at, lines, level int }

// dropEmptySections removes the headings under which nothing is left before one of the same or a higher level. The first
// line stays: it is the title.
func (c *cleaner) dropEmptySections() {
	end, level := len(c.kept), 0
	for i := len(c.headings) - 1; i >= 0; i-- {
		h := c.headings[i]
		body := strings.TrimSpace(strings.Join(c.kept[h.at+h.lines:end], ""))
		if body == "" && level <= h.level && h.at > 0 {
			for n := range h.lines {
				c.kept[h.at+n] = ""
			}
			end = h.at
			continue
		}
		end, level = h.at, h.level
	}
}

// levelOf is the level of a heading: the number of its #, 2 for one with a line under it, 7 for any other.
func levelOf(line string, underlined bool) int {
	s := strings.TrimSpace(line)
	switch n := len(s) - len(strings.TrimLeft(s, "#")); {
	case n > 0:
		return n
	case underlined:
		return 2
	}
	return 7
}

func (c *cleaner) run() {
	for i := 0; i < len(c.lines); {
		if fence, _ := fenceOf(c.lines[i]); fence != "" {
			end := blockEnd(c.lines, i)
			if !c.environment || !allVersions(c.lines[i+1:max(i+1, end-1)]) {
				c.kept = append(c.kept, c.lines[i:end]...)
			}
			i = end
			continue
		}
		if n := versionRun(c.lines[i:]); n > 0 {
			i += n
			continue
		}
		next := ""
		if i+1 < len(c.lines) {
			next = c.lines[i+1]
		}
		i += c.line(c.lines[i], next)
	}
}

// blockEnd is the index behind the fenced block that starts at lines[at].
func blockEnd(lines []string, at int) int {
	var f fences
	f.step(lines[at])
	for at++; at < len(lines) && f.open != ""; at++ {
		f.step(lines[at])
	}
	return at
}

var (
	images        = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\s]*\)|<img\b[^>\n]*>`)
	detailTags    = regexp.MustCompile(`(?i)</?(?:details|summary|br|p|sub|sup|kbd)\s*/?>`)
	onlyTags      = regexp.MustCompile(`^(?i:</?(?:details|br|p|sub|sup|a|div|center)\b[^>]*>\s*)+$`)
	checkBox      = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]?\]\s`)
	underline     = regexp.MustCompile(`^\s*(?:-{3,}|={3,})\s*$`)
	boldLead      = regexp.MustCompile(`^\s*(?:#{1,6}\s+)?(?:\*\*|__)([^*_]{2,80})(?:\*\*|__)\s*:?\s*(.*)$`)
	messageOfLine = regexp.MustCompile(`(?:\b[\w.]*(?:Error|Exception|Warning|Panic)|\b(?i:error|fatal|panic|warning))\b\s*(?:\[\w+\])?:`)
)

// line handles a line outside of fenced blocks, of which next is the following one, and returns how many it took.
func (c *cleaner) line(line, next string) int {
	line = images.ReplaceAllString(line, "")
	if bare := strings.TrimSpace(line); onlyTags.MatchString(bare) {
		c.environment = c.environment && !strings.Contains(strings.ToLower(bare), "</details")
		return 1
	}
	if isCodeLine(line) || messageOfLine.MatchString(line) {
		c.kept = append(c.kept, line)
		return 1
	}
	if checkBox.MatchString(line) || isTemplateSentence(line) {
		return 1
	}
	heading, marked := headingOf(line, next)
	took := 1
	if marked && underline.MatchString(next) && strings.TrimSpace(line) != "" {
		took = 2
	}
	switch {
	case isEnvironment(heading) && (marked || strings.HasSuffix(strings.TrimSpace(line), ":")):
		c.environment = true
		return took
	case isTemplateHeading(heading, marked):
		c.environment = false
		return took
	case marked:
		c.environment = false
		c.headings = append(c.headings, keptHeading{len(c.kept), took, levelOf(line, took == 2)})
		c.kept = append(c.kept, detailTags.ReplaceAllString(line, ""))
		if took == 2 {
			c.kept = append(c.kept, next)
		}
		return took
	}
	if m := boldLead.FindStringSubmatch(line); m != nil && m[2] != "" {
		if label := normalHeading(m[1]); isEnvironment(label) {
			return 1 // **OS**: Linux
		} else if isTemplateHeading(label, true) {
			c.environment = false
			line = m[2]
		}
	}
	if c.environment {
		if isListing(line) {
			return 1
		}
		c.environment = false // prose goes on behind a list without a heading of its own
	}
	c.kept = append(c.kept, detailTags.ReplaceAllString(line, ""))
	return 1
}

// headingOf returns the text of a heading in its normal form, and whether the line is marked as one: by #, by bold type,
// by a line under it or by <summary>. A plain line gives itself.
func headingOf(line, next string) (text string, marked bool) {
	s := strings.TrimSpace(line)
	plain := strings.TrimSpace(detailTags.ReplaceAllString(s, ""))
	switch {
	case s == "" || len(s) > 120:
		return "", false
	case strings.HasPrefix(s, "#") && strings.HasPrefix(strings.TrimLeft(s, "#"), " "):
		marked = true
	case strings.Contains(strings.ToLower(s), "<summary>"):
		marked = true
	case underline.MatchString(next) && len(strings.Fields(s)) <= 8 && !strings.HasPrefix(s, "|"):
		marked = true
	default:
		if m := boldLead.FindStringSubmatch(s); m != nil && strings.Trim(m[2], " :*_") == "" {
			marked = true
		}
	}
	return normalHeading(plain), marked
}

// normalHeading is a heading in lower case without its marks, its number and the symbols around it.
func normalHeading(s string) string {
	s = strings.ToLower(strings.Trim(s, "#*_ \t:.?!>-"))
	s = strings.NewReplacer("’", "'", "behaviour", "behavior", "`", "").Replace(s)
	s = strings.TrimLeft(s, "0123456789.) ")
	return strings.Join(strings.Fields(strings.TrimFunc(s, func(r rune) bool { return r > 0x2000 })), " ")
}
