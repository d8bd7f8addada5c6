package ablations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// jsonObject is an object of foreign JSON with its keys as written. encoding/json alone would fold the case of keys, keep
// the last of two equal ones and let misspelt ones pass.
type jsonObject struct {
	label  string // "gold[1].": stands before keys in faults
	keys   []string
	values map[string]json.RawMessage
	fault  faultFunc
}

// readObject reads raw as an object that has keys out of known, names separated by blanks. ok is false when it is none.
func readObject(raw json.RawMessage, label, known string, fault faultFunc) (o jsonObject, ok bool) {
	what := strings.TrimSuffix(label, ".")
	if what == "" {
		what = "the task"
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		fault("%s is not an object", what)
		return o, false
	}
	o = jsonObject{label: label, values: map[string]json.RawMessage{}, fault: fault}
	names := strings.Fields(known)
	for dec.More() {
		t, err := dec.Token()
		key, isText := t.(string)
		var value json.RawMessage
		if err == nil && isText {
			err = dec.Decode(&value)
		}
		if err != nil {
			fault("%s is broken JSON: %v", what, err)
			return o, false
		}
		switch {
		case o.values[key] != nil:
			fault("key %q stands twice", label+key)
		case !slices.Contains(names, key):
			fault("key %q is not known%s", label+key, nearestKey(key, names))
		}
		o.keys = append(o.keys, key)
		o.values[key] = value
	}
	return o, true
}

// nearestKey points to a known key that differs in case, in an "s" at the end or in "_" only.
func nearestKey(key string, names []string) string {
	fold := func(s string) string {
		return strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "_", ""), "s")
	}
	for _, n := range names {
		if fold(n) == fold(key) {
			return fmt.Sprintf(" (did you mean %q?)", n)
		}
	}
	return ""
}

// has reports whether the key is there with a value other than null.
func (o jsonObject) has(key string) bool {
	v := o.values[key]
	return v != nil && string(v) != "null"
}

// read decodes the value of key into v; an absent key or null leaves v as it is. want says what is right, for the fault.
func (o jsonObject) read(key string, v any, want string) bool {
	if !o.has(key) {
		return true
	}
	if err := json.Unmarshal(o.values[key], v); err != nil {
		o.fault("key %q is not %s", o.label+key, want)
		return false
	}
	return true
}

func (o jsonObject) text(key string) string {
	var s string
	o.read(key, &s, "a string")
	return s
}

func (o jsonObject) number(key string) int {
	var n int
	o.read(key, &n, "a whole number")
	return n
}

// list gives the elements of an array.
func (o jsonObject) list(key string) []json.RawMessage {
	var items []json.RawMessage
	o.read(key, &items, "a list")
	return items
}

// readJSONArray splits a file that is one array into its elements, each with its 1-based line.
func readJSONArray(data []byte, each func(line int, raw json.RawMessage)) (line int, err error) {
	var whole []json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return lineOfError(data, err), err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return 1, err
	}
	line, counted := 1, 0
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return line, err
		}
		start := int(dec.InputOffset()) - len(raw)
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		each(line, raw)
	}
	return 0, nil
}

// lineOfError is the line where the decoder gave up, the last one with text when that ends too early.
func lineOfError(data []byte, err error) int {
	before := bytes.TrimRight(data, " \t\r\n")
	switch e := err.(type) {
	case *json.SyntaxError:
		before = before[:min(max(int(e.Offset)-1, 0), len(before))]
	case *json.UnmarshalTypeError:
		before = before[:min(max(int(e.Offset)-1, 0), len(before))]
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// errTooLarge is what readBounded says of a file above its limit.
var errTooLarge = fmt.Errorf("larger than is taken")

// readBounded reads at most limit bytes and refuses more.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, err
}
