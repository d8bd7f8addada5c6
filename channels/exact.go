package channels

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"agenvantage"
)

// Scores of the channel exact for one thing that the question names, in the style of zoekt's classic score (a definition
// before a file name before a whole word before a part of one). Only their order and rough distance matter.
const (
	scorePlace          = 8000 // a file:line place or stack frame whose whole path fits, +0..199 by its place in the trace
	scoreDefinition     = 7000 // a symbol of exactly this name, +0..99 by its kind
	scoreQualified      = 6500 // a symbol of this qualified name, more parents above it
	scoreModuleName     = 6200 // a symbol of this name in a file or folder of the qualifier's name
	scorePlaceFunction  = 6000 // a frame whose file name and function fit, though its folders do not
	scoreOtherSpelling  = 5500 // a symbol of this name in another spelling
	scorePath           = 5000 // the file of this path; a part of the path less
	scorePassedOn       = 4600 // a place that passes the name on, from a source elsewhere; +0..99
	scoreLongerName     = 4200 // a symbol with this name inside its own, where there is none of this name, +0..99 by its kind
	scoreBaseName       = 4000 // a file of this name in other folders
	scorePlaceBaseName  = 3500 // a frame of which the file name alone fits
	scoreStem           = 3000 // a file of this name without its extension
	scoreFolder         = 2800 // a file below the folder of this path
	scoreLastName       = 2500 // a symbol of the last name of a qualified name, its qualifier unknown
	scoreImported       = 2400 // a name that a file gives to what it imports, a heading or key of this name in another spelling, +0..99 by its kind
	scorePhrase         = 600  // a quotation or the whole question as it stands, between word borders, +0..99 by number
	scoreQualifiedText  = 550  // a qualified name in the text, as it stands
	scoreWord           = 500  // a whole identifier in the text
	scoreSpellingInText = 200  // the same in another case or spelling, +0..49
	scorePart           = 50   // inside of words, +0..49
	bonusMoreItems      = 1000 // for each further thing that the question names
)

// ExactOptions bound the work of the channel exact for one question. A zero field means its default.
type ExactOptions struct {
	MaxVerify    int   // chunks whose text is compared: 4,000
	MaxScanBytes int64 // text that is read when no word narrows a literal or regular expression down: 64 MiB
	MaxWords     int   // words of the dictionary that one part of a literal may stand in: 1,024
	MaxNamed     int   // chunks whose symbols are compared for one name: 1,024
	MaxMatch     int64 // bytes of lines that a regular expression is held against: 16 MiB
	FillBelow    int   // look inside of words only when fewer spans than this were found: 50
}

// DefaultExactOptions are the defaults, written out.
func DefaultExactOptions() ExactOptions {
	return ExactOptions{MaxVerify: 4000, MaxScanBytes: 64 << 20, MaxWords: 1024, MaxNamed: 1024, MaxMatch: 16 << 20, FillBelow: 50}
}

func (o ExactOptions) withDefaults() ExactOptions {
	d := DefaultExactOptions()
	return ExactOptions{MaxVerify: positiveOr(o.MaxVerify, d.MaxVerify), MaxScanBytes: positiveOr(o.MaxScanBytes, d.MaxScanBytes), MaxWords: positiveOr(o.MaxWords, d.MaxWords),
		MaxNamed: positiveOr(o.MaxNamed, d.MaxNamed), MaxMatch: positiveOr(o.MaxMatch, d.MaxMatch), FillBelow: positiveOr(o.FillBelow, d.FillBelow)}
}

// positiveOr is n, or otherwise where n is none or negative.
func positiveOr[T int | int64](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}

// ExactReader is what the channel exact reads. TermLines is the terms of a field, a line each; a term may come more than
// once, and terms that no live document holds any more may come too.
type ExactReader interface {
	FileReader
	PostingsReader
	FactsReader
	Text(file uint32) (string, error)
	TermLines(field string) (string, error)
}

// Exact finds what the question spells out: places, paths, names of symbols, identifiers, quotations, the question as it
// stands, regular expressions. Whatever it returns was compared with the text or the facts; common words of a sentence
// are none of its business. It is complete: a literal that is in an indexed text is found, or Covered says that the
// bounds came first. Three things are left out on purpose, since they would push nothing up and cost much: parts of
// longer words once FillBelow better spans are known; parts of words at the ends of several words without quotes; and
// parts of words in a path or a sentence. Quote a text to have it looked for in every place. The score of a hit is the sum over the things that it matches, and a bonus for more than one.
//
// Making one is free; the first questions build a table of paths and, when a literal may stand inside of words, a
// dictionary of the body's terms. Keep one Exact for as long as the view is pinned.
type Exact struct {
	reader  ExactReader
	options ExactOptions

	paths      func() *pathTable
	ranges     func() []atomic.Pointer[[]byteRange] // of the chunks of each file that was compared
	dictionary lazyDictionary                       // of the body
	names      lazyDictionary
	scratch    sync.Pool // *docScratch
}

// NewExact makes the channel over a pinned view.
func NewExact(reader ExactReader, o ExactOptions) *Exact {
	return &Exact{reader: reader, options: o.withDefaults(), paths: sync.OnceValue(func() *pathTable { return newPathTable(reader) }),
		ranges: sync.OnceValue(func() []atomic.Pointer[[]byteRange] { return make([]atomic.Pointer[[]byteRange], reader.FileCount()) })}
}

// Name is "exact".
func (c *Exact) Name() string { return "exact" }

