package pipeline

import (
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
)

// resolver maps hits on chunks to the spans that are shown: a hit on a symbol that the query names becomes that symbol's
// own lines, any other hit stays its chunk.
type resolver struct {
	corpus Corpus
	names  channels.NameSet
	query  agenvantage.Query
	kinds  []agenvantage.SymbolKind
}

func newResolver(corpus Corpus, query agenvantage.Query, kinds []agenvantage.SymbolKind) *resolver {
	return &resolver{corpus: corpus, names: channels.NamesOf(query), query: query, kinds: kinds}
}

type spanKey struct {
	file, symbol int
	span         agenvantage.Span
}

// resolve returns the hits with their final spans, in the order of the list, each span once (its best place counts).
func (r *resolver) resolve(hits []agenvantage.Hit) ([]agenvantage.Hit, error) {
	resolved := make([]agenvantage.Hit, 0, len(hits))
	seen := make(map[spanKey]bool, len(hits))
	for _, hit := range hits {
		spans, err := r.spansOf(hit)
		if err != nil {
			return nil, err
		}
		for _, h := range spans {
			key := spanKey{int(h.File), h.Symbol, h.Span}
			if !seen[key] {
				seen[key] = true
				resolved = append(resolved, h)
			}
		}
	}
	return resolved, nil
}

func (r *resolver) spansOf(hit agenvantage.Hit) ([]agenvantage.Hit, error) {
	facts, err := r.corpus.Facts(hit.File)
	if err != nil {
		return nil, err
	}
	if hit.Symbol >= 0 {
		if !r.kindAllowed(facts.Symbols[hit.Symbol].Kind) {
			return nil, nil
		}
		return []agenvantage.Hit{hit}, nil
	}
	if hit.Chunk < 0 {
		if !r.kindAllowed(agenvantage.ChunkBlock) {
			return nil, nil
		}
		return []agenvantage.Hit{hit}, nil
	}
	chunk := facts.Chunks[hit.Chunk]
	if r.query.AsksForPlaces() && channels.IsPlace(hit.Reason) && r.kindAllowed(chunk.Kind) {
		return []agenvantage.Hit{hit}, nil // a symbol of the chunk may not have the line
	}
	asSymbol := func(symbol int) agenvantage.Hit {
		h := hit
		h.Symbol, h.Span = symbol, facts.Symbols[symbol].Span
		return h
	}
	var named []agenvantage.Hit
	for _, symbol := range chunk.Symbols {
		if r.names.Names(facts.Symbols[symbol]) && r.kindAllowed(facts.Symbols[symbol].Kind) {
			named = append(named, asSymbol(symbol))
		}
	}
	if len(named) > 0 {
		if lost, err := r.loseLiteral(hit, named); err != nil || !lost || !r.kindAllowed(chunk.Kind) {
			return named, err
		}
		return []agenvantage.Hit{hit}, nil
	}
	for symbol := chunk.Owner; symbol >= 0; symbol = facts.Symbols[symbol].Parent {
		if r.names.Names(facts.Symbols[symbol]) && r.kindAllowed(facts.Symbols[symbol].Kind) {
			return []agenvantage.Hit{asSymbol(symbol)}, nil
		}
	}
	if r.kindAllowed(chunk.Kind) {
		return []agenvantage.Hit{hit}, nil
	}
	if symbol := r.closestOfKind(facts, chunk); symbol >= 0 {
		return []agenvantage.Hit{asSymbol(symbol)}, nil
	}
	return nil, nil
}

// loseLiteral reports whether a hit holds a quotation of a short text, and the symbols in its place do not.
func (r *resolver) loseLiteral(hit agenvantage.Hit, symbols []agenvantage.Hit) (bool, error) {
	if !r.query.Short || len(r.query.Phrases) == 0 {
		return false, nil
	}
	text, err := r.corpus.Text(hit.File)
	if err != nil {
		return false, err
	}
	holds := func(span agenvantage.Span, phrase string) bool {
		standing, folded := channels.Holds(LinesOf(text, span), phrase)
		return standing || folded
	}
	return slices.ContainsFunc(r.query.Phrases, func(phrase string) bool {
		return holds(hit.Span, phrase) && !slices.ContainsFunc(symbols, func(s agenvantage.Hit) bool { return holds(s.Span, phrase) })
	}), nil
}

func (r *resolver) kindAllowed(kind agenvantage.SymbolKind) bool {
	return len(r.kinds) == 0 || slices.Contains(r.kinds, kind)
}

