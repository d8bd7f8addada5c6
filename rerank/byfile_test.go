package rerank

import (
	"testing"

	"agenvantage"
)

func TestByFile(t *testing.T) {
	facts := spans{paths: []string{"a.go", "a_test.go", "docs/x.md", "b.go"}, class: map[uint32]agenvantage.Class{1: agenvantage.ClassTest, 2: agenvantage.ClassDocument}}
	span := func(file uint32, line int, score float64) agenvantage.Candidate {
		return agenvantage.Candidate{File: file, Chunk: 0, Symbol: -1, Span: agenvantage.Span{StartLine: line, EndLine: line + 4}, Score: score,
			Channels: map[string]agenvantage.ChannelRank{"bm25f": {Rank: 3, Score: 7, Share: score}}, Parts: []agenvantage.Part{{Name: "bm25f", Value: score}}}
	}
	voted := func(file uint32, score float64) agenvantage.Candidate {
		return agenvantage.Candidate{File: file, Chunk: -1, Symbol: -1, Score: score, Channels: map[string]agenvantage.ChannelRank{"bm25f": {Rank: 1, Share: score / 2}},
			Parts: []agenvantage.Part{{Name: "file:bm25f", Value: score / 2}, {Name: "file:whole", Value: score / 2}}}
	}
	candidates := []agenvantage.Candidate{span(3, 1, 0.4), span(0, 10, 0.1), span(0, 20, 0.2), span(1, 1, 0.9), span(2, 1, 0.5)}
	// b.go has the best span and few votes. a_test.go has most votes, and three tenths of them. Nobody voted for the document,
	// and file 9 has votes but no span.
	files := []agenvantage.Candidate{voted(1, 4), voted(0, 2), voted(3, 1.5), voted(9, 1)}
	got := ByFile(candidates, files, facts, query(agenvantage.ClassIssue, "it fails"), FeatureOptions{Roles: map[string]float64{"test": 0.3}})
	want := []struct {
		file  uint32
		line  int
		score float64
		last  string
	}{{0, 20, 2, "file:whole"}, {3, 1, 1.5, "file:whole"}, {1, 1, 1.2, "role:test"}, {0, 10, 1, "place_in_file"}}
	if len(got) != len(want) {
		t.Fatalf("%d candidates, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		c := got[i]
		sum := 0.0
		for _, p := range c.Parts {
			sum += p.Value
		}
		if c.File != w.file || c.Span.StartLine != w.line || c.Score-w.score > 1e-9 || w.score-c.Score > 1e-9 || c.Parts[len(c.Parts)-1].Name != w.last {
			t.Errorf("candidate %d is file %d line %d with %v %+v, want %+v", i, c.File, c.Span.StartLine, c.Score, c.Parts, w)
		}
		if sum != c.Score {
			t.Errorf("parts of candidate %d sum to %v, its score is %v", i, sum, c.Score)
		}
	}
	if r := got[0].Channels["bm25f"]; r.Rank != 3 || r.Score != 7 || r.Share != 1 {
		t.Errorf("bm25f of the first: %+v, want the span's rank and score with the file's share", r)
	}
	if candidates[0].Score != 0.4 || len(candidates[0].Parts) != 1 || candidates[0].Channels["bm25f"].Share != 0.4 {
		t.Errorf("the candidate given was changed: %+v", candidates[0])
	}
}
