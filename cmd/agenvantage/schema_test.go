package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/configs"
	"agenvantage/embed"
	"agenvantage/internal/app"
	"agenvantage/internal/declared"
	"agenvantage/internal/doctor"
	"agenvantage/internal/setup"
)

// schema is the part of JSON Schema (draft 2020-12) that the contracts need.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"` // a name or a list of names
	Enum        []string           `json:"enum,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"` // false, or the schema of a map's values
	Names       *schema            `json:"propertyNames,omitempty"`
}

// closedSets are the types whose values are a closed list: clients may branch on them.
var closedSets = map[reflect.Type][]string{
	reflect.TypeFor[agenvantage.SymbolKind](): texts(agenvantage.Kinds()),
	reflect.TypeFor[agenvantage.ChannelStatus](): texts([]agenvantage.ChannelStatus{agenvantage.StatusOK, agenvantage.StatusEmpty, agenvantage.StatusOff, agenvantage.StatusTimeout,
		agenvantage.StatusError, agenvantage.StatusPartial, agenvantage.StatusNoVectors, agenvantage.StatusUnreachable, agenvantage.StatusModelMissing, agenvantage.StatusModelChanged}),
	reflect.TypeFor[app.HistoryState](): texts([]app.HistoryState{app.HistoryReady, app.HistoryPartial, app.HistoryAbsent, app.HistoryNone, app.HistoryDamaged}),
	reflect.TypeFor[agenvantage.QueryClass](): texts([]agenvantage.QueryClass{agenvantage.ClassIdentifier, agenvantage.ClassPath, agenvantage.ClassPhrase, agenvantage.ClassQuestion,
		agenvantage.ClassIssue, agenvantage.ClassTrace, agenvantage.ClassRegex}),
	reflect.TypeFor[agenvantage.SkipReason](): texts([]agenvantage.SkipReason{agenvantage.SkipBinary, agenvantage.SkipTooLarge, agenvantage.SkipMinified, agenvantage.SkipGenerated, agenvantage.SkipLock,
		agenvantage.SkipCredential, agenvantage.SkipSymlink, agenvantage.SkipSubmodule, agenvantage.SkipNestedRepo, agenvantage.SkipWorktree, agenvantage.SkipUnreadable, agenvantage.SkipVanished,
		agenvantage.SkipIrregular, agenvantage.SkipOwnIgnore, agenvantage.SkipOwnFolder, agenvantage.SkipBadName}),
	reflect.TypeFor[agenvantage.ParseState](): texts([]agenvantage.ParseState{agenvantage.ParseFull, agenvantage.ParsePartial, agenvantage.ParsePatterns, agenvantage.ParseText, agenvantage.ParseTimeout,
		agenvantage.ParseTooDeep, agenvantage.ParseSkipped}),
	reflect.TypeFor[app.Verdict]():           texts([]app.Verdict{app.VerdictProven, app.VerdictBounded, app.VerdictUnknown}),
	reflect.TypeFor[app.NavigateVerb]():      texts([]app.NavigateVerb{app.VerbSymbol, app.VerbRefs, app.VerbCallers, app.VerbCallees, app.VerbNeighbors, app.VerbImpact, app.VerbTestsFor, app.VerbRead}),
	reflect.TypeFor[ablations.Class]():       texts(ablations.Classes()),
	reflect.TypeFor[ablations.Decision]():    texts([]ablations.Decision{ablations.Promote, ablations.KeepOff, ablations.Insufficient, ablations.AlwaysOn}),
	reflect.TypeFor[ablations.CostOutcome](): texts([]ablations.CostOutcome{ablations.CostWithin, ablations.CostTime, ablations.CostIndex, ablations.CostUnmeasured}),
	reflect.TypeFor[ablations.DropReason]():  texts(ablations.DropReasons()),
	reflect.TypeFor[app.RehydratedState]():   texts([]app.RehydratedState{app.RehydratedExact, app.RehydratedChanged, app.RehydratedGone}),
	reflect.TypeFor[app.PackReasonState]():   texts([]app.PackReasonState{app.ReasonShown, app.ReasonLeftOut, app.ReasonNotConsidered, app.ReasonSkipped, app.ReasonOutOfScope}),
	reflect.TypeFor[app.PackOutcome]():       texts([]app.PackOutcome{app.OutcomeShown, app.OutcomeMerged, app.OutcomeHandle, app.OutcomeDropped}),
	reflect.TypeFor[agenvantage.SlotName]():  texts(agenvantage.SlotNames()),
	reflect.TypeFor[agenvantage.TaskKind]():  texts(agenvantage.TaskKinds()),
	reflect.TypeFor[agenvantage.AnchorKind](): texts([]agenvantage.AnchorKind{agenvantage.AnchorPath, agenvantage.AnchorFrame, agenvantage.AnchorIdentifier, agenvantage.AnchorString, agenvantage.AnchorRoute,
		agenvantage.AnchorConfigKey, agenvantage.AnchorTest}),
	reflect.TypeFor[embed.Reason]():   texts(app.EmbedReasons()),
	reflect.TypeFor[app.EmbedState](): texts([]app.EmbedState{app.EmbedOff, app.EmbedNone, app.EmbedPartial, app.EmbedComplete}),
	reflect.TypeFor[app.WatchKind]():  texts([]app.WatchKind{app.WatchReady, app.WatchPolling, app.WatchUpdated, app.WatchFailed}),
	reflect.TypeFor[setup.Scope]():    texts([]setup.Scope{setup.ScopeProject, setup.ScopeUser}),
	reflect.TypeFor[setup.StepPart](): texts([]setup.StepPart{setup.StepServer, setup.StepInstructions}),
	reflect.TypeFor[setup.Action]():   texts([]setup.Action{setup.ActionCreate, setup.ActionChange, setup.ActionUnchanged, setup.ActionRemove, setup.ActionRestore, setup.ActionDelete, setup.ActionKeep, setup.ActionNone}),
	reflect.TypeFor[doctor.State]():   texts([]doctor.State{doctor.StateOK, doctor.StateOff, doctor.StateHint, doctor.StateFix, doctor.StateUnknown}),
	reflect.TypeFor[configs.Source](): texts([]configs.Source{configs.SourceDefault, configs.SourceUser, configs.SourceProject, configs.SourceEnv, configs.SourceFlag}),
}

