package configs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// world is a home, a repository and an environment for one test.
type world struct {
	t          *testing.T
	home, repo string
	env        []string
	flags      map[string]string
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), repo: t.TempDir(), flags: map[string]string{}}
	w.env = []string{"HOME=" + w.home}
	return w
}

func (w *world) userFile() string {
	return filepath.Join(w.home, ".config", "agenvantage", "config.yaml")
}

func (w *world) user(text string) *world {
	if err := os.MkdirAll(filepath.Dir(w.userFile()), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return w.write(w.userFile(), text)
}

func (w *world) project(text string) *world {
	return w.write(filepath.Join(w.repo, ProjectFile), text)
}

func (w *world) write(file, text string) *world {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return w
}

func (w *world) load() (*Config, []Warning, error) {
	return Load(LoadOptions{RepoRoot: w.repo, Env: w.env, Flags: w.flags, Dir: w.repo})
}

func (w *world) must() (*Config, []Warning) {
	w.t.Helper()
	c, warnings, err := w.load()
	if err != nil {
		w.t.Fatal(err)
	}
	return c, warnings
}

func (c *Config) setting(t *testing.T, key string) Setting {
	t.Helper()
	for _, s := range c.Settings() {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("no setting %s", key)
	return Setting{}
}

// samples gives four different texts for a key, as a file and as a variable would hold them.
func samples(k key) [4]string {
	switch k.kind {
	case KindInt:
		return [4]string{fmt.Sprint(k.min + 101), fmt.Sprint(k.min + 102), fmt.Sprint(k.min + 103), fmt.Sprint(k.min + 104)}
	case KindNumber:
		return [4]string{fmt.Sprint(k.min + 0.11), fmt.Sprint(k.min + 0.12), fmt.Sprint(k.min + 0.13), fmt.Sprint(k.min + 0.14)}
	case KindDuration:
		return [4]string{"1s", "1.5s", "1m0s", "101ms"}
	case KindSwitch:
		return [4]string{"true", "false", "true", "false"}
	case KindChoice:
		n := len(k.choices)
		return [4]string{k.choices[0], k.choices[n-1], k.choices[n-2], k.choices[n-1]}
	case KindPath:
		return [4]string{"/a/user", "/b/project", "/c/env", "/d/flag"}
	case KindURL:
		return [4]string{"http://a.invalid", "http://b.invalid", "https://c.invalid/v1", "http://d.invalid"}
	case KindWeights:
		return [4]string{"{A: 1.5}", "{A: 2.5}", "{A: 3.5}", "A=4.5"}
	case KindGlobs:
		return [4]string{`["a/**"]`, "[b, \"*.{c,d}\"]", `["c,c/**"]`, "d/**,*.{e,f}"}
	case KindNames:
		return [4]string{"{A: go}", "{A: c}", "{A: java}", "A=php"}
	default:
		return [4]string{"text one", "text two", "text three", "text four"}
	}
}

// nested is a YAML text that sets one dotted key.
func nested(name, value string) string {
	parts := strings.Split(name, ".")
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(strings.Repeat("  ", i) + p + ":")
		if i < len(parts)-1 {
			b.WriteString("\n")
		}
	}
	if value == "" {
		value = `""`
	}
	return b.String() + " " + value + "\n"
}

func sameValue(k key, got any, text string) bool {
	want, err := parseText(k, text)
	if err != nil {
		return false
	}
	if d, ok := want.(time.Duration); ok {
		want = d.String()
	}
	if k.kind.isMap() { // entries of lower layers remain
		g, w := reflect.ValueOf(got), reflect.ValueOf(want)
		for _, e := range w.MapKeys() {
			if !g.MapIndex(e).IsValid() || g.MapIndex(e).Interface() != w.MapIndex(e).Interface() {
				return false
			}
		}
		return true
	}
	if k.secret {
		return got == "***"
	}
	return reflect.DeepEqual(got, want)
}

// TestEveryKeyEveryLayer puts every key through every layer: the value arrives in the typed structure and its source is told.
func TestEveryKeyEveryLayer(t *testing.T) {
	for _, k := range table {
		t.Run(k.name, func(t *testing.T) {
			w, s := newWorld(t), samples(k)
			check := func(text string, source Source) {
				t.Helper()
				c, _ := w.must()
				got := c.setting(t, k.name)
				if got.Source != source || !sameValue(k, got.Value, text) {
					t.Errorf("got %v from %s, want %s from %s", got.Value, got.Source, text, source)
				}
			}
			c, warnings := w.must()
			if got := c.setting(t, k.name); got.Source != SourceDefault || len(warnings) != 0 {
				t.Errorf("without a file: %v, warnings %v", got, warnings)
			}
			w.env = append(w.env, k.env()+"="+s[2]) // in no file
			check(s[2], SourceEnv)
			w.env = w.env[:1]
			w.user(nested(k.name, s[0]))
			check(s[0], SourceUser)
			w.project(nested(k.name, s[1]))
			if personal(k.name) {
				check(s[0], SourceUser)
				_, warnings := w.must()
				if len(warnings) != 1 || !strings.Contains(warnings[0].String(), k.name+" is ignored") || !strings.Contains(warnings[0].String(), ProjectFile) {
					t.Errorf("warnings %v", warnings)
				}
			} else {
				check(s[1], SourceProject)
			}
			w.env = append(w.env, k.env()+"=")
			if c, _ := w.must(); c.setting(t, k.name).Source == SourceEnv {
				t.Error("an empty variable counts")
			}
			w.env = append(w.env, k.env()+"="+s[2])
			check(s[2], SourceEnv)
			w.flags[k.name] = s[3]
			check(s[3], SourceFlag)
		})
	}
}

// TestEveryKeyRefusesWrongTypes gives every key a value of another type in a file.
func TestEveryKeyRefusesWrongTypes(t *testing.T) {
	for _, k := range table {
		for _, wrong := range []string{"[1, 2]", "{a: {b: 1}}", map[bool]string{true: "17", false: `"one, two: three"`}[k.kind == KindText || k.kind == KindPath || k.kind == KindURL || k.kind == KindChoice || k.kind.isMap()]} {
			w := newWorld(t).user("# first\n" + nested(k.name, wrong))
			_, _, err := w.load()
			place := fmt.Sprintf("config.yaml:%d: ", 2+strings.Count(k.name, "."))
			if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), k.name) {
				t.Errorf("%s: %s: %v", k.name, wrong, err)
			}
		}
	}
}

