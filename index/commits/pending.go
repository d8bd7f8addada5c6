package commits

import (
	"database/sql"
	"errors"
	"maps"
	"slices"

	"agenvantage/scan/history"
)

// pending is what an update has read and not yet written.
type pending struct {
	rows     []row
	subjects []string
	paths    []string // new ones, in the order of their numbers
	authors  []string
	postings map[string]*run
	bytes    int // of postings, about
}

// run is postings in memory.
type run struct {
	first, last int
	b           []byte
}

// maxSubjectBytes is how much of a subject is kept for showing it.
const maxSubjectBytes = 300

// add takes a commit in, as row number u.head.row.
func (u *update) add(c history.Commit, id string) {
	r := row{id: id, time: c.CommitTime, written: c.AuthorTime, changed: uint32(len(c.Files))}
	for _, p := range c.Parents {
		if raw := rawID(p); raw != "" {
			r.parents = append(r.parents, parent{row: missing, id: raw})
		}
	}
	if c.Cut {
		r.flags |= flagCut
	}
	if len(c.Parents) > 1 {
		r.flags |= flagMerge
	}
	for _, f := range c.Files {
		u.addFile(&r, f)
	}
	if u.request.Prefix != "" && len(r.files) == 0 {
		r.flags |= flagOutside
	}
	number := u.head.row
	u.head.row++
	r.author = u.number(&u.authors, &u.pending.authors, &u.head.authorNext, c.AuthorName+"\x00"+c.AuthorEmail)
	subject := c.Subject
	if r.flags&(flagMerge|flagOutside) == 0 {
		frequencies, total := messageTerms(c.Subject, c.Body)
		r.terms = uint32(total)
		u.addTerms(number, frequencies)
	} else {
		subject = ""
	}
	u.rows = append(u.rows, r)
	u.subjects = append(u.subjects, cut(subject, maxSubjectBytes))
}

func (u *update) addFile(r *row, f history.FileChange) {
	path, in := u.within(f.Path)
	old, wasIn := u.within(f.OldPath)
	switch {
	case f.OldPath == "" && !in, f.OldPath != "" && !in && !wasIn:
		return
	case f.OldPath != "" && !in: // moved out
		r.files = append(r.files, change{path: u.path(old), old: -1, status: history.Deleted})
	case f.OldPath != "" && !wasIn: // moved in
		r.files = append(r.files, change{path: u.path(path), old: -1, status: history.Added})
	case f.OldPath != "" && f.Status == history.Renamed:
		r.files = append(r.files, change{path: u.path(path), old: int64(u.path(old)), status: history.Renamed})
	default:
		r.files = append(r.files, change{path: u.path(path), old: -1, status: f.Status})
	}
}

func (u *update) path(path string) uint32 {
	return u.number(&u.paths, &u.pending.paths, &u.head.path, path)
}

// number finds the number of a text, or gives it the next one.
func (u *update) number(numbers *map[string]uint32, fresh *[]string, next *int, text string) uint32 {
	if n, ok := (*numbers)[text]; ok {
		return n
	}
	n := uint32(*next)
	(*numbers)[text] = n
	*fresh = append(*fresh, text)
	*next++
	return n
}

func (u *update) addTerms(number int, frequencies map[string]int) {
	if u.postings == nil {
		u.postings = map[string]*run{}
	}
	for term, frequency := range frequencies {
		r := u.postings[term]
		if r == nil {
			r = &run{first: number, last: number}
			u.postings[term] = r
			u.bytes += 100 + len(term)
		}
		before := len(r.b)
		r.b = appendPosting(r.b, r.last, number, frequency)
		r.last = number
		u.bytes += len(r.b) - before
	}
}

// cut shortens a text to at most n bytes, between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// flush writes what is pending into the transaction.
func (u *update) flush() error {
	first := u.head.row - len(u.rows)
	if err := u.flushRows(first); err != nil {
		return err
	}
	if err := u.flushNames(namePath, u.head.path, u.pending.paths); err != nil {
		return err
	}
	if err := u.flushNames(nameAuthor, u.head.authorNext, u.pending.authors); err != nil {
		return err
	}
	if err := u.flushPostings(); err != nil {
		return err
	}
	u.pending = pending{}
	return nil
}

