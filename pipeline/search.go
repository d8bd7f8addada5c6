// Package pipeline holds the flows from a question to an answer, each readable top to bottom in one file. It joins the
// stages (plan, channels, fusion, rerank) over a view of the index that the caller pins; it opens nothing, reads no
// clock but for timings, and knows no concrete store. Read search.go first.
package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/fusion"
	"agenvantage/plan"
	"agenvantage/rerank"
)

// Corpus is what the flow reads of a pinned view. A file is named by the rank of its path among the sorted paths.
type Corpus interface {
	channels.FileReader
	Facts(file uint32) (*agenvantage.Extraction, error)
	Text(file uint32) (string, error)
}

// Freshness says how a file on disk stands to its indexed text.
type Freshness int

// The states of a file on disk.
const (
	Fresh   Freshness = iota
	Changed           // size or times differ: the result is marked stale
	Gone              // no longer there: the result is dropped
)

// Options are the limits of a search. The zero value is not usable; see configs for the defaults.
type Options struct {
	TopK           int           // results when the request does not say
	MaxPerFile     int           // spans of one file before other files had their turn; 0 means no cap
	ChannelLimit   int           // hits asked of each channel, until more are needed (searcher.rank); above 0
	ChannelTimeout time.Duration // for each channel
	MaxLineBytes   int           // longer lines are shortened around the hit
	Fusion         fusion.Options
	Features       rerank.FeatureOptions
	Rerank         rerank.Options
	Votes          VoteOptions
	Near           plan.NearOptions // of questions in words that are no reports
}

// Request is one question over one view.
type Request struct {
	Text     string
	Regex    bool
	Channels []channels.Channel // those that run, in the order in which they are reported
	TopK     int                // 0 means Options.TopK
	Offset   int                // places of the ranking to pass over, those of files that are gone counted
	Filter   agenvantage.Filter
	// Allow is asked for each of Channels once the class of the question is known; one that it turns down is reported as off.
	// why goes into the report of either. nil lets all run.
	Allow func(class agenvantage.QueryClass, channel string) (on bool, why string)
	// Reorder puts the best candidates of a question that describes what it looks for into another order, and says why where it could not:
	// the candidates are then those given. nil leaves all as they are.
	Reorder func(ctx context.Context, question string, candidates []agenvantage.Candidate) (reordered []agenvantage.Candidate, note string)
	// FreshnessOf is asked once for each file that is about to be shown; nil means that every file is fresh.
	FreshnessOf func(file uint32) Freshness
	// Near is asked once for words near those of a question in words (Query.Near); nil asks for none.
	Near func(ctx context.Context, query agenvantage.Query) ([]agenvantage.Near, error)
	// Masked counts the indexed files with masked text; it is asked where a literal was not found. nil counts none.
	Masked func() int
	Words  Words // for the lists of whole files that vote; nil leaves them out
}

// Search answers one question: parse, run the channels, resolve hits to spans, fuse, rerank, order, cut, hydrate. The
// caller fills in what it alone knows (root, revision, generation, counts of the index). An error wraps
// agenvantage.ErrBadInput when the question cannot be asked; a channel that fails is a report in the answer.
func Search(ctx context.Context, corpus Corpus, r Request, o Options) (agenvantage.Response, error) {
	watch := newStopwatch()
	query, err := plan.Parse(r.Text, plan.ParseOptions{Regex: r.Regex})
	if err != nil {
		return agenvantage.Response{}, err
	}
	scope, response, err := begun(query, r, corpus)
	if err != nil {
		return agenvantage.Response{}, err
	}
	if query.Near, err = r.near(ctx, query, o); err != nil {
		return agenvantage.Response{}, fmt.Errorf("words near those of the question: %w", err)
	}
	topK := r.wanted(o)
	run, off, why := r.allowed(query.Class)
	s := newSearcher(corpus, query, r, o)
	s.scope, s.channels, s.watch = scope, run, watch
	watch.lap("plan")
	shown, outcomes, err := s.rankFolded(ctx, r.Offset+topK)
	if err != nil {
		return agenvantage.Response{}, err
	}
	for _, outcome := range outcomes {
		outcome.Report.Why = why[outcome.Report.Name]
		response.Channels = append(response.Channels, outcome.Report)
	}
	response.Channels = append(response.Channels, off...)
	about, err := s.aboutPlaces()
	if err != nil {
		return agenvantage.Response{}, err
	}
	if note := s.absence(outcomes); note != "" {
		response.Notes = append(response.Notes, note)
	}
	response.Notes = append(response.Notes, s.notes...)
	if s.note != "" {
		response.Notes = append(response.Notes, s.note)
	}
	response.Notes = append(response.Notes, about...)
	if err := hydrate(corpus, s.query, r, o, shown, topK, &response); err != nil {
		return agenvantage.Response{}, err
	}
	watch.lap("hydrate")
	response.TookMS, response.Stages = watch.total(), watch.stages
	return response, nil
}

