// Command staticmodel makes the built-in embedding model and says how good it is: it fetches the packages of the manifest
// and makes training pairs of them (pairs), trains (train), writes the fingerprints of the repositories that may not be
// trained on (fingerprints), rebuilds everything and compares (rebuild), and measures retrieval on a folder of
// repositories with annotated questions (evaluate). Nothing of it is needed to build or test the product.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// manifestFile is the committed manifest, from the root of the repository.
const manifestFile = "embed/static/corpus/manifest.tsv"

// command is one subcommand.
type command struct {
	what string
	run  func(ctx context.Context, args []string) error
}

// commands are the subcommands, by name.
var commands = map[string]command{
	"train":        {"train a model on pairs", runTrain},
	"study":        {"train variants on the same pairs", runStudy},
	"rebuild":      {"make corpus and model anew and compare them with what is committed", runRebuild},
	"evaluate":     {"rank the chunks of repositories for annotated questions", runEvaluate},
	"pairs":        {"fetch the packages of a manifest and make their pairs", runPairs},
	"fingerprints": {"write the fingerprints of source folders", runFingerprints},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		if c, known := commands[args[0]]; known {
			if err := c.run(ctx, args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return nil
		}
	}
	var names []string
	for name, c := range commands {
		names = append(names, fmt.Sprintf("  %-14s %s", name, c.what))
	}
	slices.Sort(names)
	return errors.New("which command? one of\n" + strings.Join(names, "\n"))
}
