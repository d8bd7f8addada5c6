package graph

import (
	"path"
	"regexp"
	"strings"

	"agenvantage"
)

var documentLanguages = map[string]bool{"markdown": true, "rst": true, "text": true, "asciidoc": true}

var (
	// codeSpan is a span between single or double back quotes on one line.
	codeSpan = regexp.MustCompile("``?([^`\n]{2,200})``?")
	// linkTarget is the target of a Markdown link or of a link definition.
	linkTarget = regexp.MustCompile(`\]\(<?([^)\s>]{2,200})>?(?:\s+"[^"]*")?\)|^\s*\[[^\]]+\]:\s*(\S{2,200})`)
	// namedPath is a path in running text: with a folder and an extension.
	namedPath = regexp.MustCompile(`(?:^|[\s("'])((?:[\w.@+-]+/)+[\w.@+-]*\w)`)
	// symbolName is a name with qualifiers, as prose writes code; a call's brackets may follow.
	symbolName = regexp.MustCompile(`^(?:func |def |class |fn |type )?[*&]?([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(\([^()]*\))?$`)
)

// maxDocumentNames bounds the names and paths of one document that are looked up.
const maxDocumentNames = 2000

// documents links a document to the paths that exist and to the symbols that it names uniquely.
func (j *job) documents() {
	fence, looked := "", 0
	number := 0
	for line := range strings.Lines(j.text()) {
		number++
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			if fence == "" {
				fence = trimmed[:3]
			} else if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if fence != "" || len(line) > 4000 || looked > maxDocumentNames {
			continue
		}
		for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
			looked++
			if !j.documentPath(m[1], number) {
				j.documentSymbol(m[1], number)
			}
		}
		for _, m := range linkTarget.FindAllStringSubmatch(line, -1) {
			looked++
			j.documentPath(m[1]+m[2], number)
		}
		for _, m := range namedPath.FindAllStringSubmatch(line, -1) {
			looked++
			j.documentPath(m[1], number)
		}
	}
}

// documentPath links to the file that a path means: relative to the document or the root, or the only file whose path
// ends with it.
func (j *job) documentPath(written string, line int) bool {
	written, _, _ = strings.Cut(written, "#")
	written = strings.TrimSuffix(written, ".")
	if i := strings.LastIndexByte(written, ':'); i > 0 && i < len(written)-1 && strings.Trim(written[i+1:], "0123456789-") == "" {
		written = written[:i] // a line number
	}
	if !looksLikePath(written) {
		return false
	}
	from := j.from(j.symbolAtLine(line))
	if f, ok := j.pathFrom(written); ok {
		j.link(agenvantage.EdgeDocuments, from, agenvantage.Node{File: f, Symbol: -1}, line, agenvantage.ByScope)
		return true
	}
	if path.Ext(written) == "" {
		return false
	}
	var found []uint32
	suffix := "/" + path.Clean(strings.TrimLeft(written, "./"))
	for _, f := range j.withBase(path.Base(written)) {
		if f != j.file && strings.HasSuffix("/"+j.r.files[f].path, suffix) {
			found = append(found, f)
		}
	}
	if len(found) == 1 {
		j.link(agenvantage.EdgeDocuments, from, agenvantage.Node{File: found[0], Symbol: -1}, line, agenvantage.ByUnique)
	}
	return len(found) > 0
}

// documentSymbol links to the only symbol that a code span names. A lower-case word alone is prose more often than a name.
func (j *job) documentSymbol(span string, line int) {
	m := symbolName.FindStringSubmatch(strings.TrimSpace(span))
	if m == nil {
		return
	}
	name := plainName(strings.NewReplacer("#", ".", "->", ".").Replace(m[1]))
	last := name[strings.LastIndexByte(name, '.')+1:]
	if m[2] == "" && strings.ToLower(name) == name && !strings.ContainsAny(name, "._") || len(last) < 3 {
		return
	}
	nodes := j.named(last)
	if len(nodes) > maxCandidates {
		return
	}
	qualifier := strings.TrimSuffix(strings.TrimSuffix(name, last), ".")
	var found []agenvantage.Node
	for _, n := range nodes {
		s, u := j.peek(n)
		if s == nil || s.Kind == agenvantage.KindSection || documentLanguages[j.r.files[n.File].lang] {
			continue
		}
		if qualifier == "" || ("."+s.Qualified) == "."+name || strings.HasSuffix(s.Qualified, "."+name) || j.qualifies(qualifier, s, u, n) {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		j.link(agenvantage.EdgeDocuments, j.from(j.symbolAtLine(line)), found[0], line, agenvantage.ByUnique)
	}
}

// qualifies reports whether the qualifier of a name is the module of a top-level symbol: its package, folder or file.
func (j *job) qualifies(qualifier string, s *agenvantage.Symbol, u *unit, n agenvantage.Node) bool {
	owner := ownerOf(s)
	module, inner, nested := strings.Cut(qualifier, ".")
	if nested && inner != owner || !nested && owner != "" {
		return false
	}
	info := &j.r.files[n.File]
	stem, _, _ := strings.Cut(path.Base(info.path), ".")
	return module == u.pkg || module == path.Base(info.dir) || module == stem
}
