package commits

import (
	"context"
	"database/sql"
	"errors"
	"slices"
)

// base is the revision of the newest update whose whole history is stored, "" without one.
func (u *update) base() (string, error) {
	revisions, err := u.heads()
	if err != nil {
		return "", err
	}
	for _, revision := range revisions {
		if at := u.graph.find(rawID(revision)); at >= 0 && revision != u.request.Revision {
			if _, lacking := u.graph.reach(at); lacking == 0 {
				return revision, nil
			}
		}
	}
	return "", nil
}

// heads lists the revisions of updates, the newest first.
func (u *update) heads() ([]string, error) {
	var q interface {
		Query(query string, args ...any) (*sql.Rows, error)
	} = u.db
	if u.tx != nil { // the one connection is taken
		q = u.tx
	}
	rows, err := q.Query(`SELECT revision FROM heads ORDER BY turn DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var revisions []string
	for rows.Next() {
		var revision string
		if err := rows.Scan(&revision); err != nil {
			return nil, err
		}
		revisions = append(revisions, revision)
	}
	return revisions, rows.Err()
}

// recordHead notes the revision as the newest one that the file was brought up to, and forgets those too far back.
func (u *update) recordHead() error {
	total := u.total
	if total == 0 {
		err := u.tx.QueryRow(`SELECT total FROM heads WHERE revision = ?`, u.request.Revision).Scan(&total)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	_, err := u.tx.Exec(`INSERT OR REPLACE INTO heads SELECT ?, 1 + coalesce(max(turn), 0), ? FROM heads`, u.request.Revision, total)
	if err != nil {
		return err
	}
	_, err = u.tx.Exec(`DELETE FROM heads WHERE revision NOT IN (SELECT revision FROM heads ORDER BY turn DESC LIMIT ?)`, keptHeads)
	return err
}

// garbage counts the rows that no kept revision reaches.
func (u *update) garbage() (int, error) {
	revisions, err := u.heads()
	if err != nil {
		return 0, err
	}
	var tips []int
	for i := range u.graph.rows {
		if slices.Contains(revisions, hexID(u.graph.rows[i].id)) {
			tips = append(tips, i)
		}
	}
	live, _ := u.graph.reach(tips...)
	dead := 0
	for _, l := range live {
		if !l {
			dead++
		}
	}
	return dead, nil
}

// Nearest finds, among the revisions that the file was brought up to lately, the newest one for which isAncestor is true;
// "" when there is none. At most maxNearest are asked for.
func Nearest(ctx context.Context, file string, isAncestor func(revision string) (bool, error)) (string, error) {
	db, err := openReader(file)
	if err != nil {
		return "", fault("open", file, err)
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", fault("open", file, err)
	}
	defer tx.Rollback()
	if _, err := headOf(tx); err != nil {
		return "", fault("open", file, err)
	}
	rows, err := tx.QueryContext(ctx, `SELECT revision FROM heads ORDER BY turn DESC LIMIT ?`, maxNearest)
	if err != nil {
		return "", fault("read", file, err)
	}
	var revisions []string
	for rows.Next() {
		var revision string
		if err := rows.Scan(&revision); err != nil {
			rows.Close()
			return "", fault("read", file, err)
		}
		revisions = append(revisions, revision)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return "", fault("read", file, err)
	}
	for _, revision := range revisions {
		if yes, err := isAncestor(revision); err != nil || yes {
			return revision, err
		}
	}
	return "", nil
}

// maxNearest bounds the revisions that Nearest asks for: each costs a process of git.
const maxNearest = 4
