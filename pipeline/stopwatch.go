package pipeline

import (
	"slices"
	"time"

	"agenvantage"
)

// stopwatch sums the time of the stages of one search. A nil one measures nothing.
type stopwatch struct {
	started, lapped time.Time
	stages          []agenvantage.StageTime
}

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{started: now, lapped: now}
}

// lap gives the time since the last one to a stage.
func (w *stopwatch) lap(stage string) {
	if w == nil {
		return
	}
	now := time.Now()
	i := slices.IndexFunc(w.stages, func(s agenvantage.StageTime) bool { return s.Name == stage })
	if i < 0 {
		i = len(w.stages)
		w.stages = append(w.stages, agenvantage.StageTime{Name: stage})
	}
	w.stages[i].TookMS += milliseconds(now.Sub(w.lapped))
	w.lapped = now
}

// total is the time up to the last lap, in milliseconds.
func (w *stopwatch) total() float64 { return milliseconds(w.lapped.Sub(w.started)) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
