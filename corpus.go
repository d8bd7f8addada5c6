package agenvantage

// Span is a range of lines, 1-based and inclusive, of a file as it lies on disk. The zero Span means "no lines".
type Span struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
}

// Contains reports whether every line of o lies in s.
func (s Span) Contains(o Span) bool { return s.StartLine <= o.StartLine && o.EndLine <= s.EndLine }

// Overlaps reports whether s and o share a line.
func (s Span) Overlaps(o Span) bool { return s.StartLine <= o.EndLine && o.StartLine <= s.EndLine }

// HasLine reports whether line lies in s.
func (s Span) HasLine(line int) bool { return s.StartLine <= line && line <= s.EndLine }

// Lines is the number of lines in s.
func (s Span) Lines() int {
	if s.EndLine < s.StartLine || s.StartLine == 0 {
		return 0
	}
	return s.EndLine - s.StartLine + 1
}

// Class is a set of facts about a file that are known before it is parsed. They lower a rank or spare a parse; they
// never decide on their own that a file is left out.
type Class uint16

// The bits of Class.
const (
	ClassGenerated Class = 1 << iota // written by a program: known names, "Code generated" headers
	ClassMinified                    // lines too long for a person: not parsed
	ClassVendored                    // third-party code kept in the tree
	ClassLock                        // a lock file of a package manager: not parsed
	ClassDocument                    // prose: Markdown, reStructuredText, plain text
	ClassTest                        // a test by its path
)

// Has reports whether every bit of b is set in c.
func (c Class) Has(b Class) bool { return c&b == b }

// File is one regular file of the corpus that was read. Path is relative to the root with forward slashes; its bytes
// are those of the file system, so it need not be valid UTF-8.
type File struct {
	Path     string
	Size     int64    // bytes on disk
	ModNS    int64    // modification time, Unix nanoseconds
	ChangeNS int64    // inode change time, Unix nanoseconds; 0 where the platform has none
	Hash     [16]byte // XXH3-128 of the bytes on disk
	Lang     string   // language id (see scan.Languages), "" when unknown
	Class    Class
	Encoding string // "utf-8", "utf-16le", "utf-16be", "windows-1252", …
	Masked   int    // secrets masked in the text
}

// SkipReason says why a path of the tree is not in the index. The set is closed: users and tests branch on it.
type SkipReason string

// The reasons.
const (
	SkipBinary     SkipReason = "binary"
	SkipTooLarge   SkipReason = "too_large"
	SkipMinified   SkipReason = "minified"
	SkipGenerated  SkipReason = "generated"
	SkipLock       SkipReason = "lock"
	SkipCredential SkipReason = "credential"
	SkipSymlink    SkipReason = "symlink"
	SkipSubmodule  SkipReason = "submodule"         // not checked out
	SkipNestedRepo SkipReason = "nested_repository" // a repository of its own inside the tree
	SkipWorktree   SkipReason = "nested_worktree"   // a linked work tree of a repository inside the tree
	SkipUnreadable SkipReason = "unreadable"        // the system refused; Detail holds its error
	SkipVanished   SkipReason = "vanished"          // gone or changed while it was read
	SkipIrregular  SkipReason = "irregular"         // device, socket, pipe
	SkipOwnIgnore  SkipReason = "agenvantageignore" // a rule of .agenvantageignore; Detail names it where known
	SkipOwnFolder  SkipReason = "index_folder"      // the index's own files
	SkipBadName    SkipReason = "unrepresentable"   // a name that this platform cannot open again
)

// Skip is one path that was left out, with the reason. A folder's path ends in "/".
type Skip struct {
	Path   string     `json:"path"`
	Reason SkipReason `json:"reason"`
	Detail string     `json:"detail,omitempty"`
	Size   int64      `json:"size,omitempty"`
	Limit  int64      `json:"limit,omitempty"`
}

// SymbolKind is the kind of a named definition. The set is closed: --kind accepts exactly these.
type SymbolKind string

// The kinds of symbols.
const (
	KindFunction  SymbolKind = "function"
	KindMethod    SymbolKind = "method"
	KindClass     SymbolKind = "class"
	KindStruct    SymbolKind = "struct"
	KindInterface SymbolKind = "interface"
	KindTrait     SymbolKind = "trait"
	KindEnum      SymbolKind = "enum"
	KindType      SymbolKind = "type"
	KindModule    SymbolKind = "module" // module, namespace, package, object
	KindField     SymbolKind = "field"  // field, property
	KindVariable  SymbolKind = "variable"
	KindConstant  SymbolKind = "constant"
	KindMacro     SymbolKind = "macro"
	KindSection   SymbolKind = "section" // heading of a document, table of a config file
	KindRule      SymbolKind = "rule"    // build target, style rule, query or table of a schema
)

// Kinds of chunks that are not one symbol.
const (
	ChunkHeader SymbolKind = "header" // package comment and imports
	ChunkBlock  SymbolKind = "block"  // part of a long declaration, or code outside of any
	ChunkGroup  SymbolKind = "group"  // several small declarations
	ChunkText   SymbolKind = "text"   // text that was not parsed
)

// Kinds lists every kind that a result can have, sorted.
func Kinds() []SymbolKind {
	return []SymbolKind{ChunkBlock, KindClass, KindConstant, KindEnum, KindField, KindFunction, ChunkGroup, ChunkHeader,
		KindInterface, KindMacro, KindMethod, KindModule, KindRule, KindSection, KindStruct, ChunkText, KindTrait, KindType, KindVariable}
}

