package lexical

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Derive starts the generation to as a child of the closed generation from: its segments are shared by hard links,
// or copied where the file system has none, and its root is copied. A generation that is not as it was written is ErrCorrupt.
func Derive(from, to string) (*Writer, error) {
	if _, _, err := verify(from); err != nil {
		return nil, fmt.Errorf("derive postings: %w", err)
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return nil, fmt.Errorf("derive postings: %w", err)
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return nil, fmt.Errorf("derive postings: %w", err)
	}
	for _, f := range files {
		source, target := filepath.Join(from, f.Name()), filepath.Join(to, f.Name())
		switch {
		case filepath.Ext(f.Name()) == segmentExtension, filepath.Ext(f.Name()) == wordsExtension:
			if link(source, target) == nil {
				continue
			}
			err = copyFile(source, target)
		case f.Name() == rootFile:
			err = copyFile(source, target)
		}
		if err != nil {
			return nil, fmt.Errorf("derive postings: %w", err)
		}
	}
	return OpenWriter(to)
}

// link makes a hard link; a variable so that a test can be a file system without.
var link = os.Link

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	if _, err = io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}
