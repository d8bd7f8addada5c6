package commits

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage/scan/history"
)

func TestBlock(t *testing.T) {
	id := func(c string) string { return strings.Repeat(c, 20) }
	rows := []row{
		{id: id("a"), time: 5, written: -7, author: 1, terms: 3, changed: 9, parents: []parent{{row: 101}, {row: missing, id: id("x")}},
			files: []change{{path: 4, old: -1, status: history.Modified}, {path: 0, old: 3, status: history.Renamed}}},
		{id: id("b"), flags: flagMerge | flagCut, time: -1, written: 1 << 40, parents: []parent{}, files: []change{}},
	}
	b := encodeBlock(rows, 100)
	got, err := decodeBlock(b, 100)
	if err != nil || len(got) != 2 {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].parents == nil {
			got[i].parents = []parent{}
		}
		if got[i].files == nil {
			got[i].files = []change{}
		}
	}
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("got  %+v\nwant %+v", got, rows)
	}
	for cut := range b {
		if _, err := decodeBlock(b[:cut], 100); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d of %d bytes: %v", cut, len(b), err)
		}
	}
	if _, err := decodeBlock(append(slices.Clone(b), 0), 100); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte too many: %v", err)
	}
}

func TestPostingRuns(t *testing.T) {
	var b []byte
	last := 7
	for _, p := range [][2]int{{7, 1}, {8, 3}, {500, 1}, {501, 200}} {
		b = appendPosting(b, last, p[0], p[1])
		last = p[0]
	}
	var got [][2]int
	if err := eachPosting(b, 7, 502, func(row, n int) { got = append(got, [2]int{row, n}) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, [][2]int{{7, 1}, {8, 3}, {500, 1}, {501, 200}}) {
		t.Errorf("%v", got)
	}
	if err := eachPosting(b, 7, 501, func(int, int) {}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a row beyond the last: %v", err)
	}
	joined, err := joinRuns(run{first: 2, b: appendPosting(nil, 2, 2, 1)}, &run{first: 7, last: 501, b: b})
	if err != nil || joined.first != 2 {
		t.Fatal(err)
	}
	var rows []int
	if err := eachPosting(joined.b, 2, 502, func(row, _ int) { rows = append(rows, row) }); err != nil || !slices.Equal(rows, []int{2, 7, 8, 500, 501}) {
		t.Errorf("%v, %v", rows, err)
	}
}

// What a damaged file holds is an error or rows, never a panic, and rows that were read can be written again.
func FuzzDecodeBlock(f *testing.F) {
	f.Add(encodeBlock([]row{{id: strings.Repeat("a", 20), parents: []parent{{row: 1}}}, {id: strings.Repeat("b", 20), files: []change{{path: 1, old: -1, status: 'M'}}}}, 0))
	f.Add([]byte{20, 1})
	f.Add([]byte{32, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := decodeBlock(b, 3)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again, err := decodeBlock(encodeBlock(rows, 3), 3)
		if err != nil || len(again) != len(rows) {
			t.Fatalf("%d rows, %v", len(again), err)
		}
	})
}

func FuzzDecodeTexts(f *testing.F) {
	f.Add(encodeTexts([]string{"a", "", "bc"}))
	f.Add([]byte{5, 'a'})
	f.Fuzz(func(t *testing.T, b []byte) {
		texts, err := decodeTexts(b)
		if err == nil {
			again, err := decodeTexts(encodeTexts(texts))
			if err != nil || !slices.Equal(texts, again) {
				t.Fatalf("%q, %v", again, err)
			}
		}
	})
}

func FuzzPostings(f *testing.F) {
	f.Add([]byte{0, 3, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		last := 0
		_ = eachPosting(b, 1, 1000, func(row, frequency int) {
			if row < last || row >= 1000 || frequency < 1 {
				t.Fatalf("row %d after %d, frequency %d", row, last, frequency)
			}
			last = row
		})
	})
}
