package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"agenvantage"
)

// jsonText is a parsed file.
type jsonText struct {
	content []byte
	root    hujson.Value
	nl      string
	unit    string // one step of indentation
	flat    bool   // the whole file is one line
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// isEmpty reports that a file holds nothing but white space, behind a byte order mark or without one.
func isEmpty(content []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(content, byteOrderMark))) == 0
}

// behindMark edits what follows the byte order mark of a file, if there is one.
func behindMark(content []byte, edit func(content []byte) ([]byte, error)) ([]byte, error) {
	rest, marked := bytes.CutPrefix(content, byteOrderMark)
	if !marked {
		return edit(content)
	}
	out, err := edit(rest)
	if err != nil {
		return nil, err
	}
	return append(bytes.Clone(byteOrderMark), out...), nil
}

// parse reads a file whose root is an object.
func parse(content []byte) (*jsonText, error) {
	root, err := hujson.Parse(withLineEnd(content))
	if err != nil {
		return nil, fmt.Errorf("%w: it is no JSON, so that nothing is changed in it: %s", agenvantage.ErrBadInput, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	t := &jsonText{content: content, root: root, nl: newline(content), unit: "  ", flat: !bytes.Contains(bytes.TrimSpace(content), []byte("\n"))}
	o, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%w: its JSON is no object, so that nothing is changed in it", agenvantage.ErrBadInput)
	}
	if len(o.Members) > 0 {
		if indent, first := t.indentAt(o.Members[0].Name.StartOffset); first && indent != "" {
			t.unit = indent
		}
	}
	return t, nil
}

// withLineEnd ends the last line, which the parser wants behind a comment. Offsets stay what they are.
func withLineEnd(content []byte) []byte {
	if bytes.HasSuffix(content, []byte("\n")) {
		return content
	}
	return append(bytes.Clone(content), '\n')
}

// standardize is JSON without comments and trailing commas.
func standardize(content []byte) ([]byte, error) {
	return hujson.Standardize(append(bytes.Clone(content), '\n'))
}

// indentAt is the white space at the beginning of the line of an offset, and whether nothing else stands before it.
func (t *jsonText) indentAt(at int) (indent string, first bool) {
	line := t.content[bytes.LastIndexByte(t.content[:at], '\n')+1 : at]
	text := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(text)]), len(text) == 0
}

// member finds a member of an object. A name that stands twice is an error: clients differ in which one counts.
func member(o *hujson.Object, name string) (int, error) {
	found := -1
	for i, m := range o.Members {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			if found >= 0 {
				return -1, fmt.Errorf("%w: the key %q stands twice, so that nothing is changed in it", agenvantage.ErrBadInput, name)
			}
			found = i
		}
	}
	return found, nil
}

// object finds the object at a path of names. A missing one is nil; another kind of value is an error.
func (t *jsonText) object(path ...string) (*hujson.Value, error) {
	at := &t.root
	for _, name := range path {
		o := at.Value.(*hujson.Object)
		i, err := member(o, name)
		if err != nil || i < 0 {
			return nil, err
		}
		at = &o.Members[i].Value
		if _, ok := at.Value.(*hujson.Object); !ok {
			return nil, fmt.Errorf("%w: %q is no object, so that nothing is changed in it", agenvantage.ErrBadInput, name)
		}
	}
	return at, nil
}

// insert adds a member at the end of an object, in the layout that the object has. value is told what separates members of
// the new one: a line end with indentation, or nothing in a file of one line.
func (t *jsonText) insert(at *hujson.Value, name string, value func(sep string) string) []byte {
	o := at.Value.(*hujson.Object)
	end := at.EndOffset - 1 // of the closing brace
	indent, _ := t.indentAt(at.StartOffset)
	within := t.content[at.StartOffset:end]
	if len(o.Members) == 0 {
		if t.flat && len(t.content) > len("{}\n")+1 {
			return splice(t.content, end, end, jsonString(name)+":"+value(""))
		}
		sep := t.nl + indent + t.unit
		kept := len(bytes.TrimRight(within, " \t\r\n")) // the brace, and comments
		return splice(t.content, at.StartOffset+kept, end, sep+jsonString(name)+": "+value(sep)+t.nl+indent)
	}
	last := o.Members[len(o.Members)-1].Value.EndOffset
	comma := commaAfter(t.content, last, end)
	if !bytes.Contains(within, []byte("\n")) {
		text, at := ", "+jsonString(name)+": "+value(""), last
		if comma >= 0 {
			text, at = " "+jsonString(name)+": "+value("")+",", comma+1
		}
		if t.flat && !bytes.Contains(within, []byte(": ")) && !bytes.Contains(within, []byte(", ")) {
			text = strings.Replace(strings.Replace(text, " ", "", 1), ": ", ":", 1)
		}
		return splice(t.content, at, at, text)
	}
	if own, first := t.indentAt(o.Members[0].Name.StartOffset); first {
		indent = own
	} else {
		indent += t.unit
	}
	sep := t.nl + indent
	text := sep + jsonString(name) + ": " + value(sep)
	kept := at.StartOffset + len(bytes.TrimRight(within, " \t\r\n")) // behind the comments that follow the last member
	if comma >= 0 {
		return splice(t.content, kept, kept, text+",")
	}
	return splice(splice(t.content, kept, kept, text), last, last, ",")
}

