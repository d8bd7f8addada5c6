package channels

import (
	"cmp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// maxLastNames is the most definitions of the last name of a qualified name whose qualifier is unknown (model.fit):
// more of them say nothing.
const maxLastNames = 8

// place is a document with where it stands.
type place struct {
	doc   uint32
	file  uint32
	chunk int
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.chunk, b.chunk))
}

// findDefinitions finds the symbols that the question names.
func (s *exactSearch) findDefinitions() error {
	for i, t := range s.texts() {
		var parts []string
		switch t.kind {
		case textIdentifier:
			parts = []string{t.text}
		case textQualified:
			parts = splitQualified(t.text)
		}
		if err := s.defined(i, parts); err != nil {
			return err
		}
		if len(parts) > 0 && s.request.Query.Class == agenvantage.ClassIdentifier && !s.defines() {
			if err := s.endOfNames(i, parts); err != nil {
				return err
			}
		}
	}
	if q := s.request.Query; q.Class == agenvantage.ClassIdentifier && len(q.Identifiers) == 1 && !s.anyDefinition() {
		return s.longerNames(q.Identifiers[0])
	}
	if name := joinedName(s.request.Query); name != "" {
		return s.eachNamed(name, func(key hitKey, symbol agenvantage.Symbol) {
			if analysis.Normalise(symbol.Name) == name {
				s.add(key, itemJoined, scoreOtherSpelling+kindBonus(symbol), reasonOtherSpelling)
			}
		})
	}
	return nil
}

func (s *exactSearch) anyDefinition() bool {
	for key := range s.hits {
		if key.symbol >= 0 {
			return true
		}
	}
	return false
}

// maxLongerNames is the most names that are looked at because they hold the one that is asked for.
const maxLongerNames = 128

// minPartName is the length of the shortest name that is looked for inside of others, in bytes.
const minPartName = 3

