package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/scan/git"
)

// Commit is one commit. Times are Unix seconds. Text is valid UTF-8, with \n line ends and secrets masked in Subject and Body.
type Commit struct {
	ID          string
	Parents     []string // empty for a first commit, and where the history is cut off
	AuthorName  string   // as the commit has it: no mailmap is applied
	AuthorEmail string
	AuthorTime  int64 // 0 when the commit has none that can be read
	CommitTime  int64
	Subject     string // the first paragraph of the message, in one line
	Body        string // the rest, without the empty lines around it; at most MaxMessageBytes
	// Files are the changes against the only parent, or of a first commit against nothing, in git's order. A merge has
	// none, unless LogOptions.FirstParent asks for those against its first parent.
	Files []FileChange
	// Cut is true where a shallow clone ends: Parents and Files are empty because they are not known.
	Cut bool
	// Limited is true where a partial clone lacks contents: lines are not counted, and a file that was edited while it
	// was moved is one that was deleted and one that was added.
	Limited bool
}

// MaxMessageBytes is the longest subject or body that is kept; the rest of a longer one is dropped.
const MaxMessageBytes = 64 << 10

// Status says what happened to a file.
type Status byte

// The statuses, by git's letters.
const (
	Added       Status = 'A'
	Modified    Status = 'M' // its content or its mode
	Deleted     Status = 'D'
	Renamed     Status = 'R'
	Copied      Status = 'C' // never found without being asked for
	TypeChanged Status = 'T' // a file became a link, or the like
)

func (s Status) String() string { return string(rune(s)) }

// Kind is what a path is, after the change, or before it for a deleted one.
type Kind byte

// The kinds.
const (
	File      Kind = 'f'
	Link      Kind = 'l' // a symbolic link
	Submodule Kind = 's'
)

func (k Kind) String() string { return string(rune(k)) }

// FileChange is one file that a commit changed.
type FileChange struct {
	Path    string
	OldPath string // of a renamed or copied file; "" otherwise
	Status  Status
	Kind    Kind
	Added   int // lines; 0 unless LogOptions.Counts asks for them, and for binary files
	Deleted int
	Binary  bool // known only with LogOptions.Counts
}

// LogOptions choose commits. The zero value chooses all of HEAD's history but its merges.
type LogOptions struct {
	Revision         string    // the newest commit, by git's own rules; "" means HEAD. Only its ancestors are read.
	NotReachableFrom string    // leave out this revision and its ancestors; "" means none
	Since            time.Time // leave out what was committed before; the zero time means no bound. By whole seconds.
	Max              int       // commits; 0 means no bound
	Path             string    // a file or folder below the root: only commits that change something in it, with all of their files
	Merges           bool      // merges as well
	FirstParent      bool      // follow first parents only, and compare merges with theirs
	Counts           bool      // count lines, which reads contents: about 0.4 ms for each commit against 0.03 ms
}

// Validate returns an error wrapping agenvantage.ErrBadInput for options that cannot be used.
func (o LogOptions) Validate() error {
	if o.Max < 0 {
		return fmt.Errorf("%w: at most %d commits, want 0 or more", agenvantage.ErrBadInput, o.Max)
	}
	if o.Path != "" && (strings.Contains(o.Path, "\x00") || !filepath.IsLocal(filepath.FromSlash(o.Path))) {
		return fmt.Errorf("%w: path %q does not lie below the root", agenvantage.ErrBadInput, o.Path)
	}
	return nil
}

// Commits tells each of the chosen commits, newest first by commit time, in the order of git log: the same order for the
// same revision. An error of each ends the telling and is returned as it is. Below a root that is not the top, only
// commits that change something in it are told. Memory is bounded by the largest single commit.
//
// It runs one git process, and a few more where a partial clone lacks contents. 10,000 commits of sympy take 0.4 s, and
// 4.5 s with Counts, on two cores.
func (r *Reader) Commits(ctx context.Context, o LogOptions, each func(Commit) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	id, err := r.Resolve(ctx, o.Revision)
	if err != nil {
		return err
	}
	revisions := []string{id}
	if o.NotReachableFrom != "" {
		not, err := r.Resolve(ctx, o.NotReachableFrom)
		if err != nil {
			return err
		}
		revisions = append(revisions, "^"+not)
	}
	cut, err := r.repo.Shallow()
	if err != nil {
		return fmt.Errorf("read the shallow list of %q: %w", r.root, err)
	}
	objects, err := r.program.OpenObjects(r.repo, id)
	if err != nil {
		return err
	}
	defer objects.Close()
	told := &telling{cut: cut, each: each}
	arguments := func(o LogOptions) []string { return r.logArguments(o, revisions, told) }
	err = told.all(ctx, objects, o, arguments)
	switch {
	case err == nil || told.err != nil || ctx.Err() != nil:
		return err
	case git.IsMissing(err):
		return fmt.Errorf("read the log of %q: %w: %w", r.root, ErrMissing, err)
	}
	return fmt.Errorf("read the log of %q: %w", r.root, err)
}

