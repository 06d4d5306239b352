# The transforms of Falcon for vectors of any length (VLEN of at least 128), bit for bit those of fft.rs.
#
# Two layers a pass over memory: a block of four quarters of q points each, whose columns are the lanes. Blocks of
# 64 points and more have one root a block (scalar) and contiguous lanes; in the last four layers the blocks are
# the lanes, and the roots are vectors. Products are rounded before they are added: nothing here is fused.
#
# Registers: a0 real parts, a4 imaginary parts, a1 = h = their number, a2 roots (real parts; imaginary parts follow
# 8192 bytes later), s6 = 8192. Block b of m has the root 2m + b, its halves in the next layer 4m + 2b and the one
# after. Points 0 to 3: real parts in v0 v2 v4 v6, imaginary parts in v8 v10 v12 v14. v28 and v30 are scratch.

.option push
.option arch, +m, +d, +v

# x, y = x + y w, x - y w. k: vf or vv.
.macro FORWARD k, xr, xi, yr, yi, wr, wi, s, t
    vfmul.\k \s, \yr, \wr
    vfmul.\k \t, \yi, \wi
    vfmul.\k \yr, \yr, \wi
    vfmul.\k \yi, \yi, \wr
    vfsub.vv \s, \s, \t
    vfadd.vv \t, \yr, \yi
    vfsub.vv \yr, \xr, \s
    vfsub.vv \yi, \xi, \t
    vfadd.vv \xr, \xr, \s
    vfadd.vv \xi, \xi, \t
.endm

# x, y = x + y, (x - y) conj w.
.macro BACKWARD k, xr, xi, yr, yi, wr, wi, s, t
    vfsub.vv \s, \xr, \yr
    vfsub.vv \t, \xi, \yi
    vfadd.vv \xr, \xr, \yr
    vfadd.vv \xi, \xi, \yi
    vfmul.\k \yr, \s, \wr
    vfmul.\k \yi, \t, \wr
    vfmul.\k \s, \s, \wi
    vfmul.\k \t, \t, \wi
    vfadd.vv \yr, \yr, \t
    vfsub.vv \yi, \yi, \s
.endm

# Two layers on four points: u is the block's root, v and w those of its halves.
.macro FOUR dir, k, ur, ui, vr, vi, wr, wi
.ifc \dir, FORWARD
    FORWARD \k, v0, v8, v4, v12, \ur, \ui, v28, v30
    FORWARD \k, v2, v10, v6, v14, \ur, \ui, v24, v26
    FORWARD \k, v0, v8, v2, v10, \vr, \vi, v28, v30
    FORWARD \k, v4, v12, v6, v14, \wr, \wi, v24, v26
.else
    BACKWARD \k, v0, v8, v2, v10, \vr, \vi, v28, v30
    BACKWARD \k, v4, v12, v6, v14, \wr, \wi, v24, v26
    BACKWARD \k, v0, v8, v4, v12, \ur, \ui, v28, v30
    BACKWARD \k, v2, v10, v6, v14, \ur, \ui, v24, v26
.endif
.endm

.macro SCALE to:vararg
.irp v, \to
    vfmul.vf \v, \v, fa7
.endr
.endm

# Two layers of a5 blocks of at least 64 points, whose quarters have t4 bytes. scale: 1 where the results are multiplied by fa7.
.macro COLUMNS dir, scale
    mv      t2, a0
    mv      t3, a4
    slli    t5, t4, 1
    add     t6, t5, t4
    slli    a6, a5, 4
    slli    a7, a5, 5
    add     a6, a6, a2              # the root 2 m
    add     a7, a7, a2              # the root 4 m
    mv      a3, a5
1:                                  # a block
    fld     fa0, (a6)
    fld     fa2, (a7)
    fld     fa4, 8(a7)
    add     s0, a6, s6
    add     s1, a7, s6
    fld     fa1, (s0)
    fld     fa3, (s1)
    fld     fa5, 8(s1)
    addi    a6, a6, 8
    addi    a7, a7, 16
    srli    t1, t4, 3
