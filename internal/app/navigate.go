package app

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/tokens"
)

// NavigateVerb is one way to walk the graph of the code.
type NavigateVerb string

// The verbs.
const (
	VerbSymbol    NavigateVerb = "symbol"    // definitions of a name
	VerbRefs      NavigateVerb = "refs"      // places that mention a symbol
	VerbCallers   NavigateVerb = "callers"   // places that call
	VerbCallees   NavigateVerb = "callees"   // what is called
	VerbNeighbors NavigateVerb = "neighbors" // what edges lead to, both ways
	VerbImpact    NavigateVerb = "impact"    // what depends, directly or not
	VerbTestsFor  NavigateVerb = "tests-for" // tests that reach
	VerbRead      NavigateVerb = "read"      // the text
)

// NavigateRequest is one question about a place of the code.
type NavigateRequest struct {
	Verb     NavigateVerb
	Location string                 // a path, PATH:LINE, PATH:A-B or a symbol, qualified or not
	Edges    []agenvantage.EdgeKind // neighbors: nil means all but those of definitions
	Depth    int                    // neighbors, impact, tests-for: most edges from the subject; 0 means 1, all and 3
	Around   int                    // read: lines before and after
	// MaxTokens bounds the answer, in tokens of the default encoding; 0 sets no bound. One item is always given.
	MaxTokens int
	JSON      bool   // the answer is priced as JSON
	Cursor    string // Next of the answer before, which continues it
	NoRefresh bool
}

