package channels

import (
	"path"
	"slices"
	"strings"

	"agenvantage"
)

// A stack trace of what a package ships names files that its repository does not hold: they are built from others, in another folder and often in another
// language. The line does not carry over; the file and the function do.

// Bounds of what is looked for: places of a question, and files of each.
const (
	maxBuiltPlaces = 16
	maxBuiltFiles  = 4
)

// builtFolders hold what was made from sources, which are beside them, in a folder of sources or in the same folder below.
var builtFolders = []string{"dist", "build", "lib", "out", "target", "esm", "cjs"}

// sourceFolders take the place of a folder of what was built.
var sourceFolders = []string{"", "src", "source", "lib"}

// builtFrom gives, for an extension of what was built, those of sources.
var builtFrom = map[string][]string{
	".js":    {".js", ".ts", ".tsx", ".jsx", ".mjs", ".mts", ".cjs", ".cts", ".vue", ".svelte", ".coffee"},
	".mjs":   {".mjs", ".mts", ".ts", ".tsx", ".js", ".jsx"},
	".cjs":   {".cjs", ".cts", ".ts", ".tsx", ".js", ".jsx"},
	".class": {".java", ".kt", ".scala", ".groovy"},
}

// SourcesAt lists the files from which a file of a pasted path may have been built, where no file has the path: those whose paths are, from their ends, the
// path with the folder of what is built left out or that of sources in its place, and with the extensions of sources. It is nil where the path is that of a
// file. Only files that within lets through are looked at; nil lets all.
func SourcesAt(files FileReader, pasted string, within func(file uint32) bool) []uint32 {
	if len(FilesAt(files, pasted, within)) > 0 {
		return nil
	}
	candidates := sourcePaths(endOfPath(pasted))
	bases := map[string]bool{}
	for _, c := range candidates {
		bases[path.Base(c)] = true
	}
	var near []uint32
	for file := range uint32(files.FileCount()) {
		if p := files.Path(file); bases[p[strings.LastIndexByte(p, '/')+1:]] && (within == nil || within(file)) {
			near = append(near, file)
		}
	}
	for _, c := range candidates {
		var found []uint32
		longest := 2 // a name alone says too little
		for _, file := range near {
			switch n := wholeEnd(c, files.Path(file)); {
			case files.Path(file) == c:
				return []uint32{file}
			case n > longest:
				found, longest = []uint32{file}, n
			case n == longest:
				found = append(found, file)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// sourcePaths lists the paths of possible sources, the likely ones first.
func sourcePaths(built string) (list []string) {
	if built == "" || strings.HasSuffix(built, "/") {
		return nil
	}
	extension := path.Ext(built)
	extensions := builtFrom[strings.ToLower(extension)]
	stem := strings.TrimSuffix(built, extension)
	names := strings.Split(stem, "/")
	var stems []string
	for i, name := range names[:len(names)-1] {
		if slices.Contains(builtFolders, name) {
			for _, folder := range sourceFolders {
				stems = append(stems, path.Join(folder, path.Join(names[i+1:]...)))
			}
		}
	}
	stems = append(stems, stem)
	if extensions == nil {
		extensions = []string{extension}
	}
	for _, s := range stems {
		for _, e := range extensions {
			if p := s + e; p != built && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// findBuilt finds, for a place in a file that is not there, the function in the file that it may have been built from, else the beginning of that file.
func (s *exactSearch) findBuilt(f agenvantage.Frame, bonus float64) error {
	sources := SourcesAt(s.reader, f.Path, s.request.Scope.Has)
	for _, file := range sources[:min(len(sources), maxBuiltFiles)] {
		facts, err := s.reader.Facts(file)
		if err != nil {
			return err
		}
		f.Line, f.EndLine = 0, 0 // of another file
		if key, named, ok := s.placeIn(facts, file, f); ok && named {
			s.add(key, itemPlace, scorePlaceFunction+bonus, reasonBuilt)
			continue
		}
		if err := s.addFile(file, scorePath, reasonBuilt, 1); err != nil {
			return err
		}
	}
	return nil
}
