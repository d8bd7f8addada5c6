package lexical

import (
	"encoding/binary"
	"fmt"

	"agenvantage/analysis"

	index "github.com/blevesearch/bleve_index_api"
)

// The fields of a document.
const (
	FieldPath      = "path"      // tokens of the file's path
	FieldSymbol    = "symbol"    // tokens of the names that are defined in the chunk, with their parents
	FieldSignature = "signature" // tokens of the declarations without their bodies
	FieldDoc       = "doc"       // tokens of the doc comments
	FieldBody      = "body"      // tokens of the chunk's lines
	FieldName      = "name"      // whole normalised names, one term each: exact look-up of definitions
	FieldKind      = "kind"      // the chunk's kind and the kinds of its symbols, one term each
)

// Fields lists every field. Lengths are in this order, which is part of the index format.
var Fields = [...]string{FieldPath, FieldSymbol, FieldSignature, FieldDoc, FieldBody, FieldName, FieldKind}

// Lengths counts the tokens of a document, or of many, by field in the order of Fields.
type Lengths [len(Fields)]uint32

// FieldIndex is the place of field in Fields, -1 when there is no such field.
func FieldIndex(field string) int {
	for i, f := range Fields {
		if f == field {
			return i
		}
	}
	return -1
}

// Tokens is a bag of tokens: what one field of one document holds. It does not change once built, so that the
// documents of one file share the tokens of its path.
type Tokens struct {
	freqs  index.TokenFrequencies
	length int
}

// Len is the number of tokens, repeats counted.
func (t Tokens) Len() int { return t.length }

// Analyzer turns text into Tokens. It holds scratch memory: one for each goroutine. The zero value is ready.
type Analyzer struct{ scratch []string }

// Text is the bag of the index tokens of text (analysis.AppendTokens).
func (a *Analyzer) Text(text string) Tokens {
	if text == "" {
		return Tokens{}
	}
	a.scratch = analysis.AppendTokens(a.scratch[:0], text)
	t := Bag(a.scratch)
	clear(a.scratch) // do not keep the text alive
	return t
}

// Bag counts whole terms as they are.
func Bag(terms []string) Tokens {
	if len(terms) == 0 {
		return Tokens{}
	}
	freqs := make(index.TokenFrequencies, min(len(terms), 8+len(terms)/2))
	for _, term := range terms {
		n := 1
		if tf := freqs[term]; tf != nil {
			n = tf.Frequency() + 1
		}
		freqs[term] = frequency(n)
	}
	return Tokens{freqs: freqs, length: len(terms)}
}

// sharedFrequencies holds one TokenFreq for each small count. The engine reads nothing else from it (no term, no
// locations), so that a million postings need no million allocations.
var sharedFrequencies = func() (shared [64]index.TokenFreq) {
	for i := range shared {
		shared[i].SetFrequency(i)
	}
	return shared
}()

func frequency(n int) *index.TokenFreq {
	if n < len(sharedFrequencies) {
		return &sharedFrequencies[n]
	}
	tf := &index.TokenFreq{}
	tf.SetFrequency(n)
	return tf
}

// Document is one chunk, analysed. Set its ID before it is written.
type Document struct {
	id     string
	fields []field
}

// ID is the identity of a document: the file's number in the high 32 bits, the chunk's place in the file in the low.
type ID uint64

// MakeID joins a file number and a chunk's place.
func MakeID(file, chunk uint32) ID { return ID(file)<<32 | ID(chunk) }

// File is the file number.
func (id ID) File() uint32 { return uint32(id >> 32) }

// Chunk is the chunk's place in its file.
func (id ID) Chunk() uint32 { return uint32(id) }

// bytes is the engine's key: big endian, so that the order of keys is the order of ids.
func (id ID) bytes() string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(id))
	return string(b[:])
}

func parseID(b []byte) (ID, error) {
	if len(b) != 8 {
		return 0, fmt.Errorf("%w: document id of %d bytes", ErrCorrupt, len(b))
	}
	return ID(binary.BigEndian.Uint64(b)), nil
}

// NewDocument builds a document from the tokens of its fields, in the order of Fields.
func NewDocument(tokens [len(Fields)]Tokens) *Document {
	d := &Document{fields: make([]field, 0, len(Fields)+1)}
	for i, t := range tokens {
		if t.length > 0 {
			d.fields = append(d.fields, field{name: Fields[i], tokens: t})
		}
	}
	return d
}

// SetID names the document.
func (d *Document) SetID(id ID) { d.id = id.bytes() }

// ID is the engine's key.
func (d *Document) ID() string { return d.id }

// Size is a rough figure for the engine's statistics.
func (d *Document) Size() int { return 256 }

// VisitFields visits each field.
func (d *Document) VisitFields(visit index.FieldVisitor) {
	for i := range d.fields {
		visit(&d.fields[i])
	}
}

// VisitComposite visits nothing: there are no composite fields.
func (d *Document) VisitComposite(index.CompositeFieldVisitor) {}

// HasComposite is false.
func (d *Document) HasComposite() bool { return false }

// NumPlainTextBytes is for the engine's statistics, which nobody reads.
func (d *Document) NumPlainTextBytes() uint64 { return 0 }

// StoredFieldsBytes is 0: nothing is stored.
func (d *Document) StoredFieldsBytes() uint64 { return 0 }

// Indexed is true.
func (d *Document) Indexed() bool { return true }

// AddIDField adds the key as the field that the engine finds a document by.
func (d *Document) AddIDField() {
	if n := len(d.fields); n > 0 && d.fields[n-1].name == idField {
		return
	}
	d.fields = append(d.fields, field{name: idField, key: []byte(d.id), tokens: Bag([]string{d.id})})
}

// idField is the engine's name for the key.
const idField = "_id"

// field is one field of a document for the engine, already analysed.
type field struct {
	name   string
	key    []byte // of the id field alone
	tokens Tokens
}

func (f *field) Name() string             { return f.name }
func (f *field) Value() []byte            { return f.key }
func (f *field) ArrayPositions() []uint64 { return nil }
func (f *field) EncodedFieldType() byte   { return 't' }
func (f *field) Analyze()                 {}
func (f *field) AnalyzedLength() int      { return f.tokens.length }
func (f *field) NumPlainTextBytes() uint64 {
	return 0
}

func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.tokens.freqs }

func (f *field) Options() index.FieldIndexingOptions {
	if f.key != nil {
		return index.IndexField | index.StoreField
	}
	return index.IndexField
}
