package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// ErrMissing means that an object is not in the store.
var ErrMissing = errors.New("git object is not here")

// Batch is a git cat-file --batch that answers one request at a time. It is not safe for concurrent use, Kill and Close
// aside. After a failed request, ErrMissing aside, it answers no more: Close it and start another.
type Batch struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errs   *tail
	cancel context.CancelFunc
	broken bool
}

// Object is what a store says of one object.
type Object struct {
	Type string // blob, tree, commit or tag
	Size int64  // bytes
}

// StartBatch starts a batch. It lives until Close or Kill.
func (o *Objects) StartBatch() (*Batch, error) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &Batch{cmd: o.program.command(ctx, o.dir, []string{"cat-file", "--batch"}), cancel: cancel}
	b.errs = &tail{limit: maxStderrBytes}
	b.cmd.Stderr = b.errs
	in, err := b.cmd.StdinPipe()
	if err == nil {
		b.in = in
		var out io.ReadCloser
		if out, err = b.cmd.StdoutPipe(); err == nil {
			b.out = bufio.NewReaderSize(out, 64<<10)
			err = b.cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start git cat-file: %w", err)
	}
	return b, nil
}

// Fetch appends the content of one object to into, unless it is longer than limit bytes: then only the facts are
// returned. An id that is not in the store is ErrMissing. When ctx ends first the child is killed and the error is ctx's.
func (b *Batch) Fetch(ctx context.Context, id string, limit int64, into *bytes.Buffer) (Object, error) {
	if !IsObjectID(id) {
		return Object{}, fmt.Errorf("fetch git object: %q is no object id", id)
	}
	if b.broken {
		return Object{}, fmt.Errorf("fetch git object %s: the batch has ended", id)
	}
	stop := context.AfterFunc(ctx, b.Kill)
	object, err := b.fetch(id, limit, into)
	if !stop() {
		b.broken = true
		return Object{}, ctx.Err()
	}
	if err == nil || errors.Is(err, ErrMissing) {
		return object, err
	}
	b.broken = true
	b.Kill()
	b.cmd.Wait() // so that all of its last words are there
	return Object{}, &Error{Args: "cat-file --batch " + id, Stderr: b.errs.String(), Err: err}
}

func (b *Batch) fetch(id string, limit int64, into *bytes.Buffer) (Object, error) {
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return Object{}, err
	}
	line, err := b.out.ReadSlice('\n')
	if err != nil {
		return Object{}, err
	}
	object, err := parseBatchHeader(string(line), id)
	if err != nil {
		return Object{}, err
	}
	if object.Size > limit {
		_, err = io.CopyN(io.Discard, b.out, object.Size)
	} else {
		into.Grow(int(object.Size))
		_, err = io.CopyN(into, b.out, object.Size)
	}
	if err != nil {
		return Object{}, err
	}
	end, err := b.out.ReadByte()
	if err == nil && end != '\n' {
		err = errors.New("the answer does not end where it says")
	}
	return object, err
}

// parseBatchHeader reads the line before the content of the object that was asked for:
//
//	ID SP TYPE SP SIZE LF
//	ID SP "missing" LF
func parseBatchHeader(line, id string) (Object, error) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), id+" ")
	if !ok {
		return Object{}, fmt.Errorf("unexpected answer %.80q", line)
	}
	if rest == "missing" {
		return Object{}, ErrMissing
	}
	kind, digits, ok := strings.Cut(rest, " ")
	size, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || size < 0 || kind == "" {
		return Object{}, fmt.Errorf("unexpected answer %.80q", line)
	}
	return Object{Type: kind, Size: size}, nil
}

// Kill stops the child. A request in flight fails.
func (b *Batch) Kill() { b.cancel() }

// Close ends the child and waits for it.
func (b *Batch) Close() error {
	b.broken = true
	b.in.Close()
	b.cancel()
	b.cmd.Wait() // killed, so that its status says nothing
	return nil
}
