package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/scan"
)

// Check finds repository, revision, root and evidence of every task before anything runs: all faults together, each with
// file, line and id of its task, as ablations.TaskFaults. Notes say what a reader of the figures must know. progress is
// told which repository is looked at; it may be nil.
func (e *Engine) Check(ctx context.Context, set ablations.TaskSet, progress func(repo string)) (notes []string, err error) {
	if progress == nil {
		progress = func(string) {}
	}
	var check ablations.EvidenceCheck
	var asTheyStand []string
	refused := map[string]bool{} // repositories that have a fault already
	for _, c := range corporaOf(set.Tasks) {
		repo, first := c.tasks[0].Repo, c.tasks[0]
		if refused[repo] {
			continue
		}
		progress(repo)
		folder, err := e.folderOf(repo)
		if err != nil {
			refused[repo] = true
			check.Fault(first, "%s", e.notHere(first, err))
			continue
		}
		if !isRepository(folder) && first.Revision != "" {
			if n := revisionsOf(set.Tasks, repo); n > 1 {
				refused[repo] = true
				check.Fault(first, "%s is no git repository, and its tasks name %d revisions", folder, n)
				continue
			}
			if !slices.Contains(asTheyStand, repo) {
				asTheyStand = append(asTheyStand, repo)
			}
		}
		if err := e.checkCorpus(ctx, &check, folder, c); err != nil {
			return nil, err
		}
	}
	if err := check.Err(); err != nil {
		return nil, err
	}
	if len(asTheyStand) > 0 {
		notes = append(notes, fmt.Sprintf("searched as they stand, since they are no git repositories, for the revisions that the tasks name: %s", strings.Join(asTheyStand, ", ")))
	}
	return append(notes, check.Notes()...), nil
}

// notHere is why a task's repository was not found, with what to do about tasks that were mined under another name.
func (e *Engine) notHere(t ablations.Task, err error) string {
	if e.options.Repos == "" && t.Source == "mined" {
		return fmt.Sprintf("it was mined when this folder was called %q, and it is called %q now: run agenvantage ablate mine again", t.Repo, RepoName(e.options.Own))
	}
	return plainText(err)
}

// plainText is an error without the name of its sentinel, for a fault that wraps it by itself.
func plainText(err error) string {
	return strings.ReplaceAll(err.Error(), agenvantage.ErrBadInput.Error()+": ", "")
}

// revisionsOf counts the revisions that the tasks of a repository name.
func revisionsOf(tasks []ablations.Task, repo string) int {
	seen := map[string]bool{}
	for _, t := range tasks {
		if t.Repo == repo {
			seen[t.Revision] = true
		}
	}
	return len(seen)
}

// corpusOfTasks is the tasks of one state, in the order of the set.
type corpusOfTasks struct{ tasks []ablations.Task }

func corporaOf(tasks []ablations.Task) (list []corpusOfTasks) {
	at := map[ablations.Corpus]int{}
	for _, t := range tasks {
		c := ablations.Corpus{Repo: t.Repo, Revision: t.Revision, Root: t.Root}
		i, ok := at[c]
		if !ok {
			i = len(list)
			at[c] = i
			list = append(list, corpusOfTasks{})
		}
		list[i].tasks = append(list[i].tasks, t)
	}
	return list
}

