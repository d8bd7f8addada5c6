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
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// manifestFile is the committed manifest, from the root of the repository.
const manifestFile = "embed/static/corpus/manifest.tsv"

// commands are the subcommands, by name.
var commands = map[string]func(ctx context.Context, args []string) error{
	"train": runTrain, "study": runStudy, "rebuild": runRebuild, "evaluate": runEvaluate, "pairs": runPairs, "fingerprints": runFingerprints,
}

// purposes say what each subcommand does.
var purposes = map[string]string{
	"train":        "train a model on pairs",
	"study":        "train variants on the same pairs",
	"rebuild":      "make corpus and model anew and compare them with what is committed",
	"evaluate":     "rank the chunks of repositories for annotated questions",
	"pairs":        "fetch the packages of a manifest and make their pairs",
	"fingerprints": "write the fingerprints of source folders, which are its arguments",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(2)
	}
}

// run runs one subcommand. Asked for help it prints that on standard output and is content.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("which command? one of\n" + overview())
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 && args[0] == "help" {
			args = []string{args[1], "-h"}
			break
		}
		fmt.Printf("staticmodel COMMAND [FLAGS] makes and measures the built-in embedding model. Run it from the root of the repository.\n\n%s\n\n"+
			"staticmodel COMMAND -h has the flags of one.\n", overview())
		return nil
	}
	do, known := commands[args[0]]
	if !known {
		return fmt.Errorf("no such command: %s; there are\n%s", args[0], overview())
	}
	if err := do(ctx, args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// overview has a line for each subcommand, by name.
func overview() string {
	var lines []string
	for name, what := range purposes {
		lines = append(lines, fmt.Sprintf("  %-14s %s", name, what))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// newFlags is the empty set of flags of a subcommand.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints errors, once
	return flags
}

// parse parses the flags of a subcommand that takes no further arguments. Asked for help it prints what there is and returns flag.ErrHelp.
func parse(flags *flag.FlagSet, args []string) error {
	if err := parseSome(flags, args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: it takes flags alone", flags.Arg(0))
	}
	return nil
}

// parseSome is parse for a subcommand that takes arguments.
func parseSome(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Printf("staticmodel %s: %s\n", flags.Name(), purposes[flags.Name()])
		flags.SetOutput(os.Stdout)
		flags.PrintDefaults()
	}
	return err
}

// checkWorkers refuses numbers of workers that would do nothing.
func checkWorkers(n int) error {
	if n < 1 {
		return fmt.Errorf("-workers %d: want 1 or more", n)
	}
	return nil
}
