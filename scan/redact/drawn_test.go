package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	smallLetters = "abcdefghijklmnopqrstuvwxyz"
	largeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	allDigits    = "0123456789"
)

// alphabets are what generators of secrets draw from, with the most that may be missed, in percent, of 12 bytes and of 16.
// Small letters alone say least about themselves; symbols are also the marks of references.
var alphabets = []struct {
	name, letters  string
	most12, most16 float64
}{
	{"base62", smallLetters + largeLetters + allDigits, 2, 1},
	{"base64", smallLetters + largeLetters + allDigits + "+/", 4, 1.2},
	{"base64url", smallLetters + largeLetters + allDigits + "-_", 4, 1.2},
	{"letters", smallLetters + largeLetters, 2, 1},
	{"base36", smallLetters + allDigits, 3, 1},
	{"base32", largeLetters + "234567", 3, 1.2},
	{"hexadecimal", allDigits + "abcdef", 1.5, 1},
	{"small letters", smallLetters, 5, 1.5},
	{"with symbols", smallLetters + largeLetters + allDigits + "!@#$%^&*-_", 11, 3},
}

// places are where a secret stands: settings, a shell, code and prose.
var places = []struct{ path, lang, format string }{
	{"a.json", "json", `{"service": {"apiKey": "%s"}}`},
	{"a.json", "json", `{"db": {"password": "%s", "port": 1}}`},
	{"a.yaml", "yaml", "db:\n  password: %s\n"},
	{"a.yaml", "yaml", "access_token: '%s'\n"},
	{"a.toml", "toml", "client_secret = \"%s\"\n"},
	{"a.ini", "ini", "[p]\naws_secret_access_key = %s\n"},
	{"a.properties", "ini", "db.password=%s\n"},
	{".env.example", "ini", "API_TOKEN=%s\n"},
	{"settings.yaml.dist", "", "secret_key: %s\n"},
	{"main.tf", "hcl", "  password = \"%s\"\n"},
	{"a.xml", "xml", "<password>%s</password>\n"},
	{"run.sh", "bash", "export DB_PASSWORD='%s'\n"},
	{"run.sh", "bash", "curl -u 'deploy:%s' https://host.invalid/up\n"},
	{"a.py", "python", "client_0_secret = \"%s\"\n"},
	{"a.go", "go", "\tAPIKey: \"%s\",\n"},
	{"a.ts", "typescript", "const password: string = '%s'\n"},
	{"a.js", "javascript", "headers: { Authorization: 'Bearer %s' }\n"},
	{"a.md", "markdown", "Run it with `TOKEN=%s` first.\n"},
}

// draw is a text of n letters.
func draw(random *rand.Rand, n int, letters string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[random.IntN(len(letters))]
	}
	return string(b)
}

// missedOf is the share of drawn values that stay in the text at a place, in percent, and one of them.
func missedOf(random *rand.Rand, path, lang, format, letters string, length int) (percent float64, example string) {
	const each = 1000
	before, after, _ := strings.Cut(format, "%s")
	missed := 0
	for range each {
		value := draw(random, length, letters)
		if masked, _ := Mask(path, lang, before+value+after); strings.Contains(masked, value[length/2:]) {
			missed++
			example = value
		}
	}
	return float64(missed) * 100 / each, example
}

// TestDrawnValuesAreMasked draws from every alphabet into every place and bounds what is missed. The bounds are about the
// worst place with room for chance; of 16 bytes and more the mean over all places must be below 1 %.
func TestDrawnValuesAreMasked(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 97))
	for _, length := range []int{12, 16, 20, 32, 40} {
		for _, alphabet := range alphabets {
			most := map[bool]float64{true: alphabet.most12, false: alphabet.most16}[length == 12]
			if length > 20 {
				most = 1
			}
			sum, count := 0.0, 0.0
			for _, place := range places {
				symbols := strings.ContainsAny(alphabet.letters, "&")
				if strings.Contains(place.format, "Bearer") && (length < leastBearer || symbols) || place.lang == "markdown" && symbols {
					continue // no such tokens there
				}
				missed, example := missedOf(random, place.path, place.lang, place.format, alphabet.letters, length)
				if missed > most+0.3 {
					t.Errorf("%s, %d bytes in %q: %.1f %% missed, such as %q", alphabet.name, length, place.format, missed, example)
				}
				sum += missed
				count++
			}
			t.Logf("%2d bytes, %-13s: %.2f %% missed", length, alphabet.name, sum/count)
			if length >= 16 && sum/count > 1 && alphabet.name != "with symbols" {
				t.Errorf("%s, %d bytes: %.2f %% missed over all places", alphabet.name, length, sum/count)
			}
		}
	}
}

