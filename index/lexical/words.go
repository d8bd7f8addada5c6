package lexical

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A words file lies beside each segment for each field of wordFields: its terms in byte order, a line each, and a last
// line that says that the file is whole. Walking the engine's own term automaton takes 0.3 s for the 400,000 terms of 98
// MB of source, which a fresh process would pay for each question about a part of a word; reading this file takes 5 ms.
// A segment never changes, so neither does its words file; where one is missing or cut off, the automaton is walked.

// wordFields are the fields whose terms are looked through as a whole.
var wordFields = [...]string{FieldBody, FieldName}

const (
	wordsExtension = ".words"
	wordsEnd       = "\x00end\n" // no term begins like this
)

// wordsFile is the words file of a field beside the segment file at path.
func wordsFile(path, field string) string {
	return strings.TrimSuffix(path, segmentExtension) + "." + field + wordsExtension
}

// appendWords appends the lines of the words file at path; false when there is none that is as it was written.
func appendWords(to *strings.Builder, path string, sums map[string]sum) bool {
	content, err := os.ReadFile(path)
	if err != nil || sums[filepath.Base(path)] != (sum{crc32.Checksum(content, castagnoli), int64(len(content))}) {
		return false
	}
	lines, whole := bytes.CutSuffix(content, []byte(wordsEnd))
	if whole {
		to.Write(lines)
	}
	return whole
}

// writeWords writes the words files of a segment that has none. They are an aid: a term that does not fit into a line
// leaves its field without one.
func writeWords(s segment.Segment, path string) error {
	for _, field := range wordFields {
		target := wordsFile(path, field)
		if isThere(target) {
			continue
		}
		var lines bytes.Buffer
		fits := true
		err := walkTerms(s, field, func(term string) bool {
			fits = !strings.ContainsRune(term, '\n') && !strings.HasPrefix(term, strings.TrimSuffix(wordsEnd, "\n"))
			lines.WriteString(term)
			lines.WriteByte('\n')
			return fits
		})
		if err != nil {
			return err
		}
		if !fits {
			continue
		}
		lines.WriteString(wordsEnd)
		if err := os.WriteFile(target, lines.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write words of %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

// walkTerms visits the terms of a field of one segment in byte order until visit returns false.
func walkTerms(s segment.Segment, field string, visit func(term string) bool) error {
	d, err := s.Dictionary(field)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	var it segment.DictionaryIterator
	if o, ok := d.(omitCount); ok {
		it = o.AutomatonIteratorOmitCount(nil, nil, nil)
	} else {
		it = d.AutomatonIterator(nil, nil, nil)
	}
	for {
		entry, err := it.Next()
		if err != nil {
			return fmt.Errorf("%w: terms of %s: %w", ErrCorrupt, field, err)
		}
		if entry == nil || !visit(entry.Term) {
			return nil
		}
	}
}

// omitCount is what a dictionary offers that can be walked without reading each term's postings.
type omitCount interface {
	AutomatonIteratorOmitCount(a segment.Automaton, startKeyInclusive, endKeyExclusive []byte) segment.DictionaryIterator
}
