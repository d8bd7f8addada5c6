package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/configs"
	"agenvantage/internal/app"
	"agenvantage/server"
)

// maxErrorRunes bounds the line of an error.
const maxErrorRunes = 800

// errorLine is what --json prints on standard output when a command fails.
type errorLine struct {
	Error failure `json:"error"`
}

// failure is an error as data.
type failure struct {
	agenvantage.ErrorBody
	Try     string   `json:"try"`               // what can be done about it
	Nearest []string `json:"nearest,omitempty"` // locations that exist, where one was asked for that does not
}

// fail prints "Error: …" and "Try: …", one line each, and with asJSON the same as data on standard output.
func (p *program) fail(cmd *cobra.Command, err error, asJSON bool) {
	message, try := p.describe(err), advice(cmd, err)
	if asJSON {
		nearest, _ := app.IsUnknownLocation(err)
		line := errorLine{failure{agenvantage.ErrorBody{Kind: errorKind(err), Message: message}, try, nearest}}
		_ = printJSON(p.stdout, line) // it is told on standard error as well
	}
	fmt.Fprintf(p.stderr, "Error: %s\nTry: %s\n", message, try)
}

// interruption is the error of a run that a signal ended: what can be done about it.
type interruption string

func (interruption) Error() string { return "interrupted" }

const runAgain interruption = "run the same command again; an index run goes on where it stopped"

// print tells of it as fail tells of other errors.
func (i interruption) print(stdout, stderr io.Writer, asJSON bool) {
	if asJSON {
		_ = printJSON(stdout, errorLine{failure{ErrorBody: agenvantage.ErrorBody{Kind: errorKind(context.Canceled), Message: i.Error()}, Try: string(i)}})
	}
	fmt.Fprintf(stderr, "Error: %s\nTry: %s\n", i.Error(), string(i))
}

// wantsJSON reports whether --json, or what means the same, stands on a command line. It is read here and not by cobra, since a flag that cobra refuses may
// stand before it.
func wantsJSON(args []string) bool {
	for i, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return false
		case arg == "--handoff-json", arg == "--format=json", arg == "--format" && i+1 < len(args) && args[i+1] == "json":
			return true
		case name != "--json":
		case !given:
			return true
		default:
			yes, err := strconv.ParseBool(value)
			return yes || err != nil
		}
	}
	return false
}

// describe is an error on one line without the name of its sentinel.
func (p *program) describe(err error) string {
	text := err.Error()
	var listed ablations.TaskFaults
	if errors.As(err, &listed) && len(listed) > 1 { // they were told one a line
		text = strings.Replace(text, listed.Error(), fmt.Sprintf("%s; and %d more", listed[0].Error(), len(listed)-1), 1)
	}
	s := strings.ReplaceAll(text, agenvantage.ErrBadInput.Error()+": ", "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if errors.Is(err, agenvantage.ErrNotWritable) && p.config != nil {
		if folder := p.config.IndexFolder(p.root); !strings.Contains(s, folder) && !strings.Contains(s, p.root) {
			s += ": " + folder
		}
	}
	if r := []rune(s); len(r) > maxErrorRunes {
		s = string(r[:maxErrorRunes]) + "…"
	}
	return visible(s)
}

