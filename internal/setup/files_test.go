package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"agenvantage"
)

var cmdline = []string{"/opt/bin/agenvantage", "serve", "--mcp"}

// commandIn is what the entry of a file starts, nil without an entry.
func commandIn(file configFile, content []byte) ([]string, error) {
	e, err := file.get(content)
	if err != nil || e == nil {
		return nil, err
	}
	return e.command, nil
}

func claudeFile() *jsonFile { return &jsonFile{container: "mcpServers", fields: standardFields("")} }

const entryJSON = `"agenvantage": {
      "command": "/opt/bin/agenvantage",
      "args": ["serve", "--mcp"]
    }`

func TestJSONSetAndUnset(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"another server, two spaces", `{
  "mcpServers": {
    "other": {
      "command": "x"
    }
  }
}
`, `{
  "mcpServers": {
    "other": {
      "command": "x"
    },
    ` + entryJSON + `
  }
}
`},
		{"no servers yet", `{
  "theme": "dark" // as in the night
}
`, `{
  "theme": "dark", // as in the night
  "mcpServers": {
    ` + entryJSON + `
  }
}
`},
		{"comments and trailing commas", `// mine
{
  /* servers */
  "mcpServers": {
    "other": {"command": "x",}, // the other one
    // none yet
  },
}
`, `// mine
{
  /* servers */
  "mcpServers": {
    "other": {"command": "x",}, // the other one
    // none yet
    ` + entryJSON + `,
  },
}
`},
		{"tabs", "{\n\t\"mcpServers\": {\n\t\t\"other\": {}\n\t}\n}", "{\n\t\"mcpServers\": {\n\t\t\"other\": {},\n\t\t\"agenvantage\": {\n\t\t\t\"command\": \"/opt/bin/agenvantage\",\n\t\t\t\"args\": [\"serve\", \"--mcp\"]\n\t\t}\n\t}\n}"},
		{"one line", `{"mcpServers":{"other":{"command":"x"}},"z":1}`, `{"mcpServers":{"other":{"command":"x"},"agenvantage":{"command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"]}},"z":1}`},
		{"one line, no servers", `{"z": 1, "y": 2}`, `{"z": 1, "y": 2, "mcpServers": {"agenvantage":{"command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"]}}}`},
		{"an empty object", "{}\n", "{\n  \"mcpServers\": {\n    " + entryJSON + "\n  }\n}\n"},
		{"an empty object of servers", "{\n  \"a\": 1,\n  \"mcpServers\": {}\n}\n", "{\n  \"a\": 1,\n  \"mcpServers\": {\n    " + entryJSON + "\n  }\n}\n"},
		{"a comment behind the end", `{"a":1} // end`, `{"a":1,"mcpServers":{"agenvantage":{"command": "/opt/bin/agenvantage", "args": ["serve", "--mcp"]}}} // end`},
		{"Windows line ends and a byte order mark", "\ufeff{\r\n  \"a\": 1\r\n}\r\n", "\ufeff" + strings.ReplaceAll("{\n  \"a\": 1,\n  \"mcpServers\": {\n    "+entryJSON+"\n  }\n}\n", "\n", "\r\n")},
	} {
		got, err := claudeFile().set([]byte(c.before), cmdline)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n--- want\n%s\n--- got\n%s", c.name, err, c.after, got)
			continue
		}
		if again, err := claudeFile().set(got, cmdline); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: a second time it changes again: %v\n%s", c.name, err, again)
		}
		if back, err := claudeFile().unset(got, []byte(c.before)); err != nil || string(back) != c.before {
			t.Errorf("%s: taken out: %v\n--- want\n%s\n--- got\n%s", c.name, err, c.before, back)
		}
		if command, err := commandIn(claudeFile(), got); err != nil || !slices.Equal(command, cmdline) {
			t.Errorf("%s: the entry reads %q, %v", c.name, command, err)
		}
	}
}

