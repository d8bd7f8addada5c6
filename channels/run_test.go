package channels

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"agenvantage"
)

type fakeChannel struct {
	name   string
	search func(ctx context.Context) (List, error)
}

func (f fakeChannel) Name() string                                        { return f.name }
func (f fakeChannel) Search(ctx context.Context, _ Request) (List, error) { return f.search(ctx) }

func TestRunContainsFailures(t *testing.T) {
	hits := []agenvantage.Hit{{File: 1}}
	channels := []Channel{
		fakeChannel{"slow", func(ctx context.Context) (List, error) {
			<-ctx.Done()
			return List{}, fmt.Errorf("slow: %w", ctx.Err())
		}},
		fakeChannel{"panics", func(context.Context) (List, error) { panic("boom") }},
		fakeChannel{"fails", func(context.Context) (List, error) { return List{}, errors.New("no disk") }},
		fakeChannel{"empty", func(context.Context) (List, error) { return List{Covered: 1}, nil }},
		fakeChannel{"partial", func(context.Context) (List, error) { return List{Covered: 0.5, Hits: hits}, nil }},
		fakeChannel{"ok", func(context.Context) (List, error) { return List{Covered: 1, Hits: hits}, nil }},
	}
	want := []agenvantage.ChannelStatus{agenvantage.StatusTimeout, agenvantage.StatusError, agenvantage.StatusError, agenvantage.StatusEmpty, agenvantage.StatusPartial, agenvantage.StatusOK}
	for i, o := range Run(context.Background(), channels, Request{}, RunOptions{Timeout: 20 * time.Millisecond}) {
		if o.Report.Name != channels[i].Name() || o.Report.Status != want[i] || (o.Report.Error != "") != (i < 3) || o.Report.Hits != len(o.List.Hits) || (o.Report.Covered != nil) != (i == 4) {
			t.Errorf("%s: %+v", channels[i].Name(), o.Report)
		}
	}
}

func TestCancelledSearch(t *testing.T) {
	c := newCorpus(namesFiles, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q := Request{Query: agenvantage.Query{Terms: []agenvantage.Term{{Text: "user", Count: 1}}}}
	for i, o := range Run(ctx, []Channel{NewBM25F(c, BM25FOptions{}), NewExact(c, ExactOptions{})}, q, RunOptions{}) {
		if o.Report.Status != agenvantage.StatusTimeout {
			t.Errorf("%d: %+v", i, o.Report)
		}
	}
}
