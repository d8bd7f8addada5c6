package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The wire: one JSON-RPC 2.0 message or batch a line, in UTF-8, both ways. The library's own transport ends the conversation at
// the first line that is no message; this one answers it with an error and goes on, as a line of noise from one party is no reason
// for the other to lose its server.

// maxFrame bounds a line, in bytes. The longest argument is the output of a failing program.
const maxFrame = 8 << 20

// drainTimeout is how long calls in flight may go on once the input has ended: a script that feeds a list of calls wants its
// answers, and a client that is gone must not keep the process.
const drainTimeout = 1200 * time.Millisecond

// closeTimeout is how long the calls that were cancelled then may take to end.
const closeTimeout = 300 * time.Millisecond

// ServeStdio serves one conversation over a pair of streams, until the input ends or ctx does. The end of the input is no
// error. in is not closed, and a read of it that is under way may outlast the call.
func (m *MCP) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	wire := &lines{out: out, frames: make(chan frame), closed: make(chan struct{}), ended: make(chan struct{}),
		calls: map[string]*batch{}, givenUp: map[string]struct{}{}}
	go wire.read(in)
	session, err := m.server.Connect(ctx, wire, nil)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	select {
	case err = <-done:
	case <-wire.ended:
	case <-ctx.Done():
	}
	wire.Close()
	if ctx.Err() != nil || err == nil {
		select {
		case err = <-done:
		case <-time.After(closeTimeout): // a handler that does not heed its context is abandoned
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return fmt.Errorf("serve on standard input and output: %w", err)
}

// frame is a line of the input, or what ended it.
type frame struct {
	line []byte
	err  error
}

var errFrameTooLong = fmt.Errorf("a message is longer than %d bytes", maxFrame)

// lines is a connection over lines.
type lines struct {
	out    io.Writer
	frames chan frame
	queue  []jsonrpc.Message // rest of a batch

	closeOnce sync.Once
	closed    chan struct{}
	ended     chan struct{} // closed when the input has ended and what it asked for is answered

	mu      sync.Mutex          // guards out and what follows
	calls   map[string]*batch   // read and not answered, by id; nil for a call outside of a batch
	givenUp map[string]struct{} // those of calls that the client has cancelled: it knows their ids no more
	idle    chan struct{}       // closed when there is none any more; nil while nobody waits
}

// batch is an array of calls that is answered by an array.
type batch struct {
	open    int
	answers []json.RawMessage
}

func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }
func (l *lines) SessionID() string                               { return "" }

// Close ends reading. The streams belong to the caller.
func (l *lines) Close() error {
	l.closeOnce.Do(func() { close(l.closed) })
	return nil
}

// read cuts the input into lines.
func (l *lines) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if len(bytes.TrimSpace(line)) > 0 || err != nil {
			select {
			case l.frames <- frame{line, err}:
			case <-l.closed:
				return
			}
		}
		if err != nil && !errors.Is(err, errFrameTooLong) {
			return
		}
	}
}

// readLine gives the next line. One that is too long is read to its end and not kept.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxFrame; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && err == nil:
			return nil, errFrameTooLong
		case err != nil && len(bytes.TrimSpace(line)) > 0 && !long:
			return line, nil // the last line without an end; what ended it comes again
		}
		return line, err
	}
}

// Read gives the next message. What is none is answered and passed over.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(l.queue) > 0 {
			next := l.queue[0]
			l.queue = l.queue[1:]
			return next, nil
		}
		var f frame
		select {
		case f = <-l.frames:
		case <-l.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case errors.Is(f.err, errFrameTooLong):
			l.refuse(fault{code: jsonrpc.CodeInvalidRequest, message: f.err.Error()})
		case f.err != nil:
			l.drain(ctx)
			close(l.ended)     // the library reads no more after an error
			return nil, io.EOF // whatever ended the input, nothing more comes
		default:
			l.accept(f.line)
		}
	}
}

// accept queues the messages of a line.
func (l *lines) accept(line []byte) {
	parts, isBatch, bad := messagesIn(line, "a line")
	if bad != nil {
		l.refuse(*bad)
		return
	}
	var b *batch
	if isBatch {
		b = &batch{}
	}
	for _, part := range parts {
		if m, ok := l.decode(part); ok && l.note(m, b) {
			l.queue = append(l.queue, m)
		}
	}
}

// decode reads one message; one that cannot be read is answered.
func (l *lines) decode(text []byte) (m jsonrpc.Message, ok bool) {
	_, m, bad := vetMessage(text)
	if bad != nil && bad.code != 0 {
		l.refuse(*bad)
	}
	return m, bad == nil
}

// note remembers a call until it is answered. One with the id of a call in flight is refused: the library would leave it without
// an answer.
func (l *lines) note(m jsonrpc.Message, b *batch) bool {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		if ok && r.Method == "notifications/cancelled" {
			l.giveUp(r.Params)
		}
		return true
	}
	l.mu.Lock()
	key := idKey(r.ID)
	_, taken := l.calls[key]
	if !taken {
		l.calls[key] = b
		if b != nil {
			b.open++
		}
	}
	l.mu.Unlock()
	if taken {
		text, _ := json.Marshal(r.ID.Raw()) // a number or a string
		l.refuse(fault{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("the id %s is that of a call in flight", restoreIDs(text))})
	}
	return !taken
}

// giveUp notes that a client has cancelled a call, whose answer is not sent any more: the protocol wants none, and clients report
// one as the answer to a question that they did not ask. params are those of the notification.
func (l *lines) giveUp(params json.RawMessage) {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, open := l.calls[idKey(id)]; open {
		l.givenUp[idKey(id)] = struct{}{}
	}
}

func idKey(id jsonrpc.ID) string { return fmt.Sprintf("%T %v", id.Raw(), id.Raw()) }

// refuse answers what is no message with an error.
func (l *lines) refuse(f fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(f.body(), '\n')) // who cannot be written to is gone, and the end of the input says so
}

// Write sends a message, or keeps it until its batch is complete. An answer that nobody waits for is dropped.
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(coded(m))
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	text = restoreIDs(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if r, ok := m.(*jsonrpc.Response); ok {
		key := idKey(r.ID)
		b := l.calls[key]
		_, givenUp := l.givenUp[key]
		delete(l.calls, key)
		delete(l.givenUp, key)
		if len(l.calls) == 0 && l.idle != nil {
			idle := l.idle
			defer close(idle)
			l.idle = nil
		}
		if !givenUp && b != nil {
			b.answers = append(b.answers, text)
		}
		if b != nil {
			b.open--
		}
		switch {
		case b == nil && givenUp, b != nil && (b.open > 0 || len(b.answers) == 0):
			return nil
		case b != nil:
			if text, err = json.Marshal(b.answers); err != nil {
				return fmt.Errorf("encode a batch: %w", err)
			}
		}
	}
	_, err = l.out.Write(append(text, '\n'))
	return err
}

// drain waits until every call is answered, for a while.
func (l *lines) drain(ctx context.Context) {
	l.mu.Lock()
	if len(l.calls) == 0 {
		l.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	l.idle = idle
	l.mu.Unlock()
	wait := time.NewTimer(drainTimeout)
	defer wait.Stop()
	select {
	case <-idle:
	case <-wait.C:
	case <-l.closed:
	case <-ctx.Done():
	}
}
