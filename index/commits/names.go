package commits

import (
	"database/sql"
	"fmt"
)

// Kinds of names.
const (
	namePath = iota
	nameAuthor
)

// readNames reads the texts of a kind with their numbers.
func (u *update) readNames(kind, next int) (map[string]uint32, error) {
	texts, err := namesOf(u.tx, kind, next)
	if err != nil {
		return nil, err
	}
	numbers := make(map[string]uint32, len(texts))
	for i, t := range texts {
		numbers[t] = uint32(i)
	}
	return numbers, nil
}

func namesOf(q *sql.Tx, kind, next int) ([]string, error) {
	rows, err := q.Query(`SELECT first, texts FROM names WHERE kind = ? ORDER BY first`, kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make([]string, 0, next)
	for rows.Next() {
		var first int
		var packed sql.RawBytes
		if err := rows.Scan(&first, &packed); err != nil {
			return nil, err
		}
		b, err := unpack(packed)
		if err != nil {
			return nil, err
		}
		texts, err := decodeTexts(b)
		if err != nil {
			return nil, err
		}
		if first != len(all) {
			return nil, fmt.Errorf("%w: names begin at %d after %d", ErrCorrupt, first, len(all))
		}
		all = append(all, texts...)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(all) != next {
		return nil, fmt.Errorf("%w: %d names, want %d", ErrCorrupt, len(all), next)
	}
	return all, nil
}
