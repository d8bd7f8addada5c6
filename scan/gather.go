package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"agenvantage"
	"agenvantage/scan/git"
)

// gathered is what one way of listing found, before any file was looked at. All paths are relative to the root.
type gathered struct {
	tracked   []string
	untracked []string
	skips     []agenvantage.Skip
	inside    map[string]bool // folders of submodules that were listed with their own git
	notes     []string
	ignored   int    // files and folders that rules keep out; counted by the walk without git only
	rule      string // the rule that keeps out most of them
}

func (g *gathered) merge(o gathered) {
	g.tracked = append(g.tracked, o.tracked...)
	g.untracked = append(g.untracked, o.untracked...)
	g.skips = append(g.skips, o.skips...)
	g.notes = append(g.notes, o.notes...)
	for dir := range o.inside {
		g.inside[dir] = true
	}
}

// errIgnoredFolder says that the enclosing repository ignores the folder that was to be listed.
var errIgnoredFolder = errors.New("the enclosing repository ignores this folder")

// gather lists the root by the best means there is.
func (w *Walker) gather(ctx context.Context, r git.Repository, inRepository bool) (gathered, error) {
	if w.git == nil {
		return w.walk(ctx, r, inRepository)
	}
	if !inRepository {
		return w.gatherUntracked(ctx)
	}
	g, err := w.gatherRepository(ctx, w.root, "", r.Top != w.root)
	switch {
	case err == nil:
		return g, nil
	case ctx.Err() != nil:
		return gathered{}, ctx.Err()
	case strings.Contains(git.Says(err), "must be run in a work tree"):
		return gathered{}, fmt.Errorf("%w: %q belongs to a bare repository without files of its own; check it out first (git worktree add) and give that folder", agenvantage.ErrBadInput, w.root)
	case errors.Is(err, exec.ErrNotFound):
		return w.walk(ctx, r, inRepository)
	}
	plain, plainErr := w.gatherUntracked(ctx)
	if plainErr != nil {
		return gathered{}, err
	}
	if !errors.Is(err, errIgnoredFolder) {
		plain.notes = append(plain.notes, "git cannot read this repository, ignore files alone decided: "+firstLine(git.Says(err)))
	}
	return plain, nil
}

// gatherRepository asks git for the files below dir, which lies in a work tree, and for those of its submodules.
func (w *Walker) gatherRepository(ctx context.Context, dir, prefix string, below bool) (gathered, error) {
	var (
		cached, others []byte
		warnings       string
		othersErr      error
		both           sync.WaitGroup
	)
	both.Go(func() {
		others, warnings, othersErr = w.git.Run(ctx, dir, nil, "ls-files", "-z", "-o", "--exclude-standard")
	})
	cached, _, err := w.git.Run(ctx, dir, nil, "ls-files", "-z", "-c", "-s")
	both.Wait()
	if err = errors.Join(err, othersErr); err != nil {
		return gathered{}, err
	}
	if below && len(cached) == 0 && len(others) == 0 {
		if _, _, err := w.git.Run(ctx, dir, nil, "check-ignore", "-q", "."); err == nil {
			return gathered{}, errIgnoredFolder
		}
	}
	g := gathered{inside: map[string]bool{}}
	var links []string
	previous := ""
	for row := range records(cached) {
		mode, path, ok := parseStageRecord(row)
		if !ok || path == previous || !isLocal(path) { // a path in conflict has several stages
			continue
		}
		previous = path
		if mode == "160000" {
			links = append(links, prefix+path)
			continue
		}
		g.tracked = append(g.tracked, prefix+path)
	}
	w.addOthers(&g, others, prefix)
	w.addWarnings(&g, warnings, prefix)
	g.merge(w.gatherSubmodules(ctx, links))
	return g, ctx.Err()
}

// gatherUntracked lists a folder that has no repository of its own, by git's rules, with a temporary git folder.
func (w *Walker) gatherUntracked(ctx context.Context) (gathered, error) {
	gitDir, remove, err := git.TemporaryFolder()
	if err != nil {
		return gathered{}, err
	}
	defer remove()
	out, warnings, err := w.git.Run(ctx, w.root, nil, "--git-dir="+gitDir, "--work-tree="+w.root, "ls-files", "-z", "-o", "--exclude-standard")
	if err != nil {
		return gathered{}, err
	}
	g := gathered{inside: map[string]bool{}}
	w.addOthers(&g, out, "")
	w.addWarnings(&g, warnings, "")
	return g, nil
}

// addOthers reads git's list of untracked paths. A path that ends in "/" is a repository of its own.
func (w *Walker) addOthers(g *gathered, list []byte, prefix string) {
	for row := range records(list) {
		path := string(row)
		if !isLocal(strings.TrimSuffix(path, "/")) {
			continue
		}
		if folder, isFolder := strings.CutSuffix(prefix+path, "/"); isFolder {
			g.skips = append(g.skips, w.nestedSkip(folder))
			continue
		}
		g.untracked = append(g.untracked, prefix+path)
	}
}

