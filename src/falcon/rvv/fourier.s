# Arithmetic in Fourier form for the vector extension of RISC-V, and the levels of fast Fourier sampling: what
# fft.rs and ff_sampling.rs say, bit for bit, for vectors of any length. Nothing is fused.
#
# A polynomial of 2 h doubles has its real parts first, its imaginary parts 8 h bytes later. The roots of a level
# begin at the place h of the first table, their imaginary parts 8192 bytes later.

.option push
.option arch, +m, +d, +v

# pr, pi = (xr + i xi) (yr + i yi). t is scratch.
.macro PRODUCT pr, pi, xr, xi, yr, yi, t
    vfmul.vv \pr, \xr, \yr
    vfmul.vv \t, \xi, \yi
    vfmul.vv \pi, \xr, \yi
    vfsub.vv \pr, \pr, \t
    vfmul.vv \t, \xi, \yr
    vfadd.vv \pi, \pi, \t
.endm

# sr, si = half of a + b; dr, di = half of (a - b) conj w. a and t are scratch. fa0: 1/2.
.macro HALVE sr, si, dr, di, ar, ai, br, bi, wr, wi, t
    vfadd.vv \sr, \ar, \br
    vfadd.vv \si, \ai, \bi
    vfsub.vv \ar, \ar, \br
    vfsub.vv \ai, \ai, \bi
    vfmul.vf \sr, \sr, fa0
    vfmul.vf \si, \si, fa0
    vfmul.vv \dr, \ar, \wr
    vfmul.vv \t, \ai, \wi
    vfmul.vv \di, \ai, \wr
    vfadd.vv \dr, \dr, \t
    vfmul.vv \t, \ar, \wi
    vfsub.vv \di, \di, \t
    vfmul.vf \dr, \dr, fa0
    vfmul.vf \di, \di, fa0
.endm

# fa0 = 1/2.
.macro ONE_HALF
    li      t3, 0x3FE
    slli    t3, t3, 52
    fmv.d.x fa0, t3
.endm

.macro FUNCTION name
.globl \name
.hidden \name
.type \name, @function
\name:
.endm

.text
.p2align 2

# pqc_falcon_rvv_split(a0 f0, a1 f1, a2 f, a3 = h of f, a4 tables)
FUNCTION pqc_falcon_rvv_split
    slli    t0, a3, 3
    srli    t1, t0, 1
    add     a4, a4, t0
    li      t3, 8192
    add     a5, a4, t3
    add     a6, a2, t0
    srli    a3, a3, 1
    ONE_HALF
1:
    vsetvli t2, a3, e64, m2, ta, ma
    vlseg2e64.v v4, (a2)            # real parts of a, of b
    vlseg2e64.v v8, (a6)            # imaginary parts
    vle64.v v0, (a4)
    vle64.v v2, (a5)
    HALVE   v12, v14, v16, v18, v4, v8, v6, v10, v0, v2, v20
    add     t3, a0, t1
    add     t4, a1, t1
    vse64.v v12, (a0)
    vse64.v v14, (t3)
    vse64.v v16, (a1)
    vse64.v v18, (t4)
    sub     a3, a3, t2
    slli    t3, t2, 3
    slli    t4, t2, 4
    add     a0, a0, t3
    add     a1, a1, t3
    add     a4, a4, t3
    add     a5, a5, t3
    add     a2, a2, t4
    add     a6, a6, t4
    bnez    a3, 1b
    ret
.size pqc_falcon_rvv_split, . - pqc_falcon_rvv_split

# pqc_falcon_rvv_merge(a0 f, a1 f0, a2 f1, a3 = h of f, a4 tables)
FUNCTION pqc_falcon_rvv_merge
    slli    t0, a3, 3
    srli    t1, t0, 1
    add     a4, a4, t0
    li      t3, 8192
    add     a5, a4, t3
    add     a6, a0, t0
    srli    a3, a3, 1
1:
    vsetvli t2, a3, e64, m2, ta, ma
    add     t3, a1, t1
    add     t4, a2, t1
    vle64.v v0, (a4)
    vle64.v v2, (a5)
    vle64.v v8, (a2)
    vle64.v v10, (t4)
    vle64.v v4, (a1)
    vle64.v v6, (t3)
    PRODUCT v12, v14, v8, v10, v0, v2, v16
    vfadd.vv v20, v4, v12           # two fields each: a + b, a - b
    vfsub.vv v22, v4, v12
    vfadd.vv v24, v6, v14
    vfsub.vv v26, v6, v14
    vsseg2e64.v v20, (a0)
    vsseg2e64.v v24, (a6)
    sub     a3, a3, t2
    slli    t3, t2, 3
    slli    t4, t2, 4
    add     a1, a1, t3
    add     a2, a2, t3
    add     a4, a4, t3
    add     a5, a5, t3
    add     a0, a0, t4
    add     a6, a6, t4
    bnez    a3, 1b
    ret
