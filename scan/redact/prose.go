package redact

import (
	"slices"
	"strings"
)

// The rules of this file are for texts that people write for people: documents, messages of commits, tasks. There a password is a word
// beside its name ("the database password is …", "- Password: …"), and so is what is said of passwords ("the password is hashed").
// A word counts by its form (looksTold) where a sentence could go on, and whatever it is where only a value can stand: assigned to a
// variable of an environment, in quotes, alone behind a label. What documentation writes there instead of a password is in toldWords.

// link is what stands between the name of a credential and its value.
type link uint8

const (
	noLink    link = iota
	linkBare       // password hunter2
	linkVerb       // the password is hunter2, the password for bob was hunter2
	linkColon      // password: hunter2
	linkEqual      // password = hunter2
	linkTight      // password=hunter2
)

// mostBetween bounds the words between a name and its verb: the password of the old database is …
const (
	mostBetween      = 6
	mostBetweenBytes = 60
)

// prose looks for the value of a credential's name, text[start:end], where text is written for people.
func (s *scanner) prose(start, end int, strength credentialStrength) {
	text := s.text
	if strength == notCredential && strings.EqualFold(text[start:end], "key") && isKeyOfTwoWords(text, start) {
		strength = secretName
	}
	document := s.style == styleProse
	switch {
	case strength != passwordName && strength != secretName, !document && (strength == secretName || !inComment(text, start)):
		return
	case document && s.table(start, end, strength):
		return
	}
	how, at := linkAfter(text, start, end)
	if how == noLink || document && namesAccount(text, start, end) && s.account(at) {
		return
	}
	from, to, quoted := toldValue(text, at)
	if how == linkTight && !quoted {
		to = from + queryValue(text[from:to])
	}
	if to <= from || isMasked(text[from:]) {
		return
	}
	value := text[from:to]
	identifier := strings.Trim(text[start:end], "-")
	told := false
	switch {
	case strings.HasSuffix(strings.ToLower(identifier), strings.ToLower(value)) || strings.ContainsAny(value, "/|"):
	case strength == secretName:
		told = how != linkBare && (how != linkVerb || quoted) && len(value) >= leastToldSecret && countClasses(value).digit > 1 && looksTold(value) && !strings.ContainsAny(value, "-_.:/")
	case !document:
		told = how != linkBare && looksTold(value)
	case how == linkBare && strings.EqualFold(identifier, "pass"): // a verb far more often
	case how == linkBare:
		told = looksTold(value) && (quoted || countClasses(value).upper == 0 || hasPasswordSymbol(value) || looksMixed(value))
	case looksTold(value):
		told = true
	case isPassphrase(value):
		told = quoted || endsClause(text, to)
	case how == linkTight && isVariable(identifier), quoted && how != linkVerb, quoted && endsClause(text, to) && !saidOfSeveral(text, at):
		told = isToldWord(value)
	case how == linkColon && isLabel(text, start) && isLastOfLine(text, to):
		told = isToldWord(value) && isPlainWord(value)
	}
	if told {
		s.add(from, to, strength.kind())
	}
}

// leastTold is the least length of a password in prose, leastToldSecret that of a secret or token, which are drawn.
const (
	leastTold       = 6
	leastToldSecret = 10
	leastToldWord   = 4
)

// saidOfSeveral reports whether the verb before i is "are": what it says is no password but a property of them, such as their type.
func saidOfSeveral(text string, i int) bool {
	return i > len("are ") && strings.EqualFold(text[i-len("are "):i-1], "are")
}

// isKeyOfTwoWords reports whether the word key at i follows one that makes it a credential: API key, secret key.
func isKeyOfTwoWords(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-24):i], " ")
	at := len(before)
	for at > 0 && isWordByte(before[at-1]) {
		at--
	}
	return keyKinds[strings.ToLower(before[at:])]
}

// formatting stands around words in Markdown and reStructuredText.
const formatting = "*_`\"'"

// linkAfter reads what joins the name text[start:end] to its value, and where the value begins.
func linkAfter(text string, start, end int) (how link, at int) {
	i := skipFormatting(text, end)
	tight := i
	i = skipSpaces(text, i)
	if how, at = linkAt(text, i); how != noLink {
		if how == linkEqual && i == tight && at < len(text) && text[at] != ' ' {
			how = linkTight
		}
		return how, at
	}
	if i == tight {
		return noLink, 0
	}
	if strings.HasPrefix(text[start:end], "--") {
		return linkTight, i
	}
	if after, ok := betweenWords(text, i); ok {
		return linkAt(text, after)
	}
	return linkBare, i
}

