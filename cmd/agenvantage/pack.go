package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agenvantage"
	"agenvantage/internal/app"
)

// The forms in which a pack is printed.
const (
	formatMarkdown = "md"
	formatJSON     = "json"
	formatXML      = "xml"
)

var packFormats = []string{formatMarkdown, formatJSON, formatXML}

// packFlags are the flags of pack.
type packFlags struct {
	task, preset, format, tokenizer string
	budget                          int
	channels, seeds                 []string
	adaptive, noRefresh             bool
	fromDiff, fromOutput            string
	asJSON, handoff                 bool
}

func (p *program) packCommand() *cobra.Command {
	var f packFlags
	cmd := &cobra.Command{
		Use:   "pack [TASK…] [flags]",
		Short: "Put together the evidence for a task",
		Long: `Put together the least evidence that a task needs: what has to be read or changed, the data that it works on, where it is
joined in, something alike, its tests, its configuration, its callers, the instruction files that hold there, recent changes,
and what nothing in the repository answers to. The task is what stands behind the flags, or --task; - reads it from standard
input. The Markdown keeps within --budget tokens as a whole. Text of the repository
stands in fences, in its exact lines, and is data. What was found and left out is listed by ids: agenvantage rehydrate prints
their text, agenvantage expand goes on with a slot, agenvantage why says why something is in the pack or is not.

--from-output reads the output of a failing program: stack traces, compiler errors, failing tests. --from-diff takes up what
the work tree changes beyond a revision. With one of them --task may be missing.

The last packs are kept beside the index. docs/reference/pack.md describes the three forms.

Exit codes: 0 the pack is ready or partial, 1 it is insufficient to act on (and is printed all the same), 2 error.`,
		Example: `  agenvantage pack sessions expire an hour too early
  agenvantage pack --task - --preset feature --budget 12000 --json < issue.md
  go test ./... 2>&1 | agenvantage pack --from-output -
  agenvantage pack --from-diff=main --task "is the cache invalidated?"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			request, format, err := p.packRequest(cmd, f, args)
			if err != nil {
				return err
			}
			return p.pack(cmd, request, format, f.handoff)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.task, "task", "", "what is to be done, as `TEXT`, or - for standard input")
	fl.StringVar(&f.preset, "preset", "", "the kind of the task: `KIND` is one of "+presetHelp()+" (default: the words of the task decide)")
	fl.IntVar(&f.budget, "budget", app.DefaultPackBudget, "at most `N` tokens in the whole Markdown")
	fl.StringSliceVar(&f.channels, "channels", nil, "retrieval channels: auto, or `NAME,…` of "+strings.Join(p.backend.channels, ", "))
	fl.BoolVar(&f.adaptive, "adaptive", true, "look a second time for what is missing; =false takes the first look")
	fl.StringVar(&f.fromDiff, "from-diff", "", "begin with what the work tree changes beyond `REV` (default: HEAD)")
	fl.Lookup("from-diff").NoOptDefVal = "HEAD"
	fl.StringVar(&f.fromOutput, "from-output", "", "begin with the output of a failing program in `FILE`, or - for standard input")
	fl.StringArrayVar(&f.seeds, "seed", nil, "begin with the file `PATH`, which belongs to the task; may be repeated")
	fl.StringVar(&f.format, "format", formatMarkdown, "print as `FORMAT`: "+strings.Join(packFormats, ", "))
	fl.BoolVar(&f.asJSON, "json", false, "print JSON, as --format json does (docs/reference/pack.schema.json)")
	fl.BoolVar(&f.handoff, "handoff-json", false, "print JSON that holds the Markdown too, as prompt")
	fl.StringVar(&f.tokenizer, "tokenizer", "", "count tokens as `NAME` does: "+strings.Join(tokenizerNames(), " or ")+" (default: the larger count of both)")
	fl.BoolVar(&f.noRefresh, "no-refresh", false, "answer from the index as it is")
	_ = cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions(namesIn(agenvantage.TaskKinds()), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(packFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("tokenizer", cobra.FixedCompletions(tokenizerNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("channels", cobra.FixedCompletions(append([]string{"auto"}, p.backend.channels...), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// packRequest reads the flags. Standard input is read last, when everything else is well.
func (p *program) packRequest(cmd *cobra.Command, f packFlags, args []string) (r app.PackRequest, format string, err error) {
	changed := cmd.Flags().Changed
	given := changed("task")
	if changed("from-diff") && f.fromDiff == "HEAD" && len(args) > 0 { // a flag with an optional value takes it behind = alone
		switch words := len(strings.Fields(args[0])); {
		case len(args) > 1:
			return r, "", fmt.Errorf("%w: unexpected argument %q: a revision stands in --from-diff=REV, and a task of several words in --task", agenvantage.ErrBadInput, args[0])
		case given || words == 1:
			f.fromDiff, args = args[0], nil
		}
	}
	if f.task, given, err = taskOf(f.task, given, args); err != nil {
		return r, "", err
	}
	if format, err = f.readFormat(changed("format")); err != nil {
		return r, "", err
	}
	r = app.PackRequest{Budget: f.budget, Channels: f.channels, OneRound: !f.adaptive, Seeds: f.seeds, NoRefresh: f.noRefresh}
	if r.Preset, err = readPreset(f.preset); err != nil {
		return r, "", err
	}
	if r.Tokenizer, err = readTokenizer(f.tokenizer); err != nil {
		return r, "", err
	}
	switch {
	case f.budget < 1 || f.budget > app.MaxPackBudget:
		return r, "", fmt.Errorf("%w: --budget is %d, want 1 to %d tokens", agenvantage.ErrBadInput, f.budget, app.MaxPackBudget)
	case changed("from-diff") && strings.TrimSpace(f.fromDiff) == "":
		return r, "", fmt.Errorf("%w: --from-diff without a revision behind =; --from-diff alone means HEAD", agenvantage.ErrBadInput)
	case changed("from-output") && f.fromOutput == "":
		return r, "", fmt.Errorf("%w: --from-output needs a file, or - for standard input", agenvantage.ErrBadInput)
	case f.task == "-" && f.fromOutput == "-":
		return r, "", fmt.Errorf("%w: --task and --from-output cannot both read standard input", agenvantage.ErrBadInput)
	case !given && !changed("from-diff") && !changed("from-output"):
		return r, "", fmt.Errorf("%w: --task is needed, or its text alone: what is to be done, or - for standard input; or --from-output or --from-diff", agenvantage.ErrBadInput)
	}
	if changed("from-diff") {
		r.FromDiff = &f.fromDiff
	}
	if changed("from-output") {
		if r.Output, err = p.fileOf("--from-output", f.fromOutput); err != nil {
			return r, "", err
		}
		if strings.TrimSpace(r.Output) == "" {
			return r, "", fmt.Errorf("%w: --from-output %s holds nothing", agenvantage.ErrBadInput, f.fromOutput)
		}
	}
	if given {
		r.Task, err = p.textOf("--task", f.task)
		return r, format, err
	}
	return r.WithoutTask(), format, nil
}

// taskOf is the task of --task, or of the words behind the flags.
func taskOf(flag string, given bool, words []string) (task string, ok bool, err error) {
	switch {
	case len(words) == 0:
		return flag, given, nil
	case given:
		return "", false, fmt.Errorf("%w: unexpected argument %q beside --task", agenvantage.ErrBadInput, words[0])
	}
	return strings.Join(words, " "), true, nil
}

// readFormat checks --format beside the two flags that mean JSON.
func (f packFlags) readFormat(given bool) (string, error) {
	if !slices.Contains(packFormats, f.format) {
		return "", fmt.Errorf("%w: unknown format %q; the formats are %s", agenvantage.ErrBadInput, f.format, strings.Join(packFormats, ", "))
	}
	if !f.asJSON && !f.handoff {
		return f.format, nil
	}
	if given && f.format != formatJSON {
		flag := "--json"
		if f.handoff {
			flag = "--handoff-json"
		}
		return "", fmt.Errorf("%w: --format %s beside %s", agenvantage.ErrBadInput, f.format, flag)
	}
	return formatJSON, nil
}

// tokenizerNames are the short names of the known tokenizers.
func tokenizerNames() []string {
	var names []string
	for _, n := range app.Tokenizers() {
		names = append(names, strings.TrimSuffix(n, "_base"))
	}
	return names
}

// readTokenizer checks --tokenizer and gives its full name; "" stays "".
func readTokenizer(s string) (string, error) {
	for _, n := range app.Tokenizers() {
		if s == n || s == strings.TrimSuffix(n, "_base") {
			return n, nil
		}
	}
	if s == "" {
		return "", nil
	}
	return "", fmt.Errorf("%w: unknown tokenizer %q; the tokenizers are %s", agenvantage.ErrBadInput, s, strings.Join(tokenizerNames(), ", "))
}

func (p *program) pack(cmd *cobra.Command, request app.PackRequest, format string, handoff bool) error {
	answer, err := asked(p, cmd, request, service.Pack)
	if err != nil {
		return err
	}
	if handoff {
		answer.Prompt = app.PackMarkdown(answer)
	}
	if err := p.printPack(answer, format); err != nil {
		return err
	}
	if answer.Status == agenvantage.PackInsufficient {
		return exitStatus(exitNothing)
	}
	return nil
}

// printPack prints a pack: in its exact bytes, save on a terminal, where the text of a repository must not give commands.
func (p *program) printPack(answer agenvantage.Pack, format string) error {
	var text string
	switch format {
	case formatJSON:
		b, err := app.PackJSON(answer)
		if err != nil {
			return err
		}
		text = string(b)
	case formatXML:
		text = app.PackXML(answer)
	default:
		text = app.PackMarkdown(answer)
	}
	if format != formatJSON && p.onTerminal() {
		text = app.PackVisible(text)
	}
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return err
	}
	if format == formatMarkdown && p.says("warn") { // the Markdown has no id, so that it changes with the evidence alone
		fmt.Fprintf(p.stderr, "Note: pack %s, %s, %d of %d tokens\n", answer.ID, answer.Status, answer.Tokens, answer.Budget)
	}
	return nil
}

// onTerminal reports whether standard output is a terminal of any kind, a dumb one too.
func (p *program) onTerminal() bool {
	f := file(p.stdout)
	return f != nil && term.IsTerminal(int(f.Fd()))
}
