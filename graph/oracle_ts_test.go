package graph

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// The oracle of TypeScript is its own checker, run by testdata/oracle-ts/edges.cjs over trees that npm brings with their
// sources. An edge leads from the outermost symbol around a use, or the file, to the first declaration of what is used.
// Left out are declarations that are no symbols here (parameters, local variables) and the names in import statements.
const oracleTypeScript = "typescript@5.9.3"

// oracleTSTrees are the trees with the floors of recall and precision. Most of zod's types are inferred from generic calls,
// which only a compiler follows: its floor of recall is what is reached without.
var oracleTSTrees = []struct {
	pkg, folder       string
	recall, precision float64
}{{"rxjs@7.8.2", "rxjs/src", 0.90, 0.95}, {"zod@4.1.12", "zod/src", 0.70, 0.95}}

// oracleEdge is a relation that both sides know.
type oracleEdge struct {
	from, to agenvantage.Node
	call     bool
}

// TestTypeScriptOracle needs npm and its registry: it runs when AGENVANTAGE_TEST_NODE is set ("make oracle").
func TestTypeScriptOracle(t *testing.T) {
	if os.Getenv("AGENVANTAGE_TEST_NODE") == "" {
		t.Skip("AGENVANTAGE_TEST_NODE is not set")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s: %v", program, err)
		}
	}
	modules := os.Getenv("AGENVANTAGE_TEST_NODE_MODULES")
	if modules == "" {
		dir := t.TempDir()
		args := []string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", oracleTypeScript}
		for _, tree := range oracleTSTrees {
			args = append(args, tree.pkg)
		}
		runProgram(t, "npm", args...)
		modules = filepath.Join(dir, "node_modules")
	}
	for _, tree := range oracleTSTrees {
		t.Run(tree.pkg, func(t *testing.T) {
			root, out := filepath.Join(modules, tree.folder), filepath.Join(t.TempDir(), "uses.tsv")
			runProgram(t, "node", "testdata/oracle-ts/edges.cjs", filepath.Join(modules, "typescript"), root, out)
			m := readTree(t, root)
			truth := m.oracleTruth(t, out)
			have := m.oracleHave(t)
			all, calls := compareOracle(t, m.node, truth, have)
			t.Logf("%d files; calls and mentions: %s; calls alone: %s", m.FileCount(), all, calls)
			if all.recall() < tree.recall || all.precision() < tree.precision {
				t.Errorf("calls and mentions: %s, want recall %.2f and precision %.2f", all, tree.recall, tree.precision)
			}
		})
	}
}

