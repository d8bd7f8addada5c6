package configs

import "testing"

// OLLAMA_HOST is Ollama's own variable: it is read where it is set, and no layer of settings.
func TestOllamaHostIsTakenFromTheEnvironment(t *testing.T) {
	for _, env := range [][]string{nil, {"OLLAMA_HOST=0.0.0.0:9999"}} {
		c, warnings, err := Load(LoadOptions{Env: env})
		if err != nil || len(warnings) != 0 {
			t.Fatal(warnings, err)
		}
		want := ""
		if env != nil {
			want = "0.0.0.0:9999"
		}
		if c.Embed.OllamaHost != want {
			t.Errorf("%q: %q", env, c.Embed.OllamaHost)
		}
		if plain, _, err := Load(LoadOptions{}); err != nil || plain.Hash() != c.Hash() {
			t.Errorf("%q changes the hash", env)
		}
	}
}
