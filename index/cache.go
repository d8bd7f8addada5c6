package index

import (
	"container/list"
	"sync"
)

// cache keeps the values that were used last, up to a number of bytes. It is safe for concurrent use.
type cache[V any] struct {
	mu    sync.Mutex
	limit int
	bytes int
	used  *list.List // of *cached[V], the most recent in front
	byKey map[uint32]*list.Element
}

type cached[V any] struct {
	key   uint32
	value V
	bytes int
}

func newCache[V any](limit int) *cache[V] {
	return &cache[V]{limit: limit, used: list.New(), byKey: map[uint32]*list.Element{}}
}

// get returns the value of key, loading it when it is not there. Two callers may load the same value at once.
func (c *cache[V]) get(key uint32, load func() (V, int, error)) (V, error) {
	c.mu.Lock()
	if e, ok := c.byKey[key]; ok {
		c.used.MoveToFront(e)
		v := e.Value.(*cached[V]).value
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
	c.byKey[key] = c.used.PushFront(&cached[V]{key: key, value: v, bytes: bytes})
	for c.bytes += bytes; c.bytes > c.limit; {
		old := c.used.Remove(c.used.Back()).(*cached[V])
		delete(c.byKey, old.key)
		c.bytes -= old.bytes
	}
	return v, nil
}
