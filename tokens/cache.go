package tokens

import (
	"sync"

	"github.com/zeebo/xxh3"
)

// cacheEntries is how many counts a generation of the cache holds. 400 tasks with 100 results each show at most 40,000
// different blocks, so that those of one variant are there for the next; two full generations take about 6 MB.
const cacheEntries = 1 << 16

// key is the 128-bit XXH3 of a text: of 2^32 texts two agree with a chance of 2^-65, so that no text is kept.
type key = xxh3.Uint128

func keyOf(text string) key { return xxh3.HashString128(text) }

// cache remembers counts in two generations: when the newer one is full the older one is dropped, and what is asked for
// again moves to the newer. That bounds memory and keeps what is in use, without a list to maintain. The zero cache is
// empty and ready.
type cache struct {
	mu         sync.Mutex
	newer      map[key]int
	older      map[key]int
	maxEntries int // of a generation; 0 means cacheEntries
}

func (c *cache) get(k key) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.newer[k]; ok {
		return n, true
	}
	n, ok := c.older[k]
	if ok {
		c.add(k, n)
	}
	return n, ok
}

func (c *cache) put(k key, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, n)
}

func (c *cache) add(k key, n int) {
	limit := c.maxEntries
	if limit == 0 {
		limit = cacheEntries
	}
	if c.newer == nil || len(c.newer) >= limit {
		c.older, c.newer = c.newer, make(map[key]int)
	}
	c.newer[k] = n
}
