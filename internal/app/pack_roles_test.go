package app

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestRoleOf(t *testing.T) {
	for _, c := range []struct {
		path, lang string
		class      agenvantage.Class
		want       fileRole
	}{
		{"cart/cart.go", "go", 0, roleCode},
		{"main.py", "python", 0, roleCode},
		{"web/App.jsx", "javascript", 0, roleCode},
		{"db/001_init.sql", "sql", 0, roleCode},
		{"history.go", "go", 0, roleCode}, // a change log by name, code by language
		{"authors/list.py", "python", 0, roleCode},
		{"doctor/check.go", "go", 0, roleCode}, // no folder of documents
		{"exampled/a.go", "go", 0, roleCode},   // no folder of examples

		{"cart/cart_test.go", "go", agenvantage.ClassTest, roleTest},
		{"docs/test_guide.py", "python", agenvantage.ClassTest, roleTest},
		{"tests/data.json", "json", agenvantage.ClassTest, roleTest},

		{"README.md", "markdown", agenvantage.ClassDocument, roleDocument},
		{"docs/conf.py", "python", 0, roleDocument},
		{"Doc/library.go", "go", 0, roleDocument}, // whatever the case
		{"pkg/docs/logo.svg", "svg", 0, roleDocument},
		{"changelog.d/12.feature", "", 0, roleDocument},
		{"CHANGES", "", 0, roleDocument},
		{"sub/History.txt", "text", 0, roleDocument},
		{"AUTHORS.toml", "toml", 0, roleConfig},
		{"release-notes/v2.json", "json", 0, roleConfig},
		{"src/doc/parse.go", "go", 0, roleCode},
		{"internal/changes/apply.go", "go", 0, roleCode},
		{"examples/README.md", "markdown", agenvantage.ClassDocument, roleDocument},

		{"examples/cart.go", "go", 0, roleExample},
		{"pkg/sample/run.py", "python", 0, roleExample},
		{"Demos/a.js", "javascript", 0, roleExample},
		{"benchmarks/config.yaml", "yaml", 0, roleExample},

		{"config.yaml", "yaml", 0, roleConfig},
		{"package.json", "json", 0, roleConfig},
		{"LICENSE", "", 0, roleConfig},
		{"web/app.css", "css", 0, roleConfig}, // a language of code, but a style
		{"web/App.SCSS", "scss", 0, roleConfig},
		{".eslintrc.js", "javascript", 0, roleConfig},
		{".github/release.py", "python", 0, roleCode}, // the folder alone has the dot

		{"go.sum", "", agenvantage.ClassLock, roleMachine},
		{"api.pb.go", "go", agenvantage.ClassGenerated, roleMachine},
		{"app.min.js", "javascript", agenvantage.ClassMinified, roleMachine},
		{"vendor/x/x_test.go", "go", agenvantage.ClassVendored | agenvantage.ClassTest, roleMachine},
		{"docs/api.md", "markdown", agenvantage.ClassGenerated | agenvantage.ClassDocument, roleMachine},
	} {
		if got := roleOf(agenvantage.File{Path: c.path, Lang: c.lang, Class: c.class}); got != c.want {
			t.Errorf("%s: role %d, want %d", c.path, got, c.want)
		}
	}
}

func TestImplementationFactor(t *testing.T) {
	for _, c := range []struct {
		role   fileRole
		wanted []fileRole
		want   float64
	}{
		{roleCode, nil, 1},
		{roleCode, []fileRole{roleTest}, 1},
		{roleTest, nil, besides},
		{roleDocument, nil, besides},
		{roleExample, nil, besides},
		{roleConfig, nil, besides},
		{roleMachine, nil, besides * besides},
		{roleTest, []fileRole{roleTest}, 1},
		{roleTest, []fileRole{roleConfig, roleDocument}, besides},
		{roleMachine, []fileRole{roleMachine}, 1},
		{roleMachine, []fileRole{roleConfig}, besides * besides},
	} {
		wanted := map[fileRole]bool{}
		for _, r := range c.wanted {
			wanted[r] = true
		}
		if got := implementationFactor(c.role, wanted); got != c.want {
			t.Errorf("role %d, wanted %v: %v, want %v", c.role, c.wanted, got, c.want)
		}
	}
	if got := implementationFactor(roleTest, nil); got != besides {
		t.Errorf("no roles: %v", got)
	}
}

func TestIsInstruction(t *testing.T) {
	for want, paths := range map[bool][]string{
		true: {
			"AGENTS.md", "agents.md", "CLAUDE.md", "pkg/CLAUDE.md", "a/b/Gemini.md", "CODEX.md", ".cursorrules", "web/.windsurfrules", ".clinerules",
			".cursor/rules/go.mdc", ".cursor/rules/deep/go.mdc", ".github/copilot-instructions.md", ".github/instructions/go.instructions.md",
			"CONTRIBUTING", "CONTRIBUTING.md", "contributing.rst", ".github/CONTRIBUTING.md", "docs/contributing.md", "doc/contributing.adoc",
		},
		false: {
			"README.md", "MYAGENTS.md", "agents.go", "AGENTS.md.bak", "agents/md", "agents/claude.py", "docs/claude.md/a.go", ".cursorrules.json",
			".cursor/rules", ".cursor/rules/", ".cursor/settings.json", "pkg/.cursor/rules/go.mdc", ".github/instructions/", ".github/workflows/ci.yml",
			"pkg/contributing.md", "docs/deep/contributing.md", "contributing/a.md", "contributing.md.txt", "contributing-guide.md", "",
		},
	} {
		for _, p := range paths {
			if got := isInstruction(p); got != want {
				t.Errorf("%q: %v, want %v", p, got, want)
			}
		}
	}
}