// checkCorpus opens the tree of one state, under the settings of the run, and holds the evidence against it.
func (e *Engine) checkCorpus(ctx context.Context, check *ablations.EvidenceCheck, folder string, c corpusOfTasks) error {
	cfg, err := e.options.Config(nil)
	if err != nil {
		return err
	}
	first := c.tasks[0]
	tree := &corpusTree{ctx: ctx, root: filepath.Join(folder, filepath.FromSlash(first.Root))}
	where := "in " + first.Repo
	if first.Root != "" {
		where += ", folder " + first.Root
	}
	if first.Revision != "" && isRepository(folder) {
		where += " at " + first.Revision[:min(len(first.Revision), 12)]
		tree.commit = true
		tree.tree, err = e.openCommit(ctx, folder, first, scan.Options{MaxFileBytes: cfg.Scan.MaxFileBytes, Languages: cfg.Languages})
	} else {
		tree.tree, err = scan.Open(tree.root, scan.Options{MaxFileBytes: cfg.Scan.MaxFileBytes, Languages: cfg.Languages})
	}
	if errors.Is(err, agenvantage.ErrBadInput) {
		check.Fault(first, "%s", plainText(err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("check the tasks of %s: %w", first.Repo, err)
	}
	err = tree.load()
	if err == nil {
		err = check.Add(c.tasks, tree, where)
	}
	if err := errors.Join(err, tree.tree.Close()); err != nil {
		return fmt.Errorf("check the tasks of %s: %w", first.Repo, err)
	}
	return nil
}

// openCommit opens the commit of a task and remembers when it was made.
func (e *Engine) openCommit(ctx context.Context, folder string, t ablations.Task, o scan.Options) (*scan.Commit, error) {
	commit, err := scan.OpenCommit(ctx, folder, t.Revision, scan.CommitOptions{Root: t.Root, Options: o})
	if err != nil {
		return nil, err
	}
	e.times[ablations.Corpus{Repo: t.Repo, Revision: t.Revision, Root: t.Root}], err = commit.Time(ctx)
	if err != nil {
		return nil, errors.Join(err, commit.Close())
	}
	return commit, nil
}

// corpusTree is a listed tree in the shape that evidence is checked against.
type corpusTree struct {
	ctx    context.Context // of the check
	root   string
	commit bool // the tree is that of a commit, and root says nothing of it
	tree   interface {
		List(ctx context.Context) (scan.Listing, error)
		Read(ctx context.Context, e scan.Entry) (scan.Source, *agenvantage.Skip, error)
		Close() error
	}
	entries map[string]scan.Entry
	skips   map[string]string // path, or path and "/" for a folder that is left out whole, to reason
	folders map[string]bool
	files   []string
}

func (t *corpusTree) load() error {
	listing, err := t.tree.List(t.ctx)
	if err != nil {
		return err
	}
	t.entries, t.skips, t.folders = map[string]scan.Entry{}, map[string]string{}, map[string]bool{}
	add := func(file string) {
		t.files = append(t.files, file)
		for dir := parent(file); dir != "" && !t.folders[dir]; dir = parent(dir) {
			t.folders[dir] = true
		}
	}
	for _, e := range listing.Entries {
		t.entries[e.Path] = e
		add(e.Path)
	}
	for _, s := range listing.Skips {
		t.skips[s.Path] = string(s.Reason)
		if !strings.HasSuffix(s.Path, "/") {
			add(s.Path)
		}
	}
	slices.Sort(t.files)
	return nil
}

// parent is the folder of a path with forward slashes, "" at the top.
func parent(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }

// Files implements ablations.Tree.
func (t *corpusTree) Files() []string { return t.files }

// Lookup implements ablations.Tree.
func (t *corpusTree) Lookup(file string) (ablations.TreeEntry, error) {
	if e, ok := t.entries[file]; ok {
		source, skip, err := t.tree.Read(t.ctx, e)
		switch {
		case err != nil:
			return ablations.TreeEntry{}, err
		case skip != nil:
			return ablations.TreeEntry{Kind: ablations.TreeLeftOut, LeftOut: string(skip.Reason)}, nil
		}
		return ablations.TreeEntry{Kind: ablations.TreeFile, Lines: lineCount(source.Text)}, nil
	}
	if reason, ok := t.skips[file]; ok {
		return ablations.TreeEntry{Kind: ablations.TreeLeftOut, LeftOut: reason}, nil
	}
	for dir := file; dir != ""; dir = parent(dir) {
		if reason, ok := t.skips[dir+"/"]; ok {
			return ablations.TreeEntry{Kind: ablations.TreeLeftOut, LeftOut: reason}, nil
		}
	}
	if t.folders[file] {
		return ablations.TreeEntry{Kind: ablations.TreeFolder}, nil
	}
	return t.lookOnDisk(file)
}

// lookOnDisk finds what git ignores, which a listing of a folder does not tell.
func (t *corpusTree) lookOnDisk(file string) (ablations.TreeEntry, error) {
	if t.commit {
		return ablations.TreeEntry{}, nil
	}
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return ablations.TreeEntry{}, err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ablations.TreeEntry{}, nil
	case err != nil: // behind a link out of the tree, under a file: an index does not see it either
		return ablations.TreeEntry{}, nil
	case info.IsDir():
		return ablations.TreeEntry{Kind: ablations.TreeFolder}, nil
	}
	return ablations.TreeEntry{Kind: ablations.TreeLeftOut, LeftOut: "ignored by git"}, nil
}

// lineCount counts the lines of a text; a last one without its end is one.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
