package corpus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"agenvantage"
)

// Near duplicates are found by shingles: every run of shingleWords words of a text, in lower case and without anything
// between them, is hashed; the hashes below one 2^-sampleBits of the range are kept (a sample that depends on the content
// alone, as in Broder's sketches). Copies keep their shingles through changed indentation, comments' markers and line
// ends; a text that shares a good part of its sample with the excluded repositories is a copy.
const (
	shingleWords = 6
	sampleBits   = 5  // one shingle of 32
	hashBits     = 40 // bits that are stored: with 10^6 of them, one of a million foreign shingles hits by chance
)

// The numbers of FNV-1a with 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Fingerprints is a sorted set of sampled shingle hashes.
type Fingerprints []uint64

// Sketch returns the sampled shingle hashes of text, sorted and without repeats.
func Sketch(text string) Fingerprints {
	var window [shingleWords]uint64
	var out Fingerprints
	n := 0
	for i := 0; i < len(text); {
		if !isWordByte(text[i]) {
			i++
			continue
		}
		h := uint64(fnvOffset)
		for ; i < len(text) && isWordByte(text[i]); i++ {
			c := text[i]
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			h = (h ^ uint64(c)) * fnvPrime
		}
		window[n%shingleWords] = h
		if n++; n < shingleWords {
			continue
		}
		s := uint64(0)
		for k := range shingleWords {
			s = mix(s ^ window[(n+k)%shingleWords])
		}
		if s>>(64-sampleBits) == 0 {
			out = append(out, s>>(64-sampleBits-hashBits))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// commonRepositories is in how many repositories a shingle is text that belongs to none of them: the head of a licence, a
// greeting of a tool.
const commonRepositories = 3

// Merge makes one set of the sketches of several repositories, without what is common to them.
func Merge(repositories []Fingerprints) Fingerprints {
	var all Fingerprints
	for _, r := range repositories {
		own := slices.Clone(r)
		slices.Sort(own)
		all = append(all, slices.Compact(own)...)
	}
	slices.Sort(all)
	out := all[:0]
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		if h := all[i]; j-i < commonRepositories {
			out = append(out, h)
		}
		i = j
	}
	return out
}

// Shared returns how many hashes of sketch are in f.
func (f Fingerprints) Shared(sketch Fingerprints) int {
	n := 0
	for _, h := range sketch {
		if _, found := slices.BinarySearch(f, h); found {
			n++
		}
	}
	return n
}

// Copied reports whether a text with this sketch is a near duplicate of something in f: at least two shared hashes that
// are a fifth of its own.
func (f Fingerprints) Copied(sketch Fingerprints) bool {
	shared := f.Shared(sketch)
	return shared >= 2 && shared*5 >= len(sketch)
}

// fingerprintMagic begins a file of fingerprints: eight bytes, the count, then the differences of the sorted hashes as varints.
const fingerprintMagic = "AVSHING1"

// Write writes f.
func (f Fingerprints) Write(w io.Writer) error {
	buf := binary.AppendUvarint([]byte(fingerprintMagic), uint64(len(f)))
	last := uint64(0)
	for _, h := range f {
		buf = binary.AppendUvarint(buf, h-last)
		last = h
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("write fingerprints: %w", err)
	}
	return nil
}

// ReadFingerprints reads what Write wrote.
func ReadFingerprints(r io.Reader) (Fingerprints, error) {
	b := bufio.NewReader(r)
	magic := make([]byte, len(fingerprintMagic))
	if _, err := io.ReadFull(b, magic); err != nil || string(magic) != fingerprintMagic {
		return nil, fmt.Errorf("read fingerprints: no such file format: %w", agenvantage.ErrBadInput)
	}
	count, err := binary.ReadUvarint(b)
	if err != nil || count > 1<<28 {
		return nil, fmt.Errorf("read fingerprints: bad count: %w", agenvantage.ErrBadInput)
	}
	out := make(Fingerprints, 0, min(count, 1<<20))
	last := uint64(0)
	for i := range count {
		d, err := binary.ReadUvarint(b)
		if err != nil || i > 0 && d == 0 || last+d < last {
			return nil, fmt.Errorf("read fingerprints: entry %d of %d: %w", i, count, errors.Join(agenvantage.ErrBadInput, err))
		}
		last += d
		out = append(out, last)
	}
	return out, nil
}
