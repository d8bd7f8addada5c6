package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/runner"
	"agenvantage/embed/static"
	vectorstore "agenvantage/embed/store"
	"agenvantage/index"
)

// The model of the program itself differs from a service in three things:
//
//   - Its vectors belong to the index: each run that writes a generation brings them up to date, since nothing leaves this machine
//     and nothing is paid. The ledger, which says what went where, has no entries for them, and questions are not kept.
//   - It reads a chunk by its fields, and the path is one of them, with a weight of its own. So a text at two paths has two vectors:
//     they are stored under a hash of the chunk's hash and the path. A moved file is embedded again, in microseconds, and what is stored
//     hangs on no order of runs.
//   - Its name is its provider's: embed.model may be empty.

// makeBuiltin makes the embedder of the model in the program. Addresses and keys of services, and limits of their requests, mean nothing
// to it; what would change a vector and cannot is agenvantage.ErrBadInput.
func makeBuiltin(o embed.Options) (embed.Embedder, error) {
	if o.Model != "" && o.Model != static.Name {
		return nil, fmt.Errorf("%w: embed.model is %q, and embed.provider %s has one model: %s, or leave it empty",
			agenvantage.ErrBadInput, o.Model, static.Provider, static.Name)
	}
	for _, set := range []struct{ key, prompt string }{{"query_prompt", o.QueryPrompt}, {"document_prompt", o.DocumentPrompt}} {
		if set.prompt != "" && set.prompt != embed.NoPrompt {
			return nil, fmt.Errorf("%w: embed.%s: the model of embed.provider %s was trained without prompts", agenvantage.ErrBadInput, set.key, static.Provider)
		}
	}
	m, err := static.Builtin()
	if err != nil {
		return nil, fmt.Errorf("the built-in model: %w", err)
	}
	made, err := static.NewEmbedder(m, o.Dimensions)
	if err != nil {
		return nil, fmt.Errorf("embed.dimensions: %w", err)
	}
	return made, nil
}

// builtin reports whether the embedder is the model in the program.
func (e *embedding) builtin() bool { return e.provider() == static.Provider }

// remedy is the command that makes missing vectors.
func (e *embedding) remedy() string {
	if e.builtin() && e.named() {
		return "agenvantage index"
	}
	return "agenvantage embed run"
}

// chunkHashes name the vectors of a provider's chunks, by file and in the order of its chunks.
func chunkHashes(c *corpus, provider string) ([][]index.ChunkHash, error) {
	plain, err := c.AllChunkHashes()
	if err != nil || provider != static.Provider {
		return plain, err
	}
	c.placed.Do(func() {
		c.placedHashes = make([][]index.ChunkHash, len(plain))
		var buffer []byte
		for file, hashes := range plain {
			of := make([]index.ChunkHash, len(hashes))
			for i, hash := range hashes {
				buffer = append(append(buffer[:0], hash[:]...), c.Path(uint32(file))...)
				of[i] = xxh3.Hash128(buffer).Bytes()
			}
			c.placedHashes[file] = of
		}
	})
	return c.placedHashes, nil
}

// builtinBatch is the number of chunks that are embedded and stored together: a transaction waits for the disk once.
const builtinBatch = 4096

// embedBuiltin brings the vectors of the built-in model up to date with the newest generation, where that is the configured embedder. An
// index without them is whole all the same: what goes wrong is a note, unless ctx was cancelled.
func (a *App) embedBuiltin(ctx context.Context, progress func(Progress)) (notes []string, err error) {
	if !a.embedding.builtin() || !a.embedding.named() {
		return nil, nil
	}
	return builtinNotes(a.embedBuiltinNow(ctx, progress))
}

// embedAsked is embedBuiltin for a question to some channels, where no run of index makes vectors and the question may come to them.
func (a *App) embedAsked(ctx context.Context, names []string, progress func(Progress)) (notes []string, err error) {
	if !a.embedding.builtin() || a.embedding.named() || !a.mayAsk(ctx, semanticChannel, names) {
		return nil, nil
	}
	return builtinNotes(a.embedBuiltinNow(ctx, progress))
}

