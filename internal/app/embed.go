package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/embed"
	"agenvantage/embed/ngrams"
	"agenvantage/embed/runner"
	"agenvantage/embed/static"
	vectorstore "agenvantage/embed/store"
	"agenvantage/server"
)

// embedDocs is where people read about embeddings.
const embedDocs = "docs/embeddings.md"

// errNoProvider means that embeddings are off.
var errNoProvider = fmt.Errorf("%w: embeddings are off (embed.provider is none): leave it empty for the model in the program, or name another provider (%s)", agenvantage.ErrBadInput, embedDocs)

// embedding is an App's side of embeddings: who makes vectors, and where they are kept. Nothing of it is made before it is needed,
// and where nobody asks for vectors nothing ever is. It is safe for concurrent use.
type embedding struct {
	config    *configs.Config
	transport http.RoundTripper // nil: one of the embedder's own
	// tune changes the options of runs; nil leaves them. Tests set a clock here.
	tune func(*runner.Options)

	mu       sync.Mutex
	embedder embed.Embedder
	store    *vectorstore.Store
	gone     []*vectorstore.Store    // whose files were removed or replaced, or are read as they were on a full disk: what began with them ends with them
	asking   map[string]*asking      // questions under way, by set and text
	answered map[string]embed.Vector // likewise, those of a store that cannot be written
	checked  map[string]time.Time    // when the service was last found to have the model of a set
	loaded   lastLoaded
	embedded builtinState // nothing is to be done while it is this
	unmade   error        // why vectors of the built-in model were last not made, nil where they were or nobody tried

	ctx  context.Context // of what goes on when a question has given up waiting
	end  context.CancelFunc
	busy sync.WaitGroup
}

func newEmbedding(cfg *configs.Config) *embedding {
	e := &embedding{config: cfg, asking: map[string]*asking{}, answered: map[string]embed.Vector{}, checked: map[string]time.Time{}}
	e.ctx, e.end = context.WithCancel(context.Background())
	return e
}

func (e *embedding) close() error {
	e.mu.Lock() // no call begins after this
	e.end()
	e.mu.Unlock()
	e.busy.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, s := range append(e.gone, e.store) {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

// provider is who makes vectors: the model of the program where none is named, "" where embeddings are off.
func (e *embedding) provider() string {
	switch p := e.config.Embed.Provider; p {
	case "":
		return static.Provider
	case noProvider:
		return ""
	default:
		return p
	}
}

// noProvider is the setting embed.provider that turns embeddings off.
const noProvider = "none"

// noVectorsWanted is why there are no vectors then.
const noVectorsWanted = "embed.provider is none (" + embedDocs + ")"

// on reports whether anybody makes vectors.
func (e *embedding) on() bool { return e.provider() != "" }

// modelWanted is the name of the model as configured; that of the program needs none.
func (e *embedding) modelWanted() string {
	if e.builtin() {
		return static.Name
	}
	return e.config.Embed.Model
}

// EmbedderState is what doctor asks of the embedder.
type EmbedderState struct {
	Dir    string // folder of the vectors, "" where they are off or it is not known
	Stored bool   // a store is there
	Fault  error  // why vectors could not be made, kept or read; nil where nothing is known to be wrong
}

// EmbedderStateOf looks at the embedder of a configuration. No service is asked, and nothing is written.
func EmbedderStateOf(cfg *configs.Config) EmbedderState {
	e := newEmbedding(cfg)
	defer e.close()
	if !e.on() {
		return EmbedderState{}
	}
	if _, err := e.maker(); err != nil {
		return EmbedderState{Fault: err}
	}
	dir, err := e.storeDir()
	if err != nil {
		return EmbedderState{Fault: err}
	}
	st, err := e.stored()
	if err != nil || st == nil {
		return EmbedderState{Dir: dir, Fault: err}
	}
	return EmbedderState{Dir: dir, Stored: true, Fault: st.Writable()}
}

// VectorFault reads the stored vectors of the index and says why they cannot be read, nil where they can or there are none: opening a store
// does not meet damage in its middle.
func (a *App) VectorFault(ctx context.Context) error {
	done, err := a.use()
	if err != nil {
		return err
	}
	defer done()
	set, ok, err := a.embedding.current(ctx)
	if err != nil || !ok {
		return err
	}
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	if isAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer pinned.release()
	_, err = pinned.corpus.vectors.chunks(ctx, set)
	return err
}

// named reports whether the configuration names who makes vectors: then all runs that write the index, and measurements, make them too. The
// model of the program makes them for whoever asks, and for nobody else.
func (e *embedding) named() bool { return e.on() && e.config.Embed.Provider != "" }

// options are the settings as package embed takes them.
func (e *embedding) options() embed.Options {
	c := e.config.Embed
	return embed.Options{Provider: e.provider(), BaseURL: c.BaseURL, Model: c.Model, Key: c.APIKey, KeyFile: c.APIKeyFile, PlainHTTP: c.PlainHTTP,
		Dimensions: c.Dimensions, QueryPrompt: c.QueryPrompt, DocumentPrompt: c.DocumentPrompt, Window: c.Window, Items: c.Batch, BatchTokens: c.BatchTokens,
		BatchBytes: c.BatchBytes, Price: c.Price, Timeout: c.Timeout, OllamaHost: c.OllamaHost, Transport: e.transport,
		Others: map[string]func(embed.Options) (embed.Embedder, error){
			ngrams.Provider: func(embed.Options) (embed.Embedder, error) { return ngrams.New(), nil },
			static.Provider: makeBuiltin,
		}}
}

// runOptions are the settings as package runner takes them.
func (e *embedding) runOptions() runner.Options {
	c := e.config.Embed
	o := runner.Options{MaxItems: c.Batch, MaxTokens: c.BatchTokens, MaxBytes: c.BatchBytes, Window: c.Window, Concurrency: c.Concurrency, Allow: c.Allow, Deny: c.Deny}
	if e.builtin() {
		o = builtinOptions()
	}
	if e.tune != nil {
		e.tune(&o)
	}
	return o
}

// maker makes the embedder, once. It asks nothing of a service.
func (e *embedding) maker() (embed.Embedder, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.on() {
		return nil, errNoProvider
	}
	if e.embedder == nil {
		made, err := embed.New(e.options())
		if err != nil {
			return nil, err
		}
		e.embedder = made
	}
	return e.embedder, nil
}

// renewed forgets what the embedder knows of its service, which has turned out to be another by now.
func (e *embedding) renewed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.embedder = nil
	clear(e.checked)
}

// storeDir is the folder of the vectors.
func (e *embedding) storeDir() (string, error) {
	if dir := e.config.Embed.StoreDir; dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: no folder for vectors: %v; set embed.store_dir", agenvantage.ErrBadInput, err)
	}
	return filepath.Join(cache, "agenvantage", "vectors"), nil
}

