package static

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNeighbours has rows whose angles are known: drop at 3:4 with erase, remove along erase and half as strong, other at a right angle.
func TestNeighbours(t *testing.T) {
	rows := []float32{0.75, 1 /* drop */, 0, 1 /* erase */, -1, -1 /* opposite */, 1, 0 /* other */, 0, 0.5 /* remove */, 0, 0 /* zero */, 1, 1 /* bucket */}
	names := []string{"drop", "erase", "opposite", "other", "remove", "zero"}
	data, err := Encode(Info{Dimensions: 2, Nested: []int{2}, Pieces: len(names), Buckets: 1}, names, rows, []float32{2, 1, 1, 1, 1, 1, 1}, []float32{1, 1, 1, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	printed := func(near []Neighbour) string {
		var out []string
		for _, n := range near {
			out = append(out, fmt.Sprintf("%s %.2f %.2f", n.Spelling, n.Cosine, n.Strength))
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		word  string
		floor float64
		want  string
	}{
		{"erase", 0.5, "remove 1.00 0.50, drop 0.80 2.50"}, {"erase", 0.9, "remove 1.00 0.50"}, {"drop", 0.59, "erase 0.80 0.40, remove 0.80 0.20, other 0.60 0.40"},
		{"erase", 0, "remove 1.00 0.50, drop 0.80 2.50"}, {"zero", 0, ""}, {"unknown", 0, ""}, {"", 0, ""}, {"opposite", 0.1, ""},
	} {
		for range 2 { // computed, then kept
			if got := printed(m.Neighbours(c.word, c.floor)); got != c.want {
				t.Errorf("%s from %v: %s, want %s", c.word, c.floor, got, c.want)
			}
		}
	}
	for i := range 2 * maxNearKept {
		m.Neighbours(fmt.Sprint(i), 0.5)
	}
	if len(m.near) > maxNearKept || printed(m.Neighbours("erase", 0.9)) != "remove 1.00 0.50" {
		t.Errorf("%d answers are kept", len(m.near))
	}
}

// TestNeighboursOfTheBuiltinModel are words that a reader would take for near.
func TestNeighboursOfTheBuiltinModel(t *testing.T) {
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"delete": "remove", "config": "configuration", "authentication": "auth", "retry": "retries"} {
		found := false
		for _, n := range m.Neighbours(word, 0.5) {
			found = found || n.Spelling == want
			if n.Cosine < 0.5 || n.Cosine > 1 || n.Spelling == word || math.IsNaN(n.Strength) {
				t.Errorf("%s: %+v", word, n)
			}
		}
		if !found {
			t.Errorf("%s has no neighbour %s", word, want)
		}
	}
}

// TestDotOfLongRows compares the unrolled loop with the plain one.
func TestDotOfLongRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		a, b, want := make([]int8, n), make([]int8, n), int32(0)
		for i := range a {
			a[i], b[i] = int8(r.IntN(256)-128), int8(r.IntN(256)-128)
			want += int32(a[i]) * int32(b[i])
		}
		if got := dot(a, b); got != want {
			t.Errorf("%d numbers: %d, want %d", n, got, want)
		}
	}
}
