package app

import (
	"context"
	"sync"

	vectorstore "agenvantage/embed/store"
	"agenvantage/index/vector"
)

// lastLoaded is the vectors that were loaded last, which generations that follow share. There is one for an App, so that its memory is
// bounded by what the newest generation holds and by those that are still being asked.
type lastLoaded struct {
	key    string // of the set
	chunks *vector.Chunks
}

// corpusVectors is the vectors of a pinned view: those of one set at a time, loaded when they are first asked for, and again when the
// store has others by then.
type corpusVectors struct {
	app    *App
	corpus *corpus

	mu      sync.Mutex
	places  *vector.Places
	key     string
	version int64
	store   *vectorstore.Store // of version
	loading *vector.Loading
	old     []*vector.Loading // of other sets, whose loading may go on
}

// chunks are the vectors of a set as they are stored now, waited for as long as ctx lasts. While a load is under way its result is the
// newest that is to be had.
func (c *corpusVectors) chunks(ctx context.Context, set vectorstore.SetInfo) (*vector.Chunks, error) {
	st, err := c.app.embedding.open(false)
	if err != nil {
		return nil, err
	}
	version, err := st.Version(set.Key)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	l := c.loading
	if l == nil || c.key != set.Key || (c.version != version || c.store != st) && l.Loaded() != nil {
		if l != nil && l.Loaded() == nil {
			c.old = append(c.old, l)
		}
		l = vector.NewLoading(func(ctx context.Context) (*vector.Chunks, error) { return c.load(ctx, st, set) })
		c.loading, c.key, c.version, c.store = l, set.Key, version, st
	}
	c.mu.Unlock()
	return l.Chunks(ctx)
}

// load reads what the last load of the App does not hold.
func (c *corpusVectors) load(ctx context.Context, st *vectorstore.Store, set vectorstore.SetInfo) (*vector.Chunks, error) {
	places, err := c.allPlaces()
	if err != nil {
		return nil, err
	}
	e := c.app.embedding
	o := vector.LoadOptions{Engine: vector.Engine(e.config.Semantic.Engine), Dimensions: set.Identity.Dimensions}
	e.mu.Lock()
	if e.loaded.key == set.Key {
		o.Previous = e.loaded.chunks
	}
	e.mu.Unlock()
	chunks, err := vector.Load(ctx, places, func(ctx context.Context, wanted []vector.Hash) (func(int) []float32, error) {
		v, err := st.Load(ctx, set.Key, wanted)
		if err != nil {
			return nil, err
		}
		return func(i int) []float32 { return v.At(i) }, nil
	}, o)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.loaded = lastLoaded{set.Key, chunks}
	e.mu.Unlock()
	return chunks, nil
}

func (c *corpusVectors) allPlaces() (*vector.Places, error) {
	c.mu.Lock()
	places := c.places
	c.mu.Unlock()
	if places != nil {
		return places, nil
	}
	hashes, err := chunkHashes(c.corpus, c.app.embedding.provider())
	if err != nil {
		return nil, err
	}
	places = vector.NewPlaces(hashes)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.places = places
	return places, nil
}

// close ends what is loading, before the view is closed.
func (c *corpusVectors) close() {
	c.mu.Lock()
	all := c.old
	if c.loading != nil {
		all = append(all, c.loading)
	}
	c.mu.Unlock()
	for _, l := range all {
		l.Close()
	}
}
