package app

// subject describes a place.
func (n *navigator) subject(s spot) NavigationSubject {
	info := n.corpus.File(s.file)
	out := NavigationSubject{Location: n.request.Location, Path: info.Path, StartLine: s.span.StartLine, EndLine: s.span.EndLine, Kind: kindFile, Stale: n.changed(s.file)}
	x, err := n.corpus.Facts(s.file)
	switch {
	case err != nil:
	case len(s.symbols) == 1, len(s.symbols) > 0 && !s.lines:
		sym := &x.Symbols[s.symbols[0]]
		out.Symbol, out.Kind = sym.Qualified, string(sym.Kind)
	case s.lines:
		out.Kind = kindLines
		for _, symbol := range s.symbols[:min(len(s.symbols), maxSubjectSymbols)] {
			out.Symbols = append(out.Symbols, x.Symbols[symbol].Qualified)
		}
	}
	lines, err := n.linesOf(s.file)
	if err != nil {
		return out
	}
	if n.request.Verb == VerbRead {
		out.FileLines = len(lines)
	}
	if out.StartLine == 0 && len(lines) > 0 {
		out.StartLine, out.EndLine = 1, len(lines)
	}
	return out
}

// maxSubjectSymbols bounds the symbols that are named for a range of lines.
const maxSubjectSymbols = 8
