package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/scan"
	"agenvantage/scan/git"
	"agenvantage/scan/history"
)

// MineRequest says what to mine. Zero values mean the defaults of ablations.MineOptions.
type MineRequest struct {
	Since     time.Time
	Max       int
	Seed      uint64
	WithTests bool // only commits that touched test files that existed
	Progress  func(ablations.MineProgress)
}

// Mine makes tasks out of the history of the repository at root. An error wraps agenvantage.ErrBadInput where there is no
// history.
func Mine(ctx context.Context, root string, r MineRequest) (ablations.MineResult, error) {
	reader, err := history.Open(root)
	if err == nil {
		_, _, err = reader.Head(ctx)
	}
	if errors.Is(err, history.ErrNoHistory) {
		return ablations.MineResult{}, fmt.Errorf("%w: nothing to mine in %s: %v", agenvantage.ErrBadInput, root, err)
	}
	if err != nil {
		return ablations.MineResult{}, err
	}
	return ablations.Mine(ctx, &minedHistory{root: root, reader: reader}, ablations.MineOptions{
		Repo: RepoName(root), Since: r.Since, Max: r.Max, Seed: r.Seed, WithTests: r.WithTests, Progress: r.Progress,
		IsSource: func(path string) bool {
			lang, class := scan.ClassifyPath(path)
			return scan.IsCode(lang) && !class.Has(agenvantage.ClassLock) && !isDocumentation(path)
		},
		IsTest: func(path string) bool { _, class := scan.ClassifyPath(path); return class.Has(agenvantage.ClassTest) },
		IsGenerated: func(path string) bool {
			_, class := scan.ClassifyPath(path)
			return class&(agenvantage.ClassGenerated|agenvantage.ClassVendored|agenvantage.ClassMinified) != 0
		},
		Language: func(path string) string { lang, _ := scan.ClassifyPath(path); return lang },
	})
}

// isDocumentation reports whether a file lies in a folder of documents: what is code there configures or illustrates them.
func isDocumentation(file string) bool {
	for dir := range strings.SplitSeq(strings.ToLower(parent(file)), "/") {
		if dir == "docs" || dir == "doc" {
			return true
		}
	}
	return false
}

// minedHistory is a history.Reader in the shape that mining reads. The root is the top of the repository, so that both
// speak of the same paths.
type minedHistory struct {
	root   string
	reader *history.Reader
}

// Commits implements ablations.History.
func (h *minedHistory) Commits(ctx context.Context, r ablations.CommitRange, visit func(ablations.MinedCommit) error) error {
	return h.reader.Commits(ctx, history.LogOptions{Revision: r.Revision, Since: r.Since, Max: r.Max, Merges: true}, func(c history.Commit) error {
		m := ablations.MinedCommit{ID: c.ID, Parents: c.Parents, Boundary: c.Cut, Time: c.CommitTime, Subject: c.Subject, Body: c.Body}
		for _, f := range c.Files {
			if f.Kind == history.File {
				m.Files = append(m.Files, ablations.MinedFile{Path: f.Path, OldPath: f.OldPath, Status: byte(f.Status)})
			}
		}
		return visit(m)
	})
}

// Changes implements ablations.History.
func (h *minedHistory) Changes(ctx context.Context, commits []string) ([]ablations.MinedChange, error) {
	at := make(map[string]int, len(commits))
	for i, id := range commits {
		at[id] = i
	}
	changes := make([]ablations.MinedChange, len(commits))
	err := h.reader.HunksOf(ctx, commits, history.HunkOptions{IgnoreSpace: true}, func(c history.CommitHunks) error {
		change := &changes[at[c.Commit]]
		change.Err = c.Err
		for _, f := range c.Files {
			if f.OldPath == "" || f.Kind != history.File {
				continue
			}
			mined := ablations.MinedHunks{Path: f.OldPath}
			for _, hunk := range f.Hunks {
				mined.Hunks = append(mined.Hunks, ablations.MinedHunk{OldStart: hunk.OldStart, OldLines: hunk.OldLines, NewLines: hunk.NewLines})
			}
			change.Files = append(change.Files, mined)
		}
		return nil
	})
	return changes, err
}

// LineCount implements ablations.History.
func (h *minedHistory) LineCount(ctx context.Context, revision, path string) (int, error) {
	text, _, err := git.Find().Run(ctx, h.root, nil, "cat-file", "blob", revision+":"+path)
	if err != nil {
		return 0, fmt.Errorf("read %s of %s: %w", path, revision, err)
	}
	lines := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return lines, nil
}
