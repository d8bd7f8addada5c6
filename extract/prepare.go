package extract

import (
	"regexp"
	"strings"
)

// The functions of this file give a grammar a copy of the text of the same length that it understands better. Names and
// lines are still read from the text as it is.

var kotlinFunInterface = regexp.MustCompile(`\bfun[ \t]+interface\b`)

// blankFunInterface makes "fun interface", which the grammar does not know, an interface.
func blankFunInterface(text string) string {
	return replaceSameLength(text, kotlinFunInterface, func(s string) string {
		return strings.Repeat(" ", len(s)-len("interface")) + "interface"
	})
}

var protobufDialect = regexp.MustCompile(`(?m)^[ \t]*syntax\s*=\s*["']proto2["']|^[ \t]*edition\s*=\s*["'][^"'\n]*["']\s*;|^[ \t]*(?:required|extensions)\b|\bmax;`)

// protobufAsProto3 turns the words of proto2 and of editions that the grammar does not know into words of proto3.
func protobufAsProto3(text string) string {
	return replaceSameLength(text, protobufDialect, func(s string) string {
		word := strings.TrimLeft(s, " \t")
		indent := s[:len(s)-len(word)]
		switch {
		case strings.HasPrefix(word, "syntax"):
			return strings.Replace(s, "proto2", "proto3", 1)
		case strings.HasPrefix(word, "edition"):
			return indent + `syntax="proto3";`
		case word == "required":
			return indent + "optional"
		case word == "extensions":
			return indent + "reserved"
		}
		return "999;"
	})
}

// replaceSameLength replaces every match; a replacement is filled up with blanks, and one that is too long is not made.
func replaceSameLength(text string, re *regexp.Regexp, replacement func(string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string {
		r := replacement(s)
		if len(r) > len(s) {
			return s
		}
		return r + strings.Repeat(" ", len(s)-len(r))
	})
}
