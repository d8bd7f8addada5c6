package extract

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

//go:embed queries/*.scm
var queryFiles embed.FS

// role is what a capture means to the framework.
type role uint8

const (
	roleNone role = iota // for predicates only
	roleDef
	roleContainer
	roleName
	roleBody
	roleScope
	roleDocString
	roleComment // added by the framework
	rolePrefix  // added by the framework
	roleError   // added by the framework
	roleReference
	roleUse // a reference that counts only when its first word is not local
	roleOn  // what stands before the name of a reference
	roleLocalScope
	roleLocalName
	roleLocalType
	roleLocalValue
	roleLocalElement
	roleAttribute
	roleSymbolType
	roleSymbolValue
	roleImportPath
	roleImportName
	roleImportAlias
	roleImportAll
	roleImportExported
	roleImportDefault
	roleExportName
	roleExportAlias
	roleExportDefault
	roleExportWhole
	roleLocalMember
	roleSymbolResult
	rolePackage
)

// plainRoles are the captures that mean a role and nothing more.
var plainRoles = map[string]role{
	"use": roleUse, "on": roleOn, "local.scope": roleLocalScope, "local.name": roleLocalName, "local.type": roleLocalType, "local.value": roleLocalValue, "local.element": roleLocalElement,
	"attribute.name": roleAttribute, "symbol.type": roleSymbolType, "symbol.value": roleSymbolValue,
	"import.path": roleImportPath, "import.name": roleImportName, "import.alias": roleImportAlias, "import.all": roleImportAll,
	"import.exported": roleImportExported, "package": rolePackage,
	"import.default": roleImportDefault, "export.name": roleExportName, "export.alias": roleExportAlias, "export.default": roleExportDefault,
	"export.whole": roleExportWhole, "local.member": roleLocalMember, "symbol.result": roleSymbolResult,
}

// captureMeaning is the meaning of one capture name.
type captureMeaning struct {
	role role
	kind agenvantage.SymbolKind    // of roleDef
	ref  agenvantage.ReferenceKind // of roleReference
}

// rules is a language with its query compiled, ready for any number of goroutines.
type rules struct {
	language
	compile    sync.Once
	err        error
	tsLanguage *sitter.Language
	query      *sitter.Query
	captures   []captureMeaning // by capture index
	predicates [][]predicate    // by pattern index
	hanging    atomic.Int32     // parses left behind that still run
}

var rulesByID = func() map[string]*rules {
	m := map[string]*rules{}
	for _, l := range languages {
		m[l.id] = &rules{language: l}
	}
	return m
}()

// load returns the compiled rules of a language: nil, nil when it has no grammar, an error when its query file is wrong.
func load(lang string) (*rules, error) {
	r := rulesByID[lang]
	if r == nil {
		return nil, nil
	}
	r.compile.Do(func() { r.err = r.build() })
	return r, r.err
}

// inherits begins the line of a query file that stands for another query file.
const inherits = "; inherits: "

// writeQuery writes the query file name, with the files that it inherits in their places.
func writeQuery(to *strings.Builder, name string) error {
	source, err := queryFiles.ReadFile("queries/" + name + ".scm")
	if err != nil {
		return fmt.Errorf("read query of %s: %w", name, err)
	}
	for line := range strings.Lines(string(source)) {
		parent, ok := strings.CutPrefix(line, inherits)
		if !ok {
			to.WriteString(line)
			continue
		}
		if err := writeQuery(to, strings.TrimSpace(parent)); err != nil {
			return err
		}
	}
	return nil
}

func (r *rules) build() error {
	var b strings.Builder
	if err := writeQuery(&b, r.id); err != nil {
		return err
	}
	for _, node := range r.comments {
		fmt.Fprintf(&b, "\n(%s) @framework.comment", node)
	}
	for _, node := range r.prefixes {
		fmt.Fprintf(&b, "\n(%s) @framework.prefix", node)
	}
	b.WriteString("\n(ERROR) @framework.error\n")
	r.tsLanguage = r.grammar()
	query, err := sitter.NewQuery([]byte(b.String()), r.tsLanguage)
	if err != nil {
		return fmt.Errorf("compile query of %s: %w", r.id, err)
	}
	for i := range query.CaptureCount() {
		m, err := meaning(query.CaptureNameForId(i))
		if err != nil {
			return fmt.Errorf("compile query of %s: %w", r.id, err)
		}
		r.captures = append(r.captures, m)
	}
	for i := range query.PatternCount() {
		ps, err := predicatesOf(query, i)
		if err != nil {
			return fmt.Errorf("compile query of %s: pattern %d: %w", r.id, i, err)
		}
		r.predicates = append(r.predicates, ps)
	}
	r.query = query
	return nil
}

