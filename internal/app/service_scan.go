package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/extract"
	"agenvantage/internal/count"
	"agenvantage/plan"
	"agenvantage/scan"
	"agenvantage/server"
)

// A search without an index reads the files themselves, as grep would, with the same file set and the same masking of secrets: the
// first question of a conversation gets an answer while the index is being built. Each file is scored by its best line:
//
//	6    the file is a path of the question
//	5    the whole question as it stands; a quoted phrase or a match of the expression: 4
//	3    an identifier of the question as a whole word, 2 more where the line looks like its definition
//	1    each other term of the question, without regard to case
//
// plus a tenth of that for each further needle elsewhere in the file. Ties go by path, so that the same tree gives the same answer
// whenever all of it was read.

// scanTimeout bounds such a search. Two idle cores read some 10,000 small files in it.
const scanTimeout = 1500 * time.Millisecond

// scanContext is how many lines around the best one are shown where no symbol encloses it.
const scanContext = 5

// needle is one thing to look for.
type needle struct {
	text   string
	weight float64
	word   bool // as a whole word, as written; else anywhere
	fold   bool // without regard to case: text is in lower case
	regex  *regexp.Regexp
}

// scanned is a file that holds something.
type scanned struct {
	source scan.Source
	line   int // best, 1-based
	score  float64
	why    string
}

// scan answers a search from the files.
func (s *Service) scan(ctx context.Context, c server.Call, a *server.SearchArguments) (server.Answer, error) {
	r, err := searchRequest(a)
	if err != nil {
		return server.Answer{}, err
	}
	request, err := s.app.pipelineRequest(r)
	if err != nil {
		return server.Answer{}, err
	}
	query, err := plan.Parse(a.Query, plan.ParseOptions{Regex: a.Regex})
	if err != nil {
		return server.Answer{}, err
	}
	needles, err := needlesOf(query)
	if err != nil {
		return server.Answer{}, err
	}
	if a.Cursor != "" {
		return server.Answer{}, fmt.Errorf("%w: a cursor needs an index: ask again without it", agenvantage.ErrBadInput)
	}
	began := newStopwatch()
	bounded, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	listing, err := s.app.tree.List(bounded)
	if err != nil {
		if ctx.Err() != nil {
			return server.Answer{}, ctx.Err()
		}
		return server.Answer{}, fmt.Errorf("%w: %s; listing the files took too long", agenvantage.ErrIncomplete, buildingText(c))
	}
	files := listedFiles(listing.Entries)
	scope, err := channels.CompileScope(request.Filter, files)
	if err != nil {
		return server.Answer{}, err
	}
	found, read := s.lookAt(bounded, files, scope, query, needles)
	if ctx.Err() != nil {
		return server.Answer{}, ctx.Err()
	}
	topK := cmp.Or(a.TopK, s.app.config.Search.TopK)
	response := agenvantage.Response{Query: a.Query, Class: query.Class, Root: s.app.root, Revision: listing.Revision, ConfigHash: s.app.config.Hash(), Results: []agenvantage.Result{},
		Coverage: agenvantage.Coverage{FilesSkipped: len(listing.Skips), FilesInScope: scope.Count()}}
	for _, f := range found {
		if len(response.Results) == topK {
			break
		}
		if result, ok := s.scanResult(ctx, f, request.Filter.Kinds, len(response.Results)+1); ok {
			response.Results = append(response.Results, result)
		}
	}
	covered := 1.0
	if scope.Count() > 0 {
		covered = float64(read) / float64(scope.Count())
	}
	response.Channels = s.scanReports(len(found), covered, began.ms())
	partial := buildingText(c) + "; live channels: exact (scan of the files)"
	if covered < 1 {
		partial += fmt.Sprintf(", which came to %d of %s", read, count.Of(scope.Count(), "file", "files"))
	}
	response.Notes = append(slices.Clone(scope.Notes()), partial)
	response.TookMS = began.ms()
	results := response.Results
	response.Results = nil
	limit := c.Limits
	limit.MaxTokens = lowerBound(a.MaxTokens, limit.MaxTokens)
	if limit, err = s.room(limit, shown(&response, func() string { return scanText(response, read) })); err != nil {
		return server.Answer{}, err
	}
	response.Results = s.fitResults(results, limit, c.Sent)
	reports := response.Channels
	if !a.Timings {
		response = response.WithoutTimings()
	}
	out := shown(&response, func() string { return scanText(response, read) })
	out.Channels, out.Partial, out.Class, out.Reports = []string{"exact (scan)"}, partial, string(response.Class), reports
	return out, nil
}

func scanText(a agenvantage.Response, read int) string {
	if len(a.Results) > 0 {
		a.Notes = a.Notes[:len(a.Notes)-1] // the line about the index says the last one
		return searchText(a, false)
	}
	return fmt.Sprintf("Nothing found in the %s read so far: the index is not there yet, so that this proves nothing.\nTry plain grep, or again in a few seconds.\n", count.Of(read, "file", "files"))
}

