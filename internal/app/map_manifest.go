package app

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage/pack/repomap"
)

// manifestRow reads facts from the lines of files that describe a project. The last group of the pattern is the text.
type manifestRow struct {
	files   *regexp.Regexp // of the path
	section markSection
	kind    string
	value   float64
	line    *regexp.Regexp
	under   *regexp.Regexp // heading ("[project.scripts]") that the line stands below; nil for any
	join    bool           // all matches of the file are one fact
	whole   bool           // the file is a fact also when no line matches
	list    bool           // the text is a list in brackets, over as many lines as it takes: its quoted words are the fact
}

func re(s string) *regexp.Regexp { return regexp.MustCompile(s) }

var (
	pyproject = re(`(^|/)pyproject\.toml$`)
	cargoToml = re(`(^|/)Cargo\.toml$`)
	goMod     = re(`(^|/)go\.(mod|work)$`)
	pomXML    = re(`(^|/)pom\.xml$`)
	gradle    = re(`(^|/)(build|settings)\.gradle(\.kts)?$`)
	podspec   = re(`(^|/)[^/]+\.(podspec|gemspec)$`)
	swiftPM   = re(`(^|/)Package\.swift$`)
	workflows = re(`^\.github/workflows/[^/]+\.ya?ml$|^\.gitlab-ci\.yml$|^\.circleci/config\.yml$|^\.travis\.yml$`)
)

// checkingWords make a command one that builds, tests or checks.
const checkingWords = `\b(test|tests|build|lint|check|clippy|fmt|format|vet|verify|pytest|tox|nox|mypy|ruff|xcodebuild|rspec|phpunit|ctest|typecheck|doctest)\b`

