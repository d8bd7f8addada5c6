package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
)

// What a short text quotes is asked for as it stands: what holds it comes before what resembles it, in a test or a document too, behind places alone.
// So is a lone name that nothing defines and no file is called. A quoted path is a path, but where it is all that is asked; a trace quotes what it is
// not about.

// spelling is a text that the question asks for as it stands.
type spelling struct {
	text    string
	named   bool // a qualified name: its definition answers it, though the text is not in there
	anyCase bool // not quoted: letter case makes no difference
}

// spellingsOf lists the spellings of a question; candidates tell whether anything defines its name.
func spellingsOf(q agenvantage.Query, candidates []agenvantage.Candidate) (list []spelling) {
	if !q.Short || q.Class.IsReport() {
		return nil
	}
	for _, p := range q.Phrases {
		if !slices.Contains(q.Paths, p) && (q.Class != agenvantage.ClassQuestion || standsApart(q.Text, p)) {
			list = append(list, spelling{text: p, named: slices.Contains(q.Qualified, p)})
		}
	}
	names := slices.Concat(q.Identifiers, q.Qualified)
	if q.Class != agenvantage.ClassIdentifier || len(names) != 1 || slices.ContainsFunc(candidates, isPrecise) {
		return list
	}
	return append(list, spelling{text: names[0], anyCase: true})
}

// standsApart reports whether a sentence quotes something as an expression of its own. Backquotes mark code there, and quotes within code belong to it:
// counted too, two of 11 issue tasks that are as short lost their first file.
func standsApart(text, phrase string) bool {
	for _, quote := range []string{`"`, "'"} {
		quoted := quote + phrase + quote
		for at := 0; ; at++ {
			i := strings.Index(text[at:], quoted)
			if i < 0 {
				break
			}
			if at += i; (at == 0 || text[at-1] <= ' ' || text[at-1] == '(') && !inCall(text[:at]) {
				return true
			}
		}
	}
	return false
}

// inCall reports whether a text ends within the brackets of a call.
func inCall(text string) bool {
	for closed, i := 0, len(text)-1; i >= 0; i-- {
		switch {
		case text[i] == ')':
			closed++
		case text[i] == '(' && closed > 0:
			closed--
		case text[i] == '(' && i > 0 && text[i-1] > ' ' && text[i-1] != '(':
			return true
		}
	}
	return false
}

// isPrecise reports whether a candidate is itself what the question names, and does not only use the name.
func isPrecise(c agenvantage.Candidate) bool { return channels.Precise(c.Channels["exact"].Score) > 0 }

// holding is how many spellings a span holds: as they stand, and in another letter case only. More is better, those that stand first.
type holding struct{ standing, folded int }

func (a holding) compare(b holding) int {
	return cmp.Or(cmp.Compare(b.standing, a.standing), cmp.Compare(b.folded, a.folded))
}

// spanOf names the lines of a candidate.
type spanOf struct {
	file uint32
	span agenvantage.Span
}

// holdings tells which candidates of a question hold what it spells.
type holdings struct {
	corpus    Corpus
	spellings []spelling
	known     map[spanOf]holding
}

// of is what a candidate holds.
func (h *holdings) of(c agenvantage.Candidate) (holding, error) {
	key := spanOf{c.File, c.Span}
	held, ok := h.known[key]
	if !ok {
		text, err := h.corpus.Text(c.File)
		if err != nil {
			return held, fmt.Errorf("text of %q: %w", h.corpus.Path(c.File), err)
		}
		lines := LinesOf(text, c.Span)
		for _, s := range h.spellings {
			switch standing, folded := channels.Holds(lines, s.text); {
			case standing, folded && s.anyCase:
				held.standing++
			case folded:
				held.folded++
			}
		}
		h.known[key] = held
	}
	for _, s := range h.spellings {
		if s.named && isPrecise(c) {
			held.standing++
		}
	}
	return held, nil
}

// divide parts the candidates that hold something from the others: first what says the message that the question may be, in the order of the channel
// that found it, then what holds spellings. Those that hold more come first, else the order is that given.
func (h *holdings) divide(candidates []agenvantage.Candidate) (holders, others []agenvantage.Candidate, err error) {
	sayers, candidates := partByExact(candidates, channels.IsMessage)
	if h == nil || len(h.spellings) == 0 {
		return sayers, candidates, nil
	}
	type holder struct {
		agenvantage.Candidate
		holding
	}
	var found []holder
	for _, c := range candidates {
		held, err := h.of(c)
		if err != nil {
			return nil, nil, err
		}
		if held == (holding{}) {
			others = append(others, c)
		} else {
			found = append(found, holder{c, held})
		}
	}
	slices.SortStableFunc(found, func(a, b holder) int { return a.compare(b.holding) })
	holders = sayers
	for _, f := range found {
		holders = append(holders, f.Candidate)
	}
	return holders, others, nil
}
