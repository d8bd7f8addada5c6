package app

import (
	"regexp"
	"strings"
	"sync"
)

// What a map names is found by tables: a path, a symbol, a reference or a line that a convention gives a meaning. A new
// convention is a new row.

// markSection says which part of the map a mark belongs to.
type markSection uint8

const (
	markInstruction markSection = iota
	markCommand
	markEntry
	markLandmark
	markName        // what the manifest calls the project
	markDescription // what the manifest says that it is
	markPurpose     // what a file says about its folder
)

// mark is one place of a file that a convention gives a meaning.
type mark struct {
	Section markSection
	Kind    string
	Line    int // 0: the whole file
	Text    string
	Count   int
	Value   float64
	Folder  string // when the place is a folder that holds the file; files of one folder and kind are one place
}

// pathRow gives a meaning to paths. The pattern is matched against the path in lower case.
type pathRow struct {
	section markSection
	kind    string
	value   float64
	pattern *regexp.Regexp
	folder  int // number of the group that is the folder to name instead, 0 for the file itself
}

func row(section markSection, kind string, value float64, pattern string) pathRow {
	return pathRow{section: section, kind: kind, value: value, pattern: regexp.MustCompile(pattern)}
}

func folderRow(kind string, value float64, pattern string) pathRow {
	return pathRow{section: markLandmark, kind: kind, value: value, pattern: regexp.MustCompile(pattern), folder: 1}
}

// pathRows: the first row of a section that matches counts.
var pathRows = []pathRow{
	row(markInstruction, "readme", 1, `^readme(\.\w+)?$`),
	row(markInstruction, "agents", 0.98, `^(agents|claude|gemini|codex)\.md$|^\.(cursorrules|windsurfrules|clinerules)$|^\.github/copilot-instructions\.md$`),
	row(markInstruction, "agents", 0.6, `^\.cursor/rules/.+|(^|/)(agents|claude|gemini)\.md$`),
	row(markInstruction, "contributing", 0.85, `^(\.github/|docs/|doc/)?(contributing|development|developing|hacking|building|install|testing)(\.\w+)?$`),
	row(markInstruction, "design", 0.8, `^(docs?/)?([\w-]*(architecture|design|overview|internals)[\w-]*)\.(md|rst|txt|adoc|org)$`),
	row(markInstruction, "guide", 0.6, `^(docs?/|documentation/)?([\w-]*(guide|usage|troubleshooting|quickstart|getting-?_?started|tutorial|faq|migration)[\w-]*)\.(md|rst|txt|adoc|org)$`),
	row(markInstruction, "guide", 0.5, `^(docs?|documentation)/(index|readme|contents)\.(md|rst|txt|adoc|org)$`),
	row(markInstruction, "changes", 0.3, `^(changelog|changes|history|news|releases|[\w-]*release-?_?process)(\.\w+)?$`),
	row(markInstruction, "contributing", 0.3, `(^|/)contributing\.\w+$`),
	row(markInstruction, "security", 0.15, `^(\.github/|docs/)?security\.\w+$`),
	row(markInstruction, "readme", 0.12, `(^|/)readme(\.\w+)?$`),

	row(markLandmark, "ci", 1, `^\.github/workflows/[^/]+\.ya?ml$|^\.gitlab-ci\.yml$|^\.circleci/config\.yml$|(^|/)jenkinsfile$|^azure-pipelines.*\.yml$|^\.travis\.yml$|^\.?appveyor\.yml$|^\.drone\.yml$|^\.buildkite/.+\.ya?ml$|^bitbucket-pipelines\.yml$|^\.cirrus\.yml$`),
	row(markLandmark, "containers", 0.9, `(^|/)(dockerfile|containerfile)(\.[\w.-]+)?$|(^|/)[\w.-]*\.dockerfile$|(^|/)(docker-)?compose[\w.-]*\.ya?ml$|(^|/)\.devcontainer/devcontainer\.json$`),
	folderRow("deployment", 0.7, `^(.*?(?:helm|charts?|k8s|kubernetes|kustomize|terraform|deploy|ansible))/.*\.(?:ya?ml|tf|tpl)$`),
	folderRow("migrations", 1, `^(.*?(?:migrations?|db/migrate|alembic/versions))/[^/]*\d[^/]*\.(?:sql|py|rb|go|ts|js|php|cs|java|kt|exs)$`),
	row(markLandmark, "schema", 0.9, `(^|/)(schema|structure)\.(sql|rb|graphql|prisma|ts)$|\.(prisma|graphqls)$|(^|/)(openapi|swagger)[\w.-]*\.(ya?ml|json)$`),
	folderRow("schema", 0.8, `^(.*?)/?[^/]+\.(?:proto|graphql|gql|thrift|avsc)$`),
	row(markLandmark, "app shell", 1, `(^|/)(src/)?app/layout\.[jt]sx?$|(^|/)(src/)?pages/_app\.[jt]sx?$|(^|/)src/app\.(tsx|jsx|vue|svelte)$|(^|/)(next|nuxt|svelte|astro|remix|vite|angular|gatsby|webpack|rollup|metro)\.config\.[cm]?[jt]s$|(^|/)angular\.json$|(^|/)app\.json$`),
	folderRow("pages", 0.9, `^((?:.*/)?(?:src/)?(?:pages|app/routes|src/routes))/.*\.(?:tsx|jsx|vue|svelte|astro)$`),
	row(markLandmark, "server", 1, `(^|/)(manage|wsgi|asgi|urls)\.py$|(^|/)config/routes\.rb$|(^|/)config\.ru$|(^|/)routes/(web|api)\.php$|(^|/)lib/[\w/]+/(router|endpoint)\.ex$|(^|/)procfile$`),
	row(markLandmark, "configuration", 0.6, `(^|/)settings(/\w+)?\.py$|(^|/)application(-\w+)?\.(ya?ml|properties)$|(^|/)appsettings(\.\w+)?\.json$|(^|/)\.env\.(example|sample|template)$|(^|/)config/application\.rb$`),
	row(markLandmark, "tooling", 0.45, `^(\.pre-commit-config\.yaml|\.golangci\.ya?ml|\.eslintrc(\.\w+)?|eslint\.config\.[cm]?[jt]s|\.prettierrc(\.\w+)?|tsconfig(\.\w+)?\.json|\.swiftlint\.yml|\.swiftformat|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml|\.clang-(format|tidy)|biome\.json|ruff\.toml|mypy\.ini|phpstan\.neon(\.dist)?|\.credo\.exs|deny\.toml|\.scalafmt\.conf|turbo\.json|nx\.json|lerna\.json|pnpm-workspace\.yaml)$`),
	row(markLandmark, "documentation", 0.5, `^(docs?/)?(mkdocs\.yml|conf\.py|book\.toml|docusaurus\.config\.[jt]s|_config\.yml|\.readthedocs\.ya?ml|\.jazzy\.yaml)$|^docs?/(source/)?conf\.py$`),
}

