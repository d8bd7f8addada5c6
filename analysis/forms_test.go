package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	for word, want := range map[string]string{
		"resolving": "resolv resolvs resolved resolve resolves resolvings resolvinged resolvinging",
		"stopped":   "stop stops stoped stoping stopping stoppeds stoppeded stoppeding stoppedded stoppedding",
		"entries":   "entry entried entrying entrieses entriesed entriesing",
		"caches":    "cach cached caching cache cacheses cachesed cachesing",
		"class":     "classes classed classing",
		"status":    "statuses statused statusing",
		"load":      "loads loaded loading loadded loadding",
		"boxes":     "box boxed boxing boxe boxeses boxesed boxesing",
		"bring":     "brings bringed bringing",
		"gob":       "", "utf8": "", "größe": "", "": "", "Load": "",
	} {
		if got := strings.Join(Forms(word), " "); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

// Forms of one word have each other as forms.
func TestFormsAreMutual(t *testing.T) {
	for _, words := range []string{"resolve resolves resolved resolving", "stop stops stopped stopping", "entry entries", "copy copies copied copying", "match matches matched matching", "load loads loaded loading", "file files", "cache caches cached caching", "process processes processed processing"} {
		list := strings.Fields(words)
		for _, a := range list {
			for _, b := range list {
				if a != b && !slices.Contains(Forms(a), b) {
					t.Errorf("%s is no form of %s", b, a)
				}
			}
		}
	}
}

func FuzzForms(f *testing.F) {
	f.Add("resolving")
	f.Fuzz(func(t *testing.T, word string) {
		forms := Forms(word)
		sorted := slices.Clone(forms)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(forms) || slices.Contains(forms, word) {
			t.Fatalf("%q: %q", word, forms)
		}
	})
}
