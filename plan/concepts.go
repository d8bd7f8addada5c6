package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/analysis"
)

const (
	maxConcepts     = 12
	maxConceptWords = 3 // a longer run is cut from its end, where English has the noun
	maxWordBytes    = 48
	conceptPool     = 512 // phrases of a long text among which the best are chosen
)

// commonWords end a phrase besides the stop words of the index: words of talk about work and software that name no part
// of a product, adverbs, and verbs that reports are full of.
var commonWords = setOf(`able above actually almost already always another anybody anyone anything anyway apparently appear appears away back
	based basically become becomes behave behaves behavior behaviour believe below best better bit case cases cause caused
	causes certain change changed changes changing clear clearly come comes common completely consider consists contain
	containing contains correct correctly could current currently day days define defined depending describe described
	description different directly done easily easy either else end ends ensure entire especially etc even ever every
	everything exactly example examples except exist existing exists expect expected explicitly fact far figure fine first
	following follows found full fully further generally get gets getting give given gives giving go goes going good got
	great guess handle handled handles happen happened happens happy hard hence here hi hello however idea if implies
	important in instance instead intended is issue issues keep keeps kind know known last later latest lead leads least
	left less let lets like likely line lines little long longer look looking looks lot main make makes making many maybe
	mean means mention mentioned moreover move much must naturally necessary need needed needs never new next nice non none
	normal normally not note nothing notice noticed now obvious obviously occur occurs off often ok okay old one ones
	opposed or order original other others otherwise part particular perhaps place please point possible possibly present
	previous previously probably problem problems properly provide provided provides purpose put quite rather read real
	really reason recent recently regarding related relevant result resulting results right round run running runs said say
	saying says second see seem seems seen set several short similar similarly simple simplest simply since single small
	solution somehow someone something sometimes somewhere soon sort specific specifically start started starting starts
	step steps still stop stops sure take taken takes taking tell term thank thanks thing things think thought together too
	tried tries try trying turn turns two three type typically unable understand unless unlike upon useful usually via want
	wanted wants way ways well whenever whether whole why within without wonder wondering word words work working works
	worse would write writing written wrote yes yet zero and for while return true false null nil self this todo fixme add
	adds added adding allow allows implement implements show shows shown showing display displays displayed create creates
	created creating returns returned remove removes removed removing use used uses using call called calls calling pass
	passed passes passing produce produces produced support supports supported supporting help helps helpful update updated
	updates updating click clicked clicking press fail fails failed failing faster slower empty everywhere although though
	respectively due prints print printed according method methods function functions discussed sent actual convenient
	argument arguments param params parameter parameters minimal noon today yesterday pressing open opens opened opening
	affect affects appropriate check checks remains remain`)

// shortWords are words of two letters that name something.
var shortWords = setOf(`ui ux db ci cd id ip io ai os vm js ts go cs s3 k8s qa i18n l10n a11y`)

// phrase is a run of content words.
type phrase struct {
	words []string // as shown
	key   string
	count int
	title bool
	named bool // a lone word with a capital inside of a sentence: Memcached is no participle
	at    int  // order of first occurrence
}

// readConcepts returns the things that lines of prose speak of: runs of content words between stop words, code and
// punctuation. The most specific come first: those of the first line before others, those that are repeated, those of
// more words. Words of the vocabulary of kind are left out: what has to be found for "fix the crash of the importer" is
// the importer.
func readConcepts(lines []string, kind agenvantage.TaskKind) []agenvantage.Concept {
	var list []*phrase
	byKey := make(map[string]*phrase)
	title := true
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		for _, run := range runs(inWords(line), kind) {
			for len(run) > 0 {
				cut := max(0, len(run)-maxConceptWords)
				text := strings.Join(run[cut:], " ")
				key := strings.TrimSuffix(strings.ToLower(text), "s")
				if p := byKey[key]; p != nil {
					p.count++
				} else if len(list) < conceptPool {
					p = &phrase{words: run[cut:], key: key, count: 1, title: title, named: cut == len(run)-1 && isProperName(line, text), at: len(list)}
					byKey[key] = p
					list = append(list, p)
				}
				run = run[:cut]
			}
		}
		title = false
	}
	slices.SortFunc(list, func(a, b *phrase) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.at, b.at))
	})
	return choose(list)
}

// weight orders phrases: 4 for the title, 2 a word, 1 for each repetition up to 3. Judgement, not a measurement.
func (p *phrase) weight() int {
	w := 2*len(p.words) + min(p.count-1, 3)
	if p.title {
		w += 4
	}
	return w
}

// vagueWords name something only together with others: "user profile", "test fixture".
var vagueWords = setOf(`user users data file files value values output input inputs option options test tests doc docs documentation object
	objects class classes type types name names item items text link links version versions release string strings variable
	variables script scripts project page pages`)

// vague reports whether a phrase is one word that names nothing alone: one of vagueWords, or a participle (attached).
func (p *phrase) vague() bool {
	if len(p.words) != 1 {
		return false
	}
	w := strings.ToLower(p.words[0])
	return vagueWords[w] || len(w) > 4 && strings.HasSuffix(w, "ed") && !p.named
}

