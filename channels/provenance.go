package channels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"agenvantage"
)

// ErrNoHistory is wrapped by Past.History where there is none: the channel is off then, and says why.
var ErrNoHistory = errors.New("no history")

// History is the commits before and at the indexed revision, numbered from 0, newest first, merges left out. A file is
// named by its rank, as everywhere; files that are no more are left out.
type History interface {
	CommitCount() int
	MeanTerms() float64
	Time() int64 // of the revision, Unix seconds: ages are counted back from it
	// Covered is the share of the history that is known, with the reason when it is below 1.
	Covered() (share float64, why string)
	// Postings visits the commits whose message holds a term, each once.
	Postings(term string, visit func(commit uint32, frequency int)) error
	// Commit gives the time, the terms of the message, the files changed in all, and the files of today among them.
	Commit(commit uint32) (committed int64, terms, changed int, files []uint32)
	// Touching lists the commits that touched a file, newest first.
	Touching(file uint32) []uint32
	ShortID(commit uint32) string
	Subject(commit uint32) (string, error)
}

// ChangedLines are the changed lines of one file, in order: by their numbers after the change, with the head of the function
// that git found before them, "" for none. Lines that were deleted alone are an empty span at the line before (End is
// below Start).
type ChangedLines struct {
	File  uint32
	Lines []agenvantage.Span
	Heads []string // beside Lines
}

// Past is where the channel finds history. What it returns stays the same while the view is pinned.
type Past interface {
	// History returns an error wrapping ErrNoHistory where there is none, with the reason.
	History(ctx context.Context) (History, error)
	// Changes tells the lines that each of the commits changed in files of today; a commit whose lines are not known is
	// left out.
	Changes(ctx context.Context, commits []uint32, each func(commit uint32, files []ChangedLines)) error
	// Uncommitted lists what the work tree changes beyond HEAD, in order of files; nil for a tree that is a commit.
	Uncommitted(ctx context.Context) ([]ChangedLines, error)
}

// ProvenanceReader is what the channel reads of the view.
type ProvenanceReader interface {
	FileReader
	PostingsReader
	FactsReader
}

// Provenance ranks files by what was said when they were changed:
//
//	match(c)  = BM25 of the question over the message of commit c
//	vote(c)   = match(c) * exp(-age(c) / AgeDays) / log2(1 + files changed by c)      none above MaxFiles
//	score(f)  = sum over the Commits best votes that touched f, best first: vote(c)
//	            * (1 + Prior * r/(1+r)) * (1 + Prior * n/(1+n))
//	            r = sum over the commits that touched f: exp(-age / RecencyDays),  n = ln(1 + their number)
//
// Files that change together with a file that the question names get a share as well (provenance_cochange.go). A file is shown
// by the chunks that its voting commits changed (provenance_lines.go). A question about uncommitted work is answered
// with that (provenance_uncommitted.go). Ages count back from the indexed revision and never from the clock.
//
// Over the 50,000 commits of sympy a question takes 4 ms, and about 0.7 ms for each commit whose lines are read for the first
// time; the first one of a view opens the history and compares the work tree, 0.1 to 0.2 s.
type Provenance struct {
	reader  ProvenanceReader
	past    Past
	options ProvenanceOptions
}

// NewProvenance makes the channel over a pinned view. The options must be valid.
func NewProvenance(reader ProvenanceReader, past Past, o ProvenanceOptions) *Provenance {
	if o == (ProvenanceOptions{}) {
		o = DefaultProvenanceOptions()
	}
	return &Provenance{reader: reader, past: past, options: o}
}

// Name is "provenance".
func (c *Provenance) Name() string { return "provenance" }