// linkAt reads a colon, an equals sign or a verb at i.
func linkAt(text string, i int) (how link, at int) {
	for _, sign := range []string{":=", "=>", "->", "→"} {
		if strings.HasPrefix(text[i:], sign) {
			return linkEqual, i + len(sign)
		}
	}
	if i < len(text) && text[i] == '=' && !strings.HasPrefix(text[i:], "==") {
		return linkEqual, i + 1
	}
	if i < len(text) && text[i] == ':' && !strings.HasPrefix(text[i:], "::") {
		return linkColon, i + 1
	}
	for _, verb := range []string{"is set to", "was set to", "set to", "is:", "is", "was", "are", "est", "es", "é", "ist"} {
		rest := text[i:]
		if len(rest) > len(verb) && strings.EqualFold(rest[:len(verb)], verb) && (rest[len(verb)] == ' ' || rest[len(verb)] == '\n') {
			if rest[len(verb)] == '\n' && len(rest) > len(verb)+1 && rest[len(verb)+1] == '\n' {
				return noLink, 0
			}
			return linkVerb, i + len(verb) + 1
		}
	}
	return noLink, 0
}

// betweenWords steps over "for …", "of …" and what is in brackets, up to a verb or a sign.
func betweenWords(text string, i int) (after int, ok bool) {
	rest := text[i:min(len(text), i+mostBetweenBytes)]
	if line := strings.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	if !strings.HasPrefix(rest, "(") && !slices.ContainsFunc([]string{"for ", "of ", "to ", "on "}, func(w string) bool { return strings.HasPrefix(rest, w) }) {
		return 0, false
	}
	words := 0
	for at := 0; at < len(rest) && words < mostBetween; at++ {
		switch b := rest[at]; {
		case b == ' ':
			words++
			if how, _ := linkAt(text, i+at+1); how != noLink {
				return i + at + 1, true
			}
		case b == ':' || b == '=':
			return i + at, true
		case strings.IndexByte(".,;!?|", b) >= 0 && (at+1 == len(rest) || rest[at+1] == ' '):
			return 0, false
		}
	}
	return 0, false
}

// toldValue reads the word at i, in quotes or not, or what stands in quotes there.
func toldValue(text string, i int) (from, to int, quoted bool) {
	i = skipSpaces(text, i)
	opened := i
	for i < len(text) && strings.IndexByte("*_", text[i]) >= 0 {
		i++
	}
	formatted := i > opened && i < len(text) && text[i] != ' '
	i = skipSpaces(text, i)
	if i < len(text) && isQuote(text[i]) {
		quote, from := text[i], i+1
		for from < len(text) && text[from] == quote {
			from++
		}
		n := strings.IndexAny(text[from:min(len(text), from+256)], "\t\n\r"+string(quote))
		if n <= 0 || text[from+n] != quote {
			return 0, 0, false
		}
		return from, from + n, true
	}
	rest := text[i:min(len(text), i+256)]
	n := strings.IndexAny(rest, " \t\r\n\"'`<>()[]{},;|")
	if n < 0 {
		n = len(rest)
	}
	if n < len(rest) && strings.IndexByte("(<[{", rest[n]) >= 0 {
		return 0, 0, false // a call, a type or a place to fill in
	}
	value := strings.TrimRight(rest[:n], ".:?\\")
	if bold := strings.TrimSuffix(value, "**"); formatted || bold != value {
		value = strings.TrimRight(bold, "*_.:?\\")
	}
	return i, i + len(value), false
}

// queryValue is the length of a value up to the next name in the query of a URL: a=VALUE&b=2.
func queryValue(value string) int {
	at := strings.IndexByte(value, '&')
	next := at + 1
	for next < len(value) && isNameByte(value[next]) {
		next++
	}
	if at < 0 || next == at+1 || next == len(value) || value[next] != '=' {
		return len(value)
	}
	return at
}

// looksTold reports the form of a password that somebody thought of: letters with digits or with marks that no name has.
func looksTold(value string) bool {
	c := countClasses(value)
	if len(value) < leastTold || len(value) > 128 || c.lower+c.upper == 0 || c.other+c.space > 0 || c.digit == 0 && !hasPasswordSymbol(value) {
		return false
	}
	if !isToldWord(value) || technicalWords[strings.ToLower(value)] || isMeasure(value) || strings.ContainsAny(value, "/\\()[]{}<>|;,") {
		return false
	}
	if c.digit == 0 || c.symbol > 0 && !hasPasswordSymbol(strings.TrimRight(value, "!")) {
		return c.digit == 0 && isMarked(value) || c.digit > 0 && !isDotted(value)
	}
	return true
}

// isMarked reports a value without digits whose marks are inside of it or at its end, as in no name and no operator: P@ssword!
func isMarked(value string) bool {
	return len(value) >= 8 && strings.ContainsAny(strings.TrimRight(value, "!?"), "!@#$%^&*") && !strings.ContainsAny(value, "=?+~.") && !strings.Contains(value, "**")
}

// isDotted reports a value whose parts are those of a name, a version or a file: v1.2, api.key2, x86_64, AES-128.
func isDotted(value string) bool {
	return strings.ContainsAny(value, "._:") || strings.Contains(value, "-") && (startsWithUpper(value) || !strings.ContainsAny(value[:1], "abcdefghijklmnopqrstuvwxyz"))
}

func startsWithUpper(value string) bool { return 'A' <= value[0] && value[0] <= 'Z' }

