package channels

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agenvantage"
)

// openFile is the text and the facts of one file during a search.
type openFile struct {
	file   uint32
	text   string
	facts  *agenvantage.Extraction
	starts []int // of lines; made when first needed
	failed error
}

// maxOpenFiles is how many files a search keeps open.
const maxOpenFiles = 256

func (s *exactSearch) open(file uint32) (*openFile, error) {
	if f := s.files[file]; f != nil {
		return f, nil
	}
	text, err := s.reader.Text(file)
	if err != nil {
		return nil, err
	}
	f := &openFile{file: file, text: text}
	if !f.complete(s.reader) {
		return nil, f.failed
	}
	if len(s.files) >= maxOpenFiles {
		clear(s.files)
	}
	s.files[file] = f
	return f, nil
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
	if f.starts == nil {
		f.starts = make([]int, 1, strings.Count(f.text, "\n")+2)
		for i := 0; ; {
			n := strings.IndexByte(f.text[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			f.starts = append(f.starts, i)
		}
	}
	span := f.facts.Chunks[chunk].Span
	if span.StartLine < 1 || span.StartLine > len(f.starts) {
		return ""
	}
	start, end := f.starts[span.StartLine-1], len(f.text)
	if span.EndLine < len(f.starts) {
		end = f.starts[span.EndLine] - 1
	}
	return f.text[start:max(start, end)]
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
		return isWordByte(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// foldedOccurrences counts needle in text without regard to letter case.
func foldedOccurrences(text, needle string) int {
	if !isASCII(needle) {
		return strings.Count(strings.ToLower(norm.NFC.String(text)), strings.ToLower(norm.NFC.String(needle)))
	}
	count, lower := 0, needle[0]|0x20
	for i := 0; i+len(needle) <= len(text) && count < maxOccurrences; i++ {
		if text[i]|0x20 == lower && strings.EqualFold(text[i:i+len(needle)], needle) {
			count++
			i += len(needle) - 1
		}
	}
	return count
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
