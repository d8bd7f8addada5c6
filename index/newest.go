package index

import (
	"context"
	"fmt"
	"path/filepath"
)

// Newest names the last whole generation: its epoch folder and its number in it. It costs about a millisecond; its
// errors are those of View. A view for which IsAt is true is still the newest.
func (ix *Index) Newest(ctx context.Context) (epoch string, generation uint64, err error) {
	facts, m, err := ix.openFacts(ctx)
	if err != nil {
		return "", 0, fmt.Errorf("open index %s: %w", ix.dir, err)
	}
	defer facts.Close()
	return m.Epoch, facts.Head().Generation, nil
}

// IsAt reports whether v pins that generation of that epoch.
func (v *View) IsAt(epoch string, generation uint64) bool {
	return filepath.Base(v.epoch) == epoch && v.head.Generation == generation
}
