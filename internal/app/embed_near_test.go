package app

import (
	"reflect"
	"strings"
	"testing"

	"agenvantage"
)

// TestAQuestionIsAskedInNearWords that the index holds, where embed.expand says so; no provider is needed. What was added is in the channel's note.
func TestAQuestionIsAskedInNearWords(t *testing.T) {
	fs := files{
		"src/store.py": "def remove_record(key):\n    \"\"\"Take it out.\"\"\"\n    table.pop(key)\n",
		"src/other.py": "def count_records(table):\n    return len(table)\n",
	}
	note := func(r agenvantage.Response) string { return report(t, r, "bm25f").Note }
	w := newWorld(t, fs, "bm25f.synonym_weight=0")
	if r := w.askAgain(SearchRequest{Query: "delete stale entry", Channels: []string{"bm25f"}}); len(r.Results) != 0 || note(r) != "" {
		t.Errorf("by default: %s, %q", found(r), note(r))
	}
	w = newWorld(t, fs, "bm25f.synonym_weight=0", "embed.expand=2")
	w.embedding.transport = noNetwork{t}
	r := w.askAgain(SearchRequest{Query: "delete stale entry", Channels: []string{"bm25f"}})
	if !strings.HasPrefix(found(r), "src/store.py") || !strings.Contains(note(r), "remove for delete (0.2") || strings.Contains(note(r), "deletes") {
		t.Errorf("%s, %q", found(r), note(r))
	}
	if again := w.askAgain(SearchRequest{Query: "delete stale entry", Channels: []string{"bm25f"}}); !reflect.DeepEqual(again.WithoutTimings(), r.WithoutTimings()) {
		t.Errorf("another answer: %+v", again)
	}
	for question, why := range map[string]string{
		"delete_record": "a name", "src/delete.py": "a path", "\"delete stale\"": "a literal", "delete remove": "a word that the question holds", "fix DeleteStale": "the parts of a name",
		"delete " + strings.Repeat("stale entry of some page ", 20): "a report",
	} {
		if r := w.askAgain(SearchRequest{Query: question, Channels: []string{"bm25f"}}); strings.Contains(note(r), "remove for") {
			t.Errorf("%s brings near words: %q", why, note(r))
		}
	}
	for flag, want := range map[string]bool{"embed.expand_floor=0.55": true, "embed.expand_floor=0.6": false} { // 0.57
		w := newWorld(t, fs, "bm25f.synonym_weight=0", "embed.expand=2", flag)
		if r := w.askAgain(SearchRequest{Query: "delete stale entry", Channels: []string{"bm25f"}}); (note(r) != "") != want {
			t.Errorf("%s: %q", flag, note(r))
		}
	}
}