var manifestRows = []manifestRow{
	{files: pyproject, section: markName, line: re(`^name\s*=\s*["']([^"']+)["']`), under: re(`^\[(project|tool\.poetry)\]`)},
	{files: pyproject, section: markDescription, line: re(`^description\s*=\s*["'](.+)["']`), under: re(`^\[(project|tool\.poetry)\]`)},
	{files: pyproject, section: markEntry, kind: "script", value: 1, line: re(`^([\w.-]+\s*=\s*["'][\w.:]+["'])`), under: re(`^\[(project\.(gui-)?scripts|tool\.poetry\.scripts)\]`)},
	{files: pyproject, section: markCommand, kind: "build backend", value: 0.3, line: re(`^build-backend\s*=\s*["']([^"']+)["']`)},
	{files: pyproject, section: markCommand, kind: "tox", value: 0.9, line: re(`^commands\s*=\s*(\[.*)$`), under: re(`^\[tool\.tox\.env_run_base\]`), list: true},
	{files: pyproject, section: markCommand, kind: "tox", value: 0.7, line: re(`^commands\s*=\s*(\[.*)$`), under: re(`^\[tool\.tox\.env\.(style|typing|lint|docs|test\w*|mypy)\]`), list: true},
	{files: pyproject, section: markCommand, kind: "test folders", value: 0.3, line: re(`^testpaths\s*=\s*(\[.*)$`), list: true},
	{files: re(`(^|/)setup\.cfg$`), section: markEntry, kind: "script", value: 1, line: re(`^\s+([\w.-]+\s*=\s*[\w.]+:\w+)\s*$`)},
	{files: re(`(^|/)setup\.(cfg|py)$`), section: markName, line: re(`^\s*name\s*=\s*["']?([\w.-]+)["']?,?\s*$`)},
	{files: re(`(^|/)setup\.(cfg|py)$`), section: markDescription, line: re(`^\s*description\s*=\s*["']?([^"']+?)["']?,?\s*$`)},
	{files: re(`(^|/)tox\.ini$`), section: markCommand, kind: "tox", value: 0.8, line: re(`^commands\s*=\s*(\S.*)$|^\s+(python -m pytest.*|pytest.*)$`), whole: true},
	{files: re(`(^|/)noxfile\.py$`), section: markCommand, kind: "nox sessions", value: 0.8, line: re(`^def (\w+)\(session`), join: true, whole: true},

	{files: cargoToml, section: markName, line: re(`^name\s*=\s*"([^"]+)"`), under: re(`^\[package\]`)},
	{files: cargoToml, section: markDescription, line: re(`^description\s*=\s*"(.+)"`), under: re(`^\[(workspace\.)?package\]`)},
	{files: cargoToml, section: markCommand, kind: "cargo workspace of", value: 0.7, line: re(`^members\s*=\s*(\[.*)$`), under: re(`^\[workspace\]`), list: true},
	{files: cargoToml, section: markCommand, kind: "cargo package", value: 0.2, line: re(`^name\s*=\s*"([^"]+)"`), under: re(`^\[package\]`)},
	{files: cargoToml, section: markEntry, kind: "program", value: 1, line: re(`^name\s*=\s*"([^"]+)"`), under: re(`^\[\[bin\]\]`)},

	{files: goMod, section: markName, line: re(`^module\s+(\S+)`)},
	{files: goMod, section: markCommand, kind: "go module", value: 0.6, line: re(`^module\s+(\S+)`)},
	{files: goMod, section: markCommand, kind: "go version", value: 0.4, line: re(`^go\s+(\S+)`)},
	{files: goMod, section: markCommand, kind: "go workspace", value: 0.6, line: re(`^(?:use|\t)\s*(\./\S+)`), join: true},

	{files: pomXML, section: markName, line: re(`^  <artifactId>([^<]+)</artifactId>`)},
	{files: pomXML, section: markDescription, line: re(`^\s*<description>([^<]+)</description>`)},
	{files: pomXML, section: markCommand, kind: "maven modules", value: 0.7, line: re(`^\s*<module>([^<]+)</module>`), join: true},
	{files: pomXML, section: markCommand, kind: "maven build", value: 0.3, line: re(`^  <artifactId>([^<]+)</artifactId>`)},
	{files: gradle, section: markCommand, kind: "gradle modules", value: 0.7, line: re(`^\s*include\s*\(?\s*["'](.+?)["']\)?\s*$`), join: true},
	{files: re(`(^|/)build\.gradle(\.kts)?$`), section: markCommand, kind: "gradle build", value: 0.3, line: re(`^$^`), whole: true},
	{files: re(`(^|/)settings\.gradle(\.kts)?$`), section: markName, line: re(`^\s*rootProject\.name\s*=\s*["']([^"']+)["']`)},

	{files: podspec, section: markName, line: re(`^\s*\w+\.name\s*=\s*["']([^"']+)["']`)},
	{files: podspec, section: markDescription, line: re(`^\s*\w+\.summary\s*=\s*["'](.+)["']`)},
	{files: swiftPM, section: markName, line: re(`\bPackage\(\s*name:\s*"([^"]+)"|^\s*name:\s*"([^"]+)"`)},
	{files: swiftPM, section: markCommand, kind: "swift package targets", value: 0.7, line: re(`\.(?:target|executableTarget|testTarget|library|executable)\(\s*name:\s*"([^"]+)"`), join: true, whole: true},

	{files: re(`(^|/)mix\.exs$`), section: markName, line: re(`^\s*app:\s*:(\w+)`)},
	{files: re(`(^|/)mix\.exs$`), section: markDescription, line: re(`^\s*(?:@?description:?)\s*"(.+)"`)},
	{files: re(`(^|/)mix\.exs$`), section: markCommand, kind: "mix project", value: 0.5, line: re(`^\s*app:\s*:(\w+)`), whole: true},
	{files: re(`(^|/)composer\.json$`), section: markName, line: re(`^\s*"name":\s*"([^"]+)"`)},
	{files: re(`(^|/)composer\.json$`), section: markDescription, line: re(`^\s*"description":\s*"([^"]+)"`)},
	{files: re(`(^|/)CMakeLists\.txt$`), section: markName, line: re(`(?i)^\s*project\s*\(\s*(\w+)`)},
	{files: re(`(^|/)CMakeLists\.txt$`), section: markCommand, kind: "cmake targets", value: 0.6, line: re(`(?i)^\s*add_(?:executable|library)\s*\(\s*([\w.-]+)`), join: true, whole: true},
	{files: re(`(^|/)meson\.build$`), section: markCommand, kind: "meson project", value: 0.5, line: re(`^project\(\s*'([^']+)'`), whole: true},
	{files: re(`(^|/)build\.sbt$`), section: markCommand, kind: "sbt build", value: 0.6, line: re(`^\s*lazy val (\w+)\b.*project`), join: true, whole: true},
	{files: re(`(^|/)[^/]+\.cabal$`), section: markName, line: re(`(?i)^name:\s*(\S+)`)},
	{files: re(`(^|/)[^/]+\.cabal$`), section: markDescription, line: re(`(?i)^synopsis:\s*(\S.*)`)},
	{files: re(`(^|/)[^/]+\.cabal$`), section: markCommand, kind: "cabal parts", value: 0.6, line: re(`(?i)^((?:library|executable|test-suite|benchmark)\b.*)$`), join: true, whole: true},
	{files: re(`(^|/)[^/]+\.(sln|csproj|fsproj)$`), section: markCommand, kind: ".NET project", value: 0.4, line: re(`^$^`), whole: true},
	{files: re(`(^|/)build\.zig$`), section: markCommand, kind: "zig build steps", value: 0.6, line: re(`\.step\(\s*"([^"]+)"`), join: true, whole: true},
	{files: re(`(?i)(^|/)rakefile$`), section: markCommand, kind: "rake tasks", value: 0.7, line: re(`^\s*(?:task|Rake::TestTask\.new)\s*\(?:?["']?(\w+)`), join: true, whole: true},
	{files: re(`(?i)(^|/)(gnu)?makefile$`), section: markCommand, kind: "make targets", value: 1, line: re(`^([A-Za-z][\w-]*)\s*:(?:[^=]|$)`), join: true},
	{files: re(`(?i)(^|/)\.?justfile$`), section: markCommand, kind: "just recipes", value: 1, line: re(`^@?([A-Za-z][\w-]*)(?:\s+[^:=]*)?:(?:[^=]|$)`), join: true},
	{files: re(`(?i)(^|/)taskfile\.ya?ml$`), section: markCommand, kind: "tasks", value: 1, line: re(`^  ([\w:-]+):\s*$`), join: true},
	{files: workflows, section: markCommand, kind: "ci", value: 0.55, line: re(`^\s*(?:- )?(?:run|script):\s*([\w./"$-][^|>#]*` + checkingWords + `.*)$`)},
	{files: workflows, section: markCommand, kind: "ci", value: 0.55, line: re(`^\s*(?:- |\s{8,})((?:go|cargo|npm|npx|yarn|pnpm|mvn|\./mvnw|gradle|\./gradlew|python|pip|pytest|tox|make|swift|xcodebuild|bundle|composer|mix|dotnet|cmake|ctest|set -o pipefail &&)\b.*` + checkingWords + `.*)$`)},
}

