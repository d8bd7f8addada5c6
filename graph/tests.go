package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// tests links test files to what they test: what their code calls outside of tests, and the file of the same name.
func (j *job) tests() {
	info := &j.r.files[j.file]
	if !info.class.Has(agenvantage.ClassTest) || testedExtensions[info.lang] == nil {
		return
	}
	for _, e := range j.edges {
		if e.Kind == agenvantage.EdgeCalls && !j.r.files[e.To.File].class.Has(agenvantage.ClassTest) {
			e.Kind = agenvantage.EdgeTests
			j.edges = append(j.edges, e)
		}
	}
	for _, stem := range testedStems(path.Base(info.path)) {
		if j.testedFile(stem) {
			return
		}
	}
}

// testedFile links to the files with a stem: the one in the same folder, else up to a few anywhere.
func (j *job) testedFile(stem string) bool {
	info := &j.r.files[j.file]
	var found []uint32
	for _, ext := range testedExtensions[info.lang] {
		if f, ok := j.probe(path.Join(info.dir, stem+ext)); ok && f != j.file {
			j.testEdge(f, agenvantage.ByUnique)
			return true
		}
		for _, f := range j.withBase(stem + ext) {
			if !j.r.files[f].class.Has(agenvantage.ClassTest) {
				found = append(found, f)
			}
		}
	}
	if len(found) == 0 || len(found) > maxByName {
		return false
	}
	c := agenvantage.ByName
	if len(found) == 1 {
		c = agenvantage.ByUnique
	}
	for _, f := range found {
		j.testEdge(f, c)
	}
	return true
}

func (j *job) testEdge(f uint32, c agenvantage.Confidence) {
	j.link(agenvantage.EdgeTests, j.from(-1), agenvantage.Node{File: f, Symbol: -1}, 1, c)
}

// testedExtensions are the extensions of the files that a test in a language may be about.
var testedExtensions = map[string][]string{
	"go": {".go"}, "python": {".py"}, "ruby": {".rb"}, "java": {".java"}, "kotlin": {".kt", ".java"}, "scala": {".scala"}, "csharp": {".cs"}, "php": {".php"},
	"rust": {".rs"}, "swift": {".swift"}, "elixir": {".ex"}, "c": {".c", ".h"}, "cpp": {".cpp", ".cc", ".cxx", ".h", ".hpp"}, "groovy": {".groovy", ".java"},
	"javascript": {".js", ".jsx", ".mjs", ".ts"}, "typescript": {".ts", ".tsx", ".js", ".vue", ".svelte"}, "tsx": {".tsx", ".ts"}, "lua": {".lua"}, "bash": {".sh", ".bash"},
}

// testedStems are the base names without extension that the base name of a test stands for: "store_test.go" for "store".
func testedStems(base string) []string {
	stem, _, _ := strings.Cut(base, ".")
	rest := strings.TrimPrefix(base, stem)
	var out []string
	if strings.HasPrefix(rest, ".test.") || strings.HasPrefix(rest, ".spec.") || strings.HasPrefix(rest, ".e2e") {
		out = append(out, stem)
	}
	for _, prefix := range []string{"test_", "Test", "test-"} {
		if s, ok := strings.CutPrefix(stem, prefix); ok && s != "" {
			out = append(out, s)
		}
	}
	for _, suffix := range []string{"_test", "_tests", "_spec", "-test", "-spec", "Tests", "Test", "Spec", "IT"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}