// flushRows writes the rows from first on, into the last block first if it is not full.
func (u *update) flushRows(first int) error {
	if len(u.rows) == 0 {
		return nil
	}
	rows, subjects, start := u.rows, u.subjects, first
	var facts, packed []byte
	err := u.tx.QueryRow(`SELECT first, facts, subjects FROM blocks ORDER BY first DESC LIMIT 1`).Scan(&start, &facts, &packed)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		start = first
	case err != nil:
		return err
	case first-start >= blockRows:
		start = first
	default:
		before, err := decodeBlock(facts, start)
		if err != nil {
			return err
		}
		texts, err := unpackTexts(packed)
		if err != nil {
			return err
		}
		if len(before) != first-start || len(texts) != first-start {
			return errors.Join(ErrCorrupt, errors.New("the last block does not end where the next row begins"))
		}
		rows, subjects = slices.Concat(before, rows), slices.Concat(texts, subjects)
	}
	for len(rows) > 0 {
		n := min(len(rows), blockRows)
		linkWithin(rows[:n], start)
		_, err := u.tx.Exec(`INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)`, start, encodeBlock(rows[:n], start), pack(encodeTexts(subjects[:n])))
		if err != nil {
			return err
		}
		rows, subjects, start = rows[n:], subjects[n:], start+n
	}
	return nil
}

// linkWithin makes row numbers of the ids of parents that come later in the block.
func linkWithin(rows []row, first int) {
	at := make(map[string]int, len(rows))
	for i := range rows {
		at[rows[i].id] = first + i
	}
	for i := range rows {
		for j, p := range rows[i].parents {
			if p.id == "" {
				continue
			}
			if n, ok := at[p.id]; ok && n > first+i {
				rows[i].parents[j].row = n
			} else {
				rows[i].parents[j].row = missing
			}
		}
	}
}

func unpackTexts(packed []byte) ([]string, error) {
	b, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	return decodeTexts(b)
}

// flushNames writes new texts, whose numbers end before next, into the last run first if it is not full.
func (u *update) flushNames(kind, next int, fresh []string) error {
	if len(fresh) == 0 {
		return nil
	}
	start := next - len(fresh)
	var first int
	var packed []byte
	err := u.tx.QueryRow(`SELECT first, texts FROM names WHERE kind = ? ORDER BY first DESC LIMIT 1`, kind).Scan(&first, &packed)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil && start-first < nameRun {
		before, err := unpackTexts(packed)
		if err != nil {
			return err
		}
		fresh, start = slices.Concat(before, fresh), first
	}
	for len(fresh) > 0 {
		n := min(len(fresh), nameRun)
		if _, err := u.tx.Exec(`INSERT OR REPLACE INTO names VALUES (?, ?, ?)`, kind, start, pack(encodeTexts(fresh[:n]))); err != nil {
			return err
		}
		fresh, start = fresh[n:], start+n
	}
	return nil
}

// flushPostings adds to the last run of each term while that is short, and begins a new one otherwise.
func (u *update) flushPostings() error {
	if len(u.postings) == 0 {
		return nil
	}
	last, err := u.tx.Prepare(`SELECT first, rows FROM postings WHERE term = ? ORDER BY first DESC LIMIT 1`)
	if err != nil {
		return err
	}
	defer last.Close()
	put, err := u.tx.Prepare(`INSERT OR REPLACE INTO postings VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	defer put.Close()
	for _, term := range slices.Sorted(maps.Keys(u.postings)) {
		if err := u.ctx.Err(); err != nil {
			return err
		}
		r := u.postings[term]
		var first int
		var before []byte
		err := last.QueryRow(term).Scan(&first, &before)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case len(before)+len(r.b) <= maxRun:
			if r, err = joinRuns(run{first: first, b: before}, r); err != nil {
				return err
			}
		}
		if _, err := put.Exec(term, r.first, r.b); err != nil {
			return err
		}
	}
	return nil
}

// joinRuns puts b behind a.
func joinRuns(a run, b *run) (*run, error) {
	last, err := lastPosting(a.b, a.first, b.first)
	if err != nil {
		return nil, err
	}
	joined := &run{first: a.first, b: slices.Clone(a.b)}
	err = eachPosting(b.b, b.first, b.last+1, func(row, frequency int) {
		joined.b = appendPosting(joined.b, last, row, frequency)
		last = row
	})
	joined.last = last
	return joined, err
}
