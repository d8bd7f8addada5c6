package app

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"agenvantage"
	"agenvantage/server"
)

// denials are questions about a file and a symbol that were written a moment ago.
var denials = [][2]string{{"read", `{"location":"new.go"}`}, {"read", `{"location":"Brandnew"}`}, {"symbol", `{"name":"Brandnew"}`}, {"symbol", `{"location":"new.go:3"}`},
	{"callers", `{"location":"Brandnew"}`}, {"neighbors", `{"location":"new.go"}`}, {"tests_for", `{"location":"Brandnew"}`}, {"impact", `{"location":"new.go"}`},
	{"pack", `{"task":"fix Brandnew","seed":["new.go"]}`}, {"map", `{"scope":"new.go"}`}}

// While the index cannot be brought up to date, a file that was just written is not denied without a word: each error says stale.
func TestNewFilesAreDeniedWithoutSayingStale(t *testing.T) {
	s, w := served(t, store, "search.refresh_timeout=400ms")
	s.mustBuild(t)
	writer := flock.New(filepath.Join(s.app.index.Dir(), "lock"))
	if held, err := writer.TryLock(); err != nil || !held {
		t.Fatalf("lock the index: %v %v", held, err)
	}
	defer writer.Unlock()
	w.write(files{"new.go": function("Brandnew")})
	for _, c := range denials {
		_, err := askFor(t, s, c[0], c[1], server.Limits{}, nil)
		var stale *agenvantage.StaleError
		if !errors.As(err, &stale) || stale.Reason == "" || server.ErrorKind(err) != "bad_input" || !strings.Contains(err.Error(), "the index is stale: ") {
			t.Errorf("%s %s: %v", c[0], c[1], err)
		}
	}
	// What is wrong with or without the change is told as it is.
	for _, c := range [][2]string{{"read", `{"location":"cart.go","cursor":"odd"}`}, {"pack", `{"task":"x","budget":-1}`}, {"search", `{"query":"x","lang":["odd"]}`}} {
		if _, err := askFor(t, s, c[0], c[1], server.Limits{}, nil); !errors.Is(err, agenvantage.ErrBadInput) || errors.As(err, new(*agenvantage.StaleError)) {
			t.Errorf("%s %s: %v", c[0], c[1], err)
		}
	}
	if a, _ := mustAsk(t, s, "search", `{"query":"Brandnew"}`); a.Stale == "" {
		t.Errorf("an answer that lacks the file does not say stale: %s", a.Text)
	}
}

// While files change all the time, what is denied is asked again once the index has caught up: a file that is there is found.
func TestNewFilesAreDeniedWhileFilesChange(t *testing.T) {
	for _, watched := range []bool{true, false} {
		s, w := served(t, store, "search.refresh_timeout=20s")
		s.mustBuild(t)
		if watched {
			followed(t, s)
		}
		for i, c := range denials {
			w.write(files{"other.go": function("Other" + strings.Repeat("x", i)), "new.go": function("Brandnew")})
			if _, err := askFor(t, s, c[0], c[1], server.Limits{}, nil); err != nil && !errors.As(err, new(*agenvantage.StaleError)) {
				t.Errorf("watched %v: %s %s: %v", watched, c[0], c[1], err)
			}
		}
	}
}

// The index is asked as it is where a call wants that: nothing is waited for.
func TestNoRefreshWaitsForADeniedFile(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	w.write(files{"new.go": function("Brandnew")})
	before := s.Generation(t.Context())
	_, err := askFor(t, s, "read", `{"location":"new.go","no_refresh":true}`, server.Limits{}, nil)
	var stale *agenvantage.StaleError
	if !errors.As(err, &stale) || !strings.Contains(stale.Reason, "new.go") || s.Generation(t.Context()) != before {
		t.Errorf("%v, generation %d after %d", err, s.Generation(t.Context()), before)
	}
}
