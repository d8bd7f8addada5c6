package redact

import (
	"math"
	"strings"
)

// letterPairs holds how surprising a letter is behind another in words that people write: row a, column b is -log2 of
// P(b after a) in half bits, "a" for none, "b" for half a bit, and so on. The last row is for the first letter of a word.
// It was counted over the 47,392 words that stand four times or more in the identifiers, comments and text of the Go standard
// library, its modules in common use and twenty public repositories in other languages, each weighted with the logarithm of
// its count, so that abbreviations count too.
var letterPairs = [27]string{
	"njiiomkrksngjhrjshhgmkomnr", // a
	"hkjmhlnqgmqfmnimqiimhopplq",
	"gnkmhmlhkuijlnflqjjhlmqrou",
	"illielmofprklmimoiimkmmmns",
	"jnihlklqntqjkholnfghplnjos", // e
	"imkjigmpfushklhktiikjpoomt",
	"jnkmemljhrskmjgkrhhkkopqqq",
	"fonkfnppgtoklogmrjlijpnrmp",
	"klijkjjsrrqijehkskihrksnuk", // i
	"gmklgmnpinlmklhkpnfmholopp",
	"inlldljohsoklkklqmhklnnrnq",
	"homjfmnpfuohoognsnjjknorjr",
	"fknmfopqhuolkoggroiljprqnu",
	"ioihhkgpirmmnlimrohglmpsps",
	"llhjollsmqmjifkiwgjjijkprt", // o
	"gmkmgmnliumimphjrgiikpoqnu",
	"lmkklmnmlqpiimnllkjlcmmoom",
	"gokkemlrhumlklhlskiilmoqlv",
	"jnjmgnnigtlkmnjjolifipnqkq",
	"hokmfmpjfvrlmoilshikkpookr",
	"kijljkltjtrhifnithhgrprntp", // u
	"glklejnnhtpljmkinmiknllmrp",
	"fmklhlnkgrplkiilphhlnponqq",
	"ilikhjpmirqlknkgnljfmjnjmq",
	"jmkmkmnpjrokhhkeslginlnnkm",
	"hmlncnnohpomnnjnpmknmlmlli",
	"hkhjjjkljnnkjjkipihikklmop", // the first letter of a word
}

// startOfWord is the row of letterPairs for the first letter of a word.
const startOfWord = 26

// byteClass is what the model of written text knows of a byte besides its letter.
type byteClass uint8

const (
	classLower byteClass = iota
	classUpper
	classDigit
	classSymbol
	classStart // before the first byte
)

// classChange is the cost in bits of a class behind another, counted over 78,065 string literals without white space.
var classChange = [5][4]float64{
	classLower:  {0.3, 4.9, 4.6, 3.4},
	classUpper:  {1.7, 0.8, 3.9, 4.2},
	classDigit:  {2.7, 4.1, 0.6, 2.9},
	classSymbol: {0.6, 2.9, 3.0, 3.7},
	classStart:  {0.8, 1.8, 4.0, 3.7},
}

func classOf(b byte) byteClass {
	switch {
	case 'a' <= b && b <= 'z':
		return classLower
	case 'A' <= b && b <= 'Z':
		return classUpper
	case '0' <= b && b <= '9':
		return classDigit
	}
	return classSymbol
}

// Bits that a value must have to be taken for drawn. Under a name such as password in a configuration file a drawn value is
// likely, and little has to be shown; in code most values are names of things. Of values drawn from 62 characters, 1 in 540 of
// 16 and 1 in 135 of 12 stay below the first, 1 in 340 and 1 in 92 below the second. Of 48,458 string literals of code with
// 8 to 44 bytes, under whatever name, 1 in 41 is above the first and 1 in 50 above the second: hashes, encoded data, and
// names of machine instructions (VCVTTPD2UDQY).
const (
	trustedBits   = 2
	suspectedBits = 3
	certainBits   = 12 // none of those literals that begins with a slash has this with certainBytes bytes
	certainBytes  = 16
)

