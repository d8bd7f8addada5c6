package app

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"agenvantage"
)

// readChanges finds the files with changes that are not committed, and the lines that the diff of the request changes.
func (p *packer) readChanges() error {
	if p.app.fixed && p.request.FromDiff == nil {
		return nil
	}
	changed, err := p.corpus.past.Uncommitted(p.ctx)
	if err != nil {
		return err
	}
	for _, c := range changed {
		p.dirty[c.File] = true
	}
	if p.request.FromDiff == nil {
		return nil
	}
	if changed, err = p.corpus.past.changedSince(p.ctx, *p.request.FromDiff); errors.Is(err, errNothingToCompare) {
		return fmt.Errorf("%w: --from-diff: %v", agenvantage.ErrBadInput, err)
	} else if err != nil {
		return err
	}
	if task := strings.TrimSpace(p.request.Task); len(changed) == 0 && (task == "" || task == ReviewTask) {
		return fmt.Errorf("%w: --from-diff: the work tree changes no indexed file beyond %s, and there is no task", agenvantage.ErrBadInput, cmp.Or(*p.request.FromDiff, "HEAD"))
	}
	p.changed = map[uint32][]agenvantage.Span{}
	for _, c := range changed {
		p.changed[c.File] = c.Lines
	}
	return nil
}
