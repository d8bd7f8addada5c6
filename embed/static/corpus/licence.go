package corpus

import (
	"regexp"
	"strings"
)

// licenceSigns are phrases of licence texts, in the order in which they are tried: what forbids use comes first, so that a
// text with several licences is never taken for its most liberal one.
var licenceSigns = []struct {
	sign, licence string
}{
	{"gnu affero general public", "AGPL"},
	{"gnu lesser general public", "LGPL"},
	{"gnu library general public", "LGPL"},
	{"gnu general public license", "GPL"},
	{"mozilla public license", "MPL"},
	{"eclipse public license", "EPL"},
	{"common development and distribution", "CDDL"},
	{"business source license", "BUSL"},
	{"server side public license", "SSPL"},
	{"elastic license", "Elastic"},
	{"commons clause", "Commons-Clause"},
	{"all rights reserved. unauthorized", "proprietary"},
	{"apache license", "Apache-2.0"},
	{"permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"},
	{"redistribution and use in source and binary forms", "BSD"},
	{"permission to use, copy, modify, and/or distribute this software for any purpose", "ISC"},
	{"permission to use, copy, modify, and distribute this software for any purpose", "ISC"},
	{"permission to use, copy, modify, and distribute this software and its documentation", "HPND"},
	{"this is free and unencumbered software released into the public domain", "Unlicense"},
	{"boost software license", "BSL-1.0"},
	{"this software is provided 'as-is', without any express or implied", "Zlib"},
	{"cc0 1.0 universal", "CC0-1.0"},
	{"universal permissive license", "UPL-1.0"},
	{"postgresql license", "PostgreSQL"},
	{"academic free license", "AFL"},
	{"artistic license", "Artistic"},
	{"python software foundation license", "Python"},
	{"mit license", "MIT"},
}

// licenceWords are the permissive names in metadata (debian/copyright, package.json), in lower case and without versions.
var licenceWords = []struct{ prefix, licence string }{
	{"mit-0", "MIT-0"}, {"mit", "MIT"}, {"expat", "MIT"}, {"bsd", "BSD"}, {"0bsd", "0BSD"}, {"apache", "Apache-2.0"}, {"isc", "ISC"}, {"zlib", "Zlib"},
	{"unlicense", "Unlicense"}, {"cc0", "CC0-1.0"}, {"public-domain", "public-domain"}, {"public domain", "public-domain"}, {"boost", "BSL-1.0"},
	{"bsl-1", "BSL-1.0"}, {"artistic", "Artistic"}, {"python", "Python"}, {"psf", "Python"}, {"postgresql", "PostgreSQL"}, {"upl", "UPL-1.0"},
	{"ruby", "Ruby"}, {"php-3", "PHP-3"}, {"x11", "X11"}, {"hpnd", "HPND"}, {"ncsa", "NCSA"}, {"curl", "curl"}, {"wtfpl", "WTFPL"}, {"bluo", "BlueOak-1.0.0"},
	{"blueoak", "BlueOak-1.0.0"}, {"openssl", "OpenSSL"}, {"libpng", "libpng"}, {"unicode", "Unicode"}, {"w3c", "W3C"}, {"tcl", "TCL"}, {"perl", "Artistic"},
}

// permissive are the licences under which a package may be used.
var permissive = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range licenceWords {
		set[w.licence] = true
	}
	return set
}()

// Permissive reports whether packages under licence may be used.
func Permissive(licence string) bool { return permissive[licence] }

var (
	spaces   = regexp.MustCompile(`\s+`)
	choices  = regexp.MustCompile(`\s+or\s+|\s*\|\s*`) // between licences of which one is chosen
	together = regexp.MustCompile(`\s+and\s+`)         // between licences that hold all
)

// LicenceOfText names the licence whose text this is, "" when it knows none.
func LicenceOfText(text string) string {
	flat := strings.ToLower(spaces.ReplaceAllString(text, " "))
	for _, s := range licenceSigns {
		if strings.Contains(flat, s.sign) {
			return s.licence
		}
	}
	return ""
}

// LicenceOfName names the licence that an expression of metadata stands for: "MIT", "(MIT OR Apache-2.0)", "GPL-2+ or
// Artistic". Of a choice the permissive one counts, of several that hold together all must be permissive. An unknown word
// is returned as it is, which is not permissive.
func LicenceOfName(expression string) string {
	flat := strings.ToLower(strings.NewReplacer("(", " ", ")", " ", ",", " ").Replace(expression))
	first := ""
	for _, choice := range choices.Split(flat, -1) {
		licence, good := "", true
		for _, part := range together.Split(choice, -1) {
			one := licenceOfWord(strings.TrimSpace(part))
			if licence == "" || !permissive[one] {
				licence = one
			}
			good = good && permissive[one]
		}
		if good {
			return licence
		}
		if first == "" {
			first = licence
		}
	}
	return first
}

func licenceOfWord(word string) string {
	if word == "unlicensed" { // the word of npm for no licence at all
		return word
	}
	for _, w := range licenceWords {
		if strings.HasPrefix(word, w.prefix) {
			return w.licence
		}
	}
	if word == "" {
		return "unknown"
	}
	return word
}

// LicenceOfDebian reads a machine-readable debian/copyright: the licence of "Files: *", or of the first paragraph of files.
// Without one it is the licence whose text the file holds.
func LicenceOfDebian(text string) string {
	if !strings.Contains(text, "\nFiles:") && !strings.HasPrefix(text, "Files:") {
		return LicenceOfText(text)
	}
	first := ""
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n\n") {
		files, licence := "", ""
		for line := range strings.SplitSeq(paragraph, "\n") {
			if v, ok := strings.CutPrefix(line, "Files:"); ok {
				files = strings.TrimSpace(v)
			}
			if v, ok := strings.CutPrefix(line, "License:"); ok && licence == "" {
				licence = strings.TrimSpace(v)
			}
		}
		if files == "" || licence == "" {
			continue
		}
		if files == "*" || strings.HasPrefix(files, "* ") {
			return LicenceOfName(licence)
		}
		if first == "" && !strings.HasPrefix(files, "debian/") {
			first = LicenceOfName(licence)
		}
	}
	return first
}
