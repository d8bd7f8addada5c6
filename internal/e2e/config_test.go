//go:build unix

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func (tl *tool) userFile() string { return filepath.Join(tl.home(), ".config/agenvantage/config.yaml") }

// configTree is a small tree for tests of settings.
func configTree(t *testing.T) *tool {
	t.Helper()
	tl := newTool(t)
	tl.writeAll(files{"Lib/Core.py": pyFunc("setting_probe"), "lib/core.txt": "setting_probe is described here\n"})
	tl.commit()
	return tl
}

func TestKeysThatAreDataKeepTheirCase(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	writeFile(t, tl.userFile(), lines(`ranking:`, `  path_weights:`, `    "Lib/**": 3.0`, `    "lib/**": 0.25`, `    "docs/Read.Me*": 0.5`,
		`languages:`, `  JSX: javascript`, `  BUILD.in: python`, `  Inc: php`))
	shown := tl.config()
	weights, _ := shown["ranking.path_weights"].Value.(map[string]any)
	languages, _ := shown["languages"].Value.(map[string]any)
	if len(weights) != 3 || weights["Lib/**"] != 3.0 || weights["lib/**"] != 0.25 || weights["docs/Read.Me*"] != 0.5 {
		t.Errorf("weights: %v", weights)
	}
	if len(languages) != 3 || languages["JSX"] != "javascript" || languages["BUILD.in"] != "python" || languages["Inc"] != "php" {
		t.Errorf("languages: %v", languages)
	}
	heavy := tl.find("setting_probe", "Lib/Core.py").Score
	writeFile(t, tl.userFile(), lines(`ranking:`, `  path_weights: {"Lib/**": 0.01, "lib/**": 1}`))
	if light := tl.find("setting_probe", "Lib/Core.py").Score; light >= heavy {
		t.Errorf("the weight of Lib/** has no effect: %v and %v", heavy, light)
	}
	if paths := tl.search("setting_probe").paths(); paths[0] != "lib/core.txt" {
		t.Errorf("a factor of 0.01 leaves the order as it was: %v", paths)
	}
	tl.write("x.JSX", "function upperCaseExtension() { return 1 }\n")
	writeFile(t, tl.userFile(), "languages: {JSX: javascript}\n")
	tl.index()
	tl.wantSymbol("upperCaseExtension", symbolPlace{path: "x.JSX", lang: "javascript", kinds: "function"})
}

