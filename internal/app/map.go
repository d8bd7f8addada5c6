package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/pack/repomap"
	"agenvantage/tokens"
)

// Map makes the map of the repository, bringing the index up to date first as Search does. It is a view over the stored
// graph: what has to be computed from all of it is kept with the generation. progress may be nil. An unknown scope, a bad
// budget and an unknown tokenizer are agenvantage.ErrBadInput; an index without files gives an answer with Files 0.
func (a *App) Map(ctx context.Context, r MapRequest, progress func(Progress)) (MapAnswer, error) {
	done, err := a.use()
	if err != nil {
		return MapAnswer{}, err
	}
	defer done()
	if r.Budget == 0 {
		r.Budget = repomap.DefaultBudget
	}
	count, named, err := counterOf(r.Tokenizer)
	if err != nil {
		return MapAnswer{}, err
	}
	check := repomap.Input{Budget: r.Budget, Count: count}
	if err := check.Validate(); err != nil {
		return MapAnswer{}, err
	}
	began := time.Now()
	fresh, err := a.refresh(ctx, r.NoRefresh, progress)
	stale, notes := fresh.stale, fresh.remarks()
	switch {
	case errors.Is(err, agenvantage.ErrNothingSelected):
		m, e := repomap.Build(check)
		return MapAnswer{Map: m, Tokenizer: named, Notes: []string{err.Error()}}, e
	case err != nil:
		return MapAnswer{}, err
	}
	answer, err := a.mapOf(ctx, r, count)
	again, err := a.mend(ctx, began, err, r.NoRefresh, progress)
	if again != "" {
		stale, notes = "", append(notes, again)
		answer, err = a.mapOf(ctx, r, count)
	}
	if err != nil {
		return MapAnswer{}, fresh.blame(err)
	}
	answer.Tokenizer, answer.Stale, answer.StaleReason = named, stale != "", stale
	answer.Notes = append(answer.Notes, notes...)
	return answer, nil
}

// mapOf asks the newest generation.
func (a *App) mapOf(ctx context.Context, r MapRequest, count func(string) int) (MapAnswer, error) {
	pinned, o, err := a.pinOverview(ctx)
	if err != nil {
		return MapAnswer{}, err
	}
	defer pinned.release()
	v := &mapView{ctx: ctx, corpus: pinned.corpus, overview: o, scope: cleanScope(r.Scope)}
	if !v.holdsScope() {
		return MapAnswer{}, v.unknownScope()
	}
	if strings.TrimSpace(r.Task) != "" {
		if err := v.seek(pinned, r.Task); err != nil {
			return MapAnswer{}, err
		}
	}
	in, err := v.input()
	if err != nil {
		return MapAnswer{}, err
	}
	in.Budget, in.Count = r.Budget, count
	m, err := repomap.Build(in)
	return MapAnswer{Map: m, Notes: v.notes}, err
}

// cleanScope is the path of a scope, "" for the root.
func cleanScope(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if s = cleanPath(s); s == "." {
		return ""
	}
	return s
}

// counterOf counts tokens under one encoding, or gives the largest count of all.
func counterOf(name string) (count func(string) int, named string, err error) {
	if name != "" {
		c, err := tokens.New(name)
		if err != nil {
			return nil, "", err
		}
		return c.Count, name, nil
	}
	var counters []*tokens.Counter
	for _, e := range tokens.Encodings() {
		c, err := tokens.New(e)
		if err != nil {
			return nil, "", err
		}
		counters = append(counters, c)
	}
	return func(s string) int {
		n := 0
		for _, c := range counters {
			n = max(n, c.Count(s))
		}
		return n
	}, strings.Join(tokens.Encodings(), ", "), nil
}

// unknownScope says that nothing is indexed there, with the nearest paths.
func (v *mapView) unknownScope() error {
	near := v.near()
	if len(near) == 0 {
		return fmt.Errorf("%w: nothing is indexed at %q", agenvantage.ErrBadInput, v.scope)
	}
	return fmt.Errorf("%w: nothing is indexed at %q; the nearest are %s", agenvantage.ErrBadInput, v.scope, strings.Join(near, ", "))
}

// mapTimeout bounds each channel that is asked about a task.
func (a *App) mapTimeout() time.Duration { return a.config.Search.ChannelTimeout }
