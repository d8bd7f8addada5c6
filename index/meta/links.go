package meta

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"agenvantage"
)

// Links is what leads out of one file in the code graph. In its edges a node's File is a file number, not a rank.
type Links struct {
	Edges      []agenvantage.Edge
	Unresolved map[string]int // references without an edge, by reason
	Failure    string         // why the file could not be resolved, "" when it was; then there are no edges
}

// LinkRow is Links as they are stored, with what they depend on.
type LinkRow struct {
	File    uint32
	Depends []uint32 // KeyHash of each key whose change makes the links stale, sorted
	Edges   int      // number of edges
	Blob    []byte   // EncodeLinks
}

// edgeKinds are the codes of kinds; a new kind goes to the end.
var edgeKinds = []agenvantage.EdgeKind{agenvantage.EdgeImports, agenvantage.EdgeDefines, agenvantage.EdgeCalls, agenvantage.EdgeReferences, agenvantage.EdgeInherits,
	agenvantage.EdgeImplements, agenvantage.EdgeTests, agenvantage.EdgeDocuments, agenvantage.EdgeConfigures, agenvantage.EdgeRoutes}

// The blob of links holds the failure and the counts of unresolved references; the tree of definitions, which is one edge for
// each symbol and so close to its numbering that it is told apart; a table of the targets of the other edges; and these
// edges column by column, in the order of their symbol and line. On the Go standard library that makes 2.2 bytes for an edge.

// EncodeLinks packs the links of the file with a number. It is safe for concurrent use.
func EncodeLinks(file uint32, l Links) []byte {
	e := &encoder{b: make([]byte, 0, 64+6*len(l.Edges))}
	e.string(l.Failure)
	e.int(len(l.Unresolved))
	for _, reason := range slices.Sorted(maps.Keys(l.Unresolved)) {
		e.string(reason)
		e.int(l.Unresolved[reason])
	}
	var tree, rest []agenvantage.Edge
	for _, edge := range l.Edges {
		if edge.Kind == agenvantage.EdgeDefines && edge.To.File == file && edge.Confidence == agenvantage.ByScope {
			tree = append(tree, edge)
		} else {
			rest = append(rest, edge)
		}
	}
	slices.SortFunc(tree, func(a, b agenvantage.Edge) int {
		return cmp.Or(cmp.Compare(a.To.Symbol, b.To.Symbol), cmp.Compare(a.From.Symbol, b.From.Symbol))
	})
	slices.SortFunc(rest, compareInFile)
	e.tree(tree)
	e.edges(rest)
	return pack(e.b)
}

func compareInFile(a, b agenvantage.Edge) int {
	return cmp.Or(cmp.Compare(a.From.Symbol, b.From.Symbol), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), compareNodes(a.To, b.To), cmp.Compare(b.Confidence, a.Confidence))
}

func compareNodes(a, b agenvantage.Node) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Symbol, b.Symbol))
}

func (e *encoder) tree(edges []agenvantage.Edge) {
	e.int(len(edges))
	last := -1
	for _, edge := range edges {
		e.int(edge.To.Symbol - last)
		last = edge.To.Symbol
	}
	for _, edge := range edges {
		e.int(edge.From.Symbol + 1)
	}
	line := 0
	for _, edge := range edges {
		e.int64(int64(edge.Line - line))
		line = edge.Line
	}
}

func (e *encoder) edges(edges []agenvantage.Edge) {
	targets := make([]agenvantage.Node, len(edges))
	for i := range edges {
		targets[i] = edges[i].To
	}
	slices.SortFunc(targets, compareNodes)
	targets = slices.Compact(targets)
	e.int(len(targets))
	last := uint32(0)
	for _, t := range targets {
		e.int(int(t.File - last))
		last = t.File
	}
	for _, t := range targets {
		e.int(t.Symbol + 1)
	}
	e.int(len(edges))
	symbol, line := -1, 0
	for i := range edges {
		e.int(edges[i].From.Symbol - symbol)
		symbol = edges[i].From.Symbol
	}
	for i := range edges {
		e.int64(int64(edges[i].Line - line))
		line = edges[i].Line
	}
	for i := range edges {
		e.int(4*max(0, slices.Index(edgeKinds, edges[i].Kind)) + int(edges[i].Confidence&3))
	}
	for i := range edges {
		at, _ := slices.BinarySearchFunc(targets, edges[i].To, compareNodes)
		e.int(at)
	}
}

