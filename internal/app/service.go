package app

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/internal/count"
	"agenvantage/server"
	"agenvantage/tokens"
)

// Service answers the calls of the servers from an App: it turns their arguments into requests, their answers into the JSON and the
// text of the command line, and keeps both within limits. It is safe for concurrent use; Close it.
type Service struct {
	app     *App
	counter *tokens.Counter
	had     atomic.Bool // there was an index: one that is gone is made anew
}

// NewService makes the service of an opened App, which belongs to it from then on and must not have answered anything yet.
func NewService(a *App) (*Service, error) {
	counter, err := tokens.New("")
	if err != nil {
		return nil, err
	}
	told := make([]maker, len(a.makers))
	for i, m := range a.makers {
		told[i] = maker{m.name, func(a *App, c *corpus) channels.Channel {
			return toldChannel{m.make(a, c), c, a.searchOptions.ChannelLimit}
		}}
	}
	a.makers = told
	a.keeper = newKeeper(a)
	return &Service{app: a, counter: counter}, nil
}

// Counter counts the tokens of a text as the limits of served answers do.
func Counter() (func(text string) int, error) {
	c, err := tokens.New("")
	if err != nil {
		return nil, err
	}
	return c.Count, nil
}

// Close closes the App. End Watch before.
func (s *Service) Close() error {
	s.app.keeper.close()
	return s.app.Close()
}

// Watch keeps the index up to date until the context ends, which is no error, and lets answers know of changes as they happen. told
// is given what a person may want to know, now and then.
func (s *Service) Watch(ctx context.Context, told func(message string)) error {
	return s.app.Watch(ctx, WatchOptions{status: &s.app.keeper.watched, Report: func(e WatchEvent) {
		switch e.Event {
		case WatchReady:
			told(fmt.Sprintf("watching %s", count.Of(e.Folders, "folder", "folders")))
		case WatchPolling, WatchFailed:
			told(string(e.Event) + ": " + e.Message)
		}
	}})
}

// Build is App.Index.
func (s *Service) Build(ctx context.Context, progress func(server.Progress)) error {
	if err := s.app.present(); err != nil {
		return err
	}
	_, err := s.app.Index(ctx, false, func(p Progress) { progress(servedProgress(p)) })
	if gone := s.app.present(); err != nil && gone != nil {
		return gone
	}
	if errors.Is(err, agenvantage.ErrNothingSelected) {
		return err
	}
	s.had.Store(s.had.Load() || err == nil)
	s.counter.Count("the vocabulary is read now, so that no answer waits for it")
	s.app.keeper.makeOverview() // nor the first map or pack for this
	return err
}

// servedProgress is a progress as servers tell it.
func servedProgress(p Progress) server.Progress {
	told := server.Progress{Phase: string(p.Phase), Done: p.DoneFiles, Total: p.TotalFiles}
	if p.Phase != PhaseIndex && p.Phase != PhaseScan {
		told.Note = p.Note
	}
	return told
}

// Generation is that of the newest index, 0 without one and without a tree.
func (s *Service) Generation(ctx context.Context) uint64 {
	if s.app.present() != nil {
		return 0
	}
	s.app.pinning.Lock()
	current := s.app.current
	s.app.pinning.Unlock()
	if current != nil {
		return current.corpus.Generation()
	}
	_, generation, err := s.app.index.Newest(ctx)
	if err != nil {
		return 0
	}
	return generation
}

// Answer answers one call: the contract is that of server.Service.
func (s *Service) Answer(ctx context.Context, c server.Call) (server.Answer, error) {
	if c.Told != nil {
		ctx = context.WithValue(ctx, tellKey{}, c.Told)
	}
	answer, err := s.answer(ctx, c)
	if err != nil {
		answer, err = s.askAgain(ctx, c, err)
	}
	if err != nil {
		return server.Answer{}, WithKind(err)
	}
	answer.Text = s.cutAnswer(PackVisible(answer.Text), c.Limits)
	present(reflect.ValueOf(answer.Value))
	if answer.Channels == nil {
		answer.Generation, answer.Channels = s.live(ctx)
	}
	return answer, nil
}

