package lexical

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"agenvantage/internal/atomicfile"
)

// ErrCorrupt marks postings that cannot be read: the index has to be rebuilt.
var ErrCorrupt = errors.New("postings corrupt")

// Writer changes one generation that no reader sees yet. It is not safe for concurrent use.
type Writer struct {
	dir    string
	engine *scorch.Scorch
	queue  *index.AnalysisQueue
	failed chan error // a background failure, which the engine itself would not report to a waiting batch
}

// Create starts an empty generation in the folder dir, which is made.
func Create(dir string) (*Writer, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create postings: %w", err)
	}
	return openWriter(dir)
}

// OpenWriter goes on with the unfinished generation in dir.
func OpenWriter(dir string) (*Writer, error) {
	if _, err := os.Stat(filepath.Join(dir, rootFile)); err != nil {
		return nil, fmt.Errorf("open postings: %w", err)
	}
	return openWriter(dir)
}

const (
	rootFile         = "root.bolt"
	segmentExtension = ".zap"
)

// neverMerge keeps the engine from merging on its own: Merge says when.
var neverMerge = map[string]any{"MaxSegmentsPerTier": 1 << 30, "SegmentsPerMergeTask": 10, "MaxSegmentSize": 1 << 30, "FloorSegmentSize": 1}

func openWriter(dir string) (*Writer, error) {
	w := &Writer{dir: dir, failed: make(chan error, 1), queue: index.NewAnalysisQueue(1)}
	registerOnce()
	writers.Store(w.dir, w)
	err := guarded(func() error {
		engine, err := scorch.NewScorch(scorch.Name, map[string]any{
			"path": dir, "bolt_timeout": "2s", "scorchMergePlanOptions": neverMerge, "asyncErrorCallbackName": failureCallback,
		}, w.queue)
		if err != nil {
			return err
		}
		w.engine = engine.(*scorch.Scorch)
		if err := w.engine.Open(); err != nil {
			return err
		}
		return w.checkLoaded()
	})
	if err != nil {
		w.queue.Close()
		writers.Delete(dir)
		return nil, openError(dir, err)
	}
	return w, nil
}

func (w *Writer) checkLoaded() error {
	r, err := w.engine.Reader()
	if err != nil {
		return err
	}
	err = loaded(w.engine, r.(*scorch.IndexSnapshot))
	if e := r.Close(); err == nil {
		err = e
	}
	if err != nil {
		w.engine.Close()
	}
	return err
}

// openError tells a folder that is gone or cannot be read from one whose content is wrong.
func openError(dir string, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return fmt.Errorf("open postings: %w", err)
	}
	return fmt.Errorf("%w: open %s: %w", ErrCorrupt, dir, err)
}

// The engine reports failures of its background work by the name of a callback in a global table. One entry serves all
// writers, which are found by their folder.
const failureCallback = "agenvantage"

var (
	writers  sync.Map // folder -> *Writer
	register sync.Once
)

// failedBehind is the callback.
func failedBehind(err error, dir string) {
	if w, ok := writers.Load(dir); ok {
		if strings.Contains(err.Error(), ErrCorrupt.Error()) { // the engine keeps the text alone
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		select {
		case w.(*Writer).failed <- err:
		default:
		}
	}
}

// Apply deletes and adds documents as one step. It returns when the step is on disk (synced). An added document
// replaces one with its id. The documents must not be used again.
func (w *Writer) Apply(deletes []ID, adds []*Document) error {
	batch := index.NewBatch()
	for _, id := range deletes {
		batch.Delete(id.bytes())
	}
	for _, d := range adds {
		batch.Update(d)
	}
	return w.persist(batch)
}

func (w *Writer) persist(batch *index.Batch) error {
	done := make(chan error, 1)
	go func() { done <- guarded(func() error { return w.engine.Batch(batch) }) }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("write postings in %s: %w", w.dir, err)
		}
		return nil
	case err := <-w.failed:
		return fmt.Errorf("write postings in %s: %w", w.dir, err)
	}
}

// Segments counts the segments.
func (w *Writer) Segments() int {
	n := 0
	_ = w.look(func(segments []*scorch.SegmentSnapshot) error { n = len(segments); return nil })
	return n
}

// DeletedShare is the share of documents that are deleted and still take space.
func (w *Writer) DeletedShare() float64 {
	var all, live int64
	_ = w.look(func(segments []*scorch.SegmentSnapshot) error {
		for _, s := range segments {
			all, live = all+s.FullSize(), live+s.LiveSize()
		}
		return nil
	})
	if all == 0 {
		return 0
	}
	return 1 - float64(live)/float64(all)
}

