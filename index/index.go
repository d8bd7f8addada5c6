package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"agenvantage"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
	"agenvantage/internal/atomicfile"
)

// ErrCorrupt marks an index that cannot be read. Update rebuilds it.
var ErrCorrupt = errors.New("index corrupt")

// IsCorrupt reports whether err means that what the index holds cannot be read, so that it has to be rebuilt.
func IsCorrupt(err error) bool { return corrupt(err) }

// corrupt reports any of the errors that mean that the index has to be rebuilt.
func corrupt(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, meta.ErrCorrupt) || errors.Is(err, lexical.ErrCorrupt)
}

// Index is an index folder, which need not exist yet. It is safe for concurrent use and holds no files open.
type Index struct{ dir string }

// Open names the index folder dir. It does not touch it.
func Open(dir string) (*Index, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("index folder %s: %w", dir, err)
	}
	return &Index{dir: abs}, nil
}

// Dir is the absolute path of the folder.
func (ix *Index) Dir() string { return ix.dir }

// cacheTag marks a folder whose content can be made again (bford.info/cachedir).
const cacheTag = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a search index. It can be removed: the next run makes it again.\n"

// prepareFolder makes the folder with the files that keep it out of git and of backups.
func (ix *Index) prepareFolder() error {
	if err := os.MkdirAll(ix.dir, 0o755); err != nil {
		return notWritable(ix.dir, err)
	}
	if err := ix.looksOwn(); err != nil { // a folder of somebody's files would be hidden from git by our ignore file
		return err
	}
	for name, content := range map[string]string{"CACHEDIR.TAG": cacheTag, ".gitignore": "*\n"} {
		path := filepath.Join(ix.dir, name)
		if now, err := os.ReadFile(path); err == nil && string(now) == content {
			continue // what was changed is written again: an index in git would be a copy of every text in it
		}
		if err := atomicfile.Replace(path, []byte(content), atomicfile.Options{Mode: folderFileMode}); err != nil {
			return notWritable(ix.dir, err)
		}
	}
	return nil
}

// Prepare makes the folder for those who keep other files beside the index.
func (ix *Index) Prepare() error { return ix.prepareFolder() }

// notWritable gives the failures that a person solves by another place for the index their kind, and leaves others.
func notWritable(dir string, err error) error {
	if err == nil || errors.Is(err, agenvantage.ErrNotWritable) {
		return err
	}
	is := meta.IsFull(err)
	for _, cause := range []error{fs.ErrPermission, syscall.EROFS, syscall.ENOTDIR} {
		is = is || errors.Is(err, cause)
	}
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT} { // the engine of the postings keeps the text alone
		is = is || strings.Contains(err.Error(), cause.Error())
	}
	if !is {
		return err
	}
	return fmt.Errorf("%w: %s: %w", agenvantage.ErrNotWritable, dir, err)
}

// Remove deletes the index folder's content and the folder, once no writer is at work, and says how many bytes that
// were. A folder that does not look like an index is an error wrapping agenvantage.ErrBadInput; a missing one is fine.
func (ix *Index) Remove(ctx context.Context) (bytes int64, err error) {
	if _, err := os.Stat(ix.dir); isMissing(err) {
		return 0, nil
	}
	if err := ix.looksOwn(); err != nil {
		return 0, err
	}
	release, err := lock(ctx, ix.dir, nil)
	if err != nil {
		return 0, err
	}
	defer release()
	bytes = folderBytes(ix.dir)
	_ = os.Remove(filepath.Join(ix.dir, manifestFile)) // first: readers see no index rather than half of one
	if err := os.RemoveAll(ix.dir); err != nil {
		return 0, notWritable(ix.dir, err)
	}
	return bytes, nil
}

// Names beside the index that others of this program give: the gate's verdicts, and the runs, task sets and indexes of
// ablations, the stored history of commits, and the packs that were made last.
const (
	GateFile        = "gate.json"
	AblationsFolder = "ablations"
	HistoryFolder   = "history"
	PacksFolder     = "packs"
)

// looksOwn guards Update and Remove against a mistyped folder: everything in it has to bear a name that Update gives.
func (ix *Index) looksOwn() error {
	entries, err := os.ReadDir(ix.dir)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", agenvantage.ErrBadInput, ix.dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "CACHEDIR.TAG", name == ".gitignore", name == lockFile, name == manifestFile, name == GateFile, name == AblationsFolder, name == HistoryFolder, name == PacksFolder, epochNumber(name) > 0:
		case filepath.Ext(name) == ".tmp":
		default:
			return fmt.Errorf("%w: %s is no index folder: it holds %q", agenvantage.ErrBadInput, ix.dir, name)
		}
	}
	return nil
}
