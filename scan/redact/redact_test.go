package redact

import (
	"fmt"
	"strings"
	"testing"
)

// join builds made-up tokens at run time, so that no file of this repository looks as if it held one.
func join(parts ...string) string { return strings.Join(parts, "") }

var (
	fakeAWS    = join("AK", "IA", "EXAMPLE", "EXAMPLE00")
	fakeGitHub = join("gh", "p_", "0123456789abcdefghijklmnopqrstuvwxyz")
	fakeJWT    = join("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0In0", ".", "c2lnbmF0dXJlLW9mLWEtdGVzdA12")
	keyBody    = "b3BlbnNzaC1maXh0dXJlLW5vdC1hLWtleQ=="
	keyBegin   = join("-----BEGIN OPENSSH ", "PRIVATE KEY-----")
	keyEnd     = join("-----END OPENSSH ", "PRIVATE KEY-----")
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"python", `aws_key = "` + fakeAWS + `"`, `aws_key = "[masked aws key]"`},
		{"python", `token = '` + fakeGitHub + `'`, `token = '[masked github token]'`},
		{"go", `// see ` + fakeGitHub + `.`, `// see [masked github token].`},
		{"go", `x := "` + join("sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc") + `"`, `x := "[masked stripe key]"`},
		{"go", `x := "` + join("glp", "at-", "AbCdEf0123456789wxyz") + `"`, `x := "[masked gitlab token]"`},
		{"go", `x := "` + join("xo", "xb-", "123456789012-abcdefghijklmn") + `"`, `x := "[masked slack token]"`},
		{"go", `x := "` + join("AI", "za", "SyA1234567890abcdefghijklmnopqrstuv") + `"`, `x := "[masked google key]"`},
		{"go", `x := "` + join("sk", "-ant-", "api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789") + `"`, `x := "[masked anthropic key]"`},
		{"go", `x := "` + join("sk", "-", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789") + `"`, `x := "[masked api key]"`},
		{"go", `x := "` + join("np", "m_", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789") + `"`, `x := "[masked npm token]"`},
		{"go", `x := "` + join("S", "G.", "abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg") + `"`, `x := "[masked sendgrid key]"`},
		{"go", `x := "` + join("S", "K", "0123456789abcdef0123456789abcdef") + `"`, `x := "[masked twilio key]"`},
		{"go", `bot = "` + join("123456789", ":A", "AHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1") + `"`, `bot = "[masked telegram token]"`},
		{"go", `jwt := "` + fakeJWT + `"`, `jwt := "[masked json web token]"`},
		{"python", `url = 'postgres://svc:fixturepass99@db.invalid/x'`, `url = 'postgres://svc:****@db.invalid/x'`},
		{"go", `"https://oauth2:` + fakeGitHub + `@github.com/a/b"`, `"https://oauth2:****@github.com/a/b"`},
		{"go", `"amqp://u:p%40ss3cret@h:5672/"`, `"amqp://u:****@h:5672/"`},
		{"yaml", "url: redis://:s3cr3tpw@cache:6379", "url: redis://:****@cache:6379"},
		{"go", `"https://hooks.slack.com/services/` + `T00000AB/B00000CD/abcdefghijklmnop12345678"`, `"https://hooks.slack.com/services/[masked slack webhook]"`},
		{"go", `DBPassword: "hunter2-fixture-secret",`, `DBPassword: "[masked password]",`},
		{"go", `const dbPassword string = "S3cure!pw"`, `const dbPassword string = "[masked password]"`},
		{"typescript", `const apiKey: string = "9fK2mQ7xLp04ZtRw8aBc";`, `const apiKey: string = "[masked secret]";`},
		{"python", `password: str = "hunter22"`, `password: str = "[masked password]"`},
		{"python", `if password == "letme1n99":`, `if password == "[masked password]":`},
		{"php", `define('DB_PASSWORD', 'x8#kQz!2vb');`, `define('DB_PASSWORD', '[masked password]');`},
		{"ruby", `:password => "tr0ub4dor&3",`, `:password => "[masked password]",`},
		{"csharp", `"Server=db;User Id=sa;Password=Pa55w0rd!x;"`, `"Server=db;User Id=sa;Password=[masked password];"`},
		{"go", `"host=db user=app password=k3ystone7 sslmode=disable"`, `"host=db user=app password=[masked password] sslmode=disable"`},
		{"ini", "DB_PASSWORD=hunter2-fixture-secret", "DB_PASSWORD=[masked password]"},
		{"yaml", "password: hunter2abc # the old one", "password: [masked password] # the old one"},
		{"yaml", "  client_secret: 'q8Zr5LmN2xVb7KpTw3Ys'", "  client_secret: '[masked secret]'"},
		{"json", `{"api_key": "9fK2mQ7xLp04ZtRw8aBc"}`, `{"api_key": "[masked secret]"}`},
		{"json", `{"config": "{\"password\": \"hunter2abc\"}"}`, `{"config": "{\"password\": \"[masked password]\"}"}`},
		{"bash", "export API_TOKEN=9fK2mQ7xLp04ZtRw8aBc", "export API_TOKEN=[masked secret]"},
		{"dockerfile", "ENV DB_PASSWORD=hunter2abc", "ENV DB_PASSWORD=[masked password]"},
		{"xml", "<password>hunter2abc</password>", "<password>[masked password]</password>"},
		{"xml", `<add key="Password" value="hunter2abc"/>`, `<add key="Password" value="[masked password]"/>`},
		{"bash", `curl -H "Authorization: Bearer 9fK2mQ7xLp04ZtRw8aBcDd"`, `curl -H "Authorization: Bearer [masked authorization]"`},
		{"bash", `curl -H "Authorization: Basic c3ZjOmZpeHR1cmVwYXNzOTk="`, `curl -H "Authorization: Basic [masked authorization]"`},
		{"go", `AccountKey=` + strings.Repeat("aB3+", 21) + `aB==`, `AccountKey=` + strings.Repeat("aB3+", 21) + `aB==`}, // code, no string
		{"go", `c := "AccountName=x;AccountKey=` + strings.Repeat("aB3dE7gH/jK1", 7) + `aB==;"`, `c := "AccountName=x;AccountKey=[masked secret];"`},
		{"text", keyBegin + "\n" + keyBody + "\n" + keyEnd, keyBegin + "\n[masked private key]\n" + keyEnd},
		{"go", "k := `" + keyBegin + "\nProc-Type: 4,ENCRYPTED\n\n" + keyBody + "\n" + "AbC=\n" + keyEnd + "`", "k := `" + keyBegin + "\nProc-Type: 4,ENCRYPTED\n\n[masked private key]\n[masked private key]\n" + keyEnd + "`"},
		{"json", `"key": "` + keyBegin + `\n` + keyBody + `\nAAE=\n` + keyEnd + `\n"`, `"key": "` + keyBegin + `\n[masked private key]\n[masked private key]\n` + keyEnd + `\n"`},
		{"go", "\"" + keyBegin + "\\n\" +\n\t\"" + keyBody + "\\n\" +\n\t\"" + keyEnd + "\"", "\"" + keyBegin + "\\n\" +\n\t\"[masked private key]\\n\" +\n\t\"" + keyEnd + "\""},
	} {
		got, findings := Mask("file", c.lang, c.in)
		if got != c.want {
			t.Errorf("%s:\n in   %q\n got  %q\n want %q", c.lang, c.in, got, c.want)
		}
		if c.in != c.want && len(findings) == 0 {
			t.Errorf("%q: no finding", c.in)
		}
		if again, more := Mask("file", c.lang, got); again != got || len(more) != 0 {
			t.Errorf("masking again changes %q to %q (%v)", got, again, more)
		}
	}
}

