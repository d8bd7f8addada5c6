package app

import "regexp"

// commentLexicon is how a language is read for its comments: a lexicon, and what that leaves out.
type commentLexicon struct {
	lexicon
	lang    string
	docs    docStrings
	here    *regexp.Regexp // announces a here-document; its groups together are the name that ends it
	escapes bool           // a backslash in code takes the sign behind it with it
	scalars bool           // texts by indentation, as in YAML
	end     string         // the line that ends the code
}

// docStrings says which strings document.
type docStrings uint8

const (
	docNone       docStrings = iota
	docStatements            // """ and ''' that are a statement by themselves
	docFields                // """ at the start of a line
	docAttributes            // """ behind @doc and its like
)

// Here-documents. A name in quotes or capitals is asked for where << is an operator as well.
var (
	shellHere = regexp.MustCompile(`^<<-?[ \t]*(?:'([^'\s]+)'|"([^"\s]+)"|\\?([A-Za-z_]\w*))`)
	rubyHere  = regexp.MustCompile(`^<<[~-]?(?:'([^'\s]+)'|"([^"\s]+)"|([A-Z_]\w*))`)
	phpHere   = regexp.MustCompile(`^<<<[ \t]*(?:'(\w+)'|"(\w+)"|([A-Za-z_]\w*))`)
	hclHere   = regexp.MustCompile(`^<<-?([A-Za-z_]\w*)`)
)

// more is what commentLexicons says beside the lexicon of a language.
var more = map[string]commentLexicon{
	"python": {docs: docStatements}, "julia": {docs: docStatements}, "graphql": {docs: docFields}, "elixir": {docs: docAttributes},
	"bash": {here: shellHere, escapes: true}, "ruby": {here: rubyHere, end: "__END__"}, "perl": {here: rubyHere}, "crystal": {here: rubyHere},
	"php": {here: phpHere}, "hcl": {here: hclHere}, "yaml": {scalars: true}, "dockerfile": {here: shellHere},
	"clojure": {escapes: true}, "common-lisp": {escapes: true}, "emacs-lisp": {escapes: true}, "scheme": {escapes: true}, "racket": {escapes: true},
}

var (
	tripledSingle = quote{open: `'''`, close: `'''`, lines: true}
	plainSingle   = quote{open: `'`, close: `'`, plain: true}
	plainDouble   = quote{open: `"`, close: `"`, plain: true}
	htmlBlocks    = [][2]string{{"<!--", "-->"}}

	plainHash  = lexicon{lines: []string{"#"}, wordLines: true}
	quotedHash = lexicon{lines: []string{"#"}, wordLines: true, quotes: []quote{double, single}}
	slashed    = lexicon{lines: []string{"//"}, blocks: cComments, quotes: []quote{double}}
	dashed     = lexicon{lines: []string{"--"}, quotes: []quote{double}}
	percents   = lexicon{lines: []string{"%"}, quotes: []quote{double}}
	pod        = [][2]string{{"\n=pod", "\n=cut"}, {"\n=head", "\n=cut"}, {"\n=over", "\n=cut"}, {"\n=begin", "\n=cut"}, {"\n=encoding", "\n=cut"}, {"\n=item", "\n=cut"}, {"\n=for", "\n=cut"}}
	lispLines  = lexicon{lines: []string{";"}, blocks: [][2]string{{"#|", "|#"}}, nested: true, quotes: []quote{longDouble}}
	braced     = lexicon{lines: []string{"-- ", "--\n", "---", "--\r"}, blocks: [][2]string{{"{-", "-}"}}, nested: true, quotes: []quote{tripled, double}, runes: true}
)

