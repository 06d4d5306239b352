# The integer sampler of Falcon for the vector extension of RISC-V: the base sampler for all trials of a buffer, and
# the verdicts on a window of trials. The bits are those of sampler_z.rs; no product is fused with a sum.

.option push
.option arch, +v

.text
.p2align 2

# pqc_falcon_rvv_prepare(a0 bytes, a1 count, a2 z, a3 square, a4 byte, a5 rows, fa0 = 1 / (2 sigma0^2))
#
# A lane is a trial of 11 bytes: 64 and 8 bits for the base sampler, a sign, a byte of BerExp. Single bytes are
# loaded, since words would not be aligned, and joined by twos: x + 255 y added to y is x + 256 y.
.globl pqc_falcon_rvv_prepare
.hidden pqc_falcon_rvv_prepare
.type pqc_falcon_rvv_prepare, @function
pqc_falcon_rvv_prepare:
    li      t4, 11
1:
    vsetvli t0, a1, e64, m4, ta, ma
    # As many lanes in each of the following types.
    vsetvli zero, zero, e8, mf2, ta, ma
    vlsseg8e8.v v8, (a0), t4
    addi    t1, a0, 8
    vlsseg3e8.v v1, (t1), t4
    li      t2, 0xFF
    vwaddu.vv v20, v8, v9
    vwaddu.vv v21, v10, v11
    vwaddu.vv v22, v12, v13
    vwaddu.vv v23, v14, v15
    vwmaccu.vx v20, t2, v9
    vwmaccu.vx v21, t2, v11
    vwmaccu.vx v22, t2, v13
    vwmaccu.vx v23, t2, v15
    vsetvli zero, zero, e16, m1, ta, ma
    li      t2, 0xFFFF
    vwaddu.vv v24, v20, v21
    vwaddu.vv v26, v22, v23
    vwmaccu.vx v24, t2, v21
    vwmaccu.vx v26, t2, v23
    vsetvli zero, zero, e32, m2, ta, ma
    li      t2, -1
    vwaddu.vv v8, v24, v26
    vwmaccu.vx v8, t2, v26
    vsetvli zero, zero, e64, m4, ta, ma
    vzext.vf8 v12, v1
    vmv.v.i v16, 0
    # z0 counts the rows above the value. v8: its low 64 bits, v12: its high 8 bits. Five rows have high bits.
    mv      t3, a5
    li      t1, 5
2:
    ld      t2, (t3)
    ld      t5, 8(t3)
    vmsltu.vx v0, v8, t2
    vmsbc.vxm v0, v12, t5, v0
    vadc.vim v16, v16, 0, v0
    addi    t3, t3, 16
    addi    t1, t1, -1
    bnez    t1, 2b
    # To the others, a value with high bits is as good as the largest one without.
    vmsne.vi v0, v12, 0
    vmerge.vim v8, v8, -1, v0
    li      t1, 13
3:
    ld      t2, (t3)
    vmsltu.vx v0, v8, t2
    vadc.vim v16, v16, 0, v0
    addi    t3, t3, 16
    addi    t1, t1, -1
    bnez    t1, 3b
    # z0 + 1 where the sign is 1, -z0 where it is 0.
    vzext.vf8 v12, v2
    vand.vi v12, v12, 1
    vmsne.vi v0, v12, 0
    vadd.vi v20, v16, 1
    vrsub.vi v24, v16, 0
    vmerge.vvm v24, v24, v20, v0
    vfcvt.f.x.v v24, v24
    vse64.v v24, (a2)
    vfcvt.f.xu.v v16, v16
    vfmul.vv v16, v16, v16
    vfmul.vf v16, v16, fa0
    vse64.v v16, (a3)
    vzext.vf8 v12, v3
    vfcvt.f.xu.v v12, v12
    vse64.v v12, (a4)
    mul     t1, t0, t4
    add     a0, a0, t1
    sub     a1, a1, t0
    slli    t0, t0, 3
    add     a2, a2, t0
    add     a3, a3, t0
    add     a4, a4, t0
    bnez    a1, 1b
    ret