// Symbol is a named definition. Its Span holds its doc comment and decorators.
type Symbol struct {
	Name       string // as written: "ServeHTTP"
	Qualified  string // with its parents: "Mux.ServeHTTP"; equal to Name at the top level
	Kind       SymbolKind
	Signature  string // the declaration without its body, white space folded, at most 400 bytes
	Doc        string // the doc comment without its markers, at most 2,000 bytes
	Visibility string // "public", "private", "protected", "internal" or "" when the language does not say
	Span       Span
	NameLine   int    // the line of the name itself
	Parent     int    // index of the enclosing symbol in the same file, -1 at the top level
	Lang       string // language of an embedded part (a notebook cell, a script), "" for the file's own

	// Type is the declared type of a field, variable or constant as written, the result of a function ("(*T, error)"),
	// or what a type name stands for ("map[string]T"); Value is the path (see Reference) that a variable without a
	// declared type is given, or of a function without a written result the path whose call it returns. Both are "" when
	// the source does not say, and for longer texts than 256 bytes.
	Type, Value string
}

// Chunk is the unit of ranking: a run of whole lines. The chunks of a file do not overlap, are in order, and together
// hold every line that has text.
type Chunk struct {
	Span    Span
	Kind    SymbolKind
	Symbols []int  // indexes of the symbols whose name lies in the chunk, in order of line
	Owner   int    // index of the symbol that the chunk is (Kind is the symbol's) or is a part of (Kind is block), -1 otherwise
	Lang    string // language of an embedded part, "" for the file's own
}

// ReferenceKind is what a name is used for at a place.
type ReferenceKind string

// The kinds of references.
const (
	RefImport     ReferenceKind = "import"
	RefCall       ReferenceKind = "call"
	RefType       ReferenceKind = "type" // a mention of a type or of another name that is not called
	RefInherit    ReferenceKind = "inherit"
	RefImplements ReferenceKind = "implements"
)

// Reference is a use of a name, unresolved: the graph resolves it later. A call is kept once for each line; a mention
// may stand for all mentions of the same thing in one symbol, at the first line.
//
// A path is an expression reduced to what tells its type: a name, or a type in parentheses for a value of that type, then
// any of
//
//	.name  a member            ()   the result of a call      #N   the result number N, from 0, of several
//	[]     an element, a value received from a channel        [k]  a key of a map
//
// Arguments, indexes, pointers, "&", "await" and white space are left out. The other separators of a language ("->",
// "::", "?.") are written as ".", except in Name, which is as written. "?" stands for an expression that leads nowhere.
type Reference struct {
	Kind    ReferenceKind
	Name    string // as written, qualifiers included: "http.HandleFunc", "./util"
	Line    int
	From    int    // index of the innermost enclosing symbol, -1 at the top level
	On      string // path of what stands before Name where Name is a member of no plain name: "open()" of open(x).Read
	Binding int    // number, counted from 1, of the binding of the first word (of On where it has one); 0: not a local name
}

// Import is one name, or one group of names, that an import statement brings into a file.
type Import struct {
	Path     string // as written, without quotes: "net/http", ".util", "./m", "std::io"; "": the file offers a name of its own
	Name     string // what of it: a member, "*" for all of its names, "" for the module itself
	Alias    string // the local name where it is written, "." and "_" as Go has them; of an offer the name that others see, "=" for the module
	Line     int
	From     int  // index of the innermost enclosing symbol, -1 at the top level
	Exported bool // other files may import the name from this one: "export … from", "pub use"
}

// Binding is what a name that is no symbol is given: a parameter, a receiver, a local variable, or an attribute that a
// method assigns to its object. Only bindings that a reference or another binding names are kept, and every attribute.
type Binding struct {
	Name      string
	Type      string // as written, "" when the source does not say
	Value     string // path of the value when Type is "", "" when that leads nowhere
	Symbol    int    // index of the enclosing symbol, -1 at the top level; of an attribute, of the class
	Attribute bool   // a member of Symbol and no local name
	Head      int    // number of the binding of the first word of Type or Value, as in Reference
}

// ParseState says how far a file was understood.
type ParseState string

// The parse states.
const (
	ParseFull     ParseState = "parsed"     // a grammar, no error node
	ParsePartial  ParseState = "errors"     // a grammar, with error nodes; whole symbols are kept
	ParsePatterns ParseState = "patterns"   // no grammar: definition-like lines
	ParseText     ParseState = "text"       // plain text
	ParseTimeout  ParseState = "timeout"    // the grammar ran out of its time: text
	ParseTooDeep  ParseState = "too_deep"   // nested beyond the bound: text
	ParseSkipped  ParseState = "not_parsed" // minified, generated or lock file: text
)

// Extraction is what was found in one file. Symbols are ordered by start line, then by end line descending (a parent
// before its children).
type Extraction struct {
	State      ParseState
	Package    string // package clause or namespace of the file as written, "" when it has none
	Symbols    []Symbol
	Chunks     []Chunk
	References []Reference // in order of line
	Imports    []Import    // in order of line
	Bindings   []Binding
}

// Innermost is the index of the symbol with the fewest lines that holds line, -1 when none does. Of equal spans it is the last in the order
// of Symbols, as a child comes after its parent. With a filter only symbols of kinds that it is true for count; nil counts all.
func (x *Extraction) Innermost(line int, filter func(SymbolKind) bool) int {
	inner := -1
	for i := range x.Symbols {
		s := &x.Symbols[i]
		if s.Span.HasLine(line) && (filter == nil || filter(s.Kind)) && (inner < 0 || s.Span.Lines() <= x.Symbols[inner].Span.Lines()) {
			inner = i
		}
	}
	return inner
}
