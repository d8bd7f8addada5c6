package meta

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
)

// TestSharedMemoryThatIsCutDoesNotEndTheProcess cuts, and removes, the file that the engine maps while readers and a writer have it
// open: the process lives on, those who read know that they cannot trust it, and who opens the store next reads what was written.
func TestSharedMemoryThatIsCutDoesNotEndTheProcess(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(file string) error
	}{
		{"cut", func(file string) error { return os.Truncate(file, 0) }},
		{"halved", func(file string) error { return os.Truncate(file, 100) }},
		{"removed", func(file string) error { return os.Remove(file) }},
		{"cut and removed", func(file string) error { return errors.Join(os.Truncate(file, 0), os.Remove(file)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, file := create(t)
			defer w.Close()
			put := func(id uint32) {
				r := row(id, fmt.Sprintf("%d.go", id))
				must(t, w.Begin())
				must(t, w.PutFile(&r, Encode(fmt.Sprintf("text of %d\n", id), extraction)))
			}
			put(1)
			must(t, w.Commit(Head{Generation: 1, NextFile: 2}, &Catalog{Files: []FileRow{row(1, "1.go")}}))
			r, err := Open(context.Background(), file)
			must(t, err)
			defer r.Close()
			if r.Damaged() {
				t.Fatal("damaged before anything happened")
			}
			put(2)
			must(t, c.damage(file+"-shm"))
			_, _ = r.Text(1) // right, wrong or an error: only that it returns
			_, _ = r.CountSkips()
			if !r.Damaged() {
				t.Error("the reader does not know")
			}
			if err := w.Commit(Head{Generation: 2, NextFile: 3}, &Catalog{}); !errors.Is(err, ErrCorrupt) {
				t.Errorf("a commit on top of it: %v", err)
			}
			w.Rollback()
			r.Close()
			w.Close()
			after, err := Open(context.Background(), file)
			if c.name == "halved" && errors.Is(err, ErrCorrupt) { // its last user, which closed it, took its log for empty
				return
			}
			must(t, err)
			defer after.Close()
			if text, err := after.Text(1); err != nil || text != "text of 1\n" || after.Head().Generation != 1 || after.Damaged() {
				t.Errorf("afterwards %q of generation %d, damaged %v, %v", text, after.Head().Generation, after.Damaged(), err)
			}
		})
	}
}
