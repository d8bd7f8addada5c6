package commits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/scan/history"
)

// Source is the repository, from its top: history.Reader is one.
type Source interface {
	Commits(ctx context.Context, o history.LogOptions, each func(history.Commit) error) error
	CommitCount(ctx context.Context, revision string) (int, error)
	ParentOf(ctx context.Context, revision string) (string, error)
}

// Request says what to store.
type Request struct {
	Source   Source
	Revision string // full id of the commit whose history is wanted
	Prefix   string // folder of the repository that is the root of the paths, with a slash at its end; "" for all of it
	// Progress is told how many commits are stored now and then, and of how many, 0 while that is not known; may be nil.
	Progress func(done, total int)
}

// Summary is what an update did, and what the file holds after it.
type Summary struct {
	Read    int // commits told by git
	Added   int // commits added, merges included
	Stored  int // commits in the file
	Rebuilt bool
}

const (
	checkpointCommits = 8192 // in one transaction: half a second's work, which is what an interrupted update loses
	blockRows         = 1024
	nameRun           = 4096     // texts in one row of names
	maxRun            = 4 << 10  // bytes of a run of postings that is still added to
	flushBytes        = 32 << 20 // of postings in memory
	keptHeads         = 32       // revisions whose history is kept
	minGarbage        = 1000     // rows; below it nothing is written anew
)

// lockPoll is how often a waiting writer tries again.
const lockPoll = 20 * time.Millisecond