func TestJSONKeepsWhatTheUserAddedToTheEntry(t *testing.T) {
	before := `{
  "mcpServers": {
    "agenvantage": {
      "command": "/old/agenvantage", // before
      "env": {"AGENVANTAGE_LOG_LEVEL": "info"},
      "disabled": true
    },
    "z": {}
  }
}
`
	want := strings.Replace(strings.Replace(before, "/old/", "/opt/bin/", 1), `"disabled": true`, `"disabled": true,
      "args": ["serve", "--mcp"]`, 1)
	got, err := claudeFile().set([]byte(before), cmdline)
	if err != nil || string(got) != want {
		t.Errorf("%v\n--- want\n%s\n--- got\n%s", err, want, got)
	}
	gone, err := claudeFile().unset(got, nil)
	if err != nil || string(gone) != "{\n  \"mcpServers\": {\n    \"z\": {}\n  }\n}\n" {
		t.Errorf("taken out: %v\n%s", err, gone)
	}
}

// A server that its user has switched off stays off.
func TestJSONDoesNotSwitchOnAgain(t *testing.T) {
	opencode, err := Find([]string{"opencode"})
	if err != nil {
		t.Fatal(err)
	}
	content, err := opencode[0].file.set(nil, cmdline)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"agenvantage\": {\n      \"type\": \"local\",\n      \"command\": [\"/opt/bin/agenvantage\", \"serve\", \"--mcp\"],\n      \"enabled\": true\n    }\n  }\n}\n"
	if string(content) != want {
		t.Fatalf("a new file:\n%s", content)
	}
	off := bytes.Replace(content, []byte("true"), []byte("false"), 1)
	if again, err := opencode[0].file.set(off, cmdline); err != nil || !bytes.Equal(again, off) {
		t.Errorf("%v\n%s", err, again)
	}
	if command, err := commandIn(opencode[0].file, off); err != nil || !slices.Equal(command, cmdline) {
		t.Errorf("the entry reads %q, %v", command, err)
	}
	if rest, err := opencode[0].file.unset(content, nil); err != nil || !opencode[0].file.isBlank(rest) {
		t.Errorf("what is left of our own file counts: %v\n%s", err, rest)
	}
}

func TestJSONRefuses(t *testing.T) {
	for name, c := range map[string]struct{ content, says string }{
		"half a file":        {`{"mcpServers": {`, "it is no JSON"},
		"a list":             {`[]`, "no object"},
		"servers as a list":  {`{"mcpServers": []}`, `"mcpServers" is no object`},
		"an entry as a text": {`{"mcpServers": {"agenvantage": "x"}}`, `"agenvantage" is no object`},
		"a name twice":       {`{"mcpServers": {}, "mcpServers": {}}`, "stands twice"},
		"not text":           {"\x00\x01", "it is no JSON"},
	} {
		got, err := claudeFile().set([]byte(c.content), cmdline)
		if got != nil || !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

const entryTOML = "# agenvantage: written by agenvantage setup\n[mcp_servers.agenvantage]\ncommand = \"/opt/bin/agenvantage\"\nargs = [\"serve\", \"--mcp\"]\n"

func TestTOMLSetAndUnset(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"a new file", "", entryTOML},
		{"settings and tables", "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = 'y'\n", "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = 'y'\n\n" + entryTOML},
		{"a byte order mark", "\ufeffmodel = \"x\"\n", "\ufeffmodel = \"x\"\n\n" + entryTOML},
		{"Windows line ends", "model = \"x\"\r\n", strings.ReplaceAll("model = \"x\"\n\n"+entryTOML, "\n", "\r\n")},
	} {
		got, err := tomlFile{}.set([]byte(c.before), cmdline)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n--- want\n%s\n--- got\n%s", c.name, err, c.after, got)
			continue
		}
		if again, err := (tomlFile{}).set(got, cmdline); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: a second time it changes again: %v\n%s", c.name, err, again)
		}
		if back, err := (tomlFile{}).unset(got, nil); err != nil || string(back) != c.before {
			t.Errorf("%s: taken out: %v\n%q", c.name, err, back)
		}
	}
}