// maxManifestBytes bounds the files that are read line by line; the others bound what is joined, and the facts of one row and file.
const (
	maxManifestBytes   = 256 << 10
	maxMatchesPerFile  = 40
	maxCommandsPerFile = 6
)

// manifestMarks reads the facts of a file that describes a project.
func manifestMarks(file, text string) (marks []mark) {
	if len(text) > maxManifestBytes {
		return nil
	}
	if base := path.Base(file); base == "package.json" || base == "composer.json" {
		marks = jsonMarks(file, text)
	}
	for i := range manifestRows {
		if r := &manifestRows[i]; r.files.MatchString(file) {
			marks = append(marks, r.read(text)...)
		}
	}
	return marks
}

func isManifest(file string) bool {
	base := path.Base(file)
	if base == "package.json" || base == "composer.json" {
		return true
	}
	return slices.ContainsFunc(manifestRows, func(r manifestRow) bool { return r.files.MatchString(file) })
}

// read matches the lines of a file.
func (r *manifestRow) read(text string) (marks []mark) {
	heading, number, offset, next := "", 0, 0, 0
	var joined []string
	first := 0
	for line := range strings.Lines(text) {
		number++
		offset, next = next, next+len(line)
		line = strings.TrimRight(line, "\r\n")
		if len(line) > 2000 {
			continue
		}
		if strings.HasPrefix(line, "[") && r.under != nil {
			heading = line
		}
		if r.under != nil && !r.under.MatchString(heading) {
			continue
		}
		m := r.line.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		found := ""
		for _, g := range m[1:] {
			found = cmp.Or(found, strings.TrimSpace(g))
		}
		if r.list {
			found = quotedWords(text[offset+strings.Index(line, found):])
		}
		if r.join {
			if first == 0 {
				first = number
			}
			if !slices.Contains(joined, found) && len(joined) < maxMatchesPerFile {
				joined = append(joined, found)
			}
			continue
		}
		if !slices.ContainsFunc(marks, func(m mark) bool { return m.Text == found }) {
			marks = append(marks, mark{Section: r.section, Kind: r.kind, Line: number, Text: found, Value: r.value})
		}
		if r.section != markCommand && r.section != markEntry || len(marks) == maxCommandsPerFile {
			return marks
		}
	}
	if len(joined) > 0 {
		return []mark{{Section: r.section, Kind: r.kind, Line: first, Text: strings.Join(joined, ", "), Value: r.value}}
	}
	if len(marks) == 0 && r.whole {
		return []mark{{Section: r.section, Kind: r.kind, Value: r.value}}
	}
	return marks
}

// quotedWord is a string of TOML or JSON.
var quotedWord = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'`)

