package index

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
	"agenvantage/scan"
)

// The pipeline of an update:
//
//	jobs, by path ─► workers: read, extract, tokenise, compress ─► consumer, in the order of the jobs ─┬► postings, in batches
//	                                                                                                   └► facts, row by row
//
// then the links of the files that this touches (links.go), in the same transaction of facts.
//
// The consumer gives out file numbers, so that they do not depend on which worker is faster. Each arrow is bounded.

// DefaultBatch is the number of documents in one write of postings. On the Go standard library source (98 MB, 84,669
// chunks, 2 cores) batches of 1,000, 2,000 and 4,000 gave 4.8, 5.3 and 4.8 MB/s with 450, 480 and 660 MB at the peak.
const DefaultBatch = 2000

const (
	// inFlightBytes bounds the source text that is read, parsed or waiting for its turn. A file takes about 20 times
	// its size there (trees, tokens).
	inFlightBytes = 4 << 20
	// checkpointEvery is the same as time, for slow machines.
	checkpointEvery = 10 * time.Second
	// maxSegments is the number of segments from which an update joins some: a look-up visits each.
	maxSegments = 16
	// maxDeletedShare is the share of deleted documents from which an update writes all postings anew.
	maxDeletedShare = 0.5
)

// checkpointBytes of source text at most are lost when a first build is killed. A variable for the sake of tests.
var checkpointBytes int64 = 24 << 20

// outcome is what applying a delta led to.
type outcome struct {
	files   []meta.FileRow // of the new generation, by path
	looks   []meta.SkipRow // by path
	changed int
	read    int
	began   bool // a transaction is open and has to be committed
}

// apply reads what differs and writes it, without committing. On an error everything that it started has ended.
func (u *update) apply(ctx context.Context, listing scan.Listing, d delta) (*outcome, error) {
	o := &outcome{files: d.kept, looks: d.looks}
	skipsStand, err := u.skipsStand(listing, d)
	if err != nil {
		return nil, err
	}
	if !u.fresh && len(d.jobs) == 0 && len(d.gone) == 0 && skipsStand && u.head.Revision == listing.Revision && u.head.Branch == listing.Branch && u.head.Candidates == listing.Candidates {
		return o, nil
	}
	if err := u.facts.Begin(); err != nil {
		return nil, err
	}
	o.began = true
	w := newWriting(ctx, u)
	err = w.feed(d, o)
	if e := w.end(); err == nil {
		err = e
	}
	if err == nil && o.changed > 0 && u.postings == nil { // files without documents
		err = u.nextPostings()
	}
	if err != nil {
		return nil, err
	}
	sortRows(o.files)
	sortSkips(o.looks)
	if len(o.looks) != len(d.looks) || !skipsStand {
		if err := u.facts.ReplaceSkips(allSkips(listing, o.looks)); err != nil {
			return nil, err
		}
	}
	if err := u.link(ctx, o); err != nil {
		return nil, err
	}
	return o, u.merge(ctx)
}

// skipsStand reports that the stored list of skips is still right, as far as the listing alone decides it.
func (u *update) skipsStand(listing scan.Listing, d delta) (bool, error) {
	if u.fresh || d.lost > 0 {
		return false, nil
	}
	stored, err := u.facts.Skips()
	if err != nil {
		return false, err
	}
	stored = slices.DeleteFunc(stored, func(s meta.SkipRow) bool { return s.Looked })
	return slices.EqualFunc(stored, listing.Skips, func(a meta.SkipRow, b agenvantage.Skip) bool { return a.Skip == b }), nil
}

func allSkips(listing scan.Listing, looks []meta.SkipRow) []meta.SkipRow {
	all := slices.Clone(looks)
	for _, s := range listing.Skips {
		all = append(all, meta.SkipRow{Skip: s})
	}
	sortSkips(all)
	return all
}

func (u *update) merge(ctx context.Context) error {
	if u.postings == nil {
		return nil
	}
	all := u.postings.DeletedShare() > maxDeletedShare
	if !all && u.postings.Segments() <= maxSegments {
		return nil
	}
	u.req.Progress(Progress{Phase: PhaseMerge})
	return u.postings.Merge(ctx, all)
}

// writing is the running pipeline.
type writing struct {
	u      *update
	ctx    context.Context
	cancel context.CancelCauseFunc
	wait   sync.WaitGroup

	batches chan batch
	rows    chan func() error
	budget  *budget
	pending batch
	size    int64 // source bytes since the last checkpoint
	last    time.Time
}

// batch is one write of postings. done is closed when it is on disk, or the pipeline has failed.
type batch struct {
	deletes []lexical.ID
	docs    []*lexical.Document
	done    chan struct{}
}

