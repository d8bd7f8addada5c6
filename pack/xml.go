package pack

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/internal/visible"
)

// XML is the pack as a well-formed XML 1.0 document in UTF-8, with the parts and the order of Markdown. Contents are in CDATA
// sections that they cannot end; a carriage return is a character reference, since a parser would make a line feed of it.
// What XML cannot hold (most control characters, U+FFFE and U+FFFF, bytes that are not UTF-8) becomes U+FFFD, and the
// element around it says exact="false". The task is whole. Token counts are those of the Markdown.
func XML(p agenvantage.Pack) string {
	w := &xmlWriter{}
	w.WriteString(xml.Header)
	w.open("pack", "pack_id", p.ID, "status", string(p.Status), "preset", string(p.Preset), "budget", strconv.Itoa(p.Budget),
		"tokens", strconv.Itoa(p.Tokens), "tokenizer", p.Tokenizer, "revision", p.Revision)
	w.WriteString(">\n<blocks>\n")
	for _, s := range sections {
		for _, b := range p.Blocks {
			if sectionOf(b.Kind) == s.kind {
				w.block(b)
			}
		}
	}
	w.WriteString("</blocks>\n<handles>\n")
	for _, h := range p.Handles {
		w.open("handle", "source_id", h.SourceID, "path", h.Path, "start_line", strconv.Itoa(h.StartLine), "end_line", strconv.Itoa(h.EndLine),
			"symbol", h.Symbol, "slot", string(h.Slot), "tokens", strconv.Itoa(h.Tokens), "why", h.Why, "revision", h.Revision)
		w.WriteString("/>\n")
	}
	w.WriteString("</handles>\n<slots>\n")
	for _, s := range whole(p).Slots {
		w.open("slot", "name", string(s.Name), "required", strconv.FormatBool(s.Required), "state", string(s.State),
			"confidence", strconv.FormatFloat(s.Confidence, 'g', -1, 64), "channels", strings.Join(s.Channels, " "),
			"evidence", strings.Join(s.Evidence, " "), "coverage", s.Coverage, "next_cost", strconv.Itoa(s.NextCost))
		w.WriteString("/>\n")
	}
	w.WriteString("</slots>\n")
	w.list("missing", p.Missing)
	w.list("next", p.Next)
	w.list("notes", p.Notes)
	w.element("why", p.Why)
	w.element("task", p.Task)
	w.WriteString("</pack>\n")
	return w.String()
}

type xmlWriter struct{ strings.Builder }

func (w *xmlWriter) block(b agenvantage.Block) {
	attributes := []string{"id", b.ID, "kind", string(b.Kind), "path", b.Path}
	if b.StartLine > 0 {
		attributes = append(attributes, "start_line", strconv.Itoa(b.StartLine), "end_line", strconv.Itoa(b.EndLine))
	}
	w.open("block", append(attributes, "slot", string(b.Slot), "symbol", b.Symbol, "lang", b.Lang, "tokens", strconv.Itoa(b.Tokens),
		"reason", b.Reason, "revision", b.Revision, "dirty", strconv.FormatBool(b.Dirty), "cut", b.Cut)...)
	w.WriteString(">\n")
	for _, s := range b.Warn {
		w.element("warn", s)
	}
	w.element("text", b.Text)
	w.WriteString("</block>\n")
}

func (w *xmlWriter) list(tag string, items []string) {
	w.WriteString("<" + tag + ">\n")
	for _, s := range items {
		w.element("item", s)
	}
	w.WriteString("</" + tag + ">\n")
}

// open writes the beginning of a tag with pairs of attributes; those that are empty are left out.
func (w *xmlWriter) open(tag string, pairs ...string) {
	w.WriteString("<" + tag)
	exact := true
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		w.WriteString(" " + pairs[i] + `="`)
		exact = exact && fitsXML(pairs[i+1])
		_ = xml.EscapeText(&w.Builder, []byte(pairs[i+1])) // a Builder never fails; what XML cannot hold becomes U+FFFD
		w.WriteString(`"`)
	}
	if !exact {
		w.WriteString(` exact="false"`)
	}
}

// element writes text as CDATA: between the end of the start tag and the end tag is exactly the text.
func (w *xmlWriter) element(tag, text string) {
	w.open(tag)
	if !fitsXML(text) {
		w.WriteString(` exact="false"`)
		text = replaceNotXML(text)
	}
	w.WriteString("><![CDATA[")
	text = strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>")
	w.WriteString(strings.ReplaceAll(text, "\r", "]]>&#13;<![CDATA["))
	w.WriteString("]]></" + tag + ">\n")
}

func fitsXML(s string) bool { return !visible.Needs(s, notXML) }

func replaceNotXML(s string) string {
	return strings.Map(func(r rune) rune {
		if notXML(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// notXML tells the characters outside of the production Char of XML 1.0.
func notXML(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return false
	}
	return r < ' ' || 0xd800 <= r && r < 0xe000 || r == 0xfffe || r == 0xffff || r > utf8.MaxRune
}
