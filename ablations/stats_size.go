package ablations

import (
	"cmp"
	"math"
	"slices"
)

// Quantiles of the standard normal distribution for a two-sided test at .05 and a power of .8.
const (
	quantileTest  = 1.959963984540054
	quantilePower = 0.8416212335729143
)

// designEffect is what clusters cost: intervals by repository were measured to be 1.3 times as wide as those by task, so
// that 1.7 times as many tasks are needed.
const designEffect = 1.7

// neededBySpread is how many tasks show a mean paired difference of effect, whose standard deviation over tasks is sd. It
// is 0 when sd is 0: nothing is known of the spread then.
func neededBySpread(sd, effect float64, clustered bool) int {
	x := (quantileTest + quantilePower) * sd / effect
	return wholeTasks(x*x, clustered)
}

// neededByDiscordance is how many tasks show a difference of effect between two shares when the arms differ in a share
// discordant of the tasks (Connor 1987). It is 0 when they differ in none; a share below effect counts as effect, since
// arms cannot differ by more than where they differ.
func neededByDiscordance(discordant, effect float64, clustered bool) int {
	if discordant == 0 {
		return 0
	}
	discordant = max(discordant, effect)
	x := (quantileTest*math.Sqrt(discordant) + quantilePower*math.Sqrt(discordant-effect*effect)) / effect
	return wholeTasks(x*x, clustered)
}

func wholeTasks(n float64, clustered bool) int {
	if clustered {
		n *= designEffect
	}
	return int(math.Ceil(min(n, 1e9)))
}

// deviation is the standard deviation of a sample, 0 for fewer than two values.
func deviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	mean := meanOf(values)
	var squares float64
	for _, x := range values {
		squares += float64((x - mean) * (x - mean))
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// meanOf is 0 for no values.
func meanOf(values []float64) float64 {
	var sum float64
	for _, x := range values {
		sum += x
	}
	return ratio(sum, float64(len(values)))
}

// sortByValue sorts places by the value at them, equal values by place.
func sortByValue(places []int, values []float64) {
	slices.SortFunc(places, func(i, j int) int { return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(i, j)) })
}
