package static

// How text becomes pieces. A word is a run of ASCII letters, digits, underscores and bytes of other scripts. It is cut into
// parts as package analysis cuts identifiers (at underscores, camel case, acronyms and digits; splitASCII there and nextPart
// here agree, which a test checks). Its pieces are
//
//	each part of at least two bytes that is no number     "load", "user"
//	each two neighbouring parts, joined                   "loaduser"; also across one space or hyphen: "load user"
//	the whole word, joined, when it has three parts up    "loaduserprofile"
//
// all in lower case, so that loadUser, load_user and "load user" share their pieces. A part that the vocabulary does not
// know is stood for by the n-grams of its letters (ngrams); an unknown joined piece is left out.

// Piece is one piece of a text: the hash of its letters and where they stand, separators included.
type Piece struct {
	Hash       uint64
	Start, End int32
	Joined     bool // of several parts
}

const (
	maxParts      = 16 // parts of one word that are looked at
	maxPieceBytes = 40 // longer pieces are data, not names
	fnvOffset     = 14695981039346656037
	fnvPrime      = 1099511628211
)

// The classes of bytes.
const (
	byteOther = iota
	byteLower // and bytes of other scripts
	byteUpper
	byteDigit
	byteUnder
)

var byteClass = func() (table [256]uint8) {
	for c := range table {
		switch {
		case 'a' <= c && c <= 'z', c >= 0x80:
			table[c] = byteLower
		case 'A' <= c && c <= 'Z':
			table[c] = byteUpper
		case '0' <= c && c <= '9':
			table[c] = byteDigit
		case c == '_':
			table[c] = byteUnder
		}
	}
	return table
}()

// part is one part of a word with the hash state after its letters.
type part struct {
	start, end int32
	hash       uint64
}

// AppendPieces appends the pieces of text to dst in their order. It allocates nothing but dst.
func AppendPieces(dst []Piece, text string) []Piece {
	var parts [maxParts]part
	var before part // the last part of the word before, when one space or hyphen separates it
	joinable := false
	for i := 0; i < len(text); {
		if byteClass[text[i]] == byteOther {
			i++
			continue
		}
		n := 0
		start := i
		for i < len(text) && byteClass[text[i]] != byteOther {
			if byteClass[text[i]] == byteUnder {
				i++
				continue
			}
			end := nextPart(text, i)
			if n < maxParts {
				parts[n] = part{int32(i), int32(end), hashOn(fnvOffset, text, i, end)}
				n++
			}
			i = end
		}
		if n == 0 {
			continue
		}
		if joinable && start-int(before.end) == 1 && (text[start-1] == ' ' || text[start-1] == '-') {
			dst = appendJoined(dst, text, before, parts[0])
		}
		dst = appendWord(dst, text, parts[:n])
		before, joinable = parts[n-1], int(parts[n-1].end) == i
	}
	return dst
}

// appendWord appends the pieces of one word.
func appendWord(dst []Piece, text string, parts []part) []Piece {
	for k, p := range parts {
		if p.end-p.start >= 2 && p.end-p.start <= maxPieceBytes && byteClass[text[p.start]] != byteDigit {
			dst = append(dst, Piece{Hash: p.hash, Start: p.start, End: p.end})
		}
		if k > 0 {
			dst = appendJoined(dst, text, parts[k-1], p)
		}
	}
	if len(parts) < 3 {
		return dst
	}
	h := parts[0].hash
	for _, p := range parts[1:] {
		h = hashOn(h, text, int(p.start), int(p.end))
	}
	if last := parts[len(parts)-1].end; last-parts[0].start <= maxPieceBytes {
		dst = append(dst, Piece{Hash: h, Start: parts[0].start, End: last, Joined: true})
	}
	return dst
}

func appendJoined(dst []Piece, text string, a, b part) []Piece {
	if b.end-a.start > maxPieceBytes {
		return dst
	}
	return append(dst, Piece{Hash: hashOn(a.hash, text, int(b.start), int(b.end)), Start: a.start, End: b.end, Joined: true})
}

// nextPart returns the end of the part that starts at i, which is no underscore.
func nextPart(text string, i int) int {
	j := i + 1
	class := byteClass[text[i]]
	if class != byteUpper {
		for j < len(text) && byteClass[text[j]] == class {
			j++
		}
		return j
	}
	for j < len(text) && byteClass[text[j]] == byteUpper {
		j++
	}
	if j == len(text) || byteClass[text[j]] != byteLower {
		return j
	}
	if j-i > 1 { // an acronym that goes on in lower case: HTTPServer; a plural s stays with it: URLs
		if text[j] == 's' && (j+1 == len(text) || byteClass[text[j+1]] != byteLower) {
			return j + 1
		}
		return j - 1
	}
	for j < len(text) && byteClass[text[j]] == byteLower {
		j++
	}
	return j
}

// hashOn goes on with an FNV-1a hash over text[start:end] in lower case.
func hashOn(h uint64, text string, start, end int) uint64 {
	for i := start; i < end; i++ {
		h = (h ^ uint64(lower(text[i]))) * fnvPrime
	}
	return h
}

// lower is a byte in lower case; bytes of other scripts stay.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Spelling returns the letters of a piece: lower case, without the separators.
func (p Piece) Spelling(text string) string {
	b := make([]byte, 0, p.End-p.Start)
	for i := p.Start; i < p.End; i++ {
		if c := text[i]; byteClass[c] != byteOther && byteClass[c] != byteUnder {
			b = append(b, lower(c))
		}
	}
	return string(b)
}

// HashSpelling is the hash of the piece with these letters.
func HashSpelling(letters string) uint64 { return hashOn(fnvOffset, letters, 0, len(letters)) }

const (
	shortestGram = 3
	longestGram  = 4
	maxGramBytes = 24 // of a part that n-grams are taken from
	maxGrams     = 2 * (maxGramBytes + 2)
)

// ngrams stores the buckets, below buckets, of the n-grams of text[start:end] between two marks, and returns how many.
func ngrams(out *[maxGrams]uint32, text string, start, end int, buckets uint32) int {
	var letters [maxGramBytes + 2]byte
	letters[0] = '<'
	n := 1
	for i := start; i < end && n <= maxGramBytes; i++ {
		letters[n] = lower(text[i])
		n++
	}
	letters[n] = '>'
	n++
	count := 0
	for size := shortestGram; size <= longestGram; size++ {
		for i := 0; i+size <= n; i++ {
			h := uint64(fnvOffset)
			for _, c := range letters[i : i+size] {
				h = (h ^ uint64(c)) * fnvPrime
			}
			h ^= h >> 29
			h *= 0xbf58476d1ce4e5b9
			out[count] = uint32(h>>32) % buckets
			count++
		}
	}
	return count
}