func newWriting(ctx context.Context, u *update) *writing {
	w := &writing{u: u, budget: newBudget(inFlightBytes), batches: make(chan batch), rows: make(chan func() error, 64), last: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.wait.Add(2)
	go func() {
		defer w.wait.Done()
		for b := range w.batches {
			if w.ctx.Err() == nil {
				w.fail(w.applyBatch(b))
			}
			close(b.done)
		}
	}()
	go func() {
		defer w.wait.Done()
		for step := range w.rows {
			if w.ctx.Err() == nil {
				w.fail(step())
			}
		}
	}()
	return w
}

func (w *writing) fail(err error) {
	if err != nil {
		w.cancel(err)
	}
}

// applyBatch opens the next generation's postings when the first document changes.
func (w *writing) applyBatch(b batch) error {
	if w.u.postings == nil {
		if err := w.u.nextPostings(); err != nil {
			return err
		}
	}
	return w.u.postings.Apply(b.deletes, b.docs)
}

// nextPostings opens the postings of the generation after the current one. Those before the current go.
func (u *update) nextPostings() (err error) {
	sweepGenerations(u.epoch, u.head.Generation)
	from, to := filepath.Join(u.epoch, lexicalFolder(u.head.Generation)), filepath.Join(u.epoch, lexicalFolder(u.head.Generation+1))
	u.postings, err = lexical.Derive(from, to)
	return asCorrupt(err)
}

// feed runs the jobs and hands their results on. It returns the first error.
func (w *writing) feed(d delta, o *outcome) error {
	for _, row := range d.gone {
		w.remove(row)
		o.changed++
	}
	results := w.startWorkers(d.jobs)
	progress := Progress{Phase: PhaseIndex, TotalFiles: len(d.jobs), TotalBytes: d.bytes}
	told := time.Now()
	w.u.req.Progress(progress)
	for next := range results {
		var r *result
		select {
		case r = <-next:
		case <-w.ctx.Done():
			return context.Cause(w.ctx)
		}
		if r.err != nil {
			w.cancel(r.err)
			return r.err
		}
		o.read++
		w.take(r, o)
		w.budget.give(r.job.entry.Size)
		progress.DoneFiles++
		progress.DoneBytes += r.job.entry.Size
		if now := time.Now(); now.Sub(told) > 100*time.Millisecond {
			told = now
			w.u.req.Progress(progress)
		}
		if err := w.checkpoint(o); err != nil {
			return err
		}
	}
	w.u.req.Progress(progress)
	return w.flush()
}

// take gives a result its place in the outcome and sends it to the stores.
func (w *writing) take(r *result, o *outcome) {
	old := r.job.old
	switch {
	case r.skip != nil:
		if old != nil {
			w.remove(old)
			o.changed++
		}
		o.looks = append(o.looks, *r.skip)
	case r.touched:
		row := *old
		row.Size, row.ModNS, row.ChangeNS, row.SeenNS = r.row.Size, r.row.ModNS, r.row.ChangeNS, r.row.SeenNS
		o.files = append(o.files, row)
		w.send(func() error { return w.u.facts.TouchFile(&row) })
	default:
		if old != nil {
			w.remove(old)
		}
		o.changed++
		row := r.row
		if w.u.linked() {
			w.u.links.now[row.Path] = r.provides
		}
		row.ID = w.u.head.NextFile
		w.u.head.NextFile++
		o.files = append(o.files, row)
		for i, doc := range r.docs {
			doc.SetID(lexical.MakeID(row.ID, uint32(i)))
		}
		w.pending.docs = append(w.pending.docs, r.docs...)
		content := r.content
		w.send(func() error { return w.u.facts.PutFile(&row, content) })
		w.size += row.Size
	}
	if len(w.pending.docs) >= w.u.req.Batch {
		_ = w.flush()
	}
}

func (w *writing) remove(row *meta.FileRow) {
	for i := range row.Chunks {
		w.pending.deletes = append(w.pending.deletes, lexical.MakeID(row.ID, uint32(i)))
	}
	w.send(func() error {
		if w.u.linked() {
			if err := w.u.noteBefore(row); err != nil {
				return err
			}
		}
		return w.u.facts.DeleteFile(row.ID)
	})
}

func (w *writing) send(step func() error) {
	select {
	case w.rows <- step:
	case <-w.ctx.Done():
	}
}

// flush hands the pending batch to the postings.
func (w *writing) flush() error {
	if len(w.pending.docs)+len(w.pending.deletes) == 0 {
		return context.Cause(w.ctx)
	}
	w.pending.done = make(chan struct{})
	select {
	case w.batches <- w.pending:
	case <-w.ctx.Done():
	}
	w.pending = batch{}
	return context.Cause(w.ctx)
}

// checkpoint commits, in an epoch that nobody sees yet, what a killed run need not do again: the postings first, then
// the facts that belong to them.
func (w *writing) checkpoint(o *outcome) error {
	if !w.u.fresh || w.size < checkpointBytes && time.Since(w.last) < checkpointEvery {
		return nil
	}
	w.size, w.last = 0, time.Now()
	if len(w.pending.docs)+len(w.pending.deletes) == 0 {
		return nil
	}
	w.pending.done = make(chan struct{})
	b := w.pending
	select {
	case w.batches <- b:
	case <-w.ctx.Done():
		return context.Cause(w.ctx)
	}
	w.pending = batch{}
	head, looks := w.u.head, slices.Clone(o.looks)
	w.send(func() error {
		<-b.done // batches are written in order
		if w.ctx.Err() != nil {
			return nil
		}
		if err := w.u.facts.ReplaceSkips(looks); err != nil {
			return err
		}
		if err := w.u.facts.Commit(head, nil); err != nil {
			return err
		}
		return w.u.facts.Begin()
	})
	return nil
}

// end waits for the stores and returns what made the pipeline stop.
func (w *writing) end() error {
	close(w.batches)
	close(w.rows)
	w.wait.Wait()
	err := context.Cause(w.ctx)
	w.cancel(nil)
	return err
}
