package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
)

// parentKind is the kind of the symbol or container around a definition: "" at the top level, a symbol kind, or
// one of the container marks below.
type parentKind = agenvantage.SymbolKind

// traitContainer marks a container that implements a trait ("impl Shape for Square"): its members are as visible as the
// trait.
const traitContainer parentKind = "trait container"

func byCase(name, _ string, _ parentKind) string {
	r, _ := utf8.DecodeRuneInString(name)
	if unicode.IsUpper(r) {
		return "public"
	}
	return "private"
}

func byUnderscore(name, _ string, _ parentKind) string {
	switch {
	case strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__"):
		return "public"
	case strings.HasPrefix(name, "_"):
		return "private"
	}
	return "public"
}

// byModifier reads the first access modifier among the words of head.
func byModifier(_, head string, _ parentKind) string {
	for _, w := range strings.FieldsFunc(head, notWord) {
		switch w {
		case "public", "open":
			return "public"
		case "private", "fileprivate":
			return "private"
		case "protected":
			return "protected"
		case "internal":
			return "internal"
		}
	}
	return ""
}

func byScriptModifier(name, head string, parent parentKind) string {
	if strings.HasPrefix(name, "#") {
		return "private"
	}
	if v := byModifier(name, head, parent); v != "" {
		return v
	}
	if strings.HasPrefix(head, "export") || strings.HasPrefix(head, "module.exports") || strings.HasPrefix(head, "exports.") {
		return "public"
	}
	return ""
}

func byPub(_, head string, parent parentKind) string {
	i := strings.Index(head, "pub")
	switch {
	case i >= 0 && strings.HasPrefix(strings.TrimSpace(head[i+3:]), "("):
		return "internal"
	case i >= 0 && (i == 0 || notWord(rune(head[i-1]))):
		return "public"
	case parent == traitContainer || parent == agenvantage.KindTrait || parent == agenvantage.KindEnum:
		return ""
	}
	return "private"
}

func byElixirKeyword(_, head string, _ parentKind) string {
	word, _, _ := strings.Cut(strings.TrimSpace(head), " ")
	switch word {
	case "def", "defmacro", "defguard", "defdelegate":
		return "public"
	case "defp", "defmacrop", "defguardp":
		return "private"
	}
	return ""
}

func staticIsPrivate(_, head string, parent parentKind) string {
	if parent == "" && hasWord(head, "static") {
		return "private"
	}
	return ""
}

func localIsPrivate(_, head string, _ parentKind) string {
	if hasWord(head, "local") {
		return "private"
	}
	return ""
}

func hasWord(s, word string) bool {
	for _, w := range strings.FieldsFunc(s, notWord) {
		if w == word {
			return true
		}
	}
	return false
}

func notWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
