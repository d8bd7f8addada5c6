package rerank

import "testing"

func TestStem(t *testing.T) {
	for _, family := range [][]string{
		{"logging", "logger", "logs", "log"}, {"recovery", "recoverer", "recovered", "recover"}, {"serialization", "serializer", "serialize", "serializing"},
		{"template", "templating", "templates"}, {"throttle", "throttling", "throttled"}, {"reflection", "reflective", "reflect"}, {"strip", "stripping", "stripped"},
		{"format", "formatter", "formatting", "formats"}, {"session", "sessions"}, {"encode", "encoder", "encoding"}, {"validate", "validator", "validation"},
	} {
		for _, w := range family[1:] {
			if stemOf(w) != stemOf(family[0]) {
				t.Errorf("%s is %q, %s is %q", family[0], stemOf(family[0]), w, stemOf(w))
			}
		}
	}
	for word, want := range map[string]string{"": "", "is": "is", "sing": "sing", "ring": "ring", "ssl": "ssl", "class": "cla"} {
		if got := stemOf(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
	if stemOf("string") == stemOf("strip") || stemOf("router") == stemOf("round") {
		t.Error("words of different stems meet")
	}
}
