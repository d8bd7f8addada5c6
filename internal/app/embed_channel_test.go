package app

import (
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// TestWeakHitsSaySo: an answer about what is not there looked like any other.
func TestWeakHitsSaySo(t *testing.T) {
	mark := func(scores ...float64) (string, string) {
		list := channels.List{}
		var reasons []string
		for _, s := range scores {
			list.Hits = append(list.Hits, agenvantage.Hit{Score: s, Reason: "cosine"})
		}
		markWeak(&list)
		for _, h := range list.Hits {
			reasons = append(reasons, h.Reason)
		}
		return strings.Join(reasons, "; "), list.Note
	}
	for _, c := range []struct {
		scores        []float64
		reasons, note string
	}{
		{nil, "", ""},
		{[]float64{0.6, 0.25, 0.24}, "cosine; cosine; cosine, weak", ""},
		{[]float64{0.24, 0.1}, "cosine, weak; cosine, weak", "all hits are weak, the best has cosine 0.24: below 0.25 is what this model gives where the code has no answer"},
	} {
		if reasons, note := mark(c.scores...); reasons != c.reasons || note != c.note {
			t.Errorf("%v: %q, %q", c.scores, reasons, note)
		}
	}
	s := builtinServed(t, meanings(), "semantic.floor=0")
	s.mustBuild(t)
	for question, weak := range map[string]bool{"check the pass phrase at sign in": false, "orbit of a comet": true} {
		a, _ := mustAsk(t, s, "search", `{"query":"`+question+`","channels":["semantic"]}`)
		r := a.Value.(*agenvantage.Response)
		if len(r.Results) == 0 || strings.Contains(r.Results[0].Channels[semanticChannel].Reason, "weak") != weak ||
			(report(t, *r, semanticChannel).Note != "") != weak || strings.Contains(a.Text, "Note: channel semantic: all hits are weak") != weak {
			t.Errorf("%s: %s\n%+v", question, a.Text, r.Channels)
		}
	}
	small := newBuiltinWorld(t, meanings(), "semantic.floor=0", "embed.dimensions=64") // not measured
	if c := report(t, small.askAgain(SearchRequest{Query: "orbit of a comet", Channels: []string{semanticChannel}}), semanticChannel); c.Hits == 0 || c.Note != "" {
		t.Errorf("%+v", c)
	}
}
