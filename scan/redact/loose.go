package redact

import "strings"

// The rules of this file are for credentials that are not assigned: said in a sentence, put in a header, or handed to a call or a program.
// What stands there is a word of the language far more often, so that a value has to look drawn.

// leastLoose is the least length of a value that is only said to be a password.
const leastLoose = 10

// looksLoose reports a value that counts without quotes or an assignment: of several classes, drawn, and no reference.
func looksLoose(value string) bool {
	c := countClasses(value)
	classes := 0
	for _, n := range []int{c.lower, c.upper, c.digit, c.symbol} {
		if n > 0 {
			classes++
		}
	}
	if len(value) < leastLoose || c.digit == 0 || classes < 2 || classes < 3 && len(value) < certainBytes || strings.HasPrefix(value, maskPrefix) {
		return false
	}
	return !isPlaceholder(value) && !isReference(value, false) && !technicalWords[strings.ToLower(value)] && isDrawn(value, suspectedBits)
}

// said looks behind a credential's name for ": VALUE", "is VALUE" or "was VALUE", where text is written for people: in prose, in comments and
// in strings.
func (s *scanner) said(start, end int, strength credentialStrength) {
	if strength != passwordName && strength != secretName || s.style == styleCode && !inComment(s.text, start) && !insideQuotes(s.text, start) {
		return
	}
	text, i := s.text, end
	if i < len(text) && isQuote(text[i]) {
		i++
	}
	i = skipSpaces(text, i)
	for _, word := range []string{"is ", "was ", "is: ", "are ", ":", "="} {
		if len(text)-i > len(word) && strings.EqualFold(text[i:i+len(word)], word) {
			from := skipSpaces(text, i+len(word))
			if from < len(text) && isQuote(text[from]) {
				from++
			}
			to := wordEnd(text, from)
			if looksLoose(text[from:to]) {
				s.add(from, to, strength.kind())
			}
			return
		}
	}
}

// wordEnd is the end of a word of a sentence at i, without the sign that ends a clause.
func wordEnd(text string, i int) int {
	rest := text[i:min(len(text), i+512)]
	n := strings.IndexAny(rest, " \t\r\n\"'`<>()[]{},;")
	if n < 0 {
		n = len(rest)
	}
	return i + len(strings.TrimRight(rest[:n], ".:!?\\"))
}

