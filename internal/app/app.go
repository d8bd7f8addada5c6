// Package app wires the concrete stores, parsers and channels into the operations that the front ends call. It is the
// only place that knows concrete types; read app.go first, then search.go and pipeline/search.go.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/extract"
	"agenvantage/index"
	"agenvantage/pipeline"
	"agenvantage/scan"
	"agenvantage/scan/redact"
)

// IndexFormat is the version of the index format that this program writes and reads.
const IndexFormat = index.Format

// App answers for one repository root. It is safe for concurrent use; Close it.
type App struct {
	root        string
	config      *configs.Config
	tree        tree
	folder      fs.FileInfo // the root when it was opened; nil for the tree of a commit
	fixed       bool        // the tree is a commit: it never changes, and its index is updated by Index alone
	extractor   *extract.Extractor
	index       *index.Index
	optionsHash string

	makers        []maker // of the channels, in the order in which they are reported
	searchOptions pipeline.Options
	exactOptions  channels.ExactOptions
	bm25fOptions  channels.BM25FOptions

	provenanceOptions channels.ProvenanceOptions
	graphOptions      channels.GraphOptions

	using  sync.RWMutex // held for reading by each operation, for writing by Close
	closed bool

	refreshing  sync.Mutex // guards the four below, and lets one search at a time refresh
	checkedAt   time.Time  // when the tree was last compared with the index
	staleReason string     // what that comparison left undone
	historyAt   string     // revision that the stored history is known to have
	compared    comparison // the last one without a refresh

	historyDamaged atomic.Bool // the stored history could not be read

	maps overviews

	embedding *embedding
	reranking reranking

	keeper *keeper // of a service; nil where each call brings the index up to date by itself

	pinning sync.Mutex // guards current
	current *pinned
}

// tree is what the files are read from: a scan.Walker over a folder, or a scan.Commit.
type tree interface {
	index.Source
	Holds(f agenvantage.File) bool
	Close() error
}

// Open finds the root ("" means the enclosing git work tree of the current folder, else the current folder; a given
// folder is the root as it stands) and checks it. A bare repository or a missing folder is agenvantage.ErrBadInput.
// Nothing is read or written yet.
func Open(root string, cfg *configs.Config) (*App, error) {
	root, err := ResolveRoot(root)
	if err != nil {
		return nil, err
	}
	folder := cfg.IndexFolder(root)
	if info, err := os.Lstat(folder); err == nil && info.Mode()&os.ModeSymlink != 0 && cfg.IndexDir == "" {
		// A checked-out repository must not decide where on this machine something is written.
		return nil, fmt.Errorf("%w: %s is a link; remove it, or name the index folder yourself with --index-dir", agenvantage.ErrBadInput, folder)
	}
	a, err := prepare(root, folder, cfg)
	if err != nil {
		return nil, err
	}
	if a.folder, err = os.Stat(root); err != nil {
		return nil, rootGone(root)
	}
	// The walker comes last: it alone holds a file open.
	walker, err := scan.Open(root, scanOptions(cfg, folder))
	if err != nil {
		return nil, err
	}
	a.tree = presentTree{walker, a}
	return a, nil
}

// prepare makes an App that lacks its tree only.
func prepare(root, folder string, cfg *configs.Config) (*App, error) {
	a := &App{root: root, config: cfg, optionsHash: indexOptions(cfg, redact.Rules), makers: makers, embedding: newEmbedding(cfg)}
	err := a.setOptions()
	if err != nil {
		return nil, err
	}
	if a.extractor, err = extract.New(extract.Options{MaxChunkChars: cfg.Extract.MaxChunkChars, ParseTimeout: cfg.Extract.ParseTimeout, MaxDepth: cfg.Extract.MaxDepth}); err != nil {
		return nil, err
	}
	if a.index, err = index.Open(folder); err != nil {
		return nil, err
	}
	return a, nil
}

// indexOptions names all that decides what an index holds of a tree, under some version of the rules by which secrets are masked.
func indexOptions(cfg *configs.Config, rules int) string {
	return fmt.Sprintf("%s-%d", cfg.IndexHash(), rules)
}

func scanOptions(cfg *configs.Config, folder string) scan.Options {
	return scan.Options{MaxFileBytes: cfg.Scan.MaxFileBytes, Languages: cfg.Languages, IndexDir: folder}
}

// ResolveRoot is the root that Open would use for root. A relative folder is made absolute; links are resolved, so that
// one repository has one root. CheckRoot says whether one that was not named should be opened.
func ResolveRoot(root string) (string, error) {
	var err error
	if root == "" {
		if root, err = os.Getwd(); err != nil {
			return "", fmt.Errorf("find the current folder: %w", err)
		}
		if root, err = scan.FindRoot(root); err != nil {
			return "", err
		}
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("root %s: %w", root, err)
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return "", fmt.Errorf("%w: root %s: %v", agenvantage.ErrBadInput, root, err)
	}
	if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: root %s is not a folder", agenvantage.ErrBadInput, root)
	}
	return resolved, nil
}

// Root is the absolute root.
func (a *App) Root() string { return a.root }

// maker makes one channel over a pinned view.
type maker struct {
	name string
	make func(a *App, c *corpus) channels.Channel
}

