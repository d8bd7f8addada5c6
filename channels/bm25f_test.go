package channels

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"agenvantage"
	"agenvantage/plan"
)

// The corpus of the sums by hand: three chunks, and a fourth that is deleted.
//
//	a.go   func fooBar() { bar }     path a go | symbol foobar foo bar | signature and body func foobar foo bar bar
//	b.go   func bar() {}             path b go | symbol bar            | func bar
//	c.go   func other() { foo foo }  path c go | symbol other          | func other foo foo
var handFiles = map[string]string{
	"a.go": "func fooBar() { bar }\n", "b.go": "func bar() {}\n", "c.go": "func other() { foo foo }\n", "d.go": "func fooBar() { foo foo bar }\n",
}

func TestBM25FByHand(t *testing.T) {
	c := newCorpus(handFiles, nil)
	c.remove("d.go")
	o := BM25FOptions{K1: 1.2, K3: 8, Symbol: FieldOptions{5, 0.5}, Body: FieldOptions{1, 0.75}, PartWeight: 0.5, MaxTerms: 64}
	list := ask(t, NewBM25F(c, o), c, "foo bar bar", agenvantage.Filter{}, 0)

	// Lengths of symbol: 3, 1, 1, mean 5/3. Lengths of body: 5, 2, 4, mean 11/3.
	symbol := func(freq, length float64) float64 { return 5 * freq / (1 - 0.5 + 0.5*length/(5.0/3)) }
	body := func(freq, length float64) float64 { return freq / (1 - 0.75 + 0.75*length/(11.0/3)) }
	saturate := func(tf float64) float64 { return 2.2 * tf / (1.2 + tf) }
	idf := math.Log(1 + (3-2+0.5)/(2+0.5)) // both terms are in two of three chunks
	twice := 9.0 * 2 / (8 + 2)             // the weight of bar, which the question holds twice
	want := map[string]float64{
		"a.go": idf*saturate(symbol(1, 3)+body(1, 5)) + twice*idf*saturate(symbol(1, 3)+body(2, 5)),
		"b.go": twice * idf * saturate(symbol(1, 1)+body(1, 2)),
		"c.go": idf * saturate(body(2, 4)),
	}
	if len(list.Hits) != 3 {
		t.Fatalf("%d hits, want 3", len(list.Hits))
	}
	for _, h := range list.Hits {
		if path := c.paths[h.File]; math.Abs(h.Score-want[path]) > 1e-12 {
			t.Errorf("%s scores %v, want %v", path, h.Score, want[path])
		}
	}
	if list.Hits[0].Reason != "2 of 2 terms" {
		t.Errorf("reason %q", list.Hits[0].Reason)
	}

	// An index without the deleted file gives the same scores, bit for bit.
	delete(handFiles, "d.go")
	fresh := ask(t, NewBM25F(newCorpus(handFiles, nil), o), c, "foo bar bar", agenvantage.Filter{}, 0)
	handFiles["d.go"] = "func fooBar() { foo foo bar }\n"
	if !reflect.DeepEqual(list.Hits, fresh.Hits) {
		t.Errorf("with a deleted file %v, fresh %v", list.Hits, fresh.Hits)
	}
}

