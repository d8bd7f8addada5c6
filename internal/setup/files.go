package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"agenvantage"
)

// maxFileBytes bounds a file that is edited. Claude Code keeps its whole state beside its settings.
const maxFileBytes = 64 << 20

// fileState is a file as it lies on disk.
type fileState struct {
	exists  bool
	content []byte
	mode    fs.FileMode // permissions
}

// load reads a file. One that is not there is no error; a folder, a device or a link is.
func load(path string) (fileState, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileState{}, nil
	case err != nil:
		return fileState{}, fmt.Errorf("read %s: %w", path, err)
	case !info.Mode().IsRegular():
		return fileState{}, fmt.Errorf("%w: %s is no regular file", agenvantage.ErrBadInput, path)
	case info.Size() > maxFileBytes:
		return fileState{}, fmt.Errorf("%w: %s has %d bytes, more than %d", agenvantage.ErrBadInput, path, info.Size(), maxFileBytes)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return fileState{}, fmt.Errorf("read %s: %w", path, err)
	}
	return fileState{exists: true, content: content, mode: info.Mode().Perm()}, nil
}

// resolve follows the links on the way to a place, so that a link is written through and not replaced, and refuses those that
// lead out of its base. The file and folders on the way need not exist.
func resolve(at place) (string, error) {
	base, err := filepath.EvalSymlinks(at.base)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = filepath.Abs(at.base)
	}
	if err != nil {
		return "", fmt.Errorf("%w: folder %s: %v", agenvantage.ErrBadInput, at.base, err)
	}
	rest := ""
	for dir := at.path; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("%w: %s: %v", agenvantage.ErrBadInput, at.path, err)
			}
			if dir == filepath.Dir(dir) {
				return "", fmt.Errorf("%w: %s cannot be reached", agenvantage.ErrBadInput, at.path)
			}
			rest = filepath.Join(filepath.Base(dir), rest)
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", fmt.Errorf("%w: the link %s leads nowhere: %v", agenvantage.ErrBadInput, dir, err)
		}
		full := filepath.Join(real, rest)
		if below, err := filepath.Rel(base, full); err == nil && filepath.IsLocal(below) {
			return full, nil
		}
		return "", fmt.Errorf("%w: %s is reached through a link that leads out of %s (to %s): nothing is written there", agenvantage.ErrBadInput, at.path, at.base, full)
	}
}

// Apply writes what was planned: backups first, then each file under a temporary name that takes the place of the old one. A
// file that has changed since Make read it is an error, and is left alone; what was written before it stays.
func (p *Plan) Apply() error {
	for _, f := range p.files {
		if err := f.apply(); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
	}
	return nil
}

func (f *target) apply() error {
	if f.exists == f.was.exists && bytes.Equal(f.now, f.was.content) {
		return nil
	}
	current, err := load(f.path)
	if err != nil {
		return err
	}
	if current.exists != f.was.exists || !bytes.Equal(current.content, f.was.content) {
		return errors.New("another program has changed it meanwhile: run the same command again")
	}
	if f.keepCopy {
		if err := replace(f.path+BackupSuffix, f.was.content, f.was.mode); err != nil {
			return err
		}
	}
	if f.exists {
		mode := f.was.mode
		if !f.was.exists {
			mode = 0o644
		}
		err = replace(f.path, f.now, mode)
	} else {
		if err = os.Remove(f.path); err == nil {
			f.removeEmptyFolders()
		}
	}
	if err == nil && f.dropBackup {
		err = os.Remove(f.path + BackupSuffix)
	}
	return err
}

// removeEmptyFolders removes the folders that held nothing but the file, up to the project or home folder.
func (f *target) removeEmptyFolders() {
	base, err := filepath.EvalSymlinks(f.base)
	if err != nil {
		return
	}
	for dir := filepath.Dir(f.path); ; dir = filepath.Dir(dir) {
		below, err := filepath.Rel(base, dir)
		if err != nil || below == "." || !filepath.IsLocal(below) || os.Remove(dir) != nil { // one that is not empty stays
			return
		}
	}
}

// replace puts content in the place of a file as one step, with the folders above it.
func replace(path string, content []byte, mode fs.FileMode) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