func texts[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}

// TestClosedListsHoldEveryConstant: a value that a type has and its closed list lacks makes outputs that break their schema.
func TestClosedListsHoldEveryConstant(t *testing.T) {
	r := newReflector(t)
	contracts(r)

	declaredBy := map[string]map[string][]string{} // by package, then by type
	of := func(typ reflect.Type) []string {
		pkg := typ.PkgPath()
		if declaredBy[pkg] == nil {
			values, err := declared.Strings(filepath.Join("../..", strings.TrimPrefix(pkg, "agenvantage")))
			if err != nil {
				t.Fatal(err)
			}
			declaredBy[pkg] = values
		}
		return declaredBy[pkg][typ.Name()]
	}
	for typ, set := range closedSets {
		if got, want := slices.Sorted(slices.Values(set)), of(typ); !slices.Equal(got, want) {
			t.Errorf("%v has the closed list\n%q, and its package declares\n%q", typ, got, want)
		}
	}
	for typ := range r.open {
		if values := of(typ); len(values) > 0 {
			t.Errorf("%v is open in a schema, and its package declares %q", typ, values)
		}
	}
}

// reflector makes schemas from the Go types that are printed, with the comments of their source as descriptions.
type reflector struct {
	comments map[string]string     // "Type" and "Type.Field"
	open     map[reflect.Type]bool // the types of strings that were met and have no closed list
}

