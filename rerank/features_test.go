package rerank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// spans is a small corpus: the kind and class of a candidate's file are given by number.
type spans struct {
	paths []string
	class map[uint32]agenvantage.Class
	kinds map[int]agenvantage.SymbolKind // by start line
}

func (s spans) Path(f uint32) string                                { return s.paths[f] }
func (s spans) Class(f uint32) agenvantage.Class                    { return s.class[f] }
func (s spans) Kind(c agenvantage.Candidate) agenvantage.SymbolKind { return s.kinds[c.Span.StartLine] }

// candidatesOf reads FILE:LINE:SCORE.
func candidatesOf(t *testing.T, text string) []agenvantage.Candidate {
	t.Helper()
	var list []agenvantage.Candidate
	for _, s := range strings.Fields(text) {
		var c agenvantage.Candidate
		if _, err := fmt.Sscanf(s, "%d:%d:%g", &c.File, &c.Span.StartLine, &c.Score); err != nil {
			t.Fatal(err)
		}
		c.Span.EndLine = c.Span.StartLine + 5
		c.Parts = []agenvantage.Part{{Name: "bm25f", Value: c.Score}}
		list = append(list, c)
	}
	return list
}

func textOf(t *testing.T, list []agenvantage.Candidate) string {
	t.Helper()
	var out []string
	for _, c := range list {
		sum, names := 0.0, ""
		for _, p := range c.Parts {
			sum += p.Value
			if p.Name != "bm25f" {
				names += "[" + p.Name + "]"
			}
		}
		if diff := sum - c.Score; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("parts of %d:%d sum to %v, the score is %v", c.File, c.Span.StartLine, sum, c.Score)
		}
		out = append(out, fmt.Sprintf("%d:%d:%.4g%s", c.File, c.Span.StartLine, c.Score, names))
	}
	return strings.Join(out, " ")
}

func query(class agenvantage.QueryClass, words string) agenvantage.Query {
	q := agenvantage.Query{Text: words, Class: class}
	for _, w := range strings.Fields(words) {
		q.Terms = append(q.Terms, agenvantage.Term{Text: w, Count: 1})
	}
	return q
}

