package app

import (
	"path"
	"regexp"
	"strings"

	"agenvantage"
	"agenvantage/scan"
)

// fileRole is what a file is for a task, told by its path and class. It decides which slots the file may fill.
type fileRole int

const (
	roleCode fileRole = iota
	roleTest
	roleDocument // prose, and code that illustrates it
	roleExample
	roleConfig // settings, schemas, styles, build files and other text that is no code
	roleMachine
)

var (
	exampleFolder  = regexp.MustCompile(`(^|/)(examples?|samples?|demos?|benchmarks?|tutorials?)/`)
	documentFolder = regexp.MustCompile(`(^|/)(docs?|documentation|doc-src|changelog\.d|changes)/`)
	topDocuments   = regexp.MustCompile(`^(docs?|documentation)/`) // code there configures or illustrates
	settingsFile   = regexp.MustCompile(`\.(ya?ml|json|toml|ini|cfg|conf|xml|properties)$`)
	changeLog      = regexp.MustCompile(`(?i)(^|/)(changes|changelog|history|news|release[-_ ]?notes|whats[-_]new|credits|authors)[^/]*$|(^|/)release-notes/`)
	styleSheet     = regexp.MustCompile(`\.(css|scss|sass|less|styl)$`)
)

// roleOf is the role of a file.
func roleOf(f agenvantage.File) fileRole {
	lower := strings.ToLower(f.Path)
	switch {
	case f.Class&(agenvantage.ClassGenerated|agenvantage.ClassMinified|agenvantage.ClassLock|agenvantage.ClassVendored) != 0:
		return roleMachine
	case f.Class.Has(agenvantage.ClassTest):
		return roleTest
	case f.Class.Has(agenvantage.ClassDocument) || topDocuments.MatchString(lower) || !scan.IsCode(f.Lang) && (documentFolder.MatchString(lower) || changeLog.MatchString(lower) && !settingsFile.MatchString(lower)):
		return roleDocument
	case exampleFolder.MatchString(lower):
		return roleExample
	case !scan.IsCode(f.Lang) || styleSheet.MatchString(lower) || strings.HasPrefix(path.Base(lower), "."):
		return roleConfig
	}
	return roleCode
}

// besides is the factor for files that are not what is changed first. On 181 issue tasks 0.1 to 0.5 differ little; without
// it the changed files stand in the first ten in 66 of 100 tasks instead of 79.
const besides = 0.3

// implementationFactor weighs the roles for the slot of the implementation. A task that asks for a role gets it.
func implementationFactor(r fileRole, wanted map[fileRole]bool) float64 {
	if r == roleCode || wanted[r] {
		return 1
	}
	if r == roleMachine {
		return besides * besides
	}
	return besides
}

// rolesAsked are the roles that a task itself is about. A long text is about none: the paths in it are mostly those of a reproduction,
// and of 181 issue tasks none changes a document.
func rolesAsked(t agenvantage.Task) map[fileRole]bool {
	asked := map[fileRole]bool{}
	if t.Query.Class.IsReport() {
		return asked
	}
	for _, a := range t.Anchors {
		if a.Kind != agenvantage.AnchorPath {
			continue
		}
		lang, class := scan.ClassifyPath(a.Text)
		if r := roleOf(agenvantage.File{Path: a.Text, Lang: lang, Class: class}); r != roleTest {
			asked[r] = true
		}
	}
	for _, term := range t.Query.Terms {
		switch term.Text {
		case "test", "tests", "testing", "spec":
			asked[roleTest] = true
		case "doc", "docs", "documentation", "readme", "guide", "changelog":
			asked[roleDocument] = true
		case "example", "examples", "demo", "benchmark":
			asked[roleExample] = true
		case "config", "configuration", "settings", "yaml", "css", "style", "styles", "ci", "workflow", "dockerfile", "schema":
			asked[roleConfig] = true
		}
	}
	return asked
}

