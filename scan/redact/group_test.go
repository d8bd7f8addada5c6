package redact

import "testing"

// TestSecretsInGroupsAreMasked were stored as they stand: a list, a map, a block or a text stood between the name and its value.
func TestSecretsInGroupsAreMasked(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"yaml", "passwords:\n  - Tt12Rr34Ee56\n  - 'hunter22' # old\n", "passwords:\n  - [masked password]\n  - '[masked password]' # old\n"},
		{"yaml", "passwords:\n- Tt12Rr34Ee56\nnext:\n- Uu12Rr34Ee56\n", "passwords:\n- [masked password]\nnext:\n- Uu12Rr34Ee56\n"},
		{"yaml", "secrets:\n  stripe: Dd12Ff34Gg99\n\n  # the other one\n  \"mail\": \"Ee12Ff34Gg99\"\n", "secrets:\n  stripe: [masked secret]\n\n  # the other one\n  \"mail\": \"[masked secret]\"\n"},
		{"yaml", "a:\n  secrets:\n    x: Dd12Ff34Gg99\n  images:\n    x: Ee12Ff34Gg99\n", "a:\n  secrets:\n    x: [masked secret]\n  images:\n    x: Ee12Ff34Gg99\n"},
		{"json", `{"passwords": ["Aa19xlQpw87", "hunter22"]}`, `{"passwords": ["[masked password]", "[masked password]"]}`},
		{"json", "{\"secrets\": {\n \"stripe\": \"Dd12Ff34Gg99\",\n \"mail\": \"Ee12Ff34Gg99\"}}", "{\"secrets\": {\n \"stripe\": \"[masked secret]\",\n \"mail\": \"[masked secret]\"}}"},
		{"python", `PASSWORDS = ["Aa19xlQpw87", "Bn28zzKqp11"]`, `PASSWORDS = ["[masked password]", "[masked password]"]`},
		{"python", `PASSWORDS: list[str] = ["Aa19xlQpw87"]`, `PASSWORDS: list[str] = ["[masked password]"]`},
		{"go", `passwords := []string{"Aa19xlQpw87"}`, `passwords := []string{"[masked password]"}`},
		{"javascript", `const apiKeys = new Set(['r8Kq2LmXv9Bz4TnYw7PsHd3J'])`, `const apiKeys = new Set(['[masked secret]'])`},
		{"javascript", `secrets: {stripe: 'r8Kq2LmXv9Bz4TnYw7PsHd3J'}`, `secrets: {stripe: '[masked secret]'}`},
		{"ruby", `PASSWORDS = { "me" => "Aa19xlQpw87" }`, `PASSWORDS = { "me" => "[masked password]" }`},
		{"yaml", "password: >\n  Pp12Aa34Ss56\n", "password: >\n  [masked password]\n"},
		{"yaml", "- password: |-\n    hunter22\n  user: joe22\n", "- password: |-\n    [masked password]\n  user: joe22\n"},
		{"yaml", "client_secret: |\r\n  q8Zr5LmN2xVb7KpTw3Ys\r\n", "client_secret: |\r\n  [masked secret]\r\n"},
		{"hcl", `variable "db_password" { default = "hunter22" }`, `variable "db_password" { default = "[masked password]" }`},
		{"hcl", "variable \"db_password\" {\n  description = \"a {b} }\"\n  validation {\n    value = \"a1b2c3\"\n  }\n  default     = \"hunter22\"\n}", "variable \"db_password\" {\n  description = \"a {b} }\"\n  validation {\n    value = \"a1b2c3\"\n  }\n  default     = \"[masked password]\"\n}"},
		{"hcl", "variable \"datadog_api_key\" {\n  type = string\n  default = \"755d05ad7853c1f76eb97706ca828bca\"\n}", "variable \"datadog_api_key\" {\n  type = string\n  default = \"[masked secret]\"\n}"},
		{"json", `{"adminPassword": {"value": "P@ssw4rd!x"}}`, `{"adminPassword": {"value": "[masked password]"}}`},
		{"yaml", "DBPassword:\n  Type: String\n  Default: hunter22\n", "DBPassword:\n  Type: String\n  Default: [masked password]\n"},
		{"hcl", `secret_string = "winter2024"`, `secret_string = "[masked password]"`},
		{"python", `client_secret = "mySup3rS3cretStr1ng"`, `client_secret = "[masked secret]"`},
		{"java", `String ENC_KEY = "9Vg8WnOnqQfkplJekaACSMEscosTsS3D";`, `String ENC_KEY = "[masked secret]";`},
	} {
		checkMask(t, c.lang, c.in, c.want)
	}
}

// What stands in groups under such names, and is none, stays.
func TestWordsInGroupsStay(t *testing.T) {
	for _, c := range []struct{ lang, in string }{
		{"yaml", "passwords:\n  - ${PW1}\n  - changeme\n  - <password1>\n  - two words1\n"},
		{"yaml", "passwords:\n  min: 8\n  policy: strict\n"},
		{"yaml", "secrets:\n  db_password:\n    file: ./db2.txt\n  other:\n    external: true\n"},
		{"yaml", "secrets:\n  TOKEN: ${{ secrets.TOKEN2 }}\n"},
		{"yaml", "secrets: inherit\nname: Zq44mvT4bx\n"},
		{"yaml", "tokens:\n  - NUMBER123\n  - sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n"},
		{"json", `{"js-tokens": {"version": "4.0.0", "integrity": "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW/PKQ=="}}`},
		{"json", `{"secrets": ["sha1-mGbfOVECEw449/mWvOtlRDIJwls="]}`},
		{"python", `tokens = ["NUMBER123", "STRING456"]`},
		{"go", `tokens: []string{"%e7%ac%ac%e4%b8%80%e7%89%88", eof},`},
		{"python", `passwords = ["hunter2", "password1", "Password123"]`},
		{"python", `passwords = [make("Aa19xlQpw87")]`},
		{"python", `PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]`},
		{"python", `passwords = ["` + "\n" + `Aa19xlQpw87"]`},
		{"yaml", "pass_str: |\n  select\n    a.col1,\n    b.col2\n"},
		{"yaml", "password: |\n  must have 8 characters\n"},
		{"yaml", "password: >\nnext: hunter22\n"},
		{"yaml", "password: |\n  ${PW1}\n"},
		{"yaml", "token: |\n  AccessTokenV2Reader\n"},
		{"hcl", `variable "db_password" { default = "" }`},
		{"hcl", "variable \"db_password\" {\n  type = string\n}\nvariable \"x\" {\n  default = \"hunter22\"\n}"},
		{"hcl", `variable "db_password" { default = var.password2 }`},
		{"json", `{"password": {"type": "string", "default": "changeme"}, "port": {"default": "hunter22"}}`},
		{"json", `{"password": {"rules": {"default": "hunter22"}}}`},
		{"yaml", "password:\n  type: string\n  description: Zq44mvT4bx\n"},
		{"typescript", `password: { type: String, default: defaultPassword2 }`},
		{"javascript", `secret: "Utf8ToUtf16Converter", token: "Base64ToSha256Digest"`},
	} {
		checkMask(t, c.lang, c.in, c.in)
	}
}
