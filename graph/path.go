package graph

import "strings"

// step is one part of a path (see agenvantage.Reference).
type step struct {
	kind stepKind
	name string // of a member; the digits of a result
}

type stepKind uint8

const (
	stepName    stepKind = iota // the head: a plain name
	stepValue                   // the head: a value of the type that name holds
	stepMember                  // .name
	stepCall                    // ()
	stepElement                 // []
	stepKey                     // [k]
	stepResult                  // #N
)

// maxSteps bounds a path; longer ones lead nowhere.
const maxSteps = 40

// parsePath splits a path; nil when it is none, "?" included.
func parsePath(s string) []step {
	var steps []step
	switch {
	case s == "" || s[0] == '?':
		return nil
	case s[0] == '(':
		end := closing(s)
		if end < 2 {
			return nil
		}
		steps, s = append(steps, step{stepValue, s[1:end]}), s[end+1:]
	default:
		end := strings.IndexAny(s, ".([#")
		if end < 0 {
			end = len(s)
		}
		if end == 0 {
			return nil
		}
		steps, s = append(steps, step{stepName, s[:end]}), s[end:]
	}
	for s != "" {
		if len(steps) == maxSteps {
			return nil
		}
		switch {
		case strings.HasPrefix(s, "()"):
			steps, s = append(steps, step{kind: stepCall}), s[2:]
		case strings.HasPrefix(s, "[]"):
			steps, s = append(steps, step{kind: stepElement}), s[2:]
		case strings.HasPrefix(s, "[k]"):
			steps, s = append(steps, step{kind: stepKey}), s[3:]
		case s[0] == '.' || s[0] == '#':
			end := strings.IndexAny(s[1:], ".([#") + 1
			if end == 0 {
				end = len(s)
			}
			if end == 1 {
				return nil
			}
			kind := stepMember
			if s[0] == '#' {
				kind = stepResult
			}
			steps, s = append(steps, step{kind, s[1:end]}), s[end:]
		default:
			return nil
		}
	}
	return steps
}

// closing is the index of the bracket that closes the round bracket at the start of s, -1 when none does.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