func meaning(capture string) (captureMeaning, error) {
	switch capture {
	case "name":
		return captureMeaning{role: roleName}, nil
	case "body":
		return captureMeaning{role: roleBody}, nil
	case "scope":
		return captureMeaning{role: roleScope}, nil
	case "container.def":
		return captureMeaning{role: roleContainer}, nil
	case "doc.string":
		return captureMeaning{role: roleDocString}, nil
	case "framework.comment":
		return captureMeaning{role: roleComment}, nil
	case "framework.prefix":
		return captureMeaning{role: rolePrefix}, nil
	case "framework.error":
		return captureMeaning{role: roleError}, nil
	case "call":
		return captureMeaning{role: roleReference, ref: agenvantage.RefCall}, nil
	case "type.ref":
		return captureMeaning{role: roleReference, ref: agenvantage.RefType}, nil
	case "import":
		return captureMeaning{role: roleReference, ref: agenvantage.RefImport}, nil
	case "inherit":
		return captureMeaning{role: roleReference, ref: agenvantage.RefInherit}, nil
	case "implements":
		return captureMeaning{role: roleReference, ref: agenvantage.RefImplements}, nil
	}
	if strings.HasPrefix(capture, "_") {
		return captureMeaning{}, nil
	}
	if r, ok := plainRoles[capture]; ok {
		return captureMeaning{role: r, ref: agenvantage.RefType}, nil
	}
	if kind, ok := strings.CutSuffix(capture, ".def"); ok && slices.Contains(agenvantage.Kinds(), agenvantage.SymbolKind(kind)) {
		return captureMeaning{role: roleDef, kind: agenvantage.SymbolKind(kind)}, nil
	}
	return captureMeaning{}, fmt.Errorf("unknown capture @%s", capture)
}

// predicate is one #condition of a pattern.
type predicate struct {
	capture uint32
	negate  bool
	other   int64 // capture to compare with, -1 when values or a pattern decide
	values  []string
	pattern *regexp.Regexp
}

func predicatesOf(query *sitter.Query, pattern uint32) ([]predicate, error) {
	var out []predicate
	for _, steps := range query.PredicatesForPattern(pattern) {
		if len(steps) < 4 {
			continue
		}
		name := query.StringValueForId(steps[0].ValueId)
		if name == "set!" || name == "is?" || name == "is-not?" {
			continue
		}
		if steps[1].Type != sitter.QueryPredicateStepTypeCapture {
			return nil, fmt.Errorf("#%s: the first argument must be a capture", name)
		}
		p := predicate{capture: steps[1].ValueId, other: -1, negate: strings.HasPrefix(name, "not-")}
		args := steps[2 : len(steps)-1]
		switch strings.TrimPrefix(name, "not-") {
		case "eq?":
			if args[0].Type == sitter.QueryPredicateStepTypeCapture {
				p.other = int64(args[0].ValueId)
				break
			}
			p.values = []string{query.StringValueForId(args[0].ValueId)}
		case "any-of?":
			for _, a := range args {
				p.values = append(p.values, query.StringValueForId(a.ValueId))
			}
		case "match?":
			re, err := regexp.Compile(query.StringValueForId(args[0].ValueId))
			if err != nil {
				return nil, fmt.Errorf("#%s: %w", name, err)
			}
			p.pattern = re
		default:
			return nil, fmt.Errorf("unknown predicate #%s", name)
		}
		out = append(out, p)
	}
	return out, nil
}

// holds evaluates the predicate; a capture that the match does not have makes it true.
func (p *predicate) holds(captures []sitter.QueryCapture, text string) bool {
	get := func(index uint32) (string, bool) {
		for _, c := range captures {
			if c.Index == index {
				return text[c.Node.StartByte():c.Node.EndByte()], true
			}
		}
		return "", false
	}
	s, ok := get(p.capture)
	if !ok {
		return true
	}
	var yes bool
	switch {
	case p.other >= 0:
		o, ok := get(uint32(p.other))
		if !ok {
			return true
		}
		yes = s == o
	case p.pattern != nil:
		yes = p.pattern.MatchString(s)
	default:
		yes = slices.Contains(p.values, s)
	}
	return yes != p.negate
}
