package history

import (
	"context"
	"fmt"
	"strings"
)

// Untracked lists the files of the work tree below the root that are not in git's index and that no ignore rule leaves out,
// sorted by bytes. What lies in another repository below the root is no part of it. Errors: ErrNoWorkTree.
func (r *Reader) Untracked(ctx context.Context) ([]string, error) {
	if r.repo.Top == "" {
		return nil, fmt.Errorf("list new files of %q: %w", r.root, ErrNoWorkTree)
	}
	out, _, err := r.program.Run(ctx, r.root, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("list new files of %q: %w", r.root, err)
	}
	var paths []string
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path != "" && !strings.HasSuffix(path, "/") { // a folder is a repository of its own
			paths = append(paths, path)
		}
	}
	return paths, nil
}
