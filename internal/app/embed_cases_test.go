package app

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/embedtest"
)

// TestEmbeddingCases are the ways in which embedding services and their users go wrong, each through the product against a stand-in.
func TestEmbeddingCases(t *testing.T) {
	for name, test := range map[string]func(t *testing.T){
		"another dimension": caseAnotherDimension, "another dimension elsewhere": caseAnotherAddress, "two dimensions in a run": caseTwoDimensions, "too long": caseTooLong,
		"zero vector": caseZero, "limited": caseLimited, "flaky": caseFlaky, "request cap": caseCap, "service gone": caseGone, "tag": caseTag, "model missing": caseMissing,
		"no vectors": caseNoVectors, "short": caseShort, "wrong address": caseWrongAddress, "shuffled": caseShuffled,
	} {
		t.Run(name, test)
	}
}

func caseAnotherDimension(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{})
	w.mustRun()
	w.wantMeaning()
	w.service.SetMode(embedtest.Mode{Dimensions: 96})
	before := len(w.service.Asked())
	w = w.again()
	w.wantFallback(agenvantage.StatusModelChanged, "vectors built with another model")
	if n := len(w.service.Asked()) - before; n != 1 {
		t.Errorf("%d requests for one question", n)
	}
	w.wantMeaning() // the question of before: its vector is stored with the old set, and comparable
	w.again().reembedded(96, 21)
}

func caseAnotherAddress(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{})
	w.mustRun()
	w.wantMeaning()
	other := embedtest.Start(t, embedtest.Mode{Dimensions: 96})
	w = w.again("embed.base_url=" + other.URL)
	w.service = other
	r := w.search(meaning, "exact", "bm25f", semanticChannel)
	if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusModelChanged || !strings.Contains(c.Error, "64 numbers") || !strings.Contains(c.Error, "96 numbers") || found(r) == "" {
		t.Errorf("%s: %+v", found(r), c)
	}
	w.reembedded(96, 21)
	same := embedtest.Start(t, embedtest.Mode{Dimensions: 96}) // the same model behind a third address is the same set
	w = w.again("embed.base_url=" + same.URL)
	w.service = same
	w.wantMeaning()
	if s := w.mustRun(); s.Embedded != 0 || s.Done != 21 || len(w.documents()) != 0 {
		t.Errorf("%+v after %d documents", s, len(w.documents()))
	}
}

// reembedded runs and wants all texts sent once and found by vectors of the dimension.
func (w *embedWorld) reembedded(dimensions, texts int) {
	w.t.Helper()
	before := w.documents()
	if s := w.mustRun(); s.Set.Dimensions != dimensions || s.Done != texts || s.Embedded != texts || s.Missing != 0 {
		w.t.Errorf("%+v", s)
	}
	w.wantMeaning()
	after := w.documents()
	if len(after) != texts {
		w.t.Errorf("%d texts were sent", len(after))
	}
	for text, n := range after {
		if n-before[text] != 1 {
			w.t.Errorf("%q was sent %d times", text, n-before[text])
		}
	}
	if s := w.counts(); s.State != EmbedComplete || s.Set == nil || s.Set.Dimensions != dimensions || len(s.Others) != 1 || s.Others[0].Dimensions != 64 {
		w.t.Errorf("%+v", s)
	}
}

func caseTwoDimensions(t *testing.T) {
	w := newEmbedWorld(t, widgets(80), embedtest.Mode{Fault: embedtest.DimensionDrift, K: 2})
	_, err := w.run()
	if !errors.Is(err, embed.ErrModelChanged) || !strings.Contains(err.Error(), "64") || !strings.Contains(err.Error(), "128") {
		t.Errorf("%v", err)
	}
	if n := len(w.service.Asked()); n > 12 {
		t.Errorf("%d requests", n)
	}
	if s := w.counts(); s.Done == 0 || s.Done > 8 || s.Set.Dimensions != 64 || len(s.Others) != 0 || s.State != EmbedPartial {
		t.Errorf("%+v", s)
	}
	if r := w.search("compute_part_7", "exact", "bm25f"); !strings.HasPrefix(found(r), "src/part7.py") {
		t.Errorf("%s", found(r))
	}
}

