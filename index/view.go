package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
)

// FileInfo is what a view knows of one indexed file.
type FileInfo struct {
	agenvantage.File
	Chunks, Symbols int
	State           agenvantage.ParseState
}

// View is one generation, pinned: it does not change while updates go on. Files are named by their rank among the
// indexed paths, sorted by bytes; documents (chunks) by numbers below DocBound. It is safe for concurrent use; Close it
// when no call is running. Values that it returns are shared: do not change them.
type View struct {
	facts    *meta.Reader
	postings *lexical.Reader
	head     meta.Head
	options  string
	epoch    string

	files  []FileInfo
	rows   []meta.FileRow
	looks  []meta.SkipRow
	chunks int
	tokens [len(lexical.Fields)]uint64

	factsCache    *cache[uint32, *agenvantage.Extraction]
	textCache     *cache[uint32, string]
	postingsCache *cache[fieldTerm, []posting]

	places     sync.Once
	fileOf     []uint32 // by document number
	chunkOf    []uint32
	placesFail error

	hashes     sync.Once
	hashOf     [][]ChunkHash // by rank
	hashesFail error

	ranks     sync.Once
	rankByID  map[uint32]uint32
	naming    sync.Once
	names     *nameIndex
	namesFail error
}

const (
	factsCacheBytes    = 48 << 20
	textCacheBytes     = 64 << 20
	postingsCacheBytes = 32 << 20
)

// fieldTerm is a term in a field.
type fieldTerm struct{ field, term string }

// posting is a document that holds a term: how often, and of how many tokens.
type posting struct{ doc, freq, length uint32 }

// viewTries bounds how often View starts again because the generation that it had read of was replaced and removed.
const viewTries = 20

// View pins the last whole generation. Without any it returns an error wrapping agenvantage.ErrNoIndex, or ErrIncomplete
// when a first build was begun; one that cannot be read is ErrCorrupt; one of another format is ErrNoIndex too.
func (ix *Index) View(ctx context.Context) (*View, error) {
	for try := 1; ; try++ {
		v, err := ix.view(ctx)
		if err == nil {
			return v, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("open index %s: %w", ix.dir, ctx.Err())
		}
		moved := isMissing(err) || errors.Is(err, errMoved)
		if !moved && !corrupt(err) || try == viewTries || corrupt(err) && try > 3 {
			return nil, fmt.Errorf("open index %s: %w", ix.dir, settled(err))
		}
		time.Sleep(time.Duration(try) * time.Millisecond)
	}
}

// errMoved means that the epoch stopped being whole or current while it was opened.
var errMoved = errors.New("index moved on")

