package redact

import (
	"strings"
	"testing"
)

// Files of tools had their tokens and passwords in places that no name announced, or of a look that no rule took for drawn.
func TestFilesOfToolsAreMasked(t *testing.T) {
	basic := "dXNlcjpodW50ZXIyYWJj" // user:hunter2abc
	for _, canary := range []string{"q8Zr5LmN2xVb7KpTw3Ys", "9f2b3c4d1a7e4c0b8d5f6a7b8c9d0e1f2a3b4c5d", "correcthorsebattery"} {
		for _, c := range []struct{ name, lang, in, want string }{
			{".npmrc", "ini", "//registry.example.com/:_authToken=CANARY\nsave-exact=true", "//registry.example.com/:_authToken=[masked secret]\nsave-exact=true"},
			{"web/.npmrc", "ini", "_auth = \"" + basic + "\"", "_auth = \"[masked secret]\""},
			{".npmrc", "ini", "//r.invalid/:_password=CANARY", "//r.invalid/:_password=[masked secret]"},
			{".yarnrc", "", "\"//r.invalid/:_authToken\" \"CANARY\"", "\"//r.invalid/:_authToken\" \"[masked secret]\""},
			{".yarnrc.yml", "yaml", "npmAuthToken: CANARY", "npmAuthToken: [masked secret]"},
			{".yarnrc.yml", "yaml", "  npmAuthIdent: \"me:CANARY\"", "  npmAuthIdent: \"[masked secret]\""},
			{"deploy/.pypirc", "", "[pypi]\npassword: CANARY", "[pypi]\npassword: [masked password]"},
			{"my.cnf", "", "[client]\npassword = 'CANARY'", "[client]\npassword = '[masked password]'"},
			{".wgetrc", "", "http_passwd=CANARY", "http_passwd=[masked password]"},
			{".curlrc", "", "user = \"me:CANARY\"", "user = \"me:[masked password]\""},
			{".curlrc", "", "-u me:CANARY", "-u me:[masked password]"},
			{"NuGet.Config", "xml", `<add key="ClearTextPassword" value="CANARY" />`, `<add key="ClearTextPassword" value="[masked password]" />`},
			{"nuget.config", "xml", `<apikeys><add key="https://h.invalid/" value="CANARY"/></apikeys>`, `<apikeys><add key="https://h.invalid/" value="[masked secret]"/></apikeys>`},
			{"gradle.properties", "ini", "signing.password=CANARY\norg.gradle.jvmargs=-Xmx2g", "signing.password=[masked secret]\norg.gradle.jvmargs=-Xmx2g"},
			{"conf/settings.xml", "xml", "<password>CANARY</password>", "<password>[masked password]</password>"},
			{"credentials.toml", "toml", "token = \"CANARY\"", "token = \"[masked secret]\""},
			{".bundle/config", "", "BUNDLE_GEMS__H__INVALID: \"me:CANARY\"\nBUNDLE_PATH: \"vendor\"", "BUNDLE_GEMS__H__INVALID: \"[masked secret]\"\nBUNDLE_PATH: \"vendor\""},
			{"auth.json", "json", `{"github-oauth": {"github.com": "CANARY"}}`, `{"github-oauth": {"github.com": "[masked secret]"}}`},
			{"auth.json", "json", `{"http-basic": {"r.invalid:8080": {"username": "a", "password": "CANARY"}}}`, `{"http-basic": {"r.invalid:8080": {"username": "a", "password": "[masked secret]"}}}`},
			{"docker/config.json", "json", `{"auths": {"h": {"identitytoken": "CANARY"}}}`, `{"auths": {"h": {"identitytoken": "[masked secret]"}}}`},
			{"wp-config.php", "php", "define( 'DB_PASSWORD', 'CANARY' );\ndefine('DB_HOST', 'localhost');", "define( 'DB_PASSWORD', '[masked secret]' );\ndefine('DB_HOST', 'localhost');"},
			{"wp-config.php", "php", `define('NONCE_SALT', "CANARY and # x \" y");`, `define('NONCE_SALT', "[masked secret]");`},
		} {
			in, want := strings.ReplaceAll(c.in, "CANARY", canary), c.want
			got, findings := Mask(c.name, c.lang, in)
			if canon := strings.NewReplacer("[masked password]", "[masked secret]").Replace; canon(got) != canon(want) || len(findings) != 1 {
				t.Errorf("%s: %q became %q with %v, want %q", c.name, in, got, findings, want)
			}
			if again, more := Mask(c.name, c.lang, got); again != got || len(more) > 0 {
				t.Errorf("%s: a second time %q became %q", c.name, got, again)
			}
		}
	}
}