// Update brings the file in line with the history of a revision, making it if need be. What is stored already, of this or of
// another revision, is not read again. One process writes at a time; others wait until ctx ends (ErrBusy). When it fails or
// ctx ends, readers have what was there before, and an unfinished history is gone on with next time.
//
// Errors: ErrCorrupt when the file has to be removed first; those of Source; ErrBusy with ctx's.
func Update(ctx context.Context, file string, r Request) (Summary, error) {
	if r.Progress == nil {
		r.Progress = func(int, int) {}
	}
	if rawID(r.Revision) == "" {
		return Summary{}, fmt.Errorf("%w: %q is not the full id of a commit", agenvantage.ErrBadInput, r.Revision)
	}
	db, err := openWaiting(ctx, file)
	if err != nil {
		return Summary{}, err
	}
	defer db.Close()
	for try := 0; ; try++ {
		u := &update{ctx: ctx, request: r, db: db}
		s, err := u.run()
		u.rollback()
		if errors.Is(err, errMoved) && try < 3 {
			continue
		}
		if err != nil && ctx.Err() != nil && !errors.Is(err, ErrBusy) {
			err = ctx.Err()
		}
		if err == nil {
			_, _ = db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`) // as far as readers let it
		}
		return s, fault("store history in", file, err)
	}
}

// errMoved means that another writer came between two transactions.
var errMoved = errors.New("the stored history moved on")

// update is one run.
type update struct {
	ctx     context.Context
	request Request
	db      *sql.DB
	tx      *sql.Tx
	head    head
	graph   *graph
	summary Summary
	total   int  // commits of the revision by git's count
	whole   bool // no checkpoints

	known   map[string]bool // raw ids
	paths   map[string]uint32
	authors map[string]uint32
	pending
}

// head is the row of that name.
type head struct {
	format, version       int
	prefix                string
	row, path, authorNext int
}

func (u *update) run() (Summary, error) {
	if err := u.begin(); err != nil {
		return u.summary, err
	}
	if err := u.load(); err != nil {
		return u.summary, err
	}
	if u.head.format != format || u.head.prefix != u.request.Prefix || u.deepened() {
		if err := u.reset(); err != nil {
			return u.summary, err
		}
	}
	if err := u.follow(); err != nil {
		return u.summary, err
	}
	if err := u.recordHead(); err != nil {
		return u.summary, err
	}
	u.summary.Stored = len(u.graph.rows)
	if err := u.commit(); err != nil {
		return u.summary, err
	}
	if _, bounded := u.ctx.Deadline(); bounded {
		return u.summary, nil // who has little time leaves tidying up to others
	}
	return u.summary, u.tidy()
}

// tidy writes the file anew when more than a fifth of it is of no use.
func (u *update) tidy() error {
	garbage, err := u.garbage()
	if err != nil || garbage <= minGarbage || garbage <= len(u.graph.rows)/5 {
		return err
	}
	if err := u.begin(); err != nil {
		return err
	}
	if now, err := readHead(u.tx); err != nil || now.version != u.head.version {
		return err // another writer saw to it
	}
	if err := u.reset(); err != nil {
		return err
	}
	if err := u.follow(); err != nil {
		return err
	}
	if err := u.recordHead(); err != nil {
		return err
	}
	u.summary.Stored = len(u.graph.rows)
	return u.commit()
}

// begin starts a writing transaction, waiting for another writer until ctx ends.
func (u *update) begin() error {
	for {
		tx, err := u.db.BeginTx(context.WithoutCancel(u.ctx), nil)
		if err == nil {
			u.tx = tx
			return nil
		}
		if err = fault("lock", "it", err); !errors.Is(err, ErrBusy) {
			return err
		}
		select {
		case <-u.ctx.Done():
			return fmt.Errorf("%w: %w", ErrBusy, u.ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}

// openWaiting is openWriter that waits for another one, which holds the file alone for a moment as it opens or closes it.
func openWaiting(ctx context.Context, file string) (*sql.DB, error) {
	for {
		db, err := openWriter(file)
		if err == nil {
			return db, nil
		}
		if err = fault("open", file, err); !errors.Is(err, ErrBusy) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}

func (u *update) rollback() {
	if u.tx != nil {
		_ = u.tx.Rollback()
		u.tx = nil
	}
}

func (u *update) commit() error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	u.head.version++
	if _, err := u.tx.Exec(`UPDATE head SET format = ?, prefix = ?, version = ?, next_row = ?, next_path = ?, next_author = ?`,
		u.head.format, []byte(u.head.prefix), u.head.version, u.head.row, u.head.path, u.head.authorNext); err != nil {
		return err
	}
	err := u.tx.Commit()
	u.tx = nil
	return err
}

// load reads the head and the graph; an empty file gets its tables.
func (u *update) load() error {
	var tables int
	if err := u.tx.QueryRow(`SELECT count(*) FROM sqlite_master WHERE name = 'head'`).Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		if _, err := u.tx.Exec(schema); err != nil {
			return err
		}
	}
	var err error
	if u.head, err = readHead(u.tx); err != nil || u.head.format != format {
		u.graph = &graph{}
		return err
	}
	u.graph, err = readGraph(u.tx, u.head.row)
	return err
}

func readHead(q *sql.Tx) (h head, err error) {
	var prefix []byte
	err = q.QueryRow(`SELECT format, prefix, version, next_row, next_path, next_author FROM head WHERE id = 1`).
		Scan(&h.format, &prefix, &h.version, &h.row, &h.path, &h.authorNext)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no head", ErrCorrupt)
	}
	h.prefix = string(prefix)
	return h, err
}

// reset empties the file within the transaction: readers keep what they have. Where that was of use, what takes its place
// is written in the same transaction.
func (u *update) reset() error {
	u.whole = u.head.format == format && u.head.prefix == u.request.Prefix && u.head.row > 0
	for _, table := range []string{"heads", "blocks", "names", "postings"} {
		if _, err := u.tx.Exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	u.summary.Rebuilt = u.head.row > 0
	u.head = head{format: format, prefix: u.request.Prefix, version: u.head.version}
	u.graph = &graph{}
	u.known, u.paths, u.authors, u.pending = nil, nil, nil, pending{}
	return nil
}

// maxCutsChecked bounds the ends of a shallow history that are looked at.
const maxCutsChecked = 8

// deepened reports whether a commit at which the history was cut off has parents now.
func (u *update) deepened() bool {
	checked := 0
	for i := range u.graph.rows {
		if u.graph.rows[i].flags&flagCut == 0 {
			continue
		}
		_, err := u.request.Source.ParentOf(u.ctx, hexID(u.graph.rows[i].id))
		if err == nil || errors.Is(err, history.ErrNoParent) {
			return true
		}
		if checked++; checked == maxCutsChecked {
			break
		}
	}
	return false
}

// follow adds the commits of the revision that are not stored.
func (u *update) follow() error {
	target := u.graph.find(rawID(u.request.Revision))
	if target >= 0 {
		if _, lacking := u.graph.reach(target); lacking == 0 {
			return nil
		}
	}
	base, err := u.base()
	if err != nil {
		return err
	}
	if base != "" {
		err := u.read(base)
		if err != nil && !errors.Is(err, agenvantage.ErrBadInput) { // git may have forgotten the base
			return err
		}
		if target = u.graph.find(rawID(u.request.Revision)); err == nil && target >= 0 {
			if _, lacking := u.graph.reach(target); lacking == 0 {
				return nil
			}
		}
	}
	if u.total, err = u.request.Source.CommitCount(u.ctx, u.request.Revision); err != nil {
		return err
	}
	return u.read("")
}

// read adds the commits of the log that are not stored: those that base has not, or all.
func (u *update) read(base string) error {
	if u.known == nil {
		u.known = make(map[string]bool, len(u.graph.rows))
		for i := range u.graph.rows {
			u.known[u.graph.rows[i].id] = true
		}
		var err error
		if u.paths, err = u.readNames(namePath, u.head.path); err != nil {
			return err
		}
		if u.authors, err = u.readNames(nameAuthor, u.head.authorNext); err != nil {
			return err
		}
	}
	options := history.LogOptions{Revision: u.request.Revision, NotReachableFrom: base, Merges: true}
	fresh, done := 0, len(u.graph.rows)
	err := u.request.Source.Commits(u.ctx, options, func(c history.Commit) error {
		u.summary.Read++
		id := rawID(c.ID)
		if id == "" {
			return fmt.Errorf("unexpected commit id %q", c.ID)
		}
		if u.known[id] {
			return nil
		}
		u.known[id] = true
		u.add(c, id)
		fresh++
		if fresh%256 == 0 {
			u.request.Progress(done+fresh, u.total)
		}
		if fresh%checkpointCommits == 0 && !u.whole {
			return u.checkpoint()
		}
		if u.bytes > flushBytes {
			return u.flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	u.summary.Added += fresh
	if err := u.flush(); err != nil {
		return err
	}
	u.graph, err = readGraph(u.tx, u.head.row)
	return err
}

// checkpoint makes what was read so far permanent.
func (u *update) checkpoint() error {
	if err := u.flush(); err != nil {
		return err
	}
	if err := u.recordHead(); err != nil {
		return err
	}
	if err := u.commit(); err != nil {
		return err
	}
	if err := u.begin(); err != nil {
		return err
	}
	now, err := readHead(u.tx)
	if err == nil && now.version != u.head.version {
		err = errMoved
	}
	return err
}

// within cuts the prefix off a path; ok is false for a path outside of it.
func (u *update) within(path string) (string, bool) { return strings.CutPrefix(path, u.request.Prefix) }
