package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// desk is a project and a home folder.
type desk struct {
	Machine
	t   *testing.T
	env map[string]string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, env: map[string]string{}}
	d.Machine = Machine{Project: filepath.Join(dir, "project"), Home: filepath.Join(dir, "home"), System: "linux", Env: func(name string) string { return d.env[name] }}
	for _, folder := range []string{d.Project, d.Home, filepath.Join(dir, "outside")} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// at is a path such as "project/.mcp.json".
func (d *desk) at(name string) string {
	return filepath.Join(filepath.Dir(d.Project), filepath.FromSlash(name))
}

func (d *desk) write(name, content string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.at(name)), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.at(name), []byte(content), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read(name string) string {
	d.t.Helper()
	b, err := os.ReadFile(d.at(name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

func (d *desk) link(name, target string) {
	d.t.Helper()
	if err := os.Symlink(target, d.at(name)); err != nil {
		d.t.Skip("no symbolic links here")
	}
}

// tree is everything on the desk: folders, links and the contents of files.
func (d *desk) tree() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	top := filepath.Dir(d.Project)
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(top, path)
		switch {
		case e.IsDir():
			all[name+"/"] = ""
		case e.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			all[name] = "-> " + target
		default:
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[name] = string(content)
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

func (d *desk) names() string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(d.tree())) {
		if !strings.HasSuffix(n, "/") {
			names = append(names, filepath.ToSlash(n))
		}
	}
	return strings.Join(names, " ")
}

// run plans and applies, and gives the actions in one line.
func (d *desk) run(o Options, names ...string) string {
	d.t.Helper()
	plan, err := d.plan(o, names...)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		d.t.Fatal(err)
	}
	var actions []string
	for _, s := range plan.Steps {
		actions = append(actions, string(s.Action))
	}
	return strings.Join(actions, " ")
}

func (d *desk) plan(o Options, names ...string) (*Plan, error) {
	d.t.Helper()
	chosen, err := Find(names)
	if err != nil {
		d.t.Fatal(err)
	}
	if o.Binary == "" {
		o.Binary = cmdline[0]
	}
	return Make(d.Machine, chosen, o)
}

func TestEachClientIsEnteredOnceAndTakenOutCleanly(t *testing.T) {
	for _, c := range []struct {
		client string
		scope  Scope
		files  string
	}{
		{"claude-code", "", "project/.mcp.json project/CLAUDE.md"},
		{"claude-code", ScopeUser, "home/.claude.json home/.claude/CLAUDE.md"},
		{"codex", "", "home/.codex/config.toml project/AGENTS.md"},
		{"codex", ScopeProject, "project/.codex/config.toml project/AGENTS.md"},
		{"codex", ScopeUser, "home/.codex/AGENTS.md home/.codex/config.toml"},
		{"cursor", "", "project/.cursor/mcp.json project/.cursor/rules/agenvantage.mdc"},
		{"cursor", ScopeUser, "home/.cursor/mcp.json"},
		{"vscode", "", "project/.github/instructions/agenvantage.instructions.md project/.vscode/mcp.json"},
		{"vscode", ScopeUser, "home/.config/Code/User/mcp.json home/.config/Code/User/prompts/agenvantage.instructions.md"},
		{"gemini", "", "project/.gemini/settings.json project/GEMINI.md"},
		{"gemini", ScopeUser, "home/.gemini/GEMINI.md home/.gemini/settings.json"},
		{"opencode", "", "project/AGENTS.md project/opencode.json"},
		{"opencode", ScopeUser, "home/.config/opencode/AGENTS.md home/.config/opencode/opencode.json"},
		{"windsurf", "", "home/.codeium/windsurf/mcp_config.json project/.windsurf/rules/agenvantage.md"},
		{"windsurf", ScopeProject, "project/.windsurf/rules/agenvantage.md"},
		{"zed", "", "home/.config/zed/settings.json project/AGENTS.md"},
		{"zed", ScopeProject, "project/.zed/settings.json project/AGENTS.md"},
	} {
		t.Run(c.client+" "+string(c.scope), func(t *testing.T) {
			d := newDesk(t)
			before := d.tree()
			o := Options{Scope: c.scope}
			if got := d.run(o, c.client); strings.ReplaceAll(strings.ReplaceAll(got, "create", ""), "none", "") != " " {
				t.Errorf("first time: %s", got)
			}
			if got := d.names(); got != c.files {
				t.Errorf("files %s, want %s", got, c.files)
			}
			entered := d.tree()
			if got := d.run(o, c.client); strings.Contains(got, "create") || strings.Contains(got, "change ") || !maps.Equal(d.tree(), entered) {
				t.Errorf("second time: %s", got)
			}
			config, _ := must(Find([]string{c.client}))[0].Places(d.Machine, c.scope)
			if config != "" {
				found := configuredIn(d.Machine, c.client)
				if len(found) != 1 || found[0].Path != config || !slices.Equal(found[0].Command, cmdline) {
					t.Errorf("found %+v", found)
				}
			}
			if got := d.run(Options{Scope: c.scope, Remove: true}, c.client); !strings.Contains(got, "delete") {
				t.Errorf("taken out: %s", got)
			}
			if got := d.tree(); !maps.Equal(got, before) {
				t.Errorf("left behind: %s", d.names())
			}
			if got := d.run(Options{Scope: c.scope, Remove: true}, c.client); strings.Contains(got, "delete") || strings.Contains(got, "remove") {
				t.Errorf("taken out twice: %s", got)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func configuredIn(m Machine, client string) []Configured {
	for _, f := range Detect(m) {
		if f.Client == client {
			return f.Configured
		}
	}
	return nil
}

func TestFilesThatWereThereComeBackByteForByte(t *testing.T) {
	d := newDesk(t)
	odd := "{ \"mcpServers\" : {\"other\":{ \"command\":\"x\"} } }" // no line end
	d.write("project/.mcp.json", odd)
	d.write("project/CLAUDE.md", "Be kind.")
	d.write("home/.codex/config.toml", "model = 'x'")
	before := d.tree()
	if got := d.run(Options{}, "claude-code", "codex"); got != "change change change create" {
		t.Errorf("entered: %s", got)
	}
	if got := d.read("project/.mcp.json" + BackupSuffix); got != odd {
		t.Errorf("the backup is %q", got)
	}
	for _, name := range []string{"project/.mcp.json", "project/.mcp.json" + BackupSuffix} {
		if info, err := os.Stat(d.at(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; the permissions were 600", name, info.Mode(), err)
		}
	}
	if got := d.run(Options{Binary: "/elsewhere/agenvantage"}, "claude-code", "codex"); got != "change unchanged change unchanged" {
		t.Errorf("another program path: %s", got)
	}
	if got := d.read("project/.mcp.json" + BackupSuffix); got != odd {
		t.Errorf("then the backup is %q", got)
	}
	if got := d.run(Options{Remove: true}, "claude-code", "codex"); got != "restore restore restore delete" {
		t.Errorf("taken out: %s", got)
	}
	if got := d.tree(); !maps.Equal(got, before) {
		t.Errorf("not what it was: %q", got)
	}
}

// A second run leaves every byte as it is, whatever the files were before, and the backup of each is what it was.
func TestASecondRunChangesNoByte(t *testing.T) {
	contents := map[string][]string{
		".json": {"", "{}", "{\r\n  // mine\r\n  \"a\": [1,],\r\n}\r\n", "\ufeff{\"mcpServers\": {\"y\": {}}, \"servers\": {}, \"mcp\": {}, \"context_servers\": {\"y\": {}}}"},
		".toml": {"", "model = 'x'", "\ufeff# mine\r\n[mcp_servers.y]\r\ncommand = \"y\"\r\n", "[a]\n\n\n"},
		".md":   {"", "Be kind.", "# Rules\r\n\r\n", "a\n\n\n\n"},
	}
	contents[".mdc"] = contents[".md"]
	for _, c := range Clients() {
		for _, scope := range []Scope{"", ScopeProject, ScopeUser} {
			for i := range contents[".md"] {
				d := newDesk(t)
				originals := map[string]string{}
				config, instructions := c.Places(d.Machine, scope)
				for _, path := range []string{config, instructions} {
					if path == "" {
						continue
					}
					name, _ := filepath.Rel(filepath.Dir(d.Project), path)
					originals[name] = contents[filepath.Ext(path)][i]
					d.write(name, originals[name])
				}
				before := d.tree()
				d.run(Options{Scope: scope}, c.ID)
				entered := d.tree()
				for range 2 {
					if got := d.run(Options{Scope: scope}, c.ID); strings.Contains(got, "change ") || strings.Contains(got, "create") || !maps.Equal(d.tree(), entered) {
						t.Errorf("%s, %s, content %d: a second run: %s: %s", c.ID, scope, i, got, d.names())
					}
				}
				d.run(Options{Scope: scope, Binary: "/elsewhere/agenvantage"}, c.ID)
				for name, original := range originals {
					if got := d.read(name + BackupSuffix); got != original || exists(d.at(name+BackupSuffix+".2")) {
						t.Errorf("%s, %s: the backup of %s is %q, was %q; files %s", c.ID, scope, name, got, original, d.names())
					}
				}
				if got := d.run(Options{Scope: scope, Remove: true}, c.ID); !maps.Equal(d.tree(), before) {
					t.Errorf("%s, %s, content %d: taken out: %s: %s", c.ID, scope, i, got, d.names())
				}
			}
		}
	}
}

func TestWhatTheUserChangedSinceStays(t *testing.T) {
	d := newDesk(t)
	d.write("project/CLAUDE.md", "Be kind.\n")
	d.write("project/.mcp.json", "{\n  \"a\": 1\n}\n")
	d.run(Options{}, "claude-code")
	d.write("project/CLAUDE.md", d.read("project/CLAUDE.md")+"\nAnd brief.\n")
	d.write("project/.mcp.json", strings.Replace(d.read("project/.mcp.json"), `"a": 1`, `"a": 2`, 1))
	plan, err := d.plan(Options{Remove: true}, "claude-code")
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Steps[0]; s.Action != ActionRemove || s.Note != "what it was before the first setup is still in .mcp.json.agenvantage-backup" {
		t.Errorf("step %+v", s)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	if got := d.read("project/CLAUDE.md"); got != "Be kind.\n\nAnd brief.\n" {
		t.Errorf("CLAUDE.md is %q", got)
	}
	if got := d.read("project/.mcp.json"); got != "{\n  \"a\": 2\n}\n" {
		t.Errorf(".mcp.json is %q", got)
	}
	// A later setup makes a backup of that state beside the one that is there, and comes back to it.
	d.run(Options{}, "claude-code")
	for suffix, want := range map[string]string{"": "{\n  \"a\": 1\n}\n", ".2": "{\n  \"a\": 2\n}\n"} {
		if got := d.read("project/.mcp.json" + BackupSuffix + suffix); got != want {
			t.Errorf("the backup %q is %q", suffix, got)
		}
	}
	if got := d.run(Options{Remove: true}, "claude-code"); got != "restore restore" {
		t.Errorf("taken out again: %s", got)
	}
	if exists(d.at("project/.mcp.json"+BackupSuffix+".2")) || !exists(d.at("project/.mcp.json"+BackupSuffix)) {
		t.Errorf("the backups are %s", d.names())
	}
}

func TestASharedInstructionFileStaysForTheOther(t *testing.T) {
	d := newDesk(t)
	if got := d.run(Options{}, "codex", "opencode"); got != "create create create unchanged" {
		t.Errorf("entered: %s", got)
	}
	plan, err := d.plan(Options{Remove: true}, "codex")
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Steps[1]; s.Action != ActionKeep || s.Note != "opencode uses it" {
		t.Errorf("step %+v", s)
	}
	if got := d.run(Options{Remove: true}, "codex", "opencode"); got != "delete delete delete unchanged" {
		t.Errorf("both taken out: %s", got)
	}
}

func TestLinksWithinTheProjectAreWrittenThrough(t *testing.T) {
	d := newDesk(t)
	d.write("project/AGENTS.md", "Be kind.\n")
	d.link("project/CLAUDE.md", "AGENTS.md")
	before := d.tree()
	d.run(Options{}, "claude-code")
	if got, err := os.Readlink(d.at("project/CLAUDE.md")); err != nil || got != "AGENTS.md" {
		t.Errorf("the link is gone: %q, %v", got, err)
	}
	if !strings.Contains(d.read("project/AGENTS.md"), beginMark) {
		t.Error("the file behind the link has no block")
	}
	d.run(Options{Remove: true}, "claude-code")
	if !maps.Equal(d.tree(), before) {
		t.Errorf("not what it was: %s", d.names())
	}
}

// A folder that is reached through a link was there before, and the link would lead nowhere without it.
func TestAFolderBehindALinkStays(t *testing.T) {
	d := newDesk(t)
	if err := os.MkdirAll(d.at("home/dotfiles/codex"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.link("home/.codex", "dotfiles/codex")
	before := d.tree()
	d.run(Options{Scope: ScopeUser}, "codex")
	if !exists(d.at("home/dotfiles/codex/config.toml")) {
		t.Errorf("written: %s", d.names())
	}
	d.run(Options{Scope: ScopeUser, Remove: true}, "codex")
	if !maps.Equal(d.tree(), before) {
		t.Errorf("not what it was: %v", d.tree())
	}
}

func TestLinksOutOfTheProjectAreRefused(t *testing.T) {
	for name, prepare := range map[string]func(d *desk){
		"a file":          func(d *desk) { d.write("outside/x.json", "{}"); d.link("project/.mcp.json", "../outside/x.json") },
		"a folder":        func(d *desk) { d.link("project/.cursor", "../outside") },
		"nowhere":         func(d *desk) { d.link("project/.mcp.json", "../outside/none.json") },
		"of the home":     func(d *desk) { d.link("home/.codex", "../outside") },
		"to the home":     func(d *desk) { d.write("home/CLAUDE.md", "x"); d.link("project/CLAUDE.md", "../home/CLAUDE.md") },
		"to an instances": func(d *desk) { d.link("project/AGENTS.md", "/dev/null") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			prepare(d)
			before := d.tree()
			refused := 0
			for _, client := range []string{"claude-code", "cursor", "codex"} {
				plan, err := d.plan(Options{}, client)
				if err == nil {
					continue
				}
				refused++
				if plan != nil || !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "link") {
					t.Errorf("%s: %v", client, err)
				}
			}
			if refused != 1 {
				t.Errorf("%d clients are refused", refused)
			}
			if !maps.Equal(d.tree(), before) {
				t.Errorf("something was written: %s", d.names())
			}
		})
	}
}

func TestFilesThatCannotBeEditedAreLeftAlone(t *testing.T) {
	d := newDesk(t)
	d.write("project/.mcp.json", `{"mcpServers": `)
	d.write("home/.codex/config.toml", "= x")
	d.write("project/GEMINI.md", beginMark+" -->\n")
	if err := os.MkdirAll(d.at("project/opencode.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := d.tree()
	for client, says := range map[string]string{"claude-code": "it is no JSON", "codex": "it is no TOML in line 1", "gemini": "not one pair", "opencode": "no regular file"} {
		for _, remove := range []bool{false, true} {
			_, err := d.plan(Options{Remove: remove}, client)
			if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "set up "+client) {
				t.Errorf("%s, remove %v: %v", client, remove, err)
			}
		}
	}
	if !maps.Equal(d.tree(), before) {
		t.Error("something was written")
	}
	if found := configuredIn(d.Machine, "claude-code"); len(found) != 1 || !strings.Contains(found[0].Error, "it is no JSON") {
		t.Errorf("Detect says %+v", found)
	}
}

func TestAFileThatChangedMeanwhileIsLeftAlone(t *testing.T) {
	d := newDesk(t)
	d.write("home/.claude.json", "{}")
	plan, err := d.plan(Options{Scope: ScopeUser}, "claude-code")
	if err != nil {
		t.Fatal(err)
	}
	d.write("home/.claude.json", `{"a":1}`)
	if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "another program has changed it meanwhile") {
		t.Errorf("Apply says %v", err)
	}
	if got := d.read("home/.claude.json"); got != `{"a":1}` {
		t.Errorf("the file is %q", got)
	}
}

func TestPlacesFollowTheEnvironmentAndTheSystem(t *testing.T) {
	for _, c := range []struct {
		client, system string
		env            map[string]string
		want           string
	}{
		{"claude-code", "linux", map[string]string{"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json /c/CLAUDE.md"},
		{"codex", "linux", map[string]string{"CODEX_HOME": "/x"}, "/x/config.toml /x/AGENTS.md"},
		{"codex", "linux", map[string]string{"CODEX_HOME": "relative"}, "HOME/.codex/config.toml HOME/.codex/AGENTS.md"},
		{"opencode", "linux", map[string]string{"XDG_CONFIG_HOME": "/g"}, "/g/opencode/opencode.json /g/opencode/AGENTS.md"},
		{"vscode", "darwin", nil, "HOME/Library/Application Support/Code/User/mcp.json HOME/Library/Application Support/Code/User/prompts/agenvantage.instructions.md"},
		{"zed", "darwin", nil, "HOME/.config/zed/settings.json "},
	} {
		d := newDesk(t)
		d.System, d.env = c.system, c.env
		config, instructions := must(Find([]string{c.client}))[0].Places(d.Machine, ScopeUser)
		if got := strings.ReplaceAll(config+" "+instructions, d.Home, "HOME"); got != c.want {
			t.Errorf("%s on %s with %v: %s, want %s", c.client, c.system, c.env, got, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	d := newDesk(t)
	d.write("home/.cursor/x", "")
	d.LookPath = func(name string) (string, error) {
		if name == "codex" {
			return "/usr/bin/codex", nil
		}
		return "", errors.New("not found")
	}
	var installed []string
	for _, f := range Detect(d.Machine) {
		if f.Installed {
			installed = append(installed, f.Client+" "+strings.ReplaceAll(f.Because, d.Home, "HOME"))
		}
		if len(f.Configured) > 0 {
			t.Errorf("%s is set up: %+v", f.Client, f.Configured)
		}
	}
	if got := fmt.Sprint(installed); got != "[codex /usr/bin/codex cursor HOME/.cursor]" {
		t.Errorf("installed: %s", got)
	}
	if none := Detect(Machine{}); len(none) != len(Names()) {
		t.Errorf("without a home and a project: %+v", none)
	}
}

func TestMakeRefusesOptions(t *testing.T) {
	d := newDesk(t)
	for _, o := range []Options{{Binary: "agenvantage"}, {Binary: cmdline[0], Scope: "team"}} {
		if _, err := Make(d.Machine, nil, o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Find([]string{"codex", "emacs"}); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "the clients are claude-code, codex, cursor, vscode, gemini, opencode, windsurf, zed") {
		t.Errorf("an unknown client: %v", err)
	}
}
