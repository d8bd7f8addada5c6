package extract

import (
	"regexp"
	"strings"
	"sync"

	"agenvantage"
)

// pattern is one kind of definition-like line. The last group that takes part in a match is the name.
type pattern struct {
	kind   agenvantage.SymbolKind
	re     *regexp.Regexp
	inside agenvantage.SymbolKind // only directly inside a symbol of this kind
	level  bool                   // the length of the first group is the indentation (headings)
}

// patternTable is how one language is read.
type patternTable struct {
	patterns      []pattern
	keywords      map[string]bool // words that are never names
	comments      []string        // how comment lines begin
	block         [2]string       // how block comments begin and end
	attribute     string          // how lines of annotations begin
	layout        bool            // indentation alone ends a definition: closing words mean nothing
	groupSameName bool            // neighbouring definitions of one name are one (equations, clauses)
	flatFunctions bool            // what looks like a definition inside a function is none
	document      bool
	underlined    bool // headings are lines with a line of punctuation below (reStructuredText)
	topOnly       bool // only definitions of the lowest indentation count
}

// patternSource is a row of the table: "kind regexp" lines, optionally "kind<parent regexp", "kind# regexp" for levels.
type patternSource struct {
	ids      string
	comments string // words: line markers
	block    string // two words
	keywords string
	rules    string
	options  string // words: layout group flat document underlined top, attribute=X
}

const (
	slashes = "//"
	cBlock  = "/* */"
)

// lispRules serve the languages of the Lisp family.
const lispRules = `
function ^\s*\((?:defun|defn-?|define|defmethod|defgeneric|cl-defun|cl-defmethod|defsubst|define-public|define/contract|defmulti|lambda-define)\s+\(?\s*([^\s()\[\]]+)
macro ^\s*\((?:defmacro|define-syntax(?:-rule)?|cl-defmacro|define-macro)\s+\(?\s*([^\s()]+)
struct ^\s*\((?:defstruct|cl-defstruct|struct|define-record-type|defrecord|deftype)\s+\(?\s*([^\s()]+)
class ^\s*\((?:defclass|class)\s+([^\s()]+)
interface ^\s*\((?:defprotocol|definterface)\s+([^\s()]+)
module ^\s*\((?:ns|defpackage|module|in-package|library)\s+(?:\^\S+\s+)?[:#"(]*([^\s()":]+)
constant ^\s*\((?:defconst|defconstant)\s+([^\s()]+)
variable ^\s*\((?:def|defvar|defparameter|defcustom|defonce|defvar-local)\s+(?:\^\S+\s+)?([^\s()]+)
`

// cLikeRules serve curly languages whose functions begin with their types.
const cLikeRules = `
class ^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|export|mixin|base)\s+)*(?:class|mixin|extension)\s+(\w+)
struct ^\s*(?:(?:public|private|static|export)\s+)*(?:struct|union)\s+(\w+)
interface ^\s*(?:(?:public|private|abstract|static)\s+)*(?:interface|protocol)\s+(\w+)
enum ^\s*(?:(?:public|private|static)\s+)*enum\s+(?:class\s+)?(\w+)
type ^\s*(?:typedef|alias)\s+(?:.*\s)?(\w+)\s*(?:=|;)
function ^\s*(?:[\w<>\[\],.?*&:]+\s+)+\*?(?:get\s+|set\s+)?(\w+)\s*(?:<[^>]*>)?\([^;]*$
constant ^(?:static\s+)?(?:const|final)\s+(?:[\w<>\[\],?]+\s+)?(\w+)\s*=
`

const cLikeKeywords = "if else for foreach while switch return case catch do new throw throws await yield assert sizeof using with in is as delete try when super this function"

