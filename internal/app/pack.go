package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/pipeline"
	"agenvantage/plan"
	"agenvantage/scan/redact"
)

// Pack gathers the evidence for one task under a token ceiling and says whether it is enough, bringing the index up to date
// first as Search does. The pack is kept, so that Expand, Rehydrate and WhyPacked can go on from it. progress may be nil.
// An empty task without output or diff, an unknown preset, channel or tokenizer, a seed that is not indexed and a budget
// that is too small are agenvantage.ErrBadInput.
func (a *App) Pack(ctx context.Context, r PackRequest, progress func(Progress)) (agenvantage.Pack, error) {
	p, _, err := a.packBased(ctx, r, progress)
	return p, err
}

// basis is what an answer rests on.
type basis struct {
	generation uint64
	reports    []agenvantage.ChannelReport // of the channels that were asked; none where none was
}

// packBased is Pack with what the pack rests on.
func (a *App) packBased(ctx context.Context, r PackRequest, progress func(Progress)) (_ agenvantage.Pack, on basis, err error) {
	done, err := a.use()
	if err != nil {
		return agenvantage.Pack{}, on, err
	}
	defer done()
	if _, err := a.pipelineRequest(SearchRequest{Channels: r.Channels}); err != nil {
		return agenvantage.Pack{}, on, err
	}
	if r.Budget == 0 {
		r.Budget = DefaultPackBudget
	}
	count, tokenizer, err := counterOf(encodingOf(r.Tokenizer))
	if err != nil {
		return agenvantage.Pack{}, on, err
	}
	task, output, err := readTask(r)
	if err != nil {
		return agenvantage.Pack{}, on, err
	}
	began := time.Now()
	fresh, err := a.refresh(ctx, r.NoRefresh, progress)
	if err != nil {
		return agenvantage.Pack{}, on, err
	}
	var told []string
	if !r.NoRefresh {
		if err := a.refreshHistory(ctx, began, progress); err != nil {
			return agenvantage.Pack{}, on, err
		}
		if told, err = a.embedAsked(ctx, r.Channels, progress); err != nil {
			return agenvantage.Pack{}, on, err
		}
	}
	make := func(stale string, notes []string) (PackRecord, error) {
		pinned, err := a.pin(ctx)
		if err != nil {
			return PackRecord{}, err
		}
		defer pinned.release()
		p := &packer{ctx: ctx, app: a, pinned: pinned, corpus: pinned.corpus, request: r, task: task, output: output, count: count, stale: stale, notes: slices.Clone(notes)}
		record, err := p.pack(tokenizer)
		if on.generation = p.corpus.Generation(); p.evidence != nil {
			on.reports = p.evidence.Reports
		}
		return record, err
	}
	stale, notes := fresh.stale, append(withNote(fresh.remarks(), r.Note), told...)
	record, err := make(stale, notes)
	again, err := a.mend(ctx, began, err, r.NoRefresh, progress)
	if again != "" {
		stale, notes = "", append(notes, "the index was damaged and has been rebuilt")
		record, err = make(stale, notes)
	}
	if err != nil {
		return agenvantage.Pack{}, on, fresh.blame(err)
	}
	if a.keepPack(record) != nil { // what a pack says is counted, so that it is made again with the note
		if record, err = make(stale, append(notes, "the pack is not kept, since its folder cannot be written: expand, rehydrate and why cannot go on from it")); err != nil {
			return agenvantage.Pack{}, on, err
		}
	}
	return record.Pack, on, nil
}

// Plan reads a task without looking at the repository.
func Plan(r PackRequest) (agenvantage.Task, error) {
	task, _, err := readTask(r)
	return task, err
}

// readTask reads the task of a request and the output that comes with it, nil when there is none. Secrets in them are masked as
// those of files are: a pack is kept, and goes to a model.
func readTask(r PackRequest) (agenvantage.Task, *plan.Output, error) {
	r.Task, _ = redact.Mask("", "", r.Task)
	r.Output, _ = redact.Mask("", "", r.Output)
	o := plan.TaskOptions{Preset: r.Preset, Seeds: r.Seeds, Diff: r.FromDiff != nil}
	if r.Output != "" {
		output, err := plan.ReadOutput(r.Output)
		if err != nil {
			return agenvantage.Task{}, nil, err
		}
		o.Output = &output
	}
	task, err := plan.ReadTask(r.Task, o)
	if err == nil && isBareFailure(r.Task, o.Output) && len(o.Output.Frames) == 0 && len(o.Output.Tests) == 0 { // the words of the default text are no question
		task.Query = agenvantage.Query{}
		if of, err := plan.ReadTask("", o); err == nil {
			task.Query = of.Query
		}
	}
	return task, o.Output, err
}

// isBareFailure reports a task that is the output of a program alone, nil for none.
func isBareFailure(task string, output *plan.Output) bool {
	return output != nil && strings.TrimSpace(task) == FailureTask
}

// encodingOf is the full name of an encoding by its short one.
func encodingOf(name string) string {
	if name == "o200k" || name == "cl100k" {
		return name + "_base"
	}
	return name
}