// A near word counts as a part of an occurrence of the term that it stands for, with the rarity of that term.
func TestNearWordsCountAsTheirTerm(t *testing.T) {
	c := newCorpus(handFiles, nil)
	c.remove("d.go")
	o := BM25FOptions{K1: 1.2, K3: 8, Symbol: FieldOptions{5, 0.5}, Body: FieldOptions{1, 0.75}, PartWeight: 0.5, MaxTerms: 64}
	symbol := func(freq, length float64) float64 { return 5 * freq / (1 - 0.5 + 0.5*length/(5.0/3)) }
	body := func(freq, length float64) float64 { return freq / (1 - 0.75 + 0.75*length/(11.0/3)) }
	saturate := func(tf float64) float64 { return 2.2 * tf / (1.2 + tf) }
	idf := func(df float64) float64 { return math.Log(1 + (3-df+0.5)/(df+0.5)) }
	near := func(term string) []agenvantage.Near {
		return []agenvantage.Near{{Text: "bar", For: term, Weight: 0.25}}
	}
	for _, q := range []struct {
		text string
		near []agenvantage.Near
		note string
		want map[string]float64
	}{
		{"other", near("other"), "asked for near words too: bar for other (0.25)", map[string]float64{ // other is in one chunk, bar in two
			"a.go": idf(1) * saturate(0.25*symbol(1, 3)+0.25*body(2, 5)), "b.go": idf(1) * saturate(0.25*symbol(1, 1)+0.25*body(1, 2)), "c.go": idf(1) * saturate(symbol(1, 1)+body(1, 4)),
		}},
		{"absent", near("absent"), "asked for near words too: bar for absent (0.25)", map[string]float64{
			"a.go": idf(2) * saturate(0.25*symbol(1, 3)+0.25*body(2, 5)), "b.go": idf(2) * saturate(0.25*symbol(1, 1)+0.25*body(1, 2)),
		}},
		{"other", nil, "", map[string]float64{"c.go": idf(1) * saturate(symbol(1, 1)+body(1, 4))}},
	} {
		query, err := plan.Parse(q.text, plan.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		query.Near = q.near
		list, err := NewBM25F(c, o).Search(t.Context(), Request{Query: query})
		asked := ""
		if q.near != nil {
			asked = "bar for " + q.text
		}
		if err != nil || len(list.Hits) != len(q.want) || list.Note != q.note || strings.Join(list.AlsoAsked, ", ") != asked {
			t.Errorf("%s: %+v, %v", q.text, list, err)
		}
		for _, h := range list.Hits {
			if path := c.paths[h.File]; math.Abs(h.Score-q.want[path]) > 1e-12 || h.Reason != "1 of 1 terms" {
				t.Errorf("%s: %s scores %v, want %v; %s", q.text, path, h.Score, q.want[path], h.Reason)
			}
		}
	}
}

// Other forms of a rare word are that word; those of a frequent one are not asked for, and synonyms do not make a word more frequent.
func TestFormsOfRareWordsCountAsTheirTerm(t *testing.T) {
	files := map[string]string{"rare.go": "text resolving\n", "form.go": "text resolve\n", "other.go": "text solve\n"}
	for i := range mostOfRare + 1 {
		files[fmt.Sprintf("f%02d.go", i)] = "text frequent\n"
	}
	files["g.go"] = "text frequents\n"
	c := newCorpus(files, nil)
	o := BM25FOptions{K1: 1.2, K3: 8, Body: FieldOptions{1, 0}, MaxTerms: 64}
	n := float64(len(files))
	score := func(df, tf float64) float64 { return math.Log(1+(n-df+0.5)/(df+0.5)) * 2.2 * tf / (1.2 + tf) }
	near := []agenvantage.Near{{Text: "solve", For: "resolving", Weight: 0.25, Source: agenvantage.NearSynonym}, {Text: "resolve", For: "resolving", Weight: 0.5, Source: agenvantage.NearForm},
		{Text: "frequents", For: "frequent", Weight: 0.5, Source: agenvantage.NearForm}, {Text: "resolvs", For: "resolving", Weight: 0.5, Source: agenvantage.NearForm}}
	for text, want := range map[string]map[string]float64{
		"resolving": {"rare.go": score(2, 1), "form.go": score(2, 0.5), "other.go": score(2, 0.25), "g.go": 0},
		"frequent":  {"f00.go": score(mostOfRare+1, 1), "g.go": 0},
	} {
		q, err := plan.Parse(text, plan.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		q.Near = near
		list, err := NewBM25F(c, o).Search(t.Context(), Request{Query: q, Limit: 50})
		if err != nil || list.Note != "" {
			t.Fatalf("%v, note %q", err, list.Note)
		}
		asked := map[string]string{"resolving": "resolve for resolving, solve for resolving", "frequent": ""}[text]
		if got := strings.Join(list.AlsoAsked, ", "); got != asked {
			t.Errorf("%s: asked too %q, want %q", text, got, asked)
		}
		got := map[string]float64{}
		for _, h := range list.Hits {
			got[c.paths[h.File]] = h.Score
		}
		for path, w := range want {
			if math.Abs(got[path]-w) > 1e-12 {
				t.Errorf("%s: %s scores %v, want %v", text, path, got[path], w)
			}
		}
	}
}

func TestPartsAndJoinsWeighLess(t *testing.T) {
	c := newCorpus(handFiles, nil)
	b := NewBM25F(c, BM25FOptions{K1: 1.2, K3: 0, Body: FieldOptions{1, 0.75}, PartWeight: 0.25, JoinWeight: 0.125, MaxTerms: 64})
	for _, q := range []struct{ text, want string }{
		{"fooBar", "foobar=1 foo=0.25 bar=0.25"}, {"foo bar", "foo=1 bar=1 foobar=0.125"}, {"a b c", "b=1 c=1 bc=0.125"}, {"foo foo", "foo=1"},
	} {
		parsed, err := plan.Parse(q.text, plan.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		terms, err := b.weigh(t.Context(), parsed)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range terms {
			got = append(got, fmt.Sprintf("%s=%v", w.text, w.weight))
		}
		if s := strings.Join(got, " "); s != q.want {
			t.Errorf("%q: %s, want %s", q.text, s, q.want)
		}
	}
}

func TestRarestTermsAreKept(t *testing.T) {
	c := newCorpus(handFiles, nil)
	o := DefaultBM25FOptions()
	o.MaxTerms, o.JoinWeight = 2, 0
	terms, err := NewBM25F(c, o).weigh(t.Context(), agenvantage.Query{Terms: []agenvantage.Term{{Text: "func", Count: 1}, {Text: "absent", Count: 1}, {Text: "foo", Count: 1}, {Text: "other", Count: 1}}})
	if err != nil || len(terms) != 2 || terms[0].text != "foo" || terms[1].text != "other" {
		t.Errorf("%v, %v", terms, err)
	}
}

func TestBM25FOptionsValidate(t *testing.T) {
	bad := func(change func(o *BM25FOptions)) BM25FOptions {
		o := DefaultBM25FOptions()
		change(&o)
		return o
	}
	for _, o := range []BM25FOptions{
		bad(func(o *BM25FOptions) { o.K1 = -1 }), bad(func(o *BM25FOptions) { o.K3 = math.NaN() }), bad(func(o *BM25FOptions) { o.Body.B = 1.1 }),
		bad(func(o *BM25FOptions) { o.Path.Weight = -1 }), bad(func(o *BM25FOptions) { o.MaxTerms = 0 }),
	} {
		if err := o.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []BM25FOptions{{}, DefaultBM25FOptions()} {
		if err := o.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// The same question gives the same hits, however documents are numbered and however many ask at the same time.
func TestAnswersAreRepeatable(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("pkg%d/file%d.go", i%7, i)] = fmt.Sprintf("package p\n// user profile %d\nfunc load%d() { userProfile(%d) }\nfunc userProfile%d() { loadUser(); loadUser() }\n", i%3, i%11, i, i%5)
	}
	questions := []string{"user profile", "loadUser", "load3", "userProfile", "file12.go", "pkg3/", `"user profile 1"`, "/load\\d+/", "how is the user profile loaded", "serPro", "%"}
	plain := newCorpus(files, nil)
	want := map[string]List{}
	for _, q := range questions {
		for _, channel := range []Channel{NewBM25F(plain, BM25FOptions{}), NewExact(plain, ExactOptions{})} {
			want[channel.Name()+q] = ask(t, channel, plain, q, agenvantage.Filter{}, 40)
		}
	}
	for seed := range uint64(3) {
		c := newCorpus(files, rand.New(rand.NewPCG(seed, 1)).Shuffle)
		channels := []Channel{NewBM25F(c, BM25FOptions{}), NewExact(c, ExactOptions{})}
		var asking sync.WaitGroup
		for range 4 {
			for _, q := range questions {
				for _, channel := range channels {
					asking.Go(func() {
						if got := ask(t, channel, c, q, agenvantage.Filter{}, 40); !reflect.DeepEqual(got, want[channel.Name()+q]) {
							t.Errorf("%s %q: %d hits %v, want %d %v", channel.Name(), q, len(got.Hits), first(c, got, 3), len(want[channel.Name()+q].Hits), first(plain, want[channel.Name()+q], 3))
						}
					})
				}
			}
		}
		asking.Wait()
	}
}
