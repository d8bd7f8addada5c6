package app

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
)

// What follows is about names that a compiler or a library makes of others by a fixed rule, so that a mention looks different.

// constructs is 1 for a constructor that is called where nothing names it: one of a type below calls it first, and C++ makes
// objects of arguments and members.
func (m *mentions) constructs(node agenvantage.Node, x *agenvantage.Extraction, lang string) int {
	sym := &x.Symbols[node.Symbol]
	if sym.Parent < 0 || sym.Kind != agenvantage.KindMethod && sym.Kind != agenvantage.KindFunction {
		return 0
	}
	if sym.Name != x.Symbols[sym.Parent].Name && sym.Name != "constructor" {
		return 0
	}
	switch lang {
	case "cpp", "c":
		return 1
	case "java", "kotlin", "csharp", "scala":
		for _, e := range m.graph.In(agenvantage.Node{File: node.File, Symbol: sym.Parent}) {
			if e.Kind == agenvantage.EdgeInherits {
				return 1
			}
		}
	}
	return 0
}

// otherName is a name by which some files mean a symbol.
type otherName struct {
	name string
	in   func(lang, path string) bool
}

func ofLang(want string) func(lang, path string) bool {
	return func(lang, _ string) bool { return lang == want }
}

var (
	assembly = regexp.MustCompile(`(?i)\.(s|asm|nasm)$`)
	fortran  = regexp.MustCompile(`(?i)\.(f|for|f77|f90|f95|f03|f08|ftn)$`)
	twigName = regexp.MustCompile(`^(?:get|is|has)(\p{Lu}.*)$`)
)

// otherNames lists the names that others give to a symbol.
func otherNames(sym *agenvantage.Symbol, x *agenvantage.Extraction, lang string) (names []otherName) {
	switch lang {
	case "python":
		if strings.HasPrefix(sym.Name, "__") && !strings.HasSuffix(sym.Name, "__") && sym.Parent >= 0 {
			class := strings.TrimLeft(x.Symbols[sym.Parent].Name, "_")
			names = append(names, otherName{"_" + class + sym.Name, func(string, string) bool { return true }})
		}
	case "kotlin":
		if !canBeCalled(sym.Kind) {
			for _, prefix := range []string{"get", "set", "is"} {
				names = append(names, otherName{prefix + upperFirst(sym.Name), ofLang("java")})
			}
		}
	case "php":
		if found := twigName.FindStringSubmatch(sym.Name); found != nil && sym.Parent >= 0 {
			first, size := utf8.DecodeRuneInString(found[1])
			names = append(names, otherName{string(unicode.ToLower(first)) + found[1][size:], func(_, p string) bool { return path.Ext(p) == ".twig" }})
		}
	case "c", "cpp":
		names = append(names, otherName{"_" + sym.Name, func(_, p string) bool { return assembly.MatchString(p) }})
		if fortranName := strings.TrimRight(sym.Name, "_"); fortranName != sym.Name && fortranName != "" {
			names = append(names, otherName{fortranName, func(_, p string) bool { return fortran.MatchString(p) }})
		}
	}
	return names
}

func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// otherwise counts the mentions of a symbol by other names than its own.
func (m *mentions) otherwise(node agenvantage.Node, x *agenvantage.Extraction, lang string) error {
	for _, other := range otherNames(&x.Symbols[node.Symbol], x, lang) {
		files, err := m.filesWith(firstTerm(other.name))
		if err != nil {
			return err
		}
		for _, f := range files {
			info := m.corpus.File(f)
			if !other.in(info.Lang, info.Path) || isProse(info) {
				continue
			}
			text, err := m.corpus.Text(f)
			if err != nil {
				return err
			}
			for _, o := range occurrences(text, info.Lang, other.name) {
				if o.in != inComment {
					m.countAt(reasonMention, f, o.line)
				}
			}
		}
	}
	return nil
}
