package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agenvantage"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
	"agenvantage/internal/atomicfile"
	"agenvantage/scan"
)

// UpdateRequest says what to index and how.
type UpdateRequest struct {
	Source      Source
	Extractor   Extractor
	Linker      Linker         // makes the edges of the code graph; nil keeps none
	OptionsHash string         // of all options that change what the index holds; another hash means a rebuild
	Force       bool           // rebuild from nothing
	Batch       int            // documents in one write of postings; 0 means DefaultBatch
	Workers     int            // files read and parsed side by side; 0 means one for each processor core
	Progress    func(Progress) // may be nil; called from one goroutine at a time
}

// Phase is a stage of an update.
type Phase string

// The phases, in order.
const (
	PhaseWait  Phase = "wait" // for another writer, named by Note
	PhaseScan  Phase = "scan"
	PhaseIndex Phase = "index"
	PhaseLink  Phase = "link" // DoneFiles and TotalFiles count the files whose references are resolved
	PhaseMerge Phase = "merge"
)

// Progress is told now and then. Totals are 0 while they are unknown; Bytes are those of the files to be read.
type Progress struct {
	Phase                 Phase
	DoneFiles, TotalFiles int
	DoneBytes, TotalBytes int64
	Note                  string
}

// Summary is what an update did, and what the index holds after it.
type Summary struct {
	Files, Chunks, Symbols int
	Skipped                map[agenvantage.SkipReason]int
	Masked                 int
	Bytes                  int64 // of the indexed files
	Seconds                float64
	IndexBytes             int64
	Changed                int // files added, changed or removed
	Read                   int // files that were read
	Generation             uint64
	Revision               string // commit of the tree, "" without one
	Notes                  []string
}

// Update brings the index in line with the source, building it first if need be. One process writes at a time; others
// wait here until ctx ends. When it fails, or ctx ends, or the process dies, readers keep the generation that they had.
//
// Errors: agenvantage.ErrNotWritable names the folder; ErrBusy with ctx's error when another writer was not done in
// time; ErrNothingSelected when there are candidates but every one was left out; ErrIncomplete when its folder was removed again and again.
func (ix *Index) Update(ctx context.Context, req UpdateRequest) (Summary, error) {
	started := time.Now()
	if req.Progress == nil {
		req.Progress = func(Progress) {}
	}
	if req.Batch <= 0 {
		req.Batch = DefaultBatch
	}
	if err := ctx.Err(); err != nil {
		return Summary{}, err
	}
	var s Summary
	var err error
	for try := 1; ; try++ {
		var lost bool
		s, lost, err = ix.updateOnce(ctx, req)
		if !lost || ctx.Err() != nil {
			break
		}
		if _, e := os.Stat(filepath.Dir(ix.dir)); try == lostTries || isMissing(e) { // a tree that is gone as a whole must not be made again
			err = errors.Join(fmt.Errorf("%w: the index folder was removed while it was written", agenvantage.ErrIncomplete), err)
			break
		}
	}
	s.Seconds = time.Since(started).Seconds()
	if err != nil && ctx.Err() != nil && !errors.Is(err, agenvantage.ErrBusy) {
		return s, fmt.Errorf("index update: %w", ctx.Err())
	}
	if list := (listError{}); errors.As(err, &list) {
		return s, err
	}
	return s, notWritable(ix.dir, err)
}

// lostTries bounds how often Update begins again because its folder was removed.
const lostTries = 5

// updateOnce is one try of Update. lost reports that the folder, or what is in it, was removed meanwhile: then neither the result nor the
// error says anything. Remove waits for the lock, so that only others do that.
func (ix *Index) updateOnce(ctx context.Context, req UpdateRequest) (s Summary, lost bool, err error) {
	if err := ix.prepareFolder(); err != nil {
		return Summary{}, isMissing(err), err
	}
	release, err := lock(ctx, ix.dir, func(owner string) { req.Progress(Progress{Phase: PhaseWait, Note: owner}) })
	if err != nil {
		return Summary{}, isMissing(err), err
	}
	defer release()
	mine, err := os.Stat(filepath.Join(ix.dir, lockFile))
	if err != nil {
		return Summary{}, isMissing(err), err
	}
	u := &update{ix: ix, req: req, links: newLinking(req.Linker)}
	s, err = u.run(ctx)
	if corrupt(err) && ctx.Err() == nil && !ix.isLost(mine) {
		u = &update{ix: ix, req: req, anew: true, because: unreadable(err), links: newLinking(req.Linker)}
		s, err = u.run(ctx)
	}
	if list := (listError{}); errors.As(err, &list) { // the tree itself may be gone, and the index with it
		return s, false, err
	}
	return s, ix.isLost(mine), err
}

