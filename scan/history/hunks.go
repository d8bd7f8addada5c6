package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"agenvantage"
	"agenvantage/scan/git"
)

// HunkOptions choose how lines are compared.
type HunkOptions struct {
	IgnoreSpace bool // lines that differ in white space alone are equal
}

// CommitHunks is what one commit of a batch changed.
type CommitHunks struct {
	Commit string
	Files  []FileHunks // sorted by git: by the bytes of their path, a moved file at its new one
	Err    error       // why Files are not known: wraps ErrCut or ErrMissing, nil otherwise
}

// Hunks returns the lines that a commit changed against its first parent, of a first commit against nothing. Errors:
// agenvantage.ErrBadInput for an unknown commit; ErrCut, ErrMissing.
func (r *Reader) Hunks(ctx context.Context, commit string, o HunkOptions) ([]FileHunks, error) {
	id, err := r.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	var files []FileHunks
	err = r.HunksOf(ctx, []string{id}, o, func(c CommitHunks) error {
		files = c.Files
		return c.Err
	})
	return files, err
}

// HunksOf is Hunks for many commits in one process: each is told once, in the order of its first mention. commits are full
// ids (Resolve makes them). A commit whose changes are not known is told with its Err, and the others go on. An error of
// each ends the telling and is returned as it is.
//
// It costs about 0.5 ms for each commit, and a process start for each that lacks contents.
func (r *Reader) HunksOf(ctx context.Context, commits []string, o HunkOptions, each func(CommitHunks) error) error {
	if len(commits) == 0 {
		return ctx.Err()
	}
	cut, err := r.repo.Shallow()
	if err != nil {
		return fmt.Errorf("read the shallow list of %q: %w", r.root, err)
	}
	b := &hunkBatch{reader: r, options: o, each: each, cut: cut}
	seen := make(map[string]bool, len(commits))
	for _, id := range commits {
		if !git.IsObjectID(id) {
			return fmt.Errorf("%w: %q is not the full id of a commit", agenvantage.ErrBadInput, id)
		}
		if !seen[id] {
			seen[id] = true
			b.ids = append(b.ids, id)
		}
	}
	if b.objects, err = r.program.OpenObjects(r.repo, b.ids[0]); err != nil {
		return err
	}
	defer b.objects.Close()
	return b.run(ctx)
}

// hunkBatch tells the hunks of ids in their order.
type hunkBatch struct {
	reader  *Reader
	objects *git.Objects
	options HunkOptions
	each    func(CommitHunks) error
	cut     map[string]bool
	ids     []string // still to be told
	eachErr error
}

