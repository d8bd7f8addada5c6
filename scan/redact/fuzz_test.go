package redact

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzMask checks what must hold for any text: valid UTF-8 stays valid, lines stay, and masking twice is masking once.
func FuzzMask(f *testing.F) {
	for _, s := range []string{"", "token = '" + fakeGitHub + "'", `password = "hunter2abc"`, "a://b:secret9@c", keyBegin + "\n" + keyBody + "\n" + keyEnd, fakeAWS + fakeGitHub, fakeJWT,
		"Authorization: Bearer 9fK2mQ7xLp04ZtRw8aBcDd", "password: größe12 # x", `"api_key": "9fK2mQ7xLp04ZtRw8aBc"`, "<password>hunter2abc</password>", "Password=Pa55w0rd!x;", "curl -u me:hunter2abc x", `["curl", "-u", "me:hunter2abc"]`, "tool --password hunter2abc", "secret: /bPxRfiCYqT9mLw2KzVn4uHs", "export API_TOKEN=9fK2mQ7xLp04ZtRw8aBc;",
		"the password for a is **hunter22**.", "| User | Password |\n|---|---|\n| a | hunter2 |", "|password|s3cret|", "log in as bob / hunter22", "credentials: `a`:`hunter22`", "PGPASSWORD=swordfish&a=b", "password is `correct horse battery staple`", "mysql -phunter2",
		"the password (Zq13mvT4bx)", "pw: Zq14mvT4bx", "use Zq55mvT4bx as the password", "<password>Zq20mvT4bx</password>", `<add key="Password" value="Zq20mvT4bx"/>`, "ENV API_TOKEN Zq67mvT4bx", "- name: DB_PASSWORD\n  value: Zq27mvT4bx",
		"x: {name: joe, password: Zq28mvT4b, port: 1}", "Password:\n\n```\nZq29mvT4bx\n```", `getConnection("x","root","Zq22mvT4bx")`, `setPassword("Zq24mvT4bx")`, "contraseña: Zq30mvT4bx пароль=Zq31mvT4bx mot de passe : Zq32mvT4bx senha é Zq33mvT4bx",
		"passwords:\n  - hunter22\n- x", "secrets: {a: 'Dd12Ff34Gg99', \"b\" => \"x\"}", "- password: |-\n    hunter22\n", `variable "db_password" { default = "hunter22" }`, "DBPassword:\n  Default: hunter22", `f("root", "password", "x1y2z3")`,
		`new mysqli("a", "b", 'hunter22', "c")`, "basic_auth: joe:hunter22", "root:hunter22@tcp(db)/x", "jdbc:oracle:thin:a/hunter22@db", "Set-Cookie: a; sid=kSt5bcuYdswxBjpHAKRYlklfN3; b", `cookies={"sid": "kSt5bcuYdswxBjpHAKRYlklfN3"}`,
		"echo -n 'a:hunter22' | chpasswd", "echo hunter22 | docker login --password-stdin", "htpasswd -nb joe hunter22", "openssl -k hunter22", "smbclient -U joe%hunter22", "http -a ci:hunter22", "ansible-vault encrypt_string 'hunter22'"} {
		for _, lang := range []string{"go", "yaml", "bash", "xml", "text"} {
			f.Add(lang, s)
		}
	}
	f.Fuzz(func(t *testing.T, lang, text string) {
		if len(text) > 1<<16 {
			return
		}
		masked, findings := Mask("name", lang, text)
		if utf8.ValidString(text) && !utf8.ValidString(masked) {
			t.Fatalf("%q became invalid: %q", text, masked)
		}
		if strings.Count(text, "\n") != strings.Count(masked, "\n") {
			t.Fatalf("%q has other lines than %q", masked, text)
		}
		if (masked != text) != (len(findings) > 0) {
			t.Fatalf("%q became %q with findings %v", text, masked, findings)
		}
		for _, found := range findings {
			if found.Line < 1 || found.Line > 1+strings.Count(text, "\n") || found.Kind == "" {
				t.Fatalf("finding %+v", found)
			}
		}
		if again, more := Mask("name", lang, masked); again != masked || len(more) > 0 {
			t.Fatalf("masking %q again gives %q", masked, again)
		}
	})
}

// TestMaskIsLinear guards against texts that make a rule look at the same bytes again and again.
func TestMaskIsLinear(t *testing.T) {
	for name, unit := range map[string]string{"names": "password", "assignments": "key=", "quotes": `token="`, "urls": "a://b:", "blocks": "-----BEGIN RSA PRIV" + "ATE KEY-----", "starts": "eyJ", "colons": "secret: ", "users": " -u a:b", "flags": "--token ", "long name": "a_", "one line": `x.token = "abc", `, "flow": "{a, password: b ", "terms": "pw: ",
		"as": "as the password ", "fields": "name: password\nvalue", "calls": "getConnection(", "lines": "password:\n",
		"groups": "secrets: ", "open groups": "secrets={a:'b',", "items": "secrets:\n - a\n", "deep": "  secrets:\n", "texts": "secret: |\n  a\n", "blocks of names": "\"password\": {", "more calls": "connect('a',", "cookies": "Cookie: a=b; ", "cookie": "cookie=",
		"pipes": "echo a | chpasswd ", "stdin": " --password-stdin", "htpasswd": "htpasswd -b ", "drivers": "a:b@tcp(", "oracle": "oracle:thin:a/", "users of shares": " -u a%hunter22", "basic": "basic_auth: a:"} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		began := time.Now()
		Mask("a", "yaml", text)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: %v for 1 MiB", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}
