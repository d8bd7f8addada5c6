package redact

import "strings"

// webhookPaths are URLs that are secrets themselves: whoever has the path can post.
var webhookPaths = []struct{ prefix, kind string }{
	{"hooks.slack.com/services/", "slack webhook"}, {"hooks.slack.com/workflows/", "slack webhook"},
	{"discord.com/api/webhooks/", "discord webhook"}, {"discordapp.com/api/webhooks/", "discord webhook"},
}

// url looks at the authority behind a "://" at i for a password, and at known webhook addresses.
func (s *scanner) url(i int) {
	if i == 0 || !isWordByte(s.text[i-1]) {
		return
	}
	start := i + 3
	rest := s.text[start:min(len(s.text), start+512)]
	for _, hook := range webhookPaths {
		if path, ok := strings.CutPrefix(rest, hook.prefix); ok {
			n := 0
			for n < len(path) && (setURL.has(path[n]) || path[n] == '/') {
				n++
			}
			if n >= 20 && distinctBytes(path[:n]) >= 8 {
				s.add(start+len(hook.prefix), start+len(hook.prefix)+n, hook.kind)
			}
			return
		}
	}
	end := strings.IndexAny(rest, "/?# \t\r\n\"'`<>\\()[]|,;")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return
	}
	colon := strings.IndexByte(rest[:at], ':')
	if colon < 0 && isUserToken(rest[:at], rest[at+1:end]) {
		s.add(start, start+at, KindURLPassword)
	}
	if colon < 0 || colon+1 == at {
		return
	}
	if password := rest[colon+1 : at]; !isURLPlaceholder(password) && !isExampleAccount(rest[:colon], password, rest[at+1:end]) {
		s.add(start+colon+1, start+at, KindURLPassword)
	}
}

// leastUserToken is the least length of a token that stands alone before the host.
const leastUserToken = 16

// isUserToken reports whether the user of a URL without a password is a token, as package registries take it. The key in the
// address of an error tracker is public.
func isUserToken(user, host string) bool {
	return len(user) >= leastUserToken && isStrong(user, suspectedBits) && !isURLPlaceholder(user) && !strings.Contains(host, "sentry")
}

// trivialPasswords stand in documentation and tests for a password that is not told.
var trivialPasswords = map[string]bool{
	"pass": true, "password": true, "passwd": true, "pwd": true, "pw": true, "pswd": true, "secret": true, "foo": true, "bar": true, "baz": true, "test": true,
	"p": true, "b": true, "x": true, "xx": true, "xxx": true, "xxxx": true, "xxxxx": true, "user": true, "token": true, "yourpassword": true, "mypassword": true, "...": true, "redacted": true,
}

// exampleWords are users and passwords of tests and documentation that whoever guesses tries first. RFC 7617 has the last three.
var exampleWords = map[string]bool{
	"hello": true, "world": true, "evil": true, "hacker": true, "guest": true, "demo": true, "example": true, "admin": true, "root": true, "username": true, "qux": true,
	"alice": true, "bob": true, "foo": true, "bar": true, "baz": true, "user": true, "pass": true, "password": true, "test": true, "injected": true, "creds": true, "old": true, "new": true, "other": true,
	"aladdin": true, "opensesame": true, "open sesame": true,
}

// isExample reports a word of exampleWords, or such words joined: old-password.
func isExample(word string) bool {
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' })
	for _, p := range parts {
		if !exampleWords[p] {
			return false
		}
	}
	return len(parts) > 0
}

// isExampleAccount reports whether a password in a URL hides nothing: an example's word for a host that is the machine itself or that nobody
// can own (RFC 2606). A word that is not in the list stays masked: people give words to their own databases too.
func isExampleAccount(user, password, host string) bool {
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	known := host == "localhost" || strings.HasPrefix(host, "127.") || host == "example.com" || host == "example.org" || host == "example.net"
	for _, ending := range []string{".localhost", ".example", ".example.com", ".example.org", ".example.net", ".test", ".invalid"} {
		known = known || strings.HasSuffix(host, ending)
	}
	return known && isExample(user) && isExample(password)
}

func isURLPlaceholder(password string) bool {
	if trivialPasswords[strings.ToLower(password)] || strings.Trim(password, "*") == "" || strings.Trim(password, "xX") == "" {
		return true
	}
	return strings.ContainsAny(password, "${}<>%*") && !isEscaped(password) || isPlaceholder(password)
}

// isEscaped reports whether every percent sign begins an escape of two hexadecimal digits.
func isEscaped(s string) bool {
	if strings.ContainsAny(s, "{}<>*") || strings.Contains(s, "$(") {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '$':
			return false
		case s[i] == '%' && (i+2 >= len(s) || !setHex.has(s[i+1]) || !setHex.has(s[i+2])):
			return false
		}
	}
	return true
}
