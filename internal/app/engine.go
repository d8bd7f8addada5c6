package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/pack"
	"agenvantage/scan"
	"agenvantage/scan/git"
	"agenvantage/tokens"
)

// EngineOptions say where the repositories of a task set are and how their indexes are made.
type EngineOptions struct {
	// Repos holds a folder for each repository: its name with + for /. "" means that Own is the only one.
	Repos string
	Own   string // root of the repository that is asked from; its name is that of mined tasks
	// Indexes is the folder for the indexes, which go from one commit of a repository to the next.
	Indexes string
	Depth   int // results asked of each search
	Counter *tokens.Counter
	// PackTokenizer counts the tokens of packs: as of PackRequest.
	PackTokenizer string
	Vectors       bool // a variant asks the channel of vectors: they are made with each index
	// Config is the configuration of a variant: the run's own with the variant's settings over it.
	Config   func(settings map[string]string) (*configs.Config, error)
	Progress func(Progress) // of indexing; may be nil
}

// Engine answers tasks through the same App as a search. It keeps the corpus that was opened last; it is not safe for
// concurrent use. Close it.
type Engine struct {
	options EngineOptions
	makers  []maker
	corpus  ablations.Corpus
	apps    map[string]*openApp // of corpus, by the variant's settings
	times   map[ablations.Corpus]int64
}

type openApp struct {
	*App
	cost ablations.Cost  // BuildSeconds are told once
	text int64           // bytes of indexed text
	warm map[string]bool // questions that were asked before
}

// NewEngine makes an engine, after removing what killed processes have left in the folder for temporary files.
func NewEngine(o EngineOptions) *Engine {
	removeLeftovers(os.TempDir(), time.Now())
	return &Engine{options: o, makers: makers, apps: map[string]*openApp{}, times: map[ablations.Corpus]int64{}}
}

// Times says when the commits that Check has looked at were made, in seconds since 1970.
func (e *Engine) Times() map[ablations.Corpus]int64 { return e.times }

// RepoName is the name of a repository in mined tasks.
func RepoName(root string) string { return filepath.Base(root) }

