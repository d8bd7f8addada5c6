package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the released version; a build sets it with -ldflags "-X main.version=1.2.3".
var version = "0.1.0-dev"

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version, the commit, the Go version and the index format",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := fmt.Fprintf(p.stdout, "agenvantage %s\ncommit %s\n%s %s/%s\nindex format %d\n", version, commit(),
				runtime.Version(), runtime.GOOS, runtime.GOARCH, p.backend.indexFormat)
			return err
		},
	}
}

// commit is the commit that the program was built from, as the Go toolchain recorded it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, modified := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	return revision + modified
}
