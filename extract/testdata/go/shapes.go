// Package shapes has a package comment.
package shapes

import (
	"fmt"
	m "math"
)

// Limit bounds the number of shapes.
const Limit = 10

const (
	first = iota
	// second has a comment.
	second
)

var (
	registry     = map[string]Shape{}
	count, total int
)

// Shape is anything with an area.
type Shape interface {
	Area() float64
	fmt.Stringer
}

// Square is a shape.
//
// It has one side.
type Square struct {
	Base
	// Side is a length.
	Side   float64
	a, b   int
	hidden map[string]func(int) error
}

type (
	Alias = Square
	ids   []int
)

// Area implements Shape.
func (s *Square) Area() float64 {
	local := m.Pow(s.Side, 2)
	inner := func(x float64) float64 { return x + local }
	return inner(0)
}

func (p Pair[K, V]) Swap() Pair[V, K] { return Pair[V, K]{p.b, p.a} }

type Pair[K comparable, V any] struct {
	a K
	b V
}

// Map applies f.
func Map[T, U any](
	in []T, // the input
	f func(T) U,
) []U {
	var out []U
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

//go:noescape
func external(p *byte)