func TestTOMLChangesItsOwnTableAlone(t *testing.T) {
	before := `[mcp_servers.agenvantage]
startup_timeout_sec = 30 # slow disk
command = "/old/agenvantage" # before
[mcp_servers.agenvantage.env]
A = "b"

# about the project
[projects."/p"]
trust_level = "trusted"
`
	want := `[mcp_servers.agenvantage]
args = ["serve", "--mcp"]
startup_timeout_sec = 30 # slow disk
command = "/opt/bin/agenvantage"
[mcp_servers.agenvantage.env]
A = "b"

# about the project
[projects."/p"]
trust_level = "trusted"
`
	got, err := tomlFile{}.set([]byte(before), cmdline)
	if err != nil || string(got) != want {
		t.Errorf("%v\n--- want\n%s\n--- got\n%s", err, want, got)
	}
	gone, err := tomlFile{}.unset(got, nil)
	if err != nil || string(gone) != "\n# about the project\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n" {
		t.Errorf("taken out: %v\n%q", err, gone)
	}
}

// A program that adds a table behind ours must not lose it when ours is taken out.
func TestTOMLTableThatWasAddedBehindOursStays(t *testing.T) {
	content := "a = 1\n\n" + entryTOML + "\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n"
	got, err := tomlFile{}.unset([]byte(content), nil)
	if want := "a = 1\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n"; err != nil || string(got) != want {
		t.Errorf("%v\n%q", err, got)
	}
}

func TestTOMLRefuses(t *testing.T) {
	for name, c := range map[string]struct{ content, says string }{
		"half a file":          {"a = \n", "it is no TOML in line 1"},
		"an inline table":      {"mcp_servers = {other = {command = \"x\"}}\n", "not written as a table"},
		"dotted keys":          {"mcp_servers.agenvantage.command = \"x\"\n", "not written as a table"},
		"a table of another":   {"[mcp_servers]\nagenvantage = {command = \"x\"}\n", "not written as a table"},
		"servers are no table": {"mcp_servers = 1\n", "not written as a table"},
	} {
		got, err := tomlFile{}.set([]byte(c.content), cmdline)
		if got != nil || !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestBlockSetAndUnset(t *testing.T) {
	block := beginLine + "\n" + Instructions + endLine + "\n"
	for _, c := range []struct{ name, before, preamble, after string }{
		{"a new file", "", "", block},
		{"a new file of our own", "", "---\na: b\n---\n", "---\na: b\n---\n\n" + block},
		{"behind other text", "# Rules\n\nBe kind.\n", "", "# Rules\n\nBe kind.\n\n" + block},
		{"Windows line ends", "# Rules\r\n", "", strings.ReplaceAll("# Rules\n\n"+block, "\n", "\r\n")},
	} {
		got, err := setBlock([]byte(c.before), c.preamble)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%q", c.name, err, got)
			continue
		}
		if again, err := setBlock(got, c.preamble); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: a second time it changes again: %v\n%q", c.name, err, again)
		}
		back, err := unsetBlock(got)
		if err != nil || c.before != "" && string(back) != c.before || c.before == "" && !isBlankBlock(back, c.preamble) {
			t.Errorf("%s: taken out: %v\n%q", c.name, err, back)
		}
	}
	old := "top\n\n" + beginMark + " (older words) -->\nold text\n" + endLine + "\n\nbottom\n"
	if got, err := setBlock([]byte(old), ""); err != nil || string(got) != "top\n\n"+block+"\nbottom\n" {
		t.Errorf("an older block: %v\n%s", err, got)
	}
	if got, err := unsetBlock([]byte(old)); err != nil || string(got) != "top\n\nbottom\n" {
		t.Errorf("an older block taken out: %v\n%q", err, got)
	}
	for _, bad := range []string{beginLine + "\n", endLine + "\n", endLine + "\n" + beginLine + "\n", block + block} {
		if _, err := setBlock([]byte(bad), ""); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%.60q is taken: %v", bad, err)
		}
	}
}

// others is what a JSON file says beside our entry.
func others(t *testing.T, content []byte) map[string]any {
	standard, err := standardize(bytes.TrimPrefix(content, byteOrderMark))
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	var all map[string]any
	if err := json.Unmarshal(standard, &all); err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	if servers, ok := all["mcpServers"].(map[string]any); ok {
		delete(servers, ServerName)
		if len(servers) == 0 {
			delete(all, "mcpServers")
		}
	}
	return all
}

