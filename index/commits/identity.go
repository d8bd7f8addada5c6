package commits

import (
	"cmp"
	"slices"

	"agenvantage/scan/history"
)

// identity follows files backwards in time: which file of today a path stood for when a commit touched it. Commits are told
// newest first.
//
//   - A path is itself while nothing says otherwise, also before it was deleted and made again.
//   - Before a commit that moved a file, the old path stands for what the new path stands for, and the new path for nothing:
//     a file of that name was another one.
//   - A commit of a branch that was merged later than the move may still use the old path. When that is no file of today, it
//     stands for what it was moved to.
type identity struct {
	paths []string
	find  func(path string) (file uint32, ok bool)
	moved map[uint32]uint32 // old path to the new one of its newest move

	list      []touch
	standsFor []int64 // by path: a file of today, or one of the values below
}

const (
	unset   = -1 // the path itself, not looked up yet
	nothing = -2
)

func newIdentity(paths []string, find func(string) (uint32, bool)) *identity {
	i := &identity{paths: paths, find: find, moved: map[uint32]uint32{}, standsFor: make([]int64, len(paths))}
	for p := range i.standsFor {
		i.standsFor[p] = unset
	}
	return i
}

// learn notes the moves of a commit. It is called for every commit, newest first, before the first touched.
func (i *identity) learn(files []change) {
	for _, c := range files {
		if c.status != history.Renamed || c.old < 0 {
			continue
		}
		if _, ok := i.moved[uint32(c.old)]; !ok {
			i.moved[uint32(c.old)] = c.path
		}
	}
}

// touch is a file of today and the path that a commit has for it.
type touch struct{ file, path uint32 }

// touched lists the files of today that a commit changed, sorted, and then goes back before the commit. The list is good until
// the next call.
func (i *identity) touched(files []change) []touch {
	moves, to := false, i.list[:0]
	for _, c := range files {
		moves = moves || c.status == history.Renamed
		if c.status == history.Deleted {
			continue
		}
		if file := i.today(c.path); file >= 0 {
			to = append(to, touch{uint32(file), c.path})
		}
	}
	slices.SortFunc(to, func(a, b touch) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.path, b.path)) })
	i.list = to
	if !moves {
		return to
	}
	before := make([]int64, len(files))
	for n, c := range files {
		before[n] = i.today(c.path)
	}
	for _, c := range files {
		if c.status == history.Renamed && c.old >= 0 {
			i.standsFor[c.path] = nothing
		}
	}
	for n, c := range files {
		if c.status == history.Renamed && c.old >= 0 {
			i.standsFor[c.old] = before[n]
		}
	}
	return to
}

// maxMoves bounds a chain of moves that is followed without knowing their order.
const maxMoves = 16

// today is the file that a path stands for at this point, nothing for none.
func (i *identity) today(path uint32) int64 {
	if i.standsFor[path] != unset {
		return i.standsFor[path]
	}
	at := path
	for range maxMoves {
		if file, ok := i.find(i.paths[at]); ok {
			i.standsFor[path] = int64(file)
			return int64(file)
		}
		next, ok := i.moved[at]
		if !ok {
			break
		}
		at = next
	}
	i.standsFor[path] = nothing
	return nothing
}
