package app

import (
	"fmt"
	"strings"

	"agenvantage"
	"agenvantage/pipeline"
	"agenvantage/rerank"
)

// The same function in several copies of a library says once what an agent needs to know: the best place of it is shown and names the
// others, as in the results of a search. A place in a file that the task, its diff or its frames name is never left out for another.

// copyOf is a place that has the text of one that is shown, or nearly.
type copyOf struct {
	path  string
	line  int
	alike float64
}

// foldCopy leaves an item out when its text is that of one of the same name that its slot shows already, and says so on that one.
func (p *packer) foldCopy(it *packItem) bool {
	if it.path == "" || it.alone || it.slot == agenvantage.SlotTests { // each file of tests is to be run
		return false
	}
	for _, shown := range p.items {
		if shown.outcome != OutcomeShown || shown.slot != it.slot || shown.path == "" || shown.alone || shown.file == it.file && shown.span.Overlaps(it.span) {
			continue
		}
		if lastName(shown.symbol) != lastName(it.symbol) || !pipeline.MayBeCopies(it.span, shown.span) {
			continue
		}
		alike := p.printOf(it).Alike(*p.printOf(shown))
		if alike < rerank.AlikeFrom {
			continue
		}
		if p.names(it.file) {
			return false
		}
		shown.copies = append(shown.copies, copyOf{it.path, it.span.StartLine, alike})
		it.outcome, it.why = OutcomeDropped, fmt.Sprintf("its text is that of %s:%d-%d, which is shown", shown.path, shown.span.StartLine, shown.span.EndLine)
		return true
	}
	return false
}

// printOf is what an item holds, ready to be compared; it is read once.
func (p *packer) printOf(it *packItem) *rerank.Fingerprint {
	if it.print == nil {
		print := rerank.FingerprintOf(it.text)
		it.print = &print
	}
	return it.print
}

// names reports whether the request names a file: by its path, a frame, a definition, a seed or a change.
func (p *packer) names(file uint32) bool {
	if p.seeds[file] || len(p.changed[file]) > 0 || pipeline.NamesFile(p.task.Query, p.corpus.Path(file)) {
		return true
	}
	for _, a := range p.anchors {
		if a.node.File == file {
			return true
		}
	}
	if p.output == nil {
		return false
	}
	for _, frame := range p.output.Frames {
		if f, ok := p.fileOfFrame(frame.Path); ok && f == file {
			return true
		}
	}
	return false
}

// maxCopiesText bounds what an item says of its copies, in bytes.
const maxCopiesText = 110

// copiesText names the copies of an item, as many as fit.
func copiesText(copies []copyOf) string {
	if len(copies) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("same in ")
	for _, c := range copies {
		if c.alike < 1 {
			b.Reset()
			b.WriteString("nearly same in ")
		}
	}
	for i, c := range copies {
		place := fmt.Sprintf("%s:%d", c.path, c.line)
		if i > 0 && b.Len()+len(place) > maxCopiesText {
			fmt.Fprintf(&b, " and %d more", len(copies)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(place)
	}
	return b.String()
}

// reasonOfBlock is why an item is shown, with its copies first: a header keeps the beginning.
func (it *packItem) reasonOfBlock() string {
	return strings.TrimSuffix(strings.TrimPrefix(copiesText(it.copies)+"; "+it.reason, "; "), "; ")
}

// withCopies adds to the tokens of the items what naming their copies takes.
func (p *packer) withCopies() {
	for _, it := range p.items {
		if it.outcome == OutcomeShown {
			it.tokens += len(copiesText(it.copies)) / 4
		}
	}
}

// isHead reports whether a chunk is the head of a file, which stands for its file: those of a project are much alike.
func isHead(facts *agenvantage.Extraction, chunk int) bool {
	return chunk >= 0 && chunk < len(facts.Chunks) && facts.Chunks[chunk].Kind == agenvantage.ChunkHeader
}