// isMeasure reports numbers with a unit (8-character, 256bit) and short names with a number (RFC7519, P-256, v1beta1).
func isMeasure(value string) bool {
	letters := strings.ToLower(strings.TrimLeft(value, "0123456789.+-"))
	if len(letters) < len(value) && measureWords[strings.Trim(letters, "-")] {
		return true
	}
	stem := strings.TrimRight(value, "0123456789")
	return len(stem) < len(value) && len(strings.TrimRight(stem, "-")) <= 5 && strings.ToUpper(stem) == stem || strings.HasPrefix(value, "0x")
}

var measureWords = stringSet(`bit bits byte bytes char chars character characters digit digits letter letters word words day days hour hours minute minutes second seconds min sec times step steps factor way bytes-long st nd rd th`)

// isToldWord reports whether a word can be a password at all: it is none of the words that stand for one or are said of one, no
// reference, nothing to fill in, and no name that speaks of a credential itself.
func isToldWord(value string) bool {
	lower := strings.ToLower(strings.TrimRight(value, "!"))
	if len(value) < leastToldWord || trivialPasswords[lower] || toldWords[lower] || isPlaceholder(value) || isReference(value, true) {
		return false
	}
	for _, part := range []string{"passw", "pwd", "secret", "token", "passphrase", "credential", "apikey", "api_key", "api-key", "mypass", "userpass", "yourpass", "...", "…", "***"} {
		if strings.Contains(lower, part) {
			return false
		}
	}
	c := countClasses(value)
	return c.lower+c.upper > 0 && c.other+c.space == 0 && !strings.ContainsAny(value, ":;,|()[]{}<>\\\"'`") && (c.lower > 0 || !strings.Contains(value, "_"))
}

// isPlainWord reports a word of letters, with hyphens, that is no name of a program's: swordfish, Open-sesame.
func isPlainWord(value string) bool {
	for i := range len(value) {
		b := value[i]
		if 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' && i == 0 || b == '-' && i > 0 {
			continue
		}
		return false
	}
	return len(value) >= leastTold
}

// toldWords are written where a password could stand: types, states, ways to give one, and what is said of one.
var toldWords = stringSet(`required require requires optional mandatory needed string strings str text char varchar byte bytes number integer int bool boolean true false null nil none undefined void
	any object array list map dict type value values here there empty blank unset default defaults enabled disabled enable disable invalid valid wrong incorrect correct missing unknown expired encrypted hashed plaintext cleartext
	plain random generated auto automatic prompt prompted stdin stdout env environment keyring keychain file files basic bearer oauth oauth2 hidden visible private public read write readonly yes only never always ignored
	supported unsupported deprecated removed added changed change changes fixed update updated used unused same different stored sent given passed provided not this that the your mine same above below see also
	input field form hash salt hex base64 login user username admin root hello world encoded decoded escaped quoted verified checked resolved rejected accepted success failure error self inherit`)

// isVariable reports the name of a variable of an environment: PGPASSWORD, DB_PASSWORD.
func isVariable(name string) bool {
	return len(name) > 2 && strings.ToUpper(name) == name
}

// isPassphrase reports words joined by hyphens, or four and more with spaces between them, that make no sentence: correct-horse-battery.
func isPassphrase(value string) bool {
	parts := strings.Split(value, "-")
	least := 3
	if words := strings.Fields(value); len(words) > 1 {
		parts, least = words, 4
	}
	if len(parts) < least || len(parts) > 8 || !isToldWord(strings.Join(parts, "-")) {
		return false
	}
	for _, p := range parts {
		if len(p) < 3 || joiningWords[p] || strings.Trim(p, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return true
}

// joiningWords make a compound a word of a sentence (end-to-end, out-of-date) and several words a sentence.
var joiningWords = stringSet(`must should can may will has have are was were been being from with when than then that this which who why how where into only also more most least must use used enter type your our
	their its his her you they please cannot does did let make sure least longer characters phrase field and the for not non per pre post out off end one two three four all any own re based free less only like time date once way well known sensitive insensitive specific wide level safe aware able case long
	short high low self side hoc built user system machine human readable writable server client day hour minute`)

// endsClause reports whether a value that ends at i, in quotes or not, ends its clause or line.
func endsClause(text string, i int) bool {
	i = skipFormatting(text, i)
	return i >= len(text) || strings.IndexByte("\r\n.,;)!|", text[i]) >= 0
}

// isLastOfLine reports whether nothing follows a value that ends at i.
func isLastOfLine(text string, i int) bool {
	for i < len(text) && strings.IndexByte("*_ \t\r", text[i]) >= 0 {
		i++
	}
	return i >= len(text) || text[i] == '\n'
}

// isLabel reports whether a name at i begins its line, or its item of a list, but for at most two words before it.
func isLabel(text string, i int) bool {
	line := text[max(0, i-64):i]
	if at := strings.LastIndexByte(line, '\n'); at >= 0 {
		line = line[at+1:]
	} else if i > len(line) {
		return false
	}
	line = strings.TrimLeft(line, " \t>*+-#_`0123456789.)")
	return len(strings.Fields(line)) <= 2 && !strings.ContainsAny(line, ".,;:!?=<>(){}[]\"'")
}
