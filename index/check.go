package index

import (
	"context"
	"errors"
	"fmt"

	"agenvantage/index/meta"
	"agenvantage/scan"
)

// Changes is what an update would find, as far as the sizes and times of the files tell. Paths are sorted by bytes.
type Changes struct {
	Added, Changed, Deleted []string
	Bytes                   int64 // of the added and changed files
	Unsure                  int   // files that an update would read again to be sure
	Revision                bool  // the revision or the branch is another
}

// Any reports that files differ.
func (c Changes) Any() bool { return len(c.Added)+len(c.Changed)+len(c.Deleted) > 0 }

// Check says what Update would do for the listing, without reading a file. Its errors are those of View.
func (ix *Index) Check(ctx context.Context, listing scan.Listing) (Changes, error) {
	for try := 1; ; try++ {
		facts, _, err := ix.openFacts(ctx)
		if err != nil {
			if try < viewTries && errors.Is(err, errMoved) && ctx.Err() == nil {
				continue
			}
			return Changes{}, fmt.Errorf("open index %s: %w", ix.dir, settled(err))
		}
		defer facts.Close()
		catalog, err := facts.Catalog()
		if err != nil {
			return Changes{}, fmt.Errorf("open index %s: %w", ix.dir, err)
		}
		return changes(catalog, facts.Head(), listing), nil
	}
}

// Check says how the listing differs from the view.
func (v *View) Check(listing scan.Listing) Changes {
	return changes(&meta.Catalog{Files: v.rows, Looks: v.looks}, v.head, listing)
}

func changes(c *meta.Catalog, head meta.Head, listing scan.Listing) Changes {
	out := Changes{Revision: head.Revision != listing.Revision || head.Branch != listing.Branch}
	looked := make(map[string]*meta.SkipRow, len(c.Looks))
	for i := range c.Looks {
		looked[c.Looks[i].Path] = &c.Looks[i]
	}
	d := compare(c, listing.Entries)
	for _, j := range d.jobs {
		var s stat
		switch look := looked[j.entry.Path]; {
		case j.old != nil:
			s = stat{j.old.Size, j.old.ModNS, j.old.ChangeNS, j.old.SeenNS}
		case look != nil:
			s = stat{look.DiskSize, look.ModNS, look.ChangeNS, look.SeenNS}
		default:
			out.Added = append(out.Added, j.entry.Path)
			out.Bytes += j.entry.Size
			continue
		}
		if same, _ := s.unchanged(j.entry); same {
			out.Unsure++
			continue
		}
		out.Changed = append(out.Changed, j.entry.Path)
		out.Bytes += j.entry.Size
	}
	for _, row := range d.gone {
		out.Deleted = append(out.Deleted, row.Path)
	}
	return out
}
