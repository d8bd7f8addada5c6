package channels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// Bounds of what one file shows.
const (
	maxProvenanceChunks = 3   // chunks of one file
	hunkFiles           = 20  // the best files, whose commits are read for their lines
	laterChunk          = 0.5 // what a further chunk of a file is worth, beside its share of the votes
	maxLabel            = 60  // characters of a subject in a reason
	labelled            = 20  // files whose reason has a subject: reading one may cost as much as scoring a term
)

// hitsOf turns files into hits on their chunks.
func (s *provenanceSearch) hitsOf(files []scoredFile) ([]agenvantage.Hit, error) {
	chunks, err := s.chunksByVotes(files)
	if err != nil {
		return nil, err
	}
	listed := make(map[uint32]bool, len(files))
	for _, f := range files {
		listed[f.file] = true
	}
	if err := s.countTerms(func(file uint32) bool { return listed[file] }); err != nil {
		return nil, err
	}
	var hits []agenvantage.Hit
	for i, f := range files {
		facts, err := s.reader.Facts(f.file)
		if err != nil {
			return nil, err
		}
		reason, err := s.reason(f.file, i < labelled)
		if err != nil {
			return nil, err
		}
		ranked := s.rankChunks(f.file, facts, chunks[f.file])
		for i, c := range ranked {
			score := f.score
			if i > 0 {
				score *= laterChunk * c.weight / ranked[0].weight
			}
			hits = append(hits, agenvantage.Hit{File: f.file, Chunk: c.chunk, Symbol: -1, Span: facts.Chunks[c.chunk].Span, Score: score, Reason: reason})
		}
	}
	return hits, nil
}

// chunkWeight is a chunk with the votes of the commits that changed it.
type chunkWeight struct {
	chunk  int
	weight float64
}

// rankChunks lists the chunks of a file that are shown: those that votes lead to, the most weighty first, of equals those with
// more of the question's terms, then those that are no header; without any, the
// one that shares most terms with the question by its names and comments, of equals the first that is no header.
func (s *provenanceSearch) rankChunks(file uint32, facts *agenvantage.Extraction, votes map[int]float64) []chunkWeight {
	var ranked []chunkWeight
	for chunk, weight := range votes {
		ranked = append(ranked, chunkWeight{chunk, weight})
	}
	header := func(chunk int) int {
		if facts.Chunks[chunk].Kind == agenvantage.ChunkHeader {
			return 1
		}
		return 0
	}
	slices.SortFunc(ranked, func(a, b chunkWeight) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(s.termsIn[chunkKey{file, b.chunk}], s.termsIn[chunkKey{file, a.chunk}]),
			cmp.Compare(header(a.chunk), header(b.chunk)), cmp.Compare(a.chunk, b.chunk))
	})
	if len(ranked) > 0 {
		return ranked[:min(len(ranked), maxProvenanceChunks)]
	}
	best, bestTerms := -1, -1
	for chunk := range facts.Chunks {
		if !s.chunkAllowed(facts, chunk) {
			continue
		}
		terms := 2 * s.termsIn[chunkKey{file, chunk}]
		if facts.Chunks[chunk].Kind != agenvantage.ChunkHeader {
			terms++
		}
		if terms > bestTerms {
			best, bestTerms = chunk, terms
		}
	}
	if best < 0 {
		return nil // the file has nothing of the kinds that are asked for
	}
	return []chunkWeight{{best, 1}}
}

// chunkKey names a chunk.
type chunkKey struct {
	file  uint32
	chunk int
}

// maxNameTerms is how many terms of a question are counted in chunks: the first ones.
const maxNameTerms = 16

