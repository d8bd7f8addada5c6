package ngrams

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"agenvantage/embed"
)

func vectors(t *testing.T, texts ...string) []embed.Vector {
	t.Helper()
	answers, err := New().Embed(t.Context(), embed.Document, texts)
	if err != nil || len(answers) != len(texts) {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	var out []embed.Vector
	for i, a := range answers {
		if a.Refused != "" || len(a.Vector) != Dimensions {
			t.Fatalf("%q: %q, %d dimensions", texts[i], a.Refused, len(a.Vector))
		}
		out = append(out, a.Vector)
	}
	return out
}

func cosine(a, b embed.Vector) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestNamesItselfATest(t *testing.T) {
	e := New()
	id, err := e.Identity(t.Context())
	if err != nil || id.Provider != "ngrams" || id.Dimensions != 256 || !strings.Contains(id.Model, "test") {
		t.Errorf("%+v, %v", id, err)
	}
	if e.Hosted() || !strings.Contains(e.Notice(), "test embedder") || !strings.Contains(e.Notice(), "nothing of meaning") {
		t.Errorf("%q", e.Notice())
	}
}

// TestOneWord is a vector by hand: "ab" has the n-grams <ab, ab>, and <ab>, each once.
func TestOneWord(t *testing.T) {
	var want [Dimensions]float64
	for _, gram := range []string{"<ab", "ab>", "<ab>"} {
		h := xxh3.HashString(gram)
		sign := 1.0
		if h>>63 == 1 {
			sign = -1
		}
		want[h%Dimensions] += sign
	}
	v := vectors(t, "  AB! ")[0]
	for i := range want {
		if math.Abs(float64(v[i])-want[i]/math.Sqrt(3)) > 1e-6 {
			t.Errorf("component %d is %v, want %v", i, v[i], want[i]/math.Sqrt(3))
		}
	}
}

// TestSameBytes holds the vectors to what they were: stored ones are compared with new ones.
func TestSameBytes(t *testing.T) {
	const text = "// loadUser reads the profile of a user.\nfunc loadUser(id int) (*User, error) { return users[id], nil } // größe 用户 e\u0301"
	first := vectors(t, text)[0]
	for range 20 {
		if !slices.Equal(vectors(t, text)[0], first) {
			t.Fatal("the same text has two vectors")
		}
	}
	var bytes []byte
	for _, x := range first {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(x))
	}
	sum := xxh3.Hash128(bytes).Bytes()
	if got, want := hex.EncodeToString(sum[:]), "6f46078feccf7bede8c71ade996ad93b"; got != want {
		t.Errorf("hash of the vector is %s, want %s: another vector needs another name of the model", got, want)
	}
}

func TestSpellingIsAllItKnows(t *testing.T) {
	v := vectors(t, "userProfile", "usr profle", "USER_PROFILE", "automobile", "car", "user user user profile")
	if c := cosine(v[0], v[1]); c < 0.3 {
		t.Errorf("misspelt: %v", c)
	}
	if c := cosine(v[0], v[2]); math.Abs(c-1) > 1e-6 {
		t.Errorf("other case: %v", c)
	}
	if c := cosine(v[3], v[4]); math.Abs(c) > 0.2 {
		t.Errorf("the same meaning in other letters: %v", c)
	}
	if c := cosine(v[0], v[5]); c < 0.85 || c > 0.999 {
		t.Errorf("repeats: %v", c) // 1+ln 3 = 2.1 instead of 3
	}
	for i, x := range v {
		if math.Abs(cosine(x, x)-1) > 1e-6 {
			t.Errorf("%d is not of length 1", i)
		}
	}
}

func TestNothingToCompare(t *testing.T) {
	answers, err := New().Embed(t.Context(), embed.Query, []string{"", " \n\t", "+-*/ {}", "x"})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if (a.Refused == embed.ReasonZero) != (i < 3) || (a.Vector == nil) != (i < 3) {
			t.Errorf("%d: %+v", i, a)
		}
	}
}

func TestPurposeAndBatchDoNotCount(t *testing.T) {
	ctx := t.Context()
	one, err := New().Embed(ctx, embed.Query, []string{"open a file"})
	if err != nil {
		t.Fatal(err)
	}
	many, err := New().Embed(ctx, embed.Document, []string{"close it", "open a file", "\xff\xfe broken bytes"})
	if err != nil || !slices.Equal(one[0].Vector, many[1].Vector) || len(many[2].Vector) != Dimensions {
		t.Errorf("%v", err)
	}
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := New().Embed(ctx, embed.Query, []string{"a"}); !errors.Is(err, context.Canceled) || a != nil {
		t.Errorf("%v, %v", a, err)
	}
}

// TestWeightsAreNotNearAHalf makes sure that no logarithm's last digit decides a weight.
func TestWeightsAreNotNearAHalf(t *testing.T) {
	if weight(1) != 1024 || weight(2) != 1734 || weight(3) != 2149 || weight(maxCount) != weight(maxCount+1) { // 1024*ln 2 = 709.8, ln 3: 1124.98
		t.Errorf("%d %d %d", weight(1), weight(2), weight(3))
	}
	for count := 1; count <= maxCount; count++ {
		x := 1024 * (1 + math.Log(float64(count)))
		if f := x - math.Floor(x); math.Abs(f-0.5) < 1e-9 {
			t.Errorf("%d: %v", count, x)
		}
	}
}

func FuzzEmbed(f *testing.F) {
	for _, seed := range []string{"", "loadUser", "\xff\xfe", "用户 größe e\u0301", "a_b-c.d 1234"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := New().Embed(t.Context(), embed.Document, []string{text, text})
		if err != nil || len(a) != 2 || a[0].Refused != a[1].Refused || !slices.Equal(a[0].Vector, a[1].Vector) {
			t.Fatalf("%q: %v", text, err)
		}
		if a[0].Refused == "" && math.Abs(cosine(a[0].Vector, a[0].Vector)-1) > 1e-5 {
			t.Errorf("%q: length %v", text, cosine(a[0].Vector, a[0].Vector))
		}
	})
}