// DecodeLinks unpacks what EncodeLinks packed, its edges in no order. An error wraps ErrCorrupt.
func DecodeLinks(file uint32, blob []byte) (Links, error) {
	b, err := unpack(blob)
	if err != nil || len(b) == 0 {
		return Links{}, err
	}
	d := newDecoder(b)
	l := Links{Failure: d.string()}
	if n := d.count(); n > 0 {
		l.Unresolved = make(map[string]int, n)
		for range n {
			reason := d.string()
			l.Unresolved[reason] = d.int()
		}
	}
	tree := make([]agenvantage.Edge, d.count())
	last, line := -1, 0
	for i := range tree {
		last = d.symbol(last + d.int())
		tree[i] = agenvantage.Edge{From: agenvantage.Node{File: file}, To: agenvantage.Node{File: file, Symbol: last}, Kind: agenvantage.EdgeDefines, Confidence: agenvantage.ByScope}
	}
	for i := range tree {
		tree[i].From.Symbol = d.symbol(d.int() - 1)
	}
	for i := range tree {
		line += int(d.int64())
		tree[i].Line = line
	}
	l.Edges = d.edges(file, tree)
	if d.err != nil {
		return Links{}, fmt.Errorf("links of file %d: %w", file, d.err)
	}
	return l, nil
}

// symbol checks the number of a symbol: what no file can have is damage.
func (d *decoder) symbol(n int) int {
	if n < -1 || n > 1<<31 {
		d.fail()
		return -1
	}
	return n
}

// edges reads what encoder.edges wrote, behind before.
func (d *decoder) edges(file uint32, before []agenvantage.Edge) []agenvantage.Edge {
	targets := make([]agenvantage.Node, d.count())
	last := uint32(0)
	for i := range targets {
		last += uint32(d.int())
		targets[i].File = last
	}
	for i := range targets {
		targets[i].Symbol = d.symbol(d.int() - 1)
	}
	n, from := d.count(), len(before)
	all := slices.Grow(before, n)[:from+n]
	edges := all[from:]
	symbol, line := -1, 0
	for i := range edges {
		symbol = d.symbol(symbol + d.int())
		edges[i].From = agenvantage.Node{File: file, Symbol: symbol}
	}
	for i := range edges {
		line += int(d.int64())
		edges[i].Line = line
	}
	for i := range edges {
		code := d.int()
		if code/4 >= len(edgeKinds) {
			d.fail()
			return nil
		}
		edges[i].Kind, edges[i].Confidence = edgeKinds[code/4], agenvantage.Confidence(code%4)
	}
	for i := range edges {
		at := d.int()
		if at >= len(targets) {
			d.fail()
			return nil
		}
		edges[i].To = targets[at]
	}
	return all
}

// keyBits is the size of a KeyHash: two keys of one hash cost a file that is resolved again in vain, which with some 90 keys
// for each file happens to one file in thousands; three bytes for each key are 1.7 MB on the Go standard library.
const keyBits = 24

// KeyHash is a key of what links depend on as it is stored.
func KeyHash(key string) uint32 { return uint32(xxh3.HashString(key) & (1<<keyBits - 1)) }

// NameHash is the simple name of a symbol as it is stored. Names of one hash are taken for one name: with a million names
// that is 1 in 37 million for there to be any.
func NameHash(name string) uint64 { return xxh3.HashString(name) }

// encodeNames is the hash of each symbol's name, in order.
func encodeNames(symbols []agenvantage.Symbol) []byte {
	b := make([]byte, 0, 8*len(symbols))
	for i := range symbols {
		b = binary.LittleEndian.AppendUint64(b, NameHash(symbols[i].Name))
	}
	return b
}

func encodeDepends(hashes []uint32) []byte {
	b := make([]byte, 0, 3*len(hashes))
	for _, h := range hashes {
		b = append(b, byte(h), byte(h>>8), byte(h>>16))
	}
	return b
}

// PutLinks replaces the links of a file.
func (w *Writer) PutLinks(r LinkRow) error {
	return w.exec(`INSERT OR REPLACE INTO links VALUES (?,?,?,?)`, r.File, r.Edges, encodeDepends(r.Depends), r.Blob)
}

// EachDepends visits what the links of each file depend on, in the order of file numbers. depends is valid during the call.
func (w *Writer) EachDepends(visit func(file uint32, depends []uint32)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	rows, err := w.tx.Query(`SELECT file, depends FROM links ORDER BY file`)
	if err != nil {
		return fault("read", w.file, err)
	}
	defer rows.Close()
	var hashes []uint32
	for rows.Next() {
		var file uint32
		var b sql.RawBytes
		if err := rows.Scan(&file, &b); err != nil {
			return fault("read", w.file, err)
		}
		hashes = hashes[:0]
		for ; len(b) >= 3; b = b[3:] {
			hashes = append(hashes, uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16)
		}
		visit(file, hashes)
	}
	return fault("read", w.file, rows.Err())
}

