package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"agenvantage/embed"
)

func FuzzDecodeVector(f *testing.F) {
	f.Add(encodeVector([]float32{1, -2, 3.5}), 3)
	f.Add(encodeCompact([]float32{1, -2, 3.5}), 3)
	f.Add([]byte{}, 0)
	f.Add([]byte{1, 2, 3}, 1)
	f.Fuzz(func(t *testing.T, b []byte, dimensions int) {
		to := make([]float32, (dimensions%64+64)%64)
		if err := decodeVector(to, b); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v is not ErrCorrupt", err)
			}
			return
		}
		again := encodeVector(to)
		if len(b) == len(to)+checkBytes { // compact: the numbers are in proportion, and the largest need not be 127
			squares := 0.0
			for _, x := range to {
				squares += float64(x) * float64(x)
			}
			if squares < 1-1e-5 || squares > 1+1e-5 {
				t.Errorf("%x decodes to %v, which is not of length 1", b, to)
			}
			if !slices.ContainsFunc(b[:len(to)], func(c byte) bool { return c == 127 }) || slices.Contains(b[:len(to)], 0x80) {
				return
			}
			again = encodeCompact(to)
		}
		if string(again) != string(b) {
			t.Errorf("%x decodes to %v, which encodes to %x", b, to, again)
		}
	})
}

// TestCompactVectors: 0.6 of 0.8 is 95 of 127, and (95, -127) of length 1 is (0.59899, -0.80076).
func TestCompactVectors(t *testing.T) {
	s, _ := fresh(t)
	key, err := s.AddSet(identity("small", 2))
	must(t, err)
	must(t, s.Commit(key, nil, []Result{{Hash: hash(1), Vector: embed.Vector{0.6, -0.8}, Compact: true}, {Hash: hash(2), Vector: embed.Vector{0.6, -0.8}}}))
	v, err := s.Load(t.Context(), key, []Hash{hash(1), hash(2)})
	must(t, err)
	if got := fmt.Sprintf("%.5f %.5f", v.At(0), v.At(1)); got != "[0.59899 -0.80076] [0.60000 -0.80000]" {
		t.Error(got)
	}
	b := encodeCompact([]float32{0.6, -0.8})
	if len(b) != 2+checkBytes || b[0] != 95 || int8(b[1]) != -127 {
		t.Errorf("% x", b)
	}
	to := make([]float32, 2)
	b[0] ^= 1
	zeros := binary.LittleEndian.AppendUint32([]byte{0, 0}, uint32(xxh3.Hash([]byte{0, 0})))
	for _, damaged := range [][]byte{b, zeros, b[:5]} {
		if err := decodeVector(to, damaged); !errors.Is(err, ErrCorrupt) {
			t.Errorf("% x: %v", damaged, err)
		}
	}
}
