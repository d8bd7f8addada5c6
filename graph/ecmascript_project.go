package graph

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// ecmaProject is what the manifests of the repository say.
type ecmaProject struct {
	packages []ecmaPackage // longest name first
	byDir    map[string]*ecmaPackage
	configs  map[string]ecmaConfig // folder -> its compiler settings
}

type ecmaPackage struct {
	dir, name, main string
	exports         any
	imports         any
}

type ecmaConfig struct {
	base    string // folder of plain paths, "" with hasBase false: none
	hasBase bool
	paths   map[string][]string
	order   []string // keys of paths, longest prefix first
	root    string   // what paths are relative to
}

func isECMAScriptManifest(file string) bool {
	base := path.Base(file)
	return base == "package.json" || (strings.HasPrefix(base, "tsconfig") || base == "jsconfig.json") && strings.HasSuffix(base, ".json")
}

func (j *job) ecmaProject() *ecmaProject {
	j.dependsOn(manifestKey + "ecmascript")
	if p, ok := j.r.manifests["ecmascript"].(*ecmaProject); ok {
		return p
	}
	p := &ecmaProject{byDir: map[string]*ecmaPackage{}, configs: map[string]ecmaConfig{}}
	texts := map[string]map[string]any{}
	for f := range j.r.files {
		info := &j.r.files[f]
		if !isECMAScriptManifest(info.path) {
			continue
		}
		text, err := j.r.corpus.Text(uint32(f))
		if err != nil && j.err == nil {
			j.err = err
		}
		var content map[string]any
		if json.Unmarshal([]byte(withoutComments(text)), &content) != nil {
			continue
		}
		if path.Base(info.path) != "package.json" {
			texts[info.path] = content
			continue
		}
		name, _ := content["name"].(string)
		p.packages = append(p.packages, ecmaPackage{info.dir, name, ecmaMain(content), content["exports"], content["imports"]})
	}
	slices.SortStableFunc(p.packages, func(a, b ecmaPackage) int { return len(b.name) - len(a.name) })
	for i := range p.packages {
		p.byDir[p.packages[i].dir] = &p.packages[i]
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		dir := dirOf(file)
		main := path.Base(file) == "tsconfig.json" || path.Base(file) == "jsconfig.json"
		c := readECMAConfig(file, texts, 0)
		if old, ok := p.configs[dir]; !ok || len(old.paths) == 0 && !old.hasBase && (main || len(c.paths) > 0) {
			p.configs[dir] = c
		}
	}
	j.r.manifests["ecmascript"] = p
	return p
}

