package redact

import "strings"

// term is a word or a call that the names of credentials do not cover (name.go), found by three of its bytes.
type term struct {
	text    string
	trigger string // three bytes of the term, or two and the one behind it
	at      int    // where the trigger begins in the term
	find    func(s *scanner, start, end int)
}

// terms are a short form and the words for password of languages whose words are not near the English one. German and Dutch are in
// passwordWords, French in isFrenchPassword. A small and a large letter of Cyrillic share no byte pattern: both have a trigger.
var terms = []term{
	{"pw", "pw:", 0, (*scanner).termValue}, {"pw", "pw=", 0, (*scanner).termValue}, {"pw", "pw ", 0, (*scanner).termValue}, {"pw", "pw\"", 0, (*scanner).termValue},
	{"pw", "pw'", 0, (*scanner).termValue}, {"pw", "pw*", 0, (*scanner).termValue}, {"pw", "pw`", 0, (*scanner).termValue},
	{"contraseña", "se\xc3", 6, (*scanner).termValue}, {"contrasena", "ras", 4, (*scanner).termValue}, {"senha", "enh", 1, (*scanner).termValue},
	{"пароль", "\xbb\xd1\x8c", 9, (*scanner).termValue}, {"ПАРОЛЬ", "\x9b\xd0\xac", 9, (*scanner).termValue},
	{"getConnection", "tco", 2, (*scanner).connection},
}

// term looks for one of the terms whose trigger begins at i.
func (s *scanner) term(i int) {
	text := s.text
	for _, t := range terms {
		start := i - t.at
		end := start + len(t.text)
		if start < 0 || end > len(text) || !strings.EqualFold(text[start:end], t.text) || end < len(text) && (isWordByte(text[end]) || text[end] >= 0x80) {
			continue
		}
		if before := start - 1; before < 0 || text[before] < 0x80 && (text[before] == '_' || !isWordByte(text[before])) {
			t.find(s, start, end)
			return
		}
	}
}

// termValue looks for a value that a sign, a verb or nothing but a space joins to the term.
func (s *scanner) termValue(start, end int) {
	text := s.text
	how, at := linkAfter(text, start, end)
	if how == noLink || how == linkBare && s.style != styleProse {
		return
	}
	from, to, quoted := toldValue(text, at)
	if s.style == styleCode && !quoted && !inComment(text, start) {
		return
	}
	if from == to {
		return
	}
	if value := text[from:to]; looksMixed(value) || s.style != styleCode && how >= linkColon && looksTold(value) {
		s.add(from, to, KindPassword)
	}
}

// mostArgumentBytes bounds the arguments of a call.
const mostArgumentBytes = 512

// connection looks for the third argument of a call that takes an address, a user and a password: getConnection("jdbc:…", "me", "hunter22").
func (s *scanner) connection(_, end int) {
	text := s.text
	if end >= len(text) || text[end] != '(' {
		return
	}
	arguments, depth := 0, 0
	limit := min(len(text), end+mostArgumentBytes)
	for i := end + 1; i < limit; i++ {
		switch b := text[i]; {
		case b == '"':
			_, to, ok := quotedValue(text, i)
			if !ok && !strings.HasPrefix(text[i:], `""`) {
				return
			}
			i = max(to, i+1)
		case b == '(':
			depth++
		case b == ')' && depth > 0:
			depth--
		case b == ')' || b == ';' || b == '{':
			return
		case b == ',' && depth == 0:
			if arguments++; arguments < 2 {
				continue
			}
			s.lastArgument(i + 1)
			return
		}
	}
}

// lastArgument masks the literal at i when it ends the arguments and has the form of a password.
func (s *scanner) lastArgument(i int) {
	text := s.text
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	from, to, ok := quotedValue(text, i)
	if !ok || strings.HasPrefix(text[from:], strings.TrimSpace(maskPrefix)) {
		return
	}
	if i = skipSpaces(text, to+1); i < len(text) && text[i] == ')' && looksReal(text[from:to], true, true, suspectedBits) {
		s.add(from, to, KindPassword)
	}
}

// isFrenchPassword reports whether the name text[start:end] is, or ends, "mot de passe": the words, mot_de_passe, motDePasse.
func isFrenchPassword(text string, start, end int) bool {
	const before = "mot de "
	if strings.EqualFold(text[start:end], "passe") {
		return start >= len(before) && strings.EqualFold(text[start-len(before):start], before)
	}
	name := strings.ToLower(text[start:end])
	return strings.HasSuffix(name, "passe") && strings.HasSuffix(strings.NewReplacer("_", "", "-", "").Replace(name), "motdepasse")
}