func TestMaskDrawnValues(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"yaml", "password: NwWMZCclXrcOvdEl", "password: [masked password]"},
		{"yaml", "password: xkvjqhwtzpmr", "password: [masked password]"},
		{"json", `{"apiKey": "tQwmVbZxRplKjHgFdSaYnC"}`, `{"apiKey": "[masked secret]"}`},
		{"ini", "aws_secret_access_key = /bPxRfiCYqT9mLw2KzVn4uHs7GdJ1eAo5XcBt8Ny", "aws_secret_access_key = [masked secret]"},
		{"ini", "api_token=9f3a7c1e5b2d8640", "api_token=[masked secret]"},
		{"python", `client_secret = "KoRdPvUxMqWzYbNcTgLh"`, `client_secret = "[masked secret]"`},
		{"go", `EncryptionKey: "r54-G0pher_t3st$",`, `EncryptionKey: "[masked secret]",`},
		{"javascript", `{ Authorization: "Bearer TqVwYzXcPlKmNbGh" }`, `{ Authorization: "Bearer [masked authorization]" }`},
		{"bash", "curl -u deploy:hunter2abc https://host.invalid/up", "curl -u deploy:[masked password] https://host.invalid/up"},
		{"bash", "curl -sS \\\n  -u 'deploy:tr0ub4dor&3' \\\n  https://host.invalid", "curl -sS \\\n  -u 'deploy:[masked password]' \\\n  https://host.invalid"},
		{"bash", "curl --user deploy:hunter2abc https://host.invalid", "curl --user deploy:[masked password] https://host.invalid"},
		{"bash", "curl --proxy-user=deploy:hunter2abc https://host.invalid", "curl --proxy-user=deploy:[masked password] https://host.invalid"},
		{"bash", "curl -udeploy:hunter2abc https://host.invalid", "curl -udeploy:[masked password] https://host.invalid"},
		{"yaml", "  - run: curl -u deploy:NwWMZCclXrcOvdEl https://host.invalid", "  - run: curl -u deploy:[masked password] https://host.invalid"},
		{"python", `run(["curl", "-u", "deploy:hunter2abc"])`, `run(["curl", "-u", "deploy:[masked password]"])`},
		{"markdown", "Try `curl -u deploy:NwWMZCclXrcOvdEl https://host.invalid`.", "Try `curl -u deploy:[masked password] https://host.invalid`."},
		{"bash", "tool login --password hunter2abc --all", "tool login --password [masked password] --all"},
		{"bash", "curl -H 'X-Api-Key: TqVwYzXcPlKmNbGh' https://host.invalid", "curl -H 'X-Api-Key: [masked secret]' https://host.invalid"},
		{"", "secret_key: tQwmVbZxRplKjHgFdSaYnC", "secret_key: [masked secret]"},
	} {
		got, _ := Mask("config/app.yaml.example", c.lang, c.in)
		if got != c.want {
			t.Errorf("%s:\n in   %q\n got  %q\n want %q", c.lang, c.in, got, c.want)
		}
		if again, more := Mask("config/app.yaml.example", c.lang, got); again != got || len(more) != 0 {
			t.Errorf("masking again changes %q to %q (%v)", got, again, more)
		}
	}
}

func TestMaskLeavesWordsUnderCredentialNames(t *testing.T) {
	for _, lang := range []string{"json", "go", "yaml"} {
		for _, value := range []string{"password_field", "Wachtwoord", "Zugangsschluessel", "Kayttooikeustunnus", "wprowadzhaslo", "Verificatiecode", "JWTBearerTokenHandler", "ClientSecretCredential", "spring.datasource.password",
			"kubernetes.io/service-account-token", "correcthorsebatterystaple", "AES/CBC/PKCS5Padding", "RSASSA-PKCS1-v1_5", "ArrowFunctionExpression", "my-cluster-tls-cert-2023", "RtlNtStatusToDosErrorNoTeb",
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "secrets.token_hex()", "os.environ", "process.env.API_TOKEN_2", "/run/secrets/database", "<your-token-here-1>", "change-me-please-1", "encryptionKey1024",
			"projects/p1/secrets/db-pw/versions/3", "github_token_for_tests_v2"} {
			in := fmt.Sprintf(`"client_secret": "%s"`, value)
			if got, _ := Mask("file", lang, in); got != in {
				t.Errorf("%s: %q became %q (%.1f bits)", lang, in, got, drawnBits(value))
			}
		}
	}
	for _, c := range []struct{ lang, in string }{
		{"bash", "docker run -u 1000:1000 image"},
		{"bash", "docker run -u builder:builders7 image"},
		{"bash", "curl -u $USER:$TOKEN https://host.invalid"},
		{"bash", `curl -u "${USER}:${TOKEN_2}" https://host.invalid`},
		{"bash", "curl -u user:password https://host.invalid"},
		{"bash", "curl -u <user>:<token-1> https://host.invalid"},
		{"bash", "git push -u origin main:main2"},
		{"go", `flags.String("non-user", "a:b2", "the one-user: x9")`},
		{"go", `{"go/token", "\x04r\x86\x01>\x02\x03\x01\x0f\x02"},`},
		{"go", `v.Set("credentials", "{\"foo\":\"bar\"}")`},
		{"xml", `<assemblyIdentity name="A" publicKeyToken="89845dcd8080cc91" culture="neutral" />`},
		{"json", `"integrity": "sha512-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/AbCdEf=="`},
		{"yaml", "commit: da39a3ee5e6b4b0d3255bfef95601890afd80709"},
		{"python", `"oauth_token_secret=secret%3Dpassword&oauth_token=lock%26key"`},
	} {
		if got, findings := Mask("file", c.lang, c.in); got != c.in {
			t.Errorf("%s: %q became %q %v", c.lang, c.in, got, findings)
		}
	}
}