// quotedWords joins the strings of the list in brackets that a text begins with. Lists in it are parts of it, what else is in
// it is left out, and strings of tables ({name = "x"}) are.
func quotedWords(text string) string {
	end, open, braces := 0, 0, 0
	kept := []byte(text[:min(len(text), 4096)])
scan:
	for end = 0; end < len(kept); end++ {
		switch kept[end] {
		case '[':
			open++
		case ']':
			if open--; open <= 0 {
				break scan
			}
		case '{':
			braces++
		case '}':
			braces = max(0, braces-1)
			kept[end] = ' '
		case '"', '\'':
			quote := kept[end]
			for k := end + 1; k < len(kept) && kept[k] != quote && kept[k] != '\n'; k++ {
				if braces > 0 {
					kept[k] = ' '
				}
				end = k
			}
			if end+1 < len(kept) && kept[end+1] == quote {
				end++
			}
		}
	}
	var words []string
	for _, m := range quotedWord.FindAllStringSubmatch(string(kept[:end]), maxMatchesPerFile) {
		if w := strings.TrimSpace(m[1] + m[2]); w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// checkingScript are the names of scripts that build, test or check, or start what is developed.
var checkingScript = regexp.MustCompile(`^(test|tests|build|lint|check|format|fmt|typecheck|type-check|start|dev|serve|verify|ci|test-ci|prepare|compile)$`)

// jsonMarks reads package.json and composer.json. What is no JSON has no marks.
func jsonMarks(file, text string) (marks []mark) {
	var m struct {
		Name, Description string
		Main, Module      any
		Bin               any
		Exports           any
		Scripts           json.RawMessage
		Workspaces        any
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	lineOf := func(key string) int {
		if i := strings.Index(text, `"`+key+`"`); i >= 0 {
			return 1 + strings.Count(text[:i], "\n")
		}
		return 0
	}
	add := func(section markSection, kind, key string, value any, worth float64) {
		for _, s := range stringsOf(value) {
			marks = append(marks, mark{Section: section, Kind: kind, Line: lineOf(key), Text: s, Value: worth})
		}
	}
	if path.Base(file) == "package.json" {
		add(markName, "", "name", m.Name, 1)
		add(markDescription, "", "description", m.Description, 1)
		add(markEntry, "bin", "bin", m.Bin, 1)
		if len(stringsOf(m.Main)) > 0 {
			add(markEntry, "main", "main", m.Main, 0.9)
		} else if list := stringsOf(m.Exports); len(list) > 0 {
			add(markEntry, "exports", "exports", list[0], 0.9)
		} else {
			marks = append(marks, mark{Section: markEntry, Kind: defaultMain, Value: 0.9})
		}
		if list := stringsOf(m.Workspaces); len(list) > 0 {
			add(markCommand, "workspaces", "workspaces", strings.Join(list, ", "), 0.7)
		}
	}
	scripts := orderedStrings(m.Scripts)
	after := max(0, strings.Index(text, `"scripts"`))
	for _, s := range scripts {
		value := 0.35
		if checkingScript.MatchString(s[0]) {
			value = 1
		}
		line := 0
		if i := strings.Index(text[after:], `"`+s[0]+`"`); i >= 0 {
			line = 1 + strings.Count(text[:after+i], "\n")
		}
		marks = append(marks, mark{Section: markCommand, Kind: "script " + repomap.OneLine(s[0], 40), Line: line, Text: s[1], Value: value})
	}
	return marks
}

// defaultMain is the kind of a package.json without an entry: npm then takes index.js beside it, when there is one.
const defaultMain = "main"

// stringsOf lists the strings of a decoded JSON value: itself, the elements of a list, the values of an object in the
// order of keys, each behind its key.
func stringsOf(v any) (out []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			out = append(out, v)
		}
	case []any:
		for _, e := range v {
			out = append(out, stringsOf(e)...)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if s, ok := v[k].(string); ok {
				out = append(out, k+": "+s)
			} else if k == "packages" || k == "." || k == "import" || k == "require" || k == "default" {
				out = append(out, stringsOf(v[k])...)
			}
		}
	case []string:
		return v
	}
	return out
}

// orderedStrings lists the keys and the string values of a JSON object in the order of the text.
func orderedStrings(raw json.RawMessage) (out [][2]string) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() && len(out) < maxMatchesPerFile {
		key, err := d.Token()
		if err != nil {
			return out
		}
		var value any
		if d.Decode(&value) != nil {
			return out
		}
		switch v := value.(type) {
		case string:
			out = append(out, [2]string{key.(string), v})
		case []any:
			out = append(out, [2]string{key.(string), strings.Join(stringsOf(v), " && ")})
		}
	}
	return out
}
