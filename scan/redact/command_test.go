package redact

import "testing"

// TestPasswordsOfCommandsAreMasked were stored as they stand: what commands read from echo, or take without a name.
func TestPasswordsOfCommandsAreMasked(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"bash", `echo "hunter22" | docker login -u x --password-stdin`, `echo "[masked password]" | docker login -u x --password-stdin`},
		{"bash", "a=b; echo -n hunter22 \\\n  | docker login --password-stdin", "a=b; echo -n [masked password] \\\n  | docker login --password-stdin"},
		{"yaml", "- run: printf 'hunter22' | podman login --password-stdin", "- run: printf '[masked password]' | podman login --password-stdin"},
		{"bash", `echo hunter22 | gpg --batch --passphrase-fd 0 -d x`, `echo [masked password] | gpg --batch --passphrase-fd 0 -d x`},
		{"bash", `echo hunter22 | sudo -S id`, `echo [masked password] | sudo -S id`},
		{"bash", `echo 'root:hunter22' | chpasswd`, `echo 'root:[masked password]' | chpasswd`},
		{"dockerfile", `RUN echo "root:hunter22" | chpasswd`, `RUN echo "root:[masked password]" | chpasswd`},
		{"markdown", "Run `echo 'root:hunter22' | sudo chpasswd`.", "Run `echo 'root:[masked password]' | sudo chpasswd`."},
		{"bash", `htpasswd -b f joe hunter22`, `htpasswd -b f joe [masked password]`},
		{"bash", `htpasswd -nbB joe 'hunter22' > f`, `htpasswd -nbB joe '[masked password]' > f`},
		{"bash", `htpasswd -c -B -b -C 10 f joe hunter22`, `htpasswd -c -B -b -C 10 f joe [masked password]`},
		{"bash", `openssl enc -aes-256-cbc -k hunter22 -in a`, `openssl enc -aes-256-cbc -k [masked password] -in a`},
		{"python", `run(["openssl ", "enc", "-k", "Hj12Kl34Zx56"])`, `run(["openssl ", "enc", "-k", "[masked password]"])`},
		{"bash", `ansible-vault encrypt_string 'As12Df34Gh56' --name db_password`, `ansible-vault encrypt_string '[masked password]' --name db_password`},
		{"bash", `smbclient -U joe%hunter22 //h/s`, `smbclient -U joe%[masked password] //h/s`},
		{"bash", `smbclient //h/s --user='joe%hunter22'`, `smbclient //h/s --user='joe%[masked password]'`},
		{"bash", `http -a ci:hunter22 x.io`, `http -a ci:[masked password] x.io`},
		{"markdown", "    $ https -a ci:hunter22 x.io", "    $ https -a ci:[masked password] x.io"},
	} {
		checkMask(t, c.lang, c.in, c.want)
	}
}

// What commands take at such places from elsewhere stays, and so do other commands.
func TestArgumentsOfCommandsStay(t *testing.T) {
	for _, c := range []struct{ lang, in string }{
		{"bash", `echo "$PASSWORD1" | docker login --password-stdin`},
		{"bash", `echo "${{ secrets.TOKEN1 }}" | docker login --password-stdin`},
		{"bash", `cat pw1.txt | docker login --password-stdin`},
		{"bash", `echo hunter22 | tee f; docker login --password-stdin < f`},
		{"bash", `echo step1 two3 | docker login --password-stdin`},
		{"bash", `echo hunter22 | sudo tee f`},
		{"bash", `echo "root:$PW1" | chpasswd`},
		{"bash", `echo hunter22 | chpasswd`},
		{"markdown", "the programs chpasswd and htpasswd take a file2 of users3 named4"},
		{"bash", `htpasswd -c file22 joe22`},
		{"bash", `htpasswd -b f joe "$PW1"`},
		{"bash", "htpasswd -b f\njoe22 hunter22 x"},
		{"bash", `openssl enc -kfile pw22 -in a`},
		{"bash", `sort -k hunter22 a`},
		{"bash", `ansible-vault encrypt_string --stdin-name db_password2`},
		{"python", `encrypt_string("As12Df34Gh56")`},
		{"bash", `smbclient -U joe //h/s`},
		{"bash", `date -u joe%hunter22`},
		{"bash", `tool http -a ci:hunter22`},
		{"bash", `http -a ci: x.io`},
		{"bash", `ls -a hunter22`},
	} {
		checkMask(t, c.lang, c.in, c.in)
	}
}
