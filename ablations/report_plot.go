package ablations

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plot is one drawing of a page: shapes in the order in which they are painted, in units of a view box that is scaled to
// the page. Figures holds the same figures as text.
type plot struct {
	ID, Title, Desc string
	Width, Height   int
	Shapes          []shape
	Figures         reportTable
}

// shape is a path, a text, or the begin or end of a group. Text of a group is its tooltip.
type shape struct {
	Kind   string // "path", "text", "begin", "end"
	Class  string
	D      string
	X, Y   string
	Anchor string
	Text   string
}

// Sizes of plots, in units of the view box; a character of a label is about labelChar wide.
const (
	plotWidth  = 600
	labelChar  = 7.2 // of the widest of the usual fonts
	labelLine  = 15.0
	markRadius = 4.0
)

// MinWidth is the width in pixels below which the text could not be read: the page scrolls the plot instead.
func (p plot) MinWidth() int { return p.Width * 85 / 100 }

// MaxWidth is the width in pixels above which the text would be larger than that of the page.
func (p plot) MaxWidth() int { return p.Width * 112 / 100 }

func (p *plot) path(class, d string) {
	p.Shapes = append(p.Shapes, shape{Kind: "path", Class: class, D: d})
}

func (p *plot) text(class string, x, y float64, anchor, text string) {
	p.Shapes = append(p.Shapes, shape{Kind: "text", Class: class, X: coordinate(x), Y: coordinate(y), Anchor: anchor, Text: text})
}

func (p *plot) begin(class, tooltip string) {
	p.Shapes = append(p.Shapes, shape{Kind: "begin", Class: class, Text: tooltip})
}

func (p *plot) end() { p.Shapes = append(p.Shapes, shape{Kind: "end"}) }

// coordinate prints a place with a tenth of a unit.
func coordinate(x float64) string { return fixedPlain(x, 1) }

// fixedPlain is fixed without commas.
func fixedPlain(x float64, decimals int) string {
	return strings.ReplaceAll(fixed(x, decimals), ",", "")
}

// polyline joins points: "M1 2L3 4".
func polyline(points ...[2]float64) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(coordinate(p[0]) + " " + coordinate(p[1]))
	}
	return b.String()
}

func line(x1, y1, x2, y2 float64) string { return polyline([2]float64{x1, y1}, [2]float64{x2, y2}) }

// markers are the shapes that tell variants apart without colour.
const markers = 6

// marker draws the kind-th shape around a point.
func marker(kind int, x, y, r float64) string {
	at := func(points ...[2]float64) string {
		for i := range points {
			points[i] = [2]float64{x + r*points[i][0], y + r*points[i][1]}
		}
		return polyline(points...) + "Z"
	}
	switch kind % markers {
	case 1: // square
		return at([2]float64{-.9, -.9}, [2]float64{.9, -.9}, [2]float64{.9, .9}, [2]float64{-.9, .9})
	case 2: // triangle
		return at([2]float64{0, -1.2}, [2]float64{1.15, .85}, [2]float64{-1.15, .85})
	case 3: // diamond
		return at([2]float64{0, -1.3}, [2]float64{1.3, 0}, [2]float64{0, 1.3}, [2]float64{-1.3, 0})
	case 4: // triangle on its tip
		return at([2]float64{0, 1.2}, [2]float64{1.15, -.85}, [2]float64{-1.15, -.85})
	case 5: // star of four rays
		return at([2]float64{0, -1.5}, [2]float64{.4, -.4}, [2]float64{1.5, 0}, [2]float64{.4, .4},
			[2]float64{0, 1.5}, [2]float64{-.4, .4}, [2]float64{-1.5, 0}, [2]float64{-.4, -.4})
	}
	rr := coordinate(r)
	return "M" + coordinate(x-r) + " " + coordinate(y) + "a" + rr + " " + rr + " 0 1 0 " + coordinate(2*r) + " 0a" + rr + " " + rr + " 0 1 0 " + coordinate(-2*r) + " 0Z"
}

// scale maps values to places; both ends are finite and differ.
type scale struct {
	low, high float64 // values
	from, to  float64 // places
	log       bool    // places are proportional to logarithms; low is above 0
}

func (s scale) at(x float64) float64 {
	low, high := s.low, s.high
	if s.log {
		x, low, high = math.Log2(max(x, s.low/2)), math.Log2(low), math.Log2(high)
	}
	return s.from + (x-low)/(high-low)*(s.to-s.from)
}

// spread returns a linear scale over the values and steps of 1, 2 or 5 times a power of ten on it, about count of them.
// The values need not differ and there may be none.
func spread(values []float64, count int) (s scale, steps []float64) {
	low, high := 0.0, 1.0
	if len(values) > 0 {
		low, high = slices.Min(values), slices.Max(values)
	}
	if high-low < 1e-9*max(1, math.Abs(high)) {
		pad := max(0.05, 0.1*math.Abs(high))
		low, high = low-pad, high+pad
	}
	step := niceStep((high - low) / float64(count))
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	for i := first; i <= last; i++ {
		steps = append(steps, i*step)
	}
	return scale{low: first * step, high: last * step}, steps
}

// niceStep is the least of 1, 2, 5 times a power of ten that is not below x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// powers returns a logarithmic scale over values above 0 with steps at 1, 2 and 5 times powers of ten.
func powers(values []float64) (s scale, steps []float64) {
	low, high := slices.Min(values), slices.Max(values)
	low, high = low/1.15, high*1.15
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if x := m * power; x >= low && x <= high {
				steps = append(steps, x)
			}
		}
	}
	if len(steps) > 6 { // more than two decades: the powers alone
		steps = slices.DeleteFunc(steps, func(x float64) bool {
			_, part := math.Modf(math.Log10(x) + 1e-9)
			return math.Abs(part) > 1e-6
		})
	}
	return scale{low: low, high: high, log: true}, steps
}

// apart moves places that are closer than gap from each other, keeps their order and stays inside [low, high] where there
// is room. The places need not be sorted; the result is in their order.
func apart(places []float64, gap, low, high float64) []float64 {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	out := make([]float64, len(places))
	for n, i := range order {
		out[i] = max(places[i], low)
		if n > 0 {
			out[i] = max(out[i], out[order[n-1]]+gap)
		}
	}
	limit := high
	for n := len(order) - 1; n >= 0; n-- {
		out[order[n]] = min(out[order[n]], limit)
		limit = out[order[n]] - gap
	}
	return out
}

// box is a rectangle that a label or a mark takes.
type box struct{ x1, y1, x2, y2 float64 }

func (a box) meets(b box) bool { return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2 }

// labelBox is the box of a text that begins at x and stands on y.
func labelBox(text string, x, y float64, anchor string) box {
	w := labelChar * float64(utf8.RuneCountInString(text))
	if anchor == "end" {
		x -= w
	}
	return box{x, y - 11, x + w, y + 3}
}

// look is how a variant is drawn; no two of 28 variants look alike, and the baseline is ink, solid and thick.
type look struct {
	class string
	kind  int // of its marker
}

// looks returns the look of each variant of the report.
func (v view) looks() []look {
	out := make([]look, len(v.Variants))
	k := 0
	for i, x := range v.Variants {
		if x.Name == v.Run.Baseline {
			out[i] = look{class: "series s0 d0 base"}
			continue
		}
		out[i] = look{class: "series s" + strconv.Itoa(1+k%7) + " d" + strconv.Itoa(1+k%4), kind: 1 + k%(markers-1)}
		k++
	}
	return out
}
