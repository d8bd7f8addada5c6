package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"agenvantage"
)

// The file, all numbers little-endian:
//
//	8 bytes   magic
//	uint32    length of the JSON of Info, then the JSON
//	uint32    length of the spellings, then the spellings, sorted, separated by line ends
//	float32   scale × weight in questions, for each row (pieces, then buckets)
//	float32   scale × weight in code, for each row
//	int8      rows × dimensions
//	32 bytes  SHA-256 of everything before
const (
	fileMagic  = "AVSTATIC"
	fileFormat = 1
)

// Encode writes a model file. rows are float32, Pieces+Buckets of them; each is stored as int8 with one scale.
func Encode(info Info, spellings []string, rows, query, code []float32) ([]byte, error) {
	n := len(spellings) + info.Buckets
	if info.Pieces != len(spellings) || len(query) != n || len(code) != n || len(rows) != n*info.Dimensions || info.Dimensions < 1 {
		return nil, fmt.Errorf("encode model: %d rows of %d, %d numbers, %d and %d weights: %w", n, info.Dimensions, len(rows), len(query), len(code), agenvantage.ErrBadInput)
	}
	info.Format = fileFormat
	head, err := json.Marshal(info)
	if err != nil {
		return nil, fmt.Errorf("encode model: %w", err)
	}
	words := joinSpellings(spellings)
	out := []byte(fileMagic)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(head))), head...)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(words))), words...)
	scales, small := make([]float32, n), make([]byte, len(rows))
	for r := range n {
		scales[r] = quantise(small[r*info.Dimensions:(r+1)*info.Dimensions], rows[r*info.Dimensions:(r+1)*info.Dimensions])
	}
	for _, weights := range [][]float32{query, code} {
		for r, w := range weights {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(w*scales[r]))
		}
	}
	out = append(out, small...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// quantise stores row/scale rounded, where scale is the largest component / 127.
func quantise(dst []byte, row []float32) (scale float32) {
	largest := float32(0)
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return 0
	}
	scale = largest / 127
	for i, x := range row {
		dst[i] = byte(int8(math.RoundToEven(float64(x) / float64(scale))))
	}
	return scale
}

// Decode reads a model file. A damaged or foreign one is an error wrapping agenvantage.ErrBadInput.
func Decode(data []byte) (*Model, error) {
	bad := func(format string, args ...any) (*Model, error) {
		return nil, fmt.Errorf("read model: "+format+": %w", append(args, agenvantage.ErrBadInput)...)
	}
	if len(data) < len(fileMagic)+8+sha256.Size || string(data[:len(fileMagic)]) != fileMagic {
		return bad("no model file")
	}
	body, want := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	hash := sha256.New() // of the body, then of the whole file: the model is large, and read once for both
	hash.Write(body)
	if !bytes.Equal(hash.Sum(nil), want) {
		return bad("its checksum is wrong")
	}
	m := &Model{}
	rest := body[len(fileMagic):]
	head, rest, ok := cutBlock(rest)
	if !ok || json.Unmarshal(head, &m.info) != nil {
		return bad("bad description")
	}
	if m.info.Format != fileFormat {
		return bad("format %d, this version reads %d", m.info.Format, fileFormat)
	}
	words, rest, ok := cutBlock(rest)
	if !ok {
		return bad("it is cut off")
	}
	v, err := NewVocabulary(splitSpellings(string(words)), m.info.Buckets)
	if err != nil {
		return nil, fmt.Errorf("read model: %w", err)
	}
	n := v.Rows()
	m.vocabulary, m.dimensions = v, m.info.Dimensions
	if v.Pieces() != m.info.Pieces || m.dimensions < 1 || m.dimensions > 1<<12 || len(rest) != 8*n+n*m.dimensions {
		return bad("%d bytes for %d rows of %d", len(rest), n, m.dimensions)
	}
	for _, d := range m.info.Nested {
		if d < 1 || d > m.dimensions {
			return bad("nested %v", m.info.Nested)
		}
	}
	m.query, m.code = readFloats(rest[:4*n]), readFloats(rest[4*n:8*n])
	for r := range n {
		if !finite(m.query[r]) || !finite(m.code[r]) {
			return bad("weight %d is not finite", r)
		}
	}
	m.rows = make([]int8, n*m.dimensions)
	for i, b := range rest[8*n:] {
		m.rows[i] = int8(b)
	}
	hash.Write(want)
	m.digest = hex.EncodeToString(hash.Sum(nil))
	return m, nil
}

func finite(x float32) bool { return x-x == 0 }

func cutBlock(b []byte) (block, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}

func readFloats(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