// isLost reports that the lock that an update holds is not the one in the folder any more. Its number is not given to another file while
// it is open.
func (ix *Index) isLost(mine os.FileInfo) bool {
	now, err := os.Stat(filepath.Join(ix.dir, lockFile))
	return isMissing(err) || err == nil && !os.SameFile(mine, now)
}

// listError is a failure of the source, which must not be taken for one of the index folder.
type listError struct{ error }

func (e listError) Error() string { return "list files: " + e.error.Error() }
func (e listError) Unwrap() error { return e.error }

// update is one run of Update that holds the lock.
type update struct {
	ix      *Index
	req     UpdateRequest
	because string // a note that says why the current epoch is replaced, "" when there was no need yet
	anew    bool   // do not go on with an unfinished epoch either
	notes   []string

	manifest manifest
	epoch    string // folder (absolute) that is written
	fresh    bool   // epoch is not visible yet: a first build, a rebuild, or the rest of one
	facts    *meta.Writer
	postings *lexical.Writer
	head     meta.Head
	catalog  *meta.Catalog // before this run
	links    *linking
}

func (u *update) run(ctx context.Context) (Summary, error) {
	defer u.abandon()
	if err := u.open(); err != nil {
		return Summary{}, err
	}
	u.req.Progress(Progress{Phase: PhaseScan})
	listing, err := u.req.Source.List(ctx)
	if err != nil {
		return Summary{}, listError{err}
	}
	u.notes = append(u.notes, listing.Notes...)
	if len(listing.Entries) == 0 && listing.Candidates > 0 {
		u.discardEmpty()
		return Summary{}, fmt.Errorf("%w: all of %d candidates are left out by %s", agenvantage.ErrNothingSelected, listing.Candidates, listing.DecidingRule)
	}
	d := compare(u.catalog, listing.Entries)
	outcome, err := u.apply(ctx, listing, d)
	if err != nil {
		return Summary{}, err
	}
	if len(outcome.files) == 0 && len(listing.Entries) > 0 {
		u.discardEmpty()
		return Summary{}, fmt.Errorf("%w: all of %d candidates are left out, most as %s", agenvantage.ErrNothingSelected, listing.Candidates, mostCommon(outcome.looks))
	}
	if err := u.commit(ctx, listing, outcome); err != nil {
		return Summary{}, err
	}
	return u.summary(listing, outcome), nil
}

// commit makes the outcome the next generation, or records in the present one what changes nothing that is searched.
func (u *update) commit(ctx context.Context, listing scan.Listing, o *outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.head.Revision, u.head.Branch, u.head.Candidates = listing.Revision, listing.Branch, listing.Candidates
	u.head.UpdatedNS = time.Now().UnixNano()
	if o.began {
		if u.postings != nil {
			u.head.Generation++
			if u.fresh {
				u.head.Generation = u.manifest.Building.Generation
			}
			if err := u.closePostings(); err != nil {
				return err
			}
		}
		if err := u.facts.Commit(u.head, &meta.Catalog{Files: o.files, Looks: o.looks}); err != nil {
			return err
		}
	}
	facts := u.facts
	u.facts = nil
	if err := facts.Close(); err != nil {
		return err
	}
	if u.fresh {
		_ = atomicfile.SyncFolder(u.epoch)
		u.manifest = manifest{Format: Format, Options: u.req.OptionsHash, Epoch: filepath.Base(u.epoch)}
		if err := writeManifest(u.ix.dir, u.manifest); err != nil {
			return err
		}
		sweep(u.ix.dir, u.manifest)
	}
	return nil
}

func (u *update) closePostings() error {
	p := u.postings
	u.postings = nil
	if err := p.Close(); err != nil {
		return err
	}
	_ = atomicfile.SyncFolder(u.epoch)
	return nil
}

func (u *update) summary(listing scan.Listing, o *outcome) Summary {
	s := Summary{Files: len(o.files), Skipped: map[agenvantage.SkipReason]int{}, Changed: o.changed, Read: o.read, Generation: u.head.Generation, Revision: u.head.Revision, Notes: u.notes}
	for i := range o.files {
		f := &o.files[i]
		s.Chunks += f.Chunks
		s.Symbols += f.Symbols
		s.Masked += f.Masked
		s.Bytes += f.Size
	}
	for i := range listing.Skips {
		s.Skipped[listing.Skips[i].Reason]++
	}
	for i := range o.looks {
		s.Skipped[o.looks[i].Reason]++
	}
	s.IndexBytes = epochBytes(u.epoch, u.head.Generation).total()
	return s
}

// mostCommon names the reason of most skips; of equals the one that comes first in the alphabet.
func mostCommon(skips []meta.SkipRow) string {
	count := map[agenvantage.SkipReason]int{}
	var most agenvantage.SkipReason
	for i := range skips {
		r := skips[i].Reason
		count[r]++
		if n := count[r]; n > count[most] || n == count[most] && r < most {
			most = r
		}
	}
	return fmt.Sprintf("%q", string(most))
}
