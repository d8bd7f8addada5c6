package channels

import (
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/analysis"
)

// An import that a variable holds, and an offer of what was imported, once passed for the definition of their name.
func TestANameThatIsPassedOnIsNotDefinedThere(t *testing.T) {
	c := newCorpus(map[string]string{
		"a/main.js": "function response\nexports of res\n", "b/response.js": "nothing but\nfunction send\n response = own\n", "c/use.js": "function response\nrequire\n", "d/def.js": "function response\nbody\nbody\n",
	}, nil)
	c.facts[0].Imports = []agenvantage.Import{{Path: "./response", Alias: "res", Line: 1, From: -1}, {Name: "res", Alias: "response", Line: 1, From: 0, Exported: true}}
	c.facts[2].Imports = []agenvantage.Import{{Path: "./response", Alias: "response", Line: 1, From: 0}}
	c.facts[0].Symbols[0].Kind, c.facts[2].Symbols[0].Kind = agenvantage.KindVariable, agenvantage.KindConstant
	for _, x := range []struct {
		without bool // the definition
		want    string
	}{{false, "d/def.js:1#response a/main.js:1#response"}, {true, "a/main.js:1#response b/response.js:1"}} {
		if x.without {
			c.remove("d/def.js")
		}
		list := ask(t, NewExact(c, ExactOptions{}), c, "response", agenvantage.Filter{}, 10)
		if got := first(c, list, 2); got != x.want {
			t.Errorf("%s, want %s", got, x.want)
		}
		for _, h := range list.Hits {
			if h.File == 2 && Precise(h.Score) > 0 {
				t.Errorf("an import is precise: %+v", h)
			}
		}
	}
}

