package corpus

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestManifest(t *testing.T) {
	text := "# comment\nnpm\t@babel/parser\t7.1.0\ngo\tgolang.org/x/net\tv0.1.0\tBSD\tabc\t12\tdef\n\n"
	got, err := ReadManifest(strings.NewReader(text))
	if err != nil || len(got) != 2 || got[0].Name != "golang.org/x/net" || got[0].Pairs != 12 || got[1].Key() != "npm-babel+parser" {
		t.Fatalf("%+v, %v", got, err)
	}
	again, err := ReadManifest(strings.NewReader(FormatManifest(got)))
	if err != nil || !slices.Equal(got, again) || ManifestHash(got) != ManifestHash(again) {
		t.Errorf("came back as %+v, %v", again, err)
	}
	if changed := append(slices.Clone(got[:1]), got[0]); ManifestHash(changed) == ManifestHash(got) {
		t.Error("another manifest has the same hash")
	}
	for _, bad := range []string{"go\tx", "pip\tx\t1", "go\t-x\t1", "go\tx y\t1", "go\tx\t1\tMIT\tab\tmany\t", "go\tx\t1\ngo\tx\t2", "go\tx\t1\ta\tb\t1\tc\td", "go\t\t1", "npm\tx\t$(id)"} {
		if _, err := ReadManifest(strings.NewReader(bad + "\n")); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestLicences(t *testing.T) {
	for _, test := range []struct {
		of    func(string) string
		wants map[string]string
	}{
		{LicenceOfName, map[string]string{
			"MIT": "MIT", "Expat": "MIT", "(MIT OR GPL-3.0)": "MIT", "GPL-2+ or Artistic": "Artistic", "BSD-3-clause": "BSD", "Apache-2.0 and GPL-2": "gpl-2", "LGPL-2.1+": "lgpl-2.1+",
			"MIT AND BSD-2-Clause": "MIT", "": "unknown", "UNLICENSED": "unlicensed", "Unlicense": "Unlicense",
		}},
		{LicenceOfText, map[string]string{
			"Permission is hereby granted, free of charge, to any person\n obtaining a copy": "MIT",
			"GNU General Public License version 2 ... MIT License":                           "GPL",
			"Apache License\n Version 2.0":                                                   "Apache-2.0",
			"You may look but not touch.":                                                    "",
		}},
		{LicenceOfDebian, map[string]string{
			"Format: x\n\nFiles: *\nCopyright: a\nLicense: Expat\n\nFiles: debian/*\nLicense: GPL-2+\n": "MIT",
			"Files: src/*\nLicense: GPL-3\n\nFiles: lib/*\nLicense: MIT\n":                              "gpl-3",
			"Files: *\nLicense: LGPL-2+\n": "lgpl-2+",
			"This package is free: Redistribution and use in source and binary forms, with": "BSD",
		}},
	} {
		for text, want := range test.wants {
			if got := test.of(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
	for _, l := range []string{"", "unknown", "GPL", "LGPL", "gpl-2", "unlicensed", "MPL", "mpl-2.0"} {
		if Permissive(l) {
			t.Errorf("%q is taken for permissive", l)
		}
	}
}

// TestManifestKeepsTheRules reads the committed manifest: nothing in it is excluded, everything is permissive and pinned, and it is in
// order.
func TestManifestKeepsTheRules(t *testing.T) {
	text, err := os.ReadFile("manifest.tsv")
	if err != nil {
		t.Fatal(err)
	}
	packages, err := ReadManifest(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if FormatManifest(packages) != string(text) {
		t.Error("the manifest is not as FormatManifest writes it")
	}
	x := exclusion(t)
	for _, p := range packages {
		if name, found := x.Excludes(p); found {
			t.Errorf("%s is excluded as %s", p.Key(), name)
		}
		if !Permissive(p.Licence) || len(p.SHA256) != 64 || len(p.PairsHash) != 16 || p.Pairs < 1 || p.Pairs > MaxPairs {
			t.Errorf("%+v is no full row of a package that may be used", p)
		}
	}
}
