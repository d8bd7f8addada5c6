package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage/client"
)

// shop makes a small repository without git.
func shop(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "cart.go"), []byte("// Package cart keeps what is bought.\npackage cart\n\n// Cart is one cart.\ntype Cart struct{ sum int }\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "sum.go"), []byte("package cart\n\n// Sum is what is to be paid.\nfunc (c *Cart) Sum() int { return c.sum }\n"), 0o644))
}

func open(t *testing.T, o ...client.Option) *client.Client {
	t.Helper()
	dir := t.TempDir()
	if err := shop(dir); err != nil {
		t.Fatal(err)
	}
	c, err := client.Open(dir, append([]client.Option{client.WithEnv()}, o...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestSearchFollowsChanges(t *testing.T) {
	c := open(t)
	r, err := c.Search(t.Context(), client.Query{Text: "Cart.Sum", TopK: 1})
	if err != nil || len(r.Results) != 1 || r.Results[0].Path != "sum.go" || r.Results[0].StartLine != 3 {
		t.Fatalf("%+v, %v", r.Results, err)
	}
	if err := os.WriteFile(filepath.Join(c.Root(), "tax.go"), []byte("package cart\n\nfunc Levy() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err = c.Search(t.Context(), client.Query{Text: "Levy", NoRefresh: true}); err != nil || len(r.Results) != 0 {
		t.Errorf("without a refresh: %+v, %v", r.Results, err)
	}
	fresh, err := client.Open(c.Root(), client.WithEnv())
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if r, err = fresh.Search(t.Context(), client.Query{Text: "Levy"}); err != nil || len(r.Results) == 0 || r.Results[0].Path != "tax.go" {
		t.Errorf("with one: %+v, %v", r.Results, err)
	}
}

func TestCodeLikeSomeOther(t *testing.T) {
	c := open(t, client.WithSetting("embed.provider", "builtin"), client.WithSetting("embed.store_dir", t.TempDir()))
	r, err := c.Search(t.Context(), client.Query{Like: "cart.go:5"})
	if err != nil || len(r.Results) != 3 || r.Query != "cart.go:5" {
		t.Errorf("%+v, %v", r.Results, err)
	}
	for _, result := range r.Results { // all chunks but the one that holds the place
		if result.Path == "cart.go" && result.EndLine >= 4 {
			t.Errorf("like itself: %+v", result)
		}
	}
	for _, q := range []client.Query{{Like: "cart.go:5", Text: "cart"}, {Like: "cart.go:99"}} {
		if _, err := c.Search(t.Context(), q); !errors.Is(err, client.ErrBadInput) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := open(t, client.WithSetting("embed.provider", "none")).Search(t.Context(), client.Query{Like: "cart.go:5"}); !errors.Is(err, client.ErrBadInput) || !strings.Contains(err.Error(), "embed.provider") {
		t.Errorf("without a model: %v", err)
	}
}

func TestOptions(t *testing.T) {
	index := filepath.Join(t.TempDir(), "index")
	c := open(t, client.WithIndexDir(index), client.WithSetting("search.top_k", "1"))
	r, err := c.Search(t.Context(), client.Query{Text: "cart"})
	if err != nil || len(r.Results) != 1 {
		t.Errorf("%d results, %v; search.top_k is 1", len(r.Results), err)
	}
	if _, err := os.Stat(filepath.Join(index, "manifest.json")); err != nil {
		t.Errorf("the index lies elsewhere: %v", err)
	}
	if _, err := os.Stat(filepath.Join(c.Root(), ".agenvantage")); err == nil {
		t.Error("the index lies in the repository too")
	}
	if err := os.WriteFile(filepath.Join(c.Root(), ".agenvantage.yaml"), []byte("index_dir: /elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other, err := client.Open(c.Root(), client.WithEnv())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if w := other.Warnings(); len(w) != 1 || !strings.Contains(w[0], "index_dir") {
		t.Errorf("warnings %q", w)
	}
}

func TestErrors(t *testing.T) {
	if _, err := client.Open(filepath.Join(t.TempDir(), "none"), client.WithEnv()); !errors.Is(err, client.ErrBadInput) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := client.Open(t.TempDir(), client.WithEnv(), client.WithSetting("search.top_k", "many")); err == nil || !strings.Contains(err.Error(), "search.top_k") {
		t.Errorf("a setting that cannot be used: %v", err)
	}
	c := open(t)
	if _, err := c.Search(t.Context(), client.Query{Text: "x", Channels: []string{"telepathy"}}); !errors.Is(err, client.ErrBadInput) {
		t.Errorf("an unknown channel: %v", err)
	}
	if _, err := c.Pack(t.Context(), client.Task{}); !errors.Is(err, client.ErrBadInput) {
		t.Errorf("an empty task: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Search(ended, client.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if _, err := c.Search(t.Context(), client.Query{Text: "x"}); err == nil {
		t.Error("a closed client answers")
	}
}
