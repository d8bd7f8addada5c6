package setup

import "os"

// Client is one coding agent.
type Client struct {
	ID   string // as on the command line: "claude-code"
	Name string // as its makers write it

	usual        Scope // of its configuration, when nobody says
	programs     []string
	traces       func(m Machine) []place // folders that tell that it is installed
	file         configFile
	config       func(m Machine, s Scope) place // zero where the client has none for the scope
	instructions func(m Machine, s Scope) place
	preamble     string // what an instruction file of our own begins with
}

// configFile edits the configuration of a client. Contents are whole files; an empty one is a file that is not there.
type configFile interface {
	// set enters the command, or returns content unchanged when it is there already. Of an entry that starts a program the
	// members that set does not write stay; one of another form is replaced.
	set(content []byte, command []string) ([]byte, error)
	// unset takes the entry out; original is what the file was before, nil when that is not known.
	unset(content, original []byte) ([]byte, error)
	// bringBack puts the entry of original in the place of the one of content. Both have one.
	bringBack(content, original []byte) ([]byte, error)
	// get reads the entry, nil when there is none.
	get(content []byte) (*entry, error)
	// isBlank reports that nothing is in a file that we would not have made.
	isBlank(content []byte) bool
	// entry is what set enters, as a person would paste it.
	entry(command []string) string
}

// serverArguments are what a client starts this program with.
var serverArguments = []string{"serve", "--mcp"}

// The places are those that the documentation of each client names.
var clients = []*Client{
	{
		ID: "claude-code", Name: "Claude Code", usual: ScopeProject, programs: []string{"claude"},
		traces: func(m Machine) []place { return []place{m.override("CLAUDE_CONFIG_DIR", ".claude")} },
		file:   &jsonFile{container: "mcpServers", fields: standardFields("stdio")},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".mcp.json")
			}
			return m.override("CLAUDE_CONFIG_DIR", "", ".claude.json")
		},
		instructions: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject("CLAUDE.md")
			}
			return m.override("CLAUDE_CONFIG_DIR", ".claude", "CLAUDE.md")
		},
	},
	{
		ID: "codex", Name: "Codex", usual: ScopeUser, programs: []string{"codex"},
		traces: func(m Machine) []place { return []place{m.override("CODEX_HOME", ".codex")} },
		file:   tomlFile{},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".codex", "config.toml")
			}
			return m.override("CODEX_HOME", ".codex", "config.toml")
		},
		instructions: agentsFile(func(m Machine) place { return m.override("CODEX_HOME", ".codex", "AGENTS.md") }),
	},
	{
		ID: "cursor", Name: "Cursor", usual: ScopeProject, programs: []string{"cursor", "cursor-agent"},
		traces: func(m Machine) []place { return []place{m.inHome(".cursor")} },
		file:   &jsonFile{container: "mcpServers", fields: standardFields("")},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".cursor", "mcp.json")
			}
			return m.inHome(".cursor", "mcp.json")
		},
		instructions: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".cursor", "rules", "agenvantage.mdc")
			}
			return place{} // rules for all projects are kept in Cursor's settings, not in a file
		},
		preamble: "---\ndescription: How to find code in this repository\nalwaysApply: true\n---\n",
	},
	{
		ID: "vscode", Name: "VS Code", usual: ScopeProject, programs: []string{"code", "code-insiders"},
		traces: func(m Machine) []place { return []place{m.inApplication("Code"), m.inHome(".vscode")} },
		file:   &jsonFile{container: "servers", fields: standardFields("stdio")},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".vscode", "mcp.json")
			}
			return m.inApplication("Code", "User", "mcp.json")
		},
		instructions: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".github", "instructions", "agenvantage.instructions.md")
			}
			return m.inApplication("Code", "User", "prompts", "agenvantage.instructions.md")
		},
		preamble: "---\ndescription: How to find code in this repository\napplyTo: \"**\"\n---\n",
	},
	{
		ID: "gemini", Name: "Gemini CLI", usual: ScopeProject, programs: []string{"gemini"},
		traces: func(m Machine) []place { return []place{m.inHome(".gemini")} },
		file:   &jsonFile{container: "mcpServers", fields: standardFields("")},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".gemini", "settings.json")
			}
			return m.inHome(".gemini", "settings.json")
		},
		instructions: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject("GEMINI.md")
			}
			return m.inHome(".gemini", "GEMINI.md")
		},
	},
	{
		ID: "opencode", Name: "opencode", usual: ScopeProject, programs: []string{"opencode"},
		traces: func(m Machine) []place { return []place{m.inConfig("opencode")} },
		file: &jsonFile{container: "mcp", schema: "https://opencode.ai/config.json", fields: func(command []string) []field {
			return []field{{name: "type", value: "local"}, {name: "command", value: command}, {name: "enabled", value: true, once: true}}
		}},
		config: func(m Machine, s Scope) place {
			at := m.inProject
			if s == ScopeUser {
				at = func(names ...string) place { return m.inConfig(append([]string{"opencode"}, names...)...) }
			}
			if other := at("opencode.jsonc"); exists(other.path) && !exists(at("opencode.json").path) {
				return other
			}
			return at("opencode.json")
		},
		instructions: agentsFile(func(m Machine) place { return m.inConfig("opencode", "AGENTS.md") }),
	},
	{
		ID: "windsurf", Name: "Windsurf", usual: ScopeUser, programs: []string{"windsurf"},
		traces: func(m Machine) []place { return []place{m.inHome(".codeium", "windsurf")} },
		file:   &jsonFile{container: "mcpServers", fields: standardFields("")},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return place{} // it reads servers from the home folder alone
			}
			return m.inHome(".codeium", "windsurf", "mcp_config.json")
		},
		instructions: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".windsurf", "rules", "agenvantage.md")
			}
			return m.inHome(".codeium", "windsurf", "memories", "global_rules.md")
		},
	},
	{
		ID: "zed", Name: "Zed", usual: ScopeUser, programs: []string{"zed", "zeditor"},
		traces: func(m Machine) []place { return []place{m.zed("")} },
		file: &jsonFile{container: "context_servers", fields: func(command []string) []field {
			return append([]field{{name: "source", value: "custom"}}, standardFields("")(command)...)
		}},
		config: func(m Machine, s Scope) place {
			if s == ScopeProject {
				return m.inProject(".zed", "settings.json")
			}
			return m.zed("settings.json")
		},
		instructions: agentsFile(func(Machine) place { return place{} }), // rules for all projects are kept in Zed's own store
	},
}

