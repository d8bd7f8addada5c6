package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"path/filepath"
	"sync"
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

// overviews keeps the overview that was used last.
type overviews struct {
	mu         sync.Mutex
	epoch      string
	generation uint64
	overview   *overview
}

// overviewOf gives the overview of a pinned view: from memory, from disk, or newly made; then it is kept for the next.
func (a *App) overviewOf(ctx context.Context, c *corpus) (*overview, error) {
	a.maps.mu.Lock()
	defer a.maps.mu.Unlock()
	epoch, generation, err := a.index.Newest(ctx)
	if err != nil || !c.IsAt(epoch, generation) { // an older view: nothing that is kept is of it
		return newOverview(ctx, c, nil)
	}
	if a.maps.overview != nil && a.maps.epoch == epoch && a.maps.generation == generation {
		return a.maps.overview, nil
	}
	file := filepath.Join(a.index.Dir(), epoch, mapFile)
	stored, ok := readOverview(file)
	o := &stored.Overview
	if !ok || stored.Generation != generation || len(o.Files) != c.FileCount() {
		var known map[string]*fileFacts
		if ok {
			known = stored.Overview.known()
		}
		if o, err = newOverview(ctx, c, known); err != nil {
			return nil, err
		}
		// What cannot be kept is made again next time: a folder that cannot be written is no reason to fail.
		_ = writeOverview(file, storedOverview{generation, *o})
	}
	a.maps.epoch, a.maps.generation, a.maps.overview = epoch, generation, o
	return o, nil
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
	tmp, err := os.CreateTemp(filepath.Dir(file), mapFile+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(sum[:], b.Bytes()...))
	if e := tmp.Sync(); err == nil {
		err = e
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
