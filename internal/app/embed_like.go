package app

import (
	"context"
	"fmt"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	vectorstore "agenvantage/embed/store"
	"agenvantage/index/vector"
	"agenvantage/pipeline"
)

// Related code (SearchRequest.Like) is found by the stored vectors alone: that of the chunk at a place is the question, so that no service
// is asked and nothing is sent.

// likeThis is the chunk that others are to be like.
type likeThis struct {
	app    *App
	corpus *corpus
	file   uint32
	chunk  int
	place  string // of the chunk, for messages
}

// checkLike refuses what a place cannot be asked together with.
func checkLike(r SearchRequest) error {
	if r.Like == "" {
		return nil
	}
	for _, other := range []struct {
		what  string
		there bool
	}{{"a query", r.Query != ""}, {"a regular expression", r.Regex}, {"channels", len(r.Channels) > 0}} {
		if other.there {
			return fmt.Errorf("%w: a place that results are to be like cannot be joined with %s", agenvantage.ErrBadInput, other.what)
		}
	}
	return nil
}

// answerLike lists the chunks nearest to the one at a place.
func (a *App) answerLike(ctx context.Context, view *corpus, location string, request pipeline.Request) (agenvantage.Response, error) {
	if !a.embedding.on() {
		return agenvantage.Response{}, errNoProvider
	}
	like, err := a.likeAt(ctx, view, location)
	if err != nil {
		return agenvantage.Response{}, err
	}
	told := toldChannel{like, view, a.searchOptions.ChannelLimit}
	request.Text, request.Channels, request.Allow, request.Reorder = strings.TrimSpace(location), []channels.Channel{told}, nil, nil
	return pipeline.Related(ctx, view, request, a.searchOptions)
}

// likeAt finds the chunk that holds a place: of a range its first line, of a symbol the line of its name.
func (a *App) likeAt(ctx context.Context, view *corpus, location string) (*likeThis, error) {
	n := newNavigator(ctx, a, view, NavigateRequest{Verb: VerbRead, Location: location})
	s, several, err := n.locate(location)
	if err != nil {
		return nil, err
	}
	if len(several) > 0 {
		return nil, fmt.Errorf("%w: %q may mean any of %d places: name one of %s", agenvantage.ErrBadInput, location, len(several), likePlaces(view, several))
	}
	facts, err := view.Facts(s.file)
	if err != nil {
		return nil, err
	}
	line := s.span.StartLine
	switch {
	case s.lines:
	case len(s.symbols) > 0:
		line = facts.Symbols[s.symbols[0]].NameLine
	default:
		return nil, fmt.Errorf("%w: %q is a whole file: name a line of it (%s:1)", agenvantage.ErrBadInput, location, view.Path(s.file))
	}
	for i := range facts.Chunks {
		if span := facts.Chunks[i].Span; span.StartLine <= line && line <= span.EndLine {
			place := fmt.Sprintf("%s:%d-%d", view.Path(s.file), span.StartLine, span.EndLine)
			return &likeThis{app: a, corpus: view, file: s.file, chunk: i, place: place}, nil
		}
	}
	return nil, fmt.Errorf("%w: line %d of %s holds no text that is indexed", agenvantage.ErrBadInput, line, view.Path(s.file))
}

// likePlaces names the first few of several places.
func likePlaces(view *corpus, several []spot) string {
	const most = 5
	var names []string
	for _, s := range several[:min(len(several), most)] {
		name := view.Path(s.file)
		switch {
		case s.lines:
			name = fmt.Sprintf("%s:%s", name, linesText(s.span))
		case len(s.symbols) > 0:
			if facts, err := view.Facts(s.file); err == nil {
				name = fmt.Sprintf("%s:%d", name, facts.Symbols[s.symbols[0]].NameLine)
			}
		}
		names = append(names, name)
	}
	told := strings.Join(names, ", ")
	if len(several) > most {
		told += fmt.Sprintf(" and %d more", len(several)-most)
	}
	return told
}

// Name implements channels.Channel.
func (l *likeThis) Name() string { return semanticChannel }

// Search implements channels.Channel: the chunks nearest to this one, without it.
func (l *likeThis) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	e := l.app.embedding
	none := fmt.Errorf("%w: the chunk %s has no vector of the configured model: %s", agenvantage.ErrBadInput, l.place, e.remedy())
	set, ok, err := e.current(ctx)
	if err != nil {
		return channels.List{}, err
	}
	if !ok {
		return channels.List{}, none
	}
	own, err := l.vector(ctx, set)
	if err != nil {
		return channels.List{}, err
	}
	if own == nil {
		return channels.List{}, none
	}
	vectors, err := l.corpus.vectors.chunks(ctx, set)
	if err != nil {
		return channels.List{}, err
	}
	question := func(context.Context, string) ([]float32, error) { return own, nil }
	return channels.NewSemantic(l.corpus, othersThan{vectors, l}, question, l.app.semanticOptions()).Search(ctx, r)
}

// vector is the stored vector of the chunk, nil when there is none.
func (l *likeThis) vector(ctx context.Context, set vectorstore.SetInfo) ([]float32, error) {
	hashes, err := chunkHashes(l.corpus, set.Identity.Provider)
	if err != nil {
		return nil, err
	}
	st, err := l.app.embedding.stored()
	if err != nil || st == nil {
		return nil, err
	}
	stored, err := st.Load(ctx, set.Key, hashes[l.file][l.chunk:l.chunk+1])
	if err != nil {
		return nil, err
	}
	return stored.At(0), nil
}

// othersThan is the vectors of a view without one chunk.
type othersThan struct {
	*vector.Chunks
	this *likeThis
}

// Nearest implements channels.VectorReader.
func (o othersThan) Nearest(ctx context.Context, query []float32, k int, allow func(file uint32, chunk int) bool) ([]agenvantage.Hit, error) {
	return o.Chunks.Nearest(ctx, query, k, func(file uint32, chunk int) bool {
		return (file != o.this.file || chunk != o.this.chunk) && (allow == nil || allow(file, chunk))
	})
}
