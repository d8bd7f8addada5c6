package extract

import (
	"regexp"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"

	"agenvantage"
)

// language is one row of the table: what the framework must know beside the query file of the same id.
type language struct {
	id       string
	grammar  func() *sitter.Language
	comments []string // node types of comments: attached to the definition below, left out of signatures
	prefixes []string // node types of decorators, attributes, annotations that may stand on lines above a definition

	// visibility says what the declaration shows; head is the text before the name, parent the kind of the enclosing
	// symbol ("" at the top level). nil: the language does not say.
	visibility func(name, head string, parent parentKind) string

	constant func(name, signature string) bool // whether a variable is a constant by custom or by a qualifier; nil: never

	joinPackages   bool // package clauses that follow each other nest (Scala)
	dedentComments bool // a deeper indented comment after the last statement belongs to the definition above (Python)
	localPrototype bool // a function without a body inside a function is a declaration of no interest (C)

	refuse    func(text string) bool // texts with which the grammar's scanner would end the process; nil: none known
	trimName  string                 // characters that are no part of a name: the colon of a symbol
	bodyField string                 // field of the node where the signature ends, when the query names no body

	// given reads the type, or the path of the value, of a name from the text behind the name, where no pattern tells; kind
	// is "" for local names.
	given func(kind agenvantage.SymbolKind, after string) (typ, value string)

	flatMembers bool // the names of "a.b.c" lie beside each other in the tree (Lua): those behind a dot are no names of their own
	bareCalls   bool // a call needs no brackets (Ruby)

	prepare func(text string) string // a copy of the same length that the grammar understands better; nil: as it is
}

var languages = []language{
	{id: "bash", grammar: bash.GetLanguage, comments: []string{"comment"}, trimName: "="},
	{id: "c", grammar: c.GetLanguage, comments: []string{"comment"}, visibility: staticIsPrivate, constant: isConstQualified, localPrototype: true, prepare: blankLinkageMacros},
	{id: "cpp", grammar: cpp.GetLanguage, comments: []string{"comment"}, visibility: staticIsPrivate, constant: isConstQualified, localPrototype: true, prepare: func(text string) string { return blankLinkageMacros(blankExportMacros(text)) }},
	{id: "csharp", grammar: csharp.GetLanguage, comments: []string{"comment"}, prefixes: []string{"attribute_list"}, visibility: byModifier},
	{id: "css", grammar: css.GetLanguage, comments: []string{"comment"}, trimName: ","},
	{id: "dockerfile", grammar: dockerfile.GetLanguage, comments: []string{"comment"}},
	{id: "elixir", grammar: elixir.GetLanguage, comments: []string{"comment"}, visibility: byElixirKeyword, trimName: ":"},
	{id: "elm", grammar: elm.GetLanguage, comments: []string{"line_comment", "block_comment"}},
	{id: "go", grammar: golang.GetLanguage, comments: []string{"comment"}, visibility: byCase},
	{id: "groovy", grammar: groovy.GetLanguage, comments: []string{"comment", "groovy_doc"}, visibility: byModifier},
	{id: "hcl", grammar: hcl.GetLanguage, comments: []string{"comment"}},
	{id: "html", grammar: html.GetLanguage, comments: []string{"comment"}},
	{id: "java", grammar: java.GetLanguage, comments: []string{"line_comment", "block_comment"}, prefixes: []string{"annotation", "marker_annotation"}, visibility: byModifier},
	{id: "javascript", grammar: javascript.GetLanguage, comments: []string{"comment"}, prefixes: []string{"decorator"}, visibility: byScriptModifier},
	{id: "kotlin", grammar: kotlin.GetLanguage, comments: []string{"line_comment", "multiline_comment"}, prefixes: []string{"annotation"}, visibility: byModifier, refuse: manyTemplates, prepare: blankFunInterface},
	{id: "lua", grammar: lua.GetLanguage, comments: []string{"comment", "emmy_documentation"}, visibility: localIsPrivate, flatMembers: true},
	{id: "ocaml", grammar: ocaml.GetLanguage, comments: []string{"comment"}},
	{id: "php", grammar: php.GetLanguage, comments: []string{"comment"}, prefixes: []string{"attribute_list"}, visibility: byModifier},
	{id: "protobuf", grammar: protobuf.GetLanguage, comments: []string{"comment"}, prepare: protobufAsProto3},
	{id: "python", grammar: python.GetLanguage, comments: []string{"comment"}, prefixes: []string{"decorator"}, visibility: byUnderscore, constant: isUpperCase, dedentComments: true},
	{id: "ruby", grammar: ruby.GetLanguage, comments: []string{"comment"}, trimName: ":", bareCalls: true},
	{id: "rust", grammar: rust.GetLanguage, comments: []string{"line_comment", "block_comment"}, prefixes: []string{"attribute_item"}, visibility: byPub},
	{id: "scala", grammar: scala.GetLanguage, joinPackages: true, comments: []string{"comment", "block_comment"}, prefixes: []string{"annotation"}, visibility: byModifier},
	{id: "sql", grammar: sql.GetLanguage, comments: []string{"comment", "marginalia"}},
	{id: "svelte", grammar: svelte.GetLanguage, comments: []string{"comment"}},
	{id: "swift", grammar: swift.GetLanguage, comments: []string{"comment", "multiline_comment"}, prefixes: []string{"attribute"}, visibility: byModifier, bodyField: "body", given: swiftGiven},
	{id: "toml", grammar: toml.GetLanguage, comments: []string{"comment"}},
	{id: "tsx", grammar: tsx.GetLanguage, comments: []string{"comment"}, prefixes: []string{"decorator"}, visibility: byScriptModifier},
	{id: "typescript", grammar: typescript.GetLanguage, comments: []string{"comment"}, prefixes: []string{"decorator"}, visibility: byScriptModifier},
	{id: "yaml", grammar: yaml.GetLanguage, comments: []string{"comment"}},
}

// exportMacro is an upper-case word between "class" or "struct" and the name: the grammar takes the word for the name.
var exportMacro = regexp.MustCompile(`\b(?:class|struct|union)[ \t]+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)[ \t]+[A-Za-z_]`)

// linkageMacro is an upper-case word before a declaration that says how it is linked: the grammar takes it for the type.
var linkageMacro = regexp.MustCompile(`(?m)^[ \t]*([A-Z][A-Z0-9_]*_(?:EXTERN|EXPORT|API|PUBLIC|NODISCARD))[ \t]+[A-Za-z_]`)

// blankLinkageMacros replaces such words by blanks.
func blankLinkageMacros(text string) string {
	found := linkageMacro.FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	b := []byte(text)
	for _, m := range found {
		for i := m[2]; i < m[3]; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// blankExportMacros replaces export macros of C++ class heads by blanks.
func blankExportMacros(text string) string {
	found := exportMacro.FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	b := []byte(text)
	for _, m := range found {
		if after := text[m[3]:m[1]]; strings.HasSuffix(after, "f") && strings.HasPrefix(text[m[1]-1:], "final") {
			continue // "class NAME final": the word is the name
		}
		for i := m[2]; i < m[3]; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

func isUpperCase(name, _ string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

func isConstQualified(_, signature string) bool {
	head, _, _ := strings.Cut(signature, "=")
	return hasWord(head, "const") || hasWord(head, "constexpr")
}

// manyTemplates refuses Kotlin with more than 900 string templates: the grammar's scanner calls abort when 1,024 strings
// are open, and each open one but the first needs a template around it.
func manyTemplates(text string) bool { return strings.Count(text, "${") > 900 }
