package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
	"agenvantage/internal/traces"
	"agenvantage/server"
)

// tokenVariable is the environment's way to give the token of the HTTP server.
const tokenVariable = configs.EnvToken

// serveFlags are the flags of serve.
type serveFlags struct {
	mcp                 bool
	http                string
	repos, allowed      []string
	clientRoots         bool
	tools, hosts        []string
	minimal             bool
	maxTokens, maxBytes int
	tokenFile           string
	maxBody             int64
	maxConcurrent       int
	rate                float64
	timeout, wait       time.Duration
	noWatch             bool
	traces              bool
	otlp                string
	traceContent        bool
	given               func(flag string) bool
}

func (p *program) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use: "serve --mcp | --http ADDRESS [flags]",

		SuggestFor: []string{"mcp", "http", "server"},

		Short: "Serve agents over MCP, and programs over HTTP",
		Long: `Serve agents over the Model Context Protocol on standard input and output (--mcp), and agents and programs over HTTP
(--http), whose MCP endpoint is /mcp. Both at once share their indexes. docs/reference/serve.md describes the tools, the
endpoints and their limits.

The handshake is answered at once. The index is built or brought up to date in the background; until there is one, search
answers from the files themselves and says so, and other tools wait a little. An answer says when it is stale or partial.
The files are watched: a change is indexed as it happens, and no call waits for an index run while files change all the time.

With --mcp standard output carries protocol alone, and the process ends with its input. With --http alone the address is
printed on standard output, on one line, once it is served; port 0 takes a free one. Any address but those of the loopback
needs a token: --token-file, or AGENVANTAGE_TOKEN. SIGINT and SIGTERM let requests in flight end, for less than a second.

A call may name another root in its argument root: a repository that --repo names, or a folder in one that --allow-root
names. Roots that an MCP client offers are served when they lie there too, or wherever they are with --allow-client-roots.

Exit codes: 0 the input ended or a signal came, 2 error.`,
		Example: `  agenvantage serve --mcp
  agenvantage serve --mcp --minimal --repo ~/src/shop
  agenvantage serve --http 127.0.0.1:7777 --repo ~/src/shop --repo ~/src/pay
  AGENVANTAGE_TOKEN=… agenvantage serve --http 0.0.0.0:7777 --allow-host build.example`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			if err := f.validate(); err != nil {
				return err
			}
			return p.serve(cmd, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.mcp, "mcp", false, "serve MCP on standard input and output")
	fl.StringVar(&f.http, "http", "", "serve HTTP at `ADDRESS`, HOST:PORT")
	fl.StringArrayVar(&f.repos, "repo", nil, "serve the repository `DIR`; may be repeated, and the first is that of calls that name none (default: as of every command)")
	fl.StringArrayVar(&f.allowed, "allow-root", nil, "let calls name roots in `DIR` and below; may be repeated")
	fl.BoolVar(&f.clientRoots, "allow-client-roots", false, "serve the roots that an MCP client offers, wherever they are")
	fl.StringSliceVar(&f.tools, "tools", nil, "list only the MCP tools `NAME,…` (default: all)")
	fl.BoolVar(&f.minimal, "minimal", false, "list only the MCP tools "+strings.Join(server.MinimalTools(), " and "))
	fl.IntVar(&f.maxTokens, "max-tokens", server.DefaultMaxTokens, "at most `N` tokens in an MCP answer; what is left out is reached by a cursor")
	fl.IntVar(&f.maxBytes, "max-bytes", server.DefaultMaxBytes, "at most `N` bytes in an MCP answer")
	fl.StringVar(&f.tokenFile, "token-file", "", "the token that HTTP requests must bring is in `FILE`")
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "answer HTTP requests to the name `HOST` too; may be repeated")
	fl.Int64Var(&f.maxBody, "max-body", server.DefaultMaxBodyBytes, "at most `N` bytes in the body of an HTTP request")
	fl.IntVar(&f.maxConcurrent, "max-concurrent", server.DefaultMaxConcurrent, "at most `N` HTTP requests at the same time; more are answered 429")
	fl.Float64Var(&f.rate, "rate", server.DefaultRate, "at most `N` HTTP requests in a second, over two seconds; more are answered 429")
	fl.DurationVar(&f.timeout, "timeout", server.DefaultTimeout, "at most `TIME` for one call")
	fl.BoolVar(&f.noWatch, "no-watch", false, "do not follow the files: each call compares them with the index")
	fl.StringVar(&f.otlp, "otlp", "", "send OpenTelemetry traces to the collector at `URL`, by OTLP over HTTP")
	fl.BoolVar(&f.traces, "traces", false, "send OpenTelemetry traces to where OTEL_EXPORTER_OTLP_ENDPOINT says")
	fl.BoolVar(&f.traceContent, "trace-content", false, "let traces hold questions and answers, with secrets masked")
	fl.DurationVar(&f.wait, "wait", server.DefaultWait, "let a call wait at most `TIME` for the first index")
	return cmd
}

