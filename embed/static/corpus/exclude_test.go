package corpus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// exclusion is that of the committed files.
func exclusion(t testing.TB) *Exclusion {
	t.Helper()
	f, err := os.Open("fingerprints.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	prints, err := ReadFingerprints(f)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.Open("exclude.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	x, err := ReadExclusion(list, prints)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestExcludedByName(t *testing.T) {
	x := exclusion(t)
	for _, p := range []Package{
		{Ecosystem: Go, Name: "github.com/go-chi/chi/v5"}, {Ecosystem: Go, Name: "github.com/spf13/cobra"}, {Ecosystem: Go, Name: "go.etcd.io/bbolt"},
		{Ecosystem: Go, Name: "github.com/someone/cobra"}, // a fork
		{Ecosystem: NPM, Name: "express"}, {Ecosystem: NPM, Name: "@trpc/server"}, {Ecosystem: NPM, Name: "axios"},
		{Ecosystem: Debian, Name: "python-django"}, {Ecosystem: Debian, Name: "libuv1"}, {Ecosystem: Debian, Name: "node-express"},
		{Ecosystem: Debian, Name: "fmtlib"}, {Ecosystem: Debian, Name: "rust-clap-2"}, {Ecosystem: Debian, Name: "haskell-aeson"},
		{Ecosystem: Debian, Name: "libgoogle-gson-java"}, {Ecosystem: Debian, Name: "python3.11"}, {Ecosystem: Debian, Name: "ruby-sinatra"},
		{Ecosystem: Debian, Name: "jinja2"}, {Ecosystem: Debian, Name: "php-monolog"}, {Ecosystem: Debian, Name: "xmonad"}, {Ecosystem: Debian, Name: "symfony"},
	} {
		if _, found := x.Excludes(p); !found {
			t.Errorf("%s is not excluded", p.Key())
		}
	}
	for _, p := range []Package{
		{Ecosystem: Go, Name: "github.com/hashicorp/memberlist"}, {Ecosystem: NPM, Name: "rxjs"}, {Ecosystem: NPM, Name: "@babel/core"},
		{Ecosystem: Debian, Name: "zlib"}, {Ecosystem: Debian, Name: "commons-io"}, {Ecosystem: Debian, Name: "haskell-lens"},
	} {
		if name, found := x.Excludes(p); found {
			t.Errorf("%s is excluded as %s", p.Key(), name)
		}
	}
}

func TestEveryListedRepositoryIsExcluded(t *testing.T) {
	x := exclusion(t)
	text, err := os.ReadFile("exclude.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(text)) {
		if _, found := x.Excludes(Package{Ecosystem: Go, Name: "github.com/" + name}); !found {
			t.Errorf("module github.com/%s is not excluded", name)
		}
		if x.Home(`"url": "git+https://github.com/`+name+`.git"`) == "" {
			t.Errorf("metadata that names %s does not exclude", name)
		}
	}
}

func TestHome(t *testing.T) {
	x := exclusion(t)
	for text, want := range map[string]string{
		"opts=uversionmangle=s/rc/~rc/ https://github.com/pallets/flask/tags .*/v?(\\d\\S+)": "pallets/flask",
		"git@github.com:Seldaek/monolog.git":                                                 "seldaek/monolog",
		"https://github.com/pallets/flask-wtf":                                               "",
		"Homepage: https://example.org/flask":                                                "",
	} {
		if got := x.Home(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// original is code that the tests take for a repository that may not be trained on.
const original = `
// Insert puts a node into the tree and moves the others so that the heights of the two sides differ by at most one.
func (t *Tree) Insert(key string, value []byte) error {
	if t.closed {
		return ErrClosed
	}
	n := t.root
	var path []*node
	for n != nil {
		path = append(path, n)
		switch compare(key, n.key) {
		case 0:
			n.value = append(n.value[:0], value...)
			return nil
		case -1:
			n = n.left
		default:
			n = n.right
		}
	}
	fresh := &node{key: key, value: value, height: 1}
	for i := len(path) - 1; i >= 0; i-- {
		parent := path[i]
		attach(parent, fresh)
		rebalance(parent, depthOf(parent.left), depthOf(parent.right))
		fresh = parent
	}
	t.size++
	t.root = fresh
	return t.log.append(record{kind: inserted, key: key, length: len(value), generation: t.generation})
}
`

const unrelated = `
def parse_header(line, strict=False):
    """Split a header line into its name and value."""
    name, separator, value = line.partition(":")
    if not separator and strict:
        raise ValueError("header without a colon: %r" % line)
    parameters = {}
    for part in value.split(";")[1:]:
        key, _, text = part.strip().partition("=")
        parameters[key.lower()] = text.strip('"')
    return name.strip().lower(), value.split(";")[0].strip(), parameters
`

func TestNearDuplicates(t *testing.T) {
	many := original + strings.ReplaceAll(original, "node", "leaf") + strings.ReplaceAll(original, "key", "name")
	prints := Merge([]Fingerprints{Sketch(many)})
	if len(prints) < 5 {
		t.Fatalf("%d fingerprints are too few to test with", len(prints))
	}
	tabs := strings.ReplaceAll(many, "\t", "    ")
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"itself": {many, true}, "other white space": {tabs, true}, "capitals": {strings.ToUpper(many), true}, "within more": {unrelated + many + unrelated, true},
		"unrelated": {unrelated, false}, "nothing": {"", false},
	} {
		if got := prints.Copied(Sketch(test.text)); got != test.want {
			t.Errorf("%s: copied %v, want %v", name, got, test.want)
		}
	}
}

func TestCommonTextIsNoFingerprint(t *testing.T) {
	licence := "Permission is granted to anyone who reads every single word of this long and winding text aloud in one breath. " + original
	sketch := Sketch(licence)
	if len(Merge([]Fingerprints{sketch, sketch, sketch})) != 0 {
		t.Error("text of three repositories is kept")
	}
	if got := Merge([]Fingerprints{sketch, sketch}); !slices.Equal(got, sketch) {
		t.Errorf("text of two repositories: %d of %d hashes", len(got), len(sketch))
	}
}

// TestCopiedFilesGiveNoPairs plants a vendored copy, a renamed folder and all, into a package.
func TestCopiedFilesGiveNoPairs(t *testing.T) {
	copied := "package tree\n" + original + strings.ReplaceAll(original, "Insert", "Upsert")
	own := "package own\n\n// Total adds the prices of all items in the cart, with taxes.\nfunc Total(cart []Item, rate float64) float64 {\n\tsum := 0.0\n\tfor _, item := range cart {\n\t\tsum += item.Price * (1 + rate)\n\t}\n\treturn sum\n}\n"
	dir := plant(t, map[string]string{"LICENSE": "MIT License", "internal/avl/tree.go": copied, "cart.go": own})
	x, err := ReadExclusion(strings.NewReader("somebody/avltree\n"), Sketch(copied))
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBuilder(x)
	if err != nil {
		t.Fatal(err)
	}
	p, pairs, err := b.Build(context.Background(), dir, Package{Ecosystem: Go, Name: "example.org/shop", Version: "v1.0.0"})
	if err != nil || p.Licence != "MIT" || p.Pairs != len(pairs) {
		t.Fatalf("%+v, %v", p, err)
	}
	found := false
	for _, pair := range pairs {
		if pair.Path != "cart.go" {
			t.Errorf("pair from %s: %q", pair.Path, pair.Query)
		}
		found = found || strings.Contains(pair.Query, "prices of all items")
	}
	if !found {
		t.Errorf("no pair of the doc comment in %+v", pairs)
	}
	again, samePairs, err := b.Build(context.Background(), dir, Package{Ecosystem: Go, Name: "example.org/shop", Version: "v1.0.0"})
	if err != nil || again != p || !slices.Equal(pairs, samePairs) {
		t.Errorf("a second build differs: %+v, %v", again, err)
	}
}

func TestBuildRefuses(t *testing.T) {
	x := exclusion(t)
	b, err := NewBuilder(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		p     Package
		files map[string]string
		want  error
	}{
		"name":     {Package{Ecosystem: NPM, Name: "express", Version: "1"}, nil, ErrExcluded},
		"home":     {Package{Ecosystem: NPM, Name: "speedy", Version: "1"}, map[string]string{"package.json": `{"license":"MIT","repository":"https://github.com/expressjs/express"}`}, ErrExcluded},
		"licence":  {Package{Ecosystem: NPM, Name: "speedy", Version: "1"}, map[string]string{"package.json": `{"license":"GPL-3.0"}`}, ErrLicence},
		"no terms": {Package{Ecosystem: Go, Name: "example.org/x", Version: "v1"}, map[string]string{"a.go": "package a"}, ErrLicence},
	} {
		if _, _, err := b.Build(context.Background(), plant(t, test.files), test.p); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

func TestFingerprintFile(t *testing.T) {
	for _, f := range []Fingerprints{{}, {0}, {1, 2, 1 << 39}, Sketch(original)} {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := ReadFingerprints(bytes.NewReader(b.Bytes()))
		if err != nil || !slices.Equal(got, f) {
			t.Errorf("%v came back as %v, %v", f, got, err)
		}
		if _, err := ReadFingerprints(bytes.NewReader(b.Bytes()[:b.Len()-1])); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("cut off: %v", err)
		}
	}
}

func FuzzReadFingerprints(f *testing.F) {
	var b bytes.Buffer
	if err := Sketch(original).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ReadFingerprints(bytes.NewReader(data))
		if err == nil && !slices.IsSorted(got) {
			t.Errorf("not sorted: %v", got)
		}
	})
}

func TestReadExclusionRefuses(t *testing.T) {
	for _, text := range []string{"", "# only a comment\n", "flask\n", "a/b/c\n", "/x\n"} {
		if _, err := ReadExclusion(strings.NewReader(text), nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
