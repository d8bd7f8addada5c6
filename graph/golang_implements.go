package graph

import (
	"slices"
	"strings"

	"agenvantage"
)

// Go says nowhere that a type implements an interface: it does when its method set holds the interface's methods. Here
// that is compared by names and by numbers of parameters and results. Types are compared by nobody's name: two
// interfaces of this repository that agree in all of that and differ in a type are too rare to read every type for. An
// interface that declares no method of its own is not looked for: what it embeds is.

// maxCandidates is the number of definitions of a method's name up to which interfaces and implementers are looked for.
// A name with more ("String", "Close") says too little, and each definition costs a look.
const maxCandidates = 64

// goImplements links each type of the file to the interfaces of the repository that it implements.
func (j *job) goImplements() {
	for i, s := range j.unit.symbols {
		if !isType(s.Kind) || s.Kind == agenvantage.KindInterface || isGoAlias(&j.unit.symbols[i]) {
			continue
		}
		n := j.from(i)
		tried := map[agenvantage.Node]bool{}
		for _, m := range j.goMethodSet(n) {
			for _, iface := range j.goInterfacesWith(m) {
				if tried[iface] || iface.File == j.file && iface.Symbol == i {
					continue
				}
				tried[iface] = true
				if c := j.goSatisfies(n, iface); c > 0 {
					j.link(agenvantage.EdgeImplements, n, iface, s.NameLine, c)
				}
			}
		}
	}
}

