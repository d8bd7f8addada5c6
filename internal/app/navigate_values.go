package app

import (
	"regexp"
	"strings"

	"agenvantage"
)

// What follows finds values by which a definition is reached though no word of its name is near: a module that is passed on,
// a member that is read by a computed key, an element that is called.

// computedMember is a member that is read by a key in a variable.
var computedMember = regexp.MustCompile(`[\w$)\]]\[\s*([A-Za-z_$][\w$]*)\s*\]\s*(=[^=>])?`)

// counters are names of keys that count elements, as far as names tell.
var counters = regexp.MustCompile(`^(?:[ijnxy]|[A-Z0-9_]+|.*(?i:index|idx|pos|offset|count|len|length|size|start|end|num|line|col|row))$`)

// membersTaken counts the places of JavaScript that read a member by a key in a variable: what is read may be called later.
func membersTaken(text string) (n int) {
	for _, at := range computedMember.FindAllStringSubmatch(text, maxComputed) {
		if at[2] == "" && !counters.MatchString(at[1]) {
			n++
		}
	}
	return n
}

// luaLoop is the head of a loop over the elements of a table of Lua, with the name of an element in group 1.
var luaLoop = regexp.MustCompile(`\bfor\s+\w+\s*,\s*(\w+)\s+in\s+i?pairs\b`)

// elementsCalled counts the loops of Lua that call an element, or pass one on.
func elementsCalled(text string) (n int) {
	for _, at := range luaLoop.FindAllStringSubmatchIndex(text, maxComputed) {
		name, body := text[at[2]:at[3]], text[at[1]:min(len(text), at[1]+600)]
		for _, o := range wordsOf(body, "lua", name) {
			if after := strings.TrimLeft(body[o.end:], " \t"); strings.HasPrefix(after, "(") || strings.HasPrefix(after, ")") && strings.LastIndex(body[:o.start], "pcall(") >= 0 {
				n++
				break
			}
		}
	}
	return n
}

// notTaken are functions that are handed a module and a name that is written beside it, which is a mention of that.
var notTaken = regexp.MustCompile(`(?:setattr|getattr|hasattr|delattr|delitem|patch\.object|reload)\(\s*$`)

// moduleTaken reports whether code takes the module of a file of Python as a value, so that functions which look at the members
// of what they are handed may see those of the module.
func (m *mentions) moduleTaken(file uint32) (taken bool, err error) {
	if known, ok := m.modulesTaken[file]; ok {
		return known, nil
	}
	for _, e := range m.graph.In(agenvantage.Node{File: file, Symbol: -1}) {
		if e.Kind != agenvantage.EdgeImports || taken {
			continue
		}
		x, err := m.corpus.Facts(e.From.File)
		if err != nil {
			return false, err
		}
		for i := range x.Imports {
			if o := &x.Imports[i]; o.Line == e.Line && o.Path != "" && o.Name != "*" {
				in, err := m.takenIn(e.From.File, localName(o), o.Line)
				if err != nil {
					return false, err
				}
				taken = taken || in
			}
		}
	}
	m.modulesTaken[file] = taken
	return taken, nil
}

// takenIn reports whether a file has the local name of a module elsewhere than in its import and before its members.
func (m *mentions) takenIn(f uint32, local string, imported int) (bool, error) {
	text, err := m.corpus.Text(f)
	if err != nil {
		return false, err
	}
	for _, o := range occurrences(text, m.corpus.Lang(f), local) {
		if o.in == inCode && o.line != imported && o.before == "" && !member.MatchString(text[o.end:min(len(text), o.end+40)]) &&
			!notTaken.MatchString(text[max(0, o.start-40):o.start]) {
			return true, nil
		}
	}
	return false, nil
}
