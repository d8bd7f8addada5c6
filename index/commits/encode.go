package commits

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"agenvantage/scan/history"
)

// row is one commit as it is stored.
type row struct {
	id      string // raw bytes, 20 or 32
	parents []parent
	flags   byte
	time    int64 // of the commit, Unix seconds
	written int64 // by its author, Unix seconds
	author  uint32
	terms   uint32 // of the message
	changed uint32 // files of the whole repository
	files   []change
}

// The flags of a row.
const (
	flagMerge   = 1 << iota // left out of everything but the graph
	flagCut                 // a shallow clone ends here: parents and files are not known
	flagOutside             // changes nothing below the prefix
)

// parent is a row that came later in the same block, or an id.
type parent struct {
	row int    // -1 when only the id is known
	id  string // raw; "" when row is known
}

// change is one changed file below the prefix. old is the number of the path that it was moved from, -1 for none.
type change struct {
	path   uint32
	old    int64
	status history.Status
}

// A block is
//
//	length of ids (20 or 32), number of rows, then for each row
//	ID, flags, time, written - time, author, terms, changed,
//	number of parents and for each: 0 and ID, or how many rows later it comes
//	number of files, and for each: status, path, and for a moved one its old path
//
// Numbers are varints; times are signed.
func encodeBlock(rows []row, first int) []byte {
	b := make([]byte, 0, 64*len(rows))
	size := 20
	if len(rows) > 0 {
		size = len(rows[0].id)
	}
	u := func(n uint64) { b = binary.AppendUvarint(b, n) }
	u(uint64(size))
	u(uint64(len(rows)))
	for i := range rows {
		r := &rows[i]
		b = append(append(b, r.id...), r.flags)
		b = binary.AppendVarint(binary.AppendVarint(b, r.time), r.written-r.time)
		u(uint64(r.author))
		u(uint64(r.terms))
		u(uint64(r.changed))
		u(uint64(len(r.parents)))
		for _, p := range r.parents {
			if p.row > first+i {
				u(uint64(p.row - first - i))
			} else {
				b = append(append(b, 0), p.id...)
			}
		}
		u(uint64(len(r.files)))
		for _, c := range r.files {
			b = append(b, byte(c.status))
			u(uint64(c.path))
			if c.old >= 0 {
				u(uint64(c.old) + 1)
			} else {
				u(0)
			}
		}
	}
	return b
}

// decodeBlock reads a block whose first row has the number first.
func decodeBlock(b []byte, first int) ([]row, error) {
	d, whole := &decoder{b: b}, string(b) // one copy, of which the ids are parts
	size := d.uint(64)
	if size != 20 && size != 32 {
		return nil, fmt.Errorf("%w: ids of %d bytes", ErrCorrupt, size)
	}
	count := d.uint(len(b)) // each row takes more than a byte
	rows := make([]row, 0, min(count, len(b)/size))
	var parents []parent // of all rows: a list for each would cost more than reading the block
	var files []change
	for i := 0; i < count && d.err == nil; i++ {
		r := row{id: d.part(whole, size), flags: d.byte()}
		r.time = d.int()
		r.written = r.time + d.int()
		r.author, r.terms, r.changed = uint32(d.uint(math.MaxUint32)), uint32(d.uint(math.MaxUint32)), uint32(d.uint(math.MaxUint32))
		from := len(parents)
		for n := d.uint(len(d.b)); n > 0 && d.err == nil; n-- {
			switch later := d.uint(count); {
			case later == 0:
				parents = append(parents, parent{row: -1, id: d.part(whole, size)})
			case i+later >= count:
				d.fail("a parent beyond its block")
			default:
				parents = append(parents, parent{row: first + i + later})
			}
		}
		r.parents = parents[from:len(parents):len(parents)]
		from = len(files)
		for n := d.uint(len(d.b)); n > 0 && d.err == nil; n-- {
			files = append(files, change{status: history.Status(d.byte()), path: uint32(d.uint(math.MaxUint32)), old: int64(d.uint(math.MaxUint32)) - 1})
		}
		r.files = files[from:len(files):len(files)]
		rows = append(rows, r)
	}
	if d.err == nil && len(d.b) > 0 {
		d.fail("bytes after the last row")
	}
	return rows, d.err
}

// texts are joined with the length before each.
func encodeTexts(texts []string) []byte {
	var b []byte
	for _, t := range texts {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	return b
}

func decodeTexts(b []byte) ([]string, error) {
	var texts []string
	d := &decoder{b: b}
	for len(d.b) > 0 && d.err == nil {
		texts = append(texts, d.text(d.uint(len(d.b))))
	}
	return texts, d.err
}

// appendPosting adds a row, which is above last, with its frequency.
func appendPosting(b []byte, last, row, frequency int) []byte {
	if frequency == 1 {
		return binary.AppendUvarint(b, uint64(row-last)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(row-last)<<1|1), uint64(frequency))
}

// eachPosting visits the rows of a run that begins at first and has rows below bound.
func eachPosting(b []byte, first, bound int, visit func(row, frequency int)) error {
	d := &decoder{b: b}
	for at := first; len(d.b) > 0; {
		n := d.uint(math.MaxInt32)
		at += n >> 1
		frequency := 1
		if n&1 == 1 {
			frequency = d.uint(math.MaxInt32)
		}
		if d.err == nil && (at >= bound || frequency < 1) {
			d.fail("a posting of no commit")
		}
		if d.err != nil {
			return d.err
		}
		visit(at, frequency)
	}
	return nil
}

// lastPosting is the last row of a run.
func lastPosting(b []byte, first, bound int) (last int, err error) {
	err = eachPosting(b, first, bound, func(row, _ int) { last = row })
	return last, err
}

// decoder reads numbers and texts. After the first error everything is zero.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrCorrupt, why)
	}
	d.b = nil
}

// uint reads a number that is at most limit.
func (d *decoder) uint(limit int) int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > uint64(limit) {
		d.fail("a number that is cut off or too large")
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail("a number that is cut off")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail("cut off")
		return 0
	}
	c := d.b[0]
	d.b = d.b[1:]
	return c
}

func (d *decoder) text(n int) string {
	if n > len(d.b) {
		d.fail("a text that is cut off")
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// part is text without a copy of its own: whole is what d began with.
func (d *decoder) part(whole string, n int) string {
	if n > len(d.b) {
		d.fail("a text that is cut off")
		return ""
	}
	at := len(whole) - len(d.b)
	d.b = d.b[n:]
	return whole[at : at+n]
}

// rawID turns the hexadecimal id of a commit into bytes; "" when it is none.
func rawID(id string) string {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) != 20 && len(b) != 32 {
		return ""
	}
	return string(b)
}

func hexID(raw string) string { return hex.EncodeToString([]byte(raw)) }

var compressor = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
})

var decompressor = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
})

func pack(b []byte) []byte { return compressor().EncodeAll(b, nil) }

func unpack(b []byte) ([]byte, error) {
	out, err := decompressor().DecodeAll(b, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return out, nil
}
