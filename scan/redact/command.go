package redact

import "strings"

// The rules of this file are for commands that take a password by its place: from what echo writes before them, as an argument without a
// name, or behind an option of one letter.

// commandPassword reports whether a value that stands where a command takes a password is one.
func (s *scanner) commandPassword(value string) bool {
	switch {
	case value == "" || isMasked(value):
		return false
	case looksLoose(value):
		return true
	case s.style == styleCode:
		return looksMixed(value)
	case s.style == styleProse:
		return looksTold(value)
	}
	return looksReal(value, true, false, s.leastBits())
}

// commandName looks at names of programs and options that take a password which echo has written, or has as an argument. It reports whether
// the name is one of them.
func (s *scanner) commandName(start, end int) bool {
	switch s.text[start:end] {
	case "--password-stdin", "--passphrase-fd":
		s.piped(start, false)
	case "chpasswd":
		s.piped(start, true)
	case "htpasswd":
		s.htpasswd(end)
	default:
		return false
	}
	return true
}

// piped looks before the command at i for echo VALUE | or echo USER:VALUE |.
func (s *scanner) piped(i int, account bool) {
	before := commandBefore(s.text, i)
	bar := strings.LastIndexByte(before, '|')
	if bar < 0 || strings.ContainsAny(before[bar:], ";&") {
		return
	}
	offset := i - len(before)
	begin := max(strings.LastIndex(before[:bar], "echo "), strings.LastIndex(before[:bar], "printf "))
	if begin < 0 {
		return
	}
	at := offset + begin + strings.IndexByte(before[begin:], ' ')
	for at = skipSpaces(s.text, at); s.text[at] == '-'; at = skipSpaces(s.text, at) { // options of echo
		for at < offset+bar && s.text[at] > ' ' {
			at++
		}
	}
	from, to, ok := optionArgument(s.text, at)
	if !ok || to > offset+bar || strings.Trim(s.text[to:offset+bar], " \t\r\n\"'\\") != "" {
		return
	}
	if account {
		user, _, found := strings.Cut(s.text[from:to], ":")
		if !found {
			return
		}
		from += len(user) + 1
	}
	if s.commandPassword(s.text[from:to]) {
		s.add(from, to, KindPassword)
	}
}

// pipedToSudo looks before sudo -S, which reads the password.
func (s *scanner) pipedToSudo(start, end int) {
	if strings.HasPrefix(s.text[end:], " -S") {
		s.piped(start, false)
	}
}

// mostCommandWords bounds the words of a command up to its password.
const mostCommandWords = 10

// htpasswd looks at the arguments behind the name of the program: -b FILE USER PASSWORD, and with -n no file.
func (s *scanner) htpasswd(i int) {
	text := s.text
	batch, place := false, 2
	for range mostCommandWords {
		from, to, ok := optionArgument(text, i)
		if !ok || strings.IndexByte(text[i:from], '\n') >= 0 {
			return
		}
		word := text[from:to]
		if i = to; i < len(text) && isQuote(text[i]) {
			i++
		}
		if strings.HasPrefix(word, "-") {
			batch = batch || strings.Contains(word, "b")
			if strings.Contains(word, "n") {
				place--
			}
			if strings.HasSuffix(word, "C") { // its argument is a number
				place++
			}
			continue
		}
		if place--; place < 0 {
			if batch && s.commandPassword(word) {
				s.add(from, to, KindPassword)
			}
			return
		}
	}
}

// encryptedString looks behind ansible-vault encrypt_string for the text that is to be encrypted.
func (s *scanner) encryptedString(start, end int) {
	if !strings.Contains(commandBefore(s.text, start), "ansible-vault") {
		return
	}
	from, to, ok := optionArgument(s.text, end)
	if ok && s.commandPassword(s.text[from:to]) {
		s.add(from, to, KindPassword)
	}
}

// isRequestCommand reports whether a command is one of HTTPie or of those with its options, which take -a USER:PASSWORD.
func isRequestCommand(before string) bool {
	words := strings.Fields(strings.TrimLeft(before, " \t$>#`"))
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "http", "https", "xh", "xhs":
		return true
	}
	return false
}
