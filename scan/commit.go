package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/scan/git"
)

// CommitOptions are the settings of a Commit. The zero value is usable.
type CommitOptions struct {
	Root    string  // folder of the repository that is the root of the tree, with forward slashes; "" means all of it
	Options Options // IndexDir has no meaning: no index is written into a commit. WithoutGit is refused.
}

// Commit reads the tree of one commit from the objects of a repository, as Walker reads a folder, through the same
// gates. Neither the work tree nor the index is looked at: every file of the commit is tracked, so that no .gitignore
// has a say, while the .agenvantageignore files of the commit have theirs. Files are the bytes of their blobs: no
// filter, no line end conversion, a git-lfs pointer is the text that it is. It is safe for concurrent use; Close it.
type Commit struct {
	repository string // for messages
	root       string
	revision   string
	tree       string // id of the root's tree
	gate       gate
	objects    *git.Objects
	readers    *blobReaders

	loading sync.Mutex
	loaded  *commitTree // nil until it is asked for
}

// OpenCommit makes a Commit for the revision (by git's own rules: an id, a branch, "HEAD~3") of the repository, which is
// given as a work tree, a folder inside of one, a bare repository or a .git folder. A folder that is no repository, an
// unknown revision, a root that is no folder of it and an unusable option are errors wrapping agenvantage.ErrBadInput
// that name both. ctx bounds the opening alone.
func OpenCommit(ctx context.Context, repository, revision string, o CommitOptions) (*Commit, error) {
	if err := o.Options.Validate(); err != nil {
		return nil, err
	}
	folder, err := resolveFolder(repository)
	if err != nil {
		return nil, err
	}
	r, ok := git.FindRepository(folder)
	if !ok {
		return nil, fmt.Errorf("%w: %q is not in a git repository: there is no revision %q to read", agenvantage.ErrBadInput,
			repository, revision)
	}
	program := git.Find()
	if o.Options.WithoutGit {
		return nil, fmt.Errorf("%w: revision %q of %q cannot be read without git", agenvantage.ErrBadInput, revision, repository)
	}
	if program == nil {
		return nil, fmt.Errorf("read revision %q of %q: there is no git program", revision, repository)
	}
	c := &Commit{repository: r.Name(), root: r.Name(), gate: newGate(o.Options)}
	if c.revision, err = program.Resolve(ctx, r, revision); err != nil {
		return nil, err
	}
	if c.objects, err = program.OpenObjects(r, c.revision); err != nil {
		return nil, err
	}
	if err := c.enter(ctx, o.Root); err != nil {
		c.objects.Close()
		return nil, err
	}
	c.readers = newBlobReaders(c.objects)
	return c, nil
}

// Time is when the commit was made, by its committer's clock, in seconds since 1970.
func (c *Commit) Time(ctx context.Context) (int64, error) {
	out, err := c.objects.Run(ctx, nil, "show", "--no-patch", "--format=%ct", c.revision)
	if err != nil {
		return 0, fmt.Errorf("read the time of %s: %w", c.revision, err)
	}
	seconds, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the time of %s: %w", c.revision, err)
	}
	return seconds, nil
}

