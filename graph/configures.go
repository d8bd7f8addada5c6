package graph

import (
	"path"
	"regexp"
	"strings"

	"agenvantage"
)

// entryPoint is "package.module:function" as Python manifests write it.
var entryPoint = regexp.MustCompile(`["'=\s]([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)(?:["'\s\[]|$)`)

// maxConfigurationBytes bounds the text of a configuration file that is searched for paths: larger ones are data.
const maxConfigurationBytes = 128 << 10

// isConfiguration reports whether the paths in a file tell which code is built, run or shipped. Of JSON only manifests
// and tool settings do: most of it is data.
func isConfiguration(file, lang string) bool {
	base := path.Base(file)
	switch lang {
	case "dockerfile", "make", "toml", "yaml", "ini", "cmake", "just", "gomod", "properties", "meson", "bazel", "starlark":
		return true
	case "json", "jsonc", "json5":
		return strings.HasPrefix(base, "package.json") || strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig") ||
			base == "composer.json" || base == "deno.json" || base == "launch.json" || base == "tasks.json" || base == "manifest.json" ||
			strings.HasPrefix(base, ".") || strings.Contains(base, "config") || strings.Contains(base, "rc.")
	}
	return base == "setup.cfg" || base == "Procfile" || base == "Justfile" || base == "MANIFEST.in" || strings.HasPrefix(base, "Dockerfile")
}

// configures links a configuration file to the files whose paths it names and to the entry points of Python packages.
func (j *job) configures() {
	text := j.text()
	if len(text) > maxConfigurationBytes {
		return
	}
	base := path.Base(j.r.files[j.file].path)
	python := base == "pyproject.toml" || base == "setup.cfg"
	number := 0
	for line := range strings.Lines(text) {
		number++
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		if python {
			for _, m := range entryPoint.FindAllStringSubmatch(line, -1) {
				j.entryPoint(m[1], m[2], number)
			}
		}
		j.pathsIn(line, number)
	}
}

// pathsIn links to the files that the words of a line name.
func (j *job) pathsIn(line string, number int) {
	for at := 0; at < len(line); {
		if !isPathByte(line[at]) {
			at++
			continue
		}
		end := at
		for end < len(line) && isPathByte(line[end]) {
			end++
		}
		word := strings.TrimRight(line[at:end], ".")
		at = end
		if !looksLikePath(word) {
			continue
		}
		f, ok := j.pathFrom(word)
		if !ok && strings.HasPrefix(word, "./") {
			f, ok = j.mainFile(path.Join(j.r.files[j.file].dir, word))
		}
		if ok {
			j.link(agenvantage.EdgeConfigures, j.from(j.symbolAtLine(number)), agenvantage.Node{File: f, Symbol: -1}, number, agenvantage.ByScope)
		}
	}
}

// mainFile is the file of a folder that is run when the folder is.
func (j *job) mainFile(dir string) (uint32, bool) {
	if strings.HasPrefix(dir, "..") {
		return 0, false
	}
	for _, base := range []string{"main.go", "index.js", "index.ts", "__main__.py", "main.py", "src/main.rs"} {
		if f, ok := j.probe(path.Join(dir, base)); ok {
			return f, true
		}
	}
	return 0, false
}

// entryPoint links to a function of a Python module.
func (j *job) entryPoint(modulePath, name string, line int) {
	j.language = pythonSemantics{}
	v := j.pythonModule(modulePath, j.file)
	for part := range strings.SplitSeq(name, ".") {
		if v.kind != module && v.kind != class {
			return
		}
		v = j.language.member(j, v, part)
	}
	for _, n := range v.nodes {
		j.link(agenvantage.EdgeConfigures, j.from(j.symbolAtLine(line)), n, line, agenvantage.ByScope)
	}
}
