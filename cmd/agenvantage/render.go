package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

const (
	shownLines    = 6   // lines of one result
	linesBefore   = 2   // of them before the line that the query asks for
	plainLineSize = 200 // characters of a line when the width of the output is not known
)

// Escapes of the four things that are coloured.
const (
	colourPath  = "\x1b[35m"
	colourLine  = "\x1b[32m"
	colourMatch = "\x1b[1;31m"
	colourDim   = "\x1b[2m"
	colourEnd   = "\x1b[0m"
)

// screen prints results for people.
type screen struct {
	w       *bufio.Writer
	colours bool
	width   int // characters of a shown line, without its number
	explain bool
	query   highlighter
	asked   app.Asked
}

// render prints the answer on standard output, and what must be known about it on standard error.
func (p *program) render(r agenvantage.Response, f searchFlags) error {
	width := p.width() - 8
	if width < 40 {
		width = plainLineSize
	}
	s := &screen{w: bufio.NewWriter(p.stdout), colours: p.colours(), width: width, explain: f.explain, query: newHighlighter(r.Query, f.regex),
		asked: app.AskedIn(r.Query, f.regex)}
	for i, result := range r.Results {
		if i > 0 {
			s.w.WriteByte('\n')
		}
		s.result(result)
	}
	if f.explain {
		s.answer(r)
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	p.remarks(r, f.like != "")
	return nil
}

func (s *screen) paint(colour, text string) string {
	if !s.colours || text == "" {
		return text
	}
	return colour + text + colourEnd
}

func (s *screen) result(r agenvantage.Result) {
	fmt.Fprint(s.w, s.paint(colourPath, fmt.Sprintf("%s:%d-%d", visiblePath(r.Path), r.StartLine, r.EndLine)), "  ", r.Kind)
	if r.Symbol != "" {
		fmt.Fprint(s.w, " ", visible(r.Symbol))
	}
	if r.MoreInFile > 0 {
		fmt.Fprint(s.w, "  ", s.paint(colourDim, fmt.Sprintf("+%d more in this file", r.MoreInFile)))
	}
	if r.Stale {
		fmt.Fprint(s.w, "  ", s.paint(colourDim, "changed on disk since it was indexed"))
	}
	s.w.WriteByte('\n')
	s.also(r.Also)
	lines := strings.Split(strings.TrimRight(r.Text, "\n"), "\n")
	from, to := s.window(r, lines)
	for from < to-1 && strings.TrimSpace(lines[from]) == "" {
		from++
	}
	for i := from; i < to; i++ {
		number := fmt.Sprintf("%6d", r.StartLine+i)
		if line := s.line(lines[i]); line != "" {
			fmt.Fprintf(s.w, "%s  %s\n", s.paint(colourLine, number), line)
		} else {
			fmt.Fprintln(s.w, s.paint(colourLine, number))
		}
	}
	if s.explain {
		s.score(r)
	}
}

// window is the lines of a result that are shown: those around the line that the query asks for, else those that are most about its words.
func (s *screen) window(r agenvantage.Result, lines []string) (from, to int) {
	line := s.asked.Line(r)
	if line == 0 {
		return s.query.bestWindow(lines, shownLines)
	}
	to = min(max(line-r.StartLine-linesBefore, 0)+shownLines, len(lines))
	return max(to-shownLines, 0), to
}

// also names what has the text of a result and is not shown for it; explained, how much they are alike.
func (s *screen) also(copies []agenvantage.Copy) {
	for i, c := range copies {
		before, after := "        also: ", ""
		if i > 0 {
			before = ", "
		}
		if s.explain {
			after = fmt.Sprintf(" (folded, alike %s)", decimal(c.Alike))
		}
		fmt.Fprint(s.w, before, s.paint(colourPath, fmt.Sprintf("%s:%d-%d", visiblePath(c.Path), c.StartLine, c.EndLine)), s.paint(colourDim, after))
	}
	if len(copies) > 0 {
		s.w.WriteByte('\n')
	}
}

// line is one line of text, cut around its first match, with its matches coloured and everything unusual escaped.
func (s *screen) line(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\t", "    "), " \r")
	matches := s.query.find(text)
	before, after := "", ""
	if utf8.RuneCountInString(text) > s.width {
		start := 0
		if len(matches) > 0 && utf8.RuneCountInString(text[:matches[0][1]]) > s.width {
			start = back(text, matches[0][0], s.width/3)
			before = "…"
		}
		end := forward(text, start, s.width)
		if end < len(text) {
			after = "…"
		}
		for i := range matches {
			matches[i] = []int{min(max(matches[i][0]-start, 0), end-start), min(max(matches[i][1]-start, 0), end-start)}
		}
		text = text[start:end]
	}
	var b strings.Builder
	b.WriteString(before)
	at := 0
	for _, m := range matches {
		if m[0] < at || m[0] >= m[1] {
			continue
		}
		b.WriteString(visible(text[at:m[0]]))
		b.WriteString(s.paint(colourMatch, visible(text[m[0]:m[1]])))
		at = m[1]
	}
	b.WriteString(visible(text[at:]))
	b.WriteString(after)
	return b.String()
}

// back is the place n characters before at.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

// forward is the place n characters after at.
func forward(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// score explains one result: the parts that sum to its score, then what each channel said.
func (s *screen) score(r agenvantage.Result) {
	parts := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		parts[i] = p.Name + " " + decimal(p.Value)
	}
	fmt.Fprintf(s.w, "        score %s = %s\n", decimal(r.Score), cmp.Or(strings.Join(parts, " + "), "0"))
	for _, name := range slices.Sorted(maps.Keys(r.Channels)) {
		c := r.Channels[name]
		reason := ""
		if c.Reason != "" {
			reason = "  " + visible(c.Reason)
		}
		fmt.Fprintf(s.w, "        %-8s rank %d  score %s  share %s%s\n", name, c.Rank, decimal(c.Score), decimal(c.Share), reason)
	}
}

// answer explains the whole answer.
func (s *screen) answer(r agenvantage.Response) {
	if len(r.Results) > 0 {
		s.w.WriteByte('\n')
	}
	fmt.Fprintf(s.w, "query    class %s, %s ms, configuration %s\n", r.Class, milliseconds(r.TookMS), r.ConfigHash)
	if len(r.Stages) > 0 {
		stages := make([]string, len(r.Stages))
		for i, stage := range r.Stages {
			stages[i] = stage.Name + " " + milliseconds(stage.TookMS)
		}
		fmt.Fprintf(s.w, "stages   %s ms\n", strings.Join(stages, ", "))
	}
	fmt.Fprintf(s.w, "index    generation %d, revision %s\n", r.Generation, cmp.Or(r.Revision, "none"))
	fmt.Fprintf(s.w, "coverage %s\n", coverageText(r.Coverage))
	for _, c := range r.Channels {
		fmt.Fprintf(s.w, "channel  %s: %s, %s, %s ms", c.Name, c.Status, count.Of(c.Hits, "hit", "hits"), milliseconds(c.TookMS))
		if c.Covered != nil {
			fmt.Fprintf(s.w, ", %.0f%% covered", 100**c.Covered)
		}
		if c.Error != "" {
			fmt.Fprintf(s.w, ": %s", visible(c.Error))
		}
		if c.Note != "" {
			fmt.Fprintf(s.w, "; %s", visible(c.Note))
		}
		if len(c.AlsoAsked) > 0 {
			fmt.Fprintf(s.w, "; asked too: %s", visible(strings.Join(c.AlsoAsked, ", ")))
		}
		if c.Why != "" {
			fmt.Fprintf(s.w, "; gate: %s", visible(c.Why))
		}
		s.w.WriteByte('\n')
	}
}

func decimal(f float64) string      { return strconv.FormatFloat(f, 'g', 5, 64) }
func milliseconds(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

func coverageText(c agenvantage.Coverage) string {
	return fmt.Sprintf("%s indexed, %d skipped, %d in scope", count.Of(c.FilesIndexed, "file", "files"), c.FilesSkipped, c.FilesInScope)
}

// remarks says on standard error what a reader of the answer must know: that nothing was found and where, that the
// index is stale, that a channel failed.
func (p *program) remarks(r agenvantage.Response, like bool) {
	var told []string
	if len(r.Results) == 0 {
		told = p.nothing(p.stderr, r, like)
	}
	if !p.says("warn") {
		return
	}
	p.notes(r.Notes)
	if r.Coverage.Stale {
		fmt.Fprintf(p.stderr, "Note: the index is stale: %s\n", visible(cmp.Or(r.Coverage.StaleReason, "files changed since it was built")))
	}
	for _, remark := range agenvantage.Remarks(r.Channels) {
		fmt.Fprintf(p.stderr, "Note: channel %s\n", visible(remark))
	}
	for _, c := range r.Channels {
		if failure := c.Failure(); failure != "" && !slices.Contains(told, failure) {
			fmt.Fprintf(p.stderr, "Note: channel %s\n", visible(failure))
		}
	}
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// nothing says how much was looked at and what to try. told are the failures that it names.
func (p *program) nothing(w io.Writer, r agenvantage.Response, like bool) (told []string) {
	if r.Coverage.FilesIndexed == 0 {
		fmt.Fprintf(w, "Nothing found: no files are indexed below %s (%d skipped).\nTry: agenvantage files --skipped\n", visiblePath(p.root), r.Coverage.FilesSkipped)
		return nil
	}
	if failures := agenvantage.Blind(r.Channels); len(failures) > 0 {
		fmt.Fprintf(w, "Nothing was looked for: channel %s\nTry: --channels exact,bm25f, or what docs/embeddings.md says of this state\n", visible(strings.Join(failures, "; ")))
		return failures
	}
	var ran []string
	for _, c := range r.Channels {
		if c.Status != agenvantage.StatusOff {
			ran = append(ran, c.Name)
		}
	}
	fmt.Fprintf(w, "Nothing found: %s, channels %s.\n", coverageText(r.Coverage), cmp.Or(strings.Join(ran, ", "), "none"))
	try, why, byMeaning := app.OnlyByMeaning(r, like)
	switch {
	case r.Coverage.FilesInScope == 0:
		fmt.Fprintln(w, "Try: a wider --path, --not-path, --lang or --kind; none of the indexed files is in scope")
	case byMeaning:
		fmt.Fprintf(w, "Try: %s: %s\n", try, visible(why))
	case r.Coverage.FilesSkipped > 0:
		fmt.Fprintln(w, "Try: fewer or other words; agenvantage files --skipped lists what was left out")
	default:
		fmt.Fprintln(w, "Try: fewer or other words, or a part of a name")
	}
	return nil
}
