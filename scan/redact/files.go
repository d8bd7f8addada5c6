package redact

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// What follows knows the files of tools in which credentials have a fixed place. There a value counts whatever it looks like, while
// elsewhere a name alone is too weak a sign. Files that hold nothing else are not read at all (scan's credential files).

// fileRule is where values stand in files of some names: the first group of its pattern.
type fileRule struct {
	names   []string // of the file, in lower case
	has     []string // texts in lower case of which the file must hold one, whatever its case; none for any file
	pattern *regexp.Regexp
	kind    string
}

var fileRules = []fileRule{
	{names: []string{".npmrc", "npmrc", ".yarnrc"}, kind: KindSecret, pattern: regexp.MustCompile(`(?:^|[:/\s"])_(?:authToken|auth|password)"?(?:[ \t]*=[ \t]*|[ \t]+)"?([^\s"]+)`)},
	{names: []string{".yarnrc.yml", ".yarnrc.yaml"}, kind: KindSecret, pattern: regexp.MustCompile(`\bnpmAuth(?:Token|Ident)["']?[ \t]*:[ \t]*["']?([^\s"'#]+)`)},
	{names: []string{".pypirc", "my.cnf", ".my.cnf", ".wgetrc", "wgetrc"}, kind: KindPassword, pattern: regexp.MustCompile(`(?mi)^[ \t]*(?:\w+[_-])?passw(?:or)?d[ \t]*[=:][ \t]*["']?([^\s"']+)`)},
	{names: []string{".curlrc", "_curlrc"}, kind: KindPassword, pattern: regexp.MustCompile(`(?m)^[ \t]*(?:--?)?(?:user|proxy-user|u|U)(?:[ \t]*[=:][ \t]*|[ \t]+)["']?[^\s"':]+:([^\s"']+)`)},
	{names: []string{"nuget.config"}, kind: KindPassword, pattern: regexp.MustCompile(`(?i)\bkey[ \t]*=[ \t]*"(?:ClearText)?Password"\s+value[ \t]*=[ \t]*"([^"]+)"`)},
	{names: []string{"nuget.config"}, has: []string{"<apikeys"}, kind: KindSecret, pattern: regexp.MustCompile(`(?i)\bkey[ \t]*=[ \t]*"https?://[^"]*"\s+value[ \t]*=[ \t]*"([^"]+)"`)},
	{names: []string{"gradle.properties", "local.properties"}, kind: KindSecret, pattern: regexp.MustCompile(`(?mi)^[ \t]*[\w.-]*(?:password|passwd|passphrase|token|secret|api_?key)[ \t]*[=:][ \t]*(\S+)`)},
	{names: []string{"settings.xml"}, kind: KindPassword, pattern: regexp.MustCompile(`<(?:password|passphrase)>\s*([^<\s]+)\s*</`)},
	{names: []string{"credentials.toml"}, kind: KindSecret, pattern: regexp.MustCompile(`(?m)^[ \t]*(?:secret-key|token)[ \t]*=[ \t]*["']([^"'\n]+)["']`)},
	{names: []string{"config"}, has: []string{"bundle_"}, kind: KindSecret, pattern: regexp.MustCompile(`(?m)^BUNDLE_(?:[A-Z0-9]+_{1,3})*[A-Z0-9]+__(?:[A-Z0-9]+_{1,3})*[A-Z0-9]+:[ \t]*["']?([^\s"':]+:?[^\s"']*)`)},
	{names: []string{"auth.json"}, has: []string{`-oauth"`, `"http-basic"`, `"bearer"`, `-token"`}, kind: KindSecret, pattern: composerValue},
	{names: []string{"config.json", ".dockerconfigjson"}, has: []string{`"auths"`}, kind: KindSecret, pattern: regexp.MustCompile(`"(?:auth|identitytoken|registrytoken)"\s*:\s*"([^"]{8,})"`)},
	{names: []string{"wp-config.php", "wp-config-local.php"}, kind: KindSecret, pattern: regexp.MustCompile(`define\(\s*["'](?:DB_PASSWORD|FTP_PASS|FTP_PRIKEY|(?:SECURE_)?AUTH_(?:KEY|SALT)|(?:LOGGED_IN|NONCE)_(?:KEY|SALT))["']\s*,\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)")`)},
}

// composerValue is a value in Composer's auth.json: of a host, or of a member that names a secret.
var composerValue = regexp.MustCompile(`"(?:password|token|consumer-secret|access-token|[\w-]+(?:\.[\w-]+)+(?::\d+)?)"\s*:\s*"([^"]+)"`)

// bundlerSettings are keys of Bundler whose value is no credential of a host, though they have two words.
var bundlerSettings = regexp.MustCompile(`^BUNDLE_(?:BUILD|LOCAL|MIRROR|WITHOUT|WITH|CACHE|PATH|PLUGINS?|SSL|GEM|INIT|JOBS|REDIRECT|SPECIFIC|USER|VERSION|TIMEOUT|RETRY|CLEAN|BIN|FROZEN|DISABLE|GLOBAL|IGNORE|NO|ONLY|PREFER|SILENCE|SUPPRESS|UPDATE|SET|AUTO|ALLOW|DEFAULT|DEPLOYMENT|CONSOLE|FORCE)_`)

// fields masks what stands in its place in a file of a tool.
func (s *scanner) fields(name string) {
	base := strings.ToLower(path.Base(name))
	for _, rule := range fileRules {
		if !rule.applies(base, name, s.text) {
			continue
		}
		for _, at := range rule.pattern.FindAllStringSubmatchIndex(s.text, -1) {
			for g := 2; g+1 < len(at); g += 2 {
				if at[g] >= 0 && isTold(s.text[at[g]:at[g+1]]) && !bundlerSettings.MatchString(s.text[at[0]:at[1]]) {
					s.add(at[g], at[g+1], rule.kind)
				}
			}
		}
	}
}

func (r *fileRule) applies(base, name, text string) bool {
	if !slices.Contains(r.names, base) || base == "config" && !strings.HasSuffix(strings.ToLower(path.Dir(name)), ".bundle") {
		return false
	}
	if len(r.has) == 0 {
		return true
	}
	lower := strings.ToLower(text)
	return slices.ContainsFunc(r.has, func(part string) bool { return strings.Contains(lower, part) })
}

// noValues stand where there is none.
var noValues = stringSet(`null nil none true false undefined ~ xxx changeme your put`)

// isTold reports whether a value is the secret itself: no reference to a variable, nothing to be filled in, no mask.
func isTold(value string) bool {
	lower := strings.ToLower(value)
	switch {
	case isMasked(value), noValues[lower], trivialPasswords[lower], strings.HasPrefix(lower, "put your "), isPlaceholder(value):
		return false
	case strings.HasPrefix(value, "$"), isWindowsVariable(value), strings.HasPrefix(value, "<"), strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1:
		return false
	}
	return true
}
