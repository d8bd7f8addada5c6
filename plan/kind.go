package plan

import (
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// The kind of a task is decided by points. The verb or question word that the text starts with gives leadPoints; each
// other word of a kind's vocabulary gives that word's points, twice in the title. The kind with the most points wins, on
// a tie the earlier of kindOrder. Points are judgement, not a measurement: the verb has to outweigh a few nouns ("add
// error handling for failed uploads" is a feature), and a whole report full of symptoms has to outweigh the verb of its
// title.
const (
	leadPoints     = 9
	questionPoints = 6
	tracePoints    = 5 // a stack trace, or the output of a failing program
	templatePoints = 4 // the headings of an issue template
	maxSignals     = 4 // words of one kind that count
)

var kindOrder = []agenvantage.TaskKind{agenvantage.TaskBug, agenvantage.TaskIncident, agenvantage.TaskMigration, agenvantage.TaskReview, agenvantage.TaskFeature, agenvantage.TaskExplain}

// leadVerbs are first words that decide.
var leadVerbs = func() map[string]agenvantage.TaskKind {
	m := make(map[string]agenvantage.TaskKind)
	for kind, words := range map[agenvantage.TaskKind]string{
		agenvantage.TaskFeature: `add adding support supporting implement implementing allow allowing create introduce build make enable provide extend display let
			integrate include expose write generate improve feat feature enhancement`,
		agenvantage.TaskBug:       `fix fixes fixing bugfix bug repair debug resolve correct hotfix regression`,
		agenvantage.TaskReview:    `review reviewing audit critique`,
		agenvantage.TaskExplain:   `explain describe summarize summarise understand document`,
		agenvantage.TaskMigration: `migrate migrating upgrade upgrading port porting rename renaming replace replacing deprecate deprecating convert bump switch`,
		agenvantage.TaskIncident:  `incident outage alert postmortem`,
	} {
		for w := range setOf(words) {
			m[w] = kind
		}
	}
	return m
}()

// questionStarts are first words of a question about the code. "Can you add" starts none: courtesy is skipped before.
var questionStarts = setOf(`how what where which who why when does is are was explain describe`)

// signal is one part of a kind's vocabulary. inTitle says that it means nothing further down, where a report speaks of
// many things.
type signal struct {
	kind    agenvantage.TaskKind
	points  int
	inTitle bool
	form    *regexp.Regexp
}

// signals are matched against lower-case text. A tilde in the lists below stands for a space.
var signals = []signal{
	{agenvantage.TaskBug, 2, false, phrases(`bugs? errors? exceptions? tracebacks? stack~?traces? crash(?:es|ed|ing)? broken wrong(?:ly)? incorrect(?:ly)?
		fails? failed failing failures? regressions? reproduc(?:es?|ed|ible|tion) unexpected(?:ly)?
		does(?:~not|n't)~work not~working no~longer~works? panics? panicked segfaults? deadlocks? hangs? misbehaves?
		raises? throws? fix(?:es|ed)? loses? lost ignored? ignores invalid missing [a-z]+error [a-z]+exception
		steps~to~reproduce`)},
	{agenvantage.TaskBug, 1, false, phrases(`inconsistent(?:ly)? instead~of should~(?:not|be) shouldn't doesn't does~not cannot can't`)},
	{agenvantage.TaskFeature, 3, false, phrases(`feature~request enhancement would~be~(?:nice|great|useful|helpful|good) would~(?:like|love)~to wish~list
		it~would~help`)},
	{agenvantage.TaskFeature, 2, false, phrases(`implement(?:s|ed|ing|ation~of)? add(?:ing)?~(?:support|an?|new|the|some|option|more)
		allow(?:s|ing)?~(?:us|users?|to|for|the)
		new~(?:page|command|option|flag|endpoint|feature|setting|screen|view|button|parameter|api) support~for
		proposal ability~to should~be~able~to introduce`)},
	{agenvantage.TaskExplain, 4, true, phrases(`how~(?:does|do|is|are|can|did|come) where~(?:is|are|does|do) why~(?:is|are|does|do|did)
		what~(?:is|are|does|do|happens) explain walk~(?:me|us)~through help~me~understand overview~of
		difference~between tell~me~(?:how|why|where|what|about)`)},
	{agenvantage.TaskReview, 4, true, phrases(`review~(?:this|the|my|these|our|of) code~review pull~request look~over~(?:this|my|the|these) (?:this|my|the)~(?:diff|patch|pr|changeset)`)},
	{agenvantage.TaskMigration, 3, true, phrases(`migrat(?:es?|ed|ing|ions?) upgrad(?:es?|ed|ing) renam(?:es?|ing)~\S+(?:~\S+){0,3}~(?:to|into|as)
		port~\S+(?:~\S+){0,3}~(?:to|from) replac(?:es?|ing)~\S+(?:~\S+){0,4}~(?:by|with) deprecat(?:es?|ed|ing|ions?)
		move~away~from switch~from convert~\S+(?:~\S+){0,3}~to`)},
	{agenvantage.TaskIncident, 4, false, phrases(`outages? incidents? downtime sev-?[0-3] pagerduty on-?call 5xx
		(?:http~)?50[0234]s?~(?:errors?|responses?|status(?:es)?) error~rates? post-?mortem latency~spikes?
		time-?outs?~since (?:down|failing|broken|slow|timing~out|errors?)~since`)},
	{agenvantage.TaskIncident, 3, false, phrases(`(?:in|on|to)~(?:production|prod) alerts? alerting paged
		since~(?:the|this|last|our)?~?(?:deploy(?:ment)?|release|rollout) rolled~back spik(?:es?|ed|ing)`)},
}

// phrases makes a form of the alternatives of a list, which are divided by spaces and write a space inside as a tilde.
func phrases(list string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(`\b(?:`+strings.Join(strings.Fields(list), "|")+`)\b`, "~", " "))
}

