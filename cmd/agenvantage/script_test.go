package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts of testdata/script: each shows one command as a user types it. In a script, "contract
// NAME FILE" checks each line of FILE ("stdout" is the last output), or its one indented value, against docs/reference/schema/NAME.schema.json.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			for _, v := range []string{"HOME=" + e.WorkDir + "/home", "XDG_CONFIG_HOME=" + e.WorkDir + "/home/.config", "GIT_CONFIG_NOSYSTEM=1", "NO_COLOR=1",
				"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.invalid",
				"GIT_CEILING_DIRECTORIES=" + e.WorkDir} {
				name, value, _ := strings.Cut(v, "=")
				e.Setenv(name, value)
			}
			return os.MkdirAll(e.WorkDir+"/home/.config", 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"contract": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: contract NAME FILE")
				}
				text := ts.ReadFile(args[1])
				if text == "" {
					ts.Fatalf("nothing to check")
				}
				lines := strings.Lines(text)
				if strings.HasPrefix(text, "{\n") { // one value over many lines
					lines = slices.Values([]string{text})
				}
				for line := range lines {
					if bad := breaks(t, args[0], line); len(bad) > 0 {
						ts.Fatalf("%s\n%s", strings.Join(bad, "\n"), line)
					}
				}
			},
			// eventually COMMAND… runs a command again and again until it succeeds, for at most a minute.
			"eventually": func(ts *testscript.TestScript, neg bool, args []string) {
				deadline := time.Now().Add(time.Minute)
				for err := ts.Exec(args[0], args[1:]...); err != nil; err = ts.Exec(args[0], args[1:]...) {
					if time.Now().After(deadline) {
						ts.Fatalf("%q does not succeed: %v", args, err)
					}
					time.Sleep(20 * time.Millisecond)
				}
			},
			// exits CODE COMMAND… runs a command that ends with that exit code.
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				got := 0
				if exit, ok := err.(*exec.ExitError); ok {
					got = exit.ExitCode()
				} else if err != nil {
					ts.Fatalf("%v", err)
				}
				if args[0] != strings.TrimSpace(string(rune('0'+got))) {
					ts.Fatalf("exit code %d, want %s", got, args[0])
				}
			},
		},
	})
}