func TestEveryNumberHasBounds(t *testing.T) {
	for _, k := range table {
		if k.kind != KindInt && k.kind != KindNumber && k.kind != KindDuration {
			continue
		}
		for _, wrong := range []string{"-1", "999999999999999999999", ".inf", ".nan", "9000h"} {
			if k.kind == KindDuration && wrong == "-1" {
				wrong = "-1s"
			}
			if _, _, err := newWorld(t).user(nested(k.name, wrong)).load(); err == nil {
				t.Errorf("%s: %s is accepted in a file", k.name, wrong)
			}
			w := newWorld(t)
			w.env = append(w.env, k.env()+"="+strings.TrimPrefix(wrong, "."))
			if _, _, err := w.load(); err == nil || !strings.Contains(err.Error(), k.env()) {
				t.Errorf("%s=%s: %v", k.env(), wrong, err)
			}
		}
	}
}

func TestRefusedFiles(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown section", "embde:\n  model: x\n", "config.yaml:1: unknown key embde; the nearest known key is embed"},
		{"unknown key", "embed:\n  modle: x\n", "config.yaml:2: unknown key embed.modle; the nearest known key is embed.model"},
		{"wrong place", "top_k: 3\n", "config.yaml:1: unknown key top_k; the nearest known key is search.top_k"},
		{"wrong case", "search:\n  Top_K: 3\n", "config.yaml:2: unknown key search.Top_K; the nearest known key is search.top_k"},
		{"wrong type", "embed:\n  batch: lots\n", `config.yaml:2: embed.batch: want a whole number from 1 to 100000, not "lots"`},
		{"duplicate section", "embed: {batch: 1}\nembed: {batch: 2}\n", "config.yaml:2: duplicate key embed (first on line 1)"},
		{"duplicate key", "embed:\n  batch: 1\n  batch: 2\n", "config.yaml:3: duplicate key embed.batch (first on line 2)"},
		{"duplicate data", "languages: {a: go, a: c}\n", "config.yaml:1: duplicate key a (first on line 1)"},
		{"tab", "embed:\n\tbatch: 1\n", "config.yaml:2: not valid YAML: found character that cannot start any token"},
		{"unclosed", "embed: {batch: 1\n", "config.yaml:1: not valid YAML"},
		{"anchor", "# x\nembed: *gone\n", "config.yaml:2: not valid YAML: unknown anchor 'gone'"},
		{"huge", "embed:\n  batch: 999999999999999999999\n", "config.yaml:2: embed.batch: want a whole number from 1 to 100000, not 999999999999999999999"},
		{"fraction", "search:\n  top_k: 1.5\n", "config.yaml:2: search.top_k: want a whole number"},
		{"section as value", "search: 5\n", "config.yaml:1: search is a section"},
		{"dotted", "search.top_k: 5\n", "config.yaml:1: search.top_k must be nested: search: {top_k: …}"},
		{"a list", "- a\n", "config.yaml:1: the file must hold keys"},
		{"merge key", "search: {<<: {top_k: 3}}\n", "config.yaml:1: unknown key search.<<"},
		{"two documents", "search: {}\n---\nsearch: {}\n", "config.yaml:2: a second YAML document"},
		{"control character", "a: 1\nb: \x01\n", "config.yaml:2: a control character (U+0001)"},
		{"latin-1", "a: 1\n# caf\xe9\n", "config.yaml:2: not UTF-8 text"},
		{"weight", "ranking:\n  path_weights: {\"a/**\": much}\n", `config.yaml:2: ranking.path_weights: "a/**": want a map of names to numbers`},
		{"relative path", "index_dir: somewhere\n", "config.yaml:1: index_dir: want a path that is absolute or begins with ~/"},
		{"level", "log: {level: loud}\n", "config.yaml:1: log.level: want one of error, warn, info, debug"},
		{"several", "search: {top_k: 0}\nfoo: 1\n", "(and 1 more like it)"},
		{"too large", "#" + strings.Repeat("x", MaxFileBytes), "larger than"},
		{"self reference", "search: &a\n  top_k: *a\n", "config.yaml:2: search.top_k: want a whole number from 1 to 10000, not a map"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := newWorld(t).user(tt.text).load()
			if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestAcceptedFiles(t *testing.T) {
	tests := []struct {
		name, text string
		batch      int
	}{
		{"byte order mark and CRLF", "\ufeffembed:\r\n  batch: 3\r\n", 3},
		{"empty", "", 64},
		{"comments", "# nothing\n", 64},
		{"empty section", "embed:\n", 64},
		{"null value", "embed: {batch: null}\n", 64},
		{"alias", "search: {top_k: &n 7}\nembed: {batch: *n}\n", 7},
		{"hexadecimal", "embed: {batch: 0x10}\n", 16},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, warnings := newWorld(t).user(tt.text).must()
			if c.Embed.Batch != tt.batch || len(warnings) > 0 {
				t.Errorf("embed.batch %d, warnings %v", c.Embed.Batch, warnings)
			}
		})
	}
}

