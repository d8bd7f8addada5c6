package app

import (
	"path"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/plan"
)

// Asked tells which line of a result a query asks for: where few lines of a result are shown, that one is among them. The zero Asked asks for none.
type Asked struct {
	places []agenvantage.Frame
	quoted []string
}

// AskedIn reads a query. One that cannot be read, an expression and a long text ask for no line.
func AskedIn(query string, regex bool) Asked {
	q, err := plan.Parse(query, plan.ParseOptions{Regex: regex})
	if err != nil || !q.Short {
		return Asked{}
	}
	return Asked{q.Frames, q.Phrases}
}

// Line is the number in its file of the line of a result that the query asks for: that of a place, the nearest one where the result does not have it;
// else the first one that holds most of what is quoted. It is 0 where there is none.
func (a Asked) Line(r agenvantage.Result) int {
	if channels.IsPlace(r.Channels["exact"].Reason) {
		if line := a.place(r); line > 0 {
			return line
		}
	}
	line, most := 0, 0
	for i, text := range strings.Split(r.Text, "\n") {
		if held := a.heldBy(text); held > most {
			line, most = r.StartLine+i, held
		}
	}
	return line
}

// place is the line of the place that is nearest to a result in a file of its name, the first of equals; 0 for none.
func (a Asked) place(r agenvantage.Result) int {
	line, nearest := 0, -1
	for _, f := range a.places {
		if !strings.EqualFold(path.Base(f.Path), path.Base(r.Path)) {
			continue
		}
		first := min(max(f.Line, r.StartLine), max(f.Line, f.EndLine)) // of a range that began before
		at := min(max(first, r.StartLine), r.EndLine)
		if away := max(first-at, at-first); nearest < 0 || away < nearest {
			line, nearest = at, away
		}
	}
	return line
}

// heldBy weighs what is quoted that a line holds: as it stands it counts more than all that is there in another letter case.
func (a Asked) heldBy(line string) int {
	held := 0
	for _, text := range a.quoted {
		switch standing, folded := channels.Holds(line, text); {
		case standing:
			held += len(a.quoted) + 1
		case folded:
			held++
		}
	}
	return held
}