// Search answers one question.
func (c *Exact) Search(ctx context.Context, r Request) (List, error) {
	allowed, err := allowedDocs(c.reader, r.Filter.Kinds)
	if err != nil {
		return List{}, err
	}
	s := &exactSearch{Exact: c, ctx: ctx, request: r, allowed: allowed, hits: map[hitKey]*exactHit{}, files: map[uint32]*openFile{}, covered: 1}
	steps := []func() error{s.findPlaces, s.findPaths, s.findDefinitions, s.findText, s.findMessage}
	if r.Query.Regex != "" {
		steps = []func() error{s.findRegex}
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return List{}, err
		}
		if err := step(); err != nil {
			return List{}, fmt.Errorf("exact: %w", err)
		}
	}
	return s.list()
}

// exactSearch is the state of one question.
type exactSearch struct {
	*Exact
	ctx     context.Context
	request Request
	allowed bitset // documents of the kinds that are asked for; nil means all

	hits     map[hitKey]*exactHit
	files    map[uint32]*openFile
	verified int // chunks compared so far
	covered  float64
	quoted   []string // the quotations of the question, by item
	folded   uint64   // which of them are looked for in another letter case, after all else was
	dropped  int
}

// hitKey names a span: a symbol, or a chunk when symbol is -1.
type hitKey struct {
	file          uint32
	chunk, symbol int
}

// exactHit collects what a span matches. An item is one thing that the question names.
type exactHit struct {
	items  []itemScore
	reason string // of the best item
	line   int    // that a place of the question names, 0 for none
	said   int    // with which a message of the question begins, 0 for none
	saying string // reason of the message
}

type itemScore struct {
	item  int
	score float64
}

// Items that are not in the list of texts: all places are one thing, and so are all paths.
const (
	itemPlace = -1
	itemPath  = -2
)

// add notes that a span matches an item; the best score of an item counts.
func (s *exactSearch) add(key hitKey, item int, score float64, reason string) {
	h := s.hits[key]
	if h == nil {
		h = &exactHit{}
		s.hits[key] = h
	}
	best := math.Inf(-1)
	for _, i := range h.items {
		best = max(best, i.score)
	}
	if score > best {
		h.reason = reason
	}
	for i := range h.items {
		if h.items[i].item == item {
			h.items[i].score = max(h.items[i].score, score)
			return
		}
	}
	h.items = append(h.items, itemScore{item, score})
}

// has reports whether the span is known to match an item; h may be nil.
func (h *exactHit) has(item int) bool {
	return h != nil && slices.ContainsFunc(h.items, func(i itemScore) bool { return i.item == item })
}

// total is the score of a hit: the sum of its items in their order, and a bonus for each item after the first.
func (h *exactHit) total() float64 {
	slices.SortFunc(h.items, func(a, b itemScore) int { return a.item - b.item })
	sum := bonusMoreItems * float64(len(h.items)-1)
	for _, i := range h.items {
		sum += i.score
	}
	return sum
}

// list makes the answer. What was found in a chunk counts for the symbols found in it, and the chunk is left out.
func (s *exactSearch) list() (List, error) {
	symbolsIn := map[hitKey][]hitKey{}
	for key := range s.hits {
		if key.symbol >= 0 {
			chunk := hitKey{key.file, key.chunk, -1}
			symbolsIn[chunk] = append(symbolsIn[chunk], key)
		}
	}
	for chunk, symbols := range symbolsIn {
		h := s.hits[chunk]
		if h == nil {
			continue
		}
		given, err := s.giveItems(h, symbols)
		if err != nil {
			return List{}, err
		}
		if given {
			delete(s.hits, chunk)
		}
	}
	if err := s.raisePassedOn(); err != nil {
		return List{}, err
	}
	hits := make([]agenvantage.Hit, 0, len(s.hits))
	for key, h := range s.hits {
		facts, err := s.reader.Facts(key.file)
		if err != nil {
			return List{}, err
		}
		if s.request.Query.AsksForPlaces() && h.has(itemPlace) { // its path is part of the place
			h.items = slices.DeleteFunc(h.items, func(i itemScore) bool { return i.item == itemPath })
		}
		if h.has(itemMessage) { // its words are those of all else, and how much of it is held decides
			h.items = slices.DeleteFunc(h.items, func(i itemScore) bool { return i.item != itemMessage && i.item != itemPlace })
			if !h.has(itemPlace) {
				h.reason = h.saying
			}
		}
		hit := agenvantage.Hit{File: key.file, Chunk: key.chunk, Symbol: key.symbol, Score: h.total(), Reason: h.reason}
		if key.symbol >= 0 {
			hit.Span = facts.Symbols[key.symbol].Span
		} else {
			hit.Span = facts.Chunks[key.chunk].Span
		}
		hits = append(hits, hit)
	}
	slices.SortFunc(hits, agenvantage.CompareHits)
	list := List{Hits: hits, Covered: s.covered, Dropped: s.dropped}
	if limit := s.request.limit(); len(hits) > limit {
		list.Hits, list.Dropped = hits[:limit], list.Dropped+len(hits)-limit
	}
	if len(list.Hits) == s.request.limit() {
		list.Covered = 1 // the list is full: what was not looked at is beyond the cut
	}
	return list, nil
}

// kindAllowed reports whether a span of this kind may be returned.
func (s *exactSearch) kindAllowed(kind agenvantage.SymbolKind) bool {
	kinds := s.request.Filter.Kinds
	return len(kinds) == 0 || slices.Contains(kinds, kind)
}

// chunkAllowed reports whether a chunk or one of the symbols in it is of a kind that is asked for.
func (s *exactSearch) chunkAllowed(facts *agenvantage.Extraction, chunk int) bool {
	c := facts.Chunks[chunk]
	return s.kindAllowed(c.Kind) || slices.ContainsFunc(c.Symbols, func(i int) bool { return s.kindAllowed(facts.Symbols[i].Kind) })
}
