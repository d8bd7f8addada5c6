package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"agenvantage/internal/app"
)

func TestProgressInPlainLines(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	b := &progress{w: &out, now: func() time.Time { return now }}
	tick := func(d time.Duration, u app.Progress) {
		now = now.Add(d)
		b.update(u)
	}
	tick(0, app.Progress{Phase: app.PhaseScan})
	tick(time.Second, app.Progress{Phase: app.PhaseScan, DoneFiles: 12})
	for i := range 101 { // 20 ms a file: 2 s in total
		tick(20*time.Millisecond, app.Progress{Phase: app.PhaseIndex, DoneFiles: i, TotalFiles: 100, DoneBytes: int64(i) * 1000, TotalBytes: 100000})
	}
	tick(time.Millisecond, app.Progress{Phase: app.PhaseMerge})
	tick(11*time.Second, app.Progress{Phase: app.PhaseMerge})
	tick(time.Millisecond, app.Progress{Phase: app.PhaseWait, Note: "process 12\x1b"})
	tick(time.Millisecond, app.Progress{Phase: app.PhaseWait, Note: "process 12\x1b"})
	b.close()
	tick(time.Minute, app.Progress{Phase: app.PhaseIndex, DoneFiles: 1, TotalFiles: 2})
	want := `looking for files: 12
indexing 49 of 100 files (49%), 50.0 kB/s, 1s left
indexing 99 of 100 files (99%), 50.0 kB/s, 0s left
merging the index
waiting for another index run: process 12\x1b
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestProgressIsQuietForShortRuns(t *testing.T) {
	var out bytes.Buffer
	b := &progress{w: &out, now: time.Now}
	for i := range 1000 {
		b.update(app.Progress{Phase: app.PhaseIndex, DoneFiles: i, TotalFiles: 1000})
	}
	b.close()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// TestProgressBar draws the bar into a file, which mpb takes for no terminal: what matters is that it ends.
func TestProgressBar(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	now := time.Now()
	b := &progress{w: f, terminal: true, now: func() time.Time { now = now.Add(100 * time.Millisecond); return now }}
	for i := range 101 {
		b.update(app.Progress{Phase: app.PhaseIndex, DoneFiles: i, TotalFiles: 100})
	}
	if b.bar == nil || !strings.Contains(b.beside.Load().(string), "indexing 100 of 100 files (100%)") {
		t.Error("no bar")
	}
	done := make(chan bool)
	go func() { b.close(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the bar does not end")
	}
}
