package rerank

import (
	"path"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// FeatureOptions weigh what a file's name, its other spans and the kind of a span tell beside the channels. The zero value
// leaves every feature out. configs/default.yaml names the measurement behind each default.
type FeatureOptions struct {
	FileName   float64 // for all but long texts: added to the best span of a file, times the best score and the share of the question's words in its name
	Folder     float64 // of a word that stands in the folder's name only, where one in the file's own counts 1
	NameFit    float64 // 0 to 1: how far FileName counts by the part of the name that the question holds
	Coherence  float64 // for names and places: added to the best span of a file, times the best score and its share of all scores
	Header     float64 // factor of the head of a file (imports, package comment); 0 means 1
	Roles      map[string]float64
	Declares   float64 // factor of a file that declares what another candidate's file of its name defines; 0 means 1
	Saturation float64 // factor of each further span of a file, on top of that of the one before; 0 means 1
}

// RoleNames are the roles that FeatureOptions.Roles can weigh: what a file is for, by its path and class.
func RoleNames() []string { return []string{"test", "document", "example", "legacy"} }

// Facts tells what the features need of candidates and files.
type Facts interface {
	FileReader
	Kind(c agenvantage.Candidate) agenvantage.SymbolKind
}

// ApplyFeatures changes the scores of candidates by the features and returns them in the order of
// agenvantage.CompareCandidates; those given are not changed. Roles are demoted, never excluded, and not at all when the
// question asks for them. Saturation is a step of its own (Saturate), since it depends on the final order.
func ApplyFeatures(candidates []agenvantage.Candidate, facts Facts, query agenvantage.Query, o FeatureOptions) []agenvantage.Candidate {
	if len(candidates) == 0 {
		return candidates
	}
	out := slices.Clone(candidates)
	asked := rolesAskedFor(query)
	for i := range out {
		c := &out[i]
		if o.Header != 0 && facts.Kind(*c) == agenvantage.ChunkHeader {
			scale(c, "header", o.Header)
		}
		demote(c, facts, asked, o.Roles)
	}
	demoteDeclarations(out, facts, o)
	slices.SortFunc(out, agenvantage.CompareCandidates)
	top := out[0].Score
	if o.Coherence > 0 && (query.Class == agenvantage.ClassIdentifier || query.Class == agenvantage.ClassPath) {
		addToBest(out, "file_coherence", shares(out), o.Coherence*top)
	}
	addFileNames(out, facts, query, o)
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out
}

// addFileNames adds to the best span of each file what its name says, of candidates in order: as much less as its role is
// demoted. The many words of a report meet the
// names of files by chance: on issue tasks the names changed strict acc@5 by nothing and acc@3 by -.016.
func addFileNames(ordered []agenvantage.Candidate, files FileReader, query agenvantage.Query, o FeatureOptions) {
	if o.FileName <= 0 || query.Class.IsReport() || len(ordered) == 0 {
		return
	}
	words, asked, share := nameWords(query), rolesAskedFor(query), map[uint32]float64{}
	for _, c := range ordered {
		if _, known := share[c.File]; !known {
			share[c.File] = nameShare(files.Path(c.File), words, o.Folder, o.NameFit) * roleFactor(c.File, files, asked, o.Roles)
		}
	}
	addToBest(ordered, "file_name", share, o.FileName*ordered[0].Score)
}

// demote applies the factors of the roles of a candidate's file, but for those that are asked for.
func demote(c *agenvantage.Candidate, files FileReader, asked map[string]bool, factors map[string]float64) {
	for _, role := range RoleNames() {
		if f, ok := factors[role]; ok && !asked[role] && hasRole(role, files.Path(c.File), files.Class(c.File)) {
			scale(c, "role:"+role, f)
		}
	}
}

// roleFactor is the product of the factors of the roles of a file, but for those that are asked for.
func roleFactor(file uint32, files FileReader, asked map[string]bool, factors map[string]float64) float64 {
	product := 1.0
	for _, role := range RoleNames() {
		if f, ok := factors[role]; ok && !asked[role] && hasRole(role, files.Path(file), files.Class(file)) {
			product *= f
		}
	}
	return product
}

// demoteDeclarations applies the factor of declarations.
func demoteDeclarations(candidates []agenvantage.Candidate, files FileReader, o FeatureOptions) {
	if o.Declares == 0 || o.Declares == 1 {
		return
	}
	declares := declarations(candidates, files)
	for i := range candidates {
		if declares[candidates[i].File] {
			scale(&candidates[i], "declaration", o.Declares)
		}
	}
}

// Saturate multiplies the score of the n-th span of a file by factor to the power of n-1, in the order given, and returns
// the candidates in the order of agenvantage.CompareCandidates: a file that has been shown has said most of what it says.
func Saturate(candidates []agenvantage.Candidate, factor float64) []agenvantage.Candidate {
	if factor == 0 || factor == 1 {
		return candidates
	}
	out, next := slices.Clone(candidates), map[uint32]float64{}
	for i := range out {
		c := &out[i]
		f, shown := next[c.File]
		if shown {
			scale(c, "file_saturation", f)
			next[c.File] = f * factor
		} else {
			next[c.File] = factor
		}
	}
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out
}

// scale multiplies a score and keeps the change as a part.
func scale(c *agenvantage.Candidate, name string, factor float64) {
	add(c, name, (factor-1)*c.Score)
}

func add(c *agenvantage.Candidate, name string, value float64) {
	if value == 0 {
		return
	}
	c.Parts = append(slices.Clone(c.Parts), agenvantage.Part{Name: name, Value: value})
	c.Score += value
}

// addToBest adds weight times the file's share to the first span of each file.
func addToBest(ordered []agenvantage.Candidate, name string, share map[uint32]float64, weight float64) {
	seen := map[uint32]bool{}
	for i := range ordered {
		c := &ordered[i]
		if !seen[c.File] {
			seen[c.File] = true
			add(c, name, weight*share[c.File])
		}
	}
}

// shares is, for each file, the sum of its scores in parts of the largest such sum.
func shares(candidates []agenvantage.Candidate) map[uint32]float64 {
	sums, largest := map[uint32]float64{}, 0.0
	for _, c := range candidates {
		sums[c.File] += c.Score
		largest = max(largest, sums[c.File])
	}
	if largest > 0 {
		for f := range sums {
			sums[f] /= largest
		}
	}
	return sums
}

const (
	minNameWord   = 3   // letters of a word that is compared with names
	minNamePrefix = 3   // letters of a name's part that a word may go on from, or stop in
	minFormed     = 4   // letters of words that may be forms of one
	minNameShare  = 0.1 // one word of a long report says nothing about a file
)

// form is a word in lower case and its stem, "" where it is too short to have forms.
type form struct{ text, stem string }

func formOf(word string) form {
	if len(word) < minFormed {
		return form{text: word}
	}
	return form{word, stemOf(word)}
}

// nameWords are the words of the question that can be part of a file's name.
func nameWords(q agenvantage.Query) []form {
	var words []form
	for _, t := range q.Terms {
		if len(t.Text) >= minNameWord && !analysis.IsStopWord(t.Text) {
			words = append(words, formOf(t.Text))
		}
	}
	return words
}

// nameShare is the share of words that the file's name without its endings holds as a part or as the beginning of one;
// those that its folder's name holds count folder each. Of that, fit counts by how much of the name the words hold: of request_id
// and logger, request logging names the second.
func nameShare(file string, words []form, folder, fit float64) float64 {
	if len(words) == 0 {
		return 0
	}
	stem, _, _ := strings.Cut(strings.TrimLeft(path.Base(file), "."), ".")
	own, around := nameParts(stem), nameParts(path.Base(path.Dir(file)))
	matched := 0.0
	for _, w := range words {
		if alike(w, own) {
			matched++
		} else if alike(w, around) {
			matched += folder
		}
	}
	share := matched / float64(len(words))
	if share < minNameShare {
		return 0
	}
	if len(own) > 1 {
		own = own[1:] // the parts without the whole
	}
	asked := 0
	for i := range own {
		if slices.ContainsFunc(words, func(w form) bool { return alike(w, own[i:i+1]) }) {
			asked++
		}
	}
	return share * (1 - fit + fit*float64(asked)/float64(len(own)))
}

// nameParts are a name and, where it has several, its parts.
func nameParts(name string) []form {
	lower := strings.ToLower(name)
	parts := []form{formOf(lower)}
	for _, p := range analysis.SplitIdentifier(name) {
		if p = strings.ToLower(p); p != lower {
			parts = append(parts, formOf(p))
		}
	}
	return parts
}

// alike reports whether word is one of parts, one of the two begins with the other (session and sessions), or both are forms of
// one word (logging and logger).
func alike(word form, parts []form) bool {
	return slices.ContainsFunc(parts, func(p form) bool {
		return p.text == word.text || len(p.text) >= minNamePrefix && (strings.HasPrefix(word.text, p.text) || strings.HasPrefix(p.text, word.text)) ||
			p.stem != "" && p.stem == word.stem
	})
}

// exampleFolders hold programs that show how the product is used.
var exampleFolders = []string{"example", "examples", "_examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials", "benchmark", "benchmarks"}

// legacyFolders hold what was replaced: archives, and shims for older versions.
var legacyFolders = []string{"archive", "archives", "archived", "_archive", "_archived", "legacy", "_legacy", "deprecated", "obsolete", "attic", "old", "_old", "compat"}

// changeLogs are the names of documents that tell what was.
var changeLogs = []string{"changelog", "changes", "history", "news", "releases", "release-notes", "release_notes", "whatsnew"}

func inFolder(file string, names []string) bool {
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(names, strings.ToLower(folder)) {
			return true
		}
	}
	return false
}

