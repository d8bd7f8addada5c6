package app

import (
	"maps"
	"testing"

	"agenvantage/channels"
	"agenvantage/fusion"
	"agenvantage/plan"
	"agenvantage/rerank"
)

// A front end without a configuration, a test and the shipped configuration rank alike.
func TestShippedDefaultsAreThoseOfTheCode(t *testing.T) {
	a := &App{config: config(t)}
	if err := a.setOptions(); err != nil {
		t.Fatal(err)
	}
	if got, want := a.bm25fOptions, channels.DefaultBM25FOptions(); got != want {
		t.Errorf("bm25f: default.yaml gives %+v, the code has %+v", got, want)
	}
	if got, want := a.searchOptions.Rerank.ClassWeights, rerank.DefaultClassWeights(); !maps.Equal(got, want) {
		t.Errorf("ranking.class_weights: default.yaml gives %v, the code has %v", got, want)
	}
	if got := a.searchOptions.Fusion.K; got != fusion.DefaultK {
		t.Errorf("fusion.k: default.yaml gives %v, the code has %v", got, fusion.DefaultK)
	}
	for name, weight := range a.searchOptions.Fusion.Weights {
		if weight != 1 { // what a name that is missing weighs
			t.Errorf("fusion.weights.%s: default.yaml gives %v, the code has 1", name, weight)
		}
	}
	if a.exactOptions != channels.DefaultExactOptions() {
		t.Errorf("exact: %+v", a.exactOptions)
	}
}

func TestSettingsReachTheStages(t *testing.T) {
	a := &App{config: config(t, "search.top_k=3", "search.max_per_file=4", "search.channel_limit=5", "search.channel_timeout=6s", "search.max_line_chars=70",
		"fusion.k=8", "fusion.weights={exact: 2}", "bm25f.k1=0.9", "bm25f.k3=1.5", "bm25f.part_weight=0.1", "bm25f.join_weight=0.2", "bm25f.synonym_weight=0.3", "bm25f.form_weight=0.4", "bm25f.fields.doc.weight=11", "bm25f.fields.body.b=0.25",
		"ranking.path_weights={'docs/**': 0.5}", "ranking.class_weights.lock=0.7")}
	if err := a.setOptions(); err != nil {
		t.Fatal(err)
	}
	s, b := a.searchOptions, a.bm25fOptions
	for what, ok := range map[string]bool{
		"search": s.TopK == 3 && s.MaxPerFile == 4 && s.ChannelLimit == 5 && s.ChannelTimeout.Seconds() == 6 && s.MaxLineBytes == 70,
		"fusion": s.Fusion.K == 8 && s.Fusion.Weights["exact"] == 2, "rerank": s.Rerank.PathWeights["docs/**"] == 0.5 && s.Rerank.ClassWeights["lock"] == 0.7,
		"bm25f": b.K1 == 0.9 && b.K3 == 1.5 && b.PartWeight == 0.1 && b.JoinWeight == 0.2 && b.Doc.Weight == 11 && b.Body.B == 0.25 && b.Path == channels.DefaultBM25FOptions().Path &&
			s.Near == (plan.NearOptions{Synonym: 0.3, Form: 0.4}),
	} {
		if !ok {
			t.Errorf("%s: %+v %+v", what, s, b)
		}
	}
}