func TestMaskLeavesCodeAlone(t *testing.T) {
	for _, c := range []struct{ lang, in string }{
		{"python", `max_tokens = 100`},
		{"python", `def key_for(name): return name + "_key"  # password policy notes`},
		{"python", `password = os.environ["DB_PASSWORD_2024"]`},
		{"python", `connect(password=settings.password2)`},
		{"ini", `DB_PASSWORD=change-me`},
		{"ini", `DB_PASSWORD=`},
		{"ini", `password=${DB_PASSWORD:-x1}`},
		{"yaml", `password: "{{ vault_password_1 }}"`},
		{"yaml", `password: !vault |`},
		{"yaml", `secretName: my-app-tls-2`},
		{"yaml", `token: ${{ secrets.GITHUB_TOKEN }}`},
		{"go", `token := parser.next2()`},
		{"go", `case token == "=>":`},
		{"go", `TokenType: "access_token_v2",`},
		{"go", `const passwordField = "user_password_1"`},
		{"go", `hashKey := "sha256"`},
		{"go", `Secret: "sha256",`},
		{"go", `password := "password"`},
		{"javascript", `{ password: "required", token: 'tokenizer', apiKey: "apiKey" }`},
		{"javascript", `password: 'Please enter your password 2 times'`},
		{"go", `"http://user:password@example.com/"`},
		{"go", `"http://user:pass@host/"`},
		{"go", `fmt.Sprintf("postgres://%s:%s@%s/db", u, p, h)`},
		{"bash", `git clone https://$USER:$TOKEN@github.com/x`},
		{"go", `// http://[::1]:80/a@b and mailto:me@x`},
		{"go", `if strings.HasPrefix(s, "` + keyBegin + `") { return parseOpenSSHPrivateKeyBody(s) }`},
		{"go", `begin = "` + keyBegin + "\"\n\tend = \"" + keyEnd + `"`},
		{"css", `.sk-circle-container-fade-in-delay-12 {}`},
		{"go", `task-0123456789abcdefghijABCDEFGHIJKLMNOP`},
		{"json", `"integrity": "sha512-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/AbCdEf=="`},
		{"yaml", `key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`},
		{"go", `"bearer token of the request 12345678901234567890"`},
		{"javascript", `const Bearer = "Bearer authenticationSchemeName"`},
	} {
		if got, findings := Mask("file", c.lang, c.in); got != c.in || len(findings) != 0 {
			t.Errorf("%s: %q became %q %v", c.lang, c.in, got, findings)
		}
	}
}

func TestMaskCountsAndLines(t *testing.T) {
	in := "a\ntoken = '" + fakeGitHub + "'\n" + keyBegin + "\n" + keyBody + "\n" + keyBody + "\n" + keyEnd + "\nurl = 'x://u:f1xture@h'\n"
	got, findings := Mask("a.py", "python", in)
	if want := "[{github token 2} {private key 4} {url password 7}]"; fmt.Sprint(findings) != want {
		t.Errorf("findings %v, want %s", findings, want)
	}
	if strings.Count(got, "\n") != strings.Count(in, "\n") {
		t.Errorf("lines changed: %q", got)
	}
	for _, secret := range []string{fakeGitHub, keyBody, "f1xture"} {
		if strings.Contains(got, secret[:6]) {
			t.Errorf("part of %q is left in %q", secret, got)
		}
	}
}
