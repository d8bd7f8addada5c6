package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"agenvantage"
)

// tomlFile edits the configuration of Codex: the table [mcp_servers.agenvantage]. The file is parsed for the places of its
// tables and then changed as text. A line of comment marks the table as ours; where the table ends is read from the file and
// not from a second mark, since programs that add tables of their own may put these before such a mark.
type tomlFile struct{}

const (
	tomlServers = "mcp_servers"
	tomlMark    = "# agenvantage: written by agenvantage setup"
)

// expression is a top-level part of a TOML file, in whole lines.
type expression struct {
	kind       unstable.Kind
	key        []string
	start, end int // offsets of its first line and of the line after its last; end holds empty lines too
}

// isHeader reports that a table begins there.
func (e expression) isHeader() bool {
	return e.kind == unstable.Table || e.kind == unstable.ArrayTable
}

// tomlText is a parsed file.
type tomlText struct {
	content []byte
	parts   []expression
	servers map[string]any
}

func parseTOML(content []byte) (*tomlText, error) {
	var all map[string]any
	if err := toml.Unmarshal(content, &all); err != nil {
		where := ""
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			where = fmt.Sprintf(" in line %d", line)
		}
		return nil, fmt.Errorf("%w: it is no TOML%s, so that nothing is changed in it: %s", agenvantage.ErrBadInput, where, strings.TrimPrefix(err.Error(), "toml: "))
	}
	t := &tomlText{content: content}
	t.servers, _ = all[tomlServers].(map[string]any)
	p := unstable.Parser{KeepComments: true}
	p.Reset(content)
	for p.NextExpression() {
		node := p.Expression()
		e := expression{kind: node.Kind, end: len(content)}
		at := node
		if node.Kind != unstable.Comment {
			keys := node.Key()
			for first := true; keys.Next(); first = false {
				if first {
					at = keys.Node()
				}
				e.key = append(e.key, string(keys.Node().Data))
			}
		}
		e.start = bytes.LastIndexByte(content[:at.Raw.Offset], '\n') + 1
		if n := len(t.parts); n > 0 {
			if t.parts[n-1].start == e.start { // a comment behind a value
				continue
			}
			t.parts[n-1].end = e.start
		}
		t.parts = append(t.parts, e)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%w: it is no TOML, so that nothing is changed in it: %v", agenvantage.ErrBadInput, err)
	}
	return t, nil
}

// own is the path of our table.
var own = []string{tomlServers, ServerName}

// table is the index of the header of our table, -1 when there is none.
func (t *tomlText) table() int {
	return slices.IndexFunc(t.parts, func(e expression) bool { return e.kind == unstable.Table && slices.Equal(e.key, own) })
}

var errForm = fmt.Errorf("%w: the entry is not written as a table [%s.%s], so that nothing is changed in it: change it by hand", agenvantage.ErrBadInput, tomlServers, ServerName)

func (f tomlFile) set(content []byte, command []string) ([]byte, error) {
	return behindMark(content, func(content []byte) ([]byte, error) { return f.setUnmarked(content, command) })
}

func (f tomlFile) setUnmarked(content []byte, command []string) ([]byte, error) {
	t, err := parseTOML(content)
	if err != nil {
		return nil, err
	}
	if e := t.entry(); e != nil && !e.startsProgram() && t.table() >= 0 {
		if content, err = f.unsetUnmarked(content); err != nil { // no address may stay beside the program
			return nil, err
		}
		if t, err = parseTOML(content); err != nil {
			return nil, err
		}
	}
	out := content
	switch header := t.table(); {
	case header >= 0:
		out = t.setTable(header, command)
	case t.servers[ServerName] != nil:
		return nil, errForm
	default:
		nl := newline(content)
		out = bytes.Clone(content)
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, nl...)
		}
		if len(bytes.TrimSpace(out)) > 0 {
			out = append(out, nl...)
		}
		out = append(out, inLines(f.entry(command), nl)...)
	}
	if got, err := f.get(out); err != nil || got == nil || !slices.Equal(got.command, command) {
		return nil, errForm
	}
	return out, nil
}

func (tomlFile) entry(command []string) string {
	return fmt.Sprintf("%s\n[%s.%s]\ncommand = %s\nargs = %s\n", tomlMark, tomlServers, ServerName, jsonString(command[0]), valueText(command[1:]))
}