func TestApplyFeatures(t *testing.T) {
	corpus := spans{paths: []string{"src/session.go", "src/session_test.go", "docs/session.md", "examples/a/main.go", "store/db.go", "src/_archive/session.go"},
		class: map[uint32]agenvantage.Class{1: agenvantage.ClassTest, 2: agenvantage.ClassDocument}, kinds: map[int]agenvantage.SymbolKind{1: agenvantage.ChunkHeader}}
	roles := map[string]float64{"test": 0.5, "document": 0.5, "example": 0.5, "legacy": 0.5}
	for _, c := range []struct {
		name  string
		o     FeatureOptions
		query agenvantage.Query
		in    string
		want  string
	}{
		{"nothing", FeatureOptions{}, query(agenvantage.ClassPhrase, "session"), "4:9:2 0:9:1", "4:9:2 0:9:1"},
		{"no candidates", FeatureOptions{FileName: 1}, query(agenvantage.ClassPhrase, "session"), "", ""},
		{"the file's name", FeatureOptions{FileName: 1}, query(agenvantage.ClassPhrase, "sessions expire"), "4:9:2 0:9:1.5 0:20:1", "0:9:2.5[file_name] 4:9:2 0:20:1"},
		{"its folder's name counts less", FeatureOptions{FileName: 1, Folder: 0.5}, query(agenvantage.ClassPhrase, "store rows"), "0:9:2 4:9:1.6", "4:9:2.1[file_name] 0:9:2"},
		{"one word of many is nothing", FeatureOptions{FileName: 1}, query(agenvantage.ClassQuestion, "one two three four five six seven eight nine ten session"), "4:9:2 0:9:1", "4:9:2 0:9:1"},
		{"names of files say nothing to a report", FeatureOptions{FileName: 1}, query(agenvantage.ClassIssue, "session"), "4:9:2 0:9:1", "4:9:2 0:9:1"},
		{"short words are no part of a name", FeatureOptions{FileName: 1}, query(agenvantage.ClassPhrase, "db"), "0:9:2 4:9:1", "0:9:2 4:9:1"},
		{"coherence of a name", FeatureOptions{Coherence: 0.5}, query(agenvantage.ClassIdentifier, "x"), "4:9:2 0:9:1.9 0:20:1.9", "0:9:2.9[file_coherence] 4:9:2.526[file_coherence] 0:20:1.9"},
		{"no coherence of words", FeatureOptions{Coherence: 0.5}, query(agenvantage.ClassQuestion, "x"), "4:9:2 0:9:1.9", "4:9:2 0:9:1.9"},
		{"headers", FeatureOptions{Header: 0.5}, query(agenvantage.ClassPhrase, "x"), "4:1:2 0:9:1.9", "0:9:1.9 4:1:1[header]"},
		{"roles", FeatureOptions{Roles: roles}, query(agenvantage.ClassPhrase, "expire"), "1:9:4 2:9:4 3:9:4 0:9:3", "0:9:3 1:9:2[role:test] 2:9:2[role:document] 3:9:2[role:example]"},
		{"the name of a demoted file counts less too", FeatureOptions{FileName: 1, Roles: roles}, query(agenvantage.ClassPhrase, "session"), "1:9:4 4:9:2", "1:9:3[role:test][file_name] 4:9:2"},
		{"the name of a file that is asked for", FeatureOptions{FileName: 1, Roles: roles}, query(agenvantage.ClassPhrase, "session test"), "1:9:4 4:9:2", "1:9:8[file_name] 4:9:2"},
		{"archives", FeatureOptions{Roles: roles}, query(agenvantage.ClassPhrase, "session"), "5:9:4 0:9:3", "0:9:3 5:9:2[role:legacy]"},
		{"archives are asked for", FeatureOptions{Roles: roles}, query(agenvantage.ClassPhrase, "archived session"), "5:9:4 0:9:3", "5:9:4 0:9:3"},
		{"tests are asked for", FeatureOptions{Roles: roles}, query(agenvantage.ClassPhrase, "session tests"), "1:9:4 2:9:4 0:9:3", "1:9:4 0:9:3 2:9:2[role:document]"},
		{"documents are asked for", FeatureOptions{Roles: roles}, query(agenvantage.ClassQuestion, "session documentation"), "1:9:4 2:9:4 0:9:3", "2:9:4 0:9:3 1:9:2[role:test]"},
		{"a report that mentions tests is about the code", FeatureOptions{Roles: roles}, query(agenvantage.ClassIssue, "session tests fail"), "1:9:4 0:9:3", "0:9:3 1:9:2[role:test]"},
		{"a path of a test", FeatureOptions{Roles: roles}, agenvantage.Query{Class: agenvantage.ClassPath, Paths: []string{"src/session_test.go"}}, "1:9:4 0:9:3", "1:9:4 0:9:3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := candidatesOf(t, c.in)
			before := fmt.Sprint(in)
			out := ApplyFeatures(in, corpus, c.query, c.o)
			if got := textOf(t, out); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if fmt.Sprint(in) != before || !slices.IsSortedFunc(out, agenvantage.CompareCandidates) {
				t.Error("the input was changed, or the output is not in order")
			}
		})
	}
}

func TestSaturate(t *testing.T) {
	for _, c := range []struct {
		factor   float64
		in, want string
	}{
		{0, "0:9:8 0:20:8 4:9:5", "0:9:8 0:20:8 4:9:5"},
		{1, "0:9:8 0:20:8 4:9:5", "0:9:8 0:20:8 4:9:5"},
		{0.5, "0:9:8 0:20:8 0:30:8 4:9:5", "0:9:8 4:9:5 0:20:4[file_saturation] 0:30:2[file_saturation]"},
	} {
		if got := textOf(t, Saturate(candidatesOf(t, c.in), c.factor)); got != c.want {
			t.Errorf("factor %v: %s, want %s", c.factor, got, c.want)
		}
	}
}

// A file's name is split as identifiers are.
func TestNameShare(t *testing.T) {
	for _, c := range []struct {
		file, words string
		fit, want   float64
	}{
		{"a/httpServer.go", "http server", 0, 1},
		{"a/http_server.test.ts", "server", 0, 1},
		{"a/http_server.test.ts", "server", 1, 0.5}, // half of the name is asked for
		{"a/http_server.test.ts", "server", 0.5, 0.75},
		{"a/.eslintrc", "eslint", 0.5, 1},
		{"routing/mod.rs", "routing", 0, 0.5},
		{"a/mod.rs", "routing", 0, 0},
		{"Makefile", "makefile", 1, 1},
		{"a/sessions.go", "session store", 1, 0.5},
		{"a/logger.go", "request logging", 1, 0.5}, // forms of one word
		{"a/request_id.go", "request logging", 1, 0.25},
	} {
		if got := nameShare(c.file, nameWords(query(agenvantage.ClassPhrase, c.words)), 0.5, c.fit); got != c.want {
			t.Errorf("%s, %s at %v: %v, want %v", c.file, c.words, c.fit, got, c.want)
		}
	}
}
