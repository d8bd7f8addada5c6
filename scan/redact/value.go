package redact

import (
	"encoding/base64"
	"math"
	"path"
	"strings"
)

// valueStyle says how values are written in a kind of file.
type valueStyle uint8

const (
	styleCode   valueStyle = iota // only in quotes
	styleConfig                   // to the end of the line
	styleShell                    // to the next white space
	styleProse                    // like a shell, but only strong values count
	styleMarkup                   // between tags, and in attributes
)

func styleOf(name, lang string) valueStyle {
	switch lang {
	case "ini", "yaml", "toml", "json", "hcl", "nginx", "gitignore":
		return styleConfig
	case "bash", "dockerfile", "fish", "powershell", "batch", "make", "just":
		return styleShell
	case "xml", "html":
		return styleMarkup
	case "markdown", "rst", "asciidoc", "org", "text", "csv", "diff":
		return styleProse
	case "":
		return styleOfName(strings.ToLower(name))
	}
	return styleCode
}

// styleOfName judges a file of no known language. Templates of configuration files are configuration: app.yaml.example.
func styleOfName(name string) valueStyle {
	base := path.Base(name)
	switch path.Ext(base) {
	case ".example", ".sample", ".template", ".tmpl", ".dist", ".default", ".j2":
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	switch path.Ext(base) {
	case ".conf", ".cfg", ".cnf", ".config", ".env", ".properties", ".ini", ".rc", ".yaml", ".yml", ".json", ".toml", ".tfvars":
		return styleConfig
	}
	if strings.HasPrefix(base, ".") && strings.HasSuffix(base, "rc") || strings.HasPrefix(base, ".env.") {
		return styleConfig
	}
	return styleProse
}

// placeholderParts stand in values that are to be replaced by the reader. All lower case.
var placeholderParts = []string{"change-me", "change_me", "changeme", "changeit", "replace", "your-", "your_", "yourpass", "yoursecret", "yourtoken", "yourkey", "placeholder", "example", "dummy",
	"xxxx", "****", "....", "todo", "fixme", "insert", "redacted", "masked", "not-a-", "not_a_", "notareal", "{{", "}}", "${", "$(", "#{", "%(", "{0}", "sample", "fake"}

// placeholderMarks are short enough to be part of a drawn value.
var placeholderMarks = []string{"<", ">", "%s", "%v", "%q", "%d", "{}", "\\("}

// isPlaceholder reports whether a value stands for another one that is not told.
func isPlaceholder(value string) bool {
	lower := strings.ToLower(value)
	for _, p := range placeholderParts {
		if strings.Contains(lower, p) {
			return true
		}
	}
	for _, p := range placeholderMarks {
		if strings.Contains(lower, p) {
			return !isCertainlyDrawn(value)
		}
	}
	return distinctBytes(value) < 4
}

// technicalWords hold digits but are names of things.
var technicalWords = map[string]bool{
	"sha1": true, "sha224": true, "sha256": true, "sha384": true, "sha512": true, "sha-1": true, "sha-256": true, "sha-512": true, "md5": true, "base64": true, "base32": true, "utf8": true, "utf-8": true, "utf-16": true, "utf16": true,
	"oauth2": true, "oauth1": true, "bcrypt2": true, "argon2": true, "argon2id": true, "argon2i": true, "x509": true, "hs256": true, "hs512": true, "rs256": true, "es256": true, "aes128": true, "aes256": true, "ed25519": true, "http2": true,
	"latin1": true, "iso-8859-1": true, "pkcs8": true, "pkcs12": true, "pbkdf2": true, "ipv4": true, "ipv6": true, "int32": true, "int64": true, "uint32": true, "uint64": true, "float32": true, "float64": true,
}

// looksReal decides whether a value given to a credential name is a secret. password is true for what people choose;
// secrets, tokens and keys are drawn, so more is asked of them. bits is how surely a value must look drawn.
func looksReal(value string, password, quoted bool, bits float64) bool {
	n := len(value)
	if n < 6 || n > 4096 || trivialPasswords[strings.ToLower(value)] || technicalWords[strings.ToLower(value)] || isPlaceholder(value) || isReference(value, quoted) {
		return false
	}
	c := countClasses(value)
	if c.other > 0 || c.space > 0 {
		return false
	}
	if !password {
		return isStrong(value, bits)
	}
	switch {
	case c.lower+c.upper == 0:
		return n >= 8 && c.digit > 0 && c.symbol == 0 // a number of many digits
	case c.digit > 0:
		return true
	case c.symbol > 0 && n >= 8 && hasPasswordSymbol(value):
		return true
	}
	return isDrawn(value, bits)
}

// isStrong accepts what a random generator writes. Hexadecimal text of 24 digits needs no more than many different ones:
// no words are that long.
func isStrong(value string, bits float64) bool {
	c := countClasses(value)
	if len(value) < leastDrawn || c.other > 0 || c.space > 0 {
		return false
	}
	if isHexText(value) && c.digit > 0 && c.digit < len(value) && len(value) >= 24 {
		return entropy(value) >= 2.8
	}
	return isDrawn(value, bits) || isDisguisedWord(value) || isLeet(value)
}

// isLeet accepts words of which digits stand for letters, twice or more, as names do not have them (Utf8ToUtf16): mySup3rS3cretStr1ng.
func isLeet(value string) bool {
	if !hasAllClasses(value) || strings.ContainsAny(value, "/:&=,;\\(){}[]<>\"'` ") {
		return false
	}
	inside := 0
	for i := 1; i+1 < len(value); i++ {
		if isDigit(value[i]) && !isDigit(value[i-1]) && isWordByte(value[i-1]) && 'a' <= value[i+1] && value[i+1] <= 'z' {
			inside++
		}
	}
	return inside > 1
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isDisguisedWord accepts what people make of words where a rule asks for every kind of character: Passw0r$1234.
func isDisguisedWord(value string) bool {
	return hasAllClasses(value) && strings.ContainsAny(value, "!#$^*@") && !strings.ContainsAny(value, "/:.&=,;\\(){}[]<>\"'`") && entropy(value) >= 3
}

// isReference reports whether a value names where the secret is instead of being it.
func isReference(value string, quoted bool) bool {
	for _, start := range []string{"arn:", "urn:", "env:", "vault:", "ENC[", "ssm:", "op:", "sha1-", "sha256-", "sha384-", "sha512-", "sha256:"} {
		if strings.HasPrefix(value, start) {
			return true
		}
	}
	if isWindowsVariable(value) {
		return true
	}
	for _, part := range []string{"://", "[\"", "['", "(\"", "('", "()"} {
		if strings.Contains(value, part) {
			return true
		}
	}
	switch strings.ToLower(path.Ext(value)) {
	case ".pem", ".key", ".json", ".txt", ".yaml", ".yml", ".toml", ".js", ".ts", ".go", ".py", ".html", ".crt", ".php", ".java", ".rb", ".md", ".xml", ".png", ".svg":
		return true
	}
	return hasReferenceMark(value, quoted) && !isCertainlyDrawn(value) && !(len(value) >= leastDrawn && isDisguisedWord(value[1:]))
}

// isWindowsVariable reports whether a value is %NAME%.
func isWindowsVariable(value string) bool {
	name, ok := strings.CutPrefix(value, "%")
	if ok {
		name, ok = strings.CutSuffix(name, "%")
	}
	if !ok || name == "" {
		return false
	}
	for i := range len(name) {
		if !isWordByte(name[i]) && name[i] != '.' && name[i] != '-' {
			return false
		}
	}
	return true
}

// hasReferenceMark looks for what begins paths, variables, tags and templates, and for brackets outside quotes. Drawn values
// hold the same bytes: one in 64 of base64 begins with a slash.
func hasReferenceMark(value string, quoted bool) bool {
	switch value[0] {
	case '$', '/', '~', '@', '&', '*', '!', '|', '{', '[', '(', '#', '%', '.', ':', ',', ';', '=', '<', '?', '\\':
		// A quoted value may begin with any of these in a password, but then it is a path, a format or a template far more often.
		if !quoted || !strings.ContainsRune("!#*&?%=@", rune(value[0])) {
			return true
		}
	}
	return !quoted && strings.ContainsAny(value, "()[]{}\"'`<>")
}

type classCounts struct{ lower, upper, digit, symbol, space, other int }

func countClasses(s string) (c classCounts) {
	for i := range len(s) {
		switch b := s[i]; {
		case 'a' <= b && b <= 'z':
			c.lower++
		case 'A' <= b && b <= 'Z':
			c.upper++
		case '0' <= b && b <= '9':
			c.digit++
		case b == ' ' || b == '\t':
			c.space++
		case b > ' ' && b < 0x7f:
			c.symbol++
		default:
			c.other++
		}
	}
	return c
}

// hasPasswordSymbol looks for symbols that identifiers, paths and keys of messages do not have.
func hasPasswordSymbol(s string) bool { return strings.ContainsAny(s, "!@#$%^&*+=?~") }

func hasAllClasses(s string) bool {
	c := countClasses(s)
	return c.lower > 0 && c.upper > 0 && c.digit > 0
}

func isHexText(s string) bool {
	for i := range len(s) {
		if !setHex.has(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

func distinctBytes(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	e := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			e -= p * math.Log2(p)
		}
	}
	return e
}

// isBasicCredential reports whether a value is base64 of "user:password".
func isBasicCredential(value string) bool {
	if len(value) < 12 {
		return false
	}
	plain, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		plain, err = base64.RawStdEncoding.DecodeString(value)
	}
	if err != nil {
		return false
	}
	for _, b := range plain {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	user, password, found := strings.Cut(string(plain), ":")
	return found && len(password) > 3 && !trivialPasswords[strings.ToLower(password)] && !(isExample(strings.ToLower(user)) && isExample(password))
}