// countTerms counts the distinct terms of the question in the names, signatures and doc comments of each chunk of the files.
func (s *provenanceSearch) countTerms(files func(file uint32) bool) error {
	s.termsIn = map[chunkKey]int{}
	for _, t := range s.terms[:min(len(s.terms), maxNameTerms)] {
		counted := map[uint32]bool{}
		for _, field := range []string{FieldSymbol, FieldSignature, FieldDoc} {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			err := s.reader.Postings(field, t.Text, func(doc uint32, _, _ int) {
				file, chunk := s.reader.Locate(doc)
				if chunk >= 0 && files(file) && !counted[doc] {
					counted[doc] = true
					s.termsIn[chunkKey{file, chunk}]++
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// chunksByVotes reads which lines the weightiest commits of the best files changed, and gives each commit's vote to the chunks
// where those lines are today.
func (s *provenanceSearch) chunksByVotes(files []scoredFile) (map[uint32]map[int]float64, error) {
	wanted := map[uint32]bool{}
	for _, f := range files[:min(len(files), hunkFiles)] {
		wanted[f.file] = true
	}
	weights := map[uint32]float64{}
	var commits []uint32
	for _, v := range s.votes { // best first
		_, _, _, touched := s.history.Commit(v.commit)
		if len(commits) < s.options.HunkCommits && slices.ContainsFunc(touched, func(f uint32) bool { return wanted[f] }) {
			commits = append(commits, v.commit)
			weights[v.commit] = v.weight
		}
	}
	chunks := map[uint32]map[int]float64{}
	if len(commits) == 0 {
		return chunks, nil
	}
	var failed error
	err := s.past.Changes(s.ctx, commits, func(commit uint32, changed []ChangedLines) {
		for _, f := range changed {
			if !wanted[f.File] || failed != nil {
				continue
			}
			facts, err := s.reader.Facts(f.File)
			if err != nil {
				failed = err
				return
			}
			led := s.chunksOf(facts, f, s.unchangedSince(f.File, commit))
			if len(led) > 0 && chunks[f.File] == nil {
				chunks[f.File] = map[int]float64{}
			}
			for _, chunk := range led {
				chunks[f.File][chunk] += weights[commit]
			}
		}
	})
	if err == nil {
		err = failed
	}
	return chunks, err
}

// unchangedSince reports whether a file is today what the commit made of it.
func (s *provenanceSearch) unchangedSince(file, commit uint32) bool {
	touching := s.history.Touching(file)
	_, dirty := s.dirty[file]
	return !dirty && len(touching) > 0 && touching[0] == commit
}

// chunksOf are the chunks of today that changed lines lead to, each once: by the lines where the file has not changed since,
// otherwise by the function before them, as far as a symbol of its name is left.
func (s *provenanceSearch) chunksOf(facts *agenvantage.Extraction, f ChangedLines, sameLines bool) []int {
	var chunks []int
	for i, span := range f.Lines {
		if sameLines {
			if at := chunksAt(facts, span); len(at) <= maxProvenanceChunks { // a hunk over more leads nowhere
				chunks = append(chunks, at...)
			}
			continue
		}
		if chunk := s.chunkOfHead(facts, f.Heads[i], span.StartLine); chunk >= 0 {
			chunks = append(chunks, chunk)
		}
	}
	slices.Sort(chunks)
	return slices.DeleteFunc(slices.Compact(chunks), func(chunk int) bool { return !s.chunkAllowed(facts, chunk) })
}

// chunkOfHead finds the chunk of a function by the line that git shows as its head: of the symbols whose name is a word of the
// line, one whose signature begins as the line does, else the longest name; within the symbol, the chunk nearest to the
// line number. It is -1 when there is none.
func (s *provenanceSearch) chunkOfHead(facts *agenvantage.Extraction, head string, line int) int {
	if head == "" {
		return -1
	}
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(head, func(r rune) bool { return !isWordRune(r) }) {
		words[w] = true
	}
	best, bestFit := -1, 0
	for i := range facts.Symbols {
		symbol := &facts.Symbols[i]
		if !words[symbol.Name] {
			continue
		}
		fit := len(symbol.Name)
		if begin := strings.Fields(head); symbol.Signature != "" && strings.HasPrefix(symbol.Signature, strings.TrimRight(strings.Join(begin, " "), "{: ")) {
			fit += 1000
		}
		if fit > bestFit {
			best, bestFit = i, fit
		}
	}
	if best < 0 {
		return -1
	}
	span := facts.Symbols[best].Span
	return nearestChunk(facts, min(max(line, span.StartLine), span.EndLine), func(chunk int) bool { return facts.Chunks[chunk].Span.Overlaps(span) })
}

// nearestChunk is the chunk nearest to a line among those that may be, the earlier of equals; -1 when there is none.
func nearestChunk(facts *agenvantage.Extraction, line int, may func(chunk int) bool) int {
	best, bestDistance := -1, 0
	for i := range facts.Chunks {
		span := facts.Chunks[i].Span
		distance := max(span.StartLine-line, line-span.EndLine, 0)
		if may(i) && (best < 0 || distance < bestDistance) {
			best, bestDistance = i, distance
		}
	}
	return best
}

// reason says which commits speak for a file: commit 1a2b3c4 "subject…" (and 3 more).
func (s *provenanceSearch) reason(file uint32, withSubject bool) (string, error) {
	var parts []string
	if voters := s.voters[file]; len(voters) > 0 {
		text := "commit " + s.history.ShortID(voters[0].commit)
		if withSubject {
			subject, err := s.history.Subject(voters[0].commit)
			if err != nil {
				return "", err
			}
			text += fmt.Sprintf(" %q", shortened(subject, maxLabel))
		}
		if len(voters) > 1 {
			text += fmt.Sprintf(" (and %d more)", len(voters)-1)
		}
		parts = append(parts, text)
	}
	if p, ok := s.partners[file]; ok {
		parts = append(parts, fmt.Sprintf("changed with %s in %d of %d commits", s.reader.Path(p.with), p.together, p.all))
	}
	if _, ok := s.dirty[file]; ok {
		parts = append(parts, "uncommitted changes")
	}
	return strings.Join(parts, "; "), nil
}

// shortened cuts a text to n characters.
func shortened(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// chunkAllowed reports whether a chunk or one of the symbols in it is of a kind that is asked for.
func (s *provenanceSearch) chunkAllowed(facts *agenvantage.Extraction, chunk int) bool {
	kinds := s.request.Filter.Kinds
	if len(kinds) == 0 || slices.Contains(kinds, facts.Chunks[chunk].Kind) {
		return true
	}
	return slices.ContainsFunc(facts.Chunks[chunk].Symbols, func(i int) bool { return slices.Contains(kinds, facts.Symbols[i].Kind) })
}