// commaAfter is the offset of the comma between two offsets that hold nothing but it, white space and comments; -1 for none.
func commaAfter(content []byte, from, to int) int {
	for i := from; i < to; i++ {
		switch rest := content[i:to]; {
		case content[i] == ',':
			return i
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 1
		}
	}
	return -1
}

// removeMember takes a member out of the object at path, with its comma and, where it has lines of its own, these.
func removeMember(content []byte, path []string, name string) ([]byte, error) {
	t, err := parse(content)
	if err != nil {
		return nil, err
	}
	at, err := t.object(path...)
	if err != nil || at == nil {
		return content, err
	}
	o := at.Value.(*hujson.Object)
	i, err := member(o, name)
	if err != nil || i < 0 {
		return content, err
	}
	m, closing := o.Members[i], at.EndOffset-1
	start, end := m.Name.StartOffset, m.Value.EndOffset
	if comma := commaAfter(content, end, nextName(o, i, closing)); comma >= 0 {
		end = comma + 1
	} else if i > 0 { // the last one, so that the comma before it goes
		last := o.Members[i-1].Value.EndOffset
		comma := commaAfter(content, last, start)
		content = splice(content, comma, comma+1, "")
		start, end, closing = start-1, end-1, closing-1
	}
	start, end = wholeLines(content, start, end)
	out := splice(content, start, end, "")
	closing -= end - start
	if len(o.Members) == 1 && len(bytes.TrimSpace(out[at.StartOffset+1:closing])) == 0 {
		out = splice(out, at.StartOffset+1, closing, "")
	}
	return out, nil
}

func nextName(o *hujson.Object, i, closing int) int {
	if i+1 < len(o.Members) {
		return o.Members[i+1].Name.StartOffset
	}
	return closing
}

// wholeLines widens a range to its lines when nothing else stands on them, and else takes the space before it along.
func wholeLines(content []byte, start, end int) (int, int) {
	head := bytes.LastIndexByte(content[:start], '\n') + 1
	tail := len(content)
	if n := bytes.IndexByte(content[end:], '\n'); n >= 0 {
		tail = end + n + 1
	}
	if len(bytes.TrimSpace(content[head:start])) == 0 && len(bytes.TrimSpace(content[end:tail])) == 0 && head > 0 {
		return head, tail
	}
	for start > 0 && (content[start-1] == ' ' || content[start-1] == '\t') {
		start--
	}
	return start, end
}

// fieldsText writes an object. sep is the line end and indentation of the object's own line, "" for one line.
func fieldsText(fields []field, sep, unit string) string {
	if len(fields) == 0 {
		return "{}"
	}
	parts := make([]string, len(fields))
	for i, x := range fields {
		parts[i] = jsonString(x.name) + ": " + valueText(x.value)
	}
	if sep == "" {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "{" + sep + unit + strings.Join(parts, ","+sep+unit) + sep + "}"
}

// valueText writes a value on one line, with a space after each comma of a list.
func valueText(v any) string {
	list, ok := v.([]string)
	if !ok {
		return scalarText(v)
	}
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = jsonString(w)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func jsonString(s string) string { return scalarText(s) }

// scalarText writes a scalar.
func scalarText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts and truth values can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// sameValue reports whether a value of a file, with comments or not, is v.
func sameValue(text []byte, v any) bool {
	standard, err := standardize(text)
	var is, want any
	return err == nil && json.Unmarshal(standard, &is) == nil && json.Unmarshal([]byte(valueText(v)), &want) == nil && reflect.DeepEqual(is, want)
}
