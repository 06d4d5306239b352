# The transforms of Falcon for vectors of any length (VLEN of at least 128), bit for bit those of fft.rs.
#
# Two passes over memory, four or five layers in each. A vector of L lanes holds the points x of L butterflies,
# another one their points y; two more hold the imaginary parts. So 2 L points are at hand, whose butterflies of a
# layer are done at once, and between layers x and y exchange the lanes that they must. L is 16; where four registers
# have only eight lanes, L is 8, and 1024 coefficients take a third pass. Products are rounded before they are
# added: nothing here is fused.
#
# A point's index among the 2 L is written as its bits, the highest one first. In the layer that pairs points whose
# bits i differ, that bit says whether it is in x or in y, and the others are the lane, in an order that follows
# from this: to exchange at d is to swap that bit with the lane's bit of the value d. From x or y = 4, lane = 3 2 1 0
# (bits), exchanges at 8, 4, 2, 1 make the lanes 4 2 1 0, 4 3 1 0, 4 3 2 0, and 4 3 2 1. The roots of a layer,
# one for each block, repeat in the lanes 16, 8, 4, 2 times and once: tables of them stand ready.
#
# Registers throughout: a0 real parts, s5 from there to the imaginary parts in bytes, a1 points of the block that is
# transformed, s4 its root, a2 the tables: of each the real parts, then, 8192 = s6 bytes on, the imaginary parts.
# s7 = 16384, s8 to s11 the lanes whose bits of the values 8, 4, 2, 1 are set. xr v4, yr v8, xi v12, yi v16.

.option push
.option arch, +m, +d, +v

# x, y = x + y w, x - y w, with the roots from the table that has its imaginary parts at a6.
.macro FORWARD
    vle64.v v28, (a6)
    sub     t0, a6, s6
    vfmul.vv v20, v8, v28
    vfmul.vv v24, v16, v28
    vle64.v v28, (t0)
    vfmul.vv v8, v8, v28
    vfmul.vv v16, v16, v28
    vfsub.vv v24, v8, v24           # the real part of y w
    vfadd.vv v20, v20, v16
    vfsub.vv v8, v4, v24
    vfsub.vv v16, v12, v20
    vfadd.vv v4, v4, v24
    vfadd.vv v12, v12, v20
.endm

# The same with one root, fa0 + i fa1.
.macro FORWARD_ONE
    vfmul.vf v20, v8, fa1
    vfmul.vf v24, v16, fa1
    vfmul.vf v8, v8, fa0
    vfmul.vf v16, v16, fa0
    vfsub.vv v24, v8, v24
    vfadd.vv v20, v20, v16
    vfsub.vv v8, v4, v24
    vfsub.vv v16, v12, v20
    vfadd.vv v4, v4, v24
    vfadd.vv v12, v12, v20
.endm

# x, y = x + y, (x - y) conj w, with the roots from the table that has its real parts at a6.
.macro BACKWARD
    vle64.v v28, (a6)
    add     t0, a6, s6
    vfsub.vv v20, v4, v8
    vfsub.vv v24, v12, v16
    vfadd.vv v4, v4, v8
    vfadd.vv v12, v12, v16
    vfmul.vv v8, v20, v28
    vfmul.vv v16, v24, v28
    vle64.v v28, (t0)
    vfmul.vv v20, v20, v28
    vfmul.vv v24, v24, v28
    vfadd.vv v8, v8, v24
    vfsub.vv v16, v16, v20
.endm

.macro BACKWARD_ONE
    vfsub.vv v20, v4, v8
    vfsub.vv v24, v12, v16
    vfadd.vv v4, v4, v8
    vfadd.vv v12, v12, v16
    vfmul.vf v8, v20, fa0
    vfmul.vf v16, v24, fa0
    vfmul.vf v20, v20, fa1
    vfmul.vf v24, v24, fa1
    vfadd.vv v8, v8, v24
    vfsub.vv v16, v16, v20
.endm

# The lanes of x that have the bit of the value d, and those of y that have not, change places. mask: the former.
.macro EXCHANGE d, mask
    vmv.s.x v0, \mask
    vslidedown.vi v20, v4, \d
    vslidedown.vi v24, v12, \d
    vslideup.vi v4, v8, \d, v0.t
    vslideup.vi v12, v16, \d, v0.t
    vmerge.vvm v8, v20, v8, v0
    vmerge.vvm v16, v24, v16, v0
