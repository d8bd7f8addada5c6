// Package repomap renders the map of a repository: what a newcomer wants to know first, within a budget of tokens. It is
// pure: it takes facts that were collected elsewhere (Input) and returns text and the same facts as data (Map). It reads no
// file, knows no index and invents nothing; what a repository says comes in as quoted data and leaves as one line.
//
// Read input.go first, then build.go, which says how the budget is kept.
package repomap
