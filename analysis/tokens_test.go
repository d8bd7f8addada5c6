package analysis

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestAppendTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  ,;+ ", ""},
		{"_ __", ""},
		{"foo", "foo"},
		{"Foo foo", "foo foo"},
		{"load_user_profile", "loaduserprofile load user profile"},
		{"LoadUserProfile", "loaduserprofile load user profile"},
		{"__private_helper__", "privatehelper private helper"},
		{"_x", "x"},
		{"MAX_RETRY_COUNT", "maxretrycount max retry count"},
		{"HTTPServer", "httpserver http server"},
		{"parseXMLFile", "parsexmlfile parse xml file"},
		{"getURLs", "geturls get urls"},
		{"URLs", "urls"},
		{"ABTest", "abtest ab test"},
		{"iOSBuild", "iosbuild i ios os build"},
		{"utf8DecodeRune", "utf8decoderune utf utf8 8 decode rune"},
		{"sha256", "sha256 sha 256"},
		{"sha256Sum", "sha256sum sha sha256 256 sum"},
		{"NewJSONRPCClientV2", "newjsonrpcclientv2 new jsonrpc client v v2 2"},
		{"x86_64", "x8664 x x86 86 64"},
		{"20.04", "20 04"},
		{"a->b", "a b"},
		{"DEC-0054", "dec 0054"},
		{"multi-agent", "multi agent multiagent"},
		{"state-of-the-art", "state of the art stateoftheart"},
		{"load_user-x", "loaduser load user x loaduserx"},
		{"--max-old-space-size=4096", "max old space size maxoldspacesize 4096"},
		{"3f9a1c2b4d5e6f708192a3b4c5d6e7f8", "3f9a1c2b4d5e6f708192a3b4c5d6e7f8"},
		{"寻路服务", "寻路 路服 服务"},
		{"服", "服"},
		{"計算距離(self)", "計算 算距 距離 self"},
		{"größe_ändern", "größeändern größe ändern"},
		{"показать_портфель", "показатьпортфель показать портфель"},
		{"초과근무", "초과근무 초과 과근 근무"},
		{"초과", "초과"},
		{"OvertimeService초과", "overtimeservice초과 overtimeservice overtime service 초과"},
		{"HTTP服务2x", "http 服务 2x 2 x"},
		{"cafe\u0301_menu", "café" + "menu café menu"},
		{"ÉcoleNormale", "écolenormale école normale"},
		{"สวัสดี", "สว วั ัส สด ดี"},
		{"カメラー", "カメ メラ ラー"},
		{"bad\xff\xfeutf8", "bad utf8 utf 8"},
		{"a😀b", "a b"},
		{strings.Repeat("x", MaxTokenBytes), strings.Repeat("x", MaxTokenBytes)},
		{strings.Repeat("x", MaxTokenBytes+1), LongToken},
		{"Given" + strings.Repeat("x", MaxTokenBytes), LongToken},
		{strings.Repeat("long_", 30), LongToken + strings.Repeat(" long", 30)},
		{strings.Repeat("Ab", 5000), LongToken},
	} {
		if got := strings.Join(AppendTokens(nil, c.text), " "); got != c.want {
			t.Errorf("AppendTokens(%.60q)\n got %.300q\nwant %.300q", c.text, got, c.want)
		}
	}
}

