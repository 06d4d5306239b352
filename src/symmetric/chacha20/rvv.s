# Eight blocks of ChaCha20 for the vector extension of RISC-V: a lane is a block, v0 to v15 are its words. With
# vectors of 128 bits four blocks are made at a time.

.option push
.option arch, +m, +d, +v

# d = d rotated left by n, four times.
.macro ROTATE n, d0, d1, d2, d3
    vsll.vi v16, \d0, \n
    vsll.vi v17, \d1, \n
    vsll.vi v18, \d2, \n
    vsll.vi v19, \d3, \n
    vsrl.vi \d0, \d0, 32 - \n
    vsrl.vi \d1, \d1, 32 - \n
    vsrl.vi \d2, \d2, 32 - \n
    vsrl.vi \d3, \d3, 32 - \n
    vor.vv  \d0, \d0, v16
    vor.vv  \d1, \d1, v17
    vor.vv  \d2, \d2, v18
    vor.vv  \d3, \d3, v19
.endm

# a = a + b, d = (d ^ a) rotated left by n, four times.
.macro STEP n, a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3
    vadd.vv \a0, \a0, \b0
    vadd.vv \a1, \a1, \b1
    vadd.vv \a2, \a2, \b2
    vadd.vv \a3, \a3, \b3
    vxor.vv \d0, \d0, \a0
    vxor.vv \d1, \d1, \a1
    vxor.vv \d2, \d2, \a2
    vxor.vv \d3, \d3, \a3
    ROTATE  \n, \d0, \d1, \d2, \d3
.endm

# Four quarter rounds; the first words are always v0 to v3.
.macro ROUND b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    STEP 16, v0, v1, v2, v3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    STEP 12, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
    STEP 8, v0, v1, v2, v3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    STEP 7, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
.endm

.text
.p2align 2

# pqc_rvv_chacha20(a0 words 0 to 15, a1 counter, a2 output): word v of block u goes to byte 4 u + 32 v.
.globl pqc_rvv_chacha20
.hidden pqc_rvv_chacha20
.type pqc_rvv_chacha20, @function
pqc_rvv_chacha20:
    li      a3, 8
1:
    vsetvli t0, a3, e32, m1, ta, ma
    # The counters of the lanes are mixed into the last two words, which are kept in v30 and v31.
    vid.v   v30
    vadd.vx v30, v30, a1
    vmsltu.vx v0, v30, a1
    srli    t1, a1, 32
    vmv.v.x v31, t1
    vadc.vim v31, v31, 0, v0
    lw      t1, 56(a0)
    lw      t2, 60(a0)
    vxor.vx v30, v30, t1
    vxor.vx v31, v31, t2
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    lw      t1, 4 * \i(a0)
    vmv.v.x v\i, t1
.endr
    vmv.v.v v14, v30
    vmv.v.v v15, v31
    li      t2, 10
2:
    ROUND   v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
    ROUND   v5, v6, v7, v4, v10, v11, v8, v9, v15, v12, v13, v14
    addi    t2, t2, -1
    bnez    t2, 2b
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    lw      t1, 4 * \i(a0)
    vadd.vx v\i, v\i, t1
.endr
    vadd.vv v14, v14, v30
    vadd.vv v15, v15, v31
    mv      t2, a2
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vse32.v v\i, (t2)
    addi    t2, t2, 32
.endr
    add     a1, a1, t0
    sub     a3, a3, t0
    slli    t0, t0, 2
    add     a2, a2, t0
    bnez    a3, 1b
    ret
.size pqc_rvv_chacha20, . - pqc_rvv_chacha20

.option pop
