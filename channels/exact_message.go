package channels

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/analysis"
)

// A message of a program has values where the source has placeholders, so that no line holds it as it stands. What lines do hold are stretches of it,
// word by word with what stands between the words. Chunks that hold most of its rare words are read, and each line is laid beside the message
// (exact_stretches.go). A line counts whose longest stretch is long enough for it to be no accident; what else of the message stands in the same line or
// the next ones adds to it.

// itemMessage is the message that the question may be.
const itemMessage = -4

// scoreMessage is the score of a line that holds nothing of a message, +0..999 by how much of it it holds.
const scoreMessage = 1400

// Bounds of a message. With 48 chunks to compare, 51 of 55 messages over 15 repositories come first, with 32 of them 49.
const (
	maxMessageChunks = 48
	maxMessageHits   = 8
	maxMessageWords  = maxLikelyWords
)

// Rules for a line that counts, set by 55 messages (exact_message_test.go has their kinds) and held against 335 questions in words.
const (
	leastStretch      = 3    // words of the longest stretch in a quoted text of the source
	leastStretchProse = 4    // and outside of one, where it is nearly all of the message
	longStretch       = 5    // words that are no accident anywhere
	leastShare        = 0.35 // of the message, by the weights of its words
	halfShare         = 0.5
	wholeShare        = 0.15
	nearlyAll         = 0.8
	rareShare         = 100 // a stretch of two words counts where one is in fewer than a hundredth of the chunks
	leastOfBest       = 0.6 // what holds less of the message than this share of the best is not what said it
	roleFactor        = 0.6 // tests and documents repeat what code says
)

// speaker is what stands before a message: names of a program, an exception, a file.
var speaker = regexp.MustCompile(`^(?:[^\s:]+(?::\d+)*:\s+)+`)

// messageWord is one word of a message.
type messageWord struct {
	text   string
	before string  // what stands between it and the word before
	weight float64 // 1 and more for what the source may hold
	value  bool    // likely not in the source: it stands before the message, is quoted, holds a digit or is in no chunk
	stop   bool
	rare   bool
}

// message is a text to look for, and how rare its words are.
type message struct {
	words  []messageWord
	at     map[string][]int // places of each word
	marked bool             // quotes, brackets or a colon tell it from words alone
	formed bool             // these do, or a capital at its start
	total  float64          // weights of all words that are no values
}

// Weights of words that say little: a value need not be in the source, a stop word is everywhere.
const (
	weightValue = 1
	weightStop  = 0.5
)

// newMessage reads a text. narrowing are the index terms of its words that narrow, in their order.
func newMessage(text string) (m *message, narrowing []string) {
	m = &message{at: map[string][]int{}, marked: strings.ContainsAny(text, "\"'`()[]{}<>") || strings.Contains(text, ": ")}
	first, _ := utf8.DecodeRuneInString(text)
	m.formed = m.marked || unicode.IsUpper(first) && strings.Count(text, " ") > 1
	quoted := analysis.QuotedSpans(text)
	body := len(speaker.FindString(text))
	end := 0
	for start := range words(text) {
		if len(m.words) == maxMessageWords {
			break
		}
		word := wordAt(text, start)
		w := messageWord{text: word, before: text[end:start], stop: analysis.IsStopWord(strings.ToLower(word)), value: start < body || strings.ContainsAny(word, "0123456789")}
		for _, q := range quoted {
			w.value = w.value || q.Start <= start && start < q.End
		}
		if !w.stop {
			term := ""
			if terms := analysis.AppendTokens(nil, word); len(terms) > 0 && terms[0] != analysis.LongToken {
				term = terms[0]
			}
			narrowing = append(narrowing, term)
		}
		m.at[word] = append(m.at[word], len(m.words))
		m.words = append(m.words, w)
		end = start + len(word)
	}
	return m, narrowing
}

// words gives where each word of a text starts.
func words(text string) func(yield func(start int) bool) {
	return func(yield func(start int) bool) {
		for i := 0; i < len(text); i++ {
			if !analysis.IsWordByte(text[i]) {
				continue
			}
			if !yield(i) {
				return
			}
			for i < len(text) && analysis.IsWordByte(text[i]) {
				i++
			}
		}
	}
}

