package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
)

// sureConfidence is from where on a partner that is not in the set is worth a warning: every other commit needed it.
const sureConfidence = 0.5

// Cochange says which files change together with the files of a set. Commits of more than provenance.max_files files
// count for nothing. A path that is not in the tree any more is answered from history; one that nothing knows is an
// *UnknownLocationError. progress may be nil.
func (a *App) Cochange(ctx context.Context, r CochangeRequest, progress func(Progress)) (Cochanges, error) {
	if len(r.Paths) == 0 {
		return Cochanges{}, fmt.Errorf("%w: a path is needed", agenvantage.ErrBadInput)
	}
	if r.MinSupport < 0 {
		return Cochanges{}, fmt.Errorf("%w: minimum support is %d, want 1 or more", agenvantage.ErrBadInput, r.MinSupport)
	}
	var answer Cochanges
	err := a.withHistory(ctx, r.NoRefresh, progress, func(h *historyView) (err error) {
		answer, err = h.cochange(ctx, r)
		return err
	})
	return answer, err
}

func (h *historyView) cochange(ctx context.Context, r CochangeRequest) (Cochanges, error) {
	answer := Cochanges{Paths: []string{}, Revision: h.view.Revision(), Changed: []ChangedFile{}, Partners: []CochangeInfo{}, Missing: []string{}, Coverage: h.coverage}
	var set []uint32
	for _, path := range r.Paths {
		files, err := h.filesOf(ctx, path)
		if err != nil {
			return Cochanges{}, err
		}
		for _, f := range files {
			if !slices.Contains(set, f) {
				set = append(set, f)
				answer.Paths = append(answer.Paths, h.path(f))
				answer.Changed = append(answer.Changed, ChangedFile{Path: h.path(f), Commits: len(h.smallCommits(f)), Deleted: int(f) >= h.corpus.FileCount()})
			}
		}
	}
	answer.Notes = h.notes
	partners := h.partners(set, cmp.Or(r.MinSupport, h.app.provenanceOptions.MinSupport))
	answer.Partners = append(answer.Partners, partners[:min(len(partners), maxPartners)]...)
	for _, p := range answer.Partners {
		if p.Confidence >= sureConfidence {
			warning := fmt.Sprintf("%.0f%% of commits that touch %s touch %s; %s is not in your set", math.Floor(100*p.Confidence), p.With, p.Path, p.Path)
			answer.Missing = append(answer.Missing, warning)
		}
	}
	return answer, nil
}

// smallCommits lists the commits that touched a file and are no sweeps, newest first.
func (h *historyView) smallCommits(file uint32) []uint32 {
	var list []uint32
	for _, c := range h.view.Touching(file) {
		if h.counts(c) {
			list = append(list, c)
		}
	}
	return list
}

// counts reports whether a commit says something about what belongs together.
func (h *historyView) counts(commit uint32) bool {
	_, _, changed, _ := h.view.Commit(commit)
	return changed <= h.app.provenanceOptions.MaxFiles
}

// partners lists the files that changed together with one of a set in at least support commits, for each the file of the set
// that it goes with most surely: by confidence, then support, then path.
func (h *historyView) partners(set []uint32, support int) []CochangeInfo {
	all, touched := 0, map[uint32]int{}
	for c := range uint32(h.view.CommitCount()) {
		if _, _, _, files := h.view.Commit(c); len(files) > 0 && h.counts(c) {
			all++
			for _, f := range files {
				touched[f]++
			}
		}
	}
	type pair struct {
		with            uint32
		together, with0 int
	}
	best := map[uint32]pair{}
	for _, file := range set {
		list := h.smallCommits(file)
		together := map[uint32]int{}
		for _, c := range list {
			_, _, _, files := h.view.Commit(c)
			for _, f := range files {
				together[f]++
			}
		}
		for other, n := range together {
			if n < max(support, 1) || slices.Contains(set, other) {
				continue
			}
			p, had := best[other]
			if better := n*p.with0 - p.together*len(list); !had || better > 0 || better == 0 && n > p.together {
				best[other] = pair{file, n, len(list)}
			}
		}
	}
	infos := []CochangeInfo{}
	for other, p := range best {
		confidence := float64(p.together) / float64(p.with0)
		infos = append(infos, CochangeInfo{Path: h.path(other), With: h.path(p.with), Support: p.together, Confidence: confidence,
			Lift: confidence * float64(all) / float64(touched[other])})
	}
	slices.SortFunc(infos, func(a, b CochangeInfo) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Support, a.Support), cmp.Compare(a.Path, b.Path))
	})
	return infos
}

// noHistoryError makes bad input of a tree that has no history to ask.
func noHistoryError(root string, err error) error {
	if errors.Is(err, channels.ErrNoHistory) {
		return fmt.Errorf("%w: %s has no history: %s", agenvantage.ErrBadInput, root, strings.TrimPrefix(err.Error(), channels.ErrNoHistory.Error()+": "))
	}
	return err
}