// auxiliaryRows are names of folders that explain or serve the product and are not it, with the share of their rank that they
// keep. The first row that a path has a folder of counts.
var auxiliaryRows = []struct {
	kind    string
	share   float64
	folders string
}{
	{"examples", 0.12, "example examples _example _examples sample samples demo demos playground tutorial tutorials cookbook"},
	{"documentation", 0.12, "doc docs _docs documentation website site"},
	{"benchmarks", 0.2, "bench benches benchmark benchmarks perf"},
	{"fixtures", 0.05, "fixture fixtures testdata __mocks__ snapshots __snapshots__"},
	{"test support", 0.15, "test_helper test_helpers test_util test_utils testutil testutils test-utils test_support testing_utils testlib"},
	{"scripts", 0.4, "script scripts tool tools hack contrib ci .github .devcontainer extra extras _asm"},
}

// auxiliaryOf maps the name of a folder to its row.
var auxiliaryOf = sync.OnceValue(func() map[string]int {
	rows := map[string]int{}
	for i, r := range auxiliaryRows {
		for _, name := range strings.Fields(r.folders) {
			rows[name] = i
		}
	}
	return rows
})

// auxiliary is the kind of the auxiliary folder that a path lies in, with the share of its rank that it keeps; "" and 1. The
// path of a folder ends in "/".
func auxiliary(path string) (kind string, share float64) {
	best := len(auxiliaryRows)
	rows := auxiliaryOf()
	for rest := path; ; {
		name, after, nested := strings.Cut(rest, "/")
		if !nested {
			break
		}
		if i, ok := rows[strings.ToLower(name)]; ok {
			best = min(best, i)
		} else if last := name[strings.LastIndexByte(name, ' ')+1:]; last != name { // "watchOS Example"
			if i, ok := rows[strings.ToLower(last)]; ok {
				best = min(best, i)
			}
		}
		rest = after
	}
	if best == len(auxiliaryRows) || auxiliaryRows[best].kind == "documentation" && strings.HasSuffix(path, ".go") { // a Go package about documents
		return "", 1
	}
	return auxiliaryRows[best].kind, auxiliaryRows[best].share
}

func auxiliaryKind(path string) string {
	kind, _ := auxiliary(path)
	return kind
}

// notCode are the languages whose files are no code of a module.
var notCode = words(`markdown rst text asciidoc org typst latex json yaml toml ini xml html css csv gomod gitignore diff gettext make dockerfile cmake just
	meson properties template mustache slim sql protobuf graphql thrift prisma plantuml svg nginx starlark bazel batch notebook hcl nix`)

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// buildScripts are files in a programming language that configure tools.
var buildScripts = regexp.MustCompile(`(?i)(^|/)(package(@swift-[\d.]+)?\.swift|setup\.py|conf\.py|noxfile\.py|conftest\.py|build\.rs|mix\.exs|\.?[\w.-]+\.config\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?js|gulpfile\.\w+|gruntfile\.\w+|` +
	`rakefile|gemfile|podfile|fastfile|dangerfile\w*|[\w.-]+\.(gemspec|podspec|gradle|gradle\.kts|sbt|rockspec|cabal)|build\.zig(\.zon)?|\.formatter\.exs|\.credo\.exs)$`)

