package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

// searchFlags are the flags of search.
type searchFlags struct {
	channels, langs, kinds []string
	paths, notPaths        []string
	topK                   string
	regex, noRefresh       bool
	asJSON, explain        bool
	timings                bool
	batch, like            string
}

func (p *program) searchCommand() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search [flags] [--] QUERY…",
		Short: "Search the repository",
		Long: `Search the repository. The first search builds the index; later ones bring it up to date within
search.refresh_timeout, or answer from the last index and say that it is stale.

A query is a name (Mux.ServeHTTP, load_user), a path or a place (cli.go:120), words, a "quoted literal", a question, a
stack trace, or a regular expression in slashes (/err[0-9]+/, RE2 syntax). Several words may stand without quotes around
them; after -- a query may begin with a dash.

With --like the results are the code that is nearest to that at a place, by the vectors of the configured embedding model
(docs/embeddings.md) and nothing else; the score is the cosine. The place is PATH:LINE, PATH:A-B, or the name of a symbol;
its own chunk is left out, of a range all chunks that it touches.

With --batch every input line is a JSON object {"id": …, "query": "…"}, or {"id": …, "like": "…"} with a place as of
--like, and every output line is the answer as JSON with that id, or {"id": …, "error": {"kind", "message"}}. A line may have
"channels" (a list) and "top_k" in place of the flags. The index is brought up to date once, before the first answer.

Exit codes: 0 found, 1 nothing found, 2 error (with --batch: some line could not be answered).`,
		Example: `  agenvantage search "where are sessions expired"
  agenvantage search --kind function,method --path 'internal/**' refresh
  agenvantage search --json --top-k 5 -- --verbose
  agenvantage search --like src/cache.go:40
  agenvantage search --batch queries.jsonl > answers.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.search(cmd, f, args) },
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.channels, "channels", nil, "retrieval channels: auto, or `NAME,…` of "+strings.Join(p.backend.channels, ", "))
	fl.StringVar(&f.topK, "top-k", "", "at most `N` results (default: search.top_k, 10)")
	fl.StringArrayVar(&f.paths, "path", nil, "only paths that match `GLOB`, relative to the root, with **; a folder means all below it; may be repeated")
	fl.StringArrayVar(&f.notPaths, "not-path", nil, "no path that matches `GLOB`; may be repeated")
	fl.StringSliceVar(&f.langs, "lang", nil, "only files in language `L`; may be repeated")
	fl.StringSliceVar(&f.kinds, "kind", nil, "only results of kind `K`, such as function, class or section; may be repeated")
	fl.BoolVar(&f.regex, "regex", false, "the whole query is a regular expression (RE2 syntax)")
	fl.StringVar(&f.like, "like", "", "instead of a query: what is like the code at `PLACE`, PATH:LINE or PATH:A-B, by stored vectors")
	fl.BoolVar(&f.noRefresh, "no-refresh", false, "answer from the index as it is")
	fl.BoolVar(&f.explain, "explain", false, "show how each score came about, and what each channel did")
	fl.BoolVar(&f.timings, "timings", false, "with --json or --batch: say how long the answer, its stages and each channel took (took_ms); --explain does too")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON (docs/reference/schema/search.schema.json)")
	fl.StringVar(&f.batch, "batch", "", "answer every line of `FILE`, or of standard input for -")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(namesIn(agenvantage.Kinds()), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("channels", cobra.FixedCompletions(append([]string{"auto"}, p.backend.channels...), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// request is a search with the flags and without the query.
func (f searchFlags) request() app.SearchRequest {
	r := app.SearchRequest{Like: f.like, Regex: f.regex, Channels: f.channels, NoRefresh: f.noRefresh,
		Filter: agenvantage.Filter{Paths: f.paths, NotPaths: f.notPaths, Langs: f.langs}}
	for _, k := range f.kinds {
		r.Filter.Kinds = append(r.Filter.Kinds, agenvantage.SymbolKind(strings.ToLower(k)))
	}
	return r
}

// timed reports whether an answer says how long it took. By default it does not, so that the same question gives the same bytes.
func (f searchFlags) timed() bool { return f.timings || f.explain }

func (p *program) search(cmd *cobra.Command, f searchFlags, args []string) error {
	batch, like := cmd.Flags().Changed("batch"), cmd.Flags().Changed("like")
	switch {
	case like:
		if err := likeAlone(f.like, batch || len(args) > 0); err != nil {
			return fmt.Errorf("%w: --%w", agenvantage.ErrBadInput, err)
		}
	case batch && len(args) > 0:
		return fmt.Errorf("%w: a query beside --batch", agenvantage.ErrBadInput)
	case !batch && !like && len(args) == 0:
		return fmt.Errorf("%w: a query is needed", agenvantage.ErrBadInput)
	}
	s, err := p.open(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	request := f.request()
	if request.TopK, err = p.topK(cmd, f); err != nil {
		return err
	}
	if batch {
		return p.batch(cmd.Context(), s, f, request)
	}
	request.Query = strings.Join(args, " ")
	bar := p.newProgress()
	response, err := s.Search(cmd.Context(), request, bar.update)
	bar.close()
	if err != nil {
		return err
	}
	complete(&response)
	if !f.timed() {
		response = response.WithoutTimings()
	}
	if f.asJSON {
		err = printJSON(p.stdout, response)
	} else {
		err = p.render(response, f)
	}
	if err == nil && len(response.Results) == 0 {
		return exitStatus(exitNothing)
	}
	return err
}

// topK is the most results that are wanted: those of the flag, under the rules of the setting, else of the setting. It is no part of the
// configuration, whose hash is then the same however much is asked for, as with a server.
func (p *program) topK(cmd *cobra.Command, f searchFlags) (int, error) {
	if !cmd.Flags().Changed("top-k") {
		return p.config.Search.TopK, nil
	}
	with, err := p.configWith(map[string]string{"search.top_k": f.topK})
	if err != nil {
		return 0, err
	}
	return with.Search.TopK, nil
}

// complete makes every list and map of the contract present.
func complete(r *agenvantage.Response) {
	r.Channels, r.Results = filled(r.Channels), filled(r.Results)
	for i := range r.Results {
		r.Results[i].Parts = filled(r.Results[i].Parts)
		if r.Results[i].Channels == nil {
			r.Results[i].Channels = map[string]agenvantage.ChannelRank{}
		}
	}
}
