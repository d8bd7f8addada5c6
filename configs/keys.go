package configs

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// EnvPrefix begins the name of every environment variable that sets a key.
const EnvPrefix = "AGENVANTAGE_"

// EnvReserved begins the names that are never a key: tests use them.
const EnvReserved = "AGENVANTAGE_TEST_"

// Kind is the type of a setting's value.
type Kind string

// The kinds.
const (
	KindText     Kind = "text"
	KindChoice   Kind = "choice"
	KindPath     Kind = "path"
	KindURL      Kind = "url"
	KindInt      Kind = "whole number"
	KindNumber   Kind = "number"
	KindSwitch   Kind = "true or false"
	KindDuration Kind = "duration"
	KindWeights  Kind = "map of numbers" // keys are data
	KindNames    Kind = "map of texts"   // keys are data
	KindGlobs    Kind = "list of globs"  // a higher layer's list takes the place of a lower one's
)

// isMap reports whether the setting's own keys are data.
func (k Kind) isMap() bool { return k == KindWeights || k == KindNames }

// key is one setting.
type key struct {
	name     string
	kind     Kind
	min, max float64           // bounds of a number or of a map's numbers; of a duration in nanoseconds
	choices  []string          // of a KindChoice
	alike    map[string]string // values that answer as another one does, by that one: they share its hash
	secret   bool              // its value is never shown
	index    bool              // changes what the index holds
	extent   bool              // bounds how much is answered and how long it may take, never in which order
	absolute bool              // of a KindPath: a relative one is refused in the environment, as in a file
	local    bool              // says where or how much is said, never what is answered: not part of Hash
	at       func(*Config) any
}

