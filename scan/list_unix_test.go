//go:build unix

package scan

import (
	"os"
	"syscall"
	"testing"
	"time"

	"agenvantage"
)

func TestIrregularFiles(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py", "becomes_pipe.py")
	tr.commit()
	os.Remove(tr.path("becomes_pipe.py"))
	if err := syscall.Mkfifo(tr.path("becomes_pipe.py"), 0o644); err != nil {
		t.Skip(err)
	}
	l := tr.list("", Options{})
	wantStrings(t, "skips", skips(l), "becomes_pipe.py:irregular")
	done := make(chan *agenvantage.Skip, 1)
	go func() { _, s := tr.read("becomes_pipe.py", Options{}); done <- s }()
	select {
	case s := <-done:
		if s == nil || s.Reason != agenvantage.SkipIrregular {
			t.Errorf("reading a pipe: %v", s)
		}
	case <-time.After(5 * time.Second):
		t.Error("reading a pipe waits for its other end")
	}
}
