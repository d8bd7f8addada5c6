// Package app wires the concrete stores, parsers and channels into the operations that the front ends call. It is the
// only place that knows concrete types; read app.go first, then search.go and pipeline/search.go.
package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/extract"
	"agenvantage/index"
	"agenvantage/pipeline"
	"agenvantage/scan"
)

// IndexFormat is the version of the index format that this program writes and reads.
const IndexFormat = index.Format

// App answers for one repository root. It is safe for concurrent use; Close it.
type App struct {
	root        string
	config      *configs.Config
	walker      *scan.Walker
	extractor   *extract.Extractor
	index       *index.Index
	optionsHash string

	searchOptions pipeline.Options
	exactOptions  channels.ExactOptions
	bm25fOptions  channels.BM25FOptions

	using  sync.RWMutex // held for reading by each operation, for writing by Close
	closed bool

	refreshing  sync.Mutex // guards the two below, and lets one search at a time refresh
	checkedAt   time.Time  // when the tree was last compared with the index
	staleReason string     // what that comparison left undone

	pinning sync.Mutex // guards current
	current *pinned
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
	a := &App{root: root, config: cfg, optionsHash: cfg.IndexHash()}
	if err := a.setOptions(); err != nil {
		return nil, err
	}
	if a.extractor, err = extract.New(extract.Options{MaxChunkChars: cfg.Extract.MaxChunkChars, ParseTimeout: cfg.Extract.ParseTimeout, MaxDepth: cfg.Extract.MaxDepth}); err != nil {
		return nil, err
	}
	if a.index, err = index.Open(folder); err != nil {
		return nil, err
	}
	// The walker comes last: it alone holds a file open.
	if a.walker, err = scan.Open(root, scan.Options{MaxFileBytes: cfg.Scan.MaxFileBytes, Languages: cfg.Languages, IndexDir: folder}); err != nil {
		return nil, err
	}
	return a, nil
}

// ResolveRoot is the root that Open would use for root. A relative folder is made absolute; links are resolved, so that
// one repository has one root.
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
	return resolved, nil
}

// Root is the absolute root.
func (a *App) Root() string { return a.root }

// Channels lists the names that --channels accepts beside auto, in the order in which they are reported.
func Channels() []string { return []string{"exact", "bm25f"} }

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
	a.unpin()
	return a.walker.Close()
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
type corpus struct{ *index.View }

func (c *corpus) Path(file uint32) string             { return c.File(file).Path }
func (c *corpus) Lang(file uint32) string             { return c.File(file).Lang }
func (c *corpus) Class(file uint32) agenvantage.Class { return c.File(file).Class }

// pinned is a view with its channels, which keep tables of it, and the number of its users; the last one closes it. App
// itself counts as one.
type pinned struct {
	corpus   *corpus
	channels []channels.Channel // in the order of Channels
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

// pin returns the current generation; the caller releases it. A view is kept open from one search to the next until
// renew finds a newer generation.
func (a *App) pin(ctx context.Context) (*pinned, error) {
	a.pinning.Lock()
	defer a.pinning.Unlock()
	if a.current == nil {
		view, err := a.index.View(ctx)
		if err != nil {
			return nil, err
		}
		c := &corpus{view}
		a.current = &pinned{corpus: c, users: 1, app: a,
			channels: []channels.Channel{channels.NewExact(c, a.exactOptions), channels.NewBM25F(c, a.bm25fOptions)}}
	}
	a.current.users++
	return a.current, nil
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