func TestEveryLayerOverridesTheOneBelowForEveryKey(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	personal := regexp.MustCompile(`^(embed|rerank|log)\.|^index_dir$`)
	type change struct{ user, project, env, flag string }
	changes := map[string]change{}
	for key, s := range tl.config() {
		number, isNumber := s.Value.(float64)
		if !isNumber {
			continue
		}
		step := 1.0
		if number != float64(int64(number)) || strings.HasPrefix(key, "bm25f.") || strings.HasPrefix(key, "ranking.") {
			step = 0.0625
		}
		at := func(n float64) string { return decimal(number - n*step) }
		if number < 8*step {
			at = func(n float64) string { return decimal(number + n*step) }
		}
		changes[key] = change{at(1), at(2), at(3), at(4)}
	}
	if len(changes) < 15 {
		t.Fatalf("only %d numbers among the settings", len(changes))
	}
	changes["embed.model"] = change{"from-user", "from-project", "from-env", "from-flag"}
	changes["search.refresh_timeout"] = change{"1s", "2s", "3s", "4s"}

	var user, project strings.Builder
	var env, flags []string
	for key, c := range changes {
		fmt.Fprintf(&user, "%s\n", dotted(key, c.user))
		if !personal.MatchString(key) {
			fmt.Fprintf(&project, "%s\n", dotted(key, c.project))
		}
		env = append(env, "AGENVANTAGE_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))+"="+c.env)
		flags = append(flags, "--set", key+"="+c.flag)
	}
	expect := func(layer string, tl *tool, want func(change) string, except *regexp.Regexp, more ...string) {
		t.Helper()
		shown := map[string]setting{}
		o := tl.run("", append(tl.flags("config", "show", "--json"), more...)...)
		var doc struct {
			Settings []setting `json:"settings"`
		}
		if err := decodeOne(o.stdout, &doc); err != nil {
			t.Fatalf("%s: %v: %v", layer, err, o)
		}
		for _, s := range doc.Settings {
			shown[s.Key] = s
		}
		for key, c := range changes {
			if except != nil && except.MatchString(key) {
				continue
			}
			if got := shown[key]; shownValue(got.Value) != want(c) || got.Source != layer {
				t.Errorf("layer %s, %s: %v from %s, want %s", layer, key, got.Value, got.Source, want(c))
			}
		}
	}
	expect("env", tl.with(env...), func(c change) string { return c.env }, nil) // in no file at all
	writeFile(t, tl.userFile(), mergeYAML(user.String()))
	expect("user", tl, func(c change) string { return c.user }, nil)
	tl.write(".agenvantage.yaml", mergeYAML(project.String()))
	expect("project", tl, func(c change) string { return c.project }, personal)
	if got := tl.config()["embed.model"]; got.Value != "from-user" {
		t.Errorf("a project file without the key hides the user's: %+v", got)
	}
	expect("env", tl.with(env...), func(c change) string { return c.env }, nil)
	expect("flag", tl.with(env...), func(c change) string { return c.flag }, nil, flags...)
	if got := tl.with("AGENVANTAGE_FUSION_K=").config()["fusion.k"]; got.Source != "project" {
		t.Errorf("an empty variable counts: %+v", got)
	}
	if got := tl.with("AGENVANTAGE_TEST_SEARCH_TOP_K=3", "AGENVANTAGE_TEST_KILLS=7").config()["search.top_k"]; got.Source != "project" {
		t.Errorf("a reserved variable counts: %+v", got)
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func shownValue(v any) string {
	if f, ok := v.(float64); ok {
		return decimal(f)
	}
	return fmt.Sprint(v)
}

// dotted is one key as a line "a.b.c: value" for mergeYAML.
func dotted(key, value string) string { return key + ": " + value }

// mergeYAML turns lines of dotted keys into nested flow maps, one line for each top-level key.
func mergeYAML(keys string) string {
	type node map[string]any
	root := node{}
	for _, line := range strings.Split(strings.TrimSpace(keys), "\n") {
		key, value, _ := strings.Cut(line, ": ")
		at, parts := root, strings.Split(key, ".")
		for _, p := range parts[:len(parts)-1] {
			if at[p] == nil {
				at[p] = node{}
			}
			at = at[p].(node)
		}
		at[parts[len(parts)-1]] = value
	}
	var write func(n node) string
	write = func(n node) string {
		var items []string
		for k, v := range n {
			if child, ok := v.(node); ok {
				items = append(items, k+": "+write(child))
			} else {
				items = append(items, fmt.Sprintf("%s: %v", k, v))
			}
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return write(root) + "\n"
}

func TestAFaultInTheConfigurationNamesFileLineAndKey(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	for _, fault := range []struct {
		name, text string
		line       int
		says       []string
	}{
		{"unknown section", "# mine\nserach:\n  top_k: 5\n", 2, []string{"serach", "search"}},
		{"unknown key", "search:\n  # more\n  topp_k: 5\n", 3, []string{"topp_k", "top_k"}},
		{"unknown nested key", "embed:\n  provider: ollama\n  modle: x\n", 3, []string{"modle", "embed.model"}},
		{"deeper than the key", "fusion:\n  k:\n    value: 60\n", 3, []string{"fusion.k"}},
		{"wrong type", "embed:\n  batch: plenty\n", 2, []string{"batch", "number"}},
		{"a fraction for a whole number", "search:\n  top_k: 2.5\n", 2, []string{"top_k"}},
		{"a list for a text", "embed:\n  model: [a, b]\n", 2, []string{"model"}},
		{"a number out of range", "search:\n  top_k: 0\n", 2, []string{"top_k"}},
		{"duplicate section", "fusion: {k: 1}\nfusion: {k: 2}\n", 2, []string{"fusion"}},
		{"duplicate key", "search:\n  top_k: 1\n  top_k: 2\n", 3, []string{"top_k"}},
		{"duplicate data key", "languages:\n  inc: php\n  inc: c\n", 3, []string{"inc"}},
		{"tab", "search:\n\ttop_k: 1\n", 2, nil},
		{"huge number", "search:\n  top_k: 888888888888888888888888\n", 2, []string{"top_k"}},
		{"not a map", "- search\n", 1, nil},
		{"broken quote", "embed:\n  model: \"open\n", 0, nil},
		{"bad duration", "search:\n  refresh_timeout: soon\n", 2, []string{"refresh_timeout"}},
	} {
		writeFile(t, tl.userFile(), fault.text)
		place := tl.userFile() + ":"
		if fault.line > 0 {
			place = fmt.Sprintf("%s:%d", tl.userFile(), fault.line)
		}
		for _, args := range [][]string{tl.flags("config", "show", "--json"), append(tl.searchArgs(ask{}), "--", "setting_probe"), tl.flags("index")} {
			o := tl.refused(args, append(fault.says, place)...)
			if !strings.HasPrefix(o.stderr, "Error: ") || !strings.Contains(o.stderr, "\nTry: ") || strings.Count(o.stderr, "\n") > 4 {
				t.Errorf("%s: not Error: and Try: but %q", fault.name, o.stderr)
			}
		}
	}
	// The same faults in the project's file, and in places that are no file.
	writeFile(t, tl.userFile(), "")
	tl.write(".agenvantage.yaml", "search:\n  top_kay: 5\n")
	tl.refused(tl.flags("config", "show"), ".agenvantage.yaml:2", "top_kay", "top_k")
	tl.remove(".agenvantage.yaml")
	tl.with("AGENVANTAGE_SEARCH_TOP_K=many").refused(tl.flags("config", "show"), "AGENVANTAGE_SEARCH_TOP_K", "many")
	tl.refused(append(tl.flags("config", "show"), "--set", "search.top_kk=5"), "search.top_kk", "search.top_k")
	tl.refusedSearch(ask{topK: -3}, "setting_probe", "top_k")
}

func TestUnusualButCorrectConfigurationLoads(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	for name, text := range map[string]string{
		"a mark and line ends of Windows": "\uFEFFsearch:\r\n  top_k: 4\r\n",
		"a document start and comments":   "---\n# words\nsearch: {top_k: 4} # more\n...\n",
		"quoted keys":                     "\"search\":\n  'top_k': 4\n",
	} {
		writeFile(t, tl.userFile(), text)
		if got := tl.config()["search.top_k"]; got.Value != 4.0 || got.Source != "user" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, text := range []string{"", "\n", "# only words\n", "---\n", "search:\n", "\uFEFF"} {
		writeFile(t, tl.userFile(), text)
		if got := tl.config()["search.top_k"]; got.Value != 10.0 || got.Source != "default" {
			t.Errorf("%q: %+v", text, got)
		}
	}
	tl.find("setting_probe", "Lib/Core.py")

	// A file of a later version may be let through, and is spoken of.
	writeFile(t, tl.userFile(), "config:\n  allow_unknown: true\nfuture:\n  setting: 1\nsearch:\n  top_k: 6\n")
	o := tl.run("", tl.flags("config", "show", "--json")...)
	if o.code != 0 || !strings.Contains(o.stderr, "future") || tl.config()["search.top_k"].Value != 6.0 {
		t.Errorf("unknown keys that are allowed: %v", o)
	}
}

func TestARepositoryDoesNotDecideWhereTextGoes(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	tl.write(".agenvantage.yaml", lines(`embed:`, `  provider: openai`, `  base_url: http://collector.invalid/v1`,
		`index_dir: /tmp/elsewhere-of-a-repository`, `log:`, `  level: debug`, `fusion:`, `  k: 33`))
	o := tl.run("", tl.flags("config", "show", "--json", "--log-level", "info")...)
	if o.code != 0 {
		t.Fatal(o)
	}
	o.says(t, "embed.provider", "embed.base_url", "index_dir", "log.level")
	shown := tl.config()
	for key, want := range map[string]string{"embed.provider": "default", "embed.base_url": "default", "index_dir": "default", "log.level": "default",
		"fusion.k": "project"} {
		if got := shown[key]; got.Source != want {
			t.Errorf("%s: %+v, want source %s", key, got, want)
		}
	}
	tl.index()
	if len(filesBelow(t, tl.path(".agenvantage"))) == 0 {
		t.Error("the repository moved its index")
	}
}

// A repository may hold a link in the place of the index folder.
func TestALinkedIndexFolderWritesNothingElsewhere(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	outside := filepath.Join(tl.base, "outside")
	writeFile(t, filepath.Join(outside, "mine.txt"), "precious\n")
	tl.link(outside, ".agenvantage")
	tl.git("add", "-A", "-f")
	tl.git("commit", "-q", "-m", "a link")
	tl.run("", tl.flags("index", "--json")...)
	tl.run("", append(tl.searchArgs(ask{}), "--", "setting_probe")...)
	tl.run("", tl.flags("clean")...)
	if got := filesBelow(t, outside); len(got) != 1 {
		t.Errorf("the repository decided where the index lies: %v", got)
	}
}

func TestSecretsOfTheConfigurationAreNotShown(t *testing.T) {
	t.Parallel()
	tl := configTree(t)
	key := "kq7-" + strings.Repeat("Zt", 9)
	writeFile(t, tl.userFile(), "embed:\n  api_key: "+key+"\n  base_url: http://me:"+key+"@host.invalid/v1?token="+key+"\n")
	for _, more := range [][]string{{"--json"}, {}, {"--log-level", "debug"}} {
		o := tl.run("", append(tl.flags("config", "show"), more...)...)
		if o.code != 0 || strings.Contains(o.stdout+o.stderr, key) || !strings.Contains(o.stdout, "***") {
			t.Errorf("%v: %v", more, o)
		}
	}
	writeFile(t, tl.userFile(), "embed:\n  api_key: ["+key+"]\n")
	if o := tl.refused(tl.flags("config", "show"), "api_key"); strings.Contains(o.stderr, key) {
		t.Errorf("an error shows the key: %v", o)
	}
}
