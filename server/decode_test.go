package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	yes, head := true, "HEAD"
	for _, c := range []struct {
		operation, body string
		want            any
	}{
		{"search", `{"query":"x","top_k":5.0,"path":["a","b"],"regex":true,"fresh":true,"root":"/r"}`,
			&SearchArguments{Query: "x", TopK: 5, Path: []string{"a", "b"}, Regex: true, Again: Again{Fresh: true}, In: In{Root: "/r"}}},
		{"search", ` {"query":"x","cursor":null} `, &SearchArguments{Query: "x"}},
		{"search", `{"like":"a.go:3"}`, &SearchArguments{Like: "a.go:3"}},
		{"search", `{"query":"","like":"Mux.Serve","regex":null}`, &SearchArguments{Like: "Mux.Serve"}},
		{"search", `{"query":"x","like":""}`, &SearchArguments{Query: "x"}},
		{"pack", `{"task":"t","preset":"BUG","adaptive":true,"from_diff":"HEAD"}`, &PackArguments{Task: "t", Preset: "bug", Adaptive: &yes, FromDiff: &head}},
		{"status", ``, &StatusArguments{}},
		{"symbol", `{"name":"Mux.Serve","relation":"callers"}`, &SymbolArguments{Name: "Mux.Serve", Relation: "callers"}},
	} {
		o, _ := find(c.operation)
		got, err := o.Decode([]byte(c.body))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %+v, %v", c.operation, c.body, got, err)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct{ operation, body, want string }{
		{"search", `{}`, `argument "query" is needed, or "like": A name`},
		{"search", `{"query":" "}`, `argument "query" is empty`},
		{"search", `{"like":" "}`, `argument "query" is needed`},
		{"search", `{"query":" ","like":""}`, `argument "query" is empty, and so is "like"`},
		{"search", `{"like":7}`, `argument "like" wants a string, not 7`},
		{"search", `{"query":"x","topk":3,"k":1}`, `unknown argument "k", "topk"; the arguments are query, like, top_k, path`},
		{"search", `{"query":"x","top_k":"3"}`, `argument "top_k" wants a whole number, not a string`},
		{"search", `{"query":"x","top_k":2.5}`, `argument "top_k" wants a whole number, not 2.5`},
		{"search", `{"query":"x","top_k":1e300}`, `argument "top_k" wants a whole number up to 9007199254740992, not 1e300`},
		{"search", `{"query":"x","top_k":1e999}`, `argument "top_k" wants a whole number`},
		{"search", `{"query":["x"]}`, `argument "query" wants a string, not a list`},
		{"search", `{"query":"x","path":"src"}`, `argument "path" wants a list of strings, not a string`},
		{"search", `{"query":"x","path":["src",null]}`, `argument "path" wants a list of strings`},
		{"search", `{"query":"x","regex":1}`, `argument "regex" wants true or false, not 1`},
		{"search", `[1]`, `no JSON object`},
		{"search", `{"query":"x"`, `no JSON object`},
		{"symbol", `{"relation":"parents"}`, `it is one of definition, references, callers, callees`},
		{"expand", `{"pack_id":"p","slot":"odd"}`, `argument "slot" is "odd"; it is one of implementation`},
	} {
		o, _ := find(c.operation)
		_, err := o.Decode([]byte(c.body))
		wantError(t, err, "bad_input", c.want)
	}
}

