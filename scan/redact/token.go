package redact

import "strings"

// tokenRule is a token that is known by how it begins. The documentation of each provider gives the lengths.
type tokenRule struct {
	prefix string
	kind   string
	set    charSet // of the rest
	least  int     // length of the rest
	most   int     // 0: no bound
	mixed  bool    // the prefix is short or a word: the rest must hold digits and letters of both cases
}

type charSet uint8

const (
	setAlnum charSet = iota
	setUpper         // A-Z 0-9
	setHex
	setWord // alnum _
	setURL  // alnum _ -
	setDots // alnum _ - .
	setB64  // alnum + / =
)

var tokenRules = []tokenRule{
	{"AKIA", "aws key", setUpper, 16, 16, false}, {"ASIA", "aws key", setUpper, 16, 16, false}, {"ABIA", "aws key", setUpper, 16, 16, false}, {"ACCA", "aws key", setUpper, 16, 16, false},
	{"ghp_", "github token", setAlnum, 36, 255, false}, {"gho_", "github token", setAlnum, 36, 255, false}, {"ghu_", "github token", setAlnum, 36, 255, false},
	{"ghs_", "github token", setDots, 36, 1024, false}, {"ghr_", "github token", setAlnum, 36, 255, false}, {"github_pat_", "github token", setWord, 50, 255, false},
	{"glpat-", "gitlab token", setDots, 20, 300, false}, {"gldt-", "gitlab token", setURL, 20, 64, false}, {"glrt-", "gitlab token", setDots, 20, 300, false},
	{"glptt-", "gitlab token", setHex, 40, 40, false}, {"glsoat-", "gitlab token", setURL, 20, 64, false}, {"glcbt-", "gitlab token", setURL, 20, 64, false}, {"gloas-", "gitlab token", setHex, 64, 64, false},
	{"xoxb-", "slack token", setURL, 20, 255, false}, {"xoxp-", "slack token", setURL, 20, 255, false}, {"xoxa-", "slack token", setURL, 20, 255, false}, {"xoxr-", "slack token", setURL, 20, 255, false},
	{"xoxs-", "slack token", setURL, 20, 255, false}, {"xoxe-", "slack token", setURL, 20, 400, false}, {"xoxe.", "slack token", setDots, 20, 400, false}, {"xoxc-", "slack token", setURL, 20, 255, false}, {"xoxd-", "slack token", setURL, 20, 400, false}, {"xapp-", "slack token", setURL, 20, 255, false},
	{"sk_live_", "stripe key", setAlnum, 16, 255, false}, {"rk_live_", "stripe key", setAlnum, 16, 255, false}, {"sk_test_", "stripe key", setAlnum, 16, 255, false}, {"rk_test_", "stripe key", setAlnum, 16, 255, false},
	{"whsec_", "webhook secret", setB64, 24, 255, false}, {"AIza", "google key", setURL, 35, 35, true}, {"GOCSPX-", "google secret", setURL, 28, 28, false}, {"ya29.", "google token", setURL, 30, 0, false},
	{"sk-ant-", "anthropic key", setURL, 30, 255, false}, {"sk-proj-", "openai key", setURL, 40, 255, false}, {"sk-svcacct-", "openai key", setURL, 40, 255, false}, {"sk-or-v1-", "openrouter key", setHex, 64, 64, false}, {"sk-", "api key", setURL, 32, 255, true},
	{"npm_", "npm token", setAlnum, 36, 36, false}, {"pypi-", "pypi token", setURL, 70, 0, false}, {"rubygems_", "rubygems token", setHex, 48, 48, false}, {"dckr_pat_", "docker token", setURL, 27, 27, false}, {"oy2", "nuget key", setAlnum, 43, 43, false},
	{"hf_", "hugging face token", setAlnum, 34, 40, true}, {"r8_", "replicate token", setAlnum, 37, 40, true}, {"gsk_", "groq key", setAlnum, 48, 60, true}, {"xai-", "xai key", setAlnum, 70, 90, true}, {"pplx-", "perplexity key", setAlnum, 40, 60, true},
	{"dop_v1_", "digitalocean token", setHex, 64, 64, false}, {"doo_v1_", "digitalocean token", setHex, 64, 64, false}, {"shpat_", "shopify token", setHex, 32, 32, false}, {"shpss_", "shopify token", setHex, 32, 32, false}, {"shpca_", "shopify token", setHex, 32, 32, false},
	{"sq0atp-", "square token", setURL, 22, 60, false}, {"sq0csp-", "square token", setURL, 43, 60, false}, {"EAAA", "square token", setURL, 60, 64, true}, {"PMAK-", "postman key", setURL, 59, 59, false}, {"lin_api_", "linear key", setAlnum, 40, 40, false},
	{"figd_", "figma token", setURL, 40, 60, false}, {"glsa_", "grafana token", setWord, 41, 41, false}, {"NRAK-", "new relic key", setUpper, 27, 27, false}, {"dapi", "databricks token", setHex, 32, 32, false}, {"sbp_", "supabase token", setHex, 40, 40, false},
	{"ATATT3", "atlassian token", setB64, 100, 300, false}, {"xkeysib-", "brevo key", setURL, 81, 81, false}, {"hvs.", "vault token", setURL, 24, 300, true}, {"AGE-SECRET-KEY-1", "age key", setUpper, 58, 58, false}, {"secret_", "notion token", setAlnum, 43, 43, true}, {"ntn_", "notion token", setAlnum, 40, 60, true},
	{"key-", "mailgun key", setHex, 32, 32, false}, {"sntrys_", "sentry token", setB64, 60, 400, true}, {"sntryu_", "sentry token", setHex, 64, 64, false}, {"pscale_tkn_", "planetscale token", setDots, 32, 64, false}, {"fio-u-", "fireworks token", setURL, 40, 80, false}, {"tfp_", "typeform token", setDots, 40, 80, true}, {"SK", "twilio key", setHex, 32, 32, false},
	{"SG.", "sendgrid key", setDots, 66, 66, false}, {"eyJ", "json web token", setDots, 30, 0, false}, {"eyJhdXRocyI6", "registry credentials", setB64, 20, 0, false}, {":AA", "telegram token", setURL, 33, 33, true},
}

