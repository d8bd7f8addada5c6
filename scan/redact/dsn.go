package redact

import "strings"

// The rules of this file are for addresses of databases that are no URLs: root:hunter22@tcp(db:3306)/shop, jdbc:oracle:thin:me/hunter22@//db.

// mostUserBytes bounds the user and the password of such an address, each.
const mostUserBytes = 128

// driverNetworks are what stands behind the password in an address of Go's MySQL driver.
var driverNetworks = []string{"@tcp(", "@tcp6(", "@unix(", "@cloudsql(", "@tcp/", "@/"}

// driverAddress looks for USER:PASSWORD before the "@" at i, which a network must follow.
func (s *scanner) driverAddress(i int) {
	text := s.text
	if text[i] != '@' {
		return
	}
	sure := false
	for _, network := range driverNetworks {
		sure = sure || strings.HasPrefix(text[i:], network)
	}
	if !sure {
		return
	}
	start := i
	for start > 0 && i-start < mostUserBytes*2 && text[start-1] > ' ' && text[start-1] < 0x7f && !isQuote(text[start-1]) && text[start-1] != '=' && text[start-1] != '/' {
		start--
	}
	user, password, found := strings.Cut(text[start:i], ":")
	if !found || !isUserName(user) || text[i+1] == '/' && !looksMixed(password) {
		return
	}
	if password != "" && !isMasked(password) && !isURLPlaceholder(password) && (looksReal(password, true, true, suspectedBits) || isPlainWord(password) && isToldWord(password)) {
		s.add(start+len(user)+1, i, KindPassword)
	}
}

// oracle looks behind "thin:" for USER/PASSWORD@.
func (s *scanner) oracle(start, end int) {
	text := s.text
	if end >= len(text) || text[end] != ':' || !strings.HasSuffix(strings.ToLower(text[max(0, start-len("oracle:")):start]), "oracle:") {
		return
	}
	rest := text[end+1 : min(len(text), end+1+2*mostUserBytes)]
	if stop := strings.IndexAny(rest, " \t\r\n\"'`<>"); stop >= 0 {
		rest = rest[:stop]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return
	}
	user, password, found := strings.Cut(rest[:at], "/")
	if found && isUserName(user) && !strings.EqualFold(user, password) && !isURLPlaceholder(password) && !isMasked(password) && looksReal(password, true, true, suspectedBits) {
		s.add(end+1+len(user)+1, end+1+at, KindPassword)
	}
}

// isUserName reports a name of an account, which is no template.
func isUserName(user string) bool {
	for i := range len(user) {
		if !isNameByte(user[i]) && user[i] != '#' {
			return false
		}
	}
	return user != "" && len(user) <= mostUserBytes
}
