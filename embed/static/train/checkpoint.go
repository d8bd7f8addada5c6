package train

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"agenvantage"
	"agenvantage/internal/atomicfile"
)

// runState is where a run stands between epochs.
type runState struct {
	params    *params
	epoch     int // that are done
	best      *params
	bestEpoch int
	losses    []float64
	scores    []Score
}

// clone copies what a model needs.
func (p *params) clone() *params {
	return &params{dimensions: p.dimensions, rows: slices.Clone(p.rows), query: slices.Clone(p.query), code: slices.Clone(p.code)}
}

// slices lists the numbers of p in the order of the file.
func (p *params) slices() [][]float32 {
	out := [][]float32{p.rows, p.query, p.code}
	if p.rowSum != nil {
		out = append(out, p.rowSum, p.querySum, p.codeSum)
	}
	return out
}

// checkpointHead is the first line of a checkpoint; the numbers follow: all of params, then rows and weights of the best.
type checkpointHead struct {
	Config    Config
	Manifest  string
	Epoch     int
	BestEpoch int
	Losses    []float64
	Scores    []Score
}

// writeCheckpoint replaces the checkpoint.
func writeCheckpoint(name string, c Config, manifest string, s *runState) error {
	err := atomicfile.ReplaceFrom(name, atomicfile.Options{Mode: 0o644}, func(w io.Writer) error {
		if err := json.NewEncoder(w).Encode(checkpointHead{c, manifest, s.epoch, s.bestEpoch, s.losses, s.scores}); err != nil {
			return err
		}
		for _, x := range append(s.params.slices(), s.best.slices()...) {
			if err := binary.Write(w, binary.LittleEndian, x); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

// readCheckpoint fills s, whose params have their sizes. A checkpoint of another configuration or manifest is an error.
func readCheckpoint(name string, c Config, manifest string, s *runState) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("read checkpoint: %w: %w", agenvantage.ErrBadInput, err)
	}
	was, _ := json.Marshal(head.Config) // plain numbers, without Workers
	now, _ := json.Marshal(c)
	if string(was) != string(now) || head.Manifest != manifest {
		return fmt.Errorf("read checkpoint: it is of another run (%s): %w", was, agenvantage.ErrBadInput)
	}
	best := s.params.clone()
	for _, x := range append(s.params.slices(), best.slices()...) {
		if err := binary.Read(r, binary.LittleEndian, x); err != nil {
			return fmt.Errorf("read checkpoint: %w: %w", agenvantage.ErrBadInput, err)
		}
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("read checkpoint: more than expected: %w", agenvantage.ErrBadInput)
	}
	s.epoch, s.bestEpoch, s.best, s.losses, s.scores = head.Epoch, head.BestEpoch, best, head.Losses, head.Scores
	return nil
}
