package app

import (
	"context"
	"fmt"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/server"
)

// relations are the verbs of symbol.
var relations = map[string]NavigateVerb{"": VerbSymbol, "definition": VerbSymbol, "references": VerbRefs, "callers": VerbCallers, "callees": VerbCallees}

// navigateRequest reads the arguments of the operations that walk the graph.
func navigateRequest(c server.Call) (NavigateRequest, error) {
	verb := NavigateVerb(strings.ReplaceAll(c.Operation, "_", "-"))
	switch a := c.Arguments.(type) {
	case *server.ReadArguments:
		return NavigateRequest{Verb: VerbRead, Location: a.Location, Around: a.Around, MaxTokens: a.MaxTokens, Cursor: a.Cursor, NoRefresh: a.NoRefresh}, nil
	case *server.NavigateArguments:
		return NavigateRequest{Verb: verb, Location: a.Location, Depth: a.Depth, MaxTokens: a.MaxTokens, Cursor: a.Cursor, NoRefresh: a.NoRefresh}, nil
	case *server.NeighborsArguments:
		r := NavigateRequest{Verb: VerbNeighbors, Location: a.Location, Depth: a.Depth, MaxTokens: a.MaxTokens, Cursor: a.Cursor, NoRefresh: a.NoRefresh}
		for _, e := range a.Edges {
			r.Edges = append(r.Edges, agenvantage.EdgeKind(strings.ToLower(e)))
		}
		return r, nil
	case *server.SymbolArguments:
		r := NavigateRequest{Verb: relations[a.Relation], MaxTokens: a.MaxTokens, Cursor: a.Cursor, NoRefresh: a.NoRefresh}
		switch {
		case (a.Name == "") == (a.Location == ""):
			return r, fmt.Errorf("%w: symbol: one of the arguments \"name\" and \"location\" is needed", agenvantage.ErrBadInput)
		case a.Name != "":
			r.Location = a.Name
		default:
			r.Location = a.Location
		}
		return r, nil
	}
	return NavigateRequest{}, fmt.Errorf("%w: operation %q takes other arguments", agenvantage.ErrBadInput, c.Operation)
}

// navigate walks the graph. An answer whose text or JSON comes out longer than the limits is asked for again with less room; the
// cursor reaches what it leaves out.
func (s *Service) navigate(ctx context.Context, c server.Call, r NavigateRequest) (server.Answer, error) {
	r.JSON = true
	if r.MaxTokens < 0 {
		return server.Answer{}, fmt.Errorf("%w: max_tokens is %d, want 1 or more", agenvantage.ErrBadInput, r.MaxTokens)
	}
	if r.Verb == VerbSymbol && isPlace(c.Arguments) {
		return s.symbolAt(ctx, c, r)
	}
	r.MaxTokens = lowerBound(r.MaxTokens, c.Limits.MaxTokens)
	for range maxShrinks {
		answer, err := s.app.Navigate(ctx, r, nil)
		if err != nil {
			return server.Answer{}, err
		}
		out, over, err := s.sized(&answer, func() string { return navigationText(answer) }, c.Limits)
		if err != nil {
			return server.Answer{}, err
		}
		if over > 1 && len(answer.Items)+len(answer.Tests) > 0 && r.MaxTokens > minShrunkTokens {
			r.MaxTokens = shrunk(r.MaxTokens, over)
			continue
		}
		if over > 1 { // one line is longer than an answer may be
			if out, err = s.cutItems(&answer, c.Limits); err != nil {
				return server.Answer{}, err
			}
		}
		return s.navigated(out, &answer, c), nil
	}
	return server.Answer{}, fmt.Errorf("%w: one line of %s is longer than an answer may be", agenvantage.ErrBadInput, r.Location)
}

// cutItems shortens the texts of items that are too long for an answer.
func (s *Service) cutItems(n *Navigation, limit server.Limits) (server.Answer, error) {
	text := func() string { return navigationText(*n) }
	texts := make([]string, len(n.Items))
	for i := range n.Items {
		texts[i], n.Items[i].Text = n.Items[i].Text, ""
	}
	if len(n.Items) > 0 {
		n.Notes = append(n.Notes, fmt.Sprintf("%s:%d is cut: the line is too long for an answer", n.Items[0].Path, n.Items[0].StartLine))
	}
	room, err := s.room(limit, shown(n, text))
	if err != nil {
		return server.Answer{}, err
	}
	for i := range n.Items {
		n.Items[i].Text = s.cutText(texts[i], server.Limits{MaxTokens: room.MaxTokens / len(texts), MaxBytes: room.MaxBytes / len(texts)})
	}
	return shown(n, text), nil
}

// Bounds of asking again for less.
const (
	maxShrinks      = 6
	minShrunkTokens = 200
)

// shrunk is a budget that brings an answer that is over times too long within its limits.
func shrunk(budget int, over float64) int {
	if budget == 0 {
		budget = server.DefaultMaxTokens
	}
	return max(minShrunkTokens, int(float64(budget)/over*0.9))
}

// navigated puts references in the place of what was sent before, and says how far the answer saw.
func (s *Service) navigated(out server.Answer, a *Navigation, c server.Call) server.Answer {
	if a.Verb == VerbRead && c.Sent != nil {
		for i := range a.Items {
			item := &a.Items[i]
			item.Text = c.Sent.Take(item.Path, item.StartLine, item.Text)
		}
		out.Text = navigationText(*a)
	}
	if a.Coverage.Stale {
		out.Stale = a.Coverage.StaleReason
	}
	return out
}

