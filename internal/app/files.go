package app

import "context"

// FileList is every file of the index with its state.
type FileList struct {
	Files []FileStatus // sorted by path
	Stale string       // why the list is behind the tree, "" when it is not
	Notes []string
}

// ListFiles is Files of an index that is brought up to date first, as Search does.
func (a *App) ListFiles(ctx context.Context, noRefresh bool, progress func(Progress)) (FileList, error) {
	done, err := a.use()
	if err != nil {
		return FileList{}, err
	}
	defer done()
	fresh, err := a.refresh(ctx, noRefresh, progress)
	if err != nil {
		return FileList{}, err
	}
	files, err := a.Files(ctx)
	return FileList{Files: files, Stale: fresh.stale, Notes: fresh.remarks()}, err
}