// env is the name of the variable that sets the key.
func (k key) env() string { return EnvPrefix + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_")) }

// personal reports whether the key does not count in a repository's own file: a repository that was checked out must
// not decide where text is sent, where files are written or what is said.
func personal(name string) bool {
	section, _, _ := strings.Cut(name, ".")
	return section == "embed" || section == "rerank" || section == "index_dir" || section == "log"
}

// table lists every key, sorted by name. default.yaml must hold exactly these.
var table = func() []key {
	const hour = float64(time.Hour)
	ks := []key{
		{name: "search.top_k", kind: KindInt, min: 1, max: 10000, extent: true, at: func(c *Config) any { return &c.Search.TopK }},
		{name: "search.max_per_file", kind: KindInt, max: 10000, at: func(c *Config) any { return &c.Search.MaxPerFile }},
		{name: "search.refresh_timeout", kind: KindDuration, max: 24 * hour, extent: true, at: func(c *Config) any { return &c.Search.RefreshTimeout }},
		{name: "search.channel_timeout", kind: KindDuration, min: 1e6, max: hour, extent: true, at: func(c *Config) any { return &c.Search.ChannelTimeout }},
		{name: "search.channel_limit", kind: KindInt, min: 1, max: 1e6, at: func(c *Config) any { return &c.Search.ChannelLimit }},
		{name: "search.max_line_chars", kind: KindInt, min: 40, max: 1e7, extent: true, at: func(c *Config) any { return &c.Search.MaxLineChars }},
		{name: "fusion.k", kind: KindNumber, min: 1, max: 1e6, at: func(c *Config) any { return &c.Fusion.K }},
		{name: "fusion.weights", kind: KindWeights, max: 1000, at: func(c *Config) any { return &c.Fusion.Weights }},
		{name: "bm25f.k1", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.BM25F.K1 }},
		{name: "bm25f.k3", kind: KindNumber, max: 1e6, at: func(c *Config) any { return &c.BM25F.K3 }},
		{name: "bm25f.part_weight", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.BM25F.PartWeight }},
		{name: "bm25f.join_weight", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.BM25F.JoinWeight }},
		{name: "bm25f.synonym_weight", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.BM25F.SynonymWeight }},
		{name: "bm25f.form_weight", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.BM25F.FormWeight }},
		{name: "provenance.k1", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Provenance.K1 }},
		{name: "provenance.b", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.Provenance.B }},
		{name: "provenance.age_days", kind: KindNumber, min: 1, max: 1e6, at: func(c *Config) any { return &c.Provenance.AgeDays }},
		{name: "provenance.recency_days", kind: KindNumber, min: 1, max: 1e6, at: func(c *Config) any { return &c.Provenance.RecencyDays }},
		{name: "provenance.max_files", kind: KindInt, min: 1, max: 1e6, at: func(c *Config) any { return &c.Provenance.MaxFiles }},
		{name: "provenance.commits", kind: KindInt, min: 1, max: 1e5, at: func(c *Config) any { return &c.Provenance.Commits }},
		{name: "provenance.hunk_commits", kind: KindInt, max: 1000, at: func(c *Config) any { return &c.Provenance.HunkCommits }},
		{name: "provenance.prior", kind: KindNumber, max: 100, at: func(c *Config) any { return &c.Provenance.Prior }},
		{name: "provenance.cochange", kind: KindNumber, max: 100, at: func(c *Config) any { return &c.Provenance.Cochange }},
		{name: "provenance.min_support", kind: KindInt, min: 1, max: 1e6, at: func(c *Config) any { return &c.Provenance.MinSupport }},
		{name: "graph.damping", kind: KindNumber, max: 0.99, at: func(c *Config) any { return &c.Graph.Damping }},
		{name: "graph.iterations", kind: KindInt, min: 1, max: 1000, at: func(c *Config) any { return &c.Graph.Iterations }},
		{name: "index.batch", kind: KindInt, min: 1, max: 1e6, local: true, at: func(c *Config) any { return &c.Index.Batch }},
		{name: "index.workers", kind: KindInt, max: 1024, local: true, at: func(c *Config) any { return &c.Index.Workers }},
		{name: "scan.max_file_bytes", kind: KindInt, min: 1, max: 1 << 31, index: true, at: func(c *Config) any { return &c.Scan.MaxFileBytes }},
		{name: "extract.max_chunk_chars", kind: KindInt, min: 100, max: 1e6, index: true, at: func(c *Config) any { return &c.Extract.MaxChunkChars }},
		{name: "extract.parse_timeout", kind: KindDuration, min: 1e6, max: hour, index: true, at: func(c *Config) any { return &c.Extract.ParseTimeout }},
		{name: "extract.max_depth", kind: KindInt, min: 10, max: 1e5, index: true, at: func(c *Config) any { return &c.Extract.MaxDepth }},
		{name: "ranking.path_weights", kind: KindWeights, max: 1000, at: func(c *Config) any { return &c.Ranking.PathWeights }},
		{name: "ranking.file_name", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.FileName }},
		{name: "ranking.folder", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.Ranking.Folder }},
		{name: "ranking.name_fit", kind: KindNumber, max: 1, at: func(c *Config) any { return &c.Ranking.NameFit }},
		{name: "ranking.coherence", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.Coherence }},
		{name: "ranking.header", kind: KindNumber, min: 0.001, max: 1000, at: func(c *Config) any { return &c.Ranking.Header }},
		{name: "ranking.declaration", kind: KindNumber, min: 0.001, max: 1000, at: func(c *Config) any { return &c.Ranking.Declaration }},
		{name: "ranking.roles.test", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.Roles.Test }},
		{name: "ranking.roles.document", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.Roles.Document }},
		{name: "ranking.roles.example", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.Roles.Example }},
		{name: "ranking.roles.legacy", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.Roles.Legacy }},
		{name: "ranking.roles.other", kind: KindNumber, min: 0.001, max: 1000, at: func(c *Config) any { return &c.Ranking.Roles.Other }},
		{name: "ranking.saturation", kind: KindNumber, min: 0.001, max: 1, at: func(c *Config) any { return &c.Ranking.Saturation }},
		{name: "ranking.votes.report", kind: KindWeights, max: 1000, at: func(c *Config) any { return &c.Ranking.Votes.Report }},
		{name: "ranking.votes.trace", kind: KindWeights, max: 1000, at: func(c *Config) any { return &c.Ranking.Votes.Trace }},
		{name: "ranking.votes.question", kind: KindWeights, max: 1000, at: func(c *Config) any { return &c.Ranking.Votes.Question }},
		{name: "ranking.class_weights.generated", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.ClassWeights.Generated }},
		{name: "ranking.class_weights.minified", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.ClassWeights.Minified }},
		{name: "ranking.class_weights.lock", kind: KindNumber, max: 1000, at: func(c *Config) any { return &c.Ranking.ClassWeights.Lock }},
		{name: "gate.max_p95_ms", kind: KindNumber, max: 1e6, extent: true, at: func(c *Config) any { return &c.Gate.MaxP95MS }},
		{name: "gate.max_index_share", kind: KindNumber, max: 1000, extent: true, at: func(c *Config) any { return &c.Gate.MaxIndexShare }},
		{name: "languages", kind: KindNames, index: true, at: func(c *Config) any { return &c.Languages }},
		{name: "log.level", kind: KindChoice, choices: []string{"error", "warn", "info", "debug"}, local: true, at: func(c *Config) any { return &c.Log.Level }},
		{name: "index_dir", kind: KindPath, local: true, at: func(c *Config) any { return &c.IndexDir }},
		{name: "config.allow_unknown", kind: KindSwitch, local: true, at: func(c *Config) any { return &c.Config.AllowUnknown }},
	}
	ks = append(ks, embedKeys()...)
	for _, f := range []struct {
		name string
		at   func(*Config) *BM25FField
	}{
		{"path", func(c *Config) *BM25FField { return &c.BM25F.Fields.Path }},
		{"symbol", func(c *Config) *BM25FField { return &c.BM25F.Fields.Symbol }},
		{"signature", func(c *Config) *BM25FField { return &c.BM25F.Fields.Signature }},
		{"doc", func(c *Config) *BM25FField { return &c.BM25F.Fields.Doc }},
		{"body", func(c *Config) *BM25FField { return &c.BM25F.Fields.Body }},
	} {
		ks = append(ks,
			key{name: "bm25f.fields." + f.name + ".weight", kind: KindNumber, max: 1000, at: func(c *Config) any { return &f.at(c).Weight }},
			key{name: "bm25f.fields." + f.name + ".b", kind: KindNumber, max: 1, at: func(c *Config) any { return &f.at(c).B }})
	}
	slices.SortFunc(ks, func(a, b key) int { return strings.Compare(a.name, b.name) })
	return ks
}()

