package channels

import (
	"math/bits"
	"regexp"
	"strings"
)

// saying is how much of a message some lines hold.
type saying struct {
	line    int     // of the chunk, from 0: where the first stretch stands
	score   float64 // weights of the words that are held, and less for those that a placeholder stands for
	held    float64 // weights of the words that are held and no values
	words   int     // that are held
	longest int     // words of the stretch that says most
	telling int     // of which are neither stop words nor values
	rare    bool    // one of these is in few chunks
	quoted  bool    // it stands in a quoted text of the source
	whole   bool    // and is all of it between quotes and placeholders
	pointed bool    // there is more than white space between its words
}

// Bounds of the comparison of one line, and of what belongs together.
const (
	maxSayingLines = 4    // a text that is written over several lines
	maxLineCompare = 2048 // bytes of a line
	maxLinePairs   = 256  // pairs of equal words
	maxFilled      = 4    // words that one placeholder may stand for
	filledShare    = 0.9  // of the weight of a word that is filled in
)

// lineStretches is what one line holds: words of the message, a bit each.
type lineStretches struct {
	line     int
	held     uint64
	filled   uint64 // stood for by a placeholder between what is held
	appended uint64 // stood for by one behind it
	says     float64
	longest  int // words of the stretch that says most
	from     int // word of the message at which it begins
	quoted   bool
	whole    bool
}

// in finds the lines of a chunk that hold most of the message.
func (m *message) in(chunk string) (best saying) {
	var lines []lineStretches
	number := 0
	for line := range strings.SplitSeq(chunk, "\n") {
		if found, ok := m.inLine(line[:min(len(line), maxLineCompare)]); ok {
			found.line = number
			lines = append(lines, found)
		}
		number++
	}
	for i := range lines {
		if s := m.together(lines[i:]); s.score > best.score {
			best = s
		}
	}
	return best
}

// together adds to the first of some lines what the next ones hold beyond it, in the order of the message.
func (m *message) together(lines []lineStretches) saying {
	all := lines[0]
	for _, l := range lines[1:] {
		if l.line-lines[0].line >= maxSayingLines {
			break
		}
		if bits.TrailingZeros64(l.held) < bits.Len64(all.held) {
			continue
		}
		all.held |= l.held
		all.filled |= l.filled
		all.appended |= l.appended
		if l.says > all.says {
			all.says, all.longest, all.from, all.quoted, all.whole = l.says, l.longest, l.from, l.quoted, l.whole
		}
	}
	s := saying{line: all.line, longest: all.longest, quoted: all.quoted, whole: all.whole, words: bits.OnesCount64(all.held)}
	for i, w := range m.words {
		switch bit := uint64(1) << i; {
		case all.held&bit != 0:
			s.score += w.weight
			if !w.value {
				s.held += w.weight
			}
		case all.filled&bit != 0:
			s.score += filledShare * w.weight
		case all.appended&bit != 0:
			s.score += filledShare * min(w.weight, weightValue)
		}
		inStretch := i >= all.from && i < all.from+all.longest
		if inStretch && !w.stop && !w.value {
			s.telling++
			s.rare = s.rare || w.rare
		}
		s.pointed = s.pointed || inStretch && i > all.from && strings.TrimSpace(w.before) != ""
	}
	return s
}

// pair is a word of the message and one of the line that are equal, and the best way to lay the line beside the message that ends with it.
type pair struct {
	message, line int // words
	start, end    int // bytes of the line
	gain          float64
	previous      int // pair, -1 for none
	run           int // words of the stretch so far
}

// inLine lays a line beside the message: words in the same order, stretches before single words. ok is false for a line without a stretch.
func (m *message) inLine(line string) (found lineStretches, ok bool) {
	pairs := m.pairs(line)
	if len(pairs) < 2 {
		return found, false
	}
	last, longest := 0, 0
	for i := range pairs {
		m.extend(pairs[:i+1], line)
		if pairs[i].gain > pairs[last].gain {
			last = i
		}
		longest = max(longest, pairs[i].run)
	}
	if longest < 2 {
		return found, false
	}
	m.fillBehind(&found, pairs[last], line)
	for i := last; i >= 0; {
		end := pairs[i]
		first := end
		for n := end.run; n > 1; n-- {
			first = pairs[first.previous]
		}
		if says := m.says(first.message, end.run); end.run > 1 && says > found.says {
			found.says, found.longest, found.from, found.quoted = says, end.run, first.message, isQuotedAt(line, first.start)
			found.whole = found.quoted && textBefore.MatchString(line[:first.start]) && textBehind.MatchString(line[end.end:])
		}
		if end.run > 1 || !m.words[end.message].stop {
			found.held |= (1<<end.run - 1) << first.message
		}
		if i = first.previous; i >= 0 {
			m.fillBetween(&found, pairs[i], first, line)
		}
	}
	return found, found.longest >= 2
}

