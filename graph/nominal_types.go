package graph

import (
	"strings"

	"agenvantage"
)

// typeWords stand before a type and change nothing about its members.
var typeWords = words(`const volatile mut dyn impl any some inout final ref out in readonly static struct class enum union unsigned signed typename
	borrowing consuming suspend vararg params scoped extern inline constexpr virtual register`)

// nominalContainers are library types by what they hold; nominalTransparent stand for their last or only argument.
var nominalContainers = map[string]string{"List": "[]", "ArrayList": "[]", "LinkedList": "[]", "Collection": "[]", "Iterable": "[]", "Iterator": "[]", "Set": "[]",
	"HashSet": "[]", "TreeSet": "[]", "LinkedHashSet": "[]", "Queue": "[]", "Deque": "[]", "ArrayDeque": "[]", "Stream": "[]", "Sequence": "[]", "Array": "[]", "MutableList": "[]",
	"MutableSet": "[]", "Vec": "[]", "VecDeque": "[]", "BTreeSet": "[]", "vector": "[]", "list": "[]", "deque": "[]", "set": "[]", "unordered_set": "[]", "array": "[]",
	"Seq": "[]", "Vector": "[]", "IndexedSeq": "[]", "IEnumerable": "[]", "IList": "[]", "ICollection": "[]", "IReadOnlyList": "[]", "IReadOnlyCollection": "[]",
	"IAsyncEnumerable": "[]", "Flow": "[]", "Map": "map", "HashMap": "map", "TreeMap": "map", "LinkedHashMap": "map", "ConcurrentHashMap": "map", "MutableMap": "map",
	"BTreeMap": "map", "map": "map", "unordered_map": "map", "Dictionary": "map", "IDictionary": "map", "ConcurrentDictionary": "map", "ConcurrentMap": "map"}

var nominalTransparent = words(`Box Rc Arc Ref RefMut Pin Cow shared_ptr unique_ptr weak_ptr Task ValueTask Lazy WeakReference`)

// parseType reads a type as these languages write it: "List<Foo>", "Map[K, V]", "[K: V]", "&mut [T]", "Foo?", "(A) -> B",
// "const ns::Foo*". One reader serves them all, since what they write differently means the same wherever it is read.
func (nominal) parseType(text string, file uint32, from int) *typeRef {
	p := &typeReader{rest: text, file: file, from: from}
	return p.full(0)
}

type typeReader struct {
	rest string
	file uint32
	from int
}

func (p *typeReader) space() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *typeReader) skip(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *typeReader) of(name string, args ...*typeRef) *typeRef {
	for i, a := range args {
		if a == nil {
			args[i] = &typeRef{file: p.file, from: p.from}
		}
	}
	return &typeRef{name: name, args: args, file: p.file, from: p.from}
}

// full is a type with what may follow it: an arrow and a result.
func (p *typeReader) full(depth int) *typeRef {
	t := p.one(depth)
	if depth < 12 && (p.skip("->") || p.skip("=>")) {
		return p.of("func", p.full(depth+1))
	}
	return t
}

func (p *typeReader) one(depth int) *typeRef {
	if depth > 12 {
		p.rest = ""
		return nil
	}
	p.prefixes()
	switch {
	case p.skip("("):
		list := p.list(')', depth)
		if len(list) == 1 {
			return p.suffix(list[0])
		}
		return p.suffix(p.of("()", list...))
	case p.skip("["):
		list := p.list(']', depth)
		if len(list) == 2 {
			return p.suffix(p.of("map", list...))
		} else if len(list) == 0 {
			return nil
		}
		return p.suffix(p.of("[]", list[0]))
	}
	name := p.name()
	if name == "" {
		return nil
	}
	var args []*typeRef
	generic := p.skip("<")
	if generic {
		args = p.list('>', depth)
	} else if strings.HasPrefix(p.rest, "[") && !strings.HasPrefix(strings.TrimLeft(p.rest[1:], ", "), "]") {
		p.rest, generic = p.rest[1:], true
		args = p.list(']', depth)
	}
	for strings.HasPrefix(p.rest, ".") || strings.HasPrefix(p.rest, "::") { // a member of a type with arguments
		p.rest = strings.TrimLeft(p.rest, ".:")
		next := p.name()
		if next == "" {
			break
		}
		name, args, generic = name+"."+next, nil, false
		if p.skip("<") {
			args, generic = p.list('>', depth), true
		}
	}
	return p.suffix(p.build(name, args, generic))
}

