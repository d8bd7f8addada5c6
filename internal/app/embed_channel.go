package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/embed"
	"agenvantage/embed/runner"
	"agenvantage/embed/static"
	vectorstore "agenvantage/embed/store"
	"agenvantage/internal/clip"
	"agenvantage/scan/redact"
)

// semanticChannel is the name of the channel of vectors.
const semanticChannel = "semantic"

// semanticSearch is the channel over a pinned view. For each question it takes the vectors as they are stored at that moment, so that
// a server sees what an embedding run of another process has added; coverage, question and neighbours are then of one set.
type semanticSearch struct {
	app    *App
	corpus *corpus
}

// Name implements channels.Channel.
func (s semanticSearch) Name() string { return semanticChannel }

// Search implements channels.Channel.
func (s semanticSearch) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	e := s.app.embedding
	switch {
	case !e.on():
		return channels.List{Off: true, Reason: noVectorsWanted}, nil
	case r.Query.Regex != "":
		return channels.List{Covered: 1, Note: "a regular expression has no meaning to be near"}, nil
	case strings.TrimSpace(r.Query.Text) == "":
		return channels.List{Covered: 1, Note: errNoMeaning.Error()}, nil
	}
	set, err := s.set(ctx)
	if err != nil {
		return channels.List{}, err
	}
	list, err := s.within(ctx, set, r)
	if other, ok := s.otherSet(ctx, set, err); ok {
		return s.within(ctx, other, r)
	}
	return list, err
}

// otherSet is the set that the service's vectors are like by now, where an error says that they are not like those of set and one is
// stored. The service is asked only where a stored set may fit.
func (s semanticSearch) otherSet(ctx context.Context, set vectorstore.SetInfo, err error) (other vectorstore.SetInfo, ok bool) {
	if !errors.Is(err, embed.ErrModelChanged) {
		return other, false
	}
	e := s.app.embedding
	made, err1 := e.maker()
	st, err2 := e.open(false)
	if err1 != nil || err2 != nil {
		return other, false
	}
	_, fitting, err1 := e.sets(ctx, st)
	if err1 != nil {
		return other, false
	}
	var size *embed.DimensionError
	known := errors.As(err, &size)
	fitting = slices.DeleteFunc(fitting, func(f vectorstore.SetInfo) bool {
		return f.Key == set.Key || known && f.Identity.Dimensions != size.Got
	})
	if len(fitting) == 0 {
		return other, false
	}
	now, err1 := e.identity(ctx, made)
	if err1 != nil {
		return other, false
	}
	other, ok, _ = answering(st, fitting, now)
	return other, ok
}

// answering is the one of some sets that a service has turned out to answer with, if any: that is put on record, where it can be.
func answering(st *vectorstore.Store, sets []vectorstore.SetInfo, now embed.Identity) (set vectorstore.SetInfo, ok bool, err error) {
	i := slices.IndexFunc(sets, func(s vectorstore.SetInfo) bool { return s.Key == now.Key() })
	if i < 0 {
		return set, false, nil
	}
	if _, err := st.AddSet(now); err != nil && !vectorstore.Unwritable(err) {
		return set, false, err
	}
	return sets[i], true, nil
}

// identity asks the service who it is. Questions that come at the same time share the call.
func (e *embedding) identity(ctx context.Context, made embed.Embedder) (embed.Identity, error) {
	if _, err := e.ask(ctx, "identity", func(ctx context.Context) (embed.Vector, error) {
		_, err := made.Identity(ctx)
		return nil, err
	}); err != nil {
		return embed.Identity{}, err
	}
	return made.Identity(ctx) // kept from the call above
}

// within answers a question by the vectors of one set.
func (s semanticSearch) within(ctx context.Context, set vectorstore.SetInfo, r channels.Request) (channels.List, error) {
	e := s.app.embedding
	vectors, err := s.corpus.vectors.chunks(ctx, set)
	if err != nil {
		return channels.List{}, err
	}
	list, err := channels.NewSemantic(s.corpus, vectors, e.question(set), s.app.semanticOptions()).Search(ctx, r)
	if errors.Is(err, errNoMeaning) {
		return channels.List{Covered: 1, Note: errNoMeaning.Error()}, nil
	}
	var state *channels.StateError
	if errors.As(err, &state) && state.Status == agenvantage.StatusNoVectors {
		return list, s.withoutVectors(ctx, set.Key)
	}
	if err == nil && set.Key == static.BuiltinIdentity().Key() {
		markWeak(&list)
	}
	return list, err
}

// weakCosine is the cosine below which a hit of the model in the program (SHA-256 bf85e3c34d5c), at its full 256 dimensions, is called weak. Of 84
// questions that are answered in express, flask, click or gson, 20 of them written for it, the best hit of 1 is below it; of 104 about
// what is not there (20 of far fields, 20 of other web servers, 64 asked of another repository) that of 67. At 0.3 it would be 3 and 85, at 0.2
// none and 31. So it marks hits and drops none: a third of what is not there has a better one. Other models are not measured, and have no mark.
const weakCosine = 0.25