// goMethodSet lists the names of the methods of a type, those of what it embeds included, sorted.
func (j *job) goMethodSet(n agenvantage.Node) []string {
	var names []string
	seen := map[agenvantage.Node]bool{}
	for level := []agenvantage.Node{n}; len(level) > 0 && len(seen) < 64; {
		var next []agenvantage.Node
		for _, t := range level {
			if seen[t] {
				continue
			}
			seen[t] = true
			if s, u := j.peek(t); s != nil && s.Kind == agenvantage.KindInterface {
				for _, c := range u.children[t.Symbol] {
					names = append(names, u.symbols[c].Name)
				}
				j.readFile(t.File)
			} else {
				names = append(names, j.goMethodsOf(t)...)
			}
			embedded, _, _ := j.goEmbedded(t, "")
			for _, e := range embedded {
				if !e.fieldsOnly {
					next = append(next, e.nodes...)
				}
			}
		}
		level = next
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// goMethodsOf lists the names of the methods that a type declares, sorted. They may stand in any file of its package.
func (j *job) goMethodsOf(n agenvantage.Node) []string {
	s, u := j.peek(n)
	if s == nil {
		return nil
	}
	j.dependsOn(memberKey + s.Name)
	var names []string
	for _, f := range j.listing(j.r.files[n.File].dir) {
		if j.r.files[f].lang != "go" || isGoTest(j.r.files[f].path) && !isGoTest(j.r.files[n.File].path) {
			continue
		}
		o, err := j.r.unitOf(f) // no more is read than the key of the members tells
		if err != nil || o.pkg != u.pkg {
			continue
		}
		for k := range o.symbols {
			if m := &o.symbols[k]; m.Kind == agenvantage.KindMethod && m.Qualified == s.Qualified+"."+m.Name {
				names = append(names, m.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// goInterfacesWith lists the interfaces that declare a method of a name.
func (j *job) goInterfacesWith(method string) []agenvantage.Node {
	nodes := j.named(method)
	if len(nodes) > maxCandidates {
		return nil
	}
	var out []agenvantage.Node
	for _, n := range nodes {
		s, u := j.peek(n)
		if s != nil && j.r.files[n.File].lang == "go" && s.Parent >= 0 && u.symbols[s.Parent].Kind == agenvantage.KindInterface {
			out = append(out, agenvantage.Node{File: n.File, Symbol: s.Parent})
		}
	}
	return out
}

// goInterfaceMethods lists the methods of an interface with those that it embeds, in a fixed order; outside says that it
// embeds something that is not known.
func (j *job) goInterfaceMethods(iface agenvantage.Node, depth int) (methods []agenvantage.Node, outside bool) {
	u := j.unitAt(iface.File)
	for _, c := range u.children[iface.Symbol] {
		if u.symbols[c].Kind == agenvantage.KindMethod {
			methods = append(methods, agenvantage.Node{File: iface.File, Symbol: c})
		}
	}
	for _, b := range u.bases[iface.Symbol] {
		v := j.evaluate(b.name, place{file: iface.File, from: iface.Symbol})
		if v.kind != class || len(v.nodes) == 0 || depth > 8 {
			outside = true
			continue
		}
		more, ext := j.goInterfaceMethods(v.nodes[0], depth+1)
		methods, outside = append(methods, more...), outside || ext
	}
	return methods, outside
}

// goSatisfies is how surely a type has the methods of an interface: ByScope when all names and numbers agree, ByUnique
// when a part of the interface is not known, 0 when it does not.
func (j *job) goSatisfies(typ, iface agenvantage.Node) agenvantage.Confidence {
	methods, outside := j.goInterfaceMethods(iface, 0)
	if len(methods) == 0 {
		return 0
	}
	of := value{kind: class, nodes: []agenvantage.Node{typ}}
	for _, m := range methods {
		want := j.symbol(m)
		have := j.goMember(of, want.Name)
		if have.kind != function || len(have.nodes) == 0 {
			return 0
		}
		if want.Visibility == "private" && j.r.files[m.File].dir != j.r.files[have.nodes[0].File].dir {
			return 0
		}
		if !sameArity(want, j.symbol(have.nodes[0])) {
			return 0
		}
	}
	if outside {
		return agenvantage.ByUnique
	}
	return agenvantage.ByScope
}

// linkImplementers links a call of an interface's method to the methods that may answer it, as far as there are few.
func (j *job) linkImplementers(ref *agenvantage.Reference, methods []agenvantage.Node) {
	for _, m := range methods {
		s := j.symbol(m)
		nodes := j.named(s.Name)
		if len(nodes) > maxCandidates {
			continue
		}
		iface := agenvantage.Node{File: m.File, Symbol: s.Parent}
		var found []agenvantage.Node
		for _, n := range nodes {
			o, _ := j.peek(n)
			if n == m || o == nil || o.Kind != agenvantage.KindMethod || o.Parent >= 0 || j.r.files[n.File].lang != "go" ||
				isGoTest(j.r.files[n.File].path) && !isGoTest(j.r.files[j.file].path) {
				continue
			}
			for _, t := range j.goTypeOfMethod(n, o) {
				if j.goSatisfies(t, iface) > 0 {
					found = append(found, n)
					break
				}
			}
		}
		if len(found) > maxByName {
			continue
		}
		for _, n := range found {
			j.link(agenvantage.EdgeCalls, j.from(ref.From), n, ref.Line, agenvantage.ByName)
		}
	}
}

// goTypeOfMethod finds the type that a method is declared for.
func (j *job) goTypeOfMethod(n agenvantage.Node, s *agenvantage.Symbol) []agenvantage.Node {
	name := strings.TrimSuffix(strings.TrimSuffix(s.Qualified, s.Name), ".")
	if name == "" {
		return nil
	}
	return j.goVisible(j.inDir(name, j.r.files[n.File].dir), n.File, "", func(t *agenvantage.Symbol, _ *unit) bool {
		return t.Qualified == name && isType(t.Kind) && t.Kind != agenvantage.KindInterface
	})
}

// sameArity compares the numbers of parameters and results of two signatures. One that was cut off fits anything.
func sameArity(a, b *agenvantage.Symbol) bool {
	if a == nil || b == nil {
		return false
	}
	ap, ar, aok := arity(a)
	bp, br, bok := arity(b)
	return !aok || !bok || ap == bp && ar == br
}

// arity counts parameters and results of a method's signature: of "func (s *T) Read(p []byte) (int, error)", 1 and 2.
func arity(s *agenvantage.Symbol) (parameters, results int, ok bool) {
	at := strings.Index(s.Signature, s.Name+"(")
	if at < 0 {
		return 0, 0, false
	}
	rest := s.Signature[at+len(s.Name):]
	end := closing(rest)
	if end < 0 {
		return 0, 0, false
	}
	parameters = countParts(rest[1:end])
	result := strings.TrimSpace(rest[end+1:])
	if strings.HasPrefix(result, "(") {
		if end = closing(result); end < 0 {
			return 0, 0, false
		}
		return parameters, countParts(result[1:end]), true
	}
	if result != "" {
		results = 1
	}
	return parameters, results, true
}

// countParts counts what commas outside of brackets separate.
func countParts(s string) int {
	if strings.TrimSpace(s) == "" {
		return 0
	}
	n, depth := 1, 0
	s = strings.TrimRight(strings.TrimSpace(s), ",")
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}
