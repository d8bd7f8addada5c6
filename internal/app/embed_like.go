package app

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/embed"
	vectorstore "agenvantage/embed/store"
	"agenvantage/index/vector"
	"agenvantage/internal/count"
	"agenvantage/pipeline"
	"agenvantage/plan"
)

// Related code (SearchRequest.Like) is found by the stored vectors alone: that of the chunk at a place is the question, so that no service
// is asked and nothing is sent. Of a range it is the mean of the vectors of all chunks that it touches, each by the lines that it touches: a
// vector of the lines themselves would have to be made, with a hosted model be sent and paid, and might cut a function where no chunk does.

// likeThis is the chunks that others are to be like: one, or those that a range touches.
type likeThis struct {
	app    *App
	corpus *corpus
	file   uint32
	chunks []touched // in the order of the file, one at least
	place  string    // of the chunks, for messages
}

// touched is a chunk with the number of its lines that are asked about.
type touched struct{ chunk, lines int }

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

// answerLike lists the chunks nearest to those at a place.
func (a *App) answerLike(ctx context.Context, view *corpus, location string, request pipeline.Request) (agenvantage.Response, error) {
	if !a.embedding.on() {
		return agenvantage.Response{}, errNoProvider
	}
	like, notes, err := a.likeAt(ctx, view, location)
	if err != nil {
		return agenvantage.Response{}, err
	}
	told := toldChannel{like, view, a.searchOptions.ChannelLimit}
	request.Text, request.Channels, request.Allow, request.Reorder = strings.TrimSpace(location), []channels.Channel{told}, nil, nil
	response, err := pipeline.Related(ctx, view, request, a.searchOptions)
	response.Notes = append(response.Notes, notes...)
	return response, err
}

// likeAt finds the chunks that a place touches, of a symbol that of the line of its name. notes say what the place was taken for, where that is
// not plain.
func (a *App) likeAt(ctx context.Context, view *corpus, location string) (like *likeThis, notes []string, err error) {
	n := newNavigator(ctx, a, view, NavigateRequest{Verb: VerbRead, Location: location})
	s, several, err := n.locate(location)
	if err != nil {
		return nil, nil, err
	}
	if len(several) > 0 {
		return nil, nil, fmt.Errorf("%w: %q may mean any of %d places: name one of %s", agenvantage.ErrBadInput, location, len(several), likePlaces(view, several))
	}
	facts, err := view.Facts(s.file)
	if err != nil {
		return nil, nil, err
	}
	name, span := view.Path(s.file), s.span
	switch {
	case s.lines:
		lines, err := n.linesOf(s.file)
		if err != nil {
			return nil, nil, err
		}
		if end := lastLine(location); end > len(lines) {
			return nil, nil, fmt.Errorf("%w: %s has %s, and %q ends at line %d", agenvantage.ErrBadInput, name, count.Of(len(lines), "line", "lines"), location, end)
		}
	case len(s.symbols) > 0:
		line := facts.Symbols[s.symbols[0]].NameLine
		span = agenvantage.Span{StartLine: line, EndLine: line}
	default:
		return nil, nil, fmt.Errorf("%w: %q is a whole file: name a line of it (%s:1)", agenvantage.ErrBadInput, location, name)
	}
	like = &likeThis{app: a, corpus: view, file: s.file, chunks: chunksTouched(facts, span)}
	if len(like.chunks) == 0 {
		what := fmt.Sprintf("line %d of %s holds", span.StartLine, name)
		if span.Lines() > 1 {
			what = fmt.Sprintf("lines %d-%d of %s hold", span.StartLine, span.EndLine, name)
		}
		return nil, nil, fmt.Errorf("%w: %s no text that is indexed", agenvantage.ErrBadInput, what)
	}
	first, last := facts.Chunks[like.chunks[0].chunk].Span, facts.Chunks[like.chunks[len(like.chunks)-1].chunk].Span
	like.place = fmt.Sprintf("%s:%d-%d", name, first.StartLine, last.EndLine)
	return like, n.notes, nil
}

// lastLine is the last line that a location names, 0 where it names none.
func lastLine(location string) int {
	if _, span, ok := plan.CutLines(strings.TrimSpace(location)); ok {
		return span.EndLine
	}
	place, _ := plan.ParsePlace(location)
	return place.Span.EndLine
}

