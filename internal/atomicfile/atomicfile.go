// Package atomicfile replaces files as one step: whoever reads sees the old content or the new one, after a crash too.
package atomicfile

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Options say what the new file is like. The zero value makes one that its owner alone can read and write.
type Options struct {
	Mode fs.FileMode // its permissions, whatever the mask of the process; 0 for 0600
	Time time.Time   // its times of change and of access; the zero time for those of its writing
	// Prepare is called with the new file while it is empty. An error of it ends the replacement, and is returned as it is. Nil does nothing.
	Prepare func(f *os.File) error
}

// Replace puts content in the place of path. It writes beside it, under a name that ends in ".tmp", which is gone when it returns; a killed
// process leaves it behind. The folder must exist. A link at path is replaced, not followed.
func Replace(path string, content []byte, o Options) error {
	return ReplaceFrom(path, o, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// writeBuffer is how many bytes are written at a time.
const writeBuffer = 1 << 16

// ReplaceFrom is Replace for a content that is too large to be held, or is made while it is written: all that write gives to w. An error of
// write ends the replacement, and is returned as it is.
func ReplaceFrom(path string, o Options, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = fill(f, o, write); err != nil {
		f.Close()
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if !o.Time.IsZero() {
		if err = os.Chtimes(f.Name(), o.Time, o.Time); err != nil {
			return err
		}
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	_ = SyncFolder(filepath.Dir(path)) // the file is there, and whole
	return nil
}

// fill writes the new file to the disk.
func fill(f *os.File, o Options, write func(w io.Writer) error) error {
	if o.Prepare != nil {
		if err := o.Prepare(f); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(f, writeBuffer)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if o.Mode != 0 {
		if err := f.Chmod(o.Mode); err != nil {
			return err
		}
	}
	return f.Sync()
}

// SyncFolder makes the names in dir durable. File systems that cannot sync a folder say so with an error that is of no use to anyone, so
// that only the failure to open it counts.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
