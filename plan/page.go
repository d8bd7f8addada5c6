package plan

import (
	"regexp"
	"strings"
)

// page is a text divided into what is written in words and what is code, output or a trace.
type page struct {
	title string   // the first line that is not blank
	prose []string // lines of words, with their code in backticks
	code  []block
}

// block is a run of lines that are no prose. Lang is the word behind the opening fence, in lower case.
type block struct {
	lang  string
	lines []string
}

// readPage divides text. A fence that is never closed reaches to the end.
func readPage(text string) page {
	var p page
	var f fences
	add := func(lang, line string) {
		if n := len(p.code); n == 0 || lang != p.code[n-1].lang {
			p.code = append(p.code, block{lang: lang})
		}
		last := &p.code[len(p.code)-1]
		last.lines = append(last.lines, line)
	}
	lang := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		was := f.open
		if f.step(line) {
			if was == "" {
				_, info := fenceOf(line)
				lang, _, _ = strings.Cut(strings.ToLower(info), " ")
				p.code = append(p.code, block{lang: lang})
			} else if f.open != "" {
				add(lang, line)
			}
			continue
		}
		if p.title == "" && strings.TrimSpace(line) != "" {
			p.title = strings.TrimSpace(line)
		}
		if isCodeLine(line) && strings.TrimSpace(line) != p.title {
			add("", line)
			continue
		}
		p.prose = append(p.prose, line)
	}
	return p
}

var (
	indented   = regexp.MustCompile(`^(?: {4,}|\t+)[^\s*+\d-]`)
	codeStart  = regexp.MustCompile(`^\s*(?:>>>|\.\.\. |In \[\d+\]:|Out\[\d+\]:|\$ \S|#include\b|#!/|import [\w.{*]+|from [\w.]+ import\b|(?:async )?def \w+\(|class \w+[(:{]|func \w+\(|fn \w+|(?:const|let|var) \w+ ?[=:]|@\w[\w.]*(?:\(|$)|return\b.*;$|</?\w+[^>]*>$|diff --git |@@ -\d|\+\+\+ [ab]/|--- [ab]/)`)
	assignment = regexp.MustCompile(`^\s*[\w.\[\]'", ]{1,60} [+*/|&-]?= \S`)
	call       = regexp.MustCompile(`^\s*(?:await )?[\w.]+\(.*\)[;,]?$`)
	caret      = regexp.MustCompile(`^\s*[\^~]+\s*$`)
)

// isCodeLine reports whether a line outside of a fenced block is code, the output of a program or part of a trace.
func isCodeLine(line string) bool {
	s := strings.TrimSpace(line)
	if s == "" {
		return false
	}
	if indented.MatchString(line) || codeStart.MatchString(line) || assignment.MatchString(line) || call.MatchString(s) || caret.MatchString(s) {
		return true
	}
	return strings.HasSuffix(s, ";") || strings.HasSuffix(s, "{") || s == "}" || s == "})" || isTraceLine(line)
}

// isTraceLine reports whether a line is part of a stack trace or of a compiler's report.
func isTraceLine(line string) bool {
	if len(line) > maxFrameLine {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(line), "Traceback (most recent call last)") {
		return true
	}
	_, ok := frameOf(line)
	return ok
}

var (
	codeSpan = regexp.MustCompile("`+[^`\n]+`+")
	linkGoal = regexp.MustCompile(`\]\([^)\s]*\)`)
	bareLink = regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://\S+`)
)

// inWords is a line of prose without its code in backticks and its links; a bar, which ends a phrase, stands for them.
func inWords(line string) string {
	line = codeSpan.ReplaceAllString(line, " | ")
	line = linkGoal.ReplaceAllString(line, "]")
	return bareLink.ReplaceAllString(line, " | ")
}
