package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/fusion"
	"agenvantage/plan"
	"agenvantage/rerank"
)

// Words is what the lists of whole files are read from.
type Words interface {
	channels.FilePostings
	SizeOf(file uint32) int64 // bytes
	IsCode(file uint32) bool
}

// describes reports whether a question says in words what it looks for. Such a question is about files before it is about lines:
// its files are ranked by votes, and spans within them as for any question. What is spelled out has a place of its own.
func describes(query agenvantage.Query) bool {
	return query.Class.IsReport() || query.Class == agenvantage.ClassQuestion || query.Class == agenvantage.ClassPhrase && len(query.Phrases) == 0
}

// reportLimit is the length of the lists that vote in reports.
const reportLimit = 400

// VoteOptions weigh the lists that vote for files: those of the channels by their names, chunks (the sum of a file's three best
// scores in bm25f), whole, symbols, docs (BM25 over whole files, the names of their symbols, their comments) and path (words of
// paths); NAME:prose and NAME:title are the readings of a report. A list that is not named weighs as its family does, else 1; 0
// takes its vote. See configs for the defaults.
type VoteOptions struct {
	Report   map[string]float64
	Trace    map[string]float64 // over Report, where the report holds stack frames: they spell out places
	Question map[string]float64 // of questions and phrases
	Other    float64            // factor, in reports, of files that are neither code nor prose; 0 means 1
}

func (o VoteOptions) of(class agenvantage.QueryClass) map[string]float64 {
	weights := map[string]float64{}
	switch class {
	case agenvantage.ClassIssue:
		maps.Copy(weights, o.Report)
	case agenvantage.ClassTrace:
		maps.Copy(weights, o.Report)
		maps.Copy(weights, o.Trace)
	default:
		maps.Copy(weights, o.Question)
	}
	return weights
}

// voting is a search whose files are ranked by votes.
type voting struct {
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
func (r *voting) votes(ctx context.Context, run []channels.Channel, outcomes []channels.Outcome) (files []agenvantage.Candidate, notes []string, err error) {
	withoutLandmarks(outcomes)
	weights := r.options.Votes.of(r.query.Class)
	lists, words := filesOf(outcomes), lexical(run)
	times := map[string]float64{} // how many readings a list stands for
	for i, reading := range r.readings {
		if words == nil {
			break
		}
		list := lists[slices.IndexFunc(lists, func(l fusion.List) bool { return l.Name == words.Name() })]
		hits := outcomes[slices.IndexFunc(outcomes, func(o channels.Outcome) bool { return o.Report.Name == words.Name() })].List.Hits
		if i > 0 {
			more := channels.Run(ctx, []channels.Channel{words}, channels.Request{Query: reading.Query, Filter: r.filter, Scope: r.scope, Limit: reportLimit},
				channels.RunOptions{Timeout: r.options.ChannelTimeout})
			if status := more[0].Report.Status; status == agenvantage.StatusError || status == agenvantage.StatusTimeout {
				notes = append(notes, fmt.Sprintf("the %s of the text could not be asked of %s: %s", reading.Name, words.Name(), more[0].Report.Error))
			}
			list, hits = filesOf(more)[0], more[0].List.Hits
			list.Name += suffix(reading)
			lists = append(lists, list)
		}
		more, err := r.wholeFiles(ctx, reading, weights)
		if err != nil {
			return nil, nil, err
		}
		if name := "chunks" + suffix(reading); fusion.VoteWeight(name, weights) > 0 {
			more = append(more, fusion.List{Name: name, Hits: bestChunks(hits)})
		}
		times[list.Name] = reading.Weight
		for _, l := range more {
			times[l.Name] = reading.Weight
		}
		lists = append(lists, more...)
	}
	for name, n := range times {
		if n != 1 {
			times[name] = n * fusion.VoteWeight(name, weights)
		} else {
			delete(times, name)
		}
	}
	maps.Copy(weights, times)
	return fusion.FuseVotes(lists, weights), notes, nil
}

// summedChunks is how many of a file's chunks the list chunks counts: a file that answers in several places is about the
// question, one that is large has more of them.
const summedChunks = 3

// bestChunks ranks files by the sum of the scores of their best chunks.
func bestChunks(hits []agenvantage.Hit) []agenvantage.Hit {
	var files []agenvantage.Hit
	count, position := map[uint32]int{}, map[uint32]int{}
	for _, h := range hits {
		n := count[h.File]
		switch count[h.File]++; {
		case n == 0:
			position[h.File] = len(files)
			files = append(files, agenvantage.Hit{File: h.File, Chunk: -1, Symbol: -1, Score: h.Score})
		case n < summedChunks:
			files[position[h.File]].Score += h.Score
		}
	}
	slices.SortFunc(files, agenvantage.CompareHits)
	return files
}

func suffix(reading plan.Reading) string {
	if reading.Name == "" {
		return ""
	}
	return ":" + reading.Name
}

// wholeFiles are the lists that no channel has: a long text is asked of long documents.
func (r *voting) wholeFiles(ctx context.Context, reading plan.Reading, weights map[string]float64) ([]fusion.List, error) {
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
		{"docs", func() ([]agenvantage.Hit, error) { return channels.DocWords(ctx, r.words, size, terms) }},
	} {
		if fusion.VoteWeight(l.name+suffix(reading), weights) == 0 {
			continue
		}
		hits, err := l.ask()
		if err != nil {
			return nil, fmt.Errorf("rank files by %s: %w", l.name, err)
		}
		lists = append(lists, fusion.List{Name: l.name + suffix(reading), Hits: r.within(hits)})
	}
	return lists, nil
}

