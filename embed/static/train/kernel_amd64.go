package train

import "golang.org/x/sys/cpu"

// hasVectors reports whether the vector kernels can run here. They give the results of the plain loops, only sooner.
var hasVectors = cpu.X86.HasAVX2

//go:noescape
func kernel4x16(k int, a *float32, ar, ak int, b, c *float32, cr int)

//go:noescape
func axpyAVX(n int, alpha float32, x, y *float32)

//go:noescape
func dotAVX(n int, x, y, lanes *float32)
