//go:build !amd64

package train

const hasVectors = false

func kernel4x16(int, *float32, int, int, *float32, *float32, int) { panic("no vector kernels") }
func axpyAVX(int, float32, *float32, *float32)                    { panic("no vector kernels") }
func dotAVX(int, *float32, *float32, *float32)                    { panic("no vector kernels") }
