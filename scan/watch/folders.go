package watch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folderSet is the set of watched folders: those that hold files of the tree, the folders above them, the git folder, and
// folders that hold nothing yet. A folder whose files are all left out (node_modules, build output) is not watched.
type folderSet struct {
	root    string
	own     []string // absolute
	limit   int
	watched map[string]bool // absolute

	add, remove func(folder string) error
}

func (s *folderSet) count() int { return len(s.watched) }

// isOwn reports whether a path is one of the folders that mean nothing, or lies in one.
func (s *folderSet) isOwn(path string) bool {
	for _, own := range s.own {
		if path == own || strings.HasPrefix(path, own+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// follow watches the folders of the listed files and drops the others. git is the git folder, "" for none.
func (s *folderSet) follow(paths []string, git string) error {
	needed := s.foldersOf(paths)
	if len(needed) > s.limit {
		return &limitError{fmt.Sprintf("the files lie in %d folders, and at most %d are watched", len(needed), s.limit)}
	}
	if git != "" {
		needed[git] = true
	}
	// Dropping comes first: two names of a folder that was renamed stand for one watch of the system.
	for folder := range s.watched {
		if !needed[folder] && (s.isOwn(folder) || !isBare(folder)) {
			s.drop(folder)
		}
	}
	fresh := make([]string, 0, len(needed))
	for folder := range needed {
		if !s.watched[folder] {
			fresh = append(fresh, folder)
		}
	}
	slices.Sort(fresh) // parents first
	for _, folder := range fresh {
		if err := s.watch(folder); err != nil {
			return err
		}
	}
	for _, folder := range fresh {
		if folder == git {
			continue
		}
		s.followBare(folder)
	}
	return nil
}

// foldersOf is the set of the folders of paths and of all above them up to the root.
func (s *folderSet) foldersOf(paths []string) map[string]bool {
	needed := map[string]bool{s.root: true}
	for _, path := range paths {
		folder := path
		for {
			cut := strings.LastIndexByte(folder, '/')
			if cut < 0 {
				break
			}
			folder = folder[:cut]
			full := filepath.Join(s.root, filepath.FromSlash(folder))
			if needed[full] {
				break
			}
			needed[full] = true
		}
	}
	return needed
}

// followBare watches the folders in a folder that hold no file: the first one may come at any time.
func (s *folderSet) followBare(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // gone: the next cycle knows
	}
	for _, e := range entries {
		full := filepath.Join(folder, e.Name())
		if !e.IsDir() || e.Name() == ".git" || s.watched[full] || s.isOwn(full) || !isBare(full) {
			continue
		}
		s.followNew(full)
	}
}

// maxNewFolders bounds how many folders below a new one are watched before the next cycle says which of them count.
const maxNewFolders = 256

// followNew watches a folder that has just come, with those in it: files may already be written there. The next cycle drops
// what is not part of the tree. Beyond the limit nothing is watched, and nothing is lost: an install of thousands of folders
// that are left out is no reason to poll, and for folders that count the cycle finds the limit itself.
func (s *folderSet) followNew(folder string) {
	queue := []string{folder}
	for n := 0; len(queue) > 0 && n < maxNewFolders && len(s.watched) < s.limit; n++ {
		next := queue[0]
		queue = queue[1:]
		if s.isOwn(next) || s.watch(next) != nil {
			continue
		}
		entries, err := os.ReadDir(next)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && e.Name() != ".git" {
				queue = append(queue, filepath.Join(next, e.Name()))
			}
		}
	}
}

// watch adds one folder. One that is gone or may not be read is no error.
func (s *folderSet) watch(folder string) error {
	if s.watched[folder] {
		return nil
	}
	switch err := s.add(folder); {
	case err == nil:
		s.watched[folder] = true
	case isLimit(err):
		return &limitError{limitReason(err)}
	}
	return nil
}

// drop ends the watching of a path, if it is a watched folder, and of all below it.
func (s *folderSet) drop(path string) {
	if !s.watched[path] {
		return
	}
	below := path + string(filepath.Separator)
	for folder := range s.watched {
		if folder == path || strings.HasPrefix(folder, below) {
			delete(s.watched, folder)
			_ = s.remove(folder) // one that is gone is not watched any more
		}
	}
}

// maxBareEntries bounds the look into a folder that may hold no file.
const maxBareEntries = 64

// isBare reports that there is no file in a folder and in those below it, as far as a short look tells.
func isBare(folder string) bool {
	left := maxBareEntries
	queue := []string{folder}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		d, err := os.Open(next)
		if err != nil {
			return false
		}
		entries, err := d.ReadDir(left)
		d.Close()
		if err != nil && !errors.Is(err, io.EOF) {
			return false
		}
		for _, e := range entries {
			if left--; left == 0 || !e.IsDir() {
				return false
			}
			queue = append(queue, filepath.Join(next, e.Name()))
		}
	}
	return true
}
