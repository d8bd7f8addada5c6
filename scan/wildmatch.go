package scan

// wildmatch reports whether text matches pattern as git's ignore files understand it. It works on bytes, as git does: a
// "?" is one byte. With slashes set, "*", "?" and brackets never match "/", and "**" (or more stars) between slashes or
// at an end matches any number of folders; elsewhere it is a plain "*". A backslash takes the next byte as it stands; a
// pattern that ends in one, or in an unclosed bracket, matches nothing.
//
// It keeps the set of places in text that the pattern so far can end at, so its time is the product of both lengths
// whatever the number of stars: rules come from repositories that nobody here wrote.
func wildmatch(pattern, text string, slashes bool) bool {
	var room [2 * 256]bool
	sets := room[:]
	if 2*(len(text)+1) > len(sets) {
		sets = make([]bool, 2*(len(text)+1))
	}
	ends, next := sets[:len(text)+1], sets[len(sets)/2:len(sets)/2+len(text)+1]
	ends[0] = true
	for p := 0; p < len(pattern); ends, next = next, ends {
		var alive bool
		if pattern[p] == '*' {
			stop := p
			for stop < len(pattern) && pattern[stop] == '*' {
				stop++
			}
			whole := slashes && stop-p >= 2 && (p == 0 || pattern[p-1] == '/') && (stop == len(pattern) || pattern[stop] == '/')
			switch {
			case whole && stop == len(pattern):
				return true
			case whole:
				alive = stepFolders(ends, next, text)
				p = stop + 1
			default:
				alive = stepStar(ends, next, text, slashes)
				p = stop
			}
		} else {
			p, alive = stepByte(ends, next, pattern, p, text, slashes)
		}
		if !alive {
			return false
		}
	}
	return ends[len(text)]
}

// stepFolders moves over "**/": no folder, or any number of them.
func stepFolders(ends, next []bool, text string) bool {
	started := false
	for t := range next {
		next[t] = ends[t] || started && text[t-1] == '/'
		started = started || ends[t]
	}
	return started
}

// stepStar moves over "*".
func stepStar(ends, next []bool, text string, slashes bool) bool {
	alive := false
	for t := range next {
		next[t] = ends[t] || t > 0 && next[t-1] && (!slashes || text[t-1] != '/')
		alive = alive || next[t]
	}
	return alive
}

// stepByte moves over one byte of text by the element of the pattern at p, and returns the place behind that element.
func stepByte(ends, next []bool, pattern string, p int, text string, slashes bool) (after int, alive bool) {
	after = p + 1
	next[0] = false
	escaped := pattern[p] == '\\'
	if escaped {
		if after++; after > len(pattern) {
			return 0, false
		}
	}
	for t := range len(text) {
		next[t+1] = false
		if !ends[t] {
			continue
		}
		ok := false
		switch {
		case escaped:
			ok = text[t] == pattern[p+1]
		case pattern[p] == '?':
			ok = !slashes || text[t] != '/'
		case pattern[p] == '[':
			var behind int
			if behind, ok = matchBracket(pattern, p, text[t]); behind == 0 {
				return 0, false
			}
			after = behind
			ok = ok && (!slashes || text[t] != '/')
		default:
			ok = text[t] == pattern[p]
		}
		next[t+1] = ok
		alive = alive || ok
	}
	return after, alive
}

// matchBracket matches c against the bracket expression that opens at p and returns the place behind it, 0 when it never
// closes or names an unknown class.
func matchBracket(pattern string, p int, c byte) (next int, ok bool) {
	p++
	negated := false
	if p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^') {
		negated = true
		p++
	}
	matched := false
	var previous byte
	havePrevious := false
	for first := true; ; first = false {
		if p >= len(pattern) {
			return 0, false
		}
		b := pattern[p]
		switch {
		case b == ']' && !first:
			return p + 1, matched != negated
		case b == '\\':
			p++
			if p >= len(pattern) {
				return 0, false
			}
			previous, havePrevious = pattern[p], true
			matched = matched || previous == c
		case b == '-' && havePrevious && p+1 < len(pattern) && pattern[p+1] != ']':
			p++
			high := pattern[p]
			if high == '\\' {
				p++
				if p >= len(pattern) {
					return 0, false
				}
				high = pattern[p]
			}
			matched = matched || previous <= c && c <= high
			havePrevious = false
		case b == '[' && p+1 < len(pattern) && pattern[p+1] == ':':
			end := p + 2
			for end < len(pattern) && pattern[end] != ']' {
				end++
			}
			if end >= len(pattern) {
				return 0, false
			}
			if end == p+2 || pattern[end-1] != ':' { // "[:" that closes nothing is a plain "["
				previous, havePrevious = '[', true
				matched = matched || c == '['
				break
			}
			in, known := inClass(pattern[p+2:end-1], c)
			if !known {
				return 0, false
			}
			matched = matched || in
			p = end
			havePrevious = false
		default:
			previous, havePrevious = b, true
			matched = matched || b == c
		}
		p++
	}
}

// inClass reports whether the ASCII byte c is in the POSIX class, and whether there is such a class.
func inClass(name string, c byte) (in, known bool) {
	lower, upper, digit := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
	graph := c > 0x20 && c < 0x7f
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < 0x20 || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || '\t' <= c && c <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	}
	return false, false
}
