package app

import (
	"slices"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/plan"
)

// taskChannels are asked about a task: names and words, which are there for every repository.
var taskChannels = []string{"exact", "bm25f"}

// taskHits is how many hits of each channel count; taskK flattens their order as reciprocal rank fusion does.
const (
	taskHits = 60
	taskK    = 20
)

// seek finds what a task is about: seeds are the files of the channels' hits, and relevance is what a personalised PageRank
// makes of them. Symbols are those that the hits name or hold.
func (v *mapView) seek(p *pinned, task string) error {
	query, err := plan.Parse(task, plan.ParseOptions{})
	if err != nil {
		return err
	}
	v.task = task
	var run []channels.Channel
	for _, c := range p.channels {
		if slices.Contains(taskChannels, c.Name()) {
			run = append(run, c)
		}
	}
	v.words = map[string]bool{}
	for _, t := range query.Terms {
		v.words[t.Text] = true
	}
	seeds := make([]float64, len(v.overview.Files))
	v.soughtSymbols = map[agenvantage.Node]float64{}
	for _, out := range channels.Run(v.ctx, run, channels.Request{Query: query, Limit: taskHits}, channels.RunOptions{Timeout: p.app.mapTimeout()}) {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if out.Report.Status == agenvantage.StatusTimeout || out.Report.Status == agenvantage.StatusError {
			v.notes = append(v.notes, "the channel "+out.Report.Name+" could not be asked about the task: "+out.Report.Error)
		}
		for i, h := range out.List.Hits {
			weight := 1 / float64(taskK+1+i)
			ff := &v.overview.Files[h.File]
			if _, share := auxiliary(ff.Path); ff.Test || !ff.Code {
				weight *= 0.2
			} else {
				weight *= share
			}
			seeds[h.File] += weight
			if err := v.seekSymbols(h, weight); err != nil {
				return err
			}
		}
	}
	// Half of the relevance is the hits' own: in a small graph every file is near to every other.
	v.relevance = scaled(personalRanks(v.overview.Links, seeds))
	for f, s := range scaled(seeds) {
		v.relevance[f] = (v.relevance[f] + s) / 2
	}
	v.relevance = scaled(v.relevance)
	best := 0.0
	for _, w := range v.soughtSymbols {
		best = max(best, w)
	}
	for n := range v.soughtSymbols {
		v.soughtSymbols[n] /= best
	}
	if best == 0 {
		v.notes = append(v.notes, "nothing in the index has to do with the task: the map is that of the repository")
	}
	return nil
}

// seekSymbols notes the symbols of a hit.
func (v *mapView) seekSymbols(h agenvantage.Hit, weight float64) error {
	if h.Symbol >= 0 {
		v.soughtSymbols[agenvantage.Node{File: h.File, Symbol: h.Symbol}] += weight
		return nil
	}
	x, err := v.corpus.Facts(h.File)
	if err != nil || h.Chunk < 0 || h.Chunk >= len(x.Chunks) {
		return err
	}
	c := &x.Chunks[h.Chunk]
	for _, s := range c.Symbols {
		share := (1 + float64(v.wordsOf(&x.Symbols[s]))) / float64(len(c.Symbols))
		v.soughtSymbols[agenvantage.Node{File: h.File, Symbol: s}] += weight * share
	}
	return nil
}

// wordsOf counts the words of the task that a symbol's name and comment hold: a chunk may be of several symbols.
func (v *mapView) wordsOf(s *agenvantage.Symbol) (n int) {
	found := map[string]bool{}
	for _, token := range analysis.AppendTokens(nil, s.Name+" "+s.Doc) {
		if v.words[token] && !found[token] {
			found[token] = true
			n++
		}
	}
	return n
}

// scaled divides by the largest.
func scaled(values []float64) []float64 {
	best := 0.0
	for _, x := range values {
		best = max(best, x)
	}
	if best > 0 {
		for i := range values {
			values[i] /= best
		}
	}
	return values
}
