package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"agenvantage"
)

// Options are what both front ends share.
type Options struct {
	Roots  Roots
	Open   func(root string) (Service, error) // makes the service of a root; it is asked once for each
	Logger *slog.Logger                       // nil says nothing
	// Wait bounds how long a call that needs an index waits for the first one; 0 means DefaultWait.
	Wait time.Duration
	// Timeout bounds each call; 0 means DefaultTimeout.
	Timeout time.Duration
	Version string // of the program
	Tracer  Tracer // is told of each call; nil for nobody
	Watch   bool   // follow the trees of services that can, once their index is built
}

// DefaultWait is below the half minute after which clients give up on a call, and long enough for the first index of a thousand
// files.
const DefaultWait = 10 * time.Second

// DefaultTimeout bounds a call that nobody takes back.
const DefaultTimeout = 60 * time.Second

// maxRepositories bounds the roots that are open at the same time: each holds an index open.
const maxRepositories = 16

// retryAfter spares a root whose build has failed, or that cannot be opened, from being tried with every call.
const retryAfter = 5 * time.Second

// Hub answers calls from the services of its roots, opens them when they are first asked for, and builds their indexes in the
// background. It is safe for concurrent use; Close it.
type Hub struct {
	options Options
	log     *slog.Logger
	context context.Context // of background work
	stop    context.CancelFunc
	working sync.WaitGroup
	places  chan struct{} // holds one for each call that runs

	mu           sync.Mutex
	repositories map[string]*repository
}

// repository is one root with its service.
type repository struct {
	root    string
	opened  chan struct{} // closed once service, folder, at and err are set
	at      string        // the folder that root stood for when it was opened
	service Service
	folder  *os.Root
	err     error
	failed  time.Time       // when opening failed
	context context.Context // of its work in the background
	stop    context.CancelFunc
	working sync.WaitGroup // the same

	mu       sync.Mutex
	building *Progress     // nil while nobody builds
	changed  chan struct{} // closed with each news of the build, then renewed
	built    bool          // a build has ended well
	buildErr error
	endedAt  time.Time
	watching bool
}

