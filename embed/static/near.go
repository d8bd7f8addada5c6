package static

import (
	"cmp"
	"math"
	"slices"
)

// Neighbour is a known piece whose vector is near that of a word.
type Neighbour struct {
	Spelling string
	Cosine   float64 // of the two rows, in all dimensions
	Strength float64 // of the piece in questions, where that of the word is 1: length of its row times its learned weight
}

// Neighbours lists the known pieces of which the cosine with the row of a word, in lower case, is not below floor: the nearest first, of
// equals in the order of spelling, without the word itself. A word that is no known piece has none. It looks at every row, for some 10 ms;
// what it found for the last words is kept. The slice must not be changed.
func (m *Model) Neighbours(word string, floor float64) []Neighbour {
	asked := nearKey{word, floor}
	m.nearMu.Lock()
	near, found := m.near[asked]
	m.nearMu.Unlock()
	if found {
		return near
	}
	near = m.neighbours(word, floor)
	m.nearMu.Lock()
	defer m.nearMu.Unlock()
	if m.near == nil || len(m.near) >= maxNearKept {
		m.near = map[nearKey][]Neighbour{}
	}
	m.near[asked] = near
	return near
}

// nearKey is one question of Neighbours.
type nearKey struct {
	word  string
	floor float64
}

// maxNearKept is how many answers of Neighbours are kept: some 100 kB.
const maxNearKept = 1024

func (m *Model) neighbours(word string, floor float64) []Neighbour {
	own, known := m.vocabulary.Row(HashSpelling(word))
	if !known || m.lengthOf(own) == 0 {
		return nil
	}
	wanted, length := m.row(own), m.lengthOf(own)
	var near []Neighbour
	for row, spelling := range m.vocabulary.spellings {
		if row == own {
			continue
		}
		product := dot(wanted, m.row(row))
		if product <= 0 { // no length of a row is needed
			continue
		}
		other := m.lengthOf(row)
		if cosine := float64(product) / (length * other); cosine >= floor {
			near = append(near, Neighbour{Spelling: spelling, Cosine: cosine, Strength: other * float64(m.query[row]) / (length * float64(m.query[own]))})
		}
	}
	slices.SortStableFunc(near, func(a, b Neighbour) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return near
}

func (m *Model) row(row int) []int8 { return m.rows[row*m.dimensions : (row+1)*m.dimensions] }

// lengthOf is the length of a row of small whole numbers, without its scale.
func (m *Model) lengthOf(row int) float64 { return math.Sqrt(float64(dot(m.row(row), m.row(row)))) }

// dot is exact: at most 65,536 products of at most 2^14 each.
func dot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	for len(a) >= 4 {
		x, y := (*[4]int8)(a), (*[4]int8)(b)
		s0 += int32(x[0]) * int32(y[0])
		s1 += int32(x[1]) * int32(y[1])
		s2 += int32(x[2]) * int32(y[2])
		s3 += int32(x[3]) * int32(y[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}
