package redact

import "strings"

// name looks at the identifier around three letters at i: when it names a credential and is given a value that looks real,
// the value is masked.
func (s *scanner) name(i int) {
	if i < s.nameEnd {
		return
	}
	text := s.text
	start, end := i, i+3
	for start > 0 && i-start < 80 && isNameByte(text[start-1]) {
		start--
	}
	for end < len(text) && end-i < 80 && isNameByte(text[end]) {
		end++
	}
	s.nameEnd = end
	for end > start && (text[end-1] == '-' || text[end-1] == '.') {
		end--
	}
	identifier := text[start:end]
	if header := "authorization"; hasEnding(strings.TrimRight(identifier, "0123456789"), []string{header}) {
		if parts := nameParts(identifier); parts[len(parts)-1] == header {
			s.authorization(end)
		}
	}
	strength := credentialName(identifier)
	if isFrenchPassword(text, start, end) {
		s.termValue(start, end)
		return
	}
	if s.commandName(start, end) {
		return
	}
	before := len(s.spans)
	if basic := namesUserAndPassword(identifier); basic || strength == basicName {
		s.pair(end)
		s.userAndPassword(start, end, basic)
	}
	if hasEnding(identifier, plurals) {
		s.group(start, end)
	}
	if strength == notCredential {
		if len(s.spans) == before {
			s.prose(start, end, strength)
		}
		return
	}
	if from, to, quoted, ok := s.value(start, end); ok {
		s.judge(identifier, strength, from, to, quoted)
	}
	if len(s.spans) == before {
		s.said(start, end, strength)
	}
	if len(s.spans) == before {
		s.prose(start, end, strength)
	}
	if len(s.spans) == before {
		s.near(start, end, strength)
	}
	if len(s.spans) == before && (strength == passwordName || strength == secretName) {
		s.blockText(start, end, strength)
		s.namedBlock(start, end, strength)
	}
}

// namesUserAndPassword reports the name of a value that holds a user and a password, or of what is made of both: basic_auth, userpwd, Credentials.
func namesUserAndPassword(identifier string) bool {
	return hasEnding(identifier, []string{"basicauth", "basic_auth", "basic-auth", "userpwd", "user_pwd", "credentials"})
}

// hasEnding reports whether a name ends in one of endings, in either case.
func hasEnding(name string, endings []string) bool {
	for _, ending := range endings {
		if at := len(name) - len(ending); at >= 0 && name[len(name)-1]|0x20 == ending[len(ending)-1] && strings.EqualFold(name[at:], ending) {
			return true
		}
	}
	return false
}

func isNameByte(b byte) bool { return isWordByte(b) || b == '-' || b == '.' }

func (s *scanner) judge(identifier string, strength credentialStrength, from, to int, quoted bool) {
	value := s.text[from:to]
	if strings.HasPrefix(value, maskPrefix) || strings.EqualFold(value, identifier) || to <= from {
		return
	}
	real := false
	switch {
	case strength == basicName:
		real = isBasicCredential(value)
	case strength == passwordName && s.style != styleProse:
		real = looksReal(value, true, quoted, s.leastBits())
	case strength == passwordName || strength == secretName:
		real = looksReal(value, false, quoted, s.leastBits())
	case strength == mentionsCredential && s.style == styleConfig:
		real = len(value) >= 20 && looksReal(value, false, quoted, suspectedBits) && (hasAllClasses(value) || isHexText(value))
	}
	if real {
		s.add(from, to, strength.kind())
	}
}

// leastBits is how surely a value must look drawn under the name of a credential: settings hold values, code holds names too.
func (s *scanner) leastBits() float64 {
	if s.style == styleCode || s.style == styleProse {
		return suspectedBits
	}
	return trustedBits
}

