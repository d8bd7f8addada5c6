package runner

import (
	"slices"

	"agenvantage/embed/store"
)

// Source is the chunks of an index. Its methods are called from one goroutine at a time.
type Source interface {
	// Len is the number of chunks: each place of a text that lies in several is one of its own.
	Len() int
	// Chunk is the hash of a chunk and the path of its file.
	Chunk(i int) (store.Hash, string)
	// Text is what is embedded for a chunk: prefix and lines, secrets masked.
	Text(i int) (string, error)
}

// choice is what is to be done with the chunks of a source.
type choice struct {
	files, chunks int
	items         []item       // texts that may be sent, each once, in the order of their places
	denied        []store.Hash // texts that the policy keeps here, each once, in the order of their first places
	blocked       []string     // denied paths that hold chunks, sorted
}

// item is one text: its hash, and the place whose text is sent for it.
type item struct {
	hash store.Hash
	at   int
}

// choose finds the texts of src. A text that lies at several places is sent as it stands at the smallest path in the order of
// bytes, the first of them there; one that lies at a denied path too is denied, however many allowed ones there are.
func choose(src Source, policy *Policy) choice {
	type place struct {
		at     int
		path   string
		denied bool
	}
	c := choice{chunks: src.Len()}
	texts := make(map[store.Hash]*place, c.chunks)
	order := make([]store.Hash, 0, c.chunks)
	paths := map[string]bool{} // whether denied
	for i := range c.chunks {
		hash, path := src.Chunk(i)
		denied, known := paths[path]
		if !known {
			denied = policy.Denied(path)
			paths[path] = denied
		}
		p := texts[hash]
		if p == nil {
			p = &place{at: i, path: path}
			texts[hash] = p
			order = append(order, hash)
		} else if path < p.path {
			p.at, p.path = i, path
		}
		p.denied = p.denied || denied
	}
	for _, hash := range order {
		if p := texts[hash]; p.denied {
			c.denied = append(c.denied, hash)
		} else {
			c.items = append(c.items, item{hash, p.at})
		}
	}
	slices.SortFunc(c.items, func(a, b item) int { return a.at - b.at })
	c.files = len(paths)
	for path, denied := range paths {
		if denied {
			c.blocked = append(c.blocked, path)
		}
	}
	slices.Sort(c.blocked)
	return c
}
