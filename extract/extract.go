package extract

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"agenvantage"
)

// Options are the limits of an Extractor. The zero value means the defaults.
type Options struct {
	MaxChunkChars int           // non-blank characters to which a chunk is filled; 0: 1,400
	AloneChars    int           // a declaration of at least this many is a chunk of its own, never grouped; 0: a third of MaxChunkChars
	ParseTimeout  time.Duration // for parsing and querying one file, after which it is kept as text; 0: 2 s
	MaxDepth      int           // nesting of brackets beyond which a file is kept as text; 0: 500
}

// Validate reports values that cannot be meant.
func (o Options) Validate() error {
	if o.MaxChunkChars < 0 || o.AloneChars < 0 || o.ParseTimeout < 0 || o.MaxDepth < 0 {
		return fmt.Errorf("extract options %+v: negative limit: %w", o, agenvantage.ErrBadInput)
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.MaxChunkChars == 0 {
		o.MaxChunkChars = 1400
	}
	if o.AloneChars == 0 {
		o.AloneChars = o.MaxChunkChars / 3
	}
	if o.ParseTimeout == 0 {
		o.ParseTimeout = 2 * time.Second
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = 500
	}
	return o
}

// Input is the text of one file: valid UTF-8 with \n line ends. Lang is a language id of scan.Languages, "" when unknown.
type Input struct {
	Path  string
	Lang  string
	Class agenvantage.Class
	Text  string
}

// Extractor turns texts into extractions. It is safe for concurrent use and holds no more than a few idle parsers.
type Extractor struct {
	options Options
	parsers parsers
}

// New returns an Extractor with the given limits.
func New(o Options) (*Extractor, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Extractor{options: o.withDefaults(), parsers: parsers{max: 2 * runtime.GOMAXPROCS(0)}}, nil
}

// Coverage says what symbols of a language rest on: "grammar", "patterns" or "text" (none).
func Coverage(lang string) string {
	switch {
	case rulesByID[lang] != nil || lang == "vue" || lang == "notebook":
		return "grammar"
	case patternsOf(lang) != nil:
		return "patterns"
	}
	return "text"
}

// Extract finds the symbols, chunks and references of one file. The error is that of ctx; whatever is wrong with the
// text only lowers the State of the result. The same input gives the same extraction.
func (e *Extractor) Extract(ctx context.Context, in Input) (agenvantage.Extraction, error) {
	if err := ctx.Err(); err != nil {
		return agenvantage.Extraction{}, err
	}
	lines := newLineTable(in.Text)
	switch {
	case in.Class.Has(agenvantage.ClassMinified), in.Class.Has(agenvantage.ClassLock), in.Class.Has(agenvantage.ClassGenerated):
		return e.asText(lines, agenvantage.ParseSkipped), nil
	case in.Lang == "notebook":
		return e.notebook(ctx, in, lines)
	case in.Lang == "vue", in.Lang == "html", in.Lang == "svelte":
		return e.withScripts(ctx, in, lines)
	}
	return e.plain(ctx, in, lines)
}

// plain extracts a text of one language.
func (e *Extractor) plain(ctx context.Context, in Input, lines *lineTable) (agenvantage.Extraction, error) {
	p := e.parsed(ctx, in.Lang, lines)
	defer p.close()
	switch {
	case p.err == nil && p.outline != nil:
		x := agenvantage.Extraction{State: p.state, Chunks: e.chunks(lines, p.outline)}
		p.outline.give(&x)
		return x, nil
	case ctx.Err() != nil:
		return agenvantage.Extraction{}, ctx.Err()
	case errors.Is(p.err, errTimeout):
		return e.asText(lines, agenvantage.ParseTimeout), nil
	case errors.Is(p.err, errTooDeep):
		return e.asText(lines, agenvantage.ParseTooDeep), nil
	}
	return e.byPatterns(in.Lang, lines), nil
}

// asText is the extraction of a text of which nothing is known.
func (e *Extractor) asText(lines *lineTable, state agenvantage.ParseState) agenvantage.Extraction {
	return agenvantage.Extraction{State: state, Chunks: e.textChunks(lines, agenvantage.Span{StartLine: 1, EndLine: lines.count()})}
}