// longerNames finds the symbols whose names hold all the parts of a name in a row: user_profile in loadUserProfile.
func (s *exactSearch) longerNames(name string) error {
	parts := analysis.SplitIdentifier(name)
	want := analysis.Normalise(name)
	if len(parts) == 0 || len(want) < minPartName {
		return nil
	}
	dictionary, err := s.names.get(s.reader, FieldName)
	if err != nil {
		return err
	}
	longer, _ := dictionary.containing(want, maxLongerNames)
	for _, term := range longer {
		err := s.eachNamed(term, func(key hitKey, symbol agenvantage.Symbol) {
			if more := holdsParts(analysis.SplitIdentifier(symbol.Name), want); more > 0 {
				s.add(key, itemJoined, scoreLongerName+kindBonus(symbol)-10*float64(min(more, 20)), "definition of a longer name")
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// holdsParts returns how many parts there are beside some in a row that make want when joined; 0 when none do.
func holdsParts(parts []string, want string) int {
	for i := range parts {
		joined := ""
		for j := i; j < len(parts) && len(joined) < len(want); j++ {
			joined += parts[j]
			if joined == want {
				return len(parts) - (j - i + 1)
			}
		}
	}
	return 0
}

// normalisedName is the normalised form of the parts of a qualified name.
func normalisedName(parts []string) string { return analysis.Normalise(strings.Join(parts, ".")) }

// itemJoined is the phrase taken as one name.
const itemJoined = -3

// defined finds the definitions of a name given as its parts, outermost first.
func (s *exactSearch) defined(item int, parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	last := parts[len(parts)-1]
	want := analysis.Normalise(last)
	var loose []hitKey
	strict, failed := 0, error(nil)
	if len(parts) > 1 { // the index knows symbols by their name and some parents too, which spares walking over all of that name
		err := s.eachNamed(normalisedName(parts), func(key hitKey, symbol agenvantage.Symbol) {
			if endOfName(symbol.Name) != last {
				return
			}
			if score, reason := s.qualifies(key.file, symbol, parts); score > 0 {
				strict++
				s.add(key, item, score+kindBonus(symbol), reason)
			}
		})
		if err != nil || strict > 0 {
			return err
		}
	}
	err := s.eachNamed(want, func(key hitKey, symbol agenvantage.Symbol) {
		score, reason := 0.0, ""
		switch {
		case symbol.Name != last && symbol.Qualified != last:
			if len(parts) == 1 && analysis.Normalise(symbol.Name) == want {
				score, reason = scoreOtherSpelling, reasonOtherSpelling
				if symbol.Kind == agenvantage.KindSection {
					score, reason = scoreImported, "heading in another spelling"
				}
			}
		case len(parts) == 1:
			facts, err := s.reader.Facts(key.file)
			if err != nil {
				failed = err
				return
			}
			score, reason = originOf(facts, key.symbol)
		default:
			score, reason = s.qualifies(key.file, symbol, parts)
			if score == 0 {
				loose = append(loose, key)
			}
		}
		if score > 0 {
			strict++
			s.add(key, item, score+kindBonus(symbol), reason)
		}
	})
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	if strict == 0 && len(loose) <= maxLastNames {
		for _, key := range loose {
			s.add(key, item, scoreLastName, "definition of the last name")
		}
	}
	return nil
}

// qualifies scores a symbol of the right name by its parents, its file and its folders against the qualifiers.
func (s *exactSearch) qualifies(file uint32, symbol agenvantage.Symbol, parts []string) (float64, string) {
	names := splitQualified(symbol.Qualified)
	if len(names) == 0 {
		names = []string{symbol.Name}
	}
	if slices.Equal(names, parts) {
		return scoreDefinition, reasonDefinition
	}
	if endsWithNames(names, parts) {
		return scoreQualified, "qualified definition"
	}
	qualifier := parts[len(parts)-2]
	path := s.reader.Path(file)
	dir, base := splitPath(path)
	if len(names) == 1 || endsWithNames(parts, names) {
		outer := parts[max(0, len(parts)-len(names)-1)]
		if analysis.Normalise(stemOf(base)) == analysis.Normalise(outer) || analysis.Normalise(lastName(dir)) == analysis.Normalise(outer) {
			return scoreModuleName, "definition in a module of the qualifier's name"
		}
	}
	if slices.Contains(names[:len(names)-1], qualifier) {
		return scoreModuleName, "qualified definition"
	}
	return 0, ""
}

// eachNamed calls visit for each symbol in scope whose name, or qualified name, may be the normalised one, in the order
// of path and line.
func (s *exactSearch) eachNamed(name string, visit func(key hitKey, symbol agenvantage.Symbol)) error {
	if name == "" {
		return nil
	}
	var found []place
	err := s.reader.Postings(FieldName, name, func(doc uint32, _, _ int) {
		if s.allowed.allows(doc) {
			if file, chunk := s.reader.Locate(doc); chunk >= 0 && s.request.Scope.Has(file) {
				found = append(found, place{doc, file, chunk})
			}
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(found, comparePlaces)
	if len(found) > s.options.MaxNamed {
		s.covered = min(s.covered, float64(s.options.MaxNamed)/float64(len(found)))
		found = found[:s.options.MaxNamed]
	}
	for _, p := range found {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		facts, err := s.reader.Facts(p.file)
		if err != nil {
			return err
		}
		for _, i := range facts.Chunks[p.chunk].Symbols {
			if symbol := facts.Symbols[i]; s.kindAllowed(symbol.Kind) {
				visit(hitKey{p.file, p.chunk, i}, symbol)
			}
		}
	}
	return nil
}

// kindBonus orders definitions of one name: what holds or does something before what is held, and of two that are
// alike the one with a body (a forward declaration or stub is one line).
func kindBonus(symbol agenvantage.Symbol) float64 {
	body := float64(min(symbol.Span.Lines(), 9))
	switch symbol.Kind {
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindEnum, agenvantage.KindFunction, agenvantage.KindMacro:
		return 90 + body
	case agenvantage.KindType, agenvantage.KindMethod, agenvantage.KindConstant, agenvantage.KindModule:
		return 60 + body
	case agenvantage.KindVariable, agenvantage.KindField:
		return 30 + body
	}
	return body
}

func splitPath(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

func lastName(dir string) string { return dir[strings.LastIndexByte(dir, '/')+1:] }

// stemOf is a file name without its extension: "cart.go" and ".cart" are "cart" and ".cart".
func stemOf(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}
