// Package tokens counts the tokens of a text as a language model's tokenizer does, from vocabularies that are compiled in.
// It owns the choice of tokenizer and a bounded cache of counts, and nothing else: what counts as shown to an agent is
// decided by its callers. One fixed tokenizer measures every variant of a run, so that token figures compare.
package tokens

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"agenvantage"
)

// Default is the encoding that is used when nothing else is asked for.
const Default = "o200k_base"

// Version is that of the tokenizer library. It is part of a counter's name, since a figure in tokens means nothing without
// it; a test compares it with go.mod.
const Version = "v0.10.0"

const library = "tiktoken-go/tokenizer"

// encodings are the names that New takes, the default first. Each loads a vocabulary on its first call in the process;
// the library's own table of names is not used, since it would link two more vocabularies.
var encodings = []struct {
	name string
	load func() *codec.Codec
}{
	{"o200k_base", codec.NewO200kBase},
	{"cl100k_base", codec.NewCl100kBase},
}

// Encodings lists the names that New takes, the default first.
func Encodings() []string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = e.name
	}
	return names
}

// Counter counts tokens under one encoding. It is safe for concurrent use.
type Counter struct {
	encoding string
	load     func() *codec.Codec // reads the vocabulary on its first call
	cache    cache
}

// New returns a counter for "o200k_base" or "cl100k_base"; "" means Default. The vocabulary is not loaded before the first
// Count. An unknown name is an agenvantage.ErrBadInput.
func New(name string) (*Counter, error) {
	if name == "" {
		name = Default
	}
	for _, e := range encodings {
		if e.name == name {
			return &Counter{encoding: name, load: sync.OnceValue(func() *codec.Codec {
				c := e.load()
				// Invalid UTF-8 is read as U+FFFD, as tiktoken itself reads it and as an agent is shown it in JSON.
				c.SetErrorMode(codec.ErrorModeReplace)
				return c
			})}, nil
		}
	}
	return nil, fmt.Errorf("%w: tokenizer %q is not known (known: %s)", agenvantage.ErrBadInput, name, strings.Join(Encodings(), ", "))
}

// Name names the encoding and the library with its version: "o200k_base (tiktoken-go/tokenizer v0.10.0)".
func (c *Counter) Name() string { return c.encoding + " (" + library + " " + Version + ")" }

// Count is the number of tokens of text. Names of special tokens in the text ("<|endoftext|>") are plain text. Any bytes
// have a count; the empty text has none.
func (c *Counter) Count(text string) int {
	if text == "" {
		return 0
	}
	key := keyOf(text)
	if n, ok := c.cache.get(key); ok {
		return n
	}
	n, rest := 0, text
	for rest != "" {
		cut := cutBlankRun(rest)
		n += countPiece(c.load(), rest[:cut])
		rest = rest[cut:]
	}
	c.cache.put(key, n)
	return n
}

func countPiece(c *codec.Codec, text string) int {
	n, err := c.Count(text)
	if err != nil {
		// The library's only errors are invalid UTF-8 in a mode that is not set here and a match that took longer than a
		// time limit, and none is set. Should a later version find another, a rough count is of more use than none.
		return (len(text) + 3) / 4
	}
	return n
}

// maxBlankRun bounds, in bytes, how much white space the splitter sees in one piece. Its time grows with the square of a
// run of white space that holds line breaks: 20,000 lines of one blank each took 0.9 s, cut into such pieces 20 ms.
const maxBlankRun = 1024

// cutBlankRun returns the length of the first part of text that is counted in one go: all of it, or up to a line break
// more than maxBlankRun bytes into a run of white space. Only there can the count differ from the exact one, by a token or
// two a cut.
func cutBlankRun(text string) int {
	start := 0 // of the white space that i is in or behind
	for i, r := range text {
		switch {
		case r == '\n' && i-start >= maxBlankRun:
			return i + 1
		case !unicode.IsSpace(r):
			start = i + utf8.RuneLen(r)
			if r == utf8.RuneError {
				start = i + 1 // an invalid byte is one byte long
			}
		}
	}
	return len(text)
}
