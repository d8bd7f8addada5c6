package rerank

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"agenvantage/analysis"
)

// Texts are compared by their words and signs, comments among them: what is a comment in one language is code in another, and a
// directive or a part of a string in a third. Of runs of five tokens a change of one loses five, so that texts which are alike from
// AlikeFrom on differ in about one token of fifty.
const (
	AlikeFrom   = 0.9
	shingle     = 5        // tokens of a run
	minAlike    = 30       // tokens below which the tokens have to be the same
	minSame     = 20       // tokens below which texts are the same by chance: accessors, fields
	maxCompared = 64 << 10 // bytes
)

// Fingerprint is what a text holds, ready to be compared. The zero value is like no other.
type Fingerprint struct {
	tokens int
	lines  uint64   // of all lines without white space at their ends and the indentation that they have in common
	whole  uint64   // of all tokens in their order
	runs   []uint64 // of each run of shingle tokens, sorted, each once
}

// FingerprintOf reads a text. One of more than 64 KiB is like no other.
func FingerprintOf(text string) Fingerprint {
	if len(text) > maxCompared {
		return Fingerprint{}
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, whiteSpace)
	}
	common := len(commonIndent(lines))
	var tokens, hashes []byte // of hashBytes each
	for _, line := range lines {
		tokens = appendTokenHashes(tokens, line)
		hashes = appendHash(hashes, line[min(common, len(line)):])
	}
	f := Fingerprint{tokens: len(tokens) / hashBytes, lines: xxh3.Hash(hashes), whole: xxh3.Hash(tokens)}
	for i := 0; i+shingle*hashBytes <= len(tokens); i += hashBytes {
		f.runs = append(f.runs, xxh3.Hash(tokens[i:i+shingle*hashBytes]))
	}
	slices.Sort(f.runs)
	f.runs = slices.Compact(f.runs)
	return f
}

// whiteSpace is what does not count at the ends of lines.
const whiteSpace = " \t\r\v\f"

// commonIndent is the white space with which all lines begin that hold more.
func commonIndent(lines []string) string {
	common, seen := "", false
	for _, line := range lines {
		if line == "" {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !seen {
			common, seen = indent, true
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// appendTokenHashes appends the hash of each run of letters, digits and underscores of a line, and of each sign between them.
func appendTokenHashes(hashes []byte, line string) []byte {
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && analysis.IsWordByte(line[j]) {
			j++
		}
		if j == i {
			j++
			if line[i] <= ' ' {
				i = j
				continue
			}
		}
		hashes = appendHash(hashes, line[i:j])
		i = j
	}
	return hashes
}

// hashBytes is the length of an XXH3-64.
const hashBytes = 8

func appendHash(hashes []byte, s string) []byte {
	return binary.LittleEndian.AppendUint64(hashes, xxh3.HashString(s))
}

// Alike is 1 for texts of the same lines, but for white space at their ends and an indentation that all lines of one have in common. Else
// it is the share of their runs of five tokens that both hold (Jaccard), 0.999 at most, which is also that of the same tokens in
// another layout. It is 0 for texts of fewer than 30 tokens whose tokens are not the same, and for those too short or too long to be told
// apart.
func (f Fingerprint) Alike(o Fingerprint) float64 {
	short, long := min(f.tokens, o.tokens), max(f.tokens, o.tokens)
	sameTokens := short == long && f.whole == o.whole
	switch {
	case short < minSame:
		return 0
	case sameTokens && f.lines == o.lines:
		return 1
	case sameTokens:
		return belowSame
	case short < minAlike || float64(short) < AlikeFrom*float64(long):
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(f.runs) && j < len(o.runs); {
		switch {
		case f.runs[i] < o.runs[j]:
			i++
		case f.runs[i] > o.runs[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	share := float64(both) / float64(len(f.runs)+len(o.runs)-both)
	return min(share, belowSame)
}

// belowSame is what the share of texts is at most that are not the same, rounded to three digits as it is shown.
const belowSame = 0.999
