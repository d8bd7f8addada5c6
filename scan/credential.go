package scan

import (
	"path"
	"strings"
)

// credentialNames are files that hold credentials and little else, by their lower-case name.
var credentialNames = map[string]string{
	".netrc": "netrc", "_netrc": "netrc", ".pgpass": "PostgreSQL passwords", "pgpass.conf": "PostgreSQL passwords",
	".pypirc": "registry credentials", ".authinfo": "passwords of servers", ".msmtprc": "mail passwords", ".fetchmailrc": "mail passwords", ".esmtprc": "mail passwords",
	"settings-security.xml": "Maven master password", ".databrickscfg": "Databricks tokens", "kaggle.json": "Kaggle key", ".vault_pass": "vault password", ".vault_password": "vault password",
	".vault-password": "vault password", "sitemanager.xml": "passwords of servers", "recentservers.xml": "passwords of servers",
	".my.cnf": "MySQL client passwords", ".mylogin.cnf": "MySQL client passwords",
	".htpasswd": "web passwords", ".git-credentials": "git credentials", ".dockercfg": "registry credentials",
	".s3cfg": "S3 credentials", ".boto": "cloud credentials", ".vault-token": "Vault token",
	"application_default_credentials.json": "Google Cloud credentials", "client_secret.json": "OAuth client secret",
	"credentials.db": "Google Cloud credentials", "access_tokens.db": "Google Cloud credentials",
	"accesstokens.json": "Azure credentials", "azureprofile.json": "Azure credentials",
	".terraformrc": "Terraform credentials", "terraform.rc": "Terraform credentials", "credentials.tfrc.json": "Terraform credentials",
	"secring.gpg": "private keys", "private-keys-v1.d": "private keys", "wallet.dat": "wallet",
	"master.key": "Rails master key", ".rclone.conf": "rclone credentials", "rclone.conf": "rclone credentials",
	".cargo-credentials": "registry credentials", "kubeconfig": "cluster credentials",
}

// credentialPaths are files that hold credentials when they lie in a certain folder.
var credentialPaths = map[string]string{
	".aws/credentials": "AWS credentials", ".aws/config": "AWS configuration", ".docker/config.json": "registry credentials",
	".kube/config": "cluster credentials", ".cargo/credentials": "registry credentials", ".cargo/credentials.toml": "registry credentials",
	".gem/credentials": "registry credentials", ".composer/auth.json": "registry credentials", ".config/gh/hosts.yml": "GitHub tokens",
	"composer/auth.json": "registry credentials", "git/credentials": "git credentials", "gem/credentials": "registry credentials", ".m2/settings.xml": "Maven passwords",
	".ivy2/.credentials": "registry credentials", ".sbt/.credentials": "registry credentials", ".config/hub": "GitHub tokens", ".config/glab-cli/config.yml": "GitLab tokens",
	".huggingface/token": "Hugging Face token", ".cache/huggingface/token": "Hugging Face token", ".oci/config": "Oracle Cloud credentials", ".snowsql/config": "Snowflake passwords",
	".config/doctl/config.yaml": "DigitalOcean token", ".circleci/cli.yml": "CircleCI token", ".gradle/gradle.properties": "settings of a user",
	".nuget/nuget/nuget.config": "registry credentials", ".kamal/secrets": "secrets of a deployment",
	"gcloud/credentials": "Google Cloud credentials", ".azure/msal_token_cache.json": "Azure credentials",
}

// keyStoreExtensions are containers of keys: never text that anybody searches.
var keyStoreExtensions = map[string]string{
	".p12": "key store", ".pfx": "key store", ".jks": "key store", ".keystore": "key store", ".kdbx": "password database", ".kdb": "password database",
	".ppk": "private key", ".bks": "key store", ".keychain": "key store", ".psafe3": "password database", ".ovpn": "VPN profile with keys",
	".agekey": "private key", ".jceks": "key store",
}

// credentialByName says, from the path alone, what credential a file holds; "" when none is expected. Such files are
// never opened.
func credentialByName(name string) string {
	base := strings.ToLower(path.Base(name))
	if what, ok := credentialNames[base]; ok {
		return what
	}
	if isEnvironmentFile(base) {
		return "environment file"
	}
	if isPrivateKeyName(base) {
		return "private key"
	}
	lower := strings.ToLower(name)
	if folder := path.Dir(lower); folder != "." {
		short := path.Base(folder) + "/" + base
		if what, ok := credentialPaths[short]; ok {
			return what
		}
		if up := path.Base(path.Dir(folder)); up != "." {
			if what, ok := credentialPaths[up+"/"+short]; ok {
				return what
			}
		}
	}
	if folder, ok := strings.CutSuffix(path.Dir(lower), "config/credentials"); ok && path.Ext(base) == ".key" && (folder == "" || strings.HasSuffix(folder, "/")) {
		return "Rails key of an environment"
	}
	return keyStoreExtensions[path.Ext(base)]
}

// isEnvironmentFile accepts .env, .envrc, .env.NAME and NAME.env, but not the templates that are meant to be shared.
func isEnvironmentFile(base string) bool {
	if base == ".env" || base == ".envrc" {
		return true
	}
	rest, ok := strings.CutPrefix(base, ".env")
	if ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "_")) {
		for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
			if isTemplateWord(part) {
				return false
			}
		}
		switch path.Ext(base) {
		case ".go", ".py", ".js", ".ts", ".rb", ".md", ".php", ".rs", ".java": // code about such files
			return strings.Count(base, ".") < 2
		}
		return true
	}
	stem, ok := strings.CutSuffix(base, ".env")
	return ok && stem != "" && !isTemplateWord(stem) && !isTemplateWord(strings.TrimPrefix(path.Ext(stem), "."))
}

func isTemplateWord(word string) bool {
	switch word {
	case "example", "examples", "sample", "samples", "template", "tmpl", "tpl", "dist", "default", "defaults", "schema", "vault":
		return true
	}
	return false
}

// isPrivateKeyName accepts the names that ssh-keygen gives, and variations with a suffix that is no public key.
func isPrivateKeyName(base string) bool {
	for _, kind := range []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"} {
		if base == kind {
			return true
		}
		if rest, ok := strings.CutPrefix(base, kind+"."); ok {
			return rest == "key" || rest == "pem" || rest == "bak" || rest == "old" || rest == "backup"
		}
	}
	return base == "ssh_host_rsa_key" || base == "ssh_host_dsa_key" || base == "ssh_host_ecdsa_key" || base == "ssh_host_ed25519_key"
}

// isPrivateKeyFile reports whether a text is a private key and nothing beside it but its certificate: files of the kind
// that *.pem and *.key stand for.
func isPrivateKeyFile(name, text string) bool {
	if !strings.Contains(text, "PRIVATE KEY") {
		return strings.HasPrefix(text, "PuTTY-User-Key-File-")
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".pem", ".key", ".crt", ".cer", ".pkcs8", ".p8", ".pk8", ".priv", ".rsa", ".pub", "":
	default:
		return false
	}
	inside, found := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "-----BEGIN "):
			inside = true
			found = found || strings.Contains(line, "PRIVATE KEY")
		case strings.HasPrefix(line, "-----END "):
			inside = false
		case inside || line == "" || strings.HasPrefix(line, "#"):
		case strings.Contains(line, ": ") || strings.HasPrefix(line, "Bag Attributes") || strings.Contains(line, "="): // openssl's notes
		default:
			return false
		}
	}
	return found
}