.size pqc_falcon_rvv_merge, . - pqc_falcon_rvv_merge

# pqc_falcon_rvv_to_left_half(a0 f0, a1 f1, a2 t0, a3 t1, a4 l10, a5 = h of t0, a6 tables)
#
# z, merged from f0 and f1, takes the place of t1; t0 + (t1 - z) l10 is split into f0 and f1.
FUNCTION pqc_falcon_rvv_to_left_half
    slli    t0, a5, 3
    srli    t1, t0, 1
    add     a6, a6, t0
    li      t3, 8192
    add     a7, a6, t3
    srli    a5, a5, 1
    ONE_HALF
1:
    vsetvli t2, a5, e64, m2, ta, ma
    add     t3, a0, t1
    add     t4, a1, t1
    add     t5, a3, t0
    vle64.v v0, (a6)
    vle64.v v2, (a7)
    vle64.v v20, (a0)
    vle64.v v22, (t3)
    vle64.v v24, (a1)
    vle64.v v26, (t4)
    PRODUCT v12, v14, v24, v26, v0, v2, v28
    vfadd.vv v4, v20, v12           # z: real parts of the first, of the second
    vfsub.vv v6, v20, v12
    vfadd.vv v8, v22, v14           # imaginary parts
    vfsub.vv v10, v22, v14
    vlseg2e64.v v12, (a3)
    vlseg2e64.v v16, (t5)
    vsseg2e64.v v4, (a3)
    vsseg2e64.v v8, (t5)
    vfsub.vv v12, v12, v4
    vfsub.vv v14, v14, v6
    vfsub.vv v16, v16, v8
    vfsub.vv v18, v18, v10
    add     t6, a4, t0
    vlseg2e64.v v4, (a4)
    vlseg2e64.v v8, (t6)
    PRODUCT v20, v22, v12, v16, v4, v8, v28
    PRODUCT v24, v26, v14, v18, v6, v10, v28
    add     t6, a2, t0
    vlseg2e64.v v4, (a2)
    vlseg2e64.v v8, (t6)
    vfadd.vv v20, v20, v4
    vfadd.vv v22, v22, v8
    vfadd.vv v24, v24, v6
    vfadd.vv v26, v26, v10
    HALVE   v4, v6, v8, v10, v20, v22, v24, v26, v0, v2, v28
    vse64.v v4, (a0)
    vse64.v v6, (t3)
    vse64.v v8, (a1)
    vse64.v v10, (t4)
    sub     a5, a5, t2
    slli    t3, t2, 3
    slli    t4, t2, 4
    add     a0, a0, t3
    add     a1, a1, t3
    add     a6, a6, t3
    add     a7, a7, t3
    add     a2, a2, t4
    add     a3, a3, t4
    add     a4, a4, t4
    bnez    a5, 1b
    ret
.size pqc_falcon_rvv_to_left_half, . - pqc_falcon_rvv_to_left_half

# pqc_falcon_rvv_mul(a0 a, a1 b, a2 = h): a = a b
FUNCTION pqc_falcon_rvv_mul
    slli    t0, a2, 3
1:
    vsetvli t2, a2, e64, m4, ta, ma
    add     t3, a0, t0
    add     t4, a1, t0
    vle64.v v0, (a0)
    vle64.v v4, (t3)
    vle64.v v8, (a1)
    vle64.v v12, (t4)
    PRODUCT v16, v20, v0, v4, v8, v12, v24
    vse64.v v16, (a0)
    vse64.v v20, (t3)
    sub     a2, a2, t2
    slli    t2, t2, 3
    add     a0, a0, t2
    add     a1, a1, t2
    bnez    a2, 1b
    ret
.size pqc_falcon_rvv_mul, . - pqc_falcon_rvv_mul

# pqc_falcon_rvv_add(a0 a, a1 b, a2 = their doubles): a = a + b
FUNCTION pqc_falcon_rvv_add
1:
    vsetvli t2, a2, e64, m8, ta, ma
    vle64.v v0, (a0)
    vle64.v v8, (a1)
    vfadd.vv v0, v0, v8
    vse64.v v0, (a0)
    sub     a2, a2, t2
    slli    t2, t2, 3
    add     a0, a0, t2
    add     a1, a1, t2
    bnez    a2, 1b
    ret
.size pqc_falcon_rvv_add, . - pqc_falcon_rvv_add

# pqc_falcon_rvv_mul_const(a0 a, a1 = its doubles, fa0 = c): a = a c
FUNCTION pqc_falcon_rvv_mul_const
1:
    vsetvli t2, a1, e64, m8, ta, ma
    vle64.v v0, (a0)
    vfmul.vf v0, v0, fa0
    vse64.v v0, (a0)
    sub     a1, a1, t2
    slli    t2, t2, 3
    add     a0, a0, t2
    bnez    a1, 1b
    ret
.size pqc_falcon_rvv_mul_const, . - pqc_falcon_rvv_mul_const

.option pop
