package scan

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// ignoreTable are rules with the paths that they leave in of a fixed set, each compared to git's own answer as well.
var ignoreTable = []string{
	"*.log", "*.log\n!keep.log", "/a", "a/", "/a/", "a/*", "a/**", "**/b", "a/**/d", "**/c/d", "a/*/d", "*", "*\n!*/\n!d", "!a", "/*\n!/b", "b\n!b", "a\n!a/b", "c/\n!c/d",
	"[ab]", "[!a]", "[^a]", "[a-c]", "[]a]", "[!]a]", "[[:alpha:]]", "[[:digit:]]*", "[[:nope:]]", "[a", "\\a", "\\*.log", "a\\", "\\#x", "#x", "\\!x", "?", "??", "a?c", "x\\ ", "x ", "x  \\ ", "\tx",
	"a**", "**a", "a**b", "**", "**/", "/**", "/**/d", "a/**/", "***", "a//b", "//a", "/", "", " ", "\r\n", "a\r\n", "\ufeffa", "d\n!d\nd", "b/c", "/b/c", "b/c/", "c/d\n!a/b/c/d", "日本", "日*", "é?", "caf??", "caf?",
	"*/c", "*/", "*/*", "/*/c", "a/b\n!a/b/c", "**/a/**", "**/a/**/d", "[a-", "[a-]", "[--a]", "[\\]]", "[[a]", "[[:alpha:]b]", "[a\\-c]", "x[.]log", "*.[ol]og", ".*", ".*/", "!.*", "*.log/", "keep.log/",
}

var ignorePaths = []string{"a/b/c/d", "a/b/d", "a/d", "a/x.log", "a/keep.log", "b/c/d", "b/a", "c/a/d", "c/d", "d", "x.log", "keep.log", "#x", "!x", "x ", "x", "x   ", "abc", "aXc", "a b", "]", "-", "\\", "[", "1", "12a",
	"日本", "日本語/d", "café", "ab/a", "aab", "acb/c", ".hidden", ".dir/x", "*.log", "deep/a/b/c/d", "deep/deep/c/d", "\tx", "a-c"}

// gitKeeps asks git what of the tree is left, with rules by folder.
func gitKeeps(t *testing.T, tr *tree, w *Walker, rules map[string]string) []string {
	t.Helper()
	for dir, text := range rules {
		tr.write(joinSlash(dir, ".gitignore"), text)
	}
	found, err := w.gatherUntracked(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.DeleteFunc(found.untracked, func(p string) bool { return strings.HasSuffix(p, ".gitignore") })
	slices.Sort(kept)
	return kept
}

func matcherKeeps(paths []string, rules map[string]string) []string {
	m := newIgnoreMatcher(nil)
	for dir, text := range rules {
		m.add(dir, parseIgnoreFile([]byte(text), joinSlash(dir, ".gitignore")))
	}
	var kept []string
	for _, p := range paths {
		if m.excludes(p, false) == nil {
			kept = append(kept, p)
		}
	}
	slices.Sort(kept)
	return kept
}

func TestIgnoreMatcherAgreesWithGit(t *testing.T) {
	tr := newTree(t)
	paths := slices.DeleteFunc(slices.Clone(ignorePaths), func(p string) bool { // a file and a folder cannot share a name
		return slices.ContainsFunc(ignorePaths, func(o string) bool { return strings.HasPrefix(o, p+"/") })
	})
	tr.touch(paths...)
	w := tr.open("", Options{})
	for _, rules := range ignoreTable {
		set := map[string]string{"": rules}
		if got, want := matcherKeeps(paths, set), gitKeeps(t, tr, w, set); !slices.Equal(got, want) {
			t.Errorf("rules %q:\n matcher only %q\n git only     %q", rules, without(got, want), without(want, got))
		}
	}
}

// TestIgnoreMatcherAgreesWithGitOnRandomRules joins random pieces into rules at several levels.
func TestIgnoreMatcherAgreesWithGitOnRandomRules(t *testing.T) {
	tr := newTree(t)
	var paths []string
	for _, a := range []string{"a", "b", "ab", "c.x"} {
		for _, b := range []string{"a", "b", "c.x"} {
			for _, c := range []string{"a", "ab", "b.x", "c", "[a]"} {
				paths = append(paths, a+"/"+b+"/"+c)
			}
		}
	}
	paths = append(paths, "d", "x", "a.x", "b.x")
	tr.touch(paths...)
	w := tr.open("", Options{})
	random := rand.New(rand.NewPCG(7, 11))
	pieces := []string{"a", "b", "ab", "c", "*", "**", "/", "/", "?", ".x", "[ab]", "[!a]", "**/", "/**", "\\a", "*.x", "!", "[a-b]", "\\["}
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		set := map[string]string{}
		for _, dir := range []string{"", "a", "a/b", "ab"} {
			var b strings.Builder
			for range 1 + random.IntN(4) {
				if random.IntN(4) == 0 {
					b.WriteByte('!')
				}
				for range 1 + random.IntN(4) {
					b.WriteString(pieces[random.IntN(len(pieces))])
				}
				b.WriteByte('\n')
			}
			set[dir] = b.String()
			if starsAfterPrefix(b.String()) {
				set[dir] = ""
			}
		}
		if got, want := matcherKeeps(paths, set), gitKeeps(t, tr, w, set); !slices.Equal(got, want) {
			t.Fatalf("rules %q:\n matcher only %q\n git only     %q", set, without(got, want), without(want, got))
		}
	}
}

