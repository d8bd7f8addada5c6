package setup

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestWhichEntryIsOurs(t *testing.T) {
	const ours = `{"command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"]}`
	for _, c := range []struct {
		client, entry string
		want          bool
	}{
		{"cursor", ours, true},
		{"cursor", strings.Replace(ours, "/opt/bin/agenvantage", `C:\\go\\bin\\agenvantage.exe`, 1), true},
		{"cursor", strings.Replace(ours, "/opt/bin/agenvantage", "/opt/agenvantage-1.2", 1), true},
		{"cursor", strings.Replace(ours, "/opt/bin/agenvantage", "/opt/av", 1), true}, // this very program
		{"cursor", strings.Replace(ours, "/opt/bin/agenvantage", "/opt/other", 1), false},
		{"cursor", strings.Replace(ours, "/opt/bin/", "", 1), false}, // found on the path
		{"cursor", strings.Replace(ours, `"--mcp"`, `"--mcp", "--repo", "/src"`, 1), false},
		{"cursor", strings.Replace(ours, `, "args": ["serve", "--mcp"]`, "", 1), false},
		{"cursor", strings.Replace(ours, "{", `{"env": {"A": "b"}, `, 1), false},
		{"cursor", strings.Replace(ours, "{", `{"type": "stdio", `, 1), false}, // which setup writes for others
		{"cursor", `{"url": "http://127.0.0.1:7777/mcp"}`, false},
		{"claude-code", strings.Replace(ours, "{", `{"type": "stdio", `, 1), true},
		{"claude-code", ours, false},
		{"opencode", `{"type": "local", "command": ["/opt/bin/agenvantage", "serve", "--mcp"], "enabled": false}`, true},
		{"opencode", `{"type": "local", "command": ["/opt/bin/agenvantage", "serve", "--mcp"], "enabled": "no"}`, false},
		{"opencode", `{"type": "local", "command": ["/opt/bin/agenvantage", "serve", "--mcp"]}`, false},
		{"zed", `{"source": "custom", "command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"]}`, true},
		{"zed", ours, false},
	} {
		file := must(Find([]string{c.client}))[0].file.(*jsonFile)
		e, err := file.get([]byte(`{"` + file.container + `": {"agenvantage": ` + c.entry + `}}`))
		if err != nil || e.isOurs("/opt/av") != c.want {
			t.Errorf("%s: %s: ours is %v, %v", c.client, c.entry, !c.want, err)
		}
	}
	for content, want := range map[string]bool{
		entryTOML: true,
		strings.TrimPrefix(entryTOML, tomlMark+"\n"):                                                         true, // comments do not count
		entryTOML + "startup_timeout_sec = 30\n":                                                             false,
		entryTOML + "[mcp_servers.agenvantage.env]\nA = \"b\"\n":                                             false,
		"[mcp_servers]\nagenvantage = {command = \"/opt/bin/agenvantage\", args = [\"serve\", \"--mcp\"]}\n": false,
		"[mcp_servers.agenvantage]\nurl = \"http://127.0.0.1:7777/mcp\"\n":                                   false,
		"[mcp_servers.agenvantage]\ncommand = \"agenvantage\"\nargs = [\"serve\", \"--mcp\"]\n":              false,
		"[mcp_servers.agenvantage]\ncommand = \"/opt/bin/agenvantage\"\nargs = \"serve --mcp\"\n":            false,
	} {
		e, err := tomlFile{}.get([]byte(content))
		if err != nil || e.isOurs("/opt/av") != want {
			t.Errorf("%s: ours is %v, %v", content, !want, err)
		}
	}
}

// Entries that people write by hand, by the file that they are in.
var byHand = []struct{ client, name, content, url string }{
	{"claude-code", "project/.mcp.json", "{\n  \"mcpServers\": {\n    \"agenvantage\": {\"command\": \"agenvantage\", \"args\": [\"serve\", \"--mcp\", \"--repo\", \"/src\"]},\n    \"other\": {}\n  }\n}\n", ""},
	{"claude-code", "project/.mcp.json", "{\"mcpServers\": {\"agenvantage\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:7777/mcp\"}}}", "http://127.0.0.1:7777/mcp"},
	{"vscode", "project/.vscode/mcp.json", "{\n\t\"servers\": {\n\t\t\"agenvantage\": { // mine\n\t\t\t\"type\": \"http\",\n\t\t\t\"url\": \"http://me:k3y@127.0.0.1:7777/mcp?t=1\",\n\t\t},\n\t},\n}\n", "http://127.0.0.1:7777/mcp"},
	{"gemini", "project/.gemini/settings.json", `{"mcpServers": {"agenvantage": {"httpUrl": "http://127.0.0.1:7777/mcp"}}, "z": 1}`, "http://127.0.0.1:7777/mcp"},
	{"opencode", "project/opencode.json", `{"mcp": {"agenvantage": {"type": "remote", "url": "http://127.0.0.1:7777/mcp", "enabled": true}}}`, "http://127.0.0.1:7777/mcp"},
	{"windsurf", "home/.codeium/windsurf/mcp_config.json", `{"mcpServers": {"agenvantage": {"serverUrl": "http://127.0.0.1:7777/mcp"}}}`, "http://127.0.0.1:7777/mcp"},
	{"cursor", "project/.cursor/mcp.json", `{"mcpServers": {"agenvantage": {"command": "docker", "args": ["run", "-i", "agenvantage"], "env": {"A": "b"}}}}`, ""},
	{"codex", "home/.codex/config.toml", "model = \"x\"\n\n# by hand\n[mcp_servers.agenvantage]\nurl = \"http://127.0.0.1:7777/mcp\"\n[mcp_servers.agenvantage.http_headers]\nA = \"b\"\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n", "http://127.0.0.1:7777/mcp"},
	{"codex", "home/.codex/config.toml", "[mcp_servers.agenvantage]\ncommand = \"agenvantage\"\nargs = [\"serve\", \"--mcp\"]\nstartup_timeout_sec = 60\n", ""},
}

