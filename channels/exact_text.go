package channels

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// textKind is the kind of a text that is looked for as it stands.
type textKind int

const (
	textIdentifier textKind = iota
	textQualified
	textPhrase
	textLiteral // the whole question
)

type exactText struct {
	text   string
	kind   textKind
	atoms  []analysis.Atom
	inside bool // also look inside of words when there is room in the list
}

// maxTexts is the most texts that one question looks for: one bit each.
const maxTexts = 64

// texts lists what the question spells out, without repeats.
func (s *exactSearch) texts() []exactText {
	q := s.request.Query
	var list []exactText
	seen := map[string]bool{}
	add := func(text string, kind textKind, inside bool) {
		if text != "" && !seen[text] && len(list) < maxTexts {
			seen[text] = true
			t := exactText{text: text, kind: kind, atoms: analysis.LiteralAtoms(text)}
			t.inside = inside && (kind != textLiteral || t.hasMiddle() || !strings.ContainsAny(text, " \t\n"))
			list = append(list, t)
		}
	}
	short := q.Class == agenvantage.ClassIdentifier || q.Class == agenvantage.ClassPhrase
	for _, p := range q.Phrases[:min(len(q.Phrases), maxTexts/4)] {
		add(p, textPhrase, true)
	}
	for _, n := range q.Qualified[:min(len(q.Qualified), maxTexts/4)] {
		add(n, textQualified, short)
	}
	// The whole question comes before the identifiers, so that it has its place; a lone name is an identifier.
	// A glob stands in no text as it is.
	glob := q.Class == agenvantage.ClassPath && strings.ContainsAny(q.Literal, "*?")
	if (q.Class != agenvantage.ClassIdentifier || len(q.Identifiers) == 0) && !glob {
		add(q.Literal, textLiteral, q.Class != agenvantage.ClassPath)
	}
	for _, n := range q.Identifiers {
		add(n, textIdentifier, short)
	}
	if q.Class == agenvantage.ClassIdentifier {
		add(q.Literal, textLiteral, short)
	}
	return list
}

// docScratch holds one entry per document; those named by touched are not zero.
type docScratch struct {
	estimate []float64
	texts    []uint64 // which texts the document may hold
	spelled  []uint64 // of which texts it holds all the words that narrow, in any spelling
	step     []uint8  // how many atoms in a row it holds
	touched  []uint32
	kept     []uint32 // those that are spelled
	stepped  []uint32
}

func (c *Exact) takeScratch() *docScratch {
	n := c.reader.DocBound()
	if s, ok := c.scratch.Get().(*docScratch); ok && len(s.step) >= n {
		return s
	}
	return &docScratch{estimate: make([]float64, n), texts: make([]uint64, n), spelled: make([]uint64, n), step: make([]uint8, n)}
}

func (c *Exact) giveScratch(s *docScratch) {
	s.clear()
	for _, doc := range s.kept {
		s.spelled[doc] = 0
	}
	s.kept = s.kept[:0]
	for _, doc := range s.stepped {
		s.step[doc] = 0
	}
	s.stepped = s.stepped[:0]
	c.scratch.Put(s)
}

func (s *docScratch) clear() {
	for _, doc := range s.touched {
		s.estimate[doc], s.texts[doc] = 0, 0
	}
	s.touched = s.touched[:0]
}

// keepSpelled remembers what the documents hold, beyond clear.
func (s *docScratch) keepSpelled() {
	for _, doc := range s.touched {
		if s.spelled[doc] == 0 {
			s.kept = append(s.kept, doc)
		}
		s.spelled[doc] |= s.texts[doc]
	}
}

// maxAtoms is how many words of a text narrow its candidates down; the text itself decides.
const maxAtoms = 4

// findText finds the texts of the question: first as whole words, by their postings; then, when few were found, inside
// of words, by the dictionary; and by reading everything when a text has no letters or digits.
func (s *exactSearch) findText() error {
	texts := s.texts()
	for _, t := range texts {
		if t.kind == textPhrase { // they come first
			s.quoted = append(s.quoted, t.text)
		}
	}
	if err := s.findTexts(texts); err != nil {
		return err
	}
	if s.folded = s.unquoted(); s.folded == 0 {
		return nil
	}
	return s.findTexts(texts)
}

