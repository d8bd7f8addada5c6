package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"agenvantage/embed"
)

// Hash names a text: for a chunk index.ChunkHash, for a question the XXH3-128 of its text.
type Hash = [16]byte

// readHash reads a stored hash.
func readHash(b []byte) (Hash, error) {
	if len(b) != len(Hash{}) {
		return Hash{}, fmt.Errorf("%w: a hash of %d bytes", ErrCorrupt, len(b))
	}
	return Hash(b), nil
}

// Failure says why a text has no vector.
type Failure struct {
	Hash   Hash
	Reason embed.Reason
	At     time.Time
}

// scanShare is the share of a set from which on reading all of it is faster than looking each hash up: a look-up takes as long
// as 16 rows of a scan.
const scanShare = 16

// ids finds the row of each hash that has a vector: those of hashes, or more.
func (s *Store) ids(ctx context.Context, of set, hashes []Hash) (map[Hash]int64, error) {
	var size int
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM chunks WHERE set_id = ?`, of.id).Scan(&size); err != nil {
		return nil, s.fault("read", err)
	}
	found := make(map[Hash]int64, min(size, len(hashes)))
	if size == 0 || len(hashes) == 0 {
		return found, nil
	}
	if len(hashes) < size/scanShare {
		look, err := s.read.PrepareContext(ctx, `SELECT id FROM chunks WHERE set_id = ? AND hash = ?`)
		if err != nil {
			return nil, s.fault("read", err)
		}
		defer look.Close()
		for i := range hashes {
			var id int64
			err := look.QueryRowContext(ctx, of.id, hashes[i][:]).Scan(&id)
			if err == nil {
				found[hashes[i]] = id
			} else if !errors.Is(err, sql.ErrNoRows) {
				return nil, s.fault("read", err)
			}
		}
		return found, nil
	}
	wanted := make(map[Hash]struct{}, len(hashes))
	for i := range hashes {
		wanted[hashes[i]] = struct{}{}
	}
	rows, err := s.read.QueryContext(ctx, `SELECT hash, id FROM chunks WHERE set_id = ?`, of.id)
	if err != nil {
		return nil, s.fault("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var b sql.RawBytes
		var id int64
		if err := rows.Scan(&b, &id); err != nil {
			return nil, s.fault("read", err)
		}
		hash, err := readHash(b)
		if err != nil {
			return nil, s.fault("read", err)
		}
		if _, ok := wanted[hash]; ok {
			found[hash] = id
		}
	}
	return found, s.fault("read", rows.Err())
}

// Have reports for each of hashes whether the set has its vector. A set that does not exist has none.
func (s *Store) Have(ctx context.Context, key string, hashes []Hash) ([]bool, error) {
	have := make([]bool, len(hashes))
	of, err := s.set(key)
	if errors.Is(err, errNoSet) {
		return have, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := s.ids(ctx, of, hashes)
	if err != nil {
		return nil, err
	}
	for i := range hashes {
		_, have[i] = found[hashes[i]]
	}
	return have, nil
}

// Missing lists the hashes without a vector in the set, each once, in their order, those that were refused among them.
func (s *Store) Missing(ctx context.Context, key string, hashes []Hash) ([]Hash, error) {
	have, err := s.Have(ctx, key, hashes)
	if err != nil {
		return nil, err
	}
	var missing []Hash
	seen := map[Hash]struct{}{}
	for i, h := range hashes {
		if _, again := seen[h]; !have[i] && !again {
			seen[h] = struct{}{}
			missing = append(missing, h)
		}
	}
	return missing, nil
}

// Failures lists the refused texts of a set in the order of their hashes.
func (s *Store) Failures(ctx context.Context, key string) ([]Failure, error) {
	of, err := s.set(key)
	if errors.Is(err, errNoSet) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT hash, reason, at_ns FROM failures WHERE set_id = ? ORDER BY hash`, of.id)
	if err != nil {
		return nil, s.fault("read", err)
	}
	defer rows.Close()
	var all []Failure
	for rows.Next() {
		var f Failure
		var b []byte
		var at int64
		if err := rows.Scan(&b, &f.Reason, &at); err != nil {
			return nil, s.fault("read", err)
		}
		if f.Hash, err = readHash(b); err != nil {
			return nil, s.fault("read", err)
		}
		f.At = time.Unix(0, at)
		all = append(all, f)
	}
	return all, s.fault("read", rows.Err())
}

// Vectors are those of a list of hashes, in one piece of memory.
type Vectors struct {
	Dimensions int
	slab       []float32
	row        []int32 // by place in the list; -1 without a vector
	found      int
}

// At is the vector of the hash number i of the list, nil when there is none. Do not change it. Equal hashes share one.
func (v *Vectors) At(i int) embed.Vector {
	r := int(v.row[i])
	if r < 0 {
		return nil
	}
	return v.slab[r*v.Dimensions : (r+1)*v.Dimensions : (r+1)*v.Dimensions]
}

// Len is the length of the list.
func (v *Vectors) Len() int { return len(v.row) }

// Found counts the hashes of the list that have a vector.
func (v *Vectors) Found() int { return v.found }

