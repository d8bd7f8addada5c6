package app

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/plan"
)

// Bounds of the words that a short task has to share with the code. Over 400 short tasks mined from two repositories, whose things are
// there, and 40 about things that are in none of ten repositories, leastHeld at 0.35, 0.4, 0.45 and 0.5 says ready of 0.76 and 0.74, 0.74
// and 0.71, 0.68 and 0.67, 0.65 and 0.65 of the packs with every file; without it of 0.83 and 0.81. Of the 40 it says so of 1 for 10.
const (
	heldFiles  = 5    // likely files of which one has to hold the words
	leastHeld  = 0.45 // of the weight of the words, in one of them
	commonFrom = 0.1  // share of the files of code from which a lone word tells none from the others
	fewFiles   = 4    // files of code that a lone word may be in, however few there are
	maxLacked  = 3    // words that a sentence on the status names

	// Of 60 tasks about things that are not in the two repositories, 40 are held by less, and of 100 of their own tasks 4 that no name is found of.
	leastSpoken = 0.3
	rareShare   = 0.02 // of the files of code that a word is in at most to be the one that tells what a task is about
)

// spoken is what a short task speaks of, weighed by how rare it is in the code.
type spoken struct {
	words  []string
	files  []map[uint32]bool // beside words: the files that may change and hold the word or another form of it, sorted out by role
	names  int               // anchors that were found
	absent int               // anchors that were not
}

// addConcept looks up the words of a concept and reports those that no indexed file holds.
func (s *spoken) addConcept(p *packer, c agenvantage.Concept) (absent []string, err error) {
	for _, word := range plan.ConceptWords(c) {
		in, found, err := p.filesWith(word)
		if err != nil {
			return nil, err
		}
		if !found {
			absent = append(absent, word)
		}
		if !slices.Contains(s.words, word) && !plan.IsTaskVerb(word) {
			s.words, s.files = append(s.words, word), append(s.files, in)
		}
	}
	return absent, nil
}

// loneWord reports whether an anchor is all of the task and a word as prose has it: "server" may be a name, and says as little as a word.
func (p *packer) loneWord(a agenvantage.Anchor) bool {
	return a.Kind == agenvantage.AnchorIdentifier && plan.IsPlainWord(a.Text) && strings.Trim(p.task.Text, " \t\r\n.,;:!?\"'`()[]{}<>") == a.Text
}

// filesWith are the files of code, and of a role that the task asks for, that hold a word or another form of it; found says whether any
// indexed file does.
func (p *packer) filesWith(word string) (in map[uint32]bool, found bool, err error) {
	in = map[uint32]bool{}
	for _, form := range append([]string{word}, analysis.Forms(word)...) {
		for _, field := range []string{channels.FieldBody, channels.FieldPath, channels.FieldDoc, channels.FieldSymbol} {
			err := p.corpus.Postings(field, form, func(doc uint32, _, _ int) {
				found = true
				if file, _ := p.corpus.Locate(doc); p.mayChange(file) {
					in[file] = true
				}
			})
			if err != nil {
				return nil, false, err
			}
		}
	}
	return in, found, nil
}

// mayChange reports whether a file is of code or of a role that the task asks for: prose and tests speak of much that is not there.
func (p *packer) mayChange(file uint32) bool {
	role := p.corpus.roleOf(file)
	return role == roleCode || p.asked[role]
}

// rare reports whether a word is in so few files of code that a task with it is about those or about nothing here.
func (s *spoken) rare(i, total int) bool {
	return float64(len(s.files[i])) <= max(1, rareShare*float64(total))
}

// settle says how much of what the task speaks of one of the likeliest files holds. A word weighs log(1 + (N+1) / (n+½)) where n of N
// files of code hold it; a name of the task counts as one more word, held by one file where it was found.
func (s *spoken) settle(p *packer) {
	total := p.corpus.packFacts().code
	weight := func(files int) float64 { return math.Log(1 + float64(total+1)/(float64(files)+0.5)) }
	named := float64(s.names) * weight(1)
	sum := named + float64(s.absent)*weight(0)
	for i := range s.words {
		sum += weight(len(s.files[i]))
	}
	p.signs.Words, p.common = len(s.words), false
	if s.names+s.absent == 0 && len(s.words) > 0 {
		everywhere := len(s.words) == 1 && len(s.files[0]) > fewFiles && float64(len(s.files[0])) > commonFrom*float64(total)
		p.common = everywhere || !slices.ContainsFunc(s.words, func(w string) bool { return !plan.IsGeneral(w) })
	}
	if sum == 0 {
		return
	}
	looked := 0
	for _, c := range p.chances {
		if !p.mayChange(c.File) {
			continue
		}
		if looked++; looked > heldFiles {
			break
		}
		held, lacked, absent := named, []string{}, false
		for i, word := range s.words {
			if s.files[i][c.File] {
				held += weight(len(s.files[i]))
			} else {
				lacked, absent = append(lacked, word), absent || s.rare(i, total)
			}
		}
		if share := held / sum; looked == 1 || share > p.signs.Held {
			p.signs.Held, p.lacked, p.lacksRare = share, lacked, absent
		}
	}
	if looked == 0 {
		p.signs.Held, p.lacked = named/sum, s.words
	}
}

// speaksOfNothing reports a task in which nothing can be looked for: no name, no place, no change, no output and no word that names anything.
func (p *packer) speaksOfNothing() bool {
	return p.signs.Anchors == 0 && p.signs.Words == 0 && p.changed == nil && p.output == nil && len(p.seeds) == 0
}

// whatWouldHelp says of a task that speaks of nothing what would have to be in it.
func (p *packer) whatWouldHelp() string {
	why := fmt.Sprintf("the task names nothing that could be looked for in the %d indexed files: a name of the code, the text of an error or a file would help", p.corpus.FileCount())
	if strings.Contains(p.task.Text, "://") {
		why += "; an address is not opened, what stands there has to be in the task"
	}
	return why
}

// isElsewhere reports whether a short task of which no name is found speaks of things that the code does not: the likeliest file holds little
// of it, and not the rare word that it is about.
func (p *packer) isElsewhere() bool {
	return !p.long() && p.changed == nil && p.output == nil && len(p.seeds) == 0 && p.signs.AnchorsFound == 0 && p.signs.Words > 0 && p.signs.Held < leastSpoken && p.lacksRare
}

// quotedLacked are the first words that the likeliest file lacks, in quotes.
func (p *packer) quotedLacked() string {
	words := make([]string, 0, maxLacked)
	for _, w := range p.lacked[:min(len(p.lacked), maxLacked)] {
		words = append(words, quoteShort(w))
	}
	return strings.Join(words, ", ")
}

// unheld is why a short task is not shown to be about the code, "" where it is: something of it may be there, and not what it is about.
// What changed, or what failed in the code, is what a task with a diff or an output is about.
func (p *packer) unheld() string {
	switch {
	case p.long() || p.changed != nil || p.output != nil && p.signs.AnchorsFound > 0 || len(p.seeds) > 0:
		return ""
	case p.common:
		return "the task speaks of nothing in particular, and much of the code would fit it: a name of the code or more of what is wanted would help"
	case p.signs.Held >= leastHeld:
		return ""
	case len(p.lacked) == 0:
		return "too little of what the task names is in the likeliest files"
	}
	return "none of the likeliest files holds most of what the task speaks of: the best one lacks " + p.quotedLacked()
}
