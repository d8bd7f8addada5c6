package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/zeebo/xxh3"
)

const checkBytes = 4

// check is what stands behind the bytes of a vector.
func check(body []byte) uint32 { return uint32(xxh3.Hash(body)) }

// encodeVector gives the stored form of a vector: see vectors in schema.go.
func encodeVector(v []float32) []byte {
	b := make([]byte, 0, 4*len(v)+checkBytes)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, check(b))
}

// encodeCompact gives the compact form of a vector that is not zero: its components as whole numbers, the largest as 127. A vector is of
// length 1, so that its direction is all there is to keep. It is off by less than half of 1/127 of its largest component in each.
func encodeCompact(v []float32) []byte {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	b := make([]byte, len(v), len(v)+checkBytes)
	for i, x := range v {
		b[i] = byte(int8(math.RoundToEven(float64(x) / largest * 127)))
	}
	return binary.LittleEndian.AppendUint32(b, check(b))
}

// decodeCompact reads the compact form, brought to length 1.
func decodeCompact(to []float32, body []byte) error {
	squares := 0.0 // of whole numbers: exact
	for _, c := range body {
		squares += float64(int8(c)) * float64(int8(c))
	}
	if squares == 0 {
		return fmt.Errorf("%w: a vector of zeros", ErrCorrupt)
	}
	inverse := 1 / math.Sqrt(squares)
	for i, c := range body {
		to[i] = float32(float64(int8(c)) * inverse)
	}
	return nil
}

// decodeVector reads a stored vector, of either form, into to, whose length is the dimension of the set.
func decodeVector(to []float32, b []byte) error {
	compact := len(to) > 0 && len(b) == len(to)+checkBytes
	if !compact && len(b) != 4*len(to)+checkBytes {
		return fmt.Errorf("%w: a vector of %d bytes instead of %d", ErrCorrupt, len(b), 4*len(to)+checkBytes)
	}
	body := b[:len(b)-checkBytes]
	if check(body) != binary.LittleEndian.Uint32(b[len(body):]) {
		return fmt.Errorf("%w: checksum of a vector", ErrCorrupt)
	}
	if compact {
		return decodeCompact(to, body)
	}
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return nil
}
