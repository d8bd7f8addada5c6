package channels

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"agenvantage"
	"agenvantage/analysis"
)

// Bounds of what one path of the question returns.
const (
	maxPathFiles  = 64 // files
	maxPathChunks = 8  // chunks of each
	maxFolders    = 8  // paths of the question that may be folders or globs
)

// pathTable finds files by their names.
type pathTable struct {
	byBase map[string][]uint32 // lower case
	byStem map[string][]uint32 // analysis.Normalise of the name without extension
}

func newPathTable(files FileReader) *pathTable {
	t := &pathTable{byBase: map[string][]uint32{}, byStem: map[string][]uint32{}}
	for file := range uint32(files.FileCount()) {
		_, base := splitPath(files.Path(file))
		lower := strings.ToLower(base)
		t.byBase[lower] = append(t.byBase[lower], file)
		if stem := analysis.Normalise(stemOf(base)); stem != "" {
			t.byStem[stem] = append(t.byStem[stem], file)
		}
	}
	return t
}

// fit is how well a path of the question fits that of a file.
type fit int

const (
	fitNone   fit = iota
	fitBase       // the file name alone
	fitSuffix     // the file name and at least one folder, but not all
	fitWhole      // all names of the shorter of the two
)

// pathFits compares two paths by their names from the end. Letter case counts.
func pathFits(asked, path string) (fit, int) {
	a, p := strings.Split(strings.Trim(asked, "/"), "/"), strings.Split(path, "/")
	n := 0
	for n < len(a) && n < len(p) && a[len(a)-1-n] == p[len(p)-1-n] {
		n++
	}
	switch {
	case n == 0:
		return fitNone, 0
	case n == len(a) || n == len(p):
		// A longer path of the question that ends in a file at the root of the corpus agrees in one name only.
		if n == 1 && len(a) > 1 && len(p) == 1 {
			return fitBase, 1
		}
		return fitWhole, n
	case n == 1:
		return fitBase, 1
	}
	return fitSuffix, n
}

