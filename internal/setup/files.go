package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"agenvantage"
	"agenvantage/internal/atomicfile"
)

// maxFileBytes bounds a file that is edited. Claude Code keeps its whole state beside its settings.
const maxFileBytes = 64 << 20

// fileState is a file as it lies on disk.
type fileState struct {
	exists  bool
	content []byte
	info    fs.FileInfo
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
	return fileState{exists: true, content: content, info: info}, nil
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
				return "", fmt.Errorf("reach %s: %w", at.path, err)
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
		if exists(f.copyPath) {
			return fmt.Errorf("%s has come into being meanwhile: run the same command again", f.copyPath)
		}
		if err := replace(f.copyPath, f.was.content, f.was.info); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	if f.exists {
		err = replace(f.path, f.now, f.was.info)
	} else {
		if err = os.Remove(f.path); err == nil && !f.linked {
			f.removeEmptyFolders()
		}
	}
	if err == nil && f.dropBackup {
		err = os.Remove(f.backupPath)
	}
	return err
}

// backups finds the copy that the last setup made of a file: its path and content, "" for none, and the name for another. A
// backup is never written over, so that later ones have a number: FILE.agenvantage-backup, FILE.agenvantage-backup.2 and so on.
func backups(path string) (last string, state fileState, next string, err error) {
	for n := 1; n <= maxBackups; n++ {
		next = path + BackupSuffix
		if n > 1 {
			next += "." + strconv.Itoa(n)
		}
		if !exists(next) {
			return last, state, next, nil
		}
		is, err := load(next)
		if errors.Is(err, agenvantage.ErrBadInput) {
			continue // a folder, or a link: not ours
		} else if err != nil {
			return "", fileState{}, "", err
		}
		last, state = next, is
	}
	return "", fileState{}, "", fmt.Errorf("%w: %s has %d backups: remove those that are not needed", agenvantage.ErrBadInput, path, maxBackups)
}

// maxBackups bounds the backups of one file.
const maxBackups = 100

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

// newFileMode are the permissions of a file that was not there.
const newFileMode fs.FileMode = 0o644

// replace puts content in the place of a file as one step, with the folders above it. The new file has the permissions and the
// owner of like, which is nil for a new one. Where these cannot be given to another file, or the file has further names, it
// keeps its place on the disk and is written over.
func replace(path string, content []byte, like fs.FileInfo) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if like != nil && exists(path) && hasOtherNames(like) {
		return overwrite(path, content)
	}
	o := atomicfile.Options{Mode: newFileMode}
	if like != nil {
		o.Mode = like.Mode().Perm()
		o.Prepare = func(f *os.File) error {
			if giveOwner(f, like) != nil && exists(path) {
				return errOtherOwner
			}
			return nil
		}
	}
	err := atomicfile.Replace(path, content, o)
	if errors.Is(err, errOtherOwner) {
		return overwrite(path, content)
	}
	return err
}

// errOtherOwner means that a new file cannot have the owner of the one whose place it would take.
var errOtherOwner = errors.New("the owner cannot be given to another file")

// overwrite writes a file where it lies. Its end is cut last, so that a crash leaves bytes and not nothing.
func overwrite(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Truncate(int64(len(content)))
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