// near lists what may stand for the words of a question in words. The many words of a report have what they mean among them: with
// synonyms strict acc@5 of 181 issue tasks is 0.746, with other forms 0.740, and 0.751 without either.
func (r Request) near(ctx context.Context, query agenvantage.Query, o Options) ([]agenvantage.Near, error) {
	if !describes(query) || query.Class.IsReport() {
		return nil, nil
	}
	near := plan.NearWords(query, o.Near)
	if r.Near == nil {
		return near, nil
	}
	more, err := r.Near(ctx, query)
	for _, n := range more {
		if !slices.ContainsFunc(near, func(o agenvantage.Near) bool { return o.Text == n.Text }) {
			near = append(near, n)
		}
	}
	return near, err
}

// begun is the answer to a question before anything was looked for, and the files where that is done.
func begun(query agenvantage.Query, r Request, corpus Corpus) (*channels.Scope, agenvantage.Response, error) {
	response := agenvantage.Response{Query: r.Text, Class: query.Class, Results: []agenvantage.Result{}, Channels: []agenvantage.ChannelReport{}}
	scope, err := channels.CompileScope(r.Filter, corpus)
	if err != nil {
		return nil, response, err
	}
	response.Coverage.FilesInScope, response.Notes = scope.Count(), slices.Clone(scope.Notes())
	return scope, response, nil
}

// wanted is how many results an answer may have.
func (r Request) wanted(o Options) int {
	if r.TopK <= 0 {
		return o.TopK
	}
	return r.TopK
}

// searcher ranks for one question.
type searcher struct {
	corpus   Corpus
	query    agenvantage.Query
	request  Request
	options  Options
	scope    *channels.Scope
	channels []channels.Channel
	resolver *resolver
	readings []plan.Reading // of a question whose files are ranked by votes, nil of others
	limit    int            // hits asked of each channel at first
	spelled  *holdings      // nil until the first ranking
	notes    []string       // what the last ranking could not ask
	note     string         // why nothing was reordered
	watch    *stopwatch     // may be nil

	namesEmpty bool // aboutPlaces: a path of the question is that of an empty file
}

// newSearcher makes the searcher of a question; its scope and channels are left to set.
func newSearcher(corpus Corpus, query agenvantage.Query, r Request, o Options) *searcher {
	s := &searcher{corpus: corpus, query: query, request: r, options: o, limit: o.ChannelLimit}
	switch {
	case query.Class.IsReport():
		s.readings = plan.ReadingsOf(query)
		s.query, s.limit = s.readings[0].Query, max(s.limit, reportLimit)
	case describes(query):
		s.readings = []plan.Reading{{Query: query, Weight: 1}}
	}
	s.resolver = newResolver(corpus, s.query, r.Filter.Kinds)
	return s
}

// rankFolded is rank with what is folded: need places beside those.
func (s *searcher) rankFolded(ctx context.Context, need int) (shown selection, outcomes []channels.Outcome, err error) {
	for asked := need; ; {
		if shown, outcomes, err = s.rank(ctx, asked); err != nil {
			return shown, nil, err
		}
		if shown.folds, err = s.fold(shown, need); err != nil {
			return shown, nil, fmt.Errorf("search: %w", err)
		}
		if more := need + len(shown.folds); len(shown.order) >= more || asked >= more {
			return shown, outcomes, nil
		}
		asked = need + len(shown.folds)
	}
}

// deeper is how many times more hits each channel is asked for when a ranking ends before what was asked of it.
const deeper = 4