.endm

.macro SCALE
    vfmul.vf v4, v4, fa7
    vfmul.vf v8, v8, fa7
    vfmul.vf v12, v12, fa7
    vfmul.vf v16, v16, fa7
.endm

# fa0 + i fa1 = the root s4.
.macro ROOT
    slli    t0, s4, 3
    add     t0, t0, a2
    fld     fa0, (t0)
    add     t0, t0, s6
    fld     fa1, (t0)
.endm

# What both directions of the first four layers begin with. The points are rows of as many points as there are
# columns, and a column is transformed at a time. t4: bytes of a row. a7: the tables. t1: where t2 ends.
#
# Four layers leave the lowest bit of a row's number alone where there are 32 rows, so that x or y is its bit 1 and
# lanes are 4 3 2 0: v1 has their places, and a5 is the way from x to y. With 16 rows lanes are 3 2 1: every
# other row, t4 is the way from x to y, and a5 the distance of lanes.
.macro COLUMNS lanes
.if \lanes == 16
    srli    t4, a1, 2
    slli    a7, s4, 7
    vsetivli zero, 16, e16, m1, ta, ma
    vid.v   v1
    vand.vi v2, v1, 1
    vsrl.vi v1, v1, 1
    vsll.vi v1, v1, 2
    vor.vv  v1, v1, v2
    vmul.vx v1, v1, t4
.else
    srli    t4, a1, 1
    slli    a7, s4, 6
.endif
    vsetivli zero, \lanes, e64, m4, ta, mu
    slli    a5, t4, 1
    slli    s2, a1, 2               # bytes of half of the rows
    ROOT
    mv      t2, a0
    add     t1, a0, t4
.endm

.macro FORWARD_COLUMNS lanes
    COLUMNS \lanes
    add     a7, a7, s3
1:
    add     t3, t2, s2
    add     t5, t2, s5
    add     t6, t5, s2
    vlse64.v v4, (t2), t4
    vlse64.v v8, (t3), t4
    vlse64.v v12, (t5), t4
    vlse64.v v16, (t6), t4
    FORWARD_ONE
    mv      a6, a7
.if \lanes == 16
    EXCHANGE 8, s8
    FORWARD
    sub     a6, a6, s7
.endif
    EXCHANGE 4, s9
    FORWARD
    sub     a6, a6, s7
    EXCHANGE 2, s10
    FORWARD
.if \lanes == 16
    add     t3, t2, a5
    add     t6, t5, a5
    vsuxei16.v v4, (t2), v1
    vsuxei16.v v8, (t3), v1
    vsuxei16.v v12, (t5), v1
    vsuxei16.v v16, (t6), v1
.else
    sub     a6, a6, s7
    EXCHANGE 1, s11
    FORWARD
    add     t3, t2, t4
    add     t6, t5, t4
    vsse64.v v4, (t2), a5
    vsse64.v v8, (t3), a5
    vsse64.v v12, (t5), a5
    vsse64.v v16, (t6), a5
.endif
    addi    t2, t2, 8
    bne     t2, t1, 1b
.endm

# s1: 1 where the results are multiplied by fa7.
.macro BACKWARD_COLUMNS lanes
    COLUMNS \lanes
    add     a7, a7, a2
.if \lanes == 16
    add     a7, a7, s7
.endif
1:
    add     t5, t2, s5
.if \lanes == 16
    add     t3, t2, a5
    add     t6, t5, a5
    vluxei16.v v4, (t2), v1
    vluxei16.v v8, (t3), v1
    vluxei16.v v12, (t5), v1
    vluxei16.v v16, (t6), v1
    mv      a6, a7
.else
    add     t3, t2, t4
    add     t6, t5, t4
    vlse64.v v4, (t2), a5
    vlse64.v v8, (t3), a5
    vlse64.v v12, (t5), a5
    vlse64.v v16, (t6), a5
    mv      a6, a7
    BACKWARD
    EXCHANGE 1, s11
    add     a6, a6, s7
