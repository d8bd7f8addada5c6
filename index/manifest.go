package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"agenvantage/internal/atomicfile"
)

// Format is the version of everything that the index folder holds, how text becomes tokens included. An index of
// another format is rebuilt.
const Format = 5

const (
	manifestFile  = "manifest.json"
	metaFile      = "meta.db"
	epochPrefix   = "e-"
	lexicalPrefix = "lex-"
)

// folderFileMode are the permissions of the small files of the folder: the repository that they lie beside is no more secret.
const folderFileMode = 0o644

// manifest says which epoch is current and which is being built. These fields keep their meaning in every format.
type manifest struct {
	Format   int       `json:"format"`             // of the current epoch
	Options  string    `json:"options"`            // hash of the options that the current epoch was built with
	Epoch    string    `json:"epoch,omitempty"`    // folder of the current epoch, "" before the first build ended
	Building *building `json:"building,omitempty"` // an epoch that is not whole yet
}

// building is an unfinished epoch. A run with the same format and options goes on with it.
type building struct {
	Format     int    `json:"format"`
	Options    string `json:"options"`
	Epoch      string `json:"epoch"`
	Generation uint64 `json:"generation"` // that it will have: above those of the epoch before it
}

// readManifest reads the manifest of the folder dir: an fs.ErrNotExist when there is none, ErrCorrupt when it cannot
// be understood.
func readManifest(dir string) (manifest, error) {
	var m manifest
	b, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("%w: %s: %w", ErrCorrupt, manifestFile, err)
	}
	for _, epoch := range []string{m.Epoch, m.unfinished()} {
		if epoch != "" && epochNumber(epoch) == 0 {
			return m, fmt.Errorf("%w: %s names the epoch %q", ErrCorrupt, manifestFile, epoch)
		}
	}
	return m, nil
}

func (m manifest) unfinished() string {
	if m.Building == nil {
		return ""
	}
	return m.Building.Epoch
}

func writeManifest(dir string, m manifest) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(dir, manifestFile), append(b, '\n'), atomicfile.Options{Mode: folderFileMode})
}

// epochNumber is N of e-N, 0 for any other name.
func epochNumber(name string) uint64 { return numberAfter(name, epochPrefix) }

func numberAfter(name, prefix string) uint64 {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0
	}
	return n
}

func lexicalFolder(generation uint64) string {
	return lexicalPrefix + strconv.FormatUint(generation, 10)
}

// nextEpoch names an epoch folder that was never used in dir, as far as anyone can tell.
func nextEpoch(dir string, m manifest) string {
	last := max(epochNumber(m.Epoch), epochNumber(m.unfinished()))
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		last = max(last, epochNumber(e.Name()))
	}
	return epochPrefix + strconv.FormatUint(last+1, 10)
}

// sweep removes what crashed or replaced runs left: epochs that the manifest does not name and temporary files. The
// caller holds the lock.
func sweep(dir string, m manifest) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		old := epochNumber(name) > 0 && name != m.Epoch && name != m.unfinished()
		if old || strings.HasPrefix(name, manifestFile+".") {
			_ = os.RemoveAll(filepath.Join(dir, name))
		}
	}
}

// sweepGenerations removes the postings of an epoch that are not of the given generations.
func sweepGenerations(epoch string, keep ...uint64) {
	entries, _ := os.ReadDir(epoch)
next:
	for _, e := range entries {
		g := numberAfter(e.Name(), lexicalPrefix)
		if g == 0 {
			continue
		}
		for _, k := range keep {
			if g == k {
				continue next
			}
		}
		_ = os.RemoveAll(filepath.Join(epoch, e.Name()))
	}
}

// folderBytes sums the sizes of the files below dir; 0 when it is gone.
func folderBytes(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// isMissing reports a file or folder that is not there.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
