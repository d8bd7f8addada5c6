package index

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/extract"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
)

// result is a job done: left out (skip), found to be as indexed (touched), or read.
type result struct {
	job     job
	row     meta.FileRow // ID is 0
	skip    *meta.SkipRow
	touched bool // the bytes are those that are indexed
	docs    []*lexical.Document
	content meta.Content
	// provides is what the file offers to the links of others, where those are kept from one generation to the next.
	provides []string
	err      error
}

// startWorkers reads and extracts the jobs side by side. The channel gives, in the order of the jobs, a channel with the
// result of each.
func (w *writing) startWorkers(jobs []job) <-chan chan *result {
	ordered := make(chan chan *result, 1024)
	type task struct {
		job job
		to  chan *result
	}
	tasks := make(chan task)
	go func() {
		defer close(ordered)
		defer close(tasks)
		for _, j := range jobs {
			if w.budget.take(w.ctx, j.entry.Size) != nil {
				return
			}
			to := make(chan *result, 1)
			select {
			case ordered <- to:
			case <-w.ctx.Done():
				return
			}
			select {
			case tasks <- task{j, to}:
			case <-w.ctx.Done():
				return
			}
		}
	}()
	workers := w.u.req.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range min(workers, len(jobs)) {
		w.wait.Add(1)
		go func() {
			defer w.wait.Done()
			var a lexical.Analyzer
			for t := range tasks {
				t.to <- w.work(&a, t.job)
			}
		}()
	}
	return ordered
}

// work does one job.
func (w *writing) work(a *lexical.Analyzer, j job) (r *result) {
	r = &result{job: j}
	seen := time.Now().UnixNano()
	leaveOut := func(s agenvantage.Skip) {
		r.skip = &meta.SkipRow{Skip: s, Looked: true, DiskSize: j.entry.Size, ModNS: j.entry.ModNS, ChangeNS: j.entry.ChangeNS, SeenNS: seen}
	}
	defer func() {
		if p := recover(); p != nil { // one bad file never ends a run
			leaveOut(agenvantage.Skip{Path: j.entry.Path, Reason: agenvantage.SkipUnreadable, Detail: fmt.Sprintf("the program failed on this file: %v", p), Size: j.entry.Size})
		}
	}()
	src, skip, err := w.u.req.Source.Read(w.ctx, j.entry)
	if err != nil {
		r.err = err
		return r
	}
	if skip != nil {
		leaveOut(*skip)
		return r
	}
	r.row = meta.FileRow{File: src.File, SeenNS: seen}
	if j.old != nil && j.old.Hash == src.File.Hash {
		r.touched = true
		return r
	}
	src.Text = extract.PrepareText(src.File.Path, src.File.Lang, src.Text)
	x, err := w.u.req.Extractor.Extract(w.ctx, extract.Input{Path: src.File.Path, Lang: src.File.Lang, Class: src.File.Class, Text: src.Text})
	if err != nil {
		r.err = fmt.Errorf("extract %s: %w", j.entry.Path, err)
		return r
	}
	var tokens lexical.Lengths
	r.docs, tokens = documents(a, src.File.Path, src.Text, &x)
	r.row.State, r.row.Chunks, r.row.Symbols, r.row.Tokens = x.State, len(x.Chunks), len(x.Symbols), tokens
	r.content = meta.Encode(src.Text, x)
	r.content.Hashes = chunkHashes(src.Text, &x)
	if w.u.linked() {
		if r.provides, err = w.u.req.Linker.Provides(src.File.Path, &x, func() (string, error) { return src.Text, nil }); err != nil {
			r.err = fmt.Errorf("link %s: %w", j.entry.Path, err)
		}
	}
	return r
}

// budget is a number of bytes that goroutines share. A request above the whole waits for the whole.
type budget struct {
	mu    sync.Mutex
	free  int64
	whole int64
	more  chan struct{}
}

func newBudget(bytes int64) *budget {
	return &budget{free: bytes, whole: bytes, more: make(chan struct{}, 1)}
}

func (b *budget) take(ctx context.Context, bytes int64) error {
	bytes = min(bytes, b.whole)
	for {
		b.mu.Lock()
		ok := b.free >= bytes
		if ok {
			b.free -= bytes
		}
		b.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-b.more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b *budget) give(bytes int64) {
	b.mu.Lock()
	b.free += min(bytes, b.whole)
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
}