// NavigationItem is one place of an answer.
type NavigationItem struct {
	Path       string `json:"path"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	Symbol     string `json:"symbol"`              // qualified name of the symbol at the place, "" for code outside of any
	Kind       string `json:"kind"`                // of the symbol, "file" for none
	Edge       string `json:"edge"`                // the relation, "" where the place is the subject itself
	Confidence string `json:"confidence"`          // resolved, unique or name; of several edges in a row the least sure one; "" without an edge
	Direction  string `json:"direction,omitempty"` // out: from the subject; in: to it
	Depth      int    `json:"depth,omitempty"`     // edges from the subject
	Via        string `json:"via,omitempty"`       // the place before, where Depth is above 1
	Line       int    `json:"line,omitempty"`      // where the edge shows, in the file of the place before, when that is not this place
	Stale      bool   `json:"stale,omitempty"`     // the file on disk differs from the indexed text
	Text       string `json:"text"`

	node agenvantage.Node
	test bool
}

// NavigationSubject is what a location was taken for.
type NavigationSubject struct {
	Location  string `json:"location"` // as it was given
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Symbol    string `json:"symbol"`
	Kind      string `json:"kind"` // of the symbol; file, or lines
	// Symbols are those that given lines name, where they are several: the first 8.
	Symbols   []string `json:"symbols,omitempty"`
	FileLines int      `json:"file_lines,omitempty"` // of read: lines of the whole file
	Stale     bool     `json:"stale,omitempty"`
}

// Navigation is the answer to one question about a place: the contract of the commands that walk the graph.
type Navigation struct {
	Verb    NavigateVerb      `json:"verb"`
	Subject NavigationSubject `json:"subject"`
	Items   []NavigationItem  `json:"items"`
	Tests   []NavigationItem  `json:"tests,omitempty"` // of impact: the items that are tests
	Total   int               `json:"total"`           // items and tests of all pages; for read, lines
	Omitted int               `json:"omitted"`         // those that come after this page; of candidates, those that are not listed
	Next    string            `json:"next"`            // --cursor of the next page, "" when this is the last
	// Candidates are the places that an ambiguous location may mean; then there is nothing else.
	Candidates []NavigationItem   `json:"candidates,omitempty"`
	Coverage   NavigationCoverage `json:"coverage"`
	Generation uint64             `json:"generation"`
	Notes      []string           `json:"notes,omitempty"`
}

// Empty reports that the whole answer, not only this page, is that there is nothing.
func (n Navigation) Empty() bool { return n.Total == 0 }

// UnknownLocationError says that a location is neither a path nor a symbol of the index. It wraps agenvantage.ErrBadInput.
type UnknownLocationError struct {
	Location string
	Why      string   // what was looked for, or why a path is not in the index
	Nearest  []string // locations that exist, most alike first
}

// Error names the location and what comes nearest.
func (e *UnknownLocationError) Error() string {
	s := fmt.Sprintf("%v: unknown location %q: %s", agenvantage.ErrBadInput, e.Location, e.Why)
	if len(e.Nearest) > 0 {
		s += "; nearest: " + strings.Join(e.Nearest, ", ")
	}
	return s
}

// Unwrap is agenvantage.ErrBadInput.
func (e *UnknownLocationError) Unwrap() error { return agenvantage.ErrBadInput }

// Navigate answers one question about a place, bringing the index up to date first as Search does. An ambiguous location
// gives candidates and no error. A location that does not exist is an *UnknownLocationError; a cursor of another
// question or generation, an unknown kind of edge and a number out of its range are agenvantage.ErrBadInput.
func (a *App) Navigate(ctx context.Context, r NavigateRequest, progress func(Progress)) (Navigation, error) {
	done, err := a.use()
	if err != nil {
		return Navigation{}, err
	}
	defer done()
	if err := r.validate(); err != nil {
		return Navigation{}, err
	}
	began := time.Now()
	fresh, err := a.refresh(ctx, r.NoRefresh, progress)
	if err != nil {
		return Navigation{}, err
	}
	answer, err := a.navigate(ctx, r, fresh)
	again, err := a.mend(ctx, began, err, r.NoRefresh, progress)
	if again != "" {
		fresh.notes = append(fresh.notes, again)
		answer, err = a.navigate(ctx, r, freshness{})
	}
	answer.Notes = append(answer.Notes, fresh.notes...)
	return answer, fresh.blame(err)
}

func (r NavigateRequest) validate() error {
	for _, kind := range r.Edges {
		if !slices.Contains(agenvantage.EdgeKinds(), kind) {
			names := make([]string, 0, len(agenvantage.EdgeKinds()))
			for _, k := range agenvantage.EdgeKinds() {
				names = append(names, string(k))
			}
			return fmt.Errorf("%w: unknown kind of edge %q; the kinds are %s", agenvantage.ErrBadInput, kind, strings.Join(names, ", "))
		}
	}
	switch {
	case strings.TrimSpace(r.Location) == "":
		return fmt.Errorf("%w: a location is needed: a path, PATH:LINE, PATH:A-B or a symbol", agenvantage.ErrBadInput)
	case r.MaxTokens < 0:
		return fmt.Errorf("%w: at most %d tokens, want 0 or more", agenvantage.ErrBadInput, r.MaxTokens)
	case r.Depth < 0:
		return fmt.Errorf("%w: depth is %d, want 0 or more", agenvantage.ErrBadInput, r.Depth)
	case r.Around < 0:
		return fmt.Errorf("%w: %d lines around, want 0 or more", agenvantage.ErrBadInput, r.Around)
	}
	return nil
}

// navigate asks the newest generation.
func (a *App) navigate(ctx context.Context, r NavigateRequest, fresh freshness) (Navigation, error) {
	pinned, err := a.pin(ctx)
	if err != nil {
		return Navigation{}, err
	}
	defer pinned.release()
	n := newNavigator(ctx, a, pinned.corpus, r)
	answer := Navigation{Verb: r.Verb, Items: []NavigationItem{}, Generation: pinned.corpus.Generation()}
	offset, err := n.offset()
	if err != nil {
		return Navigation{}, err
	}
	s, candidates, err := n.locate(r.Location)
	if err != nil {
		return Navigation{}, err
	}
	answer.Notes = n.notes
	if answer.Coverage, err = n.coverage(fresh.stale); err != nil {
		return Navigation{}, err
	}
	if fresh.unchecked != "" {
		answer.Coverage.lower(VerdictUnknown, fresh.unchecked)
	}
	if len(candidates) > 0 {
		answer.Subject = NavigationSubject{Location: r.Location}
		answer.Coverage.lower(VerdictUnknown, "the location means several things")
		if answer.Candidates, err = n.candidateItems(candidates); len(answer.Candidates) > maxCandidates {
			answer.Omitted = len(answer.Candidates) - maxCandidates
			answer.Candidates = answer.Candidates[:maxCandidates]
		}
		return answer, err
	}
	answer.Subject = n.subject(s)
	items, err := n.items(s)
	if err != nil {
		return Navigation{}, err
	}
	if err := n.judge(&answer.Coverage, s); err != nil {
		return Navigation{}, err
	}
	return answer, n.page(&answer, items, offset)
}

// maxCandidates is the most places that an ambiguous location lists.
const maxCandidates = 50

// cursor is where an answer goes on. It holds for one question and one generation.
type cursor struct {
	Generation uint64 `json:"g"`
	Question   uint64 `json:"q"`
	Offset     int    `json:"o"`
}

// question names what was asked, without how much of it is shown.
func (n *navigator) question() uint64 {
	r := n.request
	return xxh3.HashString(fmt.Sprintf("%q %q %q %d %d", r.Verb, r.Location, r.Edges, r.Depth, r.Around))
}

// offset reads the cursor.
func (n *navigator) offset() (int, error) {
	if n.request.Cursor == "" {
		return 0, nil
	}
	var c cursor
	b, err := base64.RawURLEncoding.DecodeString(n.request.Cursor)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	switch {
	case err != nil || c.Offset < 0:
		return 0, foreignCursor(n.request.Cursor)
	case c.Question != n.question():
		return 0, &cursorError{"the cursor belongs to another question"}
	}
	return c.Offset, c.check(n.corpus.Generation())
}

// check refuses a cursor of another generation than the one that is asked: places have other numbers there.
func (c cursor) check(generation uint64) error {
	if c.Generation == generation {
		return nil
	}
	return &cursorError{fmt.Sprintf("the cursor is of generation %d, which is gone: the index is at generation %d; ask again without the cursor", c.Generation, generation)}
}

// cursorError says why a cursor cannot be gone on from. It wraps agenvantage.ErrBadInput.
type cursorError struct{ why string }

func (e *cursorError) Error() string { return agenvantage.ErrBadInput.Error() + ": " + e.why }
func (e *cursorError) Unwrap() error { return agenvantage.ErrBadInput }

func foreignCursor(text string) error {
	return &cursorError{fmt.Sprintf("cursor %q is none that this program gave", text)}
}

func (n *navigator) cursorAt(offset int) string {
	b, _ := json.Marshal(cursor{n.corpus.Generation(), n.question(), offset}) // numbers always encode
	return base64.RawURLEncoding.EncodeToString(b)
}

// page fills in the items after the cursor, as many as the bound on tokens lets through.
func (n *navigator) page(answer *Navigation, items []NavigationItem, offset int) error {
	answer.Total = len(items)
	if offset > len(items) || offset > 0 && offset == len(items) {
		return fmt.Errorf("%w: the cursor lies behind the end of the answer", agenvantage.ErrBadInput)
	}
	price, err := n.prices(*answer)
	if err != nil {
		return err
	}
	end := offset
	for ; end < len(items); end++ {
		if err := n.hydrate(&items[end]); err != nil {
			return err
		}
		if !price.take(items[end], "") && end > offset {
			break
		}
	}
	if end < len(items) {
		answer.Omitted, answer.Next = len(items)-end, n.cursorAt(end)
	} else {
		answer.Coverage.OpenSites = n.sitesFor(price)
	}
	shown := items[offset:end]
	if n.request.Verb == VerbRead {
		shown = joinLines(shown)
	}
	for _, item := range shown {
		if item.test && n.request.Verb == VerbImpact {
			answer.Tests = append(answer.Tests, item)
		} else {
			answer.Items = append(answer.Items, item)
		}
	}
	return nil
}

// prices adds up what an answer costs.
type prices struct {
	counter *tokens.Counter
	json    bool
	left    int
}

// prices begins with what surrounds the items.
func (n *navigator) prices(empty Navigation) (*prices, error) {
	if n.request.MaxTokens == 0 {
		return &prices{}, nil
	}
	counter, err := tokens.New("")
	if err != nil {
		return nil, err
	}
	p := &prices{counter: counter, json: n.request.JSON, left: n.request.MaxTokens}
	if !p.json {
		p.left -= counter.Count(empty.Coverage.Line()) + counter.Count(n.cursorAt(1<<20)) + 20
		return p, nil
	}
	empty.Next, empty.Omitted = n.cursorAt(1<<20), 1<<20
	b, err := json.Marshal(empty)
	if err != nil {
		return nil, fmt.Errorf("price the answer: %w", err)
	}
	p.left -= counter.Count(string(b))
	return p, nil
}

// take pays for an item or an open site, and a title that stands before it; false means that they do not fit.
func (p *prices) take(item interface{ Compact() string }, title string) bool {
	if p.counter == nil {
		return true
	}
	text := item.Compact() + "\n"
	if p.json {
		b, err := json.Marshal(item)
		if err != nil {
			return false
		}
		text = string(b) + ","
	}
	p.left -= p.counter.Count(text + title)
	return p.left >= 0
}

// Compact is the item as text: "path:line symbol (edge, confidence)" and the text of its line, which is indented below; the lines
// of read have their number.
func (i NavigationItem) Compact() string {
	if i.Kind == kindLine {
		return fmt.Sprintf("%6d  %s", i.StartLine, i.Text)
	}
	var notes []string
	for _, note := range []string{i.Edge, i.Confidence} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if i.Direction != "" {
		notes[0] += map[string]string{"out": " →", "in": " ←"}[i.Direction]
	}
	if i.Depth > 1 {
		notes = append(notes, fmt.Sprintf("depth %d via %s", i.Depth, i.Via))
	}
	if i.Stale {
		notes = append(notes, "changed on disk since it was indexed")
	}
	s := fmt.Sprintf("%s:%d", i.Path, i.StartLine)
	if i.Symbol != "" {
		s += " " + i.Symbol
	}
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, ", ") + ")"
	} else {
		s += " (" + i.Kind + ")"
	}
	if text := strings.TrimSpace(i.Text); text != "" {
		s += "\n    " + text
	}
	return s
}

// IsUnknownLocation reports the nearest locations when err says that a location does not exist.
func IsUnknownLocation(err error) (nearest []string, ok bool) {
	var unknown *UnknownLocationError
	if errors.As(err, &unknown) {
		return unknown.Nearest, true
	}
	return nil, false
}