2:                                  # some columns
    vsetvli t0, t1, e64, m2, ta, ma
    add     s0, t2, t4
    add     s1, t2, t5
    add     s2, t2, t6
    add     s3, t3, t4
    add     s4, t3, t5
    add     s5, t3, t6
    vle64.v v0, (t2)
    vle64.v v2, (s0)
    vle64.v v4, (s1)
    vle64.v v6, (s2)
    vle64.v v8, (t3)
    vle64.v v10, (s3)
    vle64.v v12, (s4)
    vle64.v v14, (s5)
    FOUR \dir, vf, fa0, fa1, fa2, fa3, fa4, fa5
.if \scale
    SCALE   v0, v2, v4, v6, v8, v10, v12, v14
.endif
    vse64.v v0, (t2)
    vse64.v v2, (s0)
    vse64.v v4, (s1)
    vse64.v v6, (s2)
    vse64.v v8, (t3)
    vse64.v v10, (s3)
    vse64.v v12, (s4)
    vse64.v v14, (s5)
    sub     t1, t1, t0
    slli    t0, t0, 3
    add     t2, t2, t0
    add     t3, t3, t0
    bnez    t1, 2b
    add     t2, t2, t6
    add     t3, t3, t6
    addi    a3, a3, -1
    bnez    a3, 1b
.endm

# The one layer of one block, for an odd number of layers.
.macro HALVES dir, scale
    fld     fa0, 16(a2)
    add     t5, a2, s6
    fld     fa1, 16(t5)
    mv      t2, a0
    mv      t3, a4
    slli    t4, a1, 2               # bytes of a half
    srli    t1, a1, 1
1:
    vsetvli t0, t1, e64, m4, ta, ma
    add     t5, t2, t4
    add     t6, t3, t4
    vle64.v v0, (t2)
    vle64.v v4, (t3)
    vle64.v v8, (t5)
    vle64.v v12, (t6)
    \dir    vf, v0, v4, v8, v12, fa0, fa1, v16, v20
.if \scale
    SCALE   v0, v4, v8, v12
.endif
    vse64.v v0, (t2)
    vse64.v v4, (t3)
    vse64.v v8, (t5)
    vse64.v v12, (t6)
    sub     t1, t1, t0
    slli    t0, t0, 3
    add     t2, t2, t0
    add     t3, t3, t0
    bnez    t1, 1b
.endm

# The roots of as many blocks as there are lanes: u in v16 v18, v in v20 and v24, w in v22 and v26.
.macro ROOTS
    vle64.v v16, (a6)
    add     t5, a6, s6
    vle64.v v18, (t5)
    vlseg2e64.v v20, (a7)
    add     t5, a7, s6
    vlseg2e64.v v24, (t5)
    slli    t5, t0, 3
    add     a6, a6, t5
    slli    t5, t0, 4
    add     a7, a7, t5
.endm

# FOUR with the roots of ROOTS.
.macro FOUR_IN_LANES dir
.ifc \dir, FORWARD
    FORWARD vv, v0, v8, v4, v12, v16, v18, v28, v30
    FORWARD vv, v2, v10, v6, v14, v16, v18, v28, v30
    FORWARD vv, v0, v8, v2, v10, v20, v24, v28, v30
    FORWARD vv, v4, v12, v6, v14, v22, v26, v28, v30
.else
    BACKWARD vv, v0, v8, v2, v10, v20, v24, v28, v30
    BACKWARD vv, v4, v12, v6, v14, v22, v26, v28, v30
    BACKWARD vv, v0, v8, v4, v12, v16, v18, v28, v30
    BACKWARD vv, v2, v10, v6, v14, v16, v18, v28, v30
.endif
.endm

# The two layers of blocks of 16 points: the blocks are the lanes, column by column.
.macro SIXTEENS dir
    mv      t2, a0
    mv      t3, a4
    srli    t1, a1, 4               # m
    add     a6, a2, a1              # the root 2 m
    slli    a7, a1, 1
    add     a7, a2, a7              # the root 4 m
    li      t4, 128
1:
    vsetvli t0, t1, e64, m2, ta, ma
    ROOTS
    li      a3, 4
