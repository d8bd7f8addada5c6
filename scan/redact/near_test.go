package redact

import "testing"

// TestPasswordsNearTheirNamesAreMasked were stored as they stand: nothing gave them to their name but the place.
func TestPasswordsNearTheirNamesAreMasked(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"markdown", "Run `curl -u admin:Zq8kTr42xw https://h.invalid`.", "Run `curl -u admin:[masked password] https://h.invalid`."},
		{"text", "curl --user \"admin:hunter22\" https://h.invalid", "curl --user \"admin:[masked password]\" https://h.invalid"},
		{"markdown", "the root password (Zq13mvT4bx)", "the root password ([masked password])"},
		{"markdown", "log in (password Zq51mvT4bx) as root", "log in (password [masked password]) as root"},
		{"markdown", "Password (\"Zq79mvT4bx\")", "Password (\"[masked password]\")"},
		{"markdown", "The token (`Zq13mvT4bx8Lp`) works", "The token (`[masked secret]`) works"},
		{"markdown", "<password>hunter22</password>", "<password>[masked password]</password>"},
		{"java", " * <wsse:Password>Zq20mvT4bx</wsse:Password>", " * <wsse:Password>[masked password]</wsse:Password>"},
		{"markdown", `<add key="Password" value="Zq21mvT4bx"/>`, `<add key="Password" value="[masked password]"/>`},
		{"markdown", "PASSWORD Zq54mvT4bx", "PASSWORD [masked password]"},
		{"markdown", "Use Zq55mvT4bx as the password.", "Use [masked password] as the password."},
		{"markdown", "Use\n`Zq55mvT4bx` as the\nnew root password.", "Use\n`[masked password]` as the\nnew root password."},
		{"python", "# take Zq55mvT4bx as password", "# take [masked password] as password"},
		{"text", "machine h.invalid login me password Zq63mvT4bx", "machine h.invalid login me password [masked password]"},
		{"dockerfile", "ENV MYSQL_ROOT_PASSWORD hunter22", "ENV MYSQL_ROOT_PASSWORD [masked password]"},
		{"dockerfile", "FROM a\nENV API_TOKEN \"Zq67mvT4bx\"\n", "FROM a\nENV API_TOKEN \"[masked secret]\"\n"},
		{"markdown", "    ENV DB_PASSWORD Zq66mvT4bx", "    ENV DB_PASSWORD [masked password]"},
		{"yaml", "- name: DB_PASSWORD\n  value: Zq27mvT4bx", "- name: DB_PASSWORD\n  value: [masked password]"},
		{"yaml", "- name: API_TOKEN\r\n  value: \"q8Zr5LmN2xVb7KpTw3Ys\"", "- name: API_TOKEN\r\n  value: \"[masked secret]\""},
		{"json", `{"name": "DB_PASSWORD", "value": "hunter22"}`, `{"name": "DB_PASSWORD", "value": "[masked password]"}`},
		{"hcl", "name = \"DB_PASSWORD\"\nvalue = \"hunter22\"", "name = \"DB_PASSWORD\"\nvalue = \"[masked password]\""},
		{"yaml", "a: {name: joe, password: hunter22}", "a: {name: joe, password: [masked password]}"},
		{"yaml", "a: [{password: Zq28kT4b, port: 1}]", "a: [{password: [masked password], port: 1}]"},
		{"markdown", "Password:\nZq29mvT4bx\n", "Password:\n[masked password]\n"},
		{"markdown", "**Password:**\r\n\r\n    Zq29mvT4bx\r\n", "**Password:**\r\n\r\n    [masked password]\r\n"},
		{"markdown", "Password:\n```text\nZq29mvT4bx\n```", "Password:\n```text\n[masked password]\n```"},
		{"rst", "The password::\n\n  Zq29mvT4bx\n", "The password::\n\n  [masked password]\n"},
		{"markdown", "> Password:\n> Zq29mvT4bx", "> Password:\n> [masked password]"},
		{"yaml", "password:\n  Zq29mvT4bx\n", "password:\n  [masked password]\n"},
		{"java", `cf.setPassword( "hunter22" );`, `cf.setPassword( "[masked password]" );`},
		{"markdown", `ds.setPassword("Zq24mvT4bx")`, `ds.setPassword("[masked password]")`},
		{"text", keyBegin + "\nZq44mvT4bxL8s\n" + keyEnd, keyBegin + "\n[masked private key]\n" + keyEnd},
		{"json", `"` + keyBegin + `\nZq44mvT4bxL8sKd93mQ2=\n` + keyEnd + `"`, `"` + keyBegin + `\n[masked private key]\n` + keyEnd + `"`},
	} {
		checkMask(t, c.lang, c.in, c.want)
	}
}