// unquoted lists the quotations to look for in another letter case, a bit each: those of a short text that nothing holds as they stand, and those of a
// long one that nothing at all was found for.
func (s *exactSearch) unquoted() (items uint64) {
	if !s.request.Query.Short && len(s.hits) > 0 {
		return 0
	}
	items = 1<<len(s.quoted) - 1
	for _, h := range s.hits {
		for _, i := range h.items {
			if i.item >= 0 {
				items &^= 1 << i.item
			}
		}
	}
	return items
}

func (s *exactSearch) findTexts(texts []exactText) error {
	scratch := s.takeScratch()
	defer s.giveScratch(scratch)
	for i, t := range texts {
		if len(t.atoms) == 0 || s.folded != 0 && s.folded&(1<<i) == 0 {
			continue
		}
		lists := make([][]string, 0, maxAtoms)
		for _, a := range longestAtoms(t.atoms) {
			lists = append(lists, []string{a.Text})
		}
		if err := s.candidates(scratch, i, t.wholeScore(), lists); err != nil {
			return err
		}
	}
	scratch.keepSpelled()
	if err := s.verify(scratch, texts); err != nil {
		return err
	}
	scratch.clear()
	for i, t := range texts {
		if s.folded != 0 && s.folded&(1<<i) == 0 || !t.inside || t.kind != textPhrase && len(s.hits) >= min(s.options.FillBelow, s.request.limit()) {
			continue
		}
		if err := s.findInside(scratch, i, texts); err != nil {
			return err
		}
	}
	return nil
}

// wholeScore is the score of the text as it stands, between word borders.
func (t exactText) wholeScore() float64 {
	switch t.kind {
	case textIdentifier:
		return scoreWord
	case textQualified:
		return scoreQualifiedText
	}
	return scorePhrase
}

// hasMiddle reports whether words of the text have other text on both sides: they cost no look into the dictionary.
func (t exactText) hasMiddle() bool {
	return slices.ContainsFunc(t.atoms, func(a analysis.Atom) bool { return a.Exact })
}

// longestAtoms returns up to maxAtoms atoms, the longest first: they are likely the rarest.
func longestAtoms(atoms []analysis.Atom) []analysis.Atom {
	sorted := slices.Clone(atoms)
	slices.SortStableFunc(sorted, func(a, b analysis.Atom) int { return len(b.Text) - len(a.Text) })
	return sorted[:min(len(sorted), maxAtoms)]
}

// candidates marks the documents in scope that have, of each list of terms, at least one.
func (s *exactSearch) candidates(scratch *docScratch, item int, base float64, lists [][]string) error {
	for i, terms := range lists {
		last := i == len(lists)-1
		for _, term := range terms {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			err := s.reader.Postings(FieldBody, term, func(doc uint32, freq, length int) {
				if int(scratch.step[doc]) != i {
					return
				}
				scratch.step[doc]++
				if i == 0 {
					scratch.stepped = append(scratch.stepped, doc)
				}
				if last {
					s.mark(scratch, item, doc, base+often(freq, length))
				}
			})
			if err != nil {
				return err
			}
		}
	}
	for _, doc := range scratch.stepped {
		scratch.step[doc] = 0
	}
	scratch.stepped = scratch.stepped[:0]
	return nil
}

func (s *exactSearch) mark(scratch *docScratch, item int, doc uint32, score float64) {
	if !s.allowed.allows(doc) {
		return
	}
	if file, chunk := s.reader.Locate(doc); chunk < 0 || !s.request.Scope.Has(file) {
		return
	}
	if scratch.texts[doc] == 0 {
		scratch.touched = append(scratch.touched, doc)
	} else {
		score += bonusMoreItems
	}
	scratch.texts[doc] |= 1 << item
	scratch.estimate[doc] += score
}

// often is 0 to 99: more for more occurrences and for a shorter chunk.
func often(count, tokens int) float64 {
	return 99 * float64(count) / (float64(count) + 1 + float64(tokens)/256)
}

// maxVerifyProse is how many candidates are compared for the names in a sentence, an issue or a trace, and for a few
// words without quotes: the list is one of several signals there. With 4,000, two frequent words of the Go standard
// library ("of code") took 200 ms; quotes lift the bound.
const maxVerifyProse = 512

