package redact

import "strings"

// The rules of this file are for values that a credential's name is given together: a list under its plural, a map of secrets, a block with
// a default, and a text on the lines below.

// Bounds of a group of values.
const (
	mostMembers    = 64
	mostGroupBytes = 4096
	mostTypeBytes  = 48 // between the sign and the bracket that opens the group: []string{, new Set([
)

// member is a value of a group and its key, which is empty in a list.
type member struct {
	key, value argument
	quoted     bool
}

// plurals end the names of groups of credentials.
var plurals = []string{"words", "wds", "secrets", "tokens", "keys", "phrases", "credentials"}

// group looks behind the plural of a credential's name, text[start:end], for a list or a map of values.
func (s *scanner) group(start, end int) {
	strength := credentialName(s.text[start : end-1])
	if strength != passwordName && strength != secretName || s.style == styleCode && strings.EqualFold(s.text[start:end], "tokens") { // of a language
		return
	}
	headsMap := isGroupName(s.text[start:end])
	for _, m := range s.members(start, end) {
		value := s.text[m.value.from:m.value.to]
		if isMasked(value) || m.key != (argument{}) && !headsMap {
			continue
		}
		real := looksMixed(value) && !isReference(value, m.quoted)
		if strength == secretName {
			real = hasAllClasses(value) && looksMixed(value) || looksLoose(value) && isStrong(value, suspectedBits)
		} else if s.style == styleConfig {
			real = real || looksReal(value, true, m.quoted, s.leastBits())
		}
		if real {
			s.add(m.value.from, m.value.to, strength.kind())
		}
	}
}

// isGroupName reports a name that heads a map of secrets: secrets, appSecrets, api_keys. Other plurals are names of things too: js-tokens.
func isGroupName(name string) bool {
	parts := nameParts(name)
	switch parts[len(parts)-1] {
	case "secrets", "passwords", "credentials":
		return true
	}
	return len(parts) < 3 && strings.HasSuffix(strings.Join(parts, ""), "apikeys") || len(parts) == 1
}

// members reads what is given to the name text[start:end]: the literals in brackets, or the lines below that stand further in.
func (s *scanner) members(start, end int) []member {
	text, i := s.text, end
	if i < len(text) && isQuote(text[i]) {
		i++
	}
	operator := skipSpaces(text, i)
	if operator >= len(text) {
		return nil
	}
	if text[operator] == ':' && isLastOfLine(text, operator+1) && s.style != styleCode {
		return linesBelow(text, start, operator+1)
	}
	at, ok := s.operator(operator, i > end)
	if !ok {
		return nil
	}
	for n := 0; n < mostTypeBytes && at < len(text) && (isWordByte(text[at]) || strings.IndexByte(" []().<>{", text[at]) >= 0); n++ {
		if strings.IndexByte("[({", text[at]) >= 0 {
			if next := skipBlanks(text, at+1); next < len(text) && text[next] != ']' && text[next] != ')' && strings.IndexByte("[({", text[next]) < 0 {
				return membersInside(text, next)
			}
		}
		at++
	}
	return nil
}

// membersInside reads literals and pairs of a key and a literal from i, up to anything else.
func membersInside(text string, i int) (members []member) {
	limit := min(len(text), i+mostGroupBytes)
	for range mostMembers {
		if i = skipBlanks(text, i); i >= limit {
			return members
		}
		first, next := memberWord(text, i)
		if next == 0 {
			return members
		}
		m := member{value: first, quoted: true}
		if i = skipBlanks(text, next); i < limit && (text[i] == ':' || text[i] == '=') {
			if i++; i < limit && text[i] == '>' {
				i++
			}
			from, to, ok := quotedValue(text, skipBlanks(text, i))
			if !ok {
				return members
			}
			m.key, m.value = first, argument{from, to}
			i = skipBlanks(text, to+1)
		} else if !isQuote(text[next-1]) {
			return members
		}
		members = append(members, m)
		if i >= limit || text[i] != ',' && text[i] != ';' {
			return members
		}
		i++
	}
	return members
}

// memberWord reads a literal, or the bare key of a map, and where it ends; 0 when there is neither.
func memberWord(text string, i int) (word argument, next int) {
	if from, to, ok := quotedValue(text, i); ok {
		return argument{from, to}, to + 1
	}
	next = i
	for next < len(text) && isWordByte(text[next]) {
		next++
	}
	if next == i {
		return argument{}, 0
	}
	return argument{i, next}, next
}

// linesBelow reads the items "- VALUE" and the pairs "KEY: VALUE" on the lines below the name at start, from the end of its line at i, as
// long as they stand further in than the name, items as far.
func linesBelow(text string, start, i int) (members []member) {
	outer := columnOf(text, start)
	inner := -1
	limit := min(len(text), i+mostGroupBytes)
	for range mostMembers {
		if i = nextLine(text, i); i == 0 || i >= limit {
			return members
		}
		at := skipSpaces(text, i)
		if at >= len(text) || text[at] == '\n' || text[at] == '\r' || text[at] == '#' {
			continue
		}
		item := strings.HasPrefix(text[at:], "- ")
		if inner < 0 {
			inner = at - i
		}
		if at-i < outer || at-i == outer && !item {
			return members
		}
		if at-i > inner {
			continue
		}
		var m member
		if item {
			at += 2
		} else {
			var next int
			if m.key, next = memberWord(text, at); next == 0 || next >= len(text) || text[next] != ':' {
				continue
			}
			at = next + 1
		}
		if m.value, m.quoted = lineValue(text, at); m.value.from < m.value.to {
			members = append(members, m)
		}
	}
	return members
}