func runProgram(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// readTree extracts the TypeScript files of a folder.
func readTree(t *testing.T, root string) *memory {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".ts") && !strings.HasSuffix(p, ".tsx") || strings.HasSuffix(p, ".d.ts") {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		files[filepath.ToSlash(rel)] = strings.ReplaceAll(strings.ToValidUTF8(string(text), "?"), "\r\n", "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return newMemory(t, files, nil)
}

// outermost is the top-level symbol around a line, or the file.
func (m *memory) outermost(f uint32, line int) agenvantage.Node {
	at := agenvantage.Node{File: f, Symbol: -1}
	for i, s := range m.files[m.paths[f]].x.Symbols {
		if s.Parent < 0 && s.Span.HasLine(line) {
			at.Symbol = i
		}
	}
	return at
}

// declared is the symbol with a name on a line; a constructor counts as its class.
func (m *memory) declared(place string) (agenvantage.Node, bool) {
	parts := strings.SplitN(place, ":", 3)
	f, ok := m.Find(parts[0])
	line, err := strconv.Atoi(parts[1])
	if !ok || err != nil {
		return agenvantage.Node{}, false
	}
	for i, s := range m.files[m.paths[f]].x.Symbols {
		if s.NameLine == line && s.Name == strings.Trim(parts[2], `"'`) {
			return agenvantage.Node{File: f, Symbol: i}, true
		}
	}
	return agenvantage.Node{}, false
}

// oracleTruth reads what the checker found; merged declarations count as the first of them.
func (m *memory) oracleTruth(t *testing.T, file string) map[oracleEdge]string {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	m.first = map[agenvantage.Node]agenvantage.Node{}
	truth := map[oracleEdge]string{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		f, ok := m.Find(fields[0])
		line, _ := strconv.Atoi(fields[1])
		if !ok || len(fields) < 4 {
			continue
		}
		var found []agenvantage.Node
		for _, place := range fields[3:] {
			if n, ok := m.declared(place); ok {
				found = append(found, n)
			}
		}
		if len(found) == 0 {
			continue
		}
		for _, n := range found {
			if _, known := m.first[n]; !known {
				m.first[n] = found[0]
			}
		}
		truth[oracleEdge{m.outermost(f, line), m.first[found[0]], fields[2] == "call"}] = fmt.Sprintf("%s:%s", fields[0], fields[1])
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return truth
}

// oracleHave resolves the tree and keeps the edges that are more than a name.
func (m *memory) oracleHave(t *testing.T) map[oracleEdge]string {
	t.Helper()
	have := map[oracleEdge]string{}
	r := NewResolver(m)
	for f := range uint32(m.FileCount()) {
		links, err := r.Resolve(f)
		if err != nil {
			t.Fatal(err)
		}
		imports := map[int]bool{}
		for _, i := range m.files[m.paths[f]].x.Imports {
			imports[i.Line] = true
		}
		for _, e := range links.Edges {
			switch e.Kind {
			case agenvantage.EdgeCalls, agenvantage.EdgeReferences, agenvantage.EdgeInherits, agenvantage.EdgeImplements:
			default:
				continue
			}
			if e.Confidence == agenvantage.ByName || e.From.Symbol < 0 && e.Kind == agenvantage.EdgeReferences && imports[e.Line] {
				continue
			}
			to := e.To
			if s := m.files[m.paths[to.File]].x.Symbols[to.Symbol]; s.Name == "constructor" && s.Parent >= 0 {
				to.Symbol = s.Parent
			}
			if first, ok := m.first[to]; ok {
				to = first
			}
			have[oracleEdge{m.outermost(f, e.Line), to, e.Kind == agenvantage.EdgeCalls}] = m.edge(e)
		}
	}
	return have
}

// oracleCounts says how two sets of edges agree.
type oracleCounts struct{ both, truth, have int }

func (c oracleCounts) recall() float64    { return float64(c.both) / float64(max(c.truth, 1)) }
func (c oracleCounts) precision() float64 { return float64(c.both) / float64(max(c.have, 1)) }
func (c oracleCounts) String() string {
	return fmt.Sprintf("%d edges, recall %.3f, precision %.3f", c.truth, c.recall(), c.precision())
}

// compareOracle counts edges whatever their kind, and calls alone. With -v and ORACLE_SHOW set it names what differs.
func compareOracle(t *testing.T, names func(agenvantage.Node) string, truth, have map[oracleEdge]string) (all, calls oracleCounts) {
	show := os.Getenv("ORACLE_SHOW") != ""
	merged := func(of map[oracleEdge]string) map[oracleEdge]string {
		out := map[oracleEdge]string{}
		for e, at := range of {
			if e.from != e.to {
				e.call = false
				out[e] = at
			}
		}
		return out
	}
	count := func(truth, have map[oracleEdge]string, keep func(oracleEdge) bool, label string) oracleCounts {
		var c oracleCounts
		for e, at := range truth {
			if !keep(e) {
				continue
			}
			c.truth++
			if _, ok := have[e]; ok {
				c.both++
			} else if show {
				t.Logf("%s missing %s -> %s", label, at, names(e.to))
			}
		}
		for e, at := range have {
			if keep(e) {
				c.have++
				if _, ok := truth[e]; !ok && show {
					t.Logf("%s wrong %s", label, at)
				}
			}
		}
		return c
	}
	all = count(merged(truth), merged(have), func(oracleEdge) bool { return true }, "all")
	calls = count(truth, have, func(e oracleEdge) bool { return e.call && e.from != e.to }, "calls")
	return all, calls
}