func TestTestBaseNames(t *testing.T) {
	for _, c := range []struct{ path, base string }{
		{"cart/cart.go", "cart"},
		{"cart.py", "cart"},
		{"src/Cart.java", "cart"},
		{"web/cart.model.ts", "cart.model"}, // one extension alone
		{"pkg/_cart.py", "cart"},
		{"pkg/cart_.py", "cart"},
		{"Makefile", "makefile"},
		{"pkg/cart/__init__.py", "cart"}, // named after the folder
		{"web/Cart/index.tsx", "cart"},
		{"src/cart/mod.rs", "cart"},
		{"cart/lib.rs", "cart"},
		{"pkg/_private/__init__.py", "private"},
		{"index2.js", "index2"},
	} {
		want := strings.Fields(strings.ReplaceAll("test_X X_test X.test X.spec X_spec Xtest Xtests Xspec testX X_tests test-X X-test", "X", c.base))
		if got := testBaseNames(c.path); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.path, got, want)
		}
	}
}

func TestFamilyOf(t *testing.T) {
	for p, want := range map[string]string{
		"Card01.jsx":        "Card.jsx",
		"Card02.jsx":        "Card.jsx",
		"v1/api2/0.go":      "v/api/.go",
		"db/0001_init.sql":  "db/_init.sql",
		"cart.go":           "cart.go",
		"123":               "",
		"":                  "",
		"päge٣.go":          "päge٣.go", // digits of other scripts are names
		"a/b2.go":           "a/b.go",
		"migrations/2a3b.x": "migrations/ab.x",
	} {
		if got := familyOf(p); got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
}

func TestSlotWords(t *testing.T) {
	for _, c := range []struct {
		path  string
		slots string // that its path fits, in the order of data, surface, config
	}{
		{"models/cart.go", "state"},
		{"cart/model.py", "state"},
		{"src/entities/Cart.java", "state"},
		{"src/entity-cart.ts", "state"},
		{"cart_store.js", "state"},
		{"CartStore.swift", "state"}, // a last part of a name
		{"cartTypes.ts", "state"},
		{"lib/repositories/cart.rb", "state"},
		{"db/schema.rb", "state config"},
		{"stored/cart.go", ""},
		{"domains.go", ""},

		{"views/cart.py", "surface"},
		{"cmd/cart/run.go", "surface"},
		{"cart-handler.go", "surface"},
		{"web/Cart.vue", "surface"},
		{"web/cart.html", "surface"},
		{"web/CartDashboard.swift", "surface"},
		{"api/cart.go", "surface"},
		{"capital/cart.go", ""},

		{"config/cart.go", "config"},
		{"cart/settings.py", "config"},
		{"web/cart.css", "config"},
		{"deploy/cart.yml", "config"},
		{"deploy/cart.yaml", "config"},
		{"migrations/0001.py", "config"},
		{"db/add_cart.sql", "state config"},
		{"package.json", "config"},
		{"tsconfig.json", "config"},
		{"go.mod", "config"},
		{"Makefile", "config"},
		{"sub/Makefile", ""}, // of the root alone
		{"configured/cart.go", ""},

		{"cart/cart.go", ""},
		{"", ""},
		{"api/models/options.go", "state surface config"},
	} {
		var got []string
		for _, name := range []agenvantage.SlotName{agenvantage.SlotData, agenvantage.SlotSurface, agenvantage.SlotConfig} {
			if slotWords[name].MatchString(c.path) {
				got = append(got, string(name))
			}
		}
		if s := strings.Join(got, " "); s != c.slots {
			t.Errorf("%q: %q, want %q", c.path, s, c.slots)
		}
	}
	if len(slotWords) != 3 {
		t.Errorf("words for %d slots", len(slotWords))
	}
}

// The files of a reproduction (index.rst, conf.py) in the text of an issue made its pack one of documents.
func TestALongTextAsksForNoRole(t *testing.T) {
	read := func(text string) agenvantage.Task {
		task, err := Plan(PackRequest{Task: text})
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	short := read("the note in docs/index.rst is out of date")
	if asked := rolesAsked(short); !asked[roleDocument] {
		t.Errorf("a short task that names a document: %v", asked)
	}
	long := read("Wrong caption\n\n" + strings.Repeat("Build the project with the following docs/index.rst and look at the caption of the first table. ", 8))
	if asked := rolesAsked(long); !long.Query.Class.IsReport() || len(asked) > 0 {
		t.Errorf("a long text of class %s: %v", long.Query.Class, asked)
	}
}
