package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agenvantage"
)

// anchored is a definition that a short task names.
type anchored struct {
	node agenvantage.Node
	name string // as the task writes it
	line int    // of a frame or a place, 0 for a name
}

// Limits of what a name may stand for.
const (
	maxAnchored       = 6
	maxMeanings       = 3   // definitions of one name; more are a common word
	anchoredShare     = 0.3 // of the budget, for one definition
	firstAnchorShare  = 0.5 // for the first one
	anchoredGain      = 0.9
	anchoredHeadLines = 12
)

// anchorDefinitions finds the definitions that the task names, in the order of its anchors. A long issue names much that
// it is not about: there the channels decide.
func (p *packer) anchorDefinitions() ([]anchored, error) {
	found, err := p.frameDefinitions()
	if err != nil || p.long() {
		return found, err
	}
	for _, a := range p.task.Anchors {
		if !p.namesDefinition(a) || len(found) >= maxAnchored {
			continue
		}
		nodes, err := p.definitionsOf(a.Text)
		if err != nil {
			return nil, err
		}
		nodes = slices.DeleteFunc(nodes, func(n agenvantage.Node) bool {
			role := p.corpus.roleOf(n.File)
			return role != roleCode && !p.asked[role]
		})
		if len(nodes) > maxMeanings {
			continue
		}
		if nodes, err = p.functionsFirst(nodes); err != nil {
			return nil, err
		}
		for _, n := range nodes {
			found = append(found, anchored{node: n, name: a.Text})
		}
	}
	return p.functionsOfPaths(found)
}

// functionsFirst puts functions before other definitions of a name: a field says less than the method that is called as it is.
func (p *packer) functionsFirst(nodes []agenvantage.Node) ([]agenvantage.Node, error) {
	isFunction := map[agenvantage.Node]bool{}
	for _, n := range nodes {
		facts, err := p.corpus.Facts(n.File)
		if err != nil {
			return nil, err
		}
		isFunction[n] = isFunctionKind(facts.Symbols[n.Symbol].Kind)
	}
	nodes = slices.Clone(nodes)
	slices.SortStableFunc(nodes, func(a, b agenvantage.Node) int {
		switch {
		case isFunction[a] == isFunction[b]:
			return 0
		case isFunction[a]:
			return -1
		}
		return 1
	})
	return nodes, nil
}

// functionsOfPaths adds the functions that a task names by a plain word beside the path of the file that defines them: the word of a parser is no
// name elsewhere, and is one beside "src/parse.c".
func (p *packer) functionsOfPaths(found []anchored) ([]anchored, error) {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(p.task.Text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = len(w) >= leastNameBytes
	}
	for _, a := range p.task.Anchors {
		if a.Kind != agenvantage.AnchorPath {
			continue
		}
		file, ok := p.fileOfFrame(a.Text)
		if !ok || p.corpus.roleOf(file) != roleCode {
			continue
		}
		facts, err := p.corpus.Facts(file)
		if err != nil {
			return nil, err
		}
		for i, s := range facts.Symbols {
			node := agenvantage.Node{File: file, Symbol: i}
			if len(found) >= maxAnchored || !isFunctionKind(s.Kind) || !words[s.Name] || slices.ContainsFunc(found, func(a anchored) bool { return a.node == node }) {
				continue
			}
			found = append(found, anchored{node: node, name: s.Name})
		}
	}
	return found, nil
}

// leastNameBytes is the length from which a plain word may be the name of a function of a file that a task names.
const leastNameBytes = 4

// frameDefinitions are the functions that the frames of a failing program's output and the places of a short task lie in, in the order
// in which they matter.
// Frames in the text of an issue are no such anchors: with them, success on 181 issue tasks fell from 0.541 to 0.514.
func (p *packer) frameDefinitions() (found []anchored, err error) {
	for _, frame := range p.placesAsked() {
		file, ok := p.fileOfFrame(frame.Path)
		if !ok || frame.Line < 1 || len(found) >= maxAnchored {
			continue
		}
		x, err := p.corpus.Facts(file)
		if err != nil {
			return nil, err
		}
		inner := definitionAt(x, frame.Line)
		node := agenvantage.Node{File: file, Symbol: inner}
		if inner < 0 || slices.ContainsFunc(found, func(a anchored) bool { return a.node == node }) {
			continue
		}
		found = append(found, anchored{node: node, name: fmt.Sprintf("%s:%d", p.corpus.Path(file), frame.Line), line: frame.Line})
	}
	return found, nil
}