func caseTooLong(t *testing.T) {
	fs := widgets(20)
	var numbers []string
	for i := range 400 {
		numbers = append(numbers, fmt.Sprintf("0x%08x", uint32(i)*2654435761))
	}
	fs["src/dense.py"] = "def dense_blob():\n    return [" + strings.Join(numbers, ",") + "]\n"
	fs["src/cjk.py"] = "def cjk_long():\n    return \"" + strings.Repeat("漢字密度測試", 200) + "\"\n"
	w := newEmbedWorld(t, fs, embedtest.Mode{Fault: embedtest.TooLong, Limit: 400})
	s := w.mustRun()
	w.wantMeaning()
	refused := map[string]int{}
	for _, r := range w.service.Asked() {
		if r.Status == 400 && len(r.Inputs) == 1 {
			refused[r.Inputs[0]]++
		}
	}
	for text, n := range refused {
		if n > 1 {
			t.Errorf("%.40q was refused %d times", text, n)
		}
	}
	if len(refused) == 0 || w.slept != 0 {
		t.Errorf("%d refusals, slept %s: a refusal is no reason to wait", len(refused), w.slept)
	}
	for _, path := range []string{"src/dense.py", "src/cjk.py"} {
		failed := slices.ContainsFunc(s.Failed, func(f EmbedFailure) bool { return f.Path == path && f.Reason == embed.ReasonTooLong })
		if split := slices.ContainsFunc(s.Split, func(p EmbedPlace) bool { return p.Path == path }); split == failed {
			t.Errorf("%s: split %v, refused %v", path, split, failed)
		}
	}
}

func caseZero(t *testing.T) {
	fs := widgets(20)
	fs["src/bad.py"] = "def poison_case(): return \"POISON\"\n"
	w := newEmbedWorld(t, fs, embedtest.Mode{Fault: embedtest.Zero})
	s := w.mustRun()
	if want := []EmbedFailure{{EmbedPlace{"src/bad.py", 1, 1}, embed.ReasonZero}}; !slices.Equal(s.Failed, want) || s.Done != 21 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
	if status := w.counts(); status.State != EmbedPartial || !slices.Equal(status.Failed, s.Failed) {
		t.Errorf("%+v", status)
	}
	w.wantMeaning()
	if r := w.search(meaning, semanticChannel); strings.Contains(found(r), "bad.py") || report(t, r, semanticChannel).Status != agenvantage.StatusPartial {
		t.Errorf("%s", found(r))
	}
	if r := w.search("poison_case", "exact", "bm25f"); !strings.HasPrefix(found(r), "src/bad.py") {
		t.Errorf("%s", found(r))
	}
	sent := len(w.service.Asked())
	if s := w.mustRun(); s.Known != 1 || s.Requests != 0 || len(w.service.Asked()) != sent {
		t.Errorf("%+v", s)
	}
	w.service.SetMode(embedtest.Mode{})
	if s, err := w.EmbedRun(t.Context(), EmbedRequest{RetryFailed: true}, nil); err != nil || s.Done != 22 || len(s.Failed) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func caseLimited(t *testing.T) {
	w := newEmbedWorld(t, widgets(40), embedtest.Mode{Fault: embedtest.Rate, K: 3, After: "2"})
	if s := w.mustRun(); s.Done != 41 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
	if w.slept < 3*2*time.Second {
		t.Errorf("slept %s after three refusals that ask for 2 s each", w.slept)
	}
	w.wantMeaning()
}

func caseFlaky(t *testing.T) {
	w := newEmbedWorld(t, widgets(40), embedtest.Mode{Fault: embedtest.Flaky})
	if s := w.mustRun(); s.Done != 41 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
}

func caseCap(t *testing.T) {
	fs := widgets(40)
	fs["src/wide.py"] = "def over_the_cap():\n    return '" + strings.Repeat("word ", 280) + "'\n"
	w := newEmbedWorld(t, fs, embedtest.Mode{Fault: embedtest.Cap, K: 8, Limit: 900}, "embed.batch=64")
	s := w.mustRun()
	if want := []EmbedFailure{{EmbedPlace{"src/wide.py", 1, 2}, embed.ReasonTooLong}}; !slices.Equal(s.Failed, want) || s.Done != 41 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
	refusals := 0
	for _, r := range w.service.Asked() {
		if r.Status == 400 {
			refusals++
		}
	}
	if refusals == 0 || refusals > 30 {
		t.Errorf("%d refusals", refusals)
	}
	w.wantMeaning()
}

func caseGone(t *testing.T) {
	w := newEmbedWorld(t, widgets(60), embedtest.Mode{})
	w.service.Down()
	if _, err := w.run(); !errors.Is(err, embed.ErrUnreachable) {
		t.Errorf("%v", err)
	}
	w.wantFallback(agenvantage.StatusNoVectors, "embed run")
	w.service.Up()
	w.service.SetMode(embedtest.Mode{Fault: embedtest.Die, K: len(w.service.Asked()) + 2})
	if _, err := w.run(); !errors.Is(err, embed.ErrUnreachable) || !strings.Contains(err.Error(), "of 61 chunks have a vector") {
		t.Errorf("%v", err)
	}
	kept := w.documents()
	if s := w.counts(); len(kept) == 0 || s.Done != len(kept) || s.Missing != 61-s.Done || s.State != EmbedPartial {
		t.Errorf("%+v with %d kept", s, len(kept))
	}
	w.wantFallback(agenvantage.StatusUnreachable, "unreachable")
	asked := len(w.service.Asked())
	w.service.SetMode(embedtest.Mode{Fault: embedtest.Quota, K: asked + 2})
	w.slept = 0
	if _, err := w.again().run(); !errors.Is(err, embed.ErrQuota) || !strings.Contains(err.Error(), "quota") {
		t.Errorf("%v", err)
	}
	if n := len(w.service.Asked()) - asked; n > 12 || w.slept != 0 {
		t.Errorf("%d requests, slept %s", n, w.slept)
	}
	kept = w.documents()
	w.service.SetMode(embedtest.Mode{})
	w = w.again()
	if s := w.mustRun(); s.Done != 61 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
	for text, n := range w.documents() {
		if n != 1 {
			t.Errorf("%.40q was answered %d times, %d before", text, n, kept[text])
		}
	}
	w.wantMeaning()
}

func caseTag(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{})
	w.mustRun()
	w.wantMeaning()
	sent := len(w.documents())
	w = w.again("embed.model=mock-embed:latest")
	if s := w.mustRun(); s.Embedded != 0 || s.Done != 21 || len(w.documents()) != sent {
		t.Errorf("%+v", s)
	}
	w.wantMeaning()
}

