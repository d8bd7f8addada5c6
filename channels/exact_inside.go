package channels

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"agenvantage/analysis"
)

// findInside finds a text also inside of words: its words may be parts of longer ones at its start and its end.
func (s *exactSearch) findInside(scratch *docScratch, item int, texts []exactText) error {
	t := texts[item]
	if len(t.atoms) == 0 {
		return s.scan(func(open *openFile) bool { return s.scanLiteral(open, item, t) })
	}
	whole, err := s.innerCandidates(scratch, item, t)
	if err != nil {
		return err
	}
	err = s.reader.Postings(FieldBody, analysis.LongToken, func(doc uint32, _, _ int) {
		if scratch.texts[doc]&(1<<item) == 0 {
			s.mark(scratch, item, doc, 0)
		}
	})
	if err != nil {
		return err
	}
	if err := s.verify(scratch, texts); err != nil {
		return err
	}
	scratch.clear()
	if !whole && len(s.hits) < s.request.limit() {
		s.covered = min(s.covered, 0.5) // more words hold the text than were looked at; how many more is not counted
	}
	return nil
}

// maxMiddle is how many documents with all the words in the middle of a text are compared without a look into the
// dictionary.
const maxMiddle = 256

// innerCandidates marks the documents that may hold a text inside of words; whole is false when they are not all. The
// words in the middle of the text are words of the document as they are: when they narrow enough, there is no need to
// ask the dictionary about the first and the last one.
func (s *exactSearch) innerCandidates(scratch *docScratch, item int, t exactText) (whole bool, err error) {
	var middle [][]string
	for _, a := range longestAtoms(slices.DeleteFunc(slices.Clone(t.atoms), func(a analysis.Atom) bool { return !a.Exact })) {
		middle = append(middle, []string{a.Text})
	}
	if len(middle) > 0 {
		if err := s.candidates(scratch, item, scorePart, middle); err != nil {
			return false, err
		}
		if len(scratch.touched) <= maxMiddle {
			return true, nil
		}
		scratch.clear()
		if t.kind == textLiteral && strings.ContainsAny(t.text, " \t\n") {
			return true, nil // without quotes: the words in the middle are too common to go on
		}
	}
	lists, whole, err := s.wordLists(t.atoms)
	if err != nil || len(lists) == 0 {
		return whole, err
	}
	return whole, s.candidates(scratch, item, scorePart, lists)
}

// wordLists finds, for the atoms that narrow most, the words of the dictionary that meet them. Atoms that stand in too
// many words narrow nothing and are left out; when all do, the first words of the best one are taken and whole is false.
func (s *exactSearch) wordLists(atoms []analysis.Atom) (lists [][]string, whole bool, err error) {
	dictionary, err := s.dictionary.get(s.reader, FieldBody)
	if err != nil {
		return nil, false, err
	}
	var cut []string
	for _, a := range longestAtoms(atoms) {
		if a.Exact {
			lists = append(lists, []string{a.Text})
			continue
		}
		words, all := dictionary.containing(a.Text, s.options.MaxWords)
		switch {
		case all:
			lists = append(lists, words)
		case cut == nil:
			cut = words
		}
	}
	if len(lists) == 0 && cut != nil {
		return [][]string{cut}, false, nil
	}
	slices.SortStableFunc(lists, func(a, b []string) int { return cmp.Compare(len(a), len(b)) })
	return lists, true, nil
}

// scan calls look for each file in scope, in the order of paths, until the list has room no more, the bound of bytes is
// reached, or look returns false: its own bound is reached, or it failed.
func (s *exactSearch) scan(look func(open *openFile) bool) error {
	files, read := s.reader.FileCount(), int64(0)
	for file := range uint32(files) {
		if !s.request.Scope.Has(file) {
			continue
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if len(s.hits) >= 2*s.request.limit() {
			return nil
		}
		if read >= s.options.MaxScanBytes {
			s.covered = min(s.covered, float64(file)/float64(files))
			return nil
		}
		text, err := s.reader.Text(file)
		if err != nil {
			return err
		}
		read += int64(len(text))
		open := &openFile{file: file, text: text}
		if !look(open) {
			s.covered = min(s.covered, float64(file+1)/float64(files))
			return open.failed
		}
	}
	return nil
}

// scanLiteral adds the chunks of a file that hold the text; it reports whether the file could be read.
func (s *exactSearch) scanLiteral(open *openFile, item int, t exactText) bool {
	if !strings.Contains(open.text, t.text) {
		return true
	}
	if !open.complete(s.reader) {
		return false
	}
	for i := range open.facts.Chunks {
		if !s.chunkAllowed(open.facts, i) {
			continue
		}
		if score, reason := t.scoreIn(open.chunkText(i), true); score > 0 {
			s.add(hitKey{open.file, i, -1}, item, score, reason)
		}
	}
	return true
}

// lazyDictionary reads the dictionary of one field when it is first needed.
type lazyDictionary struct {
	mu    sync.Mutex
	built *dictionary
}

func (l *lazyDictionary) get(reader ExactReader, field string) (*dictionary, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.built == nil {
		lines, err := reader.TermLines(field)
		if err != nil {
			return nil, err
		}
		l.built = &dictionary{lines}
	}
	return l.built, nil
}

// dictionary is the terms of a field in one text, a line each, perhaps more than once: looking for what contains a string
// is then a plain text search (1 GB/s and more), where an automaton over the term dictionary takes 90 ms and up for a
// corpus of 90 MB.
type dictionary struct{ lines string }

// ending returns the terms that end with part and are longer, sorted, at most limit.
func (d *dictionary) ending(part string, limit int) []string {
	var terms []string
	for at, line := 0, part+"\n"; ; {
		i := strings.Index(d.lines[at:], line)
		if i < 0 {
			break
		}
		i += at
		if start := strings.LastIndexByte(d.lines[:i], '\n') + 1; start < i {
			terms = append(terms, d.lines[start:i+len(part)])
		}
		at = i + len(line)
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	return terms[:min(len(terms), limit)]
}

// containing returns the terms that contain part, sorted, at most limit; all tells that there are no more. How the terms
// are spread over segments makes no difference.
func (d *dictionary) containing(part string, limit int) (terms []string, all bool) {
	if part == "" {
		return nil, false
	}
	for at := 0; ; {
		i := strings.Index(d.lines[at:], part)
		if i < 0 {
			break
		}
		i += at
		start := strings.LastIndexByte(d.lines[:i], '\n') + 1
		end := len(d.lines)
		if n := strings.IndexByte(d.lines[i:], '\n'); n >= 0 {
			end = i + n
		}
		if term := d.lines[start:end]; term != analysis.LongToken {
			terms = append(terms, term)
		}
		at = end
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if len(terms) > limit {
		return terms[:limit], false
	}
	return terms, true
}