var patternSources = []patternSource{
	{ids: "haskell purescript idris", comments: "--", block: "{- -}", options: "layout group flat",
		keywords: "module import where if then else let in case of do data type newtype class instance deriving infix infixl infixr foreign default pattern forall family main_",
		rules: `
class ^class\s+(?:[^=]*=>\s*)?([A-Z][\w'.]*)
class ^(?:derive\s+)?instance\s+(?:\w+\s*::\s*)?(?:[^=]*=>\s*)?(\S.*?)(?:\s+where.*)?$
type ^(?:data|newtype)\s+(?:(?:family|instance)\s+)?(?:[^=]*=>\s*)?([A-Z][\w']*)
type ^type\s+(?:(?:family|instance)\s+)?([A-Z][\w']*)
module ^module\s+([A-Z][\w'.]*)
function ^[a-z_(][\w'() ]*?\s([!#$%&*+./<>?@^|~-][!#$%&*+./<=>?@^|~-]*)\s+[\w(\[][^=]*?=(?:\s|$)
function ^([a-z_][\w']*|\([^\w\s()]+\))\s*(?:,\s*[a-z_][\w']*\s*)*::
function ^([a-z_][\w']*)(?:\s+[^=|:]*?(?:::[^=|]*?)?)?\s*(?:=(?:\s|$)|\|\s)
method<class ^\s+([a-z_][\w']*|\([^\w\s()]+\))\s*(?:,\s*[a-z_][\w']*\s*)*::
method<class ^\s+([a-z_][\w']*)(?:\s+[^=|:]*?)?\s*(?:=(?:\s|$)|\|\s)
`},
	{ids: "zig", comments: "//", keywords: "if while for switch return",
		rules: `
struct ^\s*(?:pub\s+)?const\s+(\w+)\s*(?::\s*type\s*)?=\s*(?:extern\s+|packed\s+)?(?:struct|union|opaque)\b
enum ^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*(?:enum|error)\b
function ^\s*(?:(?:pub|export|inline|noinline|extern(?:\s+"\w+")?)\s+)*fn\s+(\w+|@"[^"]+")\s*\(
rule ^test\s+"([^"]+)"
rule ^test\s+(\w+)\s*\{
constant ^\s*(?:pub\s+)?const\s+(\w+)\s*(?::[^=]+)?=
variable ^(?:pub\s+|threadlocal\s+|export\s+)*var\s+(\w+)\s*(?::[^=]+)?=
`},
	{ids: "nim", comments: "#", block: "#[ ]#", options: "layout", keywords: "",
		rules: "\nfunction ^\\s*(?:proc|func|method|iterator|converter)\\s+`?([^\\s`*(\\[{]+)" + `
macro ^\s*(?:macro|template)\s+` + "`?([^\\s`*(\\[{]+)" + `
type ^(?:type\s+|\s{2,})([A-Z]\w*)\*?(?:\[[^\]]*\])?(?:\s*\{\.[^}]*\.\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|distinct|tuple|concept|proc)\b
constant ^const\s+(\w+)\*?
`},
	{ids: "perl raku", comments: "#", block: "=pod =cut", keywords: "",
		rules: `
module ^\s*(?:package|module|unit module)\s+([\w:]+)
function ^\s*(?:multi\s+|proto\s+)?(?:sub|method|submethod)\s+([\w:'-]+)
class ^\s*(?:class|role|grammar)\s+([\w:]+)
constant ^\s*use\s+constant\s+([A-Z_]\w*)
variable ^our\s+[$@%]([A-Za-z_]\w*)
`},
	{ids: "r", comments: "#", keywords: "if for while function",
		rules: "\nfunction ^\\s*`?([\\w.]+(?:<-)?)`?\\s*(?:<-|<<-|=)\\s*(?:function\\b|\\\\\\()" + `
class ^\s*(\w+)\s*(?:<-|=)\s*(?:R6Class|setRefClass)\(
class ^setClass\(\s*["'](\w+)
method ^set(?:Method|Generic)\(\s*["']([^"']+)
variable ^([A-Za-z.][\w.]*)\s*(?:<-|=)\s*\S
`},
	{ids: "julia", comments: "#", block: "#= =#", keywords: "if for while let begin return end else",
		rules: `
function ^\s*(?:@\w+\s+)*function\s+((?:[\w.]+\.)?[\w!]+|\([^)]*\))
macro ^\s*macro\s+(\w+)
struct ^\s*(?:@\w+\s+)*(?:mutable\s+)?struct\s+(\w+)
type ^\s*(?:abstract|primitive)\s+type\s+(\w+)
module ^\s*(?:bare)?module\s+(\w+)
constant ^\s*const\s+(\w+)
function ^([\w.!]+)(?:\{[^}]*\})?\([^)]*\)(?:\s*::\s*[\w{}.,]+)?(?:\s*where\s[^=]*)?\s*=[^=]
`},
	{ids: "dart", comments: "//", block: cBlock, options: "attribute=@", keywords: cLikeKeywords, rules: cLikeRules},
	{ids: "d vala haxe", comments: "//", block: cBlock, options: "attribute=@", keywords: cLikeKeywords, rules: `
module ^\s*(?:module|namespace|package)\s+([\w.]+)
function ^\s*(?:(?:public|private|static|inline|override|extern|macro|dynamic|final)\s+)*function\s+(\w+)` + cLikeRules},
	{ids: "glsl hlsl", comments: "//", block: cBlock, keywords: cLikeKeywords, rules: "macro ^\\s*#define\\s+(\\w+)" + cLikeRules},
	{ids: "wgsl", comments: "//", block: cBlock, rules: "function ^\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*fn\\s+(\\w+)\nstruct ^\\s*struct\\s+(\\w+)\nconstant ^(?:const|override)\\s+(\\w+)\nvariable ^(?:@.*\\)\\s*)?var(?:<[^>]*>)?\\s+(\\w+)"},
	{ids: "solidity", comments: "//", block: cBlock, rules: `
class ^\s*(?:abstract\s+)?(?:contract|library)\s+(\w+)
interface ^\s*interface\s+(\w+)
struct ^\s*struct\s+(\w+)
enum ^\s*enum\s+(\w+)
function ^\s*(?:function|modifier)\s+(\w+)
method ^\s*(constructor|receive|fallback)\s*\(
type ^\s*(?:event|error)\s+(\w+)
`},
	{ids: "clojure", comments: ";", rules: lispRules, options: "layout"},
	{ids: "common-lisp emacs-lisp scheme racket", comments: ";", block: "#| |#", rules: lispRules, options: "layout"},
	{ids: "erlang", comments: "%", options: "layout group flat", rules: `
module ^-module\(\s*'?(\w+)
struct ^-record\(\s*'?(\w+)
macro ^-define\(\s*(\w+)
type ^-(?:type|opaque)\s+(\w+)
function ^-spec\s+(\w+)\s*\(
type ^-callback\s+(\w+)
function ^([a-z][\w@]*)\s*\(.*
`},
	{ids: "fsharp", comments: "//", block: "(* *)", options: "layout attribute=[<", rules: "\n" + `module ^\s*(?:module|namespace)\s+(?:rec\s+|internal\s+|private\s+|public\s+)*([\w.]+)
type ^\s*(?:type|and)\s+(?:private\s+|internal\s+)?(\w+)
method ^\s+(?:static\s+|abstract\s+|override\s+|default\s+)*(?:member|override|abstract|default)\s+(?:private\s+|inline\s+)*(?:\w+\.)?(\w+)
function ^(?:\s{4})?let\s+(?:rec\s+|inline\s+|private\s+|internal\s+|mutable\s+)*` + "(\\w+|``[^`]+``|\\([^)]+\\))\\s+[^=\\s:]" + `
function ^(?:\s{4})?let\s+(?:rec\s+|inline\s+|private\s+)*(\w+)\s*=\s*(?:fun|function)\b
constant ^let\s+(?:private\s+|internal\s+|mutable\s+)*(\w+)\s*(?::[^=]+)?=
`},
	{ids: "objective-c", comments: "//", block: cBlock, keywords: cLikeKeywords, rules: `
class ^\s*@(?:interface|implementation)\s+(\w+)
interface ^\s*@protocol\s+(\w+)
method ^\s*[-+]\s*\([^)]*\)\s*(\w+)
field ^\s*@property\b.*?(\w+)\s*;
macro ^\s*#\s*define\s+(\w+)
enum ^\s*typedef\s+NS_(?:ENUM|OPTIONS)\s*\([^,]*,\s*(\w+)
struct ^\s*(?:typedef\s+)?struct\s+(\w+)
function ^(?:static\s+|extern\s+|inline\s+)*(?:[\w]+[\s*]+)+(\w+)\s*\([^;]*$
constant ^(?:static\s+|extern\s+)?.*\bconst\s+\*?(\w+)\s*(?:=|;)
`},
	{ids: "fortran", comments: "!", rules: `
module (?i)^\s*(?:module|program|submodule\s*\([^)]*\))\s+(\w+)\s*(?:!.*)?$
function (?i)^\s*(?:(?:pure|elemental|recursive|impure|module|integer|real|logical|complex|double\s+precision|character|type)(?:\s*\([^)]*\))?\s+)*(?:subroutine|function)\s+(\w+)
interface (?i)^\s*(?:abstract\s+)?interface\s+(\w+)
struct (?i)^\s*type(?:\s*,[^:]*)?\s*(?:::)\s*(\w+)\s*$
struct (?i)^\s*type\s+(\w+)\s*$
`, keywords: "procedure"},
	{ids: "pascal", comments: "//", block: "{ }", rules: `
function (?i)^\s*(?:class\s+)?(?:procedure|function|constructor|destructor|operator)\s+([\w.]+)
class (?i)^\s*(\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?(?:class|object)\b
struct (?i)^\s*(\w+)\s*=\s*(?:packed\s+)?record\b
interface (?i)^\s*(\w+)\s*=\s*interface\b
enum (?i)^\s*(\w+)\s*=\s*\(
module (?i)^\s*(?:unit|program|library|package)\s+([\w.]+)
`},
	{ids: "ada", comments: "--", rules: `
function (?i)^\s*(?:overriding\s+)?(?:procedure|function|entry)\s+("?[\w.=+*/<>-]+"?)
module (?i)^\s*package\s+(?:body\s+)?([\w.]+)
type (?i)^\s*(?:sub)?type\s+(\w+)
class (?i)^\s*(?:task|protected)\s+(?:type\s+|body\s+)?(\w+)
`},
	{ids: "powershell", comments: "#", block: "<# #>", rules: `
function (?i)^\s*(?:function|filter|workflow)\s+(?:\w+:)?([\w-]+)
class (?i)^\s*class\s+(\w+)
enum (?i)^\s*enum\s+(\w+)
method<class ^\s+(?:static\s+|hidden\s+)*(?:\[[\w.\[\]]+\]\s*)?(\w+)\s*\([^)]*\)\s*\{
`},
	{ids: "make", comments: "#", options: "layout", rules: `
macro ^define\s+([\w.-]+)
rule ^([^\s:#=$][^:#=$]*?)\s*::?(?:[^=]|$)
variable ^(?:export\s+|override\s+)?([\w.-]+)\s*(?:\?|\+|:{1,3})?=
`},
	{ids: "just", comments: "#", options: "layout attribute=[", rules: "rule ^@?([\\w-]+)[^:=]*:(?:[^=]|$)\nvariable ^(?:export\\s+)?([\\w-]+)\\s*:="},
	{ids: "cmake", comments: "#", rules: `
function (?i)^\s*function\s*\(\s*([\w.-]+)
macro (?i)^\s*macro\s*\(\s*([\w.-]+)
rule (?i)^\s*add_(?:executable|library|custom_target|test)\s*\(\s*(?:NAME\s+)?([^\s)]+)
module (?i)^\s*project\s*\(\s*([^\s)]+)
variable (?i)^\s*(?:set|option)\s*\(\s*([\w.-]+)
`},
	{ids: "meson", comments: "#", rules: "module ^project\\s*\\(\\s*'([^']+)\nrule ^(\\w+)\\s*=\\s*(?:executable|library|shared_library|static_library|custom_target|declare_dependency)\\b\nvariable ^(\\w+)\\s*="},
	{ids: "nix", comments: "#", block: cBlock, rules: "function ^\\s{0,4}([\\w'-]+)\\s*=\\s*(?:\\{[^}]*\\}|\\w+)\\s*:\nvariable ^\\s{0,4}([\\w'.-]+)\\s*=\\s*\\S"},
	{ids: "crystal", comments: "#", options: "attribute=@[", rules: `
module ^\s*module\s+([\w:]+)
class ^\s*(?:abstract\s+)?(?:class|annotation)\s+([\w:]+)
struct ^\s*(?:abstract\s+)?(?:struct|lib|union)\s+([\w:]+)
enum ^\s*enum\s+([\w:]+)
function ^\s*(?:private\s+|protected\s+|abstract\s+)*(?:def|fun)\s+(?:self\.)?([\w?!=]+|[^\s\w(]+)
macro ^\s*macro\s+(\w+)
constant ^\s*([A-Z][A-Z0-9_]*)\s*=
`},
	{ids: "gdscript", comments: "#", options: "layout attribute=@", rules: "function ^\\s*(?:static\\s+)?func\\s+(\\w+)\nclass ^\\s*class(?:_name)?\\s+(\\w+)\nenum ^\\s*enum\\s+(\\w+)\nconstant ^const\\s+(\\w+)\nvariable ^(?:@?\\w+(?:\\([^)]*\\))?\\s+)*var\\s+(\\w+)\nfield ^signal\\s+(\\w+)"},
	{ids: "gleam", comments: "//", options: "attribute=@", rules: "function ^\\s*(?:pub\\s+)?fn\\s+(\\w+)\ntype ^\\s*(?:pub\\s+)?(?:opaque\\s+)?type\\s+(\\w+)\nconstant ^(?:pub\\s+)?const\\s+(\\w+)"},
	{ids: "v odin", comments: "//", block: cBlock, rules: `
function ^\s*(?:pub\s+)?fn\s+(?:\([^)]*\)\s+)?(\w+)
struct ^\s*(?:pub\s+)?(?:struct|union)\s+(\w+)
interface ^\s*(?:pub\s+)?interface\s+(\w+)
enum ^\s*(?:pub\s+)?enum\s+(\w+)
function ^(\w+)\s*::\s*(?:inline\s+|#\w+\s+)*proc\b
struct ^(\w+)\s*::\s*(?:struct|union)\b
enum ^(\w+)\s*::\s*(?:enum|bit_set)\b
constant ^(\w+)\s*::\s*\S
`},
	{ids: "lean", comments: "--", block: "/- -/", options: "layout attribute=@[", rules: "function ^\\s*(?:(?:private|protected|noncomputable|partial|unsafe)\\s+)*(?:def|theorem|lemma|abbrev|axiom|example)\\s+([^\\s:({\\[]+)\nstruct ^\\s*structure\\s+([^\\s:({\\[]+)\nclass ^\\s*class\\s+([^\\s:({\\[]+)\ntype ^\\s*inductive\\s+([^\\s:({\\[]+)\nmodule ^namespace\\s+(\\S+)"},
	{ids: "reason", comments: "//", block: cBlock, rules: "module ^\\s*module\\s+(?:type\\s+)?(\\w+)\ntype ^\\s*type\\s+(?:rec\\s+)?(\\w+)\nfunction ^\\s*let\\s+(?:rec\\s+)?(\\w+)\\s*=\\s*(?:async\\s*)?(?:\\(|\\w+\\s*=>)\nvariable ^let\\s+(\\w+)\\s*(?::[^=]+)?="},
	{ids: "coffeescript", comments: "#", block: "### ###", options: "layout", rules: "class ^\\s*class\\s+([\\w.]+)\nfunction ^\\s*(?:(?:module\\.)?exports\\.)?@?([\\w.$]+)\\s*[=:]\\s*(?:\\([^)]*\\)\\s*)?[-=]>"},
	{ids: "tcl", comments: "#", rules: "function ^\\s*(?:proc|method|oo::define\\s+\\w+\\s+method)\\s+([\\w:.-]+)\nmodule ^\\s*namespace\\s+eval\\s+([\\w:]+)\nclass ^\\s*oo::class\\s+create\\s+([\\w:]+)"},
	{ids: "fish", comments: "#", rules: "function ^\\s*function\\s+([\\w.-]+)"},
	{ids: "awk", comments: "#", rules: "function ^\\s*func(?:tion)?\\s+(\\w+)\nrule ^(BEGIN|END)\\b"},
	{ids: "batch", comments: ":: rem REM", options: "layout", rules: "function ^:([A-Za-z_][\\w.-]*)"},
	{ids: "vim", comments: "\"", rules: "function ^\\s*(?:fu|func|function|def)!?\\s+(?:<SID>)?([\\w:.#]+)\nrule ^\\s*command!?\\s+(?:-\\S+\\s+)*(\\w+)"},
	{ids: "matlab", comments: "%", rules: "function ^\\s*function\\s+(?:(?:\\[[^\\]]*\\]|\\w+)\\s*=\\s*)?([\\w.]+)\nclass ^\\s*classdef\\s+(?:\\([^)]*\\)\\s*)?(\\w+)"},
	{ids: "vb", comments: "' REM", rules: `
function (?i)^\s*(?:(?:public|private|protected|friend|shared|overrides|overridable|static)\s+)*(?:sub|function|property(?:\s+(?:get|let|set))?)\s+(\w+)
class (?i)^\s*(?:(?:public|private|friend|partial)\s+)*(?:class|structure|interface)\s+(\w+)
module (?i)^\s*(?:(?:public|friend)\s+)*(?:module|namespace)\s+([\w.]+)
enum (?i)^\s*(?:(?:public|private)\s+)*enum\s+(\w+)
`},
	{ids: "verilog", comments: "//", block: cBlock, rules: "module ^\\s*(?:module|package|program)\\s+(\\w+)\ninterface ^\\s*interface\\s+(\\w+)\nclass ^\\s*(?:virtual\\s+)?class\\s+(\\w+)\nfunction ^\\s*(?:virtual\\s+|static\\s+|automatic\\s+)*(?:function|task)\\b.*?(\\w+)\\s*(?:\\(|;)\nmacro ^\\s*`define\\s+(\\w+)"},
	{ids: "vhdl", comments: "--", rules: "module (?i)^\\s*(?:entity|package(?:\\s+body)?)\\s+(\\w+)\nclass (?i)^\\s*architecture\\s+(\\w+)\nfunction (?i)^\\s*(?:pure\\s+|impure\\s+)?(?:function|procedure)\\s+(\\w+)\nrule (?i)^\\s*(\\w+)\\s*:\\s*process\\b"},
	{ids: "graphql", comments: "#", rules: "type ^\\s*(?:extend\\s+)?(?:type|input|scalar|union)\\s+(\\w+)\ninterface ^\\s*(?:extend\\s+)?interface\\s+(\\w+)\nenum ^\\s*enum\\s+(\\w+)\nrule ^\\s*(?:query|mutation|subscription|fragment)\\s+(\\w+)\nmacro ^\\s*directive\\s+@(\\w+)"},
	{ids: "thrift", comments: "// #", block: cBlock, rules: "interface ^\\s*service\\s+(\\w+)\nstruct ^\\s*(?:struct|exception|union)\\s+(\\w+)\nenum ^\\s*enum\\s+(\\w+)\ntype ^\\s*typedef\\s+.*?(\\w+)\\s*$\nconstant ^\\s*const\\s+\\S+\\s+(\\w+)\nmethod<interface ^\\s+(?:oneway\\s+)?[\\w<>,.]+\\s+(\\w+)\\s*\\("},
	{ids: "prisma", comments: "//", rules: "class ^\\s*(?:model|view)\\s+(\\w+)\nenum ^\\s*enum\\s+(\\w+)\ntype ^\\s*type\\s+(\\w+)\nrule ^\\s*(?:datasource|generator)\\s+(\\w+)"},
	{ids: "plsql-package", comments: "--", block: cBlock, rules: "function (?i)^\\s*(?:create\\s+(?:or\\s+replace\\s+)?)?(?:procedure|function|trigger)\\s+([\\w.\"]+)\nmodule (?i)^\\s*(?:create\\s+(?:or\\s+replace\\s+)?)?package\\s+(?:body\\s+)?([\\w.\"]+)"},
	{ids: "assembly", comments: "; # //", options: "layout", rules: "macro (?i)^\\s*\\.?macro\\s+(\\w+)\nfunction ^(?:TEXT\\s+)?([A-Za-z_·][\\w·.$]*)(?:<[^>]*>)?(?:\\(SB\\)|:)"},
	{ids: "prolog", comments: "%", block: cBlock, options: "layout group", rules: "rule ^([a-z]\\w*)\\s*(?:\\(.*)?(?::-|\\.\\s*$|-->)"},
	{ids: "ini", comments: "; #", options: "layout", rules: "section ^\\s*\\[+([^\\]]+)\\]+"},
	{ids: "json", options: "top", rules: "section ^\\s+\"([^\"\\\\]+)\"\\s*:\\s*[\\[{]"},
	{ids: "latex", options: "document", rules: "section# ^\\s*\\\\(chapte)r\\*?\\{([^}]+)\nsection# ^\\s*\\\\(section)s?\\*?\\{([^}]+)\nsection# ^\\s*\\\\(subsection)\\*?\\{([^}]+)\nsection# ^\\s*\\\\(subsubsection)\\*?\\{([^}]+)"},
	{ids: "markdown", options: "document"},
	{ids: "rst", options: "document underlined"},
	{ids: "asciidoc", options: "document", rules: "section# ^(=+)\\s+(\\S.*)$"},
	{ids: "org", options: "document", rules: "section# ^(\\*+)\\s+(\\S.*)$"},
	{ids: "typst", options: "document", rules: "section# ^(=+)\\s+(\\S.*)$"},
}