// wordAt is the word of a text that starts at a place.
func wordAt(text string, start int) string {
	end := start
	for end < len(text) && analysis.IsWordByte(text[end]) {
		end++
	}
	return text[start:end]
}

// weigh gives the words the weights that the postings tell.
func (m *message) weigh(l likely, chunks int) {
	i := 0
	for k := range m.words {
		w := &m.words[k]
		if w.stop {
			w.weight = weightStop
			continue
		}
		if w.value = w.value || i >= len(l.holding) || l.holding[i] == 0; w.value {
			w.weight = weightValue
		} else {
			w.weight, w.rare = max(l.weights[i], weightValue), l.holding[i] <= max(8, chunks/rareShare)
		}
		i++
	}
	for _, w := range m.words {
		if !w.value {
			m.total += w.weight
		}
	}
}

// findMessage finds the chunks with lines that say what the question may quote.
func (s *exactSearch) findMessage() error {
	text := strings.TrimSpace(s.request.Query.Message)
	if text == "" {
		return nil
	}
	m, narrowing := newMessage(text)
	if len(narrowing) == 0 || len(m.words) < 2 {
		return nil
	}
	l, err := s.likelyChunks(narrowing, maxMessageChunks)
	if err != nil {
		return err
	}
	m.weigh(l, s.reader.ChunkCount())
	return s.addMessage(m, l.chunks)
}

// addMessage compares the chunks and adds those that count.
func (s *exactSearch) addMessage(m *message, chunks []place) error {
	type told struct {
		key   hitKey
		match saying
		score float64
	}
	var found []told
	for _, p := range chunks {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		open, err := s.openWhole(p.file)
		if err != nil {
			return err
		}
		match := m.in(open.chunkText(p.chunk))
		if !m.counts(match) {
			continue
		}
		match.line += open.facts.Chunks[p.chunk].Span.StartLine
		score := match.score
		if s.repeats(p.file) {
			score *= roleFactor
		}
		found = append(found, told{hitKey{p.file, p.chunk, -1}, match, score})
	}
	slices.SortStableFunc(found, func(a, b told) int { return cmp.Compare(b.score, a.score) })
	for _, f := range found[:min(len(found), maxMessageHits)] {
		if f.score < leastOfBest*found[0].score {
			break
		}
		reason := fmt.Sprintf("%s: %d of %d words", reasonMessage, f.match.words, len(m.words))
		s.add(f.key, itemMessage, scoreMessage+999*min(1, f.score/m.all()), reason)
		s.hits[f.key].said, s.hits[f.key].saying = f.match.line, reason
	}
	return nil
}

// repeats reports whether a file is of a kind that repeats what code says: a test, a document, other people's code, text of no language.
func (s *exactSearch) repeats(file uint32) bool {
	class := s.reader.Class(file)
	return class.Has(agenvantage.ClassTest) || class.Has(agenvantage.ClassDocument) || class.Has(agenvantage.ClassVendored) || class.Has(agenvantage.ClassGenerated) || s.reader.Lang(file) == ""
}

// all is the score of a line that holds every word.
func (m *message) all() float64 {
	sum := 0.0
	for _, w := range m.words {
		sum += w.weight
	}
	return sum
}

// counts reports whether what a line holds of the message is no accident.
func (m *message) counts(s saying) bool {
	if s.longest < 2 || s.telling == 0 {
		return false
	}
	share := 1.0
	if m.total > 0 {
		share = s.held / m.total
	}
	switch {
	case s.longest >= leastStretchProse && share >= nearlyAll:
		return true
	case s.longest >= longStretch && (s.quoted || m.marked || s.pointed):
		return share >= halfShare || s.quoted && m.formed
	case !s.quoted || !m.formed:
		return false
	case s.longest >= leastStretch:
		return share >= leastShare || s.whole && share >= wholeShare
	}
	return m.marked && s.telling == 2 && (s.whole && share >= leastShare || s.rare && share >= halfShare)
}
