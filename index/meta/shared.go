package meta

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The engine shares a table of its log between processes in a file that is mapped into memory. When someone cuts that file, it is
// empty where it was, and the engine takes pages that are in its log for those of before. Where it is cut to less than a page of
// memory, the engine gets a signal that ends the process: shared_linux.go mends the file instead.

// sharedMemory watches the file of one store that is open. Its zero value knows of nothing.
type sharedMemory struct {
	file  string // the store
	path  string
	since uint64
	info  fs.FileInfo // nil while there is no file
}

// sharedPart is what the engine makes the file longer by, in bytes. It never makes it shorter while it is open.
const sharedPart = 32 << 10

// watchShared begins to watch, before the store in file is opened.
func watchShared(file string) sharedMemory {
	return sharedMemory{file: file, path: file + "-shm", since: mendedCount()}
}

// find names the file, once the store is open.
func (m *sharedMemory) find() {
	if m.info == nil {
		m.info, _ = os.Stat(m.path)
	}
}

// damaged reports that the file was cut, removed or replaced since.
func (m *sharedMemory) damaged() bool {
	if m.info == nil {
		return false
	}
	if m.info.Size()%sharedPart != 0 || wasMended(m.since, m.info) {
		return true
	}
	now, err := os.Stat(m.path)
	if errors.Is(err, fs.ErrNotExist) { // others share another one from now on, unless the store is removed with it
		_, err = os.Stat(m.file)
		return err == nil
	}
	return err == nil && (!os.SameFile(now, m.info) || now.Size() < m.info.Size())
}

// missing reports that an open store which shares memory has no file for it: this process goes on with one that was removed, and
// others do not see it.
func (m *sharedMemory) missing() bool {
	return m.info == nil && writable(m.file) && writable(filepath.Dir(m.file))
}
