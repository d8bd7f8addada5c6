package index

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"agenvantage/index/lexical"
	"agenvantage/index/meta"
)

// unreadable is the note about an index that is replaced because of err.
func unreadable(err error) string {
	return fmt.Sprintf("index could not be read and was rebuilt (%v)", err)
}

// open finds the epoch to write: the current one, or an unfinished one to go on with, or a new one.
func (u *update) open() error {
	var err error
	u.manifest, err = readManifest(u.ix.dir)
	switch {
	case isMissing(err):
		u.manifest = manifest{}
	case corrupt(err):
		u.manifest, u.because = manifest{}, unreadable(err)
	case err != nil:
		return fmt.Errorf("open index: %w", err)
	}
	sweep(u.ix.dir, u.manifest)
	if u.manifest.Epoch != "" && u.because == "" && !u.req.Force {
		switch {
		case u.manifest.Format != Format:
			u.because = fmt.Sprintf("index of format %d rebuilt as format %d", u.manifest.Format, Format)
		case u.manifest.Options != u.req.OptionsHash:
			u.because = "options changed: index rebuilt"
		default:
			return u.openCurrent()
		}
	}
	if u.because != "" {
		u.notes = append(u.notes, u.because)
	}
	u.fresh = true
	if b := u.manifest.Building; b != nil && !u.req.Force && !u.anew && b.Format == Format && b.Options == u.req.OptionsHash {
		if u.resume(b) == nil {
			return nil
		}
		u.abandon()
	}
	return u.create()
}

func (u *update) openCurrent() (err error) {
	u.epoch = filepath.Join(u.ix.dir, u.manifest.Epoch)
	if u.manifest.Building != nil { // an interrupted rebuild that is not wanted any more
		u.manifest.Building = nil
		if err := writeManifest(u.ix.dir, u.manifest); err != nil {
			return err
		}
		sweep(u.ix.dir, u.manifest)
	}
	if u.facts, err = meta.OpenWriter(filepath.Join(u.epoch, metaFile)); err != nil {
		return asCorrupt(err)
	}
	if u.head, u.catalog, err = u.facts.Load(); err != nil {
		return err
	}
	if u.head.Generation == 0 {
		return fmt.Errorf("%w: %s is not whole", ErrCorrupt, u.manifest.Epoch)
	}
	// An update without changes would never open the postings, and so never notice that they are damaged.
	postings, err := lexical.Open(filepath.Join(u.epoch, lexicalFolder(u.head.Generation)))
	if err != nil {
		return asCorrupt(err)
	}
	if err := postings.Close(); err != nil {
		return err
	}
	sweepGenerations(u.epoch, u.head.Generation, u.head.Generation-1)
	return nil
}

// asCorrupt turns the absence of a file that has to be there into ErrCorrupt.
func asCorrupt(err error) error {
	if isMissing(err) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// create starts an empty epoch and names it in the manifest.
func (u *update) create() (err error) {
	generation := uint64(1)
	if u.manifest.Epoch != "" {
		generation = 1 + u.lastGeneration()
	}
	name := nextEpoch(u.ix.dir, u.manifest)
	u.epoch = filepath.Join(u.ix.dir, name)
	if err := os.Mkdir(u.epoch, 0o755); err != nil {
		return err
	}
	u.manifest.Building = &building{Format: Format, Options: u.req.OptionsHash, Epoch: name, Generation: generation}
	if u.facts, err = meta.Create(filepath.Join(u.epoch, metaFile)); err != nil {
		return err
	}
	if u.postings, err = lexical.Create(filepath.Join(u.epoch, lexicalFolder(generation))); err != nil {
		return err
	}
	if err := writeManifest(u.ix.dir, u.manifest); err != nil {
		return err
	}
	sweep(u.ix.dir, u.manifest)
	u.head, u.catalog, err = u.facts.Load()
	return err
}

// lastGeneration is the highest generation that the current epoch's folder shows.
func (u *update) lastGeneration() (last uint64) {
	entries, _ := os.ReadDir(filepath.Join(u.ix.dir, u.manifest.Epoch))
	for _, e := range entries {
		last = max(last, numberAfter(e.Name(), lexicalPrefix))
	}
	return last
}

// resume opens the unfinished epoch b and makes its two stores agree: postings are written before facts, so that there
// may be documents without a file, and files whose documents were already replaced.
func (u *update) resume(b *building) (err error) {
	u.epoch = filepath.Join(u.ix.dir, b.Epoch)
	if u.facts, err = meta.OpenWriter(filepath.Join(u.epoch, metaFile)); err != nil {
		return err
	}
	if u.head, u.catalog, err = u.facts.Load(); err != nil {
		return err
	}
	if u.postings, err = lexical.OpenWriter(filepath.Join(u.epoch, lexicalFolder(b.Generation))); err != nil {
		return err
	}
	ids, err := u.postings.IDs()
	if err != nil {
		return err
	}
	missing := make(map[uint32]int, len(u.catalog.Files)) // documents by file
	for i := range u.catalog.Files {
		missing[u.catalog.Files[i].ID] = u.catalog.Files[i].Chunks
	}
	for _, id := range ids {
		missing[id.File()]--
	}
	if err := u.facts.Begin(); err != nil {
		return err
	}
	known := make(map[uint32]bool, len(u.catalog.Files))
	whole := u.catalog.Files[:0]
	for _, f := range u.catalog.Files {
		if missing[f.ID] == 0 {
			known[f.ID] = true
			whole = append(whole, f)
			continue
		}
		if err := u.facts.DeleteFile(f.ID); err != nil {
			return err
		}
	}
	u.catalog.Files = whole
	extra := slices.DeleteFunc(ids, func(id lexical.ID) bool { return known[id.File()] })
	if len(extra) > 0 {
		if err := u.postings.Apply(extra, nil); err != nil {
			return err
		}
	}
	return u.facts.Commit(u.head, nil)
}

// abandon lets go of what is still open. What an update of the current epoch had begun is removed.
func (u *update) abandon() {
	if u.postings != nil {
		u.postings.Abandon()
		u.postings = nil
		if !u.fresh {
			_ = os.RemoveAll(filepath.Join(u.epoch, lexicalFolder(u.head.Generation+1)))
		}
	}
	if u.facts != nil {
		_ = u.facts.Close()
		u.facts = nil
	}
}

// discardEmpty gives up an epoch that would hold nothing, so that it does not look like a build to be gone on with.
func (u *update) discardEmpty() {
	u.abandon()
	if u.fresh {
		u.manifest.Building = nil
		if u.manifest.Epoch == "" {
			_ = os.Remove(filepath.Join(u.ix.dir, manifestFile))
		} else {
			_ = writeManifest(u.ix.dir, u.manifest)
		}
		sweep(u.ix.dir, u.manifest)
	}
}
