package train

import (
	"math"
	"sync"
)

// blockK is how many terms of a product are packed at a time: a panel of 16 columns then fits the first-level cache.
const blockK = 256

// matrix is a view of float32 numbers: element (i, k) is at data[i*row + k*column].
type matrix struct {
	data        []float32
	row, column int
}

func rowMatrix(data []float32, stride int) matrix { return matrix{data, stride, 1} }
func (m matrix) transposed() matrix               { return matrix{m.data, m.column, m.row} }

// shape is that of a product: a is rows × inner, b inner × columns.
type shape struct{ rows, columns, inner int }

// multiplyAdd adds a·b to c, whose rows are stride apart. Rows must be a multiple of 4 and columns of 16. Each element is
// summed over inner in order, so that neither workers nor kernels change it.
func multiplyAdd(c matrix, n shape, a, b matrix, workers int) {
	parallel(n.columns/16, workers, func(from, to int) {
		panel := make([]float32, blockK*16)
		for k0 := 0; k0 < n.inner; k0 += blockK {
			depth := min(blockK, n.inner-k0)
			for p := from; p < to; p++ {
				pack(panel, b, k0, depth, p*16)
				for i := 0; i < n.rows; i += 4 {
					kernel(depth, a, i, k0, panel, c.data[i*c.row+p*16:], c.row)
				}
			}
		}
	})
}

// pack copies depth rows of 16 columns of b.
func pack(panel []float32, b matrix, k0, depth, j0 int) {
	for k := range depth {
		at := (k0+k)*b.row + j0*b.column
		to := panel[k*16 : k*16+16]
		if b.column == 1 {
			copy(to, b.data[at:at+16])
			continue
		}
		for j := range to {
			to[j] = b.data[at+j*b.column]
		}
	}
}

// kernel adds four rows of a product to 16 columns of c.
func kernel(depth int, a matrix, i, k0 int, panel, c []float32, stride int) {
	if hasVectors {
		kernel4x16(depth, &a.data[i*a.row+k0*a.column], a.row*4, a.column*4, &panel[0], &c[0], stride*4)
		return
	}
	plainKernel(depth, a, i, k0, panel, c, stride)
}

// plainKernel is kernel without vectors.
func plainKernel(depth int, a matrix, i, k0 int, panel, c []float32, stride int) {
	for r := range 4 {
		to := c[r*stride : r*stride+16]
		for k := range depth {
			x := a.data[(i+r)*a.row+(k0+k)*a.column]
			from := panel[k*16 : k*16+16]
			for j := range to {
				to[j] += float32(x * from[j])
			}
		}
	}
}

// axpy adds alpha·x to y. The length is a multiple of 16.
func axpy(alpha float32, x, y []float32) {
	if hasVectors {
		axpyAVX(len(y), alpha, &x[0], &y[0])
		return
	}
	x = x[:len(y)]
	for i := range y {
		y[i] += float32(alpha * x[i])
	}
}

// dot is the sum of x[i]·y[i] over eight lanes, which are then added in pairs. The length is a multiple of 8.
func dot(x, y []float32) float32 {
	var lanes [8]float32
	if hasVectors {
		dotAVX(len(x), &x[0], &y[0], &lanes[0])
	} else {
		plainDot(x, y, &lanes)
	}
	return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
}

func plainDot(x, y []float32, lanes *[8]float32) {
	y = y[:len(x)]
	for i := 0; i+8 <= len(x); i += 8 {
		for l := range lanes {
			lanes[l] += float32(x[i+l] * y[i+l])
		}
	}
}

// parallel calls do on the parts of 0 … n-1. Who calls must make sure that the parts do not depend on each other.
func parallel(n, workers int, do func(from, to int)) {
	workers = min(workers, n)
	if workers <= 1 {
		do(0, n)
		return
	}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { do(n*w/workers, n*(w+1)/workers) })
	}
	wait.Wait()
}

// fastExp is e^x to about 2·10^-7 relative, from plain products and sums: the same everywhere. x must lie in -87 … 87.
func fastExp(x float32) float32 {
	t := float32(x * 1.44269504088896341)
	n := float32(int32(t + 127.5)) // floor(t + 0.5) for the range above, shifted by 127
	n -= 127
	r := float32(x) - float32(n*0.693359375)
	r -= float32(n * -2.12194440e-4)
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(float32(p*r)*r) + r + 1
	return p * pow2(int32(n))
}

// pow2 is 2^n for -126 ≤ n ≤ 127.
func pow2(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }
