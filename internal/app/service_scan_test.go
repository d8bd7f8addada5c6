package app

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/server"
)

// Without an index a search is answered from the files, and nothing else is.
func TestServiceWithoutAnIndex(t *testing.T) {
	fs := files{"a/deep.go": "package a\n\nfunc Use() { Total(nil) }\n", ".env": "SECRET_KEY=abcdefghijklmnop\n"}
	for name, text := range store {
		fs[name] = text
	}
	s, _ := served(t, fs)
	if g := s.Generation(t.Context()); g != 0 {
		t.Errorf("generation %d", g)
	}
	a, err := askForBuilding(t, s, `{"query":"Total"}`)
	if err != nil {
		t.Fatal(err)
	}
	m := object(t, a.Value)
	keepsSchema(t, "scan", schemaOf("search"), m)
	first := m["results"].([]any)[0].(map[string]any)
	if first["path"] != "cart.go" || first["symbol"] != "Total" || !strings.Contains(first["text"].(string), "sum += round(p)") {
		t.Errorf("%v", first)
	}
	if want := "the index is being built: 3 of 9 files; live channels: exact (scan of the files)"; a.Partial != want || !reflect.DeepEqual(a.Channels, []string{"exact (scan)"}) {
		t.Errorf("%q %q", a.Partial, a.Channels)
	}
	for query, want := range map[string]string{`{"query":"/func Use.*nil/"}`: "a/deep.go", `{"query":"adds up the prices","path":["*.md"]}`: "README.md", `{"query":"cart_test.go"}`: "cart_test.go", `{"query":"Total","lang":["markdown"]}`: "",
		`{"query":"\"t.Fail()\""}`: "cart_test.go", `{"query":"Total","not_path":["*.go"]}`: "a/deep.go", `{"query":"TOTAL"}`: "a/deep.go"} {
		a, err := askForBuilding(t, s, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		results := object(t, a.Value)["results"].([]any)
		got := ""
		if len(results) > 0 {
			got = results[0].(map[string]any)["path"].(string)
		}
		if got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
		if want == "" && !strings.Contains(a.Text, "this proves nothing") {
			t.Errorf("%s: %q", query, a.Text)
		}
	}
	if a, err := askForBuilding(t, s, `{"query":"SECRET_KEY"}`); err != nil || strings.Contains(a.Text, "abcdefghijklmnop") {
		t.Errorf("a secret is shown: %v %s", err, a.Text)
	}
	for _, c := range [][2]string{{"read", `{"location":"cart.go"}`}, {"pack", `{"task":"x"}`}, {"map", ``}} {
		if _, err := askFor(t, s, c[0], c[1], server.Limits{}, nil); !errors.Is(err, agenvantage.ErrNoIndex) {
			t.Errorf("%s: %v", c[0], err)
		}
	}
	if a, m := mustAsk(t, s, "status", ``); m["state"] != "absent" || !strings.Contains(a.Text, "absent") {
		t.Errorf("%s", a.Text)
	}
	s.mustBuild(t)
	if a, _ := mustAsk(t, s, "search", `{"query":"Total"}`); a.Partial != "" || a.Generation == 0 {
		t.Errorf("after the build: %+v", a)
	}
}

func askForBuilding(t *testing.T, s *Service, arguments string) (server.Answer, error) {
	t.Helper()
	for _, o := range server.Operations() {
		if o.Name == "search" {
			a, err := o.Decode([]byte(arguments))
			if err != nil {
				t.Fatal(err)
			}
			return s.Answer(t.Context(), server.Call{Operation: "search", Arguments: a, Building: &server.Progress{Done: 3, Total: 9}})
		}
	}
	return server.Answer{}, nil
}

// The same tree gives the same answer without an index, in whatever order its files are read.
func TestServiceScanIsRepeatable(t *testing.T) {
	s, _ := served(t, manyFunctions(50))
	first := ""
	for range 5 {
		a, err := askForBuilding(t, s, `{"query":"apples collect","top_k":20}`)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = a.Text
		}
		if a.Text != first {
			t.Fatalf("%s\n---\n%s", first, a.Text)
		}
	}
}

func TestServiceScanHeedsItsContext(t *testing.T) {
	s, _ := served(t, store)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Answer(ctx, server.Call{Operation: "search", Arguments: &server.SearchArguments{Query: "x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
