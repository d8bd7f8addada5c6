package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/zeebo/xxh3"
)

const checkBytes = 4

// encodeVector gives the stored form of a vector: see vectors in schema.go.
func encodeVector(v []float32) []byte {
	b := make([]byte, 0, 4*len(v)+checkBytes)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(xxh3.Hash(b)))
}

// decodeVector reads a stored vector into to, whose length is the dimension of the set.
func decodeVector(to []float32, b []byte) error {
	if len(b) != 4*len(to)+checkBytes {
		return fmt.Errorf("%w: a vector of %d bytes instead of %d", ErrCorrupt, len(b), 4*len(to)+checkBytes)
	}
	body := b[:4*len(to)]
	if uint32(xxh3.Hash(body)) != binary.LittleEndian.Uint32(b[len(body):]) {
		return fmt.Errorf("%w: checksum of a vector", ErrCorrupt)
	}
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return nil
}
