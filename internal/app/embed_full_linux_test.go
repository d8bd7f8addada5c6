package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agenvantage"
	vectorstore "agenvantage/embed/store"
)

// TestAFullDiskStopsNoQuestion: with all vectors there it is answered, and told once that no new ones can be kept. Where no disk of its own can be
// mounted, the tests of the store have a stand-in.
func TestAFullDiskStopsNoQuestion(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no file system of its own can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	store := "embed.store_dir=" + filepath.Join(disk, "vectors")
	first := newWorld(t, meanings(), store)
	if _, r := first.semanticReport("pass phrase"); r.Status != agenvantage.StatusOK {
		t.Fatalf("%+v", r)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(disk, "filler"))
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	if filler == nil || !errors.Is(err, syscall.ENOSPC) || filler.Close() != nil {
		t.Fatal(err)
	}
	w := first.open(store)
	for asked, told := range []int{1, 0} {
		r, semantic := w.semanticReport("pass phrase")
		if semantic.Status != agenvantage.StatusOK || semantic.Hits == 0 || len(r.Notes) != told {
			t.Errorf("question %d: %+v, %q", asked, semantic, r.Notes)
		}
		if told > 0 && !strings.Contains(strings.Join(r.Notes, ""), "no new ones can be kept") {
			t.Errorf("%q", r.Notes)
		}
	}
	s, err := w.EmbedStatus(t.Context())
	if err != nil || s.State != EmbedComplete || !strings.Contains(strings.Join(s.Notes, ""), "no new vectors can be kept: no space left") {
		t.Errorf("%+v, %v", s, err)
	}
	if err := EmbedderStateOf(w.config).Fault; !errors.Is(err, vectorstore.ErrFull) {
		t.Errorf("what is wrong: %v", err)
	}
	if r, err := w.EmbedPurge(t.Context(), "", false); err != nil || r.Vectors != 4 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	if r, semantic := w.semanticReport("pass phrase"); semantic.Status != agenvantage.StatusOK || len(r.Notes) > 0 { // the same process keeps them again
		t.Errorf("with room: %+v, %q", semantic, r.Notes)
	}
}