// incidentWords are words of an incident that are signals only beside others.
var incidentWords = setOf(`production prod deploy deploys deployed deployment release rollout rolled timeout timeouts spike 5xx`)

var (
	courtesy       = regexp.MustCompile(`^(?:(?:please|pls|hi|hello|hey|ok|okay|so|now|also|todo|task|can|could|would|will|you|we|i|i'd|should|want|need|needs|have|has|like|to|let's|lets|help|me|us|it|maybe)\b[\s,:!.]*)+`)
	bugTemplate    = regexp.MustCompile(`(?im)^[\t #*_>-]*(?:steps to reproduce|to reproduce|how to reproduce|expected (?:behaviou?r|results?|output)|actual (?:behaviou?r|results?|output)|describe the bug|bug report)\b`)
	wishTemplate   = regexp.MustCompile(`(?im)^[\t #*_>-]*(?:is your feature request|describe the solution you'd like|feature request|proposed solution)\b`)
	firstWordsOnly = regexp.MustCompile(`^[\p{L}']+`)
)

// tally counts the points of the kinds and the words that gave them.
type tally struct {
	points map[agenvantage.TaskKind]int
	why    map[agenvantage.TaskKind][]string
}

func (t *tally) add(kind agenvantage.TaskKind, points int, why string) {
	if slices.Contains(t.why[kind], why) || len(t.why[kind]) >= maxSignals {
		return
	}
	t.points[kind] += points
	t.why[kind] = append(t.why[kind], why)
}

// readKind tells the kind of a task and the words that decided it. text is the task as given: the headings of a template
// say what kind of report it is, so they are not cleaned away before.
func readKind(text string, q agenvantage.Query, o TaskOptions) (agenvantage.TaskKind, string) {
	if o.Preset != "" {
		return o.Preset, "preset"
	}
	if o.Diff {
		return agenvantage.TaskReview, "a change to look at was given"
	}
	p := readPage(removeComments(text))
	title := strings.ToLower(strings.TrimLeft(inWords(p.title), "#*_->[]() "))
	title = strings.ReplaceAll(title, "’", "'")
	long := len(strings.Fields(text)) > issueWords
	t := tally{make(map[agenvantage.TaskKind]int), make(map[agenvantage.TaskKind][]string)}
	t.lead(title)
	t.vocabulary(title, true)
	body := p.prose
	if i := slices.IndexFunc(body, func(l string) bool { return strings.TrimSpace(l) != "" }); i >= 0 {
		body = body[i+1:]
	}
	for _, line := range body {
		line = strings.ReplaceAll(strings.ToLower(inWords(line)), "’", "'")
		t.vocabulary(line, !long)
	}
	if q.Class == agenvantage.ClassTrace {
		t.add(agenvantage.TaskBug, tracePoints, "a stack trace")
	}
	if o.Output != nil {
		t.add(agenvantage.TaskBug, tracePoints, "the output of a failing program")
	}
	if m := bugTemplate.FindString(text); m != "" {
		t.add(agenvantage.TaskBug, templatePoints, strings.ToLower(strings.TrimLeft(m, "#*_- \t\r\n>")))
	}
	if m := wishTemplate.FindString(text); m != "" {
		t.add(agenvantage.TaskFeature, templatePoints, strings.ToLower(strings.TrimLeft(m, "#*_- \t\r\n>")))
	}
	return t.decide(title, long)
}

// lead adds the points of the word that the title starts with.
func (t *tally) lead(title string) {
	title = courtesy.ReplaceAllString(title, "")
	first := firstWordsOnly.FindString(title)
	if kind, ok := leadVerbs[first]; ok {
		t.add(kind, leadPoints, first)
	} else if questionStarts[first] {
		t.add(agenvantage.TaskExplain, questionPoints, first)
	}
}

// vocabulary adds the points of the words of a line; title says that those which only count in a title do.
func (t *tally) vocabulary(line string, title bool) {
	for _, s := range signals {
		if s.inTitle && !title {
			continue
		}
		points := s.points
		if title {
			points *= 2
		}
		for _, m := range s.form.FindAllString(line, maxSignals) {
			t.add(s.kind, points, m)
		}
	}
}

func (t *tally) decide(title string, long bool) (agenvantage.TaskKind, string) {
	best := agenvantage.TaskKind("")
	for _, kind := range kindOrder {
		if t.points[kind] > 0 && (best == "" || t.points[kind] > t.points[best]) {
			best = kind
		}
	}
	switch {
	case best != "":
		return best, "words: " + strings.Join(t.why[best], ", ")
	case strings.HasSuffix(strings.TrimSpace(title), "?"):
		return agenvantage.TaskExplain, "a question"
	case long:
		return agenvantage.TaskBug, "a long report without a word that decides"
	}
	return agenvantage.TaskFeature, "no word that decides"
}