// findPaths finds the files and folders that the question names, and files of the name of a lone identifier.
func (s *exactSearch) findPaths() error {
	q := s.request.Query
	for i, asked := range q.Paths {
		if err := s.findPath(strings.TrimPrefix(asked, "./"), i < maxFolders); err != nil {
			return err
		}
	}
	if q.Class == agenvantage.ClassIdentifier && len(q.Identifiers) == 1 {
		for _, file := range s.inScope(s.paths().byStem[analysis.Normalise(q.Identifiers[0])]) {
			if err := s.addFile(file, scoreStem, "file of this name", 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// findPath finds one path; folders and globs, which cost a walk over all paths, only when walk is set.
func (s *exactSearch) findPath(asked string, walk bool) error {
	if walk && strings.ContainsAny(asked, "*?[{") && doublestar.ValidatePattern(asked) {
		p, err := compilePattern(asked)
		if err != nil || p.literal == "" {
			return nil // a glob that leads out of the root names no file of it
		}
		var files []uint32
		for file := range uint32(s.reader.FileCount()) {
			if len(files) == maxPathFiles {
				break
			}
			if path := s.reader.Path(file); s.request.Scope.Has(file) && (p.match(path) || doublestar.MatchUnvalidated("**/"+asked, path)) {
				files = append(files, file)
			}
		}
		return s.addFiles(files, scorePath, "path")
	}
	found := false
	for _, f := range s.fitting(asked) {
		score := 0.0
		switch f.kind {
		case fitWhole:
			score = scorePath + float64(min(f.names, 50))
			if s.reader.Path(f.file) == asked {
				score = scorePath + 99
			}
		case fitSuffix:
			score = scoreBaseName + 100*float64(min(f.names, 5))
		case fitBase:
			score = scoreBaseName
		default:
			score = scoreStem // the name in another letter case
		}
		found = true
		if err := s.addFile(f.file, score, "path", maxPathChunks); err != nil {
			return err
		}
	}
	if found || !walk {
		return nil
	}
	return s.findFolder(strings.Trim(asked, "/"))
}

// findFolder finds the files directly and then further below a folder.
func (s *exactSearch) findFolder(folder string) error {
	if folder == "" {
		return nil
	}
	var near, far []uint32
	for file := range uint32(s.reader.FileCount()) {
		path := s.reader.Path(file)
		at := strings.Index(path, folder+"/")
		if at < 0 || at > 0 && path[at-1] != '/' || !s.request.Scope.Has(file) {
			continue
		}
		if strings.IndexByte(path[at+len(folder)+1:], '/') < 0 {
			near = append(near, file)
		} else {
			far = append(far, file)
		}
	}
	files := append(near, far...)
	for i, file := range files[:min(len(files), maxPathFiles)] {
		if err := s.addFile(file, scoreFolder-float64(i), "file in this folder", 1); err != nil {
			return err
		}
	}
	return nil
}

func (s *exactSearch) addFiles(files []uint32, score float64, reason string) error {
	for _, file := range files {
		if err := s.addFile(file, score, reason, 1); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds up to most chunks of a file: those with most distinct terms of the question first, then in their order.
func (s *exactSearch) addFile(file uint32, score float64, reason string, most int) error {
	open, err := s.openWhole(file)
	if err != nil {
		return err
	}
	type ranked struct{ chunk, terms int }
	var chunks []ranked
	for i := range open.facts.Chunks {
		if s.chunkAllowed(open.facts, i) {
			chunks = append(chunks, ranked{i, s.termsIn(open, i)})
		}
	}
	slices.SortStableFunc(chunks, func(a, b ranked) int { return b.terms - a.terms })
	for i, c := range chunks[:min(len(chunks), most)] {
		s.add(hitKey{file, c.chunk, -1}, itemPath, score-float64(i), reason)
	}
	return nil
}

// termsIn counts the distinct terms of the question in a chunk; 0 when the question is a path and nothing else.
func (s *exactSearch) termsIn(open *openFile, chunk int) int {
	q := s.request.Query
	if q.Class == agenvantage.ClassPath || q.Class == agenvantage.ClassIdentifier {
		return 0
	}
	wanted := make(map[string]bool, len(q.Terms))
	for _, t := range q.Terms {
		wanted[t.Text] = true
	}
	count := 0
	for _, token := range analysis.AppendTokens(nil, open.chunkText(chunk)) {
		if wanted[token] {
			delete(wanted, token)
			count++
		}
	}
	return count
}

// inScope keeps at most maxPathFiles files that the scope lets through.
func (s *exactSearch) inScope(files []uint32) []uint32 {
	var kept []uint32
	for _, file := range files {
		if s.request.Scope.Has(file) && len(kept) < maxPathFiles {
			kept = append(kept, file)
		}
	}
	return kept
}

// placeIn finds the span of a frame in a file: the function of that name that holds the line, else the function of that
// name, else the innermost symbol at the line (a function or the like, not a whole class), else the chunk at the line.
func (s *exactSearch) placeIn(facts *agenvantage.Extraction, file uint32, f agenvantage.Frame) (key hitKey, named, ok bool) {
	name := ""
	if parts := splitQualified(f.Function); len(parts) > 0 {
		name = parts[len(parts)-1]
	}
	symbol := -1
	for i, candidate := range facts.Symbols {
		if !s.kindAllowed(candidate.Kind) || isContainer(candidate.Kind) && candidate.Name != name {
			continue
		}
		here := candidate.Span.HasLine(f.Line) && (f.EndLine <= f.Line || candidate.Span.HasLine(f.EndLine))
		isNamed := name != "" && candidate.Name == name
		if !here && !isNamed {
			continue
		}
		if symbol >= 0 {
			best := facts.Symbols[symbol]
			bestHere, bestNamed := best.Span.HasLine(f.Line), name != "" && best.Name == name
			if bestNamed != isNamed && bestNamed || bestNamed == isNamed && (bestHere && !here || bestHere == here && best.Span.Lines() <= candidate.Span.Lines()) {
				continue
			}
		}
		symbol, named = i, isNamed
	}
	line := f.Line
	if symbol >= 0 {
		line = facts.Symbols[symbol].NameLine
	}
	for i, chunk := range facts.Chunks {
		if chunk.Span.HasLine(line) && (symbol >= 0 || s.chunkAllowed(facts, i)) {
			return hitKey{file, i, symbol}, named, true
		}
	}
	return hitKey{}, false, false
}

// isContainer reports whether symbols of this kind hold other symbols, so that a line in one is better told by its chunk.
func isContainer(kind agenvantage.SymbolKind) bool {
	switch kind {
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindModule, agenvantage.KindSection:
		return true
	}
	return false
}
