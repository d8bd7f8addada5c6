package server

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"agenvantage"
)

// Operation is one thing that can be asked for: POST /v1/NAME, and an MCP tool where Tool says so.
type Operation struct {
	Name  string
	About string // one or two short sentences: they are part of every conversation
	Tool  bool   // in the list of MCP tools
	Needs bool   // needs an index: waits for one, and fails without; of search its arguments say so (NeedsIndex)
	Shape string // of the answer, as of outputSchema
	blank any    // arguments without values
}

// shapes that several operations share.
const (
	shapeNavigation = "verb:string subject:object items:objects ?tests:objects total:integer omitted:integer next:string ?candidates:objects coverage:object generation:integer ?notes:strings"
	shapePack       = "pack_id:string status:string why:string task:string preset:string budget:integer tokens:integer tokenizer:string revision:string slots:objects blocks:objects handles:objects missing:strings next:strings ?notes:strings"
)

// operations lists what there is, in the order in which tools are listed.
var operations = []Operation{
	{Name: "search", Tool: true, blank: SearchArguments{}, About: "Find code by name, path, literal, regex or question, or code like some other. Ask several focused queries, not one compound one.",
		Shape: "query:string class:string root:string revision:string generation:integer config_hash:string ?took_ms:number channels:objects results:objects coverage:object ?next:string ?notes:strings"},
	{Name: "pack", Tool: true, Needs: true, blank: PackArguments{}, About: "Gather the evidence for a whole task (code, tests, callers, config, history) under a token budget, and say what is missing.", Shape: shapePack},
	{Name: "expand", Tool: true, Needs: true, blank: ExpandArguments{}, About: "Show more of what a pack considered for one slot.", Shape: shapePack},
	{Name: "read", Tool: true, Needs: true, blank: ReadArguments{}, About: "Read a symbol, lines or a file, with line numbers.", Shape: shapeNavigation},
	{Name: "symbol", Tool: true, Needs: true, blank: SymbolArguments{}, About: "List definitions, references, callers or callees of a symbol, with how sure that is.", Shape: shapeNavigation},
	{Name: "neighbors", Tool: true, Needs: true, blank: NeighborsArguments{}, About: "List what calls, imports, inherits and so on connect with a symbol or file.", Shape: shapeNavigation},
	{Name: "tests_for", Tool: true, Needs: true, blank: NavigateArguments{}, About: "List the tests that reach a symbol or file.", Shape: shapeNavigation},
	{Name: "changes_for", Tool: true, Needs: true, blank: ChangesForArguments{}, About: "List the commits that changed a file, lines or a symbol, and what changes with it.",
		Shape: "location:string path:string ?symbol:string ?start_line:integer ?end_line:integer revision:string uncommitted:objects ?last_change:string total:integer commits:objects ?next:string authors:objects cochanged:objects ?deleted:boolean ?renamed:objects ?candidates:objects ?omitted:integer coverage:object ?notes:strings"},
	{Name: "map", Tool: true, Needs: true, blank: MapArguments{}, About: "Overview of the repository or a folder: modules, entry points, commands, tests.",
		Shape: "?scope:string ?task:string ?name:string ?about:object files:integer lines:integer languages:objects generated:integer vendored:integer instructions:objects commands:objects entry_points:objects modules:objects neighbours:objects tests:objects landmarks:objects left_out:object budget:integer tokens:integer tokenizer:string stale:boolean ?stale_reason:string ?notes:strings"},
	{Name: "rehydrate", Tool: true, blank: RehydrateArguments{}, About: "Exact text behind an id of a pack, as it was packed.",
		Shape: "source_id:string path:string start_line:integer end_line:integer symbol:string revision:string state:string text:string pack_id:string tokens:integer ?why:string ?next:string"},
	{Name: "status", Tool: true, blank: StatusArguments{}, About: "State of the index beside the tree: fresh, stale or still being built.",
		Shape: "root:string index_dir:string state:string indexed_revision:string live_revision:string dirty:strings dirty_count:integer age_s:number format:integer generation:integer files:integer skipped:integer chunks:integer symbols:integer index_bytes:integer channels:objects languages:objects history:object ?building:object ?notes:strings"},
	{Name: "refs", Needs: true, blank: NavigateArguments{}, About: "Places that mention a symbol.", Shape: shapeNavigation},
	{Name: "callers", Needs: true, blank: NavigateArguments{}, About: "Places that call a symbol.", Shape: shapeNavigation},
	{Name: "callees", Needs: true, blank: NavigateArguments{}, About: "What a symbol calls.", Shape: shapeNavigation},
	{Name: "impact", Needs: true, blank: NavigateArguments{}, About: "What depends on a symbol or file, directly or not.", Shape: shapeNavigation},
	{Name: "cochange", Needs: true, blank: CochangeArguments{}, About: "Files that change together with a set of files.",
		Shape: "paths:strings revision:string changed:objects partners:objects missing:strings coverage:object ?notes:strings"},
	{Name: "why", blank: WhyArguments{}, About: "Why a pack shows a place or does not.",
		Shape: "pack_id:string location:string path:string start_line:integer end_line:integer state:string why:string ?skip:string places:objects ?notes:strings"},
	{Name: "plan", blank: PlanArguments{}, About: "How a task is read before anything is looked for.",
		Shape: "task:string preset:string why:string class:string anchors:objects concepts:objects slots:objects"},
	{Name: "files", Needs: true, blank: FilesArguments{}, About: "Every file with its state in the index.", Shape: "files:objects ?next:string"},
}

