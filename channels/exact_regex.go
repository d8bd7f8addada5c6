package channels

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

const itemRegex = 0

// maxBranches is the most alternatives of a regular expression that are looked up.
const maxBranches = 32

// scoreMatch is the score of a chunk with matching lines, +0..99 by their number; on the line of a symbol's name more.
const (
	scoreMatch     = 600
	bonusNameMatch = 300
)

// findRegex finds the chunks with a line that the pattern matches. Lines are matched one by one, as grep does: ^ and $
// are the ends of a line, and nothing matches across lines. Words that every match must hold narrow the candidates;
// without any, all texts are read up to the bound.
func (s *exactSearch) findRegex() error {
	pattern, err := regexp.Compile(s.request.Query.Regex)
	if err != nil {
		return fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
	}
	parsed, err := syntax.Parse(s.request.Query.Regex, syntax.Perl)
	if err != nil {
		return fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
	}
	m := &lineMatcher{pattern: pattern, clauses: required(parsed.Simplify())}
	scratch := s.takeScratch()
	defer s.giveScratch(scratch)
	narrowed, err := s.narrow(scratch, m.clauses)
	if err != nil {
		return err
	}
	if !narrowed {
		return s.scan(func(open *openFile) bool {
			if !m.mayMatch(open.text) {
				return true
			}
			if !open.complete(s.reader) {
				return false
			}
			for i := range open.facts.Chunks {
				if s.chunkAllowed(open.facts, i) {
					s.matchChunk(m, open, i)
				}
			}
			return m.matched < s.options.MaxMatch
		})
	}
	var found []place
	for _, doc := range scratch.touched {
		file, chunk := s.reader.Locate(doc)
		found = append(found, place{doc, file, chunk})
	}
	slices.SortFunc(found, comparePlaces)
	for i, p := range found {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if len(s.hits) >= 4*s.request.limit() {
			s.dropped += len(found) - i
			return nil
		}
		if m.matched >= s.options.MaxMatch {
			s.covered = min(s.covered, float64(i)/float64(len(found)))
			return nil
		}
		open, err := s.openWhole(p.file)
		if err != nil {
			return err
		}
		s.matchChunk(m, open, p.chunk)
	}
	return nil
}

// lineMatcher holds a pattern against lines. Lines that lack what every match holds are passed over, which is ten times
// as fast as the pattern.
type lineMatcher struct {
	pattern *regexp.Regexp
	clauses []clause
	matched int64 // bytes of the lines that the pattern was held against
}

// mayMatch reports whether text holds, of each clause, one literal.
func (m *lineMatcher) mayMatch(text string) bool {
	for _, c := range m.clauses {
		if !c.fold && !slices.ContainsFunc(c.literals, func(l string) bool { return strings.Contains(text, l) }) {
			return false
		}
	}
	return true
}

func (m *lineMatcher) match(line string) bool {
	if !m.mayMatch(line) {
		return false
	}
	m.matched += int64(len(line)) + 1
	return m.pattern.MatchString(line)
}

func (s *exactSearch) matchChunk(m *lineMatcher, open *openFile, chunk int) {
	text, line := open.chunkText(chunk), open.facts.Chunks[chunk].Span.StartLine
	count, onName := 0, false
	for l := range strings.SplitSeq(text, "\n") {
		if m.match(l) {
			count++
			onName = onName || slices.ContainsFunc(open.facts.Chunks[chunk].Symbols, func(i int) bool { return open.facts.Symbols[i].NameLine == line })
		}
		line++
	}
	if count == 0 {
		return
	}
	score, reason := scoreMatch+often(count, len(text)/6), "regular expression"
	if onName {
		score, reason = score+bonusNameMatch, "regular expression on a definition"
	}
	s.add(hitKey{open.file, chunk, -1}, itemRegex, score, reason)
}

// narrow marks the documents that can match, and reports false when the pattern requires no word that narrows.
func (s *exactSearch) narrow(scratch *docScratch, clauses []clause) (bool, error) {
	var best [][]string // lists of words: a match has one of each
	for _, c := range clauses {
		words, ok, err := s.clauseWords(c.literals)
		if err != nil {
			return false, err
		}
		if ok {
			best = append(best, words...)
		}
	}
	if len(best) == 0 {
		return false, nil
	}
	slices.SortStableFunc(best, func(a, b []string) int { return len(a) - len(b) })
	if err := s.candidates(scratch, itemRegex, 0, best[:min(len(best), maxAtoms)]); err != nil {
		return false, err
	}
	return true, s.reader.Postings(FieldBody, analysis.LongToken, func(doc uint32, _, _ int) {
		if scratch.texts[doc] == 0 {
			s.mark(scratch, itemRegex, doc, 0)
		}
	})
}

// clauseWords turns one clause (one of these literals stands in every match) into lists of words. A clause of one
// literal gives a list for each of its atoms; one of several gives one list, the words of the longest atom of each.
func (s *exactSearch) clauseWords(clause []string) (lists [][]string, ok bool, err error) {
	if len(clause) == 1 {
		lists, whole, err := s.wordLists(analysis.LiteralAtoms(clause[0]))
		return lists, whole && len(lists) > 0, err
	}
	var words []string
	for _, literal := range clause {
		atoms := longestAtoms(analysis.LiteralAtoms(literal))
		if len(atoms) == 0 {
			return nil, false, nil
		}
		one, whole, err := s.wordLists(atoms[:1])
		if err != nil || !whole {
			return nil, false, err
		}
		words = append(words, one[0]...)
	}
	return [][]string{words}, len(words) <= 4*s.options.MaxWords, nil
}

// clause says that every match holds one of the literals, in any letter case when fold is set.
type clause struct {
	literals []string
	fold     bool
}

// required returns clauses that every match meets.
func required(re *syntax.Regexp) []clause {
	switch re.Op {
	case syntax.OpLiteral:
		return []clause{{[]string{string(re.Rune)}, re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []clause
		for _, sub := range re.Sub {
			all = append(all, required(sub)...)
		}
		return all
	case syntax.OpAlternate:
		var union clause
		for _, sub := range re.Sub {
			clauses := required(sub)
			if len(clauses) == 0 {
				return nil
			}
			best := slices.MaxFunc(clauses, func(a, b clause) int { return a.shortest() - b.shortest() })
			union.literals = append(union.literals, best.literals...)
			union.fold = union.fold || best.fold
		}
		if len(union.literals) <= maxBranches {
			return []clause{union}
		}
	}
	return nil
}

func (c clause) shortest() int {
	n := len(c.literals[0])
	for _, l := range c.literals {
		n = min(n, len(l))
	}
	return n
}
