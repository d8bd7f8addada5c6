package channels

import (
	"cmp"
	"slices"
	"strings"
)

// maxNamedFiles is how many files that a question names are asked for their partners, and maxNamedCommits how many of the
// newest commits of each are looked at.
const (
	maxNamedFiles   = 8
	maxNamedCommits = 2000
)

// partner is why a file is there though no message speaks for it: it changes together with a file that the question names.
type partner struct {
	with          uint32
	together, all int // commits that touched both, and those that touched the named file
}

// addPartners gives files that change together with a named file a share of the best vote, by their confidence: the share
// of the named file's commits that touched them too (Zimmermann and others, Mining Version Histories, 2004). Commits that
// changed more than MaxFiles files count for nothing.
func (s *provenanceSearch) addPartners() error {
	if s.options.Cochange == 0 {
		return nil
	}
	best := 0.0
	for _, score := range s.score { // the largest, whatever the order
		best = max(best, score)
	}
	if best == 0 {
		best = 1
	}
	named := s.namedFiles()
	for _, file := range named {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		together, all := s.together(file)
		for other, count := range together {
			if count < s.options.MinSupport || slices.Contains(named, other) || !s.request.Scope.Has(other) {
				continue
			}
			p, had := s.partners[other]
			if !had || count*p.all > p.together*all { // the more confident of two
				s.partners[other] = partner{with: file, together: count, all: all}
			}
		}
	}
	for other, p := range s.partners {
		s.score[other] += s.options.Cochange * best * float64(p.together) / float64(p.all)
	}
	return nil
}

// together counts how often each file was changed by the commits that touched file.
func (s *provenanceSearch) together(file uint32) (counts map[uint32]int, all int) {
	counts = map[uint32]int{}
	touching := s.history.Touching(file)
	for _, commit := range touching[:min(len(touching), maxNamedCommits)] {
		_, _, changed, files := s.history.Commit(commit)
		if changed > s.options.MaxFiles {
			continue
		}
		all++
		for _, other := range files {
			if other != file {
				counts[other]++
			}
		}
	}
	return counts, all
}

// namedFiles are the files whose paths the question names, alone or in a frame, whole or by their last names.
func (s *provenanceSearch) namedFiles() []uint32 {
	var asked []string
	for _, p := range s.request.Query.Paths {
		asked = append(asked, strings.TrimPrefix(p, "./"))
	}
	for _, f := range s.request.Query.Frames {
		asked = append(asked, strings.TrimPrefix(f.Path, "./"))
	}
	slices.Sort(asked)
	asked = slices.Compact(asked)
	type found struct {
		file  uint32
		names int
	}
	var files []found
	for _, a := range asked[:min(len(asked), 4*maxNamedFiles)] {
		for file := range uint32(s.reader.FileCount()) {
			path := s.reader.Path(file)
			if !strings.HasSuffix(path, a[strings.LastIndexByte(a, '/')+1:]) {
				continue
			}
			if kind, names := pathFits(a, path); kind == fitWhole || kind == fitSuffix {
				files = append(files, found{file, names})
			}
		}
	}
	slices.SortFunc(files, func(a, b found) int { return cmp.Or(cmp.Compare(b.names, a.names), cmp.Compare(a.file, b.file)) })
	var named []uint32
	for _, f := range files {
		if !slices.Contains(named, f.file) && len(named) < maxNamedFiles {
			named = append(named, f.file)
		}
	}
	return named
}
