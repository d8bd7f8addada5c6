package app

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/internal/count"
	"agenvantage/plan"
)

// navigator answers one question from a pinned view.
type navigator struct {
	app     *App
	corpus  *corpus
	ctx     context.Context
	request NavigateRequest
	graph   *channels.Adjacency
	lines   map[uint32][]string // of the files that were opened
	notes   []string            // what the location was taken for, where that is not plain

	leftPaths  []agenvantage.Skip           // nil until skips is asked
	openPlaces []openPlace                  // what mentions.countAt noted, in the order in which it was found
	came       map[agenvantage.Node]arrival // nil until leading is asked
}

func newNavigator(ctx context.Context, a *App, c *corpus, r NavigateRequest) *navigator {
	return &navigator{app: a, corpus: c, ctx: ctx, request: r, lines: map[uint32][]string{}}
}

// spot is what a location means: a file (symbols nil and span zero), lines of it, or symbols of one file.
type spot struct {
	file    uint32
	span    agenvantage.Span
	symbols []int // several only of one qualified name, or in given lines; sorted
	lines   bool  // the span was given, and symbols are those at it
	base    *inherited
}

// locate finds what a location means: a path before a symbol, a path that is spelled with ":1" before one with a line, and a symbol before a
// path of another machine or a place in a message.
// candidates are those of an ambiguous one. It is the one reader of locations, for the graph and for the history.
func (n *navigator) locate(location string) (s spot, candidates []spot, err error) {
	location = strings.TrimSpace(location)
	if n.request.Verb != VerbSymbol {
		found, err := n.locatePath(location)
		if err == nil && len(found) == 1 {
			found[0] = n.widen(found[0])
		}
		if err != nil || len(found) > 0 {
			return pick(found, err)
		}
	}
	found, err := n.locateSymbol(location)
	if err == nil && len(found) == 0 && n.request.Verb != VerbSymbol {
		if found, err = n.locatePasted(location); err == nil && len(found) > 0 {
			return pick(found, nil)
		}
	}
	if err != nil || len(found) == 0 {
		return spot{}, nil, cmp.Or(err, n.unknown(location))
	}
	if base := found[0].base; base != nil {
		n.notes = append(n.notes, base.note(location))
	}
	if n.request.Verb == VerbSymbol {
		return found[0], nil, nil // items lists them all
	}
	return pick(found, nil)
}

// widenVerbs ask who knows the subject: of lines outside of any symbol nobody knows anything but their file.
var widenVerbs = map[NavigateVerb]bool{VerbRefs: true, VerbCallers: true, VerbNeighbors: true, VerbImpact: true, VerbTestsFor: true}

// widen takes lines outside of any symbol for the whole file where the verb has no use for lines, and says so. What such lines
// call, say and were changed by is asked of the lines.
func (n *navigator) widen(s spot) spot {
	if !s.lines || len(s.symbols) > 0 || !widenVerbs[n.request.Verb] {
		return s
	}
	what := fmt.Sprintf("line %d is", s.span.StartLine)
	if s.span.Lines() > 1 {
		what = fmt.Sprintf("lines %d-%d are", s.span.StartLine, s.span.EndLine)
	}
	n.notes = append(n.notes, fmt.Sprintf("%s outside of any symbol: the whole file %s is meant", what, n.corpus.Path(s.file)))
	return spot{file: s.file}
}

func pick(found []spot, err error) (spot, []spot, error) {
	if err != nil || len(found) != 1 {
		return spot{}, found, err
	}
	return found[0], nil, nil
}

// locatePath finds the files of a path, whole or without its first folders, with the lines behind it.
func (n *navigator) locatePath(location string) ([]spot, error) {
	files := n.filesAt(location)
	name, span := location, agenvantage.Span{}
	if len(files) == 0 {
		var lined bool
		if name, span, lined = plan.CutLines(location); !lined {
			return nil, nil
		}
		if files = n.filesAt(name); len(files) == 0 {
			return nil, nil
		}
	}
	return n.spotsIn(files, plan.Place{Path: name, Span: span}, location)
}

