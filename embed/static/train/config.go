package train

import (
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// Config says how a model is trained. DefaultConfig has the values that the shipped model was made with.
type Config struct {
	Seed          uint64  `json:"seed"`
	Pieces        int     `json:"pieces"`         // pieces with a row of their own
	Joined        int     `json:"joined"`         // of these, pieces of several words at most
	Buckets       int     `json:"buckets"`        // rows for n-grams of unknown pieces
	Dimensions    int     `json:"dimensions"`     // a multiple of 64
	Nested        []int   `json:"nested"`         // leading parts that are trained as vectors of their own, ascending, Dimensions last
	Batch         int     `json:"batch"`          // pairs; a multiple of 16
	Run           int     `json:"run"`            // pairs of one package that stand together in a batch
	Epochs        int     `json:"epochs"`         // at most
	Temperature   float64 `json:"temperature"`    // of the softmax
	Rate          float64 `json:"rate"`           // of AdaGrad for the rows
	WeightRate    float64 `json:"weight_rate"`    // of AdaGrad for the logarithms of the weights
	FinalRate     float64 `json:"final_rate"`     // part of the rates that is left at the end; they fall linearly
	Rarity        float64 `json:"rarity"`         // a of a/(a+p)
	HardNegatives int     `json:"hard_negatives"` // for each question and step, drawn from those that were mined
	Dropout       float64 `json:"dropout"`        // part of the pieces of every text that a step leaves out
	PathWeight    float32 `json:"path_weight"`    // occurrences that a piece of the path counts
	NameWeight    float32 `json:"name_weight"`    // likewise of the name
	Kinds         string  `json:"kinds"`          // kinds of pairs, separated by commas; "" for all
	Part          float64 `json:"part"`           // part of the packages that is used, by their hash; 1 for all
	Workers       int     `json:"-"`              // goroutines; no influence on the result
}

// DefaultConfig returns the configuration of the shipped model.
func DefaultConfig() Config {
	return Config{Seed: 1, Pieces: 46000, Joined: 10000, Buckets: 3000, Dimensions: 256, Nested: []int{64, 128, 256}, Batch: 1024, Run: 64, Epochs: 2,
		Temperature: 0.06, Rate: 0.03, WeightRate: 0.05, FinalRate: 0.1, Rarity: 1e-3, HardNegatives: 2, PathWeight: 1, NameWeight: 1, Part: 1, Workers: 2}
}

// Validate reports values that cannot be trained with.
func (c Config) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("training configuration: "+format+": %w", append(args, agenvantage.ErrBadInput)...)
	}
	switch {
	case c.Dimensions < 64 || c.Dimensions%64 != 0:
		return bad("dimensions %d are no multiple of 64", c.Dimensions)
	case len(c.Nested) == 0 || c.Nested[len(c.Nested)-1] != c.Dimensions:
		return bad("nested %v does not end with %d", c.Nested, c.Dimensions)
	case c.Batch < 16 || c.Batch%16 != 0:
		return bad("batch %d is no multiple of 16", c.Batch)
	case c.Run < 1 || c.Batch%c.Run != 0:
		return bad("run %d does not divide the batch %d", c.Run, c.Batch)
	case c.Pieces < 1 || c.Joined < 0 || c.Joined > c.Pieces || c.Buckets < 1:
		return bad("vocabulary of %d, %d joined, %d buckets", c.Pieces, c.Joined, c.Buckets)
	case c.Epochs < 1 || c.HardNegatives < 0 || c.Workers < 1:
		return bad("%d epochs, %d hard negatives, %d workers", c.Epochs, c.HardNegatives, c.Workers)
	case !(c.Temperature > 0.013) || !(c.Rate > 0) || !(c.WeightRate >= 0) || !(c.FinalRate >= 0 && c.FinalRate <= 1) || !(c.Rarity > 0):
		return bad("temperature %v, rates %v, %v, %v, rarity %v", c.Temperature, c.Rate, c.WeightRate, c.FinalRate, c.Rarity)
	case !(c.Part > 0 && c.Part <= 1) || !(c.PathWeight >= 0) || !(c.NameWeight >= 0) || !(c.Dropout >= 0 && c.Dropout < 1):
		return bad("part %v, weights %v, %v, dropout %v", c.Part, c.PathWeight, c.NameWeight, c.Dropout)
	}
	for i, n := range c.Nested {
		if n < 16 || n%16 != 0 || i > 0 && n <= c.Nested[i-1] {
			return bad("nested %v", c.Nested)
		}
	}
	return nil
}

// uses reports whether pairs of a kind are trained on.
func (c Config) uses(kind string) bool {
	return c.Kinds == "" || slices.Contains(strings.Split(c.Kinds, ","), kind)
}