func newReflector(t *testing.T) *reflector {
	r := &reflector{comments: map[string]string{}, open: map[reflect.Type]bool{}}
	for _, file := range []string{"../../ablations/ranking.go", "../../ablations/report.go", "../../ablations/verdicts.go", "ablate.go", "ablate_gate.go", "../../corpus.go", "../../result.go", "../../internal/app/api.go", "../../internal/app/embed_api.go", "embed_background.go", "../../internal/app/history_api.go", "../../internal/app/navigate.go", "../../internal/app/navigate_coverage.go", "../../internal/app/map_api.go", "../../pack.go", "../../internal/app/pack_api.go", "../../internal/app/pack_text.go", "../../internal/app/pack_rehydrate.go", "../../internal/app/pack_why.go", "../../pack/repomap/map.go", "../../pack/repomap/input.go", "../../configs/settings.go", "batch.go", "files.go", "config.go", "errors.go", "setup.go", "../../internal/app/watch.go", "../../internal/setup/plan.go", "../../internal/setup/detect.go", "../../internal/doctor/doctor.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				ts, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				r.comments[ts.Name.Name] = strings.Join(strings.Fields(g.Doc.Text()), " ")
				st, ok := ts.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range st.Fields.List {
					for _, name := range field.Names {
						r.comments[ts.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
					}
				}
			}
		}
	}
	return r
}

func (r *reflector) of(t reflect.Type) *schema {
	if set, ok := closedSets[t]; ok {
		return &schema{Type: "string", Enum: set}
	}
	switch t {
	case reflect.TypeFor[json.RawMessage](): // an id
		return &schema{Type: []string{"string", "number", "null"}}
	case reflect.TypeFor[ablations.Prints](): // base64
		return &schema{Type: "string"}
	case reflect.TypeFor[any](): // the value of a setting
		return &schema{Type: []string{"string", "number", "boolean", "object", "array"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return r.of(t.Elem())
	case reflect.String:
		if t.PkgPath() != "" {
			r.open[t] = true
		}
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: r.of(t.Elem())}
	case reflect.Map:
		s := &schema{Type: "object", Additional: r.of(t.Elem())}
		if set, ok := closedSets[t.Key()]; ok {
			s.Names = &schema{Enum: set}
		} else {
			r.of(t.Key())
		}
		return s
	case reflect.Struct:
		s := &schema{Type: "object", Description: r.comments[t.Name()], Properties: map[string]*schema{}, Additional: false}
		r.fields(t, s)
		slices.Sort(s.Required)
		return s
	}
	panic(fmt.Sprintf("no schema for %s", t))
}

func (r *reflector) fields(t reflect.Type, s *schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			r.fields(f.Type, s)
		case !f.IsExported():
		case name == "-" || s.Properties[name] != nil: // an outer field hides an embedded one
		default:
			p := r.of(f.Type)
			if c := r.comments[t.Name()+"."+f.Name]; c != "" {
				p.Description = c
			}
			s.Properties[name] = p
			if options != "omitempty" {
				s.Required = append(s.Required, name)
			}
		}
	}
}