func FuzzJSONFile(f *testing.F) {
	for _, s := range []string{"", "{}", `{"mcpServers":{"a":{}},}`, "{ // x\n \"a\": [1, /* y */ 2,],\n}", `{"mcpServers": {"agenvantage": {"args": [], }}}`, "\ufeff{\r\n}", "{\"a\":\n1,\"b\":2}", `{"a":1/*,*/}`, "{\"a\":1//,\n}", `{"a":1} // end`, `{} /* end */`, `{"mcpServers": {"agenvantage": {"url": "http://h/", "type": "http"}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file := claudeFile()
		got, err := file.set(content, cmdline)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatal(err)
			}
			return
		}
		if command, err := commandIn(file, got); err != nil || !slices.Equal(command, cmdline) {
			t.Fatalf("%q: the entry of %q reads %q, %v", content, got, command, err)
		}
		if again, err := file.set(got, cmdline); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q: then %q, then %q, %v", content, got, again, err)
		}
		back, err := file.unset(got, content)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if len(bytes.TrimSpace(bytes.TrimPrefix(content, byteOrderMark))) == 0 {
			return
		}
		if command, err := commandIn(file, back); err != nil || command != nil {
			t.Fatalf("%q: the entry is still in %q: %v", content, back, err)
		}
		was := others(t, content)
		if is := others(t, got); !reflect.DeepEqual(was, is) {
			t.Fatalf("%q became %q", content, got)
		}
		if is := others(t, back); !reflect.DeepEqual(was, is) {
			t.Fatalf("%q came back as %q", content, back)
		}
	})
}

func FuzzTOMLFile(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[mcp_servers]\n", "[mcp_servers.agenvantage]\ncommand = \"x\"", "[[a]]\nb = \"\"\"\n[x]\n\"\"\"\n", "[mcp_servers.agenvantage]\nargs = [ # x\n 1,\n]\n[mcp_servers.agenvantage.env]\n[b]", "mcp_servers.a.command = 1\r\n", "\ufeffa = 1", "[mcp_servers.agenvantage]\nurl = \"x\"\n[mcp_servers.agenvantage.http_headers]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := tomlFile{}.set(content, cmdline)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatal(err)
			}
			return
		}
		rest := func(content []byte) map[string]any {
			var all map[string]any
			if err := toml.Unmarshal(bytes.TrimPrefix(content, byteOrderMark), &all); err != nil {
				t.Fatalf("%q: %v", content, err)
			}
			if servers, ok := all[tomlServers].(map[string]any); ok {
				delete(servers, ServerName)
				if len(servers) == 0 {
					delete(all, tomlServers)
				}
			}
			if len(all) == 0 {
				return nil
			}
			return all
		}
		text := func(m map[string]any) string { // values that are not numbers are not equal to themselves
			b, _ := toml.Marshal(m)
			return string(b)
		}
		if command, err := commandIn(tomlFile{}, got); err != nil || !slices.Equal(command, cmdline) {
			t.Fatalf("%q: the entry of %q reads %q, %v", content, got, command, err)
		}
		if again, err := (tomlFile{}).set(got, cmdline); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q: then %q, then %q, %v", content, got, again, err)
		}
		back, err := tomlFile{}.unset(got, nil)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatal(err)
			}
			return
		}
		if was := text(rest(content)); text(rest(got)) != was || text(rest(back)) != was {
			t.Fatalf("%q became %q and came back as %q", content, got, back)
		}
	})
}

func FuzzBlock(f *testing.F) {
	f.Add([]byte("x\n\n"), "")
	f.Add([]byte("\r\n"), "p\n")
	f.Add([]byte("0\r"), "")
	f.Add([]byte("0"+beginMark), "")
	f.Add([]byte(beginLine+"\n"+endLine), "")
	f.Fuzz(func(t *testing.T, content []byte, preamble string) {
		if strings.Contains(preamble, "<!--") || strings.Contains(preamble, "\r") {
			return
		}
		got, err := setBlock(content, preamble)
		if err != nil {
			return
		}
		if again, err := setBlock(got, preamble); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q: then %q, then %q, %v", content, got, again, err)
		}
		back, err := unsetBlock(got)
		if _, left := linesOf(back, beginMark); err != nil || left > 0 {
			t.Fatalf("%q: came back as %q, %v", content, back, err)
		}
	})
}
