package plan

import (
	"strings"

	"agenvantage"
)

// Reading is one way to read a long report. Weight is how many of the ways it stands for.
type Reading struct {
	Name   string // "" for all of it
	Query  agenvantage.Query
	Weight float64
}

// ReadingsOf reads a report, a question of the class issue or trace, in three ways: all of it without the boilerplate of issue
// templates, its prose without code and output, and its title. Code is long and holds much that the report is not about; the
// title is short and says what it is about: each alone finds files that the others miss. Ways that come to the same text are
// one reading with their weights added. Every reading has the class of the report, and the first one is never empty.
func ReadingsOf(q agenvantage.Query) []Reading {
	clean := CleanIssue(q.Text)
	p := readPage(clean)
	var readings []Reading
	add := func(name, text string) {
		text = strings.TrimSpace(text)
		for i := range readings {
			if readings[i].Query.Text == text {
				readings[i].Weight++
				return
			}
		}
		read, err := Parse(text, ParseOptions{})
		if err != nil || read.Class == agenvantage.ClassRegex {
			return // nothing but white space, or something between slashes
		}
		read.Text, read.Class, read.Short = text, q.Class, q.Short
		readings = append(readings, Reading{name, read, 1})
	}
	add("", clean)
	if len(readings) == 0 {
		readings = append(readings, Reading{"", q, 1})
	}
	add("prose", strings.Join(p.prose, "\n"))
	add("title", p.title)
	return readings
}
