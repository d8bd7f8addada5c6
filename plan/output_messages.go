package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// message is an error message with what decides about its order.
type message struct {
	text  string
	rank  int
	order int // smaller is first among equal ranks
}

// Ranks of messages, the most specific first. An exception's text says what went wrong; an assertion's what differed; a
// line that a program marks as an error may be a consequence.
const (
	rankCause = iota // the last "Caused by" of a chain, a failing assertion with its reason
	rankException
	rankCompiler
	rankTest
	rankMarked
	rankWarning
	rankNone // no message
)

// maxFoundMessages bounds what is kept until the best are chosen.
const maxFoundMessages = 2048

// messageForms are lines that hold a message. A line is tried only when it holds hint; the last group is the message.
var messageForms = []struct {
	hint string
	form *regexp.Regexp
	rank int
}{
	{"Caused by: ", regexp.MustCompile(`^\s*Caused by: (.+)$`), rankCause},
	{"panic: ", regexp.MustCompile(`^panic: (.+?)(?: \[recovered\])?$`), rankException},
	{"fatal error: ", regexp.MustCompile(`^fatal error: (.+)$`), rankException},
	{" panicked at ", regexp.MustCompile(`panicked at '(.+)', \S+:\d+:\d+$`), rankException},
	{"Exception in thread ", regexp.MustCompile(`^Exception in thread "[^"]*" (.+)$`), rankException},
	{"Unhandled exception", regexp.MustCompile(`^Unhandled exception\S* (.+)$`), rankException},
	{"Fatal error: ", regexp.MustCompile(`Fatal error: +(?:Uncaught )?(.+?)(?: in \S+:\d+|: file \S+, line \d+)?$`), rankException},
	{"** (", regexp.MustCompile(`^\s*\*\* \((\w[\w.]*\) .+)$`), rankException},
	{"Failure/Error: ", regexp.MustCompile(`^\s*Failure/Error: (.+)$`), rankTest},
	{"Failed asserting ", regexp.MustCompile(`^(Failed asserting .+)$`), rankTest},
	{"Assertion", regexp.MustCompile(`^\s*(Assertion (?:with \S+ )?failed.*)$`), rankTest},
	{"assert", regexp.MustCompile(`^E\s+((?:AssertionError: )?assert .+)$`), rankTest},
	// pytest: E   KeyError: 'total'; any language: shop.errors.CartError: negative total
	{"", regexp.MustCompile(`^(?:E\s{1,8}|\s{0,8}|\s*\| )(?:Uncaught |Unhandled |\[?error\]? )?([A-Za-z_][\w.$\\:]*(?:Error|Exception|Failure|Panic|Fault|Exit|Interrupt|Iteration|Warning)(?: \[\w+\])?(?:: .+| \(.+\))?)$`), rankException},
	// Ruby: lib/cart.rb:12:in `add': negative total (CartError)
	{"': ", regexp.MustCompile("^\\S+:\\d+:in [`'][^']+': (.+ \\([\\w:]+\\))$"), rankException},
	{"expected", regexp.MustCompile(`(?i)^\s*((?:expected\b.{1,120}(?:got|but|to (?:be|equal|have|match)|received|actual)\b.*))$`), rankTest},
	{"Expected", regexp.MustCompile(`^\s*(Expected:? .+)$`), rankTest},
	{"expect(", regexp.MustCompile(`^\s*(expect\(.+)$`), rankTest},
	{"Assert.", regexp.MustCompile(`^\s*(Assert\.\w+\(\) Failure.*)$`), rankTest},
	{"undefined reference", regexp.MustCompile(`(undefined reference to .+)$`), rankCompiler},
	{": ", regexp.MustCompile(`^(?:\[?\d{4}-\d\d-\d\d\S*\s+(?:\S+\s+)?)?\[?(?i:error|fatal|critical|panic|severe|failed|failure|err!)\]?(?:\[\w+\])?:?\s+(.+)$`), rankMarked},
	{": ", regexp.MustCompile(`^[\w./-]+: (?:line \d+: )?((?i:error|fatal|cannot|can't|could not|unable|failed|no such|permission|command not found|not found|invalid|undefined|unexpected|missing)\b.*|.+: (?:command not found|No such file or directory|Permission denied))$`), rankMarked},
	{"ERR", regexp.MustCompile(`\b(?:ERROR|ERR|FATAL|CRITICAL)\b[\]:| -]+(\S.+)$`), rankMarked},
	{"FATAL", regexp.MustCompile(`\bFATAL\b[\]:| -]+(\S.+)$`), rankMarked},
	{"rror: ", regexp.MustCompile(`^\s*(?:npm )?\[?(?i:error)\]?: (.+)$`), rankMarked},
}

