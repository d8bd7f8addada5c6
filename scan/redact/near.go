package redact

import "strings"

// The rules of this file are for values that stand near the name of a credential without an assignment: in brackets behind it, on the line
// below, before it ("… as the password"), between its tags, in a call or a field beside it. All sorts of words stand there, so that a value
// must look like nothing that people write (looksMixed).

// looksMixed reports a value of small and large letters with digits among them, as no name has them: Zq8kTr42xw.
func looksMixed(value string) bool {
	if looksLoose(value) {
		return true
	}
	return hasAllClasses(value) && looksTold(value) && len(value) >= leastMixed && drawnBits(value) >= mixedBits
}

// A value of leastMixed bytes needs fewer bits than one that stands alone (isDrawn): it has three classes and a name beside it.
const (
	leastMixed = 8
	mixedBits  = 4
)

// near looks around the name text[start:end] for a value that no sign gives to it.
func (s *scanner) near(start, end int, strength credentialStrength) {
	if strength != passwordName && strength != secretName || strings.HasSuffix(s.text[:start], maskPrefix) {
		return
	}
	document := s.style == styleProse
	written := document || inComment(s.text, start)
	for _, place := range []struct {
		here     bool
		assigned bool // as surely as by an equals sign
		find     func(text string, start, end int) (from, to int)
	}{
		{s.style != styleMarkup, true, betweenTags},
		{document, true, valueAttribute},
		{s.style != styleMarkup, true, setterArgument},
		{document || s.style == styleConfig, true, fieldBeside},
		{document || s.style == styleShell, true, instructionValue},
		{written, false, bracketed},
		{document || s.style == styleConfig, false, lineBelow},
		{written, false, wordBefore},
	} {
		if !place.here {
			continue
		}
		from, to := place.find(s.text, start, end)
		if from >= to {
			continue
		}
		value := s.text[from:to]
		if accepts(strength, value) || place.assigned && document && strength == passwordName && looksTold(value) {
			s.add(from, to, strength.kind())
		} else if place.assigned {
			s.judge(s.text[start:end], strength, from, to, true)
		}
		return
	}
}

// accepts asks more of a token than of a password, which is shorter and has a name that stands for nothing else.
func accepts(strength credentialStrength, value string) bool {
	if strength == passwordName {
		return looksMixed(value)
	}
	return looksLoose(value)
}

// betweenTags is the range of what stands between <NAME> and the next tag that closes: <password>VALUE</password>.
func betweenTags(text string, start, end int) (from, to int) {
	if start == 0 || text[start-1] != '<' && text[start-1] != ':' || end >= len(text) || text[end] != '>' {
		return 0, 0
	}
	rest := text[end+1 : min(len(text), end+256)]
	stop := strings.IndexAny(rest, "<\n")
	if stop < 0 || !strings.HasPrefix(rest[stop:], "</") {
		return 0, 0
	}
	return trimSpaces(text, end+1, end+1+stop)
}

// valueAttribute is the range of the value in key="NAME" value="VALUE".
func valueAttribute(text string, start, end int) (from, to int) {
	if start == 0 || !isQuote(text[start-1]) || end >= len(text) || text[end] != text[start-1] {
		return 0, 0
	}
	i := skipSpaces(text, end+1)
	if !strings.HasPrefix(text[i:], "value=") {
		return 0, 0
	}
	from, to, _ = quotedValue(text, i+len("value="))
	return from, to
}

// setterArgument is the range of the one literal that a setter takes: setPassword("VALUE").
func setterArgument(text string, start, end int) (from, to int) {
	call := text[start+strings.LastIndexByte(text[start:end], '.')+1 : end]
	if !strings.HasPrefix(strings.ToLower(call), "set") || end >= len(text) || text[end] != '(' {
		return 0, 0
	}
	from, to, ok := quotedValue(text, skipSpaces(text, end+1))
	if !ok {
		return 0, 0
	}
	if i := skipSpaces(text, to+1); i >= len(text) || text[i] != ')' {
		return 0, 0
	}
	return from, to
}