func (w *Writer) look(visit func([]*scorch.SegmentSnapshot) error) error {
	r, err := w.engine.Reader()
	if err != nil {
		return err
	}
	defer r.Close()
	return guarded(func() error { return visit(r.(*scorch.IndexSnapshot).Segments()) })
}

// IDs lists the live documents, in no order.
func (w *Writer) IDs() ([]ID, error) {
	var ids []ID
	err := w.look(func(segments []*scorch.SegmentSnapshot) error {
		for _, s := range segments {
			for it := s.DocNumbersLive().Iterator(); it.HasNext(); {
				b, err := s.DocID(uint64(it.Next()))
				if err != nil {
					return fmt.Errorf("%w: %w", ErrCorrupt, err)
				}
				id, err := parseID(b)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
		}
		return nil
	})
	return ids, err
}

// Merge joins small segments until the tiers of mergeTiers hold, or all segments into one. Deleted documents of the
// merged segments are dropped. It returns ctx's error when ctx ends first; the documents are then as before, in fewer segments or not.
func (w *Writer) Merge(ctx context.Context, intoOne bool) error {
	plan := mergeTiers
	if intoOne {
		plan = mergeplan.SingleSegmentMergePlanOptions
		plan.SegmentsPerMergeTask = 1 << 20
	}
	for before := w.Segments(); ctx.Err() == nil; {
		if err := w.merge(ctx, &plan); err != nil {
			return fmt.Errorf("merge postings in %s: %w", w.dir, err)
		}
		after := w.Segments()
		if after >= before || after <= 1 {
			break
		}
		before = after
	}
	// A merge, also one that ctx came too late for, is in memory until the next snapshot is written: write one.
	batch := index.NewBatch()
	batch.SetInternal([]byte("merged"), []byte{1})
	if err := w.persist(batch); err != nil {
		return err
	}
	return ctx.Err()
}

// merge merges once. The engine tries a merge that fails again until its context ends.
func (w *Writer) merge(ctx context.Context, plan *mergeplan.MergePlanOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- w.engine.ForceMerge(ctx, plan) }()
	select {
	case err := <-done:
		return err
	case err := <-w.failed:
		cancel()
		<-done
		return err
	}
}

// mergeTiers bounds an index of 100,000 documents to about a dozen segments: up to 6 of below 2,000 documents, 6 of
// about ten times that, and so on. A look-up visits each segment once for a term.
var mergeTiers = mergeplan.MergePlanOptions{
	MaxSegmentsPerTier: 6, MaxSegmentSize: 1 << 30, TierGrowth: 10, SegmentsPerMergeTask: 8, FloorSegmentSize: 2000, ReclaimDeletesWeight: 2,
}

// Close ends the writer and leaves a folder that is whole on disk and holds no file that its root does not name.
func (w *Writer) Close() error {
	live := map[string]bool{}
	words := w.look(func(segments []*scorch.SegmentSnapshot) error {
		for _, s := range segments {
			p, ok := s.Segment().(segment.PersistedSegment)
			if !ok {
				continue
			}
			live[filepath.Base(p.Path())] = true
			if err := writeWords(s.Segment(), p.Path()); err != nil {
				return err
			}
			for _, field := range wordFields {
				live[filepath.Base(wordsFile(p.Path(), field))] = true
			}
		}
		return nil
	})
	err := w.engine.Close()
	if err == nil {
		err = words
	}
	w.queue.Close()
	writers.Delete(w.dir)
	if err != nil {
		return fmt.Errorf("close postings in %s: %w", w.dir, err)
	}
	files, err := os.ReadDir(w.dir)
	if err != nil {
		return fmt.Errorf("close postings: %w", err)
	}
	folder, err := os.Stat(w.dir)
	if err != nil {
		return fmt.Errorf("close postings: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(w.dir, f.Name())
		if ext := filepath.Ext(f.Name()); f.Name() == sumsFile || (ext == segmentExtension || ext == wordsExtension) && !live[f.Name()] {
			err = os.Remove(path)
		} else {
			err = os.Chmod(path, folder.Mode().Perm()&0o666) // the engine lets only its own user read
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("close postings: %w", err)
		}
	}
	if err := writeSums(w.dir); err != nil {
		return fmt.Errorf("close postings: %w", err)
	}
	return atomicfile.SyncFolder(w.dir)
}

// Abandon ends the writer without care for what it leaves.
func (w *Writer) Abandon() {
	_ = w.engine.Close()
	w.queue.Close()
	writers.Delete(w.dir)
}