func (p *typeReader) build(name string, args []*typeRef, generic bool) *typeRef {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if generic && nominalTransparent[last] && len(args) > 0 {
		return args[len(args)-1]
	}
	if kind := nominalContainers[last]; generic && (kind == "[]" && len(args) > 0 || kind == "map" && len(args) == 2) {
		if kind == "[]" {
			args = args[:1]
		}
		return p.of(kind, args...)
	}
	return p.of(name, args...)
}

// prefixes skips references, pointers, annotations, lifetimes and words before a type.
func (p *typeReader) prefixes() {
	for {
		p.space()
		p.rest = strings.TrimLeft(p.rest, "&*")
		if strings.HasPrefix(p.rest, "@") || strings.HasPrefix(p.rest, "'") {
			p.rest = p.rest[1:]
			p.name()
			continue
		}
		end := 0
		for end < len(p.rest) && isWordByte(p.rest[end]) {
			end++
		}
		if end == 0 || !typeWords[p.rest[:end]] || end == len(p.rest) || p.rest[end] != ' ' && p.rest[end] != '\t' {
			return
		}
		p.rest = p.rest[end:]
	}
}

// name is a name with its qualifiers, separated by dots.
func (p *typeReader) name() string {
	p.space()
	var b strings.Builder
	p.rest = strings.TrimPrefix(p.rest, "::")
	for {
		end := 0
		for end < len(p.rest) && isWordByte(p.rest[end]) {
			end++
		}
		b.WriteString(p.rest[:end])
		p.rest = p.rest[end:]
		after := strings.TrimPrefix(strings.TrimPrefix(p.rest, "."), "::")
		if end == 0 || after == p.rest || after == "" || !isWordByte(after[0]) {
			return strings.TrimSuffix(b.String(), ".")
		}
		b.WriteByte('.')
		p.rest = after
	}
}

// suffix reads what follows a type: arrays, pointers, marks of what may be absent.
func (p *typeReader) suffix(t *typeRef) *typeRef {
	for t != nil {
		p.space()
		switch {
		case strings.HasPrefix(p.rest, "..."):
			p.rest = p.rest[3:]
			t = p.of("[]", t)
		case strings.HasPrefix(p.rest, "[") && strings.HasPrefix(strings.TrimLeft(p.rest[1:], ", "), "]"):
			p.rest = p.rest[strings.IndexByte(p.rest, ']')+1:]
			t = p.of("[]", t)
		case p.rest != "" && strings.IndexByte("?!*&", p.rest[0]) >= 0:
			p.rest = p.rest[1:]
		case strings.HasPrefix(p.rest, "const") && (len(p.rest) == 5 || !isWordByte(p.rest[5])):
			p.rest = p.rest[5:]
		default:
			return t
		}
	}
	return nil
}

// list reads the arguments up to a closing bracket.
func (p *typeReader) list(end byte, depth int) []*typeRef {
	var out []*typeRef
	for !p.skip(string(end)) && p.rest != "" {
		before := len(p.rest)
		if p.rest[0] != ',' && p.rest[0] != ':' && p.rest[0] != ';' {
			p.bound()
			if strings.HasPrefix(p.rest, string(end)) || strings.HasPrefix(p.rest, ",") { // "?", "_", "*"
				out = append(out, nil)
			} else {
				t := p.full(depth + 1)
				if len(out) == 0 || !p.literal(before) {
					out = append(out, t)
				}
			}
		}
		if !p.skip(",") && !p.skip(":") && len(p.rest) == before && p.rest != "" {
			p.rest = p.rest[1:]
		}
	}
	return out
}

// bound skips the marks of wildcards: "? extends Foo" is Foo.
func (p *typeReader) bound() {
	p.space()
	for _, mark := range []string{"? extends ", "? super ", "_ <: ", "? <: ", "out ", "in ", "+", "-"} {
		p.rest = strings.TrimPrefix(p.rest, mark)
	}
	p.rest = strings.TrimLeft(p.rest, "?_*")
	p.space()
}

// literal reports whether what was read since a place was no type but a number, as the length of an array.
func (p *typeReader) literal(before int) bool { return len(p.rest) == before }

// givers are the members of containers that give out what they hold, keepers those that give out the same again.
var givers = words(`get first last unwrap expect unwrap_or_default unwrap_or_else getOrElse orElse orElseThrow orNull pop poll peek next head find single firstOrNull
	lastOrNull singleOrNull First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt front back at getValue getFirst getLast min max reduce remove
	removeFirst removeLast popFirst popLast getOrNull value Value Result take_first pop_front pop_back`)

