package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

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

// lacking says why vectors are missing, else what makes them. fault is what went wrong where making them was tried, or would: it comes first, since
// the remedy would meet it again. The model of the program makes them for each question that is not answered from the index as it is.
func (e *embedding) lacking() (why string, fault error) {
	e.mu.Lock()
	fault = e.unmade
	e.mu.Unlock()
	if st, err := e.stored(); fault == nil && err == nil && st != nil {
		fault = st.Writable()
	}
	switch {
	case fault != nil:
		return fault.Error(), fault
	case e.builtin() && !e.named():
		return "the same without --no-refresh (no_refresh) makes them, as agenvantage embed run does", nil
	}
	return e.remedy(), nil
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
	return a.builtinNotes(a.embedBuiltinNow(ctx, progress))
}

// embedAsked is embedBuiltin for a question to some channels, where no run of index makes vectors and the question may come to them.
func (a *App) embedAsked(ctx context.Context, names []string, progress func(Progress)) (notes []string, err error) {
	if !a.embedding.builtin() || a.embedding.named() || !a.mayAsk(ctx, semanticChannel, names) {
		return nil, nil
	}
	return a.builtinNotes(a.embedBuiltinNow(ctx, progress))
}

// unmadeNote begins the note of what went wrong.
const unmadeNote = "the vectors of the built-in model were not brought up to date: "

// builtinNotes tells what went wrong with vectors of the built-in model, and keeps it for whoever lacks one (lacking).
func (a *App) builtinNotes(err error) (notes []string, _ error) {
	if !errors.Is(err, errNothingKept) && !errors.Is(err, context.Canceled) {
		a.embedding.mu.Lock()
		a.embedding.unmade = err
		a.embedding.mu.Unlock()
	}
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, context.Canceled):
		return nil, err
	case errors.Is(err, errNothingKept):
		return []string{err.Error()}, nil
	}
	return []string{unmadeNote + err.Error()}, nil
}

// notSaid leaves out of some notes the one of vectors that were not made where a channel's report says the same.
func notSaid(notes []string, reports []agenvantage.ChannelReport) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(note string) bool {
		why, ok := strings.CutPrefix(note, unmadeNote)
		return ok && slices.ContainsFunc(reports, func(r agenvantage.ChannelReport) bool { return strings.Contains(r.Error, why) })
	})
}

// errNothingKept means that the vectors of a generation are all there, and that those of the next one cannot be kept.
var errNothingKept = errors.New("all vectors are there, and no new ones can be kept")

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
	var full error
	if vectorstore.Unwritable(err) && now.key != "" { // such a store may hold them all
		if counts, failed := a.embedCounts(ctx, pinned.corpus, now.key); failed == nil && counts.Done == counts.Total {
			if errors.Is(err, vectorstore.ErrFull) {
				full = fmt.Errorf("%w: %w", errNothingKept, err)
			}
			err = nil
		}
	}
	if err != nil {
		return err
	}
	if now, err = state(); err != nil {
		return err
	}
	e.setEmbedded(now) // so that a full disk is told of once
	return full
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