// markWeak tells of the hits of a list, the best first, that are weak, and that all are.
func markWeak(list *channels.List) {
	for i := range list.Hits {
		if list.Hits[i].Score < weakCosine {
			list.Hits[i].Reason += ", weak"
		}
	}
	if len(list.Hits) > 0 && list.Hits[0].Score < weakCosine {
		list.Note = joinNotes(list.Note, fmt.Sprintf("all hits are weak, the best has cosine %.2f: below %.2f is what this model gives where the code has no answer", list.Hits[0].Score, weakCosine))
	}
}

// joinNotes puts a note behind another, either of which may be "".
func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// semanticOptions are the settings of the channel.
func (a *App) semanticOptions() channels.SemanticOptions {
	o := channels.SemanticOptions{Floor: a.config.Semantic.Floor, PerFile: a.config.Semantic.MaxPerFile, Note: a.embedding.notice()}
	if o == (channels.SemanticOptions{}) { // which would mean the defaults
		o.Floor = math.SmallestNonzeroFloat64
	}
	return o
}

// set finds the stored vectors that the service's would be like: by what is on record where its address is on record too, so that a
// question costs one call and a repeated one none; else the service is asked once who it is.
func (s semanticSearch) set(ctx context.Context) (vectorstore.SetInfo, error) {
	e := s.app.embedding
	made, err := e.maker()
	if err != nil {
		return vectorstore.SetInfo{}, err
	}
	st, err := e.stored()
	if err != nil {
		return vectorstore.SetInfo{}, err
	}
	if st == nil {
		return vectorstore.SetInfo{}, s.withoutVectors(ctx, "")
	}
	want, fitting, err := e.sets(ctx, st)
	if err != nil {
		return vectorstore.SetInfo{}, err
	}
	if len(fitting) == 0 {
		return vectorstore.SetInfo{}, s.withoutVectors(ctx, "")
	}
	if fitting[0].Identity.Endpoint == want.Endpoint {
		return fitting[0], nil
	}
	now, err := e.identity(ctx, made)
	if err != nil {
		return vectorstore.SetInfo{}, e.state(err)
	}
	if set, ok, err := answering(st, fitting, now); err != nil || ok {
		return set, err
	}
	return vectorstore.SetInfo{}, &channels.StateError{Status: agenvantage.StatusModelChanged, Err: e.anotherModel(fitting[0].Identity, &now)}
}

// anotherModel says that vectors cannot be compared; now may be nil.
func (e *embedding) anotherModel(stored embed.Identity, now *embed.Identity) error {
	remedy := "; " + e.remedy() + " makes new ones beside them"
	if now == nil {
		return fmt.Errorf("vectors built with another model: %s, %d numbers%s", identityName(stored), stored.Dimensions, remedy)
	}
	return fmt.Errorf("vectors built with another model: %s, %d numbers, and now it is %s, %d numbers%s", identityName(stored), stored.Dimensions,
		identityName(*now), now.Dimensions, remedy)
}

// sampled is how many chunks tell whether a view has vectors of another model.
const sampled = 200

// withoutVectors is the state of a view without any vector of the configured model; key is the set that was looked in.
func (s semanticSearch) withoutVectors(ctx context.Context, key string) error {
	why, _ := s.app.embedding.lacking()
	none := &channels.StateError{Status: agenvantage.StatusNoVectors, Err: errors.New("no chunk has a vector of the configured model: " + why)}
	st, err := s.app.embedding.open(false)
	if err != nil {
		return none
	}
	sets, err := st.Identities()
	if err != nil {
		return err
	}
	for _, set := range sets {
		if set.Key == key {
			continue
		}
		some, err := s.sample(set.Identity.Provider)
		if err != nil {
			return err
		}
		have, err := st.Have(ctx, set.Key, some)
		if err != nil {
			return err
		}
		if slices.Contains(have, true) {
			return &channels.StateError{Status: agenvantage.StatusModelChanged, Err: s.app.embedding.anotherModel(set.Identity, nil)}
		}
	}
	return none
}

// sample is the hashes of some chunks, as a provider's vectors are stored under.
func (s semanticSearch) sample(provider string) ([]vectorstore.Hash, error) {
	hashes, err := chunkHashes(s.corpus, provider)
	var some []vectorstore.Hash
	for _, of := range hashes {
		if len(some) < sampled {
			some = append(some, of...)
		}
	}
	return some, err
}

// asking is one call that is under way, for all who wait for its answer.
type asking struct {
	done   chan struct{}
	vector embed.Vector
	err    error
}