// renameLimit is how many added and deleted files of one commit are compared to find those that were moved and edited.
const renameLimit = "-l1000"

func (r *Reader) logArguments(o LogOptions, revisions []string, told *telling) []string {
	args := append([]string{"--literal-pathspecs", "log", "-z", "--raw", "--no-abbrev", logFormat, "--encoding=UTF-8", "--no-notes",
		"--no-show-signature", renameLimit}, git.DiffOptions()...)
	// Submodules are no files of this tree, but that one is moved on is a change of it.
	args = append(args, "--ignore-submodules=none", "--full-diff", fmt.Sprintf("--skip=%d", told.count))
	if told.limited {
		args = append(args, "-M100%")
	} else {
		args = append(args, "-M")
		if o.Counts {
			args = append(args, "--numstat")
		}
	}
	if !o.Merges {
		args = append(args, "--no-merges")
	}
	if o.FirstParent {
		args = append(args, "--first-parent", "-m")
	}
	if o.Max > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", o.Max))
	}
	if !o.Since.IsZero() {
		args = append(args, fmt.Sprintf("--max-age=%d", max(o.Since.Unix(), 0)))
	}
	if r.prefix != "" {
		args = append(args, "--relative="+r.prefix)
	}
	args = append(args, revisions...)
	args = append(args, "--")
	if within := path.Join(r.prefix, o.Path); within != "" {
		args = append(args, within)
	}
	return args
}

// telling hands commits on, each once it is known to be whole.
type telling struct {
	cut     map[string]bool
	each    func(Commit) error
	limited bool
	count   int   // commits told
	err     error // of each
}

// maxLacking is how many commits that lack contents are passed one by one. In a clone with more of them the rest of the
// log is read as if it had no contents at all.
const maxLacking = 16

// all tells every commit. Where git fails over missing contents, the next commit is asked for by itself: if it is the
// one that lacks them, it is told as far as its trees alone say it.
func (t *telling) all(ctx context.Context, objects *git.Objects, o LogOptions, arguments func(LogOptions) []string) error {
	lacks := func(err error) bool { return err != nil && t.err == nil && ctx.Err() == nil && git.IsMissing(err) }
	for failures := 0; ; failures++ {
		t.limited = failures > maxLacking
		rest := o
		if o.Max > 0 {
			rest.Max = o.Max - t.count
		}
		err := t.run(ctx, objects, arguments(rest))
		if !lacks(err) || t.limited {
			return err
		}
		rest.Max = 1
		if err = t.run(ctx, objects, arguments(rest)); lacks(err) {
			t.limited = true
			err = t.run(ctx, objects, arguments(rest))
		}
		if err != nil || o.Max > 0 && t.count >= o.Max {
			return err
		}
	}
}

// run runs git log once. A commit is whole when the next one begins, or git has ended well.
func (t *telling) run(ctx context.Context, objects *git.Objects, args []string) error {
	l := &logReader{}
	err := objects.Stream(ctx, nil, args, func(out io.Reader) error {
		l.fields = bufio.NewReaderSize(out, 64<<10)
		for {
			before, err := l.next()
			if err == nil && before != nil {
				err = t.tell(before)
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	if err == nil && l.commit != nil {
		err = t.tell(l.commit)
	}
	return err
}

func (t *telling) tell(c *Commit) error {
	if c.Limited = t.limited; t.cut[c.ID] {
		c.Cut, c.Files = true, nil // git compares it with nothing
	}
	if t.err = t.each(*c); t.err == nil {
		t.count++
	}
	return t.err
}
