package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"agenvantage/internal/app"
)

// progress tells standard error how an index run goes: a bar on a terminal, plain lines elsewhere. It is quiet for runs
// that end at once. update may be called from several goroutines.
type progress struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	now      func() time.Time

	last    app.Progress
	begun   time.Time // first update
	phaseAt time.Time // first update of the phase
	first   int       // DoneFiles at that time: of a resumed run, what others did
	told    time.Time // last plain line
	percent int       // of the last plain line

	screen *mpb.Progress // nil until the bar is shown
	bar    *mpb.Bar
	beside atomic.Value // string: the text beside the bar, which mpb reads from a goroutine of its own
	closed bool
}

const (
	quietFor   = 400 * time.Millisecond // a refresh of a few files is not worth a bar
	lineEvery  = time.Second            // plain lines are at least this far apart,
	lineStep   = 10                     // and this many per cent,
	lineAtMost = 10 * time.Second       // unless this much time went by
	barScale   = 1000
)

func (p *program) newProgress() *progress {
	return &progress{w: p.stderr, terminal: p.isTerminal(p.stderr), now: time.Now}
}

func (b *progress) update(u app.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	now := b.now()
	if b.begun.IsZero() {
		b.begun = now
	}
	if b.phaseAt.IsZero() || u.Phase != b.last.Phase {
		b.phaseAt, b.first = now, u.DoneFiles
	}
	newNote := u.Note != "" && u.Note != b.last.Note && u.Phase != app.PhaseAnswer && u.Phase != app.PhaseMine // whose notes change all the time
	b.last = u
	switch {
	case b.terminal:
		if b.screen == nil && now.Sub(b.begun) >= quietFor {
			b.show()
		}
		if b.bar != nil {
			b.beside.Store(b.text())
			b.bar.SetCurrent(min(int64(b.share()*barScale), barScale-1))
		}
	case newNote, b.due(now):
		b.told, b.percent = now, int(100*b.share())
		fmt.Fprintln(b.w, b.text())
	}
}

// due reports whether it is time for another plain line.
func (b *progress) due(now time.Time) bool {
	if b.told.IsZero() {
		return now.Sub(b.begun) >= lineEvery
	}
	since := now.Sub(b.told)
	return since >= lineEvery && int(100*b.share()) >= b.percent+lineStep || since >= lineAtMost
}

// share is the part of the phase that is done, 0 to 1: by bytes where they are known, because files differ in size.
func (b *progress) share() float64 {
	switch u := b.last; {
	case u.TotalBytes > 0:
		return min(float64(u.DoneBytes)/float64(u.TotalBytes), 1)
	case u.TotalFiles > 0:
		return min(float64(u.DoneFiles)/float64(u.TotalFiles), 1)
	}
	return 0
}

// text is the state in words: "indexing 1200 of 5000 files (24%), 3.1 MB/s, 12s left".
func (b *progress) text() string {
	u := b.last
	switch u.Phase {
	case app.PhaseWait:
		return "waiting for another index run" + visible(prefixed(": ", u.Note))
	case app.PhaseScan:
		if u.DoneFiles > 0 {
			return fmt.Sprintf("looking for files: %d", u.DoneFiles)
		}
		return "looking for files"
	case app.PhaseLink:
		return fmt.Sprintf("resolving references: %d of %d files (%d%%)", b.last.DoneFiles, b.last.TotalFiles, int(100*b.share()))
	case app.PhaseHistory:
		return b.historyText()
	case app.PhaseMerge:
		return "merging the index" + visible(prefixed(": ", u.Note))
	case app.PhaseAnswer:
		return b.answerText()
	case app.PhaseMine:
		return "reading the history: " + visible(u.Note)
	case app.PhaseEmbed:
		return b.embedText()
	}
	s := fmt.Sprintf("indexing %d files", u.DoneFiles)
	if u.TotalFiles > 0 {
		s = fmt.Sprintf("indexing %d of %d files (%d%%)", u.DoneFiles, u.TotalFiles, int(100*b.share()))
	}
	if spent := b.now().Sub(b.phaseAt).Seconds(); spent >= 0.5 {
		if u.DoneBytes > 0 {
			s += fmt.Sprintf(", %s/s", bytesText(int64(float64(u.DoneBytes)/spent)))
		} else if u.DoneFiles > 0 {
			s += fmt.Sprintf(", %.0f files/s", float64(u.DoneFiles)/spent)
		}
		if done := b.share(); done > 0.01 {
			left := time.Duration(spent * (1 - done) / done * float64(time.Second))
			s += fmt.Sprintf(", %s left", left.Round(time.Second))
		}
	}
	return s + visible(prefixed(": ", u.Note))
}

// historyText is the state of the history in words: "storing 1200 of 5000 commits (24%)".
func (b *progress) historyText() string {
	switch u := b.last; {
	case u.TotalFiles > 0:
		return fmt.Sprintf("storing %d of %d commits (%d%%)", u.DoneFiles, u.TotalFiles, int(100*b.share()))
	case u.DoneFiles > 0:
		return fmt.Sprintf("storing commits: %d", u.DoneFiles)
	}
	return "looking for commits"
}

// answerText is the state of an ablation in words: "1200 of 5000 answers (24%), 40/s, 95s left: flask".
func (b *progress) answerText() string {
	u := b.last
	s := fmt.Sprintf("%d of %d answers (%d%%)", u.DoneFiles, u.TotalFiles, int(100*b.share()))
	return s + b.pace() + visible(prefixed(": ", u.Note))
}

// embedText is the state of an embedding run in words: "embedding 1200 of 5000 texts (24%), 40/s, 95s left".
func (b *progress) embedText() string {
	u := b.last
	s := "embedding"
	if u.TotalFiles > 0 { // while the service is asked who it is, nothing is counted yet
		s = fmt.Sprintf("embedding %d of %d texts (%d%%)", u.DoneFiles, u.TotalFiles, int(100*b.share()))
	}
	return s + b.pace() + visible(prefixed(": ", u.Note))
}

// pace is how fast a phase goes whose parts are alike: ", 40.0/s, 95s left", or "" while that is not known.
func (b *progress) pace() string {
	u, spent := b.last, b.now().Sub(b.phaseAt).Seconds()
	if spent < 0.5 || u.DoneFiles <= b.first {
		return ""
	}
	rate := float64(u.DoneFiles-b.first) / spent
	left := time.Duration(float64(u.TotalFiles-u.DoneFiles) / rate * float64(time.Second))
	return fmt.Sprintf(", %.1f/s, %s left", rate, left.Round(time.Second))
}

// show puts the bar on the terminal.
func (b *progress) show() {
	b.beside.Store(b.text())
	b.screen = mpb.New(mpb.WithOutput(file(b.w)), mpb.WithRefreshRate(200*time.Millisecond))
	b.bar = b.screen.New(barScale, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.BarWidth(24), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.beside.Load().(string) })))
}

// close takes the bar away. Updates that come later are dropped.
func (b *progress) close() {
	b.mu.Lock()
	b.closed = true
	screen, bar := b.screen, b.bar
	b.mu.Unlock()
	if screen != nil {
		bar.Abort(true)
		screen.Wait()
	}
}
