package graph

import "strings"

// ecmaContainers are generic types by what they hold.
var ecmaContainers = map[string]string{"Array": "[]", "ReadonlyArray": "[]", "Set": "[]", "ReadonlySet": "[]", "WeakSet": "[]", "Iterable": "[]", "Iterator": "[]",
	"IterableIterator": "[]", "AsyncIterable": "[]", "AsyncIterator": "[]", "AsyncIterableIterator": "[]", "Generator": "[]", "AsyncGenerator": "[]", "ArrayLike": "[]",
	"Map": "map", "ReadonlyMap": "map", "WeakMap": "map", "Record": "map"}

// ecmaTransparent are generic types that stand for their first argument: await and then look through promises.
var ecmaTransparent = words("Promise PromiseLike Awaited Partial Required Readonly NonNullable Pick Omit InstanceType Ref ShallowRef MaybePromise")

// parseType reads a TypeScript type.
func (ecmaSemantics) parseType(text string, file uint32, from int) *typeRef {
	p := &ecmaType{rest: text, file: file, from: from}
	t := p.union(0)
	if p.space(); p.rest != "" {
		return nil
	}
	return t
}

// ecmaType reads a type from left to right.
type ecmaType struct {
	rest string
	file uint32
	from int
}

func (p *ecmaType) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *ecmaType) skip(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

// word skips a keyword.
func (p *ecmaType) word(w string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, w)
	if !ok || rest != "" && isWordByte(rest[0]) {
		return false
	}
	p.rest = rest
	return true
}

func (p *ecmaType) of(name string, args ...*typeRef) *typeRef {
	return &typeRef{name: name, args: args, file: p.file, from: p.from}
}

// union reads alternatives and intersections: members are looked for in all that are types of their own.
func (p *ecmaType) union(depth int) *typeRef {
	p.skip("|")
	p.skip("&")
	var all []*typeRef
	mark := "|"
	for {
		if t := p.postfix(depth); t != nil {
			all = append(all, t)
		}
		if p.skip("&") {
			mark = "&"
		} else if !p.skip("|") {
			break
		}
	}
	if p.word("extends") || p.skip("?") { // a conditional type: only a compiler tells
		p.rest = ""
		return nil
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return p.of(mark, all...)
}

func (p *ecmaType) postfix(depth int) *typeRef {
	t := p.one(depth)
	for p.skip("[") {
		if p.skip("]") {
			if t == nil {
				t = p.of("")
			}
			t = p.of("[]", t)
			continue
		}
		p.until(']') // an indexed access
		t = nil
	}
	return t
}

// until skips to behind a closing bracket.
func (p *ecmaType) until(shut byte) {
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 && c == shut {
				p.rest = p.rest[i+1:]
				return
			}
			depth--
		}
	}
	p.rest = ""
}

func (p *ecmaType) one(depth int) *typeRef {
	if depth > 12 {
		p.rest = ""
		return nil
	}
	for _, w := range [...]string{"readonly", "unique", "infer", "abstract", "new", "asserts"} {
		p.word(w)
	}
	switch {
	case p.word("keyof"):
		p.one(depth + 1)
		return nil
	case p.word("typeof"):
		p.space()
		if name := p.name(); name != "" && name != "import" {
			if p.skip("<") {
				p.list('>', depth)
			}
			return p.of(name)
		}
		p.rest = ""
		return nil
	case p.skip("{"):
		p.until('}')
		return nil
	case p.skip("("):
		return p.bracketed(depth)
	case p.skip("["):
		return p.of("()", p.list(']', depth)...)
	case p.skip("<"): // type parameters of a function type
		p.list('>', depth)
		return p.one(depth + 1)
	}
	if p.rest != "" && strings.IndexByte("\"'`", p.rest[0]) >= 0 {
		if end := strings.IndexByte(p.rest[1:], p.rest[0]); end >= 0 {
			p.rest = p.rest[end+2:]
			return nil
		}
	}
	return p.named(depth)
}