// builtinNotes tells what went wrong with vectors of the built-in model.
func builtinNotes(err error) (notes []string, _ error) {
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, context.Canceled):
		return nil, err
	}
	return []string{fmt.Sprintf("the vectors of the built-in model were not brought up to date: %v", err)}, nil
}

func (a *App) embedBuiltinNow(ctx context.Context, progress func(Progress)) error {
	e := a.embedding
	made, err := e.maker()
	if err != nil {
		return err
	}
	st, err := e.open(true)
	if err != nil {
		return err
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return err
	}
	defer pinned.release()
	generation := pinned.corpus.Generation()
	state := func() (builtinState, error) {
		set, _, err := e.current(ctx)
		return builtinState{set.Key, set.Version, generation}, err
	}
	now, err := state()
	if err != nil || now.key != "" && e.isEmbedded(now) {
		return err
	}
	source, err := a.chunkSource(pinned.corpus, made.Hosted)
	if err != nil {
		return err
	}
	_, err = runner.Run(ctx, made, st, source, a.embedOptions(progress))
	if errors.Is(err, vectorstore.ErrReadOnly) && now.key != "" { // such a store may hold them all
		if counts, failed := a.embedCounts(ctx, pinned.corpus, now.key); failed == nil && counts.Done == counts.Total {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	now, err = state()
	e.setEmbedded(now)
	return err
}

// embedOptions are those of a run with the configured embedder.
func (a *App) embedOptions(progress func(Progress)) runner.Options {
	o := a.embedding.runOptions()
	if progress != nil {
		o.Progress = func(p runner.Progress) { progress(embedProgress(p)) }
	}
	return o
}

// builtinOptions leave out what is for services. The model's own rows are of 8 bits, and so may its vectors be: 29 MB instead of 99 MB for
// 86,000 chunks, and the same figures on the code-search set (docs/adr/0024-semantic-channel.md).
func builtinOptions() runner.Options {
	return runner.Options{Unrecorded: true, Compact: true, MaxItems: builtinBatch, MaxTokens: math.MaxInt, MaxBytes: 64 << 20,
		Concurrency: runtime.GOMAXPROCS(0)}
}

// vectorBytes is how much of the store one vector of a set takes.
func vectorBytes(set vectorstore.SetInfo) int64 {
	if set.Identity.Provider == static.Provider {
		return int64(set.Identity.Dimensions)
	}
	return 4 * int64(set.Identity.Dimensions)
}

// builtinState is what the vectors of a generation were last found to be complete in.
type builtinState struct {
	key        string
	version    int64
	generation uint64
}

func (e *embedding) isEmbedded(s builtinState) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.embedded == s
}

func (e *embedding) setEmbedded(s builtinState) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.embedded = s
}

// builtinQuestion gives the vector of a question, which takes less time than to look for a stored one.
func builtinQuestion(ctx context.Context, made embed.Embedder, text string) (embed.Vector, error) {
	answers, err := made.Embed(ctx, embed.Query, []string{text})
	if err != nil {
		return nil, err
	}
	if len(answers) != 1 || answers[0].Refused != "" {
		return nil, errNoMeaning
	}
	return answers[0].Vector, nil
}

// errNoMeaning means that a question holds no letter, so that nothing is near it.
var errNoMeaning = errors.New("the question holds nothing that the model knows")

// document is a chunk as the built-in model reads it.
func (s *chunkSource) document(at chunkPlace, facts *agenvantage.Extraction, about index.ChunkContext, lines string) string {
	return static.Chunk{Path: s.corpus.Path(at.file), Names: static.NamesOf(facts, at.chunk),
		Context: embed.Prefix("", about.Enclosing, about.Signature, about.Doc), Text: lines}.Document()
}

// keptHashes are the hashes of all of a view's chunks, of whatever provider: what prune leaves alone.
func keptHashes(c *corpus) ([]vectorstore.Hash, error) {
	var all []vectorstore.Hash
	for _, provider := range []string{"", static.Provider} {
		hashes, err := chunkHashes(c, provider)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.Concat(hashes...)...)
	}
	return all, nil
}