// scanReports says of each channel that it could not run but for exact.
func (s *Service) scanReports(hits int, covered, took float64) []agenvantage.ChannelReport {
	var reports []agenvantage.ChannelReport
	for _, name := range namesOf(s.app.makers) {
		r := agenvantage.ChannelReport{Name: name, Status: agenvantage.StatusOff, Error: "there is no index yet"}
		if name == "exact" {
			r = agenvantage.ChannelReport{Name: name, Status: agenvantage.StatusPartial, Hits: hits, TookMS: took, Covered: &covered, Note: "a scan of the files, without an index"}
		}
		reports = append(reports, r)
	}
	return reports
}

// listedFiles is a listing as channels read it.
type listedFiles []scan.Entry

func (l listedFiles) FileCount() int          { return len(l) }
func (l listedFiles) Path(file uint32) string { return l[file].Path }
func (l listedFiles) Lang(file uint32) string {
	lang, _ := scan.ClassifyPath(l[file].Path)
	return lang
}
func (l listedFiles) Class(file uint32) agenvantage.Class {
	_, class := scan.ClassifyPath(l[file].Path)
	return class
}

// defining is what stands before a name in a line that seems to define it: a word of a language, perhaps a receiver.
var defining = regexp.MustCompile(`\b(?:func|def|class|struct|interface|type|enum|trait|fn|function|const|let|var|module|impl|macro|sub|record|object)\s+(?:\([^)]*\)\s*)?[*&]*$`)

// needlesOf lists what to look for, the most telling first.
func needlesOf(q agenvantage.Query) ([]needle, error) {
	var needles []needle
	add := func(n needle) {
		if len(n.text) > 1 && !slices.ContainsFunc(needles, func(o needle) bool { return o.fold == n.fold && strings.EqualFold(o.text, n.text) }) {
			needles = append(needles, n)
		}
	}
	if q.Regex != "" {
		compiled, err := regexp.Compile(q.Regex)
		if err != nil {
			return nil, fmt.Errorf("%w: regular expression: %v", agenvantage.ErrBadInput, err)
		}
		return []needle{{text: q.Regex, weight: 4, regex: compiled}}, nil
	}
	for _, p := range q.Phrases {
		add(needle{text: p, weight: 4})
	}
	for _, name := range append(slices.Clone(q.Identifiers), q.Qualified...) {
		parts := plan.SplitQualified(name)
		add(needle{text: parts[len(parts)-1], weight: 3, word: true})
	}
	if q.Literal != "" {
		add(needle{text: q.Literal, weight: 5})
	}
	for _, t := range q.Terms {
		add(needle{text: strings.ToLower(t.Text), weight: 1, fold: true})
	}
	return needles, nil
}

// lookAt reads the files of the scope, those first whose paths hold something that is looked for, until the context ends. It gives those that
// hold something, best first, and how many were read.
func (s *Service) lookAt(ctx context.Context, files listedFiles, scope *channels.Scope, q agenvantage.Query, needles []needle) (found []scanned, read int) {
	inPath := func(f uint32) bool {
		p := strings.ToLower(files[f].Path)
		return slices.ContainsFunc(needles, func(n needle) bool { return n.regex == nil && strings.Contains(p, strings.ToLower(n.text)) })
	}
	var order, others []uint32
	for f := range uint32(len(files)) {
		switch {
		case !scope.Has(f):
		case inPath(f):
			order = append(order, f)
		default:
			others = append(others, f)
		}
	}
	order = append(order, others...)
	var mu sync.Mutex
	var next, done atomic.Int64
	var all sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(order) {
					return
				}
				source, skip, err := s.app.tree.Read(ctx, files[order[i]])
				if err != nil {
					return
				}
				done.Add(1)
				if skip != nil {
					continue
				}
				if hit, ok := match(source, q, needles); ok {
					mu.Lock()
					found = append(found, hit)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	slices.SortFunc(found, func(a, b scanned) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.source.File.Path, b.source.File.Path))
	})
	return found, int(done.Load())
}

// match scores one file.
func match(source scan.Source, q agenvantage.Query, needles []needle) (hit scanned, ok bool) {
	hit = scanned{source: source, line: 1}
	name := source.File.Path
	for _, p := range q.Paths {
		if p = path.Clean(strings.TrimPrefix(p, "./")); name == p || strings.HasSuffix(name, "/"+p) {
			hit.score, hit.why = 6, "path"
		}
	}
	for _, f := range q.Frames {
		if p := path.Clean(f.Path); name == p || strings.HasSuffix(name, "/"+p) || strings.HasSuffix(p, "/"+name) {
			hit.score, hit.line, hit.why = 6, f.Line, "place"
		}
	}
	lower := strings.ToLower(source.Text)
	var live []needle
	for _, n := range needles {
		if n.regex != nil || n.fold && strings.Contains(lower, n.text) || !n.fold && strings.Contains(source.Text, n.text) {
			live = append(live, n)
		}
	}
	if len(live) == 0 {
		return hit, hit.score > 0
	}
	best, bestLine, seen, number := 0.0, 1, map[string]bool{}, 0
	for line := range strings.Lines(source.Text) {
		number++
		if score := scoreLine(line, live, seen); score > best {
			best, bestLine = score, number
		}
	}
	if best > 0 && hit.why != "place" {
		hit.line = bestLine
	}
	if best > 0 && hit.why == "" {
		hit.why = "scan"
	}
	hit.score += best
	for _, n := range live {
		if seen[n.text] {
			hit.score += n.weight / 10
		}
	}
	hit.score = math.Round(100*hit.score) / 100
	return hit, hit.score > 0
}