// setup took an entry over that somebody had written, without a backup, and --remove then deleted it. Addresses were mangled into
// entries with both a program and an address.
func TestAnEntryByHandIsKeptAndComesBack(t *testing.T) {
	for _, c := range byHand {
		d := newDesk(t)
		d.write(c.name, c.content)
		if err := os.Chmod(d.at(c.name), 0o640); err != nil {
			t.Fatal(err)
		}
		before := d.tree()
		for _, o := range []Options{{}, {Remove: true}} {
			plan, err := d.plan(o, c.client)
			if err != nil {
				t.Fatal(err)
			}
			s := plan.Steps[0]
			if s.Action != ActionKeep || !strings.Contains(s.Note, "--force") || strings.Contains(s.Note, "k3y") || c.url != "" && !strings.Contains(s.Note, c.url) {
				t.Errorf("%s with %+v: %s: %s", c.content, o, s.Action, s.Note)
			}
			d.run(o, c.client)
			if got := d.read(c.name); got != c.content {
				t.Errorf("with %+v %s became %s", o, c.content, got)
			}
		}
		if found := configuredIn(d.Machine, c.client); len(found) != 1 || found[0].URL != c.url || (c.url == "") != (len(found[0].Command) > 0) {
			t.Errorf("%s: found %+v", c.content, found)
		}
		// A forced one has a backup, nothing of an address is left, and the file comes back.
		if got := d.run(Options{Force: true}, c.client); !strings.HasPrefix(got, "change ") {
			t.Errorf("%s: forced: %s", c.content, got)
		}
		if got := d.read(c.name + BackupSuffix); got != c.content {
			t.Errorf("%s: the backup is %s", c.content, got)
		}
		if found := configuredIn(d.Machine, c.client); len(found) != 1 || !slices.Equal(found[0].Command, cmdline) || strings.Contains(d.read(c.name), "7777") {
			t.Errorf("%s: forced: %+v in %s", c.content, found, d.read(c.name))
		}
		if again := d.run(Options{}, c.client); !strings.HasPrefix(again, "unchanged ") {
			t.Errorf("%s: a second time: %s", c.content, again)
		}
		if c.url != "" { // then the entry is ours, and follows the program
			d.run(Options{Binary: "/elsewhere/agenvantage"}, c.client)
		}
		if got := d.run(Options{Remove: true}, c.client); !strings.HasPrefix(got, "restore ") || !maps.Equal(d.tree(), before) {
			t.Errorf("%s: taken out: %s: %s in %s", c.content, got, d.read(c.name), d.names())
		}
		// Taking it out by force leaves a backup.
		d.run(Options{Remove: true, Force: true}, c.client)
		if found := configuredIn(d.Machine, c.client); len(found) != 0 || d.read(c.name+BackupSuffix) != c.content {
			t.Errorf("%s: taken out by force: %s in %s", c.content, d.read(c.name), d.names())
		}
	}
}

// What was there before comes back into a file that has changed since, too.
func TestAnEntryByHandComesBackIntoAChangedFile(t *testing.T) {
	for _, c := range byHand {
		if c.url == "" {
			continue
		}
		d := newDesk(t)
		d.write(c.name, c.content)
		d.run(Options{Force: true}, c.client)
		change := func(text string) string { // as another program would add to it
			if c.client == "codex" {
				return text + "\n[tui]\na = 1\n"
			}
			return strings.Replace(text, "{", `{"added": 1, `, 1)
		}
		d.write(c.name, change(d.read(c.name)))
		plan, err := d.plan(Options{Remove: true}, c.client)
		if err != nil {
			t.Fatal(err)
		}
		if s := plan.Steps[0]; s.Action != ActionRemove || !strings.Contains(s.Note, "is still in") {
			t.Errorf("%s: step %s, %s", c.content, s.Action, s.Note)
		}
		if err := plan.Apply(); err != nil {
			t.Fatal(err)
		}
		if got := d.read(c.name); !strings.Contains(got, "7777") || strings.Contains(got, cmdline[0]) {
			t.Errorf("%s: came back as %s", c.content, got)
		}
		if found := configuredIn(d.Machine, c.client); len(found) != 1 || found[0].URL != c.url {
			t.Errorf("%s: found %+v", c.content, found)
		}
	}
}

