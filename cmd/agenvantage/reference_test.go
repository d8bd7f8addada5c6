package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agenvantage/configs"
	"agenvantage/internal/app"
)

const reference = "../../docs/reference"

// page compares a generated page of docs/reference with what it should be, or writes it with -update.
func page(t *testing.T, name, want string) {
	t.Helper()
	file := filepath.Join(reference, name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is out of date: run make docs (%v)", file, err)
	}
}

func TestReferenceCommands(t *testing.T) {
	p := newProgram(nil, nil, nil, nil, backend{channels: app.Channels()})
	root := p.command()
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString("# Commands\n\nGenerated from the program by `make docs`; do not edit.\n\n")
	b.WriteString(`Exit codes of every command: 0 found or done, 1 nothing found, 2 error (also a run that was interrupted), 3 done with
parts left out, 4 service unreachable, 5 model missing. They are those of the built binary: ` + "`go run`" + ` turns every failure
into 1. Standard output carries data only; progress, notes and errors go to standard error. An error is a line "Error: …"
and a line "Try: …" there and leaves standard output empty; with --json it is one line {"error": {"kind", "message", "try"}} on standard output
too (schema/error.schema.json). The kinds are bad_input, no_index, incomplete, busy, nothing_selected, not_writable, root_gone, timeout, canceled and internal;
of embeddings also unreachable, model_missing, model_changed, unauthorized, quota, limited, overloaded, rejected, bad_answer,
store_corrupt, store_foreign, store_format, store_gone and disk_full. A search whose channels are all in a state in which they cannot look (no_vectors, off, …)
is no error: it finds nothing (1), says so, and has the state and its reason in channels of --json.

Colours are used on a terminal only, and never with ` + "`NO_COLOR`" + ` set or ` + "`TERM=dumb`" + `. SIGINT and SIGTERM end a run within a second
with exit code 2; the index stays whole, and the next run goes on from there.

`)
	b.WriteString("## Global flags\n\n")
	b.WriteString(flagList(root.PersistentFlags()))
	describe(&b, root)
	page(t, "commands.md", b.String())
}

func describe(b *strings.Builder, c *cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "help" {
			continue
		}
		if sub.HasSubCommands() && sub.Name() != "completion" {
			describe(b, sub)
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n", sub.CommandPath())
		if sub.Name() == "completion" {
			b.WriteString("    agenvantage completion bash|zsh|fish|powershell\n\nPrint the completion script for a shell; agenvantage completion SHELL --help says how to load it.\n")
			continue
		}
		text := sub.Long
		if text == "" {
			text = sub.Short
		}
		fmt.Fprintf(b, "    %s\n\n%s\n", strings.TrimSpace(strings.TrimSuffix(sub.UseLine(), "[flags]")), text)
		if list := flagList(sub.NonInheritedFlags()); list != "" {
			fmt.Fprintf(b, "\n%s", list)
		}
		if sub.Example != "" {
			fmt.Fprintf(b, "\nExamples:\n\n    %s\n", strings.TrimSpace(strings.ReplaceAll(sub.Example, "\n  ", "\n    ")))
		}
	}
}

func flagList(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			value = " " + value
		}
		fmt.Fprintf(&b, "- `--%s%s`: %s\n", f.Name, value, strings.ReplaceAll(usage, "**", "`**`"))
	})
	return b.String()
}

func TestReferenceConfig(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Configuration

Generated from ` + "`configs/default.yaml`" + ` by ` + "`make docs`" + `; do not edit.

Later layers win, key by key:

1. ` + "`default`" + `: the values below;
2. ` + "`user`" + `: ` + "`$XDG_CONFIG_HOME/agenvantage/config.yaml`, else `~/.config/agenvantage/config.yaml`" + `;
3. ` + "`project`" + `: ` + "`.agenvantage.yaml`" + ` at the root of the repository, a regular file. The keys ` + "`embed.*`, `rerank.*`, `index_dir` and `log.*`" + ` do
   not count there, and a warning names them: a repository that was checked out must not decide where text is sent or written;
4. ` + "`env`" + `: variables, named after the key: ` + "`search.top_k` is `AGENVANTAGE_SEARCH_TOP_K`" + `. An empty variable is unset. A variable
   that names no key is a warning. ` + "`AGENVANTAGE_TEST_…`" + ` is reserved for tests and never a key;
5. ` + "`flag`" + `: flags of the commands, and ` + "`--set KEY=VALUE`" + ` for any key.

` + "`agenvantage config show`" + ` prints every value and its source.

Unknown keys, wrong types, values out of range and keys that stand twice are errors that name the file, the line, the key and
the nearest known key. ` + "`config.allow_unknown: true`" + ` makes unknown keys warnings. A byte order mark, CRLF and an empty file are
fine. The keys of a map setting are data and keep their case; maps are merged entry by entry over the layers. In a variable or
a flag a map is written as ` + "`{\"Src/**\": 2, \"docs/**\": 0.5}` or `Src/**=2,docs/**=0.5`" + `. A list takes the place
of a lower layer's; in a variable or a flag it is written as ` + "`[\"src/**\", \"*.md\"]` or `src/**,*.md`" + `. Durations have a unit: ` + "`500ms`, `5s`" + `.

| key | default | accepts | meaning |
|---|---|---|---|
`)
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, k := range configs.Keys() {
		note := ""
		if !k.Project {
			note = " Not in a repository's own file."
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s%s |\n", k.Name, cell(k.Default), cell(k.Want), cell(strings.ReplaceAll(k.Doc, "**", "`**`")), note)
	}
	page(t, "config.md", b.String())
}

func TestReferenceSchemas(t *testing.T) {
	for name, s := range contracts(newReflector(t)) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		page(t, "schema/"+name+".schema.json", b.String())
	}
}