// notMessages are lines that match a form and report no cause.
var notMessages = regexp.MustCompile(`(?i)^(?:aborting due to|could not compile|\d+ errors? (?:generated|found)|process completed with exit code|command failed with exit code|build failed|tests? failed|\d+ (?:failed|problems?)\b.*` +
	`|there (?:were|are) (?:test )?fail|failures?:?|test(?:s| run) (?:failed|aborted)|-> \[help|re-run maven|for more information|to see the full stack|elifecycle|code (?:elifecycle|1)\b|failed tests?:|errors?:|-+$|warning emitted|compilation error|tests run:|.*<<< (?:failure|error)!)`)

var thenMessage = regexp.MustCompile(`panicked at \S+:\d+:\d+:$|^\s*(?:Error Message|Message|Failure):$|^\s*Error:$`)

// readMessage takes the message of a line.
func (r *outputReader) readMessage(line string) {
	if thenMessage.MatchString(line) { // Rust, .NET, minitest: the message is the next line
		rank := rankTest
		if strings.Contains(line, "panicked") {
			rank = rankException
		}
		if next := r.next(1); !strings.Contains(next, "#test_") {
			r.say(rank, next)
		}
		return
	}
	if m := goTestMessage.FindStringSubmatch(line); m != nil {
		r.say(rankTest, m[1])
		return
	}
	for _, f := range messageForms {
		if !strings.Contains(line, f.hint) {
			continue
		}
		if m := f.form.FindStringSubmatch(line); m != nil {
			rank := f.rank
			if rank == rankException && strings.HasPrefix(strings.TrimSpace(m[len(m)-1]), "AssertionError") {
				rank = rankTest
			}
			r.say(rank, m[len(m)-1])
			return
		}
	}
}

// say keeps a message. A bare class of errors says little: it is put behind the others.
func (r *outputReader) say(rank int, text string) {
	text = withoutValues(strings.Join(strings.Fields(text), " "))
	if rank == rankNone || text == "" || notMessages.MatchString(text) || !strings.ContainsFunc(text, isLetter) {
		return
	}
	if len(text) > maxMessageBytes {
		text = strings.ToValidUTF8(text[:maxMessageBytes], "")
	}
	if !strings.Contains(text, " ") && rank < rankMarked {
		rank = rankMarked
	}
	order := len(r.found)
	if rank == rankCause {
		order = -order // the last cause is the root
	}
	if len(r.found) < maxFoundMessages {
		r.found = append(r.found, message{text, rank, order})
	}
}

var volatile = []*regexp.Regexp{
	regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`),                        // times
	regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`),             // UUIDs
	regexp.MustCompile(`\b0[xX][0-9a-fA-F]{4,}\b`),                                                                    // addresses
	regexp.MustCompile(`(?:/private)?(?:/var/folders|/var/tmp|/tmp)/[^\s'"` + "`" + `,;:)\]]*`),                       // temporary paths
	regexp.MustCompile(`(?i)[a-z]:[\\/]+(?:users[\\/]+[^\\/\s]+[\\/]+appdata[\\/]+local[\\/]+)?temp[\\/][^\s'",;)]*`), // and those of Windows
	regexp.MustCompile(`\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1\]):\d{4,5}\b`),                                   // ports that were free
	regexp.MustCompile(`\b[0-9a-f]{16,}\b`),                                                                           // hashes
}

// withoutValues replaces what differs from run to run by "…".
func withoutValues(text string) string {
	for _, v := range volatile {
		text = v.ReplaceAllString(text, "…")
	}
	return text
}

// ranked are the messages in order, without repeats.
func (r *outputReader) ranked() []message {
	list := slices.Clone(r.found)
	slices.SortStableFunc(list, func(a, b message) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order)) })
	if len(list) > 0 && list[0].rank < rankWarning {
		list = slices.DeleteFunc(list, func(m message) bool { return m.rank == rankWarning })
	}
	seen := make(map[string]bool)
	list = slices.DeleteFunc(list, func(m message) bool {
		again := seen[m.text]
		seen[m.text] = true
		return again
	})
	return list[:min(len(list), maxMessages)]
}

// messages are the messages; where the output marks none, its last line stands in.
func (r *outputReader) messages() []string {
	var out []string
	for _, m := range r.ranked() {
		out = append(out, m.text)
	}
	if len(out) == 0 && r.last != "" {
		last := withoutValues(strings.Join(strings.Fields(r.last), " "))
		if len(last) > maxMessageBytes {
			last = strings.ToValidUTF8(last[:maxMessageBytes], "")
		}
		out = append(out, last)
	}
	return out
}

// stated are the messages of exceptions and assertions alone: those that a text which is no output quotes.
func (r *outputReader) stated() []string {
	var out []string
	for _, m := range r.ranked() {
		if m.rank <= rankException {
			out = append(out, m.text)
		}
	}
	return out
}
