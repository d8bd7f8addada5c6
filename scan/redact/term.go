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
	{"getConnection", "tco", 2, (*scanner).call}, {"connect", "ct(", 5, (*scanner).call}, {"login", "in(", 3, (*scanner).call}, {"ldap_bind", "p_b", 3, (*scanner).call},
	{"simple_bind", "e_b", 5, (*scanner).call}, {"simple_bind_s", "e_b", 5, (*scanner).call}, {"mysqli", "li(", 4, (*scanner).call}, {"PDO", "pdo", 0, (*scanner).call}, {"NetworkCredential", "kcr", 6, (*scanner).call},
	{"creds", "eds", 2, (*scanner).namedPair}, {"thin", "in:", 2, (*scanner).oracle},
	{"Cookie", "kie", 3, (*scanner).cookie}, {"Cookies", "kie", 3, (*scanner).cookies},
	{"encrypt_string", "t_s", 6, (*scanner).encryptedString}, {"sudo", "udo", 1, (*scanner).pipedToSudo},
}

// termsByTrigger lists the terms by the hash of their triggers, in the order of terms.
var termsByTrigger = groupTerms()

func groupTerms() map[uint32][]term {
	m := map[uint32][]term{}
	for _, t := range terms {
		m[hash3(t.trigger)] = append(m[hash3(t.trigger)], t)
	}
	return m
}

// term looks for one of the terms whose trigger begins at i.
func (s *scanner) term(i int) {
	text := s.text
	for _, t := range termsByTrigger[hash3(text[i:i+3])] {
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
	value := text[from:to]
	assigned := how >= linkColon && looksTold(value) && (s.style != styleCode || quoted && hasAllClasses(value) && len(value) >= leastMixed)
	if assigned || looksMixed(value) {
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
