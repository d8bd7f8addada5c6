package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"agenvantage/internal/atomicfile"
)

// The overview of a generation lies in the folder of its epoch, which a rebuild removes: a line with a checksum and the
// generation, then a gob. It can be lost or broken at any time; then it is made again from the index. Readers and writers
// need no lock, since it is replaced whole.

// mapFile is its name. A change of what the overview holds, or of the tables that fill it, takes another name.
const mapFile = "map-1"

// storedOverview is what the file holds.
type storedOverview struct {
	Generation uint64
	Overview   overview
}

// overviews keeps the overview that was used last, with its view where a server keeps it for later generations.
type overviews struct {
	mu sync.Mutex // held while one is made

	kept       sync.Mutex // guards the rest; taken after mu
	epoch      string
	generation uint64
	overview   *overview

	pinned  *pinned // nil outside of a server
	madeAt  time.Time
	wroteAt time.Time
	making  atomic.Bool // a newer one, in the background
}

// Making an overview anew takes a second for 10,000 files, also when one of them has changed. While files change all the time every
// second map or pack of a server would wait for it, so that:
const (
	// overviewFor is how long an overview serves later generations, together with its own view, while answers are stale anyway.
	// Then the next is made in the background.
	overviewFor = time.Minute
	// overviewEvery is how often a server keeps an overview on disk, where only the next process needs it.
	overviewEvery = time.Minute
)

// pinOverview pins a view and gives its overview; the caller releases the view. It is the newest one but for a server whose tree
// changes all the time.
func (a *App) pinOverview(ctx context.Context) (*pinned, *overview, error) {
	if p, o := a.lastOverview(); p != nil {
		return p, o, nil
	}
	p, err := a.pin(ctx)
	if err != nil {
		return nil, nil, err
	}
	o, err := a.overviewOf(ctx, p)
	if err != nil {
		p.release()
		return nil, nil, err
	}
	return p, o, nil
}

// lastOverview is the kept one where it may serve later generations, pinned for the caller.
func (a *App) lastOverview() (*pinned, *overview) {
	if a.keeper == nil || !a.keeper.busy() {
		return nil, nil
	}
	a.maps.kept.Lock()
	defer a.maps.kept.Unlock()
	if a.maps.pinned == nil {
		return nil, nil
	}
	if time.Since(a.maps.madeAt) > overviewFor {
		a.keeper.makeOverview()
	}
	return a.maps.pinned.again(), a.maps.overview
}

// dropOverview forgets what is kept in memory.
func (a *App) dropOverview() {
	a.maps.kept.Lock()
	p := a.maps.pinned
	a.maps.pinned, a.maps.overview = nil, nil
	a.maps.kept.Unlock()
	if p != nil {
		p.release()
	}
}

// overviewOf gives the overview of a pinned view: from memory, from disk, or newly made; then it is kept for the next.
func (a *App) overviewOf(ctx context.Context, p *pinned) (*overview, error) {
	c := p.corpus
	a.maps.mu.Lock()
	defer a.maps.mu.Unlock()
	last := a.keptOverview()
	switch {
	case ctx.Err() != nil: // it waited for another one
		return nil, ctx.Err()
	case last.overview != nil && c.IsAt(last.epoch, last.generation):
		return last.overview, nil
	}
	var known map[string]*fileFacts
	if last.overview != nil {
		known = last.overview.known()
	}
	epoch, generation, err := a.index.Newest(ctx)
	if err != nil || !c.IsAt(epoch, generation) { // an older view: it is not kept
		return newOverview(ctx, c, known)
	}
	if known != nil && a.keeper != nil {
		o, err := newOverview(ctx, c, known)
		if err != nil {
			return nil, err
		}
		a.keepOverview(p, epoch, generation, o)
		if a.overviewDue() {
			_ = writeOverview(filepath.Join(a.index.Dir(), epoch, mapFile), storedOverview{generation, *o})
		}
		return o, nil
	}
	file := filepath.Join(a.index.Dir(), epoch, mapFile)
	stored, ok := readOverview(file)
	o := &stored.Overview
	if !ok || stored.Generation != generation || len(o.Files) != c.FileCount() {
		if ok {
			known = stored.Overview.known()
		}
		if o, err = newOverview(ctx, c, known); err != nil {
			return nil, err
		}
		// What cannot be kept is made again next time: a folder that cannot be written is no reason to fail.
		_ = writeOverview(file, storedOverview{generation, *o})
	}
	a.keepOverview(p, epoch, generation, o)
	return o, nil
}

// lastMade names an overview that is kept in memory; its overview is nil for none.
type lastMade struct {
	epoch      string
	generation uint64
	overview   *overview
}

func (a *App) keptOverview() lastMade {
	a.maps.kept.Lock()
	defer a.maps.kept.Unlock()
	return lastMade{a.maps.epoch, a.maps.generation, a.maps.overview}
}

// keepOverview keeps an overview, and in a server its view.
func (a *App) keepOverview(p *pinned, epoch string, generation uint64, o *overview) {
	a.maps.kept.Lock()
	defer a.maps.kept.Unlock()
	a.maps.epoch, a.maps.generation, a.maps.overview, a.maps.madeAt = epoch, generation, o, time.Now()
	if a.keeper == nil {
		return
	}
	if a.maps.pinned != nil {
		a.maps.pinned.release()
	}
	a.maps.pinned = p.again()
}

// overviewDue reports whether a server should keep its overview on disk again, and counts that as done.
func (a *App) overviewDue() bool {
	a.maps.kept.Lock()
	defer a.maps.kept.Unlock()
	due := time.Since(a.maps.wroteAt) > overviewEvery
	if due {
		a.maps.wroteAt = time.Now()
	}
	return due
}

// makeOverview makes the overview of the newest generation in the background, unless somebody does.
func (k *keeper) makeOverview() {
	if !k.app.maps.making.CompareAndSwap(false, true) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.background(func() {
		defer k.app.maps.making.Store(false)
		done, err := k.app.use()
		if err != nil {
			return
		}
		defer done()
		if p, err := k.app.pin(k.context); err == nil {
			defer p.release()
			_, _ = k.app.overviewOf(k.context, p) // who needs it finds the same error
		}
	}) {
		k.app.maps.making.Store(false)
	}
}

// readOverview reads a kept overview; ok is false when there is none that is whole.
func readOverview(file string) (s storedOverview, ok bool) {
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size {
		return s, false
	}
	if sum := sha256.Sum256(data[sha256.Size:]); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return s, false
	}
	if gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&s) != nil {
		return storedOverview{}, false
	}
	n := len(s.Overview.Files)
	return s, len(s.Overview.Links) == n && len(s.Overview.Rank) == n && len(s.Overview.Tops) == n
}

// writeOverview replaces the kept overview.
func writeOverview(file string, s storedOverview) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return err
	}
	sum := sha256.Sum256(b.Bytes())
	return atomicfile.Replace(file, append(sum[:], b.Bytes()...), atomicfile.Options{})
}
