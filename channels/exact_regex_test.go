package channels

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// The narrowed search finds the same chunks as holding the pattern against every line.
func TestRegexAgainstEveryLine(t *testing.T) {
	files := map[string]string{"blank.txt": "\n\n  \n"}
	for _, set := range []map[string]string{namesFiles, oddFiles, wideFiles} {
		for k, v := range set {
			files[k] = v
		}
	}
	c := newCorpus(files, nil)
	exact := NewExact(c, ExactOptions{})
	for _, p := range []string{`parse\w+File`, `(?i)PARSE\w+file`, `^def .*pass$`, `(HTTPS?|JSON).*`, `(load|decode)_?(user|Rune)`, `\d{2}\.\d{2}`, `寻路`, `größe|портфель`, `x?y?z?`, `[|]{2}`, `a+b`,
		`(foo|)bar`, `op(erator)?`, `ser_pro`, `\bid\b`, `.`, `(?s)a.b`, `pass\n`, `n(o|a)mes`, `(a|b|c)(d|e)`, `"[A-Z]+ \*`} {
		got := map[string]bool{}
		list, err := exact.Search(context.Background(), Request{Query: agenvantage.Query{Class: agenvantage.ClassRegex, Regex: p}, Limit: 1000})
		if err != nil || list.Covered != 1 {
			t.Fatalf("%s: %v, covered %v", p, err, list.Covered)
		}
		for _, h := range list.Hits {
			got[fmt.Sprintf("%d/%d", h.File, h.Chunk)] = true
		}
		want := map[string]bool{}
		re := regexp.MustCompile(p)
		for f, x := range c.facts {
			open := &openFile{text: c.texts[f], facts: x}
			for i := range x.Chunks {
				if slices.ContainsFunc(strings.Split(open.chunkText(i), "\n"), re.MatchString) {
					want[fmt.Sprintf("%d/%d", f, i)] = true
				}
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d chunks, want %d", p, len(got), len(want))
		}
		for k := range want {
			if !got[k] {
				t.Errorf("%s: chunk %s is not found", p, k)
			}
		}
	}
}

func TestBoundsAreSaid(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("f%02d.txt", i)] = "some text +++ here\n"
	}
	c := newCorpus(files, nil)
	for _, q := range []agenvantage.Query{{Regex: "[a-z]x*t"}, {Literal: "+++", Class: agenvantage.ClassPhrase}} {
		list, err := NewExact(c, ExactOptions{MaxScanBytes: 200, MaxMatch: 200}).Search(context.Background(), Request{Query: q, Limit: 40})
		if err != nil || list.Covered <= 0 || list.Covered >= 0.5 || len(list.Hits) == 0 {
			t.Errorf("%+v: %d hits, covered %v, %v", q, len(list.Hits), list.Covered, err)
		}
	}
}
