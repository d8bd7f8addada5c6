package plan

import (
	"strings"
	"testing"

	"agenvantage"
)

func TestVerbsAndFunctionWordsAreNoConcepts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The importer accepts invoices whose currency lies outside the table", "importer | invoices | currency | table"},
		{"a badge beside the avatar that opens it", "badge | avatar"},
		{"The scheduler skips the backup", "scheduler | backup"},                   // before an article
		{"a widget which jumps behind the toolbar", "widget | toolbar"},            // after a relative pronoun
		{"the tags of articles and the tags", "tags | articles"},                   // plurals behind articles
		{"weekly streaks in the dashboard", "weekly streaks | dashboard"},          // a plural before a preposition
		{"the settings the scheduler has", "settings | scheduler"},                 // a plural behind an article, before one
		{"readers bookmark an article", "readers bookmark | article"},              // a verb that names a thing stays
		{"clarified currency, improving currency", "currency"},                     // forms of verbs
		{"the class of the currency; this class", "currency"},                      // -ss is no third person
		{"tags: the save button, a search box", "save button | search box | tags"}, // verbs that are parts of products
	} {
		var got []string
		for _, concept := range readConcepts([]string{c.text}, agenvantage.TaskExplain) {
			got = append(got, concept.Text)
		}
		if s := strings.Join(got, " | "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
}

// Memcached was left out beside other concepts, as the participle that a word in -ed is.
func TestANameInEdIsAConcept(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"migrate the cache to Memcached", "cache | memcached"},
		{"migrate the cache to Memcached.", "cache | memcached"},
		{"the cache is attached", "cache"},
		{"Attached: the cache", "cache"},                   // the beginning of a sentence
		{"The Cache Is Not Attached", "cache"},             // a title in capitals
		{"a change of the cache. Attached later", "cache"}, // a sentence behind another
	} {
		var got []string
		for _, concept := range readConcepts([]string{c.text}, agenvantage.TaskMigration) {
			got = append(got, concept.Text)
		}
		if s := strings.Join(got, " | "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
}

func TestIsCommonVerb(t *testing.T) {
	for want, words := range map[bool]string{
		true:  "accept accepts accepted accepting lies denied varies relying held chose preferred",
		false: "save saves merge filter bookmark string thing bed series status",
	} {
		for _, w := range strings.Fields(words) {
			if isCommonVerb(w) != want {
				t.Errorf("%s: a common verb %v, want %v", w, !want, want)
			}
		}
	}
}
