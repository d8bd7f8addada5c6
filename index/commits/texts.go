package commits

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Text is what is shown of a commit.
type Text struct {
	ID      string
	Subject string // secrets masked, at most maxSubjectBytes
	Author  string // as the commit has it
	Email   string
	Written time.Time // by its author; UTC
}

// Texts reads what is shown of commits, in their order.
func (v *View) Texts(commits []uint32) ([]Text, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	texts := make([]Text, len(commits))
	if len(commits) == 0 {
		return texts, nil
	}
	if v.authors == nil {
		h, err := readHead(v.tx)
		if err != nil {
			return nil, fault("read", v.file, err)
		}
		if v.authors, err = namesOf(v.tx, nameAuthor, h.authorNext); err != nil {
			return nil, fault("read", v.file, err)
		}
	}
	for i, c := range commits {
		at := int(v.order[c])
		subject, err := v.subject(at)
		if err != nil {
			return nil, fault("read", v.file, err)
		}
		r := &v.rows[at]
		if int(r.author) >= len(v.authors) {
			return nil, fmt.Errorf("%w: %s: an author without a name", ErrCorrupt, v.file)
		}
		name, email, _ := strings.Cut(v.authors[r.author], "\x00")
		texts[i] = Text{ID: hexID(r.id), Subject: subject, Author: name, Email: email, Written: time.Unix(r.written, 0).UTC()}
	}
	return texts, nil
}

// Subject is what Texts gives as such.
func (v *View) Subject(commit uint32) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	subject, err := v.subject(int(v.order[commit]))
	return subject, fault("read", v.file, err)
}

// subject reads a subject from its block. Blocks that were read are kept: all of a history of 60,000 commits take 4 MB.
func (v *View) subject(at int) (string, error) {
	if i, ok := slices.BinarySearchFunc(v.blocks, at, func(b subjectBlock, at int) int {
		return cmp.Compare(b.first, at)
	}); ok || i > 0 {
		if !ok {
			i--
		}
		if b := v.blocks[i]; at < b.first+len(b.texts) {
			return b.texts[at-b.first], nil
		}
	}
	var first int
	var packed []byte
	if err := v.tx.QueryRow(`SELECT first, subjects FROM blocks WHERE first <= ? ORDER BY first DESC LIMIT 1`, at).Scan(&first, &packed); err != nil {
		return "", err
	}
	texts, err := unpackTexts(packed)
	if err != nil {
		return "", err
	}
	if at-first >= len(texts) {
		return "", fmt.Errorf("%w: a commit without a subject", ErrCorrupt)
	}
	i, _ := slices.BinarySearchFunc(v.blocks, first, func(b subjectBlock, first int) int { return cmp.Compare(b.first, first) })
	v.blocks = slices.Insert(v.blocks, i, subjectBlock{first, texts})
	return texts[at-first], nil
}
