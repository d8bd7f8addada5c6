package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/setup"
)

// setupResult is `setup --json` with clients.
type setupResult struct {
	DryRun bool         `json:"dry_run"` // nothing was written
	Steps  []setup.Step `json:"steps"`
}

// setupList is `setup --json` without clients.
type setupList struct {
	Clients []setup.Found `json:"clients"`
}

// setupFlags are the flags of setup.
type setupFlags struct {
	all, dryRun, remove, force, print, asJSON bool
	scope                                     string
}

func (p *program) setupCommand() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup [CLIENT…]",
		Short: "Enter agenvantage into the configuration of coding agents",
		Long: `Enter this program into the configuration of coding agents: an entry among their MCP servers, and a block in the file of
instructions that they read. The clients are ` + strings.Join(setup.Names(), ", ") + `.

Without a client it lists those that are installed and where agenvantage is entered already, and writes nothing.

Everything else in a file stays as it is, byte for byte. What a file was before is kept beside it, as FILE` + setup.BackupSuffix + `,
and a backup is never written over: the next one is ….2. A file that does not parse is left alone, with an error, and nothing
is written through a link that leads out of the project or the home folder. A second run changes nothing. --remove takes out
the entry and the block, gives a file that has not changed since its backup back, and deletes files that only they were in.

An entry named agenvantage that setup did not write is left alone, and said to be: one with an address (of agenvantage serve
--http), with arguments or settings of its own, or with a program that is not named by its whole path. What already starts this
program needs no change. --force makes such an entry start this program, after a backup; --remove gives it back.

Each client has a usual place: the project for most; for codex, windsurf and zed the servers are entered in the home folder and
the instructions in the project. --scope names another one.

Exit codes: 0 done or nothing to do, 2 error.`,
		Example: `  agenvantage setup
  agenvantage setup claude-code codex --dry-run
  agenvantage setup --all
  agenvantage setup cursor --remove
  agenvantage setup vscode --print`,
		ValidArgsFunction: cobra.FixedCompletions(setup.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.setup(cmd, args, f) },
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "every client that is installed; with --remove every client")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be written, and write nothing")
	cmd.Flags().BoolVar(&f.remove, "remove", false, "take the entry and the block out again")
	cmd.Flags().BoolVar(&f.force, "force", false, "also change, or with --remove take out, an entry that setup did not write; a backup is kept")
	cmd.Flags().BoolVar(&f.print, "print", false, "print the entry and the block with the files that they belong in, and write nothing")
	cmd.Flags().StringVar(&f.scope, "scope", "", "`SCOPE` of the files: project or user (default: the usual place of each client)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON (docs/reference/schema/setup.schema.json; without a client schema/setup-list.schema.json)")
	cmd.MarkFlagsMutuallyExclusive("print", "remove")
	cmd.MarkFlagsMutuallyExclusive("print", "dry-run")
	cmd.MarkFlagsMutuallyExclusive("print", "json")
	cmd.MarkFlagsMutuallyExclusive("print", "force")
	_ = cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"project", "user"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (p *program) setup(cmd *cobra.Command, args []string, f setupFlags) error {
	m, err := p.machine(setup.Scope(f.scope) != setup.ScopeUser && (f.all || len(args) > 0))
	if err != nil {
		return err
	}
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	o := setup.Options{Binary: binary, Scope: setup.Scope(f.scope), Remove: f.remove, Force: f.force}
	if err := o.Validate(); err != nil {
		return err
	}
	chosen, err := p.chosen(m, args, f)
	switch {
	case err != nil:
		return err
	case !f.all && len(args) == 0:
		return p.listClients(m, f)
	case f.print:
		return p.printSetup(m, chosen, o)
	}
	if strings.Contains(binary, string(filepath.Separator)+"go-build") && !f.remove && p.says("warn") {
		fmt.Fprintf(p.stderr, "Warning: %s is a temporary program of go run: install agenvantage and run its setup\n", visiblePath(binary))
	}
	plan, err := setup.Make(m, chosen, o)
	if err != nil {
		return err
	}
	if !f.dryRun {
		if err := plan.Apply(); err != nil {
			return err
		}
	}
	if f.asJSON {
		return printJSON(p.stdout, setupResult{DryRun: f.dryRun, Steps: filled(plan.Steps)})
	}
	return renderSetup(p.stdout, plan.Steps, f.dryRun)
}