// leastDrawn is the shortest value that is judged by its bits alone.
const leastDrawn = 12

// isDrawn reports whether a value looks as if a generator had drawn it, with the given bits to spare. A value shorter than
// leastDrawn must make up for every byte that it lacks. Repeated patterns are no drawn values, however odd they look.
func isDrawn(value string, bits float64) bool {
	n := len(value)
	if n < 8 || n > 4096 {
		return false
	}
	c := countClasses(value)
	if c.other > 0 || c.space > 0 || c.lower+c.upper == 0 || isEscapedData(value) || c.digit == 0 && strings.ContainsAny(value, "\"'`\\{}") {
		return false
	}
	least := 2.6
	switch {
	case isHexText(value):
		least = 2.2
	case n >= certainBytes:
		least = 2.8
	}
	if n >= leastDrawn && entropy(value) < least || distinctBytes(value) < 5 {
		return false
	}
	if c.lower == 0 || c.upper == 0 {
		if strings.ContainsAny(value, separators) { // gcp-kms-prod-euw1: generators of one case have no separators
			bits += 4
		} else if c.digit == 0 { // a word of a language that the table does not know
			bits++
		}
	}
	return drawnBits(value) >= bits+2*float64(max(0, leastDrawn-n))
}

// isEscapedData finds binary data, most of it written by number. One or two such bytes can be part of a secret.
func isEscapedData(value string) bool {
	return strings.Count(value, "\\x")+strings.Count(value, "\\u")+strings.Count(value, "\\0") > 2
}

// isCertainlyDrawn accepts values for which the marks of references and placeholders are part of what was drawn.
func isCertainlyDrawn(value string) bool {
	return len(value) >= certainBytes && isDrawn(value, certainBits)
}

// separators join the words of a name.
const separators = "-_./:"

// drawnBits weighs two explanations of a value against each other: the bits that a person's way of writing names needs for
// it, less the bits that drawing it byte by byte from the smallest usual alphabet needs. Above zero it looks drawn. Every
// byte counts, so that long values are told apart better than short ones: a value drawn from 62 characters gains 1.5 bits
// a byte, half of those literals lose 0.4 to 1.2.
func drawnBits(value string) float64 {
	c := countClasses(value)
	return writtenCost(value, c.lower == 0) - float64(len(value))*math.Log2(alphabetSize(value, c))
}

// writtenCost is the length in bits of a value under the model of words, numbers and what joins them. In a value without
// small letters the large ones take their place.
func writtenCost(value string, capitals bool) float64 {
	bits := 0.0
	previous, letter := classStart, byte(startOfWord)
	for i := range len(value) {
		b := value[i]
		class := classOf(b)
		if capitals && class == classUpper {
			class = classLower
		}
		bits += classChange[previous][class]
		switch class {
		case classLower, classUpper:
			if class == classUpper && previous == classLower {
				letter = startOfWord
			}
			next := (b | 0x20) - 'a'
			bits += float64(letterPairs[letter][next]-'a') / 2
			letter = next
		case classDigit:
			bits += math.Log2(10)
			letter = startOfWord
		default:
			if strings.IndexByte(separators, b) >= 0 {
				bits++
			} else {
				bits += 6
			}
			letter = startOfWord
		}
		previous = class
	}
	return bits
}

// alphabetSize is the size of the smallest usual alphabet that holds a value.
func alphabetSize(value string, c classCounts) float64 {
	if c.digit > 0 && isHexText(value) {
		return 16
	}
	size := 0.0
	if c.lower > 0 {
		size += 26
	}
	if c.upper > 0 {
		size += 26
	}
	if c.digit > 0 {
		size += 10
	}
	if c.symbol == 0 {
		return size
	}
	for i := range len(value) {
		if !setURL.has(value[i]) && !setB64.has(value[i]) {
			return size + 32
		}
	}
	return size + 2
}
