package configs

import (
	"strings"
	"testing"
)

// TestAMistypedAddressShowsNoPassword: what is refused as an address may hold a password all the same.
func TestAMistypedAddressShowsNoPassword(t *testing.T) {
	for in, want := range map[string]string{
		"http//me:hunter22@h/v1":       "http//***@h/v1",
		"me:hunter22@h/v1":             "***@h/v1",
		"ftp://me:hunter22@h":          "ftp://***@h",
		"http:/me:hunter22@h":          "***@h",
		"http://me:hunt%er22@h:1":      "http://***@h:1",
		"http://me:p@hunter22@h:1":     "http://***@h:1",
		"ftp://h/v1?key=hunter22":      "ftp://h/v1?***",
		"ftp://me:hunter22@h?k=a@b":    "ftp://***@b",
		"localhost:11434":              "localhost:11434",
		"http://me:hunt er22@h x@y ?z": "http://***@y ?***",
	} {
		if got := withoutUser(in); got != want || strings.Contains(got, "hunter22") {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	for _, name := range []string{"embed.base_url", "rerank.base_url"} {
		_, _, err := Load(LoadOptions{Dir: t.TempDir(), Flags: map[string]string{name: "http//me:hunter22@h/v1"}})
		if err == nil || strings.Contains(err.Error(), "hunter22") || !strings.Contains(err.Error(), "***@h/v1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestARelativeKeyFileInTheEnvironmentIsRefused as in the user's file: it would be read from whatever folder one is in.
func TestARelativeKeyFileInTheEnvironmentIsRefused(t *testing.T) {
	for _, section := range []string{"embed", "rerank"} {
		name := EnvPrefix + strings.ToUpper(section) + "_API_KEY_FILE"
		if _, _, err := Load(LoadOptions{Dir: t.TempDir(), Env: []string{name + "=my.key"}}); err == nil || !strings.Contains(err.Error(), "a path that is absolute") {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := Load(LoadOptions{Dir: t.TempDir(), Env: []string{name + "=~/my.key", "HOME=" + t.TempDir()}}); err != nil {
			t.Errorf("%s below the home folder: %v", name, err)
		}
	}
}
