package index

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/index/meta"
)

// Linker makes the edges of the code graph: internal/app gives one over package graph. Provides may be called from several
// goroutines.
type Linker interface {
	// Provides lists what a file offers to the links of others. text is called when the file's text counts for that.
	Provides(path string, x *agenvantage.Extraction, text func() (string, error)) ([]string, error)
	// ChangedKeys lists the keys that differ between what a file provided before and provides now. Links that depend on one
	// of them are stale, and no others beside those of the file itself. nil stands for a file that is not there.
	ChangedKeys(before, now []string) []string
	// FileKey is the key that the links of a file with an edge into the one at path depend on.
	FileKey(path string) string
	// Resolver resolves files of one state. It need not be safe for concurrent use; several share the corpus.
	Resolver(c LinkCorpus) LinkResolver
}

// LinkResolver finds what leads out of the file with a rank. The same corpus gives the same answer.
type LinkResolver interface {
	Resolve(file uint32) (Links, error)
}

// LinkCorpus is one state of all files, named by the ranks of their paths, as a LinkResolver reads it. It is safe for
// concurrent use.
type LinkCorpus interface {
	FileCount() int
	Path(f uint32) string
	Lang(f uint32) string
	Class(f uint32) agenvantage.Class
	Find(path string) (uint32, bool)
	Facts(f uint32) (*agenvantage.Extraction, error)
	Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error)
	Text(f uint32) (string, error)
	Named(name string) ([]agenvantage.Node, error)
}

// Links is what leads out of one file.
type Links struct {
	Edges      []agenvantage.Edge
	Unresolved map[string]int // references without an edge, by reason
	DependsOn  []string       // keys; of stored links it is nil
	Failure    string         // why the file could not be resolved, "" when it was
}

// linkTimeout bounds the resolution of one file. The slowest of the Go standard library takes 0.3 s on a busy machine.
const linkTimeout = 20 * time.Second

// A failure is stored with this in front when it was one of time, which is tried again only when the file changes.
const timedOut = "time: "

// linking is the part of an update that keeps the edges. It gathers what changed while files are written, and resolves the
// files that this touches when all of them are.
type linking struct {
	linker      Linker
	before, now map[string][]string // what changed files provided and provide; a path is in both, or one
	numbers     map[string]uint32   // of changed files before
}

func newLinking(l Linker) *linking {
	return &linking{linker: l, before: map[string][]string{}, now: map[string][]string{}, numbers: map[string]uint32{}}
}

// linked reports that edges are kept; those of a fresh epoch are all made at its end, so that nothing has to be gathered.
func (u *update) linked() bool { return u.req.Linker != nil && !u.fresh }

// noteBefore keeps what a file provided; it is called before its facts go.
func (u *update) noteBefore(row *meta.FileRow) error {
	x, err := u.facts.Facts(row.ID)
	if err != nil {
		return err
	}
	if x.References, x.Bindings, err = u.facts.Uses(row.ID); err != nil {
		return err
	}
	u.links.numbers[row.Path] = row.ID
	provided, err := u.req.Linker.Provides(row.Path, x, func() (string, error) { return u.facts.Text(row.ID) })
	if err != nil {
		return fmt.Errorf("link %q: %w", row.Path, err)
	}
	u.links.before[row.Path] = provided
	return nil
}

// link resolves what the outcome makes stale, and writes it into the open transaction.
func (u *update) link(ctx context.Context, o *outcome) error {
	if u.req.Linker == nil || !u.fresh && len(u.links.before)+len(u.links.now) == 0 {
		return nil
	}
	stale, moved, err := u.staleLinks(o)
	if err == nil {
		err = u.renumber(o, moved)
	}
	if err != nil || len(stale) == 0 {
		return err
	}
	names, err := newNameIndex(o.files, u.facts.EachName)
	if err != nil {
		return err
	}
	return u.resolveAll(ctx, &linkCorpus{rows: o.files, facts: u.facts, names: names}, stale)
}

// movedLinks are the links of a file that stand but for the numbers of files that they lead to.
type movedLinks struct {
	file    uint32
	depends []uint32
}

