package redact

import (
	"strings"
	"testing"
)

// TestPasswordsInPlainWordsAreMasked were stored as they stand: passwords that people write into documents.
func TestPasswordsInPlainWordsAreMasked(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"the database password is correct-horse-battery", "the database password is [masked password]"},
		{"The password is `correct horse battery staple`.", "The password is `[masked password]`."},
		{"- Password: hunter2", "- Password: [masked password]"},
		{"1. DB password: swordfish", "1. DB password: [masked password]"},
		{"**Password:** hunter2", "**Password:** [masked password]"},
		{"**Password**: `hunter2`", "**Password**: `[masked password]`"},
		{"*Passphrase* = hunter2", "*Passphrase* = [masked password]"},
		{":Password: hunter2", ":Password: [masked password]"},
		{"The password is **hunter2**.", "The password is **[masked password]**."},
		{"The password for the staging host is Winter2024!", "The password for the staging host is [masked password]"},
		{"password of bob: tr0ub4dor", "password of bob: [masked password]"},
		{"Password (admin): hunter2", "Password (admin): [masked password]"},
		{"the password was set to P@ssword!", "the password was set to [masked password]"},
		{"use password hunter2 to log in", "use password [masked password] to log in"},
		{"with the password ``VagrantWord1``", "with the password ``[masked password]``"},
		{"The default password is \"swordfish\".", "The default password is \"[masked password]\"."},
		{"    -e DB_PASSWORD=swordfish \\", "    -e DB_PASSWORD=[masked password] \\"},
		{"PGPASSWORD=swordfish psql -h db", "PGPASSWORD=[masked password] psql -h db"},
		{"export MYSQL_PWD='rosebud'", "export MYSQL_PWD='[masked password]'"},
		{`-d '{"user":"me","password":"swordfish"}'`, `-d '{"user":"me","password":"[masked password]"}'`},
		{"API key: 9fK2mQ7xLp04", "API key: [masked secret]"},
		{"The api key is `ab12cd34ef56`.", "The api key is `[masked secret]`."},
		{"DB_PASSWORD=tr0ub4dor&3", "DB_PASSWORD=[masked password]"},
		{"GET /in?password=hunter22&user=bob", "GET /in?password=[masked password]&user=bob"},
		{"psql postgres://me:swordfish@db/x", "psql postgres://me:****@db/x"},
		{`curl -H "Authorization: Basic dXNlcjpzd29yZGZpc2g="`, `curl -H "Authorization: Basic [masked authorization]"`},
		{"mysql -u root -pswordfish db", "mysql -u root -p[masked password] db"},
		{"mysqldump -uroot -phunter2", "mysqldump -uroot -p[masked password]"},
		{"docker login -u me -p hunter2", "docker login -u me -p [masked password]"},
		{"redis-cli -a hunter2", "redis-cli -a [masked password]"},
		{"Then login with admin / S3cr3t!", "Then login with admin / [masked password]"},
		{"log in as bob with hunter22", "log in as bob with [masked password]"},
		{"Sign in with bob@example.com / Sommer2023", "Sign in with bob@example.com / [masked password]"},
		{"credentials: `admin` / `hunter22`", "credentials: `admin` / `[masked password]`"},
		{"Credentials are admin:hunter22", "Credentials are admin:[masked password]"},
		{"username/password: bob/hunter22", "username/password: bob/[masked password]"},
		{"| user | admin | password | s3cret |", "| user | admin | password | [masked password] |"},
		{"| **Password** | `hunter2` |", "| **Password** | `[masked password]` |"},
		{"| User | Password |\n|------|---------:|\n| root | rosebud |\n| bob | hunter2 |\n| eve | - |\n\nhunter2",
			"| User | Password |\n|------|---------:|\n| root | [masked password] |\n| bob | [masked password] |\n| eve | - |\n\nhunter2"},
		{"+----+----------+\n| Host | Password |\n+====+==========+\n| a | tr0ub4 |\n+----+----------+\n| b | s3cret |\n+----+----------+",
			"+----+----------+\n| Host | Password |\n+====+==========+\n| a | [masked password] |\n+----+----------+\n| b | [masked password] |\n+----+----------+"},
	} {
		for _, lang := range []string{"markdown", "rst", "text", ""} { // the last one is a message of a commit
			got, found := Mask("", lang, c.in)
			if got != c.want || len(found) == 0 {
				t.Errorf("%s:\n in   %q\n got  %q %v\n want %q", lang, c.in, got, found, c.want)
			}
			if again, more := Mask("", lang, got); again != got || len(more) != 0 {
				t.Errorf("masking again changes %q to %q", got, again)
			}
		}
	}
}

