package channels

import (
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// uncommittedPhrases are the ways in which a question asks for work that is not committed yet, as words in lower case. The
// longer ones come first, so that all of their words are taken.
var uncommittedPhrases = func() [][]string {
	var phrases [][]string
	for _, p := range []string{
		"what did i change", "what have i changed", "what i have changed", "what i changed", "what has changed since the last commit", "changes since the last commit",
		"my uncommitted changes", "my local changes", "my current changes", "my latest changes", "uncommitted changes", "uncommitted change", "unstaged changes", "staged changes",
		"local changes", "pending changes", "uncommitted work", "uncommitted edits", "local edits", "current changes", "my changes", "my change", "my edits", "my diff", "my work",
		"working tree", "work tree", "working copy", "worktree", "git diff", "current diff", "uncommitted", "unstaged",
	} {
		phrases = append(phrases, strings.Fields(p))
	}
	slices.SortStableFunc(phrases, func(a, b []string) int { return len(b) - len(a) })
	return phrases
}()

// asksForUncommitted reports whether the question is about uncommitted work, and the terms that are left of it then: all of
// them otherwise. A lone "diff" or "changes" asks for it; a name or a quotation of these words does not.
func asksForUncommitted(q agenvantage.Query) (asked bool, rest []agenvantage.Term) {
	switch q.Class {
	case agenvantage.ClassIdentifier, agenvantage.ClassPhrase, agenvantage.ClassQuestion:
	default:
		return false, q.Terms // an issue or a trace speaks of them in passing
	}
	if len(q.Phrases) > 0 {
		return false, q.Terms
	}
	words := strings.FieldsFunc(strings.ToLower(q.Text), func(r rune) bool { return !isWordRune(r) })
	if len(words) == 1 && (words[0] == "diff" || words[0] == "changes") {
		return true, nil
	}
	for _, phrase := range uncommittedPhrases {
		for i := 0; i+len(phrase) <= len(words); i++ {
			if slices.Equal(words[i:i+len(phrase)], phrase) {
				asked = true
				for j := range phrase {
					words[i+j] = "" // ends what another phrase could match
				}
			}
		}
	}
	if !asked {
		return false, q.Terms
	}
	left := map[string]bool{}
	for _, token := range analysis.AppendTokens(nil, strings.Join(words, " ")) {
		left[token] = !analysis.IsStopWord(token)
	}
	for _, t := range q.Terms {
		if left[t.Text] {
			rest = append(rest, t)
		}
	}
	return true, rest
}

// uncommittedHits are the chunks that the work tree changes, those with more of the question's terms first, then in order.
// Their scores are above 0 and at most one more than the number of terms.
func (s *provenanceSearch) uncommittedHits(files []ChangedLines) ([]agenvantage.Hit, error) {
	err := s.countTerms(func(file uint32) bool { _, dirty := s.dirty[file]; return dirty })
	if err != nil {
		return nil, err
	}
	var hits []agenvantage.Hit
	for _, f := range files {
		if !s.request.Scope.Has(f.File) {
			continue
		}
		facts, err := s.reader.Facts(f.File)
		if err != nil {
			return nil, err
		}
		var chunks []int
		for i := range f.Lines {
			chunks = append(chunks, chunksAt(facts, f.Lines[i])...)
		}
		slices.Sort(chunks)
		for _, chunk := range slices.Compact(chunks) {
			if s.chunkAllowed(facts, chunk) {
				hits = append(hits, agenvantage.Hit{File: f.File, Chunk: chunk, Symbol: -1, Span: facts.Chunks[chunk].Span,
					Score: 1 + float64(s.termsIn[chunkKey{f.File, chunk}]), Reason: "uncommitted changes"})
			}
		}
	}
	slices.SortFunc(hits, agenvantage.CompareHits)
	return hits, nil
}

// chunksAt are the chunks that share a line with span; the nearest one when lines were deleted alone or none shares one.
func chunksAt(facts *agenvantage.Extraction, span agenvantage.Span) []int {
	var chunks []int
	for i := range facts.Chunks {
		if span.Lines() > 0 && facts.Chunks[i].Span.Overlaps(span) {
			chunks = append(chunks, i)
		}
	}
	if near := nearestChunk(facts, span.StartLine, func(int) bool { return true }); len(chunks) == 0 && near >= 0 {
		chunks = append(chunks, near)
	}
	return chunks
}
