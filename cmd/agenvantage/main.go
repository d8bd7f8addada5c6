// Command agenvantage searches a repository from the terminal. This package parses flags, calls internal/app and prints:
// it owns the words, the colours and the exit codes, and must not know a store, a parser or a channel. Read main.go and
// program.go first; each subcommand has a file of its own.
//
// Exit codes, of every command: 0 found or done, 1 nothing found, 2 error (also an interrupted run), 3 done with parts
// left out, 4 service unreachable, 5 model missing. Standard output carries data only.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"agenvantage/configs"
	"agenvantage/internal/app"
)

func main() {
	log.SetOutput(io.Discard) // libraries below us log what they also return as errors
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
	stop()
	os.Exit(code)
}

// run is the whole program: it returns the exit code, and no later than a second after ctx ended.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	p := newProgram(stdin, stdout, stderr, env, backend{
		resolveRoot: app.ResolveRoot,
		checkRoot:   app.CheckRoot,
		open: func(root string, cfg *configs.Config) (service, error) {
			a, err := app.Open(root, cfg)
			if err != nil {
				return nil, err
			}
			return a, nil
		},
		channels:    app.Channels(),
		indexFormat: app.IndexFormat,
	})
	return p.runWithin(ctx, args, 900*time.Millisecond)
}
