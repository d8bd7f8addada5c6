package meta

import (
	"fmt"
	"hash/crc32"

	"agenvantage"
)

// Catalog is every FileRow, sorted by path bytes, and every SkipRow with Looked set, sorted by path bytes: what a
// reader needs of all files at once, and what an update compares the tree with.
type Catalog struct {
	Files []FileRow
	Looks []SkipRow
}

// catalogVersion changes with the encoding: a length-prefixed table of the repeated words, then the rows, then CRC-32.
const catalogVersion = 1

func (c *Catalog) encode() []byte {
	words, byWord := []string{}, map[string]int{}
	word := func(s string) int {
		n, ok := byWord[s]
		if !ok {
			n = len(words)
			words, byWord[s] = append(words, s), n
		}
		return n
	}
	rows := &encoder{b: make([]byte, 0, 110*(len(c.Files)+len(c.Looks)))}
	rows.int(len(c.Files))
	for i := range c.Files {
		f := &c.Files[i]
		rows.int(int(f.ID))
		rows.string(f.Path)
		rows.stat(f.Size, f.ModNS, f.ChangeNS, f.SeenNS)
		rows.fixed(f.Hash[:])
		rows.int(word(f.Lang))
		rows.int(int(f.Class))
		rows.int(word(f.Encoding))
		rows.int(f.Masked)
		rows.int(word(string(f.State)))
		rows.int(f.Chunks)
		rows.int(f.Symbols)
		for _, n := range f.Tokens {
			rows.int(int(n))
		}
	}
	rows.int(len(c.Looks))
	for i := range c.Looks {
		s := &c.Looks[i]
		rows.string(s.Path)
		rows.int(word(string(s.Reason)))
		rows.string(s.Detail)
		rows.int64(s.Size)
		rows.int64(s.Limit)
		rows.stat(s.DiskSize, s.ModNS, s.ChangeNS, s.SeenNS)
	}
	e := &encoder{b: make([]byte, 0, len(rows.b)+1024)}
	e.int(catalogVersion)
	e.int(len(words))
	for _, w := range words {
		e.string(w)
	}
	e.fixed(rows.b)
	sum := crc32.ChecksumIEEE(e.b)
	return append(e.b, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
}

func (e *encoder) stat(size, mod, change, seen int64) {
	e.int64(size)
	e.int64(mod)
	e.int64(change - mod)
	e.int64(seen - mod)
}

func (d *decoder) stat() (size, mod, change, seen int64) {
	size, mod = d.int64(), d.int64()
	return size, mod, mod + d.int64(), mod + d.int64()
}

func decodeCatalog(b []byte) (*Catalog, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%w: no catalog", ErrCorrupt)
	}
	body, end := b[:len(b)-4], b[len(b)-4:]
	if sum := crc32.ChecksumIEEE(body); sum != uint32(end[0])|uint32(end[1])<<8|uint32(end[2])<<16|uint32(end[3])<<24 {
		return nil, fmt.Errorf("%w: catalog checksum", ErrCorrupt)
	}
	d := newDecoder(body)
	if v := d.int(); v != catalogVersion {
		return nil, fmt.Errorf("%w: catalog version %d", ErrCorrupt, v)
	}
	words := make([]string, d.count())
	for i := range words {
		words[i] = d.string()
	}
	word := func() string {
		if n := d.int(); n < len(words) {
			return words[n]
		}
		d.fail()
		return ""
	}
	c := &Catalog{}
	if n := d.count(); n > 0 {
		c.Files = make([]FileRow, n)
	}
	for i := range c.Files {
		f := &c.Files[i]
		f.ID, f.Path = uint32(d.int()), d.string()
		f.Size, f.ModNS, f.ChangeNS, f.SeenNS = d.stat()
		d.fixed(f.Hash[:])
		f.Lang, f.Class, f.Encoding, f.Masked = word(), agenvantage.Class(d.int()), word(), d.int()
		f.State, f.Chunks, f.Symbols = agenvantage.ParseState(word()), d.int(), d.int()
		for j := range f.Tokens {
			f.Tokens[j] = uint32(d.int())
		}
	}
	if n := d.count(); n > 0 {
		c.Looks = make([]SkipRow, n)
	}
	for i := range c.Looks {
		s := &c.Looks[i]
		s.Path, s.Reason, s.Detail = d.string(), agenvantage.SkipReason(word()), d.string()
		s.Size, s.Limit, s.Looked = d.int64(), d.int64(), true
		s.DiskSize, s.ModNS, s.ChangeNS, s.SeenNS = d.stat()
	}
	return c, d.err
}
