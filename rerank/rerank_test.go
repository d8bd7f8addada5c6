package rerank

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"agenvantage"
)

type files []agenvantage.File

func (f files) Path(i uint32) string             { return f[i].Path }
func (f files) Class(i uint32) agenvantage.Class { return f[i].Class }

func TestApply(t *testing.T) {
	corpus := files{{Path: "a.go"}, {Path: "Vendor/x.go"}, {Path: "vendor/y/x.go"}, {Path: "gen.go", Class: agenvantage.ClassGenerated}, {Path: "a_test.go", Class: agenvantage.ClassTest}}
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"defaults", Options{}, "0:1 1:1 2:1 4:1 3:0.1[class:generated]"},
		{"letter case counts", Options{PathWeights: map[string]float64{"vendor/**": 0.5}}, "0:1 1:1 4:1 2:0.5[path_weight:vendor/**] 3:0.1[class:generated]"},
		{"all globs apply", Options{PathWeights: map[string]float64{"vendor/**": 0.5, "**/x.go": 3}}, "1:3[path_weight:**/x.go] 2:1.5[path_weight:**/x.go path_weight:vendor/**] 0:1 4:1 3:0.1[class:generated]"},
		{"classes", Options{ClassWeights: map[string]float64{"generated": 1, "test": 0.25}}, "0:1 1:1 2:1 3:1 4:0.25[class:test]"},
	} {
		var in []agenvantage.Candidate
		for i := range corpus {
			in = append(in, agenvantage.Candidate{File: uint32(i), Score: 1, Parts: []agenvantage.Part{{Name: "exact", Value: 1}}})
		}
		var got []string
		for _, k := range Apply(in, corpus, c.o) {
			sum, names := 0.0, []string{}
			for _, p := range k.Parts {
				sum += p.Value
				if p.Name != "exact" {
					names = append(names, p.Name)
				}
			}
			if sum != k.Score {
				t.Errorf("%s: parts sum to %v, score is %v", c.name, sum, k.Score)
			}
			s := fmt.Sprintf("%d:%.3g", k.File, k.Score)
			if len(names) > 0 {
				s += fmt.Sprint(names)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, s, c.want)
		}
		for _, k := range in {
			if k.Score != 1 || len(k.Parts) != 1 {
				t.Errorf("%s: the input was changed", c.name)
			}
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, o := range []Options{
		{PathWeights: map[string]float64{"[": 1}}, {PathWeights: map[string]float64{"a": -1}}, {ClassWeights: map[string]float64{"nonsense": 1}}, {ClassWeights: map[string]float64{"test": math.NaN()}},
	} {
		if err := o.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := (Options{PathWeights: map[string]float64{"vendor/**": 0.5}, ClassWeights: map[string]float64{"test": 0.3}}).Validate(); err != nil {
		t.Error(err)
	}
}
