package app

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/index"
	"agenvantage/internal/atomicfile"
)

// Kept packs lie beside the epochs of the index, in packs/, one file of JSON each, named after the pack: what a rebuild makes
// anew they would lose, and `clean` removes them with the rest. A file is replaced whole by a rename, so that a reader needs no
// lock. A writer that also removes the oldest holds one, or it could remove what another process has just written again.

// packFormat is the version of PackRecord. A record of another format is left alone: another version of the program keeps it.
const packFormat = 1

const (
	maxKeptPacks    = 100
	maxPackBytes    = 64 << 20 // of one record: far more than the largest budget makes
	packSuffix      = ".json"
	packLock        = "lock"
	packLockTimeout = 2 * time.Second
	packLockPoll    = 5 * time.Millisecond
	// minIDPrefix is how much of an id is enough when it is the only one that begins so: its letter and five digits, which 100
	// packs with 5,000 blocks share with a chance of 1 in 200.
	minIDPrefix = 6
	// maxPacksNamed is how many ids an error names.
	maxPacksNamed = 5
)

func (a *App) packFolder() string { return filepath.Join(a.index.Dir(), index.PacksFolder) }

// keepPack keeps a record, as the newest of at most maxKeptPacks. A pack that is kept already moves to the end. An index folder that
// cannot be written is agenvantage.ErrNotWritable where it is told apart.
func (a *App) keepPack(r PackRecord) error {
	if !isPackID(r.Pack.ID) {
		return fmt.Errorf("%w: keep pack %q: that is no id of a pack", agenvantage.ErrBadInput, r.Pack.ID)
	}
	r.Format = packFormat
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("keep pack %s: %w", r.Pack.ID, err)
	}
	if b.Len() > maxPackBytes {
		return fmt.Errorf("keep pack %s: its record has %d bytes, more than %d", r.Pack.ID, b.Len(), maxPackBytes)
	}
	err := a.writePack(r.Pack.ID, b.Bytes())
	if errors.Is(err, fs.ErrNotExist) { // the folder was removed under us
		err = a.writePack(r.Pack.ID, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("keep pack %s: %w", r.Pack.ID, err)
	}
	return nil
}

// keepPackOrNote keeps a record, and says in its pack's notes when that is not possible: the pack is of use without it.
func (a *App) keepPackOrNote(r PackRecord) (note string) {
	if err := a.keepPack(r); err != nil {
		return fmt.Sprintf("the pack could not be kept, so that expand, rehydrate and why do not know it: %v", err)
	}
	return ""
}

// writePack puts the file of a record in its place and removes the oldest.
func (a *App) writePack(id string, content []byte) error {
	if err := a.index.Prepare(); err != nil {
		return err
	}
	dir := a.packFolder()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	l := flock.New(filepath.Join(dir, packLock), flock.SetPermissions(0o600))
	defer l.Close()
	alone, err := l.TryLock()
	for end := time.Now().Add(packLockTimeout); err == nil && !alone && time.Now().Before(end); {
		time.Sleep(packLockPoll)
		alone, err = l.TryLock()
	}
	if err != nil {
		return err
	}
	kept, err := listPacks(dir)
	if err != nil {
		return err
	}
	// The order is that of the times of the files: a clock that ticks slowly or was set back must not change it.
	at := time.Now()
	if len(kept) > 0 && !at.After(kept[0].written) {
		at = kept[0].written.Add(time.Microsecond)
	}
	// It holds what a user has asked for, and is for that user alone.
	if err := atomicfile.Replace(filepath.Join(dir, id+packSuffix), content, atomicfile.Options{Time: at}); err != nil {
		return err
	}
	if alone { // whoever holds the lock removes what is too many later
		kept = slices.DeleteFunc(kept, func(k keptPack) bool { return k.id == id })
		for i := maxKeptPacks - 1; i < len(kept); i++ {
			_ = os.Remove(filepath.Join(dir, kept[i].id+packSuffix))
		}
		removeOldTemporary(dir, at)
	}
	return nil
}

// removeOldTemporary removes what killed processes left of a writing. One that is written now is younger.
func removeOldTemporary(dir string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(dir, "*.tmp"))
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && now.Sub(info.ModTime()) > time.Hour {
			_ = os.Remove(name)
		}
	}
}

// keptPack is the file of a record.
type keptPack struct {
	id      string
	written time.Time
}

// listPacks lists the kept packs, the newest first; of equal times by id. A folder that is not there holds none.
func listPacks(dir string) ([]keptPack, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var kept []keptPack
	for _, e := range entries {
		id, isRecord := strings.CutSuffix(e.Name(), packSuffix)
		if !isRecord || !isPackID(id) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			kept = append(kept, keptPack{id, info.ModTime()})
		}
	}
	slices.SortFunc(kept, func(x, y keptPack) int { return cmp.Or(y.written.Compare(x.written), cmp.Compare(x.id, y.id)) })
	return kept, nil
}

// isPackID reports whether s is the id of a pack: its letter and at least minIDPrefix-1 hexadecimal digits, which name no path.
func isPackID(s string) bool {
	return len(s) >= minIDPrefix && len(s) <= 65 && s[0] == 'p' && strings.Trim(s[1:], "0123456789abcdef") == ""
}

var errForeignPack = errors.New("a record of another format")

