package analysis

// IsWordByte reports whether a byte of UTF-8 belongs to a word where texts are compared by bytes: ASCII letters, digits, the underscore, and
// every byte of other characters.
func IsWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