// inComment reports whether the line of i begins as comments of most languages do.
func inComment(text string, i int) bool {
	line := text[max(0, i-2048):i]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t")
	for _, mark := range []string{"//", "#", "*", "/*", "--", ";", `"""`, "'''", "%", "<!--"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// authorization looks behind the name of the header for a scheme and what belongs to it: Authorization: token 9fK2…
func (s *scanner) authorization(end int) {
	text, i, given := s.text, end, false
	for ; i < len(text) && i-end < 12 && strings.IndexByte(" \t\"'`\\:=,]", text[i]) >= 0; i++ {
		given = given || strings.IndexByte(":=,", text[i]) >= 0
	}
	if !given {
		return
	}
	if i+1 < len(text) && strings.IndexByte("fFbBrRuU", text[i]) >= 0 && isQuote(text[i+1]) { // the prefix of a literal
		i += 2
	}
	from, to := i, credentialEnd(text, i)
	if to < len(text) && text[to] == ' ' && to-from <= 16 { // the scheme
		from, to = to+1, credentialEnd(text, to+1)
	}
	value := strings.TrimRight(text[from:to], "=")
	if countClasses(value).digit > 0 && isStrong(value, suspectedBits) && !isPlaceholder(value) {
		s.add(from, to, KindBearer)
	}
}

// credentialEnd is the end of the bytes that headers carry credentials in.
func credentialEnd(text string, i int) int {
	for i < len(text) && (setDots.has(text[i]) || strings.IndexByte("~+/=", text[i]) >= 0) {
		i++
	}
	for i > 0 && text[i-1] == '.' {
		i--
	}
	return i
}

// pair looks behind auth= and the names of calls that take a user and a password: auth=("me", "hunter22"), SetBasicAuth("me", "hunter22").
func (s *scanner) pair(end int) {
	text, i := s.text, end
	if i < len(text) && isQuote(text[i]) {
		i++
	}
	tight := i
	if i = skipSpaces(text, i); i < len(text) && (text[i] == '=' || text[i] == ':') {
		i = skipSpaces(text, i+1)
		tight = i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
	}
	if i >= len(text) || text[i] != '(' && text[i] != '[' || i > tight && text[tight] == ' ' {
		return
	}
	_, user, ok := quotedValue(text, skipSpaces(text, i+1))
	if !ok || user+1 >= len(text) {
		return
	}
	if i = skipSpaces(text, user+1); i >= len(text) || text[i] != ',' {
		return
	}
	if from, to, ok := quotedValue(text, skipSpaces(text, i+1)); ok && !strings.HasPrefix(text[from:], maskPrefix) && looksReal(text[from:to], true, true, suspectedBits) {
		s.add(from, to, KindPassword)
	}
}

// isGlued reports whether a word, quoted or not, follows an option that ends at i without a space: -phunter22, -p'hunter22'.
func isGlued(text string, i int) bool {
	if i >= len(text) || strings.IndexByte(" \t\r\n=", text[i]) >= 0 {
		return false
	}
	return !isQuote(text[i]) || i+1 < len(text) && strings.IndexByte(" \t\r\n,)]", text[i+1]) < 0
}

// passwordOption looks at an option -p, or -a of redis-cli, whose three bytes at i are in the triggers, of the programs that take a
// password with it. mysql takes it without a space: with one, what follows is the name of a database.
func (s *scanner) passwordOption(i int) {
	text := s.text
	if text[i+1] != '-' || text[i] != ' ' && !isQuote(text[i]) {
		return
	}
	before, end := commandBefore(text, i), i+3
	before = before[1+strings.LastIndexAny(before, "|;&`"):]
	sure := false // nothing but a password can stand there
	switch {
	case text[i+2] == 'a' && isRequestCommand(before):
		s.userArgument(i, end)
		return
	case text[i+2] == 'k' && strings.Contains(before, "openssl "):
	case text[i+2] == 'a' && !strings.Contains(before, "redis-cli"), text[i+2] != 'a' && text[i+2] != 'p':
		return
	case text[i+2] == 'a', strings.Contains(before, "sshpass"):
	case strings.Contains(before, "mysql") || strings.Contains(before, "mariadb"):
		if sure = isGlued(text, end); !sure {
			return
		}
	case !takesPasswordOption(before):
		return
	}
	from, to, ok := optionArgument(text, end)
	if !ok || isMasked(text[from:]) {
		return
	}
	value := text[from:to]
	switch {
	case looksLoose(value):
	case strings.ContainsAny(value, ":/"): // docker run -p 127.0.0.1:27017:27017
		return
	case s.style == styleProse:
		if !looksTold(value) && !(sure && isToldWord(value) && isPlainWord(value)) {
			return
		}
	case !looksReal(value, true, false, s.leastBits()):
		return
	}
	s.add(from, to, KindPassword)
}

// takesPasswordOption reports whether -p of a command that begins so is the password.
func takesPasswordOption(before string) bool {
	if strings.Contains(before, " run ") || !strings.Contains(before, "login") && !strings.Contains(before, "mongo") && !strings.Contains(before, "cypher") {
		return false
	}
	before += " "
	for _, program := range []string{"docker login ", "podman login ", "registry login ", "oc login ", "az login ", "mongosh ", "mongo ", "mongodump ", "mongorestore ", "mongoexport ", "mongoimport ", "cypher-shell "} {
		if strings.Contains(before, program) {
			return true
		}
	}
	return false
}
