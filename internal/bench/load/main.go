// Command load measures `agenvantage serve --http` under load: many clients ask while files change all the time. It prints the times
// of answers, errors, answers that are behind the tree without saying so, and the memory of the server, and then how long it takes
// until no answer is stale once the changes have stopped. It is a command, not a test: it asserts no speed, but it fails when an
// answer was an error or was stale unsaid. Run it as `go run ./internal/bench/load`; read main.go first, then repository.go for what
// is searched and clients.go for what is asked.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	binary            string
	files, clients    int
	load, after       time.Duration
	every, think      time.Duration
	rate              float64 // requests a second, in all, after the changes
	arguments, corpus string
}

func main() {
	var o options
	flag.StringVar(&o.binary, "bin", "bin/agenvantage", "the built product")
	flag.IntVar(&o.files, "files", 10_000, "files of the repository that is made")
	flag.IntVar(&o.clients, "clients", 64, "clients that ask at the same time")
	flag.DurationVar(&o.load, "for", 60*time.Second, "time of the load")
	flag.DurationVar(&o.after, "after", 5*time.Second, "time that is watched after the changes have stopped")
	flag.DurationVar(&o.every, "every", 100*time.Millisecond, "a file changes this often")
	flag.DurationVar(&o.think, "think", 0, "pause of a client between an answer and its next question")
	flag.Float64Var(&o.rate, "rate", 20, "requests a second, of all clients, after the changes have stopped")
	flag.StringVar(&o.arguments, "arguments", "", "more arguments of serve, with spaces between")
	flag.StringVar(&o.corpus, "keep-in", "", "make the repository in this folder, or use what is there, and keep it")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.files < hotFiles || o.clients < 1 || o.load <= 0 || o.every <= 0 || o.rate <= 0 {
		return fmt.Errorf("want at least %d files, a client, and times and a rate above 0", hotFiles)
	}
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	tree := o.corpus
	if tree == "" {
		if tree, err = os.MkdirTemp("", "agenvantage-load-"); err != nil {
			return err
		}
		defer os.RemoveAll(tree)
	}
	if err := makeRepository(tree, o.files); err != nil {
		return err
	}
	fmt.Printf("machine   %d cores, %s, %s/%s\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	began := time.Now()
	if out, err := exec.Command(binary, "index", "--repo", tree).CombinedOutput(); err != nil {
		return fmt.Errorf("index: %w: %s", err, out)
	}
	fmt.Printf("index     %d files in %.1f s\n", o.files, time.Since(began).Seconds())
	s, err := serve(binary, tree, strings.Fields(o.arguments))
	if err != nil {
		return err
	}
	defer s.stop()
	return measure(o, s, tree)
}

// measure runs the load and the time after it.
func measure(o options, s *served, tree string) error {
	w := &writer{tree: tree}
	if err := w.write(); err != nil {
		return err
	}
	l := newLoad(s, w, o.clients)
	if err := l.warm(); err != nil {
		return err
	}
	memory := []string{s.memory("start")}
	ctx, cancel := context.WithTimeout(context.Background(), o.load)
	defer cancel()
	changes := make(chan error, 1)
	go func() { changes <- w.run(ctx, o.every) }()
	middle := time.AfterFunc(o.load/2, func() { memory = append(memory, s.memory("middle")) })
	defer middle.Stop()
	l.run(ctx, o.think)
	if err := <-changes; err != nil {
		return err
	}
	stopped := time.Now()
	memory = append(memory, s.memory("end"))
	l.print(o, w.count())
	after, cancelAfter := context.WithTimeout(context.Background(), o.after)
	defer cancelAfter()
	calm := l.calm(after, o.rate)
	memory = append(memory, s.memory("after"))
	fmt.Println(strings.Join(memory, "\n"))
	calm.print(stopped)
	return errors.Join(l.verdict(), calm.verdict(stopped))
}

// served is a server that runs.
type served struct {
	command *exec.Cmd
	url     string
	client  *http.Client
}

// serve starts the server and waits until it answers from an index.
func serve(binary, tree string, more []string) (*served, error) {
	s := &served{command: exec.Command(binary, append([]string{"serve", "--http", "127.0.0.1:0", "--repo", tree}, more...)...),
		client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}}
	s.command.Stderr = os.Stderr
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("read the server's address: %w", err)
	}
	s.url = strings.TrimSpace(line)
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		r, err := s.client.Get(s.url + "/readyz")
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if r.StatusCode == http.StatusOK {
			return s, nil
		}
	}
	s.stop()
	return nil, errors.New("the server has no index after five minutes")
}

func (s *served) stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	_ = s.command.Wait()
}

// memory is a line about the server's memory, files and threads, as far as the system tells (Linux).
func (s *served) memory(when string) string {
	folder := fmt.Sprintf("/proc/%d/", s.command.Process.Pid)
	text, err := os.ReadFile(folder + "status")
	if err != nil {
		return fmt.Sprintf("memory    %-6s unknown", when)
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	files, _ := os.ReadDir(folder + "fd")
	return fmt.Sprintf("memory    %-6s RSS %s (own %s, mapped files %s), %d open files, %s threads", when, fields["VmRSS"], fields["RssAnon"], fields["RssFile"], len(files), fields["Threads"])
}
