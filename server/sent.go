package server

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
)

// maxSentLines bounds what is remembered of a conversation, in lines: some 10 MB. Beyond it the memory starts anew, so that text
// is sent twice rather than not at all.
const maxSentLines = 200_000

// minSentBytes is the shortest text that is worth a reference, which is itself some 60 bytes long.
const minSentBytes = 160

// Sent remembers the lines that a conversation has been sent, by path, number and content. It is safe for concurrent use.
type Sent struct {
	mu    sync.Mutex
	lines map[sentLine]uint64 // hash of the line
	fresh *Sent               // set in a view that gives every text and notes it there
}

type sentLine struct {
	path string
	line int
}

// Fresh is a view that gives every text, and notes it as sent all the same.
func (s *Sent) Fresh() *Sent {
	if s == nil {
		return nil
	}
	return &Sent{fresh: s}
}

// Peek gives the text to send for lines of a file, from line start on: the text itself, or a reference to it where every line has
// been sent before with the same content. A nil Sent always gives the text.
func (s *Sent) Peek(path string, start int, text string) string {
	if s == nil || s.fresh != nil || path == "" || start < 1 || len(text) < minSentBytes {
		return text
	}
	hashes, whole := hashLines(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, h := range hashes {
		if was, ok := s.lines[sentLine{path, start + i}]; !ok || was != h {
			return text
		}
	}
	return fmt.Sprintf("(already sent: %s:%d-%d, %08x)", path, start, start+len(hashes)-1, whole>>32)
}

// Take is Peek, and counts the text as sent from now on.
func (s *Sent) Take(path string, start int, text string) string {
	send := s.Peek(path, start, text)
	if s == nil || path == "" || start < 1 {
		return send
	}
	if s.fresh != nil {
		s = s.fresh
	}
	hashes, _ := hashLines(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines == nil || len(s.lines)+len(hashes) > maxSentLines {
		s.lines = map[sentLine]uint64{}
	}
	for i, h := range hashes {
		s.lines[sentLine{path, start + i}] = h
	}
	return send
}

// hashLines hashes each line of a text, and the whole.
func hashLines(text string) (hashes []uint64, whole uint64) {
	all := fnv.New64a()
	for line := range strings.Lines(strings.TrimSuffix(text, "\n")) {
		h := fnv.New64a()
		line = strings.TrimSuffix(line, "\n")
		h.Write([]byte(line))
		hashes = append(hashes, h.Sum64())
		all.Write([]byte(line + "\n"))
	}
	return hashes, all.Sum64()
}
