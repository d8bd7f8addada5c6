package static

import (
	"slices"
	"strings"
	"testing"

	"agenvantage/analysis"
)

func spellingsOf(text string) []string {
	var out []string
	for _, p := range AppendPieces(nil, text) {
		out = append(out, p.Spelling(text))
	}
	return out
}

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"loadUser":                "load user loaduser",
		"load_user":               "load user loaduser",
		"load user":               "load loaduser user",
		"load, user":              "load user",
		"load-user profile":       "load loaduser user userprofile profile",
		"parseXMLFile":            "parse xml parsexml file xmlfile parsexmlfile",
		"getURLs":                 "get urls geturls",
		"utf8Decode":              "utf utf8 decode 8decode utf8decode",
		"x":                       "",
		"a.b":                     "",
		"12 345":                  "12345",
		"__init__":                "init",
		"":                        "",
		"naïve Straße":            "naïve naïvestraße straße",
		"HTTP":                    "http",
		"foo_ bar":                "foo bar",
		"f(x, name)":              "name",
		strings.Repeat("a", 41):   "",
		strings.Repeat("ab_", 20): "ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab abab ab",
	} {
		got := spellingsOf(text)
		if text == strings.Repeat("ab_", 20) { // sixteen parts, in pairs
			if len(got) != 31 || got[0] != "ab" || got[2] != "abab" {
				t.Errorf("%q: %d pieces %q", text, len(got), got)
			}
			continue
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestHashOfPieceIsThatOfItsSpelling(t *testing.T) {
	text := "func (s *Server) ServeHTTP2(w http.ResponseWriter) { return read_all_bytes + \"read all\" }"
	for _, p := range AppendPieces(nil, text) {
		if spelling := p.Spelling(text); p.Hash != HashSpelling(spelling) {
			t.Errorf("piece %q at %d-%d: hash %x, of its spelling %x", spelling, p.Start, p.End, p.Hash, HashSpelling(spelling))
		}
	}
}

// FuzzPartsAreThoseOfAnalysis compares the parts of ASCII words with those that the index takes.
func FuzzPartsAreThoseOfAnalysis(f *testing.F) {
	for _, s := range []string{"parseXMLFile", "getURLs", "utf8Decode", "A_bC__D9", "HTTPServer2Go", "ABCs", "aB1c2D3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range len(text) {
			if text[i] >= 0x80 {
				return
			}
		}
		var parts []string
		for i := 0; i < len(text); {
			if c := byteClass[text[i]]; c == byteOther || c == byteUnder {
				i++
				continue
			}
			end := nextPart(text, i)
			parts = append(parts, strings.ToLower(text[i:end]))
			i = end
		}
		if want := analysis.SplitIdentifier(text); !slices.Equal(parts, want) {
			t.Errorf("%q: parts %q, analysis %q", text, parts, want)
		}
		for _, p := range AppendPieces(nil, text) {
			if p.Start < 0 || p.End <= p.Start || int(p.End) > len(text) || p.Hash != HashSpelling(p.Spelling(text)) {
				t.Errorf("%q: piece %+v", text, p)
			}
		}
	})
}

func TestNgrams(t *testing.T) {
	var out [maxGrams]uint32
	if n := ngrams(&out, "Abc", 0, 3, 1000); n != 5 { // <ab abc bc> <abc abc>
		t.Errorf("%d n-grams of abc, want 5", n)
	}
	var same [maxGrams]uint32
	n := ngrams(&same, "xABC", 1, 4, 1000)
	if n != 5 || out != same {
		t.Errorf("n-grams depend on case or place: %v %v", out[:5], same[:n])
	}
	if n := ngrams(&out, strings.Repeat("z", 40), 0, 40, 7); n != maxGrams-5 {
		t.Errorf("%d n-grams of a long part, want %d", n, maxGrams-5)
	}
	for _, b := range out[:maxGrams-5] {
		if b >= 7 {
			t.Errorf("bucket %d of 7", b)
		}
	}
}