func TestSplitIdentifier(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"parseXMLFile", "parse xml file"}, {"utf8Decode", "utf 8 decode"}, {"load-user_profile", "load user profile"},
		{"GetURLForID", "get url for id"}, {"IDs", "ids"}, {"größeÄndern", "größe ändern"}, {"", ""}, {"___", ""}, {"a.b", "a b"},
	} {
		if got := strings.Join(SplitIdentifier(c.text), " "); got != c.want {
			t.Errorf("SplitIdentifier(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNormaliseJoinsSpellings(t *testing.T) {
	for _, s := range []string{"load_user", "LoadUser", "loadUser", "load-user", "LOAD_USER", "load.user"} {
		if got := Normalise(s); got != "loaduser" {
			t.Errorf("Normalise(%q) = %q", s, got)
		}
	}
	if got := Normalise("Cafe\u0301"); got != "caf\u00e9" {
		t.Errorf("Normalise of a decomposed name = %q", got)
	}
}

func TestLiteralAtoms(t *testing.T) {
	show := func(atoms []Atom) string {
		var s []string
		for _, a := range atoms {
			if a.Exact {
				s = append(s, "="+a.Text)
			} else {
				s = append(s, a.Text)
			}
		}
		return strings.Join(s, " ")
	}
	for _, c := range []struct{ text, want string }{
		{"user_prof", "userprof"}, {"ne user_prof wo", "ne =userprof wo"}, {"+++", ""}, {"operator[]", "operator"}, {"(x)", "=x"},
		{"路服务", "=路服 =服务"}, {"服", "服"}, {"x初", "x 初"}, {"😀", ""},
	} {
		if got := show(LiteralAtoms(c.text)); got != c.want {
			t.Errorf("LiteralAtoms(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// meets reports whether tokens may come from a text that holds the literal of atoms.
func meets(tokens []string, atoms []Atom) bool {
	if slices.Contains(tokens, LongToken) {
		return true
	}
	for _, a := range atoms {
		if !slices.ContainsFunc(tokens, func(t string) bool { return t == a.Text || !a.Exact && strings.Contains(t, a.Text) }) {
			return false
		}
	}
	return true
}

var seeds = []string{"", "load_user_profile HTTPServer", "x86_64 utf8DecodeRune", "寻路服务 größe_ändern OvertimeService초과", "cafe\u0301", "a-b-c state-of-the-art",
	"\xff\xfe\x00", "İSTANBUL ſ K ǅ", strings.Repeat("A", 600), strings.Repeat("寻", 600), "don't 'quoted' \"x y\" `z`", "e\u0301\u0323\u0327服x2服ü"}

func FuzzAppendTokens(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 1, 5)
	}
	f.Fuzz(func(t *testing.T, text string, from, length int) {
		tokens := AppendTokens(nil, text)
		if len(tokens) > 4*len(text)+1 {
			t.Fatalf("%d tokens for %d bytes", len(tokens), len(text))
		}
		for _, tok := range tokens {
			if tok == "" || len(tok) > MaxTokenBytes || !utf8.ValidString(tok) || strings.Contains(tok, "_") {
				t.Fatalf("bad token %q", tok)
			}
			if tok != LongToken && !norm.NFC.IsNormalString(tok) {
				t.Fatalf("token %q is not in NFC", tok)
			}
		}
		if !slices.Equal(tokens, AppendTokens(nil, text)) {
			t.Fatal("two calls differ")
		}
		wide := strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
		if word := strings.Trim(text, "_"); word != "" && !wide && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
			want := Normalise(word)
			if len(word) > MaxTokenBytes {
				want = LongToken
			}
			if tokens[0] != want {
				t.Fatalf("whole of %q is %q", word, tokens[0])
			}
		}
		// Any cut of the text at characters meets its own atoms. Combining marks change the character before them.
		if !wide && len(text) > 0 {
			from = min(max(from, 0), len(text)-1)
			literal := text[from:min(len(text), from+max(length, 1))]
			if atoms := LiteralAtoms(literal); !meets(tokens, atoms) {
				t.Fatalf("literal %q of %q: atoms %v are not in %q", literal, text, atoms, tokens)
			}
		}
		if atoms := LiteralAtoms(text); !meets(tokens, atoms) {
			t.Fatalf("%q: atoms %v are not in %q", text, atoms, tokens)
		}
		QueryTerms(text)
		Normalise(text)
		SplitIdentifier(text)
	})
}

func BenchmarkAppendTokens(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "net", "http", "*.go"))
	var sb strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		sb.Write(text)
	}
	text := sb.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var dst []string
	for b.Loop() {
		dst = AppendTokens(dst[:0], text)
	}
}
