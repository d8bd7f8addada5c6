package static

import (
	"fmt"
	"math"
	"sync"

	"agenvantage"
)

// Model embeds texts. What it answers does not change once it is read; it is safe for concurrent use.
type Model struct {
	vocabulary *Vocabulary
	dimensions int
	rows       []int8    // row r is rows[r*dimensions:]
	query      []float32 // by row: its scale times its weight in questions
	code       []float32 // and in code
	info       Info
	digest     string
	idle       sync.Pool // of *scratch
	nearMu     sync.Mutex
	near       map[nearKey][]Neighbour // answers of Neighbours
}

// Info is what a model file says of itself.
type Info struct {
	Format     int    `json:"format"`
	Dimensions int    `json:"dimensions"`
	Nested     []int  `json:"nested"`   // leading parts that are of use as vectors of their own, ascending
	Pieces     int    `json:"pieces"`   // pieces with a row of their own
	Buckets    int    `json:"buckets"`  // rows for n-grams
	Manifest   string `json:"manifest"` // SHA-256 of the manifest of the corpus
	Packages   int    `json:"packages"` // in the manifest
	Pairs      int    `json:"pairs"`    // trained on
	Training   any    `json:"training"` // configuration, losses and validation of the run
}

// Chunk is code with what is known of it. Every field may be empty.
type Chunk struct {
	Path    string // within the repository
	Names   string // of the definitions in it and around it: NamesOf
	Context string // what its own lines may lack: embed.Prefix without the path
	Text    string // its lines
}

// A chunk's vector is the sum of the unit vectors of its body (Context and Text), its path and its names with these weights,
// so that two words of a path are not lost among a hundred of the body, however long that is. Chosen on 12 of the 20
// repositories of the code-search set, nDCG@10 there and on the other 8: everything in one bag 0.728 and 0.719; path 0.5, names
// 0.4 0.804 and 0.795; all values from 0.3 to 0.6 gave 0.790 to 0.808 on the 12 (docs/adr/0026-builtin-model.md).
const (
	pathWeight  = 0.5
	namesWeight = 0.4
)

// scratch is what one call needs.
type scratch struct {
	bag  *Bag
	part []float32
}

// Dimensions is the length of full vectors.
func (m *Model) Dimensions() int { return m.dimensions }

// Info returns what the file says of itself.
func (m *Model) Info() Info { return m.info }

// Digest is the SHA-256 of the model file, hexadecimal.
func (m *Model) Digest() string { return m.digest }

// EmbedQuery appends the vector of a question, of length 1, or all zero for a text without pieces. dimensions is
// Dimensions(), or one of Info().Nested for a shorter vector.
func (m *Model) EmbedQuery(dst []float32, text string, dimensions int) ([]float32, error) {
	s, err := m.begin(dimensions)
	if err != nil {
		return dst, err
	}
	defer m.idle.Put(s)
	s.bag.Add(text, 1)
	m.sum(s, m.query)
	return append(dst, s.part...), nil
}

// EmbedChunk appends the vector of code, as EmbedQuery does.
func (m *Model) EmbedChunk(dst []float32, c Chunk, dimensions int) ([]float32, error) {
	s, err := m.begin(dimensions)
	if err != nil {
		return dst, err
	}
	defer m.idle.Put(s)
	return m.embedChunk(s, dst, c, dimensions), nil
}

func (m *Model) embedChunk(s *scratch, dst []float32, c Chunk, dimensions int) []float32 {
	from := len(dst)
	dst = append(dst, make([]float32, dimensions)...)
	v := dst[from:]
	s.bag.Add(c.Context, 1)
	s.bag.Add(c.Text, 1)
	m.sum(s, m.code)
	add(v, s.part, 1)
	for _, field := range []struct {
		text   string
		weight float32
	}{{c.Path, pathWeight}, {c.Names, namesWeight}} {
		s.bag.Reset()
		s.bag.Add(field.text, 1)
		m.sum(s, m.code)
		add(v, s.part, field.weight)
	}
	normalise(v)
	return dst
}

func (m *Model) begin(dimensions int) (*scratch, error) {
	if dimensions < 1 || dimensions > m.dimensions {
		return nil, fmt.Errorf("vector of %d dimensions from a model of %d: %w", dimensions, m.dimensions, agenvantage.ErrBadInput)
	}
	s, ok := m.idle.Get().(*scratch)
	if !ok {
		s = &scratch{bag: NewBag(m.vocabulary), part: make([]float32, m.dimensions)}
	}
	s.bag.Reset()
	s.part = s.part[:dimensions]
	return s, nil
}

// sum sets s.part to the normalised sum of the rows of the bag.
func (m *Model) sum(s *scratch, factors []float32) {
	clear(s.part)
	for _, row := range s.bag.Rows() {
		at := int(row) * m.dimensions
		addRow(s.part, m.rows[at:at+len(s.part)], float32(s.bag.Weight(row)*factors[row]))
	}
	normalise(s.part)
}

func add(v, part []float32, weight float32) {
	for i, x := range part {
		v[i] += float32(weight * x)
	}
}

// addRow adds factor·row to v.
func addRow(v []float32, row []int8, factor float32) {
	row = row[:len(v)]
	for len(v) >= 8 { // eight at a time: twice as fast as the plain loop
		a, b := (*[8]float32)(v), (*[8]int8)(row)
		a[0] += float32(factor * float32(b[0]))
		a[1] += float32(factor * float32(b[1]))
		a[2] += float32(factor * float32(b[2]))
		a[3] += float32(factor * float32(b[3]))
		a[4] += float32(factor * float32(b[4]))
		a[5] += float32(factor * float32(b[5]))
		a[6] += float32(factor * float32(b[6]))
		a[7] += float32(factor * float32(b[7]))
		v, row = v[8:], row[8:]
	}
	for i := range v {
		v[i] += float32(factor * float32(row[i]))
	}
}

// normalise brings v to length 1; a zero vector stays.
func normalise(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x) // exact products of float32
	}
	if sum == 0 {
		return
	}
	inverse := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * inverse)
	}
}
