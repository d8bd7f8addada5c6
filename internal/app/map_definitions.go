package app

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
)

// kindWorth is what a kind of symbol is worth before anybody uses it. Kinds that are missing say nothing by themselves.
var kindWorth = map[agenvantage.SymbolKind]float64{
	agenvantage.KindClass: 1, agenvantage.KindInterface: 1, agenvantage.KindTrait: 1, agenvantage.KindStruct: 0.9,
	agenvantage.KindFunction: 0.8, agenvantage.KindEnum: 0.7,
	agenvantage.KindType: 0.7, agenvantage.KindMacro: 0.6, agenvantage.KindMethod: 0.4,
	agenvantage.KindConstant: 0.25, agenvantage.KindVariable: 0.25, agenvantage.KindModule: 0.1,
}

// definitionsOf lists the symbols that others may use.
func definitionsOf(lang string, x *agenvantage.Extraction) (list []definition) {
	open := make([]bool, len(x.Symbols)) // whether what is inside can be seen
	for i := range x.Symbols {
		s := &x.Symbols[i]
		worth := kindWorth[s.Kind]
		switch s.Visibility {
		case "public":
		case "":
			if share, limited := implicitPublic[lang]; limited && !insideInterface(x, s) {
				worth *= share
			}
		default:
			continue
		}
		inside := s.Parent >= 0 && s.Parent < i
		if inside && !open[s.Parent] || lang == "go" && ofPrivateType(s) {
			continue
		}
		open[i] = isContainer(s.Kind)
		if worth == 0 || s.Name == "" || s.Name == "main" || strings.HasPrefix(s.Name, "_") && !strings.HasPrefix(s.Name, "__init__") {
			continue
		}
		if inside && s.Kind != agenvantage.KindMethod && x.Symbols[s.Parent].Kind != agenvantage.KindModule {
			worth *= 0.4 // a class in a class, a constant of a class
		}
		if strings.HasPrefix(s.Name, "__") || inside && s.Name == x.Symbols[s.Parent].Name {
			worth *= 0.2 // what a class is made by is named with the class
		}
		list = append(list, definition{i, worth})
	}
	return list
}

// ofPrivateType reports a method of a Go type that only its package can name.
func ofPrivateType(s *agenvantage.Symbol) bool {
	first, _ := utf8.DecodeRuneInString(s.Qualified)
	return s.Qualified != s.Name && !unicode.IsUpper(first)
}

func isContainer(k agenvantage.SymbolKind) bool {
	switch k {
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait,
		agenvantage.KindEnum, agenvantage.KindType, agenvantage.KindModule:
		return true
	}
	return false
}

func insideInterface(x *agenvantage.Extraction, s *agenvantage.Symbol) bool {
	if s.Parent < 0 || s.Parent >= len(x.Symbols) {
		return false
	}
	k := x.Symbols[s.Parent].Kind
	return k == agenvantage.KindInterface || k == agenvantage.KindTrait || k == agenvantage.KindEnum
}

// namesakeFactor is what the symbols of a file gain that bears the name of a project.
const namesakeFactor = 1.5

// projectNames are the last words of the names that manifests give, in lower case.
func (o *overview) projectNames() map[string]bool {
	names := map[string]bool{}
	for f := range o.Files {
		for _, m := range o.Files[f].Marks {
			if m.Section == markName {
				names[projectWord(m.Text)] = true
			}
		}
	}
	return names
}

// projectWord is the last word of a project's name as its files bear it.
func projectWord(name string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(majorVersion.ReplaceAllString(name, "")), "-parent"))
}

// stemOf is the name of a file without its extensions, in lower case.
func stemOf(p string) string {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(p)), ".")
	return stem
}
