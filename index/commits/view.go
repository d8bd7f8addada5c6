package commits

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// ViewOptions say what a view shows.
type ViewOptions struct {
	Revision string // full id of a commit
	// Find gives the number of a path that is a file today; commits are seen by the files of today that they touched.
	Find func(path string) (file uint32, ok bool)
}

// View is the history of one revision, pinned: it does not change while updates go on. Its commits are the revision and its
// ancestors without merges and without those that change nothing below the prefix, numbered from 0, newest first: every
// commit before its ancestors (see graph.order). Of a commit whose files are not known (Cut) only the message counts. It is
// safe for concurrent use; Close it when no call is running.
type View struct {
	file string
	db   *sql.DB
	tx   *sql.Tx
	runs *sql.Stmt
	mu   sync.Mutex // one connection holds the snapshot

	rows     []row
	order    []uint32 // row by commit
	commitOf []int32  // by row, -1 for those that are none
	starts   []uint32 // of each commit's files in touched; one more than there are commits
	touched  []uint32
	called   []uint32 // beside touched: the path by which the commit knows the file
	paths    []string
	touching map[uint32][]uint32
	index    sync.Once      // makes touching
	authors  []string       // nil until they are asked for
	blocks   []subjectBlock // read so far, in order; guarded by mu, as authors are
	revision string
	now      int64
	mean     float64
	stored   int
	covered  float64
	shallow  bool
	bytes    int64
}

// subjectBlock is the subjects of a run of rows.
type subjectBlock struct {
	first int
	texts []string
}

// OpenView pins the history of a revision. Errors: ErrAbsent, ErrUnknown, ErrCorrupt.
func OpenView(ctx context.Context, file string, o ViewOptions) (*View, error) {
	db, err := openReader(file)
	if err != nil {
		return nil, fault("open", file, err)
	}
	v := &View{file: file, db: db, revision: o.Revision, bytes: Bytes(file)}
	if err := v.read(ctx, o); err != nil {
		v.Close()
		return nil, fault("open", file, err)
	}
	return v, nil
}

func (v *View) read(ctx context.Context, o ViewOptions) (err error) {
	// The transaction outlives ctx, which bounds the opening alone.
	if v.tx, err = v.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return err
	}
	h, err := headOf(v.tx)
	if err != nil {
		return err
	}
	g, err := readGraph(v.tx, h.row)
	if err != nil {
		return err
	}
	target := g.find(rawID(o.Revision))
	if target < 0 {
		return fmt.Errorf("%w: %s", ErrUnknown, o.Revision)
	}
	live, lacking := g.reach(target)
	order := g.order(live)
	if err := ctx.Err(); err != nil {
		return err
	}
	v.rows, v.now = g.rows, g.rows[target].time
	if err := v.cover(g, live, lacking); err != nil {
		return err
	}
	paths, err := namesOf(v.tx, namePath, h.path)
	if err != nil {
		return err
	}
	if err := v.number(order, newIdentity(paths, o.Find)); err != nil {
		return err
	}
	v.runs, err = v.tx.Prepare(`SELECT first, rows FROM postings WHERE term = ? ORDER BY first`)
	return err
}

