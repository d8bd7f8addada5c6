package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestVectorKernelsEqualPlainOnes compares bit by bit.
func TestVectorKernelsEqualPlainOnes(t *testing.T) {
	if !hasVectors {
		t.Skip("this processor has no vector kernels")
	}
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(random.NormFloat64())
		}
		return out
	}
	a, panel := draw(4*300), draw(300*16)
	for _, m := range []matrix{rowMatrix(a, 300), {a, 1, 4}} {
		fast, plain := draw(4*40), make([]float32, 4*40)
		copy(plain, fast)
		kernel(290, m, 0, 3, panel, fast, 40)
		plainKernel(290, m, 0, 3, panel, plain, 40)
		for i := range fast {
			if fast[i] != plain[i] {
				t.Fatalf("element %d: %v, plain %v", i, fast[i], plain[i])
			}
		}
	}
	x, y := draw(64), draw(64)
	var lanes [8]float32
	plainDot(x, y, &lanes)
	want := ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
	if got := dot(x, y); got != want {
		t.Errorf("dot %v, plain %v", got, want)
	}
	sum := make([]float32, 64)
	copy(sum, y)
	axpy(0.37, x, sum)
	for i := range sum {
		if want := y[i] + float32(float32(0.37)*x[i]); sum[i] != want {
			t.Fatalf("axpy %d: %v, want %v", i, sum[i], want)
		}
	}
}

// TestMultiplyAdd compares a product over several blocks with the definition.
func TestMultiplyAdd(t *testing.T) {
	const rows, columns, inner = 8, 32, 600
	random := rand.New(rand.NewPCG(5, 6))
	a, b := make([]float32, rows*inner), make([]float32, inner*columns)
	for i := range a {
		a[i] = float32(random.NormFloat64())
	}
	for i := range b {
		b[i] = float32(random.NormFloat64())
	}
	for _, workers := range []int{1, 3} {
		c := make([]float32, rows*40)
		multiplyAdd(rowMatrix(c, 40), shape{rows, columns, inner}, rowMatrix(a, inner), rowMatrix(b, columns), workers)
		for i := range rows {
			for j := range 40 {
				want := 0.0
				for k := 0; k < inner && j < columns; k++ {
					want += float64(a[i*inner+k]) * float64(b[k*columns+j])
				}
				if got := float64(c[i*40+j]); math.Abs(got-want) > 1e-3 {
					t.Fatalf("c[%d][%d] = %v, want %v", i, j, got, want)
				}
			}
		}
	}
}

func TestFastExp(t *testing.T) {
	for x := -80.0; x <= 80; x += 0.37 {
		got, want := float64(fastExp(float32(x))), math.Exp(float64(float32(x)))
		if math.Abs(got-want) > 3e-6*want {
			t.Errorf("e^%v = %v, want %v", x, got, want)
		}
	}
	if fastExp(0) != 1 {
		t.Errorf("e^0 = %v", fastExp(0))
	}
}