// folderOf finds the folder of a repository.
func (e *Engine) folderOf(repo string) (string, error) {
	if e.options.Repos == "" {
		if repo == RepoName(e.options.Own) {
			return e.options.Own, nil
		}
		return "", fmt.Errorf("%w: task of repository %q, and the repository here is %q: say with --repos where it is", agenvantage.ErrBadInput, repo, RepoName(e.options.Own))
	}
	name := strings.ReplaceAll(repo, "/", "+")
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `\`+"\x00") {
		return "", fmt.Errorf("%w: %q is no name of a repository", agenvantage.ErrBadInput, repo)
	}
	folder := filepath.Join(e.options.Repos, name)
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: unknown repository %q: there is no folder %s", agenvantage.ErrBadInput, repo, folder)
	}
	if bare := filepath.Join(folder, "repo"); !isRepository(folder) && isRepository(bare) {
		return bare, nil
	}
	return folder, nil
}

// isRepository reports whether folder itself, not one above it, is a git work tree or a git folder.
func isRepository(folder string) bool {
	if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return true
	}
	return git.IsFolder(folder)
}

// Open implements ablations.Engine.
func (e *Engine) Open(ctx context.Context, c ablations.Corpus, v ablations.Variant) (ablations.Session, error) {
	if c != e.corpus {
		if err := e.Close(); err != nil {
			return nil, err
		}
		e.corpus = c
	}
	key := settingsKey(v.Settings)
	opened, ok := e.apps[key]
	if !ok {
		var err error
		if opened, err = e.open(ctx, c, v); err != nil {
			return nil, err
		}
		e.apps[key] = opened
	}
	s := &session{engine: e, app: opened, variant: v, cost: opened.cost}
	opened.cost.BuildSeconds = 0
	return s, nil
}

func settingsKey(settings map[string]string) string {
	var keys []string
	for k, v := range settings {
		keys = append(keys, k+"="+v)
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}

// open brings the index of a corpus up to date under the settings of a variant.
func (e *Engine) open(ctx context.Context, c ablations.Corpus, v ablations.Variant) (*openApp, error) {
	cfg, err := e.options.Config(v.Settings)
	if err != nil {
		return nil, err
	}
	folder, err := e.folderOf(c.Repo)
	if err != nil {
		return nil, err
	}
	// One index for each repository, root and set of index settings: it moves from commit to commit.
	name := sha256.Sum256([]byte(folder + "\x00" + c.Root + "\x00" + cfg.IndexHash()))
	dir := filepath.Join(e.options.Indexes, strings.ReplaceAll(c.Repo, "/", "+")+"-"+hex.EncodeToString(name[:6]))
	root := filepath.Join(folder, filepath.FromSlash(c.Root))
	a, err := prepare(root, dir, cfg)
	if err != nil {
		return nil, err
	}
	a.makers = e.makers
	if c.Revision != "" && isRepository(folder) {
		a.fixed = true
		a.tree, err = scan.OpenCommit(ctx, folder, c.Revision, scan.CommitOptions{Root: c.Root, Options: scan.Options{MaxFileBytes: cfg.Scan.MaxFileBytes, Languages: cfg.Languages}})
	} else {
		a.tree, err = scan.Open(root, scanOptions(cfg, dir))
	}
	if err != nil {
		return nil, err
	}
	summary, err := a.Index(ctx, false, e.options.Progress)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	opened := &openApp{App: a, warm: map[string]bool{}}
	var vectors *ablations.ChannelCost
	if e.options.Vectors && a.embedding.on() {
		embedded, err := a.embedForAblation(ctx, e.options.Progress)
		if err != nil {
			return nil, errors.Join(err, a.Close())
		}
		vectors = &embedded
	}
	if err := opened.price(ctx, summary, vectors); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return opened, nil
}

// price fills in what the index takes; vectors is nil where none are asked. The time is that of a build; an index that was there already took none.
func (o *openApp) price(ctx context.Context, s IndexSummary, vectors *ablations.ChannelCost) error {
	pinned, err := o.pin(ctx)
	if err != nil {
		return err
	}
	defer pinned.release()
	stats := pinned.corpus.Stats()
	_, linkBytes, err := pinned.corpus.LinkStats()
	if err != nil {
		return err
	}
	o.text = stats.Bytes
	o.cost = ablations.Cost{Files: s.Files, IndexBytes: stats.MetaBytes + stats.LexicalBytes + o.historyBytes(), Channels: map[string]ablations.ChannelCost{
		"exact": {IndexBytes: stats.MetaBytes - linkBytes}, channels.GraphName: {IndexBytes: linkBytes}, "bm25f": {IndexBytes: stats.LexicalBytes}, provenanceChannel: {IndexBytes: o.historyBytes()}}}
	if vectors != nil {
		o.cost.Channels[semanticChannel] = *vectors
		o.cost.IndexBytes += vectors.IndexBytes
	}
	if s.Changed > 0 {
		o.cost.BuildSeconds = s.Seconds
	}
	return nil
}

// Close releases what is open of the last corpus.
func (e *Engine) Close() (err error) {
	for _, a := range e.apps {
		err = errors.Join(err, a.Close())
	}
	clear(e.apps)
	return err
}

// session answers the tasks of one corpus under one variant.
type session struct {
	engine  *Engine
	app     *openApp
	variant ablations.Variant
	cost    ablations.Cost
}

// Close implements ablations.Session; the engine keeps the index open for the next variant.
func (s *session) Close() error { return nil }

// Cost implements ablations.Session.
func (s *session) Cost() ablations.Cost { return s.cost }

// warming are the channels that are asked before a question is timed: all, but that of vectors only for variants that have it, since its
// questions may go to a service and cost money.
func (s *session) warming() []string {
	return slices.DeleteFunc(namesOf(s.app.makers), func(name string) bool {
		return name == semanticChannel && !slices.Contains(s.variant.Channels, semanticChannel)
	})
}

// Answer implements ablations.Session: one pack, or one search, whose results are the blocks that an agent reads. A question
// is asked once before it is timed, of every channel, or the first variant would pay for what the later ones find in memory.
func (s *session) Answer(ctx context.Context, t ablations.Task) (ablations.Ranking, ablations.Timing, error) {
	asked := s.warming()
	if question := t.Query + "\x00" + strings.Join(asked, ","); !s.app.warm[question] {
		s.app.warm[question] = true
		if _, err := s.app.Search(ctx, SearchRequest{Query: t.Query, Channels: asked, TopK: s.engine.options.Depth, NoRefresh: true}, nil); err != nil {
			return ablations.Ranking{}, ablations.Timing{}, err
		}
	}
	if s.variant.Pack > 0 {
		return s.packed(ctx, t)
	}
	response, err := s.app.Search(ctx, SearchRequest{Query: t.Query, Channels: s.variant.Channels, TopK: s.engine.options.Depth, NoRefresh: true}, nil)
	if err != nil {
		return ablations.Ranking{}, ablations.Timing{}, err
	}
	r := ablations.Ranking{Task: t.ID, Class: ablations.ClassOf(response.Class), Units: make([]ablations.Unit, 0, len(response.Results)), Caveat: len(response.Notes) > 0}
	for _, result := range response.Results {
		r.Units = append(r.Units, ablations.Unit{Path: result.Path, Start: result.StartLine, End: result.EndLine,
			Tokens: s.engine.options.Counter.Count(pack.Block(result)), Score: result.Score})
	}
	for _, c := range response.Channels {
		r.Channels = append(r.Channels, ablations.ChannelOutcome{Name: c.Name, Status: string(c.Status), Hits: c.Hits})
	}
	return r, ablations.Timing{Task: t.ID, TookMS: response.TookMS}, nil
}
