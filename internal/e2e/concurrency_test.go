//go:build unix

package e2e

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// lockTalk is what a store says to a program and what no user should read.
var lockTalk = regexp.MustCompile(`(?i)database is locked|sqlite_busy|resource temporarily unavailable`)

func TestIndexersAndSearchersAtTheSameMoment(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(200, "m%d.py", "def shared_name_%d(): return %d\n")
	tl.commit()
	for _, round := range []string{"first build", "update", "force"} {
		if round == "update" {
			tl.writeMany(60, "extra/n%d.py", "def later_name_%d(): return %d\n")
		}
		args := tl.flags("index", "--json")
		if round == "force" {
			args = append(args, "--force")
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				o, err := tl.tryRun("", args...)
				busy := o.code == 2 && strings.Contains(o.stderr, "another")
				if err != nil || o.code != 0 && !busy || lockTalk.MatchString(o.stderr) {
					t.Errorf("%s, indexer: %v %v", round, err, o)
				}
			})
		}
		for i := range 4 {
			all.Go(func() {
				for range 3 {
					a, err := tl.trySearch(ask{}, fmt.Sprintf("shared_name_%d", 70+i))
					switch {
					case err != nil:
						t.Errorf("%s, searcher: %v", round, err)
					case lockTalk.MatchString(a.run.stderr):
						t.Errorf("%s, searcher: %v", round, a.run)
					case len(a.Results) == 0 || a.Results[0].Path != fmt.Sprintf("m%d.py", 70+i):
						t.Errorf("%s, searcher: %v", round, a)
					}
				}
			})
		}
		all.Wait()
	}
	tl.index()
	tl.once("shared_name_77()", "m77.py")
	tl.once("later_name_7()", "extra/n7.py")
	if got := len(tl.indexed()); got != 260 {
		t.Errorf("%d files, want 260", got)
	}
	tl.equalsFresh("shared_name_77", "later_name", "return")
	tl.soundStore()
}

func TestAWaitingRunTakesOverFromADeadOne(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(400, "m%d.py", "def taken_over_%d(): return %d\n")
	tl.commit()
	tl.index()
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	writer, waiter := tl.command(ctx, tl.flags("index", "--force")...), tl.command(ctx, tl.flags("index", "--force")...)
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond)
	if err := waiter.Start(); err != nil {
		t.Fatal(err)
	}
	// Another root does not wait for this one.
	other := tl.at(tl.base + "/other")
	other.write("o.py", pyFunc("other_root_here"))
	if o := other.index().run; o.took > 20*time.Second {
		t.Errorf("another root waits %s", o.took)
	}
	// A search is answered while two runs hold the index.
	tl.find("taken_over_31", "m31.py")
	writer.Process.Kill()
	writer.Wait()
	if err := waiter.Wait(); err != nil {
		t.Errorf("the waiting run: %v", err)
	}
	tl.once("taken_over_399()", "m399.py")
	tl.soundStore()
}

// A lock file that a dead process left behind, with an owner that lives, blocks nobody.
func TestALeftoverLockFileBlocksNobody(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("a.py", pyFunc("lock_probe"))
	tl.commit()
	tl.index()
	writeFile(t, tl.path(".agenvantage/lock"), "1\n")
	tl.write("a.py", pyFunc("lock_probe_again"))
	if s := tl.index(); s.Changed != 1 {
		t.Errorf("summary %+v", s)
	}
	tl.once("lock_probe_again", "a.py")
}