// isPlace reports whether symbol was asked by a place.
func isPlace(arguments any) bool {
	a, ok := arguments.(*server.SymbolArguments)
	return ok && a.Location != ""
}

// symbolAt finds the definitions of what stands at a place: those of its name, since a place is no name.
func (s *Service) symbolAt(ctx context.Context, c server.Call, r NavigateRequest) (server.Answer, error) {
	at := r
	at.Verb, at.Cursor, at.MaxTokens = VerbCallees, "", 1
	place, err := s.app.Navigate(ctx, at, nil)
	if err != nil {
		return server.Answer{}, err
	}
	names := place.Subject.Symbols
	if place.Subject.Symbol != "" {
		names = []string{place.Subject.Symbol}
	}
	switch {
	case len(place.Candidates) > 0:
		place.Verb = VerbSymbol
		return server.Answer{Value: &place, Text: navigationText(place)}, nil
	case len(names) == 0:
		return server.Answer{}, fmt.Errorf("%w: no symbol stands at %s", agenvantage.ErrBadInput, r.Location)
	}
	r.Location = names[0]
	c.Arguments = &server.SymbolArguments{Name: names[0]}
	return s.navigate(ctx, c, r)
}

// navigationNouns are what a verb finds, one and many.
var navigationNouns = map[NavigateVerb][2]string{VerbSymbol: {"definition", "definitions"}, VerbRefs: {"reference", "references"}, VerbCallers: {"caller", "callers"}, VerbCallees: {"callee", "callees"},
	VerbNeighbors: {"neighbor", "neighbors"}, VerbImpact: {"dependent", "dependents"}, VerbTestsFor: {"test", "tests"}, VerbRead: {"line", "lines"}}

// Nouns are what the verb finds, one and many.
func (v NavigateVerb) Nouns() (one, many string) {
	nouns := navigationNouns[v]
	return nouns[0], nouns[1]
}

// navigationText is an answer for a reader.
func navigationText(n Navigation) string {
	var b strings.Builder
	switch {
	case len(n.Candidates) > 0:
		candidatesText(&b, n.Subject.Location, n.Candidates, n.Omitted)
		return b.String()
	case n.Verb == VerbRead:
		readText(&b, n)
	default:
		subject := n.Subject
		what := fmt.Sprintf("%s:%d-%d", subject.Path, subject.StartLine, subject.EndLine)
		if subject.Symbol != "" {
			what = fmt.Sprintf("%s %s (%s)", subject.Kind, subject.Symbol, what)
		}
		one, many := n.Verb.Nouns()
		fmt.Fprintf(&b, "%s of %s\n", count.Of(n.Total, one, many), what)
		for _, i := range n.Items {
			b.WriteString(i.Compact() + "\n")
		}
		if len(n.Tests) > 0 {
			b.WriteString("tests:\n")
		}
		for _, i := range n.Tests {
			b.WriteString(i.Compact() + "\n")
		}
	}
	if n.Omitted > 0 {
		fmt.Fprintf(&b, "%d more: cursor %s\n", n.Omitted, n.Next)
	}
	if len(n.Coverage.OpenSites) > 0 {
		b.WriteString(OpenSitesTitle + "\n")
		for _, s := range n.Coverage.OpenSites {
			b.WriteString(s.Compact() + "\n")
		}
		if more := n.Coverage.UnlistedSites(); more > 0 {
			fmt.Fprintf(&b, "%s not listed\n", count.Of(more, "more is", "more are"))
		}
	}
	b.WriteString(n.Coverage.Line() + "\n")
	for _, note := range n.Notes {
		fmt.Fprintf(&b, "Note: %s\n", note)
	}
	return b.String()
}

// readText is the text of read with the numbers of its lines.
func readText(b *strings.Builder, n Navigation) {
	for _, i := range n.Items {
		fmt.Fprintf(b, "%s:%d-%d", i.Path, i.StartLine, i.EndLine)
		if n.Subject.Symbol != "" {
			b.WriteString(" " + n.Subject.Symbol)
		}
		if n.Subject.FileLines > 0 {
			fmt.Fprintf(b, ", of %s", count.Of(n.Subject.FileLines, "line", "lines"))
		}
		if i.Stale {
			b.WriteString("  (changed on disk since it was indexed)")
		}
		b.WriteString("\n")
		if strings.HasPrefix(i.Text, "(already sent: ") && !strings.Contains(i.Text, "\n") {
			b.WriteString(i.Text + "\n")
			continue
		}
		number := i.StartLine
		for line := range strings.Lines(i.Text) {
			fmt.Fprintf(b, "%d\t%s\n", number, strings.TrimRight(line, "\r\n"))
			number++
		}
	}
}

// candidatesText lists what an ambiguous location may mean.
func candidatesText(b *strings.Builder, location string, candidates []NavigationItem, omitted int) {
	fmt.Fprintf(b, "%s means several things; name one of them by its place:\n", location)
	for _, i := range candidates {
		b.WriteString(i.Compact() + "\n")
	}
	if omitted > 0 {
		fmt.Fprintf(b, "%d more; a qualifier or a path tells them apart\n", omitted)
	}
}