func caseMissing(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{Fault: embedtest.Missing})
	_, err := w.run()
	if kind, _ := EmbedErrorKind(err); kind != "model_missing" || !strings.Contains(err.Error(), "ollama pull mock-embed") || len(w.service.Asked()) > 2 {
		t.Errorf("%v after %d requests", err, len(w.service.Asked()))
	}
	w.service.SetMode(embedtest.Mode{})
	w.mustRun()
	w.service.SetMode(embedtest.Mode{Fault: embedtest.Missing})
	w.again().wantFallback(agenvantage.StatusModelMissing, "ollama pull mock-embed")
	w.service.Down()
	_, err = w.again().run()
	if kind, _ := EmbedErrorKind(err); kind != "unreachable" {
		t.Errorf("%v", err)
	}
}

func caseNoVectors(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{})
	w.service.SetMode(embedtest.Mode{Fault: embedtest.Empty})
	if _, err := w.run(); !errors.Is(err, embed.ErrBadAnswer) || !regexp.MustCompile(`0 vectors for \d+ inputs`).MatchString(err.Error()) {
		t.Errorf("%v", err)
	}
	if s := w.counts(); s.Done != 0 || s.State != EmbedNone {
		t.Errorf("%+v", s)
	}
	w.wantFallback(agenvantage.StatusNoVectors, "embed run")
}

func caseShort(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{Fault: embedtest.Short})
	if _, err := w.run(); !errors.Is(err, embed.ErrBadAnswer) {
		t.Errorf("%v", err)
	}
	if s := w.counts(); s.Done != 0 {
		t.Errorf("%d vectors are attached to a text without an answer of its own", s.Done)
	}
}

func caseWrongAddress(t *testing.T) {
	for _, fault := range []embedtest.Fault{embedtest.HTML, embedtest.Garbage, embedtest.SuccessError} { // what other servers answer with success
		w := newEmbedWorld(t, widgets(2), embedtest.Mode{Fault: fault})
		if _, err := w.run(); !errors.Is(err, embed.ErrBadAnswer) {
			t.Errorf("%s: %v", fault, err)
		}
		if s := w.counts(); s.Done != 0 {
			t.Errorf("%s: %+v", fault, s)
		}
	}
}

func caseShuffled(t *testing.T) {
	for _, fault := range []embedtest.Fault{embedtest.Shuffle, embedtest.OK} {
		s := embedtest.Start(t, embedtest.Mode{Fault: fault})
		w := newEmbedWorld(t, widgets(20), embedtest.Mode{}, "embed.provider=openai", "embed.api_key=k", "embed.base_url="+s.URL+"/v1")
		if got := w.mustRun(); got.Done != 21 {
			t.Errorf("%+v", got)
		}
		w.wantMeaning()
	}
}
