package app

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/plan"
)

// fillUnresolved lists what the task names and nothing in the repository answers to.
func (p *packer) fillUnresolved() error {
	s := p.slots[agenvantage.SlotUnresolved]
	var lacking []string
	for _, a := range p.task.Anchors {
		if p.loneWord(a) {
			continue
		}
		found, err := p.anchorFound(a)
		if err != nil {
			return err
		}
		if !found && plan.IsNewName(p.task.Text, a.Text) {
			continue
		}
		p.signs.Anchors++
		named := a.Kind == agenvantage.AnchorPath || a.Kind == agenvantage.AnchorFrame || a.Kind == agenvantage.AnchorIdentifier || a.Kind == agenvantage.AnchorTest
		if named {
			p.signs.Named++
		}
		if found {
			p.signs.AnchorsFound++
			if named {
				p.signs.NamedFound++
			}
		} else {
			lacking = append(lacking, fmt.Sprintf("%s %s is in no indexed file", strings.ReplaceAll(string(a.Kind), "_", " "), p.quoted(a)))
		}
	}
	about := &spoken{names: p.signs.AnchorsFound, absent: p.signs.Anchors - p.signs.AnchorsFound}
	for _, c := range p.task.Concepts {
		if !slices.ContainsFunc(plan.ConceptWords(c), func(w string) bool { return !plan.IsTaskVerb(w) }) {
			continue // "refactor" is nothing that could be missing
		}
		absent, err := about.addConcept(p, c)
		if err != nil {
			return err
		}
		p.signs.Concepts++
		if len(absent) == len(plan.ConceptWords(c)) {
			p.signs.ConceptsLacking++
		}
		if len(absent) == 0 {
			p.signs.ConceptsFound++
		} else {
			lacking = append(lacking, fmt.Sprintf("concept %s: no indexed file holds %s", quoteShort(c.Text), strings.Join(absent, ", ")))
		}
	}
	about.settle(p)
	s.absent = len(lacking) == 0
	s.coverage = fmt.Sprintf("%d of %d names and %d of %d concepts are in indexed files", p.signs.AnchorsFound, p.signs.Anchors, p.signs.ConceptsFound, p.signs.Concepts)
	p.missing = append(p.missing, lacking[:min(len(lacking), maxLacking)]...)
	return nil
}

const maxLacking = 8

// asWritten is the text of an anchor in the task; of a key with the value that the task gives it.
func (p *packer) asWritten(a agenvantage.Anchor) string {
	if a.Kind != agenvantage.AnchorConfigKey {
		return a.Text
	}
	given := regexp.MustCompile(regexp.QuoteMeta(a.Text) + `[ \t]*[=:][ \t]*[^\s,;]+`)
	if s := given.FindString(p.task.Text); s != "" {
		return s
	}
	return a.Text
}

const mostQuoted = 60 // letters of what is quoted

func quoteShort(s string) string { return `"` + clipped(s, mostQuoted) + `"` }

// quoted is an anchor as a message has it: of a long path the end, which has the name of the file.
func (p *packer) quoted(a agenvantage.Anchor) string {
	text := p.asWritten(a)
	if r := []rune(text); (a.Kind == agenvantage.AnchorPath || a.Kind == agenvantage.AnchorFrame) && len(r) > mostQuoted {
		text = "…" + string(r[len(r)-mostQuoted+1:])
	}
	return quoteShort(text)
}

// anchorFound reports whether an anchor is in the index.
func (p *packer) anchorFound(a agenvantage.Anchor) (bool, error) {
	switch a.Kind {
	case agenvantage.AnchorPath, agenvantage.AnchorFrame:
		if found := p.pathFound(a.Text); found || !isDotted(a.Text) {
			return found, nil
		}
		nodes, err := p.definitionsOf(a.Text) // res.json is a member
		return len(nodes) > 0 || p.moduleFound(a.Text), err
	case agenvantage.AnchorString, agenvantage.AnchorRoute:
		return p.wordsFound(a.Text)
	}
	nodes, err := p.definitionsOf(a.Text)
	if err != nil || len(nodes) > 0 || p.moduleFound(a.Text) {
		return err == nil, err
	}
	return p.nameFound(a.Text)
}

// pathFound reports whether a path is that of a file or of a folder.
func (p *packer) pathFound(path string) bool {
	if cleanPath(path) == "." {
		return true
	}
	want := "/" + strings.TrimPrefix(path, "/")
	below := strings.TrimSuffix(want, "/") + "/"
	for f := range uint32(p.corpus.FileCount()) {
		have := "/" + p.corpus.Path(f)
		if strings.HasPrefix(have, below) || strings.HasSuffix(have, want) || strings.HasSuffix(want, have) {
			return true
		}
	}
	return len(channels.FilesAt(p.corpus, path, nil)) > 0
}

// namesDefinition reports whether an anchor may be the name of a definition: so may one that reads as a path, where no file is called so. res.json is
// a member then.
func (p *packer) namesDefinition(a agenvantage.Anchor) bool {
	switch a.Kind {
	case agenvantage.AnchorIdentifier, agenvantage.AnchorTest:
		return true
	case agenvantage.AnchorPath:
		return isDotted(a.Text) && !p.pathFound(a.Text)
	}
	return false
}

// isDotted reports whether a text is names joined by dots, as modules and members are: flask.json may be a file and src/flask/json/.
func isDotted(text string) bool {
	return strings.Contains(text, ".") && !strings.ContainsAny(text, `/\`)
}

// moduleFound reports whether a qualified name is that of a module: of folders one below the other, the last of which may be a file.
func (p *packer) moduleFound(name string) bool {
	parts := splitName(name)
	if len(parts) < 2 {
		return false
	}
	module := "/" + strings.Join(parts, "/")
	for f := range uint32(p.corpus.FileCount()) {
		if have := "/" + p.corpus.Path(f); strings.Contains(have, module+"/") || strings.Contains(have, module+".") {
			return true
		}
	}
	return false
}

// nameFound reports whether a name that has no definition stands in a text as a whole.
func (p *packer) nameFound(name string) (bool, error) {
	parts := splitName(name)
	for _, f := range p.evidence.Files[:min(len(p.evidence.Files), 50)] {
		text, err := p.corpus.Text(f.File)
		if err != nil {
			return false, err
		}
		if strings.Contains(text, name) || len(parts) == 1 && strings.Contains(text, parts[0]) {
			return true, nil
		}
	}
	return false, nil
}

// wordsFound reports whether one chunk holds all words of a text.
func (p *packer) wordsFound(text string) (bool, error) {
	in, whole := map[uint32]int{}, 0
	for _, w := range analysis.QueryTerms(text) {
		if w.Part {
			continue
		}
		whole++
		if err := p.corpus.Postings(channels.FieldBody, w.Text, func(doc uint32, _, _ int) { in[doc]++ }); err != nil {
			return false, err
		}
	}
	for _, n := range in {
		if n == whole {
			return true, nil
		}
	}
	return whole == 0, nil
}