// closestOfKind is the symbol of an asked-for kind in the chunk that shares most words with the query in its name and
// signature, the first of equals; -1 when the chunk has none.
func (r *resolver) closestOfKind(facts *agenvantage.Extraction, chunk agenvantage.Chunk) int {
	best, bestShared := -1, -1
	for _, symbol := range chunk.Symbols {
		s := facts.Symbols[symbol]
		if !r.kindAllowed(s.Kind) {
			continue
		}
		shared, text := 0, strings.ToLower(s.Name+" "+s.Signature)
		for _, term := range r.query.Terms {
			if strings.Contains(text, term.Text) {
				shared++
			}
		}
		if shared > bestShared {
			best, bestShared = symbol, shared
		}
	}
	return best
}

// dropOverlaps keeps, of candidates that share a line, the best one; a symbol that the query names stays beside the
// named symbol that it is nested in. The order is kept.
func (r *resolver) dropOverlaps(candidates []agenvantage.Candidate) []agenvantage.Candidate {
	taken := map[uint32][]agenvantage.Candidate{}
	kept := candidates[:0]
	for _, c := range candidates {
		if !slices.ContainsFunc(taken[c.File], func(t agenvantage.Candidate) bool { return t.Span.Overlaps(c.Span) && !r.mayNest(t, c) }) {
			taken[c.File] = append(taken[c.File], c)
			kept = append(kept, c)
		}
	}
	return kept
}

// Path, Class and Kind are rerank.Facts.
func (r *resolver) Path(file uint32) string             { return r.corpus.Path(file) }
func (r *resolver) Class(file uint32) agenvantage.Class { return r.corpus.Class(file) }

func (r *resolver) Kind(c agenvantage.Candidate) agenvantage.SymbolKind {
	facts, err := r.corpus.Facts(c.File)
	if err != nil {
		return "" // hydrate, which needs them, says so
	}
	kind, _, _ := ofKind(facts, c)
	return kind
}

// mayNest reports whether both are symbols named by the query, one inside the other.
func (r *resolver) mayNest(a, b agenvantage.Candidate) bool {
	if a.Symbol < 0 || b.Symbol < 0 || a.Span == b.Span && a.Symbol == b.Symbol {
		return false
	}
	facts, err := r.corpus.Facts(a.File)
	if err != nil {
		return false
	}
	return r.names.Names(facts.Symbols[a.Symbol]) && r.names.Names(facts.Symbols[b.Symbol]) &&
		(a.Span.Contains(b.Span) || b.Span.Contains(a.Span))
}

// selection is the order in which candidates are shown: at most maxPerFile spans of a file, then the others.
type selection struct {
	order []agenvantage.Candidate
	total map[uint32]int // candidates of a file
	fixed int            // how many of order are there however much is asked for
	folds folds
}

// newSelection moves the spans beyond the cap behind every other file's turn, the first asked ones excepted, which are what was asked for; of the
// holders behind those, before what holds nothing. Their score is lowered to the last one before them, as a part named file_cap, so that scores
// stay in order and parts keep adding up.
func newSelection(candidates []agenvantage.Candidate, maxPerFile, asked, holders int) selection {
	s := selection{total: map[uint32]int{}}
	var held []agenvantage.Candidate
	release := func() {
		for _, c := range held {
			s.order = append(s.order, lowered(c, s.order[len(s.order)-1].Score, "file_cap"))
		}
		held = nil
	}
	for i, c := range candidates {
		if i == asked+holders {
			release()
		}
		s.total[c.File]++
		if maxPerFile > 0 && s.total[c.File] > maxPerFile && i >= asked {
			held = append(held, c)
		} else {
			s.order = append(s.order, c)
		}
	}
	release()
	return s
}

// with is the selection with another one behind it.
func (s selection) with(o selection) selection {
	if len(s.order) == 0 {
		return o
	}
	s.order = append(s.order, o.order...)
	for file, count := range o.total {
		s.total[file] += count
	}
	return s
}

// lowered is a candidate whose score is at most that of the last one before it; what it loses is a part of the given name.
func lowered(c agenvantage.Candidate, last float64, part string) agenvantage.Candidate {
	if c.Score > last {
		c.Parts = append(slices.Clone(c.Parts), agenvantage.Part{Name: part, Value: last - c.Score})
		c.Score = last
	}
	return c
}

// ofKind is the kind of a candidate (its symbol's, else its chunk's), the symbol that it is, nil for none, and the
// language of an embedded part, "" for the file's own.
func ofKind(facts *agenvantage.Extraction, c agenvantage.Candidate) (kind agenvantage.SymbolKind, symbol *agenvantage.Symbol, lang string) {
	if c.Symbol >= 0 {
		symbol = &facts.Symbols[c.Symbol]
		return symbol.Kind, symbol, symbol.Lang
	}
	if c.Chunk < 0 {
		return agenvantage.ChunkBlock, nil, ""
	}
	chunk := facts.Chunks[c.Chunk]
	if chunk.Owner >= 0 {
		symbol = &facts.Symbols[chunk.Owner]
	}
	return chunk.Kind, symbol, chunk.Lang
}