.endif
    BACKWARD
    EXCHANGE 2, s10
    add     a6, a6, s7
    BACKWARD
    EXCHANGE 4, s9
.if \lanes == 16
    add     a6, a6, s7
    BACKWARD
    EXCHANGE 8, s8
.endif
    BACKWARD_ONE
    beqz    s1, 2f
    SCALE
2:
    add     t3, t2, s2
    add     t6, t5, s2
    vsse64.v v4, (t2), t4
    vsse64.v v8, (t3), t4
    vsse64.v v12, (t5), t4
    vsse64.v v16, (t6), t4
    addi    t2, t2, 8
    bne     t2, t1, 1b
.endm

# What both directions of the last layers begin with: 2 L points in a row at a time. a3: how many of the layers of
# 2 L points have been done in columns. a7: the tables. a4: the one root of the first layer. t1: where t2 ends.
.macro BLOCKS lanes
    mul     a7, s4, a1
.if \lanes == 16
    srli    a4, a7, 2
.else
    srli    a4, a7, 1
.endif
    slli    a7, a7, 2
    add     a4, a4, a2
    vsetivli zero, \lanes, e64, m4, ta, mu
    mv      t2, a0
    slli    t1, a1, 3
    add     t1, t1, a0
    li      s2, 1
    li      s0, 2
.endm

.macro FORWARD_BLOCKS lanes
    BLOCKS  \lanes
    add     a7, a7, s3
1:
    addi    t3, t2, 8 * \lanes
    add     t5, t2, s5
    addi    t6, t5, 8 * \lanes
    vle64.v v4, (t2)
    vle64.v v8, (t3)
    vle64.v v12, (t5)
    vle64.v v16, (t6)
    mv      a6, a7
    bnez    a3, 2f
    fld     fa0, (a4)
    add     t0, a4, s6
    fld     fa1, (t0)
    FORWARD_ONE
2:
.if \lanes == 16
    EXCHANGE 8, s8
    bltu    s2, a3, 3f
    FORWARD
3:
    sub     a6, a6, s7
    EXCHANGE 4, s9
    bltu    s0, a3, 4f
    FORWARD
4:
.else
    EXCHANGE 4, s9
    bltu    s2, a3, 3f
    FORWARD
3:
.endif
    sub     a6, a6, s7
    EXCHANGE 2, s10
    FORWARD
    sub     a6, a6, s7
    EXCHANGE 1, s11
    FORWARD
    vsseg2e64.v v4, (t2)
    vsseg2e64.v v12, (t5)
    addi    t2, t2, 16 * \lanes
    addi    a7, a7, 8 * \lanes
    addi    a4, a4, 8
    bne     t2, t1, 1b
.endm

.macro BACKWARD_BLOCKS lanes
    BLOCKS  \lanes
    add     a7, a7, a2
1:
    add     t5, t2, s5
    vlseg2e64.v v4, (t2)
    vlseg2e64.v v12, (t5)
    mv      a6, a7
    BACKWARD
    EXCHANGE 1, s11
    add     a6, a6, s7
    BACKWARD
    EXCHANGE 2, s10
    add     a6, a6, s7
.if \lanes == 16
    bltu    s0, a3, 4f
    BACKWARD
4:
    EXCHANGE 4, s9
    add     a6, a6, s7
    bltu    s2, a3, 3f
    BACKWARD
3:
    EXCHANGE 8, s8
.else
    bltu    s2, a3, 3f
    BACKWARD
3:
    EXCHANGE 4, s9
.endif
    bnez    a3, 2f
    fld     fa0, (a4)
    add     t0, a4, s6
    fld     fa1, (t0)
    BACKWARD_ONE
2:
    addi    t3, t2, 8 * \lanes
    addi    t6, t5, 8 * \lanes
    vse64.v v4, (t2)
    vse64.v v8, (t3)
    vse64.v v12, (t5)
    vse64.v v16, (t6)
    addi    t2, t2, 16 * \lanes
    addi    a7, a7, 8 * \lanes
    addi    a4, a4, 8
    bne     t2, t1, 1b
.endm

# The one layer of one block, where two passes do not hold all layers.
.macro HALVES dir, scale
    ROOT
    mv      t2, a0
    slli    t4, a1, 2               # bytes of a half
    srli    t1, a1, 1
