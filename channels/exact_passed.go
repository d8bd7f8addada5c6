package channels

import (
	"slices"
	"strings"

	"agenvantage"
)

// A repository holds a name in more places than the one that defines it: files import it, and files pass it on to others (pub use,
// export … from, exports.name = name). Of what comes from outside of the repository, a place that passes it on is the nearest thing
// to a definition.

// originOf scores a symbol of the name that is asked for by whether its file has the name from another one. An import in the body of
// a function or a type is its own business: only a name that is nothing but what was imported comes from elsewhere.
func originOf(facts *agenvantage.Extraction, symbol int) (score float64, reason string) {
	score, reason = scoreDefinition, reasonDefinition
	if !isGiven(facts.Symbols[symbol].Kind) {
		return score, reason
	}
	for i := range facts.Imports {
		m := &facts.Imports[i]
		switch {
		case m.From != symbol:
		case m.Exported && (m.Path != "" || imports(facts, m.Name)):
			return scorePassedOn, "passed on"
		case m.Path != "":
			score, reason = scoreImported, "imported"
		}
	}
	return score, reason
}

// isGiven reports whether symbols of the kind are given a value, rather than written out where they are named.
func isGiven(kind agenvantage.SymbolKind) bool {
	return kind == agenvantage.KindVariable || kind == agenvantage.KindConstant || kind == agenvantage.KindField
}

// imports reports whether a file imports something that it calls name.
func imports(facts *agenvantage.Extraction, name string) bool {
	return slices.ContainsFunc(facts.Imports, func(m agenvantage.Import) bool { return m.Path != "" && localName(m) == name })
}

// localName is what a file calls what it imports.
func localName(m agenvantage.Import) string {
	switch {
	case m.Alias != "":
		return m.Alias
	case m.Name != "":
		return m.Name
	}
	return endOfName(m.Path)
}

// passesOn reports whether the lines of span offer name to other files and do not define it.
func passesOn(facts *agenvantage.Extraction, span agenvantage.Span, name string) bool {
	return slices.ContainsFunc(facts.Imports, func(m agenvantage.Import) bool {
		return m.Exported && m.Path != "" && span.HasLine(m.Line) && localName(m) == name
	})
}

// raisePassedOn raises the places that pass the lone name of a question on where no symbol has it. The same name in another spelling
// is then something else (the methods from_request of what implements FromRequest), and no definition of it.
func (s *exactSearch) raisePassedOn() error {
	q := s.request.Query
	if q.Class != agenvantage.ClassIdentifier || len(q.Identifiers) != 1 || s.defines() {
		return nil
	}
	raised := false
	for key, h := range s.hits {
		for i := range h.items {
			item := &h.items[i]
			if key.symbol >= 0 || item.score < scoreWord || item.score >= scoreWord+100 {
				continue
			}
			facts, err := s.reader.Facts(key.file)
			if err != nil {
				return err
			}
			if passesOn(facts, facts.Chunks[key.chunk].Span, q.Identifiers[0]) {
				item.score += scorePassedOn - scoreWord
				h.reason, raised = "passed on", true
			}
		}
	}
	if raised {
		s.lowerOtherSpellings()
	}
	return nil
}

// defines reports whether a symbol was found that has the name which is asked for as it is written, and not from elsewhere.
func (s *exactSearch) defines() bool {
	for key, h := range s.hits {
		if key.symbol >= 0 && slices.ContainsFunc(h.items, func(i itemScore) bool { return i.item >= 0 && i.score >= scoreModuleName }) {
			return true
		}
	}
	return false
}

// lowerOtherSpellings takes definitions in another spelling for uses.
func (s *exactSearch) lowerOtherSpellings() {
	for key, h := range s.hits {
		for i := range h.items {
			if item := &h.items[i]; key.symbol >= 0 && item.score >= scoreOtherSpelling && item.score < scoreOtherSpelling+100 {
				item.score = scoreImported
			}
		}
	}
}

// maxEndings is the most names that are looked at because they end with the one that is asked for.
const maxEndings = 128

// endOfNames finds the types and modules whose names are written with their parents and end with parts: Conn, and Plug.Conn, in
// defmodule App.Plug.Conn. Other symbols have the name alone.
func (s *exactSearch) endOfNames(item int, parts []string) error {
	want := normalisedName(parts)
	if len(want) < minPartName {
		return nil
	}
	dictionary, err := s.names.get(s.reader, FieldName)
	if err != nil {
		return err
	}
	for _, term := range dictionary.ending(want, maxEndings) {
		err := s.eachNamed(term, func(key hitKey, symbol agenvantage.Symbol) {
			if names := splitQualified(symbol.Name); isType(symbol.Kind) && len(names) > 1 && endsWithNames(names, parts) {
				score, reason := float64(scoreQualified), "qualified definition"
				if len(parts) == 1 {
					score, reason = scoreDefinition, reasonDefinition
				}
				s.add(key, item, score+kindBonus(symbol), reason)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isType reports whether symbols of the kind are types or hold other symbols.
func isType(kind agenvantage.SymbolKind) bool {
	return isContainer(kind) && kind != agenvantage.KindSection || kind == agenvantage.KindEnum || kind == agenvantage.KindType
}

// endOfName is the last of the names of a qualified name.
func endOfName(name string) string {
	if !strings.ContainsAny(name, ":>.#\\/") {
		return name
	}
	parts := splitQualified(name)
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
}
