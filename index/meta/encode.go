package meta

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"agenvantage"

	"github.com/klauspost/compress/zstd"
)

// A blob is a zstd frame, or nothing for an empty text. Inside, facts are: a varint of each length and number, strings
// with their length in front. Numbers that can be -1 are stored plus one.

var (
	compressor = sync.OnceValue(func() *zstd.Encoder {
		// With a checksum: a wrong byte must not become a wrong answer.
		return mustZstd(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true)))
	})
	decompressor = sync.OnceValue(func() *zstd.Decoder { return mustZstd(zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<30))) })
)

func mustZstd[T any](v T, err error) T {
	if err != nil {
		panic(err) // constant options: a fault of the program
	}
	return v
}

// Encode packs the contents of a file. It is safe for concurrent use.
func Encode(text string, x agenvantage.Extraction) Content {
	return Content{Text: pack([]byte(text)), Facts: pack(encodeFacts(x)), Refs: pack(encodeUses(x.References, x.Bindings)), Names: encodeNames(x.Symbols)}
}

func pack(b []byte) []byte {
	if len(b) == 0 {
		return []byte{}
	}
	return compressor().EncodeAll(b, make([]byte, 0, len(b)/3+32))
}

func unpack(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, nil
	}
	out, err := decompressor().DecodeAll(b, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return out, nil
}

type encoder struct{ b []byte }

func (e *encoder) int(v int)       { e.b = binary.AppendUvarint(e.b, uint64(v)) }
func (e *encoder) int64(v int64)   { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) string(s string) { e.int(len(s)); e.b = append(e.b, s...) }

// stringIn writes a string that is often a part of one written before: as its place in it, else as it is.
func (e *encoder) stringIn(s, whole string) {
	if s == "" {
		e.int(0)
		return
	}
	at := strings.LastIndex(whole, s)
	e.int(at + 2)
	if at < 0 {
		e.string(s)
		return
	}
	e.int(len(s))
}

func (e *encoder) fixed(b []byte) { e.b = append(e.b, b...) }
func (e *encoder) span(s agenvantage.Span) {
	e.int(s.StartLine)
	e.int64(int64(s.EndLine - s.StartLine))
}

// decoder reads what encoder wrote. After a fault every read gives zero values and err is set.
type decoder struct {
	b   []byte
	err error
	all string // b as a string, so that strings are cut out of it without an allocation each
}

func newDecoder(b []byte) *decoder { return &decoder{b: b, all: string(b)} }

func (d *decoder) fail() {
	if d.err == nil {
		d.err = fmt.Errorf("%w: cut-off blob", ErrCorrupt)
	}
	d.b = nil
}

func (d *decoder) int() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > 1<<62 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

// count reads a number of things that each take at least one byte more.
func (d *decoder) count() int {
	n := d.int()
	if n > len(d.b) {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) int64() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string {
	n := d.count()
	at := len(d.all) - len(d.b)
	if d.b == nil {
		return ""
	}
	d.b = d.b[n:]
	return d.all[at : at+n]
}

// stringIn reads what encoder.stringIn wrote.
func (d *decoder) stringIn(whole string) string {
	switch at := d.int(); at {
	case 0:
		return ""
	case 1:
		return d.string()
	default:
		n := d.int()
		if at -= 2; at > len(whole) || n > len(whole)-at {
			d.fail()
			return ""
		}
		return whole[at : at+n]
	}
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (d *decoder) fixed(to []byte) {
	if len(d.b) < len(to) {
		d.fail()
		return
	}
	copy(to, d.b)
	d.b = d.b[len(to):]
}

func (d *decoder) span() agenvantage.Span {
	start := d.int()
	return agenvantage.Span{StartLine: start, EndLine: start + int(d.int64())}
}

func encodeFacts(x agenvantage.Extraction) []byte {
	e := &encoder{}
	e.string(string(x.State))
	e.int(len(x.Symbols))
	for _, s := range x.Symbols {
		e.string(s.Name)
		if s.Qualified == s.Name {
			e.string("")
		} else {
			e.string(s.Qualified)
		}
		e.string(string(s.Kind))
		e.string(s.Signature)
		e.string(s.Doc)
		e.string(s.Visibility)
		e.span(s.Span)
		e.int64(int64(s.NameLine - s.Span.StartLine))
		e.int(s.Parent + 1)
		e.string(s.Lang)
		e.stringIn(s.Type, s.Signature)
		e.stringIn(s.Value, s.Signature)
	}
	e.string(x.Package)
	e.int(len(x.Imports))
	for _, i := range x.Imports {
		e.string(i.Path)
		e.string(i.Name)
		e.string(i.Alias)
		e.int(i.Line)
		e.int(2*(i.From+1) + asInt(i.Exported))
	}
	e.int(len(x.Chunks))
	for _, c := range x.Chunks {
		e.span(c.Span)
		e.string(string(c.Kind))
		e.int(len(c.Symbols))
		for _, s := range c.Symbols {
			e.int(s)
		}
		e.int(c.Owner + 1)
		e.string(c.Lang)
	}
	return e.b
}

func decodeFacts(b []byte) (*agenvantage.Extraction, error) {
	d := newDecoder(b)
	x := &agenvantage.Extraction{State: agenvantage.ParseState(d.string())}
	if n := d.count(); n > 0 {
		x.Symbols = make([]agenvantage.Symbol, n)
	}
	for i := range x.Symbols {
		s := &x.Symbols[i]
		s.Name, s.Qualified = d.string(), d.string()
		if s.Qualified == "" {
			s.Qualified = s.Name
		}
		s.Kind, s.Signature, s.Doc, s.Visibility = agenvantage.SymbolKind(d.string()), d.string(), d.string(), d.string()
		s.Span = d.span()
		s.NameLine, s.Parent, s.Lang = s.Span.StartLine+int(d.int64()), d.int()-1, d.string()
		s.Type, s.Value = d.stringIn(s.Signature), d.stringIn(s.Signature)
	}
	x.Package = d.string()
	if n := d.count(); n > 0 {
		x.Imports = make([]agenvantage.Import, n)
	}
	for i := range x.Imports {
		m := &x.Imports[i]
		m.Path, m.Name, m.Alias, m.Line = d.string(), d.string(), d.string(), d.int()
		from := d.int()
		if m.From, m.Exported = from/2-1, from%2 == 1; m.From >= len(x.Symbols) {
			d.fail()
		}
	}
	if n := d.count(); n > 0 {
		x.Chunks = make([]agenvantage.Chunk, n)
	}
	for i := range x.Chunks {
		c := &x.Chunks[i]
		c.Span, c.Kind = d.span(), agenvantage.SymbolKind(d.string())
		if n := d.count(); n > 0 {
			c.Symbols = make([]int, n)
		}
		for j := range c.Symbols {
			if c.Symbols[j] = d.int(); c.Symbols[j] >= len(x.Symbols) {
				d.fail()
			}
		}
		if c.Owner = d.int() - 1; c.Owner >= len(x.Symbols) {
			d.fail()
		}
		c.Lang = d.string()
	}
	return x, d.err
}