var keepers = words(`iter iter_mut into_iter filter sorted sortedBy reversed reverse clone cloned copied as_ref as_mut as_deref borrow borrow_mut toList toSet toVector stream
	distinct limit skip take drop tail init Where OrderBy OrderByDescending ToList ToArray AsEnumerable Take Skip values sequence asSequence begin end rev lock unwrap_or
	await toArray parallelStream`)

// nominalContainerMember is the type of a member of a container that gives out what it holds.
func nominalContainerMember(t *typeRef, name string) *typeRef {
	if t == nil || len(t.args) == 0 || t.name != "[]" && t.name != "map" && len(t.args) != 1 {
		return nil
	}
	if t.name != "[]" && t.name != "map" && t.name != "Option" && t.name != "Optional" && t.name != "Result" && t.name != "Some" {
		return nil
	}
	var result *typeRef
	switch {
	case givers[name]:
		result = t.args[len(t.args)-1]
	case keepers[name] && t.name == "map" && name == "values":
		result = &typeRef{name: "[]", args: t.args[1:], file: t.file, from: t.from}
	case keepers[name]:
		result = t
	default:
		return nil
	}
	return &typeRef{name: "func", args: []*typeRef{result}, file: t.file, from: t.from}
}

// typeParameters are the names of the type parameters of a declaration, in order: those directly behind its name, or those
// that stand before it.
func typeParameters(s *agenvantage.Symbol) []string {
	var names []string
	for _, part := range typeParameterParts(s) {
		names = append(names, part[0])
	}
	return names
}

// typeParameter is the bound of a type parameter of a declaration, "" when it has none.
func typeParameter(s *agenvantage.Symbol, name string) (bound string, ok bool) {
	if !strings.ContainsAny(s.Signature, "<[") {
		return "", false
	}
	for _, part := range typeParameterParts(s) {
		if part[0] == name {
			return part[1], true
		}
	}
	return "", false
}

func typeParameterParts(s *agenvantage.Symbol) [][2]string {
	sig := s.Signature
	at := -1
	if i := lastWord(strings.SplitN(sig, "(", 2)[0], s.Name); i >= 0 && i+len(s.Name) < len(sig) && strings.IndexByte("<[", sig[i+len(s.Name)]) >= 0 {
		at = i + len(s.Name)
	} else if isFunction(s.Kind) {
		if at = strings.Index(sig, " <") + 1; at == 0 || strings.IndexByte(sig[:at], '(') >= 0 {
			at = -1
			if strings.HasPrefix(sig, "<") {
				at = 0
			}
		}
	} else if strings.HasPrefix(sig, "template") {
		at = strings.IndexByte(sig, '<')
	}
	if at < 0 {
		return nil
	}
	var out [][2]string
	depth, from := 0, at+1
	for i := at; i < len(sig); i++ {
		switch sig[i] {
		case '<', '[', '(':
			depth++
			if sig[i] == '<' && i+1 < len(sig) && sig[i+1] == ':' { // an upper bound of Scala
				depth--
			}
			continue
		case '>', ']', ')':
			if sig[i] == '>' && i > 0 && (sig[i-1] == '-' || sig[i-1] == '=') {
				continue
			}
			depth--
		case ',':
		default:
			continue
		}
		if depth == 0 || depth == 1 && sig[i] == ',' {
			if part := typeParameterPart(sig[from:i]); part[0] != "" {
				out = append(out, part)
			}
			from = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return out
}

// typeParameterPart is the name and the bound of one type parameter.
func typeParameterPart(text string) [2]string {
	text = strings.TrimLeft(strings.TrimSpace(text), "+-'")
	for _, word := range []string{"typename ", "class ", "reified ", "out ", "in ", "const "} {
		text = strings.TrimPrefix(text, word)
	}
	end := 0
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	rest := strings.TrimSpace(text[end:])
	for _, mark := range []string{"extends ", "<:", ":"} {
		if bound, ok := strings.CutPrefix(rest, mark); ok {
			bound, _, _ = strings.Cut(bound, "+")
			bound, _, _ = strings.Cut(bound, "&")
			return [2]string{text[:end], strings.TrimSpace(bound)}
		}
	}
	return [2]string{text[:end], ""}
}