// hasRole reports what a file is for.
func hasRole(role, file string, class agenvantage.Class) bool {
	switch role {
	case "test":
		return class.Has(agenvantage.ClassTest)
	case "document":
		return class.Has(agenvantage.ClassDocument)
	case "example":
		return inFolder(file, exampleFolders)
	case "legacy":
		stem, _, _ := strings.Cut(strings.ToLower(path.Base(file)), ".")
		return inFolder(file, legacyFolders) || class.Has(agenvantage.ClassDocument) && slices.Contains(changeLogs, stem)
	}
	return false
}

// roleWords are the words by which a question asks for files of a role.
var roleWords = map[string][]string{
	"test":     {"test", "tests", "testing", "tested", "unittest", "spec", "specs", "fixture", "fixtures", "mock", "mocks"},
	"document": {"doc", "docs", "document", "documents", "documentation", "documented", "readme", "changelog", "guide", "tutorial", "markdown"},
	"example":  {"example", "examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials", "benchmark", "benchmarks"},
	"legacy":   {"changelog", "changelogs", "release", "releases", "legacy", "archive", "archives", "archived", "deprecated", "deprecation", "obsolete", "compat", "compatibility", "old", "older"},
}

// rolesAskedFor are the roles that the question names, in a word or in a path. A long report that mentions a test is about
// the code.
func rolesAskedFor(q agenvantage.Query) map[string]bool {
	asked := map[string]bool{}
	for role, words := range roleWords {
		if !q.Class.IsReport() {
			asked[role] = slices.ContainsFunc(q.Terms, func(t agenvantage.Term) bool { return slices.Contains(words, t.Text) })
		}
		for _, p := range q.Paths {
			for part := range strings.FieldsFuncSeq(strings.ToLower(p), func(r rune) bool { return strings.ContainsRune("/._-", r) }) {
				asked[role] = asked[role] || slices.Contains(words, part) && q.Class == agenvantage.ClassPath
			}
		}
	}
	return asked
}
