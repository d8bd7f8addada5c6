package redact

import (
	"slices"
	"strings"
)

// Bounds of the cookies of one header.
const (
	mostCookies     = 32
	leastSession    = 16 // bytes of a value that opens a session: shorter ones are of tests and preferences
	mostCookieBytes = 4096
)

// sessionParts are in the names of cookies that stand for whoever has them.
var sessionParts = []string{"sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "remember", "login", "ticket"}

// cookie looks behind the name of the header, Cookie or Set-Cookie, for cookies of a session: Cookie: session=9fK2…
func (s *scanner) cookie(start, end int) {
	if start < s.cookieEnd {
		return
	}
	text, i, given := s.text, end, false
	for ; i < len(text) && i-end < 12 && strings.IndexByte(" \t\"'`\\:=,>(]", text[i]) >= 0; i++ {
		given = given || strings.IndexByte(":=,", text[i]) >= 0
	}
	if !given && !strings.HasPrefix(text[max(0, end-len("--cookie")):], "--") {
		return
	}
	if i+1 < len(text) && strings.IndexByte("fFbBrRuU", text[i]) >= 0 && isQuote(text[i+1]) { // the prefix of a literal
		i += 2
	}
	s.cookieEnd = s.cookiePairs(i)
}

// cookiePairs goes over the pairs NAME=VALUE and attributes from i, and returns where they end.
func (s *scanner) cookiePairs(i int) (end int) {
	text := s.text
	limit := min(len(text), i+mostCookieBytes)
	for range mostCookies {
		name := i
		for i < limit && isNameByte(text[i]) {
			i++
		}
		if i == name || i >= limit || text[i] != '=' {
			if i == name || i >= limit || text[i] != ';' { // an attribute without a value: Secure; HttpOnly
				return i
			}
		} else {
			from := i + 1
			for i = from; i < len(text) && i-from < mostCookieBytes && isCookieByte(text[i]); i++ {
			}
			if isSessionValue(text[name:from-1], text[from:i]) {
				s.add(from, i, KindSecret)
			}
		}
		for i < limit && text[i] != ';' && text[i] != '\n' && !isQuote(text[i]) { // dates hold spaces
			i++
		}
		if i >= limit || text[i] != ';' {
			return i
		}
		i = skipSpaces(text, i+1)
	}
	return i
}

// cookies looks behind the name of a map of cookies: cookies={"sessionid": "9fK2…"}.
func (s *scanner) cookies(start, end int) {
	for _, m := range s.members(start, end) {
		if isSessionValue(s.text[m.key.from:m.key.to], s.text[m.value.from:m.value.to]) {
			s.add(m.value.from, m.value.to, KindSecret)
		}
	}
}

func isCookieByte(b byte) bool { return setB64.has(b) || strings.IndexByte("-_.%~!*|:", b) >= 0 }

func isSessionValue(name, value string) bool {
	if len(value) < leastSession {
		return false
	}
	name = strings.ToLower(name)
	if !slices.ContainsFunc(sessionParts, func(part string) bool { return strings.Contains(name, part) }) {
		return false
	}
	value = strings.TrimRight(value, ".=")
	return len(value) >= leastSession && countClasses(value).digit > 0 && !isPlaceholder(value) && isStrong(value, suspectedBits)
}
