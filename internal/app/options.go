package app

import (
	"errors"

	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/fusion"
	"agenvantage/pipeline"
	"agenvantage/plan"
	"agenvantage/rerank"
)

// setOptions turns the loaded configuration into the options of each package and checks them there.
func (a *App) setOptions() error {
	c := a.config
	a.searchOptions = pipeline.Options{
		TopK: c.Search.TopK, MaxPerFile: c.Search.MaxPerFile, ChannelLimit: c.Search.ChannelLimit, ChannelTimeout: c.Search.ChannelTimeout,
		MaxLineBytes: c.Search.MaxLineChars,
		Fusion:       fusion.Options{K: float64(c.Fusion.K), Weights: c.Fusion.Weights},
		Features: rerank.FeatureOptions{FileName: c.Ranking.FileName, Folder: c.Ranking.Folder, NameFit: c.Ranking.NameFit, Coherence: c.Ranking.Coherence, Header: c.Ranking.Header, Declares: c.Ranking.Declaration,
			Roles:      map[string]float64{"test": c.Ranking.Roles.Test, "document": c.Ranking.Roles.Document, "example": c.Ranking.Roles.Example, "legacy": c.Ranking.Roles.Legacy},
			Saturation: c.Ranking.Saturation},
		Rerank: rerank.Options{PathWeights: c.Ranking.PathWeights, ClassWeights: map[string]float64{
			"generated": c.Ranking.ClassWeights.Generated, "minified": c.Ranking.ClassWeights.Minified, "lock": c.Ranking.ClassWeights.Lock,
		}},
		Near:  plan.NearOptions{Synonym: c.BM25F.SynonymWeight, Form: c.BM25F.FormWeight},
		Votes: pipeline.VoteOptions{Report: c.Ranking.Votes.Report, Trace: c.Ranking.Votes.Trace, Question: c.Ranking.Votes.Question, Other: c.Ranking.Roles.Other},
	}
	field := func(f configs.BM25FField) channels.FieldOptions {
		return channels.FieldOptions{Weight: f.Weight, B: f.B}
	}
	f := c.BM25F.Fields
	a.bm25fOptions = channels.DefaultBM25FOptions()
	a.bm25fOptions.K1, a.bm25fOptions.K3 = c.BM25F.K1, c.BM25F.K3
	a.bm25fOptions.PartWeight, a.bm25fOptions.JoinWeight = c.BM25F.PartWeight, c.BM25F.JoinWeight
	a.bm25fOptions.Path, a.bm25fOptions.Symbol, a.bm25fOptions.Signature = field(f.Path), field(f.Symbol), field(f.Signature)
	a.bm25fOptions.Doc, a.bm25fOptions.Body = field(f.Doc), field(f.Body)
	a.exactOptions = channels.DefaultExactOptions()
	p := c.Provenance
	a.provenanceOptions = channels.DefaultProvenanceOptions()
	a.provenanceOptions.K1, a.provenanceOptions.B, a.provenanceOptions.AgeDays, a.provenanceOptions.RecencyDays = p.K1, p.B, p.AgeDays, p.RecencyDays
	a.provenanceOptions.MaxFiles, a.provenanceOptions.Commits, a.provenanceOptions.HunkCommits = p.MaxFiles, p.Commits, p.HunkCommits
	a.provenanceOptions.Prior, a.provenanceOptions.Cochange, a.provenanceOptions.MinSupport = p.Prior, p.Cochange, p.MinSupport
	a.graphOptions = channels.DefaultGraphOptions()
	a.graphOptions.Damping, a.graphOptions.Iterations = c.Graph.Damping, c.Graph.Iterations
	return errors.Join(a.searchOptions.Fusion.Validate(), a.searchOptions.Rerank.Validate(), a.bm25fOptions.Validate(), a.provenanceOptions.Validate(), a.graphOptions.Validate())
}
