package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
)

// The exit codes that this version can return.
const (
	exitOK           = 0
	exitNothing      = 1 // nothing found
	exitError        = 2
	exitPartial      = 3 // done with parts left out
	exitUnreachable  = 4 // service unreachable
	exitModelMissing = 5
)

// service is what the commands need of an opened repository; *app.App is one.
type service interface {
	Index(ctx context.Context, force bool, progress func(app.Progress)) (app.IndexSummary, error)
	Watch(ctx context.Context, o app.WatchOptions) error
	Search(ctx context.Context, r app.SearchRequest, progress func(app.Progress)) (agenvantage.Response, error)
	Status(ctx context.Context) (app.Status, error)
	Files(ctx context.Context) ([]app.FileStatus, error)
	ListFiles(ctx context.Context, noRefresh bool, progress func(app.Progress)) (app.FileList, error)
	Clean(ctx context.Context) (app.CleanSummary, error)
	ChangesFor(ctx context.Context, r app.ChangesRequest, progress func(app.Progress)) (app.Changes, error)
	Cochange(ctx context.Context, r app.CochangeRequest, progress func(app.Progress)) (app.Cochanges, error)
	Navigate(ctx context.Context, r app.NavigateRequest, progress func(app.Progress)) (app.Navigation, error)
	Map(ctx context.Context, r app.MapRequest, progress func(app.Progress)) (app.MapAnswer, error)
	Pack(ctx context.Context, r app.PackRequest, progress func(app.Progress)) (agenvantage.Pack, error)
	Expand(ctx context.Context, r app.ExpandRequest) (agenvantage.Pack, error)
	Rehydrate(ctx context.Context, id string) (app.Rehydrated, error)
	WhyPacked(ctx context.Context, packID, location string) (app.PackReason, error)
	Close() error
}

// backend is how a service is reached.
type backend struct {
	resolveRoot func(root string) (string, error) // "" means the enclosing work tree or the current folder
	checkRoot   func(root string) error           // refuses a root that nobody has named; nil refuses none
	open        func(root string, cfg *configs.Config) (service, error)
	channels    []string // names for --channels
	indexFormat int      // version of the format on disk
}

// program is one run of the command line.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
	backend        backend

	repo, indexDir, logLevel string            // global flags
	settings                 []string          // --set KEY=VALUE
	given                    map[string]string // settings of this run's flags

	root   string
	config *configs.Config // nil until loaded
}

func newProgram(stdin io.Reader, stdout, stderr io.Writer, env []string, b backend) *program {
	return &program{stdin: stdin, stdout: stdout, stderr: stderr, env: env, backend: b}
}

// exitStatus is a command's result that is no error: only its number counts.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// runWithin runs the command and gives it grace after ctx ended; then it is abandoned, which the index survives as it
// survives a crash. What an abandoned command still prints goes nowhere.
func (p *program) runWithin(ctx context.Context, args []string, grace time.Duration) int {
	var gate sync.Mutex
	closed := false
	out, errOut := p.stdout, p.stderr
	p.stdout, p.stderr = &gated{out, &gate, &closed}, &gated{errOut, &gate, &closed}
	done := make(chan int, 1)
	go func() { done <- p.execute(ctx, args) }()
	select {
	case code := <-done:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-done:
		return code
	case <-time.After(grace):
		gate.Lock()
		defer gate.Unlock()
		closed = true
		runAgain.print(out, errOut, wantsJSON(args))
		return exitError
	}
}

// gated is a writer that can be shut.
type gated struct {
	w      io.Writer
	mu     *sync.Mutex
	closed *bool
}

func (g *gated) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if *g.closed {
		return 0, os.ErrClosed
	}
	return g.w.Write(b)
}

// execute runs the command to its end and prints its error.
func (p *program) execute(ctx context.Context, args []string) int {
	root := p.command()
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	case ctx.Err() != nil:
		stopped := runAgain
		errors.As(err, &stopped) // a command may know better
		stopped.print(p.stdout, p.stderr, wantsJSON(args))
		return exitError
	default:
		p.fail(cmd, err, wantsJSON(args))
		return exitCode(err)
	}
}

// command builds the tree of commands.
func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "agenvantage",
		Short: "Find the evidence that a task needs in a repository",
		Long: `agenvantage searches a repository by names, literals and words. The first search builds an index in
.agenvantage at the root of the repository; later ones keep it up to date.`,
		Example: `  agenvantage search "where are sessions expired"
  agenvantage search Mux.ServeHTTP --kind method
  agenvantage search --json --path 'src/**' '/TODO\(\w+\)/'`,
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableSuggestions:         true, // errors are one line; their advice has them
		SuggestionsMinimumDistance: 2,
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if f := cmd.Flags().Lookup("repo"); f != nil && f.Changed && f.Value.String() == "" { // an unset variable of a script, most likely
			return errEmptyRepo
		}
		return nil
	}
	g := root.PersistentFlags()
	g.StringVar(&p.repo, "repo", "", "root `DIR` as it stands (default: the enclosing git work tree, else the current folder, unless that is the home folder, holds it, or is the whole disk)")
	g.StringVar(&p.indexDir, "index-dir", "", "`DIR` of the index itself (default: .agenvantage at the root)")
	g.StringVar(&p.logLevel, "log-level", "", "`LEVEL` of what is said on standard error: error, warn, info or debug")
	g.StringArrayVar(&p.settings, "set", nil, "set any configuration key for this run, as `KEY=VALUE`; may be repeated")
	_ = root.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"error", "warn", "info", "debug"}, cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(p.indexCommand(), p.searchCommand(), p.statusCommand(), p.filesCommand(), p.mapCommand(), p.symbolCommand(), p.refsCommand(), p.callersCommand(),
		p.calleesCommand(), p.neighborsCommand(), p.impactCommand(), p.testsForCommand(), p.readCommand(), p.changesForCommand(), p.cochangeCommand(),
		p.planCommand(), p.packCommand(), p.expandCommand(), p.rehydrateCommand(), p.whyCommand(), p.serveCommand(), p.configCommand(), p.embedCommand(), p.ablateCommand(), p.cleanCommand(), p.setupCommand(), p.doctorCommand(), p.versionCommand())
	return root
}