// chunksTouched lists the chunks that hold lines of a span. A single line is in one: the first, where a long line was divided.
func chunksTouched(facts *agenvantage.Extraction, span agenvantage.Span) (chunks []touched) {
	for i := range facts.Chunks {
		of := facts.Chunks[i].Span
		if lines := min(of.EndLine, span.EndLine) - max(of.StartLine, span.StartLine) + 1; lines > 0 {
			chunks = append(chunks, touched{i, lines})
		}
	}
	if span.Lines() == 1 && len(chunks) > 1 {
		return chunks[:1]
	}
	return chunks
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

// Search implements channels.Channel: the chunks nearest to these, without them.
func (l *likeThis) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	e := l.app.embedding
	what := "the chunk " + l.place + " has"
	if len(l.chunks) > 1 {
		what = fmt.Sprintf("the %d chunks of %s have", len(l.chunks), l.place)
	}
	set, ok, err := e.current(ctx)
	if err != nil {
		return channels.List{}, err
	}
	if !ok {
		return channels.List{}, l.without(what, set)
	}
	own, found, err := l.vector(ctx, set)
	if err != nil {
		return channels.List{}, err
	}
	if found == 0 {
		return channels.List{}, l.without(what, set)
	}
	vectors, err := l.corpus.vectors.chunks(ctx, set)
	if err != nil {
		return channels.List{}, err
	}
	question := func(context.Context, string) ([]float32, error) { return own, nil }
	list, err := channels.NewSemantic(l.corpus, othersThan{vectors, l}, question, l.app.semanticOptions()).Search(ctx, r)
	if err == nil && found < len(l.chunks) {
		list.Note = joinNotes(list.Note, fmt.Sprintf("only %d of the %d chunks of %s have a vector", found, len(l.chunks), l.place))
	}
	if err != nil || len(list.Hits) > 0 {
		return list, err
	}
	all, err := channels.NewSemantic(l.corpus, othersThan{vectors, l}, question, channels.SemanticOptions{Floor: -1}).Search(ctx, r)
	if err == nil && len(all.Hits) == 0 { // however near they are
		list.Note = joinNotes(list.Note, "no other chunk that may be shown has a vector")
	}
	return list, err
}

// without is the error of chunks that have no vector, which what names.
func (l *likeThis) without(what string, set vectorstore.SetInfo) error {
	e := l.app.embedding
	why, fault := e.lacking()
	switch {
	case fault != nil:
		return fmt.Errorf("%s no vector of the configured model: %w", what, fault)
	case set.Key != "" && e.isEmbedded(builtinState{set.Key, set.Version, l.corpus.Generation()}): // all that can be made were
		why = "it knows nothing of what stands there; name a place with more text"
	}
	return fmt.Errorf("%w: %s no vector of the configured model: %s", agenvantage.ErrBadInput, what, why)
}

// vector is the mean of the stored vectors of the chunks, by lines, and the number of those that have one. One of a single chunk is as it is stored.
func (l *likeThis) vector(ctx context.Context, set vectorstore.SetInfo) (mean []float32, found int, err error) {
	hashes, err := chunkHashes(l.corpus, set.Identity.Provider)
	if err != nil {
		return nil, 0, err
	}
	st, err := l.app.embedding.stored()
	if err != nil || st == nil {
		return nil, 0, err
	}
	wanted := make([]vectorstore.Hash, len(l.chunks))
	for i, c := range l.chunks {
		wanted[i] = hashes[l.file][c.chunk]
	}
	stored, err := st.Load(ctx, set.Key, wanted)
	if err != nil {
		return nil, 0, err
	}
	if len(l.chunks) == 1 {
		return stored.At(0), stored.Found(), nil
	}
	return meanByLines(l.chunks, stored.At), stored.Found(), nil
}

// meanByLines is the direction of the mean of the vectors of chunks, each weighing by its lines; at gives the vector of the i-th, nil for none. Each
// is brought to length 1 first, as models give them in any. It is nil where no chunk has a vector.
func meanByLines(chunks []touched, at func(i int) embed.Vector) []float32 {
	var sum []float64
	for i, c := range chunks {
		v := at(i)
		if v == nil {
			continue
		}
		if sum == nil {
			sum = make([]float64, len(v))
		}
		square := 0.0
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		for j, x := range v {
			sum[j] += float64(c.lines) * float64(x) / math.Sqrt(square)
		}
	}
	if sum == nil {
		return nil
	}
	mean := make([]float32, len(sum))
	for j, x := range sum {
		mean[j] = float32(x)
	}
	return mean
}

// othersThan is the vectors of a view without the chunks that are asked about.
type othersThan struct {
	*vector.Chunks
	this *likeThis
}

// Nearest implements channels.VectorReader.
func (o othersThan) Nearest(ctx context.Context, query []float32, k int, allow func(file uint32, chunk int) bool) ([]agenvantage.Hit, error) {
	return o.Chunks.Nearest(ctx, query, k, func(file uint32, chunk int) bool {
		return (file != o.this.file || !o.this.touches(chunk)) && (allow == nil || allow(file, chunk))
	})
}

func (l *likeThis) touches(chunk int) bool {
	return slices.ContainsFunc(l.chunks, func(c touched) bool { return c.chunk == chunk })
}
