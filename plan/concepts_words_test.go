package plan

import (
	"fmt"
	"testing"

	"agenvantage"
)

// "two-factor" gave the term twofactor, and a pack said that no file holds it.
func TestAJoinedWordIsMissing(t *testing.T) {
	for _, c := range []struct {
		text  string
		terms []string
		want  string
	}{
		{"two-factor authentication", []string{"two", "factor", "twofactor", "authentication"}, "[two factor authentication]"},
		{"end-to-end test", []string{"end", "to", "end", "endtoend", "toend", "endto", "test"}, "[end to end test]"},
		{"rate limit", []string{"rate", "limit"}, "[rate limit]"},
		{"re-add", []string{"readd"}, "[readd]"}, // nothing else is left of it
		{"登录", []string{"登录"}, "[登录]"},
		{"", nil, "[]"},
	} {
		if got := fmt.Sprint(ConceptWords(agenvantage.Concept{Text: c.text, Terms: c.terms})); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestWordsThatSayNothingAlone(t *testing.T) {
	for word, want := range map[string]string{
		"refactor": "true false true", "clean": "true false true", "code": "false true true", "files": "false true true", "throttle": "false false true",
		"worldMap": "false false false", "world.map": "false false false", "WORLD_MAP": "false false false", "Throttle": "false false true", "two words": "false false false", "404": "false false false",
	} {
		if got := fmt.Sprint(IsTaskVerb(word), IsGeneral(word), IsPlainWord(word)); got != want {
			t.Errorf("%q: verb, general, plain %s, want %s", word, got, want)
		}
	}
}

// A rename was never enough without a settings file.
func TestARenameNeedsSettings(t *testing.T) {
	for _, c := range []struct {
		task          string
		config, calls bool
	}{
		{"Rename UserStore to AccountStore everywhere", false, true},
		{"deprecate Mux.Handle", false, true},
		{"convert the callbacks of Client to promises", false, true},
		{"Rename the setting cart.ttl to cart.lifetime", true, true},
		{"rename the column total to sum", true, true},
		{"upgrade to React 19", true, true},
		{"migrate from Redux to Zustand", true, true},
		{"replace moment by dayjs", true, true}, // a dependency, for all that the text says
		{"port the parser to Rust", true, true},
	} {
		task := mustRead(t, c.task, TaskOptions{})
		if task.Kind != agenvantage.TaskMigration {
			t.Errorf("%q is a %s", c.task, task.Kind)
		}
		for _, s := range task.Slots {
			if s.Name == agenvantage.SlotConfig && s.Required != c.config || s.Name == agenvantage.SlotCallers && s.Required != c.calls || s.Name == agenvantage.SlotImplementation && !s.Required {
				t.Errorf("%q: %s required %v", c.task, s.Name, s.Required)
			}
		}
	}
}

func TestIsNewName(t *testing.T) {
	for _, c := range []struct {
		task, name string
		want       bool
	}{
		{"Rename Cart to Basket everywhere", "Basket", true},
		{"rename the type Cart into `Basket`.", "Basket", true},
		{"renaming Cart as Basket", "Basket", true},
		{"Rename Cart to Basket", "Cart", false},
		{"Rename Cart to BasketCase", "Basket", false},
		{"Rename Cart to Bas.ket", "Bas_ket", false},
		{"move Cart to Basket", "Basket", false},
		{"Rename Cart. Then add items to Basket", "Basket", false},
		{"Rename `res.redirect` to `res.redirectTo`", "res.redirectTo", true}, // a dot inside a name ended the sentence
		{"rename Flask.make_response to build_response.", "build_response", true},
		{"rename lib/utils.js to lib/helpers.js", "lib/helpers.js", true},
		{"rename a.b; move it to c.d", "c.d", false},
		{"Rename Cart to Basket(s)", "Basket(s)", true}, // no expression is read from a name
	} {
		if got := IsNewName(c.task, c.name); got != c.want {
			t.Errorf("%q, %q: %v", c.task, c.name, got)
		}
	}
}