// askTimeout bounds a call that nobody waits for any more: a local model of some gigabytes is loaded by then.
const askTimeout = 5 * time.Minute

// ask makes a call that others who want the same share, and waits for it as long as ctx lasts. The call goes on: a model that is
// being loaded is there for the next question, and so is the answer to this one.
func (e *embedding) ask(ctx context.Context, name string, call func(ctx context.Context) (embed.Vector, error)) (embed.Vector, error) {
	e.mu.Lock()
	a := e.asking[name]
	if a == nil {
		if e.ctx.Err() != nil {
			e.mu.Unlock()
			return nil, errClosed
		}
		a = &asking{done: make(chan struct{})}
		e.asking[name] = a
		e.busy.Go(func() {
			bounded, cancel := context.WithTimeout(e.ctx, askTimeout)
			defer cancel()
			defer func() {
				if p := recover(); p != nil {
					a.err = fmt.Errorf("embedder panicked: %v", p)
				}
				e.mu.Lock()
				delete(e.asking, name)
				e.mu.Unlock()
				close(a.done)
			}()
			a.vector, a.err = call(bounded)
		})
	}
	e.mu.Unlock()
	select {
	case <-a.done:
		return a.vector, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("ask the embedding service: %w", ctx.Err())
	}
}

const (
	// maxAnswered bounds the vectors of questions that are kept in memory, some 12 MB.
	maxAnswered = 4096
	// checkEvery is how long a digest holds. It spares questions that follow each other a look at the list of models.
	checkEvery = time.Minute
)

// question makes vectors of questions that can be compared with those of a set.
func (e *embedding) question(set vectorstore.SetInfo) channels.QueryEmbedder {
	return func(ctx context.Context, text string) ([]float32, error) {
		text = clip.Bytes(maskedQuestion(text), maxQuestionBytes)
		name := set.Key + "\x00" + text
		e.mu.Lock()
		v := e.answered[name]
		e.mu.Unlock()
		if v != nil {
			return v, nil
		}
		v, err := e.ask(ctx, name, func(ctx context.Context) (embed.Vector, error) { return e.vectorOf(ctx, set, text) })
		if err != nil {
			return nil, e.state(err)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.answered) >= maxAnswered {
			clear(e.answered)
		}
		e.answered[name] = v
		return v, nil
	}
}

// maskedQuestion is a question without secrets. People paste prose and code, which write values in different ways.
func maskedQuestion(text string) string {
	for _, lang := range []string{"", "python"} {
		text, _ = redact.Mask("", lang, text)
	}
	return text
}

// maxQuestionBytes bounds what is embedded of a question, some 4,000 tokens. Of a pasted log or trace the beginning says what it is about,
// and services that do not tell their window refuse, or bill, the rest.
const maxQuestionBytes = 16 << 10

// vectorOf gives the stored vector of a question, or one that the service makes now if it still has the model of the set.
func (e *embedding) vectorOf(ctx context.Context, set vectorstore.SetInfo, text string) (embed.Vector, error) {
	made, err := e.maker()
	if err != nil {
		return nil, err
	}
	if e.builtin() {
		return builtinQuestion(ctx, made, text)
	}
	st, err := e.open(false)
	if err != nil {
		return nil, err
	}
	if v, err := st.Query(ctx, set.Key, text); err != nil || v != nil {
		return v, err
	}
	if c, ok := made.(embed.Checker); ok && e.toCheck(set.Key) {
		if err := c.Check(ctx, set.Identity); err != nil {
			return nil, err
		}
		e.mu.Lock()
		e.checked[set.Key] = time.Now()
		e.mu.Unlock()
	}
	v, err := runner.Query(ctx, made, st, set.Key, text)
	if err == nil && len(v) != set.Identity.Dimensions {
		err = &embed.DimensionError{Model: set.Identity.Model, Want: set.Identity.Dimensions, Got: len(v)}
	}
	return v, err
}

func (e *embedding) toCheck(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return time.Since(e.checked[key]) > checkEvery
}

// state gives an error of the service the state of the channel that it is. What is no passing state stays an error.
func (e *embedding) state(err error) error {
	status := agenvantage.ChannelStatus("")
	switch {
	case errors.Is(err, embed.ErrModelChanged):
		e.renewed()
		status, err = agenvantage.StatusModelChanged, fmt.Errorf("vectors built with another model: %w; agenvantage embed run makes new ones beside them", err)
	case errors.Is(err, embed.ErrModelMissing):
		status = agenvantage.StatusModelMissing
	case errors.Is(err, embed.ErrUnreachable), errors.Is(err, embed.ErrOverloaded), errors.Is(err, embed.ErrLimited):
		status = agenvantage.StatusUnreachable
	default:
		return err
	}
	return &channels.StateError{Status: status, Err: err}
}