.size pqc_falcon_rvv_prepare, . - pqc_falcon_rvv_prepare

# to = c[k] - c[k + 1] r, for the doubles at k of a3.
.macro LINE to, k
    fld     ft0, 8 * (\k)(a3)
    fld     ft1, 8 * (\k) + 8(a3)
    vfmul.vf \to, v4, ft1
    vfrsub.vf \to, \to, ft0
.endm

# Eight lanes of the given LMUL: v4, v8, ... v28 are groups.
.macro JUDGE lmul
    vsetivli zero, 8, e64, \lmul, ta, mu
    vle64.v v4, (a0)
    vle64.v v8, (a1)
    # x = (z - r)^2 dss - square
    vfsub.vf v4, v4, fa0
    vfmul.vv v12, v4, v4
    vfmul.vf v12, v12, fa1
    vfsub.vv v4, v12, v8
    # v12: the multiples of ln 2 in x, at least 0; v4: what is left
    fld     ft0, 0(a3)
    fld     ft1, 8(a3)
    fld     ft2, 16(a3)
    fld     ft3, 24(a3)
    fld     ft4, 32(a3)
    fmv.d.x ft5, zero
    vfmul.vf v8, v4, ft0
    vfadd.vf v12, v8, ft2
    vfsub.vf v12, v12, ft2
    vmflt.vv v0, v8, v12
    vfsub.vf v12, v12, ft4, v0.t
    vfmax.vf v12, v12, ft5
    vfmul.vf v8, v12, ft1
    vfsub.vv v4, v4, v8
    # the series
    LINE    v16, 5
    LINE    v20, 7
    vfmul.vv v8, v4, v4
    vfmul.vv v20, v20, v8
    vfadd.vv v16, v16, v20
    LINE    v20, 9
    LINE    v24, 11
    vfmul.vv v24, v24, v8
    vfadd.vv v20, v20, v24
    LINE    v24, 13
    LINE    v28, 15
    vfmul.vv v28, v28, v8
    vfadd.vv v24, v24, v28
    vfmul.vv v4, v8, v8
    vfmul.vv v20, v20, v4
    vfadd.vv v16, v16, v20
    fld     ft0, 8 * 17(a3)
    vfmul.vf v20, v4, ft0
    vfadd.vv v24, v24, v20
    vfmul.vv v8, v4, v4
    vfmul.vv v24, v24, v8
    vfadd.vv v16, v16, v24
    vfmul.vf v16, v16, fa2
    # times 2^8, divided by 2^v12
    vfadd.vf v12, v12, ft3
    li      t0, 52
    vsll.vx v12, v12, t0
    vsub.vv v16, v16, v12
    vle64.v v4, (a2)
    vmflt.vv v0, v4, v16
    vfadd.vf v4, v4, ft4
    vmflt.vv v1, v4, v16
    vsetivli zero, 1, e8, m1, ta, ma
    vmv.x.s a0, v0
    vmv.x.s a1, v1
    andi    a0, a0, 0xFF
    andi    a1, a1, 0xFF
    ret
.endm

# pqc_falcon_rvv_judge(a0 z, a1 square, a2 byte, a3 constants, fa0 = r, fa1 = dss, fa2 = ccs): eight trials
#
# The constants: 1 / ln 2, ln 2, the rounder, the rounder less 8, 1, the series. Out: a0 stops, a1 accepts.
.globl pqc_falcon_rvv_judge
.hidden pqc_falcon_rvv_judge
.type pqc_falcon_rvv_judge, @function
pqc_falcon_rvv_judge:
    csrr    t0, vlenb
    li      t1, 16
    bne     t0, t1, 1f
    JUDGE   m4
1:
    JUDGE   m2
.size pqc_falcon_rvv_judge, . - pqc_falcon_rvv_judge

.option pop
