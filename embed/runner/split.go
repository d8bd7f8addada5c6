package runner

import (
	"sort"
	"strings"
	"unicode/utf8"

	"agenvantage/embed"
)

// minPieceTokens is the size of a part, in estimated tokens, below which a text is not split further: no model has so small a
// window, so something else is wrong with it.
const minPieceTokens = 32

// maxPieces bounds the requests that one text may cost.
const maxPieces = 512

// cutText cuts a text into parts of at most so many estimated tokens, after lines where that is possible and else after runes.
// The parts in their order are the text.
func cutText(s string, tokens int) []string {
	var parts []string
	from, have := 0, 0
	for at := 0; at < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := embed.EstimateTokens(s[at:end])
		if have > 0 && have+line > tokens {
			parts = append(parts, s[from:at])
			from, have = at, 0
		}
		if line > tokens {
			for s[at:end] != "" && embed.EstimateTokens(s[at:end]) > tokens {
				at += runes(s[at:end], tokens)
				parts = append(parts, s[from:at])
				from = at
			}
			line = embed.EstimateTokens(s[at:end])
		}
		have, at = have+line, end
	}
	if from < len(s) {
		parts = append(parts, s[from:])
	}
	return parts
}

// runes is the length of a beginning of s within a number of tokens, of at least one rune: the longest, but for runs of white
// space, of which one token may hold any number.
func runes(s string, tokens int) int {
	const perToken = 16 // bytes at most, but for such runs
	n := sort.Search(min(len(s), perToken*tokens), func(i int) bool { return embed.EstimateTokens(s[:i+1]) > tokens })
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
	}
	return n
}

// mean is the mean of the vectors of parts, weighted by their tokens, of length 1; summed in the order of the parts.
type mean struct{ sums []float64 }

func (m *mean) add(v embed.Vector, tokens int) {
	if m.sums == nil {
		m.sums = make([]float64, len(v))
	}
	for i, x := range v {
		m.sums[i] += float64(x) * float64(tokens)
	}
}

// answer is the mean, or why there is none: parts may cancel each other out.
func (m *mean) answer() embed.Answer {
	// Scaled before it is rounded: the sums of a long text may be beyond what a float32 counts well.
	largest := 0.0
	for _, x := range m.sums {
		largest = max(largest, x, -x)
	}
	v := make([]float32, len(m.sums))
	for i, x := range m.sums {
		if largest > 0 {
			v[i] = float32(x / largest)
		}
	}
	return embed.Check(v, len(v))
}
