package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func checkConfig(in Input) Check {
	if in.ConfigError != nil {
		return fix("configuration", in.ConfigError.Error(), "correct that setting; docs/reference/config.md describes them all")
	}
	return ok("configuration", "can be used")
}

// checkRepository checks the index and the history. folders is how many folders hold indexed files, 0 when that is not known.
func (in Input) checkRepository(ctx context.Context) (checks []Check, folders int) {
	fail := func(first Check) []Check {
		checks := []Check{first}
		for _, name := range []string{"index", "history"} {
			checks = append(checks, unknown(name, "the repository was not opened"))
		}
		return checks
	}
	switch {
	case in.ConfigError != nil:
		return fail(unknown("repository", "the configuration cannot be used")), 0
	case in.OpenError != nil:
		return fail(fix("repository", in.OpenError.Error(), "go to a project, or name one with --repo DIR")), 0
	}
	status, err := in.Repository.Status(ctx)
	if err != nil {
		return []Check{ok("repository", in.Machine.Project), in.unreadable(err), unknown("history", "the index could not be read")}, 0
	}
	return []Check{ok("repository", status.Root), in.checkIndex(status), checkHistory(status)}, foldersOf(ctx, in.Repository)
}

// unreadable is the check of an index whose state cannot be told.
func (in Input) unreadable(err error) Check {
	if errors.Is(err, agenvantage.ErrBadInput) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fix("index", err.Error(), "agenvantage status says more")
	}
	return fix("index", "damaged: "+err.Error(), "agenvantage index --force, which builds it anew")
}

// checkIndex judges the state of an index. What the next question, or the next index run, mends by itself is no fault.
func (in Input) checkIndex(s app.Status) Check {
	switch s.State {
	case "ready":
		return ok("index", fmt.Sprintf("ready: generation %d, %d files, format %d", s.Generation, s.Files, s.Format))
	case "stale":
		if len(s.Notes) > 0 && s.DirtyCount == 0 {
			return hint("index", "stale: "+s.Notes[0], "agenvantage index")
		}
		if s.DirtyCount == 0 {
			return hint("index", "stale: it is of another revision", "agenvantage index")
		}
		return hint("index", fmt.Sprintf("stale: %s changed since it was built", count.Of(s.DirtyCount, "file", "files")), "the next question brings it up to date; agenvantage index --watch keeps it so")
	case "incomplete":
		return hint("index", "incomplete: its first run was interrupted", "agenvantage index, which goes on where it stopped")
	}
	if format, found := in.formatOnDisk(); found && format != s.Format {
		return hint("index", fmt.Sprintf("of format %d; this program reads %d", format, s.Format), "agenvantage index, which builds it anew")
	}
	return hint("index", "there is none yet", "agenvantage index, or the first question, which begins with that")
}

// formatOnDisk reads the format of an index that this program may not be able to read. The manifest keeps that field in every
// format.
func (in Input) formatOnDisk() (format int, found bool) {
	if in.IndexDir == "" {
		return 0, false
	}
	content, err := os.ReadFile(filepath.Join(in.IndexDir, "manifest.json"))
	var m struct {
		Format int `json:"format"`
	}
	if err != nil || json.Unmarshal(content, &m) != nil || m.Format == 0 {
		return 0, false
	}
	return m.Format, true
}

func checkHistory(s app.Status) Check {
	h := s.History
	switch h.State {
	case app.HistoryReady:
		return ok("history", count.Of(h.Commits, "commit", "commits"))
	case app.HistoryNone:
		return off("history", "none: "+h.Reason)
	case app.HistoryPartial:
		if h.Shallow {
			return hint("history", fmt.Sprintf("%.0f%% of it is stored: the clone is shallow", 100*h.Covered), "git fetch --unshallow, then agenvantage index")
		}
		return hint("history", fmt.Sprintf("%.0f%% of it is stored: %s", 100*h.Covered, h.Reason), "agenvantage index")
	case app.HistoryDamaged:
		return fix("history", "damaged: "+h.Reason, "agenvantage index, which makes it anew")
	}
	if s.State == "absent" || s.State == "incomplete" {
		return unknown("history", "there is no index yet")
	}
	return hint("history", "not stored yet", "agenvantage index")
}

// foldersOf counts the folders that a watch of the indexed files would follow.
func foldersOf(ctx context.Context, r Repository) int {
	files, err := r.Files(ctx)
	if err != nil {
		return 0
	}
	folders := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return len(folders)
}