// implicitPublic is how much of a symbol's rank stays when its declaration does not say who may use it: its language then
// keeps it to a package or a file, or leaves it to a statement elsewhere. Other languages let everybody use it.
var implicitPublic = map[string]float64{"java": 0.3, "csharp": 0.3, "swift": 0.2, "javascript": 0.6, "typescript": 0.4, "tsx": 0.4}

// entryRow finds a place where a program starts, by the name of a function or by a line.
type entryRow struct {
	langs  string
	symbol string         // name of a function or method
	within string         // package clause that the file needs, "" for any
	line   *regexp.Regexp // of the signature when symbol is set, else of any line; nil for any
	kind   string
	onlyIn *regexp.Regexp // of the path; nil for any
}

var entryRows = []entryRow{
	{langs: "go", symbol: "main", within: "main", kind: "program"},
	{langs: "rust", symbol: "main", onlyIn: regexp.MustCompile(`(^|/)(src/main|src/bin/[^/]+|src/bin/[^/]+/main|main)\.rs$`), kind: "program"},
	{langs: "c cpp", symbol: "main", kind: "program"},
	{langs: "java", symbol: "main", line: regexp.MustCompile(`\bstatic\b.*\bvoid\b`), kind: "program"},
	{langs: "kotlin", symbol: "main", kind: "program"},
	{langs: "csharp", symbol: "Main", line: regexp.MustCompile(`\bstatic\b`), kind: "program"},
	{langs: "dart zig nim crystal v d odin", symbol: "main", kind: "program"},
	{langs: "haskell", symbol: "main", onlyIn: regexp.MustCompile(`Main\.hs$`), kind: "program"},
	{langs: "swift", line: regexp.MustCompile(`^\s*@(main|UIApplicationMain|NSApplicationMain)\b`), kind: "program"},
	{langs: "scala", line: regexp.MustCompile(`^\s*@main\b|\bobject \w+ extends (App|IOApp)\b`), kind: "program"},
	{langs: "python", line: regexp.MustCompile(`^if __name__ == ["']__main__["']`), kind: "script"},
	{langs: "ruby", line: regexp.MustCompile(`^if (__FILE__ == \$(0|PROGRAM_NAME)|\$0 == __FILE__)`), kind: "script"},
	{langs: "javascript typescript", line: regexp.MustCompile(`^#!.*\b(node|deno|bun|ts-node|tsx)\b`), kind: "script"},
	{langs: "perl php lua bash", line: regexp.MustCompile(`^#!`), onlyIn: regexp.MustCompile(`(^|/)(bin|exe|libexec)/[^/]+$`), kind: "script"},
	{langs: "elixir", line: regexp.MustCompile(`^\s*use Application\b`), kind: "application"},
	{langs: "java kotlin", line: regexp.MustCompile(`^\s*@SpringBootApplication\b`), kind: "application"},
}

// libraryDoors are files through which a library is used.
var libraryDoors = []pathRow{
	row(markEntry, "crate root", 0.7, `(^|/)src/lib\.rs$`),
	row(markEntry, "program", 0.8, `(^|/)__main__\.py$`),
	row(markEntry, "program", 0.8, `(^|/)sources/[^/]+/main\.swift$`),
	row(markEntry, "front controller", 0.8, `(^|/)public/index\.php$|^bin/console$|^artisan$`),
}

// callRow finds a landmark by the name of what is called.
type callRow struct {
	langs string
	names string // as written, or its last part when it begins with a dot
	kind  string
	value float64
	types bool // a mention counts too
}

var callRows = []callRow{
	{"javascript typescript tsx", "createRoot hydrateRoot ReactDOM.render ReactDOM.createRoot ReactDOM.hydrateRoot", "react root", 1, false},
	{"javascript typescript tsx vue", "createApp createSSRApp bootstrapApplication platformBrowserDynamic", "front end root", 0.9, false},
	{"javascript typescript tsx", "app.listen server.listen fastify.listen http.createServer Deno.serve Bun.serve NestFactory.create", "server", 1, false},
	{"go", "http.ListenAndServe http.ListenAndServeTLS .ListenAndServe .ListenAndServeTLS grpc.NewServer http.Serve", "server", 1, false},
	{"python", "uvicorn.run app.run web.run_app serve_forever FastAPI Starlette Sanic", "server", 1, false},
	{"rust", "axum::serve Server::bind HttpServer::new rocket::build warp::serve", "server", 1, false},
	{"java kotlin", "SpringApplication.run embeddedServer Javalin.create runApplication", "server", 1, false},
	{"csharp", "WebApplication.CreateBuilder Host.CreateDefaultBuilder", "server", 1, false},
	{"ruby", "Sinatra::Application.run! Rack::Server.start", "server", 1, false},
	{"go", "cobra.Command", "command line", 0.6, true},
	{"python", "argparse.ArgumentParser ArgumentParser", "command line", 0.6, true},
}