// bracketed reads what follows an opening bracket: a type in brackets, or a function.
func (p *ecmaType) bracketed(depth int) *typeRef {
	before := p.rest
	p.until(')')
	inside := before[:max(0, len(before)-len(p.rest)-1)]
	if p.skip("=>") {
		result := p.union(depth + 1)
		if result == nil {
			result = p.of("")
		}
		return p.of("func", result)
	}
	inner := &ecmaType{rest: inside, file: p.file, from: p.from}
	t := inner.union(depth + 1)
	if inner.space(); inner.rest != "" {
		return nil
	}
	return t
}

func (p *ecmaType) name() string {
	p.space()
	end := 0
	for end < len(p.rest) && (isWordByte(p.rest[end]) || p.rest[end] == '.' && end+1 < len(p.rest) && p.rest[end+1] != '.') {
		end++
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	return name
}

func (p *ecmaType) named(depth int) *typeRef {
	name := p.name()
	if name == "" {
		if p.rest != "" {
			p.rest = p.rest[1:]
		}
		return nil
	}
	var args []*typeRef
	if p.skip("<") {
		args = p.list('>', depth)
	}
	if p.word("is") { // a predicate
		p.union(depth + 1)
		return nil
	}
	switch name {
	case "null", "undefined", "void", "never", "any", "unknown", "true", "false":
		return nil
	}
	if name[0] >= '0' && name[0] <= '9' {
		return nil
	}
	switch last := name[strings.LastIndexByte(name, '.')+1:]; {
	case ecmaTransparent[last] && len(args) > 0:
		if args[0].name == "" {
			return nil
		}
		return args[0]
	case last == "ReturnType" && len(args) == 1 && args[0].name != "" && len(args[0].args) == 0:
		return p.of(args[0].name + "()")
	case ecmaContainers[last] != "" && len(args) > 0:
		return p.of(ecmaContainers[last], args...)
	}
	return p.of(name, args...)
}

// list reads types up to a closing bracket; what is no type is an empty one.
func (p *ecmaType) list(shut byte, depth int) []*typeRef {
	var out []*typeRef
	for p.rest != "" && !p.skip(string(shut)) {
		before := len(p.rest)
		p.skip("...")
		t := p.union(depth + 1)
		if t == nil {
			t = p.of("")
		}
		out = append(out, t)
		if p.skip("=") {
			p.union(depth + 1)
		}
		if p.skip(":") || p.skip("?:") { // a named element of a tuple
			if t = p.union(depth + 1); t != nil {
				out[len(out)-1] = t
			}
		}
		if !p.skip(",") && len(p.rest) == before && p.rest != "" {
			p.rest = p.rest[1:]
		}
	}
	return out
}

// ecmaContainerMember is the type of a method of a container that gives out what it holds.
func ecmaContainerMember(t *typeRef, name string) *typeRef {
	if len(t.args) == 0 || t.name != "[]" && t.name != "map" {
		return nil
	}
	last := t.args[len(t.args)-1]
	result := func(r *typeRef) *typeRef {
		return &typeRef{name: "func", args: []*typeRef{r}, file: t.file, from: t.from}
	}
	list := func(r *typeRef) *typeRef {
		return &typeRef{name: "[]", args: []*typeRef{r}, file: t.file, from: t.from}
	}
	switch name {
	case "get", "at", "pop", "shift", "find", "findLast":
		return result(last)
	case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "values":
		return result(list(last))
	case "keys":
		return result(list(t.args[0]))
	}
	return &typeRef{name: "", file: t.file, from: t.from} // a member of the language's own type
}

// ecmaCommon are members of the language's own types and of what runs it: of an object of unknown type they say nothing.
var ecmaCommon = words(`abort add addEventListener all any append appendChild apply assign at bind blur call catch charAt charCodeAt clear click clone close concat
	config constructor contains create createElement data default defineProperty delete destroy dispatchEvent emit end endsWith entries error every exec exit fill filter finally find findIndex flat
	flatMap focus forEach freeze from get getAttribute getTime has hasOwnProperty href id includes indexOf index info init input insert isArray join json key keys kind lastIndexOf length
	listen localeCompare log map match message method name next now off on once open options output padEnd padStart parent parse path pathname pipe pop port preventDefault prop props prototype push query
	querySelector race read reduce reduceRight ref reject remove removeAttribute removeChild removeEventListener removeListener render repeat replace replaceAll request reset resolve result
	return reverse root run search send set setAttribute setHeader shift slice some sort splice split start startsWith state status stop stopPropagation stringify style substr substring
	symbol target test text then throw toFixed toISOString toJSON toLocaleString toLowerCase toString toUpperCase trigger trim trimEnd trimStart type unshift update url use value valueOf
	values warn write params body headers context children current children className schema title label first last size count args content node nodes items item list event stack code cause user`)

// ecmaBuiltins are the names of the language, of browsers and of Node.js.
var ecmaBuiltins = words(`AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean BroadcastChannel Buffer
	CSS CustomEvent DOMException DOMParser DataView Date Document DocumentFragment Element Error EvalError Event EventSource EventTarget File FileList FileReader
	FinalizationRegistry Float32Array Float64Array FormData Function Headers HTMLElement Image Infinity Int16Array Int32Array Int8Array IntersectionObserver Intl Iterator
	JSON JSX KeyboardEvent Map Math MediaQueryList MessageChannel MessageEvent MessagePort MouseEvent MutationObserver NaN Node NodeJS NodeList Notification Number Object Path2D
	PerformanceObserver PointerEvent Promise Proxy RangeError React ReadableStream ReferenceError Reflect RegExp Request ResizeObserver Response Set SharedArrayBuffer Storage String
	Symbol SyntaxError TextDecoder TextEncoder TouchEvent TransformStream TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray
	WeakMap WeakRef WeakSet WebAssembly WebSocket Window Worker WritableStream XMLHttpRequest __dirname __filename addEventListener alert arguments
	atob btoa caches cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto customElements decodeURI decodeURIComponent document
	encodeURI encodeURIComponent escape eval fetch global globalThis history indexedDB isFinite isNaN location localStorage matchMedia navigator new.target
	parseFloat parseInt performance process prompt queueMicrotask removeEventListener requestAnimationFrame requestIdleCallback require scrollTo self sessionStorage
	setImmediate setInterval setTimeout structuredClone undefined unescape window null true false
	Array ArrayLike AsyncGenerator AsyncIterable AsyncIterableIterator AsyncIterator Awaited Capitalize ConstructorParameters Exclude Extract Generator InstanceType Iterable
	IterableIterator Lowercase NonNullable Omit Parameters Partial Pick PromiseLike PropertyKey Readonly ReadonlyArray ReadonlyMap ReadonlySet Record Required ReturnType
	ThisType TypedPropertyDescriptor Uncapitalize Uppercase RequestInit ResponseInit HeadersInit BodyInit RequestInfo PropertyDescriptor describe it test expect expectTypeOf suite beforeEach
	afterEach beforeAll afterAll before after jest vi any unknown never string number boolean object bigint symbol void
	PromiseFulfilledResult PromiseRejectedResult PromiseSettledResult ErrorOptions HTMLInputElement HTMLDivElement HTMLButtonElement HTMLFormElement HTMLAnchorElement SVGElement DOMRect
	defineProps defineEmits defineExpose withDefaults defineModel defineSlots defineOptions`)

// ecmaTags are the elements of HTML and SVG that JSX writes like names.
var ecmaTags = words(`a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption circle cite clipPath code col colgroup data datalist dd
	defs del details dfn dialog div dl dt ellipse em embed fieldset figcaption figure filter footer form g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd
	label legend li line linearGradient link main map mark mask menu meta meter nav noscript object ol optgroup option output p param path pattern picture polygon polyline pre progress q
	radialGradient rect rp rt ruby s samp script section select slot small source span stop strong style sub summary sup svg symbol table tbody td template text textarea tfoot th thead time
	title tr track tspan u ul use var video wbr`)
