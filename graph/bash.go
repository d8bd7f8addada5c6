package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// bashSemantics is Bash: functions are global in a script and in what it sources; everything else that is called is a
// program.
type bashSemantics struct{}

// resolveBash resolves a shell script.
func resolveBash(j *job) {
	j.language = bashSemantics{}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		f, found, computed := j.bashSourced(m.Path, j.file)
		switch {
		case found:
			j.linkImports(m, value{kind: module}, []uint32{f})
		case computed:
			j.miss(ReasonDynamic)
		default:
			j.linkImports(m, value{kind: external}, nil)
		}
	}
	for i := range j.refs {
		ref := &j.refs[i]
		if ref.Kind != agenvantage.RefImport {
			j.resolveBashCall(ref)
		}
	}
}

func (j *job) resolveBashCall(ref *agenvantage.Reference) {
	v := j.language.head(j, ref.Name, j.file, ref.From)
	switch {
	case len(v.nodes) > 0:
		j.linkNodes(ref.Kind, ref, v.nodes, agenvantage.ByScope)
		return
	case v.kind == builtin:
		j.miss(ReasonBuiltin)
		return
	case strings.ContainsAny(ref.Name, "$`*?"):
		j.miss(ReasonDynamic)
		return
	}
	if strings.Contains(ref.Name, "/") { // a script that is run by its path
		if f, ok := j.pathFrom(ref.Name); ok {
			j.link(agenvantage.EdgeReferences, j.from(ref.From), agenvantage.Node{File: f, Symbol: -1}, ref.Line, agenvantage.ByScope)
			return
		}
		j.miss(ReasonExternal)
		return
	}
	var found []agenvantage.Node // a function of a script that sources this one, or that it is sourced with
	for _, n := range j.named(ref.Name) {
		if s, _ := j.peek(n); s != nil && j.r.files[n.File].lang == "bash" && isFunction(s.Kind) {
			found = append(found, n)
		}
	}
	switch {
	case len(found) == 0:
		j.miss(ReasonExternal)
	case len(found) > maxByName:
		j.miss(ReasonMany)
	default:
		c := agenvantage.ByName
		if len(found) == 1 && !bashPrograms[ref.Name] {
			c = agenvantage.ByUnique
		}
		j.linkNodes(ref.Kind, ref, found, c)
	}
}

// bashPrograms are usual programs: a function of that name elsewhere is hardly meant.
var bashPrograms = words(`awk basename cat chmod chown cp curl cut date diff dirname docker env expr find git go grep gzip head id install jq kill ln ls make mkdir mktemp mv node
	npm open perl pip ps python python3 rm rmdir rsync run ruby sed seq setup sh sleep sort ssh stat su sudo tail tar tee touch tr uname uniq wc wget which xargs yes`)

var bashBuiltins = words(`. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export
	false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times
	trap true type typeset ulimit umask unalias unset wait`)

// head is a function of a script, of the scripts that it sources, then a command of the shell. The last definition in a
// script counts.
func (bashSemantics) head(j *job, name string, file uint32, _ int) value {
	if found := j.bashFunction(name, file, 0); len(found) > 0 {
		return value{kind: function, nodes: found}
	}
	if bashBuiltins[name] {
		return value{kind: builtin}
	}
	return value{}
}

func (j *job) bashFunction(name string, file uint32, depth int) []agenvantage.Node {
	if depth > 16 || !j.enter(file, name) {
		return nil
	}
	defer j.leave(file, name)
	u := j.unitAt(file)
	var found []agenvantage.Node
	for i := range u.symbols {
		if s := &u.symbols[i]; s.Name == name && isFunction(s.Kind) {
			found = append(found, agenvantage.Node{File: file, Symbol: i})
		}
	}
	for i := len(u.imports) - 1; i >= 0 && len(found) == 0; i-- {
		if f, ok, _ := j.bashSourced(u.imports[i].Path, file); ok {
			found = j.bashFunction(name, f, depth+1)
		}
	}
	return found
}

// bashSourced is the file that a source command names. Of a computed path only what follows the folder of the script is
// taken: "$(dirname "$0")/lib.sh", "$DIR/lib.sh".
func (j *job) bashSourced(written string, file uint32) (f uint32, found, computed bool) {
	clean := strings.NewReplacer(`"`, "", `'`, "").Replace(written)
	dir := j.r.files[file].dir
	if i := strings.LastIndexAny(clean, "$`})"); i >= 0 {
		computed = true
		rest := clean[i:]
		slash := strings.IndexByte(rest, '/')
		if slash < 0 || strings.HasPrefix(clean, "$HOME") || strings.HasPrefix(clean, "${HOME") {
			return 0, false, true
		}
		clean = rest[slash+1:]
		if strings.ContainsAny(clean, "$`*") {
			return 0, false, true
		}
	}
	if strings.HasPrefix(clean, "/") || strings.HasPrefix(clean, "~") {
		return 0, false, computed
	}
	for _, at := range []string{path.Join(dir, clean), path.Clean(clean)} {
		if strings.HasPrefix(at, "..") {
			continue
		}
		for _, ext := range [...]string{"", ".bash", ".sh"} {
			if f, ok := j.probe(at + ext); ok && f != file && j.r.files[f].lang == "bash" {
				return f, true, computed
			}
		}
	}
	return 0, false, computed
}

func (bashSemantics) member(*job, value, string) value             { return value{kind: dynamic} }
func (bashSemantics) parseType(string, uint32, int) *typeRef       { return nil }
func (bashSemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }
func (bashSemantics) elementOf(*job, *typeRef, bool) *typeRef      { return nil }
