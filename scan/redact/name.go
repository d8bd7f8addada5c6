package redact

import "strings"

// credentialStrength says how surely a name is that of a credential.
type credentialStrength uint8

const (
	notCredential      credentialStrength = iota
	basicName                             // auth, _auth: counts when its value is base64 of user:password, as registries have it
	mentionsCredential                    // a credential word somewhere: secret_prod_key_2
	secretName                            // ends in secret, token, api_key …
	passwordName                          // ends in password, passphrase …
)

// kind is what a value is masked as under a name of this strength.
func (c credentialStrength) kind() string {
	if c == passwordName {
		return KindPassword
	}
	return KindSecret
}

var passwordWords = stringSet(`password passwd pwd passphrase passcode passwort pass userpass dbpass dbpassword rootpassword adminpassword userpassword dbpasswd smtppass smtppassword mysqlpassword
	postgrespassword redispassword keystorepassword truststorepassword keypassword storepassword ftppassword loginpassword pgpassword`)

var secretWords = stringSet(`secret token apikey apitoken apisecret secretkey secrettoken accesskey accesstoken authtoken authkey authsecret clientsecret privatekey privatetoken sharedkey sharedsecret accountkey storagekey
	signingkey signingsecret encryptionkey encryptkey masterkey refreshtoken bearertoken sessionsecret sessiontoken cookiesecret jwtsecret webhooksecret consumersecret consumerkey appsecret appkey deploykey deploytoken
	servicekey subscriptionkey sharedaccesskey oauthtoken githubtoken gitlabtoken npmtoken slacktoken bottoken personalaccesstoken identitytoken registrytoken secretaccesskey secretkeybase credential credentials instrumentationkey`)

// keyKinds make "key" as the last word a credential; other keys are keys of maps.
var keyKinds = stringSet(`api access secret private auth encryption encrypt signing signature master shared account storage service client app application deploy subscription license hmac jwt aes enc crypto cipher ssh
	consumer publishable webhook admin rest server instrumentation authorization token`)

// environmentWords may follow the word that counts: password_prod, token2.
var environmentWords = stringSet(`prod production dev development test testing stage staging live default old new primary secondary v1 v2 v3 base64 b64 value str string plain text encoded admin root`)

// weakWords make a name one that mentions a credential.
var weakWords = stringSet(`secret token password passwd pwd apikey credential credentials auth accesskey secretkey privatekey`)

func stringSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// credentialName judges an identifier by its words: a credential word counts at the end, where the noun stands, so that
// token_type, password_field and max_tokens are none.
func credentialName(identifier string) credentialStrength {
	parts := nameParts(identifier)
	if n := len(parts); n > 1 && parts[n-2] == "secret" && parts[n-1] == "string" { // what a manager of secrets keeps, whatever that is
		return passwordName
	}
	for len(parts) > 1 && (isDigits(parts[len(parts)-1]) || environmentWords[parts[len(parts)-1]]) && parts[len(parts)-1] != "token" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return notCredential
	}
	last := parts[len(parts)-1]
	joined := last
	if len(parts) > 1 {
		joined = parts[len(parts)-2] + last
	}
	switch {
	case len(parts) == 1 && last == "auth":
		return basicName
	case len(parts) > 2 && last == "token" && joined == "keytoken" && parts[len(parts)-3] == "public": // names an assembly
		return notCredential
	case passwordWords[last], passwordWords[joined]:
		return passwordName
	case secretWords[last], secretWords[joined]:
		return secretName
	case last == "key" && len(parts) > 1 && keyKinds[parts[len(parts)-2]]:
		return secretName
	case last == "base" && len(parts) > 2 && parts[len(parts)-2] == "key" && parts[len(parts)-3] == "secret":
		return secretName
	}
	for _, p := range parts {
		if weakWords[p] && last != "id" && last != "name" && last != "url" && last != "uri" && last != "hash" && last != "checksum" && last != "digest" && last != "fingerprint" {
			return mentionsCredential
		}
	}
	return notCredential
}

// nameParts splits at separators and at changes of case, in lower case; digits at the end of a word are cut off.
func nameParts(identifier string) []string {
	var parts []string
	start := 0
	flush := func(end int) {
		if word := strings.TrimRight(strings.ToLower(identifier[start:end]), "0123456789"); word != "" {
			parts = append(parts, word)
		} else if end > start {
			parts = append(parts, identifier[start:end])
		}
	}
	for i := range len(identifier) {
		switch b := identifier[i]; {
		case b == '_' || b == '-' || b == '.':
			flush(i)
			start = i + 1
		case 'A' <= b && b <= 'Z' && i > start && (isLowerOrDigit(identifier[i-1]) || i+1 < len(identifier) && 'a' <= identifier[i+1] && identifier[i+1] <= 'z'):
			flush(i)
			start = i
		}
	}
	flush(len(identifier))
	return parts
}

func isLowerOrDigit(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