// fieldBeside is the range of the value in a list of names and values, as manifests of containers have it: behind name: NAME, on the same
// line or the next, value: VALUE.
func fieldBeside(text string, start, end int) (from, to int) {
	before := strings.TrimRight(text[max(0, start-24):start], " \t\"'")
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "=") {
		return 0, 0
	}
	if before = strings.TrimRight(before[:len(before)-1], " \t\"'"); !strings.HasSuffix(strings.ToLower(before), "name") {
		return 0, 0
	}
	i := end
	if i < len(text) && isQuote(text[i]) {
		i++
	}
	for line := 0; i < len(text) && strings.IndexByte(" \t\r\n,\"'", text[i]) >= 0; i++ {
		if text[i] == '\n' {
			if line++; line > 1 {
				return 0, 0
			}
		}
	}
	if !strings.HasPrefix(text[i:], "value") {
		return 0, 0
	}
	if i += len("value"); i < len(text) && isQuote(text[i]) {
		i++
	}
	if i = skipSpaces(text, i); i >= len(text) || text[i] != ':' && text[i] != '=' {
		return 0, 0
	}
	return wordAt(text, i+1)
}

// instructionValue is the range of the value behind ENV NAME or ARG NAME of the recipe of an image.
func instructionValue(text string, start, end int) (from, to int) {
	line := text[max(0, start-32):start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if word := strings.ToUpper(strings.Trim(line, " \t`")); word != "ENV" && word != "ARG" || end >= len(text) || text[end] != ' ' && text[end] != '\t' {
		return 0, 0
	}
	return wordAt(text, end)
}

// bracketed is the range of the one word in brackets behind a name: the root password (VALUE).
func bracketed(text string, _, end int) (from, to int) {
	i := skipSpaces(text, skipFormatting(text, end))
	if i >= len(text) || i == end || text[i] != '(' {
		return 0, 0
	}
	from, to = wordAt(text, i+1)
	if i = skipFormatting(text, to); from == to || i >= len(text) || text[i] != ')' {
		return 0, 0
	}
	return from, to
}

// mostLinesBelow are lines that may stand between a label and its value: an empty one, or the fence of a block of code.
const mostLinesBelow = 2

// lineBelow is the range of a word that has the line below a label to itself.
func lineBelow(text string, _, end int) (from, to int) {
	i := skipFormatting(text, end)
	if i >= len(text) || text[i] != ':' {
		return 0, 0
	}
	i = skipFormatting(text, i+1)
	if i < len(text) && text[i] == ':' { // a block of reStructuredText
		i++
	}
	for range mostLinesBelow + 1 {
		if i = skipLineEnd(text, i); i == 0 {
			return 0, 0
		}
		next := skipSpaces(text, i)
		if strings.HasPrefix(text[next:], "```") {
			for next < len(text) && (text[next] == '`' || isWordByte(text[next])) && next-i < 64 {
				next++
			}
			i = next
			continue
		}
		if next < len(text) && (text[next] == '\r' || text[next] == '\n') {
			i = next
			continue
		}
		for next < len(text) && text[next] == '>' { // a quotation
			next = skipSpaces(text, next+1)
		}
		from, to = wordAt(text, next)
		if isLastOfLine(text, skipFormatting(text, to)) {
			return from, to
		}
		return 0, 0
	}
	return 0, 0
}

// skipLineEnd is the place behind the line end at i, or 0 where something else stands.
func skipLineEnd(text string, i int) int {
	i = skipSpaces(text, i)
	if i < len(text) && text[i] == '\r' {
		i++
	}
	if i >= len(text) || text[i] != '\n' {
		return 0
	}
	return i + 1
}

// Bounds of what is read before a name for "VALUE as the NAME".
const (
	mostBytesBefore = 160
	mostWordsAs     = 4 // as the new root password
)

// wordBefore is the range of the word that is said to be the credential: use VALUE as the password.
func wordBefore(text string, start, _ int) (from, to int) {
	at := start
	low := max(0, start-mostBytesBefore)
	for range mostWordsAs {
		word, begin := lastWord(text, low, at)
		if word == "" || strings.ContainsAny(word, ".,;:!?()") {
			return 0, 0
		}
		at = begin
		if strings.EqualFold(word, "as") {
			word, begin = lastWord(text, low, at)
			if begin == low && low > 0 || strings.HasSuffix(word, ".") { // cut, or the end of a sentence
				return 0, 0
			}
			from = skipFormatting(text, begin)
			return from, max(from, begin+len(strings.TrimRight(word, formatting+",")))
		}
	}
	return 0, 0
}

// lastWord is the last word between low and end, up to white space, and where it begins.
func lastWord(text string, low, end int) (word string, begin int) {
	for end > low && strings.IndexByte(" \t\r\n", text[end-1]) >= 0 {
		end--
	}
	begin = end
	for begin > low && strings.IndexByte(" \t\r\n", text[begin-1]) < 0 {
		begin--
	}
	return text[begin:end], begin
}

// wordAt is the range of a word at i, in quotes or not, without the formatting around it.
func wordAt(text string, i int) (from, to int) {
	from, to, _ = toldValue(text, i)
	return from, to
}
