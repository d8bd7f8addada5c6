package app

import (
	"fmt"
	"regexp"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
)

// fillUnresolved lists what the task names and nothing in the repository answers to.
func (p *packer) fillUnresolved() error {
	s := p.slots[agenvantage.SlotUnresolved]
	var lacking []string
	for _, a := range p.task.Anchors {
		found, err := p.anchorFound(a)
		if err != nil {
			return err
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
			lacking = append(lacking, fmt.Sprintf("%s %s is in no indexed file", strings.ReplaceAll(string(a.Kind), "_", " "), quoteShort(p.asWritten(a))))
		}
	}
	for _, c := range p.task.Concepts {
		var absent []string
		for _, term := range c.Terms {
			found, err := p.termFound(term)
			if err != nil {
				return err
			}
			if !found {
				absent = append(absent, term)
			}
		}
		p.signs.Concepts++
		if len(absent) == len(c.Terms) {
			p.signs.ConceptsLacking++
		}
		if len(absent) == 0 {
			p.signs.ConceptsFound++
		} else {
			lacking = append(lacking, fmt.Sprintf("concept %s: no indexed file holds %s", quoteShort(c.Text), strings.Join(absent, ", ")))
		}
	}
	s.absent = len(lacking) == 0
	s.coverage = fmt.Sprintf("%d of %d names and %d of %d concepts are in indexed files", p.signs.AnchorsFound, p.signs.Anchors, p.signs.ConceptsFound, p.signs.Concepts)
	p.missing = append(p.missing, lacking[:min(len(lacking), maxLacking)]...)
	return nil
}

const maxLacking = 8

// termFound reports whether an indexed file holds a term or another form of the word that it is: "backticks" is found by "backtick".
func (p *packer) termFound(term string) (bool, error) {
	for _, form := range append([]string{term}, analysis.Forms(term)...) {
		n := 0
		for _, field := range []string{channels.FieldBody, channels.FieldPath, channels.FieldDoc, channels.FieldSymbol} {
			if err := p.corpus.Postings(field, form, func(uint32, int, int) { n++ }); err != nil {
				return false, err
			}
			if n > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

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

func quoteShort(s string) string { return `"` + clipped(s, 60) + `"` }

// anchorFound reports whether an anchor is in the index.
func (p *packer) anchorFound(a agenvantage.Anchor) (bool, error) {
	switch a.Kind {
	case agenvantage.AnchorPath, agenvantage.AnchorFrame:
		if cleanPath(a.Text) == "." {
			return true, nil
		}
		want := "/" + strings.TrimPrefix(a.Text, "/")
		below := strings.TrimSuffix(want, "/") + "/"
		for f := range uint32(p.corpus.FileCount()) {
			have := "/" + p.corpus.Path(f)
			if strings.HasPrefix(have, below) || strings.HasSuffix(have, want) || strings.HasSuffix(want, have) {
				return true, nil
			}
		}
		return false, nil
	case agenvantage.AnchorString, agenvantage.AnchorRoute:
		return p.wordsFound(a.Text)
	}
	nodes, err := p.definitionsOf(a.Text)
	if err != nil || len(nodes) > 0 {
		return len(nodes) > 0, err
	}
	return p.nameFound(a.Text)
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