// scoreLine adds up what a line holds, and notes it.
func scoreLine(line string, needles []needle, seen map[string]bool) (score float64) {
	lower := ""
	for _, n := range needles {
		holds := false
		switch {
		case n.regex != nil:
			holds = n.regex.MatchString(strings.TrimSuffix(line, "\n"))
		case n.fold:
			if lower == "" {
				lower = strings.ToLower(line)
			}
			holds = strings.Contains(lower, n.text)
		case n.word:
			at := wordAt(line, n.text)
			if holds = at >= 0; holds && defining.MatchString(line[:at]) {
				score += 2
			}
		default:
			holds = strings.Contains(line, n.text)
		}
		if holds {
			score += n.weight
			seen[n.text] = true
		}
	}
	return score
}

// wordAt is where a line holds a name as a whole word, -1 where it does not.
func wordAt(line, name string) int {
	inWord := func(i int) bool {
		return i >= 0 && i < len(line) && (line[i] == '_' || line[i] >= '0' && line[i] <= '9' || line[i] >= 'a' && line[i] <= 'z' || line[i] >= 'A' && line[i] <= 'Z' || line[i] >= 0x80)
	}
	for from := 0; ; {
		at := strings.Index(line[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		if !inWord(at-1) && !inWord(at+len(name)) {
			return at
		}
		from = at + 1
	}
}

// maxScanLines is the longest symbol that is shown whole, as long as a chunk is at most.
const maxScanLines = 80

// wholeAround is the innermost symbol around a line that can be shown whole, -1 without one. Of those in the same lines it is the first: a class
// of one line before its member, as what is shown is the class.
func wholeAround(x *agenvantage.Extraction, line int) int {
	inner := x.Innermost(line, nil)
	if inner < 0 || x.Symbols[inner].Span.Lines() > maxScanLines {
		return -1
	}
	return slices.IndexFunc(x.Symbols, func(s agenvantage.Symbol) bool { return s.Span == x.Symbols[inner].Span })
}

// scanResult is a file's best place as a result: the symbol or chunk around the best line, else some lines.
func (s *Service) scanResult(ctx context.Context, f scanned, kinds []agenvantage.SymbolKind, rank int) (agenvantage.Result, bool) {
	file := f.source.File
	lines := strings.Split(strings.TrimSuffix(f.source.Text, "\n"), "\n")
	f.line = min(max(f.line, 1), len(lines))
	span := agenvantage.Span{StartLine: max(1, f.line-scanContext), EndLine: min(len(lines), f.line+scanContext)}
	r := agenvantage.Result{Rank: rank, Path: file.Path, Lang: file.Lang, Kind: agenvantage.ChunkBlock, Score: f.score,
		Channels: map[string]agenvantage.ChannelRank{"exact": {Rank: rank, Score: f.score, Share: f.score, Reason: f.why}}, Parts: []agenvantage.Part{{Name: "exact", Value: f.score}}}
	facts, err := s.app.extractor.Extract(ctx, extract.Input{Path: file.Path, Lang: file.Lang, Class: file.Class, Text: f.source.Text})
	if err == nil {
		if i := wholeAround(&facts, f.line); i >= 0 {
			o := facts.Symbols[i]
			span, r.Kind, r.Symbol, r.Signature, r.Doc = o.Span, o.Kind, o.Qualified, o.Signature, o.Doc
		} else if i := slices.IndexFunc(facts.Chunks, func(c agenvantage.Chunk) bool { return c.Span.HasLine(f.line) }); i >= 0 {
			span, r.Kind = facts.Chunks[i].Span, facts.Chunks[i].Kind
		}
	}
	if len(kinds) > 0 && !slices.Contains(kinds, r.Kind) {
		return r, false
	}
	r.StartLine, r.EndLine = span.StartLine, span.EndLine
	limit := s.app.config.Search.MaxLineChars
	for i, line := range lines[span.StartLine-1 : min(span.EndLine, len(lines))] {
		if len(line) > limit {
			line, r.Shortened = strings.ToValidUTF8(line[:limit], "")+"…", true
		}
		if i > 0 {
			r.Text += "\n"
		}
		r.Text += line
	}
	return r, true
}
