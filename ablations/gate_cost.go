package ablations

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// The four ways to fail the limits. Rules name the limits and not what was measured, so that they say the same again.
func (c gateCase) untimed() bool   { return c.cost.P95LimitMS > 0 && c.timed < c.Tasks }
func (c gateCase) overTime() bool  { return c.cost.P95LimitMS > 0 && c.cost.P95MS > c.cost.P95LimitMS }
func (c gateCase) unweighed() bool { return c.cost.IndexLimit > 0 && c.unpriced }
func (c gateCase) overIndex() bool {
	return c.cost.IndexLimit > 0 && c.cost.IndexShare > c.cost.IndexLimit
}

func (c gateCase) costOutcome() CostOutcome {
	switch {
	case c.overTime():
		return CostTime
	case c.overIndex():
		return CostIndex
	case c.untimed() || c.unweighed():
		return CostUnmeasured
	}
	return CostWithin
}

// latency is the 95th percentile of the arm's times over the tasks, in milliseconds, and how many tasks have one.
func (g *gate) latency(a *arm, tasks []int) (p95 float64, timed int) {
	var times []float64
	for _, t := range tasks {
		if ms, ok := g.Latency[a.name][g.Set.Tasks[t].ID]; ok && !math.IsNaN(ms) {
			times = append(times, ms)
		}
	}
	slices.Sort(times)
	return Percentile(times, 95), len(times)
}

// indexShare is the channel's bytes over those of the index without the channels that are judged, summed over
// repositories. Of several measurements of a repository the one in which the channel took most counts, since an index that
// was built without the channel says nothing of it. ok is false when nothing was measured.
func (g *gate) indexShare(channel string) (share float64, ok bool) {
	type bytes struct{ channel, rest int64 }
	byRepo := map[string]bytes{}
	for _, c := range g.Costs {
		now := bytes{channel: c.Channels[channel].IndexBytes, rest: c.IndexBytes}
		for name, cost := range c.Channels {
			if !slices.Contains(Deterministic(), name) {
				now.rest -= cost.IndexBytes
			}
		}
		old, known := byRepo[c.Repo]
		if !known || cmp.Or(cmp.Compare(now.channel, old.channel), cmp.Compare(now.rest, old.rest)) > 0 {
			byRepo[c.Repo] = now
		}
	}
	var total bytes
	for _, b := range byRepo { // whole numbers: their sum does not depend on the order
		total.channel += b.channel
		total.rest += b.rest
	}
	return twoDigits(ratio(float64(total.channel), float64(total.rest))), total.rest > 0
}

// twoDigits rounds to two significant digits.
func twoDigits(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}