// locatePasted finds the files of a path that was pasted from elsewhere, with what stood around it, and says what it was taken for.
func (n *navigator) locatePasted(location string) ([]spot, error) {
	place, ok := plan.ParsePlace(location)
	if !ok {
		return nil, nil
	}
	files := n.filesAt(place.Path)
	if len(files) == 0 {
		if files = channels.FilesAt(n.corpus, place.Path, nil); len(files) != 1 || !strings.HasSuffix("/"+place.Path, "/"+n.corpus.Path(files[0])) {
			return nil, nil // a path that leads out of the repository has to end in the whole path of a file
		}
	}
	found, err := n.spotsIn(files, place, location)
	if err == nil && len(found) == 1 {
		found[0] = n.widen(found[0])
		name := n.corpus.Path(found[0].file)
		if span := found[0].span; found[0].lines {
			name = fmt.Sprintf("%s:%s", name, linesText(span))
		}
		n.notes = append(n.notes, fmt.Sprintf("%s was taken for %s", location, name))
	}
	return found, err
}

// linesText is a span as a place has it.
func linesText(span agenvantage.Span) string {
	if span.Lines() == 1 {
		return strconv.Itoa(span.StartLine)
	}
	return fmt.Sprintf("%d-%d", span.StartLine, span.EndLine)
}

// spotsIn are the lines of a place in the files that it may mean, as location names them; a file that does not have the lines is left out where
// there are others.
func (n *navigator) spotsIn(files []uint32, place plan.Place, location string) ([]spot, error) {
	span := place.Span
	if span != (agenvantage.Span{}) && !isRange(span.StartLine, span.EndLine) {
		return nil, fmt.Errorf("%w: %q names no lines: the first is 1, and a range goes up", agenvantage.ErrBadInput, location)
	}
	var found []spot
	for _, f := range files {
		s := spot{file: f}
		if span.StartLine > 0 {
			lines, err := n.linesOf(f)
			if err != nil {
				return nil, err
			}
			if span.StartLine > len(lines) {
				if len(files) > 1 {
					continue
				}
				return nil, fmt.Errorf("%w: %s has %s, and %q names line %d", agenvantage.ErrBadInput, n.corpus.Path(f), count.Of(len(lines), "line", "lines"), location, span.StartLine)
			}
			s.span, s.lines = agenvantage.Span{StartLine: span.StartLine, EndLine: min(span.EndLine, len(lines))}, true
			if span.EndLine > len(lines) && len(files) == 1 {
				n.notes = append(n.notes, fmt.Sprintf("%s has %s: the range ends there", n.corpus.Path(f), count.Of(len(lines), "line", "lines")))
			}
			if s.symbols, err = n.symbolsAt(f, s.span); err != nil {
				return nil, err
			}
		}
		found = append(found, s)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: no file named %s has a line %d", agenvantage.ErrBadInput, place.Path, span.StartLine)
	}
	return found, nil
}

// filesAt finds the file of a path, else those whose paths end in it.
func (n *navigator) filesAt(asked string) []uint32 {
	asked = filepath.ToSlash(asked)
	if below, ok := strings.CutPrefix(asked, filepath.ToSlash(n.app.root)+"/"); ok {
		asked = below
	}
	if f, ok := n.corpus.Find(asked); ok {
		return []uint32{f}
	}
	clean := path.Clean(asked)
	if f, ok := n.corpus.Find(clean); ok {
		return []uint32{f}
	}
	if strings.HasPrefix(clean, "/") || strings.HasPrefix(clean, "../") || !strings.ContainsAny(clean, "./") {
		return nil
	}
	var found []uint32
	for f := range uint32(n.corpus.FileCount()) {
		if strings.HasSuffix(n.corpus.Path(f), "/"+clean) {
			found = append(found, f)
		}
	}
	return found
}