// open opens the store, once, and again when its file was removed or replaced, or a full disk has room again. Without create a store that is not there is vectorstore.ErrAbsent.
func (e *embedding) open(create bool) (*vectorstore.Store, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.store != nil && e.store.Check() == nil {
		return e.store, nil
	}
	if e.store != nil {
		e.gone, e.store, e.loaded, e.embedded = append(e.gone, e.store), nil, lastLoaded{}, builtinState{}
	}
	dir, err := e.storeDir()
	if err != nil {
		return nil, err
	}
	s, err := vectorstore.Open(dir, vectorstore.Options{Create: create})
	if err != nil {
		return nil, err
	}
	e.store = s
	return s, nil
}

// stored is the store, nil while there is none.
func (e *embedding) stored() (*vectorstore.Store, error) {
	st, err := e.open(false)
	if errors.Is(err, vectorstore.ErrAbsent) {
		return nil, nil
	}
	return st, err
}

// notice is what must be told wherever results of the embedder are shown, "" for nothing.
func (e *embedding) notice() string {
	made, err := e.maker()
	if told, ok := made.(interface{ Notice() string }); err == nil && ok {
		return told.Notice()
	}
	return ""
}

// expected is what is known of the identity before a service is asked.
func expected(ctx context.Context, made embed.Embedder) (embed.Identity, error) {
	if c, ok := made.(embed.Checker); ok {
		return c.Expected(), nil
	}
	return made.Identity(ctx) // asks nobody
}

// sets lists the stored sets that the configured embedder may continue, the likeliest first: the one that a service was last found to
// answer with, whatever its address was then. An older set that still bears the configured address would hide it.
func (e *embedding) sets(ctx context.Context, st *vectorstore.Store) (want embed.Identity, fitting []vectorstore.SetInfo, err error) {
	made, err := e.maker()
	if err != nil {
		return want, nil, err
	}
	if want, err = expected(ctx, made); err != nil {
		return want, nil, err
	}
	all, err := st.Identities()
	if err != nil {
		return want, nil, err
	}
	for _, s := range all {
		if fits(s.Identity, want) {
			fitting = append(fitting, s)
		}
	}
	slices.SortFunc(fitting, func(a, b vectorstore.SetInfo) int { return cmp.Or(b.Met.Compare(a.Met), cmp.Compare(a.Key, b.Key)) })
	return want, fitting, nil
}

