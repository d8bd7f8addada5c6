package rerank

import (
	"slices"
	"strings"

	"agenvantage/analysis"
)

// Texts are compared by their words and signs without white space and comments. Of runs of five tokens a change of one loses five, so
// that texts which are alike from AlikeFrom on differ in about one token of fifty.
const (
	AlikeFrom    = 0.9
	shingle      = 5        // tokens of a run
	minAlike     = 30       // tokens below which texts have to be the same
	minSame      = 20       // tokens below which texts are the same by chance: accessors, fields
	maxCompared  = 64 << 10 // bytes
	hashSeed     = 14695981039346656037
	hashMultiply = 1099511628211 // of FNV-1a
)

// Fingerprint is what a text holds but for white space and comments, ready to be compared. The zero value is like no other.
type Fingerprint struct {
	tokens int
	whole  uint64   // of all tokens in their order
	runs   []uint64 // of each run of shingle tokens, sorted, each once
}

// FingerprintOf reads a text. One of more than 64 KiB is like no other.
func FingerprintOf(text string) Fingerprint {
	if len(text) > maxCompared {
		return Fingerprint{}
	}
	var hashes []uint64
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if n := analysis.CommentRun(lines[i:]); n > 0 {
			i += n
			continue
		}
		hashes = appendTokenHashes(hashes, lines[i])
		i++
	}
	f := Fingerprint{tokens: len(hashes), whole: combined(hashes)}
	for i := 0; i+shingle <= len(hashes); i++ {
		f.runs = append(f.runs, combined(hashes[i:i+shingle]))
	}
	slices.Sort(f.runs)
	f.runs = slices.Compact(f.runs)
	return f
}

// appendTokenHashes appends the hash of each run of letters, digits and underscores of a line, and of each sign between them.
func appendTokenHashes(hashes []uint64, line string) []uint64 {
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && isWordByte(line[j]) {
			j++
		}
		if j == i {
			j++
			if line[i] <= ' ' {
				i = j
				continue
			}
		}
		h := uint64(hashSeed)
		for _, c := range []byte(line[i:j]) {
			h = (h ^ uint64(c)) * hashMultiply
		}
		hashes = append(hashes, h)
		i = j
	}
	return hashes
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func combined(hashes []uint64) uint64 {
	sum := uint64(hashSeed)
	for _, h := range hashes {
		sum = (sum ^ h) * hashMultiply
	}
	return sum
}

// Alike is 1 for texts with the same tokens, else the share of their runs of five tokens that both hold (Jaccard), which is below 1; 0
// for texts of fewer than 30 tokens that are not the same, and for those too short or too long to be told apart.
func (f Fingerprint) Alike(o Fingerprint) float64 {
	short, long := min(f.tokens, o.tokens), max(f.tokens, o.tokens)
	switch {
	case short < minSame:
		return 0
	case short == long && f.whole == o.whole:
		return 1
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

// belowSame is what the share of texts is at most that have the same runs and are not the same.
const belowSame = 0.999
