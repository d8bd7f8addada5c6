//go:build unix

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// canaries makes secrets of many kinds. They are put together here so that no source file holds one.
type canaries struct {
	random *rand.Rand
	all    map[string]string // the part that must never appear, by kind
}

// draw is a text of n characters of an alphabet.
func (c *canaries) draw(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[c.random.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hexes  = "0123456789abcdef"
)

// keep notes a secret and returns prefix and secret joined.
func (c *canaries) keep(kind, prefix, secret string) string {
	c.all[kind] = secret
	return prefix + secret
}

// pem is a private key of a kind.
func (c *canaries) pem(kind, label string) string {
	body := make([]byte, 96)
	for i := range body {
		body[i] = byte(c.random.IntN(256))
	}
	encoded := base64.StdEncoding.EncodeToString(body)
	c.all[kind], c.all[kind+", last line"] = encoded[:64], encoded[64:]
	dashes := strings.Repeat("-", 5)
	line := func(word string) string { return dashes + word + " " + label + " PRIVATE " + "KEY" + dashes + "\n" }
	return line("BEGIN") + encoded[:64] + "\n" + encoded[64:] + "\n" + line("END")
}

// plant writes a tree full of secrets and returns how many values it expects to be masked at least.
func (c *canaries) plant(tl *tool) (masked int) {
	code := []string{`def connect_services():`, `    """Opens them all."""`}
	add := func(format string, value string) {
		code = append(code, fmt.Sprintf("    "+format, value))
		masked++
	}
	add(`aws_id = "%s"`, c.keep("aws id", "AK"+"IA", c.draw(16, upper)))
	add(`aws_secret_access_key = "%s"`, c.keep("aws secret", "", c.draw(40, letter)))
	add(`github = '%s'`, c.keep("github", "gh"+"p_", c.draw(36, letter)))
	add(`fine = "%s"`, c.keep("github fine-grained", "github"+"_pat_", c.draw(22, letter)+"_"+c.draw(59, letter)))
	add(`gitlab = "%s"`, c.keep("gitlab", "gl"+"pat-", c.draw(20, letter)))
	add(`slack = "%s"`, c.keep("slack", "xo"+"xb-"+c.draw(12, "0123456789")+"-"+c.draw(12, "0123456789")+"-", c.draw(24, letter)))
	add(`hook = "%s"`, c.keep("slack hook", "https://hooks.slack"+".com/services/T"+c.draw(8, upper)+"/B"+c.draw(8, upper)+"/", c.draw(24, letter)))
	add(`stripe = "%s"`, c.keep("stripe", "sk_"+"live_", c.draw(24, letter)))
	add(`google = "%s"`, c.keep("google", "AI"+"za", c.draw(35, letter)))
	add(`openai = "%s"`, c.keep("openai", "sk"+"-proj-", c.draw(48, letter)))
	add(`anthropic = "%s"`, c.keep("anthropic", "sk"+"-ant-api03-", c.draw(93, letter)+"AA"))
	add(`npm = "%s"`, c.keep("npm", "np"+"m_", c.draw(36, letter)))
	add(`pypi = "%s"`, c.keep("pypi", "py"+"pi-AgEIcHlwaS5vcmc", c.draw(60, letter)))
	add(`sendgrid = "%s"`, c.keep("sendgrid", "S"+"G."+c.draw(22, letter)+".", c.draw(43, letter)))
	add(`jwt = "%s"`, c.keep("jwt", "ey"+"JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.", c.draw(43, letter)))
	add(`url = 'postgres://svc:%s@db.invalid/main'`, c.keep("url password", "", "pw"+c.draw(10, letter)))
	add(`mongo = "mongodb+srv://root:%s@cluster.invalid"`, c.keep("mongo password", "", c.draw(14, letter)))
	add(`header = {"Authorization": "Bearer %s"}`, c.keep("bearer", "", c.draw(40, letter)))
	code = append(code, `    max_tokens = 100`, `    return aws_id, github`)
	tl.write("app/services.py", lines(code...))

	tl.write("config/prod.yaml", lines("database:", "  host: db.invalid", "  password: "+c.keep("yaml password", "", c.draw(20, letter)),
		"token: "+c.keep("yaml token", "", c.draw(32, hexes)), "retries: 3"))
	tl.write("config/app.json", `{"apiKey": "`+c.keep("json key", "", c.draw(32, letter))+`", "timeout": 30}`+"\n")
	tl.write("config/app.properties", "db.password="+c.keep("properties password", "", c.draw(18, letter))+"\ndb.pool=4\n")
	tl.write("config/settings.toml", "[auth]\nclient_secret = \""+c.keep("toml secret", "", c.draw(40, letter))+"\"\nport = 8080\n")
	tl.write("config/app.ini", "[mail]\npassword = "+c.keep("ini password", "", c.draw(16, letter))+"\n")
	tl.write("infra/main.tf", "variable \"x\" {}\nresource \"db\" \"main\" {\n  password = \""+c.keep("terraform password", "", c.draw(20, letter))+"\"\n}\n")
	tl.write("docker-compose.yml", "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD="+c.keep("compose password", "", c.draw(18, letter))+"\n")
	tl.write("src/Keys.java", "class Keys {\n  static final String PEM = \"\"\"\n"+c.pem("key in code", "RSA")+"\"\"\";\n  int afterKey() { return 1; }\n}\n")
	tl.write("docs/howto.md", "# How to\n\nExport `GITHUB_TOKEN="+c.keep("token in a document", "gh"+"o_", c.draw(36, letter))+"` first.\n\nThe password of the old database is "+
		c.keep("words in a sentence", "", "violet-hammer-canyon")+".\n\n| User | Password |\n|---|---|\n| root | "+c.keep("word in a table", "", "rosebudcanary")+" |\n")
	tl.write("win/settings.cs", utf16Bytes("class S {\r\n  string t = \""+c.keep("utf-16", "gh"+"s_", c.draw(36, letter))+"\";\r\n}\r\n", true))
	tl.write("lab/run.ipynb", `{"cells":[{"cell_type":"code","metadata":{},"outputs":[],"source":["tok = '`+c.keep("notebook", "gh"+"u_", c.draw(36,
		letter))+`'\n","def lab_run():\n","    pass"]}],"metadata":{"kernelspec":{"language":"python","name":"p"}},"nbformat":4,"nbformat_minor":5}`+"\n")
	tl.write("ci/deploy.sh", "#!/bin/sh\ncurl -u deploy:"+c.keep("curl user", "", c.draw(16,
		letter))+" https://host.invalid/up\nexport AZURE='DefaultEndpointsProtocol=https;AccountName=a;AccountKey="+c.keep("azure", "", c.draw(86,
		letter))+"=="+"'\n")
	masked += 15

	// Files that are left out as a whole.
	for name, text := range map[string]string{
		".env": "DB_PASSWORD=" + c.keep("env", "", "open-"+c.draw(12,
			letter)) + "\nPLAIN=1\n", "svc/.env.production": "KEY=" + c.keep("env of a stage", "", c.draw(20, letter)) + "\n",
		"deploy/id_ed25519": c.pem("key file", "OPENSSH"), "certs/server.pem": c.pem("pem file",
			"EC"), "home/.netrc": "machine h.invalid login me password " + c.keep("netrc", "", c.draw(14, letter)) + "\n",
		"store/app.keystore": "\xfe\xed" + c.keep("keystore", "", c.draw(30, letter)), ".git-credentials": "https://me:" + c.keep("git credentials",
			"", c.draw(20, letter)) + "@host.invalid\n",
	} {
		tl.write(name, text)
	}
	tl.write(".env.example", "DB_PASSWORD=change-me\n")
	return masked
}

// credentialFiles are the planted files that must not be opened at all.
var credentialFiles = []string{".env", "svc/.env.production", "deploy/id_ed25519", "certs/server.pem", "home/.netrc", "store/app.keystore", ".git-credentials"}

func TestNoSecretIsWrittenOrShown(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl = tl.with("AGENVANTAGE_LOG_LEVEL=debug")
	c := &canaries{random: rand.New(rand.NewPCG(11, 23)), all: map[string]string{}}
	expected := c.plant(tl)
	tl.write("app/harmless.py", pyFunc("harmless_canary_marker"))
	for _, name := range []string{"app/services.py", "config/prod.yaml", "config/app.json", "config/app.properties", "config/settings.toml",
		"config/app.ini", "infra/main.tf", "docker-compose.yml", "src/Keys.java",
		"docs/howto.md", "win/settings.cs", "ci/deploy.sh"} {
		tl.altered[name] = true
	}
	tl.commit()
	s := tl.index()
	if s.Masked < expected {
		t.Errorf("%d values are counted as masked, %d were planted", s.Masked, expected)
	}
	if s.Skipped["credential"] != len(credentialFiles) {
		t.Errorf("%d credential files counted, %d were planted", s.Skipped["credential"], len(credentialFiles))
	}
	for _, name := range credentialFiles {
		tl.wantSkipped(name, "credential")
	}

	// The code around the secrets stays, at its lines.
	h := tl.wantSymbol("connect_services", symbolPlace{path: "app/services.py", start: 1, kinds: "function"})
	raw, _ := os.ReadFile(tl.path("app/services.py"))
	if n := strings.Count(string(raw), "\n"); h.End != n || strings.Count(h.Text, "\n") != n-1 || !strings.Contains(h.Text,
		"max_tokens = 100") || !strings.Contains(h.Text, "db.invalid/main") {
		t.Errorf("masking changes the lines of %v:\n%s", h, h.Text)
	}
	tl.wantSymbol("afterKey", symbolPlace{path: "src/Keys.java", start: 8})
	tl.find("lab_run", "lab/run.ipynb")
	for word, path := range map[string]string{"retries": "config/prod.yaml", "pool": "config/app.properties", "port 8080": "config/settings.toml",
		"POSTGRES_PASSWORD": "docker-compose.yml", "aws_secret_access_key": "app/services.py"} {
		tl.find(word, path)
	}

	// Every question that may come near: by names, by the secrets themselves and by their pieces.
	var near, secrets, pieces []string
	near = append(near, "password", "token", "aws_id", "PRIVATE KEY", "postgres svc db.invalid", "bearer authorization", "DB_PASSWORD", "apiKey",
		"/password.*/", "/[A-Za-z0-9]{20,}/", "AccountKey")
	for _, secret := range c.all {
		secrets = append(secrets, secret)
		for _, piece := range regexp.MustCompile(`[A-Za-z0-9]{8,}`).FindAllString(secret, -1) {
			pieces = append(pieces, piece[1:], strings.ToLower(piece), `"`+piece[2:]+`"`)
		}
	}
	shown := ""
	for _, channels := range []string{"", "exact", "bm25f"} {
		for _, a := range tl.batch(ask{channels: channels, topK: 60, explain: true}, questions(near...)...) {
			for _, h := range a.Results {
				shown += h.Text + h.Signature + h.Doc + h.Symbol
			}
		}
		for _, a := range tl.batch(ask{channels: channels, topK: 60}, questions(append(secrets, pieces...)...)...) {
			for _, h := range a.Results {
				if channels == "exact" {
					t.Errorf("a piece of a secret is in the index: %q finds %v", a.Query, h)
				}
				shown += h.Text + h.Signature + h.Doc + h.Symbol
			}
		}
	}
	said := tl.run("", append(tl.flags("search"), "--", "password token secret key")...)
	shown += said.stdout + said.stderr + tl.run("", tl.flags("status")...).stdout + tl.run("", tl.flags("files")...).stdout
	stored := tl.storedBytes(t)
	for _, path := range filesBelow(t, tl.home(), filepath.Join(tl.base, "tmp")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stored[path] = text
	}
	seen := false
	for _, text := range stored {
		seen = seen || bytes.Contains(text, []byte("def harmless_canary_marker"))
	}
	if !seen {
		t.Error("the harmless marker is not seen in what is stored: this test looks at nothing")
	}
	for kind, secret := range c.all {
		for _, form := range []string{secret, strings.ToLower(secret)} {
			if strings.Contains(shown, form) || strings.Contains(s.run.stdout+s.run.stderr, form) {
				t.Errorf("%s: shown", kind)
			}
			for path, text := range stored {
				if bytes.Contains(text, []byte(form)) {
					t.Errorf("%s: stored in %s", kind, strings.TrimPrefix(path, tl.base))
				}
			}
		}
	}
	// A forgotten temporary file would be a place to leak from.
	if left := filesBelow(t, filepath.Join(tl.base, "tmp")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// What a generator draws has no pattern: now and then it has few digits, or runs of letters that look like words.
func TestDrawnSecretsAreMaskedWhateverTheyLookLike(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	c := &canaries{random: rand.New(rand.NewPCG(5, 8)), all: map[string]string{}}
	const each = 40
	write := func(name, format, alphabet string, length int) {
		var b strings.Builder
		for i := range each {
			fmt.Fprintf(&b, format, i, c.keep(fmt.Sprintf("%s, line %d", name, i+1), "", c.draw(length, alphabet)))
		}
		tl.write(name, b.String())
	}
	write("conf/keys.json", "{\"service%d\": {\"apiKey\": \"%s\"}}\n", letter, 32)
	write("conf/tokens.yaml", "service%d:\n  access_token: %s\n", letter, 40)
	write("app/clients.py", "client_%d_secret = \"%s\"\n", letter, 40)
	write("conf/aws.ini", "[p%d]\naws_secret_access_key = %s\n", letter+"+/", 40)
	write("conf/db.properties", "db%d.password=%s\n", letter, 16)
	for _, name := range []string{"conf/keys.json", "conf/tokens.yaml", "app/clients.py", "conf/aws.ini", "conf/db.properties"} {
		tl.altered[name] = true
	}
	tl.commit()
	tl.index()
	stored := tl.storedBytes(t)
	missed := map[string]int{}
	for kind, secret := range c.all {
		for _, text := range stored {
			if bytes.Contains(text, []byte(secret)) {
				missed[strings.Split(kind, ",")[0]]++
				break
			}
		}
	}
	for name, count := range missed {
		if count > 1 { // one in forty may look like a word and a number
			t.Errorf("%s: %d of %d secrets are stored", name, count, each)
		}
	}
}

// Masking what is no secret would make code unfindable; the check of each answer compares these files with the disk.
func TestOrdinaryCodeIsNotMasked(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"keys.py": lines(`def key_for(name): return name + "_key"  # password policy notes`, `password = os.environ["APP_PASSWORD"]`,
			`token = get_token(user)`, `api_key = None`, `secret_name = "database-credentials"`,
			`PASSWORD_FIELD = "password_confirmation"`, `def reset_password(old_password, new_password): pass`, `max_tokens = 100`, `token_type = "bearer"`),
		"hash.go": lines(`package hash`, ``, `// Digest of the empty text.`,
			`const Empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `const ID = "123e4567-e89b-12d3-a456-426614174000"`,
			`var commit = "da39a3ee5e6b4b0d3255bfef95601890afd80709"`),
		"conf.yaml": lines(`image: registry.invalid/app@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`,
			`secretName: tls-cert`, `password: ${DB_PASSWORD}`, `passwordFile: /run/secrets/db`, `tokenEndpoint: https://host.invalid/oauth/token`),
		"pub.txt": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFa me@host.invalid\n",
		"test.ts": "const masked = 'password: ********'; export const isSecret = (key: string) => /secret|token/i.test(key)\n",
	})
	tl.commit()
	s := tl.index()
	if s.Masked > 0 {
		t.Errorf("%d values of ordinary code are masked", s.Masked)
	}
	for word, path := range map[string]string{"key_for": "keys.py", "reset_password": "keys.py", "APP_PASSWORD": "keys.py",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855": "hash.go",
		"passwordFile": "conf.yaml", "isSecret": "test.ts", "DB_PASSWORD": "conf.yaml", "123e4567-e89b-12d3-a456-426614174000": "hash.go"} {
		tl.find(word, path)
	}
}
