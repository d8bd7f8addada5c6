package app

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// leftoverAge is how old a temporary folder of git objects is before it counts as left behind: a process removes its own,
// and the longest run that was seen took hours.
const leftoverAge = 24 * time.Hour

// removeLeftovers removes from dir what processes that were killed left behind: folders of this user that scan/git made and
// that have not changed for leftoverAge. What cannot be removed stays.
func removeLeftovers(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), "agenvantage-git-") {
			continue
		}
		info, err := e.Info()
		if err != nil || !isOwn(info) || now.Sub(info.ModTime()) < leftoverAge {
			continue
		}
		_ = os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}
