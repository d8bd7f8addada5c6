package embed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// raw is what a service gave for one text.
type raw struct {
	numbers []float32
	length  int // of the vector as given, also where it is refused
	refused Reason
}

// UnmarshalJSON reads a vector number by number, so that one that is null or not finite spoils itself alone and not the
// whole answer, as decoding into numbers would.
func (r *raw) UnmarshalJSON(text []byte) error {
	*r = raw{}
	text = bytes.TrimSpace(text)
	if string(text) == "null" {
		r.refused = ReasonNull
		return nil
	}
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return errors.New("a vector is no list of numbers")
	}
	text = bytes.TrimSpace(text[1 : len(text)-1])
	if len(text) == 0 {
		r.refused = ReasonNull
		return nil
	}
	r.numbers = make([]float32, 0, bytes.Count(text, []byte(","))+1)
	for more := true; more; {
		var item []byte
		item, text, more = bytes.Cut(text, []byte(","))
		item = bytes.TrimSpace(item)
		r.length++
		if string(item) == "null" {
			r.refused = ReasonNull
			continue
		}
		f, err := strconv.ParseFloat(string(item), 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("a vector holds %.20q, which is no number", item)
		}
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			if r.refused == "" {
				r.refused = ReasonNaN
			}
			continue
		}
		r.numbers = append(r.numbers, float32(f))
	}
	if r.refused != "" {
		r.numbers = nil
	}
	return nil
}

// decode reads an answer's body. Bare NaN and Infinity, which no JSON has and some servers write, become numbers beyond
// every range, so that UnmarshalJSON refuses their vectors and no other.
func decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if err == nil || json.Valid(body) {
		return err
	}
	return json.Unmarshal(finite(body), into)
}

// finite replaces the words NaN, Infinity and -Infinity outside of strings.
func finite(body []byte) []byte {
	const beyond = "1e999"
	out := make([]byte, 0, len(body))
	inString := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case inString && c == '\\' && i+1 < len(body):
			out = append(out, c)
			i++
			c = body[i]
		case c == '"':
			inString = !inString
		case !inString && (c == 'N' || c == 'I' || c == '-'):
			replaced := false
			for _, word := range []string{"NaN", "Infinity", "-Infinity", "-NaN"} {
				if bytes.HasPrefix(body[i:], []byte(word)) {
					out, i, replaced = append(out, beyond...), i+len(word)-1, true
					break
				}
			}
			if replaced {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
