#include "textflag.h"

// func kernel4x16(k int, a *float32, ar, ak int, b, c *float32, cr int)
// c[r][j] += a[r*ar + x*ak] * b[x*16 + j] for r < 4, j < 16, x = 0 … k-1 in order; strides in bytes. Products and sums are
// rounded apart, so that the result is that of the plain loop.
TEXT ·kernel4x16(SB), NOSPLIT, $0-56
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ ar+16(FP), R8
	MOVQ ak+24(FP), R9
	MOVQ b+32(FP), DI
	MOVQ c+40(FP), DX
	MOVQ cr+48(FP), R10
	LEAQ (SI)(R8*1), R11
	LEAQ (R11)(R8*1), R12
	LEAQ (R12)(R8*1), R13
	MOVQ DX, AX
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	ADDQ R10, AX
	VMOVUPS (AX), Y2
	VMOVUPS 32(AX), Y3
	ADDQ R10, AX
	VMOVUPS (AX), Y4
	VMOVUPS 32(AX), Y5
	ADDQ R10, AX
	VMOVUPS (AX), Y6
	VMOVUPS 32(AX), Y7
loop:
	VMOVUPS (DI), Y8
	VMOVUPS 32(DI), Y9
	VBROADCASTSS (SI), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y0, Y0
	VADDPS Y12, Y1, Y1
	VBROADCASTSS (R11), Y13
	VMULPS Y8, Y13, Y14
	VMULPS Y9, Y13, Y15
	VADDPS Y14, Y2, Y2
	VADDPS Y15, Y3, Y3
	VBROADCASTSS (R12), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y4, Y4
	VADDPS Y12, Y5, Y5
	VBROADCASTSS (R13), Y13
	VMULPS Y8, Y13, Y14
	VMULPS Y9, Y13, Y15
	VADDPS Y14, Y6, Y6
	VADDPS Y15, Y7, Y7
	ADDQ $64, DI
	ADDQ R9, SI
	ADDQ R9, R11
	ADDQ R9, R12
	ADDQ R9, R13
	DECQ CX
	JNZ loop
	VMOVUPS Y0, (DX)
	VMOVUPS Y1, 32(DX)
	ADDQ R10, DX
	VMOVUPS Y2, (DX)
	VMOVUPS Y3, 32(DX)
	ADDQ R10, DX
	VMOVUPS Y4, (DX)
	VMOVUPS Y5, 32(DX)
	ADDQ R10, DX
	VMOVUPS Y6, (DX)
	VMOVUPS Y7, 32(DX)
	VZEROUPPER
	RET

// func axpyAVX(n int, alpha float32, x, y *float32)
// y[i] += alpha * x[i]; n is a multiple of 16.
TEXT ·axpyAVX(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	VBROADCASTSS alpha+8(FP), Y0
	MOVQ x+16(FP), SI
	MOVQ y+24(FP), DI
axpy:
	VMULPS (SI), Y0, Y1
	VMULPS 32(SI), Y0, Y2
	VADDPS (DI), Y1, Y1
	VADDPS 32(DI), Y2, Y2
	VMOVUPS Y1, (DI)
	VMOVUPS Y2, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JNZ axpy
	VZEROUPPER
	RET

// func dotAVX(n int, x, y, lanes *float32)
// lanes[l] = sum over i of x[8i+l] * y[8i+l] in order; n is a multiple of 8.
TEXT ·dotAVX(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DI
	MOVQ lanes+24(FP), DX
	VXORPS Y0, Y0, Y0
dot:
	VMOVUPS (SI), Y1
	VMULPS (DI), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ dot
	VMOVUPS Y0, (DX)
	VZEROUPPER
	RET
