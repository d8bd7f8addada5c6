package corpus

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/extract"
	"agenvantage/scan"
)

// MaxPairs is the most samples that one package gives: none may dominate.
const MaxPairs = 3000

// kindShare is the part of MaxPairs that each kind may take while other kinds have more than theirs, in percent.
var kindShare = map[string]int{KindDoc: 45, KindComment: 20, KindName: 15, KindError: 8, KindTest: 6, KindHeading: 6}

// ErrExcluded says that a package may not be trained on; ErrLicence that its licence does not allow it or is not known; ErrTooSlow that a file
// of it was not read within parseGuard.
var (
	ErrExcluded = errors.New("package is excluded")
	ErrLicence  = errors.New("licence is not permissive")
	ErrTooSlow  = errors.New("reading a file took too long")
)

// parseGuard ends the parse of one file, and with it the package. What a file may cost is bounded by its bytes (maxFileBytes), which are the
// same everywhere: 400 kB take a second or two of one core. A file that runs into this limit must not give fewer pairs, or the pairs would
// depend on how fast and how busy the machine is: with 5 s as the limit, and what was cut off kept as text, mathjs gave 42 pairs instead of 484.
const parseGuard = 5 * time.Minute

// Builder makes pairs of packages.
type Builder struct {
	Exclude   *Exclusion
	extractor *extract.Extractor
}

// NewBuilder returns a Builder that leaves out what exclude names.
func NewBuilder(exclude *Exclusion) (*Builder, error) {
	e, err := extract.New(extract.Options{ParseTimeout: parseGuard})
	if err != nil {
		return nil, err
	}
	return &Builder{Exclude: exclude, extractor: e}, nil
}

// Build makes the pairs of the package whose sources lie in dir, in their final order, and sets Licence, Pairs and
// PairsHash. A package that may not be used is an error wrapping ErrExcluded or ErrLicence, one that this machine cannot read to the end an
// error wrapping ErrTooSlow or that of the file system: it never gives fewer pairs for it.
func (b *Builder) Build(ctx context.Context, dir string, p Package) (Package, []Pair, error) {
	if home, found := b.Exclude.Excludes(p); found {
		return p, nil, fmt.Errorf("%s: name of %s: %w", p.Key(), home, ErrExcluded)
	}
	if home := b.Exclude.Home(metadataOf(dir)); home != "" {
		return p, nil, fmt.Errorf("%s: metadata names %s: %w", p.Key(), home, ErrExcluded)
	}
	p.Licence = licenceOf(dir)
	if !Permissive(p.Licence) {
		return p, nil, fmt.Errorf("%s: %q: %w", p.Key(), p.Licence, ErrLicence)
	}
	paths, err := sourcePaths(dir)
	if err != nil {
		return p, nil, fmt.Errorf("list %s: %w", p.Key(), err)
	}
	c := &collector{extractor: b.extractor, byName: map[string][]int{}}
	for _, path := range paths {
		text, ok, err := readSource(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return p, nil, fmt.Errorf("read %s of %s: %w", path, p.Key(), err)
		}
		if !ok || generated(text) || b.Exclude.Fingerprints.Copied(Sketch(text)) {
			continue
		}
		if err := c.file(ctx, installedPath.ReplaceAllString(path, ""), text); err != nil {
			return p, nil, fmt.Errorf("read %s of %s: %w", path, p.Key(), err)
		}
		if len(c.pairs) > 4*MaxPairs {
			break
		}
	}
	c.testsOf()
	c.headingsOf()
	pairs := b.choose(c.pairs)
	p.Pairs, p.PairsHash = len(pairs), hashPairs(pairs)
	return p, pairs, nil
}

// installedPath is where distributions lay the sources of a package.
var installedPath = regexp.MustCompile(`^usr/(?:lib|share|include)/(?:python3/dist-packages/|cargo/registry/[^/]+/|ruby/(?:vendor_ruby|gems/[^/]+)/|rubygems-integration/[^/]+/gems/[^/]+/|` +
	`(?:php|nodejs|perl5|lua/[0-9.]+|x86_64-linux-gnu)/|gocode/src/)?`)

// choose drops what repeats or was copied from an excluded repository and cuts each kind to its share.
func (b *Builder) choose(all []Pair) []Pair {
	slices.SortStableFunc(all, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.order, y.order), strings.Compare(x.Path, y.Path)) })
	queries, bodies := map[string]int{}, map[string]bool{}
	for _, p := range all {
		queries[flatten(p.Query)]++
	}
	byKind := map[string][]Pair{}
	for _, p := range all {
		q := flatten(p.Query)
		n := queries[q]
		if n > 20 || n < 0 { // boilerplate, or taken
			continue
		}
		body := p.Kind + flatten(p.Body)
		if bodies[body] || b.Exclude.Fingerprints.Copied(Sketch(p.Body)) {
			continue
		}
		queries[q], bodies[body] = -1, true
		byKind[p.Kind] = append(byKind[p.Kind], p)
	}
	var kept, rest []Pair
	for _, kind := range Kinds() {
		share := min(len(byKind[kind]), MaxPairs*kindShare[kind]/100)
		kept, rest = append(kept, byKind[kind][:share]...), append(rest, byKind[kind][share:]...)
	}
	slices.SortStableFunc(rest, func(x, y Pair) int { return cmp.Compare(x.order, y.order) })
	return append(kept, rest[:min(len(rest), MaxPairs-len(kept))]...)
}