2:
    addi    s0, t2, 32
    addi    s1, t2, 64
    addi    s2, t2, 96
    addi    s3, t3, 32
    addi    s4, t3, 64
    addi    s5, t3, 96
    vlse64.v v0, (t2), t4
    vlse64.v v2, (s0), t4
    vlse64.v v4, (s1), t4
    vlse64.v v6, (s2), t4
    vlse64.v v8, (t3), t4
    vlse64.v v10, (s3), t4
    vlse64.v v12, (s4), t4
    vlse64.v v14, (s5), t4
    FOUR_IN_LANES \dir
    vsse64.v v0, (t2), t4
    vsse64.v v2, (s0), t4
    vsse64.v v4, (s1), t4
    vsse64.v v6, (s2), t4
    vsse64.v v8, (t3), t4
    vsse64.v v10, (s3), t4
    vsse64.v v12, (s4), t4
    vsse64.v v14, (s5), t4
    addi    t2, t2, 8
    addi    t3, t3, 8
    addi    a3, a3, -1
    bnez    a3, 2b
    sub     t1, t1, t0
    slli    t0, t0, 7
    addi    t0, t0, -32
    add     t2, t2, t0
    add     t3, t3, t0
    bnez    t1, 1b
.endm

# The two layers of blocks of 4 points: the blocks are the lanes.
.macro FOURS dir
    mv      t2, a0
    mv      t3, a4
    srli    t1, a1, 2               # m
    slli    a6, a1, 2
    slli    a7, a1, 3
    add     a6, a2, a6              # the root 2 m
    add     a7, a2, a7              # the root 4 m
1:
    vsetvli t0, t1, e64, m2, ta, ma
    ROOTS
    vlseg4e64.v v0, (t2)
    vlseg4e64.v v8, (t3)
    FOUR_IN_LANES \dir
    vsseg4e64.v v0, (t2)
    vsseg4e64.v v8, (t3)
    sub     t1, t1, t0
    slli    t0, t0, 5
    add     t2, t2, t0
    add     t3, t3, t0
    bnez    t1, 1b
.endm

.macro ENTER
    addi    sp, sp, -64
    sd      s0, 0(sp)
    sd      s1, 8(sp)
    sd      s2, 16(sp)
    sd      s3, 24(sp)
    sd      s4, 32(sp)
    sd      s5, 40(sp)
    sd      s6, 48(sp)
    slli    a4, a1, 3
    add     a4, a4, a0
    li      s6, 8192
.endm

.macro LEAVE
    ld      s0, 0(sp)
    ld      s1, 8(sp)
    ld      s2, 16(sp)
    ld      s3, 24(sp)
    ld      s4, 32(sp)
    ld      s5, 40(sp)
    ld      s6, 48(sp)
    addi    sp, sp, 64
    ret
.endm

.text
.p2align 2

# pqc_falcon_rvv_fft(a0 values, a1 = h, a2 roots, a3 = whether the number of layers is odd)
.globl pqc_falcon_rvv_fft
.hidden pqc_falcon_rvv_fft
.type pqc_falcon_rvv_fft, @function
pqc_falcon_rvv_fft:
    ENTER
    li      a5, 1
    beqz    a3, 3f
    HALVES  FORWARD, 0
    li      a5, 2
3:
    slli    t4, a1, 1
    srl     t4, t4, a3
4:
    COLUMNS FORWARD, 0
    slli    a5, a5, 2
    srli    t4, t4, 2
    slli    t0, a5, 6
    bleu    t0, a1, 4b
    SIXTEENS FORWARD
    FOURS   FORWARD
    LEAVE
.size pqc_falcon_rvv_fft, . - pqc_falcon_rvv_fft

# pqc_falcon_rvv_ifft(a0 values, a1 = h, a2 roots, fa0 = what the results are multiplied by)
.globl pqc_falcon_rvv_ifft
.hidden pqc_falcon_rvv_ifft
.type pqc_falcon_rvv_ifft, @function
pqc_falcon_rvv_ifft:
    ENTER
    fmv.d   fa7, fa0
    FOURS   BACKWARD
    SIXTEENS BACKWARD
    srli    a5, a1, 6
    li      t4, 128
3:
    beqz    a5, 5f
    li      t0, 1
    beq     a5, t0, 4f
    COLUMNS BACKWARD, 0
    srli    a5, a5, 2
    slli    t4, t4, 2
    j       3b
4:
    COLUMNS BACKWARD, 1
    LEAVE
5:
    HALVES  BACKWARD, 1
    LEAVE
.size pqc_falcon_rvv_ifft, . - pqc_falcon_rvv_ifft

.option pop
