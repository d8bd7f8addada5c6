package fusion

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"agenvantage"
)

func hit(file uint32, symbol int) agenvantage.Hit {
	return agenvantage.Hit{File: file, Chunk: 0, Symbol: symbol, Span: agenvantage.Span{StartLine: 1, EndLine: 3}, Score: 7, Reason: "why"}
}

func TestFuseByHand(t *testing.T) {
	got := FuseReciprocalRank([]List{
		{"exact", []agenvantage.Hit{hit(2, 1), hit(1, -1)}},
		{"bm25f", []agenvantage.Hit{hit(1, -1), hit(1, -1), hit(3, -1), hit(2, -1)}},
	}, Options{Weights: map[string]float64{"exact": 2}})
	want := []struct {
		file   uint32
		symbol int
		score  float64
	}{{1, -1, 1.0/61 + 2.0/62}, {2, 1, 2.0 / 61}, {3, -1, 1.0 / 63}, {2, -1, 1.0 / 64}}
	if len(got) != len(want) {
		t.Fatalf("%d candidates, want %d", len(got), len(want))
	}
	for i, w := range want {
		if c := got[i]; c.File != w.file || c.Symbol != w.symbol || math.Abs(c.Score-w.score) > 1e-15 {
			t.Errorf("place %d: file %d symbol %d score %v, want %+v", i, c.File, c.Symbol, c.Score, w)
		}
	}
	if rank := got[0].Channels["exact"]; rank != (agenvantage.ChannelRank{Rank: 2, Score: 7, Share: 2.0 / 62, Reason: "why"}) {
		t.Errorf("exact's place is %+v", rank)
	}
}

func randomLists(r *rand.Rand) []List {
	lists := make([]List, 1+r.IntN(4))
	for i := range lists {
		lists[i].Name = string(rune('a' + i))
		for range r.IntN(12) {
			lists[i].Hits = append(lists[i].Hits, hit(uint32(r.IntN(6)), r.IntN(3)-1))
		}
	}
	return lists
}

func TestFuseProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		lists := randomLists(r)
		fused := FuseReciprocalRank(lists, Options{})
		shuffled := append([]List(nil), lists...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := FuseReciprocalRank(shuffled, Options{}); !reflect.DeepEqual(fused, again) {
			t.Fatal("the order of lists matters")
		}
		before := map[key]float64{}
		for _, c := range FuseReciprocalRank(lists[1:], Options{}) {
			before[key{c.File, c.Span, c.Symbol}] = c.Score
		}
		for i, c := range fused {
			if c.Score < before[key{c.File, c.Span, c.Symbol}]-1e-15 {
				t.Fatalf("another list lowered a score: %+v", c)
			}
			sum := 0.0
			for _, p := range c.Parts {
				sum += p.Value
			}
			if sum != c.Score || len(c.Parts) != len(c.Channels) {
				t.Fatalf("parts sum to %v, score is %v", sum, c.Score)
			}
			if i > 0 && agenvantage.CompareCandidates(fused[i-1], c) > 0 {
				t.Fatal("not in order")
			}
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, o := range []Options{{K: -1}, {K: math.NaN()}, {Weights: map[string]float64{"a": -1}}, {Weights: map[string]float64{"a": math.Inf(1)}}} {
		if err := o.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := (Options{}).Validate(); err != nil {
		t.Error(err)
	}
	if got := FuseReciprocalRank([]List{{"a", []agenvantage.Hit{hit(1, 1)}}}, Options{Weights: map[string]float64{"a": 0}}); len(got) != 0 {
		t.Errorf("a list of weight 0 gave %v", got)
	}
}