// within are the first hits in the files of the scope.
func (r *voting) within(hits []agenvantage.Hit) []agenvantage.Hit {
	kept := hits[:0]
	for _, h := range hits {
		if r.scope.Has(h.File) && len(kept) < reportLimit {
			kept = append(kept, h)
		}
	}
	return kept
}

// missingFiles are the best files of which each has a span in the answer, as far as one can be found. It does not depend on how much
// is asked for, so that a shorter answer is the beginning of a longer one.
const missingFiles = 40

// missing asks for the spans of those of the best files in which no channel found one: their words are spread over the file. Files
// that cannot come into the answer are not asked.
func (r *voting) missing(ctx context.Context, words channels.Channel, files []agenvantage.Candidate, have []agenvantage.Candidate, corpus Corpus) ([]agenvantage.Hit, error) {
	in := make(map[uint32]bool, len(have))
	for _, c := range have {
		in[c.File] = true
	}
	var without []uint32
	for _, f := range files[:min(len(files), missingFiles)] {
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
func (r *voting) byFiles(ctx context.Context, corpus Corpus, resolver *resolver, run []channels.Channel, outcomes []channels.Outcome, candidates []agenvantage.Candidate) ([]agenvantage.Candidate, []string, error) {
	files, notes, err := r.votes(ctx, run, outcomes)
	if err != nil {
		return nil, nil, err
	}
	r.demoteOthers(corpus, files)
	hits, err := r.missing(ctx, lexical(run), files, candidates, corpus)
	if err != nil {
		return nil, nil, err
	}
	if hits, err = resolver.resolve(hits); err != nil {
		return nil, nil, err
	}
	found := fusion.FuseReciprocalRank([]fusion.List{{Name: "bm25f", Hits: hits}}, r.options.Fusion)
	candidates = append(candidates, rankedBehind(candidates, found)...)
	return rerank.ByFile(candidates, files, resolver, r.query, r.options.Features), notes, nil
}

// documentFolders, at the root, hold documents, and code that configures or illustrates them.
var documentFolders = []string{"doc", "docs", "documentation"}

// demoteOthers applies the factor of files that hold neither code nor prose (settings, pictures as text, lists without an ending),
// or code that illustrates a document, to the files of a report, which mentions many things that such files mention too.
func (r *voting) demoteOthers(corpus Corpus, files []agenvantage.Candidate) {
	if r.words == nil || !r.query.Class.IsReport() || r.options.Votes.Other == 0 || r.options.Votes.Other == 1 {
		return
	}
	for i := range files {
		f := &files[i]
		top, _, below := strings.Cut(strings.ToLower(corpus.Path(f.File)), "/")
		other := !r.words.IsCode(f.File) || below && slices.Contains(documentFolders, top)
		if other && !corpus.Class(f.File).Has(agenvantage.ClassDocument) {
			change := (r.options.Votes.Other - 1) * f.Score
			f.Parts = append(f.Parts, agenvantage.Part{Name: "role:other", Value: change})
			f.Score += change
		}
	}
	slices.SortFunc(files, agenvantage.CompareCandidates)
}
