package scan

import (
	"path"
	"slices"
	"strings"
)

// languageRow describes one language. An extension or file name stands in one row only; where contents decide
// between several languages, refine has the last word.
type languageRow struct {
	id           string
	aliases      string // words that people use, besides the id
	extensions   string // without the dot, lower case
	names        string // whole file names, lower case
	interpreters string // programs on a #! line
}

// Languages holds the grammars' languages first, then those that are read by patterns or as plain text.
var languageRows = []languageRow{
	{id: "bash", aliases: "sh shell zsh ksh shellscript", extensions: "sh bash zsh ksh bats command ebuild", names: ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile .kshrc pkgbuild gradlew mvnw", interpreters: "sh bash zsh ksh dash ash bats"},
	{id: "c", aliases: "ansi-c", extensions: "c h"},
	{id: "cpp", aliases: "c++ cxx cc cplusplus", extensions: "cpp cc cxx c++ cp hpp hh hxx h++ ipp tpp txx inl ixx cppm cu cuh ino"},
	{id: "csharp", aliases: "c# cs c-sharp", extensions: "cs csx cake", interpreters: "dotnet-script"},
	{id: "css", aliases: "scss sass less", extensions: "css scss less pcss postcss"},
	{id: "dockerfile", aliases: "docker containerfile", extensions: "dockerfile containerfile", names: "dockerfile containerfile"},
	{id: "elixir", aliases: "exs", extensions: "ex exs", names: "mix.exs", interpreters: "elixir"},
	{id: "elm", extensions: "elm"},
	{id: "go", aliases: "golang", extensions: "go"},
	{id: "groovy", aliases: "gradle", extensions: "groovy gradle gvy gy gsh nf", names: "jenkinsfile", interpreters: "groovy"},
	{id: "hcl", aliases: "terraform tf", extensions: "hcl tf tfvars nomad"},
	{id: "html", aliases: "htm xhtml", extensions: "html htm xhtml shtml"},
	{id: "java", extensions: "java jav"},
	{id: "javascript", aliases: "js jsx node ecmascript mjs cjs", extensions: "js jsx mjs cjs es es6 jsm gs", names: "jakefile", interpreters: "node nodejs rhino"},
	{id: "kotlin", aliases: "kt kts", extensions: "kt kts ktm"},
	{id: "lua", aliases: "luau", extensions: "lua luau rockspec nse wlua", names: ".luacheckrc", interpreters: "lua luajit"},
	{id: "markdown", aliases: "md mdx commonmark", extensions: "md markdown mdx mdown mkd mkdn rmd qmd"},
	{id: "ocaml", aliases: "ml", extensions: "ml mli eliom", interpreters: "ocaml"},
	{id: "php", extensions: "php phtml php3 php4 php5 php7 phps", interpreters: "php"},
	{id: "protobuf", aliases: "proto protocol-buffers", extensions: "proto"},
	{id: "python", aliases: "py python3 py3 python2", extensions: "py pyi pyw pyx pxd gyp gypi wsgi bzl star", names: "sconstruct sconscript wscript build.bazel workspace.bazel build workspace buck tiltfile", interpreters: "python python2 python3 pypy pypy3 uv"},
	{id: "ruby", aliases: "rb", extensions: "rb rake gemspec ru podspec jbuilder builder rabl thor", names: "rakefile gemfile guardfile podfile vagrantfile fastfile appfile brewfile dangerfile berksfile capfile .irbrc .pryrc", interpreters: "ruby jruby rake"},
	{id: "rust", aliases: "rs", extensions: "rs rs.in"},
	{id: "scala", aliases: "sc sbt", extensions: "scala sc sbt", interpreters: "scala"},
	{id: "sql", aliases: "mysql postgresql plsql psql", extensions: "sql ddl dml pgsql plsql mysql tab udf viw hql cql pks pkb"},
	{id: "svelte", extensions: "svelte"},
	{id: "swift", extensions: "swift", interpreters: "swift"},
	{id: "toml", extensions: "toml", names: "pipfile"},
	{id: "typescript", aliases: "ts mts cts", extensions: "ts mts cts", interpreters: "deno ts-node tsx bun"},
	{id: "tsx", extensions: "tsx"},
	{id: "yaml", aliases: "yml", extensions: "yaml yml", names: ".clang-format .clang-tidy .clangd .gemrc"},

	{id: "ada", extensions: "adb ads ada gpr"},
	{id: "asciidoc", aliases: "adoc", extensions: "adoc asciidoc"},
	{id: "assembly", aliases: "asm assembler", extensions: "s asm nasm a51"},
	{id: "astro", extensions: "astro"},
	{id: "awk", extensions: "awk gawk", interpreters: "awk gawk mawk"},
	{id: "batch", aliases: "bat cmd batchfile", extensions: "bat cmd"},
	{id: "clojure", aliases: "clj cljs", extensions: "clj cljs cljc edn bb", interpreters: "bb clojure"},
	{id: "cmake", extensions: "cmake", names: "cmakelists.txt"},
	{id: "cobol", extensions: "cob cbl cpy"},
	{id: "coffeescript", aliases: "coffee", extensions: "coffee cson iced", names: "cakefile", interpreters: "coffee"},
	{id: "common-lisp", aliases: "lisp commonlisp cl", extensions: "lisp lsp asd cl", interpreters: "sbcl clisp"},
	{id: "crystal", aliases: "cr", extensions: "cr", interpreters: "crystal"},
	{id: "csv", aliases: "tsv", extensions: "csv tsv psv"},
	{id: "d", aliases: "dlang", extensions: "d di"},
	{id: "dart", extensions: "dart", interpreters: "dart"},
	{id: "diff", aliases: "patch", extensions: "diff patch"},
	{id: "emacs-lisp", aliases: "elisp el", extensions: "el", names: ".emacs"},
	{id: "erlang", aliases: "erl", extensions: "erl hrl escript app.src", names: "rebar.config", interpreters: "escript"},
	{id: "fish", extensions: "fish", interpreters: "fish"},
	{id: "fortran", aliases: "f90 f77", extensions: "f f77 f90 f95 f03 f08 for ftn fpp"},
	{id: "fsharp", aliases: "f# fs f-sharp", extensions: "fs fsi fsx", interpreters: "fsharpi"},
	{id: "gdscript", aliases: "gd", extensions: "gd"},
	{id: "gettext", aliases: "po", extensions: "po pot"},
	{id: "gitignore", aliases: "ignore", extensions: "gitignore dockerignore", names: ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .agenvantageignore .gitattributes .cursorignore .helmignore"},
	{id: "gleam", extensions: "gleam"},
	{id: "glsl", aliases: "shader", extensions: "glsl vert frag geom comp tesc tese vsh fsh"},
	{id: "gomod", aliases: "go-mod", names: "go.mod go.work"},
	{id: "graphql", aliases: "gql", extensions: "graphql gql graphqls"},
	{id: "haskell", aliases: "hs", extensions: "hs lhs hsc hs-boot", interpreters: "runhaskell runghc stack"},
	{id: "haxe", aliases: "hx", extensions: "hx"},
	{id: "hlsl", extensions: "hlsl fx fxh cginc"},
	{id: "idris", extensions: "idr"},
	{id: "ini", aliases: "cfg conf properties dotenv editorconfig", extensions: "ini cfg conf properties prefs env desktop service timer socket mount target", names: ".editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc setup.cfg tox.ini .env.example .env.sample .env.template .env.dist"},
	{id: "json", aliases: "jsonc json5 jsonl geojson", extensions: "json jsonc json5 jsonl ndjson geojson webmanifest topojson har avsc code-workspace jsonld", names: ".babelrc .eslintrc .prettierrc .jshintrc .swcrc composer.lock"},
	{id: "julia", aliases: "jl", extensions: "jl", interpreters: "julia"},
	{id: "just", aliases: "justfile", extensions: "just", names: "justfile .justfile"},
	{id: "latex", aliases: "tex", extensions: "tex sty bib ltx cls"},
	{id: "lean", extensions: "lean"},
	{id: "llvm", extensions: "ll"},
	{id: "make", aliases: "makefile gmake mk", extensions: "mk mak make am", names: "makefile gnumakefile bsdmakefile kbuild makefile.am makefile.in", interpreters: "make"},
	{id: "matlab", aliases: "octave", extensions: "mlapp", interpreters: "octave"},
	{id: "meson", names: "meson.build meson_options.txt meson.options"},
	{id: "mustache", aliases: "handlebars hbs", extensions: "mustache hbs handlebars"},
	{id: "nginx", extensions: "nginx nginxconf", names: "nginx.conf"},
	{id: "nim", extensions: "nim nims nimble", interpreters: "nim"},
	{id: "nix", extensions: "nix"},
	{id: "notebook", aliases: "ipynb jupyter jupyter-notebook", extensions: "ipynb"},
	{id: "objective-c", aliases: "objc objectivec obj-c objective-c++ objcpp", extensions: "m mm"},
	{id: "odin", extensions: "odin"},
	{id: "org", aliases: "org-mode", extensions: "org"},
	{id: "pascal", aliases: "delphi", extensions: "pas pp dpr dpk lpr lfm dfm"},
	{id: "perl", aliases: "pl pm", extensions: "pl pm t pod perl psgi", names: "cpanfile makefile.pl build.pl", interpreters: "perl"},
	{id: "plantuml", aliases: "puml", extensions: "puml plantuml"},
	{id: "powershell", aliases: "ps1 pwsh posh", extensions: "ps1 psm1 psd1", interpreters: "pwsh"},
	{id: "prisma", extensions: "prisma"},
	{id: "prolog", extensions: "pro prolog", interpreters: "swipl"},
	{id: "puppet", extensions: "epp"},
	{id: "purescript", aliases: "purs", extensions: "purs"},
	{id: "r", aliases: "rlang", extensions: "r", names: ".rprofile", interpreters: "rscript"},
	{id: "racket", aliases: "rkt", extensions: "rkt rktl", interpreters: "racket"},
	{id: "raku", aliases: "perl6", extensions: "raku rakumod p6 pm6", interpreters: "raku perl6"},
	{id: "reason", aliases: "rescript", extensions: "re rei res resi"},
	{id: "rst", aliases: "restructuredtext", extensions: "rst rest"},
	{id: "scheme", aliases: "scm", extensions: "scm ss sld", interpreters: "guile"},
	{id: "slim", aliases: "haml pug jade", extensions: "slim haml pug jade"},
	{id: "smali", extensions: "smali"},
	{id: "solidity", aliases: "sol", extensions: "sol"},
	{id: "tcl", extensions: "tcl tk", interpreters: "tclsh wish expect"},
	{id: "template", aliases: "jinja jinja2 erb ejs tmpl gotmpl twig liquid", extensions: "jinja jinja2 j2 erb ejs tmpl gotmpl tpl twig liquid njk"},
	{id: "text", aliases: "txt plain plaintext", extensions: "txt text log", names: "license licence copying authors notice readme changelog changes contributing contributors maintainers todo news history install version patents unlicense codeowners"},
	{id: "thrift", extensions: "thrift"},
	{id: "typst", extensions: "typ"},
	{id: "v", aliases: "vlang", interpreters: "v"},
	{id: "vala", extensions: "vala vapi"},
	{id: "vb", aliases: "visual-basic vbnet vba", extensions: "vb bas vbs frm"},
	{id: "verilog", aliases: "systemverilog sv", extensions: "v sv svh vh"},
	{id: "vhdl", extensions: "vhd vhdl"},
	{id: "vim", aliases: "viml vimscript", extensions: "vim", names: ".vimrc vimrc .gvimrc"},
	{id: "vue", extensions: "vue"},
	{id: "wasm-text", aliases: "wat", extensions: "wat wast"},
	{id: "wgsl", extensions: "wgsl"},
	{id: "xml", aliases: "xsd xslt svg", extensions: "xml xsd xsl xslt svg plist csproj vbproj fsproj props targets resx xaml wsdl rng kml storyboard xib nuspec pom", names: ".classpath .project"},
	{id: "zig", extensions: "zig zon"},
}

// languageTables are the rows above, turned into lookups once.
type languageTables struct {
	ids         []string
	byWord      map[string]string // ids and aliases
	byExtension map[string]string
	byName      map[string]string
	byProgram   map[string]string
}

var languages = buildLanguageTables(languageRows)

func buildLanguageTables(rows []languageRow) *languageTables {
	t := &languageTables{byWord: map[string]string{}, byExtension: map[string]string{}, byName: map[string]string{}, byProgram: map[string]string{}}
	for _, r := range rows {
		t.ids = append(t.ids, r.id)
		t.byWord[r.id] = r.id
		for _, s := range []struct {
			words string
			into  map[string]string
		}{{r.aliases, t.byWord}, {r.extensions, t.byExtension}, {r.names, t.byName}, {r.interpreters, t.byProgram}} {
			for _, w := range strings.Fields(s.words) {
				s.into[w] = r.id
			}
		}
	}
	slices.Sort(t.ids)
	return t
}

// Languages lists every language id, sorted. The list is closed: these are the values that a language filter takes.
func Languages() []string { return slices.Clone(languages.ids) }

// CanonicalLanguage turns a language name as people write it ("C++", "golang", "yml") into its id. ok is false for a
// name that is neither an id nor an alias.
func CanonicalLanguage(name string) (id string, ok bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(name, ".")
	if id, ok = languages.byWord[name]; ok {
		return id, true
	}
	id, ok = languages.byWord[strings.ReplaceAll(strings.ReplaceAll(name, " ", "-"), "_", "-")]
	return id, ok
}

// ExpandLanguage lists the ids that a filter for id lets through: id itself and, for typescript, tsx.
func ExpandLanguage(id string) []string {
	if id == "typescript" {
		return []string{"typescript", "tsx"}
	}
	return []string{id}
}

// detectLanguage decides by configured overrides, file name, extension, then a #! line; head is the start of the text
// and settles extensions that several languages share. It returns "" when nothing is known.
func detectLanguage(name, head string, overrides map[string]string) string {
	base := path.Base(name)
	if id, ok := overrides[base]; ok {
		return id
	}
	lower := strings.ToLower(base)
	for rest := lower; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if id, ok := overrides[rest]; ok {
			return id
		}
	}
	if id, ok := languages.byName[lower]; ok {
		return id
	}
	if strings.HasPrefix(lower, "dockerfile.") || strings.HasPrefix(lower, "containerfile.") {
		return "dockerfile"
	}
	if strings.HasPrefix(lower, "makefile.") && !strings.HasSuffix(lower, ".pl") {
		return "make"
	}
	if strings.HasPrefix(lower, "jenkinsfile.") {
		return "groovy"
	}
	if strings.HasPrefix(lower, ".env.") { // credential files have been left out before
		return "ini"
	}
	ext := strings.TrimPrefix(path.Ext(lower), ".")
	if ext == "in" || ext == "tmpl" || ext == "template" || ext == "dist" || ext == "example" || ext == "sample" || ext == "bak" || ext == "orig" {
		if id := languages.byExtension[strings.TrimPrefix(path.Ext(strings.TrimSuffix(lower, "."+ext)), ".")]; id != "" {
			return refineLanguage(id, path.Ext(strings.TrimSuffix(lower, "."+ext)), head)
		}
	}
	if id, ok := languages.byExtension[ext]; ok && ext != "" {
		return refineLanguage(id, "."+ext, head)
	}
	if stem := strings.FieldsFunc(lower, func(r rune) bool { return r == '.' || r == '-' }); len(stem) > 1 && isDocumentStem(stem[0]) {
		return "text"
	}
	return shebangLanguage(head)
}

func isDocumentStem(stem string) bool {
	switch stem {
	case "license", "licence", "copying", "readme", "changelog", "notice", "authors":
		return true
	}
	return false
}

// shebangLanguage reads "#!/usr/bin/env -S python3 -u" and its kin.
func shebangLanguage(head string) string {
	if !strings.HasPrefix(head, "#!") {
		return ""
	}
	line, _, _ := strings.Cut(head[2:], "\n")
	for _, word := range strings.Fields(line) {
		program := strings.ToLower(path.Base(word))
		if program == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if id, ok := languages.byProgram[program]; ok {
			return id
		}
		return languages.byProgram[strings.TrimRight(program, "0123456789.")]
	}
	return ""
}

// refineLanguage settles extensions that more than one language uses, by words that only one of them has.
func refineLanguage(id, ext, head string) string {
	switch ext {
	case ".h":
		switch {
		case hasAny(head, "@interface", "@protocol", "#import ", "@class "):
			return "objective-c"
		case looksLikeCPP(head):
			return "cpp"
		}
	case ".m":
		if !hasAny(head, "#import", "@interface", "@implementation", "@protocol", "#include", "@import", "@class") &&
			(hasLinePrefix(head, "function ", "function[", "%", "classdef ")) {
			return "matlab"
		}
	case ".ts":
		if strings.HasPrefix(strings.TrimSpace(head), "<?xml") || strings.HasPrefix(strings.TrimSpace(head), "<!DOCTYPE TS") {
			return "xml"
		}
	case ".pl", ".pro":
		if hasLinePrefix(head, ":- ", ":-") {
			return "prolog"
		}
		if ext == ".pro" {
			return "make" // a qmake project
		}
	case ".fs":
		if hasAny(head, "#version ", "gl_FragColor", "void main(") {
			return "glsl"
		}
	case ".v":
		if hasLinePrefix(head, "fn ", "pub fn ", "module main", "struct ") && !hasAny(head, "endmodule") {
			return "v"
		}
	case ".pp":
		if hasAny(head, "class {", "package {", "file {", "ensure =>", "$::") || hasLinePrefix(head, "class ", "define ") && hasAny(head, "=>") {
			return "puppet"
		}
	case ".t":
		if !hasAny(head, "use ", "#!", "package ", "my ", "=pod") {
			return shebangLanguage(head)
		}
	case ".cls":
		if !hasAny(head, "\\") {
			return ""
		}
	case ".cl":
		if hasAny(head, "__kernel", "kernel void", "__global") {
			return "c"
		}
	case ".r":
		if hasAny(head, "REBOL [", "Rebol [") {
			return ""
		}
	case ".f", ".for":
		if hasLinePrefix(head, ": ", "\\ ") {
			return ""
		}
	case ".d":
		if strings.Contains(head, ": ") && strings.Contains(head, ".o:") {
			return "make" // the dependency list that a C compiler writes
		}
	}
	return id
}

// looksLikeCPP looks for words at the start of a line that C does not have.
func looksLikeCPP(head string) bool {
	if hasLinePrefix(head, "namespace ", "template <", "template<", "class ", "using ", "public:", "private:", "protected:", "constexpr ", "inline namespace ") {
		return true
	}
	return hasAny(head, "std::", "#include <vector>", "#include <string>", "#include <memory>", "#include <map>", "#include <iostream>", " noexcept", "static_cast<", " = delete;", " = default;")
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// hasLinePrefix reports whether a line of s, its indentation left out, begins with one of the words.
func hasLinePrefix(s string, words ...string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimLeft(line, " \t")
		for _, w := range words {
			if strings.HasPrefix(line, w) {
				return true
			}
		}
	}
	return false
}