// Search answers one question.
func (c *Provenance) Search(ctx context.Context, r Request) (List, error) {
	if r.Query.Regex != "" {
		return List{Covered: 1}, nil // a pattern of text says nothing about messages
	}
	uncommitted := make(chan workTree, 1) // git compares the work tree while the history is opened
	go func() {
		files, err := c.past.Uncommitted(ctx)
		uncommitted <- workTree{files, err}
	}()
	history, err := c.past.History(ctx)
	tree := <-uncommitted
	if errors.Is(err, ErrNoHistory) {
		return List{Covered: 1, Off: true, Reason: err.Error()}, nil
	}
	if err == nil {
		err = tree.err
	}
	if err != nil {
		return List{}, fmt.Errorf("provenance: %w", err)
	}
	s := &provenanceSearch{Provenance: c, ctx: ctx, request: r, history: history, uncommitted: tree.files,
		score: map[uint32]float64{}, voters: map[uint32][]vote{}, partners: map[uint32]partner{}}
	list, err := s.run()
	if err != nil {
		return List{}, fmt.Errorf("provenance: %w", err)
	}
	list.Covered, list.Reason = history.Covered()
	return list, nil
}

// workTree is what Past.Uncommitted returned.
type workTree struct {
	files []ChangedLines
	err   error
}

// provenanceSearch is the state of one question.
type provenanceSearch struct {
	*Provenance
	ctx     context.Context
	request Request
	history History

	uncommitted []ChangedLines
	terms       []agenvantage.Term // of the question, without the words that ask for uncommitted work
	votes       []vote             // best first
	score       map[uint32]float64 // by file
	voters      map[uint32][]vote  // by file, in the order of votes
	partners    map[uint32]partner // files that change together with one that is named
	dirty       map[uint32]ChangedLines
	termsIn     map[chunkKey]int // distinct terms of the question in a chunk's names and comments
}

// vote is one commit with what its vote is worth.
type vote struct {
	commit uint32
	weight float64
}

func (s *provenanceSearch) run() (List, error) {
	s.dirty = make(map[uint32]ChangedLines, len(s.uncommitted))
	for _, f := range s.uncommitted {
		s.dirty[f.File] = f
	}
	asked, terms := asksForUncommitted(s.request.Query)
	s.terms = terms
	var first []agenvantage.Hit
	var err error
	if asked {
		if first, err = s.uncommittedHits(s.uncommitted); err != nil {
			return List{}, err
		}
	}
	for _, step := range []func() error{s.vote, s.addPartners} {
		if err = step(); err != nil {
			return List{}, err
		}
	}
	files, dropped := s.best()
	hits, err := s.hitsOf(files)
	if err != nil {
		return List{}, err
	}
	return s.join(first, hits, dropped), nil
}

// join puts the uncommitted work before everything else, each span once, and cuts the list.
func (s *provenanceSearch) join(first, hits []agenvantage.Hit, dropped int) List {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	type span struct {
		file  uint32
		chunk int
	}
	seen := make(map[span]bool, len(first))
	all := make([]agenvantage.Hit, 0, len(first)+len(hits))
	for _, h := range first {
		h.Score += best
		seen[span{h.File, h.Chunk}] = true
		all = append(all, h)
	}
	for _, h := range hits {
		if !seen[span{h.File, h.Chunk}] {
			all = append(all, h)
		}
	}
	slices.SortFunc(all, agenvantage.CompareHits)
	if limit := s.request.limit(); len(all) > limit {
		dropped += len(all) - limit
		all = all[:limit]
	}
	return List{Hits: all, Dropped: dropped}
}

// maxProvenanceTerms is how many terms of a question are looked up: the rarest, as in bm25f.
const maxProvenanceTerms = 64

// Weights of query terms, as the defaults of bm25f have them.
const (
	provenancePartWeight = 0.6
	provenanceK3         = 8
)

// vote ranks the commits and gives their votes to the files that they touched.
func (s *provenanceSearch) vote() error {
	if s.request.Query.Class == agenvantage.ClassPath {
		return nil // the words of a lone path are in the messages of its whole folder: partners say more
	}
	scores, err := s.match()
	if err != nil {
		return err
	}
	now := s.history.Time()
	for commit, match := range scores {
		if match <= 0 {
			continue
		}
		committed, _, changed, files := s.history.Commit(uint32(commit))
		if len(files) == 0 || changed > s.options.MaxFiles {
			continue
		}
		s.votes = append(s.votes, vote{uint32(commit), match * decay(now-committed, s.options.AgeDays) / math.Log2(1+float64(changed))})
	}
	slices.SortFunc(s.votes, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.commit, b.commit))
	})
	s.votes = s.votes[:min(len(s.votes), s.options.Commits)]
	for _, v := range s.votes {
		_, _, _, files := s.history.Commit(v.commit)
		for _, file := range files {
			if s.request.Scope.Has(file) {
				s.voters[file] = append(s.voters[file], v)
			}
		}
	}
	for file, voters := range s.voters {
		sum := 0.0
		for _, v := range voters {
			sum += v.weight
		}
		s.score[file] = sum * s.prior(file)
	}
	return nil
}

