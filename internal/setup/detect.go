package setup

import (
	"os"
)

// Found is a client beside what is known of it on this machine.
type Found struct {
	Client     string       `json:"client"`
	Name       string       `json:"name"`
	Installed  bool         `json:"installed"`
	Because    string       `json:"because"`    // the program or folder that tells, "" when it is not installed
	Configured []Configured `json:"configured"` // the project before the user
}

// Configured is our entry in the configuration of one client.
type Configured struct {
	Scope   Scope    `json:"scope"`
	Path    string   `json:"path"`
	Command []string `json:"command"`       // the program and its arguments; empty for an address and when the file could not be read
	URL     string   `json:"url,omitempty"` // of a server that runs already, without password and query
	Address string   `json:"-"`             // URL as it is written
	Token   string   `json:"-"`             // the Authorization header for it, as it is written
	Ours    bool     `json:"-"`             // setup wrote it, and nobody changed it since
	Error   string   `json:"error,omitempty"`
}

// Detect looks for every client, in the order of Clients: whether it is installed, and where our entry is in its configuration.
// A configuration that cannot be read is reported, whether or not we are in it.
func Detect(m Machine) []Found {
	var all []Found
	for _, c := range clients {
		f := Found{Client: c.ID, Name: c.Name, Because: c.installed(m), Configured: []Configured{}}
		f.Installed = f.Because != ""
		for _, scope := range []Scope{ScopeProject, ScopeUser} {
			at := c.config(m, scope)
			if at.path == "" || scope == ScopeProject && m.Project == "" {
				continue
			}
			e, err := c.read(m, scope)
			switch {
			case err != nil:
				f.Configured = append(f.Configured, Configured{Scope: scope, Path: at.path, Command: []string{}, Error: err.Error()})
			case e != nil:
				f.Configured = append(f.Configured, Configured{Scope: scope, Path: at.path, Command: append([]string{}, e.command...),
					URL: e.shownURL(), Address: e.url, Token: e.token, Ours: e.isOurs("")})
			}
		}
		all = append(all, f)
	}
	return all
}

// installed is the program or folder that tells that a client is installed, "" when nothing does.
func (c *Client) installed(m Machine) string {
	for _, program := range c.programs {
		if m.LookPath == nil {
			break
		}
		if path, err := m.LookPath(program); err == nil {
			return path
		}
	}
	for _, trace := range c.traces(m) {
		if trace.path == "" {
			continue
		}
		if info, err := os.Stat(trace.path); err == nil && info.IsDir() {
			return trace.path
		}
	}
	return ""
}