// zed keeps its settings where other programs of Unix do, on macOS as well.
func (m Machine) zed(name string) place {
	if m.system() == "windows" {
		return under(m.env("APPDATA"), "Zed", name)
	}
	return m.inConfig("zed", name)
}

// agentsFile is AGENTS.md of the project, which several clients read, and a client's own file for the user.
func agentsFile(user func(Machine) place) func(Machine, Scope) place {
	return func(m Machine, s Scope) place {
		if s == ScopeProject {
			return m.inProject("AGENTS.md")
		}
		return user(m)
	}
}

// standardFields is the entry that most clients read. kind is the transport for those that want it named.
func standardFields(kind string) func(command []string) []field {
	return func(command []string) []field {
		fields := []field{{name: "command", value: command[0]}, {name: "args", value: command[1:]}}
		if kind != "" {
			fields = append([]field{{name: "type", value: kind}}, fields...)
		}
		return fields
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Entry is what Make enters into the client's configuration, as a person would paste it.
func (c *Client) Entry(binary string) string { return c.file.entry(command(binary)) }

// Places names the files that a client's configuration and instructions lie in, "" where it has none for the scope.
func (c *Client) Places(m Machine, s Scope) (config, instructions string) {
	return c.config(m, c.configScope(s)).path, c.instructions(m, instructionScope(s)).path
}

func (c *Client) configScope(s Scope) Scope {
	if s == "" {
		return c.usual
	}
	return s
}

// instructionScope is the project unless the user is named: what to do in a repository is said in that repository.
func instructionScope(s Scope) Scope {
	if s == "" {
		return ScopeProject
	}
	return s
}

func command(binary string) []string { return append([]string{binary}, serverArguments...) }
