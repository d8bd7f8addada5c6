package app

import (
	"context"
	"fmt"
	"slices"

	"agenvantage/ablations"
	"agenvantage/embed"
)

// embedForAblation embeds what the index of a corpus holds, where the embedder is on this machine, and says what it costs. A hosted service
// is not paid by a measurement that nobody planned: its channel answers from what embed run has stored.
func (a *App) embedForAblation(ctx context.Context, progress func(Progress)) (ablations.ChannelCost, error) {
	var cost ablations.ChannelCost
	made, err := a.embedding.maker()
	if err != nil {
		return cost, err
	}
	if !made.Hosted() {
		if _, err := a.embedPinned(ctx, EmbedRequest{}, progress); err != nil {
			return cost, fmt.Errorf("embed %s: %w", a.root, err)
		}
	}
	set, ok, err := a.embedding.current(ctx)
	if err != nil || !ok {
		return cost, err
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return cost, err
	}
	defer pinned.release()
	counts, err := a.embedCounts(ctx, pinned.corpus, set.Key)
	if err != nil {
		return cost, err
	}
	source, err := a.chunkSource(pinned.corpus, made.Hosted)
	if err != nil {
		return cost, err
	}
	for i := range source.Len() {
		text, err := source.Text(i)
		if err != nil {
			return cost, err
		}
		cost.EmbeddedTokens += int64(embed.EstimateTokens(text))
	}
	cost.IndexBytes = int64(counts.Done) * vectorBytes(set)
	return cost, nil
}

// embeddingModels names the models of the variants that ask the channel of vectors, with their digests, and what a reader of the figures must
// know about them. The services are asked who they are: a run is of one state of a model.
func embeddingModels(ctx context.Context, r AblateRequest, matrix ablations.Matrix) (models, notes []string, err error) {
	for _, v := range matrix.Variants {
		if !slices.Contains(v.Channels, semanticChannel) {
			continue
		}
		cfg, err := r.Load(v.Settings)
		if err != nil {
			return nil, nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		e := newEmbedding(cfg)
		if !e.on() {
			notes = append(notes, fmt.Sprintf("variant %s asks the channel %s and embeddings are off: it finds nothing", v.Name, semanticChannel))
			continue
		}
		made, err := e.maker()
		if err != nil {
			return nil, nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		identity, err := made.Identity(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		models = append(models, identityName(identity))
		if told := e.notice(); told != "" {
			notes = append(notes, told)
		}
		if made.Hosted() {
			notes = append(notes, "the channel "+semanticChannel+" answers from the vectors that embed run has stored: a run embeds by itself with models of this machine only")
		}
	}
	slices.Sort(models)
	slices.Sort(notes)
	return slices.Compact(models), slices.Compact(notes), nil
}