// instructionFile are the files that tell agents and contributors what to do.
var (
	instructionFile = regexp.MustCompile(`(?i)(^|/)(agents|claude|gemini|codex)\.md$|(^|/)\.(cursorrules|windsurfrules|clinerules)$|^\.cursor/rules/.+|^\.github/(copilot-instructions\.md|instructions/.+)$`)
	contributing    = regexp.MustCompile(`(?i)^(\.github/|docs?/)?contributing(\.\w+)?$`)
)

// isInstruction reports whether a path is that of an instruction file: AGENTS.md, CLAUDE.md, CONTRIBUTING and the rule files of
// editors. A README is a document.
func isInstruction(p string) bool {
	return instructionFile.MatchString(p) || contributing.MatchString(p)
}

// slotWords are parts of paths by which files fill a slot.
var slotWords = map[agenvantage.SlotName]*regexp.Regexp{
	agenvantage.SlotData:    regexp.MustCompile(`(?i)(^|[/_.-])(models?|schemas?|stores?|states?|types?|entit(y|ies)|database|db|domain|reducers?|repositor(y|ies)|storage|data)([/_.-]|$)|(^|/)(contexts|slices)/|Context\.[jt]sx?$|store\.|state\.|types?\.|model\.|schema\.`),
	agenvantage.SlotSurface: regexp.MustCompile(`(?i)(^|[/_.-])(views?|pages?|components?|screens?|widgets?|templates?|routes?|routers?|handlers?|controllers?|cmd|cli|commands?|api|app|main|index|ui)([/_.-]|$)|\.(tsx|jsx|vue|svelte|html|erb|hbs|ejs)$|(App|Page|View|Screen|Dashboard)\.\w+$`),
	agenvantage.SlotConfig:  regexp.MustCompile(`(?i)(^|[/_.-])(config|settings?|migrations?|styles?|theme|schema|env|options?)([/_.-]|$)|\.(ya?ml|toml|ini|cfg|conf|css|scss|sass|less|sql)$|^(package|tsconfig)\.json$|^(go\.mod|Cargo\.toml|pyproject\.toml|setup\.cfg|Makefile)$`),
}

// markup are pages and templates.
var markup = regexp.MustCompile(`(?i)\.(x?html?|erb|hbs|ejs|jinja2?|j2|mustache|twig|pug|haml|liquid)$`)

// viewLayer and serviceSurface tell paths of a service apart: what renders, and what is called from outside.
var (
	viewLayer      = regexp.MustCompile(`(?i)(^|/)(views?|vue|templates?|templating|rendering|renderers?|pages?|components?|widgets?|screens?|ui|frontend|webapp)/`)
	serviceSurface = regexp.MustCompile(`(?i)(^|[/_.-])(routes?|routers?|routing|handlers?|controllers?|endpoints?|resources?|servlets?|middlewares?|cmd|cli|commands?|apis?|app|main|server)([/_.-]|$)|(Rout(e|er|es|ing)|Handler|Controller|Endpoint|Resource|Servlet|Api|Command|Server)s?(Builder|Config)?\.\w+$|(Rout(e|er|es|ing)|Api)(Api|Builder|Config)\.\w+$`)
)

// userInterface are the sources of what is seen: what changes there mostly needs a style as well.
var userInterface = regexp.MustCompile(`\.(jsx|tsx|vue|svelte|html|erb|hbs|ejs)$`)

// familyOf is a path without its numbers: Card01.jsx and Card02.jsx are much alike.
func familyOf(p string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, p)
}

// testBaseNames are the base names, without extension, that tests of a file have by the conventions of the languages.
func testBaseNames(p string) []string {
	base := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if base == "__init__" || base == "index" || base == "mod" || base == "lib" {
		base = path.Base(path.Dir(p))
	}
	base = strings.ToLower(strings.Trim(base, "_"))
	return []string{"test_" + base, base + "_test", base + ".test", base + ".spec", base + "_spec", base + "test", base + "tests", base + "spec", "test" + base, base + "_tests", "test-" + base, base + "-test"}
}
