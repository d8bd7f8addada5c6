package agenvantage

import "errors"

// Errors that callers branch on with errors.Is.
var (
	// ErrBadInput marks an argument, a flag, a config value or a query that cannot be used as given.
	ErrBadInput = errors.New("bad input")
	// ErrNoIndex means that no generation of an index exists yet.
	ErrNoIndex = errors.New("no index")
	// ErrIncomplete means that a first build was begun and never finished.
	ErrIncomplete = errors.New("index incomplete")
	// ErrBusy means that another process is writing the index.
	ErrBusy = errors.New("another index run is active")
	// ErrNothingSelected means that every candidate file was left out; the text names the deciding rule.
	ErrNothingSelected = errors.New("no file selected")
	// ErrNotWritable means that the index folder cannot be written.
	ErrNotWritable = errors.New("index folder not writable")
)
