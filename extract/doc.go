// Package extract turns the text of one file into symbols, chunks and references. It owns the tree-sitter grammars, the
// query files in queries/, the pattern tables for languages without a grammar, and the chunker. It reads no file, knows
// no index and keeps nothing about a file after Extract returns: trees and cursors are closed on every path.
//
// A language is a row of the table in languages.go and a file queries/LANG.scm. The captures of such a file are:
//
//	@KIND.def       the whole definition node; KIND is a word of agenvantage.SymbolKind: @function.def, @section.def
//	@name           in the same pattern, the name node; quotes are stripped, only the first line counts
//	@body           optional, in the same pattern: the node before which the signature ends
//	@scope          optional, in the same pattern: text that qualifies the name (a Go receiver type, "Foo::" in C++)
//	@container.def  like a definition (with @name), but no symbol: it only qualifies what it contains (Rust impl blocks)
//	@doc.string     a string that documents the innermost definition around it (Python)
//	@call @type.ref @import @inherit @implements   a node whose text is a referenced name
//	@_anything      for predicates only (#eq? #not-eq? #match? #not-match? #any-of? are evaluated)
//
// A definition is its name node: when several patterns match with the same @name node, they are one symbol whose range
// is the union of their nodes and whose kind is that of the pattern that stands first in the file. So the specific
// pattern goes first, and a wrapper (decorated_definition, export_statement, template_declaration) may be matched by a
// pattern of its own. A function directly inside a class, struct, interface, trait or enum becomes a method. Comments and
// decorators directly above a definition join its span without any pattern: their node types are in languages.go.
//
// Read extract.go first, then code.go (a parse to symbols) and chunk.go (symbols to chunks).
//
// A line "; inherits: NAME" of a query file stands for the query file NAME (TypeScript inherits what all ECMAScript has).
package extract
