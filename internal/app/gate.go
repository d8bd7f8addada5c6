package app

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/configs"
	"agenvantage/index"
)

// readPolicy weighs the verdicts beside the index, if there are any, against what the index holds now.
func (a *App) readPolicy(ctx context.Context, c *corpus) (ablations.Policy, error) {
	shipped, err := ablations.Shipped()
	if err != nil {
		return ablations.Policy{}, err
	}
	local, err := ablations.ReadVerdicts(a.gateFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ablations.NewPolicy(shipped, nil, ablations.Basis{Model: a.modelName(ctx)}), nil
	case errors.Is(err, agenvantage.ErrBadInput): // an answer does not hang on it
		p := ablations.NewPolicy(shipped, nil, ablations.Basis{Model: a.modelName(ctx)})
		p.Lapsed = err.Error()
		return p, nil
	case err != nil:
		return ablations.Policy{}, err
	}
	return ablations.NewPolicy(shipped, &local, a.basis(ctx, c)), nil
}

func (a *App) gateFile() string { return filepath.Join(a.index.Dir(), index.GateFile) }

// basis is the state that verdicts given now would rest on.
func (a *App) basis(ctx context.Context, c *corpus) ablations.Basis {
	b := ablations.Basis{IndexFormat: index.Format, RankingHash: a.config.RankingHash(), Model: a.modelName(ctx), Files: make(ablations.Prints, 0, c.FileCount())}
	var h xxh3.Hasher
	for f := range uint32(c.FileCount()) {
		info := c.File(f)
		h.Reset()
		_, _ = h.WriteString(info.Path)
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(info.Path))))
		_, _ = h.Write(info.Hash[:])
		b.Files = append(b.Files, h.Sum64())
	}
	slices.Sort(b.Files)
	b.Files = slices.Compact(b.Files)
	return b
}

// gateOf says for which classes of questions auto asks a channel.
func (p *pinned) gateOf(channel string) []GateStatus {
	gate := []GateStatus{}
	if slices.Contains(ablations.Deterministic(), channel) {
		return gate
	}
	for _, class := range ablations.Classes() {
		r := p.rule(channel, class)
		gate = append(gate, GateStatus{Class: class, On: r.On, Decision: r.Decision, Source: r.Source, Why: r.Why})
	}
	return gate
}

// rule is what the gate says of a channel. Where nobody makes vectors that is why the channel of vectors is off, whatever was measured.
func (p *pinned) rule(channel string, class ablations.Class) ablations.Ruling {
	r := p.policy.Rule(channel, class)
	if channel == semanticChannel && !p.app.embedding.on() {
		r.On, r.Why = false, noVectorsWanted
	}
	return r
}

// otherChannels are the channels beside the deterministic ones.
func (a *App) otherChannels() []ChannelStatus {
	var others []ChannelStatus
	for _, m := range a.makers {
		if !slices.Contains(ablations.Deterministic(), m.name) {
			others = append(others, ChannelStatus{Name: m.name, Status: agenvantage.StatusOK})
		}
	}
	return others
}

// Foreign lists the repositories of a report's tasks other than the one at root.
func Foreign(root string, report ablations.Report) (names []string) {
	for _, r := range report.Tasks.Repositories {
		if r.Name != RepoName(root) {
			names = append(names, r.Name)
		}
	}
	return names
}

// checkEvidence says why the verdicts of a report may not decide what is asked here. It wraps agenvantage.ErrBadInput.
func (a *App) checkEvidence(ctx context.Context, report ablations.Report, foreign bool) error {
	if report.Run.ConfigHash != a.config.RankingHash() || report.Run.IndexFormat != index.Format {
		return fmt.Errorf("%w: the run was made with settings %s and index format %d, in force are %s and %d%s: its verdicts would lapse at once",
			agenvantage.ErrBadInput, report.Run.ConfigHash, report.Run.IndexFormat, a.config.RankingHash(), index.Format,
			differing(report.Run.Settings, changedSettings(a.config)))
	}
	if model := a.modelName(ctx); report.Run.Model != "" && report.Run.Model != model {
		return fmt.Errorf("%w: the run was made with the embedding model %q, in force is %q: its verdicts would lapse at once", agenvantage.ErrBadInput, report.Run.Model, model)
	}
	switch names := Foreign(a.root, report); {
	case len(report.Tasks.Classes) == 0:
		return fmt.Errorf("%w: the run holds no answer: there is nothing to apply", agenvantage.ErrBadInput)
	case report.Tasks.Missing > 0:
		return fmt.Errorf("%w: the run is not complete, %d answers are missing: go on with it by --resume before its verdicts are applied", agenvantage.ErrBadInput, report.Tasks.Missing)
	case len(names) > 0 && !foreign:
		return fmt.Errorf("%w: the run's tasks are of %s, and the repository here is %s: --foreign applies its verdicts all the same",
			agenvantage.ErrBadInput, shortList(names), RepoName(a.root))
	}
	return nil
}

// differing names the settings that rank and are not the same in two lists of those that differ from the defaults, with both values; ""
// where there are none.
func differing(then, now []ablations.Setting) string {
	const unchanged = "the default"
	was, is := map[string]string{}, map[string]string{}
	for _, side := range []struct {
		values   map[string]string
		settings []ablations.Setting
	}{{was, then}, {is, now}} {
		for _, s := range side.settings {
			if configs.Ranks(s.Key) {
				side.values[s.Key] = s.Value
			}
		}
	}
	both := maps.Clone(was)
	maps.Copy(both, is)
	var names []string
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if was[key] != is[key] {
			names = append(names, fmt.Sprintf("%s was %s, is %s", key, cmp.Or(was[key], unchanged), cmp.Or(is[key], unchanged)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + shortList(names) + ")"
}

// shortList names the first of many.
func shortList(names []string) string {
	const shown = 3
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

// ApplyVerdicts writes the decisions of a report beside the index, where --channels auto obeys them. The report must be of
// a whole run, made under the settings and the index format that are in force, and, unless foreign is set, of tasks of this
// repository: others are agenvantage.ErrBadInput.
func (a *App) ApplyVerdicts(ctx context.Context, report ablations.Report, foreign bool) (file string, err error) {
	done, err := a.use()
	if err != nil {
		return "", err
	}
	defer done()
	if err := a.checkEvidence(ctx, report, foreign); err != nil {
		return "", err
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return "", err
	}
	basis := a.basis(ctx, pinned.corpus)
	pinned.release()
	v := ablations.NewVerdicts(report, basis, time.Now().UTC().Format(time.RFC3339))
	if err := v.Write(a.gateFile()); err != nil {
		return "", err
	}
	a.unpin() // the next search reads them
	return a.gateFile(), nil
}