func TestOriginOf(t *testing.T) {
	res := agenvantage.Import{Path: "./response", Alias: "res", From: 1}
	for name, x := range map[string]struct {
		imports []agenvantage.Import
		want    float64
	}{
		"no imports":               {nil, scoreDefinition},
		"of another symbol":        {[]agenvantage.Import{{Path: "x", From: 1}}, scoreDefinition},
		"imported":                 {[]agenvantage.Import{{Path: "x", Alias: "a", From: 0}}, scoreImported},
		"imported and passed on":   {[]agenvantage.Import{{Path: "x", Alias: "a", From: 0, Exported: true}}, scorePassedOn},
		"offers what it imports":   {[]agenvantage.Import{res, {Name: "res", Alias: "response", From: 0, Exported: true}}, scorePassedOn},
		"offers its own":           {[]agenvantage.Import{res, {Name: "own", Alias: "response", From: 0, Exported: true}}, scoreDefinition},
		"both, in the other order": {[]agenvantage.Import{{Path: "x", From: 0}, {Path: "x", From: 0, Exported: true}}, scorePassedOn},
	} {
		facts := &agenvantage.Extraction{Imports: x.imports, Symbols: []agenvantage.Symbol{{Kind: agenvantage.KindVariable}}}
		if got, _ := originOf(facts, 0); got != x.want {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
}

// A function that imports something in its body was taken for a name that is imported.
func TestAFunctionWithAnImportInItsBodyIsNoDefinition(t *testing.T) {
	for _, kind := range []agenvantage.SymbolKind{agenvantage.KindFunction, agenvantage.KindMethod, agenvantage.KindClass, agenvantage.KindModule} {
		facts := &agenvantage.Extraction{Symbols: []agenvantage.Symbol{{Name: "_expand_args", Kind: kind}}, Imports: []agenvantage.Import{{Path: "glob", Name: "glob", From: 0}}}
		if got, reason := originOf(facts, 0); got != scoreDefinition {
			t.Errorf("%s: %v, %s", kind, got, reason)
		}
	}
}

// What comes from outside of the repository is nearest where it is passed on, and not where its name is spelled otherwise.
func TestANameOfAnotherRepositoryIsFoundWhereItIsPassedOn(t *testing.T) {
	files := map[string]string{
		"a.rs": "struct Form\ndef from_request\nbody FromRequest\n", "b.rs": "uses FromRequest\nand FromRequest\n", "mod.rs": "pub use core extract FromRequest Other Third words and more of them\n",
	}
	c := newCorpus(files, nil)
	c.facts[2].Imports = []agenvantage.Import{{Path: "core::extract::FromRequest", Line: 1, From: -1, Exported: true}}
	list := ask(t, NewExact(c, ExactOptions{}), c, "FromRequest", agenvantage.Filter{}, 10)
	if got := first(c, list, 1); got != "mod.rs:1" || list.Hits[0].Reason != "passed on" {
		t.Errorf("%s: %s", got, list.Hits[0].Reason)
	}
	for _, h := range list.Hits[1:] {
		if Precise(h.Score) > 0 {
			t.Errorf("precise: %+v", h)
		}
	}
	files["c.rs"] = "struct FromRequest\n"
	c = newCorpus(files, nil)
	c.facts[3].Imports = []agenvantage.Import{{Path: "c::FromRequest", Line: 1, From: -1, Exported: true}}
	list = ask(t, NewExact(c, ExactOptions{}), c, "FromRequest", agenvantage.Filter{}, 10)
	if got := first(c, list, 2); got != "c.rs:1#FromRequest a.rs:2#from_request" {
		t.Errorf("with a definition: %s", got)
	}
}

// A module that is written with its parents was found neither by its own name nor by its whole one.
func TestModulesThatAreWrittenWithTheirParents(t *testing.T) {
	c := newCorpus(map[string]string{
		"conn.ex": "class Conn\nbody\nbody\n", "test/conn.ex": "def conn\nbody Conn\n", "other.ex": "class Other\nuses App.Plug.Conn twice App.Plug.Conn\n", "doc.md": "# Conn is App.Plug.Conn\nclass Head\n",
	}, nil)
	rename := func(file int, name string, kind agenvantage.SymbolKind) {
		s := &c.facts[file].Symbols[0]
		s.Name, s.Qualified, s.Kind = name, name, kind
		for doc, p := range c.places {
			if int(p.file) == file && len(c.facts[file].Chunks[p.chunk].Symbols) > 0 {
				c.index(FieldName, uint32(doc), []string{analysis.Normalise(name)})
			}
		}
	}
	rename(0, "App.Plug.Conn", agenvantage.KindModule)
	rename(1, "guide/Conn", agenvantage.KindSection)
	for question, want := range map[string]string{
		"Conn": "conn.ex:1#App.Plug.Conn", "Plug.Conn": "conn.ex:1#App.Plug.Conn", "App.Plug.Conn": "conn.ex:1#App.Plug.Conn", "conn": "test/conn.ex:1#conn",
	} {
		list := ask(t, NewExact(c, ExactOptions{}), c, question, agenvantage.Filter{}, 10)
		if got := first(c, list, 1); got != want || !strings.Contains(list.Hits[0].Reason, "definition") {
			t.Errorf("%s: %s (%s), want %s", question, got, list.Hits[0].Reason, want)
		}
	}
	if list := ask(t, NewExact(c, ExactOptions{}), c, "Mug.Conn", agenvantage.Filter{}, 10); len(list.Hits) > 0 && list.Hits[0].Score >= scoreQualified {
		t.Errorf("other parents: %+v", list.Hits[0])
	}
}

func TestHeadingsInAnotherSpellingAreNoDefinitions(t *testing.T) {
	c := newCorpus(map[string]string{"routes.json": "type router\nbody\n", "use.go": "text of Router\n"}, nil)
	c.facts[0].Symbols[0].Kind = agenvantage.KindSection
	for question, precise := range map[string]bool{"Router": false, "router": true} {
		list := ask(t, NewExact(c, ExactOptions{}), c, question, agenvantage.Filter{}, 10)
		if got := Precise(list.Hits[0].Score) > 0; first(c, list, 1) != "routes.json:1#router" || got != precise {
			t.Errorf("%s: %s, precise %v", question, first(c, list, 1), got)
		}
	}
}

func TestEndingsOfTheDictionary(t *testing.T) {
	d := &dictionary{"appconn\nconn\nconnect\nplugconn\nplugconn\nzconn\n"}
	for _, x := range []struct {
		part  string
		limit int
		want  string
	}{{"conn", 9, "appconn plugconn zconn"}, {"conn", 2, "appconn plugconn"}, {"connect", 9, ""}, {"x", 9, ""}} {
		if got := strings.Join(d.ending(x.part, x.limit), " "); got != x.want {
			t.Errorf("%s, %d: %s, want %s", x.part, x.limit, got, x.want)
		}
	}
}
