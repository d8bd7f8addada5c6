package lexical

import (
	"fmt"
	"runtime/debug"
)

// Segments and root.bolt are mapped into memory. When someone shortens such a file, reading what is gone is a fault of memory that
// ends the process; when someone writes into it, the engine runs off the ends of its tables. Both come back from here as ErrCorrupt.

// guarded runs code of the engine that reads mapped files and calls nothing of ours. Its panics become ErrCorrupt.
func guarded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = damage(p)
		}
	}()
	return read()
}

// damage is what a panic of the engine says about the files.
func damage(p any) error { return fmt.Errorf("%w: reading them failed: %v", ErrCorrupt, p) }
