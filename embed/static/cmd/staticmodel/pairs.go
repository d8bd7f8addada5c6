package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"agenvantage"
	"agenvantage/embed/static/corpus"
	"agenvantage/scan"
)

// pairsRun is one run of the pairs command.
type pairsRun struct {
	builder *corpus.Builder
	fetcher *corpus.Fetcher
	out     string

	mu    sync.Mutex
	done  []corpus.Package
	total int
	notes []string
}

func runPairs(ctx context.Context, args []string) error {
	flags := newFlags("pairs")
	manifest := flags.String("manifest", manifestFile, "packages to fetch, one a line")
	exclude := flags.String("exclude", "embed/static/corpus/exclude.txt", "repositories that may not be in, one a line")
	prints := flags.String("fingerprints", "embed/static/corpus/fingerprints.bin", "what those repositories hold")
	out := flags.String("out", "", "folder for the pairs; a run that was stopped goes on")
	work := flags.String("work", "", "folder for archives and sources; default OUT/work")
	write := flags.String("write", "", "write the manifest of what was used to this file")
	workers := flags.Int("workers", 1, "packages at a time")
	apt := flags.String("apt", "", "further options of apt-get, separated by spaces")
	keep := flags.Bool("keep", false, "keep the archives")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := checkWorkers(*workers); err != nil {
		return err
	}
	if *out == "" {
		return errors.New("-out is missing")
	}
	if *work == "" {
		*work = filepath.Join(*out, "work")
	}
	packages, err := readManifest(*manifest)
	if err != nil {
		return err
	}
	builder, err := newBuilder(*exclude, *prints)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	r := &pairsRun{builder: builder, fetcher: &corpus.Fetcher{Dir: *work, AptOptions: strings.Fields(*apt), Keep: *keep}, out: *out}
	r.all(ctx, packages, *workers)
	corpus.Sort(r.done)
	slices.Sort(r.notes)
	if *write != "" {
		if err := os.WriteFile(*write, []byte(corpus.FormatManifest(r.done)), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(*write+".left-out", []byte(strings.Join(r.notes, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d packages, %d pairs, %d left out, manifest %s\n", len(r.done), r.total, len(r.notes), corpus.ManifestHash(r.done))
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.done) == 0 {
		return errAllLeftOut
	}
	return nil
}

// errAllLeftOut means that no package gave a pair; each was told of with its reason.
var errAllLeftOut = errors.New("all packages were left out, for the reasons above")

// readManifest reads the packages of a manifest. None is an error: nothing could come of them.
func readManifest(name string) ([]corpus.Package, error) {
	packages, err := readFile(name, corpus.ReadManifest)
	if err == nil && len(packages) == 0 {
		err = fmt.Errorf("%w: the manifest %s is empty: it names no package", agenvantage.ErrBadInput, name)
	}
	return packages, err
}

func newBuilder(exclude, prints string) (*corpus.Builder, error) {
	fingerprints, err := readFile(prints, corpus.ReadFingerprints)
	if err != nil {
		return nil, err
	}
	exclusion, err := readFile(exclude, func(r io.Reader) (*corpus.Exclusion, error) { return corpus.ReadExclusion(r, fingerprints) })
	if err != nil {
		return nil, err
	}
	return corpus.NewBuilder(exclusion)
}

// all makes the pairs of every package; which of them runs when has no influence on the result.
func (r *pairsRun) all(ctx context.Context, packages []corpus.Package, workers int) {
	next := make(chan corpus.Package)
	var wait sync.WaitGroup
	for range max(1, workers) {
		wait.Go(func() {
			for p := range next {
				r.one(ctx, p)
			}
		})
	}
	for _, p := range packages {
		if ctx.Err() != nil {
			break
		}
		next <- p
	}
	close(next)
	wait.Wait()
}

// outcome is what came of one package, as it is kept for a run that goes on.
type outcome struct {
	Package corpus.Package
	Note    string // why it gave nothing, "" otherwise
}

// one makes the pairs of one package, unless an earlier run did.
func (r *pairsRun) one(ctx context.Context, p corpus.Package) {
	state := filepath.Join(r.out, p.Key()+".json")
	if old, err := os.ReadFile(state); err == nil {
		var was outcome
		if json.Unmarshal(old, &was) == nil && was.Package.Version == p.Version && (p.SHA256 == "" || was.Package.SHA256 == p.SHA256) {
			r.record(was.Package, was.Note)
			return
		}
	}
	made, note := p, ""
	err := func() error {
		if home, found := r.builder.Exclude.Excludes(p); found { // before it is fetched
			return fmt.Errorf("name of %s: %w", home, corpus.ErrExcluded)
		}
		dir, fetched, done, err := r.fetcher.Fetch(ctx, p)
		if err != nil {
			return err
		}
		defer done()
		built, pairs, err := r.builder.Build(ctx, dir, fetched)
		if err != nil {
			return err
		}
		made = built
		return corpus.WritePairs(r.out, built, pairs)
	}()
	if err != nil {
		note = err.Error()
	}
	if ctx.Err() != nil {
		return
	}
	if err == nil || errors.Is(err, corpus.ErrExcluded) || errors.Is(err, corpus.ErrLicence) { // the next run may have a better network
		text, _ := json.Marshal(outcome{made, note}) // plain strings and numbers
		_ = os.WriteFile(state, text, 0o644)         // only spares work
	}
	r.record(made, note)
}

func (r *pairsRun) record(p corpus.Package, note string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if note == "" && p.Pairs == 0 {
		note = "no pairs"
	}
	if note != "" {
		r.notes = append(r.notes, p.Key()+"\t"+note)
		fmt.Fprintf(os.Stderr, "%d left out: %s %s: %s\n", len(r.notes), p.Key(), p.Version, note)
		return
	}
	r.done = append(r.done, p)
	r.total += p.Pairs
	fmt.Fprintf(os.Stderr, "%d packages, %d pairs: %s %s %s %d\n", len(r.done), r.total, p.Key(), p.Version, p.Licence, p.Pairs)
}

func runFingerprints(ctx context.Context, args []string) error {
	flags := newFlags("fingerprints")
	out := flags.String("out", "embed/static/corpus/fingerprints.bin", "file to write")
	if err := parseSome(flags, args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("the folders of sources to write the fingerprints of are missing")
	}
	isCode := func(path string) bool {
		lang, _ := scan.ClassifyPath(path)
		return scan.IsCode(lang)
	}
	var sketches []corpus.Fingerprints
	for _, root := range flags.Args() {
		files, sketch := 0, corpus.Fingerprints{}
		err := eachSource(ctx, root, isCode, func(s scan.Source) error {
			files++
			sketch = append(sketch, corpus.Sketch(s.Text)...)
			return nil
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, root, files, len(sketch))
		sketches = append(sketches, sketch)
	}
	all := corpus.Merge(sketches)
	f, err := os.Create(*out)
	if err != nil {
		return err
	}
	return errors.Join(all.Write(f), f.Close())
}
