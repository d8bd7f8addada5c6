package app

import (
	"path"
	"strings"
	"sync"
)

// packFacts are what packs need of every file of a view; they are found once for it.
type packFacts struct {
	once         sync.Once
	roles        []fileRole
	instructions []uint32
	tests        int
	code         int                 // files of the role code
	byName       map[string][]uint32 // lower-case base name of a test, without extension
}

// packFacts finds them when they are first asked for.
func (c *corpus) packFacts() *packFacts {
	f := &c.facts
	f.once.Do(func() {
		f.roles, f.byName = make([]fileRole, c.FileCount()), map[string][]uint32{}
		for file := range uint32(c.FileCount()) {
			info := c.File(file)
			f.roles[file] = roleOf(info.File)
			if isInstruction(info.Path) {
				f.instructions = append(f.instructions, file)
			}
			if f.roles[file] == roleCode {
				f.code++
			}
			if f.roles[file] == roleTest {
				f.tests++
				base := path.Base(info.Path)
				base = strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
				f.byName[base] = append(f.byName[base], file)
			}
		}
	})
	return f
}

// roleOf is the role of a file of the view.
func (c *corpus) roleOf(file uint32) fileRole { return c.packFacts().roles[file] }
