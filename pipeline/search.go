// Package pipeline holds the flows from a question to an answer, each readable top to bottom in one file. It joins the
// stages (plan, channels, fusion, rerank) over a view of the index that the caller pins; it opens nothing, reads no
// clock but for timings, and knows no concrete store. Read search.go first.
package pipeline

import (
	"context"
	"fmt"
	"slices"
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
	ChannelLimit   int           // hits asked of each channel
	ChannelTimeout time.Duration // for each channel
	MaxLineBytes   int           // longer lines are shortened around the hit
	Fusion         fusion.Options
	Features       rerank.FeatureOptions
	Rerank         rerank.Options
	Votes          VoteOptions
}

// Request is one question over one view.
type Request struct {
	Text     string
	Regex    bool
	Channels []channels.Channel // those that run, in the order in which they are reported
	TopK     int                // 0 means Options.TopK
	Filter   agenvantage.Filter
	// Allow is asked for each of Channels once the class of the question is known; one that it turns down is reported as off.
	// why goes into the report of either. nil lets all run.
	Allow func(class agenvantage.QueryClass, channel string) (on bool, why string)
	// FreshnessOf is asked once for each file that is about to be shown; nil means that every file is fresh.
	FreshnessOf func(file uint32) Freshness
	Words       Words // for the lists of whole files that vote; nil leaves them out
}

// Search answers one question: parse, run the channels, resolve hits to spans, fuse, rerank, order, cut, hydrate. The
// caller fills in what it alone knows (root, revision, generation, counts of the index). An error wraps
// agenvantage.ErrBadInput when the question cannot be asked; a channel that fails is a report in the answer.
func Search(ctx context.Context, corpus Corpus, r Request, o Options) (agenvantage.Response, error) {
	started := time.Now()
	query, err := plan.Parse(r.Text, plan.ParseOptions{Regex: r.Regex})
	if err != nil {
		return agenvantage.Response{}, err
	}
	response := agenvantage.Response{Query: r.Text, Class: query.Class, Results: []agenvantage.Result{}, Channels: []agenvantage.ChannelReport{}}
	scope, err := channels.CompileScope(r.Filter, corpus)
	if err != nil {
		return agenvantage.Response{}, err
	}
	response.Coverage.FilesInScope = scope.Count()
	response.Notes = append(response.Notes, scope.Notes()...)

	topK := r.TopK
	if topK <= 0 {
		topK = o.TopK
	}
	allowed, off, why := r.allowed(query.Class)
	limit := max(o.ChannelLimit, topK)
	var vote *voting
	if describes(query) {
		vote = &voting{query: query, readings: []plan.Reading{{Query: query, Weight: 1}}, words: r.Words, scope: scope, filter: r.Filter, options: o, topK: topK}
		if isReport(query.Class) {
			vote.readings = plan.ReadingsOf(query)
			query, limit = vote.readings[0].Query, max(limit, reportLimit)
			vote.query = query
		}
	}
	outcomes := channels.Run(ctx, allowed, channels.Request{Query: query, Filter: r.Filter, Scope: scope, Limit: limit},
		channels.RunOptions{Timeout: o.ChannelTimeout})
	if err := ctx.Err(); err != nil {
		return agenvantage.Response{}, fmt.Errorf("search: %w", err)
	}
	if err := allFailed(outcomes); err != nil {
		return agenvantage.Response{}, err
	}
	resolver := newResolver(corpus, query, r.Filter.Kinds)
	lists := make([]fusion.List, 0, len(outcomes))
	for i := range outcomes {
		hits, err := resolver.resolve(outcomes[i].List.Hits)
		if err != nil {
			return agenvantage.Response{}, fmt.Errorf("resolve hits of %s: %w", outcomes[i].Report.Name, err)
		}
		lists = append(lists, fusion.List{Name: outcomes[i].Report.Name, Hits: hits})
		outcomes[i].Report.Why = why[outcomes[i].Report.Name]
		response.Channels = append(response.Channels, outcomes[i].Report)
	}
	response.Channels = append(response.Channels, off...)

	if note := nothingSpelled(query, outcomes); note != "" {
		response.Notes = append(response.Notes, note)
	}

	candidates := fusion.FuseReciprocalRank(lists, o.Fusion)
	features := o.Features
	if vote != nil {
		features.FileName = 0 // it counts among files
	}
	candidates = rerank.ApplyFeatures(candidates, resolver, query, features)
	if spellsOut(query.Class) {
		candidates = rerank.ApplyPrecise(candidates, preciseFor(query))
	}
	if vote != nil {
		var notes []string
		if candidates, notes, err = vote.byFiles(ctx, corpus, resolver, allowed, outcomes, candidates); err != nil {
			return agenvantage.Response{}, fmt.Errorf("search: %w", err)
		}
		response.Notes = append(response.Notes, notes...)
	}
	candidates = rerank.Apply(candidates, corpus, o.Rerank)
	candidates = resolver.dropOverlaps(candidates)
	if query.Class == agenvantage.ClassPath && len(query.Frames) > 0 {
		candidates = placesFirst(candidates)
	}
	candidates = rerank.Saturate(candidates, o.Features.Saturation)

	shown := newSelection(candidates, o.MaxPerFile)
	if err := hydrate(corpus, query, r, o, shown, topK, &response); err != nil {
		return agenvantage.Response{}, err
	}
	response.TookMS = float64(time.Since(started).Microseconds()) / 1000
	return response, nil
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

// nothingSpelled says that results share only words with a question that spells out what it looks for, "" when some hold
// it or when the exact channel did not look everywhere.
func nothingSpelled(query agenvantage.Query, outcomes []channels.Outcome) string {
	if !spellsOut(query.Class) && len(query.Phrases) == 0 {
		return ""
	}
	empty, others := false, 0
	for _, outcome := range outcomes {
		if outcome.Report.Name == "exact" {
			empty = outcome.Report.Status == agenvantage.StatusEmpty
		} else {
			others += outcome.Report.Hits
		}
	}
	if !empty || others == 0 {
		return ""
	}
	return "no indexed file holds what the query spells out; the results only share words with it"
}

// placesFirst puts the lines that the query asks for before the other spans of their file, whose words are those of its path:
// the first span of a file is the one that does not count as a repeat.
func placesFirst(candidates []agenvantage.Candidate) []agenvantage.Candidate {
	isPlace := func(c agenvantage.Candidate) bool { return channels.Precise(c.Channels["exact"].Score) == 1 }
	ordered := slices.Clone(candidates)
	slices.SortStableFunc(ordered, func(a, b agenvantage.Candidate) int {
		switch {
		case isPlace(a) == isPlace(b):
			return 0
		case isPlace(a):
			return -1
		}
		return 1
	})
	return ordered
}

// spellsOut reports whether questions of the class name what they look for, rather than describe it.
func spellsOut(class agenvantage.QueryClass) bool {
	switch class {
	case agenvantage.ClassIdentifier, agenvantage.ClassPath, agenvantage.ClassTrace:
		return true
	}
	return false
}

// preciseFor says how far a candidate is what query spells out. A path with a line asks for that line: the rest of the
// file counts half, or its first chunk, which the words of the path make the best of bm25f, would pass the line's own.
func preciseFor(query agenvantage.Query) rerank.Precise {
	line := query.Class == agenvantage.ClassPath && len(query.Frames) > 0
	return func(c agenvantage.Candidate) float64 {
		p := channels.Precise(c.Channels["exact"].Score)
		if line && p < 1 {
			p /= 2
		}
		return p
	}
}
