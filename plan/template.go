package plan

import "strings"

// This file knows the words of issue templates: what they ask for, not what a report says.

// templateHeadings ask for a part of a report and say nothing of the report itself. Those of one word are taken for
// headings only where they are marked as such.
var templateHeadings = setOfLines(`description
bug description
describe the bug
describe the issue
describe the problem
problem description
detailed description
summary
details
bug
bug report
issue
issue description
problem
feature request
is your feature request related to a problem
is your feature request related to a problem? please describe
describe the solution you'd like
describe alternatives you've considered
proposed solution
possible solution
suggested solution
alternatives
alternatives considered
motivation
proposal
use case
background
context
additional context
additional information
additional details
additional comments
anything else
anything else we need to know
other information
further information
references
to reproduce
steps to reproduce
steps to reproduce the problem
steps to reproduce the issue
steps to reproduce the behavior
how to reproduce
how to reproduce it
how to reproduce it (as minimally and precisely as possible)
reproduction
reproduction steps
reproduction link
minimal reproduction
minimal example
minimal reproducible example
minimal complete verifiable example
minimal, complete and verifiable example
mcve code sample
mcve
code sample
code example
code
example
reproducible example
sample code
expected
expected behavior
expected result
expected results
expected output
what did you expect
what did you expect to happen
what you expected to happen
what you expected
what should have happened
what is the expected behavior
actual
actual behavior
actual result
actual results
actual output
current behavior
observed behavior
what happened
what actually happened
what did happen
what went wrong
what is the current behavior
what did you do
what did you see instead
screenshots
screenshot
screenshots or videos
logs
log
log output
relevant log output
logs and screenshots
stack trace
stacktrace
traceback
error message
error messages
output
command used
configuration
your project
related issues
related
impact
severity
workaround
checklist
checks
prerequisites
code of conduct
terms
search terms
issue type
type of issue
component
component(s)
area
notes
note
regression
is this a regression`)

func setOfLines(lines string) map[string]bool {
	m := make(map[string]bool)
	for l := range strings.SplitSeq(lines, "\n") {
		m[l] = true
	}
	return m
}

func isTemplateHeading(heading string, marked bool) bool {
	return templateHeadings[heading] && (marked || strings.Contains(heading, " "))
}

// templateSentences start the lines with which the usual templates say what goes where.
var templateSentences = []string{
	"a clear and concise description", "add any other context", "if applicable, add screenshots", "steps to reproduce the behavior",
	"please describe", "please provide", "please fill", "please make sure", "please search", "please check that", "please complete",
	"provide a general description", "provide a minimal", "tell us what", "what happened? what did you expect", "thanks for submitting an issue",
	"thank you for submitting", "thanks for taking the time", "link to your", "before submitting",
}

func isTemplateSentence(line string) bool {
	s := strings.ToLower(strings.Trim(strings.TrimSpace(strings.ReplaceAll(line, "behaviour", "behavior")), ">*#_- "))
	if s == "no response" || s == "n/a" || s == "none" {
		return true
	}
	for _, t := range templateSentences {
		if strings.HasPrefix(s, t) && len(s) < len(t)+100 {
			return true
		}
	}
	return false
}