// commentLexicons are those of languages that lexicons leaves out, or reads in less detail than whole lines of comments ask for: a mark that
// does not begin its line counts for nothing here.
var commentLexicons = map[string]lexicon{
	"bash":    {lines: []string{"#"}, wordLines: true, quotes: []quote{{open: `$'`, close: `'`, lines: true}, longDouble, {open: `'`, close: `'`, plain: true, lines: true}}},
	"toml":    {lines: []string{"#"}, wordLines: true, quotes: []quote{tripled, {open: `'''`, close: `'''`, plain: true, lines: true}, double, plainSingle}},
	"css":     {lines: []string{"//"}, wordLines: true, blocks: cComments, quotes: []quote{double, single}}, // SCSS and Less too
	"cpp":     {lines: []string{"//"}, blocks: cComments, quotes: []quote{{open: `R"(`, close: `)"`, plain: true, lines: true}, double}, runes: true},
	"csharp":  {lines: []string{"//"}, blocks: cComments, quotes: []quote{tripled, {open: `$@"`, close: `"`, plain: true, lines: true}, {open: `@"`, close: `"`, plain: true, lines: true}, double}, runes: true},
	"lua":     {lines: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}, {"--[=[", "]=]"}, {"--[==[", "]==]"}}, quotes: []quote{{open: "[[", close: "]]", plain: true, lines: true}, {open: "[=[", close: "]=]", plain: true, lines: true}, double, single}},
	"haskell": braced, "purescript": braced, "idris": braced, "elm": braced,
	"sql":  {lines: []string{"--"}, blocks: cComments, quotes: []quote{plainSingle, plainDouble}},
	"html": {blocks: htmlBlocks}, "vue": {blocks: htmlBlocks}, "svelte": {blocks: htmlBlocks}, "astro": {blocks: htmlBlocks}, "xml": {blocks: htmlBlocks},
	"template":     {blocks: [][2]string{{"<!--", "-->"}, {"{#", "#}"}, {"{{/*", "*/}}"}, {"{{- /*", "*/ -}}"}, {"{{!--", "--}}"}, {"<%#", "%>"}, {"<%--", "--%>"}}},
	"mustache":     {blocks: [][2]string{{"<!--", "-->"}, {"{{!--", "--}}"}, {"{{!", "}}"}}},
	"perl":         {lines: []string{"#"}, wordLines: true, blocks: pod, quotes: []quote{double, single}},
	"raku":         {lines: []string{"#"}, wordLines: true, blocks: pod, quotes: []quote{double, single}},
	"julia":        {lines: []string{"#"}, blocks: [][2]string{{"#=", "=#"}}, nested: true, quotes: []quote{tripled, longDouble}},
	"nim":          {lines: []string{"#"}, blocks: [][2]string{{"##[", "]##"}, {"#[", "]#"}}, nested: true, quotes: []quote{tripled, double}, runes: true},
	"crystal":      {lines: []string{"#"}, wordLines: true, quotes: []quote{longDouble}, runes: true},
	"gdscript":     {lines: []string{"#"}, quotes: []quote{tripled, tripledSingle, double, single}},
	"meson":        {lines: []string{"#"}, quotes: []quote{tripledSingle, single}},
	"cmake":        {lines: []string{"#"}, blocks: [][2]string{{"#[[", "]]"}, {"#[=[", "]=]"}}, quotes: []quote{longDouble, {open: "[[", close: "]]", plain: true, lines: true}}},
	"coffeescript": {lines: []string{"#"}, blocks: [][2]string{{"###", "###"}}, wordLines: true, quotes: []quote{tripled, tripledSingle, double, single}},
	"powershell": {lines: []string{"#"}, wordLines: true, blocks: [][2]string{{"<#", "#>"}}, quotes: []quote{{open: "@\"", close: "\n\"@", plain: true, lines: true},
		{open: "@'", close: "\n'@", plain: true, lines: true}, plainDouble, plainSingle}},
	"nix":  {lines: []string{"#"}, blocks: cComments, quotes: []quote{{open: "''", close: "''", plain: true, lines: true}, longDouble}},
	"fish": {lines: []string{"#"}, wordLines: true, quotes: []quote{longDouble, longSingle}},
	"tcl":  plainHash, "awk": quotedHash, "just": plainHash, "puppet": quotedHash, "nginx": quotedHash, "gitignore": plainHash, "gettext": plainHash, "smali": quotedHash,
	"graphql": {lines: []string{"#"}, quotes: []quote{tripled, double}},
	"thrift":  {lines: []string{"//", "#"}, blocks: cComments, quotes: []quote{double, single}},
	"dart":    {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{tripled, tripledSingle, double, single}},
	"d":       {lines: []string{"//"}, blocks: [][2]string{{"/*", "*/"}, {"/+", "+/"}}, quotes: []quote{longDouble, {open: "`", close: "`", plain: true, lines: true}}, runes: true},
	"vala":    cLexicon, "objective-c": cLexicon, "haxe": {lines: []string{"//"}, blocks: cComments, quotes: []quote{longDouble, longSingle}},
	"glsl": slashed, "hlsl": slashed, "wgsl": slashed, "prisma": slashed, "verilog": slashed, "gomod": slashed, "json": slashed, "typst": slashed,
	"solidity": {lines: []string{"//"}, blocks: cComments, quotes: []quote{double, single}},
	"v":        {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{longDouble, longSingle}},
	"odin":     {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{double, {open: "`", close: "`", plain: true, lines: true}}, runes: true},
	"gleam":    {lines: []string{"//"}, quotes: []quote{longDouble}},
	"reason":   {lines: []string{"//"}, blocks: cComments, quotes: []quote{longDouble, backtick}, runes: true},
	"fsharp":   {lines: []string{"//"}, blocks: [][2]string{{"(*", "*)"}}, nested: true, quotes: []quote{tripled, longDouble}, runes: true},
	"pascal":   {lines: []string{"//"}, blocks: [][2]string{{"{", "}"}, {"(*", "*)"}}, quotes: []quote{plainSingle}},
	"lean":     {lines: []string{"--"}, blocks: [][2]string{{"/-", "-/"}}, nested: true, quotes: []quote{longDouble}},
	"ada":      dashed, "vhdl": dashed, "erlang": percents, "latex": {lines: []string{"%"}},
	"prolog":  {lines: []string{"%"}, blocks: cComments, quotes: []quote{double, single}},
	"matlab":  {lines: []string{"%"}, blocks: [][2]string{{"%{\n", "%}"}}},
	"fortran": {lines: []string{"!"}, quotes: []quote{plainDouble, plainSingle}},
	"clojure": {lines: []string{";"}, quotes: []quote{longDouble}}, "emacs-lisp": {lines: []string{";"}, quotes: []quote{longDouble}},
	"common-lisp": lispLines, "scheme": lispLines, "racket": lispLines,
	"assembly":  {lines: []string{";", "//", "# "}, blocks: cComments, quotes: []quote{double}},
	"llvm":      {lines: []string{";"}, quotes: []quote{double}},
	"wasm-text": {lines: []string{";;"}, blocks: [][2]string{{"(;", ";)"}}, nested: true, quotes: []quote{double}},
	"batch":     {lines: []string{"::", "rem ", "REM ", "Rem ", "@rem ", "@REM "}, wordLines: true},
	"vb":        {lines: []string{"'", "REM ", "Rem "}, quotes: []quote{plainDouble}},
	"vim":       {lines: []string{`"`}, wordLines: true},
	"plantuml":  {lines: []string{"'"}, wordLines: true, blocks: [][2]string{{"/'", "'/"}}},
	"ini":       {lines: []string{"#", ";"}, wordLines: true},
}

// commentLexiconOf is the lexicon of a language for its comments, ok false where they are not known.
func commentLexiconOf(lang string) (l *commentLexicon, ok bool) {
	found := more[lang]
	if found.lexicon, ok = commentLexicons[lang]; !ok {
		found.lexicon, ok = lexicons[lang]
	}
	found.lang = lang
	return &found, ok
}