// settled is the error of an index that was opened in vain again and again: what goes on moving or lacks a file that it names is damaged,
// and not on its way to another generation.
func settled(err error) error {
	if isMissing(err) || errors.Is(err, errMoved) || corrupt(err) && !errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// readable returns the manifest of an index that this program can read.
func (ix *Index) readable() (manifest, error) {
	m, err := readManifest(ix.dir)
	switch {
	case isMissing(err):
		return m, agenvantage.ErrNoIndex
	case err != nil:
		return m, err
	case m.Epoch == "" && m.Building != nil:
		return m, agenvantage.ErrIncomplete
	case m.Epoch == "":
		return m, agenvantage.ErrNoIndex
	case m.Format != Format:
		return m, fmt.Errorf("%w: the index has format %d, this program reads %d", agenvantage.ErrNoIndex, m.Format, Format)
	}
	return m, nil
}

// openFacts pins the facts of the current epoch.
func (ix *Index) openFacts(ctx context.Context) (*meta.Reader, manifest, error) {
	m, err := ix.readable()
	if err != nil {
		return nil, m, err
	}
	facts, err := meta.Open(ctx, filepath.Join(ix.dir, m.Epoch, metaFile))
	if err == nil && facts.Head().Generation == 0 {
		facts.Close()
		err = errMoved
	}
	if err != nil {
		if now, e := readManifest(ix.dir); e == nil && now.Epoch != m.Epoch {
			err = fmt.Errorf("%w: %w", errMoved, err)
		}
		return nil, m, err
	}
	return facts, m, nil
}

func (ix *Index) view(ctx context.Context) (*View, error) {
	facts, m, err := ix.openFacts(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{facts: facts, head: facts.Head(), options: m.Options, epoch: filepath.Join(ix.dir, m.Epoch),
		factsCache: newCache[uint32, *agenvantage.Extraction](factsCacheBytes), textCache: newCache[uint32, string](textCacheBytes),
		postingsCache: newCache[fieldTerm, []posting](postingsCacheBytes)}
	if v.postings, err = lexical.Open(filepath.Join(v.epoch, lexicalFolder(v.head.Generation))); err != nil {
		facts.Close()
		return nil, err
	}
	catalog, err := facts.Catalog()
	if err != nil {
		v.Close()
		return nil, err
	}
	v.rows, v.looks = catalog.Files, catalog.Looks
	v.files = make([]FileInfo, len(v.rows))
	for i := range v.rows {
		r := &v.rows[i]
		v.files[i] = FileInfo{File: r.File, Chunks: r.Chunks, Symbols: r.Symbols, State: r.State}
		v.chunks += r.Chunks
		for f, n := range r.Tokens {
			v.tokens[f] += uint64(n)
		}
	}
	if live := v.postings.Live(); live != v.chunks {
		v.Close()
		return nil, fmt.Errorf("%w: %d documents for %d chunks", ErrCorrupt, live, v.chunks)
	}
	return v, nil
}

// Generation is the number of the pinned generation.
func (v *View) Generation() uint64 { return v.head.Generation }

// Damaged reports that files of the index were written to or cut by others since the view was opened, as far as that can be seen: what
// was read from it meanwhile may be wrong. It takes some microseconds.
func (v *View) Damaged() bool { return v.facts.Damaged() || v.postings.Damaged() }

// Revision is the commit of the tree when it was indexed, "" without one.
func (v *View) Revision() string { return v.head.Revision }

// Branch is the branch of the tree when it was indexed, "" without one.
func (v *View) Branch() string { return v.head.Branch }

// UpdatedAt is when the generation was written or last found to be right.
func (v *View) UpdatedAt() time.Time { return time.Unix(0, v.head.UpdatedNS) }

// OptionsHash is the hash of the options that the index was built with.
func (v *View) OptionsHash() string { return v.options }

// FilesIndexed counts the indexed files.
func (v *View) FilesIndexed() int { return len(v.files) }

// FileCount is the same: ranks are below it.
func (v *View) FileCount() int { return len(v.files) }

// File returns the file with the rank f.
func (v *View) File(f uint32) *FileInfo { return &v.files[f] }

// Find returns the rank of a path.
func (v *View) Find(path string) (f uint32, ok bool) {
	i := sort.Search(len(v.files), func(i int) bool { return v.files[i].Path >= path })
	return uint32(i), i < len(v.files) && v.files[i].Path == path
}

// Skips lists the paths that were left out, sorted by bytes.
func (v *View) Skips() ([]agenvantage.Skip, error) {
	rows, err := v.facts.Skips()
	if err != nil {
		return nil, err
	}
	skips := make([]agenvantage.Skip, len(rows))
	for i := range rows {
		skips[i] = rows[i].Skip
	}
	return skips, nil
}

// FilesSkipped counts the paths that were left out.
func (v *View) FilesSkipped() int { n, _ := v.facts.CountSkips(); return n }

// Facts returns the parse state, package, symbols, imports and chunks of a file, without its references and bindings.
func (v *View) Facts(f uint32) (*agenvantage.Extraction, error) {
	return v.factsCache.get(f, func() (*agenvantage.Extraction, int, error) {
		x, err := v.facts.Facts(v.rows[f].ID)
		if err != nil {
			return nil, 0, v.wrap(f, err)
		}
		bytes := 64
		for i := range x.Symbols {
			s := &x.Symbols[i]
			bytes += 200 + len(s.Qualified) + len(s.Name) + len(s.Signature) + len(s.Doc)
		}
		return x, bytes + 96*len(x.Chunks), nil
	})
}

// References lists the references of a file, unresolved.
func (v *View) References(f uint32) ([]agenvantage.Reference, error) {
	refs, _, err := v.facts.Uses(v.rows[f].ID)
	return refs, v.wrap(f, err)
}

// Uses lists the references of a file, unresolved, and the bindings that they name.
func (v *View) Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	refs, bindings, err := v.facts.Uses(v.rows[f].ID)
	return refs, bindings, v.wrap(f, err)
}

// Text returns the indexed text of a file: valid UTF-8, \n line ends, secrets masked.
func (v *View) Text(f uint32) (string, error) {
	return v.textCache.get(f, func() (string, int, error) {
		text, err := v.facts.Text(v.rows[f].ID)
		return text, len(text), v.wrap(f, err)
	})
}

// ChunkHashes lists the hashes of the chunks of a file, in order.
func (v *View) ChunkHashes(f uint32) ([]ChunkHash, error) {
	hashes, err := v.facts.ChunkHashes(v.rows[f].ID)
	if err == nil {
		err = v.checkHashes(f, hashes)
	}
	return hashes, v.wrap(f, err)
}

func (v *View) checkHashes(f uint32, hashes []ChunkHash) error {
	if len(hashes) != v.rows[f].Chunks {
		return fmt.Errorf("%w: %d hashes for %d chunks", ErrCorrupt, len(hashes), v.rows[f].Chunks)
	}
	return nil
}

// AllChunkHashes lists the hashes of the chunks of every file, by rank. They are read once for the view.
func (v *View) AllChunkHashes() ([][]ChunkHash, error) {
	v.hashes.Do(v.readHashes)
	return v.hashOf, v.hashesFail
}

func (v *View) readHashes() {
	ids, counts, all, err := v.facts.AllChunkHashes()
	if err != nil {
		v.hashesFail = err
		return
	}
	rank := v.rankOf()
	of := make([][]ChunkHash, len(v.rows))
	for i, id := range ids {
		hashes := all[:counts[i]:counts[i]]
		all = all[counts[i]:]
		if f, ok := rank[id]; ok {
			of[f] = hashes
		}
	}
	for f := range of {
		if err := v.checkHashes(uint32(f), of[f]); err != nil {
			v.hashesFail = v.wrap(uint32(f), err)
			return
		}
	}
	v.hashOf = of
}

func (v *View) wrap(f uint32, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read %q from the index: %w", v.files[f].Path, err)
}

// DocBound is above every document number.
func (v *View) DocBound() int { return v.postings.Bound() }

// ChunkCount is the number of live documents.
func (v *View) ChunkCount() int { return v.chunks }

// FieldTokens is the number of tokens that field has in all live documents: exact, also after updates.
func (v *View) FieldTokens(field string) uint64 {
	if f := lexical.FieldIndex(field); f >= 0 {
		return v.tokens[f]
	}
	return 0
}

// Postings visits the documents that hold term in field, in the order of their numbers: how often, and how many tokens
// the field has there.
func (v *View) Postings(field, term string, visit func(doc uint32, freq int, fieldLen int)) error {
	list, err := v.postingsCache.get(fieldTerm{field, term}, func() (list []posting, bytes int, err error) {
		err = v.postings.Postings(field, term, func(doc uint32, freq, length int) {
			list = append(list, posting{doc, uint32(freq), uint32(length)})
		})
		return list, len(field) + len(term) + 128 + 12*cap(list), err
	})
	if err != nil {
		return err
	}
	for _, p := range list {
		visit(p.doc, int(p.freq), int(p.length))
	}
	return nil
}

// TermLines is the terms of field, each followed by a line feed. A term may come more than once, and terms that no
// document holds any more may come too.
func (v *View) TermLines(field string) (string, error) { return v.postings.TermLines(field) }

// Locate gives the file and the chunk of a document that Postings visited.
func (v *View) Locate(doc uint32) (file uint32, chunk int) {
	v.places.Do(v.readPlaces)
	if int(doc) >= len(v.fileOf) {
		return 0, -1
	}
	return v.fileOf[doc], int(int32(v.chunkOf[doc]))
}

// LocateAll reads the table behind Locate, and returns what made that fail. Locate answers chunk -1 then.
func (v *View) LocateAll() error {
	v.places.Do(v.readPlaces)
	return v.placesFail
}

func (v *View) readPlaces() {
	ids, err := v.postings.IDs()
	if err != nil {
		v.placesFail = err
		return
	}
	rank := v.rankOf()
	v.fileOf, v.chunkOf = make([]uint32, len(ids)), make([]uint32, len(ids))
	for doc, id := range ids {
		file, ok := rank[id.File()]
		if id == lexical.NoID || !ok {
			v.chunkOf[doc] = ^uint32(0)
			if id != lexical.NoID {
				v.placesFail = fmt.Errorf("%w: a document of file %d, which is not in the index", ErrCorrupt, id.File())
			}
			continue
		}
		v.fileOf[doc], v.chunkOf[doc] = file, id.Chunk()
	}
}

// Close releases the files.
func (v *View) Close() error {
	err := v.facts.Close()
	if v.postings != nil {
		if e := v.postings.Close(); err == nil {
			err = e
		}
	}
	return err
}
