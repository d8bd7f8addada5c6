package app

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// rankingQueries are asked of testdata/corpus, some of every class. \n in a query is a line's end.
var rankingQueries = []string{
	"lateFee",
	"Ledger.Return",
	"isbn_is_valid",
	"ShelfClient",
	"loadSettings", // the name in another spelling
	"server/fees.go",
	"jobs/mail.py:16",
	"late fee",
	`"cannot read the request body"`,
	"overdue loan reminder",
	"load settings",
	"how does the scanner check the last digit",
	"where is a mail tried again when the relay is away",
	"which handler answers when a book is lent twice",
	`/SHELF_[A-Z_]+/`,
	`Traceback (most recent call last):\n  File "/srv/shelf/jobs/reminders.py", line 22, in run\n  File "/srv/shelf/jobs/mail.py", line 18, in send\nConnectionError: relay is away`,
	"After the upgrade members who bring a book back late are shown a wrong amount on the page. The server answers the DELETE of the loan with the fee in cents, " +
		"and the page should show euros with two digits, but some members see the cents as they are. I think that formatCents is not called for the value that returnBook gives.",
}

// TestRankings compares the first five results of each query with testdata/rankings.txt.
func TestRankings(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.CopyFS(w.root, os.DirFS("testdata/corpus")); err != nil {
		t.Fatal(err)
	}
	w.mustIndex()
	got := rankings(t, w)
	other := w.open() // a view of its own, nothing cached
	if again := rankings(t, other); again != got {
		t.Errorf("asked again:\n%s\nfirst:\n%s", again, got)
	}
	file := filepath.Join("testdata", "rankings.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date (rewrite it with -update and read the diff):\n%s", file, firstDifference(string(want), got))
	}
}

func rankings(t *testing.T, w *world) string {
	t.Helper()
	classes := map[agenvantage.QueryClass]bool{}
	var b strings.Builder
	for _, query := range rankingQueries {
		r := w.askAgain(SearchRequest{Query: strings.ReplaceAll(query, `\n`, "\n"), TopK: 5})
		classes[r.Class] = true
		shown := query
		if len(shown) > 120 {
			shown = shown[:120] + "…"
		}
		fmt.Fprintf(&b, "%s: %s\n", r.Class, shown)
		for _, x := range r.Results {
			fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(fmt.Sprintf("%d %s:%d-%d %s %s", x.Rank, x.Path, x.StartLine, x.EndLine, x.Kind, x.Symbol)))
		}
		b.WriteString("\n")
	}
	if len(classes) != 7 {
		t.Errorf("the queries are of %d classes, want 7: %v", len(classes), classes)
	}
	return b.String()
}

// firstDifference shows the first lines that differ.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d: %q, want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
