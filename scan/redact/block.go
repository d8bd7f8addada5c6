package redact

import "strings"

// leastKeyBytes is the least base64 that makes a block a key: less is code that speaks of such blocks.
const leastKeyBytes = 24

// mostBlockBytes bounds the search for the end of a block: a key of 16,384 bits has 13 kB.
const mostBlockBytes = 32 << 10

// block looks for a private key block whose "-----B" ends at i. Everything that is base64 between its first and last line
// is masked, line by line, so that the lines and what surrounds them in code (quotes, plus signs, comment marks) stay.
func (s *scanner) block(i int) {
	text := s.text
	start := i - 5
	if start < 0 || !strings.HasPrefix(text[start:], "-----BEGIN ") {
		return
	}
	body, ok := blockTitle(text, start+len("-----BEGIN "))
	if !ok {
		return
	}
	region := text[body:min(len(text), body+mostBlockBytes)]
	closed := strings.Index(region, "-----END ")
	if closed >= 0 {
		region = region[:closed]
	}
	if next := strings.Index(region, "-----BEGIN "); next >= 0 { // the next block is looked at by itself
		region, closed = region[:next], -1
	}
	spans, total, end := keySpans(region, body, closed >= 0)
	if total < leastKeyBytes {
		if from, to := shortBody(region); closed >= 0 && from < to {
			s.add(body+from, body+to, KindPrivateKey)
			s.blockEnd = end
		}
		return
	}
	s.spans = append(s.spans, spans...)
	s.blockEnd = end
}

// blockTitle accepts the rest of a first line that names a private key, and returns where it ends.
func blockTitle(text string, at int) (end int, ok bool) {
	stop := strings.Index(text[at:min(len(text), at+60)], "-----")
	if stop < 0 || strings.ContainsAny(text[at:at+stop], "\n\r\"'`") || !strings.Contains(text[at:at+stop], "PRIVATE KEY") {
		return 0, false
	}
	return at + stop + len("-----"), true
}

// keySpans finds the pieces of base64 in the region of a block. Pieces are divided by line ends and by the escapes \n and
// \r of string literals. A block without an end is taken as long as its pieces are nothing but base64.
func keySpans(region string, offset int, closed bool) (spans []span, total, end int) {
	first := true
	for at := 0; at < len(region); {
		stop, next := pieceEnd(region, at)
		start, length, pure := base64Core(region[at:stop])
		switch {
		case length == 0 || strings.Contains(region[at:stop], ": "): // an empty line, or a header such as Proc-Type
		case pure && (!first || length >= 16 || strings.Contains(region[at:stop], "=")):
			spans = append(spans, span{start: offset + at + start, end: offset + at + start + length, kind: KindPrivateKey, again: !first})
			total += length
			first = false
		case first || !closed:
			return spans, total, offset + at
		default:
			for _, run := range base64Runs(region[at:stop]) {
				spans = append(spans, span{start: offset + at + run[0], end: offset + at + run[1], kind: KindPrivateKey, again: true})
			}
		}
		at = next
	}
	return spans, total, offset + len(region)
}

// shortBody is the range of the one line of a block that has no more, when that looks drawn: a key that was cut short.
func shortBody(region string) (from, to int) {
	rest := strings.TrimPrefix(region, `\n`)
	from = len(region) - len(rest)
	rest = strings.TrimSuffix(rest, `\n`)
	from, to = from+len(rest)-len(strings.TrimLeft(rest, " \t\r\n")), from+len(strings.TrimRight(rest, " \t\r\n"))
	for i := from; i < to; i++ {
		if !setB64.has(region[i]) {
			return 0, 0
		}
	}
	if from >= to || !looksMixed(strings.TrimRight(region[from:to], "=")) {
		return 0, 0
	}
	return from, to
}

func pieceEnd(region string, at int) (stop, next int) {
	for i := at; i < len(region); i++ {
		switch region[i] {
		case '\n', '\r':
			return i, i + 1
		case '\\':
			if i+1 < len(region) && (region[i+1] == 'n' || region[i+1] == 'r') {
				return i, i + 2
			}
		}
	}
	return len(region), len(region)
}

// base64Core trims what surrounds a line of a key in code and reports whether only base64 is left.
func base64Core(piece string) (start, length int, pure bool) {
	const around = " \t\"'`,;\\#*()|>.[]"
	trimmed := strings.TrimLeft(piece, around)
	trimmed = strings.TrimPrefix(trimmed, "//")
	trimmed = strings.TrimLeft(trimmed, around)
	start = len(piece) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, around)
	if plus, found := strings.CutSuffix(trimmed, "+"); found && plus != strings.TrimRight(plus, around) {
		trimmed = strings.TrimRight(plus, around)
	}
	if strings.HasPrefix(trimmed, maskPrefix[1:]) || !hasAlnum(trimmed) {
		return start, 0, false
	}
	for i := range len(trimmed) {
		if !setB64.has(trimmed[i]) {
			return start, len(trimmed), false
		}
	}
	return start, len(trimmed), true
}

// base64Runs finds what could be parts of a key in a line that holds more.
func base64Runs(piece string) (runs [][2]int) {
	if strings.Contains(piece, maskPrefix) {
		return nil
	}
	for i := 0; i < len(piece); {
		j := i
		for j < len(piece) && setB64.has(piece[j]) {
			j++
		}
		if j-i >= 16 {
			runs = append(runs, [2]int{i, j})
		}
		i = max(j, i+1)
	}
	return runs
}

func hasAlnum(s string) bool {
	for i := range len(s) {
		if setAlnum.has(s[i]) {
			return true
		}
	}
	return false
}