// Load reads the vectors of hashes. A set that does not exist has none. It takes 4 bytes of memory for each component, and
// some 60 for each hash while it runs.
func (s *Store) Load(ctx context.Context, key string, hashes []Hash) (*Vectors, error) {
	v := &Vectors{row: make([]int32, len(hashes))}
	for i := range v.row {
		v.row[i] = -1
	}
	of, err := s.set(key)
	if errors.Is(err, errNoSet) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.Dimensions = of.dimensions
	found, err := s.ids(ctx, of, hashes)
	if err != nil {
		return nil, err
	}
	// The slab is in the order of ids, which is that of the file.
	ids := make([]int64, 0, len(found))
	for _, h := range hashes {
		if id, ok := found[h]; ok && id > 0 {
			ids = append(ids, id)
			found[h] = -id // each once
		}
	}
	slices.Sort(ids)
	v.slab = make([]float32, len(ids)*of.dimensions)
	there := make([]bool, len(ids))
	if err := s.loadSlab(ctx, v, ids, there); err != nil {
		return nil, err
	}
	for i, h := range hashes {
		if id, ok := found[h]; ok {
			if r, _ := slices.BinarySearch(ids, -id); there[r] {
				v.row[i] = int32(r)
				v.found++
			}
		}
	}
	return v, nil
}

// loadSlab reads the vectors of ids, sorted, side by side. A row that was removed since stays absent.
func (s *Store) loadSlab(ctx context.Context, v *Vectors, ids []int64, there []bool) error {
	const least = 2000 // rows that are worth a connection of their own
	parts := max(1, min(s.read.Stats().MaxOpenConnections, len(ids)/least))
	errs := make([]error, parts)
	var wait sync.WaitGroup
	for p := range parts {
		from, to := len(ids)*p/parts, len(ids)*(p+1)/parts
		wait.Go(func() {
			errs[p] = s.loadRows(ctx, ids[from:to], func(at int, b []byte) error {
				at += from
				there[at] = true
				return decodeVector(v.slab[at*v.Dimensions:(at+1)*v.Dimensions], b)
			})
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// loadRows visits the vectors of ids, sorted: in one sweep where they lie close together, else one by one.
func (s *Store) loadRows(ctx context.Context, ids []int64, visit func(at int, b []byte) error) error {
	if len(ids) == 0 {
		return nil
	}
	if ids[len(ids)-1]-ids[0] < 4*int64(len(ids)) {
		rows, err := s.read.QueryContext(ctx, `SELECT id, vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id`, ids[0], ids[len(ids)-1])
		if err != nil {
			return s.fault("read", err)
		}
		defer rows.Close()
		at := 0
		for rows.Next() {
			var id int64
			var b sql.RawBytes
			if err := rows.Scan(&id, &b); err != nil {
				return s.fault("read", err)
			}
			for at < len(ids) && ids[at] < id {
				at++
			}
			if at < len(ids) && ids[at] == id {
				if err := visit(at, b); err != nil {
					return s.fault("read", err)
				}
			}
		}
		return s.fault("read", rows.Err())
	}
	look, err := s.read.PrepareContext(ctx, `SELECT vector FROM vectors WHERE id = ?`)
	if err != nil {
		return s.fault("read", err)
	}
	defer look.Close()
	for at, id := range ids {
		var b []byte
		err := look.QueryRowContext(ctx, id).Scan(&b)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = visit(at, b)
		}
		if err != nil {
			return s.fault("read", err)
		}
	}
	return nil
}

// Touch records that a run met these texts today, which keeps their vectors from Prune. It writes at most once a day for each.
func (s *Store) Touch(ctx context.Context, key string, hashes []Hash) error {
	of, err := s.set(key)
	if errors.Is(err, errNoSet) {
		return nil
	}
	if err != nil {
		return err
	}
	today := s.today()
	old := map[Hash]int64{}
	rows, err := s.read.QueryContext(ctx, `SELECT hash, id FROM chunks WHERE set_id = ? AND used_day < ?`, of.id, today)
	if err != nil {
		return s.fault("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		var id int64
		if err := rows.Scan(&b, &id); err != nil {
			return s.fault("read", err)
		}
		if len(b) == len(Hash{}) {
			old[Hash(b)] = id
		}
	}
	if err := rows.Err(); err != nil {
		return s.fault("read", err)
	}
	sorted := slices.Clone(hashes)
	slices.SortFunc(sorted, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	sorted = slices.Compact(sorted)
	sorted = slices.DeleteFunc(sorted, func(h Hash) bool { _, ok := old[h]; return !ok })
	if len(sorted) == 0 {
		return nil
	}
	return s.change("touch", func(tx *sql.Tx) error {
		mark, err := tx.Prepare(`UPDATE chunks SET used_day = ? WHERE id = ?`)
		if err != nil {
			return err
		}
		defer mark.Close()
		for _, h := range sorted {
			if _, err := mark.Exec(today, old[h]); err != nil {
				return err
			}
		}
		return nil
	})
}

const day = 24 * time.Hour

func (s *Store) today() int64 { return s.options.Now().Unix() / int64(day/time.Second) }
