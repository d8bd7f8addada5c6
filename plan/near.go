package plan

import (
	"agenvantage"
	"agenvantage/analysis"
)

// NearOptions weigh what may stand for the words of a question in words, beside an occurrence of the word itself; 0 leaves it out.
type NearOptions struct {
	Synonym float64 // of a word of nearly its meaning (analysis.Synonyms)
	Form    float64 // of another form of it (analysis.Forms), which counts where the word itself is rare
}

// NearWords lists, in the order of the terms, the other forms of the words of q, then their synonyms. No word is listed twice, and none
// that q holds; parts of names bring none.
func NearWords(q agenvantage.Query, o NearOptions) []agenvantage.Near {
	var near []agenvantage.Near
	taken := make(map[string]bool, len(q.Terms))
	for _, t := range q.Terms {
		taken[t.Text] = true
	}
	for _, kind := range []struct {
		source agenvantage.NearSource
		weight float64
		words  func(term string) []string
	}{{agenvantage.NearForm, o.Form, analysis.Forms}, {agenvantage.NearSynonym, o.Synonym, analysis.Synonyms}} {
		for _, t := range q.Terms {
			if t.Part || kind.weight <= 0 {
				continue
			}
			for _, word := range kind.words(t.Text) {
				if !taken[word] {
					taken[word] = true
					near = append(near, agenvantage.Near{Text: word, For: t.Text, Weight: kind.weight, Source: kind.source})
				}
			}
		}
	}
	return near
}
