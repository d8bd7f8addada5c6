// Package rerank changes the scores of candidates by named rules over facts of their files: factors for paths that the
// user weighs, and for classes of files. It is pure. Every rule that changes a score adds a part of its own name, and
// the parts of a candidate sum to its score. Read Apply.
package rerank

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"agenvantage"
)

// Options are the factors. The zero value demotes generated, minified and lock files only.
type Options struct {
	PathWeights  map[string]float64 // root-relative glob with ** to factor; letter case counts; all that match apply
	ClassWeights map[string]float64 // name of a class to factor, over the defaults of DefaultClassWeights
}

// classes are the names of the classes, in the order in which their factors apply.
var classes = []struct {
	name string
	bit  agenvantage.Class
}{
	{"generated", agenvantage.ClassGenerated}, {"minified", agenvantage.ClassMinified}, {"vendored", agenvantage.ClassVendored},
	{"lock", agenvantage.ClassLock}, {"document", agenvantage.ClassDocument}, {"test", agenvantage.ClassTest},
}

// machineMade ranks what no person wrote behind everything else: with reciprocal rank fusion the first place of two
// lists (2/61) times this is below the hundredth place of one (1/160).
const machineMade = 0.1

// DefaultClassWeights returns a new map of the factors that differ from 1.
func DefaultClassWeights() map[string]float64 {
	return map[string]float64{"generated": machineMade, "minified": machineMade, "lock": machineMade}
}

// Validate reports a glob, a class or a factor that cannot be used.
func (o Options) Validate() error {
	for _, glob := range slices.Sorted(maps.Keys(o.PathWeights)) {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("%w: path weight %q is not a valid glob", agenvantage.ErrBadInput, glob)
		}
		if err := validFactor("path weight of "+glob, o.PathWeights[glob]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.ClassWeights)) {
		known := make([]string, len(classes))
		for i, c := range classes {
			known[i] = c.name
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w: unknown class %q in class weights; the classes are %s", agenvantage.ErrBadInput, name, strings.Join(known, ", "))
		}
		if err := validFactor("class weight of "+name, o.ClassWeights[name]); err != nil {
			return err
		}
	}
	return nil
}

func validFactor(what string, f float64) error {
	if !(f >= 0) || math.IsInf(f, 0) {
		return fmt.Errorf("%w: %s is %v, want 0 or more", agenvantage.ErrBadInput, what, f)
	}
	return nil
}

// FileReader reads the facts of files that the rules need.
type FileReader interface {
	Path(file uint32) string
	Class(file uint32) agenvantage.Class
}

// rule is one named factor of a file.
type rule struct {
	name   string
	factor float64
}

// Apply multiplies the score of each candidate by the factors of its file and returns the candidates in the order of
// agenvantage.CompareCandidates. A factor f adds the part (f-1) * score, named path_weight:GLOB or class:NAME. The
// candidates given are not changed.
func Apply(candidates []agenvantage.Candidate, files FileReader, o Options) []agenvantage.Candidate {
	weights := DefaultClassWeights()
	maps.Copy(weights, o.ClassWeights)
	globs := slices.Sorted(maps.Keys(o.PathWeights))
	rulesOf := map[uint32][]rule{}
	out := slices.Clone(candidates)
	for i := range out {
		c := &out[i]
		rules, known := rulesOf[c.File]
		if !known {
			rules = fileRules(files.Path(c.File), files.Class(c.File), globs, o.PathWeights, weights)
			rulesOf[c.File] = rules
		}
		if len(rules) == 0 {
			continue
		}
		c.Parts = slices.Clone(c.Parts)
		for _, r := range rules {
			change := (r.factor - 1) * c.Score
			c.Score += change
			c.Parts = append(c.Parts, agenvantage.Part{Name: r.name, Value: change})
		}
	}
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out
}

// fileRules lists the factors of a file that are not 1, paths first, each group in a fixed order.
func fileRules(path string, class agenvantage.Class, globs []string, pathWeights, classWeights map[string]float64) []rule {
	var rules []rule
	for _, glob := range globs {
		if f := pathWeights[glob]; f != 1 && doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "./"), path) {
			rules = append(rules, rule{"path_weight:" + glob, f})
		}
	}
	for _, c := range classes {
		if f, ok := classWeights[c.name]; ok && f != 1 && class.Has(c.bit) {
			rules = append(rules, rule{"class:" + c.name, f})
		}
	}
	return rules
}
