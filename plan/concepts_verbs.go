package plan

import (
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// functionWords are the English words that join or point and name nothing, as far as they are neither stop words of the index nor
// commonWords: prepositions, pronouns, conjunctions, determiners, adverbs of degree and time.
var functionWords = setOf(`aboard across against ahead albeit alike along alongside amid amidst among amongst apart around aside astride atop
	barring behind beneath beside besides beyond concerning considering despite except excluding failing following including inside
	minus near notwithstanding onto opposite outside past per plus regardless since than thereof throughout till toward towards
	underneath unto versus vs whereas whereby wherein whereupon whichever whoever whomever whose whilst thus therefore thereby hereby
	herein hereafter nevertheless nonetheless furthermore whatever wherever anyone everybody nobody none neither either yourself yourselves
	myself ourselves themselves himself herself oneself mine theirs afterwards beforehand meanwhile elsewhere nowhere anywhere sooner ago
	hitherto lest provided whereof inasmuch insofar forth backwards downward downwards upward upwards inward inwards
	outward outwards aboveboard altogether indeed somewhat enough ere nor twice thrice instead worth`)

// commonVerbs are verbs of running text, in their base forms: what somebody does, not what a product does. Verbs that name parts of
// products as well (save, search, follow, log, merge, sort) are not among them.
var commonVerbs = setOf(`accept accord accomplish achieve acquire adhere adjust admit adopt advise afford agree aim alter amend announce
	annoy anticipate apologize appreciate argue arise arrange arrive assume assure attempt avoid await become begin belong blame borrow
	bother bring bury care cease choose clarify collide combine complain comply compose comprise conceive concern conclude confuse
	contribute convince cope decide decrease deliver demand deny depart depend derive deserve desire destroy determine differ disagree
	disappear discover dislike distinguish divide doubt eat eliminate emerge emphasize enable enjoy enlarge ensure establish evolve exceed
	explore extend facilitate fall feel forbid forget forgive gain gather grant grow guarantee guess hate hear hesitate hold hope hurt
	ignore imagine imply impose impress improve increase indicate infer inform insist inspire intend interfere introduce invent
	investigate involve judge justify lack laugh learn lend lie lose maintain matter mimic modify neglect obey oblige obtain omit oppose
	overcome owe participate perceive perform persist persuade possess postpone preempt prefer prepare preserve presume pretend prevent
	proceed produce prohibit promote prove pursue realize receive recognize recommend reduce refer refine refuse regard regret reintroduce
	relate relax rely remain remember remind resemble reside resist respect retain reveal revise seek sit solve speak spend stand stay
	stick strengthen strive struggle succeed suffer suggest suit suppose survive swear teach tend tolerate treat undergo undertake vary
	wear widen wish withdraw worry`)

// irregularVerbs are the forms of common verbs that no rule gives.
var irregularVerbs = setOf(`ate arose became began begun begins beginning bought brought chose chosen fell fallen felt forgot forgotten gave grew grown heard
	held kept knew laid lain led left lies lied lying lay lost meant met paid ran risen rose sat saw sold spent spoke spoken stood stuck
	sought swore taught thought told took underwent understood went woke won wore worn withdrew withdrawn`)

// isCommonVerb reports whether a lower-case word is a form of a verb of running text.
func isCommonVerb(word string) bool {
	return commonVerbs[word] || irregularVerbs[word] || slices.ContainsFunc(analysis.Forms(word), func(f string) bool { return commonVerbs[f] })
}

var (
	// subjectWords stand before the verb of a clause in the third person: "that saves", "it opens".
	subjectWords = setOf(`it he she that which who this everything something nothing anything everyone someone nobody`)
	// objectWords begin what a verb acts on, hardly ever what follows a noun: "saves it", "accepts a token".
	objectWords = setOf(`a an the it them him me us itself themselves this these those its their your my our his her each every any no all both`)
	// leadWords stand before nouns alone.
	leadWords = setOf(`a an the these those its their your my our his her each every any no all both of in on at for with from by about as into and or`)
)

// isThirdPerson reports whether a word in -s is the verb of its clause, told by the words around it in lower case; a plural is no verb.
func isThirdPerson(word, before, after string) bool {
	if len(word) < minFormedVerb || !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") {
		return false
	}
	return subjectWords[before] || objectWords[after] && !leadWords[before] && before != ""
}

// minFormedVerb is the length of the shortest verb in the third person that is told from other words.
const minFormedVerb = 4

// taskVerbs say what is to be done with something and name nothing; commonVerbs and the words of kinds are no concepts to begin with.
var taskVerbs = setOf(`refactor refactors refactored refactoring optimize optimise optimizing optimising optimization optimisation simplify
	simplifies simplifying rewrite rewrites rewriting rework reworking cleanup tidy polish redo restructure reorganize reorganise
	modernize modernise tweak enhance ensure finish continue proceed please help clean cleaning cleans investigate look check
	fix fixes fixing fixed bugfix bug debug repair`)

// IsTaskVerb reports whether a word in lower case says what is to be done and not with what.
func IsTaskVerb(word string) bool { return taskVerbs[word] }

// generalWords are in every program; with vagueWords they tell none of its parts from the others.
var generalWords = setOf(`code codebase app apps application program programs project projects repo repos repository software system systems thing
	things stuff everything performance`)

// IsGeneral reports whether a word in lower case tells no part of a program from the others when it stands alone.
func IsGeneral(word string) bool { return generalWords[word] || vagueWords[word] }

// IsPlainWord reports whether a text is one word that is written as words of prose are: neither worldMap, WORLD_MAP nor world.map.
func IsPlainWord(text string) bool { return isName(text) && !looksLikeCode(text) }

// ConceptWords are the terms of a concept that stand for words of its text: of two-factor two and factor, and not what joins them.
func ConceptWords(c agenvantage.Concept) []string {
	joined := map[string]bool{}
	for field := range strings.FieldsSeq(strings.ToLower(c.Text)) {
		if parts := strings.Split(field, "-"); len(parts) > 1 {
			for i := range parts {
				for j := i + 2; j <= len(parts); j++ {
					joined[strings.Join(parts[i:j], "")] = true
				}
			}
		}
	}
	var words []string
	for _, term := range c.Terms {
		if !joined[term] || len(c.Terms) == 1 {
			words = append(words, term)
		}
	}
	return words
}
