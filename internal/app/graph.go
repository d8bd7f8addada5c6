package app

import (
	"context"
	"strings"
	"sync"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/graph"
	"agenvantage/index"
)

// linker gives the index the edges of package graph.
type linker struct{}

// Provides implements index.Linker.
func (linker) Provides(path string, x *agenvantage.Extraction, text func() (string, error)) ([]string, error) {
	provided := graph.Provides(path, x, "")
	for _, key := range provided {
		if strings.HasPrefix(key, "m:") { // a manifest: what it says counts
			t, err := text()
			if err != nil {
				return nil, err
			}
			return graph.Provides(path, x, t), nil
		}
	}
	return provided, nil
}

// ChangedKeys implements index.Linker.
func (linker) ChangedKeys(before, now []string) []string { return graph.ChangedKeys(before, now) }

// FileKey implements index.Linker.
func (linker) FileKey(path string) string { return graph.FileKey(path) }

// Resolver implements index.Linker.
func (linker) Resolver(c index.LinkCorpus) index.LinkResolver { return resolver{graph.NewResolver(c)} }

type resolver struct{ *graph.Resolver }

// Resolve implements index.LinkResolver.
func (r resolver) Resolve(f uint32) (index.Links, error) {
	l, err := r.Resolver.Resolve(f)
	if err != nil {
		return index.Links{}, err
	}
	out := index.Links{Edges: l.Edges, DependsOn: l.DependsOn}
	if len(l.Unresolved) > 0 {
		out.Unresolved = make(map[string]int, len(l.Unresolved))
		for reason, n := range l.Unresolved {
			out.Unresolved[string(reason)] = n
		}
	}
	return out, nil
}

// adjacency makes the graph of a view at the first call that succeeds, and keeps it.
type adjacency struct {
	mu   sync.Mutex
	made *channels.Adjacency
}

func (a *adjacency) of(ctx context.Context, view *index.View) (*channels.Adjacency, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.made == nil {
		made, err := channels.NewAdjacency(ctx, view)
		if err != nil {
			return nil, err
		}
		a.made = made
	}
	return a.made, nil
}

// adjacency is the graph of the view.
func (c *corpus) adjacency(ctx context.Context) (*channels.Adjacency, error) {
	return c.links.of(ctx, c.View)
}
