package corpus

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"agenvantage"
)

// Exclusion knows the repositories that may not be trained on: the task sets and decoys that the product is evaluated with,
// their forks and vendored copies. A package is excluded by its own name, by a repository that its metadata names as its
// home, and file by file by the fingerprints of what the repositories hold.
type Exclusion struct {
	repositories map[string]bool // "owner/name" in lower case
	names        map[string]bool // names alone, folded
	Fingerprints Fingerprints
}

// otherNames are names under which registries carry an excluded repository, or a part of one, and which no rule derives.
var otherNames = map[string]string{
	"abseil/abseil-cpp":                "abseil absl",
	"actix/actix-web":                  "actix-web actix-router actix-http actix-files actix-multipart actix-web-codegen actix-web-actors awc",
	"apache/commons-lang":              "commons-lang3 commons-lang lang3",
	"apple/swift-nio":                  "swift-nio",
	"catchorg/Catch2":                  "catch catch2",
	"clap-rs/clap":                     "clap clap-2 clap-3 clap-derive clap-lex clap-builder clap-mangen clap-complete clap-complete-fig clap-generate",
	"composer/composer":                "composer",
	"etcd-io/bbolt":                    "bbolt bolt boltdb",
	"facebook/zstd":                    "libzstd",
	"FasterXML/jackson-core":           "jackson2-core",
	"FasterXML/jackson-databind":       "jackson2-databind",
	"fmtlib/fmt":                       "fmtlib",
	"google/gson":                      "google-gson",
	"google/guava":                     "guava guava-libraries",
	"guzzle/guzzle":                    "guzzlehttp-guzzle",
	"haskell/aeson":                    "aeson attoparsec-aeson",
	"JamesNK/Newtonsoft.Json":          "newtonsoft-json",
	"junit-team/junit5":                "junit5 junit4",
	"laravel/framework":                "illuminate",
	"libuv/libuv":                      "libuv1 luv",
	"lua/lua":                          "lua5.1 lua5.2 lua5.3 lua5.4 lua50",
	"mui/material-ui":                  "material",
	"netty/netty":                      "netty netty-3.9",
	"neuecc/MessagePack-CSharp":        "messagepack-csharp",
	"nlohmann/json":                    "nlohmann-json nlohmann-json3",
	"numpy/numpy":                      "numpy-dev",
	"nvim-mini/mini.nvim":              "mini",
	"pallets/jinja":                    "jinja2 jinja",
	"pandas-dev/pandas":                "pandas-lib",
	"pmndrs/zustand":                   "zustand",
	"protocolbuffers/protobuf":         "protobuf google-protobuf",
	"pyca/pyopenssl":                   "openssl-python",
	"pypa/pip":                         "pip-whl",
	"python/cpython":                   "python python3 python2 pypy pypy3 cpython jython",
	"rack/rack":                        "rack",
	"rails/rails":                      "rails railties activesupport activerecord activemodel activejob activestorage actionpack actionview actionmailer actioncable actiontext actionmailbox",
	"rayon-rs/rayon":                   "rayon rayon-core",
	"redis/redis":                      "redis-server",
	"remix-run/react-router":           "react-router react-router-dom",
	"rust-lang/regex":                  "regex regex-syntax regex-automata",
	"scikit-learn/scikit-learn":        "sklearn sklearn-lib",
	"sebastianbergmann/phpunit":        "phpunit",
	"serde-rs/serde":                   "serde serde-derive serde-test serde-derive-internals",
	"sharkdp/fd":                       "fd-find fdfind",
	"sinatra/sinatra":                  "rack-protection sinatra-contrib",
	"sphinx-doc/sphinx":                "sphinx-common",
	"spring-projects/spring-petclinic": "petclinic",
	"symfony/console":                  "symfony symfony-console",
	"TanStack/query":                   "react-query query-core",
	"tokio-rs/axum":                    "axum axum-core axum-macros axum-extra",
	"tokio-rs/tokio":                   "tokio tokio-util tokio-macros tokio-stream tokio-test",
	"tokio-rs/tracing":                 "tracing tracing-core tracing-subscriber tracing-attributes tracing-log tracing-futures tracing-serde tracing-error tracing-appender",
	"twigphp/twig":                     "twig twig-extra-bundle twig-intl-extra twig-string-extra twig-html-extra twig-markdown-extra twig-inky-extra twig-cssinliner-extra twig-cache-extra",
	"typelevel/cats":                   "cats cats-core cats-kernel",
	"vuejs/core":                       "vue",
	"zarr-developers/zarr-python":      "zarr",
}

