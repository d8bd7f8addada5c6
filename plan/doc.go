// Package plan reads a question: what kind of question it is, and which names, paths, places, quotations and terms it
// holds. It is pure: values in, values out, no corpus and no I/O. Every valid UTF-8 text without NUL is a question;
// nothing in it is syntax of an engine, and a quote, bracket or slash without its partner is plain text. Read parse.go
// first, then words.go (what looks like code) and frames.go (stack traces).
package plan
