package static

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed"
)

// tinyModel has the pieces load, loaduser, user and two buckets, in two dimensions. Query weights are 1, code weights 2 for
// "user" and 1 else.
func tinyModel(t testing.TB) ([]byte, *Model) {
	t.Helper()
	rows := []float32{1, 0 /* load */, 0, 2 /* loaduser */, 0, 1 /* user */, 1, 1, -1, 1 /* buckets */}
	data, err := Encode(Info{Dimensions: 2, Nested: []int{1, 2}, Pieces: 3, Buckets: 2, Pairs: 7}, []string{"load", "loaduser", "user"}, rows,
		[]float32{1, 1, 1, 1, 1}, []float32{1, 1, 2, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return data, m
}

func near(a []float32, b ...float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(float64(a[i])-b[i]) > 2e-3 {
			return false
		}
	}
	return true
}

func TestEmbed(t *testing.T) {
	_, m := tinyModel(t)
	root := math.Sqrt
	tests := []struct {
		name  string
		got   func() ([]float32, error)
		wants []float64
	}{
		{"one piece", func() ([]float32, error) { return m.EmbedQuery(nil, "load", 2) }, []float64{1, 0}},
		{"two pieces", func() ([]float32, error) { return m.EmbedQuery(nil, "load, user", 2) }, []float64{1 / root(2), 1 / root(2)}},
		{"joined: 1, 1+2", func() ([]float32, error) { return m.EmbedQuery(nil, "loadUser", 2) }, []float64{1 / root(10), 3 / root(10)}},
		{"four times: 1+ln 4", func() ([]float32, error) { return m.EmbedQuery(nil, "load;load;load;load;user", 2) },
			[]float64{(1 + math.Log(4)) / math.Hypot(1+math.Log(4), 1), 1 / math.Hypot(1+math.Log(4), 1)}},
		{"code weights", func() ([]float32, error) { return m.EmbedChunk(nil, Chunk{Text: "load.user"}, 2) }, []float64{1 / root(5), 2 / root(5)}},
		{"body in one bag", func() ([]float32, error) { return m.EmbedChunk(nil, Chunk{Context: "load", Text: "user"}, 2) }, []float64{1 / root(5), 2 / root(5)}},
		{"path beside the body", func() ([]float32, error) { return m.EmbedChunk(nil, Chunk{Path: "load", Text: "user"}, 2) },
			[]float64{0.5 / math.Hypot(0.5, 1), 1 / math.Hypot(0.5, 1)}},
		{"names, however many", func() ([]float32, error) { return m.EmbedChunk(nil, Chunk{Names: "user;user;user", Text: "load"}, 2) },
			[]float64{1 / math.Hypot(0.4, 1), 0.4 / math.Hypot(0.4, 1)}},
		{"leading part", func() ([]float32, error) { return m.EmbedQuery(nil, "loadUser", 1) }, []float64{1}},
		{"nothing", func() ([]float32, error) { return m.EmbedQuery(nil, "!?", 2) }, []float64{0, 0}},
	}
	for _, test := range tests {
		got, err := test.got()
		if err != nil || !near(got, test.wants...) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.wants)
		}
	}
	unknown, err := m.EmbedQuery([]float32{9}, "zebra", 2)
	if err != nil || len(unknown) != 3 || unknown[0] != 9 || unknown[1] == 0 && unknown[2] == 0 {
		t.Errorf("an unknown word: %v, %v, want it appended and not zero", unknown, err)
	}
	for _, d := range []int{0, -1, 3} {
		if _, err := m.EmbedQuery(nil, "load", d); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%d dimensions: %v", d, err)
		}
	}
}

func TestEmbedAllocatesNothing(t *testing.T) {
	_, m := tinyModel(t)
	text := strings.Repeat("func loadUser(id int) error { return load(user, zebra_crossing) }\n", 40)
	dst := make([]float32, 0, 2)
	s, err := m.begin(2) // as EmbedChunk does, whose pool drops some under the race detector
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(50, func() {
		s.bag.Reset()
		m.embedChunk(s, dst[:0], Chunk{Path: "a/b.go", Names: "loadUser", Text: text}, 2)
	}); n > 0.5 {
		t.Errorf("%v allocations for a chunk", n)
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	data, _ := tinyModel(t)
	for name, damaged := range map[string][]byte{
		"empty":     nil,
		"magic":     append([]byte("X"), data[1:]...),
		"cut":       data[:len(data)-1],
		"a bit":     func() []byte { d := slices.Clone(data); d[40] ^= 1; return d }(),
		"more":      append(slices.Clone(data), 0),
		"only head": data[:12],
	} {
		if _, err := Decode(damaged); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Encode(Info{Dimensions: 2, Pieces: 1, Buckets: 1}, []string{"a"}, make([]float32, 3), make([]float32, 2), make([]float32, 2)); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("too few numbers: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	data, _ := tinyModel(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Decode(data); err == nil {
			if _, err := m.EmbedQuery(nil, "load user zebra", m.Dimensions()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestVocabularyRefuses(t *testing.T) {
	for name, words := range map[string][]string{"order": {"b", "a"}, "twice": {"a", "a"}, "empty": {"", "a"}} {
		if _, err := NewVocabulary(words, 1); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewVocabulary([]string{"a"}, 0); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("no buckets: %v", err)
	}
}

func TestEmbedder(t *testing.T) {
	_, m := tinyModel(t)
	e, err := NewEmbedder(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	id, err := e.Identity(context.Background())
	if err != nil || id.Provider != "builtin" || id.Dimensions != 2 || id.Digest != m.Digest() || len(id.Digest) != 64 || e.Hosted() {
		t.Errorf("identity %+v, %v, hosted %v", id, err, e.Hosted())
	}
	answers, err := e.Embed(context.Background(), embed.Document, []string{"load.user", "..."})
	if err != nil || len(answers) != 2 || !near(answers[0].Vector, 1/math.Sqrt(5), 2/math.Sqrt(5)) || answers[1].Refused != embed.ReasonZero {
		t.Errorf("answers %+v, %v", answers, err)
	}
	document := Chunk{Path: "load", Text: "user"}.Document()
	fields, err := e.Embed(context.Background(), embed.Document, []string{document})
	if want, _ := m.EmbedChunk(nil, Chunk{Path: "load", Text: "user"}, 2); err != nil || !slices.Equal(fields[0].Vector, want) {
		t.Errorf("a document with fields: %+v, %v, want %v", fields, err, want)
	}
	asked, err := e.Embed(context.Background(), embed.Query, []string{"load.user"})
	if err != nil || !near(asked[0].Vector, 1/math.Sqrt(2), 1/math.Sqrt(2)) {
		t.Errorf("question %+v, %v", asked, err)
	}
	if _, err := NewEmbedder(m, 5); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("5 dimensions: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Embed(cancelled, embed.Query, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
