package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/fusion"
	"agenvantage/plan"
)

// EvidenceOptions bound the search for evidence.
type EvidenceOptions struct {
	Run   channels.RunOptions
	Limit int                // hits asked of each channel for the ranking of files
	K     float64            // of the reciprocal rank fusion of files
	Votes map[string]float64 // weight of each list of files; a channel that is missing weighs 1, whole_file and path_words vote only when they are here
	// Words, where it is there, adds two lists: whole_file, BM25 over whole files, and path_words.
	Words  Words
	Report VoteOptions // weigh the lists of a long text, which votes as its search does (byfile.go)
	// Lines weigh each channel's score of a chunk, as a share of its best score in the file, against the others'. title is the score
	// in bm25f for the title alone of a long text; it is asked for only when it is here.
	Lines map[string]float64
}

// DefaultEvidenceOptions are what packs are measured with. A file is voted for by each channel's list of distinct files,
// since a long task is about files before it is about lines.
func DefaultEvidenceOptions() EvidenceOptions {
	return EvidenceOptions{Limit: 400, K: 20, Votes: map[string]float64{"bm25f": 2, "whole_file": 1, "path_words": 1},
		Lines: map[string]float64{"bm25f": 1, titleLines: 0.6, "exact": 0.3, "graph": 0.2, "provenance": 0.1}}
}

// Evidence gathers, for one question over one view, the files that the channels vote for and their places.
type Evidence struct {
	Files   []FileEvidence // best first
	Reports []agenvantage.ChannelReport
	Notes   []string // what could not be asked

	corpus   Corpus
	channels []channels.Channel
	query    agenvantage.Query
	options  EvidenceOptions
}

// FileEvidence is one file that a task may need.
type FileEvidence struct {
	File  uint32
	Score float64                            // of the fusion
	Votes map[string]agenvantage.ChannelRank // the file's place in each channel's list of distinct files
}

// PlaceEvidence is one chunk of a file.
type PlaceEvidence struct {
	Chunk    int
	Span     agenvantage.Span
	Owner    int // the symbol that the chunk is or is a part of, -1 for none
	Score    float64
	Channels []string // that found it, in the order in which they are reported
	Reason   string   // of the channel that weighs most
}

// Gather asks the channels and ranks the files. An error is that of the context, or of every channel.
func Gather(ctx context.Context, corpus Corpus, query agenvantage.Query, asked []channels.Channel, o EvidenceOptions) (*Evidence, error) {
	outcomes := channels.Run(ctx, asked, channels.Request{Query: query, Limit: o.Limit}, o.Run)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("gather evidence: %w", err)
	}
	if err := allFailed(outcomes); err != nil {
		return nil, err
	}
	e := &Evidence{corpus: corpus, channels: asked, query: query, options: o}
	withoutLandmarks(outcomes)
	for i := range outcomes {
		e.Reports = append(e.Reports, outcomes[i].Report)
	}
	if query.Class.IsReport() {
		return e, e.report(ctx, outcomes)
	}
	lists := filesOf(outcomes)
	if o.Words != nil && len(query.Terms) > 0 {
		for _, l := range []struct {
			name string
			hits func() ([]agenvantage.Hit, error)
		}{
			{"whole_file", func() ([]agenvantage.Hit, error) {
				return channels.WholeFiles(ctx, o.Words, o.Words.SizeOf, query.Terms)
			}},
			{"path_words", func() ([]agenvantage.Hit, error) { return channels.PathWords(ctx, o.Words, query.Terms) }},
		} {
			if o.Votes[l.name] <= 0 {
				continue
			}
			hits, err := l.hits()
			if err != nil {
				return nil, fmt.Errorf("gather evidence: %w", err)
			}
			lists = append(lists, fusion.List{Name: l.name, Hits: hits[:min(len(hits), o.Limit)]})
		}
	}
	for _, c := range fusion.FuseReciprocalRank(lists, fusion.Options{K: o.K, Weights: o.Votes}) {
		e.Files = append(e.Files, FileEvidence{File: c.File, Score: c.Score, Votes: c.Channels})
	}
	return e, nil
}

// report ranks the files by the votes of a long text.
func (e *Evidence) report(ctx context.Context, outcomes []channels.Outcome) error {
	r := voting{query: e.query, readings: plan.ReadingsOf(e.query), words: e.options.Words, options: Options{Votes: e.options.Report, ChannelTimeout: e.options.Run.Timeout}}
	files, notes, err := r.votes(ctx, e.channels, outcomes)
	if err != nil {
		return fmt.Errorf("gather evidence: %w", err)
	}
	for _, f := range files {
		e.Files = append(e.Files, FileEvidence{File: f.File, Score: f.Score, Votes: f.Channels})
	}
	e.Notes = notes
	return nil
}

// withoutLandmarks empties the list of a graph that no name of the question is in: landmarks are about the repository, not
// about the task.
func withoutLandmarks(outcomes []channels.Outcome) {
	for i := range outcomes {
		if outcomes[i].Report.Note == channels.NoneNamed {
			outcomes[i].List.Hits, outcomes[i].Report.Hits, outcomes[i].Report.Status = nil, 0, agenvantage.StatusEmpty
		}
	}
}