// EachName visits the NameHash of every symbol that the transaction sees: files in the order of their numbers, symbols in
// theirs.
func (w *Writer) EachName(visit func(file uint32, symbol int, hash uint64)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fault("read", w.file, eachName(w.tx, visit))
}

func eachName(q querier, visit func(file uint32, symbol int, hash uint64)) error {
	rows, err := q.Query(`SELECT file, names FROM names ORDER BY file`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var file uint32
		var b sql.RawBytes
		if err := rows.Scan(&file, &b); err != nil {
			return err
		}
		for i := range len(b) / 8 {
			visit(file, i, binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return rows.Err()
}

// load reads one blob of contents inside of the transaction.
func (w *Writer) load(column string, id uint32) ([]byte, error) {
	w.mu.Lock()
	var b []byte
	s, err := w.prepared(`SELECT ` + column + ` FROM contents WHERE file = ?`)
	if err == nil {
		err = s.QueryRow(id).Scan(&b)
	}
	w.mu.Unlock()
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no contents of file %d", ErrCorrupt, id)
	}
	if err != nil {
		return nil, fault("read", w.file, err)
	}
	return unpack(b)
}

// Text is the text of a file, as the transaction sees it. It and the next two may be called from several goroutines, also
// beside PutLinks.
func (w *Writer) Text(id uint32) (string, error) {
	b, err := w.load("text", id)
	return string(b), err
}

// Facts is like Reader.Facts, as the transaction sees them.
func (w *Writer) Facts(id uint32) (*agenvantage.Extraction, error) {
	b, err := w.load("facts", id)
	if err != nil {
		return nil, err
	}
	x, err := decodeFacts(b)
	return x, fault("read", w.file, err)
}

// Uses is like Reader.Uses, as the transaction sees them.
func (w *Writer) Uses(id uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	b, err := w.load("refs", id)
	if err != nil {
		return nil, nil, err
	}
	refs, bindings, err := decodeUses(b)
	return refs, bindings, fault("read", w.file, err)
}

// Links is Reader.Links.
func (w *Writer) Links(id uint32) (Links, error) {
	w.mu.Lock()
	var b []byte
	err := w.tx.QueryRow(`SELECT edges FROM links WHERE file = ?`, id).Scan(&b)
	w.mu.Unlock()
	if errors.Is(err, sql.ErrNoRows) {
		return Links{}, nil
	}
	if err != nil {
		return Links{}, fault("read", w.file, err)
	}
	l, err := DecodeLinks(id, b)
	return l, fault("read", w.file, err)
}

// EachName visits the NameHash of every symbol, in the order of file numbers and symbols.
func (r *Reader) EachName(visit func(file uint32, symbol int, hash uint64)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fault("read", r.file, eachName(r.tx, visit))
}

// LinkBlobs reads the links of every file, still encoded, in the order of file numbers.
func (r *Reader) LinkBlobs() (files []uint32, blobs [][]byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, err := r.tx.Query(`SELECT file, edges FROM links ORDER BY file`)
	if err != nil {
		return nil, nil, fault("read", r.file, err)
	}
	defer rows.Close()
	for rows.Next() {
		var file uint32
		var b []byte
		if err := rows.Scan(&file, &b); err != nil {
			return nil, nil, fault("read", r.file, err)
		}
		files, blobs = append(files, file), append(blobs, b)
	}
	return files, blobs, fault("read", r.file, rows.Err())
}

// Links reads the links of one file, its edges in no order. A file that was never resolved has none.
func (r *Reader) Links(id uint32) (Links, error) {
	r.mu.Lock()
	var b []byte
	err := r.tx.QueryRow(`SELECT edges FROM links WHERE file = ?`, id).Scan(&b)
	r.mu.Unlock()
	if errors.Is(err, sql.ErrNoRows) {
		return Links{}, nil
	}
	if err != nil {
		return Links{}, fault("read", r.file, err)
	}
	l, err := DecodeLinks(id, b)
	return l, fault("read", r.file, err)
}

// LinkStats counts the edges, and the bytes that the graph takes in the file: links and names.
func (r *Reader) LinkStats() (edges int, bytes int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := strings.Join([]string{`SELECT coalesce(sum(count), 0), coalesce(sum(length(depends) + length(edges)), 0)`, `+ (SELECT coalesce(sum(length(names)), 0) FROM names)`, `FROM links`}, " ")
	err = r.tx.QueryRow(q).Scan(&edges, &bytes)
	return edges, bytes, fault("read", r.file, err)
}
