package corpus

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"agenvantage/internal/atomicfile"
)

// WritePairs writes the samples of a package to DIR/KEY.jsonl.gz, as one step.
func WritePairs(dir string, p Package, pairs []Pair) error {
	err := atomicfile.ReplaceFrom(pairsFile(dir, p), atomicfile.Options{Mode: 0o644}, func(w io.Writer) error {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
		b := bufio.NewWriterSize(z, 1<<16)
		e := json.NewEncoder(b)
		for _, pair := range pairs {
			if err := e.Encode(pair); err != nil {
				return err
			}
		}
		return errors.Join(b.Flush(), z.Close())
	})
	if err != nil {
		return fmt.Errorf("write pairs of %s: %w", p.Key(), err)
	}
	return nil
}

// ReadPairs reads what WritePairs wrote.
func ReadPairs(dir string, p Package) ([]Pair, error) {
	f, err := os.Open(pairsFile(dir, p))
	if err != nil {
		return nil, fmt.Errorf("read pairs of %s: %w", p.Key(), err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read pairs of %s: %w", p.Key(), err)
	}
	d := json.NewDecoder(bufio.NewReaderSize(z, 1<<16))
	out := make([]Pair, 0, p.Pairs)
	for {
		var pair Pair
		if err := d.Decode(&pair); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read pairs of %s: %w", p.Key(), err)
		}
		out = append(out, pair)
	}
}

func pairsFile(dir string, p Package) string { return filepath.Join(dir, p.Key()+".jsonl.gz") }
