package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	"agenvantage"
	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
)

// Progress is what a run tells while it goes on.
type Progress struct {
	Stage   string        // "vocabulary", "pairs", "negatives", "train", "validate"
	Epoch   int           // from 1
	Step    int           // of the epoch
	Steps   int           // of the epoch
	Loss    float64       // mean since the last report
	Score   Score         // after "validate"
	Elapsed time.Duration // since Run began
}

// Run is one training run.
type Run struct {
	Config     Config
	Dir        string             // pairs, as the corpus package writes them
	Packages   []corpus.Package   // of the manifest; those without a file of pairs are an error
	Checkpoint string             // file that a stopped run goes on from, written after each epoch; "" for none
	Report     func(Progress)     // called from one goroutine; nil for none
	Best       func(Result) error // called after each epoch that is the best so far; nil for none

	began time.Time
}

// Result is a trained model.
type Result struct {
	Vocabulary *static.Vocabulary
	Rows       []float32 // Vocabulary.Rows() × Config.Dimensions
	Query      []float32 // weights of the rows in questions
	Code       []float32 // and in code
	Score      Score     // on the packages that were held out, of this state
	Epoch      int       // that the state is from
	Pairs      int       // trained on
	Losses     []float64 // mean of each epoch
	Scores     []Score   // after each epoch
}

// patience is how many epochs may pass without a better validation before training stops.
const patience = 2

// Train runs it.
func (r *Run) Train(ctx context.Context) (Result, error) {
	results, err := r.Study(ctx, []Config{r.Config}, nil)
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// Study trains one model for each configuration on the same pairs, which are read once, with the vocabulary of r.Config. Of
// each configuration it heeds Kinds, Part and everything that is no part of the vocabulary or of the texts. done is called
// after each model; nil for none. With more than one configuration no checkpoints are kept.
func (r *Run) Study(ctx context.Context, configs []Config, done func(i int, result Result) error) ([]Result, error) {
	r.began = time.Now()
	for _, c := range append([]Config{r.Config}, configs...) {
		if err := c.Validate(); err != nil {
			return nil, err
		}
	}
	data, held, err := r.load()
	if err != nil {
		return nil, err
	}
	single := *r
	if len(configs) != 1 {
		single.Checkpoint = ""
	}
	var results []Result
	for i, c := range configs {
		single.Config = c
		part := data
		if c.Kinds != r.Config.Kinds || c.Part != r.Config.Part {
			part = data.subset(c, r.Packages)
		}
		result, err := single.fit(ctx, part, held)
		if err != nil {
			return nil, err
		}
		if done != nil {
			if err := done(i, result); err != nil {
				return nil, err
			}
		}
		results = append(results, result)
	}
	return results, nil
}

// fit trains one model.
func (r *Run) fit(ctx context.Context, data, held *Data) (Result, error) {
	if data.Pairs() < r.Config.Batch {
		return Result{}, fmt.Errorf("%d pairs do not fill a batch of %d: %w", data.Pairs(), r.Config.Batch, agenvantage.ErrBadInput)
	}
	if r.Config.HardNegatives > 0 && data.hard == nil {
		r.report(Progress{Stage: "negatives"})
		data.mine(r.Config.Workers)
	}
	state := &runState{params: newParams(r.Config, data.probs)}
	if err := r.resume(state); err != nil {
		return Result{}, err
	}
	step := newStep(r.Config, data, state.params)
	for state.epoch < r.Config.Epochs && state.epoch-state.bestEpoch < patience {
		loss, err := r.epoch(ctx, step, state.epoch)
		if err != nil {
			return Result{}, err
		}
		state.epoch++
		score := validate(r.Config, held, state.params)
		state.losses, state.scores = append(state.losses, loss), append(state.scores, score)
		if state.best == nil || score.NDCG > state.scores[state.bestEpoch-1].NDCG {
			state.best, state.bestEpoch = state.params.clone(), state.epoch
			if r.Best != nil {
				if err := r.Best(state.result(data)); err != nil {
					return Result{}, err
				}
			}
		}
		r.report(Progress{Stage: "validate", Epoch: state.epoch, Loss: loss, Score: score})
		if err := r.save(state); err != nil {
			return Result{}, err
		}
	}
	return state.result(data), nil
}

// result is the best model so far.
func (s *runState) result(data *Data) Result {
	return Result{Vocabulary: data.Vocabulary, Rows: s.best.rows, Query: exps(nil, s.best.query), Code: exps(nil, s.best.code), Score: s.scores[s.bestEpoch-1],
		Epoch: s.bestEpoch, Pairs: data.Pairs(), Losses: s.losses, Scores: s.scores}
}

func (r *Run) report(p Progress) {
	if r.Report != nil {
		p.Elapsed = time.Since(r.began)
		r.Report(p)
	}
}

// load reads the pairs: those to train on, and those of the packages that are held out.
func (r *Run) load() (data, held *Data, err error) {
	var training, validation []corpus.Package
	for _, p := range r.Packages {
		switch {
		case heldOut(p):
			validation = append(validation, p)
		case inPart(p, r.Config.Part):
			training = append(training, p)
		}
	}
	if len(training) > 1<<16-1 {
		return nil, nil, fmt.Errorf("%d packages: %w", len(training), agenvantage.ErrBadInput)
	}
	from := source{r.Dir, training, r.Config}
	r.report(Progress{Stage: "vocabulary"})
	spellings, err := chooseVocabulary(r.Config, from.each)
	if err != nil {
		return nil, nil, err
	}
	v, err := static.NewVocabulary(spellings, r.Config.Buckets)
	if err != nil {
		return nil, nil, err
	}
	r.report(Progress{Stage: "pairs"})
	if data, err = encode(r.Config, v, keysOf(training), from.each); err != nil {
		return nil, nil, err
	}
	all := r.Config
	all.Kinds = "" // a run without a kind is judged on all of them
	held, err = encode(all, v, keysOf(validation), source{r.Dir, validation, all}.each)
	return data, held, err
}

// inPart reports whether a package belongs to a part of all.
func inPart(p corpus.Package, part float64) bool {
	return float64(packageHash(p)>>11)/(1<<53) < part
}

func keysOf(packages []corpus.Package) []string {
	keys := make([]string, len(packages))
	for i, p := range packages {
		keys[i] = p.Key()
	}
	return keys
}

// epoch goes over all pairs once and returns the mean loss.
func (r *Run) epoch(ctx context.Context, s *step, epoch int) (float64, error) {
	random := rand.New(rand.NewPCG(r.Config.Seed, uint64(100+epoch)))
	order := s.data.shuffled(r.Config.Run, random)
	steps := len(order) / r.Config.Batch
	total, recent := 0.0, 0.0
	const every = 50
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		copy(s.pairs, order[i*r.Config.Batch:])
		s.drawHard(random)
		s.gather(random)
		loss := s.forward()
		s.backward()
		done := (float64(epoch) + float64(i)/float64(steps)) / float64(r.Config.Epochs)
		s.update(float32(1 - (1-r.Config.FinalRate)*done))
		total, recent = total+loss, recent+loss
		if (i+1)%every == 0 {
			r.report(Progress{Stage: "train", Epoch: epoch + 1, Step: i + 1, Steps: steps, Loss: recent / every})
			recent = 0
		}
	}
	return total / float64(max(1, steps)), nil
}

