//go:build unix

package e2e

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	_ "github.com/mattn/go-sqlite3"
)

// databases opens each SQLite file of the index folder for reading.
func (tl *tool) databases(visit func(path string, db *sql.DB)) {
	tl.t.Helper()
	for _, path := range filesBelow(tl.t, tl.indexFolder()) {
		f, err := os.Open(path)
		if err != nil {
			tl.t.Fatal(err)
		}
		head := make([]byte, 15)
		n, _ := f.Read(head)
		f.Close()
		if string(head[:n]) != "SQLite format 3" {
			continue
		}
		db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
		if err != nil {
			tl.t.Fatal(err)
		}
		visit(path, db)
		db.Close()
	}
}

// soundStore wants each SQLite file of the index to pass its own check.
func (tl *tool) soundStore() {
	tl.t.Helper()
	seen := 0
	tl.databases(func(path string, db *sql.DB) {
		seen++
		verdict := ""
		if err := db.QueryRow("pragma integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
			tl.t.Errorf("%s: %s %v", filepath.Base(path), verdict, err)
		}
	})
	if seen == 0 {
		tl.t.Error("no SQLite file in the index folder: this check looks at nothing")
	}
}

// storedBytes is everything in the index folder as it can be searched for text: each file as it lies there, and each
// compressed value of the databases unpacked.
func (tl *tool) storedBytes(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, path := range filesBelow(t, tl.indexFolder()) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = raw
	}
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unpack.Close()
	tl.databases(func(path string, db *sql.DB) {
		for _, table := range tableNames(t, db) {
			rows, err := db.Query(`select * from "` + strings.ReplaceAll(table, `"`, `""`) + `"`)
			if err != nil {
				t.Fatal(err)
			}
			columns, _ := rows.Columns()
			var all bytes.Buffer
			for rows.Next() {
				values, into := make([]any, len(columns)), make([]any, len(columns))
				for i := range values {
					into[i] = &values[i]
				}
				if err := rows.Scan(into...); err != nil {
					t.Fatal(err)
				}
				for _, v := range values {
					if packed, ok := v.([]byte); ok {
						if text, err := unpack.DecodeAll(packed, nil); err == nil {
							all.Write(text)
							all.WriteByte('\n')
						}
					}
				}
			}
			rows.Close()
			out[path+", table "+table] = all.Bytes()
		}
	})
	return out
}

func tableNames(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.Query("select name from sqlite_master where type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		name := ""
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