// rank gives the order in which candidates are shown, need of them or all there are, and what the channels did.
//
// How long the lists of the channels are decides how they are fused. A longer answer that asked for longer lists would be another
// ranking: pages of it would repeat results and pass over others. So the order begins with the ranking of Options.ChannelLimit
// hits each (or as many as vote in a long text), whatever is asked for; only when that is used up are longer lists ranked, and what they add comes behind, with
// scores lowered to the last one before, as a part named depth. However much is asked for, a shorter answer is its beginning.
func (s *searcher) rank(ctx context.Context, need int) (shown selection, outcomes []channels.Outcome, err error) {
	for limit := s.limit; ; limit *= deeper {
		var candidates []agenvantage.Candidate
		if candidates, outcomes, err = s.rankLists(ctx, limit); err != nil {
			return shown, nil, err
		}
		before := len(shown.order)
		if before > 0 {
			candidates = s.resolver.dropOverlaps(slices.Concat(shown.order, candidates))[before:]
			for i := range candidates {
				candidates[i] = lowered(candidates[i], shown.order[before-1].Score, "depth")
			}
			candidates = rankedBehind(shown.order, candidates)
		}
		places, others := divide(s.query, candidates)
		holders, _, err := s.spelled.divide(others)
		if err != nil {
			return shown, nil, fmt.Errorf("search: %w", err)
		}
		shown = shown.with(newSelection(candidates, s.options.MaxPerFile, len(places), len(holders)))
		if before == 0 {
			shown.fixed = len(shown.order)
		}
		ended := !slices.ContainsFunc(outcomes, func(o channels.Outcome) bool { return len(o.List.Hits) >= limit || o.List.Dropped > 0 })
		if ended || len(shown.order) >= need || before > 0 && len(shown.order) == before {
			return shown, outcomes, nil
		}
	}
}

// rankLists asks each channel for at most limit hits, fuses their lists and ranks what comes out.
func (s *searcher) rankLists(ctx context.Context, limit int) ([]agenvantage.Candidate, []channels.Outcome, error) {
	o := s.options
	outcomes := channels.Run(ctx, s.channels, channels.Request{Query: s.query, Filter: s.request.Filter, Scope: s.scope, Limit: limit}, channels.RunOptions{Timeout: o.ChannelTimeout})
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	if err := allFailed(outcomes); err != nil {
		return nil, nil, err
	}
	s.watch.lap("channels")
	lists := make([]fusion.List, 0, len(outcomes))
	for i := range outcomes {
		hits, err := s.resolver.resolve(outcomes[i].List.Hits)
		if err != nil {
			return nil, nil, fmt.Errorf("resolve hits of %s: %w", outcomes[i].Report.Name, err)
		}
		lists = append(lists, fusion.List{Name: outcomes[i].Report.Name, Hits: hits})
	}
	candidates := fusion.FuseReciprocalRank(lists, o.Fusion)
	features := o.Features
	if s.readings != nil {
		features.FileName = 0 // it counts among files
	}
	candidates = rerank.ApplyFeatures(candidates, s.resolver, s.query, features)
	if spellsOut(s.query.Class) {
		candidates = rerank.ApplyPrecise(candidates, preciseFor(s.query))
	}
	s.watch.lap("fusion")
	if s.readings != nil {
		vote := voting{query: s.query, readings: s.readings, words: s.request.Words, scope: s.scope, filter: s.request.Filter, options: o}
		var err error
		if candidates, s.notes, err = vote.byFiles(ctx, s.corpus, s.resolver, s.channels, outcomes, candidates); err != nil {
			return nil, nil, fmt.Errorf("search: %w", err)
		}
	}
	s.watch.lap("files")
	candidates = rerank.Apply(candidates, s.corpus, o.Rerank)
	places, holders, others, err := s.parted(definedFirst(s.query, candidates))
	if err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	candidates = s.resolver.dropOverlaps(slices.Concat(places, holders, others))
	places, _ = divide(s.query, candidates)
	if _, holders, others, err = s.parted(rerank.Saturate(candidates, o.Features.Saturation)); err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	if s.request.Reorder != nil && limit == s.limit && !spellsOut(s.query.Class) && s.query.Class != agenvantage.ClassRegex { // longer lists come behind
		others, s.note = s.request.Reorder(ctx, s.query.Text, others)
	}
	s.watch.lap("rerank")
	return leading(slices.Concat(places, holders), others), outcomes, nil
}

