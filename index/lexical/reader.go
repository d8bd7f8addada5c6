package lexical

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Reader reads one generation. It is safe for concurrent use; Close it when no call is running.
type Reader struct {
	engine   *scorch.Scorch
	queue    *index.AnalysisQueue
	snapshot *scorch.IndexSnapshot
	segments []readSegment
	bound    int
	sums     map[string]sum
	files    []state // that are mapped

	idsOnce sync.Once
	ids     []ID
	idsErr  error
}

// readSegment is one segment: its first document number, and idle dictionaries of each field.
type readSegment struct {
	segment.Segment
	base    uint64
	deleted *roaring.Bitmap
	idle    [len(Fields)]*sync.Pool
}

// Open opens the generation in dir for reading. A folder that is not there is an fs.ErrNotExist, one that cannot be
// understood is ErrCorrupt.
func Open(dir string) (*Reader, error) {
	if _, err := os.Stat(filepath.Join(dir, rootFile)); err != nil { // the engine would make the file
		return nil, fmt.Errorf("open postings: %w", err)
	}
	sums, files, err := verify(dir)
	if err != nil {
		return nil, fmt.Errorf("open postings: %w", err)
	}
	registerOnce()
	queue := index.NewAnalysisQueue(0)
	r := &Reader{queue: queue, sums: sums, files: files}
	if err := guarded(func() error {
		engine, err := scorch.NewScorch(scorch.Name, map[string]any{"path": dir, "read_only": true, "bolt_timeout": "2s"}, queue)
		if err != nil {
			return err
		}
		r.engine = engine.(*scorch.Scorch)
		return r.engine.Open()
	}); err != nil {
		queue.Close()
		return nil, openError(dir, err)
	}
	reader, err := r.engine.Reader()
	if err != nil {
		r.engine.Close()
		return nil, openError(dir, err)
	}
	r.snapshot = reader.(*scorch.IndexSnapshot)
	if err := guarded(func() error { return loaded(r.engine, r.snapshot) }); err != nil {
		r.Close()
		return nil, openError(dir, err)
	}
	for _, s := range r.snapshot.Segments() {
		rs := readSegment{Segment: s.Segment(), base: uint64(r.bound), deleted: s.Deleted()}
		for i := range rs.idle {
			rs.idle[i] = &sync.Pool{}
		}
		r.segments = append(r.segments, rs)
		r.bound += int(s.Segment().Count())
	}
	return r, nil
}

// loaded catches an engine that could not load its snapshot and went on without: it writes a line to the log and looks
// empty. A snapshot that was loaded has internal values, which every one is written with.
func loaded(engine *scorch.Scorch, snapshot *scorch.IndexSnapshot) error {
	stored, err := engine.RootBoltSnapshotEpochs()
	if err == nil && len(stored) > 0 && len(snapshot.Internal()) == 0 {
		err = errors.New("the stored snapshot does not load")
	}
	return err
}

// Live counts the documents that are not deleted.
func (r *Reader) Live() int {
	n, _ := r.snapshot.DocCount()
	return int(n)
}

// Bound is above every document number.
func (r *Reader) Bound() int { return r.bound }

// cursor is what a look-up in one segment needs and the next one can use again.
type cursor struct {
	dictionary segment.TermDictionary
	list       segment.PostingsList
	iterator   segment.PostingsIterator
}

func (s *readSegment) cursor(field int) (*cursor, error) {
	if c, ok := s.idle[field].Get().(*cursor); ok {
		return c, nil
	}
	d, err := s.Dictionary(Fields[field])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return &cursor{dictionary: d}, nil
}

// Postings visits the live documents that hold term in field, by document number: how often, and how many tokens the
// field has there. An unknown field or term visits nothing. Files that were damaged since Open are ErrCorrupt, as far as that shows;
// Damaged knows more.
func (r *Reader) Postings(field, term string, visit func(doc uint32, freq int, fieldLen int)) (err error) {
	f := FieldIndex(field)
	if f < 0 || term == "" {
		return nil
	}
	visiting := false
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if visiting { // a panic of the visitor is its own
			return
		}
		if p := recover(); p != nil {
			err = damage(p)
		}
	}()
	key := []byte(term)
	for i := range r.segments {
		s := &r.segments[i]
		c, err := s.cursor(f)
		if err != nil {
			return err
		}
		if c.list, err = c.dictionary.PostingsList(key, s.deleted, c.list); err != nil {
			return fmt.Errorf("%w: term %q: %w", ErrCorrupt, term, err)
		}
		c.iterator = c.list.Iterator(true, true, false, c.iterator)
		for {
			p, err := c.iterator.Next()
			if err != nil {
				return fmt.Errorf("%w: term %q: %w", ErrCorrupt, term, err)
			}
			if p == nil {
				break
			}
			number, freq, length := s.base+p.Number(), int(p.Frequency()), lengthOf(p.Norm())
			if number >= uint64(r.bound) {
				return fmt.Errorf("%w: term %q: document %d of %d", ErrCorrupt, term, number, r.bound)
			}
			visiting = true
			visit(uint32(number), freq, length)
			visiting = false
		}
		s.idle[f].Put(c)
	}
	return nil
}

// Damaged reports that a file that this reader has open was written to or cut since it was opened: what was read from it meanwhile
// may be wrong. It looks each file up, which takes some microseconds.
func (r *Reader) Damaged() bool { return slices.ContainsFunc(r.files, state.changed) }

// lengthOf gives the field's length back: the engine keeps it and hands it out as 1/sqrt(length) in 32 bits, which is
// exact below 6.6 million tokens.
func lengthOf(norm float64) int { return int(math.Round(1 / (norm * norm))) }

// TermLines is the terms of field, each followed by a line feed. A term may come more than once (each segment has its own
// list), and terms that only deleted documents hold come too.
func (r *Reader) TermLines(field string) (string, error) {
	if FieldIndex(field) < 0 {
		return "", nil
	}
	var lines strings.Builder
	for i := range r.segments {
		s := r.segments[i].Segment
		if p, ok := s.(segment.PersistedSegment); ok && appendWords(&lines, wordsFile(p.Path(), field), r.sums) {
			continue
		}
		err := guarded(func() error {
			return walkTerms(s, field, func(term string) bool { lines.WriteString(term); lines.WriteByte('\n'); return true })
		})
		if err != nil {
			return "", err
		}
	}
	return lines.String(), nil
}

// NoID marks a document number without a live document.
const NoID = ID(math.MaxUint64)

// IDs maps each document number to its id, NoID for deleted ones. It is read once and shared: do not change it.
func (r *Reader) IDs() ([]ID, error) {
	r.idsOnce.Do(func() {
		r.idsErr = guarded(func() (err error) { r.ids, err = r.readIDs(); return err })
	})
	return r.ids, r.idsErr
}

func (r *Reader) readIDs() ([]ID, error) {
	ids := make([]ID, 0, r.bound)
	for _, s := range r.snapshot.Segments() {
		deleted := s.Deleted()
		for n := range s.Segment().Count() {
			if deleted != nil && deleted.Contains(uint32(n)) {
				ids = append(ids, NoID)
				continue
			}
			b, err := s.DocID(n)
			if err != nil {
				return nil, fmt.Errorf("%w: document %d: %w", ErrCorrupt, n, err)
			}
			id, err := parseID(b)
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Close releases the files.
func (r *Reader) Close() error {
	err := r.snapshot.Close()
	if e := r.engine.Close(); err == nil {
		err = e
	}
	r.queue.Close()
	return err
}
