package redact

import (
	"math"
	"strings"
)

// letterPairs holds how surprising a letter is behind another in words that people write: row a, column b is -log2 of
// P(b after a) in half bits, "a" for none, "b" for half a bit, and so on. The last row is for the first letter of a word.
// It was counted over the 47,392 words that stand four times or more in identifiers, comments and text of 1.2 GB of public
// source in eighteen languages, each weighted with the logarithm of its count, so that abbreviations count too.
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
// likely, and little has to be shown; in code most values are names of things. Of values drawn from 62 characters, 1 in 150 of
// 16 and 1 in 110 of 12 stay below the first, 1 in 90 and 1 in 30 below the second. Both leave enough room to the words of
// code: of 48,000 string literals of 8 to 44 characters, hashes among them, 1 in 27 is above the first.
const (
	trustedBits   = 2
	suspectedBits = 6
	certainBits   = 12 // no path, template or reference reaches this at certainBytes bytes
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
	if c.other > 0 || c.space > 0 || c.lower+c.upper == 0 {
		return false
	}
	least := 2.6
	if n >= 16 && !isHexText(value) {
		least = 2.8
	}
	if n >= leastDrawn && entropy(value) < least || distinctBytes(value) < 5 {
		return false
	}
	return drawnBits(value) >= bits+2*float64(max(0, leastDrawn-n))
}

// isCertainlyDrawn accepts values for which the marks of references and placeholders are part of what was drawn.
func isCertainlyDrawn(value string) bool {
	return len(value) >= certainBytes && isDrawn(value, certainBits)
}

// drawnBits weighs two explanations of a value against each other: the bits that a person's way of writing names needs for
// it, less the bits that drawing it byte by byte from the smallest usual alphabet needs. Above zero it looks drawn. Every
// byte counts, so that long values are told apart better than short ones: a value drawn from 62 characters gains 1.5 bits
// a byte, words lose 1 to 2.
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
			if strings.IndexByte("-_./:", b) >= 0 {
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