// parted parts candidates into the places that the question asks for, what holds the texts that it spells, and the others.
func (s *searcher) parted(candidates []agenvantage.Candidate) (places, holders, others []agenvantage.Candidate, err error) {
	if s.spelled == nil {
		s.spelled = &holdings{corpus: s.corpus, spellings: spellingsOf(s.query, candidates), known: map[spanOf]holding{}}
	}
	places, others = divide(s.query, candidates)
	holders, others, err = s.spelled.divide(others)
	return places, holders, others, err
}

// allowed splits Channels into those that run and the reports of those that do not.
func (r Request) allowed(class agenvantage.QueryClass) (run []channels.Channel, off []agenvantage.ChannelReport, why map[string]string) {
	if r.Allow == nil {
		return r.Channels, nil, nil
	}
	why = map[string]string{}
	for _, c := range r.Channels {
		on, reason := r.Allow(class, c.Name())
		if on {
			run = append(run, c)
			why[c.Name()] = reason
		} else {
			off = append(off, agenvantage.ChannelReport{Name: c.Name(), Status: agenvantage.StatusOff, Why: reason})
		}
	}
	return run, off, why
}

// allFailed is the first channel's error when no channel could answer: that is no empty answer.
func allFailed(outcomes []channels.Outcome) error {
	for _, outcome := range outcomes {
		if outcome.Err == nil {
			return nil
		}
	}
	if len(outcomes) == 0 {
		return nil
	}
	return fmt.Errorf("no channel could answer: %w", outcomes[0].Err)
}

// nothingSpelled says what of a question no indexed file holds: quotations, by themselves where they stand in a sentence, or all that the question
// is. It is "" where something was found for it, or the exact channel did not look everywhere. others says that there are results all the same.
func nothingSpelled(query agenvantage.Query, outcomes []channels.Outcome) (note string, others bool) {
	if !spellsOut(query.Class) && len(query.Phrases) == 0 && query.Regex == "" {
		return "", false
	}
	empty := false
	for _, outcome := range outcomes {
		if outcome.Report.Name == "exact" {
			empty = outcome.Report.Status == agenvantage.StatusEmpty
		} else {
			others = others || outcome.Report.Hits > 0
		}
	}
	if !empty {
		return "", others
	}
	if query.Class != agenvantage.ClassQuestion && query.Class != agenvantage.ClassIssue {
		return "no indexed file holds what the query spells out", others
	}
	var quoted []string
	for _, p := range query.Phrases[:min(len(query.Phrases), maxQuotedTold)] {
		quoted = append(quoted, fmt.Sprintf("%q", p))
	}
	if more := len(query.Phrases) - len(quoted); more > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", more))
	}
	return "no indexed file holds " + strings.Join(quoted, ", "), others
}

// maxQuotedTold bounds the quotations that a note repeats.
const maxQuotedTold = 3

// absence is the note on what no indexed file holds, "" for none. Masked text is in no index, so that what was looked for may be there.
func (s *searcher) absence(outcomes []channels.Outcome) string {
	note, others := nothingSpelled(s.query, outcomes)
	if note == "" || s.namesEmpty {
		return ""
	}
	if others {
		note += "; the results only share words with it"
	}
	if s.request.Masked == nil || s.query.Class == agenvantage.ClassPath {
		if !others {
			return ""
		}
		return note
	}
	masked := s.request.Masked()
	switch {
	case masked == 0 && !others:
		return "" // the answer is empty, which says as much
	case masked == 1:
		return note + "; 1 file has masked text, which is not searched"
	case masked > 1:
		return fmt.Sprintf("%s; %d files have masked text, which is not searched", note, masked)
	}
	return note
}

// spellsOut reports whether questions of the class name what they look for, rather than describe it.
func spellsOut(class agenvantage.QueryClass) bool {
	switch class {
	case agenvantage.ClassIdentifier, agenvantage.ClassPath, agenvantage.ClassTrace:
		return true
	}
	return false
}
