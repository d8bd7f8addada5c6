package scan

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Names of encodings in File.Encoding, besides the 8-bit and double-byte ones in legacy.go.
const (
	encodingUTF8    = "utf-8"
	encodingLossy   = "utf-8-lossy" // bytes that fit no encoding became U+FFFD
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
	encodingUTF32LE = "utf-32le"
	encodingUTF32BE = "utf-32be"
)

// byteOrderMarks in the order in which they are tried: the mark of UTF-32LE begins with that of UTF-16LE.
var byteOrderMarks = []struct {
	mark, encoding string
}{
	{"\xff\xfe\x00\x00", encodingUTF32LE},
	{"\x00\x00\xfe\xff", encodingUTF32BE},
	{"\xff\xfe", encodingUTF16LE},
	{"\xfe\xff", encodingUTF16BE},
	{"\xef\xbb\xbf", encodingUTF8},
}

func markedEncoding(content []byte) (encoding string, markBytes int) {
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(content, []byte(m.mark)) {
			return m.encoding, len(m.mark)
		}
	}
	return "", 0
}

// isBinaryHead decides by the first bytes of a file, so that a large binary is not read whole.
func isBinaryHead(head []byte) bool {
	encoding, _ := markedEncoding(head)
	if encoding != "" && encoding != encodingUTF8 {
		return false
	}
	return bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("%PDF-"))
}

// decodeText turns the bytes of a file into text with \n line ends and without byte order marks, whose lines are those
// of the bytes. ok is false for a binary file: zero bytes without a mark of UTF-16 or UTF-32, or control bytes between
// bytes that no encoding explains. The text never holds NUL and is always valid UTF-8.
func decodeText(content []byte) (text, encoding string, ok bool) {
	encoding, mark := markedEncoding(content)
	content = content[mark:]
	switch encoding {
	case encodingUTF16LE:
		text = decodeUTF16(content, binary.LittleEndian)
	case encodingUTF16BE:
		text = decodeUTF16(content, binary.BigEndian)
	case encodingUTF32LE:
		text = decodeUTF32(content, binary.LittleEndian)
	case encodingUTF32BE:
		text = decodeUTF32(content, binary.BigEndian)
	default:
		if bytes.IndexByte(content, 0) >= 0 || bytes.HasPrefix(content, []byte("%PDF-")) {
			return "", "", false
		}
		if utf8.Valid(content) {
			return normaliseText(string(content)), encodingUTF8, true
		}
		if hasBinaryControls(content) {
			return "", "", false
		}
		text, encoding = decodeLegacy(content)
		return normaliseText(text), encoding, true
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "", "", false
	}
	if wrong := strings.Count(text, "\ufffd"); wrong > 8 && wrong*8 > len(text) {
		return "", "", false // a mark at the head of something else
	}
	return normaliseText(text), encoding, true
}

// normaliseText makes CRLF to LF and drops byte order marks that stand inside. A lone CR stays: it ends no line on disk.
func normaliseText(text string) string {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if strings.Contains(text, "\ufeff") {
		text = strings.ReplaceAll(text, "\ufeff", "")
	}
	return text
}

// hasBinaryControls reports whether more than one byte in 50 is a control byte that texts do not have. It is asked about
// bytes that are no UTF-8: compressed data has one in ten.
func hasBinaryControls(content []byte) bool {
	controls := 0
	for _, b := range content {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != '\v' && b != 0x1b && b != '\b' {
			controls++
		}
	}
	return controls*50 > len(content)
}

func decodeUTF16(content []byte, order binary.ByteOrder) string {
	var b strings.Builder
	b.Grow(len(content)/2 + len(content)/8)
	for i := 0; i+1 < len(content); i += 2 {
		r := rune(order.Uint16(content[i:]))
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if i+3 < len(content) {
				pair = utf16.DecodeRune(r, rune(order.Uint16(content[i+2:])))
			}
			if r = pair; pair != utf8.RuneError {
				i += 2
			}
		}
		b.WriteRune(r)
	}
	if len(content)%2 == 1 {
		b.WriteRune(utf8.RuneError)
	}
	return b.String()
}

func decodeUTF32(content []byte, order binary.ByteOrder) string {
	var b strings.Builder
	for ; len(content) >= 4; content = content[4:] {
		b.WriteRune(rune(order.Uint32(content))) // an invalid value becomes U+FFFD
	}
	if len(content) > 0 {
		b.WriteRune(utf8.RuneError)
	}
	return b.String()
}
