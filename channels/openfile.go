package channels

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agenvantage"
	"agenvantage/analysis"
)

// openFile is the text and the facts of one file during a search.
type openFile struct {
	file   uint32
	text   string
	facts  *agenvantage.Extraction // nil until complete
	ranges []byteRange             // of the chunks; made when first needed
	failed error
}

// byteRange is text[start:end].
type byteRange struct{ start, end uint32 }

// maxOpenFiles is how many files a search keeps open.
const maxOpenFiles = 256

// open gives a file with its text and the places of its chunks.
func (s *exactSearch) open(file uint32) (*openFile, error) {
	if f := s.files[file]; f != nil {
		return f, nil
	}
	text, err := s.reader.Text(file)
	if err != nil {
		return nil, err
	}
	f := &openFile{file: file, text: text}
	if known := s.ranges()[file].Load(); known != nil {
		f.ranges = *known
	} else if f.complete(s.reader) {
		f.ranges = rangesOf(text, f.facts.Chunks)
		s.ranges()[file].Store(&f.ranges)
	}
	if f.failed != nil {
		return nil, f.failed
	}
	if len(s.files) >= maxOpenFiles {
		clear(s.files)
	}
	s.files[file] = f
	return f, nil
}

// openWhole is open with the facts.
func (s *exactSearch) openWhole(file uint32) (*openFile, error) {
	f, err := s.open(file)
	if err == nil && !f.complete(s.reader) {
		err = f.failed
	}
	return f, err
}

// complete reads the facts; it reports false, and keeps the error, when that fails.
func (f *openFile) complete(reader FactsReader) bool {
	if f.facts == nil {
		f.facts, f.failed = reader.Facts(f.file)
	}
	return f.failed == nil
}

// chunkText is the lines of a chunk, without the end of the last one.
func (f *openFile) chunkText(chunk int) string {
	if f.ranges == nil {
		f.ranges = rangesOf(f.text, f.facts.Chunks)
	}
	r := f.ranges[chunk]
	return f.text[r.start:r.end]
}

// rangesOf gives the lines of each chunk, without the end of the last one, as far as the text has them.
func rangesOf(text string, chunks []agenvantage.Chunk) []byteRange {
	starts := make([]int, 1, strings.Count(text, "\n")+2)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	ranges := make([]byteRange, len(chunks))
	for i, c := range chunks {
		if c.Span.StartLine < 1 || c.Span.StartLine > len(starts) {
			continue
		}
		start, end := starts[c.Span.StartLine-1], len(text)
		if c.Span.EndLine < len(starts) {
			end = starts[c.Span.EndLine] - 1
		}
		ranges[i] = byteRange{uint32(start), uint32(max(start, end))}
	}
	return ranges
}

// maxOccurrences is where counting stops: more occurrences in one chunk make no difference.
const maxOccurrences = 64

// occurrences counts needle in text, as it stands and apart: between word borders, and inside of words. Text in which
// an accent is a character of its own equals text in which it is not.
func occurrences(text, needle string) (whole, part int) {
	whole, part = countIn(text, needle)
	if whole+part == 0 && !isASCII(needle) && !norm.NFC.IsNormalString(text) {
		return countIn(norm.NFC.String(text), norm.NFC.String(needle))
	}
	return whole, part
}

// Holds reports whether text holds a needle as it stands, inside of words too, and else whether it does in another letter case. An empty needle is in
// no text.
func Holds(text, needle string) (standing, folded bool) {
	if needle == "" {
		return false, false
	}
	if whole, part := occurrences(text, needle); whole+part > 0 {
		return true, false
	}
	return false, foldedOccurrences(text, needle) > 0
}

func countIn(text, needle string) (whole, part int) {
	first, _ := utf8.DecodeRuneInString(needle)
	last, _ := utf8.DecodeLastRuneInString(needle)
	for at := 0; whole+part < maxOccurrences; {
		i := strings.Index(text[at:], needle)
		if i < 0 {
			break
		}
		i += at
		end := i + len(needle)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if joins(before, first) || joins(last, after) {
			part++
		} else {
			whole++
		}
		at = end
	}
	return whole, part
}

// joins reports whether two characters belong to one word. RuneError stands for an end of the text.
func joins(a, b rune) bool { return isWordRune(a) && isWordRune(b) }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return analysis.IsWordByte(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// foldedOccurrences counts needle in text without regard to letter case.
func foldedOccurrences(text, needle string) int {
	if !isASCII(needle) {
		return strings.Count(strings.ToLower(norm.NFC.String(text)), strings.ToLower(norm.NFC.String(needle)))
	}
	at := rarestByte(needle)
	lower, upper := needle[at]|0x20, needle[at]&^0x20
	if !isLetter(needle[at]) {
		lower, upper = needle[at], needle[at]
	}
	count, next := 0, nextOf{text: text, one: lower, other: upper}
	for i := 0; count < maxOccurrences; {
		hit := next.from(i + at)
		if hit < 0 || hit-at+len(needle) > len(text) {
			break
		}
		i = hit - at
		if strings.EqualFold(text[i:i+len(needle)], needle) {
			count++
			i += len(needle)
		} else {
			i++
		}
	}
	return count
}

// nextOf finds where either of two bytes stands.
type nextOf struct {
	text       string
	one, other byte
	ones       int // where each stands next, len(text) for nowhere
	others     int
}

// from is the first place from i on, -1 for none. It is asked for rising places.
func (n *nextOf) from(i int) int {
	if i >= len(n.text) {
		return -1
	}
	seek := func(known int, b byte) int {
		if known > i {
			return known
		}
		if k := strings.IndexByte(n.text[i:], b); k >= 0 {
			return i + k
		}
		return len(n.text)
	}
	n.ones, n.others = seek(n.ones, n.one), seek(n.others, n.other)
	if first := min(n.ones, n.others); first < len(n.text) {
		return first
	}
	return -1
}

// byFrequency is the letters of English and of code, roughly from the most to the least frequent.
const byFrequency = "etrnaisolcdupmfhgbyvxwkqzj"

// rarestByte is the place of the byte of an ASCII text that is likely to be the rarest in others. Letters of either case count as one.
func rarestByte(s string) int {
	best, at := -1, 0
	for i := range len(s) {
		rank := strings.IndexByte(byFrequency, s[i]|0x20)
		if !isLetter(s[i]) {
			rank = 0 // digits and signs may be anything
		}
		if rank > best {
			best, at = rank, i
		}
	}
	return at
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