// patternTables compiles the table on first use.
var patternTables = sync.OnceValue(func() map[string]*patternTable {
	out := map[string]*patternTable{}
	for _, s := range patternSources {
		for _, id := range strings.Fields(s.ids) {
			out[id] = s.table()
		}
	}
	return out
})

func (s *patternSource) table() *patternTable {
	t := &patternTable{comments: strings.Fields(s.comments), keywords: map[string]bool{}}
	for _, w := range strings.Fields(s.keywords) {
		t.keywords[w] = true
	}
	if words := strings.Fields(s.block); len(words) == 2 {
		t.block = [2]string(words)
	}
	for _, o := range strings.Fields(s.options) {
		switch {
		case o == "layout":
			t.layout = true
		case o == "group":
			t.groupSameName = true
		case o == "flat":
			t.flatFunctions = true
		case o == "document":
			t.document = true
		case o == "underlined":
			t.underlined = true
		case o == "top":
			t.topOnly = true
		case strings.HasPrefix(o, "attribute="):
			t.attribute = strings.TrimPrefix(o, "attribute=")
		}
	}
	for _, rule := range strings.Split(s.rules, "\n") {
		kind, expression, ok := strings.Cut(strings.TrimSpace(rule), " ")
		if !ok {
			continue
		}
		p := pattern{re: regexp.MustCompile(expression)}
		kind, p.level = strings.CutSuffix(kind, "#")
		kind, inside, _ := strings.Cut(kind, "<")
		p.kind, p.inside = agenvantage.SymbolKind(kind), agenvantage.SymbolKind(inside)
		t.patterns = append(t.patterns, p)
	}
	return t
}
