package static

import (
	_ "embed" // the model file
	"sync"
)

//go:embed model.bin
var modelFile []byte

// Builtin returns the model of the binary. Reading it takes some 30 ms, once.
var Builtin = sync.OnceValues(func() (*Model, error) { return Decode(modelFile) })
