// Package analysis turns text into index tokens and questions into query terms. It is the one place that decides what
// a word is, so the index and every channel agree on it. It sits below the stages: it imports the nouns, does no I/O,
// keeps no state and is safe for concurrent use. Read tokens.go first, then split.go (the parts of an identifier),
// script.go (words outside ASCII), query.go (stop words) and literal.go (how a literal is looked up in the dictionary).
//
// # Words and tokens
//
// A word is a run of letters, marks, digits and underscores. Its tokens are
//
//	the whole      NFC, lower case, underscores removed: load_user, LoadUser and loadUser are all "loaduser"
//	its parts      at underscores, camel case, acronyms and digits, when there is more than one: "load", "user"
//	joined parts   letters with the digits after them ("utf8" in utf8Decode), a first letter with its acronym ("ios" in iOSBuild)
//
// Words joined by hyphens between letters (state-of-the-art) add one token for the joined form. Scripts that are written
// without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) give overlapping pairs of characters in place of the whole;
// Hangul gives the whole and pairs; a word that changes its script is cut there. A word of more than MaxTokenBytes
// bytes yields LongToken in place of its whole, so that a search for a literal knows where it must look at the text.
package analysis
