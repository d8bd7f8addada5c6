package app

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Sentences are read from READMEs and from the comments at the head of files. They are data: the map quotes them.

var (
	mdImage     = regexp.MustCompile(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])`)
	mdLink      = regexp.MustCompile(`\[([^\[\]]*)\](\([^)]*\)|\[[^\]]*\])`)
	mdShort     = regexp.MustCompile(`\[([^\[\]\n]+)\]`)
	javadocTag  = regexp.MustCompile(`\{@\w+\s+(?:[\w.]+\.)?([^{}]*)\}`)
	htmlTag     = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
	rstRole     = regexp.MustCompile(":[a-z:]+:`([^`<]*[^`<\\s])(?:\\s*<[^>]*>)?`")
	rstLink     = regexp.MustCompile("`([^`<]+?)\\s*<[^>]*>`_{1,2}")
	emphasis    = regexp.MustCompile("\\*\\*|__|`|\\\\")
	underline   = regexp.MustCompile(`^[=\-~^"'#*+]{3,}\s*$`)
	listItem    = regexp.MustCompile(`^\s*([-*+•]|\d+[.)])\s+`)
	admonition  = regexp.MustCompile(`^\s*>?\s*(\[!\w+\]|(\*\*)?(note|warning|important|tip|caution)\b.*:)`)
	sentenceEnd = regexp.MustCompile(`[.!?]["')]?\s+["'(]?[A-Z0-9]`)
	licenceWord = regexp.MustCompile(`(?i)copyright|licen[sc]e|spdx-|all rights reserved|eslint-|-\*-|^use strict$|@ts-|prettier-|clang-format|import/`)
)

// maxSentence is in bytes; what is cut is not a sentence any more, but still what the author began with.
const maxSentence = 300

// sentence is the first sentence of prose, without markup, on one line; "" when it is too short to say anything.
func sentence(prose string) string {
	s := mdImage.ReplaceAllString(prose, "")
	s = mdLink.ReplaceAllString(s, "$1")
	s = mdShort.ReplaceAllString(s, "$1")
	s = javadocTag.ReplaceAllString(s, "$1")
	s = rstRole.ReplaceAllString(s, "$1")
	s = rstLink.ReplaceAllString(s, "$1")
	s = htmlTag.ReplaceAllString(s, "")
	s = strings.ReplaceAll(emphasis.ReplaceAllString(s, ""), "*", "")
	s = strings.Join(strings.Fields(s), " ")
	for at := 0; ; {
		m := sentenceEnd.FindStringIndex(s[at:])
		if m == nil {
			break
		}
		end := at + m[0] + 1
		if word := s[strings.LastIndexByte(s[:end-1], ' ')+1 : end]; abbreviation(word) {
			at = end
			continue
		}
		s = s[:end]
		break
	}
	if len(s) > maxSentence {
		s = strings.ToValidUTF8(s[:maxSentence], "") + "…"
	}
	if strings.Count(s, " ") < 2 || strings.HasSuffix(s, ":") && strings.Count(s, " ") < 6 {
		return ""
	}
	return s
}

func abbreviation(word string) bool {
	switch strings.ToLower(strings.Trim(word, "(")) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "no.", "approx.", "st.", "mr.", "dr.":
		return true
	}
	return len(word) == 2 // an initial
}

// readmeProse is the first sentence of a README's running text with its line, and its first heading.
func readmeProse(text string) (prose string, line int, title string) {
	lines := strings.Split(text, "\n")
	fence, front := false, false
	var paragraph []string
	start := 0
	flush := func() bool {
		if s := sentence(strings.Join(paragraph, " ")); s != "" {
			prose, line = s, start
			return true
		}
		paragraph = nil
		return false
	}
	for i := 0; i < len(lines) && i < 400; i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		trimmed := strings.TrimSpace(l)
		switch {
		case i == 0 && trimmed == "---":
			front = true
			continue
		case front:
			front = trimmed != "---"
			continue
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence = !fence
			continue
		case fence:
			continue
		}
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimSpace(lines[i+1])
		}
		heading := strings.HasPrefix(trimmed, "#") || trimmed != "" && underline.MatchString(next)
		switch {
		case heading:
			if title == "" {
				title = sentenceless(strings.TrimLeft(trimmed, "# "))
			}
		case trimmed == "" || underline.MatchString(trimmed):
		case len(paragraph) == 0 && isDecoration(trimmed, l):
			continue
		default:
			if len(paragraph) == 0 {
				start = i + 1
			}
			paragraph = append(paragraph, strings.TrimPrefix(trimmed, "> "))
			continue
		}
		if len(paragraph) > 0 && flush() {
			return prose, line, title
		}
	}
	flush()
	return prose, line, title
}

// isDecoration tells lines that begin no paragraph: badges, images, tables, lists, directives, comments, admonitions.
func isDecoration(trimmed, line string) bool {
	bare := mdLink.ReplaceAllString(mdImage.ReplaceAllString(trimmed, ""), "")
	switch {
	case hasAnyPrefix(trimmed, "[![", "|", "..", "<!--", ":"), strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, "]: "),
		strings.HasPrefix(line, "    "), listItem.MatchString(trimmed), admonition.MatchString(strings.ToLower(trimmed)):
		return true
	}
	return strings.Trim(htmlTag.ReplaceAllString(bare, ""), " |·•-–—,/()") == ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// sentenceless is a heading without markup.
func sentenceless(s string) string {
	s = mdLink.ReplaceAllString(mdImage.ReplaceAllString(s, ""), "$1")
	s = emphasis.ReplaceAllString(htmlTag.ReplaceAllString(s, ""), "")
	return strings.Join(strings.Fields(s), " ")
}

