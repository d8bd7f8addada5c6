package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/app"
)

// watchEvents are the events of one watch, of every kind.
var watchEvents = []app.WatchEvent{
	{Event: app.WatchPolling, Message: "the tree is on NFS"},
	{Event: app.WatchReady, Folders: 3},
	{Event: app.WatchUpdated, Changed: 2, Seconds: 0.25, Generation: 7, Revision: "abc", Notes: []string{"a note"}},
	{Event: app.WatchFailed, Message: "disk\x1b full", Err: errors.New("disk full")},
}

// Watch tells its events and ends when they are told, or with err.
func (f *fake) Watch(ctx context.Context, o app.WatchOptions) error {
	f.mu.Lock()
	f.watches = append(f.watches, o)
	f.mu.Unlock()
	for _, e := range watchEvents {
		o.Report(e)
	}
	return f.watchErr
}

func TestIndexWatchTellsEachEvent(t *testing.T) {
	f := &fake{index: exampleIndex()}
	got := call{service: f}.run(t, "index", "--watch", "--poll", "3s")
	if got.code != exitOK || !strings.HasSuffix(got.out, "\n2 files changed, 0.25 s, generation 7\n") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	for _, want := range []string{"instead of following file events: the tree is on NFS\n", "Note: watching 3 folders; end with Ctrl-C\n", `trying again: disk\x1b full` + "\n"} {
		if !strings.Contains(got.errOut, want) {
			t.Errorf("%q is not told:\n%s", want, got.errOut)
		}
	}
	if len(f.watches) != 1 || f.watches[0].Poll.String() != "3s" {
		t.Errorf("watches %+v", f.watches)
	}
	got = call{service: f}.run(t, "index", "--watch", "--json")
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != exitOK || len(lines) != 1+len(watchEvents) {
		t.Fatalf("exit %d\n%s", got.code, got.out)
	}
	for i, line := range lines {
		name := "watch"
		if i == 0 {
			name = "index"
		}
		if bad := breaks(t, name, line); len(bad) > 0 {
			t.Errorf("%s\n%s", strings.Join(bad, "\n"), line)
		}
	}
}

func TestIndexWatchFails(t *testing.T) {
	f := &fake{index: exampleIndex(), watchErr: errors.New("watch /repo: the folder is gone")}
	if got := (call{service: f}).run(t, "index", "--watch"); got.code != exitError || !strings.Contains(got.errOut, "Error: watch /repo: the folder is gone\n") {
		t.Errorf("exit %d\n%s", got.code, got.errOut)
	}
	for _, args := range []string{"index --poll 3s", "index --watch --poll 0s", "index --watch --poll -1s"} {
		if got := (call{}).run(t, strings.Fields(args)...); got.code != exitError || !strings.Contains(got.errOut, "want a time above 0, together with --watch") {
			t.Errorf("%s: exit %d\n%s", args, got.code, got.errOut)
		}
	}
	f = &fake{err: agenvantage.ErrBusy}
	if got := (call{service: f}).run(t, "index", "--watch"); got.code != exitError || len(f.watches) > 0 {
		t.Errorf("exit %d, %d watches after a first run that failed", got.code, len(f.watches))
	}
}
