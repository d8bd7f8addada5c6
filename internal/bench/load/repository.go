package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// hotFiles is how many files change in turn, so that a marker stays for a while.
const hotFiles = 200

var words = strings.Fields("account address batch buffer cache catalog channel client column commit config cursor customer decode deliver discount document element encode " +
	"event export fetch filter folder format handle header history import index invoice item journal layout ledger limit listen loader mapper margin measure merge message " +
	"metric module network notify object offset option order owner packet parse partner payment phase policy price printer process product profile queue quota range reader " +
	"record refund region render report request resolve result retry route sample scanner schema search segment select sender session shipment signal socket source stream " +
	"string supplier symbol table target tenant ticket token total transfer tree trigger update upload user vendor version voucher warehouse widget window worker writer")

// makeRepository makes a git repository of Go files, the same for the same number. What is there already is used.
func makeRepository(tree string, files int) error {
	if _, err := os.Stat(filepath.Join(tree, ".git")); err == nil {
		return nil
	}
	random := rand.New(rand.NewPCG(7, 11))
	for i := range files {
		if err := writeFile(filepath.Join(tree, fileName(i)), fileText(random, i, -1)); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=load", "-c", "user.email=load@example.invalid", "commit", "-qm", "files"}} {
		if out, err := exec.Command("git", append([]string{"-C", tree}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// writeFile writes as editors do: no reader sees half of a file.
func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+"~", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(name+"~", name)
}

// fileName spreads the files over folders of some twelve each, in twenty folders at the top.
func fileName(i int) string {
	folder := i / 12
	return fmt.Sprintf("%s/%s%d/%s_%d.go", words[folder%20], words[folder%len(words)], folder, words[i%len(words)], i)
}

// fileText is a file of three to eight functions, whose first one names the marker where there is one.
func fileText(random *rand.Rand, i, marker int) string {
	word := func() string { return words[random.IntN(len(words))] }
	title := func() string { w := word(); return strings.ToUpper(w[:1]) + w[1:] }
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", words[i/12%len(words)])
	if marker >= 0 {
		fmt.Fprintf(&b, "// %s is the last change.\nfunc %s() int { return %d }\n\n", markerName(marker), markerName(marker), marker)
	}
	for f := range 3 + random.IntN(6) {
		name := fmt.Sprintf("%s%s%d", title(), title(), i*10+f)
		fmt.Fprintf(&b, "// %s lets the %s %s each %s of the %s.\nfunc %s(%s, %s int) (int, error) {\n", name, word(), word(), word(), word(), name, word()+"A", word()+"B")
		for range 2 + random.IntN(8) {
			fmt.Fprintf(&b, "\tif %s := %s%s(%d); %s > %d {\n\t\treturn %d, nil // the %s %s\n\t}\n", "x", title(), title(), random.IntN(100), "x", random.IntN(1000), random.IntN(10), word(), word())
		}
		b.WriteString("\treturn 0, nil\n}\n\n")
	}
	return b.String()
}

func markerName(n int) string { return fmt.Sprintf("LoadMarker%06d", n) }

// writer changes one file after the other.
type writer struct {
	tree string

	mu      sync.Mutex
	written int // markers
}

// write changes the next file.
func (w *writer) write() error {
	n := w.count()
	i := n % hotFiles
	if err := writeFile(filepath.Join(w.tree, fileName(i)), fileText(rand.New(rand.NewPCG(uint64(i), 3)), i, n)); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written++
	return nil
}

func (w *writer) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written
}

// last is the newest marker that is on disk.
func (w *writer) last() int { return w.count() - 1 }

// run changes files until the context ends.
func (w *writer) run(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := w.write(); err != nil {
				return fmt.Errorf("change a file: %w", err)
			}
		}
	}
}