// minServedTokens is the least that an answer has to hold: some lines of code, and where they are.
const minServedTokens = 500

// validate checks the flags against each other.
func (f serveFlags) validate() error {
	for _, limit := range []struct {
		flag  string
		value float64
	}{{"max-body", float64(f.maxBody)}, {"max-concurrent", float64(f.maxConcurrent)}, {"rate", f.rate}, {"timeout", f.timeout.Seconds()}, {"wait", f.wait.Seconds()}} {
		if limit.value <= 0 {
			return fmt.Errorf("%w: --%s is not above 0", agenvantage.ErrBadInput, limit.flag)
		}
	}
	switch {
	case !f.mcp && f.http == "":
		return fmt.Errorf("%w: --mcp or --http ADDRESS is needed", agenvantage.ErrBadInput)
	case f.traces && f.otlp != "":
		return fmt.Errorf("%w: --traces beside --otlp", agenvantage.ErrBadInput)
	case f.traceContent && !f.traces && f.otlp == "":
		return fmt.Errorf("%w: --trace-content is of --otlp or --traces", agenvantage.ErrBadInput)
	case f.minimal && len(f.tools) > 0:
		return fmt.Errorf("%w: --minimal beside --tools", agenvantage.ErrBadInput)
	case f.maxTokens < minServedTokens:
		return fmt.Errorf("%w: --max-tokens is %d, want %d or more", agenvantage.ErrBadInput, f.maxTokens, minServedTokens)
	case f.maxBytes < 8*minServedTokens*4:
		return fmt.Errorf("%w: --max-bytes is %d, want %d or more", agenvantage.ErrBadInput, f.maxBytes, 8*minServedTokens*4)
	}
	if f.http == "" {
		for _, flag := range []string{"token-file", "allow-host", "max-body", "max-concurrent", "rate"} {
			if f.given(flag) {
				return fmt.Errorf("%w: --%s is of --http", agenvantage.ErrBadInput, flag)
			}
		}
	}
	return nil
}

// serve serves until the input of MCP ends or a signal comes.
func (p *program) serve(cmd *cobra.Command, f serveFlags) error {
	roots, err := p.servedRoots(f)
	if err != nil {
		return err
	}
	if len(roots.Repositories) > 0 {
		p.repo = roots.Repositories[0]
	}
	if err := p.load(cmd); err != nil {
		return err
	}
	if _, given := p.given["index_dir"]; given && len(roots.Repositories)+len(roots.Allowed) > 1 {
		return fmt.Errorf("%w: --index-dir names the index of one repository, and this server may serve several", agenvantage.ErrBadInput)
	}
	tracer, err := p.tracer(cmd.Context(), f)
	if err != nil {
		return err
	}
	hub, err := server.NewHub(server.Options{Tracer: tracer, Roots: roots, Open: p.openServed, Logger: p.logger(), Wait: f.wait, Timeout: f.timeout, Version: version, Watch: !f.noWatch})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer func() {
		cancel()
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), 250*time.Millisecond)
		defer stop()
		_ = hub.Close(bounded) // what does not end by then survives as it survives a crash
		if t, ok := tracer.(*traces.Tracer); ok {
			last, stop := context.WithTimeout(context.WithoutCancel(ctx), 250*time.Millisecond)
			defer stop()
			_ = t.Shutdown(last) // spans that nobody takes by then are lost
		}
	}()
	tools := f.tools
	if f.minimal {
		tools = server.MinimalTools()
	}
	m, err := server.NewMCP(hub, server.MCPOptions{Tools: tools, MaxTokens: f.maxTokens, MaxBytes: f.maxBytes})
	if err != nil {
		return err
	}
	served := make(chan error, 2)
	if f.http != "" {
		if err := p.serveHTTP(ctx, hub, m, f, served); err != nil {
			return err
		}
	}
	if f.mcp {
		go func() { served <- m.ServeStdio(ctx, p.stdin, p.stdout) }()
	}
	err = <-served
	cancel()
	if f.mcp && f.http != "" {
		<-served
	}
	return err
}