func (b *hunkBatch) run(ctx context.Context) error {
	alone := false // ask for one commit, to find out which one lacks contents
	for len(b.ids) > 0 {
		if b.cut[b.ids[0]] {
			if err := b.tell(CommitHunks{Commit: b.ids[0], Err: fmt.Errorf("%s: %w", b.ids[0], ErrCut)}); err != nil {
				return err
			}
			continue
		}
		n := 1
		for !alone && n < len(b.ids) && !b.cut[b.ids[n]] {
			n++
		}
		err := b.ask(ctx, b.ids[:n])
		switch {
		case err == nil:
			alone = false
		case b.eachErr != nil || ctx.Err() != nil:
			return err
		case strings.Contains(git.Says(err), "bad object"):
			return fmt.Errorf("%w: repository %q lacks a commit: %w", agenvantage.ErrBadInput, b.reader.root, err)
		case !git.IsMissing(err):
			return fmt.Errorf("read changed lines of %q: %w", b.reader.root, err)
		case n > 1:
			alone = true
		default:
			alone = false
			if err := b.tell(CommitHunks{Commit: b.ids[0], Err: fmt.Errorf("%s: %w", b.ids[0], ErrMissing)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell hands on what the first of ids changed.
func (b *hunkBatch) tell(c CommitHunks) error {
	b.ids = b.ids[1:]
	b.eachErr = b.each(c)
	return b.eachErr
}

// ask runs git once for the first commits of ids, and tells each that is whole: the next one began, or git has ended
// well.
func (b *hunkBatch) ask(ctx context.Context, ids []string) error {
	args := append([]string{"log", "--no-walk=unsorted", "--stdin", "--format=tformat:%x01%H", "--no-notes", "--no-show-signature",
		"--first-parent", "-m"}, b.reader.patchOptions(b.options)...)
	var current *CommitHunks
	asked := ids // still to come
	err := b.objects.Stream(ctx, strings.NewReader(strings.Join(ids, "\n")+"\n"), args, func(out io.Reader) error {
		p := &patchReader{lines: bufio.NewReaderSize(out, 64<<10)}
		p.commit = func(id string) error {
			if len(asked) == 0 || asked[0] != id {
				return b.notACommit(asked)
			}
			asked = asked[1:]
			before := current
			if current = (&CommitHunks{Commit: id}); before == nil {
				return nil
			}
			return b.tell(*before)
		}
		p.file = func(f FileHunks) error {
			if current == nil {
				return fmt.Errorf("git tells a file before its commit")
			}
			current.Files = append(current.Files, f)
			return nil
		}
		return p.read()
	})
	if err != nil {
		return err
	}
	if len(asked) > 0 {
		return b.notACommit(asked)
	}
	return b.tell(*current)
}

// notACommit is the error for an object that git passed over: the first of those that it was asked for and has not told.
func (b *hunkBatch) notACommit(asked []string) error {
	id := "another one"
	if len(asked) > 0 {
		id = asked[0]
	}
	return fmt.Errorf("%w: %s is not a commit", agenvantage.ErrBadInput, id)
}

// patchOptions are the options of a command that prints patches for the parser.
func (r *Reader) patchOptions(o HunkOptions) []string {
	options := append(git.DiffOptions(), "-p", "-U0", "-M", renameLimit)
	if o.IgnoreSpace {
		options = append(options, "--ignore-all-space")
	}
	if r.prefix != "" {
		options = append(options, "--relative="+r.prefix)
	}
	return options
}

// Diff returns the lines of tracked files that differ between HEAD and the work tree, staged or not; untracked files are
// no part of it. Line ends are converted as the repository says; its filters are not run, so that a file that is stored through
// one (git-lfs) counts as changed once it was touched. Errors: ErrNoWorkTree, ErrUnborn, ErrMissing.
func (r *Reader) Diff(ctx context.Context) ([]FileHunks, error) {
	return r.DiffFrom(ctx, "HEAD")
}

// DiffFrom is Diff with another commit than HEAD, by any name that Resolve takes.
func (r *Reader) DiffFrom(ctx context.Context, revision string) ([]FileHunks, error) {
	if r.repo.Top == "" {
		return nil, fmt.Errorf("compare %q with %s: %w", r.root, revision, ErrNoWorkTree)
	}
	head, err := r.Resolve(ctx, revision)
	if err != nil {
		return nil, err
	}
	program, err := r.program.WithoutFilters(ctx, r.repo)
	if err != nil {
		return nil, err
	}
	// The work tree is named, since a configuration could name another one.
	args := append([]string{"--git-dir=" + r.repo.GitDir, "--work-tree=" + r.repo.Top, "diff"}, r.patchOptions(HunkOptions{})...)
	if r.prefix == "" {
		args = append(args, "--no-relative")
	}
	var files []FileHunks
	err = program.Stream(ctx, git.Command{Dir: r.repo.Top, Args: append(args, head, "--")}, func(out io.Reader) error {
		p := &patchReader{lines: bufio.NewReaderSize(out, 64<<10), file: func(f FileHunks) error {
			files = append(files, f)
			return nil
		}}
		return p.read()
	})
	switch {
	case err == nil:
		return files, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case git.IsMissing(err):
		return nil, fmt.Errorf("compare %q with %s: %w: %w", r.root, revision, ErrMissing, err)
	}
	return nil, fmt.Errorf("compare %q with %s: %w", r.root, revision, err)
}
