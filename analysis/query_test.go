package analysis

import (
	"fmt"
	"strings"
	"testing"
)

func TestQueryTerms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"user profile", "user profile"},
		{"How is the config loaded?", "is config loaded"},
		{"url for id", "url for id"},
		{"the", "the"},
		{"what to do", "what to do"},
		{"a AND b", "AND:and b"},
		{"a NEAR b", "near b"},
		{"NOT c", "not c"},
		{"I want it", "want"},
		{`say "to be" now`, "say to be now"},
		{"don't stop user's thing", "stop user thing"},
		{"loadUser load", "loaduser load*2 user.part"},
		{"utf8", "utf8 utf.part 8.part"},
		{"retry retry retry", "retry*3"},
		{"multi-agent memory", "multi agent multiagent memory"},
		{"寻路服务", "寻路 路服 服务"},
		{"초과근무", "초과근무 초과.part 과근.part 근무.part"},
		{"+++ !!! 😀", ""},
		{"operator==", "operator"},
	} {
		var got []string
		for _, term := range QueryTerms(c.text) {
			s := term.Text
			if term.Count > 1 {
				s += fmt.Sprintf("*%d", term.Count)
			}
			if term.Part {
				s += ".part"
			}
			got = append(got, s)
		}
		want := strings.ReplaceAll(c.want, "AND:", "")
		if s := strings.Join(got, " "); s != want {
			t.Errorf("QueryTerms(%q) = %q, want %q", c.text, s, want)
		}
	}
}

func TestQuotedSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"a b"`, "a b"}, {`x "a" 'b c' y`, "a|b c"}, {"`z`", "z"}, {`"unbalanced`, ""}, {`don't and won't`, ""}, {`'`, ""}, {`""`, ""}, {`" "`, ""},
		{`f("x")`, "x"}, {"\"a\nb\"", ""}, {`ValueError("negative total")`, "negative total"}, {`it's 'quoted' isn't it`, "quoted"}, {`a"b"c`, ""},
	} {
		var got []string
		for _, s := range QuotedSpans(c.text) {
			got = append(got, c.text[s.Start:s.End])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("QuotedSpans(%q) = %q, want %q", c.text, s, c.want)
		}
	}
}