// starsAfterPrefix finds rules such as "a/b**": before version 2.53 git takes their stars for a "**" between slashes,
// against its own manual, since it compares the literal start by itself.
func starsAfterPrefix(rules string) bool {
	for rule := range strings.Lines(rules) {
		rule = strings.TrimPrefix(strings.TrimSuffix(rule, "\n"), "!")
		rule = strings.TrimPrefix(rule, "/")
		i := strings.IndexAny(rule, `*?[\`)
		if i > 0 && rule[i-1] != '/' && strings.HasPrefix(rule[i:], "**") {
			return true
		}
	}
	return false
}

func without(list, remove []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(remove, s) })
}

func TestWildmatchIsNotExponential(t *testing.T) {
	pattern, text := strings.Repeat("*a", 60)+"*b", strings.Repeat("a", 4000)
	if wildmatch(pattern, text, true) {
		t.Error("matches")
	}
	if wildmatch(strings.Repeat("**/", 40)+"b", strings.Repeat("a/", 400)+"c", true) {
		t.Error("matches")
	}
}

// FuzzIgnoreMatcher checks what must hold for any rules: no panic, a rule file that ends in "!X" lets X back in when it is
// at the top, and adding "*" at the end excludes everything.
func FuzzIgnoreMatcher(f *testing.F) {
	for _, rules := range ignoreTable {
		f.Add([]byte(rules), "a/b/c/d")
	}
	f.Fuzz(func(t *testing.T, rules []byte, path string) {
		path = strings.Trim(path, "/")
		if path == "" || strings.Contains(path, "//") || strings.ContainsAny(path, "\x00\n\r") || len(path)+len(rules) > 2000 {
			return
		}
		with := func(last string) *ignoreRule {
			m := newIgnoreMatcher(nil)
			m.add("", parseIgnoreFile(append(bytes.Clone(rules), []byte("\n"+last)...), "f"))
			return m.excludes(path, false)
		}
		before := with("")
		if again := with(""); fmt.Sprint(before) != fmt.Sprint(again) {
			t.Fatalf("%v, then %v", before, again)
		}
		if with("*") == nil {
			t.Fatalf("a last rule * does not exclude %q", path)
		}
		if !strings.Contains(path, "/") && with("!"+escapeRule(path)) != nil {
			t.Fatalf("a last rule does not let %q back in", path)
		}
	})
}

func escapeRule(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if strings.IndexByte(`*?[\! #`, path[i]) >= 0 || path[i] == ' ' {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return "/" + b.String()
}
