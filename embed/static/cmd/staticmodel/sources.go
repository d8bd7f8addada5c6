package main

import (
	"context"
	"errors"
	"io"
	"os"

	"agenvantage/scan"
)

// eachSource calls do with every text of a tree that the index would hold and whose path is wanted, in the order of the listing.
func eachSource(ctx context.Context, root string, wanted func(path string) bool, do func(scan.Source) error) (err error) {
	w, err := scan.Open(root, scan.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	listing, err := w.List(ctx)
	if err != nil {
		return err
	}
	for _, entry := range listing.Entries {
		if !wanted(entry.Path) {
			continue
		}
		source, skip, err := w.Read(ctx, entry)
		if err != nil {
			return err
		}
		if skip != nil {
			continue
		}
		if err := do(source); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a file by the reader of its format.
func readFile[T any](name string, read func(io.Reader) (T, error)) (content T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return content, err
	}
	defer f.Close()
	return read(f)
}
