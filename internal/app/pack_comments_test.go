package app

import (
	"strings"
	"testing"
	"time"

	"agenvantage/scan"
)

// Each row: the lines of a file, and those that are nothing but a comment.
func TestCommentsOf(t *testing.T) {
	for _, c := range []struct{ name, lang, text, want string }{
		{"no known language", "", "// a\n# b", ""},
		{"an empty file", "go", "", ""},
		{"a text is no code", "markdown", "# Title\n\ntext\n\n# Next", ""},
		{"nor is one of Word", "rst", "# a\n# b", ""},

		{"C: directives are code", "c", "#define A 1\n#include <a.h>\n#pragma once\n#if A\n// a\n// b\n#endif", "5-6"},
		{"C: a comment with an end", "c", "/*\n * a\n\n */\nint x;", "1-4"},
		{"C: code beside a comment", "c", "int x; /* a\n b */\n/* c */ int y;\n/* d */", "2-2 4-4"},
		{"C: what looks like a comment in a string", "c", "char *a = \"/*\";\nint x;\nchar *b = \"*/\";", ""},
		{"C: a quote as a character", "c", "char a = '\"';\n// a\nchar b = '\"';", "2-2"},
		{"C: two comments one after the other", "c", "/* a */\n/* b */\n// c\n// d", "1-1 2-2 3-4"},
		{"C: an end that is missing", "c", "/* a\nint x;\n// b", "3-3"},
		{"C: a directive of a tool", "cpp", "// NOLINTBEGIN(a)\n// a\n// clang-format off", "2-2"},
		{"C++: a raw string", "cpp", "auto a = R\"(\n// a\n)\";\n// b", "4-4"},
		{"C#: regions and strings as they stand", "csharp", "#region A\nvar a = @\"\n// a\n\\\";\n/// <b>\n/// c\n#endregion", "5-6"},
		{"Java: a text", "java", "/** a */\nString s = \"\"\"\n// b\n\"\"\";\n@A\n// c", "1-1 6-6"},

		{"Go: directives", "go", "//go:build linux\n\n// Package a is b.\npackage a\n\n//go:embed x\nvar x string\n//nolint:all\n// c", "3-3 9-9"},
		{"Go: a raw string", "go", "var a = `\n// a\n/* b\n`\n// c", "5-5"},
		{"Go: what cgo compiles", "go", "/*\nint f(void);\n*/\nimport \"C\"\n\n/*\na\n*/", "6-8"},
		{"Go: an empty line ends it", "go", "// a\n\n// b\n// c", "1-1 3-4"},
		{"Rust: attributes and lifetimes", "rust", "#[derive(A)]\n#![b]\n/// a\n//! b\nfn f<'a>(x: &'a str) {}\n/* /* c */\nd */", "3-4 6-7"},
		{"Rust: a raw string", "rust", "let a = r#\"\n// a \"\n\"#;\n// b", "4-4"},
		{"Swift", "swift", "// swift-tools-version:5.9\n/// a\nlet b = \"\"\"\n// c\n\"\"\"", "2-2"},
		{"Kotlin: comments in comments", "kotlin", "/* /* a */\nb */\n@A\nval s = \"\"\"\n// c\n\"\"\"", "1-2"},
		{"Scala", "scala", "/** a\n  * b */\nval s = \"\"\"\n// c\n\"\"\"", "1-2"},
		{"JavaScript: texts, expressions, tools", "javascript", "// @ts-check\nlet a = `\n// a\n${`b`}\n`\nlet r = /\\/*\"/\n/**\n * c\n */\n// eslint-disable\n//# sourceMappingURL=x", "7-9"},
		{"TypeScript: references", "typescript", "/// <reference path=\"a\" />\n// a", "2-2"},
		{"CSS: names", "css", "#id {\n  color: #fff;\n}\n/* a\n b */\na { background: url(//x/*) }", "4-5"},
		{"SCSS", "css", "// a\n// b\n$c: 1;", "1-2"},
		{"PHP: attributes and here-documents", "php", "#[A]\n# a\n// b\n$x = <<<EOT\n# c\n// d\nEOT;\n/* e */", "2-2 3-3 8-8"},
		{"Dart", "dart", "/// a\nvar s = '''\n// b\n''';", "1-1"},
		{"D", "d", "/+ a\n+/\nauto s = `\n// b\n`;", "1-2"},
		{"Solidity", "solidity", "/// @dev a\n/// b\nstring s = '//';", "1-2"},
		{"Zig", "zig", "/// a\n//! b\nconst c = 1;", "1-2"},
		{"JSON with comments", "json", "// a\n{\"b\": \"//\"}", "1-1"},
		{"Protocol buffers", "protobuf", "// a\nmessage B {}\n/* c */", "1-1 3-3"},
		{"Pascal: a directive", "pascal", "{$mode delphi}\n{ a\n b }\n(* c *)\nx := '{';\n// d", "2-3 4-4 6-6"},
		{"F#", "fsharp", "#if A\n/// a\n(* b\n*)\nlet f (x: 'a) = x", "2-2 3-4"},
		{"Verilog", "verilog", "`define A 1\n// a\nassign x = 4'b01;\n/* b */", "2-2 4-4"},
		{"Thrift", "thrift", "# a\n# b\n// c\nstruct D {}", "1-2 3-3"},

		{"Python: the text of a module", "python", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# a\n\"\"\"A.\n\nB.\n\"\"\"\nimport x", "3-3 4-7"},
		{"Python: of a function", "python", "def f(\n    a,\n):  # noqa\n    r'''A.\n\n    B.\n    '''\n    return a", "4-7"},
		{"Python: a text that is data", "python", "SQL = \"\"\"\n# a\nselect\n\"\"\"\n# b", "5-5"},
		{"Python: an argument", "python", "f(\n    \"\"\"a\n    b\"\"\",\n    \"\"\"c\"\"\"\n)", ""},
		{"Python: behind a line that goes on", "python", "x = \\\n\"\"\"a\nb\"\"\"", ""},
		{"Python: of a value", "python", "A = 1\n\"\"\"What A is.\n\nAnd more.\n\"\"\"\nB = 2", "2-5"},
		{"Python: a text that is used", "python", "\"\"\"a\nb\"\"\".split()\nx", "1-1"},
		{"Python: for tools", "python", "# type: ignore\n# noqa: E501\n# pylint: disable=x\n# a", "4-4"},
		{"Python: a hash in a string", "python", "a = '#'\n# b\nc = \"#\"", "2-2"},
		{"Bazel", "python", "# a\nload(\"x\")\n\"\"\"b\"\"\"", "1-1 3-3"},
		{"Julia", "julia", "\"\"\"\n    f(x)\n\"\"\"\nf(x) = x\n#= a\n#= b =#\n=#\n# c", "1-3 5-7 8-8"},
		{"GraphQL", "graphql", "# a\n\"\"\"\nb\n\"\"\"\ntype C {\n  d(x: String = \"#\"): Int\n}", "1-1 2-4"},
		{"Elixir: documentation and other texts", "elixir", "@moduledoc \"\"\"\na\n\"\"\"\n@doc ~S\"\"\"\nb\n\"\"\"\nx = \"\"\"\n# c\n\"\"\"\n# d", "1-3 4-6 10-10"},
		{"GDScript", "gdscript", "# a\nvar s = \"\"\"\n# b\n\"\"\"", "1-1"},
		{"Nim", "nim", "## a\n## b\n#[ c\n]#\nlet s = \"\"\"\n# d\n\"\"\"", "1-2 3-4"},

		{"shell: a #! line and here-documents", "bash", "#!/bin/sh\n# a\n# b\ncat <<EOF\n# c\n# d\nEOF\n# e", "2-3 8-8"},
		{"shell: names in quotes, tabs, two at once", "bash", "cat <<-'A B' <<X\n# a\n\tA B\n# b\nX\n# c", "6-6"},
		{"shell: no end, and a shift", "bash", "x=$((1<<2))\ncat <<NEVER\n# a\ny=$((a<<b))\n# c", "3-3 5-5"},
		{"shell: texts over lines", "bash", "awk '\n# a\n{ print }'\n# b\necho \"\n# c\n\"\necho it\\'s\n# d", "4-4 9-9"},
		{"shell: a hash that begins no comment", "bash", "${x#y}\n#a\necho a#b $#\n# shellcheck disable=SC1\n# c", "2-2 5-5"},
		{"fish", "fish", "# a\necho 'b\n# c\n'", "1-1"},
		{"make", "make", "# a\nx:\n\t# b\n\techo '#'", "1-1 3-3"},
		{"a Dockerfile", "dockerfile", "# syntax=docker/dockerfile:1\n# a\nFROM x\nRUN <<EOF\n# b\nEOF\n# c", "2-2 7-7"},
		{"CMake", "cmake", "# a\n#[[ b\nc ]]\nset(x \"\n# d\")", "1-1 2-3"},
		{"HCL", "hcl", "# a\n// b\nx = <<-EOT\n# c\nEOT\n/* d\n*/", "1-1 2-2 6-7"},
		{"Nix", "nix", "# a\nx = ''\n# b\n'';\n/* c */", "1-1 5-5"},
		{"Ruby: here-documents, =begin, the end", "ruby", "# frozen_string_literal: true\n# a\nx = <<~SQL\n# b\nSQL\ny << z\n=begin\nc\n=end\n# d\n__END__\n# e", "2-2 7-9 10-10"},
		{"Ruby: =begin first", "ruby", "=begin\na\n=end\nx", "1-3"},
		{"Ruby: a hash in a string", "ruby", "\"#{a} # b\"\n# c", "2-2"},
		{"Perl", "perl", "#!/usr/bin/perl\n# a\n=pod\n\nb\n\n=cut\nmy $n = $#x;\nprint <<\"E\";\n# c\nE\n# d", "2-2 3-7 12-12"},
		{"PowerShell", "powershell", "#Requires -Version 5\n<#\na\n#>\n# b\n$x = @\"\n# c\n\"@\n# d", "2-4 5-5 9-9"},
		{"Tcl", "tcl", "# a\nset x 1 ;# b", "1-1"},
		{"R", "r", "#' a\n#' b\nx <- '#'", "1-2"},
		{"awk", "awk", "# a\n/#/ { print }", "1-1"},
		{"CoffeeScript", "coffeescript", "###\na\n###\n# b\nx = \"#{y}\"", "1-3 4-4"},

		{"YAML: texts", "yaml", "# a\nx: |\n  # b\n\n  # c\n# d\ny: >-  # e\n  # f\nz: 'a # b'\n# g", "1-1 6-6 10-10"},
		{"YAML: texts in lists", "yaml", "- a: |\n    # b\n  # c\n- |\n  # d\n# e", "3-3 6-6"},
		{"TOML", "toml", "# a\nx = \"\"\"\n# b \"\n\"\"\"\ny = 'it\"'\n# c", "1-1 6-6"},
		{"settings", "ini", "; a\n# b\n[x]\ny = 1 ; c", "1-1 2-2"},

		{"SQL", "sql", "-- a\n--b\nselect '--' -- c\n/* d\n*/\n/*+ hint */\n/*!40000 x */", "1-2 4-5"},
		{"Lua", "lua", "-- a\n--- b\n--[[ c\nd ]]\nx = [[\n-- e\n]]\n--[==[ f ]] g\n]==]", "1-2 3-4 8-9"},
		{"Haskell: pragmas, nesting", "haskell", "{-# LANGUAGE A #-}\n-- a\n--\n-- | b\n{- c {- d -}\ne -}\nx --> y\nf' = 'a'", "2-4 5-6"},
		{"Elm", "elm", "{-| a\n-}\n-- b\nx = \"\"\"\n-- c\n\"\"\"", "1-2 3-3"},
		{"Ada", "ada", "-- a\nX : String := \"--\";", "1-1"},
		{"VHDL", "vhdl", "-- a\n-- b\nx <= '1';", "1-2"},
		{"Lean", "lean", "/-- a\n-/\n-- b", "1-2 3-3"},
		{"OCaml", "ocaml", "(** a\n (* b *)\n*)\nlet f (x : 'a) = \"(*\"", "1-3"},

		{"Lisp: one semicolon, texts", "emacs-lisp", ";;; a\n; b\n(defun f ()\n  \"A.\n; c\n\"\n  ?\\\")\n; d", "1-2 8-8"},
		{"Clojure", "clojure", ";; a\n(def b \\\")\n; c", "1-1 3-3"},
		{"Scheme", "scheme", "#| a\nb |#\n; c\n'(d)", "1-2 3-3"},
		{"Erlang", "erlang", "%% a\n%% b\nf() -> \"%\".", "1-2"},
		{"Prolog", "prolog", "% a\nf(X) :- X = '%'.\n/* b */", "1-1 3-3"},
		{"LaTeX", "latex", "% a\n\\% b", "1-1"},
		{"MATLAB", "matlab", "%{\na\n%}\nx = y';\n% b", "1-3 5-5"},
		{"Fortran: directives", "fortran", "! a\n!$omp parallel\nx = '!'\n! b", "1-1 4-4"},
		{"assembly", "assembly", "; a\n#define B\n# c\nmov r0, #1", "1-1 3-3"},
		{"a batch file", "batch", "@rem a\n:: b\nREM c\n:label\necho rem", "1-1 2-2 3-3"},
		{"Visual Basic", "vb", "' a\n' b\nx = \"'\"", "1-2"},
		{"Vim", "vim", "\" a\nlet x = \"b\"", "1-1"},
		{"HTML", "html", "<!-- a\nb -->\n<p id=\"c\"># d</p>", "1-2"},
		{"a template", "template", "{# a\nb #}\n{{/* c */}}\n<p>\n<%# d %>", "1-2 3-3 5-5"},
		{"line ends of Windows", "go", "// a\r\n// b\r\n\r\nx := 1\r\n", "1-2"},
	} {
		if got := printedSpans(commentsOf(c.lang, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Every language that scan knows is one whose comments are known, or one of those below, which have none or are no code.
func TestCommentsOfEveryLanguage(t *testing.T) {
	without := " asciidoc cobol csv diff markdown notebook org rst slim text "
	for _, lang := range scan.Languages() {
		_, ok := commentLexiconOf(lang)
		if none := strings.Contains(without, " "+lang+" "); ok == none {
			t.Errorf("%s: comments are known: %v", lang, ok)
		}
	}
	for lang := range commentLexicons {
		if id, ok := scan.CanonicalLanguage(lang); !ok || id != lang {
			t.Errorf("%s is no language", lang)
		}
	}
	for lang := range more {
		if _, ok := commentLexiconOf(lang); !ok {
			t.Errorf("%s has no lexicon", lang)
		}
	}
}

// Comments in comments without an end were read again from each of their beginnings.
func TestManyOpenCommentsTakeLinearTime(t *testing.T) {
	for _, c := range []struct{ lang, part string }{{"rust", "/*"}, {"kotlin", "/* "}, {"python", `"\"`}, {"ruby", "<<A\n"}, {"perl", "=pod\n"}, {"yaml", "- |\n"}, {"bash", "<<A<<B\n"}, {"rust", "r#"}, {"javascript", "/["}} {
		done := make(chan bool)
		go func() {
			commentsOf(c.lang, strings.Repeat(c.part, 50_000))
			commentsOf(c.lang, strings.Repeat(c.part, 25_000)+strings.Repeat("*/", 25_000))
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: %q many times takes more than 20 seconds", c.lang, c.part)
		}
	}
}

func FuzzCommentsOf(f *testing.F) {
	for _, text := range []string{"# a\n\"\"\"b\n\"\"\"\n", "/* /* */ // x\n`", "<<A\n# b\nA\n", "=begin\n=end\n__END__\n", "- |\n # x\ny", "{- -} -- '\n", "r#\"\n\"#", "--[[ ]]", "\\", "\n"} {
		f.Add(text)
	}
	languages := scan.Languages()
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, lang := range languages {
			before := 0
			for _, s := range commentsOf(lang, text) {
				if s.StartLine <= before || s.EndLine < s.StartLine || s.EndLine > lines {
					t.Fatalf("%s: lines %d-%d after %d, of %d", lang, s.StartLine, s.EndLine, before, lines)
				}
				before = s.EndLine
			}
		}
	})
}
