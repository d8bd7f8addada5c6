package pack

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/declared"
)

// contract is the part of a JSON Schema that docs/reference/pack.schema.json uses.
type contract struct {
	Type       string               `json:"type"`
	Enum       []string             `json:"enum"`
	Properties map[string]*contract `json:"properties"`
	Required   []string             `json:"required"`
	Items      *contract            `json:"items"`
	Additional *bool                `json:"additionalProperties"`
}

func readContract(t *testing.T) *contract {
	t.Helper()
	text, err := os.ReadFile("../docs/reference/pack.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c := &contract{}
	if err := json.Unmarshal(text, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// breaks lists what of a decoded value breaks the contract.
func (c *contract) breaks(place string, v any) []string {
	kind := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number", reflect.Slice: "array", reflect.Map: "object"}[reflect.ValueOf(v).Kind()]
	if n, ok := v.(float64); ok && c.Type == "integer" && n == math.Trunc(n) {
		kind = "integer"
	}
	if kind != c.Type {
		return []string{place + " is of type " + kind + ", not " + c.Type}
	}
	var bad []string
	if s, ok := v.(string); ok && c.Enum != nil && !slices.Contains(c.Enum, s) {
		bad = append(bad, place+": "+s+" is not in the list")
	}
	if l, ok := v.([]any); ok {
		for _, e := range l {
			bad = append(bad, c.Items.breaks(place+"[]", e)...)
		}
	}
	o, _ := v.(map[string]any)
	for name, e := range o {
		if p := c.Properties[name]; p != nil {
			bad = append(bad, p.breaks(place+"."+name, e)...)
		} else {
			bad = append(bad, place+"."+name+" is not in the schema")
		}
	}
	for _, name := range c.Required {
		if _, ok := o[name]; o != nil && !ok {
			bad = append(bad, place+"."+name+" is missing")
		}
	}
	return bad
}

func decode(t *testing.T, p agenvantage.Pack) any {
	t.Helper()
	text, err := JSON(p)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPacksKeepTheSchema(t *testing.T) {
	c := readContract(t)
	p := sample()
	p.Prompt = Markdown(p)
	for name, p := range map[string]agenvantage.Pack{"full": p, "bare": {Status: agenvantage.PackReady, Preset: agenvantage.TaskBug}} {
		if bad := c.breaks(name, decode(t, p)); len(bad) > 0 {
			t.Error(strings.Join(bad, "\n"))
		}
	}
	p.Status = "splendid"
	p.Slots[0].Name = "mood"
	if bad := c.breaks("", decode(t, p)); len(bad) != 2 {
		t.Errorf("two values outside of their lists: %q", bad)
	}
}

func TestSchemaHasExactlyTheFieldsOfThePack(t *testing.T) {
	compare(t, "pack", readContract(t), reflect.TypeFor[agenvantage.Pack]())
}

// compare holds a schema against a Go type, in both directions.
func compare(t *testing.T, place string, c *contract, typ reflect.Type) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Slice:
		if c.Type != "array" || c.Items == nil {
			t.Errorf("%s is no array", place)
			return
		}
		compare(t, place+"[]", c.Items, typ.Elem())
	case reflect.Struct:
		if c.Type != "object" || c.Additional == nil || *c.Additional {
			t.Errorf("%s is not a closed object", place)
		}
		names := map[string]bool{}
		var required []string
		for i := range typ.NumField() {
			name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			names[name] = true
			if options != "omitempty" {
				required = append(required, name)
			}
			if c.Properties[name] == nil {
				t.Errorf("%s.%s is not in the schema", place, name)
				continue
			}
			compare(t, place+"."+name, c.Properties[name], typ.Field(i).Type)
		}
		for name := range c.Properties {
			if !names[name] {
				t.Errorf("%s.%s is in the schema alone", place, name)
			}
		}
		slices.Sort(required)
		if got := slices.Sorted(slices.Values(c.Required)); !slices.Equal(got, required) {
			t.Errorf("%s requires %v, want %v", place, got, required)
		}
	default:
		want := map[reflect.Kind]string{reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Float64: "number"}[typ.Kind()]
		if c.Type != want {
			t.Errorf("%s is %s, want %s", place, c.Type, want)
		}
		if set, ok := sets[typ]; ok && !slices.Equal(c.Enum, set) {
			t.Errorf("%s has the values %v, want %v", place, c.Enum, set)
		}
	}
}

// sets are the closed lists of values.
var sets = map[reflect.Type][]string{
	reflect.TypeFor[agenvantage.PackStatus](): {"ready", "partial", "insufficient"},
	reflect.TypeFor[agenvantage.SlotState]():  {"filled", "proven absent", "unknown"},
	reflect.TypeFor[agenvantage.BlockKind]():  {"source", "line", "document", "instruction", "map", "history"},
	reflect.TypeFor[agenvantage.TaskKind]():   texts(agenvantage.TaskKinds()),
	reflect.TypeFor[agenvantage.SlotName]():   append(texts(agenvantage.SlotNames()), ""),
}

// TestClosedListsHoldEveryConstant: a value that a type has and the schema lacks makes packs that break it.
func TestClosedListsHoldEveryConstant(t *testing.T) {
	values, err := declared.Strings("..")
	if err != nil {
		t.Fatal(err)
	}
	for typ, set := range sets {
		if len(values[typ.Name()]) < 2 {
			t.Errorf("%s: found %v in the source", typ.Name(), values[typ.Name()])
		}
		for _, value := range values[typ.Name()] {
			if !slices.Contains(set, value) {
				t.Errorf("%s has the value %q, which the closed list %v lacks", typ.Name(), value, set)
			}
		}
	}
}

func texts[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}

func TestJSONIsOneLineAndPlain(t *testing.T) {
	p := agenvantage.Pack{Task: "a<b>&c \xff", Slots: []agenvantage.Slot{{Confidence: math.NaN()}}}
	got, err := JSON(p)
	want := `{"pack_id":"","status":"","why":"","task":"a<b>&c \ufffd","preset":"","budget":0,"tokens":0,"tokenizer":"","revision":"",` +
		`"slots":[{"name":"","required":false,"state":"","confidence":0,"channels":[],"evidence":[],"coverage":"","next_cost":0}],"blocks":[],"handles":[],"missing":[],"next":[]}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if p.Slots[0].Channels != nil || !math.IsNaN(p.Slots[0].Confidence) {
		t.Error("the pack that was given is changed")
	}
}
