package scan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/scan/redact"
)

// gate decides by name, size and content whether a file belongs into the index, and masks what passes. Every source of
// files has one, so that a file is judged alike wherever its bytes come from.
type gate struct {
	maxFileBytes int64
	languages    map[string]string // extension or file name to language id, over the built-in table
}

// newGate expects valid options.
func newGate(o Options) gate {
	g := gate{maxFileBytes: cmp.Or(o.MaxFileBytes, DefaultMaxFileBytes), languages: map[string]string{}}
	for key, lang := range o.Languages {
		id, _ := CanonicalLanguage(lang)
		g.languages[strings.TrimPrefix(key, ".")] = id
		g.languages[strings.ToLower(strings.TrimPrefix(key, "."))] = id
	}
	return g
}

// byName leaves out files whose name alone says enough: they are never opened.
func (g *gate) byName(path string, size int64) *agenvantage.Skip {
	if what := credentialByName(path); what != "" {
		return &agenvantage.Skip{Path: path, Reason: agenvantage.SkipCredential, Detail: what, Size: size}
	}
	if isLockFile(path) {
		return &agenvantage.Skip{Path: path, Reason: agenvantage.SkipLock, Detail: "lock file of a package manager", Size: size}
	}
	return nil
}

// bySize leaves out files above the limit.
func (g *gate) bySize(path string, size int64) *agenvantage.Skip {
	if size <= g.maxFileBytes {
		return nil
	}
	return &agenvantage.Skip{Path: path, Reason: agenvantage.SkipTooLarge, Size: size, Limit: g.maxFileBytes,
		Detail: fmt.Sprintf("%d bytes, the limit is %d", size, g.maxFileBytes)}
}

// accept decodes, classifies and masks the bytes of one file.
func (g *gate) accept(file agenvantage.File, content []byte) (Source, *agenvantage.Skip) {
	skip := func(reason agenvantage.SkipReason, detail string) (Source, *agenvantage.Skip) {
		return Source{}, &agenvantage.Skip{Path: file.Path, Reason: reason, Detail: detail, Size: file.Size}
	}
	text, encoding, ok := decodeText(content)
	if !ok {
		return skip(agenvantage.SkipBinary, "")
	}
	if isPrivateKeyFile(file.Path, text) {
		return skip(agenvantage.SkipCredential, "private key")
	}
	file.Hash = xxh3.Hash128(content).Bytes()
	file.Encoding = encoding
	file.Lang = detectLanguage(file.Path, text[:min(len(text), headBytes)], g.languages)
	file.Class = classify(file.Path, file.Lang, text)
	if file.Class.Has(agenvantage.ClassMinified) && file.Size > maxMinifiedBytes {
		return Source{}, &agenvantage.Skip{Path: file.Path, Reason: agenvantage.SkipMinified, Detail: minifiedDetail(text),
			Size: file.Size, Limit: maxMinifiedBytes}
	}
	text, findings := redact.Mask(file.Path, file.Lang, text)
	file.Masked = len(findings)
	return Source{File: file, Text: text}, nil
}

// leaveOutIgnored moves the paths that a rule of our own excludes into l.Skips and returns the others, in place. ignore
// may be nil. The first rule that excludes something becomes l.DecidingRule.
func leaveOutIgnored(l *Listing, ignore *ignoreMatcher, paths []string) []string {
	if ignore == nil {
		return paths
	}
	kept := paths[:0]
	for _, p := range paths {
		if rule := ignore.excludes(p, false); rule != nil {
			l.Skips = append(l.Skips, agenvantage.Skip{Path: p, Reason: agenvantage.SkipOwnIgnore, Detail: rule.String()})
			l.DecidingRule = cmp.Or(l.DecidingRule, rule.String())
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// sortSkips puts skips into their order, one for each path.
func sortSkips(skips []agenvantage.Skip) []agenvantage.Skip {
	slices.SortFunc(skips, func(a, b agenvantage.Skip) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return slices.CompactFunc(skips, func(a, b agenvantage.Skip) bool { return a.Path == b.Path })
}
