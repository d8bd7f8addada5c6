package app

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed/embedtest"
)

func TestRerankingPutsTheBestInOrderOrSaysWhyNot(t *testing.T) {
	fs := files{}
	for _, name := range []string{"a", "b", "c"} {
		fs["src/"+name+".py"] = "def widget_" + name + "(value):\n    \"\"\"Handles a widget of the kind " + name + ".\"\"\"\n    return value\n"
	}
	s := embedtest.Start(t, embedtest.Mode{})
	flags := []string{"rerank.provider=cohere", "rerank.model=m", "rerank.base_url=" + s.URL + "/v2"}
	const question = "which function handles a widget of a kind"
	before := newWorld(t, fs)
	before.mustIndex()
	plain := before.askAgain(SearchRequest{Query: question})
	r := before.open(flags...).askAgain(SearchRequest{Query: question})
	if len(s.Asked()) != 1 || !slices.ContainsFunc(r.Results, func(x agenvantage.Result) bool {
		return slices.ContainsFunc(x.Parts, func(p agenvantage.Part) bool { return p.Name == "reranker" })
	}) {
		t.Errorf("%d requests, %+v", len(s.Asked()), r.Results)
	}
	for _, x := range r.Results {
		sum := 0.0
		for _, p := range x.Parts {
			sum += p.Value
		}
		if d := sum - x.Score; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: the parts are %v, the score %v", x.Path, sum, x.Score)
		}
	}
	if before.open(flags...).askAgain(SearchRequest{Query: "widget_b"}); len(s.Asked()) != 1 {
		t.Error("a name that is spelled out was reranked")
	}
	for fault, says := range map[embedtest.Fault]string{embedtest.Hang: "too slow", embedtest.Down: "fails", embedtest.Garbage: "bad answer", embedtest.Auth: "key"} {
		s.SetMode(embedtest.Mode{Fault: fault})
		r := before.open(append(flags, "rerank.timeout=200ms")...).askAgain(SearchRequest{Query: question})
		if found(r) != found(plain) || !strings.Contains(strings.Join(r.Notes, "\n"), says) || !strings.Contains(strings.Join(r.Notes, "\n"), "without the reranker") {
			t.Errorf("%s: %s, %q", fault, found(r), r.Notes)
		}
	}
	if r := before.open("rerank.provider=jina").askAgain(SearchRequest{Query: question}); found(r) != found(plain) || !strings.Contains(strings.Join(r.Notes, "\n"), "rerank.model") {
		t.Errorf("%q", r.Notes)
	}
}
