package scan

import (
	"fmt"
	"path"
	"strings"

	"agenvantage"
)

// lockFiles are what package managers write for themselves, by lower-case name.
var lockFiles = wordSet(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock gopkg.lock
	glide.lock go.sum go.work.sum poetry.lock pdm.lock uv.lock pipfile.lock pixi.lock conda-lock.yml composer.lock gemfile.lock gems.locked mix.lock
	pubspec.lock podfile.lock package.resolved cartfile.resolved flake.lock .terraform.lock.hcl module.bazel.lock packages.lock.json
	gradle.lockfile buildscript-gradle.lockfile conan.lock paket.lock rebar.lock stack.yaml.lock cabal.project.freeze esy.lock shard.lock renv.lock buf.lock
	chart.lock .pnp.cjs .pnp.js .pnp.loader.mjs project.assets.json vcpkg-lock.json jsr.lock`)

// vendorFolders hold code of others wherever they lie. Folders such as testdata, deps or external are left alone: in many
// trees they are the project's own work.
var vendorFolders = wordSet(`vendor node_modules third_party third-party thirdparty 3rdparty bower_components jspm_packages pods carthage godeps site-packages
	_vendor vendored web_modules .yarn`)

// testFolders hold tests wherever they lie.
var testFolders = wordSet(`test tests __tests__ spec specs testdata test_data __mocks__ __snapshots__ e2e androidtest unittest unittests integration_tests
	integrationtest test-fixtures testing_data cypress`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func isLockFile(name string) bool { return lockFiles[strings.ToLower(path.Base(name))] }

// classify collects what is known about a file before it is parsed.
func classify(name, lang, text string) agenvantage.Class {
	var c agenvantage.Class
	folders, base := strings.ToLower(parentDir(name)), path.Base(name)
	for folder := range strings.SplitSeq(folders, "/") {
		if vendorFolders[folder] {
			c |= agenvantage.ClassVendored
		}
		if testFolders[folder] || strings.HasSuffix(folder, ".tests") || strings.HasSuffix(folder, ".test") {
			c |= agenvantage.ClassTest
		}
	}
	if isTestName(base) {
		c |= agenvantage.ClassTest
	}
	switch {
	case lockFiles[strings.ToLower(base)]:
		c |= agenvantage.ClassLock
	case isMinified(strings.ToLower(path.Ext(base)), text):
		c |= agenvantage.ClassMinified
	case isGeneratedName(name) || hasGeneratedHeader(text):
		c |= agenvantage.ClassGenerated
	}
	if isDocument(lang, base) {
		c |= agenvantage.ClassDocument
	}
	return c
}

func isDocument(lang, base string) bool {
	switch lang {
	case "markdown", "rst", "asciidoc", "org":
		return true
	case "text":
		lower := strings.ToLower(base)
		return !strings.HasPrefix(lower, "requirements") && !strings.HasPrefix(lower, "constraints") && !strings.HasSuffix(lower, ".log")
	}
	return false
}

// isTestName knows the names that test runners look for. Capitals count: Contest.java is no test.
func isTestName(base string) bool {
	stem, ext, found := strings.Cut(base, ".")
	if !found {
		return false
	}
	last := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(last, ".test") || strings.HasSuffix(last, ".spec") || strings.HasSuffix(last, ".tests") || strings.HasSuffix(last, ".cy") || base == "conftest.py" {
		return true
	}
	if strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") || strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "-test") || strings.HasSuffix(stem, "-spec") {
		return true
	}
	switch ext {
	case "py", "rb", "php", "c", "cc", "cpp", "jl", "R", "r", "lua", "exs", "nim", "sh", "bats":
		return strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "test-") || ext == "bats" || ext == "php" && strings.HasSuffix(stem, "Test")
	case "java", "kt", "kts", "scala", "groovy", "cs", "fs", "vb", "swift", "hs", "m":
		for _, word := range []string{"Test", "Tests", "TestCase", "IT", "Spec", "Specs", "Suite"} {
			if strings.HasSuffix(stem, word) && stem != word {
				return true
			}
		}
		return strings.HasPrefix(stem, "Test") && len(stem) > 4 && 'A' <= stem[4] && stem[4] <= 'Z'
	}
	return false
}

// longLine is the length from which a line was hardly written by a person: of the 2.85 million lines of Go in the
// standard library's source, 746 are longer.
const longLine = 300

// maxMinifiedBytes is the largest minified file that is kept, as text that is not parsed and ranks last: a word in it is
// still found. Larger ones are bundles, whose words would outnumber those that people wrote.
const maxMinifiedBytes = 64 << 10

// minifiedSize is the least size of a file that is worth being called minified.
var minifiedSize = map[string]int{
	".js": 1 << 10, ".mjs": 1 << 10, ".cjs": 1 << 10, ".css": 1 << 10,
	".map": 1 << 10, ".json": 32 << 10, ".html": 32 << 10, ".htm": 32 << 10, ".svg": 8 << 10, ".xml": 32 << 10, ".geojson": 32 << 10,
}

// isMinified reports whether most of the text is in long lines and hardly any of it in lines for people. A script with
// one line of data among its code is not minified: its code stays searchable. Only kinds of files that tools squeeze are
// considered; a Python file with a long string is code.
func isMinified(ext, text string) bool {
	least, considered := minifiedSize[ext]
	if !considered || len(text) < least {
		return false
	}
	inLong, long, ordinary := 0, 0, 0
	for line := range strings.Lines(text) {
		if len(line) > longLine {
			inLong += len(line)
			long++
			continue
		}
		if t := strings.TrimSpace(line); len(t) > 2 && !isCommentLine(t) {
			ordinary++
		}
	}
	return long > 0 && inLong*2 >= len(text) && ordinary <= max(8, 2*long)
}

func minifiedDetail(text string) string {
	lines := max(1, strings.Count(text, "\n"))
	return fmt.Sprintf("%d characters a line on average", len(text)/lines)
}

// isCommentLine knows the ways in which a line of most languages begins a comment or goes on with one.
func isCommentLine(line string) bool {
	for _, mark := range []string{"//", "/*", "*", "#", "--", ";", "<!--", "%", "'''", `"""`, "(*", "{-", "REM ", "rem ", "@rem "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// generatedSuffixes are ends of names that only generators write.
var generatedSuffixes = strings.Fields(`.pb.go .pb.gw.go _pb2.py _pb2.pyi _pb2_grpc.py .pb.cc .pb.h .pb.swift .grpc.swift .pbobjc.h .pbobjc.m _pb.js _pb.d.ts _grpc_pb.js
	.g.dart .freezed.dart .gr.dart .mocks.dart .designer.cs .designer.vb .feature.cs .g.cs .g.i.cs .generated.cs .generated.go .generated.ts .generated.js
	_generated.go _gen.go .gen.go .gen.ts _string.go .min.js .min.css .js.map .css.map .ts.map bindata.go .xcworkspacedata .nib .pbxproj _tlb.pas .zep.c .zep.h`)

// isGeneratedName decides by name alone. Names such as "op_string.go" are left to the header, which Go tools always write.
func isGeneratedName(name string) bool {
	lower := strings.ToLower(name)
	base := path.Base(lower)
	if strings.HasPrefix(base, "zz_generated") || strings.Contains("/"+lower, "/__generated__/") || strings.Contains("/"+lower, "/htmlcov/") {
		return true
	}
	for _, suffix := range generatedSuffixes {
		if strings.HasSuffix(lower, suffix) {
			return true
		}
	}
	return false
}

// generatedPhrases mark a file as written by a program when they stand in its first comment. All lower case.
var generatedPhrases = []string{"@generated", "do not edit", "do not modify", "autogenerated", "auto-generated", "auto generated", "automatically generated",
	"generated automatically", "generated by", "generated from", "code generated", "file is generated", "file was generated", "generated code", "machine generated", "machine-generated"}

// hasGeneratedHeader looks for such a phrase in the comment at the head of the file: in code or further down it is more
// often about generated files. "Do not edit" and "generated by" alone are not enough, they need each other.
func hasGeneratedHeader(text string) bool {
	header := strings.ToLower(headComment(text))
	if header == "" || !strings.Contains(header, "generated") && !strings.Contains(header, "autogen") && !strings.Contains(header, "do not") {
		return false
	}
	weak := 0
	for _, phrase := range generatedPhrases {
		if !strings.Contains(header, phrase) {
			continue
		}
		switch phrase {
		case "do not edit", "do not modify", "generated by", "generated from", "generated code":
			weak++
		default:
			return true
		}
	}
	return weak >= 2
}

// headComment returns the comment lines at the start of a text, at most 60 lines.
func headComment(text string) string {
	end, lines := 0, 0
	closer := "" // of the block comment that is open
	for line := range strings.Lines(text[:min(len(text), headBytes)]) {
		t := strings.TrimSpace(line)
		if lines++; lines > 60 {
			break
		}
		switch {
		case closer != "":
			if strings.Contains(t, closer) {
				closer = ""
			}
		case t == "" || strings.HasPrefix(t, "<?") || strings.HasPrefix(t, "#!"):
		case strings.HasPrefix(t, "/*"):
			closer = openUntil(t[2:], "*/")
		case strings.HasPrefix(t, "<!--"):
			closer = openUntil(t[4:], "-->")
		case strings.HasPrefix(t, `"""`), strings.HasPrefix(t, "'''"):
			closer = openUntil(t[3:], t[:3])
		case isCommentLine(t):
			if strings.HasPrefix(t, "#include") || strings.HasPrefix(t, "#define") || strings.HasPrefix(t, "#if") || strings.HasPrefix(t, "#pragma") {
				return text[:end]
			}
		default:
			return text[:end]
		}
		end += len(line)
	}
	return text[:end]
}

func openUntil(rest, closer string) string {
	if strings.Contains(rest, closer) {
		return ""
	}
	return closer
}

// ClassifyPath is what the path alone tells of a file that need not exist: its language, "" when unknown, and the classes
// that names decide.
func ClassifyPath(name string) (lang string, class agenvantage.Class) {
	lang = detectLanguage(name, "", nil)
	return lang, classify(name, lang, "")
}

// dataLanguages hold values rather than code.
var dataLanguages = wordSet(`markdown rst asciidoc org text json jsonl yaml toml ini xml csv tsv properties diff svg po`)

// IsCode reports whether a language is one that programs are written in.
func IsCode(lang string) bool { return lang != "" && !dataLanguages[lang] }