// contracts are the schemas by the name of their file, as r makes them.
func contracts(r *reflector) map[string]*schema {
	batchLine := &schema{AnyOf: []*schema{r.of(reflect.TypeFor[answer]()), r.of(reflect.TypeFor[refusal]())}}
	all := map[string]*schema{
		"search":   r.of(reflect.TypeFor[agenvantage.Response]()),
		"batch":    batchLine,
		"index":    r.of(reflect.TypeFor[app.IndexSummary]()),
		"status":   r.of(reflect.TypeFor[app.Status]()),
		"files":    r.of(reflect.TypeFor[fileList]()),
		"navigate": r.of(reflect.TypeFor[app.Navigation]()),
		"config":   r.of(reflect.TypeFor[settingList]()),
		"clean":    r.of(reflect.TypeFor[app.CleanSummary]()),

		"changes-for": r.of(reflect.TypeFor[app.Changes]()),
		"cochange":    r.of(reflect.TypeFor[app.Cochanges]()),
		"map":         r.of(reflect.TypeFor[app.MapAnswer]()),
		"plan":        r.of(reflect.TypeFor[app.PlanAnswer]()),
		"rehydrate":   r.of(reflect.TypeFor[app.Rehydrated]()),
		"why":         r.of(reflect.TypeFor[app.PackReason]()),
		"error":       r.of(reflect.TypeFor[errorLine]()),
		"watch":       r.of(reflect.TypeFor[app.WatchEvent]()),
		"setup":       r.of(reflect.TypeFor[setupResult]()),
		"setup-list":  r.of(reflect.TypeFor[setupList]()),
		"doctor":      r.of(reflect.TypeFor[doctor.Diagnosis]()),
	}
	for name, t := range map[string]reflect.Type{"ablate-mine": reflect.TypeFor[mineSummary](), "ablate-report": reflect.TypeFor[ablations.Report](),
		"ablate-compare": reflect.TypeFor[comparisonList](), "ablate-gate": reflect.TypeFor[ablations.Verdicts]()} {
		all[name] = r.of(t)
	}
	embedTitles := map[string]string{"embed-plan": "embed plan --json", "embed-run": "embed run --json", "embed-background": "embed run --background --json", "embed-status": "embed status --json",
		"embed-log": "embed log --json", "embed-removed": "embed prune --json and embed purge --json"}
	for name, t := range map[string]reflect.Type{"embed-plan": reflect.TypeFor[app.EmbedPlan](), "embed-run": reflect.TypeFor[app.EmbedSummary](), "embed-background": reflect.TypeFor[embedStarted](),
		"embed-status": reflect.TypeFor[app.EmbedStatus](), "embed-log": reflect.TypeFor[app.EmbedLog](), "embed-removed": reflect.TypeFor[app.EmbedRemoved]()} {
		all[name] = r.of(t)
	}
	delete(all["search"].Properties, "id") // only in batches
	delete(all["search"].Properties, "error")
	titles := map[string]string{"ablate-mine": "ablate mine --json", "ablate-report": "ablate run --json and ablate report --json", "ablate-compare": "ablate compare --json",
		"ablate-gate": "ablate gate --json", "search": "search --json", "batch": "one output line of search --batch", "index": "index --json", "status": "status --json", "files": "files --json", "navigate": "symbol, refs, callers, callees, neighbors, impact, tests-for and read --json",
		"config": "config show --json", "clean": "clean --json", "changes-for": "changes-for --json", "cochange": "cochange --json", "map": "map --json", "plan": "plan --json", "rehydrate": "rehydrate --json", "why": "why --json", "error": "COMMAND --json when it fails",
		"watch": "one line of index --watch --json after the first", "setup": "setup CLIENT --json", "setup-list": "setup --json", "doctor": "doctor --json"}
	maps.Copy(titles, embedTitles)
	for name, s := range all {
		s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "agenvantage "+titles[name]
	}
	return all
}

// validate lists what of v, a decoded JSON value, breaks the schema.
func (s *schema) validate(place string, v any) []string {
	var bad []string
	if len(s.AnyOf) > 0 {
		for _, one := range s.AnyOf {
			found := one.validate(place, v)
			if len(found) == 0 {
				return nil
			}
			bad = append(bad, found...)
		}
		return bad
	}
	if !s.hasType(v) {
		return []string{fmt.Sprintf("%s: %v is no %v", place, v, s.Type)}
	}
	if text, ok := v.(string); ok && s.Enum != nil && !slices.Contains(s.Enum, text) {
		bad = append(bad, fmt.Sprintf("%s: %q is not in the list", place, text))
	}
	if list, ok := v.([]any); ok {
		for i, e := range list {
			bad = append(bad, s.Items.validate(fmt.Sprintf("%s[%d]", place, i), e)...)
		}
	}
	object, ok := v.(map[string]any)
	if !ok {
		return bad
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			bad = append(bad, place+": no "+name)
		}
	}
	for name, e := range object {
		if s.Names != nil {
			bad = append(bad, s.Names.validate(place+" key", name)...)
		}
		p := s.Properties[name]
		if p == nil {
			p, _ = s.Additional.(*schema)
		}
		if p != nil {
			bad = append(bad, p.validate(place+"."+name, e)...)
		} else if s.Additional == false {
			bad = append(bad, place+"."+name+" is not in the schema")
		}
	}
	return bad
}

