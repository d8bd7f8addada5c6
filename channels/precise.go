package channels

// Precise says how far a score of the channel exact means that the question spells out the hit itself, from 0 (it only
// uses the name, or holds the literal) to 1 (a place, a definition): the tiers above scoreLastName are about names and
// paths, those below are about text.
func Precise(exactScore float64) float64 {
	if exactScore < scoreLastName {
		return 0
	}
	return min(1, exactScore/scorePlace)
}
