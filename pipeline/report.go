package pipeline

import (
	"context"
	"fmt"
	"maps"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/fusion"
	"agenvantage/plan"
	"agenvantage/rerank"
)

// Words is what the lists of whole files of a report are read from.
type Words interface {
	channels.FilePostings
	SizeOf(file uint32) int64 // bytes
}

// isReport reports whether a question is a long text, which is about files before it is about lines: its files are ranked by
// votes, and spans within them as for any question.
func isReport(class agenvantage.QueryClass) bool {
	return class == agenvantage.ClassIssue || class == agenvantage.ClassTrace
}

// reportLimit is the length of the lists that vote.
const reportLimit = 400

// ReportOptions weigh the lists that vote for the files of a report: those of the channels by their names, and whole, path and
// symbols; NAME:prose and NAME:title are the readings of a list. A list that is not named weighs as its family does, else 1; 0
// takes its vote. See configs for the defaults.
type ReportOptions struct {
	Votes      map[string]float64
	TraceVotes map[string]float64 // over Votes, where the report holds stack frames: they spell out places
}

// report is a search whose question is long.
type report struct {
	query    agenvantage.Query
	readings []plan.Reading
	words    Words
	scope    *channels.Scope
	filter   agenvantage.Filter
	options  Options
}

// lexical is the channel whose words the readings and the lists of whole files are about, nil when it does not run.
func lexical(run []channels.Channel) channels.Channel {
	for _, c := range run {
		if c.Name() == "bm25f" {
			return c
		}
	}
	return nil
}

// votes ranks the files: each channel's list of distinct files has a vote, and so have, for each reading, the chunks of bm25f,
// BM25 over whole files and over the names of their symbols, and the words of paths. notes says what could not be asked.
func (r *report) votes(ctx context.Context, run []channels.Channel, outcomes []channels.Outcome) (files []agenvantage.Candidate, notes []string, err error) {
	withoutLandmarks(outcomes)
	lists, words := filesOf(outcomes), lexical(run)
	weight := map[string]float64{} // how many readings a list stands for
	for i, reading := range r.readings {
		if words == nil {
			break
		}
		weight[words.Name()+suffix(reading)] = reading.Weight
		if i > 0 {
			more := channels.Run(ctx, []channels.Channel{words}, channels.Request{Query: reading.Query, Filter: r.filter, Scope: r.scope, Limit: reportLimit},
				channels.RunOptions{Timeout: r.options.ChannelTimeout})
			if status := more[0].Report.Status; status == agenvantage.StatusError || status == agenvantage.StatusTimeout {
				notes = append(notes, fmt.Sprintf("the %s of the text could not be asked of %s: %s", reading.Name, words.Name(), more[0].Report.Error))
			}
			list := filesOf(more)[0]
			list.Name += suffix(reading)
			lists = append(lists, list)
		}
		whole, err := r.wholeFiles(ctx, reading)
		if err != nil {
			return nil, nil, err
		}
		for _, l := range whole {
			weight[l.Name] = reading.Weight
		}
		lists = append(lists, whole...)
	}
	weights := maps.Clone(r.options.Report.Votes)
	if weights == nil {
		weights = map[string]float64{}
	}
	if r.query.Class == agenvantage.ClassTrace {
		maps.Copy(weights, r.options.Report.TraceVotes)
	}
	for name, times := range weight {
		if times != 1 {
			weights[name] = times * fusion.VoteWeight(name, weights)
		}
	}
	return fusion.FuseVotes(lists, weights), notes, nil
}

func suffix(reading plan.Reading) string {
	if reading.Name == "" {
		return ""
	}
	return ":" + reading.Name
}

// wholeFiles are the lists that no channel has: a long text is asked of long documents.
func (r *report) wholeFiles(ctx context.Context, reading plan.Reading) ([]fusion.List, error) {
	if r.words == nil {
		return nil, nil
	}
	terms, size := reading.Query.Terms, r.words.SizeOf
	var lists []fusion.List
	for _, l := range []struct {
		name string
		ask  func() ([]agenvantage.Hit, error)
	}{
		{"whole", func() ([]agenvantage.Hit, error) { return channels.WholeFiles(ctx, r.words, size, terms) }},
		{"path", func() ([]agenvantage.Hit, error) { return channels.PathWords(ctx, r.words, terms) }},
		{"symbols", func() ([]agenvantage.Hit, error) { return channels.SymbolWords(ctx, r.words, size, terms) }},
	} {
		hits, err := l.ask()
		if err != nil {
			return nil, fmt.Errorf("rank files by %s: %w", l.name, err)
		}
		lists = append(lists, fusion.List{Name: l.name + suffix(reading), Hits: r.within(hits)})
	}
	return lists, nil
}

// within are the first hits in the files of the scope.
func (r *report) within(hits []agenvantage.Hit) []agenvantage.Hit {
	kept := hits[:0]
	for _, h := range hits {
		if r.scope.Has(h.File) && len(kept) < reportLimit {
			kept = append(kept, h)
		}
	}
	return kept
}

// missing asks for the spans of those of the best files in which no channel found one: their words are spread over the file.
func (r *report) missing(ctx context.Context, words channels.Channel, files []agenvantage.Candidate, have []agenvantage.Candidate, corpus Corpus) ([]agenvantage.Hit, error) {
	in := make(map[uint32]bool, len(have))
	for _, c := range have {
		in[c.File] = true
	}
	var without []uint32
	for _, f := range files[:min(len(files), reportLimit)] {
		if !in[f.File] {
			without = append(without, f.File)
		}
	}
	if len(without) == 0 || words == nil {
		return nil, nil
	}
	more := channels.Run(ctx, []channels.Channel{words}, channels.Request{Query: r.query, Filter: r.filter, Scope: channels.ScopeOf(without, corpus), Limit: maxPlaces},
		channels.RunOptions{Timeout: r.options.ChannelTimeout})
	var hits []agenvantage.Hit
	seen := map[uint32]bool{}
	for _, h := range more[0].List.Hits {
		if !seen[h.File] {
			seen[h.File] = true
			hits = append(hits, h)
		}
	}
	return hits, ctx.Err()
}

// byFiles orders the candidates by the votes on their files.
func (r *report) byFiles(ctx context.Context, corpus Corpus, resolver *resolver, run []channels.Channel, outcomes []channels.Outcome, candidates []agenvantage.Candidate) ([]agenvantage.Candidate, []string, error) {
	files, notes, err := r.votes(ctx, run, outcomes)
	if err != nil {
		return nil, nil, err
	}
	hits, err := r.missing(ctx, lexical(run), files, candidates, corpus)
	if err != nil {
		return nil, nil, err
	}
	if hits, err = resolver.resolve(hits); err != nil {
		return nil, nil, err
	}
	candidates = append(candidates, fusion.FuseReciprocalRank([]fusion.List{{Name: "bm25f", Hits: hits}}, r.options.Fusion)...)
	return rerank.ByFile(candidates, files, resolver, r.query, r.options.Features), notes, nil
}
