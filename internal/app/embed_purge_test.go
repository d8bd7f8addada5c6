package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	vectorstore "agenvantage/embed/store"
)

// TestADamagedStoreIsPurged: to remove everything is one command, whatever became of the store.
func TestADamagedStoreIsPurged(t *testing.T) {
	dir := t.TempDir()
	w := newBuiltinWorld(t, meanings(), "embed.store_dir="+dir)
	junk := append([]byte("SQLite format 3\x00"), make([]byte, 5000)...)
	for _, log := range []bool{false, true} {
		if err := os.WriteFile(filepath.Join(dir, vectorstore.FileName), junk, 0o600); err != nil {
			t.Fatal(err)
		}
		want := 2 // the store and the lock of making it
		if file, err := w.EmbedLogFile(); log && err == nil {
			want++
			if err := os.WriteFile(file, []byte("done\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.EmbedPurge(t.Context(), "", true); !errors.Is(err, vectorstore.ErrCorrupt) {
			t.Errorf("the ledger cannot be kept, and the error is %v", err)
		}
		r, err := w.EmbedPurge(t.Context(), "", false)
		if err != nil || !r.Damaged || r.Nothing() || r.Files != want || r.Bytes != int64(len(junk)) || r.StoreBytes != 0 {
			t.Errorf("%+v, %v", r, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
	if r, err := w.EmbedPurge(t.Context(), "", false); err != nil || !r.Nothing() || r.Damaged {
		t.Errorf("%+v, %v", r, err)
	}
}
