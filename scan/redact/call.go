package redact

import "strings"

// The rules of this file are for passwords that have their place among the arguments of a call: new mysqli("host", "me", "hunter22").

// passwordPlace is the argument, counted from 0, that is the password of a call; last says that none may follow.
type passwordPlace struct {
	at   int
	last bool
}

// passwordPlaces are those of known calls, by their names in lower case. There a literal counts as one that is given to the name of a password.
var passwordPlaces = map[string]passwordPlace{
	"getconnection": {2, true}, "mysqli": {2, false}, "mysqli_connect": {2, false}, "mysql_connect": {2, false}, "mysql_pconnect": {2, false},
	"mysqli_real_connect": {3, false}, "pdo": {2, false}, "networkcredential": {1, false}, "simple_bind": {1, false}, "simple_bind_s": {1, false},
}

// Bounds of the arguments of a call that are read.
const (
	mostArgumentBytes = 512
	mostArguments     = 6
)

// argument is one argument of a call: the inner bytes of a literal, or nothing for anything else.
type argument struct{ from, to int }

// call looks for the password among the arguments of the call text[start:end]. Of a call whose places are not known it is the last one,
// behind another literal or a name, and must look like nothing that people write: connect("db", "root", "Zq22mvT4bx").
func (s *scanner) call(start, end int) {
	text := s.text
	arguments := callArguments(text, end)
	if len(arguments) < 2 {
		return
	}
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	place, known := passwordPlaces[strings.ToLower(text[start:end])]
	if !known {
		place.at = len(arguments) - 1
	}
	if place.at >= len(arguments) || place.last && place.at+1 < len(arguments) {
		return
	}
	from, to := arguments[place.at].from, arguments[place.at].to
	if from >= to || isMasked(text[from:]) {
		return
	}
	if value := text[from:to]; looksMixed(value) || known && looksReal(value, true, true, suspectedBits) {
		s.add(from, to, KindPassword)
	}
}

// callArguments reads the arguments in the bracket at i, in their order; nil when it is not closed soon or holds statements.
func callArguments(text string, i int) []argument {
	if i >= len(text) || text[i] != '(' {
		return nil
	}
	var arguments []argument
	var current argument
	others, depth := false, 0 // others: something besides a literal stands in the argument
	limit := min(len(text), i+mostArgumentBytes)
	for i++; i < limit; i++ {
		switch b := text[i]; {
		case isQuote(b):
			from, to, ok := quotedValue(text, i)
			if !ok && !(i+1 < limit && text[i+1] == b) {
				return nil
			}
			others = others || current != argument{} || depth > 0
			if ok {
				current = argument{from, to}
			}
			i = max(to, i+1)
		case b == '(' || b == '[':
			depth++
		case depth > 0 && (b == ')' || b == ']'):
			depth--
		case b == ')', b == ',' && depth == 0:
			if others {
				current = argument{}
			}
			if arguments = append(arguments, current); b == ')' {
				return arguments
			}
			if len(arguments) > mostArguments {
				return nil
			}
			current, others = argument{}, false
		case b == ';' || b == '{':
			return nil
		case b > ' ':
			others = true
		}
	}
	return nil
}

// namedPair looks behind a name of a user and a password together: creds = ("me", "hunter22").
func (s *scanner) namedPair(_, end int) { s.pair(end) }

// userAndPassword looks behind a name such as basic_auth for one value of both: basic_auth: "me:hunter22".
func (s *scanner) userAndPassword(start, end int, sure bool) {
	from, to, quoted, ok := s.value(start, end)
	if !ok && sure && end < len(s.text) && s.text[end] == ',' { // curl_setopt($c, CURLOPT_USERPWD, "me:hunter22")
		from, to, ok = quotedValue(s.text, skipSpaces(s.text, end+1))
		quoted = true
	}
	if !ok {
		return
	}
	user, password, found := strings.Cut(s.text[from:to], ":")
	if !found || user == "" || len(user) > 64 || strings.EqualFold(user, password) || strings.ContainsAny(user, " \t/\\(){}[]<>=,;\"'`$%") || isMasked(password) {
		return
	}
	if looksMixed(password) || sure && password != "" && looksReal(password, true, quoted, s.leastBits()) {
		s.add(from+len(user)+1, to, KindPassword)
	}
}