// headOf reads the head of a file that holds something; ErrAbsent when nothing was ever stored, or in another format.
func headOf(q *sql.Tx) (head, error) {
	var tables int
	if err := q.QueryRow(`SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return head{}, err
	}
	if tables == 0 {
		return head{}, ErrAbsent
	}
	h, err := readHead(q)
	if err == nil && h.format != format {
		err = ErrAbsent
	}
	return h, err
}

// cover works out how much of the history there is.
func (v *View) cover(g *graph, live []bool, lacking int) error {
	cuts := 0
	for i, l := range live {
		if l {
			v.stored++
			if g.rows[i].flags&flagCut != 0 {
				cuts++
			}
		}
	}
	v.covered = 1
	if lacking > 0 {
		var total int
		err := v.tx.QueryRow(`SELECT total FROM heads WHERE revision = ?`, v.revision).Scan(&total)
		if err != nil && err != sql.ErrNoRows {
			return err
		}
		v.covered = float64(v.stored) / float64(max(total, v.stored+1))
	}
	if v.shallow = cuts > 0; v.shallow {
		// What lies behind the cut is not known. This is the share of commits whose changes are, and more than the truth.
		v.covered *= float64(v.stored-cuts) / float64(v.stored)
	}
	return nil
}

// number fills in the commits in their order and the files that they touched.
func (v *View) number(order []int, files *identity) error {
	v.paths = files.paths
	v.commitOf = make([]int32, len(v.rows))
	for i := range v.commitOf {
		v.commitOf[i] = -1
	}
	for _, at := range order {
		for _, c := range v.rows[at].files {
			if int(c.path) >= len(files.paths) || c.old >= int64(len(files.paths)) {
				return fmt.Errorf("%w: a path without a name", ErrCorrupt)
			}
		}
		files.learn(v.rows[at].files)
	}
	v.order = make([]uint32, 0, len(order))
	v.starts = append(make([]uint32, 0, len(order)+1), 0)
	total := 0
	for _, at := range order {
		r := &v.rows[at]
		if r.flags&(flagMerge|flagOutside) != 0 {
			continue
		}
		v.commitOf[at] = int32(len(v.order))
		v.order = append(v.order, uint32(at))
		from := len(v.touched)
		for _, t := range files.touched(r.files) {
			if n := len(v.touched); n == from || v.touched[n-1] != t.file {
				v.touched, v.called = append(v.touched, t.file), append(v.called, t.path)
			}
		}
		v.starts = append(v.starts, uint32(len(v.touched)))
		total += int(r.terms)
	}
	if len(v.order) > 0 {
		v.mean = float64(total) / float64(len(v.order))
	}
	return nil
}

// Revision is the commit whose history this is.
func (v *View) Revision() string { return v.revision }

// CommitCount is the number of commits: they are numbered below it.
func (v *View) CommitCount() int { return len(v.order) }

// Stored counts the revision and its ancestors as far as they are stored, merges included.
func (v *View) Stored() int { return v.stored }

// MeanTerms is the mean number of terms of a message.
func (v *View) MeanTerms() float64 { return v.mean }

// Time is when the revision was committed, Unix seconds.
func (v *View) Time() int64 { return v.now }

// Covered is the share of the history that is stored: 1 for all of it. Where a shallow clone ends it is an upper bound.
func (v *View) Covered() float64 { return v.covered }

// Shallow reports whether the clone ends somewhere before the first commit.
func (v *View) Shallow() bool { return v.shallow }

// Bytes is the size of the file when the view was opened.
func (v *View) Bytes() int64 { return v.bytes }

// Postings visits the commits whose message holds a term, each once, in no order that means anything: how often it does.
func (v *View) Postings(term string, visit func(commit uint32, frequency int)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	runs, err := v.runs.Query(term)
	if err != nil {
		return fault("read", v.file, err)
	}
	defer runs.Close()
	for runs.Next() {
		var first int
		var b sql.RawBytes
		if err := runs.Scan(&first, &b); err != nil {
			return fault("read", v.file, err)
		}
		err := eachPosting(b, first, len(v.rows), func(row, frequency int) {
			if c := v.commitOf[row]; c >= 0 {
				visit(uint32(c), frequency)
			}
		})
		if err != nil {
			return fault("read", v.file, err)
		}
	}
	return fault("read", v.file, runs.Err())
}

// Commit gives the facts of a commit: when it was committed (Unix seconds), how many terms its message has, how many files it changed in the
// whole repository, and the files of today among them, sorted. Do not change the list.
func (v *View) Commit(commit uint32) (committed int64, terms, changed int, files []uint32) {
	r := &v.rows[v.order[commit]]
	return r.time, int(r.terms), int(r.changed), v.touched[v.starts[commit]:v.starts[commit+1]]
}

// Touching lists the commits that touched a file, newest first. Do not change the list.
func (v *View) Touching(file uint32) []uint32 {
	v.index.Do(func() {
		v.touching = map[uint32][]uint32{}
		for c := range uint32(len(v.order)) {
			for _, f := range v.touched[v.starts[c]:v.starts[c+1]] {
				v.touching[f] = append(v.touching[f], c)
			}
		}
	})
	return v.touching[file]
}

// FileAt is the file of today that a commit touched under a path, below the prefix.
func (v *View) FileAt(commit uint32, path string) (file uint32, ok bool) {
	for i := v.starts[commit]; i < v.starts[commit+1]; i++ {
		if v.paths[v.called[i]] == path {
			return v.touched[i], true
		}
	}
	return 0, false
}

// ID is the full id of a commit.
func (v *View) ID(commit uint32) string { return hexID(v.rows[v.order[commit]].id) }

// Find is the number of a commit by its full id; ok is false for one that is not in the view.
func (v *View) Find(id string) (commit uint32, ok bool) {
	raw := rawID(id)
	for c, row := range v.order {
		if v.rows[row].id == raw {
			return uint32(c), true
		}
	}
	return 0, false
}

// Author is the number of a commit's author: equal for commits whose author has one name and address.
func (v *View) Author(commit uint32) uint32 { return v.rows[v.order[commit]].author }

// Close releases the file.
func (v *View) Close() error {
	if v.tx != nil {
		_ = v.tx.Rollback()
	}
	return v.db.Close()
}
