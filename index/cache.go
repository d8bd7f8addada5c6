package index

import (
	"container/list"
	"sync"
)

// cache keeps the values that were used last, up to a number of bytes. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	limit int
	bytes int
	used  *list.List // of *cached[K, V], the most recent in front
	byKey map[K]*list.Element
}

type cached[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{limit: limit, used: list.New(), byKey: map[K]*list.Element{}}
}

// get returns the value of key, loading it when it is not there. Two callers may load the same value at once.
func (c *cache[K, V]) get(key K, load func() (V, int, error)) (V, error) {
	c.mu.Lock()
	if e, ok := c.byKey[key]; ok {
		c.used.MoveToFront(e)
		v := e.Value.(*cached[K, V]).value
		c.mu.Unlock()
		return v, nil
	}
	c.mu.Unlock()
	v, bytes, err := load()
	if err != nil || bytes > c.limit/4 {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok {
		return v, nil
	}
	c.byKey[key] = c.used.PushFront(&cached[K, V]{key: key, value: v, bytes: bytes})
	for c.bytes += bytes; c.bytes > c.limit; {
		old := c.used.Remove(c.used.Back()).(*cached[K, V])
		delete(c.byKey, old.key)
		c.bytes -= old.bytes
	}
	return v, nil
}
