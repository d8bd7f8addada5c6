package ablations

import (
	"regexp"
	"strings"
	"unicode"
)

// maxBodyBytes is how much of a commit's message is read behind its subject.
const maxBodyBytes = 16 << 10

// minWords is how many different words, filler aside, a mined question has at least.
const minWords = 3

// filler is what holds a sentence together and what messages are padded with: none of it asks for anything. The list is
// mining's own, since a task set must not change with the stop words of the search that it measures.
var filler = wordSet(`a about after again all also an and any are as at be because been before but by can could did do does doing done
	due each else few for from get had has have having here how if in into is it its itself just let like made make makes making many
	may might more most much must need needed needs new no nor not now of off old on once one only or other our out over own return
	same should so some still such than that the their them then there these they thing things this those to too two under until up us
	use used uses using very via was way we well were what when where which while who why will with without would you your
	add added adding adds address addressed bug bugfix bugs change changed changes changing clean cleaned cleanup code commit feedback
	fix fixed fixes fixing fixup improve improved improvement improvements issue issues merge minor misc miscellaneous pr review small
	stuff tidy tweak tweaks typo typos update updated updates updating various wip work`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// hole stands where something was taken out, until tidy closes it. cleanBytes lets none through.
const hole = "\x00"

// stripMessage is what a commit's message says of the problem: subject and body without what gives the answer away
// (paths, quoted diffs) or leads to it (commit ids, issues, links), and without what tools and habits add.
func stripMessage(subject, body string, names *pathNames) string {
	subject, body = cleanBytes(subject), comment.ReplaceAllString(cleanBytes(body), "")
	if mergeSubject.MatchString(subject) { // a merge that was squashed: its title is the first line of the body
		subject, body, _ = strings.Cut(strings.TrimLeft(body, "\n \t"), "\n")
	}
	lines := dropLines(strings.Split(body, "\n"))
	subject = tidy(stripInline(stripPrefixes(subject, names), names))
	subject = strings.Trim(subject, " \t-–—:;,.*#|/([{<")
	body = dropEmptyItems(tidy(stripInline(strings.Join(lines, "\n"), names)), subject)
	return strings.TrimSpace(subject + "\n\n" + body)
}

// terminalSequence is what tells a terminal to colour, to move or to set its title (ECMA-48), with all that belongs to it.
var terminalSequence = regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]`)

// isBidiControl says whether a character turns the direction of the text around it, so that it reads otherwise than it is.
func isBidiControl(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u200e' || r == '\u200f' || r == '\u061c'
}

// cleanBytes keeps valid text: one kind of line break, no control characters nor what follows them in a sequence, nothing
// that turns the direction of text.
func cleanBytes(s string) string {
	s = terminalSequence.ReplaceAllString(strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\r\n", "\n"), "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r) || r == '\ufeff' || isBidiControl(r):
			return -1
		}
		return r
	}, s)
}

var (
	comment      = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	mergeSubject = regexp.MustCompile(`(?i)^\s*merged?:? (?:branch|pull request|pr|remote|tag|commit|in|from)\b`)
	scopedType   = regexp.MustCompile(`^\W*\w{2,15}\([^)]*\)!?: *`)
	plainType    = regexp.MustCompile(`(?i)^\W*(?:build|chore|ci|deps|docs?|feat|feature|fix|bugfix|hotfix|fixup|squash|improvement|perf|` +
		`refactor|style|tests?|wip)(?:\[[^\]]*\])?!?: *`)
	autosquash  = regexp.MustCompile(`(?i)^(?:fixup|squash|amend)! *`)
	tag         = regexp.MustCompile(`^\s*\[[^\]]{1,40}\][ :-]*`)
	emojiCode   = regexp.MustCompile(`(?:^|\s):[a-z][a-z0-9_+-]+:(?:\s|$)`)
	areaPrefix  = regexp.MustCompile(`^([\pL\pN_./*{},&|+@ -]{1,80}?): +(?:\S)`)
	areaBetween = regexp.MustCompile(`[,\s&|{}*/]+`)
)

// stripPrefixes takes away what stands before a subject: a type ("fix(scope): "), tags ("[3.12] "), and the names of
// folders or files that the change is in ("net/http: ").
func stripPrefixes(subject string, names *pathNames) string {
	subject = emojiCode.ReplaceAllString(subject, " ")
	for range 4 { // as many as one subject was seen to stack, and one more
		before := subject
		subject = autosquash.ReplaceAllString(subject, "")
		subject = tag.ReplaceAllString(subject, "")
		subject = plainType.ReplaceAllString(subject, "")
		subject = scopedType.ReplaceAllString(subject, "")
		if m := areaPrefix.FindStringSubmatch(subject); m != nil && names.areAreas(m[1]) {
			subject = strings.TrimLeft(subject[len(m[1])+1:], " ")
		}
		if subject == before {
			break
		}
	}
	return subject
}

// areAreas reports whether every word of a subject's prefix is a folder or a file of the repository.
func (n *pathNames) areAreas(prefix string) bool {
	found := false
	for _, w := range areaBetween.Split(strings.ToLower(prefix), -1) {
		if w == "" {
			continue
		}
		if !n.segments[w] && !n.dotted[w] && !n.names(w) {
			return false
		}
		found = true
	}
	return found
}

var (
	// Lines with these keys are never prose.
	trailer = regexp.MustCompile(`(?i)^\s*(?:[a-z]+(?:-[a-z]+)*-(?:by|to|id|on|url|from|bot|result|queue|version|reviewer|author)|` +
		`cc|pr-?url|reviewers?|differential revision|reviewed by|test plan|subscribers|git-svn-id|no-verify|skip-checks|` +
		`(?:orig|original|upstream|golang|trybot)-[a-z-]+|run-trybots?)\s*[:=](?:\s|$|\S+$)`)
	// These are prose unless an id or a link follows.
	reference = regexp.MustCompile(`(?i)^\s*(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|references?|see|see[- ]also|link|bugs?|issues?|` +
		`ticket|pull[- ]request|part-of|task|jira|backport|tracker|rdar|sha|bugzilla|tags)\s*[:=]\s*` +
		`(?:$|[0-9a-f]{7,64}\b|\d+\b|\S*(?:#\d|://|[A-Za-z]-\d))`)
	boilerplate = regexp.MustCompile(`(?i)^\s*(?:\(?cherry[- ]picked from\b|(?:this )?(?:is a )?backport(?:s|ed)? (?:of|from) (?:commit )?[#0-9a-f]|` +
		`merged? (?:branch|pull request|remote|tag|commit|in|from)\b|merge [0-9a-f]{7}|squashed commit|commit [0-9a-f]{7,}\s*$|` +
		`author(?:date)?:|date:|committer:|co-?authored|signed[- ]off|generated (?:with|by) \W|approved[- ]by|auto-?merge|this reverts)`)
	heading   = regexp.MustCompile(`(?i)^\s*summary\s*:\s*`)
	conflicts = regexp.MustCompile(`(?i)^\W*conflicts?:?\s*$`)
	diffStart = regexp.MustCompile(`^([\s>]*)(?:diff --git |diff -|--- (?:a/|/dev/null|\S+\t)|\+\+\+ (?:b/|/dev/null|\S+\t)|@@ -\d|` +
		`Index: \S|index [0-9a-f]{7})`)
	diffLine = regexp.MustCompile(`^(?:[-+@ \t\\]|diff |index |new file|deleted file|old mode|new mode|similarity |rename |copy |Binary |=====)`)
	statLine = regexp.MustCompile(`^\s*\S.* \|\s+(?:\d+ [+-]*|Bin .*)$|^\s*\d+ files? changed\b`)
)

// dropLines takes away lines that are not the author's prose: quoted diffs and their statistics, trailers, lists of
// conflicts, and what merging and cherry-picking write.
func dropLines(lines []string) []string {
	var kept []string
	diff, indent, conflict := false, "", false
	for _, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if m := diffStart.FindStringSubmatch(line); m != nil {
			diff, indent = true, m[1]
			continue
		}
		if diff {
			if rest, ok := strings.CutPrefix(line, indent); blank || ok && diffLine.MatchString(rest) {
				continue
			}
			diff = false
		}
		if conflict && !blank && strings.TrimLeft(line, "# \t") != line {
			continue
		}
		conflict = conflicts.MatchString(line)
		line = heading.ReplaceAllString(line, "")
		if conflict || trailer.MatchString(line) || reference.MatchString(line) || boilerplate.MatchString(line) || statLine.MatchString(line) {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// An issue is written in many ways: #12, owner/name#12, GH-12, bpo-12, PROJ-12, "issue 12".
const issueID = `(?:(?:[\w.-]+/[\w.-]+)?#\d+\b|\b(?i:gh|bpo|bz|bugzilla|rdar)[-: ]?#?\d+\b|` +
	`\b(?i:issues?|bug|ticket|pr|pull request|mr)[- ]?[#!]?\d+\b|\b[A-Z][A-Z0-9]{1,9}-\d+\b)`

var (
	link = regexp.MustCompile(`(?i)(?:\b(?:for (?:more )?(?:information|details?),? )?see(?: also)?:? +)?` +
		`<?\b(?:[a-z][a-z0-9+.-]*://|www\.|git@)[^\s<>"')\]}]+>?`)
	email      = regexp.MustCompile(`<?\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+>?`)
	cherryPick = regexp.MustCompile(`(?i)\(?\bcherry[- ]picked from [^)\n]*\)?`)
	issue      = regexp.MustCompile(`(?i:\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|references|see(?: also)?|addresses|updates?|` +
		`relate[sd] to|part of|follow[- ]?up (?:for|to|of)|backport(?:s|ed)? of)(?: for)?[ :]+)?` +
		issueID + `(?:(?:,? (?:and|&)|,|;)? *` + issueID + `)*`)
	commitID = regexp.MustCompile(`(?:\b(?i:commits?|in|since|by|from|of|rev|revision|changeset) )?\b(?:[0-9a-f]{7,64}|I[0-9a-f]{40}|r\d{4,})\b`)
)

// standards are names that look like PROJ-12 and are none.
var standards = wordSet(`UTF ISO SHA MD RFC AES TLS HTTP CP EC IEEE ECMA BASE PEP CVE CWE ANSI IPV EUC JSR XEP BCP ES UCS KOI8 TIS GB BIG
	BLAKE2 CRC RS HS PS ED`)

// stripInline takes links, addresses, ids and paths out of running text and leaves holes.
func stripInline(text string, names *pathNames) string {
	text = cherryPick.ReplaceAllString(text, hole)
	text = link.ReplaceAllString(text, hole)
	text = email.ReplaceAllString(text, hole)
	text = issue.ReplaceAllStringFunc(text, func(s string) string {
		if project, _, ok := strings.Cut(s, "-"); ok && standards[project] {
			return s
		}
		return hole
	})
	text = commitID.ReplaceAllStringFunc(text, func(s string) string {
		id := s[strings.LastIndexByte(s, ' ')+1:]
		// A number or a word of the letters a to f is no id, unless it has the length of a whole one.
		if len(id) < 40 && id[0] != 'r' && (!strings.ContainsAny(id, "0123456789") || !strings.ContainsAny(id, "abcdef")) {
			return s
		}
		return hole
	})
	return names.strip(text)
}

// within is a bracket's content when all of it was taken out.
const within = "[\\s,;:.&]*\x00[\\s\x00,;:.&]*"

var (
	emptyPair = regexp.MustCompile(`\(` + within + `\)|\[` + within + `\]|\{` + within + `\}|<` + within + `>|"` + within + `"|'` + within + `'|` +
		"`+" + within + "`+" + `|\*\*` + within + `\*\*`)
	emptyItem   = regexp.MustCompile(`(?m)^(\s*[-*+])\s*\x00[\x00 ,;:.]*`)
	beforePoint = regexp.MustCompile(`([,;:]?)[ \x00]*\x00[ \x00]*([,.;:!?)\]])`)
	blanks      = regexp.MustCompile(`[ \t\x00]+`)
	blankLines  = regexp.MustCompile(`\n{3,}`)
)

// tidy closes holes, with the brackets and the points that stand around nothing now, and takes out lines without a letter.
// Text without a hole keeps its points and brackets.
func tidy(text string) string {
	for range 2 { // "([…])"
		text = emptyPair.ReplaceAllString(text, hole)
	}
	text = emptyItem.ReplaceAllString(text, "$1 ")
	text = beforePoint.ReplaceAllString(text, "$2")
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		line = strings.TrimSpace(blanks.ReplaceAllString(line, " "))
		if line != "" && !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(kept, "\n"), "\n\n"))
}

// dropEmptyItems takes away what squashing leaves in a body: the subject again, and items like "* Fix typo".
func dropEmptyItems(body, subject string) string {
	var kept []string
	for line := range strings.SplitSeq(body, "\n") {
		text := strings.Trim(line, " *-.")
		item := strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "- ")
		if text != "" && (text == strings.Trim(subject, " *-.") || item && informative(text) == 0) {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(kept, "\n"), "\n\n"))
}

// saysEnough reports whether a question has minWords informative words.
func saysEnough(question string) bool { return informative(question) >= minWords }

// informative counts the different words of a text that are no filler. Scripts that write no blanks
// between words count a word for every two characters.
func informative(text string) int {
	words := map[string]bool{}
	unspaced := 0
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		runes := []rune(w)
		if unicode.In(runes[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			unspaced += len(runes)
			continue
		}
		if len(runes) > 1 && !filler[w] {
			words[w] = true
		}
	}
	return len(words) + unspaced/2
}
