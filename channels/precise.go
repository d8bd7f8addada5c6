package channels

import (
	"strings"

	"agenvantage"
)

// Precise says how far a score of the channel exact means that the question spells out the hit itself, from 0 (it only
// uses the name, or holds the literal) to 1 (a place, a definition): the tiers above scoreLastName are about names and
// paths, those below are about text.
func Precise(exactScore float64) float64 {
	if exactScore < scoreLastName {
		return 0
	}
	return min(1, exactScore/scorePlace)
}

// Reasons of hits of the channel exact that others ask about. The scores do not tell: they are sums over all that a span matches.
const (
	reasonPlace         = "place"
	reasonDefinition    = "definition"
	reasonOtherSpelling = "definition in another spelling"
	reasonMessage       = "message" // and how many of its words
	reasonHunk          = "place of a diff"
	reasonBuilt         = "source of a built file"
)

// IsPlace reports whether a hit of the channel exact is a place of the question, in the file that its path names or, of a diff, that holds its lines.
func IsPlace(reason string) bool { return reason == reasonPlace || reason == reasonHunk }

// IsMessage reports whether a hit of the channel exact holds stretches of the message that the question is.
func IsMessage(reason string) bool { return strings.HasPrefix(reason, reasonMessage+":") }

// Spelled reports whether a hit of the channel exact is the definition of the name that is asked for, in that spelling.
func Spelled(exact agenvantage.ChannelRank) bool { return exact.Reason == reasonDefinition }

// SpelledOtherwise reports whether a hit of the channel exact is a definition of the name in another spelling.
func SpelledOtherwise(exact agenvantage.ChannelRank) bool { return exact.Reason == reasonOtherSpelling }