// tracer is who is told of each call, nil for nobody.
func (p *program) tracer(ctx context.Context, f serveFlags) (server.Tracer, error) {
	switch {
	case !f.traces && f.otlp == "":
		return nil, nil
	case f.traces && os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "": // which the library reads by itself
		return nil, fmt.Errorf("%w: --traces needs OTEL_EXPORTER_OTLP_ENDPOINT; --otlp names a collector itself", agenvantage.ErrBadInput)
	}
	counter, err := app.Counter()
	if err != nil {
		return nil, err
	}
	t, err := traces.New(ctx, traces.Options{Endpoint: f.otlp, Version: version, Content: f.traceContent, Count: counter, Logger: p.logger()})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// serveHTTP listens, says where, and serves in the background.
func (p *program) serveHTTP(ctx context.Context, hub *server.Hub, m *server.MCP, f serveFlags, served chan<- error) error {
	host, _, err := net.SplitHostPort(f.http)
	if err != nil {
		return fmt.Errorf("%w: --http %q: want HOST:PORT, such as 127.0.0.1:7777", agenvantage.ErrBadInput, f.http)
	}
	token, err := p.token(f.tokenFile)
	if err != nil {
		return err
	}
	h, err := server.NewHTTP(hub, m, server.HTTPOptions{Host: host, Names: f.hosts, Token: token, MaxBodyBytes: f.maxBody, MaxConcurrent: f.maxConcurrent, Rate: f.rate})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.http)
	if err != nil {
		return fmt.Errorf("%w: --http: %w", agenvantage.ErrBadInput, err)
	}
	out := p.stdout
	if f.mcp { // whose output it is
		out = p.stderr
	}
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	go func() { served <- h.Serve(ctx, listener) }()
	return nil
}

// servedRoots resolves the folders of the flags. Without --repo the repository of the current folder is served, unless other
// flags say what is and there is none here.
func (p *program) servedRoots(f serveFlags) (server.Roots, error) {
	roots := server.Roots{Foreign: f.clientRoots}
	if slices.Contains(f.allowed, "") {
		return roots, fmt.Errorf("%w: an empty folder is no folder to serve", agenvantage.ErrBadInput)
	}
	for _, dir := range f.allowed {
		allowed, err := p.backend.resolveRoot(dir)
		if err != nil {
			return roots, err
		}
		roots.Allowed = append(roots.Allowed, allowed)
	}
	for _, dir := range f.repos {
		if dir == "" {
			return roots, errEmptyRepo
		}
		given, err := filepath.Abs(dir)
		if err != nil {
			return roots, fmt.Errorf("--repo %s: %w", dir, err)
		}
		root, err := p.backend.resolveRoot(dir)
		if err != nil {
			return roots, err
		}
		if !slices.Contains(roots.Repositories, root) {
			roots.Repositories, roots.Given = append(roots.Repositories, root), append(roots.Given, given)
		}
	}
	if len(roots.Repositories) > 0 {
		return roots, nil
	}
	here, err := p.backend.resolveRoot("")
	if err == nil {
		err = p.checkRoot(here)
	}
	switch {
	case err == nil:
		roots.Repositories = []string{here}
	case len(roots.Allowed) == 0 && !roots.Foreign:
		return roots, err
	}
	return roots, nil
}

// openServed opens the service of a root with the settings that hold there.
func (p *program) openServed(root string) (server.Service, error) {
	cfg, _, err := configs.Load(configs.LoadOptions{RepoRoot: root, Env: p.env, Flags: p.given})
	if err != nil {
		return nil, err
	}
	a, err := app.Open(root, cfg)
	if err != nil {
		return nil, err
	}
	s, err := app.NewService(a)
	if err != nil {
		a.Close()
		return nil, err
	}
	return s, nil
}

// token reads the token of the HTTP server, "" for none.
func (p *program) token(file string) (string, error) {
	if file == "" {
		return strings.TrimSpace(p.lookup(tokenVariable)), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%w: --token-file: %w", agenvantage.ErrBadInput, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return "", fmt.Errorf("%w: --token-file: %w", agenvantage.ErrBadInput, err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("%w: --token-file %s does not hold one word", agenvantage.ErrBadInput, file)
	}
	return token, nil
}

// logger writes what the servers have to say on standard error, from the level of log.level on.
func (p *program) logger() *slog.Logger {
	level := map[string]slog.Level{"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug}[p.config.Log.Level]
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
}