// value finds what is given to the name text[start:end]: behind "=", ":", ":=", "=>", a comparison, a type and "=", or, for a
// quoted name, a comma. quoted says that the value stood in quotes.
func (s *scanner) value(start, end int) (from, to int, quoted, ok bool) {
	text, i := s.text, end
	nameQuote := byte(0)
	if i < len(text) && isQuote(text[i]) && start > 0 {
		nameQuote = text[i]
		i++
	} else if i+1 < len(text) && text[i] == '\\' && text[i+1] == '"' { // JSON in a string
		nameQuote = '"'
		i += 2
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	if s.style == styleMarkup && i < len(text) && nameQuote == 0 && text[i] == '>' {
		stop := strings.IndexAny(text[i+1:min(len(text), i+512)], "<\n")
		if stop < 0 {
			return 0, 0, false, false
		}
		from, to = trimSpaces(text, i+1, i+1+stop)
		return from, to, true, true
	}
	i = skipSpaces(text, i)
	if nameQuote != 0 && i < len(text) && text[i] == ',' && isListedWord(text, start, end) {
		return 0, 0, false, false
	}
	operator := i
	i, ok = s.operator(i, nameQuote != 0)
	if !ok {
		from, to, ok = s.flagValue(start, end)
		return from, to, false, ok
	}
	tight := i == operator+1 && operator == end && (i >= len(text) || text[i] != ' ')
	i = skipSpaces(text, i)
	if from, to, ok = quotedValue(text, i); ok {
		return from, to, true, true
	}
	from, to, ok = s.bareValue(start, i, tight && text[operator] == '=')
	return from, to, false, ok
}

// isListedWord reports whether the quoted name text[start:end] is a value among others rather than a name: ("root", "password", "shop").
func isListedWord(text string, start, end int) bool {
	if !trivialPasswords[strings.TrimRight(strings.ToLower(text[start:end]), "0123456789")] {
		return false
	}
	before, listed := strings.CutSuffix(strings.TrimRight(text[max(0, start-16):start-1], " \t"), ",")
	return listed && before != "" && isQuote(before[len(before)-1])
}

// operator steps over what stands between a name and its value.
func (s *scanner) operator(i int, nameQuoted bool) (int, bool) {
	text := s.text
	rest := text[i:min(len(text), i+64)]
	for _, op := range []string{":=", "=>", "===", "!==", "==", "!=", "||=", "??=", "?=", "::="} {
		if strings.HasPrefix(rest, op) {
			return i + len(op), true
		}
	}
	switch {
	case strings.HasPrefix(rest, "="):
		return i + 1, true
	case strings.HasPrefix(rest, ","):
		return i + 1, nameQuoted
	case strings.HasPrefix(rest, ":"):
		if s.style == styleCode {
			if after, ok := typedAssignment(rest); ok {
				return i + after, true
			}
		}
		return i + 1, true
	case s.style == styleMarkup && strings.HasPrefix(rest, "value="):
		return i + len("value="), true
	case s.style == styleCode:
		if after, ok := typedAssignment(":" + rest); ok && after > 1 { // var password string = "…"
			return i + after - 1, true
		}
	}
	return i, false
}

// typedAssignment steps over ": TYPE =".
func typedAssignment(rest string) (after int, ok bool) {
	i := 1
	for i < len(rest) && (isWordByte(rest[i]) || strings.IndexByte(" &?<>[].'*|", rest[i]) >= 0) {
		i++
	}
	if i >= len(rest) || rest[i] != '=' || i == 1 || i+1 < len(rest) && (rest[i+1] == '=' || rest[i+1] == '>') || strings.Contains(rest[:i], " '") {
		return 0, false
	}
	return i + 1, true
}

// quotedValue reads a string literal at i: its inner bytes. Escaped quotes stay inside; a line end closes nothing.
func quotedValue(text string, i int) (from, to int, ok bool) {
	for n := 0; n < 3 && i < len(text) && strings.IndexByte("bBrRuUfFL@", text[i]) >= 0 && i+1 < len(text) && (isQuote(text[i+1]) || n < 2 && strings.IndexByte("rRbB", text[i+1]) >= 0); n++ {
		i++ // a prefix of the literal
	}
	escaped := i+1 < len(text) && text[i] == '\\' && (text[i+1] == '"' || text[i+1] == '\'')
	if escaped {
		i++
	}
	if i >= len(text) || !isQuote(text[i]) {
		return 0, 0, false
	}
	quote := text[i]
	width := 1
	if strings.HasPrefix(text[i:], strings.Repeat(string(quote), 3)) {
		width = 3
	}
	from = i + width
	for j := from; j < len(text) && j-from < 4096; j++ {
		switch {
		case text[j] == '\n':
			return 0, 0, false
		case text[j] == '\\' && escaped && j+1 < len(text) && text[j+1] == quote:
			return from, j, j > from
		case text[j] == '\\' && !escaped && j+1 < len(text) && text[j+1] != '\n':
			j++
		case text[j] == quote:
			return from, j, j > from
		}
	}
	return 0, 0, false
}

// bareValue reads a value without quotes where such values are written: in configuration, shell and prose, and inside a
// string of code (a connection string, the query of a URL) when nothing but "=" stands between name and value.
func (s *scanner) bareValue(start, i int, tight bool) (from, to int, ok bool) {
	text := s.text
	stops := " \t\r\n"
	switch {
	case s.style == styleConfig && isInFlowMap(text, start) && !insideQuotes(text, start):
		stops += ",]}"
	case s.style == styleConfig && !insideQuotes(text, start):
	case s.style == styleShell && !insideQuotes(text, start):
		stops += ";|&)\"'`"
	case s.style == styleProse && tight && !insideQuotes(text, start):
		stops += ";|&)\"'`,"
	case tight && (start == 0 || strings.IndexByte(" ;?&\"'`", text[start-1]) >= 0) && insideQuotes(text, start):
		stops += ";&\"'`\\,)"
	case tight && s.style != styleCode:
		stops += ";&\"'`\\,)<"
	case isLoneToken(text, i) && insideQuotes(text, start): // the header of a request: -H 'X-Api-Key: 9fK2…'
		stops += ";&\"'`\\,)"
	default:
		return 0, 0, false
	}
	end := strings.IndexAny(text[i:min(len(text), i+4096)], stops)
	if end < 0 {
		end = min(len(text), i+4096) - i
	}
	to = i + end
	if s.style == styleConfig && to > i && to < len(text) && (text[to] == ' ' || text[to] == '\t') && !restIsComment(text, to) {
		return 0, 0, false // several words
	}
	for to > i && (text[to-1] == ',' || text[to-1] == ';') {
		to--
	}
	return i, to, to > i
}

// isLoneToken reports whether one drawn value follows up to the end of its string.
func isLoneToken(text string, i int) bool {
	n := 0
	for i+n < len(text) && n < 512 && (setDots.has(text[i+n]) || setB64.has(text[i+n])) {
		n++
	}
	return n >= certainBytes && i+n < len(text) && (isQuote(text[i+n]) || text[i+n] == '\\') && isDrawn(text[i:i+n], suspectedBits)
}

// flagValue reads the word behind a long option: --password hunter2.
func (s *scanner) flagValue(start, end int) (from, to int, ok bool) {
	if !strings.HasPrefix(s.text[start:end], "--") || s.style == styleCode && !insideQuotes(s.text, start) {
		return 0, 0, false
	}
	return optionArgument(s.text, end)
}

// isInFlowMap reports whether a map that is written in one line is open before i: {user: me, password: hunter22}.
func isInFlowMap(text string, i int) bool {
	line := text[max(0, i-256):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	opened := strings.LastIndexByte(line, '{')
	if opened < 0 || strings.IndexByte(line[opened:], '}') >= 0 || opened > 0 && strings.IndexByte("{$%#", line[opened-1]) >= 0 {
		return false
	}
	before := strings.TrimRight(line, " \t") // the name begins its member
	return before[len(before)-1] == '{' || before[len(before)-1] == ','
}

func restIsComment(text string, i int) bool {
	i = skipSpaces(text, i)
	return i >= len(text) || strings.IndexByte("\r\n#;", text[i]) >= 0 || strings.HasPrefix(text[i:], "//")
}

// insideQuotes reports whether an odd number of quotes stands before i on its line: a good guess at being in a string.
func insideQuotes(text string, i int) bool {
	line := text[max(0, i-2048):i] // no more of a very long line
	line = line[strings.LastIndexByte(line, '\n')+1:]
	for _, q := range []byte{'"', '\'', '`'} {
		if (strings.Count(line, string(q))-strings.Count(line, "\\"+string(q)))%2 == 1 {
			return true
		}
	}
	return false
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func skipSpaces(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

func trimSpaces(text string, from, to int) (int, int) {
	from = skipSpaces(text, from)
	for to > from && (text[to-1] == ' ' || text[to-1] == '\t' || text[to-1] == '\r') {
		to--
	}
	return from, to
}