// shuffled is a random order of all pairs in which runs of one package stand together, so that a batch holds negatives of
// the same subject.
func (d *Data) shuffled(run int, random *rand.Rand) []int {
	var runs [][]int
	for pkg := range d.Packages {
		own := make([]int, 0, d.first[pkg+1]-d.first[pkg])
		for i := d.first[pkg]; i < d.first[pkg+1]; i++ {
			own = append(own, i)
		}
		random.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
		for len(own) > 0 {
			n := min(run, len(own))
			runs = append(runs, own[:n])
			own = own[n:]
		}
	}
	random.Shuffle(len(runs), func(a, b int) { runs[a], runs[b] = runs[b], runs[a] })
	return slices.Concat(runs...)
}

// drawHard chooses hard negatives for the batch.
func (s *step) drawHard(random *rand.Rand) {
	for i, p := range s.pairs {
		for k := range s.hard {
			s.chosen[i*s.hard+k] = -1
		}
		if s.hard == 0 {
			continue
		}
		known := s.data.hard[p*hardKept : (p+1)*hardKept]
		n := 0
		for n < hardKept && known[n] >= 0 {
			n++
		}
		if n == 0 {
			continue
		}
		from := random.IntN(n)
		for k := range min(n, s.hard) {
			s.chosen[i*s.hard+k] = known[(from+k)%n]
		}
	}
}

// resume reads the checkpoint of a run that was stopped.
func (r *Run) resume(state *runState) error {
	if r.Checkpoint == "" {
		return nil
	}
	err := readCheckpoint(r.Checkpoint, r.Config, r.manifestHash(), state)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (r *Run) save(state *runState) error {
	if r.Checkpoint == "" {
		return nil
	}
	return writeCheckpoint(r.Checkpoint, r.Config, r.manifestHash(), state)
}

func (r *Run) manifestHash() string { return corpus.ManifestHash(r.Packages) }