// advice says what can be done about an error.
func advice(cmd *cobra.Command, err error) string {
	var faults configs.Faults
	var fault *configs.Fault
	var file *fs.PathError
	nearest, isUnknown := app.IsUnknownLocation(err)
	if kind, ok := app.EmbedErrorKind(err); ok {
		return embedAdvice(kind)
	}
	switch {
	case errors.As(err, &faults) && strings.HasPrefix(faults[0].Message, "unknown key"):
		return "correct the key, or set config.allow_unknown to pass over keys of another version"
	case errors.As(err, &faults), errors.As(err, &fault):
		return "correct that setting; configs/default.yaml and docs/reference/config.md describe them all"
	case errors.Is(err, ablations.ErrOutput):
		return "--out with another place: a file for mine, a new or empty folder for run, where you may write"
	case errors.Is(err, ablations.ErrRunBusy):
		return "wait until the other process has ended, or --out DIR for a run of its own"
	case errors.Is(err, agenvantage.ErrNotWritable):
		return "--index-dir DIR, or the setting index_dir (AGENVANTAGE_INDEX_DIR), to keep the index in another folder"
	case errors.Is(err, agenvantage.ErrIncomplete):
		return "agenvantage index, which goes on where the first run stopped"
	case errors.Is(err, agenvantage.ErrNoIndex):
		return "agenvantage index"
	case errors.Is(err, agenvantage.ErrBusy):
		return "wait for the other run, or agenvantage search --no-refresh, which answers from the last index"
	case errors.Is(err, agenvantage.ErrRootGone):
		return "put the folder back where it was, or --repo DIR for another root"
	case errors.Is(err, agenvantage.ErrNothingSelected):
		return "change that rule, or --repo DIR for another root"
	case isUnknown && len(nearest) > 0:
		return cmd.CommandPath() + " " + shellWord(visible(nearest[0])) + ", or agenvantage search for a question in words"
	case isUnknown:
		return "agenvantage search for a question in words, or agenvantage files for the paths"
	case strings.HasPrefix(err.Error(), "unknown command "):
		return unknownAdvice(cmd, err)
	case cmd.Name() == "search" && strings.HasPrefix(err.Error(), "unknown"):
		return "agenvantage search -- QUERY for a query that begins with a dash, or " + cmd.CommandPath() + " --help"
	case errors.Is(err, syscall.EADDRINUSE):
		return "another port, or --http 127.0.0.1:0 for one that is free; or end the program that listens there"
	case errors.As(err, &file) && (cmd.Name() == "setup" || errors.Is(err, fs.ErrPermission)):
		return fileAdvice(cmd, file.Path, errors.Is(err, fs.ErrPermission))
	case errors.Is(err, agenvantage.ErrBadInput), isUsage(err):
		return cmd.CommandPath() + " --help"
	case errors.Is(err, context.DeadlineExceeded):
		return "again with a longer search.refresh_timeout or search.channel_timeout"
	default:
		return "agenvantage status; if the index is damaged, agenvantage index --force builds it anew"
	}
}

// unknownAdvice names the commands that are spelled like one that there is not, or mean it.
func unknownAdvice(cmd *cobra.Command, err error) string {
	help := cmd.CommandPath() + " --help"
	quoted, quoteErr := strconv.QuotedPrefix(strings.TrimPrefix(err.Error(), "unknown command "))
	word, unquoteErr := strconv.Unquote(quoted)
	if quoteErr != nil || unquoteErr != nil {
		return help
	}
	var ways []string
	for _, name := range cmd.SuggestionsFor(word) {
		ways = append(ways, cmd.CommandPath()+" "+name)
	}
	slices.Sort(ways)
	return strings.Join(append(slices.Compact(ways), help), ", or ")
}

// fileAdvice says what can be done when the system refuses a file. A temporary name stands for its folder.
func fileAdvice(cmd *cobra.Command, path string, forbidden bool) string {
	if strings.HasSuffix(path, ".tmp") {
		path = filepath.Dir(path)
	}
	var ways []string
	if forbidden {
		name := shellWord(visible(path))
		ways = append(ways, "ls -ld "+name+" says who may read and write it; chmod u+rwX "+name+" as its owner, or run this as that user")
	}
	if cmd.Name() == "setup" {
		ways = append(ways, "agenvantage setup CLIENT --print shows what to enter by hand")
	}
	return strings.Join(ways, "; or ")
}

// shellWord quotes a word that a shell would take apart.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-+@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isUsage reports whether cobra refused the command line.
func isUsage(err error) bool {
	s := err.Error()
	for _, prefix := range []string{"unknown command", "unknown flag", "unknown shorthand flag", "flag needs an argument", "invalid argument", "bad flag syntax", "accepts ", "requires ", "no such flag", "if any flags in the group"} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// errorKind names an error for data, as the servers do.
func errorKind(err error) string {
	kind := server.ErrorKind(app.WithKind(err))
	if kind == "internal" && isUsage(err) {
		return "bad_input"
	}
	return kind
}

// exitCode is the exit code of an error.
func exitCode(err error) int {
	switch errorKind(err) {
	case "unreachable":
		return exitUnreachable
	case "model_missing":
		return exitModelMissing
	}
	return exitError
}

// noArguments refuses arguments in the words of cobra's unknown commands.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: unexpected argument %q", agenvantage.ErrBadInput, args[0])
	}
	return nil
}
