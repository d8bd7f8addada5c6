package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/analysis"
)

// extensions are those by which a word without a slash is taken for a file. Words that are also common members of
// objects (a.map, a.text, a.data, a.key) are not among them.
var extensions = setOf(`adoc asm astro bash bat bazel bzl c cc cfg cjs clj cljs cmake conf cpp cs csproj css csv cts cu cue cxx d.ts dart
	dockerfile ejs el elm env erb erl ex exs f90 fs fsx gd go gradle graphql groovy h haml hbs hcl hh hpp hrl hs html hxx ini ino ipynb
	java jl js json jsonl jsx kt kts less lhs lock lua m4 md mdx mjs mk ml mli mm mod mts nim nix pas php pl pm po proto ps1 pug py pyi pyx
	r rake rb rego rs rst s sass scala scss sh sln sol sql sum svelte svg swift tcl tex tf tfvars thrift toml ts tsx txt v vb vim vue
	wat xhtml xml xsd yaml yml zig zsh`)

// fileNames are files that are known by their whole name.
var fileNames = setOf(`makefile dockerfile gemfile rakefile jenkinsfile vagrantfile procfile justfile cmakelists.txt .gitignore .dockerignore .editorconfig`)

// readWords fills the identifiers, qualified names, phrases and paths of q and returns the words of its text.
func readWords(q *agenvantage.Query) []string {
	words := strings.Fields(q.Text)
	lone := len(words) == 1
	identifiers, qualified, phrases, paths := newBag(maxIdentifiers), newBag(maxQualified), newBag(maxPhrases), newBag(maxPaths)
	read := func(word string, code bool) {
		switch name, kind := look(word, code); kind {
		case isIdentifier:
			identifiers.add(name)
		case isQualified:
			qualified.add(name)
		case isPath:
			paths.add(name)
		}
	}
	for _, s := range analysis.QuotedSpans(q.Text) {
		phrase := q.Text[s.Start:s.End]
		phrases.add(strings.TrimSpace(phrase))
		if !strings.ContainsAny(phrase, " \t") {
			read(phrase, q.Text[s.Start-1] == '`')
		}
	}
	for _, w := range words {
		if path := urlPath(w); q.Short && path != "" {
			paths.add(path)
			continue
		}
		read(w, lone)
	}
	q.Identifiers, q.Qualified, q.Phrases, q.Paths = identifiers.list, qualified.list, phrases.list, paths.list
	return words
}

type wordKind int

const (
	isPlain wordKind = iota
	isIdentifier
	isQualified
	isPath
)

// look tells what a word is and returns it without what surrounds it. code says that the word is known to be no
// English: it stands alone or in backticks, so that any name counts.
func look(word string, code bool) (string, wordKind) {
	if len(word) > maxLiteralBytes {
		return "", isPlain
	}
	if symbols, ok := strings.CutPrefix(word, "operator"); ok && symbols != "" && strings.Trim(symbols, "=+-*/%<>!&|^~[]()") == "" {
		return word, isIdentifier // C++: operator==, operator[]
	}
	if !strings.HasPrefix(word, "(*") { // (*Mux).ServeHTTP
		word = strings.TrimLeft(word, "([{<\"'`,;")
	}
	word = strings.TrimRight(word, ".,;:!?\"'`>}])")
	if rest, ok := strings.CutSuffix(word, "("); ok { // what is left of a call
		word, code = rest, true
	}
	if i := strings.IndexByte(word, '('); i > 0 && !strings.HasPrefix(word, "(*") && !strings.Contains(word, ".(*") {
		word, code = word[:i], true // f(x, of f(x, y)
	}
	if word == "" || strings.Contains(word, "://") {
		return "", isPlain
	}
	if path, ok := asPath(word); ok {
		return path, isPath
	}
	word = strings.NewReplacer("(*", "", ")", "", "(", "").Replace(word)
	if isQualifiedName(word) {
		return word, isQualified
	}
	if strings.HasPrefix(word, "--") && len(word) > 3 && unicode.IsLetter(rune(word[2])) {
		flag, _, _ := strings.Cut(word, "=")
		return flag, isIdentifier
	}
	word = strings.TrimLeft(word, "@$&*#-")
	if !isName(word) || !code && !looksLikeCode(word) {
		return "", isPlain
	}
	return word, isIdentifier
}

// asPath returns word as a slash-separated path, without a line number, when it looks like one: it holds a slash
// between names, or it ends in a known extension.
func asPath(word string) (string, bool) {
	path, _, _ := CutLines(word)
	base := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	dot := strings.LastIndexByte(base, '.')
	known := dot >= 0 && dot < len(base)-1 && extensions[base[dot+1:]] || fileNames[base]
	if strings.IndexByte(path, '\\') >= 0 {
		if !known {
			return "", false
		}
		path = strings.ReplaceAll(path, `\`, "/")
	}
	if strings.ContainsAny(path, " \t\"'`<>|;=(){}$%^&!,") || strings.Contains(path, "->") || strings.Contains(path, "::") ||
		strings.Count(path, "[") != strings.Count(path, "]") {
		return "", false
	}
	slash := strings.IndexByte(path, '/')
	if slash < 0 {
		return path, known
	}
	if strings.Trim(path, "/.*") == "" || strings.Contains(path, "//") || !strings.ContainsFunc(path, unicode.IsLetter) {
		return "", false
	}
	path = strings.TrimPrefix(path, "./")
	return path, strings.Trim(path, "/") != ""
}

// isQualifiedName reports whether word is two or more names joined by '.', "::", "->", '#' or '\'.
func isQualifiedName(word string) bool {
	parts := SplitQualified(word)
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if !isName(p) {
			return false
		}
	}
	switch word {
	case "e.g", "i.e", "a.k.a", "p.s":
		return false
	}
	return true
}

var qualifiers = strings.NewReplacer("::", "\n", "->", "\n", ".", "\n", "#", "\n", `\`, "\n")

// SplitQualified returns the names of a qualified name, outermost first: http.Mux#serve gives http, Mux, serve.
func SplitQualified(name string) []string { return strings.Split(qualifiers.Replace(name), "\n") }

// isName reports whether word is one identifier of a common language.
func isName(word string) bool {
	for i, r := range word {
		switch {
		case r == '_' || unicode.IsLetter(r) || r == '$' && i == 0 && len(word) > 1:
		case i > 0 && (unicode.IsDigit(r) || unicode.IsMark(r)):
		case i > 0 && i == len(word)-1 && (r == '?' || r == '!'):
		default:
			return false
		}
	}
	return strings.Trim(word, "_") != ""
}

// looksLikeCode reports whether a name in running text is unlikely to be English: an underscore, a digit behind a
// letter, or a capital behind a small letter or followed by one (camelCase, HTTPServer; neither Word nor ACRONYM).
func looksLikeCode(word string) bool {
	var lower, digit bool
	upper := 0
	for i, r := range word {
		switch {
		case r == '_' || r == '$':
			return true
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsUpper(r):
			if i > 0 && lower {
				return true
			}
			upper++
		default:
			if upper > 1 && !(r == 's' && i == len(word)-1) { // HTTPServer, but not URLs
				return true
			}
			lower = true
		}
	}
	return digit && utf8.RuneCountInString(word) > 2
}