// ask answers a call from what there is.
func (s *Service) ask(ctx context.Context, c server.Call) (server.Answer, error) {
	indexed, err := s.indexed(ctx)
	if err != nil {
		return server.Answer{}, err
	}
	if indexed {
		s.had.Store(true)
	} else if s.had.Load() && c.Building == nil { // it was removed
		return server.Answer{}, fmt.Errorf("%w: it was removed", agenvantage.ErrNoIndex)
	}
	switch a := c.Arguments.(type) {
	case *server.SearchArguments:
		switch {
		case indexed:
			return s.search(ctx, c, a)
		case !a.NeedsIndex():
			return s.scan(ctx, c, a)
		}
	case *server.RehydrateArguments:
		return s.rehydrate(ctx, c, a)
	case *server.WhyArguments:
		return s.why(ctx, a)
	case *server.PlanArguments:
		return s.plan(a)
	case *server.StatusArguments:
		return s.status(ctx, c)
	}
	if !indexed {
		return server.Answer{}, fmt.Errorf("%w: %s", agenvantage.ErrNoIndex, buildingText(c))
	}
	switch a := c.Arguments.(type) {
	case *server.PackArguments:
		return s.pack(ctx, c, a)
	case *server.ExpandArguments:
		return s.expand(ctx, c, a)
	case *server.ChangesForArguments:
		return s.changesFor(ctx, c, a)
	case *server.CochangeArguments:
		return s.cochange(ctx, a)
	case *server.MapArguments:
		return s.overview(ctx, c, a)
	case *server.FilesArguments:
		return s.files(ctx, c, a)
	}
	r, err := navigateRequest(c)
	if err != nil {
		return server.Answer{}, err
	}
	return s.navigate(ctx, c, r)
}

// indexed reports whether there is a generation to answer from. A damaged index counts as one: answering mends it.
func (s *Service) indexed(ctx context.Context) (bool, error) {
	done, err := s.app.use()
	if err != nil {
		return false, err
	}
	defer done()
	pinned, err := s.app.pin(ctx)
	switch {
	case err == nil:
		pinned.release()
		return true, nil
	case errors.Is(err, agenvantage.ErrNoIndex), errors.Is(err, agenvantage.ErrIncomplete):
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return true, nil
}

// live names the newest generation, and the channels that a question may come to with it.
func (s *Service) live(ctx context.Context) (generation uint64, names []string) {
	names = []string{}
	done, err := s.app.use()
	if err != nil {
		return 0, names
	}
	defer done()
	pinned, err := s.app.pin(ctx)
	if err != nil {
		return 0, names
	}
	defer pinned.release()
	for _, c := range pinned.channels {
		if pinned.mayRun(c.Name(), nil) {
			names = append(names, c.Name())
		}
	}
	return pinned.corpus.Generation(), names
}

// buildingText says why there is no index.
func buildingText(c server.Call) string {
	switch {
	case c.Building != nil:
		return "the index is being built: " + c.Building.String()
	case c.Failed != "":
		return "the index could not be built: " + c.Failed
	}
	return "there is no index yet"
}

// tellKey is where the context of a search holds who wants to be told of each channel's list.
type tellKey struct{}

// toldChannel tells of its list as it arrives.
type toldChannel struct {
	channels.Channel
	corpus *corpus
	limit  int // hits that a channel is first asked for
}

func (c toldChannel) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	tell, _ := ctx.Value(tellKey{}).(func(server.ChannelList))
	if tell == nil || r.Limit > c.limit { // a longer list follows one that was told
		return c.Channel.Search(ctx, r)
	}
	watch := newStopwatch()
	list, err := c.Channel.Search(ctx, r)
	told := server.ChannelList{Name: c.Name(), Hits: []server.ChannelHit{}, Total: len(list.Hits), TookMS: watch.ms()}
	switch {
	case err != nil:
		told.Error = err.Error()
	case list.Off:
		told.Error = "off: " + list.Reason
	}
	for i, h := range list.Hits[:min(len(list.Hits), server.MaxChannelHits)] {
		told.Hits = append(told.Hits, server.ChannelHit{Rank: i + 1, Path: c.corpus.Path(h.File), StartLine: h.Span.StartLine, EndLine: h.Span.EndLine, Score: h.Score, Reason: h.Reason})
	}
	tell(told)
	return list, err
}

// present makes every list and map of a contract present, unless the contract lets it be missing.
func present(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			present(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			present(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f, t := v.Field(i), v.Type().Field(i)
			if !t.IsExported() {
				continue
			}
			if tag := t.Tag.Get("json"); f.CanSet() && !slices.Contains(strings.Split(tag, ",")[1:], "omitempty") {
				switch {
				case f.Kind() == reflect.Slice && f.IsNil():
					f.Set(reflect.MakeSlice(f.Type(), 0, 0))
				case f.Kind() == reflect.Map && f.IsNil():
					f.Set(reflect.MakeMap(f.Type()))
				}
			}
			present(f)
		}
	}
}
