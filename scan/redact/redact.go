// Package redact masks secrets in the text of one file: private key blocks, tokens of known providers, passwords in
// URLs, and values assigned to names such as password or api_key. It is the one gate through which text enters the
// index. It is pure; it never adds or removes a line, and a mask holds nothing of what it hides, not even its length.
//
// One pass over the text finds places where a secret could be (trigger.go); only there do the rules look closer
// (block.go, url.go, dsn.go, token.go, assignment.go, group.go, call.go, cookie.go, flag.go, command.go, near.go, term.go; for what people write
// for people prose.go, table.go and account.go).
// A second one knows the files of some tools, in which credentials have a fixed place (files.go). The rules prefer to miss a weak guess over
// masking code: placeholders, references to variables and names of things stay (value.go), and what a generator drew is told from words by
// its letters (drawn.go).
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Rules is the version of the rules. An index that was made under other ones is made anew: it may hold what these would mask.
const Rules = 4

// Kinds of findings that are not tokens of a provider.
const (
	KindPrivateKey  = "private key"
	KindURLPassword = "url password"
	KindPassword    = "password"
	KindSecret      = "secret"
	KindBearer      = "authorization"
)

// Finding is one masked secret. A private key block is one finding, at its first line.
type Finding struct {
	Kind string
	Line int // 1-based
}

// maskPrefix begins every mask but that of a password in a URL, which is urlMask.
const (
	maskPrefix = "[masked "
	urlMask    = "****"
)

func maskOf(kind string) string { return maskPrefix + kind + "]" }

// isMasked reports whether a value begins as a mask does, also one that was cut behind its first word.
func isMasked(value string) bool { return strings.HasPrefix(value, strings.TrimSpace(maskPrefix)) }

// span is a range of bytes to be masked. Parts of one secret after the first carry again.
type span struct {
	start, end int
	kind       string
	again      bool
}

// mostPasses bounds the repeats of a scan. A mask makes new word boundaries, beside which a second secret can show that
// was glued to the first; text with no secret is scanned once.
const mostPasses = 8

// Mask returns text with its secrets masked and what they were, in order of line. path and lang (a language id of the
// scan package, "" when unknown) say how values are written: in configuration files and shell scripts they need no
// quotes. Valid UTF-8 stays valid, and masking a masked text changes nothing. It is safe for concurrent use.
func Mask(path, lang, text string) (string, []Finding) {
	style := styleOf(path, lang)
	var findings []Finding
	for range mostPasses {
		spans := find(path, text, style)
		if len(spans) == 0 {
			break
		}
		var found []Finding
		text, found = replace(text, spans)
		findings = append(findings, found...)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return text, findings
}

// Masks counts the masks in a text that Mask has gone over.
func Masks(text string) int {
	return strings.Count(text, maskPrefix) + strings.Count(text, ":"+urlMask+"@") + strings.Count(text, "//"+urlMask+"@")
}

// find returns the spans to mask, sorted, without overlaps.
func find(path, text string, style valueStyle) []span {
	s := scanner{text: text, style: style}
	s.scan()
	s.fields(path)
	if len(s.spans) < 2 {
		return s.spans
	}
	slices.SortStableFunc(s.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := s.spans[:1]
	for _, next := range s.spans[1:] {
		last := &merged[len(merged)-1]
		if next.start >= last.end {
			merged = append(merged, next)
			continue
		}
		last.end = max(last.end, next.end)
		if isGeneral(last.kind) && !isGeneral(next.kind) { // "github token" says more than "secret"
			last.kind = next.kind
		}
	}
	return merged
}

func isGeneral(kind string) bool { return kind == KindSecret || kind == KindPassword }

func replace(text string, spans []span) (string, []Finding) {
	var b strings.Builder
	b.Grow(len(text))
	var findings []Finding
	line, at := 1, 0
	for _, s := range spans {
		line += strings.Count(text[at:s.start], "\n")
		b.WriteString(text[at:s.start])
		if s.kind == KindURLPassword {
			b.WriteString(urlMask)
		} else {
			b.WriteString(maskOf(s.kind))
		}
		if !s.again {
			findings = append(findings, Finding{Kind: s.kind, Line: line})
		}
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), findings
}
