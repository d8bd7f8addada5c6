package graph

import "strings"

// pythonContainers are generic types by what they hold.
var pythonContainers = map[string]string{"list": "[]", "List": "[]", "set": "[]", "Set": "[]", "frozenset": "[]", "FrozenSet": "[]", "Sequence": "[]",
	"MutableSequence": "[]", "Iterable": "[]", "Iterator": "[]", "Generator": "[]", "Collection": "[]", "AsyncIterator": "[]", "AsyncIterable": "[]",
	"AsyncGenerator": "[]", "deque": "[]", "Deque": "[]", "AbstractSet": "[]", "dict": "map", "Dict": "map", "Mapping": "map", "MutableMapping": "map", "defaultdict": "map",
	"DefaultDict": "map", "OrderedDict": "map", "Callable": "func", "Type": "type", "type": "type"}

// pythonTransparent are generic types that stand for one of their arguments: the first, or the last.
var pythonTransparent = map[string]int{"Optional": 0, "Union": 0, "Annotated": 0, "Final": 0, "ClassVar": 0, "Required": 0, "NotRequired": 0,
	"ContextManager": 0, "AsyncContextManager": 0, "Awaitable": 0, "Coroutine": -1}

// parseType reads an annotation. Of a union the first type that is not None counts.
func (pythonSemantics) parseType(text string, file uint32, from int) *typeRef {
	p := &annotation{rest: text, file: file, from: from}
	t := p.union(0)
	if strings.TrimSpace(p.rest) != "" {
		return nil
	}
	return t
}

// annotation reads an annotation from left to right.
type annotation struct {
	rest string
	file uint32
	from int
}

func (p *annotation) skip(c byte) bool {
	p.rest = strings.TrimLeft(p.rest, " \t\n\"'")
	if p.rest != "" && p.rest[0] == c {
		p.rest = p.rest[1:]
		return true
	}
	return false
}

func (p *annotation) union(depth int) *typeRef {
	t := p.one(depth)
	for p.skip('|') {
		if next := p.one(depth); t == nil {
			t = next
		}
	}
	p.rest = strings.TrimLeft(p.rest, " \t\n\"'")
	return t
}

func (p *annotation) one(depth int) *typeRef {
	if depth > 12 {
		p.rest = ""
		return nil
	}
	if p.skip('[') { // the parameters of Callable
		p.list(depth)
		return nil
	}
	p.rest = strings.TrimLeft(p.rest, " \t\n\"'")
	end := 0
	for end < len(p.rest) && (p.rest[end] == '_' || p.rest[end] == '.' || p.rest[end] >= 0x80 || isAlphanumeric(p.rest[end])) {
		end++
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	var args []*typeRef
	generic := p.skip('[')
	if generic {
		args = p.list(depth)
	}
	if name == "" || name == "None" || strings.HasPrefix(name, ".") {
		return nil
	}
	return p.build(name, args, generic)
}

func (p *annotation) build(name string, args []*typeRef, generic bool) *typeRef {
	t := &typeRef{name: name, file: p.file, from: p.from}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if at, ok := pythonTransparent[last]; ok && generic {
		if at < 0 {
			at = len(args) - 1
		}
		for ; at >= 0 && at < len(args); at++ {
			if args[at] != nil {
				return args[at]
			}
		}
		return nil
	}
	for i, a := range args {
		if a == nil {
			args[i] = &typeRef{file: p.file, from: p.from}
		}
	}
	t.args = args
	switch kind := pythonContainers[last]; {
	case (last == "tuple" || last == "Tuple") && len(args) == 2 && args[1].name == "...":
		t.name, t.args = "[]", args[:1]
	case (last == "tuple" || last == "Tuple") && generic:
		t.name = "()"
	case last == "Literal":
		return nil
	case kind == "func" && generic:
		t.name, t.args = "func", args[len(args)-1:]
	case kind != "" && generic && len(args) > 0:
		t.name = kind
	}
	return t
}

func (p *annotation) list(depth int) []*typeRef {
	var out []*typeRef
	for !p.skip(']') && p.rest != "" {
		before := len(p.rest)
		p.rest = strings.TrimLeft(p.rest, " \t\n")
		if rest, ok := strings.CutPrefix(p.rest, "..."); ok {
			p.rest = rest
			out = append(out, &typeRef{name: "..."})
		} else {
			out = append(out, p.union(depth+1))
		}
		if !p.skip(',') && len(p.rest) == before {
			p.rest = p.rest[1:] // a literal or an operator
		}
	}
	if out == nil {
		out = []*typeRef{nil}
	}
	return out
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (pythonSemantics) elementOf(_ *job, t *typeRef, key bool) *typeRef {
	switch {
	case len(t.args) == 0:
	case t.name == "[]" && !key:
		return t.args[0]
	case t.name == "map":
		if key {
			return t.args[0]
		}
		return t.args[len(t.args)-1]
	}
	return nil
}

// pythonContainerMember is the type of a method of a container that gives out what it holds.
func pythonContainerMember(t *typeRef, name string) *typeRef {
	if t == nil || len(t.args) == 0 {
		return nil
	}
	last := t.args[len(t.args)-1]
	result := func(r *typeRef) *typeRef {
		return &typeRef{name: "func", args: []*typeRef{r}, file: t.file, from: t.from}
	}
	switch {
	case t.name == "map" && (name == "get" || name == "pop" || name == "setdefault"), t.name == "[]" && (name == "pop" || name == "popleft"):
		return result(last)
	case t.name == "map" && name == "values", t.name == "[]" && name == "copy":
		return result(&typeRef{name: "[]", args: []*typeRef{last}, file: t.file, from: t.from})
	case t.name == "map" && name == "keys":
		return result(&typeRef{name: "[]", args: t.args[:1], file: t.file, from: t.from})
	}
	return nil
}
