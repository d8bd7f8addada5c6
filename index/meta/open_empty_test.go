package meta

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// An empty file beside a log kept a reader waiting for locks until its time was up, and passed for a busy one.
func TestAnEmptyFileIsBusy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meta.db")
	for name, text := range map[string]string{file: "", file + "-wal": "a log"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(t.Context(), file); !errors.Is(err, ErrCorrupt) {
		t.Errorf("opened: %v", err)
	}
}