// NewHub makes a hub. Nothing is opened yet. Errors wrap agenvantage.ErrBadInput.
func NewHub(o Options) (*Hub, error) {
	if err := o.Roots.Validate(); err != nil {
		return nil, err
	}
	if o.Open == nil {
		return nil, fmt.Errorf("%w: a hub needs a way to open a repository", agenvantage.ErrBadInput)
	}
	if o.Wait <= 0 {
		o.Wait = DefaultWait
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	h := &Hub{options: o, log: o.Logger, repositories: map[string]*repository{}, places: make(chan struct{}, runningCalls*runtime.GOMAXPROCS(0))}
	if h.options.Tracer == nil {
		h.options.Tracer = untraced{}
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.context, h.stop = context.WithCancel(context.Background())
	return h, nil
}

// Close ends background work and closes the services, as far as that comes until the context ends. An index run that is abandoned
// goes on from its last checkpoint when it is begun again.
func (h *Hub) Close(ctx context.Context) error {
	h.stop()
	done := make(chan error, 1)
	go func() {
		h.working.Wait()
		h.mu.Lock()
		all := h.repositories
		h.repositories = map[string]*repository{}
		h.mu.Unlock()
		var errs []error
		for _, r := range all {
			<-r.opened
			if r.err == nil {
				errs = append(errs, r.service.Close(), r.folder.Close())
			}
		}
		done <- errors.Join(errs...)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Start opens a root and begins to build its index, in the background.
func (h *Hub) Start(root string) {
	if root == "" {
		return
	}
	h.background(func() {
		r, err := h.repository(h.context, root)
		if err != nil {
			h.log.Warn("root cannot be opened", "root", root, "error", err)
			return
		}
		h.build(r)
	})
}

// background runs work that Close waits for; after Close it does nothing, and says so.
func (h *Hub) background(work func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.context.Err() != nil {
		return false
	}
	h.working.Go(work)
	return true
}

// backgroundOf is background for the work of one repository, which is closed after it.
func (h *Hub) backgroundOf(r *repository, work func()) {
	r.working.Add(1)
	if !h.background(func() {
		defer r.working.Done()
		work()
	}) {
		r.working.Done()
	}
}

// repository gives the open repository of a root that may be asked about.
func (h *Hub) repository(ctx context.Context, root string) (*repository, error) {
	h.mu.Lock()
	r := h.repositories[root]
	if r != nil && r.isFailed() && (time.Since(r.failed) > retryAfter || errors.Is(r.err, agenvantage.ErrRootGone)) {
		r = nil
	}
	if r != nil && h.isReplaced(r) {
		h.retire(r)
		r = nil
	}
	if r == nil {
		if len(h.repositories) >= maxRepositories && h.repositories[root] == nil {
			h.mu.Unlock()
			return nil, fmt.Errorf("%w: %d roots are open, and no more can be", agenvantage.ErrBadInput, maxRepositories)
		}
		r = &repository{root: root, opened: make(chan struct{}), changed: make(chan struct{})}
		r.context, r.stop = context.WithCancel(h.context)
		h.repositories[root] = r
		go h.open(r)
	}
	h.mu.Unlock()
	select {
	case <-r.opened:
		if r.err == nil && !isFolder(h.options.Roots.target(root)) {
			return nil, fmt.Errorf("%w: %s", agenvantage.ErrRootGone, root)
		}
		return r, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func isFolder(root string) bool {
	info, err := os.Stat(root)
	return err == nil && info.IsDir()
}

// isReplaced reports that another folder has taken the place of the one that was opened, or that the link which it was named by leads to
// another. While there is none it may come back.
func (h *Hub) isReplaced(r *repository) bool {
	if !r.isOpen() {
		return false
	}
	target := h.options.Roots.target(r.root)
	now, err := os.Stat(target)
	if err != nil || !now.IsDir() {
		return false
	}
	opened, err := r.folder.Stat(".")
	return err != nil || target != r.at || !os.SameFile(now, opened)
}

// retire closes a repository once its work has ended, in the background. The caller holds mu.
func (h *Hub) retire(r *repository) {
	r.stop()
	if h.context.Err() != nil {
		return // Close does it
	}
	delete(h.repositories, r.root)
	h.working.Go(func() {
		r.working.Wait()
		if err := errors.Join(r.service.Close(), r.folder.Close()); err != nil {
			h.log.Warn("root cannot be closed", "root", r.root, "error", err)
		}
	})
}

// isOpen reports that opening has ended well, and isFailed that it has ended otherwise.
func (r *repository) isOpen() bool   { return r.isDone() && r.err == nil }
func (r *repository) isFailed() bool { return r.isDone() && r.err != nil }

func (r *repository) isDone() bool {
	select {
	case <-r.opened:
		return true
	default:
		return false
	}
}

func (h *Hub) open(r *repository) {
	defer close(r.opened)
	root := h.options.Roots.target(r.root)
	r.at = root
	if r.folder, r.err = os.OpenRoot(root); errors.Is(r.err, fs.ErrNotExist) {
		r.err = fmt.Errorf("%w: %s", agenvantage.ErrRootGone, r.root)
	}
	if r.err == nil {
		if r.service, r.err = h.options.Open(root); r.err != nil {
			r.folder.Close()
		}
	}
	if r.err != nil {
		r.failed = time.Now()
	}
}

// build builds the index of a repository unless somebody does already or one was built. It returns at once.
func (h *Hub) build(r *repository) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isTired := r.buildErr != nil && !errors.Is(r.buildErr, agenvantage.ErrIncomplete) && time.Since(r.endedAt) < retryAfter
	isRetired := r.context.Err() != nil
	if r.building != nil || r.built || isTired || isRetired {
		return
	}
	r.building, r.buildErr = &Progress{}, nil
	h.backgroundOf(r, func() {
		began := time.Now()
		err := r.service.Build(r.context, r.tell)
		r.mu.Lock()
		r.building, r.buildErr, r.built, r.endedAt = nil, err, err == nil, time.Now()
		r.news()
		r.mu.Unlock()
		if err != nil && r.context.Err() == nil {
			h.log.Warn("index could not be built", "root", r.root, "error", err)
		} else if err == nil {
			h.log.Info("index is up to date", "root", r.root, "took", time.Since(began).Round(time.Millisecond))
			h.watch(r)
		}
	})
}

// watch follows the tree of a repository in the background, once.
func (h *Hub) watch(r *repository) {
	w, can := r.service.(Watcher)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !can || !h.options.Watch || r.watching {
		return
	}
	r.watching = true
	h.backgroundOf(r, func() {
		err := w.Watch(r.context, func(message string) { h.log.Info("watch", "root", r.root, "message", message) })
		if errors.Is(err, agenvantage.ErrRootGone) { // a folder that comes back is watched again
			r.mu.Lock()
			r.watching, r.built = false, false
			r.mu.Unlock()
		}
		if err != nil && r.context.Err() == nil {
			h.log.Warn("the tree is not watched any more, calls compare it with the index", "root", r.root, "error", err)
		}
	})
}

// tell notes how far a build has come.
func (r *repository) tell(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.building != nil {
		r.building = &p
		r.news()
	}
}

// news wakes those who wait. The caller holds mu.
func (r *repository) news() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// state is how far the build is, nil when there is none, what to wait on for news, and the last error.
func (r *repository) state() (building *Progress, changed <-chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.building != nil {
		p := *r.building
		building = &p
	}
	return building, r.changed, r.buildErr
}

// Ready reports whether every root that is open has an index to answer from, and there is one. why says what stands in the way, ""
// when nothing does; with several roots it is the reason of the first one that is not ready.
func (h *Hub) Ready(ctx context.Context) (ready bool, why string, generations map[string]uint64) {
	generations = map[string]uint64{}
	all := h.ready()
	if len(all) == 0 {
		return false, "no repository is open yet", generations
	}
	for _, r := range all {
		generation, reason := r.service.Generation(ctx), ""
		switch {
		case !isFolder(h.options.Roots.target(r.root)):
			generation, reason = 0, "the folder of a repository is gone"
		case h.isReplaced(r):
			generation, reason = 0, "another folder is in the place of a repository, and is being opened"
			h.Start(r.root) // who asks whether it is ready sends nobody before
		case generation == 0:
			reason = r.notReady()
		}
		generations[r.root], why = generation, cmp.Or(why, reason)
	}
	return why == "", why, generations
}

// notReady says why there is no index.
func (r *repository) notReady() string {
	switch building, _, err := r.state(); {
	case building != nil:
		return "an index is being built"
	case err != nil:
		return "an index could not be built"
	}
	return "a repository has no index yet"
}

// ready lists the repositories that are open, by root.
func (h *Hub) ready() []*repository {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []*repository
	for _, r := range h.repositories {
		if r.isOpen() {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *repository) int { return strings.Compare(a.root, b.root) })
	return all
}

// messageOf is an error on one line without the name of its sentinel, cut where it is long.
func messageOf(err error) string {
	return middleCut(oneLine(strings.ReplaceAll(err.Error(), agenvantage.ErrBadInput.Error()+": ", "")), maxMessageBytes)
}