// ecmaMain is the file that a package is imported by, as its sources come first.
func ecmaMain(content map[string]any) string {
	for _, key := range []string{"source", "types", "typings", "module", "main"} {
		if s, ok := content[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// readECMAConfig reads compiler settings and what they extend.
func readECMAConfig(file string, texts map[string]map[string]any, depth int) ecmaConfig {
	content := texts[file]
	c, dir := ecmaConfig{}, dirOf(file)
	var parents []string
	switch e := content["extends"].(type) {
	case string:
		parents = []string{e}
	case []any:
		for _, p := range e {
			if s, ok := p.(string); ok {
				parents = append(parents, s)
			}
		}
	}
	for _, p := range parents {
		if !strings.HasPrefix(p, ".") || depth > 8 {
			continue
		}
		at := path.Join(dir, p)
		for _, candidate := range []string{at, at + ".json", path.Join(at, "tsconfig.json")} {
			if texts[candidate] != nil && candidate != file {
				c = readECMAConfig(candidate, texts, depth+1)
				break
			}
		}
	}
	options, _ := content["compilerOptions"].(map[string]any)
	if base, ok := options["baseUrl"].(string); ok {
		c.base, c.hasBase = path.Join(dir, base), true
	}
	if paths, ok := options["paths"].(map[string]any); ok {
		c.root = dir
		if c.hasBase {
			c.root = c.base
		}
		c.paths, c.order = map[string][]string{}, nil
		for _, key := range slices.Sorted(maps.Keys(paths)) {
			targets, _ := paths[key].([]any)
			for _, t := range targets {
				if s, ok := t.(string); ok {
					c.paths[key] = append(c.paths[key], s)
				}
			}
			c.order = append(c.order, key)
		}
		slices.SortStableFunc(c.order, func(a, b string) int {
			return len(strings.TrimSuffix(b, "*")) - len(strings.TrimSuffix(a, "*"))
		})
	}
	return c
}

// mapped lists the paths that the compiler settings nearest to a folder give a name.
func (p *ecmaProject) mapped(spec, dir string) []string {
	var out []string
	for {
		if c, ok := p.configs[dir]; ok {
			for _, key := range c.order {
				if rest, ok := matchStar(key, spec); ok {
					for _, t := range c.paths[key] {
						out = append(out, path.Join(c.root, strings.Replace(t, "*", rest, 1)))
					}
				}
			}
			if c.hasBase {
				out = append(out, path.Join(c.base, spec))
			}
			if len(out) > 0 {
				return out
			}
		}
		if dir == "" {
			return out
		}
		dir = dirOf(dir)
	}
}

// matchStar matches a name with a pattern that holds at most one star, and gives what the star stands for.
func matchStar(pattern, name string) (string, bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == name
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

// inPackages lists the paths that the packages of the repository give a name: their own names, "#…" of the package around
// a folder, and "@/…" for the sources of that package, as bundlers have it.
func (p *ecmaProject) inPackages(spec, dir string) []string {
	around := p.around(dir)
	switch {
	case strings.HasPrefix(spec, "#") && around != nil:
		return around.targets(around.imports, spec, around.dir)
	case (strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "~/")) && around != nil:
		return []string{path.Join(around.dir, "src", spec[2:]), path.Join(around.dir, spec[2:])}
	}
	for i := range p.packages {
		k := &p.packages[i]
		rest, ok := strings.CutPrefix(spec, k.name)
		if k.name == "" || !ok || rest != "" && rest[0] != '/' {
			continue
		}
		out := k.targets(k.exports, "."+rest, k.dir)
		if rest == "" {
			if k.main != "" {
				out = append(out, sourcesOf(k.dir, k.main)...)
			}
			return append(out, path.Join(k.dir, "src/index"), path.Join(k.dir, "index"), path.Join(k.dir, "src/main"))
		}
		return append(out, path.Join(k.dir, rest), path.Join(k.dir, "src", rest))
	}
	return nil
}

// around is the innermost package that holds a folder.
func (p *ecmaProject) around(dir string) *ecmaPackage {
	for {
		if k := p.byDir[dir]; k != nil {
			return k
		}
		if dir == "" {
			return nil
		}
		dir = dirOf(dir)
	}
}

func (p *ecmaProject) mainOf(dir string) string {
	if k := p.byDir[dir]; k != nil {
		return k.main
	}
	return ""
}

// targets lists the files that a table of exports or imports gives a name, with the sources of built ones.
func (k *ecmaPackage) targets(table any, name, dir string) []string {
	entries, ok := table.(map[string]any)
	if s, isString := table.(string); isString && name == "." {
		return sourcesOf(dir, s)
	}
	if !ok {
		return nil
	}
	var out []string
	direct := true
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if !strings.HasPrefix(key, ".") && !strings.HasPrefix(key, "#") {
			continue
		}
		direct = false
		if rest, ok := matchStar(key, name); ok {
			for _, t := range conditions(entries[key], 0) {
				out = append(out, sourcesOf(dir, strings.ReplaceAll(t, "*", rest))...)
			}
		}
	}
	if direct && name == "." {
		for _, t := range conditions(table, 0) {
			out = append(out, sourcesOf(dir, t)...)
		}
	}
	return out
}

// conditions lists the files of a conditional export, sources and types first.
func conditions(v any, depth int) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, conditions(e, depth+1)...)
		}
		return out
	case map[string]any:
		if depth > 6 {
			return nil
		}
		keys := slices.Sorted(maps.Keys(v))
		rank := func(key string) int {
			return slices.Index([]string{"default", "require", "node", "import", "module", "types", "source"}, key)
		}
		slices.SortStableFunc(keys, func(a, b string) int { return rank(b) - rank(a) })
		var out []string
		for _, key := range keys {
			out = append(out, conditions(v[key], depth+1)...)
		}
		return out
	}
	return nil
}

// sourcesOf lists the path of a target and, for one that a build writes, where its source usually is.
func sourcesOf(dir, target string) []string {
	at := path.Join(dir, target)
	out := []string{at}
	rel := strings.TrimPrefix(path.Clean("/"+target), "/")
	first, rest, nested := strings.Cut(rel, "/")
	if !nested {
		return out
	}
	switch first {
	case "dist", "lib", "build", "out", "es", "esm", "cjs":
		for _, sub := range []string{"esm/", "cjs/", "es/", "types/", "src/"} {
			rest = strings.TrimPrefix(rest, sub)
		}
		for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"} {
			if stem, ok := strings.CutSuffix(rest, ext); ok {
				rest = stem
				break
			}
		}
		out = append(out, path.Join(dir, "src", rest), path.Join(dir, rest))
	}
	return out
}

// withoutComments is JSON without comments and without commas before closing brackets, as tsconfig.json may have them.
func withoutComments(s string) string {
	var b strings.Builder
	comma := -1 // where in b a comma stands with nothing but white space behind it
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			end := i + 1
			for end < len(s) && s[end] != '"' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(s)-1)
			b.WriteString(s[i : end+1])
			i, comma = end, -1
		case c == '/' && i+1 < len(s) && s[i+1] == '/':
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return b.String()
			}
			i += end + 3
		case (c == '}' || c == ']') && comma >= 0:
			kept := b.String()
			b.Reset()
			b.WriteString(kept[:comma] + kept[comma+1:])
			b.WriteByte(c)
			comma = -1
		default:
			if c == ',' {
				comma = b.Len()
			} else if !strings.ContainsRune(" \t\r\n", rune(c)) {
				comma = -1
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}
