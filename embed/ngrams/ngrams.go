// Package ngrams is an embedder for tests: deterministic, without a model, a network or a file. It knows nothing of meaning: two
// texts are near when their words are spelled alike, so "usr profle" is near "userProfile", and "car" is as far from "automobile" as
// from anything. What is measured with it says that the machinery works, and nothing about real models.
package ngrams

import (
	"context"
	"math"

	"github.com/zeebo/xxh3"

	"agenvantage/analysis"
	"agenvantage/embed"
)

const (
	// Provider is the name under which the embedder is configured.
	Provider = "ngrams"
	// Model is the name that its vectors are stored under. Another number is another way to make them.
	Model = "test-character-ngrams-v1"
	// Dimensions is the length of its vectors.
	Dimensions = 256
	// Notice is what people must be told wherever results of this embedder are shown.
	Notice = "ngrams is a test embedder: it compares spelling (hashed character n-grams) and knows nothing of meaning; " +
		"results with it say nothing about real models"
)

// The lengths of n-grams, in characters.
const (
	shortest = 3
	longest  = 5
)

// Embedder makes vectors of words' characters:
//
//	words     the parts of identifiers and the words of the text, in lower case: parseXMLFile is parse, xml, file
//	n-grams   of <word>, 3 to 5 characters long: <pa, par, …; counted over the whole text
//	place     XXH3-64 of the n-gram: the number modulo 256 is the component, the highest bit the sign (signed feature hashing,
//	          Weinberger and others, Feature Hashing for Large Scale Multitask Learning, 2009)
//	weight    1 + ln(count), in 1024ths, rounded
//
// The weights of a component are whole numbers, so that their sum hangs on no order, and the vector is brought to length 1 by sums in the
// order of the components without fused operations: the same bytes on every machine.
type Embedder struct{}

var _ embed.Embedder = Embedder{}

// New makes the embedder.
func New() Embedder { return Embedder{} }

// Notice is the constant Notice: whoever shows an embedder asks for it.
func (Embedder) Notice() string { return Notice }

// Identity asks nobody.
func (Embedder) Identity(ctx context.Context) (embed.Identity, error) {
	return embed.Identity{Provider: Provider, Model: Model, Dimensions: Dimensions, Prefix: embed.PrefixVersion}, ctx.Err()
}

// Limits are none.
func (Embedder) Limits() embed.Limits { return embed.Limits{} }

// Hosted is false: nothing leaves the process.
func (Embedder) Hosted() bool { return false }

// Embed makes a vector of each text, whatever for. A text without words is refused as zero.
func (Embedder) Embed(ctx context.Context, _ embed.Purpose, texts []string) ([]embed.Answer, error) {
	answers := make([]embed.Answer, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answers[i] = vectorOf(text)
	}
	return answers, nil
}

func vectorOf(text string) embed.Answer {
	var sums [Dimensions]int64
	for hash, count := range counts(text) { // in any order: whole numbers
		w := weight(count)
		if hash>>63 == 1 {
			w = -w
		}
		sums[hash%Dimensions] += w
	}
	squares := 0.0
	for _, s := range sums {
		squares += float64(float64(s) * float64(s))
	}
	if squares == 0 {
		return embed.Answer{Refused: embed.ReasonZero}
	}
	length := math.Sqrt(squares)
	v := make(embed.Vector, Dimensions)
	for i, s := range sums {
		v[i] = float32(float64(s) / length)
	}
	return embed.Answer{Vector: v}
}

// counts tells how often each n-gram is in the text, by its hash.
func counts(text string) map[uint64]int {
	n := map[uint64]int{}
	var starts []int // of the characters of a word, with its end
	for _, word := range analysis.SplitIdentifier(text) {
		word = "<" + word + ">"
		starts = starts[:0]
		for i := range word {
			starts = append(starts, i)
		}
		starts = append(starts, len(word))
		for size := shortest; size <= longest; size++ {
			for i := 0; i+size < len(starts); i++ {
				n[xxh3.HashString(word[starts[i]:starts[i+size]])]++
			}
		}
	}
	return n
}

// weight is 1 + ln(count) in 1024ths. The logarithm of processors may differ in its last digit, 2^-50 or so; no count below
// maxCount comes that near to a half, which a test makes sure of.
func weight(count int) int64 {
	return int64(math.Round(1024 * (1 + math.Log(float64(min(count, maxCount))))))
}

const maxCount = 100_000
