package app

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/internal/count"
	"agenvantage/pack/repomap"
)

// maxInstructionLines is how much of an instruction file is shown.
const maxInstructionLines = 60

// fillConstraints shows the instruction files that hold for the files with a chance.
func (p *packer) fillConstraints() error {
	s, seen := p.slots[agenvantage.SlotConstraints], 0
	for _, f := range p.corpus.packFacts().instructions {
		at := p.corpus.Path(f)
		seen++
		if dir := path.Dir(at); dir != "." && !contributing.MatchString(at) && !strings.HasPrefix(at, ".") && !p.holdsChance(dir) {
			continue
		}
		it, err := p.item(agenvantage.SlotConstraints, f, agenvantage.Span{StartLine: 1, EndLine: maxInstructionLines}, -1)
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		it.kind, it.reason, it.gain = agenvantage.BlockInstruction, "instructions for "+folderName(path.Dir(at)), 1
		if contributing.MatchString(at) { // long, and mostly about how to send a change: its place is named
			it.kind, it.reason, it.gain = agenvantage.BlockDocument, "how to contribute", 0.01
		}
		p.items = append(p.items, it)
		s.confidence = max(s.confidence, it.gain)
	}
	s.coverage = fmt.Sprintf("%d instruction files among %d indexed files", seen, p.corpus.FileCount())
	s.absent = seen == 0
	return nil
}

func folderName(dir string) string {
	if dir == "." {
		return "the repository"
	}
	return dir
}

func (p *packer) holdsChance(dir string) bool {
	return slices.ContainsFunc(p.chances, func(c fileChance) bool { return strings.HasPrefix(p.corpus.Path(c.File), dir+"/") })
}

// maxShownCommits bounds the commits of a pack.
const maxShownCommits = 4

// fillChanges lists the newest commits that touched the files with the best chances.
func (p *packer) fillChanges() error {
	s := p.slots[agenvantage.SlotChanges]
	history, err := p.corpus.past.History(p.ctx)
	if errors.Is(err, channels.ErrNoHistory) {
		s.coverage, s.absent = err.Error(), true
		return nil
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	told, shown := map[uint32]bool{}, 0
	for _, c := range p.chances[:min(len(p.chances), 3)] {
		for i, commit := range history.Touching(c.File) {
			if i == 2 || shown == maxShownCommits {
				break
			}
			if told[commit] {
				continue
			}
			told[commit] = true
			subject, err := history.Subject(commit)
			if err != nil {
				return err
			}
			committed, _, changed, _ := history.Commit(commit)
			fmt.Fprintf(&b, "%s %s %s (%s; %s)\n", history.ShortID(commit), time.Unix(committed, 0).UTC().Format(time.DateOnly), clipped(subject, 80), repomap.OneLine(p.corpus.Path(c.File), maxShownPath), count.Of(changed, "file", "files"))
			shown++
		}
	}
	covered, why := history.Covered()
	s.coverage = fmt.Sprintf("%d commits, %.0f%% of the history", history.CommitCount(), covered*100)
	if why != "" && covered < 1 {
		s.coverage += ": " + why
	}
	s.absent = shown == 0 && covered == 1
	if shown == 0 {
		return nil
	}
	s.confidence, s.channels = math.Round(covered*100)/100, []string{provenanceChannel}
	text := strings.TrimSuffix(b.String(), "\n")
	p.items = append(p.items, &packItem{slot: agenvantage.SlotChanges, kind: agenvantage.BlockHistory, text: text, reason: "newest commits of the files above", tokens: estimate(text), gain: 0.5, outcome: OutcomeDropped,
		channels: s.channels})
	return nil
}

func clipped(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
