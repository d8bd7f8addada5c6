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
//	@symbol.type    optional, in the same pattern: the declared type, or the result of a function
//	@symbol.value   optional, in the same pattern: what a variable is given; counts where there is no type
//	@symbol.result  optional, in the same pattern: what a function without a written result returns; a call of a path that
//	                begins with no local name becomes the function's Value, since calling either gives the same
//	@call @type.ref @import @inherit @implements   a node whose text is a referenced name
//	@use            like @type.ref for values: dropped when its first word is a local name and it has no second, or when
//	                a longer reference begins at the same byte, and kept once for each symbol
//	@on             in the pattern of one of these: the expression before the name, where no node holds just both
//	@package        the package clause or namespace of the file; the first one counts
//	@_anything      for predicates only (#eq? #not-eq? #match? #not-match? #any-of? are evaluated)
//
// What tells the graph where names come from:
//
//	@import.path    the module, with these optional captures in the same pattern, one match for each name:
//	                @import.name (a member of it), @import.alias (its local name), @import.all (every name),
//	                @import.default (any node: the default export), @import.exported (any node: other files may import
//	                the name from here). What an import binds is no local name.
//	                "a::{b, c as d}" and "a as b" in the path itself are spelled out.
//	@export.name    a name of the file's own that others may import, with one of these in the same pattern: @export.alias
//	                (the name that they see), @export.default, @export.whole (any node: the module itself is that name)
//	@local.scope    a node whose local names end with it; functions and methods are scopes without it
//	@local.name     a parameter or a local variable, with at most one of these in the same pattern:
//	                @local.type (declared), @local.value (assigned), @local.element (a collection that is gone through),
//	                and with @local.member where the name is given a member of that (a node whose text names it).
//	                A name that is a definition's own is left out.
//	@attribute.name an attribute that a method assigns to its object, with @local.type or @local.value; it belongs to the
//	                class around
//
// Types stay as written, values become paths (agenvantage.Reference). Go has no such captures: go_uses.go walks the tree of
// the standard library's parser, which knows scopes and costs less.
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