func (s *schema) hasType(v any) bool {
	var names []string
	switch t := s.Type.(type) {
	case nil:
		return true
	case string:
		names = []string{t}
	case []string:
		names = t
	}
	for _, n := range names {
		ok := false
		switch v := v.(type) {
		case nil:
			ok = n == "null"
		case string:
			ok = n == "string"
		case bool:
			ok = n == "boolean"
		case json.Number:
			ok = n == "number" || n == "integer" && !strings.ContainsAny(v.String(), ".eE")
		case []any:
			ok = n == "array"
		case map[string]any:
			ok = n == "object"
		}
		if ok {
			return true
		}
	}
	return false
}

// breaks lists what of a JSON text breaks the contract of that name.
func breaks(t *testing.T, name, text string) []string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return []string{err.Error()}
	}
	return contracts(newReflector(t))[name].validate(name, v)
}

// TestOutputsKeepTheirContracts checks printed JSON against the schemas; scripts do so with real outputs.
func TestOutputsKeepTheirContracts(t *testing.T) {
	full := &fake{index: exampleIndex(), status: exampleStatus(), files: exampleFiles(), clean: app.CleanSummary{IndexDir: "/x", Removed: true, Bytes: 1, Took: time.Second},
		changes: exampleChanges(), cochanges: exampleCochanges()}
	full.navigation = exampleNavigation()
	full.search = answering(example("")).search
	empty := &fake{navigation: app.Navigation{Verb: app.VerbImpact, Coverage: app.NavigationCoverage{Verdict: app.VerdictProven}}}
	batch := `{"id":1,"query":"x"}` + "\n" + `{"id":"s"}` + "\n{\n"
	for name, args := range map[string]string{"search": "search x --json", "batch": "search --batch -", "index": "index --json", "status": "status --json", "files": "files --json", "navigate": "impact x --json",
		"config": "config show --json", "clean": "clean --json", "changes-for": "changes-for a --json", "cochange": "cochange a --json", "map": "map --json"} {
		for kind, service := range map[string]*fake{"full": full, "empty": empty} {
			got := call{service: service, stdin: batch, env: []string{"AGENVANTAGE_EMBED_API_KEY=k", "AGENVANTAGE_LANGUAGES=JSX=javascript"}}.run(t, strings.Fields(args)...)
			for line := range strings.Lines(got.out) {
				if kind == "empty" && name == "search" { // a zero class is no class: the app always sets one
					line = strings.Replace(line, `"class":""`, `"class":"phrase"`, 1)
				}
				if kind == "empty" && name == "batch" {
					line = strings.Replace(line, `"class":""`, `"class":"phrase"`, 1)
				}
				if bad := breaks(t, name, line); len(bad) > 0 {
					t.Errorf("%s, %s: %s\n%s", name, kind, strings.Join(bad, "\n"), line)
				}
			}
			if got.out == "" {
				t.Errorf("%s, %s: nothing printed: %s", name, kind, got.errOut)
			}
		}
	}
	for _, text := range []string{`{}`, `{"files":[{"path":1,"state":"indexed","size":1}]}`, `{"files":[],"more":1}`, `{"files":[{"path":"a","state":"skipped","reason":"mood","size":1}]}`} {
		if len(breaks(t, "files", text)) == 0 {
			t.Errorf("%s is accepted", text)
		}
	}
}
