//go:build unix

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// crashFiles is the size of the trees that the crash tests build: enough for a run that can be hit in the middle.
const crashFiles = 250

// testKills is the number of runs that each crash test kills.
func testKills() int {
	if n, err := strconv.Atoi(os.Getenv("AGENVANTAGE_TEST_KILLS")); err == nil && n > 0 {
		return n
	}
	return 3
}

// killIndexRun starts an index run and kills it after the wait. It reports whether the run was still alive.
func killIndexRun(tl *tool, wait time.Duration, more ...string) bool {
	tl.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	cmd := tl.command(ctx, append(tl.flags("index", "--json"), more...)...)
	if err := cmd.Start(); err != nil {
		tl.t.Fatal(err)
	}
	time.Sleep(wait)
	err := cmd.Process.Kill()
	cmd.Wait()
	return err == nil && cmd.ProcessState.ExitCode() < 0
}

// crashTree is a tree whose files hold survivor_1, survivor_2 and so on.
func crashTree(t *testing.T) (*tool, *rand.Rand) {
	t.Helper()
	tl := newTool(t)
	tl.writeMany(crashFiles, "pkg/m%d.py", "def survivor_%d(x):\n    \"\"\"Number %d.\"\"\"\n    return x + %d\n")
	tl.commit()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return tl, rand.New(rand.NewPCG(seed, 7))
}

func TestAKilledBuildResumesAndAnswersRightly(t *testing.T) {
	t.Parallel()
	tl, random := crashTree(t)
	whole := tl.storing("measure").index("--force").run.took
	hits := 0
	for i := range testKills() {
		run := tl.storing(fmt.Sprintf("build-%d", i))
		wait := time.Duration(random.Float64() * float64(whole))
		hit := killIndexRun(run, wait)
		if hit {
			hits++
		}
		// Until a run was finished, nothing is answered as if it were whole.
		o := run.run("", append(run.searchArgs(ask{noRefresh: true}), "--", "survivor_7")...)
		switch {
		case o.code == 0:
			a := answer{}
			if err := decodeOne(o.stdout, &a); err != nil || a.Coverage.FilesIndexed != crashFiles {
				t.Errorf("killed after %s: half an index answers: %v", wait, o)
			}
		case o.code == 2 && strings.Contains(o.stderr, "index"):
		default:
			t.Errorf("killed after %s: %v", wait, o)
		}
		if s := run.status(); s.State == "ready" && s.Files != crashFiles {
			t.Errorf("killed after %s: status %+v", wait, s)
		}
		run.once("survivor_7(x)", "pkg/m7.py")
		run.once("survivor_249(x)", "pkg/m249.py")
		if got := len(run.indexed()); got != crashFiles {
			t.Errorf("killed after %s: %d files, want %d", wait, got, crashFiles)
		}
		run.soundStore()
	}
	t.Logf("%d of %d runs were hit alive", hits, testKills())
	tl.storing("build-0").equalsFresh("survivor_7", "survivor_200", "number return")
}

func TestAKilledUpdateKeepsTheLastGoodState(t *testing.T) {
	t.Parallel()
	tl, random := crashTree(t)
	tl.index()
	edit := func(round int) {
		tl.writeMany(crashFiles/2, "pkg/m%d.py", fmt.Sprintf("def survivor_%%d(x):\n    return x * %d  # round\n", round))
		tl.write(fmt.Sprintf("pkg/round%d.py", round), pyFunc(fmt.Sprintf("came_in_round_%d", round)))
	}
	edit(0)
	whole := tl.index().run.took
	hits := 0
	for round := 1; round <= testKills(); round++ {
		edit(round)
		wait := time.Duration(random.Float64() * float64(whole))
		var more []string
		if round%3 == 0 {
			more = []string{"--force"}
		}
		if killIndexRun(tl, wait, more...) {
			hits++
		}
		a, err := tl.trySearch(ask{noRefresh: true, topK: 50}, "survivor_200")
		if err != nil {
			t.Fatalf("killed after %s: %v", wait, err)
		}
		if len(a.Results) == 0 || a.Results[0].Path != "pkg/m200.py" {
			t.Errorf("killed after %s: %v", wait, a)
		}
		if s := tl.status(); s.State != "ready" && s.State != "stale" {
			t.Errorf("killed after %s: status %+v", wait, s)
		}
		tl.soundStore()
		if round%2 == 0 { // every second time the next run meets two kills
			continue
		}
		tl.once(fmt.Sprintf("came_in_round_%d", round), fmt.Sprintf("pkg/round%d.py", round))
		tl.once("survivor_1(x)", "pkg/m1.py")
	}
	t.Logf("%d of %d runs were hit alive", hits, testKills())
	tl.equalsFresh("survivor_1", "survivor_200", "came_in_round_1", "round return")
}

// A long history leaves no pile of old generations.
func TestOldGenerationsAreRemoved(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(60, "m%d.py", "def stable_%d(x):\n    return x\n")
	tl.commit()
	first := tl.index("--force").IndexBytes
	for i := range 12 {
		tl.write("m1.py", pyFunc(fmt.Sprintf("edition_%d", i)))
		tl.index()
	}
	killIndexRun(tl, 20*time.Millisecond, "--force")
	tl.index("--force")
	tl.index()
	total := int64(0)
	for _, path := range filesBelow(t, tl.indexFolder()) {
		if info, err := os.Stat(path); err == nil {
			total += info.Size()
		}
	}
	if total > 8*first+4<<20 {
		t.Errorf("%d bytes of index after a dozen updates, %d at first", total, first)
	}
	tl.once("edition_11", "m1.py")
}

// Damage that no crash of ours leaves behind, such as a disk that lost blocks: the next run builds the index anew.
func TestADamagedIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(20, "m%d.py", "def undamaged_%d(): return %d\n")
	tl.commit()
	cut := func(path string) error { return os.Truncate(path, 1000) }
	noise := func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("noise "), 4000), 0o644) }
	for _, damaged := range []struct {
		name string
		by   func(path string) error
	}{{"meta.db", cut}, {"meta.*", noise}, {"*.zap", cut}, {"root.bolt", cut}, {"manifest.json", cut}, {"lex-*", os.RemoveAll}, {"e-*", os.RemoveAll}} {
		name, damage := damaged.name, damaged.by
		tl.index("--force")
		hit := 0
		filepath.WalkDir(tl.indexFolder(), func(path string, _ fs.DirEntry, err error) error {
			if match, _ := filepath.Match(name, filepath.Base(path)); match && err == nil {
				hit++
				if err := damage(path); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			return nil
		})
		if hit == 0 {
			t.Errorf("%s: nothing of that name in the index folder", name)
		}
		// A search may heal the index or say what is wrong with it, but not answer that there is nothing.
		o := tl.run("", append(tl.searchArgs(ask{}), "--", "undamaged_7")...)
		if o.code == 1 || o.code == 0 && !strings.Contains(o.stdout, "m7.py") || o.code == 2 && !strings.Contains(o.stderr, "index") {
			t.Errorf("%s, search: %v", name, o)
		}
		tl.index()
		if a, err := tl.trySearch(ask{}, "undamaged_7"); err != nil || a.Results[0].Path != "m7.py" {
			t.Errorf("%s, after an index run: %.900v %v", name, err, a)
		}
		tl.soundStore()
	}
}
