package graph

import (
	"strconv"
	"strings"

	"agenvantage"
)

// Elixir names everything by modules with full names; a function is told by its name and its number of arguments. Values
// have no written types: what is called on a variable only a run tells.

var elixirKernel = words(`abs apply binary_part bit_size byte_size ceil div elem exit floor hd inspect is_atom is_binary is_bitstring is_boolean is_exception is_float
	is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple length make_ref map_size max min node not put_elem
	rem round self send spawn spawn_link spawn_monitor struct struct! throw tl trunc tuple_size alias! and binding dbg destructure get_and_update_in get_in in match?
	or pop_in put_in raise reraise sigil_r sigil_s sigil_w tap then to_charlist to_string update_in use var! function_exported? macro_exported? put_in super
	quote unquote unquote_splicing require import alias defstruct defexception defoverridable __MODULE__ __ENV__ __DIR__ __CALLER__ @ if unless case cond with for
	try receive fn when do test describe setup setup_all assert refute assert_raise assert_receive refute_receive assert_received flunk on_exit doctest catch_exit
	def defp defmacro defmacrop defmodule defimpl defprotocol defdelegate defguard defguardp is_non_struct_map ensure_loaded?`)

// resolveElixir resolves an Elixir file.
func resolveElixir(j *job) {
	for i := range j.refs {
		if ref := &j.refs[i]; ref.Kind != agenvantage.RefImport {
			j.elixirReference(ref)
		}
	}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		nodes := j.elixirModules(j.elixirFull(m.Path, m.From, m.Line))
		v := value{kind: external}
		if len(nodes) > 0 && len(filesOf(nodes)) == 1 && nodes[0].File == j.file {
			continue
		}
		j.linkImports(m, v, filesOf(nodes))
	}
}

func (j *job) elixirReference(ref *agenvantage.Reference) {
	name := strings.TrimPrefix(ref.Name, "@")
	if strings.HasPrefix(name, ":") || ref.On != "" {
		j.miss(ReasonDynamic)
		return
	}
	i := strings.LastIndexByte(name, '.')
	last := name[i+1:]
	if last == "" {
		j.miss(ReasonDynamic)
		return
	}
	switch {
	case last == "__MODULE__":
		j.miss(ReasonBuiltin)
	case last[0] >= 'A' && last[0] <= 'Z':
		j.elixirLink(ref, j.elixirModules(j.elixirFull(name, ref.From, ref.Line)), ReasonExternal)
	case i < 0:
		j.elixirLocal(ref, name)
	case name[0] >= 'A' && name[0] <= 'Z' || strings.HasPrefix(name, "__MODULE__."):
		full := j.elixirFull(name[:i], ref.From, ref.Line)
		nodes := j.elixirFunctions(full, last, ref)
		reason := ReasonExternal
		if len(nodes) == 0 && len(j.elixirModules(full)) > 0 {
			reason = ReasonDynamic // made by a macro
		}
		j.elixirLink(ref, nodes, reason)
	default:
		j.miss(ReasonDynamic) // on a variable, or a module of Erlang
	}
}

// elixirLocal resolves a call without a module: a function of the module around, then of imported modules.
func (j *job) elixirLocal(ref *agenvantage.Reference, name string) {
	full := j.elixirAround(ref.From)
	if nodes := j.elixirFunctions(full, name, ref); len(nodes) > 0 {
		j.elixirLink(ref, nodes, ReasonUnknown)
		return
	}
	used := false
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		if m.From >= 0 && !contains(j.unit, ref.From, m.From) {
			continue
		}
		if m.Name == "*" {
			if nodes := j.elixirFunctions(j.elixirFull(m.Path, m.From, m.Line), name, ref); len(nodes) > 0 {
				j.elixirLink(ref, nodes, ReasonUnknown)
				return
			}
		}
		used = used || m.Name == "use" || m.Name == "*"
	}
	switch {
	case elixirKernel[name] || strings.HasPrefix(name, "sigil_"):
		j.miss(ReasonBuiltin)
	case used:
		j.miss(ReasonDynamic) // what "use" brings in is made by a macro
	default:
		j.miss(ReasonUnknown)
	}
}

func (j *job) elixirLink(ref *agenvantage.Reference, nodes []agenvantage.Node, otherwise Reason) {
	if len(nodes) == 0 {
		j.miss(otherwise)
		return
	}
	for _, n := range nodes {
		if s := j.symbol(n); s != nil {
			j.link(kindFor(ref.Kind, s.Kind), j.from(ref.From), n, ref.Line, agenvantage.ByScope)
		}
	}
}

// elixirAround is the full name of the module around a symbol, "" outside of one.
func (j *job) elixirAround(symbol int) string {
	full := ""
	j.unit.within(symbol, func(s int) bool {
		sym := &j.unit.symbols[s]
		if sym.Kind == agenvantage.KindModule || sym.Kind == agenvantage.KindInterface {
			full = sym.Qualified
		} else if sym.Parent < 0 && isFunction(sym.Kind) { // in defimpl
			full = strings.TrimSuffix(strings.TrimSuffix(sym.Qualified, sym.Name), ".")
		}
		return full == ""
	})
	return full
}

