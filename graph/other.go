package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// otherFile resolves files of no family: documents and configuration.
func (j *job) otherFile() {
	info := &j.r.files[j.file]
	switch {
	case info.class.Has(agenvantage.ClassLock) || info.class.Has(agenvantage.ClassMinified):
	case info.class.Has(agenvantage.ClassDocument) || documentLanguages[info.lang]:
		j.documents()
	case isConfiguration(info.path, info.lang):
		j.configures()
	}
}

// text is the text of the file that is resolved.
func (j *job) text() string {
	text, err := j.r.corpus.Text(j.file)
	if err != nil && j.err == nil {
		j.err = err
	}
	return text
}

// symbolAtLine is the innermost symbol of the file whose lines hold a line, -1 when none does.
func (j *job) symbolAtLine(line int) int {
	at := -1
	for i := range j.unit.symbols {
		if s := j.unit.symbols[i].Span; s.StartLine > line {
			break
		} else if s.HasLine(line) {
			at = i
		}
	}
	return at
}

// pathFrom finds what a path written in the file means: relative to the file's folder, then to the root.
func (j *job) pathFrom(written string) (uint32, bool) {
	written = strings.TrimSuffix(written, "/")
	if strings.HasPrefix(written, "/") {
		return j.probe(strings.TrimPrefix(path.Clean(written), "/"))
	}
	clean := path.Clean(path.Join(j.r.files[j.file].dir, written))
	if !strings.HasPrefix(clean, "..") && clean != "." {
		if f, ok := j.probe(clean); ok && f != j.file {
			return f, true
		}
	}
	if clean = path.Clean(written); j.r.files[j.file].dir != "" && !strings.HasPrefix(clean, "..") && clean != "." {
		if f, ok := j.probe(clean); ok && f != j.file {
			return f, true
		}
	}
	return 0, false
}

// looksLikePath reports whether a word is written like the path of a file: with a folder or an extension of letters.
func looksLikePath(s string) bool {
	if len(s) < 3 || len(s) > 200 || strings.Contains(s, "://") || strings.ContainsAny(s, "*<>{}$|?\\ ") {
		return false
	}
	ext := strings.TrimPrefix(path.Ext(s), ".")
	letters := ext != "" && len(ext) <= 6 && strings.Trim(ext, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && strings.Trim(ext, "0123456789") != ""
	return letters || strings.Contains(s, "/")
}

// isPathByte reports whether a byte may stand in a path that is written without quotes.
func isPathByte(c byte) bool {
	return isAlphanumeric(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == '@' || c == '+' || c >= 0x80
}