// Operations lists what there is, tools first.
func Operations() []Operation { return slices.Clone(operations) }

// MinimalTools are the two that matter most.
func MinimalTools() []string { return []string{"search", "pack"} }

// InputSchema is the JSON Schema of the operation's arguments.
func (o Operation) InputSchema() map[string]any {
	return inputSchema(reflect.TypeOf(o.blank), func(field) bool { return false })
}

// toolSchema is InputSchema without what is rarely of use; several says that there may be more roots than one.
func (o Operation) toolSchema(several bool) map[string]any {
	return inputSchema(reflect.TypeOf(o.blank), func(f field) bool { return f.rare || f.name == "root" && !several })
}

// OutputSchema is the JSON Schema of the operation's answer.
func (o Operation) OutputSchema() map[string]any { return outputSchema(o.Shape, false) }

// Decode reads the operation's arguments: a pointer to its struct. Errors wrap agenvantage.ErrBadInput.
func (o Operation) Decode(raw []byte) (any, error) {
	into := reflect.New(reflect.TypeOf(o.blank)).Interface()
	if err := decode(raw, into); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	return into, nil
}

// toolsNamed are the operations of an MCP server: those named, or all tools for none. An unknown name is agenvantage.ErrBadInput.
func toolsNamed(wanted []string) ([]Operation, error) {
	var tools, all []string
	for _, o := range operations {
		if all = append(all, o.Name); o.Tool {
			tools = append(tools, o.Name)
		}
	}
	if len(wanted) == 0 {
		wanted = tools
	}
	for _, w := range wanted {
		if !slices.Contains(all, w) {
			return nil, fmt.Errorf("%w: unknown tool %q; the tools are %s", agenvantage.ErrBadInput, w, strings.Join(all, ", "))
		}
	}
	var found []Operation
	for _, o := range operations {
		if slices.Contains(wanted, o.Name) {
			found = append(found, o)
		}
	}
	return found, nil
}

// pathsOf lists what the arguments name as paths, for the check that they lie below the root. Some may be the name of a symbol too.
func pathsOf(arguments any) (paths []string) {
	switch a := arguments.(type) {
	case *SearchArguments:
		return append(append(slices.Clone(a.Path), a.NotPath...), a.Like)
	case *PackArguments:
		return a.Seed
	case *PlanArguments:
		return a.Seed
	case *ReadArguments:
		return []string{a.Location}
	case *SymbolArguments:
		return []string{a.Name, a.Location}
	case *NavigateArguments:
		return []string{a.Location}
	case *NeighborsArguments:
		return []string{a.Location}
	case *ChangesForArguments:
		return []string{a.Location}
	case *CochangeArguments:
		return a.Paths
	case *MapArguments:
		return []string{a.Scope}
	case *WhyArguments:
		return []string{a.Location}
	}
	return nil
}