// fileOfFrame finds the indexed file that a path of another machine means: the one that shares most of its end with it, at
// least its name, and no other as much.
func (p *packer) fileOfFrame(at string) (uint32, bool) {
	parts := strings.Split(strings.Trim(strings.ReplaceAll(at, "\\", "/"), "/"), "/")
	best, most, several, whole := uint32(0), 0, false, false
	for f := range uint32(p.corpus.FileCount()) {
		if !strings.HasSuffix(p.corpus.Path(f), parts[len(parts)-1]) {
			continue
		}
		have := strings.Split(p.corpus.Path(f), "/")
		n := 0
		for n < len(have) && n < len(parts) && have[len(have)-1-n] == parts[len(parts)-1-n] {
			n++
		}
		switch {
		case n == 0 || n < most:
		case n == len(have): // its whole path: no other file is meant as well
			best, most, several, whole = f, n, false, true
		case n == most:
			several = !whole
		default:
			best, most, several, whole = f, n, false, false
		}
	}
	return best, most > 0 && !several
}

// long reports whether the task is a text of many words rather than a sentence.
func (p *packer) long() bool { return p.task.Query.Class.IsReport() }

// definitionsOf are the definitions that a name, qualified or not, stands for.
func (p *packer) definitionsOf(name string) ([]agenvantage.Node, error) {
	parts := splitName(strings.TrimSuffix(name, "()"))
	if len(parts) == 0 {
		return nil, nil
	}
	nodes, err := p.corpus.Named(parts[len(parts)-1])
	if err != nil || len(parts) == 1 {
		return nodes, err
	}
	want := strings.Join(parts[len(parts)-2:], ".")
	return slices.DeleteFunc(nodes, func(n agenvantage.Node) bool {
		x, err := p.corpus.Facts(n.File)
		if err != nil {
			return true
		}
		have := splitName(x.Symbols[n.Symbol].Qualified)
		if len(have) >= 2 {
			return strings.Join(have[len(have)-2:], ".") != want
		}
		// A function of a module: the qualifier is the name of its file or folder.
		stem := p.corpus.Path(n.File)
		return !strings.Contains("/"+strings.ReplaceAll(stem, ".", "/")+"/", "/"+parts[len(parts)-2]+"/")
	}), nil
}

// shareOfAnchor is the share of the budget up to which a definition that the task names is shown whole: what it names first is what it is about.
func shareOfAnchor(rank int) float64 {
	if rank == 0 {
		return firstAnchorShare
	}
	return anchoredShare
}

// fillAnchors makes items of the definitions that the task names: whole where they are not long, else their heads, beside the
// places that the channels find in them.
func (p *packer) fillAnchors() error {
	for rank, a := range p.anchors {
		facts, err := p.corpus.Facts(a.node.File)
		if err != nil {
			return err
		}
		span, tokens, err := p.shownTokens(a.node.File, facts.Symbols[a.node.Symbol].Span)
		if err != nil {
			return err
		}
		switch {
		case a.line > 0:
			if span, err = p.surroundings(a.node.File, span, agenvantage.Span{StartLine: a.line, EndLine: a.line}); err != nil {
				return err
			}
		case tokens > int(shareOfAnchor(rank)*float64(p.request.Budget)):
			span.EndLine = min(span.EndLine, max(span.StartLine, facts.Symbols[a.node.Symbol].NameLine)+anchoredHeadLines)
		}
		it, err := p.item(agenvantage.SlotImplementation, a.node.File, span, a.node.Symbol)
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		it.reason, it.gain, it.required = "defines "+a.name+", which the task names", anchoredGain/float64(rank+1), true
		if a.line > 0 {
			it.reason = fmt.Sprintf("frame %d: %s", rank+1, a.name)
			if p.output == nil {
				it.reason = pointedReason + a.name
			}
			if line := facts.Symbols[a.node.Symbol].NameLine; line < it.span.StartLine {
				it.head = agenvantage.Span{StartLine: line, EndLine: line}
			}
		}
		it.channels = channelsOf(p.votesOf(a.node.File))
		p.items = append(p.items, it)
	}
	return nil
}