// What documentation says of passwords, and writes in the place of one, stays.
func TestSentencesAboutPasswordsStay(t *testing.T) {
	for _, in := range strings.Split(`The password is hashed with SHA-256 before it is stored.
The password is required.
The token is case-insensitive.
The password is end-to-end encrypted.
The password is write-only-once-set here.
A password is 8-character long, or 12characters.
password: 16bytes
- Password: required
- Password: string
- `+"`password`"+`: the user's password
- `+"`es.password` *optional*"+` (default empty)
Password: <your password>
Password: ***
Password: xxxx
Password: null
Password: your_password1
password: my-secret-pw
Password: what is it?
Is the password known?
Why is a token needed?
password: ${DB_PASSWORD}
password = os.environ["DB_PASSWORD2"]
password: config.password2,
password: z.string().min(8),
    let password: String
def login(user: str, password: str = None):
'password' => 'required|min:8|confirmed',
validate: {'password': 'min:8'}
POSTGRES_PASSWORD=example
MYSQL_RANDOM_ROOT_PASSWORD=yes
MYSQL_ROOT_PASSWORD=my-secret-pw
SECRET_KEY=changeme
UPLOAD_PASSWORD='pypi-***' upload
file:a.db?_auth_pass=admin&_auth_crypt=sha1
We also need to pass `+"`batch=1`"+` as a parameter.
just_a_pass:'just_a_pass' is too complex
See the password documentation, RFC7519 and PBKDF2.
The password uses argon2id; the token OAuth2.
password base64 encoded
the password from v1.2.3
password: see docs/auth2.md
the password file dev2.pem
Login with OAuth2 / SAML2 is supported.
Login with user/repo2 names.
log in as root and run apt-get2
sign in to v2 of the console
login: see https://example.com/a1b2c3
credentials: admin / admin
username and password are `+"`admin/admin`"+`
docker run --name mysql -p3306:3306 -p 127.0.0.1:27017:27017 mongo
mysql -u root -p mydatabase01
ls -a hunter2
| Name | Type | Required |
| password | string | yes |
| token | 12 chars | a1b2c3 |
| Feature | Password | Certificate |
|---|---|---|
| Windows | Yes | supported |`, "\n") {
		for _, lang := range []string{"markdown", "rst", ""} {
			if got, found := Mask("", lang, in); got != in {
				t.Errorf("%s: %q became %q %v", lang, in, got, found)
			}
		}
	}
}

// A comment of code is written for people too, but what stands in it is code far more often: only the form of a password counts there.
func TestPasswordsInCommentsOfCode(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"python", "    # the password for bob is hunter22", "    # the password for bob is [masked password]"},
		{"go", "\t// Password: `hunter2`", "\t// Password: `[masked password]`"},
		{"go", "\t// password: swordfish", "\t// password: swordfish"},
		{"go", "\tpassword is hunter22", "\tpassword is hunter22"},
		{"python", "# the token is field22", "# the token is field22"},
		{"c", "* password hunter22", "* password hunter22"},
	} {
		if got, _ := Mask("", c.lang, c.in); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.lang, c.in, got, c.want)
		}
	}
}
