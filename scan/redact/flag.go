package redact

import "strings"

// mostCommandBytes bounds the look back for the program that an option is given to.
const mostCommandBytes = 1024

// userOption looks at an option -u, -U, --user or --proxy-user, whose three bytes at i are in the triggers, for an argument
// USER:PASSWORD. After curl any password counts that would count in a setting; other programs give "-u" other meanings
// (docker run -u 1000:1000), so that theirs must look drawn.
func (s *scanner) userOption(i int) {
	text := s.text
	var end int
	switch {
	case (text[i] == ' ' || isQuote(text[i])) && text[i+1] == '-' && text[i+2]|0x20 == 'u':
		end = i + 3
	case strings.HasPrefix(text[i:], "-user") && i > 0 && isNameByte(text[i-1]):
		end = i + len("-user")
	default:
		return
	}
	s.userArgument(i, end)
}

// userArgument looks at the argument USER:PASSWORD, or USER%PASSWORD of the programs of Samba, of the option text[i:end].
func (s *scanner) userArgument(i, end int) {
	text := s.text
	from, to, ok := optionArgument(text, end)
	if !ok || strings.HasPrefix(text[from:], maskPrefix) {
		return
	}
	user, password, found := strings.Cut(text[from:to], ":")
	if !found {
		s.shareArgument(i, from, to)
		return
	}
	if user == "" || strings.ContainsAny(user, " /\\(){}[]<>=,;") || isMasked(password) || password == "" || strings.EqualFold(user, password) {
		return
	}
	real := looksReal(password, false, false, suspectedBits)
	if before := commandBefore(text, i); !real && (strings.Contains(before, "curl") || isRequestCommand(before)) {
		real = s.style != styleProse && looksReal(password, true, false, s.leastBits()) || looksTold(password)
	}
	if real {
		s.add(from+len(user)+1, to, KindPassword)
	}
}

// shareArgument looks at the argument USER%PASSWORD, text[from:to], of an option at i of the programs of Samba.
func (s *scanner) shareArgument(i, from, to int) {
	user, password, found := strings.Cut(s.text[from:to], "%")
	if !found || user == "" || !s.commandPassword(password) {
		return
	}
	if before := commandBefore(s.text, i); strings.Contains(before, "smb") || strings.Contains(before, "rpcclient") {
		s.add(from+len(user)+1, to, KindPassword)
	}
}

// optionArgument reads the argument of an option that ends at i: behind a space, an equals sign or nothing, in quotes or
// not, or as the next string of a list: ["curl", "-u", "me:hunter2"].
func optionArgument(text string, i int) (from, to int, ok bool) {
	if i < len(text) && isQuote(text[i]) {
		if next := skipSpaces(text, i+1); next < len(text) && text[next] == ',' {
			return quotedValue(text, skipSpaces(text, next+1))
		}
	}
	if i < len(text) && text[i] == '=' {
		i++
	} else {
		i = skipSpaces(text, i)
	}
	if from, to, ok = quotedValue(text, i); ok {
		return from, to, true
	}
	end := strings.IndexAny(text[i:min(len(text), i+512)], " \t\r\n;|&)\"'`\\,")
	if end < 0 {
		end = min(len(text), i+512) - i
	}
	return i, i + end, end > 0
}

// commandBefore is the text of a command before i: its line, and the lines before that end in a backslash.
func commandBefore(text string, i int) string {
	low := max(0, i-mostCommandBytes)
	start := i
	for start > low {
		if text[start-1] == '\n' && (start < low+2 || text[start-2] != '\\') {
			break
		}
		start--
	}
	return text[start:i]
}
