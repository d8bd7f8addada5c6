package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A root that is named by a link is what the link leads to now: after a release has moved it on, and when a folder has taken its place.
func TestLinkedRootIsFollowedOnce(t *testing.T) {
	base := folder(t)
	first, second, link := filepath.Join(base, "first"), filepath.Join(base, "second"), filepath.Join(base, "current")
	do := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	do(os.Mkdir(first, 0o755), os.Mkdir(second, 0o755), os.Symlink(first, link))
	opened := make(chan string, 10)
	h := newHub(t, &fake{}, func(o *Options) {
		o.Roots = Roots{Repositories: []string{first}, Given: []string{link}}
		o.Open = func(root string) (Service, error) {
			opened <- root
			return &fake{}, nil
		}
	})
	ask := func(body, want string) {
		t.Helper()
		if _, err := search(h, t.Context(), body); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-opened:
			if got != want {
				t.Errorf("opened %q, want %q", got, want)
			}
		default:
			if want != "" {
				t.Errorf("nothing was opened, want %q", want)
			}
		}
	}
	ask(`{"query":"x"}`, first)
	do(os.Remove(link), os.Symlink(second, link))
	ask(`{"query":"x"}`, second)
	do(os.RemoveAll(first))
	ask(`{"query":"x"}`, "")
	for _, root := range []string{link, second, first} { // by each of its names it is the same root
		ask(`{"query":"x","root":"`+root+`"}`, "")
	}
	do(os.Remove(link), os.Rename(second, link))
	ask(`{"query":"x"}`, link)
}

func TestNotReadyHasNoReason(t *testing.T) {
	begun, goOn := make(chan bool), make(chan bool)
	f := &fake{}
	f.build = func(ctx context.Context, _ func(Progress)) error {
		close(begun)
		<-goOn
		f.generation.Store(1)
		return nil
	}
	h := newHub(t, f, nil)
	want := func(ready bool, reason string) {
		t.Helper()
		if is, why, _ := h.Ready(t.Context()); is != ready || why != reason {
			t.Errorf("ready %v: %q, want %v: %q", is, why, ready, reason)
		}
	}
	want(false, "no repository is open yet")
	if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
		t.Fatal(err)
	}
	<-begun
	want(false, "an index is being built")
	close(goOn)
	h.working.Wait()
	want(true, "")
}

// Bodies that some programs write with a mark of their encoding are JSON all the same; those of another kind are refused as such.
func TestBodiesWithMarksAndKinds(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{})
	if w := serve(s, request("POST", "/v1/search", byteOrderMark+`{"query":"x"}`)); w.Code != 200 {
		t.Errorf("with a mark: %d %s", w.Code, w.Body)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "application/jsonp"} {
		w := serve(s, request("POST", "/mcp", "query=x", "Content-Type: "+kind))
		if w.Code != 415 || !strings.Contains(w.Body.String(), "Content-Type: application/json") {
			t.Errorf("%s: %d %s", kind, w.Code, w.Body)
		}
	}
}
