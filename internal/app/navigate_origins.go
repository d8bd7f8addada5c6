package app

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// origins tells whether a module that an import names surely lies outside of the repository. The resolver's word is not enough:
// a search path, a replacement or a build file may lead a name to a folder that it does not know of.
type origins struct {
	words      map[string]bool // names of folders and files without their extension, and those that manifests give to packages
	folders    map[string]bool // whole paths of folders
	replaced   []string        // modules that a go.mod or go.work leads to a folder
	hasGoMod   bool
	renamesDir bool // a setup of Python gives folders other names
}

var (
	goReplace   = regexp.MustCompile(`(?m)^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+[./]`)
	packageName = regexp.MustCompile(`(?m)(?:"name"\s*:\s*|^\s*name\s*=\s*|\bname=)["']([^"']+)["']`)
	packageDir  = regexp.MustCompile(`package[_-]dir`)
)

// newOrigins reads the paths of the index and the manifests among its files.
func newOrigins(c *corpus) (*origins, error) {
	o := &origins{words: map[string]bool{}, folders: map[string]bool{}}
	for f := range uint32(c.FileCount()) {
		p := c.Path(f)
		dir, base := path.Split(p)
		stem, _, _ := strings.Cut(base, ".")
		o.words[stem] = true
		for dir = strings.TrimSuffix(dir, "/"); dir != "" && !o.folders[dir]; dir = strings.TrimSuffix(dir, "/") {
			o.folders[dir] = true
			o.words[path.Base(dir)] = true
			dir, _ = path.Split(dir)
		}
		switch base {
		case "go.mod", "go.work", "package.json", "setup.py", "setup.cfg", "pyproject.toml", "Cargo.toml", "composer.json":
			text, err := c.Text(f)
			if err != nil {
				return nil, err
			}
			o.manifest(base, text)
		}
	}
	return o, nil
}

func (o *origins) manifest(base, text string) {
	if strings.HasPrefix(base, "go.") {
		o.hasGoMod = true
		for _, m := range goReplace.FindAllStringSubmatch(text, -1) {
			o.replaced = append(o.replaced, m[1])
		}
		return
	}
	o.renamesDir = o.renamesDir || packageDir.MatchString(text)
	if m := packageName.FindStringSubmatch(text); m != nil {
		for _, name := range append(splitName(m[1]), m[1]) {
			o.words[name] = true
			o.words[strings.ReplaceAll(name, "-", "_")] = true
		}
	}
}

// nodeModules are those that Node.js itself has, whatever files there are.
var nodeModules = []string{"assert", "buffer", "child_process", "cluster", "crypto", "dns", "events", "fs", "http", "http2", "https", "module", "net", "os", "path", "process",
	"querystring", "readline", "stream", "string_decoder", "timers", "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "zlib"}

// outside reports whether the module of an import is surely none of the repository's. In doubt it is not.
func (o *origins) outside(lang, module string) bool {
	if module == "" || strings.HasPrefix(module, ".") || strings.HasPrefix(module, "/") {
		return false
	}
	switch lang {
	case "go":
		for _, r := range o.replaced {
			if module == r || strings.HasPrefix(module, r+"/") {
				return false
			}
		}
		return !o.folders["vendor/"+module] && (o.hasGoMod || !o.words[path.Base(module)])
	case "python":
		first, _, _ := strings.Cut(module, ".")
		return !o.words[first] && !o.renamesDir
	case "javascript", "typescript", "tsx", "vue", "svelte":
		first, _, _ := strings.Cut(module, "/")
		if strings.HasPrefix(module, "node:") || slices.Contains(nodeModules, first) {
			return true
		}
		return !o.words[module] && !slices.ContainsFunc(strings.Split(module, "/"), func(s string) bool { return o.words[strings.TrimPrefix(s, "@")] || s == "@" || s == "~" })
	case "rust":
		first, _, _ := strings.Cut(strings.TrimPrefix(module, "::"), "::")
		return slices.Contains([]string{"std", "core", "alloc"}, first) || !o.words[first] && !slices.Contains([]string{"crate", "self", "super"}, first)
	}
	names := splitName(module)
	return len(names) > 0 && !o.words[names[len(names)-1]] && !o.words[module]
}

// scope is where a name can be seen by the rules of its language; nil is everywhere.
type scope struct {
	langs   []string
	files   map[uint32]bool
	folders map[string]bool // of Go
	corpus  *corpus
}

// excludes reports whether code of a language in a file cannot mean the name.
func (s *scope) excludes(f uint32, lang string) bool {
	if s == nil || !slices.Contains(s.langs, lang) {
		return false
	}
	return !s.files[f] && !s.folders[path.Dir(s.corpus.Path(f))]
}

// scopeOf is where definitions of one name can be seen, when the language bounds that for each of them: the package of an
// unexported name of Go, the file of what C calls static, of a private member of a class, of a #name of JavaScript.
func (m *mentions) scopeOf(nodes []agenvantage.Node) (*scope, error) {
	s := &scope{files: map[uint32]bool{}, folders: map[string]bool{}, corpus: m.corpus}
	for _, node := range nodes {
		x, err := m.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		sym, lang := &x.Symbols[node.Symbol], m.corpus.Lang(node.File)
		switch {
		case lang == "go" && !exportedGo(sym.Name):
			s.langs = append(s.langs, "go")
			s.folders[path.Dir(m.corpus.Path(node.File))] = true
		case isC(lang) && staticC.MatchString(sym.Signature) && sym.Parent < 0 && !m.included(node.File):
			s.langs = append(s.langs, "c", "cpp")
			s.files[node.File] = true
		case sym.Visibility == "private" && fileScoped[lang] && !strings.Contains(x.Symbols[max(0, sym.Parent)].Signature, "partial "),
			strings.HasPrefix(sym.Name, "#") && (lang == "javascript" || lang == "typescript" || lang == "tsx"):
			s.langs = append(s.langs, lang)
			if lang == "java" || lang == "kotlin" {
				s.langs = append(s.langs, "java", "kotlin")
			}
			s.files[node.File] = true
		default:
			return nil, nil
		}
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	return s, nil
}

var (
	staticC = regexp.MustCompile(`^\s*(?:inline\s+|UV__?\w+\s+)*static\b`)
	// fileScoped are the languages where what is private cannot be named in another file.
	fileScoped = map[string]bool{"java": true, "kotlin": true, "csharp": true, "swift": true, "elixir": true}
)

// included reports whether another file takes a file of C in.
func (m *mentions) included(f uint32) bool {
	return slices.ContainsFunc(m.graph.In(agenvantage.Node{File: f, Symbol: -1}), func(e agenvantage.Edge) bool { return e.Kind == agenvantage.EdgeImports })
}

func exportedGo(name string) bool {
	return name != "" && (name[0] >= 0x80 || 'A' <= name[0] && name[0] <= 'Z')
}