// nestedSkip says what kind of repository of its own a folder is.
func (w *Walker) nestedSkip(folder string) agenvantage.Skip {
	s := agenvantage.Skip{Path: folder + "/", Reason: agenvantage.SkipNestedRepo, Detail: "a repository of its own"}
	if target, ok := git.ReadFile(filepath.Join(w.root, folder, ".git")); ok && strings.Contains(filepath.ToSlash(target), "/worktrees/") {
		s.Reason, s.Detail = agenvantage.SkipWorktree, "a linked work tree of "+firstLine(target[:strings.LastIndex(filepath.ToSlash(target), "/worktrees/")])
	}
	return s
}

// addWarnings turns git's warnings about folders that it could not open into skips, each checked against the system's
// own answer, and keeps the other lines as notes.
func (w *Walker) addWarnings(g *gathered, warnings, prefix string) {
	const opening, middle = "warning: could not open directory '", "': "
	for line := range strings.Lines(warnings) {
		line = strings.TrimSuffix(line, "\n")
		rest, isFolder := strings.CutPrefix(line, opening)
		if i := strings.LastIndex(rest, middle); isFolder && i >= 0 {
			folder := strings.TrimSuffix(rest[:i], "/")
			if s, ok := w.unreadableFolder(prefix+folder, rest[i+len(middle):]); ok {
				g.skips = append(g.skips, s)
				continue
			}
		}
		if line != "" {
			g.notes = append(g.notes, "git: "+strings.ToValidUTF8(line, "\ufffd"))
		}
	}
}

// unreadableFolder finds the folder that git named: git counts from the top of the work tree, which may lie above.
func (w *Walker) unreadableFolder(folder, message string) (agenvantage.Skip, bool) {
	for rest := folder; rest != ""; {
		if isLocal(rest) {
			f, err := w.dir.Open(filepath.FromSlash(rest))
			if err == nil {
				_, err = f.ReadDir(1)
				f.Close()
			}
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return agenvantage.Skip{Path: rest + "/", Reason: agenvantage.SkipUnreadable, Detail: strings.ToLower(message)}, true
			}
		}
		_, after, found := strings.Cut(rest, "/")
		if !found {
			break
		}
		rest = after
	}
	return agenvantage.Skip{}, false
}

// gatherSubmodules lists each checked-out submodule with its own git; links are their folders.
func (w *Walker) gatherSubmodules(ctx context.Context, links []string) gathered {
	results := make([]gathered, len(links))
	slots := make(chan struct{}, 4) // two processes each
	var all sync.WaitGroup
	for i, link := range links {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] = w.gatherSubmodule(ctx, link)
		})
	}
	all.Wait()
	g := gathered{inside: map[string]bool{}}
	for _, r := range results {
		g.merge(r)
	}
	return g
}

func (w *Walker) gatherSubmodule(ctx context.Context, link string) gathered {
	skip := func(detail string) gathered {
		return gathered{skips: []agenvantage.Skip{{Path: link + "/", Reason: agenvantage.SkipSubmodule, Detail: detail}}}
	}
	if !w.isRealFolder(link) {
		return skip("not checked out")
	}
	dir := filepath.Join(w.root, filepath.FromSlash(link))
	if _, ok := git.FolderOf(dir); !ok {
		return skip("not checked out")
	}
	g, err := w.gatherRepository(ctx, dir, link+"/", false)
	if err != nil {
		return skip("git cannot read it: " + firstLine(git.Says(err)))
	}
	g.inside[link] = true
	return g
}

// isRealFolder reports whether path is a folder that is reached without following a link.
func (w *Walker) isRealFolder(path string) bool {
	for at := 0; at < len(path); {
		next := strings.IndexByte(path[at:], '/')
		if next < 0 {
			next = len(path) - at
		}
		at += next
		info, err := os.Lstat(filepath.Join(w.root, filepath.FromSlash(path[:at])))
		if err != nil || !info.IsDir() {
			return false
		}
		at++
	}
	return true
}

// records yields the parts of a list whose entries end in NUL.
func records(list []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(list) > 0 {
			row, rest, _ := bytes.Cut(list, []byte{0})
			list = rest
			if len(row) > 0 && !yield(row) {
				return
			}
		}
	}
}

// parseStageRecord reads "MODE ID STAGE\tPATH".
func parseStageRecord(row []byte) (mode, path string, ok bool) {
	head, name, found := bytes.Cut(row, []byte{'\t'})
	if !found || len(head) < 7 || head[6] != ' ' {
		return "", "", false
	}
	return string(head[:6]), string(name), true
}

// isLocal guards against paths that would leave the root, from a damaged or hostile git index.
func isLocal(path string) bool {
	return path != "" && path[0] != '/' && !slices.Contains(strings.Split(path, "/"), "..")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.ToValidUTF8(line, "\ufffd")
}
