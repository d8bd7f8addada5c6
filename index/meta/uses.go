package meta

import (
	"slices"

	"agenvantage"
)

// The blob of references holds a table of strings, then references and bindings column by column: the numbers of one
// column resemble each other, which the compression uses. A string is its number in the table; 0 is the empty one. Lines
// and symbols of references are the difference to the reference before.

// referenceKinds are the codes of kinds; a new kind goes to the end.
var referenceKinds = []agenvantage.ReferenceKind{agenvantage.RefImport, agenvantage.RefCall, agenvantage.RefType, agenvantage.RefInherit, agenvantage.RefImplements}

// wordTable numbers the strings of a blob in order of their first use.
type wordTable struct {
	number map[string]int
	list   []string
}

func (t *wordTable) of(s string) int {
	if s == "" {
		return 0
	}
	n, ok := t.number[s]
	if !ok {
		t.list = append(t.list, s)
		n = len(t.list)
		t.number[s] = n
	}
	return n
}

func encodeUses(refs []agenvantage.Reference, bindings []agenvantage.Binding) []byte {
	if len(refs)+len(bindings) == 0 {
		return nil
	}
	table := &wordTable{number: make(map[string]int, len(refs))}
	e := &encoder{b: make([]byte, 0, 8*len(refs)+8*len(bindings))}
	e.int(len(refs))
	for i := range refs {
		e.int(max(0, slices.Index(referenceKinds, refs[i].Kind)))
	}
	for i := range refs {
		e.int(table.of(refs[i].Name))
	}
	for i := range refs {
		e.int(table.of(refs[i].On))
	}
	line, from := 0, -1
	for i := range refs {
		e.int64(int64(refs[i].Line - line))
		line = refs[i].Line
	}
	for i := range refs {
		e.int64(int64(refs[i].From - from))
		from = refs[i].From
	}
	for i := range refs {
		e.int(refs[i].Binding)
	}
	e.int(len(bindings))
	for i := range bindings {
		b := &bindings[i]
		e.int(table.of(b.Name))
		e.int(table.of(b.Type))
		e.int(table.of(b.Value))
		e.int(2*(b.Symbol+1) + asInt(b.Attribute))
		e.int(b.Head)
	}
	t := &encoder{b: make([]byte, 0, len(e.b)+16*len(table.list))}
	t.int(len(table.list))
	for _, s := range table.list {
		t.string(s)
	}
	return append(t.b, e.b...)
}

func decodeUses(blob []byte) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	if len(blob) == 0 {
		return nil, nil, nil
	}
	d := newDecoder(blob)
	table := make([]string, 1, 1+d.count())
	for range cap(table) - 1 {
		table = append(table, d.string())
	}
	word := func() string {
		if n := d.int(); n < len(table) {
			return table[n]
		}
		d.fail()
		return ""
	}
	refs := make([]agenvantage.Reference, d.count())
	for i := range refs {
		if k := d.int(); k < len(referenceKinds) {
			refs[i].Kind = referenceKinds[k]
		} else {
			d.fail()
		}
	}
	for i := range refs {
		refs[i].Name = word()
	}
	for i := range refs {
		refs[i].On = word()
	}
	line, from := 0, -1
	for i := range refs {
		line += int(d.int64())
		refs[i].Line = line
	}
	for i := range refs {
		from += int(d.int64())
		refs[i].From = from
	}
	highest := 0
	for i := range refs {
		refs[i].Binding = d.int()
		highest = max(highest, refs[i].Binding)
	}
	bindings, head := decodeBindings(d, word)
	highest = max(highest, head)
	if highest > len(bindings) {
		d.fail()
	}
	if len(refs) == 0 {
		refs = nil
	}
	return refs, bindings, d.err
}

// decodeBindings reads the bindings and gives the highest number that one of them names.
func decodeBindings(d *decoder, word func() string) (bindings []agenvantage.Binding, highest int) {
	if n := d.count(); n > 0 {
		bindings = make([]agenvantage.Binding, n)
	}
	for i := range bindings {
		b := &bindings[i]
		b.Name, b.Type, b.Value = word(), word(), word()
		symbol := d.int()
		b.Symbol, b.Attribute, b.Head = symbol/2-1, symbol%2 == 1, d.int()
		highest = max(highest, b.Head)
	}
	return bindings, highest
}