// says is the weight of some words of the message in a row, values left out.
func (m *message) says(from, count int) (sum float64) {
	for _, w := range m.words[from : from+count] {
		if !w.value {
			sum += w.weight
		}
	}
	return sum
}

// pairs lists the equal words of a line and the message, in the order of the line.
func (m *message) pairs(line string) (list []pair) {
	number := 0
	for start := range words(line) {
		word := wordAt(line, start)
		for _, i := range m.at[word] {
			if len(list) == maxLinePairs {
				return list
			}
			list = append(list, pair{message: i, line: number, start: start, end: start + len(word), previous: -1})
		}
		number++
	}
	return list
}

// extend finds the best way that ends with the last of pairs. A word that begins a stretch counts half until the stretch goes on.
func (m *message) extend(pairs []pair, line string) {
	p := &pairs[len(pairs)-1]
	weight := m.words[p.message].weight
	p.gain, p.run = weight/2, 1
	for i := range pairs[:len(pairs)-1] {
		o := pairs[i]
		if o.message >= p.message || o.line >= p.line {
			continue
		}
		gain, run := o.gain+weight/2, 1
		if o.message+1 == p.message && o.line+1 == p.line && sameBetween(m.words[p.message].before, line[o.end:p.start]) {
			gain, run = o.gain+weight, o.run+1
			if o.run == 1 {
				gain += m.words[o.message].weight / 2
			}
		}
		if gain > p.gain || gain == p.gain && run > p.run {
			p.gain, p.run, p.previous = gain, run, i
		}
	}
}

var unescapeQuotes = strings.NewReplacer(`\"`, `"`, `\'`, `'`)

// sameBetween compares what stands between words of the message and of the line: white space by being there, and quotes that the source escapes.
func sameBetween(said, source string) bool {
	source = unescapeQuotes.Replace(source)
	return said == source || strings.Join(strings.Fields("."+said+"."), " ") == strings.Join(strings.Fields("."+source+"."), " ")
}

// placeholder finds where values go: verbs of formats, braces, what ends a text to append a value.
var placeholder = regexp.MustCompile("%[-+ #0-9.*]*(?:\\(\\w+\\))?l*[a-zA-Z@]|\\{[^{}]*\\}|\\$\\w|[$#]\\{|\\\\\\(|[\"'`]\\s*(?:\\+|\\.|<<|,|&|%|\\)|<>|;|$)")

// What stands right before and right behind a text of the source that is all of a stretch: quotes and placeholders.
var (
	textBefore = regexp.MustCompile("(?:[\"'`}]|%[-+ #0-9.*]*l*[a-zA-Z@])[^\\w\"'`]{0,3}$")
	textBehind = regexp.MustCompile("^[^\\w%{$]{0,3}(?:[\"'`]|%[-+ #0-9.*]*[a-zA-Z@(]|\\{[^{}]*\\}|[$#]\\{|\\$\\w|\\\\\\()")
)

// fillBetween notes the words of the message that a placeholder between two pairs stands for.
func (m *message) fillBetween(found *lineStretches, a, b pair, line string) {
	if n := b.message - a.message - 1; n > 0 && n <= maxFilled && placeholder.MatchString(line[a.end:b.start]) {
		for i := a.message + 1; i < b.message; i++ {
			found.filled |= 1 << i
		}
	}
}

// fillBehind notes the words that a placeholder right behind the last pair stands for.
func (m *message) fillBehind(found *lineStretches, p pair, line string) {
	rest := line[p.end:min(len(line), p.end+16)]
	if at := placeholder.FindStringIndex(rest); at != nil && at[0] <= 4 {
		for i := p.message + 1; i <= min(p.message+maxFilled, len(m.words)-1); i++ {
			found.appended |= 1 << i
		}
	}
}

// isQuotedAt reports whether a place of a line is within quotes, which open outside of a word and are not escaped.
func isQuotedAt(line string, at int) bool {
	var open byte
	for i := 0; i < at; i++ {
		c := line[i]
		switch {
		case c == '\\':
			i++
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '"' || c == '\'' || c == '`') && (c != '\'' || i == 0 || !isWordRune(rune(line[i-1]))):
			open = c
		}
	}
	return open != 0
}