// byName finds a key.
func byName(name string) (key, bool) {
	i, ok := slices.BinarySearchFunc(table, name, func(k key, n string) int { return strings.Compare(k.name, n) })
	if !ok {
		return key{}, false
	}
	return table[i], true
}

// isSection reports whether name is a proper prefix of some key.
func isSection(name string) bool {
	return slices.ContainsFunc(table, func(k key) bool { return strings.HasPrefix(k.name, name+".") })
}

// want says in words what the key accepts.
func (k key) want() string {
	switch k.kind {
	case KindInt:
		return fmt.Sprintf("a whole number from %s to %s", number(k.min), number(k.max))
	case KindNumber:
		return fmt.Sprintf("a number from %s to %s", number(k.min), number(k.max))
	case KindDuration:
		return fmt.Sprintf("a duration from %s to %s, such as 500ms or 5s", time.Duration(k.min), time.Duration(k.max))
	case KindSwitch:
		return "true or false"
	case KindChoice:
		named := slices.DeleteFunc(slices.Clone(k.choices), func(s string) bool { return s == "" })
		if len(named) < len(k.choices) {
			return "one of " + strings.Join(named, ", ") + ", or nothing"
		}
		return "one of " + strings.Join(named, ", ")
	case KindURL:
		return "an http or https address"
	case KindPath:
		return "a path that is absolute or begins with ~/"
	case KindWeights:
		return fmt.Sprintf("a map of names to numbers from %s to %s", number(k.min), number(k.max))
	case KindNames:
		return "a map of names to texts"
	case KindGlobs:
		return "a list of globs, such as [\"src/**\", \"*.md\"]"
	default:
		return "a text (in quotes when it looks like a number)"
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// check reports whether the typed value v is one that the key accepts.
func (k key) check(v any) bool {
	within := func(f float64) bool { return !math.IsNaN(f) && k.min <= f && f <= k.max }
	switch v := v.(type) {
	case int64:
		return within(float64(v))
	case float64:
		return within(v)
	case time.Duration:
		return within(float64(v))
	case map[string]float64:
		for _, f := range v {
			if !within(f) {
				return false
			}
		}
		return true
	case []string:
		for _, glob := range v {
			if glob == "" || !doublestar.ValidatePattern(glob) {
				return false
			}
		}
		return true
	case string:
		switch k.kind {
		case KindChoice:
			return slices.Contains(k.choices, v)
		case KindPath:
			return v == "" || filepath.IsAbs(v) && !strings.ContainsRune(v, 0)
		case KindURL:
			u, err := url.Parse(v)
			return v == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
		}
	}
	return true
}

// value reads the key out of c: a string, int64, float64, bool, time.Duration, []string, map[string]float64 or map[string]string.
func (k key) value(c *Config) any {
	switch p := k.at(c).(type) {
	case *string:
		return *p
	case *int:
		return int64(*p)
	case *int64:
		return *p
	case *float64:
		return *p
	case *bool:
		return *p
	case *time.Duration:
		return *p
	case *[]string:
		return *p
	case *map[string]float64:
		return *p
	case *map[string]string:
		return *p
	default:
		panic(fmt.Sprintf("configs: key %s has a field of type %T", k.name, p))
	}
}

// merged is the map that a higher layer's map makes of a lower one: entry by entry. In a map of texts an empty text
// takes the entry away.
func merged(lower, higher any) any {
	switch h := higher.(type) {
	case map[string]float64:
		out := map[string]float64{}
		if l, ok := lower.(map[string]float64); ok {
			maps.Copy(out, l)
		}
		maps.Copy(out, h)
		return out
	case map[string]string:
		out := map[string]string{}
		if l, ok := lower.(map[string]string); ok {
			maps.Copy(out, l)
		}
		for k, v := range h {
			if v == "" {
				delete(out, k)
			} else {
				out[k] = v
			}
		}
		return out
	}
	return higher
}