// enter finds the tree of the root.
func (c *Commit) enter(ctx context.Context, root string) error {
	clean := path.Clean("/" + root)[1:]
	if strings.Contains(root, "\x00") || root != "" && !filepath.IsLocal(filepath.FromSlash(root)) {
		return fmt.Errorf("%w: root %q is not a folder inside of the repository %q", agenvantage.ErrBadInput, root, c.repository)
	}
	c.root = filepath.Join(c.root, filepath.FromSlash(clean))
	out, err := c.objects.Run(ctx, nil, "rev-parse", "--verify", "-q", "--end-of-options", c.revision+":"+clean)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if c.tree = strings.TrimSpace(string(out)); err == nil {
		if out, err = c.objects.Run(ctx, nil, "cat-file", "-t", c.tree); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err != nil || strings.TrimSpace(string(out)) != "tree" {
		return fmt.Errorf("%w: revision %s of %q has no folder %q", agenvantage.ErrBadInput, c.revision, c.repository, root)
	}
	return nil
}

// Root names the tree: the folder of the work tree that the root is, whether or not it exists there now, or a folder below the
// git folder of a bare repository, which never does.
func (c *Commit) Root() string { return c.root }

// Revision returns the full id of the commit.
func (c *Commit) Revision() string { return c.revision }

// Close ends the git processes; reads in flight fail.
func (c *Commit) Close() error {
	c.readers.close()
	return c.objects.Close()
}

// errCommitClosed ends reads after Close.
var errCommitClosed = errors.New("the commit is closed")

// Read returns the text of one file with secrets masked. Of e only the path counts: the facts are those of the commit.
// skip is not nil when the file is left out; the error is the context's, or says that c is closed or that git cannot be
// run.
func (c *Commit) Read(ctx context.Context, e Entry) (Source, *agenvantage.Skip, error) {
	if err := ctx.Err(); err != nil {
		return Source{}, nil, err
	}
	t, err := c.load(ctx)
	if err != nil {
		return Source{}, nil, err
	}
	row, ok := t.find(e.Path)
	if !ok {
		return Source{}, &agenvantage.Skip{Path: e.Path, Reason: agenvantage.SkipVanished, Detail: "not a file of the commit"}, nil
	}
	if skip := c.gate.byName(e.Path, row.size); skip != nil {
		return Source{}, skip, nil
	}
	if skip := c.gate.bySize(e.Path, row.size); skip != nil {
		return Source{}, skip, nil
	}
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer giveBack(buffer)
	if skip, err := c.readBlob(ctx, row, buffer); skip != nil || err != nil {
		return Source{}, skip, err
	}
	entry := row.entry()
	file := agenvantage.File{Path: entry.Path, Size: entry.Size, ModNS: entry.ModNS, ChangeNS: entry.ChangeNS}
	source, skip := c.gate.accept(file, buffer.Bytes())
	return source, skip, nil
}

// readBlob fills into with the content of row.
func (c *Commit) readBlob(ctx context.Context, row treeRow, into *bytes.Buffer) (*agenvantage.Skip, error) {
	skip := func(detail string) (*agenvantage.Skip, error) {
		return &agenvantage.Skip{Path: row.path, Reason: agenvantage.SkipUnreadable, Detail: detail, Size: max(row.size, 0)}, nil
	}
	into.Reset()
	if row.size < 0 {
		return skip(missingDetail)
	}
	object, err := c.readers.fetch(ctx, row.id, row.size, into)
	switch {
	case errors.Is(err, git.ErrMissing):
		return skip(missingDetail)
	case err != nil && git.Says(err) != "": // git gave up on this object
		return skip("git: " + firstLine(git.Says(err)))
	case err != nil:
		return nil, fmt.Errorf("read %s of %s: %w", row.path, c.revision, err)
	case object.Type != "blob" || object.Size != row.size:
		return skip("git has another object under its id")
	}
	return nil, nil
}

// missingDetail explains a blob that a partial clone did not bring along. Nothing is ever fetched.
const missingDetail = "the content is not in this clone"

// Holds reports whether the commit has, at f.Path, the content that f was read from.
func (c *Commit) Holds(f agenvantage.File) bool {
	t, err := c.load(context.Background())
	if err != nil {
		return false
	}
	row, ok := t.find(f.Path)
	if !ok || row.size != f.Size {
		return false
	}
	if e := row.entry(); e.ModNS == f.ModNS && e.ChangeNS == f.ChangeNS {
		return true
	}
	if c.gate.bySize(f.Path, row.size) != nil {
		return false
	}
	buffer := readBuffers.Get().(*bytes.Buffer)
	defer giveBack(buffer)
	skip, err := c.readBlob(context.Background(), row, buffer)
	return skip == nil && err == nil && xxh3.Hash128(buffer.Bytes()).Bytes() == f.Hash
}
