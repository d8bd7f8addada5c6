// Package client embeds agenvantage in a Go program: open a repository, search it, and gather the evidence for a task. It owns
// a small surface over internal/app and the configuration that goes with it; it prints nothing, and makes no connection that the
// configuration does not ask for. Read Open, Client.Search and Client.Pack.
package client

import (
	"context"
	"fmt"
	"os"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
)

// The nouns of answers, by the names of the packages that document them.
type (
	Response      = agenvantage.Response
	Result        = agenvantage.Result
	Coverage      = agenvantage.Coverage
	ChannelReport = agenvantage.ChannelReport
	Filter        = agenvantage.Filter
	SymbolKind    = agenvantage.SymbolKind
	Pack          = agenvantage.Pack
	Block         = agenvantage.Block
	PackStatus    = agenvantage.PackStatus
	TaskKind      = agenvantage.TaskKind
)

// The states of a Pack.
const (
	PackReady        = agenvantage.PackReady
	PackPartial      = agenvantage.PackPartial
	PackInsufficient = agenvantage.PackInsufficient
)

// Errors that callers branch on with errors.Is.
var (
	ErrBadInput        = agenvantage.ErrBadInput
	ErrNothingSelected = agenvantage.ErrNothingSelected
	ErrNotWritable     = agenvantage.ErrNotWritable
	ErrRootGone        = agenvantage.ErrRootGone
)

// Client answers for one repository. It is safe for concurrent use; Close it.
type Client struct {
	app      *app.App
	warnings []string
}

// Option is a choice of Open.
type Option func(*options)

type options struct {
	settings map[string]string
	env      []string
}

// WithSetting sets one configuration key (docs/reference/config.md), as --set KEY=VALUE does. It wins over files and environment.
func WithSetting(key, value string) Option {
	return func(o *options) { o.settings[key] = value }
}

// WithIndexDir keeps the index in dir instead of .agenvantage at the root of the repository.
func WithIndexDir(dir string) Option { return WithSetting("index_dir", dir) }

// WithEnv takes settings, and the place of the user's file, from env ("NAME=value") instead of the environment of this process.
// An empty list leaves the user out: then the repository's own file and WithSetting alone decide.
func WithEnv(env ...string) Option {
	return func(o *options) { o.env = env }
}

// Open opens the repository at repo, as it stands; "" means the git work tree that holds the current folder, else that folder.
// Nothing is indexed yet: the first question does that. A missing folder, a bare repository and a setting that cannot be used
// are errors; the first two wrap ErrBadInput.
func Open(repo string, o ...Option) (*Client, error) {
	chosen := options{settings: map[string]string{}, env: os.Environ()}
	for _, option := range o {
		option(&chosen)
	}
	root, err := app.ResolveRoot(repo)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if repo == "" {
		if err := app.CheckRoot(root); err != nil {
			return nil, fmt.Errorf("open repository: %w", err)
		}
	}
	cfg, warnings, err := configs.Load(configs.LoadOptions{RepoRoot: root, Env: chosen.env, Flags: chosen.settings})
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	a, err := app.Open(root, cfg)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	c := &Client{app: a}
	for _, w := range warnings {
		c.warnings = append(c.warnings, w.String())
	}
	return c, nil
}

// Root is the absolute root of the repository, without links.
func (c *Client) Root() string { return c.app.Root() }

// Warnings are the settings that do not count, and why, in the order in which they were read.
func (c *Client) Warnings() []string { return append([]string(nil), c.warnings...) }

// Query is one search. Zero values mean the configured defaults; one of Text and Like is needed.
type Query struct {
	Text      string   // a name, a path, a sentence, a stack trace, or /a regular expression/
	Like      string   // instead of Text, Regex and Channels: PATH:LINE, PATH:A-B or a symbol that results are to be like, by their vectors
	Regex     bool     // the whole Text is a regular expression in RE2 syntax
	Channels  []string // by name; nil means those that the gate lets on for the class of the question
	TopK      int      // results, at most
	Filter    Filter   // Langs may be aliases
	NoRefresh bool     // answer from the index as it is, and say whether it is stale
}

// Search answers one query. It first brings the index up to date within search.refresh_timeout; without any index it builds one,
// however long that takes. Coverage says when the answer is stale all the same. Results are in one total order: score, path,
// lines. A query that cannot be understood wraps ErrBadInput; so does Like where embed.provider is none, the place is not known or its
// code has no vector of a service yet.
func (c *Client) Search(ctx context.Context, q Query) (Response, error) {
	return c.app.Search(ctx, app.SearchRequest{Query: q.Text, Like: q.Like, Regex: q.Regex, Channels: q.Channels, TopK: q.TopK, Filter: q.Filter, NoRefresh: q.NoRefresh}, nil)
}

// Task asks for the evidence of one task. Zero values but Text mean the defaults; Output may stand in for Text.
type Task struct {
	Text      string   // what is to be done, in the words of an issue
	Kind      TaskKind // "" reads it from the text
	Output    string   // of a failing program
	Seeds     []string // indexed paths that belong to the task
	Diff      *string  // the revision that the work tree is compared with ("" is HEAD); nil for no comparison
	Budget    int      // tokens, at most; 0 means 6000
	Tokenizer string   // o200k or cl100k; "" keeps the larger count of both under Budget
	Channels  []string // as of Query
	NoRefresh bool     // as of Query
}

// Pack gathers the evidence for one task under a token budget and says whether it is enough. The index is brought up to date as
// Search does. The pack is kept in the index folder, so that the command line can go on from it. A task without text, output and
// diff, an unknown kind or tokenizer, a seed that is not indexed and a budget that is too small wrap ErrBadInput.
func (c *Client) Pack(ctx context.Context, t Task) (Pack, error) {
	return c.app.Pack(ctx, app.PackRequest{Task: t.Text, Preset: t.Kind, Output: t.Output, Seeds: t.Seeds, FromDiff: t.Diff, Budget: t.Budget, Tokenizer: t.Tokenizer,
		Channels: t.Channels, NoRefresh: t.NoRefresh}, nil)
}

// Close ends the client, once the questions in flight are answered. Closing again does nothing; a later question is an error.
func (c *Client) Close() error { return c.app.Close() }
