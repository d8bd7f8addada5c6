package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"agenvantage"
)

// field is one argument of an operation.
type field struct {
	name, about string
	need, rare  bool
	instead     string   // with need: the argument that may stand in its place, "" for none
	long        bool     // prose, of any length
	of          []string // values of a closed set
	index       []int    // in the struct
	kind        reflect.Type
}

// fieldsOf lists the arguments of a struct type in their order, those of embedded structs where they stand.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		}
		a := field{name: f.Tag.Get("json"), about: f.Tag.Get("about"), need: f.Tag.Get("need") != "", instead: strings.TrimPrefix(f.Tag.Get("need"), "yes"), rare: f.Tag.Get("rare") != "", long: f.Tag.Get("long") != "", index: []int{i}, kind: f.Type}
		if a.kind.Kind() == reflect.Pointer {
			a.kind = a.kind.Elem()
		}
		switch of := f.Tag.Get("of"); of {
		case "":
		case "presets":
			a.of = texts(agenvantage.TaskKinds())
		case "slots":
			a.of = texts(agenvantage.SlotNames())
		default:
			a.of = strings.Split(of, "|")
		}
		fields = append(fields, a)
	}
	return fields
}

func texts[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}

// decode reads a JSON object into the struct that into points at. null is as good as absent, and so is an empty text for no
// object at all. An unknown name, a wrong type, a value outside of its set and a missing argument are agenvantage.ErrBadInput with
// what would be right.
func decode(raw []byte, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return fmt.Errorf("%w: the arguments are no JSON object: %v", agenvantage.ErrBadInput, err)
	}
	value := reflect.ValueOf(into).Elem()
	fields := fieldsOf(value.Type())
	var unknown []string
	for name := range given {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			unknown = append(unknown, strconv.Quote(Head(name, 100)))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("%w: unknown argument %s; the arguments are %s", agenvantage.ErrBadInput, strings.Join(unknown[:min(len(unknown), 5)], ", "), names(fields))
	}
	for _, f := range fields {
		text, ok := given[f.name]
		f.need = f.need && !isText(given[f.instead])
		if !ok || string(text) == "null" {
			if f.need {
				return fmt.Errorf("%w: argument %q is needed%s: %s", agenvantage.ErrBadInput, f.name, f.orInstead(", or "), f.about)
			}
			continue
		}
		if err := f.set(value, text); err != nil {
			return err
		}
	}
	return nil
}

// orInstead names, behind joined, the argument that may stand in the place of a needed one; "" for none.
func (f field) orInstead(joined string) string {
	if f.instead == "" {
		return ""
	}
	return joined + strconv.Quote(f.instead)
}

// isText reports whether an argument is there and no blank text: one of a wrong type is there, and refused in its turn.
func isText(given json.RawMessage) bool {
	var text string
	if json.Unmarshal(given, &text) == nil {
		return strings.TrimSpace(text) != ""
	}
	return len(given) > 0
}

func names(fields []field) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.name
	}
	return strings.Join(all, ", ")
}

// set reads the text of one argument.
func (f field) set(value reflect.Value, text json.RawMessage) error {
	target := value.FieldByIndex(f.index)
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(f.kind))
		target = target.Elem()
	}
	wrong := func() error {
		return fmt.Errorf("%w: argument %q wants %s, not %s", agenvantage.ErrBadInput, f.name, f.want(), kindOf(text))
	}
	switch f.kind.Kind() {
	case reflect.Int:
		var n float64 // some clients write 5 as 5.0
		if json.Unmarshal(text, &n) != nil || n != math.Trunc(n) {
			return wrong()
		}
		if math.Abs(n) > maxNumber || target.OverflowInt(int64(n)) {
			return fmt.Errorf("%w: argument %q wants %s up to %d, not %s", agenvantage.ErrBadInput, f.name, f.want(), int64(maxNumber), kindOf(text))
		}
		target.SetInt(int64(n))
	case reflect.Slice:
		var list []*string
		if json.Unmarshal(text, &list) != nil || slices.Contains(list, nil) {
			return wrong()
		}
		if len(list) > maxListItems {
			return fmt.Errorf("%w: argument %q has %d items; at most %d are taken", agenvantage.ErrBadInput, f.name, len(list), maxListItems)
		}
		for _, s := range list {
			if err := f.bound(*s); err != nil {
				return err
			}
			target.Set(reflect.Append(target, reflect.ValueOf(*s)))
		}
	default:
		if json.Unmarshal(text, target.Addr().Interface()) != nil {
			return wrong()
		}
	}
	if f.kind.Kind() != reflect.String {
		return nil
	}
	s := target.String()
	if err := f.bound(s); err != nil {
		return err
	}
	switch {
	case f.need && strings.TrimSpace(s) == "":
		return fmt.Errorf("%w: argument %q is empty%s: %s", agenvantage.ErrBadInput, f.name, f.orInstead(", and so is "), f.about)
	case s != "" && f.of != nil && !slices.Contains(f.of, strings.ToLower(s)):
		return fmt.Errorf("%w: argument %q is %q; it is one of %s", agenvantage.ErrBadInput, f.name, s, strings.Join(f.of, ", "))
	case f.of != nil:
		target.SetString(strings.ToLower(s))
	}
	return nil
}

// maxNumber is the largest number that comes out of JSON as it went in. Who takes an argument knows its range, and says it.
const maxNumber = 1 << 53

// bound refuses a text that is longer than any that the argument may mean. It is not repeated.
func (f field) bound(s string) error {
	if !f.long && len(s) > maxArgumentBytes {
		return fmt.Errorf("%w: argument %q is %d bytes long; at most %d are taken", agenvantage.ErrBadInput, f.name, len(s), maxArgumentBytes)
	}
	return nil
}

// want names the type of the argument.
func (f field) want() string {
	switch f.kind.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of strings"
	}
	return "a string"
}

// kindOf names the type of a JSON text.
func kindOf(text json.RawMessage) string {
	switch text[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list with something else in it"
	case 't', 'f':
		return "true or false"
	}
	if s := string(text); len(s) <= 20 {
		return s
	}
	return "such a number"
}

// inputSchema is the schema of an operation's arguments, in the part of JSON Schema that every client reads: type, properties,
// required, description, enum, items. It leaves out what skip says.
func inputSchema(t reflect.Type, skip func(field) bool) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fieldsOf(t) {
		if skip(f) {
			continue
		}
		p := map[string]any{"description": f.about}
		switch f.kind.Kind() {
		case reflect.Int:
			p["type"] = "integer"
		case reflect.Bool:
			p["type"] = "boolean"
		case reflect.Slice:
			p["type"], p["items"] = "array", map[string]any{"type": "string"}
		default:
			p["type"] = "string"
		}
		if f.of != nil {
			p["enum"] = f.of
		}
		properties[f.name] = p
		if f.need && f.instead == "" {
			required = append(required, f.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// outputSchema is the schema of an answer: the names that it always has, and their types. shape lists "name:type", with ? before
// those that may be missing, which short leaves out; the types are string, integer, number, boolean, object, strings and objects
// (lists of them).
func outputSchema(shape string, short bool) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, item := range strings.Fields(shape) {
		name, kind, _ := strings.Cut(item, ":")
		name, may := strings.CutPrefix(name, "?")
		if may && short {
			continue
		}
		if list, ok := strings.CutSuffix(kind, "s"); ok {
			properties[name] = map[string]any{"type": "array", "items": map[string]any{"type": list}}
		} else {
			properties[name] = map[string]any{"type": kind}
		}
		if !may {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}