// readPack reads a kept record. One that cannot be understood is removed: it is of no use to anybody. One that the system does not let
// us read, and one of another format, are left.
func (a *App) readPack(id string) (PackRecord, error) {
	name := filepath.Join(a.packFolder(), id+packSuffix)
	f, err := os.Open(name)
	if err != nil {
		return PackRecord{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxPackBytes+1))
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return PackRecord{}, err
	}
	r, err := parsePackRecord(data, id)
	if err != nil && !errors.Is(err, errForeignPack) {
		_ = os.Remove(name)
	}
	return r, err
}

// parsePackRecord reads the bytes of a record and checks what later questions rely on.
func parsePackRecord(data []byte, id string) (PackRecord, error) {
	var format struct {
		Format *int `json:"format"`
	}
	if len(data) > maxPackBytes {
		return PackRecord{}, fmt.Errorf("record of pack %s: more than %d bytes", id, maxPackBytes)
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return PackRecord{}, fmt.Errorf("record of pack %s: %w", id, err)
	}
	if format.Format == nil {
		return PackRecord{}, fmt.Errorf("record of pack %s: no format", id)
	}
	if *format.Format != packFormat {
		return PackRecord{}, fmt.Errorf("record of pack %s: %w: %d, this program reads %d", id, errForeignPack, *format.Format, packFormat)
	}
	var r PackRecord
	if err := json.Unmarshal(data, &r); err != nil {
		return PackRecord{}, fmt.Errorf("record of pack %s: %w", id, err)
	}
	if r.Pack.ID != id {
		return PackRecord{}, fmt.Errorf("record of pack %s: it is that of %q", id, r.Pack.ID)
	}
	for _, b := range r.Pack.Blocks {
		if b.Path != "" && !isRange(b.StartLine, b.EndLine) {
			return PackRecord{}, fmt.Errorf("record of pack %s: block %q has the lines %d-%d", id, b.ID, b.StartLine, b.EndLine)
		}
	}
	for _, h := range r.Pack.Handles {
		if h.Path == "" || !isRange(h.StartLine, h.EndLine) {
			return PackRecord{}, fmt.Errorf("record of pack %s: handle %q has the lines %d-%d of %q", id, h.SourceID, h.StartLine, h.EndLine, h.Path)
		}
	}
	for i, c := range r.Considered {
		if c.Path != "" && !isRange(c.StartLine, c.EndLine) {
			return PackRecord{}, fmt.Errorf("record of pack %s: considered place %d has the lines %d-%d", id, i, c.StartLine, c.EndLine)
		}
	}
	return r, nil
}

// maxLine bounds line numbers, so that no sum of them overflows.
const maxLine = 1 << 30

func isRange(start, end int) bool { return 1 <= start && start <= end && end <= maxLine }

// packRecord reads the record of a pack by its id, or by a beginning of it that no other has. An id that no kept pack has is
// agenvantage.ErrBadInput with the ids that come nearest, else those that were made last.
func (a *App) packRecord(id string) (PackRecord, error) {
	kept, err := listPacks(a.packFolder())
	if err != nil {
		return PackRecord{}, fmt.Errorf("read the kept packs: %w", err)
	}
	var found []string
	for _, k := range kept {
		if k.id == id {
			found = []string{id}
			break
		}
		if len(id) >= minIDPrefix && strings.HasPrefix(k.id, id) {
			found = append(found, k.id)
		}
	}
	if len(found) > 1 {
		return PackRecord{}, fmt.Errorf("%w: %q begins the ids of %d packs: %s", agenvantage.ErrBadInput, id, len(found), namesText(found))
	}
	if len(found) == 1 {
		r, err := a.readPack(found[0])
		switch {
		case err == nil:
			return r, nil
		case errors.Is(err, errForeignPack), errors.Is(err, fs.ErrPermission):
			return PackRecord{}, fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
		}
		// A damaged one is gone by now.
		kept = slices.DeleteFunc(kept, func(k keptPack) bool { return k.id == found[0] })
	}
	return PackRecord{}, unknownPack(id, kept)
}

// unknownPack says that no kept pack has an id.
func unknownPack(id string, kept []keptPack) error {
	if len(kept) == 0 {
		return fmt.Errorf("%w: unknown pack %q: none is kept; agenvantage pack makes one", agenvantage.ErrBadInput, id)
	}
	var near, recent []string
	for _, k := range kept {
		recent = append(recent, k.id)
		const limit = 3 // digits that may differ
		if analysis.EditDistance(id, k.id, limit) <= limit {
			near = append(near, k.id)
		}
	}
	if len(near) > 0 {
		return fmt.Errorf("%w: unknown pack %q; the nearest are %s", agenvantage.ErrBadInput, id, namesText(near))
	}
	return fmt.Errorf("%w: unknown pack %q; %d are kept, the newest are %s", agenvantage.ErrBadInput, id, len(kept), namesText(recent))
}

// namesText lists the first of many names.
func namesText(names []string) string {
	text := strings.Join(names[:min(len(names), maxPacksNamed)], ", ")
	if len(names) > maxPacksNamed {
		text += ", …"
	}
	return text
}

// eachPack visits the records that can be read, the newest first, until visit returns false.
func (a *App) eachPack(visit func(PackRecord) bool) error {
	kept, err := listPacks(a.packFolder())
	if err != nil {
		return fmt.Errorf("read the kept packs: %w", err)
	}
	for _, k := range kept {
		if r, err := a.readPack(k.id); err == nil && !visit(r) {
			return nil
		}
	}
	return nil
}
