package embedtest

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	words = regexp.MustCompile(`[A-Za-z]+|\d+`)
	hump  = regexp.MustCompile(`([a-z])([A-Z])`)
)

// Vector is what the server gives for a text: its words hashed to dimensions places and counted, of length 1; all zero for a
// text without words.
func Vector(text string, dimensions int) []float64 {
	v := make([]float64, dimensions)
	for _, word := range words.FindAllString(hump.ReplaceAllString(text, "$1 $2"), -1) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(strings.ToLower(word)))
		v[h.Sum32()%uint32(dimensions)]++
	}
	squares := 0.0
	for _, x := range v {
		squares += x * x
	}
	if squares > 0 {
		for i := range v {
			v[i] /= math.Sqrt(squares)
		}
	}
	return v
}

// written is a vector as JSON, with what the mode does to that of a poisoned text.
func (c *call) written(text string) string {
	dimensions := c.mode.Dimensions
	if asked := max(c.asked.Dimensions, c.asked.OutputDimension); asked > 0 {
		dimensions = asked
	}
	if c.mode.Fault == DimensionDrift && c.n > c.mode.K {
		dimensions *= 2
	}
	fill := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	if strings.Contains(text, Poison) {
		switch c.mode.Fault {
		case Zero:
			return fill("0.0", dimensions)
		case Null:
			return fill("null", dimensions)
		case NullVector:
			return "null"
		case NaNLiteral:
			return fill("NaN", dimensions)
		case Overflow:
			return fill("1e60", dimensions)
		case WrongDimension:
			dimensions *= 2
		}
	}
	parts := make([]string, dimensions)
	for i, x := range Vector(text, dimensions) {
		parts[i] = strconv.FormatFloat(x, 'g', 9, 64)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// answer gives vectors or scores, with the mode's faults of number and order.
func (c *call) answer() {
	if strings.HasSuffix(c.shape, "rerank") {
		c.rerank()
		return
	}
	vectors := make([]string, len(c.inputs))
	for i, text := range c.inputs {
		vectors[i] = c.written(text)
	}
	switch f := c.mode.Fault; {
	case f == Empty:
		vectors = nil
	case f == Short && len(vectors) > 1:
		vectors = vectors[:len(vectors)-1]
	case f == Extra:
		vectors = append(vectors, vectors[0])
	}
	model, _ := json.Marshal(c.asked.Model)
	list := "[" + strings.Join(vectors, ",") + "]"
	switch c.shape {
	case "ollama":
		c.send(200, json.RawMessage(`{"model":`+string(model)+`,"embeddings":`+list+`}`))
	case "cohere":
		c.send(200, json.RawMessage(`{"id":"mock","embeddings":{"float":`+list+`}}`))
	default:
		items := c.indexed(len(vectors), func(i int) string { return `"embedding":` + vectors[i] })
		c.send(200, json.RawMessage(`{"object":"list","model":`+string(model)+`,"data":[`+strings.Join(items, ",")+`]}`))
	}
}

// indexed writes n objects with their indexes, in the order and with the indexes of the mode.
func (c *call) indexed(n int, field func(i int) string) []string {
	items := make([]string, n)
	for i := range n {
		index := `"index":` + strconv.Itoa(i) + ","
		switch f := c.mode.Fault; {
		case f == BadIndex && i == n-1:
			index = `"index":` + strconv.Itoa(n) + ","
		case f == SameIndex && n > 1:
			index = `"index":1,`
		case f == NoIndex, f == ZeroIndex && i == 0:
			index = ""
		}
		items[i] = "{" + index + field(i) + "}"
	}
	if c.mode.Fault == Shuffle {
		slices.Reverse(items)
	}
	return items
}

// rerank scores each document by the cosine of its words with the query's.
func (c *call) rerank() {
	query := Vector(c.asked.Query, 4096)
	n := len(c.inputs)
	switch {
	case c.mode.Fault == Empty:
		n = 0
	case c.mode.Fault == Short && n > 1:
		n--
	}
	items := c.indexed(n, func(i int) string {
		score := 0.0
		for j, x := range Vector(c.inputs[i], 4096) {
			score += x * query[j]
		}
		text := strconv.FormatFloat(score, 'g', 9, 64)
		if strings.Contains(c.inputs[i], Poison) {
			switch c.mode.Fault {
			case Null:
				text = "null"
			case NaNLiteral:
				text = "NaN"
			case Overflow:
				text = "1e999"
			case WrongScores:
				text = `"high"`
			}
		}
		return `"relevance_score":` + text
	})
	if c.mode.Fault == Extra {
		items = append(items, items[0])
	}
	name := "results"
	if c.shape == "voyage rerank" {
		name = "data"
	}
	c.send(200, json.RawMessage(`{"model":"mock","`+name+`":[`+strings.Join(items, ",")+`]}`))
}
