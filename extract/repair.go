package extract

import (
	"regexp"
	"sort"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
	"agenvantage/internal/clip"
)

// Half-written code makes the parser take what follows a damaged declaration for a part of it. A line that begins in the
// first column like a declaration ends the symbol around it and is a symbol itself.

// repairPatterns match such lines; the last group that takes part is the name.
var repairPatterns = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`^func (?:\([^)]*\) ?)?(\w+)\s*[(\[]`),
	"python":     regexp.MustCompile(`^(?:async )?def (\w+)\s*\(|^class (\w+)`),
	"javascript": regexp.MustCompile(`^(?:export )?(?:default )?(?:async )?function\*? (\w+)\s*\(|^(?:export )?class (\w+)`),
	"typescript": regexp.MustCompile(`^(?:export )?(?:default )?(?:async )?function\*? (\w+)\s*[(<]|^(?:export )?(?:abstract )?class (\w+)`),
	"tsx":        regexp.MustCompile(`^(?:export )?(?:default )?(?:async )?function\*? (\w+)\s*[(<]|^(?:export )?(?:abstract )?class (\w+)`),
	"rust":       regexp.MustCompile(`^(?:pub(?:\([^)]*\))? )?(?:async |unsafe |const )*fn (\w+)`),
}

// repair adds the symbols that a damaged tree hides and shortens those that reach over them.
func (s *source) repair(o *outline) {
	re := repairPatterns[s.rules.id]
	if re == nil {
		return
	}
	named := map[int]bool{}
	for i := range o.symbols {
		named[o.symbols[i].NameLine] = true
	}
	added := 0
	for line := 1; line <= s.lines.count() && added < 1000; line++ {
		text := s.lines.at(line)
		if named[line] || text == "" || text[0] == ' ' || text[0] == '\t' || len(text) > maxPatternLine {
			continue
		}
		m := re.FindStringSubmatch(text)
		if m == nil || !s.damaged(line) {
			continue
		}
		name, kind := m[1], agenvantage.KindFunction
		if len(m) > 2 && m[2] != "" {
			name, kind = m[2], agenvantage.KindClass
		}
		first, comments := s.attached(line)
		for i := range o.symbols {
			if sp := &o.symbols[i].Span; o.symbols[i].NameLine < first && sp.EndLine >= first {
				sp.EndLine = first - 1
				for sp.EndLine > o.symbols[i].NameLine && s.lines.blank(sp.EndLine) {
					sp.EndLine--
				}
			}
		}
		sym := agenvantage.Symbol{Name: name, Qualified: name, Kind: kind, Parent: -1, NameLine: line,
			Span:      agenvantage.Span{StartLine: first, EndLine: s.repairedEnd(o, line)},
			Signature: clip.Bytes(strings.TrimRight(strings.Join(strings.Fields(text), " "), " {:"), maxSignatureBytes), Doc: s.doc(&definition{}, comments)}
		if s.rules.visibility != nil {
			head, _, _ := strings.Cut(text, name)
			sym.Visibility = s.rules.visibility(name, strings.TrimSpace(head), "")
		}
		o.symbols, o.nodes = append(o.symbols, sym), append(o.nodes, (*sitter.Node)(nil))
		added++
	}
	if added == 0 {
		return
	}
	for i := range o.symbols { // what a shortened symbol no longer holds stands alone
		if p := o.symbols[i].Parent; p >= 0 && !o.symbols[p].Span.Contains(o.symbols[i].Span) {
			o.symbols[i].Parent = -1
		}
	}
	o.order()
}

// damaged reports whether an error region touches the line or one just above, or lies inside the lines of a symbol around it.
func (s *source) damaged(line int) bool {
	at := s.lines.start[line-1]
	i := sort.Search(len(s.found.errors), func(i int) bool { return s.found.errors[i].start > at })
	if i > 0 && s.found.errors[i-1].end > at {
		return true
	}
	// Not in an error node: hidden inside a definition that the parser stretched over it.
	for j := range s.found.defs {
		if d := &s.found.defs[j]; d.start < at && d.end > at && d.node != nil && d.node.HasError() {
			return true
		}
	}
	return false
}

// repairedEnd is the line before the next symbol, or the closing line of the block.
func (s *source) repairedEnd(o *outline, line int) int {
	last := s.lines.count()
	for i := range o.symbols {
		if start := o.symbols[i].Span.StartLine; start > line && start <= last {
			last = start - 1
		}
	}
	for l := line + 1; l <= last; l++ {
		text := s.lines.at(l)
		if text == "" || text[0] == ' ' || text[0] == '\t' || s.lines.blank(l) {
			continue
		}
		if text[0] == '}' {
			return l
		}
		if text[0] != ')' {
			last = l - 1
		}
	}
	for last > line && s.lines.blank(last) {
		last--
	}
	return max(last, line)
}
