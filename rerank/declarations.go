package rerank

import (
	"slices"
	"strings"

	"agenvantage"
)

// declarationEndings are the endings of files that only declare what another file of the same name defines, and the endings of
// that other file.
var declarationEndings = []struct {
	declares []string
	defines  []string
}{
	{[]string{".h", ".hh", ".hpp", ".hxx"}, []string{".c", ".cc", ".cpp", ".cxx", ".m", ".mm"}},
	{[]string{".d.ts", ".d.mts", ".d.cts"}, []string{".ts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}},
	{[]string{".pyi"}, []string{".py"}},
	{[]string{".mli"}, []string{".ml"}},
}

// declarations are the files among candidates whose definitions are among them too: the same base name, with the ending of a
// source. A header without a source of its name holds the code itself.
func declarations(candidates []agenvantage.Candidate, files FileReader) map[uint32]bool {
	base := func(file uint32) string {
		p := files.Path(file)
		return p[strings.LastIndexByte(p, '/')+1:]
	}
	present := map[string]bool{}
	for _, c := range candidates {
		present[base(c.File)] = true
	}
	found := map[uint32]bool{}
	for _, c := range candidates {
		name := base(c.File)
		for _, e := range declarationEndings {
			for _, ending := range e.declares {
				if stem, ok := strings.CutSuffix(name, ending); ok {
					found[c.File] = found[c.File] || slices.ContainsFunc(e.defines, func(d string) bool { return present[stem+d] })
				}
			}
		}
	}
	return found
}
