package store

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/embed"
)

// set is what the methods need of a set.
type set struct {
	id         int64
	dimensions int
}

// SetInfo is one set of vectors and what it holds.
type SetInfo struct {
	Key      string
	Identity embed.Identity
	Created  time.Time
	Met      time.Time // when a service was last found to give its vectors (AddSet)
	Vectors  int
	Failures int
	Queries  int
	// Version grows with every change of the vectors or failures: who keeps them in memory reads them again then.
	Version int64
}

// passedOn stands behind the endpoint of a set whose texts the service sends on to another machine. No address holds a "#" itself.
const passedOn = "#passed-on"

// errNoSet means that nothing was ever stored for an identity.
var errNoSet = errors.New("no such set of vectors")

// checkKey guards the names of files that are made from keys.
func checkKey(key string) error {
	if b, err := hex.DecodeString(key); err != nil || len(b) != 16 {
		return fmt.Errorf("%w: %q is no key of a set of vectors", agenvantage.ErrBadInput, key)
	}
	return nil
}

// AddSet makes the set of an identity where it is not there, records who gives its vectors now, and returns its key.
func (s *Store) AddSet(i embed.Identity) (key string, err error) {
	key = i.Key()
	if i.Dimensions <= 0 {
		return "", fmt.Errorf("%w: a set of vectors of %d dimensions", agenvantage.ErrBadInput, i.Dimensions)
	}
	return key, s.change("add a set of vectors", func(tx *sql.Tx) error {
		now := s.options.Now().UnixNano()
		_, err := tx.Exec(`INSERT INTO sets (key, provider, endpoint, model, digest, dimensions, parameters, prefix, created_ns, met_ns, version)
			VALUES (?,?,?,?,?,?,?,?,?,?,0) ON CONFLICT (key) DO UPDATE SET endpoint = excluded.endpoint, met_ns = excluded.met_ns`,
			key, i.Provider, i.Endpoint+map[bool]string{true: passedOn}[i.PassedOn], i.Model, i.Digest, i.Dimensions, i.Parameters, i.Prefix, now, now)
		return err
	})
}

// set finds a set by its key, or returns errNoSet. Nothing is remembered: another process may have removed it and made it anew.
func (s *Store) set(key string) (set, error) {
	var found set
	err := s.read.QueryRow(`SELECT id, dimensions FROM sets WHERE key = ?`, key).Scan(&found.id, &found.dimensions)
	if errors.Is(err, sql.ErrNoRows) {
		return found, fmt.Errorf("%w: %s", errNoSet, key)
	}
	if err == nil && (found.dimensions <= 0 || found.dimensions > 1<<20) {
		err = fmt.Errorf("%w: a set of %d dimensions", ErrCorrupt, found.dimensions)
	}
	return found, s.fault("read", err)
}

// Sets lists the sets in the order of their keys.
func (s *Store) Sets() ([]SetInfo, error) {
	return s.list(`(SELECT count(*) FROM chunks WHERE set_id = sets.id), (SELECT count(*) FROM failures WHERE set_id = sets.id),
		(SELECT count(*) FROM queries WHERE set_id = sets.id)`)
}

// Identities is Sets without the counts, which take a pass over all there is.
func (s *Store) Identities() ([]SetInfo, error) { return s.list(`0, 0, 0`) }

func (s *Store) list(counts string) ([]SetInfo, error) {
	rows, err := s.read.Query(`SELECT key, provider, endpoint, model, digest, dimensions, parameters, prefix, created_ns, met_ns, version, ` + counts + ` FROM sets ORDER BY key`)
	if err != nil {
		return nil, s.fault("read", err)
	}
	defer rows.Close()
	var all []SetInfo
	for rows.Next() {
		var i SetInfo
		var created, met int64
		if err := rows.Scan(&i.Key, &i.Identity.Provider, &i.Identity.Endpoint, &i.Identity.Model, &i.Identity.Digest, &i.Identity.Dimensions,
			&i.Identity.Parameters, &i.Identity.Prefix, &created, &met, &i.Version, &i.Vectors, &i.Failures, &i.Queries); err != nil {
			return nil, s.fault("read", err)
		}
		i.Identity.Endpoint, i.Identity.PassedOn = strings.CutSuffix(i.Identity.Endpoint, passedOn)
		i.Created, i.Met = time.Unix(0, created), time.Unix(0, met)
		all = append(all, i)
	}
	return all, s.fault("read", rows.Err())
}

// Version is SetInfo.Version of one set, -1 while there is no such set.
func (s *Store) Version(key string) (version int64, err error) {
	err = s.read.QueryRow(`SELECT version FROM sets WHERE key = ?`, key).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, nil
	}
	return version, s.fault("read", err)
}