// verifyBatch is how many candidates are compared before the number of hits is looked at again.
const verifyBatch = 64

// verify compares the marked documents with their texts, the most promising first, until the list is full or the bound
// is reached.
func (s *exactSearch) verify(scratch *docScratch, texts []exactText) error {
	order := make([]promising, 0, len(scratch.touched))
	for _, doc := range scratch.touched {
		file, chunk := s.reader.Locate(doc)
		order = append(order, promising{place{doc, file, chunk}, scratch.estimate[doc]})
	}
	slices.SortFunc(order, func(a, b promising) int {
		return cmp.Or(cmp.Compare(b.estimate, a.estimate), comparePlaces(a.place, b.place))
	})
	enough := s.request.limit() + s.request.limit()/4
	if isProse(s.request.Query) && len(order) > maxVerifyProse {
		s.dropped += len(order) - maxVerifyProse
		order = order[:maxVerifyProse]
	}
	for start := 0; start < len(order); start += verifyBatch {
		if len(s.hits) >= enough {
			s.dropped += len(order) - start
			return nil
		}
		if s.verified >= s.options.MaxVerify {
			s.covered = min(s.covered, float64(start)/float64(len(order)))
			return nil
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		batch := order[start:min(start+verifyBatch, len(order))]
		slices.SortFunc(batch, func(a, b promising) int { return comparePlaces(a.place, b.place) }) // each file is opened once
		for _, p := range batch {
			if err := s.verifyOne(p.place, scratch, texts); err != nil {
				return err
			}
		}
		s.verified += len(batch)
	}
	return nil
}

// isProse reports whether the question describes what it looks for rather than spelling it out.
func isProse(q agenvantage.Query) bool {
	switch q.Class {
	case agenvantage.ClassQuestion, agenvantage.ClassIssue, agenvantage.ClassTrace:
		return true
	case agenvantage.ClassPhrase:
		return len(q.Phrases) == 0 && strings.Contains(q.Literal, " ")
	}
	return false
}

type promising struct {
	place
	estimate float64
}

// verifyOne compares one chunk with the texts that it may hold.
func (s *exactSearch) verifyOne(p place, scratch *docScratch, texts []exactText) error {
	open, err := s.open(p.file)
	if err != nil {
		return err
	}
	chunk := open.chunkText(p.chunk)
	for which := scratch.texts[p.doc]; which != 0; which &= which - 1 {
		item := bits.TrailingZeros64(which)
		if s.hits[hitKey{p.file, p.chunk, -1}].has(item) {
			continue
		}
		score, reason := texts[item].scoreIn(chunk, texts[item].kind != textPhrase || s.folded&(1<<item) != 0)
		if score == 0 && texts[item].isOneWord() && scratch.spelled[p.doc]&(1<<item) != 0 {
			score, reason = scoreSpellingInText, "identifier in another spelling"
		}
		if score > 0 {
			s.add(hitKey{p.file, p.chunk, -1}, item, score, reason)
		}
	}
	return nil
}

// isOneWord reports whether the text is an identifier that is one word of the index: a document with that word holds the identifier,
// perhaps in another spelling (user_id, userId).
func (t exactText) isOneWord() bool { return t.kind == textIdentifier && len(t.atoms) == 1 }

// scoreIn scores the text in a chunk; 0 when it is not there. fold lets another letter case pass.
func (t exactText) scoreIn(chunk string, fold bool) (float64, string) {
	tokens := len(chunk) / 6 // a rough length in tokens, the same for every text
	whole, part := occurrences(chunk, t.text)
	switch {
	case whole > 0 && t.kind == textIdentifier:
		return scoreWord + often(whole, tokens), "identifier"
	case whole > 0:
		return t.wholeScore() + often(whole, tokens), "literal"
	case part > 0:
		return scorePart + often(part, tokens)/2, "literal inside of words"
	}
	if !fold {
		return 0, ""
	}
	if n := foldedOccurrences(chunk, t.text); n > 0 {
		return scoreSpellingInText + often(n, tokens)/2, "literal in another letter case"
	}
	return 0, ""
}