// genericNames are names of excluded repositories that say nothing without their owner.
var genericNames = map[string]bool{"core": true, "backend": true, "template": true, "console": true, "query": true, "framework": true, "components": true}

// fold brings a name of a repository or package into one form.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.':
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// ReadExclusion reads "owner/name" lines.
func ReadExclusion(r io.Reader, prints Fingerprints) (*Exclusion, error) {
	x := &Exclusion{repositories: map[string]bool{}, names: map[string]bool{}, Fingerprints: prints}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		owner, name, ok := strings.Cut(line, "/")
		if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
			return nil, fmt.Errorf("exclusion line %d, %q: not owner/name: %w", n, line, agenvantage.ErrBadInput)
		}
		x.repositories[strings.ToLower(line)] = true
		if !genericNames[strings.ToLower(name)] {
			x.names[fold(name)] = true
		}
		for _, other := range strings.Fields(otherNames[line]) {
			x.names[fold(other)] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read exclusion: %w", err)
	}
	if len(x.repositories) == 0 {
		return nil, fmt.Errorf("exclusion names no repository: %w", agenvantage.ErrBadInput)
	}
	return x, nil
}

// namePrefixes and nameSuffixes are what distributions add to the name of a project.
var (
	namePrefixes = []string{"librust-", "golang-github-", "golang-", "python3-", "python-", "py", "node-", "ruby-", "rust-", "haskell-", "php-", "lua-", "lib", "r-cran-", "erlang-", "elixir-", "ocaml-"}
	nameSuffixes = []string{"-java", "-perl", "-ruby", "-python", "-php", "-lua", "-js", "js", "-dev", "-clojure", "-ocaml", "-go", "-cpp", "-sharp"}
	nameVersion  = regexp.MustCompile(`[-.]?v?\d+(\.\d+)*$`)
	majorVersion = regexp.MustCompile(`/v\d+$`)
)

// Excludes reports whether the name of a package is that of an excluded repository, and of which. Names are compared
// after what distributions add to them is taken off, so that too much is excluded rather than too little.
func (x *Exclusion) Excludes(p Package) (reason string, excluded bool) {
	name := strings.ToLower(p.Name)
	if p.Ecosystem == Go {
		parts := strings.Split(majorVersion.ReplaceAllString(name, ""), "/")
		if len(parts) >= 3 && x.repositories[parts[1]+"/"+parts[2]] {
			return parts[1] + "/" + parts[2], true
		}
	}
	if p.Ecosystem == NPM && strings.HasPrefix(name, "@") {
		scope, rest, _ := strings.Cut(name[1:], "/")
		if x.repositories[scope+"/"+rest] || x.names[fold(scope)] {
			return scope + "/" + rest, true
		}
		name = rest
	}
	for _, form := range nameForms(name) {
		if x.names[fold(form)] {
			return form, true
		}
	}
	return "", false
}

// nameForms are a name and what is left of it without the additions of registries.
func nameForms(name string) []string {
	name = majorVersion.ReplaceAllString(name, "")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	forms := []string{name}
	for i := 0; i < len(forms) && i < 64; i++ {
		f := forms[i]
		for _, p := range namePrefixes {
			if rest, ok := strings.CutPrefix(f, p); ok && len(rest) > 1 {
				forms = append(forms, rest)
			}
		}
		for _, s := range nameSuffixes {
			if rest, ok := strings.CutSuffix(f, s); ok && len(rest) > 1 {
				forms = append(forms, rest)
			}
		}
		if rest := nameVersion.ReplaceAllString(f, ""); rest != f && len(rest) > 1 {
			forms = append(forms, rest)
		}
	}
	return forms
}

var repositoryURL = regexp.MustCompile(`(?i)(?:github|gitlab)\.com[/:]([a-z0-9][a-z0-9-]*)/([a-z0-9][a-z0-9._-]*)`)

// Home returns the excluded repository that a file of metadata (package.json, debian/watch …; a go.mod names its dependencies as well) names, "" for none.
func (x *Exclusion) Home(metadata string) string {
	for _, m := range repositoryURL.FindAllStringSubmatch(metadata, -1) {
		name := strings.ToLower(m[1] + "/" + strings.TrimRight(strings.TrimSuffix(m[2], ".git"), "."))
		if x.repositories[name] {
			return name
		}
	}
	return ""
}
