package redact

import "strings"

// namesAccount reports whether the name text[start:end] is that of a user and a password together: credentials, username/password.
func namesAccount(text string, start, end int) bool {
	if name := strings.ToLower(text[start:end]); strings.HasPrefix(name, "credential") {
		return true
	}
	before := strings.ToLower(strings.TrimRight(text[max(0, start-24):start], formatting+" "))
	for _, joint := range []string{"/", "and", "&", ":", ","} {
		user, found := strings.CutSuffix(before, joint)
		user = strings.TrimRight(user, formatting+" ")
		if found && (strings.HasSuffix(user, "user") || strings.HasSuffix(user, "name") || strings.HasSuffix(user, "login") || strings.HasSuffix(user, "mail")) {
			return true
		}
	}
	return false
}

// loginVerbs introduce a user with a password: log in as admin / hunter22.
var loginVerbs = []string{"login", "log in", "sign in", "signin"}

// login looks for an account behind a verb of loginVerbs around i, in prose.
func (s *scanner) login(i int) {
	if s.style != styleProse {
		return
	}
	text := s.text
	for _, verb := range loginVerbs {
		at := max(0, i-2) // the triggers stand up to two bytes into their verbs
		for ; at <= i; at++ {
			if len(text)-at > len(verb) && strings.EqualFold(text[at:at+len(verb)], verb) && (at == 0 || !isWordByte(text[at-1])) {
				break
			}
		}
		if at > i {
			continue
		}
		rest := text[at+len(verb):]
		for _, by := range []string{" with ", " as ", " using ", ": ", " is ", " "} {
			if strings.HasPrefix(rest, by) && s.account(at+len(verb)+len(by)) {
				return
			}
		}
	}
}

// account reads USER / PASSWORD, USER:PASSWORD, USER with PASSWORD and the like at i, and masks the password when it has the form of one.
// It reports whether two words are joined so there.
func (s *scanner) account(i int) bool {
	text := s.text
	from, to := accountWord(text, skipSpaces(text, i), "/:")
	if to <= from {
		return false
	}
	user := text[from:to]
	at := skipFormatting(text, to)
	spaced := skipSpaces(text, at)
	for _, joint := range []string{"/", ":", "|", "with ", "and ", ", "} {
		if !strings.HasPrefix(text[min(spaced, len(text)):], joint) {
			continue
		}
		from, to = accountWord(text, skipSpaces(text, spaced+len(joint)), "")
		value := text[from:to]
		if !strings.EqualFold(value, user) && !strings.Contains(value, "/") && (looksTold(value) || isPassphrase(value)) {
			s.add(from, to, KindPassword)
		}
		return true
	}
	return false
}

// accountWord is the range of a word at i, without the formatting around it, up to white space or a byte of stops.
func accountWord(text string, i int, stops string) (from, to int) {
	i = skipFormatting(text, i)
	rest := text[i:min(len(text), i+128)]
	n := strings.IndexAny(rest, " \t\r\n\"'`<>()[]{},;|"+stops)
	if n < 0 {
		n = len(rest)
	}
	return i, i + len(strings.TrimRight(rest[:n], ".:?*_"))
}

func skipFormatting(text string, i int) int {
	for i < len(text) && strings.IndexByte(formatting, text[i]) >= 0 {
		i++
	}
	return i
}