// An entry that starts this program already needs nothing, whatever stands beside that.
func TestAnEntryByHandThatStartsThisProgramIsFine(t *testing.T) {
	d := newDesk(t)
	d.write("project/.mcp.json", `{"mcpServers": {"agenvantage": {"type": "stdio", "command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"], "env": {"A": "b"}}}}`)
	before := d.read("project/.mcp.json")
	if got := d.run(Options{}, "claude-code"); got != "unchanged create" {
		t.Errorf("entered: %s", got)
	}
	if got := d.run(Options{Remove: true}, "claude-code"); got != "keep delete" || d.read("project/.mcp.json") != before {
		t.Errorf("taken out: %s", got)
	}
}

// A backup that somebody else made, or that an earlier time left, was written over.
func TestABackupIsNeverWrittenOver(t *testing.T) {
	d := newDesk(t)
	d.write("project/.mcp.json", "{\n}\n")
	d.write("project/.mcp.json"+BackupSuffix, "mine")
	if err := os.MkdirAll(d.at("project/.mcp.json"+BackupSuffix+".2"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := d.tree()
	plan, err := d.plan(Options{}, "claude-code")
	if err != nil {
		t.Fatal(err)
	}
	if want := d.at("project/.mcp.json" + BackupSuffix + ".3"); plan.Steps[0].Backup != want {
		t.Errorf("the backup is %s, want %s", plan.Steps[0].Backup, want)
	}
	d.write("project/.mcp.json"+BackupSuffix+".3", "come meanwhile")
	if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "come into being") {
		t.Errorf("a backup that came meanwhile: %v", err)
	}
	if err := os.Remove(d.at("project/.mcp.json" + BackupSuffix + ".3")); err != nil {
		t.Fatal(err)
	}
	d.run(Options{}, "claude-code")
	if got := d.read("project/.mcp.json" + BackupSuffix); got != "mine" {
		t.Errorf("the backup of somebody else is %q", got)
	}
	if got := d.run(Options{Remove: true}, "claude-code"); got != "restore delete" || !maps.Equal(d.tree(), before) {
		t.Errorf("taken out: %s: %s", got, d.names())
	}
}

// A forced entry that keeps what its user had added to it does not look like ours. A second run by a program at another place took it for
// an original and made a second backup of it, which --remove then gave back in the place of the first.
func TestASecondForcedRunMakesNoSecondBackup(t *testing.T) {
	for _, c := range byHand {
		d := newDesk(t)
		d.write(c.name, c.content)
		before := d.tree()
		d.run(Options{Force: true}, c.client)
		entered := d.tree()
		if d.run(Options{Force: true}, c.client); !maps.Equal(d.tree(), entered) {
			t.Errorf("%s: a second run changes %s", c.content, d.names())
		}
		d.run(Options{Force: true, Binary: "/elsewhere/agenvantage"}, c.client)
		if got := d.read(c.name + BackupSuffix); got != c.content || exists(d.at(c.name+BackupSuffix+".2")) || !strings.Contains(d.read(c.name), "/elsewhere/") {
			t.Errorf("%s: by a program elsewhere: backup %s in %s", c.content, got, d.names())
		}
		if got := d.run(Options{Remove: true, Force: true}, c.client); !strings.HasPrefix(got, "restore ") || !maps.Equal(d.tree(), before) {
			t.Errorf("%s: taken out: %s: %s in %s", c.content, got, d.read(c.name), d.names())
		}
	}
}

// Where the file has changed beside the forced entry, the entry by hand comes back into it, and the backup stays.
func TestAForcedEntryComesBackIntoAChangedFile(t *testing.T) {
	for _, o := range []Options{{}, {Force: true, Binary: "/elsewhere/agenvantage"}} {
		d := newDesk(t)
		name, byHand := "project/.mcp.json", `{"mcpServers": {"agenvantage": {"command": "docker", "env": {"A": "b"}}}, "z": 1}`
		d.write(name, byHand)
		d.run(Options{Force: true}, "claude-code")
		d.write(name, strings.Replace(d.read(name), `"z": 1`, `"z": 2`, 1))
		d.run(o, "claude-code")
		if got := d.run(Options{Remove: true}, "claude-code"); got != "remove delete" {
			t.Errorf("%+v: taken out: %s", o, got)
		}
		if got, want := d.read(name), strings.Replace(byHand, `"z": 1`, `"z": 2`, 1); got != want || d.read(name+BackupSuffix) != byHand || exists(d.at(name+BackupSuffix+".2")) {
			t.Errorf("%+v: %s, want %s; files %s", o, got, want, d.names())
		}
	}
}