// packer makes one pack from one generation.
type packer struct {
	ctx     context.Context
	app     *App
	pinned  *pinned
	corpus  *corpus
	request PackRequest
	task    agenvantage.Task
	output  *plan.Output
	count   func(string) int
	stale   string

	channels    []channels.Channel
	links       *channels.Adjacency // nil when the graph cannot be read
	evidence    *pipeline.Evidence
	asked       map[fileRole]bool
	seeds       map[uint32]bool
	dirty       map[uint32]bool
	changed     map[uint32][]agenvantage.Span // by the diff of the request
	texts       map[uint32][]string
	comments    map[uint32][]agenvantage.Span // of the files that were asked about
	points      []pointed
	kept        map[uint32][]agenvantage.Span // the ranges of points, which no trimming cuts, in the order of their lines
	bestUnshown string                        // the best place of a likely file that no block holds, "" for none
	hidden      []string                      // those that the budget does not hold

	anchors   []anchored
	chances   []fileChance
	items     []*packItem
	slots     map[agenvantage.SlotName]*slotResult
	missing   []string
	next      []string
	notes     []string
	signs     Readiness
	common    bool     // the task is one word, which too many files hold
	lacked    []string // the words of the task that the likeliest file with most of them lacks
	lacksRare bool     // one of them is in hardly any file

	unsteady bool // ready at this budget, and not at a smaller or larger step of the ladder of budgets
	enough   int  // a larger budget that is enough to act on, 0 when none was tried
}

// pack goes from the task to the record.
func (p *packer) pack(tokenizer string) (PackRecord, error) {
	p.texts, p.slots = map[uint32][]string{}, map[agenvantage.SlotName]*slotResult{}
	p.asked = rolesAsked(p.task)
	for _, s := range p.task.Slots {
		p.slots[s.Name] = &slotResult{plan: s}
	}
	if err := p.prepare(); err != nil {
		return PackRecord{}, err
	}
	if err := p.gather(); err != nil {
		return PackRecord{}, err
	}
	if err := p.fillSlots(); err != nil {
		return PackRecord{}, err
	}
	return p.withinBudget(tokenizer)
}

// prepare finds the channels, the graph, the seeds and what is not committed.
func (p *packer) prepare() error {
	p.channels, _ = p.pinned.channelsFor(p.request.Channels)
	if isAuto(p.request.Channels) {
		p.channels = p.pinned.voters()
	}
	links, err := p.corpus.adjacency(p.ctx)
	if err != nil {
		if p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		p.notes = append(p.notes, fmt.Sprintf("the graph could not be read: %v", err))
	}
	p.links = links
	p.seeds, p.dirty = map[uint32]bool{}, map[uint32]bool{}
	for _, seed := range p.request.Seeds {
		files := p.filesAt(cleanPath(seed))
		if len(files) == 0 {
			return fmt.Errorf("%w: seed %q is no indexed file or folder", agenvantage.ErrBadInput, seed)
		}
		for _, f := range files {
			p.seeds[f] = true
		}
	}
	return p.readChanges()
}

// filesAt lists the indexed files at a path: the file, or all of a folder.
func (p *packer) filesAt(at string) (files []uint32) {
	if f, ok := p.corpus.Find(at); ok {
		return []uint32{f}
	}
	for f := range uint32(p.corpus.FileCount()) {
		if at == "." || strings.HasPrefix(p.corpus.Path(f), at+"/") {
			files = append(files, f)
		}
	}
	return files
}

// gather asks the channels about the task.
func (p *packer) gather() (err error) {
	query := p.task.Query
	if strings.TrimSpace(query.Text) == "" || p.changed != nil && strings.TrimSpace(p.request.Task) == ReviewTask { // a diff or seeds alone
		p.evidence = &pipeline.Evidence{}
		return nil
	}
	o := pipeline.DefaultEvidenceOptions()
	o.Run.Timeout = p.app.config.Search.ChannelTimeout
	o.Words, o.Report = p.corpus, p.app.searchOptions.Votes
	if p.evidence, err = pipeline.Gather(p.ctx, p.corpus, query, p.channels, o); err == nil {
		p.notes = append(p.notes, p.evidence.Notes...)
		p.notes = notSaid(p.notes, p.evidence.Reports)
		for _, r := range p.evidence.Reports {
			if failure := r.Failure(); failure != "" {
				p.notes = append(p.notes, "channel "+failure)
			}
		}
	}
	return err
}

// lexical are the channels of words among those that were asked for, or all of these where there is none.
func (p *packer) lexical() (words []channels.Channel) {
	for _, c := range p.channels {
		if c.Name() == "exact" || c.Name() == "bm25f" {
			words = append(words, c)
		}
	}
	if len(words) == 0 {
		return p.channels
	}
	return words
}

// linesOf are the lines of a file as indexed, without their ends.
func (p *packer) linesOf(file uint32) ([]string, error) {
	if lines, ok := p.texts[file]; ok {
		return lines, nil
	}
	text, err := p.corpus.Text(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(text, "\n")
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	p.texts[file] = lines
	return lines, nil
}

// textOf is a range of lines of a file, and the range cut to the file.
func (p *packer) textOf(file uint32, span agenvantage.Span) (string, agenvantage.Span, error) {
	lines, err := p.linesOf(file)
	if err != nil {
		return "", span, err
	}
	span.StartLine, span.EndLine = max(1, span.StartLine), min(span.EndLine, len(lines))
	if span.Lines() == 0 {
		return "", span, nil
	}
	return strings.Join(lines[span.StartLine-1:span.EndLine], "\n"), span, nil
}

// revisionOf names the content of a file.
func (p *packer) revisionOf(file uint32) string {
	return blobRevision(p.corpus.File(file).Hash)
}
