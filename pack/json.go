package pack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"agenvantage"
)

// JSON is the pack as one line of JSON with a line end: the documented contract of docs/reference/pack.md. Lists that are
// nil are written as [], "<", ">" and "&" stand as they are, and bytes that are not UTF-8 become U+FFFD. A confidence that
// is no number is written as 0, so that there is no pack without a JSON form.
func JSON(p agenvantage.Pack) ([]byte, error) {
	p = whole(p)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("encode pack: %w", err)
	}
	return b.Bytes(), nil
}

// whole returns p with empty lists in place of nil ones; what p refers to is left as it is.
func whole(p agenvantage.Pack) agenvantage.Pack {
	p.Slots = slices.Clone(p.Slots)
	for i := range p.Slots {
		s := &p.Slots[i]
		s.Channels, s.Evidence = list(s.Channels), list(s.Evidence)
		if math.IsNaN(s.Confidence) || math.IsInf(s.Confidence, 0) {
			s.Confidence = 0
		}
	}
	p.Slots, p.Blocks, p.Handles, p.Missing, p.Next = list(p.Slots), list(p.Blocks), list(p.Handles), list(p.Missing), list(p.Next)
	return p
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
