package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

// presetHelp lists the kinds of tasks.
func presetHelp() string { return strings.Join(namesIn(agenvantage.TaskKinds()), ", ") }

// namesIn are the names of a closed set.
func namesIn[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}

func (p *program) planCommand() *cobra.Command {
	var task, preset string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan [TASK…] [flags]",
		Short: "Show how a task is read, before anything is looked for",
		Long: `Show how pack reads a task: its kind and what decided it, the names in it that can be looked up (anchors), the things that it
speaks of in plain words (concepts), and the slots of evidence that such a task needs: what each is searched with, the least
confidence at which it counts as filled, and its share of the tokens. It needs no index and reads no file. The task is what
stands behind the flags, or --task; - reads it from standard input.

Exit codes: 0 done, 2 error.`,
		Example: `  agenvantage plan add a weekly streak to the dashboard
  agenvantage plan --task - --preset bug < issue.md
  agenvantage plan --task "rename Store.Expire to Store.Drop" --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			task, given, err := taskOf(task, cmd.Flags().Changed("task"), args)
			if err != nil {
				return err
			}
			if !given {
				return fmt.Errorf("%w: --task is needed, or its text alone: what is to be done, or - for standard input", agenvantage.ErrBadInput)
			}
			kind, err := readPreset(preset)
			if err != nil {
				return err
			}
			text, err := p.textOf("--task", task)
			if err != nil {
				return err
			}
			answer, err := app.ReadPlan(app.PackRequest{Task: text, Preset: kind})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.stdout, answer)
			}
			return renderPlan(p.stdout, answer)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&task, "task", "", "what is to be done, as `TEXT`, or - for standard input")
	fl.StringVar(&preset, "preset", "", "the kind of the task: `KIND` is one of "+presetHelp()+" (default: the words of the task decide)")
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/plan.schema.json)")
	_ = cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions(namesIn(agenvantage.TaskKinds()), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// readPreset checks --preset; "" stays "".
func readPreset(s string) (agenvantage.TaskKind, error) {
	for _, k := range agenvantage.TaskKinds() {
		if strings.EqualFold(s, string(k)) {
			return k, nil
		}
	}
	if s == "" {
		return "", nil
	}
	return "", fmt.Errorf("%w: unknown preset %q; the presets are %s", agenvantage.ErrBadInput, s, presetHelp())
}

// maxTextBytes bounds what is read for a flag: a task or the output of a program of more than that is a mistake.
const maxTextBytes = 64 << 20

// textOf is the text of a flag, standard input for "-".
func (p *program) textOf(flag, value string) (string, error) {
	if value != "-" {
		return value, nil
	}
	return readText(flag, p.stdin)
}

// fileOf is the text of the file that a flag names, standard input for "-".
func (p *program) fileOf(flag, name string) (string, error) {
	if name == "-" {
		return readText(flag, p.stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", agenvantage.ErrBadInput, flag, err)
	}
	defer f.Close()
	return readText(flag, f)
}

func readText(flag string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxTextBytes+1))
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", agenvantage.ErrBadInput, flag, err)
	}
	if len(b) > maxTextBytes {
		return "", fmt.Errorf("%w: %s: more than %d MiB", agenvantage.ErrBadInput, flag, maxTextBytes>>20)
	}
	return string(b), nil
}

// renderPlan prints a plan for people.
func renderPlan(out io.Writer, a app.PlanAnswer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "kind      %s (%s)\n", a.Preset, visible(a.Why))
	if len(a.Anchors) == 0 {
		fmt.Fprintln(w, "anchors   none")
	}
	for i, anchor := range a.Anchors {
		text := visible(anchor.Text)
		if anchor.Line > 0 {
			text += ":" + strconv.Itoa(anchor.Line)
		}
		fmt.Fprintf(w, "%-9s %s %s\n", heading(i, "anchors"), anchor.Kind, text)
	}
	if len(a.Concepts) == 0 {
		fmt.Fprintln(w, "concepts  none")
	}
	for i, c := range a.Concepts {
		fmt.Fprintf(w, "%-9s %s (%s)\n", heading(i, "concepts"), visible(c.Text), visible(strings.Join(c.Terms, " ")))
	}
	for i, s := range a.Slots {
		need := "optional"
		if s.Required {
			need = "required"
		}
		fmt.Fprintf(w, "%-9s %s: %s, confidence %.2f or more, %.0f%% of the tokens\n", heading(i, "slots"), s.Name, need, s.Threshold, 100*s.Share)
		if len(s.Queries) == 0 {
			fmt.Fprintln(w, "            no search: names, edges, files or history fill it")
		}
		for _, q := range s.Queries {
			fmt.Fprintf(w, "            search %s\n", visible(shortText(q, plainLineSize)))
		}
	}
	return w.Flush()
}

// heading is the name of a list beside its first line.
func heading(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

// shortText is the beginning of a text of many words.
func shortText(s string, runes int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > runes {
		return string(r[:runes]) + "…"
	}
	return s
}
