package redact

import "testing"

// TestCredentialsThatAreOnlySaid were sent as they stand: what is not assigned, in sentences, headers, calls and commands.
func TestCredentialsThatAreOnlySaid(t *testing.T) {
	pw := join("kQ7vX2", "mZp9LtRw")
	long := join("r8Kq2LmXv9Bz4T", "nYw7PsHd3Jf6GcQa5E")
	for _, c := range []struct{ lang, in, want string }{
		{"markdown", "Authorization: Basic " + long + "==", "Authorization: Basic [masked authorization]"},
		{"javascript", `{headers: {Authorization: "token ` + long + `"}}`, `{headers: {Authorization: "token [masked authorization]"}}`},
		{"python", `{"Authorization": f"ApiKey ` + long + `"}`, `{"Authorization": f"ApiKey [masked authorization]"}`},
		{"go", `r.Header.Set("Authorization", "` + long + `")`, `r.Header.Set("Authorization", "[masked authorization]")`},
		{"markdown", "User admin, password: " + pw + ".", "User admin, password: [masked password]."},
		{"python", "    # the password is " + pw + ", they say", "    # the password is [masked password], they say"},
		{"yaml", "# the old token was " + long + " then", "# the old token was [masked secret] then"},
		{"", "x-api-key: " + long + " rejected", "x-api-key: [masked secret] rejected"},
		{"", "the password is " + pw + " why refused", "the password is [masked password] why refused"},
		{"", `"password is ` + pw + `"`, `"password is [masked password]"`},
		{"python", `get(u, auth=("bob", "` + pw + `"))`, `get(u, auth=("bob", "[masked password]"))`},
		{"python", `get(u, auth=HTTPBasicAuth("bob", "hunter22"))`, `get(u, auth=HTTPBasicAuth("bob", "[masked password]"))`},
		{"go", `r.SetBasicAuth("bob", "hunter22")`, `r.SetBasicAuth("bob", "[masked password]")`},
		{"bash", "sshpass -p hunter22 ssh x", "sshpass -p [masked password] ssh x"},
		{"python", `run(["sshpass", "-p", "` + pw + `", "ssh"])`, `run(["sshpass", "-p", "[masked password]", "ssh"])`},
		{"markdown", "Run `mysql -u root -p" + pw + " db`.", "Run `mysql -u root -p[masked password] db`."},
		{"bash", "mysqldump -p'hunter22!' db", "mysqldump -p'[masked password]' db"},
	} {
		if got, _ := Mask("file", c.lang, c.in); got != c.want {
			t.Errorf("%s:\n in   %q\n got  %q\n want %q", c.lang, c.in, got, c.want)
		}
		if again, more := Mask("file", c.lang, c.want); again != c.want || len(more) != 0 {
			t.Errorf("masking again changes %q to %q", c.want, again)
		}
	}
	for _, c := range []struct{ lang, in string }{
		{"markdown", "password: see the wiki"},
		{"markdown", "The password is checked by verify_password_v2."},
		{"markdown", "the token is of type AccessTokenV2Reader"},
		{"go", "password: hashPassword2Field,"},
		{"python", `auth=("user", "pass")`},
		{"python", `auth=(user, password)`},
		{"bash", "mysql -u root -p mydatabase01"},
		{"python", `run(["mysql", "-p", "mydatabase01"])`},
		{"bash", "mkdir -p build/x86_64v2"},
		{"bash", "ssh -p 2222 host && mysql -u root"},
	} {
		if got, found := Mask("file", c.lang, c.in); got != c.in {
			t.Errorf("%s: %q became %q, %v", c.lang, c.in, got, found)
		}
	}
}