// Registries take base64 of user:password under the name auth, in manifests as well, and a token before the host of an address.
func TestCredentialsOfRegistriesAreMaskedInAnyFile(t *testing.T) {
	for in, want := range map[string]string{
		`{"auths": {"h": {"auth": "dXNlcjpodW50ZXIyYWJj"}}}`:                        `{"auths": {"h": {"auth": "[masked secret]"}}}`,
		join(".dockerconfigjson: ey", "JhdXRocyI6", "eyJoIjp7ImF1dGgiOiJkWE4ifX19"): ".dockerconfigjson: [masked registry credentials]",
		"index-url = https://q8Zr5LmN2xVb7KpTw3Ys@h.invalid/simple":                 "index-url = https://****@h.invalid/simple",
	} {
		if got, _ := Mask("deploy/x.yaml", "yaml", in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestFilesOfToolsKeepWhatIsNoSecret(t *testing.T) {
	for _, c := range []struct{ name, lang, in string }{
		{".npmrc", "ini", "//registry.example.com/:_authToken=${NPM_TOKEN}"},
		{".npmrc", "ini", "registry=https://registry.example.com/\nauth-type=legacy\n_auth="},
		{".yarnrc.yml", "yaml", "npmAuthToken: \"${NPM_TOKEN-}\"\nnpmAlwaysAuth: true\nnodeLinker: node-modules"},
		{"nuget.config", "xml", `<add key="nuget.org" value="https://api.nuget.org/v3/index.json" />` + "\n" + `<add key="ClearTextPassword" value="%FEED_TOKEN%" />`},
		{"gradle.properties", "ini", "signing.secretKeyRingFile=/home/me/.gnupg/secring.gpg\ntokenizerVersion=1.2\npassword="},
		{"settings.xml", "xml", "<password>${env.DEPLOY_PASSWORD}</password>"},
		{"settings.xml", "xml", "<settings><password/><passwordPolicy>strong</passwordPolicy></settings>"},
		{".bundle/config", "", "BUNDLE_BUILD__NOKOGIRI: \"--use-system-libraries\"\nBUNDLE_WITHOUT: \"development:test\"\nBUNDLE_LOCAL__RACK: \"~/src/rack\""},
		{"app/config", "", "BUNDLE_GEMS__H__INVALID: \"me:word\""},
		{"auth.json", "json", `{"pages": {"example.com": "login"}, "title": "Authentication"}`},
		{"config.json", "json", `{"auth": {"auth": "required"}, "authors": ["me"]}`},
		{"wp-config-sample.php", "php", "define( 'AUTH_KEY', 'put your unique phrase here' );"},
		{"wp-config.php", "php", "define( 'AUTH_KEY', 'put your unique phrase here' );\ndefine('DB_PASSWORD', getenv('DB_PASSWORD'));"},
		{".curlrc", "", "user-agent = \"me: a browser\"\nproxy = http://proxy.invalid:8080"},
		{"a.py", "python", `auth = "basic-authentication"` + "\n" + `"auth": "aW50ZXJuYXRpb25hbGl6YXRpb24="`},
		{"a.js", "javascript", `const url = "https://git@github.com/a/b"; const dsn = "https://9f2b3c4d1a7e4c0b8d5f6a7b8c9d0e1f@o1.ingest.sentry.io/1"`},
		{"a.md", "markdown", "see https://name.surname-of-somebody@h.invalid/"},
	} {
		if got, findings := Mask(c.name, c.lang, c.in); got != c.in || len(findings) > 0 {
			t.Errorf("%s: %q became %q", c.name, c.in, got)
		}
	}
}

// FuzzFields holds the rules of files to what FuzzMask asks of the others.
func FuzzFields(f *testing.F) {
	f.Add(".npmrc", "//r/:_authToken=abc123def456\n_auth=x")
	f.Add("wp-config.php", `define('AUTH_KEY', 'a\'b c');`)
	f.Add(".bundle/config", "BUNDLE_A__B: \"c:d\"")
	f.Add("nuget.config", `<apikeys> key="http://h" value="x y"`)
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(text) > 1<<14 {
			return
		}
		masked, findings := Mask(name, "", text)
		if strings.Count(text, "\n") != strings.Count(masked, "\n") || (masked != text) != (len(findings) > 0) {
			t.Fatalf("%s: %q became %q with %v", name, text, masked, findings)
		}
		if again, more := Mask(name, "", masked); again != masked || len(more) > 0 {
			t.Fatalf("%s: %q, then %q, then %q", name, text, masked, again)
		}
	})
}
