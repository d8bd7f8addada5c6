package redact

import "strings"

// Bounds of the rows of a table that are looked at, and of the bytes of each.
const (
	mostTableRows = 200
	mostRowBytes  = 1024
)

// table looks at the cell that holds the name text[start:end] and nothing else: beside it, or below it when it heads a column, stands
// the value. It reports whether the name is such a cell.
func (s *scanner) table(start, end int, strength credentialStrength) bool {
	text := s.text
	low := max(0, start-mostRowBytes)
	lineStart := low + strings.LastIndexByte(text[low:start], '\n') + 1
	lineEnd := endOfRow(text, lineStart)
	if lineEnd < end || strings.IndexByte(text[lineStart:lineEnd], '|') < 0 {
		return false
	}
	line := text[lineStart:lineEnd]
	column := strings.Count(text[lineStart:start], "|")
	from, to := cellOf(line, column)
	if from+lineStart > start || len(strings.Fields(line[from:to])) > 3 || strings.Trim(text[end:lineStart+to], formatting+" \t:") != "" {
		return false
	}
	inside := lineStart < s.tableEnd && lineStart != s.tableHead // a row of a table that has been gone through
	if next := lineEnd + 1; !inside && next < len(text) && isRule(text[next:endOfRow(text, next)]) {
		s.tableHead = lineStart
		s.column(endOfRow(text, next)+1, column, strength, hasUserCell(line))
		return true
	}
	if from, to = cellOf(line, column+1); from < to {
		s.cell(lineStart+from, lineStart+to, strength, false)
	}
	return true
}

// column looks at the cells of a column, from the line at i to the end of the table.
func (s *scanner) column(i, column int, strength credentialStrength, words bool) {
	for range mostTableRows {
		s.tableEnd = i
		if i >= len(s.text) {
			return
		}
		end := endOfRow(s.text, i)
		line := s.text[i:end]
		if strings.IndexByte(line, '|') < 0 && !isRule(line) {
			return
		}
		if from, to := cellOf(line, column); from < to {
			s.cell(i+from, i+to, strength, words)
		}
		i = end + 1
	}
}

// cell looks at the text of one cell. words says that a plain word counts.
func (s *scanner) cell(from, to int, strength credentialStrength, words bool) {
	value := s.text[from:to]
	if isMasked(value) || strings.ContainsAny(value, " \t") {
		return
	}
	if strength == passwordName && (looksTold(value) || isPassphrase(value) || words && isToldWord(value) && isPlainWord(value)) || strength == secretName && looksLoose(value) {
		s.add(from, to, strength.kind())
	}
}

// cellOf is the range of the text of a cell, without the space and the formatting around it. Cell 0 is what stands before the first bar.
func cellOf(line string, column int) (from, to int) {
	for range column {
		bar := strings.IndexByte(line[from:], '|')
		if bar < 0 {
			return 0, 0
		}
		from += bar + 1
	}
	to = len(line)
	if bar := strings.IndexByte(line[from:], '|'); bar >= 0 {
		to = from + bar
	}
	for from < to && strings.IndexByte(formatting+" \t", line[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(formatting+" \t\r", line[to-1]) >= 0 {
		to--
	}
	return from, to
}

// isRule reports the line under the head of a table: |---|---| or +====+====+.
func isRule(line string) bool {
	return strings.Trim(line, " \t\r|:+-=") == "" && (strings.Contains(line, "--") || strings.Contains(line, "=="))
}

// hasUserCell reports a head that names users too, so that the column of passwords holds theirs.
func hasUserCell(line string) bool {
	lower := strings.ToLower(line)
	return strings.Contains(lower, "user") || strings.Contains(lower, "login") || strings.Contains(lower, "mail") || strings.Contains(lower, "account")
}

// endOfRow is the end of the line at i, or i when it is longer than a row.
func endOfRow(text string, i int) int {
	rest := text[i:min(len(text), i+2*mostRowBytes)]
	switch n := strings.IndexByte(rest, '\n'); {
	case n >= 0:
		return i + n
	case len(rest) < 2*mostRowBytes:
		return i + len(rest)
	}
	return i
}
