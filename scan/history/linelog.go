package history

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"agenvantage"
	"agenvantage/scan/git"
)

// LineRange is a range of lines of one file as it is at a revision.
type LineRange struct {
	Revision string // "" means HEAD
	Path     string // relative to the root
	From, To int    // 1-based, inclusive; both within the file
}

// LinesChangedBy returns the full ids of the commits that changed lines of the range, newest first, merges left out: git
// log -L, which follows the lines through moves within the file and through renames. At most most ids are returned, 0
// means all. Errors: agenvantage.ErrBadInput for a path or lines that the revision does not have; ErrMissing.
//
// It costs about as much as the log of the file: 0.6 s for a file with 445 of sympy's 62,000 commits.
func (r *Reader) LinesChangedBy(ctx context.Context, lines LineRange, most int) ([]string, error) {
	if lines.From < 1 || lines.To < lines.From || most < 0 {
		return nil, fmt.Errorf("%w: lines %d to %d, at most %d commits", agenvantage.ErrBadInput, lines.From, lines.To, most)
	}
	if lines.Path == "" || strings.ContainsAny(lines.Path, "\x00\n") || !filepath.IsLocal(filepath.FromSlash(lines.Path)) {
		return nil, fmt.Errorf("%w: path %q does not name a file below the root", agenvantage.ErrBadInput, lines.Path)
	}
	id, err := r.Resolve(ctx, lines.Revision)
	if err != nil {
		return nil, err
	}
	args := append([]string{"log", "--format=%H", "--no-merges", "-M", renameLimit}, git.DiffOptions()...)
	args = append(args, "-s", fmt.Sprintf("-L%d,%d:%s", lines.From, lines.To, path.Join(r.prefix, lines.Path)))
	if most > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", most))
	}
	out, err := r.run(ctx, id, append(args, id)...)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case git.IsMissing(err):
		return nil, fmt.Errorf("follow lines of %q: %w: %w", lines.Path, ErrMissing, err)
	case strings.Contains(git.Says(err), "has only"), strings.Contains(git.Says(err), "There is no path"):
		return nil, fmt.Errorf("%w: %q has no lines %d to %d at %s", agenvantage.ErrBadInput, lines.Path, lines.From, lines.To, id)
	default:
		return nil, fmt.Errorf("follow lines of %q: %w", lines.Path, err)
	}
	ids := strings.Fields(string(out))
	for _, commit := range ids {
		if !git.IsObjectID(commit) {
			return nil, fmt.Errorf("follow lines of %q: unexpected commit id %.80q", lines.Path, commit)
		}
	}
	return ids, nil
}