// staleLinks lists the ranks of the files to resolve, in order, and the links that have to follow files to other numbers: a
// file that changed has a new one, also where others see no change.
func (u *update) staleLinks(o *outcome) (stale []uint32, moved []movedLinks, err error) {
	fresh := make([]bool, len(o.files)) // files whose stored links stand
	if !u.fresh {
		rank := make(map[uint32]int, len(o.files))
		for i := range o.files {
			rank[o.files[i].ID] = i
		}
		changed, renumbered := u.links.changed(), u.links.renumbered()
		err := u.facts.EachDepends(func(file uint32, depends []uint32) {
			i, ok := rank[file]
			if !ok {
				return
			}
			fresh[i] = !sharesKey(depends, changed)
			if fresh[i] && sharesKey(depends, renumbered) {
				moved = append(moved, movedLinks{file, slices.Clone(depends)})
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for i := range o.files {
		if _, changed := u.links.now[o.files[i].Path]; changed || !fresh[i] {
			stale = append(stale, uint32(i))
		}
	}
	return stale, moved, nil
}

// renumber writes links again whose targets have other numbers now.
func (u *update) renumber(o *outcome, moved []movedLinks) error {
	if len(moved) == 0 {
		return nil
	}
	now := map[uint32]uint32{}
	for i := range o.files {
		if before, ok := u.links.numbers[o.files[i].Path]; ok {
			now[before] = o.files[i].ID
		}
	}
	for _, m := range moved {
		l, err := u.facts.Links(m.file)
		if err != nil {
			return err
		}
		for i := range l.Edges {
			if number, ok := now[l.Edges[i].To.File]; ok {
				l.Edges[i].To.File = number
			}
			if number, ok := now[l.Edges[i].From.File]; ok {
				l.Edges[i].From.File = number
			}
		}
		if err := u.facts.PutLinks(meta.LinkRow{File: m.file, Depends: m.depends, Edges: len(l.Edges), Blob: meta.EncodeLinks(m.file, l)}); err != nil {
			return err
		}
	}
	return nil
}

// renumbered is the set of hashes of the file keys of files that changed and are still there.
func (l *linking) renumbered() map[uint32]bool {
	hashes := map[uint32]bool{}
	for path := range l.now {
		if _, known := l.before[path]; known {
			hashes[meta.KeyHash(l.linker.FileKey(path))] = true
		}
	}
	return hashes
}

// changed is the set of hashes of the keys that changed.
func (l *linking) changed() map[uint32]bool {
	hashes := map[uint32]bool{}
	add := func(path string) {
		for _, key := range l.linker.ChangedKeys(l.before[path], l.now[path]) {
			hashes[meta.KeyHash(key)] = true
		}
	}
	for path := range l.before {
		add(path)
	}
	for path := range l.now {
		if _, done := l.before[path]; !done {
			add(path)
		}
	}
	return hashes
}

// sharesKey reports whether a key of depends changed. Links of a file that the program failed on depend on anything.
func sharesKey(depends []uint32, changed map[uint32]bool) bool {
	for _, h := range depends {
		if changed[h] || h == dependsOnAll {
			return true
		}
	}
	return false
}

// dependsOnAll stands, among the hashes of keys, for every key. A key with that hash is only resolved too often.
const dependsOnAll = 0

// resolveAll resolves files side by side. Neighbours by path, which read the same files, go to the same worker.
func (u *update) resolveAll(ctx context.Context, c *linkCorpus, files []uint32) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	const run = 32 // files in a row for one worker
	runs := make(chan []uint32)
	results := make(chan meta.LinkRow, 64)
	workers := u.req.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wait sync.WaitGroup
	for range min(workers, 1+len(files)/run) {
		wait.Go(func() {
			r := &containedResolver{linker: u.req.Linker, corpus: c, timeout: linkTimeout}
			for files := range runs {
				for _, f := range files {
					row, err := r.resolve(ctx, f)
					if err != nil {
						cancel(err)
						return
					}
					select {
					case results <- row:
					case <-ctx.Done():
						return
					}
				}
			}
		})
	}
	go func() {
		defer close(results)
		defer wait.Wait()
		defer close(runs)
		for at := 0; at < len(files); at += run {
			select {
			case runs <- files[at:min(at+run, len(files))]:
			case <-ctx.Done():
				return
			}
		}
	}()
	progress, told := Progress{Phase: PhaseLink, TotalFiles: len(files)}, time.Now()
	u.req.Progress(progress)
	for row := range results {
		if err := u.facts.PutLinks(row); err != nil {
			cancel(err)
			continue // until the workers have ended
		}
		progress.DoneFiles++
		if now := time.Now(); now.Sub(told) > 100*time.Millisecond {
			told = now
			u.req.Progress(progress)
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	u.req.Progress(progress)
	return nil
}

// containedResolver keeps a failure of the program on one file to that file.
type containedResolver struct {
	linker   Linker
	corpus   *linkCorpus
	timeout  time.Duration
	reader   *pausable
	resolver LinkResolver // nil after a failure: it may be broken
}

// resolve makes the row of a file. Errors are those of the corpus and the context.
func (r *containedResolver) resolve(ctx context.Context, f uint32) (meta.LinkRow, error) {
	if r.resolver == nil {
		r.reader = &pausable{linkCorpus: r.corpus}
	}
	type answer struct {
		links Links
		err   error
	}
	done := make(chan answer, 1)
	made, reader := r.resolver, r.reader
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				made, a = nil, answer{links: Links{Failure: fmt.Sprintf("the program failed on this file: %v", p)}}
			}
			done <- a
		}()
		if made == nil {
			made = r.linker.Resolver(reader)
		}
		a.links, a.err = made.Resolve(f)
	}()
	timer := time.NewTimer(r.timeout)
	defer timer.Stop()
	var a answer
	select {
	case a = <-done:
		r.resolver = made
	case <-timer.C:
		r.resolver, a.links = nil, Links{Failure: timedOut + r.timeout.String() + " did not suffice"}
		reader.stop()
	case <-ctx.Done():
		reader.stop()
		return meta.LinkRow{}, ctx.Err()
	}
	if a.err != nil {
		return meta.LinkRow{}, a.err
	}
	return r.corpus.row(f, a.links), nil
}

// row encodes links, with file numbers for ranks.
func (c *linkCorpus) row(f uint32, l Links) meta.LinkRow {
	row := meta.LinkRow{File: c.rows[f].ID, Edges: len(l.Edges)}
	edges := make([]agenvantage.Edge, len(l.Edges))
	for i, e := range l.Edges {
		e.From.File, e.To.File = c.rows[e.From.File].ID, c.rows[e.To.File].ID
		edges[i] = e
	}
	row.Blob = meta.EncodeLinks(row.File, meta.Links{Edges: edges, Unresolved: l.Unresolved, Failure: l.Failure})
	for _, key := range l.DependsOn {
		row.Depends = append(row.Depends, meta.KeyHash(key))
	}
	if l.Failure != "" && len(l.Failure) > len(timedOut) && l.Failure[:len(timedOut)] != timedOut {
		row.Depends = append(row.Depends, dependsOnAll)
	}
	slices.Sort(row.Depends)
	row.Depends = slices.Compact(row.Depends)
	return row
}
