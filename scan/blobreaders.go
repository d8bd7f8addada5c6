package scan

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"

	"agenvantage/scan/git"
)

// maxBlobReaders bounds the git processes of one Commit. Each unpacks on one core and keeps up to 96 MiB of delta bases.
const maxBlobReaders = 4

// blobReaders is a small pool of git processes that hand out objects. A process is started when it is first needed, and
// replaced after a failure.
type blobReaders struct {
	objects *git.Objects
	slots   chan *git.Batch // as many as there may be processes; nil stands for one that is not started
	done    chan struct{}   // closed by close

	mu      sync.Mutex
	started map[*git.Batch]bool // nil once closed
}

func newBlobReaders(objects *git.Objects) *blobReaders {
	n := min(maxBlobReaders, runtime.GOMAXPROCS(0))
	p := &blobReaders{objects: objects, slots: make(chan *git.Batch, n), done: make(chan struct{}), started: map[*git.Batch]bool{}}
	for range n {
		p.slots <- nil
	}
	return p
}

// fetch appends an object of at most limit bytes to into. A process that fails is replaced and asked once more, since it may have
// been the earlier request's fault, or the system's; into is empty before that.
func (p *blobReaders) fetch(ctx context.Context, id string, limit int64, into *bytes.Buffer) (git.Object, error) {
	for last := false; ; last = true {
		object, err := p.fetchOnce(ctx, id, limit, into)
		if err == nil || last || ctx.Err() != nil || errors.Is(err, git.ErrMissing) || errors.Is(err, errCommitClosed) {
			return object, err
		}
		into.Reset()
	}
}

func (p *blobReaders) fetchOnce(ctx context.Context, id string, limit int64, into *bytes.Buffer) (git.Object, error) {
	var b *git.Batch
	select {
	case <-p.done:
		return git.Object{}, errCommitClosed
	case <-ctx.Done():
		return git.Object{}, ctx.Err()
	case b = <-p.slots:
	}
	if b == nil {
		var err error
		if b, err = p.start(); err != nil {
			p.slots <- nil
			return git.Object{}, err
		}
	}
	object, err := b.Fetch(ctx, id, limit, into)
	if err != nil && !errors.Is(err, git.ErrMissing) {
		p.discard(b)
		p.slots <- nil
		select {
		case <-p.done:
			err = errCommitClosed
		default:
		}
		return git.Object{}, err
	}
	p.slots <- b
	return object, err
}

func (p *blobReaders) start() (*git.Batch, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started == nil {
		return nil, errCommitClosed
	}
	b, err := p.objects.StartBatch()
	if err == nil {
		p.started[b] = true
	}
	return b, err
}

func (p *blobReaders) discard(b *git.Batch) {
	p.mu.Lock()
	delete(p.started, b)
	p.mu.Unlock()
	b.Close()
}

// close kills every process, those with a request in flight included, and waits until they are gone. Closing again does
// nothing.
func (p *blobReaders) close() {
	p.mu.Lock()
	started := p.started
	p.started = nil
	if started != nil {
		close(p.done)
	}
	for b := range started {
		b.Kill()
	}
	p.mu.Unlock()
	if started == nil {
		return
	}
	for range cap(p.slots) { // each slot comes back once its request has failed
		if b := <-p.slots; b != nil {
			b.Close()
		}
	}
}
