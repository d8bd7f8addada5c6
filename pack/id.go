package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"agenvantage"
)

// BlockID is the id of a block: "b" and the first 12 hexadecimal digits of the SHA-256 of its kind, path, lines and text.
// Equal evidence has an equal id in every pack; slot, reason and token count do not take part.
func BlockID(b agenvantage.Block) string {
	return "b" + digest(12, string(b.Kind), b.Path, strconv.Itoa(b.StartLine), strconv.Itoa(b.EndLine), b.Text)
}

// HandleID is the id of a handle: "h" and the first 12 hexadecimal digits of the SHA-256 of its path, lines and revision, so
// that an id that was given for an older content of the file is not mistaken for one of the present content.
func HandleID(h agenvantage.Handle) string {
	return "h" + digest(12, h.Path, strconv.Itoa(h.StartLine), strconv.Itoa(h.EndLine), h.Revision)
}

// ID is the id of a pack: "p" and the first 16 hexadecimal digits of the SHA-256 of its JSON without pack_id and prompt.
func ID(p agenvantage.Pack) string {
	p.ID, p.Prompt = "", ""
	text, err := JSON(p)
	if err != nil { // the noun holds nothing that JSON cannot: JSON says why
		text = []byte(err.Error())
	}
	return "p" + digest(16, string(text))
}

// digest hashes the fields with their lengths before them, so that no two lists of fields give the same bytes.
func digest(digits int, fields ...string) string {
	h := sha256.New()
	for _, f := range fields {
		h.Write([]byte(strconv.Itoa(len(f)) + ":"))
		h.Write([]byte(f))
	}
	return hex.EncodeToString(h.Sum(nil))[:digits]
}