// What an argument is described as has to be what is decoded, in the part of JSON Schema that every client reads.
func TestInputSchemasArePlain(t *testing.T) {
	allowed := []string{"type", "properties", "required", "enum", "description", "items"}
	var check func(at string, schema map[string]any)
	check = func(at string, schema map[string]any) {
		for key, value := range schema {
			if !slices.Contains(allowed, key) {
				t.Errorf("%s: key %q is not in the plain subset", at, key)
			}
			if key == "items" {
				check(at+"[]", value.(map[string]any))
			}
			if key == "properties" {
				for name, p := range value.(map[string]any) {
					check(at+"."+name, p.(map[string]any))
					if _, ok := p.(map[string]any)["type"].(string); !ok {
						t.Errorf("%s.%s has no type", at, name)
					}
				}
			}
		}
	}
	for _, o := range operations {
		text, err := json.Marshal(map[string]any{"in": o.InputSchema(), "out": o.OutputSchema()})
		if err != nil {
			t.Fatal(err)
		}
		var both map[string]map[string]any
		if err := json.Unmarshal(text, &both); err != nil {
			t.Fatal(err)
		}
		check(o.Name, both["in"])
		check(o.Name+" answer", both["out"])
		for name := range both["in"]["properties"].(map[string]any) {
			body, _ := json.Marshal(map[string]any{name: map[string]int{"odd": 1}})
			if _, err := o.Decode(body); err == nil || strings.Contains(err.Error(), "unknown argument") {
				t.Errorf("%s: argument %q of the schema is not decoded: %v", o.Name, name, err)
			}
		}
		if len(o.About) > 140 {
			t.Errorf("%s: a description of %d bytes: every conversation pays for it", o.Name, len(o.About))
		}
	}
}

// One of two arguments is needed, which the plain subset cannot say: neither is required, and their descriptions tell.
func TestSchemaRequiresTheQueryThatLikeStandsFor(t *testing.T) {
	o, _ := find("search")
	for _, schema := range []map[string]any{o.InputSchema(), o.toolSchema(false)} {
		like, _ := schema["properties"].(map[string]any)["like"].(map[string]any)
		if about, _ := like["description"].(string); schema["required"] != nil || !strings.Contains(about, "Instead of query") {
			t.Errorf("required %v, like %v", schema["required"], like)
		}
	}
}

// What a tool's schema leaves out is of no use to an agent, or a matter of how it is set up: everything else that is taken is told.
func TestToolsLeaveOutWhatAgentsDoNotNeed(t *testing.T) {
	rare := []string{"adaptive", "no_refresh", "root", "timings", "tokenizer"}
	for _, o := range operations {
		listed := o.toolSchema(false)["properties"].(map[string]any)
		for name := range o.InputSchema()["properties"].(map[string]any) {
			if listed[name] == nil != slices.Contains(rare, name) {
				t.Errorf("%s: argument %q is listed: %v", o.Name, name, listed[name] != nil)
			}
		}
	}
}

func TestToolsNamed(t *testing.T) {
	all, err := toolsNamed(nil)
	if err != nil || len(all) != 11 {
		t.Errorf("%d tools, %v", len(all), err)
	}
	two, err := toolsNamed([]string{"pack", "search"})
	if err != nil || len(two) != 2 || two[0].Name != "search" {
		t.Errorf("%v, %v", two, err)
	}
	_, err = toolsNamed([]string{"odd"})
	wantError(t, err, "bad_input", `unknown tool "odd"; the tools are search, pack`)
}

func FuzzDecode(f *testing.F) {
	f.Add("search", []byte(`{"query":"x","top_k":5,"path":["a"]}`))
	f.Add("pack", []byte(`{"task":"x","adaptive":null,"from_diff":""}`))
	f.Add("symbol", []byte(`{"name":"\u0000","relation":"x"}`))
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		o, ok := find(name)
		if !ok {
			return
		}
		if _, err := o.Decode(body); err != nil && ErrorKind(err) != "bad_input" {
			t.Errorf("%q: %v", body, err)
		}
	})
}

// TestALargeNumberIsJudgedByWhoTakesIt, which knows the range: it was called no whole number.
func TestALargeNumberIsJudgedByWhoTakesIt(t *testing.T) {
	o, _ := find("pack")
	got, err := o.Decode([]byte(`{"task":"x","budget":10000000000}`))
	if a, ok := got.(*PackArguments); err != nil || !ok || a.Budget != 10_000_000_000 {
		t.Errorf("%+v, %v", got, err)
	}
}