func hashPairs(pairs []Pair) string {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, p := range pairs {
		_ = e.Encode(p) // to a hash, of plain strings: cannot fail
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// metadataFiles say where a package is at home.
var metadataFiles = []string{"package.json", "debian/watch", "debian/control", "debian/copyright", "debian/upstream/metadata", "Cargo.toml", "setup.py", "setup.cfg",
	"pyproject.toml", "composer.json", "pom.xml", "META.json", "META.yml", "*.gemspec", "*.cabal", "*.rockspec", "mix.exs", "PKG-INFO",
	"usr/share/doc/*/copyright", "usr/share/cargo/registry/*/Cargo.toml.orig", "usr/share/nodejs/*/package.json", "usr/lib/python3/dist-packages/*.dist-info/METADATA"}

func metadataOf(dir string) string {
	var b strings.Builder
	for _, name := range metadataFiles {
		found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(name))) // the patterns are well formed
		for _, f := range found {
			if text, ok := readMetadata(f); ok {
				b.WriteString(text + "\n")
			}
		}
	}
	return b.String()
}

// licenceOf names the licence of the sources in dir: what debian/copyright says, then package.json, then the text of a licence file.
func licenceOf(dir string) string {
	installed, _ := filepath.Glob(filepath.Join(dir, "usr", "share", "doc", "*", "copyright"))
	for _, name := range append([]string{filepath.Join(dir, "debian", "copyright")}, installed...) {
		if text, ok := readMetadata(name); ok {
			return LicenceOfDebian(text)
		}
	}
	if text, ok := readMetadata(filepath.Join(dir, "package.json")); ok {
		var meta struct {
			License any `json:"license"`
		}
		if json.Unmarshal([]byte(text), &meta) == nil {
			if name, ok := meta.License.(string); ok && !strings.HasPrefix(strings.ToUpper(name), "SEE ") {
				return LicenceOfName(name)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries { // sorted by name
		lower := strings.ToLower(e.Name())
		if strings.HasPrefix(lower, "licen") || strings.HasPrefix(lower, "copying") || strings.HasPrefix(lower, "unlicense") {
			if text, ok := readMetadata(filepath.Join(dir, e.Name())); ok {
				if l := LicenceOfText(text); l != "" {
					return l
				}
			}
		}
	}
	return ""
}

// sourcePaths lists the files that may give samples: sources before what was built from them, within that in the order of
// a hash, so that a package that is cut off gives a sample of all of it.
func sourcePaths(dir string) ([]string, error) {
	type ranked struct {
		path string
		rank int
		hash uint64
	}
	var all []ranked
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		name := d.Name()
		if d.IsDir() {
			if rel == "debian" || rel == "usr/share/doc" || name == "node_modules" || name == ".git" || name == ".pc" || name == "locale" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !utf8.ValidString(rel) {
			return nil
		}
		lang, class := scan.ClassifyPath(rel)
		if class.Has(agenvantage.ClassVendored) || class.Has(agenvantage.ClassLock) || class.Has(agenvantage.ClassGenerated) || strings.Contains(name, ".min.") {
			return nil
		}
		if scan.IsCode(lang) || lang == "markdown" || lang == "rst" {
			all = append(all, ranked{rel, builtRank(rel), hashOf(rel)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.hash, b.hash), strings.Compare(a.path, b.path))
	})
	written := 0
	for written < len(all) && all[written].rank == 0 {
		written++
	}
	if written >= 5 { // bundles of a package that comes with its sources are copies of them
		all = slices.DeleteFunc(all, func(r ranked) bool { return r.rank == 2 })
	}
	paths := make([]string, len(all))
	for i, r := range all {
		paths[i] = r.path
	}
	return paths, nil
}

// builtRank is 0 for what people write, 1 for declarations made from it, 2 for bundles.
func builtRank(path string) int {
	for folder := range strings.SplitSeq(strings.ToLower(path), "/") {
		switch folder {
		case "dist", "umd", "cjs", "esm", "bundles", "build", "fesm2022", "es", "es5", "es6", "_esm", "_cjs", "commonjs":
			return 2
		}
	}
	if strings.HasSuffix(path, ".d.ts") || strings.HasSuffix(path, ".d.mts") || strings.HasSuffix(path, ".d.cts") {
		return 1
	}
	return 0
}

// readSource reads a file of text; ok is false for what is none, or is larger than maxFileBytes.
func readSource(file string) (text string, ok bool, err error) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return "", false, err
	}
	data, err := os.ReadFile(file)
	if err != nil || !utf8.Valid(data) || bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 {
		return "", false, err
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), true, nil
}

// readMetadata reads a file that need not be there.
func readMetadata(file string) (string, bool) {
	text, ok, err := readSource(file)
	return text, ok && err == nil
}

// generated reports whether a file says at its head that a program wrote it, or was squeezed.
func generated(text string) bool {
	head := strings.ToLower(text[:min(len(text), 1200)])
	for _, sign := range []string{"code generated", "do not edit", "@generated", "auto-generated", "autogenerated", "automatically generated", "generated by"} {
		if strings.Contains(head, sign) {
			return true
		}
	}
	return len(text) > 2000 && len(text)/(1+strings.Count(text, "\n")) > 160
}
