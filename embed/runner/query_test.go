package runner

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

func TestQuestionIsEmbeddedOnceAndOnRecord(t *testing.T) {
	b, f := newBench(t), &fake{hosted: true}
	id, _ := f.Identity(ctx)
	key, err := b.store.AddSet(id)
	must(t, err)
	for range 2 {
		v, err := Query(ctx, f, b.store, key, "where are vectors?")
		must(t, err)
		if want := vectorOf("where are vectors?"); !slices.Equal(v, want) {
			t.Errorf("vector %v, want %v", v, want)
		}
	}
	var all []store.Entry
	must(t, b.store.Log(ctx, store.LogFilter{}, func(e store.Entry) error { all = append(all, e); return nil }))
	if len(f.calls) != 1 || len(all) != 1 || all[0].Purpose != embed.Query || all[0].Hash != store.QueryHash("where are vectors?") || all[0].State != store.StateCommitted || all[0].Host != "host.example:81" {
		t.Errorf("%d requests, ledger %+v", len(f.calls), all)
	}
}

func TestLongQuestionIsCut(t *testing.T) {
	b := newBench(t)
	w := &window{100, map[string]int{}}
	f := &fake{answer: w.answer, limits: embed.Limits{Window: 200}}
	id, _ := f.Identity(ctx)
	key, err := b.store.AddSet(id)
	must(t, err)
	question := strings.Repeat("why does it fail?\n", 100) // 6 tokens a line
	v, err := Query(ctx, f, b.store, key, question)
	must(t, err)
	var lines []int
	for _, call := range f.calls {
		lines = append(lines, strings.Count(call[0], "\n"))
	}
	if want := []int{33, 16, 8, 4}; !slices.Equal(lines, want) || len(v) != dims {
		t.Errorf("sent questions of %v lines, want %v", lines, want)
	}
	if again, err := Query(ctx, f, b.store, key, question); err != nil || !slices.Equal(again, v) || len(f.calls) != len(lines) {
		t.Errorf("the long question is not found again: %v", err)
	}
	w.bytes = 0
	if _, err := Query(ctx, f, b.store, key, question+"!"); !errors.Is(err, embed.ErrTooLong) {
		t.Errorf("a question that never fits: %v", err)
	}
}

func TestQuestionWithoutAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(int, []string) ([]embed.Answer, error)
		is     error
		ledger string
	}{
		"unreachable": {until(unreachable(), 1), embed.ErrUnreachable, "failed:unreachable"},
		"refused":     {func(int, []string) ([]embed.Answer, error) { return []embed.Answer{{Refused: embed.ReasonNaN}}, nil }, embed.ErrBadAnswer, "failed:bad_answer"},
		"none":        {func(int, []string) ([]embed.Answer, error) { return nil, nil }, embed.ErrBadAnswer, "failed:bad_answer"},
		"dimension":   {func(int, []string) ([]embed.Answer, error) { return []embed.Answer{{Vector: embed.Vector{1}}}, nil }, embed.ErrModelChanged, "failed:model_changed"},
	} {
		b, f := newBench(t), &fake{answer: c.answer}
		id, _ := f.Identity(ctx)
		key, err := b.store.AddSet(id)
		must(t, err)
		if v, err := Query(ctx, f, b.store, key, "q"); !errors.Is(err, c.is) || v != nil {
			t.Errorf("%s: %v, %v; want %v", name, v, err, c.is)
		}
		if want := map[string]int{c.ledger: 1}; !reflect.DeepEqual(b.ledger(), want) {
			t.Errorf("%s: ledger %v, want %v", name, b.ledger(), want)
		}
	}
}

func TestUnknownSetSendsNothing(t *testing.T) {
	b, f := newBench(t), &fake{}
	if _, err := Query(context.Background(), f, b.store, strings.Repeat("0", 32), "q"); err == nil || len(f.calls) != 0 {
		t.Errorf("%v after %d requests", err, len(f.calls))
	}
}
