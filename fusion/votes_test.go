package fusion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"agenvantage"
)

func fileHit(file uint32, score float64) agenvantage.Hit {
	return agenvantage.Hit{File: file, Chunk: -1, Symbol: -1, Score: score}
}

func showVotes(files []agenvantage.Candidate) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%d=%.3f", f.File, f.Score)
		for _, p := range f.Parts {
			fmt.Fprintf(&b, " %s %.3f", p.Name, p.Value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestVotesByHand(t *testing.T) {
	// The first of a list has its whole weight. The second of words: half of (4/8 + 21/22) = 0.727.
	// Words in the title weigh 0.5 by their own name, paths 2 by that of their family.
	got := FuseVotes([]List{
		{"words", []agenvantage.Hit{fileHit(3, 8), fileHit(1, 4)}},
		{"words:title", []agenvantage.Hit{fileHit(1, 9)}},
		{"path:title", []agenvantage.Hit{fileHit(2, 1)}},
		{"muted", []agenvantage.Hit{fileHit(7, 1)}},
		{"empty", nil},
		{"nothing", []agenvantage.Hit{fileHit(8, 0)}},
	}, map[string]float64{"words:title": 0.5, "path": 2, "muted": 0})
	want := "2=2.000 file:path 2.000\n1=1.227 file:words 1.227\n3=1.000 file:words 1.000\n"
	if showVotes(got) != want {
		t.Errorf("got\n%swant\n%s", showVotes(got), want)
	}
	if r := got[1].Channels["words"]; r.Rank != 1 || r.Score != 9 || math.Abs(r.Share-1.227) > 0.001 {
		t.Errorf("file 1 in words: %+v, want its best rank and the share of both lists", r)
	}
	if got := FuseVotes(nil, nil); len(got) != 0 {
		t.Errorf("no lists: %v", got)
	}
}

// The order of lists does not matter, a better place never lowers a file, and parts add up to the score.
func TestVoteProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var lists []List
		for n := range 1 + random.IntN(4) {
			l := List{Name: fmt.Sprintf("l%d:r%d", n/2, n)}
			for i, f := range random.Perm(8)[:random.IntN(8)] {
				l.Hits = append(l.Hits, fileHit(uint32(f), 10-float64(i)-random.Float64()/2))
			}
			lists = append(lists, l)
		}
		weights := map[string]float64{"l0": random.Float64() * 2}
		first := FuseVotes(lists, weights)
		shuffled := append([]List(nil), lists...)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if a, b := showVotes(first), showVotes(FuseVotes(shuffled, weights)); a != b {
			t.Fatalf("order of lists matters:\n%s\n%s", a, b)
		}
		for i, f := range first {
			sum := 0.0
			for _, p := range f.Parts {
				sum += p.Value
			}
			if sum != f.Score {
				t.Fatalf("parts of file %d sum to %v, its score is %v", f.File, sum, f.Score)
			}
			if i > 0 && agenvantage.CompareCandidates(first[i-1], f) >= 0 {
				t.Fatalf("files %d and %d are out of order", first[i-1].File, f.File)
			}
		}
		if l := lists[0].Hits; len(l) > 1 { // the second of a list is raised above the first
			raised := append([]agenvantage.Hit(nil), l...)
			raised[0], raised[1] = raised[1], raised[0]
			raised[0].Score = l[0].Score
			raised[1].Score = l[1].Score
			before, after := scoreOf(first, l[1].File), scoreOf(FuseVotes(append([]List{{lists[0].Name, raised}}, lists[1:]...), weights), l[1].File)
			if after < before {
				t.Fatalf("a better place lowered file %d from %v to %v", l[1].File, before, after)
			}
		}
	}
}

func scoreOf(files []agenvantage.Candidate, file uint32) float64 {
	for _, f := range files {
		if f.File == file {
			return f.Score
		}
	}
	return 0
}