// load finds the root and reads the configuration.
func (p *program) load(cmd *cobra.Command) error {
	root, err := p.backend.resolveRoot(p.repo)
	if err != nil {
		return err
	}
	p.root = root
	all := map[string]string{}
	for _, s := range p.settings {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("%w: --set %q: want KEY=VALUE", agenvantage.ErrBadInput, s)
		}
		all[name] = value
	}
	for flag, name := range map[string]string{"index-dir": "index_dir", "log-level": "log.level"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			all[name] = f.Value.String()
		}
	}
	p.given = all
	cfg, warnings, err := configs.Load(configs.LoadOptions{RepoRoot: root, Env: p.env, Flags: all})
	if err == nil {
		p.config = cfg
	}
	p.warn(warnings)
	return err
}

// configWith is the configuration of this run with more settings over it.
func (p *program) configWith(settings map[string]string) (*configs.Config, error) {
	all := maps.Clone(p.given)
	maps.Copy(all, settings)
	cfg, _, err := configs.Load(configs.LoadOptions{RepoRoot: p.root, Env: p.env, Flags: all})
	return cfg, err
}

// asked opens the repository, asks it one question and closes it, with the progress on standard error meanwhile.
func asked[R, A any](p *program, cmd *cobra.Command, request R, question func(service, context.Context, R, func(app.Progress)) (A, error)) (answer A, err error) {
	s, err := p.open(cmd)
	if err != nil {
		return answer, err
	}
	defer s.Close()
	bar := p.newProgress()
	defer bar.close()
	return question(s, cmd.Context(), request, bar.update)
}

// atLeastOne refuses a number below 1 that was given for a flag. Without the flag any number will do: it is the default.
func atLeastOne(cmd *cobra.Command, flag string, n int) error {
	if cmd.Flags().Changed(flag) && n < 1 {
		return fmt.Errorf("%w: --%s is %d, want 1 or more", agenvantage.ErrBadInput, flag, n)
	}
	return nil
}

// maxWarningLines keeps a run that fails within four lines.
const maxWarningLines = 2

// warn prints what does not count in the configuration.
func (p *program) warn(warnings []configs.Warning) {
	if !p.says("warn") {
		return
	}
	for i, w := range warnings {
		if i == maxWarningLines-1 && len(warnings) > maxWarningLines && !p.says("info") {
			fmt.Fprintf(p.stderr, "Warning: and %d more warnings about settings; --log-level info shows them all\n", len(warnings)-i)
			return
		}
		fmt.Fprintf(p.stderr, "Warning: %s\n", visible(w.String()))
	}
}

// notes prints what a reader must know, on standard error.
func (p *program) notes(notes []string) {
	if !p.says("warn") {
		return
	}
	for _, n := range notes {
		fmt.Fprintf(p.stderr, "Note: %s\n", visible(n))
	}
}

// says reports whether messages of the level are wanted.
func (p *program) says(level string) bool {
	levels := []string{"error", "warn", "info", "debug"}
	wanted := "warn"
	if p.config != nil {
		wanted = p.config.Log.Level
	}
	return slices.Index(levels, level) <= slices.Index(levels, wanted)
}

// open loads the configuration and opens the repository.
func (p *program) open(cmd *cobra.Command) (service, error) {
	if err := p.load(cmd); err != nil {
		return nil, err
	}
	if err := p.checkRoot(p.root); err != nil {
		return nil, err
	}
	return p.backend.open(p.root, p.config)
}

// checkRoot refuses a root that --repo does not name, where nobody would mean it.
func (p *program) checkRoot(root string) error {
	if p.repo != "" || p.backend.checkRoot == nil {
		return nil
	}
	return p.backend.checkRoot(root)
}

// errEmptyRepo refuses an empty --repo, of all commands but serve, where the flag may be repeated, and of serve.
var errEmptyRepo = fmt.Errorf("%w: --repo is empty", agenvantage.ErrBadInput)

// printJSON writes v as one line. Paths that are not valid UTF-8 have U+FFFD in the place of the bad bytes.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// lookup gives the last value of an environment variable.
func (p *program) lookup(name string) string {
	for _, e := range slices.Backward(p.env) {
		if n, v, _ := strings.Cut(e, "="); n == name {
			return v
		}
	}
	return ""
}

// file is the file behind a writer, nil when there is none.
func file(w io.Writer) *os.File {
	if g, ok := w.(*gated); ok {
		w = g.w
	}
	f, _ := w.(*os.File)
	return f
}

// isTerminal reports whether w is a terminal that understands more than plain lines.
func (p *program) isTerminal(w io.Writer) bool {
	f := file(w)
	return f != nil && p.lookup("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// colours reports whether standard output may be coloured.
func (p *program) colours() bool { return p.lookup("NO_COLOR") == "" && p.isTerminal(p.stdout) }

// width is the number of columns of standard output, 0 when it is no terminal.
func (p *program) width() int {
	f := file(p.stdout)
	if f == nil {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}