// isProperName reports whether a word, given in lower case, stands in a line with a capital behind a word that has none: at the beginning of a
// sentence and in a title in capitals every word has one.
func isProperName(line, word string) bool {
	before := ""
	for field := range strings.FieldsSeq(line) {
		first, _ := utf8.DecodeRuneInString(before)
		trimmed := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if begins, _ := utf8.DecodeRuneInString(trimmed); unicode.IsUpper(begins) && unicode.IsLower(first) && strings.ToLower(trimmed) == word && !strings.ContainsAny(before[len(before)-1:], ".!?:") {
			return true
		}
		before = field
	}
	return false
}

// choose takes phrases in order, vague ones only when there are no others, and leaves out those that are part of one already taken.
func choose(list []*phrase) []agenvantage.Concept {
	var out []agenvantage.Concept
	var taken []string
	if slices.ContainsFunc(list, func(p *phrase) bool { return !p.vague() }) {
		list = slices.DeleteFunc(list, (*phrase).vague)
	}
	for _, p := range list {
		if len(out) == maxConcepts {
			break
		}
		if slices.ContainsFunc(taken, func(t string) bool {
			return strings.Contains(" "+t+" ", " "+p.key+" ") || strings.Contains(" "+t+" ", " "+p.key+"s ")
		}) {
			continue
		}
		text := strings.Join(p.words, " ")
		c := agenvantage.Concept{Text: text}
		for _, term := range analysis.QueryTerms(text) {
			c.Terms = append(c.Terms, term.Text)
		}
		if len(c.Terms) > 0 {
			out = append(out, c)
			taken = append(taken, p.key)
		}
	}
	return out
}

// runs returns the runs of content words of a line, each word in lower case unless it is written in capitals.
func runs(line string, kind agenvantage.TaskKind) [][]string {
	var out [][]string
	var run []string
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	before := ""
	fields := strings.Fields(line)
	for i, field := range fields {
		after := ""
		if i+1 < len(fields) {
			after = fields[i+1]
		}
		if strings.HasPrefix(field, "--") || isVerbForm(field, before, after) {
			flush()
			before = ""
			continue
		}
		before = strings.ToLower(field)
		for i, part := range scriptParts(field) {
			if i > 0 {
				flush()
			}
			word := strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
			if word == "" || !strings.HasPrefix(strings.TrimLeft(part, "*_~#"), word) {
				flush() // punctuation before the word
			}
			if content(word, kind) {
				run = append(run, shown(word))
			} else {
				flush()
			}
			if !strings.HasSuffix(strings.TrimRight(part, "*_~"), word) {
				flush()
			}
		}
	}
	flush()
	return out
}

// auxiliaries stand before a participle that is part of a verb.
var auxiliaries = setOf(`is are was were be been being am isn't aren't wasn't weren't has have had hasn't haven't gets got get by`)

// nounsInLy are the words that end like adverbs and are none.
var nounsInLy = setOf(`weekly daily monthly hourly yearly nightly quarterly family assembly reply supply apply anomaly butterfly fly rely
	friendly`)

// isVerbForm reports whether a word is an adverb in -ly, a participle behind a form of be or have ("is returning"), or a verb of running
// text, told by its neighbours in the line where its form alone does not tell it.
func isVerbForm(word, before, after string) bool {
	w := strings.ToLower(strings.Trim(word, ".,;:!?()*_"))
	if len(w) > 4 && strings.HasSuffix(w, "ly") && !nounsInLy[w] || isCommonVerb(w) || isThirdPerson(strings.ToLower(word), before, strings.ToLower(after)) {
		return true
	}
	return auxiliaries[before] && len(w) > 4 && (strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed"))
}

// shown is a word in lower case, or as it stands when it is an acronym.
func shown(word string) string {
	if len(word) > 1 && strings.ToUpper(word) == word {
		return word
	}
	return strings.ToLower(word)
}

// content reports whether a word names something.
func content(word string, kind agenvantage.TaskKind) bool {
	low := strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	low = strings.TrimSuffix(low, "'s")
	switch {
	case len(word) > maxWordBytes, analysis.IsStopWord(low), commonWords[low], functionWords[low], strings.ContainsRune(low, '\''):
		return false
	case !strings.ContainsFunc(word, unicode.IsLetter), len(low) < 3 && low[0] < utf8.RuneSelf && !shortWords[low]:
		return false
	case strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '-'
	}):
		return false
	}
	name, what := look(word, false)
	if what != isPlain && name != "" && !shortWords[low] && word[0] < utf8.RuneSelf {
		return false // code: an anchor
	}
	return !ofKind(low, kind)
}

// ofKind reports whether a word belongs to the vocabulary of a kind; that of an incident holds that of bugs.
func ofKind(word string, kind agenvantage.TaskKind) bool {
	if leadVerbs[word] == kind || kind == agenvantage.TaskIncident && incidentWords[word] {
		return true
	}
	for _, s := range signals {
		if (s.kind == kind || s.kind == agenvantage.TaskBug && kind == agenvantage.TaskIncident) && s.form.FindString(word) == word {
			return true
		}
	}
	return false
}

// particles join words in Chinese and Japanese text, which has no spaces: a run of characters ends at them.
const particles = "给的了在和与是把被对中请为并及或就也都而且我你他们这那はがをにでとのもへ"

// scriptParts cuts a word of a script without spaces at its particles; any other word is one part.
func scriptParts(field string) []string {
	if !strings.ContainsFunc(field, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
		return []string{field}
	}
	return strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(particles, r) || unicode.IsPunct(r) })
}