func TestAllowUnknownLiftsOnlyUnknownKeys(t *testing.T) {
	w := newWorld(t).user("config: {allow_unknown: true}\nfuture:\n  thing: 1\nsearch: {top_k: 4}\n")
	c, warnings := w.must()
	if c.Search.TopK != 4 || len(warnings) != 1 || !strings.Contains(warnings[0].String(), "config.yaml:2: unknown key future") {
		t.Errorf("top_k %d, warnings %v", c.Search.TopK, warnings)
	}
	for _, text := range []string{"search: {top_k: many}", "search: {top_k: 1, top_k: 2}", "search:\n\ttop_k: 1"} {
		if _, _, err := newWorld(t).user("config: {allow_unknown: true}\n" + text + "\n").load(); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	w = newWorld(t).project("future: 1\n")
	w.env = append(w.env, "AGENVANTAGE_CONFIG_ALLOW_UNKNOWN=true")
	w.must()
}

func TestDataKeysKeepTheirCase(t *testing.T) {
	w := newWorld(t).user("ranking:\n  path_weights:\n    \"Src/**\": 2.0\n    \"docs/README.md\": 0.5\n    \"src/**\": 0.1\nlanguages:\n  JSX: javascript\n")
	w.project("ranking: {path_weights: {\"Src/**\": 3, \"Gen.d/{A,B}\": 0.2}}\nlanguages: {BUILD.in: python}\n")
	c, _ := w.must()
	if got, want := fmt.Sprint(c.Ranking.PathWeights), "map[Gen.d/{A,B}:0.2 Src/**:3 docs/README.md:0.5 src/**:0.1]"; got != want {
		t.Errorf("path_weights %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(c.Languages), "map[BUILD.in:python JSX:javascript]"; got != want {
		t.Errorf("languages %s, want %s", got, want)
	}
	w.env = append(w.env, `AGENVANTAGE_RANKING_PATH_WEIGHTS={"A,b/**": 2}`, "AGENVANTAGE_LANGUAGES=JSX=,Tpl=html,x=y=go", "AGENVANTAGE_FUSION_WEIGHTS=bm25f=0.5")
	c, _ = w.must()
	if c.Ranking.PathWeights["A,b/**"] != 2 || c.Ranking.PathWeights["src/**"] != 0.1 {
		t.Errorf("path_weights %v", c.Ranking.PathWeights)
	}
	if got, want := fmt.Sprint(c.Languages), "map[BUILD.in:python Tpl:html x=y:go]"; got != want {
		t.Errorf("languages %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(c.Fusion.Weights), "map[bm25f:0.5 exact:1]"; got != want {
		t.Errorf("fusion.weights %s, want %s", got, want)
	}
	for _, bad := range []string{"a", `{"a": 1, "a": 2}`, `{"a": `, "a=x", "a=-1", `["a"]`} {
		w := newWorld(t)
		w.env = append(w.env, "AGENVANTAGE_FUSION_WEIGHTS="+bad)
		if _, _, err := w.load(); err == nil || !strings.Contains(err.Error(), "AGENVANTAGE_FUSION_WEIGHTS") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestListsOfGlobs(t *testing.T) {
	w := newWorld(t).user("embed:\n  allow: [\"src/**\", '*.{go,c}']\n  deny:\n  - secrets/**\n  - &x \"A b.md\"\n  - *x\n")
	c, _ := w.must()
	if got, want := fmt.Sprintf("%q %q", c.Embed.Allow, c.Embed.Deny), `["src/**" "*.{go,c}"] ["secrets/**" "A b.md" "A b.md"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for text, want := range map[string]string{
		"a/**, b.{go,c} ,,": `["a/**" "b.{go,c}"]`,
		`["a,b", "{c,d}"]`:  `["a,b" "{c,d}"]`,
		"[ab].go,x":         `["[ab].go" "x"]`,
		"[]":                `[]`,
		"Src/**":            `["Src/**"]`,
	} {
		w.env = []string{"HOME=" + w.home, "AGENVANTAGE_EMBED_DENY=" + text}
		if c, _ := w.must(); fmt.Sprintf("%q", c.Embed.Deny) != want || len(c.Embed.Allow) != 2 {
			t.Errorf("%s: %q, want %s in the place of the file's list", text, c.Embed.Deny, want)
		}
	}
	for _, bad := range []string{"a[", `["a", 5]`, `["a"`, "{a", `[["a"]]`} {
		w.env = []string{"HOME=" + w.home, "AGENVANTAGE_EMBED_DENY=" + bad}
		if _, _, err := w.load(); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "AGENVANTAGE_EMBED_DENY: embed.deny: want a list of globs") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for text, want := range map[string]string{
		"embed: {deny: src/**}":        "config.yaml:1: embed.deny: want a list of globs",
		"embed: {deny: [\"a\", \"\"]}": `"" is no glob`,
		"embed:\n  deny: [\"a[\"]":     `config.yaml:2: embed.deny: want a list of globs, such as ["src/**", "*.md"]; "a[" is no glob`,
		"embed: {deny: [3]}":           "3 is no glob",
	} {
		if _, _, err := newWorld(t).user(text + "\n").load(); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	c.Embed.Deny = []string{"a["}
	if err := c.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("Validate: %v", err)
	}
}

// TestServiceKeysDoNotChangeTheRankingHash keeps verdicts of the gate alive when a service moves or is asked otherwise.
func TestServiceKeysDoNotChangeTheRankingHash(t *testing.T) {
	base, _ := newWorld(t).must()
	for key, changes := range map[string]bool{
		"embed.provider": true, "embed.model": true, "embed.dimensions": true, "embed.query_prompt": true, "embed.document_prompt": true, "embed.window": true,
		"embed.allow": true, "embed.deny": true, "semantic.floor": true, "semantic.max_per_file": true, "rerank.provider": true, "rerank.model": true, "rerank.candidates": true,
		"embed.base_url": false, "embed.api_key": false, "embed.batch": false, "embed.concurrency": false, "embed.timeout": false, "embed.price": false,
		"embed.store_dir": false, "semantic.engine": false, "rerank.base_url": false, "rerank.timeout": false, "rerank.api_key_file": false,
	} {
		k, ok := byName(key)
		w := newWorld(t)
		w.flags[key] = samples(k)[2]
		if c, _ := w.must(); !ok || (c.RankingHash() != base.RankingHash()) != changes {
			t.Errorf("%s: changes the ranking hash: %v, want %v", key, !changes, changes)
		}
		if Ranks(key) != changes {
			t.Errorf("Ranks(%s) is %v", key, !changes)
		}
	}
	if Ranks("no.such.key") {
		t.Error("a key that there is not ranks")
	}
}

// TestTheModelOfTheProgramRanksTheSameUnnamed: whether index makes its vectors or the first question does, the order is one.
func TestTheModelOfTheProgramRanksTheSameUnnamed(t *testing.T) {
	hashes := map[string]string{}
	for _, provider := range []string{"", "builtin", "none"} {
		w := newWorld(t)
		w.flags["embed.provider"] = provider
		c, _ := w.must()
		hashes[provider] = c.Hash() + " " + c.RankingHash()
	}
	if hashes[""] != hashes["builtin"] || hashes[""] == hashes["none"] {
		t.Errorf("%v", hashes)
	}
}

func TestEnvironmentNames(t *testing.T) {
	seen := map[string]string{}
	for _, k := range table {
		if other, ok := seen[k.env()]; ok {
			t.Errorf("%s and %s share %s", other, k.name, k.env())
		}
		seen[k.env()] = k.name
		if strings.HasPrefix(k.env(), EnvReserved) {
			t.Errorf("%s is reserved", k.env())
		}
	}
	w := newWorld(t)
	w.env = append(w.env, "AGENVANTAGE_SEARCH_TOPK=3", "AGENVANTAGE_TEST_OLLAMA=http://x", "AGENVANTAGE_OLD=", "OTHER=1", "AGENVANTAGE_TOKEN=x")
	_, warnings := w.must()
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "AGENVANTAGE_SEARCH_TOPK names no setting and is ignored; the nearest is AGENVANTAGE_SEARCH_TOP_K") {
		t.Errorf("warnings %v", warnings)
	}
}

func TestUserFilePlace(t *testing.T) {
	tests := []struct {
		env  []string
		want string
	}{
		{[]string{"HOME=/h"}, "/h/.config/agenvantage/config.yaml"},
		{[]string{"HOME=/h", "XDG_CONFIG_HOME=/x"}, "/x/agenvantage/config.yaml"},
		{[]string{"HOME=/h", "XDG_CONFIG_HOME="}, "/h/.config/agenvantage/config.yaml"},
		{[]string{"HOME=/h", "XDG_CONFIG_HOME=relative"}, "/h/.config/agenvantage/config.yaml"},
		{nil, ""},
	}
	for _, tt := range tests {
		if got := UserFile(tt.env); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.env, got, tt.want)
		}
	}
}

func TestPaths(t *testing.T) {
	w := newWorld(t).user("index_dir: ~/idx\nembed: {api_key_file: ~/key}\n")
	c, _ := w.must()
	if c.IndexDir != filepath.Join(w.home, "idx") || c.Embed.APIKeyFile != filepath.Join(w.home, "key") {
		t.Errorf("%s, %s", c.IndexDir, c.Embed.APIKeyFile)
	}
	a, b := c.IndexFolder("/r/one"), c.IndexFolder("/s/one")
	if a == b || filepath.Dir(a) != c.IndexDir || !strings.HasPrefix(filepath.Base(a), "one-") {
		t.Errorf("folders %s and %s", a, b)
	}
	w.flags["index_dir"] = "out/idx"
	if c, _ = w.must(); c.IndexFolder("/r/one") != filepath.Join(w.repo, "out/idx") {
		t.Errorf("flag: %s", c.IndexFolder("/r/one"))
	}
	w.flags["index_dir"] = ""
	if c, _ = w.must(); c.IndexFolder("/r/one") != "/r/one/.agenvantage" {
		t.Errorf("empty flag: %s", c.IndexFolder("/r/one"))
	}
}

// TestProjectFileIsNotTrusted covers what a repository that was checked out could try.
func TestProjectFileIsNotTrusted(t *testing.T) {
	w := newWorld(t).project("embed:\n  base_url: http://evil.invalid\n  api_key: k\n  nonsense: [1]\nrerank: {provider: x}\nindex_dir: /etc\nlog: {level: nonsense}\nsearch: {top_k: 5}\n")
	c, warnings := w.must()
	if c.Embed.BaseURL != "" || c.Embed.APIKey != "" || c.IndexDir != "" || c.Log.Level != "warn" || c.Search.TopK != 5 {
		t.Errorf("%+v", c)
	}
	var got []string
	for _, x := range warnings {
		got = append(got, fmt.Sprintf("%d %s", x.Line, x.Key))
	}
	if s := strings.Join(got, ", "); s != "2 embed.base_url, 3 embed.api_key, 4 embed.nonsense, 5 rerank.provider, 6 index_dir, 7 log.level" {
		t.Errorf("warnings %s", s)
	}
	w = newWorld(t).write(filepath.Join(t.TempDir(), "x"), "")
	secret := filepath.Join(w.home, "secret")
	w.write(secret, "password: hunter2\n")
	if err := os.Symlink(secret, filepath.Join(w.repo, ProjectFile)); err != nil {
		t.Skip(err)
	}
	if _, warnings := w.must(); len(warnings) != 1 || strings.Contains(warnings[0].String(), "password") {
		t.Errorf("link: %v", warnings)
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	const secret = "sk-hunter2"
	w := newWorld(t)
	w.env = append(w.env, "AGENVANTAGE_EMBED_API_KEY="+secret, "AGENVANTAGE_EMBED_BASE_URL=https://user:"+secret+"@host.invalid/v1?key="+secret)
	c, _ := w.must()
	b, err := json.Marshal(c.Settings())
	if err != nil || strings.Contains(string(b), secret) || !strings.Contains(string(b), `"***"`) {
		t.Errorf("%v %s", err, b)
	}
	plain, _ := newWorld(t).must()
	w.env = w.env[:2]
	if c, _ = w.must(); c.Hash() != plain.Hash() {
		t.Error("the hash depends on a secret")
	}
	for _, text := range []string{"embed: {api_key: [" + secret + "]}", "embed: {api_key: {a: " + secret + "}}", "embed: " + secret} {
		if _, _, err := newWorld(t).user(text).load(); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
	}
}

func TestHashes(t *testing.T) {
	base, _ := newWorld(t).must()
	again, _ := newWorld(t).must()
	if base.Hash() != again.Hash() || len(base.Hash()) != 16 {
		t.Errorf("%s and %s", base.Hash(), again.Hash())
	}
	for _, k := range table {
		w := newWorld(t)
		w.flags[k.name] = samples(k)[2]
		c, _ := w.must()
		if changed, want := c.Hash() != base.Hash(), !k.local; changed != want {
			t.Errorf("%s: Hash changed %v, want %v", k.name, changed, want)
		}
		if changed, want := c.IndexHash() != base.IndexHash(), k.index; changed != want {
			t.Errorf("%s: IndexHash changed %v, want %v", k.name, changed, want)
		}
	}
}

func TestDefaultsAreCompleteAndDocumented(t *testing.T) {
	l := readYAML("default.yaml", DefaultYAML, false, "")
	if len(l.faults)+len(l.unknown)+len(l.warnings) > 0 || len(l.values) != len(table) {
		t.Fatalf("faults %v, unknown %v, %d values for %d keys", l.faults, l.unknown, len(l.values), len(table))
	}
	for _, k := range Keys() {
		if len(k.Doc) < 10 || k.Default == "" {
			t.Errorf("%s: doc %q, default %q", k.Name, k.Doc, k.Default)
		}
	}
	if c, err := Defaults(); err != nil || c.Validate() != nil {
		t.Error(err)
	}
}

func TestHostedExampleIsValid(t *testing.T) {
	c, warnings := newWorld(t).user(string(HostedYAML)).must()
	if c.Embed.Provider != "openai" || len(c.Embed.Deny) != 2 || len(warnings) != 0 {
		t.Errorf("%+v %v", c.Embed, warnings)
	}
	for _, s := range c.Settings() {
		if s.Source == SourceUser && !strings.HasPrefix(s.Key, "embed.") {
			t.Errorf("it sets %s", s.Key)
		}
	}
}

func TestUnreadableUserFile(t *testing.T) {
	w := newWorld(t)
	if err := os.MkdirAll(w.userFile(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.load(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestValidateRefusesWhatLoadRefuses(t *testing.T) {
	c, _ := newWorld(t).must()
	c.Search.TopK, c.Embed.BaseURL = 0, "ftp://x"
	if err := c.Validate(); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "embed.base_url") {
		t.Error(err)
	}
}

func FuzzReadYAML(f *testing.F) {
	for _, s := range []string{string(DefaultYAML), string(HostedYAML), "a: &a [*a]", "search: {top_k: 1}", "\ufeffa:\r\n", "languages: {? [a] : b}", "a: !!binary x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, project := range []bool{false, true} {
			l := readYAML("f.yaml", text, project, "/home")
			for name, v := range l.values {
				if k, ok := byName(name); !ok || !k.check(v) {
					t.Errorf("%s: %v", name, v)
				}
			}
			for _, x := range append(l.faults, l.unknown...) {
				if x.Line < 1 {
					t.Errorf("no line: %v", x)
				}
			}
		}
	})
}
