package graph

// family resolves a file of its languages: every reference either becomes an edge or is counted as missed.
type family func(j *job)

// families maps a language id to its family.
var families = map[string]family{
	"go":     resolveGo,
	"python": resolvePython,

	"javascript": resolveECMAScript,
	"typescript": resolveECMAScript,
	"tsx":        resolveECMAScript,
	"vue":        resolveECMAScript,
	"svelte":     resolveECMAScript,

	"java":   resolveNominal,
	"kotlin": resolveNominal,
	"scala":  resolveNominal,
	"csharp": resolveNominal,
	"swift":  resolveNominal,
	"rust":   resolveNominal,
	"c":      resolveNominal,
	"cpp":    resolveNominal,
	"elixir": resolveElixir,
	"php":    resolvePHP,
	"ruby":   resolveRuby,
	"lua":    resolveLua,
	"bash":   resolveBash,
}

// manifestFamily names the family for whose module paths a file is a manifest, "" for other files.
func manifestFamily(file string) string {
	for _, m := range manifests {
		if m.matches(file) {
			return m.family
		}
	}
	return ""
}

// manifest names the files that say where the modules of a family are.
type manifest struct {
	family  string
	matches func(file string) bool
}

var manifests = []manifest{
	{"go", isGoMod},
	{"rust", isCargo},
	{"ecmascript", isECMAScriptManifest},
}