// fits reports whether a stored identity is what is expected, as far as that is known.
func fits(i, want embed.Identity) bool {
	sameModel := i.Model == want.Model || i.Provider == embed.Ollama && strings.EqualFold(i.Model, want.Model)
	return i.Provider == want.Provider && sameModel && i.Parameters == want.Parameters && i.Prefix == want.Prefix &&
		(want.Dimensions == 0 || i.Dimensions == want.Dimensions) && (want.Digest == "" || i.Digest == want.Digest)
}

// current is the set that belongs to the configured embedder, by what is on record; ok is false while there is none.
func (e *embedding) current(ctx context.Context) (set vectorstore.SetInfo, ok bool, err error) {
	if !e.on() {
		return set, false, nil
	}
	st, err := e.stored()
	if err != nil || st == nil {
		return set, false, err
	}
	_, fitting, err := e.sets(ctx, st)
	if err != nil || len(fitting) == 0 {
		return set, false, err
	}
	if made, err := e.maker(); err == nil {
		if l, ok := made.(embed.Learner); ok {
			l.Learned(&fitting[0].Identity)
		}
	}
	return fitting[0], true, nil
}

// leaves reports whether texts leave this machine, as far as that is known without asking the service: set is the one on record, if any.
func leaves(made embed.Embedder, set vectorstore.SetInfo) (hosted, known bool) {
	known = true
	if l, ok := made.(embed.Learner); ok {
		var record *embed.Identity
		if set.Key != "" {
			record = &set.Identity
		}
		known = l.Learned(record)
	}
	return made.Hosted(), known
}

// modelName names provider, model and digest on record, "" without a provider: what verdicts about the semantic channel rest on.
func (a *App) modelName(ctx context.Context) string {
	switch e := a.embedding; {
	case !e.on():
		return ""
	case e.builtin():
		return identityName(static.BuiltinIdentity())
	}
	if set, ok, err := a.embedding.current(ctx); err == nil && ok {
		return identityName(set.Identity)
	}
	if made, err := a.embedding.maker(); err == nil {
		if want, err := expected(ctx, made); err == nil {
			return identityName(want)
		}
	}
	return strings.TrimSpace(a.config.Embed.Provider + " " + a.config.Embed.Model)
}

// identityName is an identity in words: "ollama nomic-embed-text:latest@0a109f422b47".
func identityName(i embed.Identity) string {
	name := i.Provider + " " + i.Model
	if i.Digest != "" {
		digest := strings.TrimPrefix(i.Digest, "sha256:")
		name += "@" + digest[:min(12, len(digest))]
	}
	return name
}

// EmbedErrorKind names an error of embedding for data; ok is false for any other error.
func EmbedErrorKind(err error) (kind string, ok bool) {
	for _, k := range []struct {
		err  error
		name string
	}{
		{embed.ErrModelMissing, "model_missing"}, {embed.ErrModelChanged, "model_changed"}, {embed.ErrUnauthorized, "unauthorized"}, {embed.ErrQuota, "quota"},
		{embed.ErrUnreachable, "unreachable"}, {embed.ErrLimited, "limited"}, {embed.ErrOverloaded, "overloaded"}, {embed.ErrBadAnswer, "bad_answer"},
		{embed.ErrTooLong, "rejected"}, {embed.ErrRejected, "rejected"}, {vectorstore.ErrBusy, "busy"}, {vectorstore.ErrReadOnly, "not_writable"}, {vectorstore.ErrGone, "store_gone"}, {vectorstore.ErrFull, "disk_full"},
		{vectorstore.ErrCorrupt, "store_corrupt"}, {vectorstore.ErrForeign, "store_foreign"}, {vectorstore.ErrFormat, "store_format"},
	} {
		if errors.Is(err, k.err) {
			return k.name, true
		}
	}
	return "", false
}

// WithKind is an error with the kind of EmbedErrorKind, where it has one, for server.ErrorKind: the packages that know such errors are none that a server sees.
func WithKind(err error) error {
	if kind, ok := EmbedErrorKind(err); ok {
		return &server.KindedError{Kind: kind, Err: err}
	}
	return err
}

// VectorsNotWritable is the error of a folder of vectors that cannot be written; what says which.
func VectorsNotWritable(what string) error {
	return fmt.Errorf("%w: %s", vectorstore.ErrReadOnly, what)
}

// EmbedBusy is the error of a run that another one keeps from beginning; by names that one.
func EmbedBusy(by string) error { return fmt.Errorf("%w: %s", vectorstore.ErrBusy, by) }