// makers lists every channel, in the order in which they are reported.
var makers = []maker{
	{"exact", func(a *App, c *corpus) channels.Channel { return channels.NewExact(c, a.exactOptions) }},
	{"bm25f", func(a *App, c *corpus) channels.Channel { return channels.NewBM25F(c, a.bm25fOptions) }},
	{provenanceChannel, func(a *App, c *corpus) channels.Channel {
		return channels.NewProvenance(c, c.past, a.provenanceOptions)
	}},
	{channels.GraphName, func(a *App, c *corpus) channels.Channel { return channels.NewGraph(c, c.adjacency, a.graphOptions) }},
	{semanticChannel, func(a *App, c *corpus) channels.Channel { return semanticSearch{a, c} }},
}

// Channels lists the names that --channels accepts beside auto, in the order in which they are reported.
func Channels() []string { return namesOf(makers) }

func namesOf(ms []maker) []string {
	names := make([]string, len(ms))
	for i, m := range ms {
		names[i] = m.name
	}
	return names
}

// errClosed is returned by operations that begin after Close.
var errClosed = errors.New("app is closed")

// use holds Close back until done is called.
func (a *App) use() (done func(), err error) {
	a.using.RLock()
	if a.closed {
		a.using.RUnlock()
		return nil, errClosed
	}
	return a.using.RUnlock, nil
}

// Close releases readers and files, once the operations in flight have ended. Closing again does nothing.
func (a *App) Close() error {
	a.using.Lock()
	defer a.using.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	a.dropOverview()
	a.unpin()
	return errors.Join(a.embedding.close(), a.tree.Close())
}

// unpin drops the kept view; its users keep it open until they release it.
func (a *App) unpin() {
	a.pinning.Lock()
	current := a.current
	a.current = nil
	a.pinning.Unlock()
	if current != nil {
		current.release()
	}
}

// corpus is a pinned view in the shape that channels and pipeline read.
type corpus struct {
	*index.View
	past    *past     // its history
	links   adjacency // its graph
	vectors *corpusVectors
	facts   packFacts

	placed       sync.Once
	placedHashes [][]index.ChunkHash // with the paths: chunkHashes
}

// SizeOf is the size of a file in bytes.
func (c *corpus) SizeOf(file uint32) int64 { return c.File(file).Size }

// IsCode reports whether a file is written in a programming language.
func (c *corpus) IsCode(file uint32) bool { return scan.IsCode(c.File(file).Lang) }

func (a *App) newCorpus(view *index.View) *corpus {
	c := &corpus{View: view}
	c.past = &past{app: a, corpus: c}
	c.vectors = &corpusVectors{app: a, corpus: c}
	return c
}

// Close releases the files of the view and of its history.
func (c *corpus) Close() error {
	c.vectors.close()
	c.past.close()
	return c.View.Close()
}

func (c *corpus) Path(file uint32) string             { return c.File(file).Path }
func (c *corpus) Lang(file uint32) string             { return c.File(file).Lang }
func (c *corpus) Class(file uint32) agenvantage.Class { return c.File(file).Class }

// pinned is a view with its channels, which keep tables of it, and the number of its users; the last one closes it. App
// itself counts as one.
type pinned struct {
	corpus   *corpus
	channels []channels.Channel // in the order of Channels
	policy   ablations.Policy   // what auto means
	users    int
	app      *App
}

func (p *pinned) release() {
	p.app.pinning.Lock()
	p.users--
	last := p.users == 0
	p.app.pinning.Unlock()
	if last {
		p.corpus.Close()
	}
}

// again pins what is pinned already once more.
func (p *pinned) again() *pinned {
	p.app.pinning.Lock()
	defer p.app.pinning.Unlock()
	p.users++
	return p
}

// pin returns the current generation; the caller releases it. A view is kept open from one search to the next until
// renew finds a newer generation.
func (a *App) pin(ctx context.Context) (*pinned, error) {
	a.pinning.Lock()
	defer a.pinning.Unlock()
	if a.current != nil && a.current.corpus.Damaged() {
		a.dropCurrent()
	}
	if a.current == nil {
		view, err := a.index.View(ctx)
		if err != nil {
			return nil, err
		}
		c := a.newCorpus(view)
		p := &pinned{corpus: c, users: 1, app: a}
		for _, m := range a.makers {
			p.channels = append(p.channels, m.make(a, c))
		}
		if p.policy, err = a.readPolicy(ctx, c); err != nil {
			view.Close()
			return nil, err
		}
		a.current = p
	}
	a.current.users++
	return a.current, nil
}

// dropCurrent drops the kept view for those who hold pinning.
func (a *App) dropCurrent() {
	old := a.current
	a.current = nil
	if old.users--; old.users == 0 {
		old.corpus.Close()
	}
}

// renew drops the kept view when another generation is the newest, so that the next pin opens that one.
func (a *App) renew(ctx context.Context) {
	epoch, generation, err := a.index.Newest(ctx)
	a.pinning.Lock()
	current := a.current
	if current != nil && (err != nil || !current.corpus.IsAt(epoch, generation)) {
		a.current = nil
	} else {
		current = nil
	}
	a.pinning.Unlock()
	if current != nil {
		current.release()
	}
}