// lineValue is the one word, quoted or not, that the rest of a line at i consists of, but for a comment.
func lineValue(text string, i int) (value argument, quoted bool) {
	i = skipSpaces(text, i)
	if from, to, ok := quotedValue(text, i); ok {
		return argument{from, to}, true
	}
	to := i
	for to < len(text) && text[to] > ' ' {
		to++
	}
	if to == i || !restIsComment(text, to) {
		return argument{}, false
	}
	return argument{i, to}, false
}

// mostTextLines are the lines of a text below a name that are looked at.
const mostTextLines = 40

// blockText looks at the lines of a text that YAML writes below a credential's name: password: | and password: >.
func (s *scanner) blockText(start, end int, strength credentialStrength) {
	text := s.text
	i := skipSpaces(text, end)
	if i >= len(text) || text[i] != ':' {
		return
	}
	if i = skipSpaces(text, i+1); i >= len(text) || text[i] != '|' && text[i] != '>' {
		return
	}
	for i++; i < len(text) && strings.IndexByte("+-0123456789", text[i]) >= 0; i++ {
	}
	if !isLastOfLine(text, i) {
		return
	}
	outer := columnOf(text, start)
	var lines []argument
	for i = nextLine(text, i); i > 0 && len(lines) <= mostTextLines; i = nextLine(text, i) {
		at := skipSpaces(text, i)
		if at >= len(text) || text[at] == '\n' || text[at] == '\r' {
			continue
		}
		if at-i <= outer {
			break
		}
		value, quoted := lineValue(text, at)
		if value.from >= value.to || quoted {
			return
		}
		lines = append(lines, value)
	}
	if len(lines) > 1 && strength == passwordName { // a password has no lines; a program does
		return
	}
	for _, line := range lines {
		s.judge(text[start:end], strength, line.from, line.to, false)
	}
}

// namedBlock looks for the default or the value in a block that a credential's name heads: variable "db_password" { default = "hunter22" },
// {"password": {"type": "string", "default": "hunter22"}}, and the same in lines of YAML.
func (s *scanner) namedBlock(start, end int, strength credentialStrength) {
	text, i := s.text, end
	quoted := i < len(text) && isQuote(text[i])
	if quoted {
		i++
	}
	i = skipSpaces(text, i)
	if i < len(text) && (text[i] == ':' || text[i] == '=') {
		i = skipSpaces(text, i+1)
		if s.style == styleConfig && isLastOfLine(text, i) {
			for _, m := range linesBelow(text, start, i) {
				if isDefaultKey(text[m.key.from:m.key.to]) {
					s.judge(text[start:end], strength, m.value.from, m.value.to, m.quoted)
				}
			}
			return
		}
	} else if !quoted {
		return
	}
	if i >= len(text) || text[i] != '{' {
		return
	}
	if from, to := defaultInside(text, i+1); from < to {
		s.judge(text[start:end], strength, from, to, true)
	}
}

func isDefaultKey(key string) bool {
	return strings.EqualFold(key, "default") || strings.EqualFold(key, "value") || strings.EqualFold(key, "defaultValue")
}

// defaultInside is the range of the literal that is given to a default in the block whose inside begins at i.
func defaultInside(text string, i int) (from, to int) {
	depth := 0
	limit := min(len(text), i+mostArgumentBytes)
	for i < limit {
		switch b := text[i]; {
		case b == '{':
			depth++
			i++
		case b == '}':
			if depth--; depth < 0 {
				return 0, 0
			}
			i++
		case isQuote(b) || isWordByte(b):
			word, next := memberWord(text, i)
			if next == 0 {
				return 0, 0
			}
			i = next
			if depth > 0 || !isDefaultKey(text[word.from:word.to]) {
				continue
			}
			at := skipSpaces(text, next)
			if at >= limit || text[at] != '=' && text[at] != ':' {
				continue
			}
			from, to, _ = quotedValue(text, skipSpaces(text, at+1))
			return from, to
		default:
			i++
		}
	}
	return 0, 0
}

// columnOf is the number of bytes before what stands on the line of i, without the marks of items: 2 for "- a: b".
func columnOf(text string, i int) int {
	low := max(0, i-2048)
	line := text[low+strings.LastIndexByte(text[low:i], '\n')+1 : i]
	return len(line) - len(strings.TrimLeft(line, " \t-\"'"))
}

// nextLine is the beginning of the line behind that of i, or 0 when there is none.
func nextLine(text string, i int) int {
	n := strings.IndexByte(text[i:min(len(text), i+mostGroupBytes)], '\n')
	if n < 0 {
		return 0
	}
	return i + n + 1
}

func skipBlanks(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
