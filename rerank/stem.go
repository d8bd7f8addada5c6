package rerank

import "strings"

// suffixes are endings by which forms of one English word differ, longest first.
var suffixes = strings.Fields(`ization izations izing izers izer ized izes
	ations ation ators ator ating ated ates ities ments
	ions ings ives ably able ible ance ence ness ment less
	ize ate ion ing ers ors ies ied ive als ity
	al ed er or es ly s e y`)

// minStem is the fewest letters that an ending leaves: below it words with nothing in common meet.
const minStem = 3

// stemOf is a word of lower-case letters without at most two of its endings, so that the forms in a question and in a name
// meet: logging and logger, recovery and recoverer, serialization and serializer. It is for names of files, which are few; in
// text, where a word that is almost the right one is everywhere, it was not shown to help.
func stemOf(word string) string {
	for range 2 {
		cut := word
		for _, s := range suffixes {
			if rest, ok := strings.CutSuffix(word, s); ok && len(rest) >= minStem {
				cut = rest
				break
			}
		}
		if cut == word {
			break
		}
		word = cut
	}
	if n := len(word); n > minStem && word[n-1] == word[n-2] && !strings.ContainsRune("aeiouls", rune(word[n-1])) {
		word = word[:n-1] // logg, stripp
	}
	return word
}