1:
    vsetvli t0, t1, e64, m4, ta, mu
    add     t3, t2, t4
    add     t5, t2, s5
    add     t6, t5, t4
    vle64.v v4, (t2)
    vle64.v v8, (t3)
    vle64.v v12, (t5)
    vle64.v v16, (t6)
    \dir
.if \scale
    SCALE
.endif
    vse64.v v4, (t2)
    vse64.v v8, (t3)
    vse64.v v12, (t5)
    vse64.v v16, (t6)
    sub     t1, t1, t0
    slli    t0, t0, 3
    add     t2, t2, t0
    bnez    t1, 1b
.endm

# In: a3 the number of layers. Out: the registers of all macros; a3 and s3 for 2 L points of the lanes given.
.macro ENTER
    addi    sp, sp, -96
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd      s\i, 8 * \i(sp)
.endr
    slli    s5, a1, 3
    li      s4, 2
    li      s6, 8192
    slli    s7, s6, 1
    li      s8, 0xFF00
    li      s9, 0xF0F0
    li      s10, 0xCCCC
    li      s11, 0xAAAA
    vsetvli t0, zero, e64, m4, ta, mu
    li      t1, 16
.endm

.macro PLAN lanes
.if \lanes == 16
    li      t0, 9
    slli    s3, s7, 2
.else
    li      t0, 8
    slli    s3, s6, 2
    add     s3, s3, s7
.endif
    sub     a3, t0, a3
    add     s3, s3, a2
    sub     s3, s3, s6              # the imaginary parts of the table that repeats roots L / 2 times
.endm

.macro LEAVE
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld      s\i, 8 * \i(sp)
.endr
    addi    sp, sp, 96
    ret
.endm

.text
.p2align 2

# pqc_falcon_rvv_fft(a0 values, a1 = h, a2 tables, a3 = the number of layers)
.globl pqc_falcon_rvv_fft
.hidden pqc_falcon_rvv_fft
.type pqc_falcon_rvv_fft, function
pqc_falcon_rvv_fft:
    ENTER
    bltu    t0, t1, 5f
    PLAN    16
    FORWARD_COLUMNS 16
    FORWARD_BLOCKS 16
    LEAVE
5:  # Vectors of 128 bits.
    PLAN    8
    bgez    a3, 6f
    HALVES  FORWARD_ONE, 0
    li      a3, 0
    srli    a1, a1, 1
    li      s4, 4
6:
    FORWARD_COLUMNS 8
    FORWARD_BLOCKS 8
    # The block of the root 2 is all there is; its halves have the roots 4 and 5.
    slli    t0, a1, 3
    add     a0, a0, t0
    addi    s4, s4, 1
    li      t0, 5
    beq     s4, t0, 6b
    LEAVE
.size pqc_falcon_rvv_fft, . - pqc_falcon_rvv_fft

# pqc_falcon_rvv_ifft(a0 values, a1 = h, a2 tables, a3 = the number of layers, fa0 = what the results are multiplied by)
.globl pqc_falcon_rvv_ifft
.hidden pqc_falcon_rvv_ifft
.type pqc_falcon_rvv_ifft, function
pqc_falcon_rvv_ifft:
    ENTER
    fmv.d   fa7, fa0
    li      s1, 1
    bltu    t0, t1, 5f
    PLAN    16
    BACKWARD_BLOCKS 16
    BACKWARD_COLUMNS 16
    LEAVE
5:  # Vectors of 128 bits.
    PLAN    8
    bgez    a3, 6f
    li      a3, 0
    srli    a1, a1, 1
    li      s4, 4
    li      s1, 0
6:
    BACKWARD_BLOCKS 8
    BACKWARD_COLUMNS 8
    bnez    s1, 7f
    slli    t0, a1, 3
    add     a0, a0, t0
    addi    s4, s4, 1
    li      t0, 5
    beq     s4, t0, 6b
    sub     a0, a0, s5
    slli    a1, a1, 1
    li      s4, 2
    HALVES  BACKWARD_ONE, 1
7:
    LEAVE
.size pqc_falcon_rvv_ifft, . - pqc_falcon_rvv_ifft

.option pop
