package app

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"agenvantage"
)

func TestStepsBelow(t *testing.T) {
	for _, c := range []struct {
		budget int
		want   string
	}{
		{1, "[]"}, {100, "[]"}, {101, "[100]"}, {300, "[250 200 150 120 100]"}, {1300, "[1200 1000 800 600 500 400 300 250 200 150 120 100]"},
	} {
		if got := fmt.Sprint(stepsBelow(c.budget)); got != c.want {
			t.Errorf("%d: %s, want %s", c.budget, got, c.want)
		}
	}
	for budget, want := range map[int]bool{0: false, 100: true, 101: false, 6000: true, 7000: false, 8000: true, 32000: false, 40000: true, 1_000_000: true} {
		if isStep(budget) != want {
			t.Errorf("%d: %v", budget, !want)
		}
	}
}

// A pack was ready with 270 tokens, partial with 280 and ready with 300: a long place left no room for the lines of other files.
func TestALargerBudgetIsLessReady(t *testing.T) {
	skipWhenShort(t)
	shop, routes := newFailingShop(t).world, newRoutes(t)
	for _, c := range []struct {
		w    *world
		task string
	}{{shop, "fix total in py/total.py"}, {routes, "Throttle drops the requests of the backlog"}, {newWorld(t, grow(4).files), "fix books_balance"}, {newWorld(t, grow(7).files), "fix books_balance"}} {
		ready := 0
		for budget := 240; budget <= 2600; budget += 20 + budget/25 {
			r := PackRequest{Task: c.task, Preset: agenvantage.TaskBug, Budget: budget}
			if _, err := c.w.Pack(t.Context(), r, nil); errors.Is(err, agenvantage.ErrBadInput) {
				continue
			}
			p := c.w.packed(r)
			switch {
			case p.Status == agenvantage.PackReady:
				ready = budget
			case ready > 0:
				t.Errorf("%q: ready with %d tokens, %s with %d: %s", c.task, ready, p.Status, budget, p.Why)
			}
		}
		if ready == 0 {
			t.Errorf("%q is never ready", c.task)
		}
	}
}

// "The smallest budget that does is 304" was said where 250 does.
func TestTheSmallestBudgetIsAnother(t *testing.T) {
	for seed := range uint64(3) {
		g := grow(seed)
		w := newWorld(t, g.files)
		for _, task := range slices.Concat(g.tasks(seed)[:2], []string{"fix books_balance"}) {
			var small *agenvantage.BudgetError
			_, err := w.Pack(t.Context(), PackRequest{Task: task, Budget: 150}, nil)
			if !errors.As(err, &small) {
				t.Fatalf("%q: %v", task, err)
			}
			if small.Budget != 150 || small.Smallest <= 150 {
				t.Errorf("%q: %v", task, small)
			}
			w.packed(PackRequest{Task: task, Budget: small.Smallest})
			for budget := small.Smallest - 1; budget > small.Smallest-25; budget-- {
				var less *agenvantage.BudgetError
				if _, err := w.Pack(t.Context(), PackRequest{Task: task, Budget: budget}, nil); !errors.As(err, &less) || less.Smallest != small.Smallest {
					t.Errorf("%q: %d tokens: %v, with 150 it says that the smallest is %d", task, budget, err, small.Smallest)
				}
			}
		}
	}
}
