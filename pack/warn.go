package pack

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Warnings names what in a text could steer a model or deceive a reader, as short labels in a fixed order: "instruction-like
// text at line 12" (the first such line, counted from 1), "tool-call-like text at line 3", "model control tokens",
// "bidirectional control characters", "invisible characters", "terminal escapes", "control characters". The labels are for
// the line outside of the fence; the text itself is never changed. They are a hint and no proof: a text without a label can
// still try. Of 7,787 files of 22 repositories 3 have a label, one of them without cause ("You are now using your virtual
// environment"); of 18,744 files of Go modules 142 do, nearly all of them fixtures that hold control characters.
func Warnings(text string) []string { return warnings(text, 1) }

// warnings counts lines from first on.
func warnings(text string, first int) []string {
	var labels []string
	lower := strings.ToLower(text)
	if n := instructionLine(text, lower); n >= 0 {
		labels = append(labels, fmt.Sprintf("instruction-like text at line %d", first+n))
	}
	if at := toolCallAt(lower); at >= 0 {
		labels = append(labels, fmt.Sprintf("tool-call-like text at line %d", first+strings.Count(lower[:at], "\n")))
	}
	if hasControlToken(lower) {
		labels = append(labels, "model control tokens")
	}
	return append(labels, characterWarnings(text)...)
}

// gap is what may stand between two words of a phrase: blanks, and at a line end what begins a line of a comment.
const gap = `[\s#*/>;"'-]+`

// phrases are instructions to a model. Each has a word that a text must hold before its expression is tried, since
// expressions are slow and such words rare.
var phrases = []struct {
	words      []string // one of them is needed, in lower case
	expression *regexp.Regexp
}{
	{[]string{"ignore", "disregard", "forget", "override"}, phrase(
		`\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|the|of|your|my|these|those|everything|and|or|other) ){0,4}` +
			`(?:previous|prior|above|earlier|preceding|foregoing|existing|system|original) (?:\w+ ){0,2}(?:instructions?|prompts?|directions?|guidelines?|rules|orders|text|messages?|context|conversation)\b`)},
	{[]string{"ignore", "disregard", "forget"}, phrase(`\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?your (?:\w+ ){0,2}(?:instructions?|prompts?|guidelines?|rules|training)\b`)},
	{[]string{"you are now", "you\nare now", "you are\nnow"}, phrase(`\byou are now `)},
	{[]string{"system prompt"}, phrase(`\b(?:reveal|print|show|output|repeat|leak|send|ignore|override|forget|disclose|return) (?:me )?(?:the |your |its |full |entire ){0,3}system prompt\b`)},
	{[]string{"the user", "the human", "your operator"}, phrase(
		`\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|alert|alerting|notify|notifying) ` +
			`(?:this |it |anything )?(?:to )?(?:the user|the human|your operator)\b`)},
	{[]string{"if you are a"}, phrase(`\bif you are an? (?:\w+ ){0,2}(?:ai|llm|language model|chatbot|coding agent|coding assistant)\b`)},
	{[]string{"new instructions"}, phrase(`\b(?:here are|these are|follow|obey|execute|your) (?:the |your |these |my )?new instructions\b`)},
	{[]string{" tool"}, phrase(`\b(?:call|invoke|use|run) the (?:shell|bash|terminal|exec|browser|filesystem|file|fetch|web) tool\b`)},
	{[]string{"important", "attention", "note to"}, phrase(`\b(?:important|attention|note to):? (?:all |any )?(?:(?:ai|llm|coding) (?:assistants?|agents?)|llms?|claude|copilot|chatgpt|language models?)\b`)},
}

func phrase(s string) *regexp.Regexp {
	s = strings.ReplaceAll(s, " ){", gap+"){")
	return regexp.MustCompile(strings.ReplaceAll(s, " ", gap))
}

// role is a line that begins as a turn of a conversation does, behind the id and the date of a commit too. Only capitals count:
// "System: Linux" is in many issues.
var role = regexp.MustCompile(`(?m)^(?:[0-9a-f]{7,40} \d{4}-\d\d-\d\d )?[^\w\n]*\[?(?:SYSTEM|ASSISTANT)(?: (?:PROMPT|MESSAGE|NOTE|OVERRIDE))?\]?: *[A-Za-z]`)

// instructionLine is the line, counted from 0, of the first text like an instruction to a model, or -1. Some letters change
// their length in lower case, so that lines are compared and not places.
func instructionLine(text, lower string) int {
	first := -1
	note := func(s string, at int) {
		if n := strings.Count(s[:at], "\n"); first < 0 || n < first {
			first = n
		}
	}
	for _, p := range phrases {
		if !slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(lower, w) }) {
			continue
		}
		if found := p.expression.FindStringIndex(lower); found != nil {
			note(lower, found[0])
		}
	}
	if strings.Contains(text, "SYSTEM") || strings.Contains(text, "ASSISTANT") {
		if found := role.FindStringIndex(text); found != nil {
			note(text, found[1]-1)
		}
	}
	return first
}

// toolMarks begin what agents write or read when they call tools, or end what tools quote, in lower case.
var toolMarks = []string{"<tool_call>", "</tool_call>", "<tool_result", "<tool_use", "<function_calls>", "<function_call>", "<invoke name=", "<function_results>",
	"[tool_call]", "[tool_calls]", "[tool_result]", "[tool_results]", "[available_tools]", "<tool_response>", "</untrusted>"}

func toolCallAt(lower string) int {
	at := -1
	for _, m := range toolMarks {
		if i := strings.Index(lower, m); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// plainMarks are control tokens of chat templates without bars.
var plainMarks = []string{"[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<start_of_turn>", "<end_of_turn>", "<｜"}

// controlToken is "<|name|>": two letters at least, since "<|>" and "<|a|>" are operators of several languages.
var controlToken = regexp.MustCompile(`<\|[a-z][a-z0-9_ .-]+\|>`)

func hasControlToken(lower string) bool {
	if strings.Contains(lower, "<|") && controlToken.MatchString(lower) {
		return true
	}
	for _, m := range plainMarks {
		if strings.Contains(lower, m) {
			return true
		}
	}
	return false
}

// characterWarnings labels characters that a reader does not see or a terminal obeys. The byte order mark at the head of a
// file, tabs, line ends and form feeds are ordinary; so are the joiners, which scripts and emoji need.
func characterWarnings(text string) []string {
	var bidi, invisible, escapes, control bool
	for i, r := range text {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t', r == '\r', r == '\f':
		case r == 0x1b || r == 0x9b:
			escapes = true
		case r < ' ', 0x7f <= r && r < 0xa0:
			control = true
		case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			bidi = true
		case r == 0xfeff && i == 0:
		case r == 0xfeff, r == 0x200b, r == 0x180e, 0x2060 <= r && r <= 0x2064, 0xe0000 <= r && r <= 0xe0fff, r == 0x200e, r == 0x200f, r == 0x61c:
			invisible = true
		}
	}
	var labels []string
	for _, l := range []struct {
		found bool
		label string
	}{{bidi, "bidirectional control characters"}, {invisible, "invisible characters"}, {escapes, "terminal escapes"}, {control, "control characters"}} {
		if l.found {
			labels = append(labels, l.label)
		}
	}
	return labels
}
