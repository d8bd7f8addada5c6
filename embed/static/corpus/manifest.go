package corpus

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"agenvantage"
)

// The ecosystems that packages come from.
const (
	Go     = "go"     // modules, by the go command
	NPM    = "npm"    // tarballs, by the npm command
	Debian = "debian" // source packages, by apt-get
	Deb    = "deb"    // Debian's binary packages of languages that are installed as source, by apt-get
)

// Package is one row of the manifest: what was fetched, under which licence, and what came of it.
type Package struct {
	Ecosystem string
	Name      string
	Version   string
	Licence   string // SPDX-like, as detected; "" in a row that was never fetched
	SHA256    string // of the archive as fetched, hexadecimal; "" likewise
	Pairs     int    // pairs that it gave
	PairsHash string // first 16 hexadecimal digits of the SHA-256 of its pairs
}

// Key names the package in messages and in files.
func (p Package) Key() string {
	return p.Ecosystem + "-" + strings.NewReplacer("/", "+", "@", "").Replace(p.Name)
}

// manifestHead is the first line of a manifest.
const manifestHead = "# ecosystem\tname\tversion\tlicence\tsha256\tpairs\tpairs-hash"

// ReadManifest reads rows of tab-separated columns; the columns after the version may be missing, which asks for the package
// without pinning its content. Lines that begin with # are comments. The rows come back in the order of Sort.
func ReadManifest(r io.Reader) ([]Package, error) {
	var out []Package
	seen := map[string]int{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, err := parseRow(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("manifest line %d: %w", n, err)
		}
		if before := seen[p.Key()]; before > 0 {
			return nil, fmt.Errorf("manifest line %d: %s is in line %d already: %w", n, p.Key(), before, agenvantage.ErrBadInput)
		}
		seen[p.Key()] = n
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	Sort(out)
	return out, nil
}

func parseRow(columns []string) (Package, error) {
	if len(columns) < 3 || len(columns) > 7 {
		return Package{}, fmt.Errorf("%d columns, want 3 to 7: %w", len(columns), agenvantage.ErrBadInput)
	}
	for len(columns) < 7 {
		columns = append(columns, "")
	}
	p := Package{Ecosystem: columns[0], Name: columns[1], Version: columns[2], Licence: columns[3], SHA256: columns[4], PairsHash: columns[6]}
	switch p.Ecosystem {
	case Go, NPM, Debian, Deb:
	default:
		return Package{}, fmt.Errorf("ecosystem %q: %w", p.Ecosystem, agenvantage.ErrBadInput)
	}
	if p.Name == "" || p.Version == "" || strings.HasPrefix(p.Name, "-") || strings.ContainsAny(p.Name+p.Version, " \\;$\"'`") {
		return Package{}, fmt.Errorf("name %q, version %q: %w", p.Name, p.Version, agenvantage.ErrBadInput)
	}
	if columns[5] != "" {
		n, err := strconv.Atoi(columns[5])
		if err != nil || n < 0 {
			return Package{}, fmt.Errorf("pairs %q: %w", columns[5], agenvantage.ErrBadInput)
		}
		p.Pairs = n
	}
	return p, nil
}

// Sort puts packages into the one order of manifests: ecosystem, then name.
func Sort(packages []Package) {
	slices.SortFunc(packages, func(a, b Package) int {
		return cmp.Or(strings.Compare(a.Ecosystem, b.Ecosystem), strings.Compare(a.Name, b.Name))
	})
}

// FormatManifest is the text of a manifest: what ReadManifest reads.
func FormatManifest(packages []Package) string {
	var b strings.Builder
	b.WriteString(manifestHead + "\n")
	for _, p := range packages {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", p.Ecosystem, p.Name, p.Version, p.Licence, p.SHA256, p.Pairs, p.PairsHash)
	}
	return b.String()
}

// ManifestHash is the SHA-256 of the manifest's text, hexadecimal. A model carries that of the manifest it was made from.
func ManifestHash(packages []Package) string {
	sum := sha256.Sum256([]byte(FormatManifest(packages)))
	return hex.EncodeToString(sum[:])
}
