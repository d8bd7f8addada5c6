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

// jsonFile edits JSON with comments and trailing commas, which is what editors write. The file is parsed for the places of
// its values and then changed as text, so that everything else stays as it is, byte for byte.
type jsonFile struct {
	container string // the member of the root that holds the servers
	schema    string // of a new file; "" for none
	fields    func(command []string) []field
}

// field is a member of our entry. once means that a value that is there is the user's own.
type field struct {
	name  string
	value any
	once  bool
}

func (f *jsonFile) set(content []byte, command []string) ([]byte, error) {
	if isEmpty(content) {
		return f.fresh(command), nil
	}
	return behindMark(content, func(content []byte) (_ []byte, err error) {
		for _, step := range f.steps(command) {
			if content, err = step(content); err != nil {
				return nil, err
			}
		}
		return content, nil
	})
}

// steps are the edits that make the entry, each over what the one before has made.
func (f *jsonFile) steps(command []string) []func([]byte) ([]byte, error) {
	fields := f.fields(command)
	steps := []func([]byte) ([]byte, error){
		func(content []byte) ([]byte, error) { return setMember(content, nil, f.container, nil) },
		f.dropOtherForm,
		func(content []byte) ([]byte, error) {
			return setMember(content, []string{f.container}, ServerName, fields)
		},
	}
	for _, x := range fields {
		steps = append(steps, func(content []byte) ([]byte, error) { return setField(content, f.container, x) })
	}
	return steps
}

// fresh is a file with our entry alone.
func (f *jsonFile) fresh(command []string) []byte {
	var b strings.Builder
	b.WriteString("{\n")
	if f.schema != "" {
		fmt.Fprintf(&b, "  \"$schema\": %q,\n", f.schema)
	}
	fmt.Fprintf(&b, "  %q: {\n    %q: %s\n  }\n}\n", f.container, ServerName, fieldsText(f.fields(command), "\n    ", "  "))
	return []byte(b.String())
}

func (f *jsonFile) entry(command []string) string {
	return string((&jsonFile{container: f.container, fields: f.fields}).fresh(command))
}

// setMember adds an object of fields to the object at path, unless it has a member of that name.
func setMember(content []byte, path []string, name string, fields []field) ([]byte, error) {
	t, err := parse(content)
	if err != nil {
		return nil, err
	}
	at, err := t.object(path...)
	if err != nil {
		return nil, err
	}
	if there, err := t.object(append(path, name)...); err != nil || there != nil {
		return content, err
	}
	return t.insert(at, name, func(sep string) string { return fieldsText(fields, sep, t.unit) }), nil
}

// setField gives one member of our entry its value.
func setField(content []byte, container string, x field) ([]byte, error) {
	t, err := parse(content)
	if err != nil {
		return nil, err
	}
	at, err := t.object(container, ServerName)
	if err != nil {
		return nil, err
	}
	o := at.Value.(*hujson.Object)
	i, err := member(o, x.name)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return t.insert(at, x.name, func(string) string { return valueText(x.value) }), nil
	}
	v := o.Members[i].Value
	if x.once || sameValue(content[v.StartOffset:v.EndOffset], x.value) {
		return content, nil
	}
	return splice(content, v.StartOffset, v.EndOffset, valueText(x.value)), nil
}

func (f *jsonFile) unset(content, original []byte) ([]byte, error) {
	if isEmpty(content) {
		return bytes.TrimPrefix(content, byteOrderMark), nil
	}
	return behindMark(content, func(content []byte) ([]byte, error) { return f.unsetUnmarked(content, original) })
}

func (f *jsonFile) unsetUnmarked(content, original []byte) ([]byte, error) {
	out, err := removeMember(content, []string{f.container}, ServerName)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(out, content) && !f.hadContainer(original) {
		t, err := parse(out)
		if err != nil {
			return nil, err
		}
		if o, err := t.object(f.container); err == nil && o != nil && len(o.Value.(*hujson.Object).Members) == 0 && len(bytes.TrimSpace(out[o.StartOffset+1:o.EndOffset-1])) == 0 {
			if out, err = removeMember(out, nil, f.container); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// hadContainer reports whether the file before our first edit held the object of servers.
func (f *jsonFile) hadContainer(original []byte) bool {
	t, err := parse(bytes.TrimPrefix(original, byteOrderMark))
	if err != nil {
		return false
	}
	o, err := t.object(f.container)
	return err != nil || o != nil
}

// dropOtherForm makes an entry that starts no program empty, so that no address is left in one that does.
func (f *jsonFile) dropOtherForm(content []byte) ([]byte, error) {
	e, err := f.get(content)
	if err != nil || e == nil || e.startsProgram() {
		return content, err
	}
	return f.replaceEntry(content, "{}")
}

// replaceEntry puts a text in the place of the value of our entry.
func (f *jsonFile) replaceEntry(content []byte, text string) ([]byte, error) {
	at, err := f.find(content)
	if err != nil {
		return nil, err
	}
	return splice(content, at.StartOffset, at.EndOffset, text), nil
}

// find is the place of our entry in a file without a byte order mark, nil when there is none.
func (f *jsonFile) find(content []byte) (*hujson.Value, error) {
	t, err := parse(content)
	if err != nil {
		return nil, err
	}
	return t.object(f.container, ServerName)
}

func (f *jsonFile) bringBack(content, original []byte) ([]byte, error) {
	original = bytes.TrimPrefix(original, byteOrderMark)
	at, err := f.find(original)
	if err != nil {
		return nil, err
	}
	return behindMark(content, func(content []byte) ([]byte, error) {
		return f.replaceEntry(content, string(original[at.StartOffset:at.EndOffset]))
	})
}

func (f *jsonFile) get(content []byte) (*entry, error) {
	if isEmpty(content) {
		return nil, nil
	}
	content = bytes.TrimPrefix(content, byteOrderMark)
	at, err := f.find(content)
	if err != nil || at == nil {
		return nil, err
	}
	standard, err := standardize(content[at.StartOffset:at.EndOffset])
	if err != nil {
		return nil, fmt.Errorf("%w: %v", agenvantage.ErrBadInput, err)
	}
	var members map[string]any
	if err := json.Unmarshal(standard, &members); err != nil {
		return nil, fmt.Errorf("%w: the entry %q: %v", agenvantage.ErrBadInput, ServerName, err)
	}
	e := readEntry(members)
	e.plain = e.startsProgram() && f.isPlain(members, e.command)
	return e, nil
}

// isPlain reports that an entry has the members that set gives it, with these values, and no others. A member that is the
// user's own once it is there may have any value of its kind.
func (f *jsonFile) isPlain(members map[string]any, command []string) bool {
	fields := f.fields(command)
	for _, x := range fields {
		is, there := members[x.name]
		if !there || !x.once && !sameValue([]byte(scalarText(is)), x.value) || x.once && reflect.TypeOf(is) != reflect.TypeOf(x.value) {
			return false
		}
	}
	return len(members) == len(fields)
}

func (f *jsonFile) isBlank(content []byte) bool {
	if isEmpty(content) {
		return true
	}
	content = bytes.TrimPrefix(content, byteOrderMark)
	standard, err := standardize(content)
	var members map[string]any
	if err != nil || json.Unmarshal(standard, &members) != nil || bytes.Contains(content, []byte("/*")) {
		return false
	}
	if members["$schema"] == f.schema && f.schema != "" {
		delete(members, "$schema")
	}
	return len(members) == 0 && !bytes.Contains(bytes.ReplaceAll(content, []byte(f.schema), nil), []byte("//"))
}
