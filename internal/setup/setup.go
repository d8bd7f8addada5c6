// Package setup enters this program into the configuration of coding agents, and takes it out again: one entry among their
// MCP servers, and one block in the file that they read before a task. It owns where each agent keeps these, how its file is
// edited without touching the rest, the backups, and the rule that nothing is written through a link that leads out of the
// project or the home folder. It starts no program. Read setup.go first, then clients.go for the agents, plan.go for what is
// done, and jsonfile.go, tomlfile.go and block.go for the three kinds of files.
//
// # What is ours
//
// The block between our marks is, and the entry of our name when it is what some version of setup writes (entry.isOurs). Any
// other entry of our name was written by somebody: it is left alone and reported, unless Options.Force is set, and then the
// file is backed up before.
//
// # Taking out
//
// What is taken out is what is ours; a file that nothing else is in and that has no backup was made by us and is deleted. When
// a file is still exactly its backup with our entry in it, the backup itself comes back, byte for byte; when it has changed
// beside that, an entry that the backup had comes back.
package setup

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"agenvantage"
)

// ServerName is the name of our entry among the MCP servers of a client.
const ServerName = "agenvantage"

// BackupSuffix is what is added to a file's name for the copy of what it was before.
const BackupSuffix = ".agenvantage-backup"

// Scope says for whom a client is configured.
type Scope string

// The scopes. The empty one means the usual place of each client: for most the project; for those that keep their servers in
// the home folder there, with the instructions in the project.
const (
	ScopeProject Scope = "project"
	ScopeUser    Scope = "user"
)

// Machine is where the files of clients lie. Every folder is absolute.
type Machine struct {
	Project  string                            // root of the project, without links; "" when there is none
	Home     string                            // "" when there is none: then nothing of the user's is found or written
	Env      func(name string) string          // nil for an empty environment
	System   string                            // as runtime.GOOS; "" means that of this program
	LookPath func(name string) (string, error) // finds a program; nil finds none
}

// Options say what Make plans.
type Options struct {
	Binary string // absolute path of this program, for the entry
	Scope  Scope
	Remove bool // take out instead of entering
	Force  bool // replace or take out an entry that setup did not write, too
}

// Validate returns an error wrapping agenvantage.ErrBadInput for options that cannot be used.
func (o Options) Validate() error {
	switch {
	case o.Scope != "" && o.Scope != ScopeProject && o.Scope != ScopeUser:
		return fmt.Errorf("%w: unknown scope %q; the scopes are project, user", agenvantage.ErrBadInput, o.Scope)
	case !o.Remove && !filepath.IsAbs(o.Binary):
		return fmt.Errorf("%w: the program %q is not an absolute path", agenvantage.ErrBadInput, o.Binary)
	}
	return nil
}

func (m Machine) env(name string) string {
	if m.Env == nil {
		return ""
	}
	return m.Env(name)
}

func (m Machine) system() string { return cmp.Or(m.System, runtime.GOOS) }

// place is a file of a client, and the folder that links on the way to it must not lead out of. The zero place is none.
type place struct{ path, base string }

func (m Machine) inProject(names ...string) place { return under(m.Project, names...) }

// under is a file below a folder that may not be known.
func under(folder string, names ...string) place {
	if folder == "" {
		return place{}
	}
	return place{filepath.Join(append([]string{folder}, names...)...), folder}
}

func (m Machine) inHome(names ...string) place { return under(m.Home, names...) }

// override is the folder that a variable names, else a folder in the home folder. Links are followed within the home folder
// for what lies there.
func (m Machine) override(variable, inHome string, names ...string) place {
	if folder := m.env(variable); filepath.IsAbs(folder) {
		return under(folder, names...)
	}
	return m.inHome(append([]string{inHome}, names...)...)
}

// inConfig is a file below the folder of configurations, as the XDG specification has it.
func (m Machine) inConfig(names ...string) place {
	return m.override("XDG_CONFIG_HOME", ".config", names...)
}

// inApplication is a file below the folder where desktop programs keep theirs.
func (m Machine) inApplication(names ...string) place {
	switch m.system() {
	case "darwin":
		return m.inHome(append([]string{"Library", "Application Support"}, names...)...)
	case "windows":
		return under(m.env("APPDATA"), names...)
	}
	return m.inConfig(names...)
}

// Find looks clients up by their names. An unknown one is an error wrapping agenvantage.ErrBadInput.
func Find(names []string) ([]*Client, error) {
	var found []*Client
	for _, name := range names {
		i := slices.IndexFunc(clients, func(c *Client) bool { return c.ID == name })
		if i < 0 {
			return nil, fmt.Errorf("%w: unknown client %q; the clients are %s", agenvantage.ErrBadInput, name, strings.Join(Names(), ", "))
		}
		if !slices.Contains(found, clients[i]) {
			found = append(found, clients[i])
		}
	}
	return found, nil
}

// Clients lists every client, in the order in which they are shown.
func Clients() []*Client { return slices.Clone(clients) }

// Names lists the names that Find knows, in the order of Clients.
func Names() []string {
	names := make([]string, len(clients))
	for i, c := range clients {
		names[i] = c.ID
	}
	return names
}