// chosen are the clients that are meant.
func (p *program) chosen(m setup.Machine, args []string, f setupFlags) ([]*setup.Client, error) {
	switch {
	case f.all && len(args) > 0:
		return nil, fmt.Errorf("%w: --all and the client %q: want one of them", agenvantage.ErrBadInput, args[0])
	case !f.all && len(args) == 0 && (f.remove || f.dryRun || f.print || f.force || f.scope != ""):
		return nil, fmt.Errorf("%w: no client is named: want one of %s, or --all", agenvantage.ErrBadInput, strings.Join(setup.Names(), ", "))
	case f.all && f.remove:
		return setup.Clients(), nil
	case f.all:
		for _, c := range setup.Detect(m) {
			if c.Installed {
				args = append(args, c.Client)
			}
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("%w: no client is installed that agenvantage knows: want one of %s by name", agenvantage.ErrBadInput, strings.Join(setup.Names(), ", "))
		}
	}
	return setup.Find(args)
}

// machine says where the files of clients lie. needsProject refuses a root that nobody would write a project's files into.
func (p *program) machine(needsProject bool) (setup.Machine, error) {
	m := setup.Machine{Env: p.lookup, LookPath: exec.LookPath}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := p.lookup(name); m.Home == "" && filepath.IsAbs(home) {
			m.Home = home
		}
	}
	root, err := p.backend.resolveRoot(p.repo)
	if err != nil {
		return m, err
	}
	if err := p.checkRoot(root); err != nil {
		if needsProject {
			return m, fmt.Errorf("%w; or --scope user", err)
		}
		return m, nil
	}
	m.Project = root
	return m, nil
}

// listClients says which clients are installed and set up.
func (p *program) listClients(m setup.Machine, f setupFlags) error {
	found := setup.Detect(m)
	if f.asJSON {
		return printJSON(p.stdout, setupList{found})
	}
	t := newTable(p.stdout)
	for _, c := range found {
		installed := "not installed"
		if c.Installed {
			installed = "installed (" + visiblePath(c.Because) + ")"
		}
		var entered []string
		for _, e := range c.Configured {
			if e.Error != "" {
				entered = append(entered, visiblePath(e.Path)+" cannot be read")
				continue
			}
			with := ""
			if e.URL != "" {
				with = " with the address " + visible(e.URL)
			}
			entered = append(entered, "entered in "+visiblePath(e.Path)+with)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.Client, installed, cmp.Or(strings.Join(entered, ", "), "not entered"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "\nagenvantage setup CLIENT enters it, agenvantage setup --all for all that are installed; --dry-run shows what would be written.")
	return err
}

// printSetup prints what a person would paste.
func (p *program) printSetup(m setup.Machine, chosen []*setup.Client, o setup.Options) error {
	for i, c := range chosen {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		config, instructions := c.Places(m, o.Scope)
		if config != "" {
			fmt.Fprintf(p.stdout, "%s, in %s:\n\n%s\n", c.Name, visiblePath(config), c.Entry(o.Binary))
		}
		if _, err := fmt.Fprintf(p.stdout, "%s, in %s:\n\n%s", c.Name, visiblePath(cmp.Or(instructions, "its settings, as a rule for all projects")), setup.Instructions); err != nil {
			return err
		}
	}
	return nil
}

// setupWords say what was done, and what would be.
var setupWords = map[setup.Action][2]string{
	setup.ActionCreate:    {"created", "would create"},
	setup.ActionChange:    {"changed", "would change"},
	setup.ActionUnchanged: {"unchanged", "unchanged"},
	setup.ActionRemove:    {"taken out of", "would take out of"},
	setup.ActionRestore:   {"restored", "would restore"},
	setup.ActionDelete:    {"deleted", "would delete"},
	setup.ActionKeep:      {"kept", "would keep"},
	setup.ActionNone:      {"no file", "no file"},
}

func renderSetup(w io.Writer, steps []setup.Step, dryRun bool) error {
	for _, s := range steps {
		words := setupWords[s.Action][0]
		if dryRun {
			words = setupWords[s.Action][1]
		}
		line := fmt.Sprintf("%s: %s %s", s.Client, words, visiblePath(s.Path))
		if s.Path == "" {
			line = fmt.Sprintf("%s: %s", s.Client, words)
		}
		if s.Backup != "" {
			line += " (backup: " + visiblePath(filepath.Base(s.Backup)) + ")"
		}
		if _, err := fmt.Fprintln(w, line+visible(prefixed(": ", s.Note))); err != nil {
			return err
		}
		if dryRun {
			if err := renderLines(w, s.Before, s.After); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderLines shows the lines in which two texts differ: those between their common beginning and their common end, which is
// all that one edit touches.
func renderLines(w io.Writer, before, after []byte) error {
	a, b := slices.Collect(bytes.Lines(before)), slices.Collect(bytes.Lines(after))
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for _, side := range []struct {
		mark  string
		lines [][]byte
	}{{"-", a}, {"+", b}} {
		for _, line := range side.lines {
			if _, err := fmt.Fprintf(w, "  %s %s\n", side.mark, visible(strings.TrimRight(string(line), "\r\n"))); err != nil {
				return err
			}
		}
	}
	return nil
}