// tokensByStart lists the rules by their first three bytes.
var tokensByStart = groupTokens()

func groupTokens() map[string][]tokenRule {
	m := map[string][]tokenRule{}
	for i, t := range tokenRules {
		if len(t.prefix) == 2 { // make it three: every digit that may follow
			for _, c := range "0123456789abcdef" {
				u := t
				u.prefix += string(c)
				u.least--
				u.most--
				m[u.prefix] = append(m[u.prefix], u)
			}
			continue
		}
		m[t.prefix[:3]] = append(m[t.prefix[:3]], tokenRules[i])
	}
	return m
}

func (c charSet) has(b byte) bool {
	lower, upper, digit := 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9'
	switch c {
	case setUpper:
		return upper || digit
	case setHex:
		return digit || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
	case setWord:
		return lower || upper || digit || b == '_'
	case setURL:
		return lower || upper || digit || b == '_' || b == '-'
	case setDots:
		return lower || upper || digit || b == '_' || b == '-' || b == '.'
	case setB64:
		return lower || upper || digit || b == '+' || b == '/' || b == '='
	}
	return lower || upper || digit
}

// token looks for a provider's token that begins at i.
func (s *scanner) token(i int) {
	if i+3 > len(s.text) {
		return
	}
	for _, rule := range tokensByStart[s.text[i:i+3]] {
		if end := s.matchToken(i, rule); end > 0 {
			start := i
			if rule.prefix[0] == ':' { // the bot's number before it is part of the token
				for start > 0 && '0' <= s.text[start-1] && s.text[start-1] <= '9' {
					start--
				}
				if i-start < 8 || i-start > 10 {
					continue
				}
			}
			s.add(start, end, rule.kind)
			return
		}
	}
}

func (s *scanner) matchToken(i int, rule tokenRule) (end int) {
	if !strings.HasPrefix(s.text[i:], rule.prefix) || rule.prefix[0] != ':' && i > 0 && isWordByte(s.text[i-1]) {
		return 0
	}
	start := i + len(rule.prefix)
	end = start
	for end < len(s.text) && rule.set.has(s.text[end]) {
		end++
	}
	for end > start && (s.text[end-1] == '.' || s.text[end-1] == '-' && rule.set == setDots) { // the end of a sentence
		end--
	}
	n := end - start
	if n < rule.least || rule.most > 0 && n > rule.most || end < len(s.text) && isWordByte(s.text[end]) {
		return 0
	}
	rest := s.text[start:end]
	if rule.mixed && !hasAllClasses(rest) || distinctBytes(rest) < 6 {
		return 0
	}
	switch rule.prefix {
	case "eyJ":
		return jwtEnd(s.text, i, end)
	case "SG.":
		if strings.IndexByte(rest, '.') != 22 {
			return 0
		}
	}
	return end
}

// jwtEnd accepts three parts joined by dots, of which the second is base64 of a JSON object too (or, in an encrypted
// token, anything) and the third long enough to be a signature.
func jwtEnd(text string, start, end int) int {
	parts := strings.Split(text[start:end], ".")
	if len(parts) < 3 || len(parts) > 5 || len(parts[0]) < 12 || len(parts[len(parts)-1]) < 16 {
		return 0
	}
	if len(parts) < 5 && !strings.HasPrefix(parts[1], "ey") {
		return 0
	}
	return end
}

// leastBearer is the least length of a token behind the word bearer, which stands in prose too.
const leastBearer = 16

// bearer looks behind the words bearer and basic, as they stand in an Authorization header.
func (s *scanner) bearer(i int) {
	text := s.text
	word := text[max(0, i-6):i]
	basic := strings.EqualFold(text[max(0, i-5):i], "basic")
	if !strings.EqualFold(word, "bearer") && !basic || i+1 >= len(text) || text[i] != ' ' {
		return
	}
	start := i + 1
	end := credentialEnd(text, start)
	value := text[start:end]
	if basic {
		if isBasicCredential(value) {
			s.add(start, end, KindBearer)
		}
		return
	}
	if len(value) >= leastBearer && isStrong(value, trustedBits) && !isPlaceholder(value) {
		s.add(start, end, KindBearer)
	}
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}
