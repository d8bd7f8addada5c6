package index

import (
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/index/meta"
	"agenvantage/scan"
)

// racyWindow is how close to the moment at which a file was looked at its modification time may lie before a later
// change could hide behind the same time: the clock of a file system may tick as slowly as every two seconds.
const racyWindow = 2 * time.Second

// changeTick bounds the tick of the inode change time, which no program can set: 10 ms on Linux at its slowest.
const changeTick = 50 * time.Millisecond

// stat is how a file stood when it was looked at.
type stat struct{ size, modNS, changeNS, seenNS int64 }

// unchanged reports that the file cannot have changed since: same size and times, and the times are old enough at the
// moment of looking to be sure. sure is false when only a reading can tell.
func (s stat) unchanged(e scan.Entry) (same, sure bool) {
	if s.size != e.Size || s.modNS != e.ModNS || s.changeNS != e.ChangeNS {
		return false, true
	}
	age := s.seenNS - s.modNS
	if s.changeNS == 0 {
		return true, age >= int64(racyWindow)
	}
	near := age > -int64(racyWindow) && age < int64(racyWindow)
	return true, !near && s.seenNS-s.changeNS >= int64(changeTick)
}

// job is a file to be read. old is its row, nil when it is not indexed yet.
type job struct {
	entry scan.Entry
	old   *meta.FileRow
}

// delta is how a tree differs from a catalog as far as stat can tell.
type delta struct {
	jobs  []job           // to be read, by path
	kept  []meta.FileRow  // rows that stand
	gone  []*meta.FileRow // rows whose path is not listed any more
	looks []meta.SkipRow  // decisions to leave out that stand
	lost  int             // decisions whose path is not listed any more, or is to be read again
	bytes int64           // of jobs
}

// compare matches entries, sorted by path bytes, with the catalog, which is sorted likewise.
func compare(c *meta.Catalog, entries []scan.Entry) delta {
	d := delta{kept: make([]meta.FileRow, 0, len(c.Files))}
	files, looks := c.Files, c.Looks
	f, l := 0, 0
	for _, e := range entries {
		for ; f < len(files) && files[f].Path < e.Path; f++ {
			d.gone = append(d.gone, &files[f])
		}
		for ; l < len(looks) && looks[l].Path < e.Path; l++ {
			d.lost++
		}
		j := job{entry: e}
		if f < len(files) && files[f].Path == e.Path {
			row := &files[f]
			f++
			if same, sure := (stat{row.Size, row.ModNS, row.ChangeNS, row.SeenNS}).unchanged(e); same && sure {
				d.kept = append(d.kept, *row)
				continue
			}
			j.old = row
		} else if l < len(looks) && looks[l].Path == e.Path {
			row := &looks[l]
			l++
			again := row.Reason == agenvantage.SkipUnreadable || row.Reason == agenvantage.SkipVanished // may have passed
			if same, sure := (stat{row.DiskSize, row.ModNS, row.ChangeNS, row.SeenNS}).unchanged(e); same && sure && !again {
				d.looks = append(d.looks, *row)
				continue
			}
			d.lost++
		}
		d.jobs = append(d.jobs, j)
		d.bytes += e.Size
	}
	for ; f < len(files); f++ {
		d.gone = append(d.gone, &files[f])
	}
	d.lost += len(looks) - l
	return d
}

func sortRows(rows []meta.FileRow) {
	slices.SortFunc(rows, func(a, b meta.FileRow) int { return strings.Compare(a.Path, b.Path) })
}

func sortSkips(skips []meta.SkipRow) {
	slices.SortFunc(skips, func(a, b meta.SkipRow) int { return strings.Compare(a.Path, b.Path) })
}
