package static

import (
	_ "embed" // the model file
	"sync"

	"agenvantage/embed"
)

//go:embed model.bin
var modelFile []byte

// builtinDigest is the SHA-256 of model.bin: who wants to name the model need not read it.
const builtinDigest = "bf85e3c34d5cadb0575e05dba7027f937f692d281d207470e9aed95de186880d"

// BuiltinIdentity is the identity of the model of the binary with all of its dimensions, without reading it.
func BuiltinIdentity() embed.Identity {
	return embed.Identity{Provider: Provider, Model: Name, Digest: builtinDigest, Dimensions: 256, Parameters: parameters}
}

// Builtin returns the model of the binary. Reading it takes some 30 ms, once.
var Builtin = sync.OnceValues(func() (*Model, error) { return Decode(modelFile) })
