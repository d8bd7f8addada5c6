package plan

import (
	"regexp"
	"slices"
	"strings"
)

var (
	methodRoute = regexp.MustCompile("\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\s+[`\"']?(/[^\\s`\"',;)]*)")
	plainRoute  = regexp.MustCompile("(?:^|[\\s\"'`(\\[])(/[A-Za-z:{<\\[][^\\s`\"',;)|]*)")
	routeParts  = regexp.MustCompile(`^/(?:[\w.~*-]+|:\w+[?*]?|\{[\w:.*]+\}|<[\w:]+>|\[[\w.]+\])(?:/(?:[\w.~*-]+|:\w+[?*]?|\{[\w:.*]+\}|<[\w:]+>|\[[\w.]+\]))*/?$`)
)

// systemRoots are first folders of absolute paths of files.
var systemRoots = setOf(`usr home tmp etc var opt bin sbin dev proc sys root mnt media lib lib64 srv run boot users private volumes applications library src workspace app-data
	github builds data nix cygdrive c d`)

// readRoutes adds the routes of the text: the path behind a method of HTTP wherever it stands, and in prose a path from
// the root with a parameter in it, or without an extension and not from a root folder of a file system.
func (r *anchorReader) readRoutes(prose string) {
	for _, m := range methodRoute.FindAllStringSubmatch(r.text, 2*maxAnchorRoutes) {
		if route := cleanRoute(m[1]); routeParts.MatchString(route) || route == "/" {
			r.routes.add(route)
		}
	}
	for _, m := range plainRoute.FindAllStringSubmatch(prose, 4*maxAnchorRoutes) {
		route := cleanRoute(m[1])
		if !routeParts.MatchString(route) {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(route, "/")), "/")
		base := route[strings.LastIndexByte(route, '/')+1:]
		dot := strings.LastIndexByte(base, '.')
		isFile := dot >= 0 && extensions[strings.ToLower(base[dot+1:])] || linesSuffix.MatchString(m[1])
		if strings.ContainsAny(route, ":{<[") || !systemRoots[first] && !isFile {
			r.routes.add(route)
		}
	}
}

// cleanRoute cuts the query and the punctuation behind a route.
func cleanRoute(s string) string {
	s, _, _ = strings.Cut(s, "?")
	return strings.TrimRight(s, ".,:!")
}

var (
	dottedKey  = regexp.MustCompile(`^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$`)
	upperKey   = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)
	flagKey    = regexp.MustCompile("(?:^|[\\s`\"'(\\[])(--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
	tickedKey  = regexp.MustCompile("`([a-z][\\w.-]{1,60}):`")
	yamlKey    = regexp.MustCompile(`^\s*(?:- )?([A-Za-z][\w.-]{1,60}):(?:\s|$)`)
	iniKey     = regexp.MustCompile(`^\s*(?:export )?([A-Za-z][\w.-]{1,60})\s*=`)
	hyphenated = regexp.MustCompile("`?\\b([a-z][a-z0-9_]*(?:[.-][a-z0-9_-]+)*\\.[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*)\\b`?")
	hostName   = regexp.MustCompile(`\.(?:com|org|net|io|dev|edu|gov|co|uk|de|fr|eu)$`)
	configWord = regexp.MustCompile(`(?i)\b(?:settings?|config(?:uration|ured|s)?|options?|keys?|propert(?:y|ies)|env(?:ironment)?|variables?|defaults?|yaml|toml|ini|parameters?|flags?)\b`)
)

// configLangs are fenced blocks that hold configuration.
var configLangs = setOf(`yaml yml toml ini properties env dotenv conf cfg`)

// readKeys adds configuration keys: flags, names in capitals with underscores, dotted names in lower case, and keys of
// blocks of configuration. A dotted name of two parts is one when it has a hyphen or the line speaks of configuration; of
// three or more, unless it is called like a function or imported.
func (r *anchorReader) readKeys(prose string) {
	for _, m := range flagKey.FindAllStringSubmatch(r.text, 4*maxAnchorKeys) {
		r.keys.add(m[1])
	}
	for _, name := range r.query.Identifiers {
		if upperKey.MatchString(name) {
			r.keys.add(name)
		}
	}
	for _, line := range strings.Split(prose, "\n") {
		line = bareLink.ReplaceAllString(linkGoal.ReplaceAllString(line, "]"), " ")
		about := configWord.MatchString(line)
		for _, m := range hyphenated.FindAllStringSubmatchIndex(line, maxAnchorKeys) {
			name := line[m[2]:m[3]]
			if r.isKey(name, about) && !strings.HasPrefix(line[m[3]:], "(") {
				r.keys.add(name)
			}
		}
		for _, m := range tickedKey.FindAllStringSubmatch(line, maxAnchorKeys) {
			r.keys.add(m[1])
		}
	}
	for _, b := range r.page.code {
		if !configLangs[b.lang] {
			continue
		}
		for _, line := range b.lines {
			form := yamlKey
			if b.lang != "yaml" && b.lang != "yml" {
				form = iniKey
			}
			if m := form.FindStringSubmatch(line); m != nil {
				r.keys.add(m[1])
			}
		}
	}
}

// isKey reports whether a dotted name in a line is a configuration key; about says that the line speaks of some.
func (r *anchorReader) isKey(name string, about bool) bool {
	if !dottedKey.MatchString(name) || versionNumber.MatchString(name) || isAbbreviation(name) {
		return false
	}
	if _, isFile := asPath(name); isFile || !slices.Contains(r.query.Qualified, name) && !strings.Contains(name, "-") {
		return false
	}
	first, _, _ := strings.Cut(name, ".")
	switch {
	case strings.Contains(r.text, name+"("), strings.Contains(r.text, "import "+first), strings.Contains(r.text, "from "+first), strings.HasPrefix(name, "www."), hostName.MatchString(name):
		return false
	}
	return about || strings.Count(name, ".") >= 2 || strings.Contains(name, "-")
}