// decay is exp(-age/scale). What was committed after the revision, by a clock that was wrong, has no age.
func decay(seconds int64, scaleDays float64) float64 {
	return math.Exp(-float64(max(seconds, 0)) / 86400 / scaleDays)
}

// prior lifts files that were changed lately and often.
func (s *provenanceSearch) prior(file uint32) float64 {
	if s.options.Prior == 0 {
		return 1
	}
	touching, now, recent := s.history.Touching(file), s.history.Time(), 0.0
	for _, commit := range touching {
		committed, _, changed, _ := s.history.Commit(commit)
		if changed <= s.options.MaxFiles {
			recent += decay(now-committed, s.options.RecencyDays)
		}
	}
	churn := math.Log(1 + float64(len(touching)))
	return (1 + s.options.Prior*recent/(1+recent)) * (1 + s.options.Prior*churn/(1+churn))
}

// match is the BM25 score of every commit. Sums run over the terms in the order of the question.
func (s *provenanceSearch) match() ([]float64, error) {
	n := s.history.CommitCount()
	scores := make([]float64, n)
	mean := s.history.MeanTerms()
	if mean == 0 {
		return scores, nil
	}
	terms, err := s.rarestTerms()
	if err != nil {
		return nil, err
	}
	type posting struct {
		commit    uint32
		frequency int
	}
	var list []posting
	for _, t := range terms {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		list = list[:0]
		if err := s.history.Postings(t.Text, func(commit uint32, frequency int) { list = append(list, posting{commit, frequency}) }); err != nil {
			return nil, err
		}
		df, count := float64(len(list)), float64(t.Count)
		weight := (provenanceK3 + 1) * count / (provenanceK3 + count)
		if t.Part {
			weight *= provenancePartWeight
		}
		weight *= math.Log(1+(float64(n)-df+0.5)/(df+0.5)) * (s.options.K1 + 1)
		for _, p := range list {
			_, length, _, _ := s.history.Commit(p.commit)
			tf := float64(p.frequency)
			scores[p.commit] += weight * tf / (tf + s.options.K1*(1-s.options.B+s.options.B*float64(length)/mean))
		}
	}
	return scores, nil
}

// rarestTerms keeps the maxProvenanceTerms terms of a long question that fewest messages hold, in the order of the question.
func (s *provenanceSearch) rarestTerms() ([]agenvantage.Term, error) {
	if len(s.terms) <= maxProvenanceTerms {
		return s.terms, nil
	}
	type ranked struct{ position, df int }
	var order []ranked
	for i, t := range s.terms {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		df := 0
		if err := s.history.Postings(t.Text, func(uint32, int) { df++ }); err != nil {
			return nil, err
		}
		if df > 0 {
			order = append(order, ranked{i, df})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.position, b.position)) })
	order = order[:min(len(order), maxProvenanceTerms)]
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Compare(a.position, b.position) })
	kept := make([]agenvantage.Term, len(order))
	for i, r := range order {
		kept[i] = s.terms[r.position]
	}
	return kept, nil
}

// scoredFile is a file with its score.
type scoredFile struct {
	file  uint32
	score float64
}

// best lists the best files, at most as many as hits are wanted.
func (s *provenanceSearch) best() (files []scoredFile, dropped int) {
	files = make([]scoredFile, 0, len(s.score))
	for file, score := range s.score {
		files = append(files, scoredFile{file, score})
	}
	slices.SortFunc(files, func(a, b scoredFile) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file, b.file)) })
	limit := s.request.limit()
	return files[:min(len(files), limit)], max(0, len(files)-limit)
}
