package graph

import (
	"slices"
	"strings"

	"agenvantage"
)

// What follows serves every family that resolves references by paths.

// follow evaluates a reference and gives its last name. Every member on the way that is a symbol is linked as a mention.
func (j *job) follow(ref *agenvantage.Reference) (v value, name string) {
	at := place{j.file, ref.From, ref.Binding}
	text := plainName(ref.Name)
	if ref.On != "" {
		v = j.evaluate(ref.On, at)
		if ref.On == "?" {
			v.kind = dynamic
		}
		steps := parsePath(text)
		for i, s := range steps {
			if i > 0 && j.passes(v) {
				j.linkNodes(agenvantage.RefType, ref, v.nodes, agenvantage.ByScope)
			}
			if v.kind == nothing {
				v.kind = dynamic
			}
			v, name = j.step(v, step{stepMember, s.name}), s.name
		}
		return v, name
	}
	steps := parsePath(text)
	if steps == nil {
		return value{}, text
	}
	v, name = j.first(steps[0], at), steps[0].name
	for _, s := range steps[1:] {
		if v.kind == object || v.kind == class {
			j.linkNodes(agenvantage.RefType, ref, v.nodes, agenvantage.ByScope)
		}
		if v.kind == nothing {
			v.kind = dynamic
		}
		v, name = j.step(v, s), s.name
	}
	return v, name
}

// plainName writes the separators of all languages as ".".
func plainName(s string) string {
	if !strings.ContainsAny(s, `:\?!-`) {
		return s
	}
	return nameSeparators.Replace(strings.TrimLeft(s, `:\`))
}

var nameSeparators = strings.NewReplacer("::", ".", `\`, ".", "?->", ".", "->", ".", "?.", ".", "!!.", ".", "!.", ".", ":", ".")

// linkOpen links a reference to what it leads to. A member of something unknown is looked for by its name among the
// definitions that fits accepts, unless it is a common one; everything else is counted.
func (j *job) linkOpen(ref *agenvantage.Reference, name string, v value, fits func(j *job, ref *agenvantage.Reference, s *agenvantage.Symbol, u *unit) bool, common map[string]bool) {
	member := ref.On != "" || strings.Contains(plainName(ref.Name), ".")
	switch {
	case v.super:
		j.miss(ReasonBuiltin)
	case len(v.nodes) > 0:
		j.linkNodes(ref.Kind, ref, v.nodes, agenvantage.ByScope)
	case v.attribute, v.kind == module:
		// What was found has no symbol of its own.
	case v.kind == external:
		j.miss(ReasonExternal)
	case v.kind == builtin:
		j.miss(ReasonBuiltin)
	case !member && v.kind == nothing:
		j.miss(ReasonUnknown)
	case !member || v.kind == object || common[name]:
		j.miss(ReasonDynamic)
	default:
		lang := j.r.files[j.file].lang
		j.byName(ref, name, func(s *agenvantage.Symbol, u *unit, n agenvantage.Node) bool {
			return sameFamily(lang, j.r.files[n.File].lang) && fits(j, ref, s, u)
		})
	}
}

// linkImports links the file to the files that an import names, or counts why it names none.
func (j *job) linkImports(m *agenvantage.Import, v value, targets []uint32) {
	switch {
	case len(targets) > 0:
		for _, f := range targets {
			j.link(agenvantage.EdgeImports, j.from(-1), agenvantage.Node{File: f, Symbol: -1}, m.Line, agenvantage.ByScope)
		}
	case v.kind == external:
		j.miss(ReasonExternal)
	case v.kind == nothing:
		j.miss(ReasonUnknown)
	}
}

// families of languages whose definitions see each other.
var related = [][]string{{"javascript", "typescript", "tsx", "vue", "svelte"}, {"java", "kotlin", "scala", "groovy"}, {"c", "cpp"}, {"python", "notebook"}}

func sameFamily(a, b string) bool {
	if a == b {
		return true
	}
	for _, list := range related {
		if slices.Contains(list, a) && slices.Contains(list, b) {
			return true
		}
	}
	return false
}

// enter notes that a name is being looked for in a file, so that modules that import all of each other end; false when it
// already is. leave ends it.
func (j *job) enter(file uint32, name string) bool {
	key := lookup{file, name}
	if j.looking[key] {
		return false
	}
	j.looking[key] = true
	return true
}

func (j *job) leave(file uint32, name string) { delete(j.looking, lookup{file, name}) }

// lookup is a name that is looked for in a file.
type lookup struct {
	file uint32
	name string
}
