package scan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/zeebo/xxh3"

	"agenvantage"
)

// headBytes is how much of a file is looked at to tell binary from text, and languages that share an extension apart.
const headBytes = 8000

// Read opens one file, decides whether it belongs into the index, and returns its text with secrets masked. The facts in
// the Source are those of the bytes that were read, which may be newer than e. skip is not nil when the file is left out;
// the error is only ever the context's. It is safe for concurrent use.
func (w *Walker) Read(ctx context.Context, e Entry) (Source, *agenvantage.Skip, error) {
	if err := ctx.Err(); err != nil {
		return Source{}, nil, err
	}
	if skip := w.gate.byName(e.Path, e.Size); skip != nil {
		return Source{}, skip, nil
	}
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer giveBack(buffer)
	file := agenvantage.File{Path: e.Path}
	if skip := w.readStable(buffer, &file); skip != nil {
		return Source{}, skip, nil
	}
	source, skip := w.gate.accept(file, buffer.Bytes())
	return source, skip, nil
}

var readBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// giveBack keeps a buffer for later unless one large file made it large.
func giveBack(buffer *bytes.Buffer) {
	if buffer.Cap() <= 4<<20 {
		readBuffers.Put(buffer)
	}
}

// readStable reads the file twice if it changed under the first reading, then gives up.
func (w *Walker) readStable(into *bytes.Buffer, file *agenvantage.File) *agenvantage.Skip {
	for range 2 {
		same, skip := w.readOnce(into, file)
		if skip != nil || same {
			return skip
		}
	}
	return &agenvantage.Skip{Path: file.Path, Reason: agenvantage.SkipVanished, Detail: "changed while it was read", Size: file.Size}
}

// readOnce fills into with the file's bytes and file with its facts. same is false when they do not belong together.
func (w *Walker) readOnce(into *bytes.Buffer, file *agenvantage.File) (same bool, skip *agenvantage.Skip) {
	name := filepath.FromSlash(file.Path)
	f, err := w.dir.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return false, openSkip(file.Path, err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return false, openSkip(file.Path, err)
	}
	if !before.Mode().IsRegular() {
		return false, &agenvantage.Skip{Path: file.Path, Reason: agenvantage.SkipIrregular, Detail: irregularKind(before.Mode())}
	}
	// The open follows links that stay inside the root: the last name must be the opened file itself.
	if direct, err := os.Lstat(filepath.Join(w.root, name)); err != nil || !os.SameFile(direct, before) {
		return false, nil
	}
	file.Size, file.ModNS, file.ChangeNS = before.Size(), before.ModTime().UnixNano(), changeNS(before)
	if skip := w.gate.bySize(file.Path, file.Size); skip != nil {
		return false, skip
	}
	into.Reset()
	into.Grow(int(file.Size) + bytes.MinRead)
	head := min(file.Size, headBytes)
	if _, err := io.CopyN(into, f, head); err != nil && !errors.Is(err, io.EOF) {
		return false, openSkip(file.Path, err)
	}
	if isBinaryHead(into.Bytes()) {
		return false, &agenvantage.Skip{Path: file.Path, Reason: agenvantage.SkipBinary, Size: file.Size}
	}
	if _, err := into.ReadFrom(io.LimitReader(f, file.Size-head+1)); err != nil {
		return false, openSkip(file.Path, err)
	}
	after, err := f.Stat()
	if err != nil {
		return false, openSkip(file.Path, err)
	}
	return int64(into.Len()) == file.Size && after.Size() == file.Size && after.ModTime().Equal(before.ModTime()), nil
}

// Holds reports whether the file at f.Path has the content that f was read from, whatever its times.
func (w *Walker) Holds(f agenvantage.File) bool {
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer giveBack(buffer)
	now := agenvantage.File{Path: f.Path}
	same, skip := w.readOnce(buffer, &now)
	return same && skip == nil && xxh3.Hash128(buffer.Bytes()).Bytes() == f.Hash
}

// openSkip types the error of a file that cannot be opened or read.
func openSkip(path string, err error) *agenvantage.Skip {
	s := &agenvantage.Skip{Path: path, Reason: agenvantage.SkipUnreadable, Detail: systemError(err)}
	if errors.Is(err, fs.ErrNotExist) {
		s.Reason = agenvantage.SkipVanished
	}
	return s
}