// headerProse is the first sentence of the comment, or of the docstring, that a file begins with.
func headerProse(lang, text string) (prose string, line int) {
	switch lang {
	case "go":
		return goHeader(text)
	case "python":
		return docstring(text)
	case "rust":
		return markedHeader(text, "//!")
	case "elixir":
		if i := strings.Index(text, `@moduledoc """`); i >= 0 {
			body, _, _ := strings.Cut(text[i+len(`@moduledoc """`):], `"""`)
			return firstParagraph(body, 1+strings.Count(text[:i], "\n")+1)
		}
		return "", 0
	}
	return commentHeader(text)
}

// goHeader is the comment that stands right above the package clause.
func goHeader(text string) (string, int) {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if !strings.HasPrefix(l, "package ") {
			continue
		}
		start := i
		if start > 0 && strings.HasSuffix(strings.TrimSpace(lines[start-1]), "*/") {
			for start--; start > 0 && !strings.HasPrefix(strings.TrimSpace(lines[start]), "/*"); start-- {
			}
		}
		for start > 0 && strings.HasPrefix(lines[start-1], "//") {
			start--
		}
		return firstParagraph(uncomment(strings.Join(lines[start:i], "\n")), start+1)
	}
	return "", 0
}

// docstring is that of a Python module.
func docstring(text string) (string, int) {
	rest, line := text, 1
	for rest != "" {
		l, after, _ := strings.Cut(rest, "\n")
		t := strings.TrimSpace(l)
		if t == "" || strings.HasPrefix(t, "#") {
			rest, line = after, line+1
			continue
		}
		t = strings.TrimLeft(t, "rRuU")
		for _, quote := range []string{`"""`, `'''`} {
			if strings.HasPrefix(t, quote) {
				body := rest[strings.Index(rest, quote)+3:]
				body, _, _ = strings.Cut(body, quote)
				return firstParagraph(body, line)
			}
		}
		return "", 0
	}
	return "", 0
}

// markedHeader is the run of lines with a marker at the start of a file.
func markedHeader(text, marker string) (string, int) {
	var body []string
	start, number := 0, 0
	for l := range strings.Lines(text) {
		number++
		t := strings.TrimSpace(l)
		if rest, ok := strings.CutPrefix(t, marker); ok {
			if start == 0 {
				start = number
			}
			body = append(body, strings.TrimSpace(rest))
		} else if start > 0 || t != "" && !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "#!") {
			break
		}
	}
	return firstParagraph(strings.Join(body, "\n"), start)
}

// commentHeader is the first comment of a file that is no licence, when only comments, blank lines and package clauses stand
// before it.
func commentHeader(text string) (string, int) {
	var block []string
	start, number, inside := 0, 0, false
	for l := range strings.Lines(text) {
		number++
		t := strings.TrimSpace(l)
		comment := inside || t == "#" || hasAnyPrefix(t, "//", "/*", "# ", "--", ";;")
		if strings.HasPrefix(t, "/*") {
			inside = true
		}
		if inside && strings.Contains(t, "*/") {
			inside = false
		}
		if comment {
			if start == 0 {
				start = number
			}
			block = append(block, l)
			if len(block) < 80 {
				continue
			}
		}
		if len(block) > 0 {
			if prose, at := firstParagraph(uncomment(strings.Join(block, "")), start); prose != "" {
				return prose, at
			}
			block, start = nil, 0
		}
		if t != "" && !comment && !hasAnyPrefix(t, "package ", "#", "'use strict'", `"use strict"`, "<?php") || number > 120 {
			return "", 0
		}
	}
	return firstParagraph(uncomment(strings.Join(block, "")), start)
}

var commentMark = regexp.MustCompile(`^\s*(/\*+!?|\*+/|\*|//+!?|#+|--+|;+)\s?`)

func uncomment(block string) string {
	var out []string
	for l := range strings.SplitSeq(block, "\n") {
		out = append(out, strings.TrimSuffix(strings.TrimSpace(commentMark.ReplaceAllString(l, "")), "*/"))
	}
	return strings.Join(out, "\n")
}

// firstParagraph is the first sentence of a comment's text that begins at a line; "" for licences and settings of tools.
func firstParagraph(body string, line int) (string, int) {
	if licenceWord.MatchString(body[:min(len(body), 1500)]) && !strings.Contains(strings.ToLower(body), "package ") {
		return "", 0
	}
	for paragraph := range strings.SplitSeq(body, "\n\n") {
		kept := strings.Builder{}
		for l := range strings.SplitSeq(paragraph, "\n") {
			l = strings.TrimSpace(l)
			if strings.HasPrefix(l, "@") || underline.MatchString(l) || strings.HasPrefix(l, "#") || strings.HasPrefix(l, "+build") || strings.HasPrefix(l, "go:") {
				continue
			}
			kept.WriteString(l + " ")
		}
		if s := sentence(kept.String()); s != "" && !licenceWord.MatchString(s) {
			return s, line
		}
	}
	return "", 0
}

// speaksFor says how well a file speaks for its folder; 0 when it does not.
func speaksFor(file, lang string) int {
	base := strings.ToLower(path.Base(file))
	stem, _, _ := strings.Cut(base, ".")
	folder := strings.ToLower(path.Base(path.Dir(file)))
	switch {
	case stem == "readme":
		return 5
	case base == "doc.go" || base == "package-info.java" || base == "__init__.py" || base == "lib.rs" || base == "mod.rs" || base == "module.md":
		return 6
	case stem == "index" || stem == "main":
		return 4
	case stem == folder:
		return 3
	case lang == "go":
		return 2
	}
	return 1
}