// filesOf are the lists of distinct files of the channels.
func filesOf(outcomes []channels.Outcome) []fusion.List {
	lists := make([]fusion.List, 0, len(outcomes))
	for i := range outcomes {
		list, seen := fusion.List{Name: outcomes[i].Report.Name}, map[uint32]bool{}
		for _, h := range outcomes[i].List.Hits {
			if !seen[h.File] {
				seen[h.File] = true
				list.Hits = append(list.Hits, agenvantage.Hit{File: h.File, Chunk: -1, Symbol: -1, Score: h.Score, Reason: h.Reason})
			}
		}
		lists = append(lists, list)
	}
	return lists
}

// Places ranks the chunks of files. The channels are asked again, about these files alone, so that chunks are scored
// however far down they stand in the whole repository. A file in which no channel finds a place has none.
func (e *Evidence) Places(ctx context.Context, files []uint32) (map[uint32][]PlaceEvidence, error) {
	if len(files) == 0 || e.corpus == nil { // the zero Evidence has asked nothing
		return nil, nil
	}
	request := channels.Request{Query: e.query, Scope: channels.ScopeOf(files, e.corpus), Limit: maxPlaces}
	outcomes := append(channels.Run(ctx, e.channels, request, e.options.Run), e.titled(ctx, request)...)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("gather evidence: %w", err)
	}
	withoutLandmarks(outcomes)
	hits := map[uint32][]fileHit{}
	for i := range outcomes {
		for _, h := range outcomes[i].List.Hits {
			hits[h.File] = append(hits[h.File], fileHit{i, h})
		}
	}
	places := map[uint32][]PlaceEvidence{}
	for _, file := range files {
		ranked, err := e.rank(file, hits[file], outcomes)
		if err != nil {
			return nil, err
		}
		places[file] = ranked
	}
	return places, nil
}

// titleLines is the name of the list of chunks for the title of a long text: the text is about many places, its title about the one
// that is to change (success@6000 of 181 issue tasks 0.613 with it at 0.6 of bm25f, 0.569 without).
const titleLines = "title"

// titled asks the channel of words about the title alone of a long text; nothing where there is no title or no such channel. A list
// that fails is empty, as one of Run.
func (e *Evidence) titled(ctx context.Context, request channels.Request) []channels.Outcome {
	words := lexical(e.channels)
	if words == nil || e.options.Lines[titleLines] <= 0 || !e.query.Class.IsReport() {
		return nil
	}
	for _, reading := range plan.ReadingsOf(e.query) {
		if reading.Name == titleLines {
			request.Query = reading.Query
			more := channels.Run(ctx, []channels.Channel{words}, request, e.options.Run)
			more[0].Report.Name = titleLines
			return more
		}
	}
	return nil
}

// fileHit is a hit of one outcome.
type fileHit struct {
	outcome int
	hit     agenvantage.Hit
}

// maxPlaces bounds the chunks of the best files that a channel is asked for.
const maxPlaces = 5000

// rank orders the chunks of a file by their scores.
func (e *Evidence) rank(file uint32, hits []fileHit, outcomes []channels.Outcome) ([]PlaceEvidence, error) {
	facts, err := e.corpus.Facts(file)
	if err != nil {
		return nil, err
	}
	places := make([]PlaceEvidence, len(facts.Chunks))
	heaviest := make([]float64, len(facts.Chunks))
	for i, c := range facts.Chunks {
		places[i] = PlaceEvidence{Chunk: i, Span: c.Span, Owner: c.Owner}
	}
	for i := range outcomes {
		name := outcomes[i].Report.Name
		scores, reasons := make([]float64, len(places)), make([]string, len(places))
		best := 0.0
		for _, h := range hits {
			if h.outcome != i {
				continue
			}
			for _, c := range chunksOf(facts, h.hit) {
				if h.hit.Score > scores[c] {
					scores[c], reasons[c] = h.hit.Score, h.hit.Reason
				}
			}
			best = math.Max(best, h.hit.Score)
		}
		weight, weighed := e.options.Lines[name]
		if !weighed {
			weight = 1
		}
		for c, s := range scores {
			if s <= 0 || weight <= 0 {
				continue
			}
			share := weight * s / best
			places[c].Score += share
			if by := channelOf(name); !slices.Contains(places[c].Channels, by) {
				places[c].Channels = append(places[c].Channels, by)
			}
			if share > heaviest[c] {
				heaviest[c], places[c].Reason = share, reasons[c]
			}
		}
	}
	places = slices.DeleteFunc(places, func(p PlaceEvidence) bool { return p.Score == 0 })
	slices.SortStableFunc(places, func(a, b PlaceEvidence) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return places, nil
}

// channelOf is the channel that a list of lines comes from.
func channelOf(list string) string {
	if list == titleLines {
		return "bm25f"
	}
	return list
}

// chunksOf lists the chunks that a hit is about: its own; of a symbol, the one with its name; of a span, those that it
// shares a line with.
func chunksOf(facts *agenvantage.Extraction, h agenvantage.Hit) []int {
	if h.Chunk >= 0 {
		return []int{h.Chunk}
	}
	var in []int
	for i, c := range facts.Chunks {
		if c.Span.Overlaps(h.Span) {
			in = append(in, i)
		}
	}
	return in
}