// TestPasswordsUnderOtherWordsAreMasked were missed for the language or the form of the word.
func TestPasswordsUnderOtherWordsAreMasked(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"markdown", "pw: Zq14mvT4bx", "pw: [masked password]"},
		{"yaml", "PW: hunter22", "PW: [masked password]"},
		{"python", `db_pw = "Zq14mvT4bx"`, `db_pw = "[masked password]"`},
		{"markdown", "Contraseña: `Zq30mvT4bx`", "Contraseña: `[masked password]`"},
		{"markdown", "La CONTRASEÑA es Zq30mvT4bx.", "La CONTRASEÑA es [masked password]."},
		{"python", `contrasena = "Zq30mvT4bx"`, `contrasena = "[masked password]"`},
		{"markdown", "Пароль: Zq31mvT4bx", "Пароль: [masked password]"},
		{"yaml", "ПАРОЛЬ: hunter22", "ПАРОЛЬ: [masked password]"},
		{"go", "// пароль: Zq31mvT4bx", "// пароль: [masked password]"},
		{"markdown", "mot de passe : hunter22", "mot de passe : [masked password]"},
		{"markdown", "Le mot de passe est Zq32mvT4bx", "Le mot de passe est [masked password]"},
		{"python", `mot_de_passe = "Zq32mvT4bx"`, `mot_de_passe = "[masked password]"`},
		{"java", `motDePasse = "Zq32mvT4bx"`, `motDePasse = "[masked password]"`},
		{"markdown", "A senha é Zq33mvT4bx", "A senha é [masked password]"},
		{"java", `DriverManager.getConnection("jdbc:x", "root", "hunter22")`, `DriverManager.getConnection("jdbc:x", "root", "[masked password]")`},
		{"java", "getConnection(url(1, 2), \"\",\n\t\"Zq22mvT4bx\")", "getConnection(url(1, 2), \"\",\n\t\"[masked password]\")"},
	} {
		checkMask(t, c.lang, c.in, c.want)
	}
}

// What stands beside the name of a credential, and is none, stays.
func TestWordsNearCredentialNamesStay(t *testing.T) {
	for _, c := range []struct{ lang, in string }{
		{"markdown", "curl -u user:password https://h.invalid"},
		{"markdown", "curl -u $USER:$PASS1 https://h.invalid"},
		{"markdown", "curl -u admin:your_token1 https://h.invalid"},
		{"markdown", "the password (SHA-256), password (argon2id), password (utf8mb4), password (OAuth2)"},
		{"markdown", "the password (RFC7519), a password (8-character), password (see auth2)"},
		{"markdown", "<password>${env.DB_PASSWORD2}</password><password>your-password-1</password>"},
		{"markdown", "<password>string</password>"},
		{"markdown", "<List<Token>Zq55mvT4bx"},
		{"markdown", `<add key="Password" value="%PW2%"/>`},
		{"markdown", "PASSWORD OAuth2Client"},
		{"markdown", "Use OAuth2Client as the password grant, Sha256Digest as the password hash."},
		{"markdown", "Zq55mvT4bx. As the password"},
		{"dockerfile", "ENV MYSQL_ROOT_PASSWORD $PW1"},
		{"dockerfile", "ENV MYSQL_ROOT_PASSWORD changeme"},
		{"dockerfile", "ENV MYSQL_ROOT_PASSWORD_FILE /run/secrets/pw1"},
		{"dockerfile", "ARG API_TOKEN\nRUN Zq67mvT4bx"},
		{"yaml", "- name: DB_PASSWORD\n  value: $(OTHER_PW1)"},
		{"yaml", "- name: DB_PASSWORD\n  valueFrom: x1y2z3"},
		{"yaml", "- name: DB_PASSWORD\n- name: X\n  value: Zq27mvT4bx"},
		{"yaml", "a: {password: string, port: 8080}"},
		{"yaml", "a: {password: {{ vault_pw1 }}, port: 8080}"},
		{"markdown", "Password:\nOAuth2Client"},
		{"markdown", "Password:\nZq29mvT4bx is wrong"},
		{"markdown", "Password:\n\n\n\nZq29mvT4bx"},
		{"yaml", "password:\n  description: Zq29mvT4bx"},
		{"java", `getConnection("jdbc:x", "root", "password")`},
		{"java", `getConnection("jdbc:x", "root", password2)`},
		{"java", `getConnection("jdbc:x", "b", f("Zq22mvT4bx"))`},
		{"java", `getConnection("Zq22mvT4bx", "Zq22mvT4bx", "Zq22mvT4bx", 4)`},
		{"java", `setPassword("password"); setPassword(password2); setToken("access_token_v2")`},
		{"java", `setPasswordEncoder("Zq24mvT4bx"); resetPassword("Zq24mvT4bx")`},
		{"go", "pw := foo2Bar()"},
		{"python", `pw = "utf8mb4"`},
		{"markdown", "La contraseña es obligatoria. mot de passe : obligatoire"},
		{"markdown", "паролями: Zq31mvT4bx, desenha: Zq33mvT4bx, passe: Zq33mvT4bx"},
		{"text", keyBegin + "\n...\n" + keyEnd},
		{"text", keyBegin + "\nMIIEpA...\n" + keyEnd},
		{"text", keyBegin + "\nbase64content\n" + keyEnd},
	} {
		checkMask(t, c.lang, c.in, c.in)
	}
}

// checkMask wants a text masked as given, and a second time left alone.
func checkMask(t *testing.T, lang, in, want string) {
	t.Helper()
	got, found := Mask("file", lang, in)
	if got != want || (len(found) > 0) != (in != want) {
		t.Errorf("%s:\n in   %q\n got  %q %v\n want %q", lang, in, got, found, want)
	}
	if again, more := Mask("file", lang, got); again != got || len(more) != 0 {
		t.Errorf("%s: masking again changes %q to %q", lang, got, again)
	}
}