// elixirFull spells a module name out: aliases that stand before a line, modules inside of the one around.
func (j *job) elixirFull(name string, from, line int) string {
	first, rest, nested := strings.Cut(name, ".")
	around := j.elixirAround(from)
	expanded := ""
	switch {
	case first == "__MODULE__":
		expanded = around
	case first == "Elixir":
		return rest
	default:
		for i := range j.unit.imports {
			m := &j.unit.imports[i]
			if m.Name != "" || m.Line >= line || m.From >= 0 && !contains(j.unit, from, m.From) {
				continue
			}
			if local := m.Alias; local == first || local == "" && m.Path[strings.LastIndexByte(m.Path, '.')+1:] == first && m.Path != first {
				expanded = j.elixirFull(m.Path, m.From, m.Line)
			}
		}
	}
	if expanded == "" {
		for space := around; space != ""; space = space[:max(0, strings.LastIndexByte(space, '.'))] {
			if len(j.elixirNested(space, first)) > 0 {
				expanded = space + "." + first
				break
			}
		}
	}
	if expanded == "" {
		return name
	}
	if nested {
		return expanded + "." + rest
	}
	return expanded
}

// elixirNested lists the modules that are written inside of a module of this file.
func (j *job) elixirNested(space, name string) []int {
	var out []int
	for i := range j.unit.symbols {
		if s := &j.unit.symbols[i]; s.Parent >= 0 && (s.Kind == agenvantage.KindModule || s.Kind == agenvantage.KindInterface) && s.Qualified == space+"."+name {
			out = append(out, i)
		}
	}
	return out
}

// elixirModules lists the definitions of a module: written out, or inside of others.
func (j *job) elixirModules(full string) []agenvantage.Node {
	var found []agenvantage.Node
	for tail := full; ; {
		for _, n := range j.named(tail) {
			s, _ := j.peek(n)
			if s != nil && j.r.files[n.File].lang == "elixir" && s.Qualified == full && (s.Kind == agenvantage.KindModule || s.Kind == agenvantage.KindInterface) {
				found = append(found, n)
			}
		}
		i := strings.IndexByte(tail, '.')
		if i < 0 {
			return distinctNodes(found)
		}
		tail = tail[i+1:]
	}
}

// elixirFunctions lists the clauses of a function of a module with the number of arguments that a line gives, all when none has.
func (j *job) elixirFunctions(full, name string, ref *agenvantage.Reference) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range j.named(name) {
		s, _ := j.peek(n)
		if s == nil || j.r.files[n.File].lang != "elixir" || s.Qualified != joined(full, name) || !isFunction(s.Kind) && s.Kind != agenvantage.KindType {
			continue
		}
		if j.symbol(n).Visibility != "private" || n.File == j.file {
			found = append(found, n)
		}
	}
	if len(found) < 2 {
		return found
	}
	return j.takes(found, j.elixirArguments(name, ref.Line), elixirArity)
}

// elixirArity is the least and the greatest number of arguments of a definition.
func elixirArity(s *agenvantage.Symbol) (least, most int) {
	at := strings.Index(s.Signature, s.Name)
	rest := s.Signature[max(0, at)+len(s.Name):]
	if at < 0 || !strings.HasPrefix(rest, "(") {
		return 0, 0
	}
	end := closingAny(rest)
	if end < 0 {
		return 0, 255
	}
	inner := withoutStrings(rest[1:end])
	most = countParts(inner)
	return most - strings.Count(inner, `\\`), most
}

// elixirArguments are the numbers of arguments that the calls of a name on a line give: one more behind a pipe; the
// number itself in "&name/2".
func (j *job) elixirArguments(name string, line int) (counts []int) {
	for m := range j.mentions(name, line) {
		behind := m.text[m.end:m.lineEnd]
		if digits, ok := strings.CutPrefix(behind, "/"); ok {
			digits = strings.TrimLeft(digits, " ")
			k := 0
			for k < len(digits) && digits[k] >= '0' && digits[k] <= '9' {
				k++
			}
			if n, err := strconv.Atoi(digits[:k]); err == nil {
				counts = append(counts, n)
				continue
			}
		}
		n := 0
		if rest := m.arguments(); strings.HasPrefix(rest, "(") {
			close := closingAny(rest)
			if close < 0 {
				continue
			}
			n = countParts(withoutStrings(rest[1:close]))
		} else if args := strings.TrimSpace(behind); args != "" && strings.HasPrefix(behind, " ") && isWordByte(args[0]) {
			n = countParts(withoutStrings(strings.TrimSuffix(args, " do")))
		}
		if piped(m.text[:m.start]) {
			n++
		}
		counts = append(counts, n)
	}
	return counts
}

// piped reports whether the text before a function's name ends with a pipe and the function's module.
func piped(before string) bool {
	before = strings.TrimRight(before, " ")
	for before != "" && (isWordByte(before[len(before)-1]) || before[len(before)-1] == '.') {
		before = before[:len(before)-1]
	}
	return strings.HasSuffix(strings.TrimRight(before, " "), "|>")
}
