package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/server"
)

// What was found and does not fit is said to be found, with a budget that shows it.
func TestFoundAndNotShownIsDenied(t *testing.T) {
	body := "package cart\n\n// Total sums a cart.\nfunc Total(lines []int) int {\n\tsum := 0\n"
	for i := range 60 {
		body += fmt.Sprintf("\tsum += lines[%d] * weightOfTheLineNumber%d(lines)\n", i, i)
	}
	fs := files{"cart/total.go": body + "\treturn sum\n}\n"}
	for i := range 8 {
		fs[fmt.Sprintf("other/part%d.go", i)] = fmt.Sprintf("package other\n\n// Part%d prints.\nfunc Part%d() string { return \"part\" }\n", i, i)
	}
	w := newWorld(t, fs)
	denied := 0
	for budget := 220; budget <= 700; budget += 20 {
		p, err := w.Pack(t.Context(), PackRequest{Task: "Total sums the cart wrong", Seeds: []string{"cart/total.go"}, Budget: budget}, nil)
		if errors.Is(err, agenvantage.ErrBadInput) { // the frame alone is longer
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Why, "no file of the repository") || strings.Contains(fmt.Sprint(p.Missing), "implementation: nothing was found") {
			t.Errorf("budget %d: %s; missing %q", budget, p.Why, p.Missing)
		}
		needed := 0
		if n, _ := fmt.Sscanf(p.Why, "what was found does not fit: a budget of %d tokens would do", &needed); n == 0 {
			continue
		}
		denied++
		if p.Status != agenvantage.PackInsufficient {
			t.Errorf("budget %d: %s: %s", budget, p.Status, p.Why)
		}
		if p := w.packed(PackRequest{Task: "Total sums the cart wrong", Seeds: []string{"cart/total.go"}, Budget: needed}); !strings.Contains(places(p), "cart/total.go") {
			t.Errorf("budget %d asks for %d, which shows %s: %s", budget, needed, places(p), p.Why)
		}
	}
	if denied == 0 {
		t.Error("every budget showed the place")
	}
}

// Output that names nothing of the repository is answered by no more than the words that it shares with it, not by those of the
// default task.
func TestOutputThatNamesNothingIsReady(t *testing.T) {
	w := newWorld(t, files{"fix/failure.go": "package fix\n\n// This will fix the failure.\nfunc This() string { return \"failure\" }\n", "cart/sum.go": function("Sum")})
	for _, output := range []string{strings.Repeat("A", 40), "zzz qqq", "exit status 1", "failure", "sum"} {
		p := w.packed(PackRequest{Output: output}.WithoutTask())
		if p.Status == agenvantage.PackReady || p.Why == "" {
			t.Errorf("%q: %s: %s: %s", output, p.Status, p.Why, places(p))
		}
	}
}

// However low the limits, each page of a history has a commit and leads to the next, until all were told.
func TestChangesDoNotComeWithinLimits(t *testing.T) {
	w := newGitWorld(t, nil)
	const commits = 12
	for i := range commits {
		w.commit(fmt.Sprintf("change %d %s", i, strings.Repeat("of the shop and its carts ", 10+40*(i%3))), files{
			"cart/total.go": function(fmt.Sprintf("Total%d", i)), "cart/some/longer/path/of/a/partner.go": function(fmt.Sprintf("Partner%d", i)),
			fmt.Sprintf("other/part%d.go", i%4): function(fmt.Sprintf("Part%d", i))})
	}
	s, err := NewService(w.App)
	if err != nil {
		t.Fatal(err)
	}
	s.mustBuild(t)
	for _, limits := range []server.Limits{{MaxTokens: 500, MaxBytes: 1 << 20}, {MaxTokens: 600, MaxBytes: 1 << 20}, {MaxTokens: 1 << 20, MaxBytes: 3000}, {MaxTokens: 8000, MaxBytes: 1 << 20}} {
		seen, cursor := map[string]bool{}, ""
		for page := 0; ; page++ {
			if page > commits {
				t.Fatalf("%+v: %d pages", limits, page)
			}
			a, err := s.Answer(t.Context(), server.Call{Operation: "changes_for", Limits: limits, Arguments: &server.ChangesForArguments{Location: "cart/total.go", Cursor: cursor}})
			if err != nil {
				t.Fatalf("%+v: %v", limits, err)
			}
			within(t, fmt.Sprintf("%+v page %d", limits, page), a, limits)
			answer := a.Value.(*Changes)
			if len(answer.Commits) == 0 || answer.Total != commits {
				t.Fatalf("%+v page %d: %d commits of %d", limits, page, len(answer.Commits), answer.Total)
			}
			for _, c := range answer.Commits {
				seen[c.ID] = true
			}
			if cursor = answer.Next; cursor == "" {
				break
			}
		}
		if len(seen) != commits {
			t.Errorf("%+v: %d of %d commits", limits, len(seen), commits)
		}
	}
}