// setTable changes command and args of our table, each in its own lines, and leaves what the user has added.
func (t *tomlText) setTable(header int, command []string) []byte {
	entry, _ := t.servers[ServerName].(map[string]any)
	nl := newline(t.content)
	out := t.content
	want := []struct {
		key, text string
		same      bool
	}{
		{"args", valueText(command[1:]), slices.Equal(texts(entry["args"]), command[1:])},
		{"command", jsonString(command[0]), entry["command"] == command[0]},
	}
	for _, w := range want { // from the end of the table to its beginning, where both are missing
		line := w.key + " = " + w.text + nl
		at := -1
		for i := header + 1; i < len(t.parts) && !t.parts[i].isHeader(); i++ {
			if t.parts[i].kind == unstable.KeyValue && slices.Equal(t.parts[i].key, []string{w.key}) {
				at = i
			}
		}
		switch {
		case w.same:
			continue
		case at >= 0:
			out = splice(out, t.parts[at].start, t.lastLine(at), line)
		default:
			after := t.lastLine(header)
			if after == len(t.content) && !bytes.HasSuffix(t.content, []byte("\n")) {
				line = nl + line
			}
			out = splice(out, after, after, line)
		}
		t2, err := parseTOML(out)
		if err != nil {
			return out // set refuses it
		}
		t.content, t.parts = out, t2.parts
		header = t.table()
	}
	return out
}

// lastLine is the end of a part without the empty lines behind it.
func (t *tomlText) lastLine(i int) int {
	e := t.parts[i]
	text := bytes.TrimRight(t.content[e.start:e.end], " \t\r\n")
	end := e.start + len(text)
	if n := bytes.IndexByte(t.content[end:e.end], '\n'); n >= 0 {
		return end + n + 1
	}
	return e.end
}

func (f tomlFile) unset(content, _ []byte) ([]byte, error) {
	return behindMark(content, f.unsetUnmarked)
}

func (f tomlFile) unsetUnmarked(content []byte) ([]byte, error) {
	t, err := parseTOML(content)
	if err != nil {
		return nil, err
	}
	if t.servers[ServerName] == nil {
		return content, nil
	}
	for _, r := range slices.Backward(t.ranges()) {
		content = cutParagraph(content, r[0], r[1])
	}
	if got, err := f.get(content); err != nil || got != nil {
		return nil, errForm
	}
	return content, nil
}

// ranges are the lines of our table and of those below it, with our mark before them, in order.
func (t *tomlText) ranges() (all [][2]int) {
	for i, e := range t.parts {
		if !e.isHeader() || len(e.key) < 2 || !slices.Equal(e.key[:2], own) {
			continue
		}
		last := i
		for j := i + 1; j < len(t.parts) && !t.parts[j].isHeader(); j++ {
			if t.parts[j].kind == unstable.KeyValue {
				last = j
			}
		}
		start := e.start
		if i > 0 && t.parts[i-1].kind == unstable.Comment && bytes.HasPrefix(t.content[t.parts[i-1].start:], []byte(tomlMark)) {
			start = t.parts[i-1].start
		}
		all = append(all, [2]int{start, t.lastLine(last)})
	}
	return all
}

func (f tomlFile) bringBack(content, original []byte) ([]byte, error) {
	was, err := parseTOML(bytes.TrimPrefix(original, byteOrderMark))
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, r := range was.ranges() {
		text = append(text, was.content[r[0]:r[1]]...)
		if !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
	}
	return behindMark(content, func(content []byte) ([]byte, error) {
		t, err := parseTOML(content)
		if err != nil {
			return nil, err
		}
		ranges := t.ranges()
		if len(ranges) == 0 || len(text) == 0 {
			return nil, errForm
		}
		for _, r := range slices.Backward(ranges[1:]) {
			content = cutParagraph(content, r[0], r[1])
		}
		out := splice(content, ranges[0][0], ranges[0][1], string(text))
		if _, err := parseTOML(out); err != nil {
			return nil, errForm
		}
		return out, nil
	})
}

// cutParagraph takes lines out, with the empty line before them when another one or the end follows.
func cutParagraph(content []byte, start, end int) []byte {
	nl := newline(content)
	if rest := content[end:]; bytes.HasSuffix(content[:start], []byte(nl+nl)) && (len(rest) == 0 || bytes.HasPrefix(rest, []byte(nl))) {
		start -= len(nl)
	}
	return splice(content, start, end, "")
}

func (tomlFile) get(content []byte) (*entry, error) {
	t, err := parseTOML(bytes.TrimPrefix(content, byteOrderMark))
	if err != nil {
		return nil, err
	}
	return t.entry(), nil
}

// entry is what stands under our name, nil when nothing does.
func (t *tomlText) entry() *entry {
	members, ok := t.servers[ServerName].(map[string]any)
	if !ok {
		return nil
	}
	e := readEntry(members)
	_, isText := members["command"].(string)
	_, isList := members["args"].([]any)
	e.plain = e.startsProgram() && len(members) == 2 && isText && isList && t.table() >= 0
	return e
}

func (tomlFile) isBlank(content []byte) bool { return isEmpty(content) }

// texts is a list of texts that was decoded.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		s, _ := x.(string)
		out = append(out, s)
	}
	return out
}