// symbolsAt lists the symbols that are named in given lines, else the innermost one around the first of them.
func (n *navigator) symbolsAt(f uint32, span agenvantage.Span) ([]int, error) {
	x, err := n.corpus.Facts(f)
	if err != nil {
		return nil, err
	}
	var named []int
	for i := range x.Symbols {
		if span.HasLine(x.Symbols[i].NameLine) {
			named = append(named, i)
		}
	}
	if inner := x.Innermost(span.StartLine, nil); len(named) == 0 && inner >= 0 {
		return []int{inner}, nil
	}
	return named, nil
}

// locateSymbol finds the definitions of a name. Of a qualified name those come first whose qualified name is the whole of it,
// then those that have more parents above it, then those in a file or folder of the qualifier's name; what comes later
// counts only when there is nothing before. Failing all of them, those that the qualifier inherits. Definitions of one qualified
// name in one file are one place.
func (n *navigator) locateSymbol(location string) ([]spot, error) {
	location = strings.TrimSuffix(location, "()")
	parts := splitName(location)
	if len(parts) == 0 {
		return nil, nil
	}
	last := parts[len(parts)-1]
	nodes, err := n.corpus.Named(last)
	if err == nil && last != location { // a name that holds a separator itself, as a heading may
		var whole []agenvantage.Node
		if whole, err = n.corpus.Named(location); len(whole) > 0 {
			nodes, parts, last = whole, []string{location}, location
		}
	}
	if err != nil {
		return nil, err
	}
	var tiers [3][]agenvantage.Node
	for _, node := range nodes {
		x, err := n.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		sym := &x.Symbols[node.Symbol]
		names := splitName(sym.Qualified)
		switch {
		case sym.Name != last: // another name of the same hash
		case len(parts) == 1, slices.Equal(names, parts):
			tiers[0] = append(tiers[0], node)
		case endsWith(names, parts):
			tiers[1] = append(tiers[1], node)
		case endsWith(parts, names) && inModule(n.corpus.Path(node.File), x.Package, parts[:len(parts)-len(names)]):
			tiers[2] = append(tiers[2], node)
		}
	}
	for _, tier := range tiers {
		if len(tier) > 0 {
			return n.placesOf(tier)
		}
	}
	return n.locateInherited(parts, nodes)
}

// placesOf joins the nodes of one qualified name in one file.
func (n *navigator) placesOf(nodes []agenvantage.Node) ([]spot, error) {
	var found []spot
	at := map[string]int{}
	for _, node := range nodes {
		x, err := n.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		sym := &x.Symbols[node.Symbol]
		key := fmt.Sprint(node.File, " ", sym.Qualified)
		if i, ok := at[key]; ok && n.request.Verb != VerbSymbol {
			found[i].symbols = append(found[i].symbols, node.Symbol)
			continue
		}
		at[key] = len(found)
		found = append(found, spot{file: node.File, span: sym.Span, symbols: []int{node.Symbol}})
	}
	return found, nil
}

// splitName is the names of a qualified name, outermost first.
func splitName(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(name, "->", "."), func(r rune) bool { return strings.ContainsRune(`.:/#\`, r) })
}

func endsWith(names, tail []string) bool {
	return len(tail) <= len(names) && slices.Equal(names[len(names)-len(tail):], tail)
}

// inModule reports whether qualifiers name the file of a symbol: its package, its stem, or its folders from the last one up.
func inModule(file, pkg string, qualifiers []string) bool {
	dir, base := path.Split(file)
	folders := strings.FieldsFunc(dir, func(r rune) bool { return r == '/' })
	stem := strings.TrimSuffix(base, path.Ext(base))
	return endsWith(folders, qualifiers) || endsWith(append(slices.Clone(folders), stem), qualifiers) ||
		pkg != "" && endsWith(splitName(pkg), qualifiers)
}

// linesOf is the text of a file by lines.
func (n *navigator) linesOf(f uint32) ([]string, error) {
	if l, ok := n.lines[f]; ok {
		return l, nil
	}
	text, err := n.corpus.Text(f)
	if err != nil {
		return nil, err
	}
	var l []string
	if text != "" {
		l = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	n.lines[f] = l
	return l, nil
}
