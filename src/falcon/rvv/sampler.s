# The integer sampler of Falcon for the vector extension of RISC-V: the trials of a buffer, and the verdicts on a
# window of them. What this computes is what sampler_z.rs says of `prepare` and `judge`.

.option push
.option arch, +m, +d, +v

# v12 = the natural logarithm of v12, as `ln` approximates it. Scratch: v4, v8, v20, v24, v28.
.macro LN
    vand.vx v20, v12, t2
    vor.vx  v20, v20, t5            # m
    vsrl.vx v12, v12, t6
    vfcvt.f.xu.v v12, v12
    vfsub.vf v12, v12, fa4          # e
    vfmul.vf v12, v12, fa3
    vfadd.vv v20, v20, v20
    vfsub.vf v20, v20, fa5          # t
    vfmul.vv v24, v20, v20
    vfmul.vf v8, v20, ft1
    vfadd.vf v8, v8, ft0
    vfmul.vf v28, v20, ft3
    vfadd.vf v28, v28, ft2
    vfmul.vv v28, v28, v24
    vfadd.vv v8, v8, v28            # low
    vfmul.vf v4, v20, ft5
    vfadd.vf v4, v4, ft4
    vfmul.vf v28, v20, ft7
    vfadd.vf v28, v28, ft6
    vfmul.vv v28, v28, v24
    vfadd.vv v4, v4, v28            # high
    vfmul.vv v24, v24, v24
    vfmul.vv v4, v4, v24
    vfadd.vv v8, v8, v4
    vfadd.vv v12, v12, v8
.endm

# As many trials as the vectors take, t0, from a0: v16 = z0, v2 = the byte of the sign, v3 = the byte of BerExp, in
# elements of one byte. In: a1 trials are left, t4 = 11. Scratch: v0, v1, v8 to v15, v20 to v27, t1, t2, t5.
#
# A lane is a trial of 11 bytes: 64 and 8 bits for the base sampler, a sign, a byte of BerExp. Single bytes are
# loaded, since words would not be aligned, and joined by twos: x + y and 255 y are x + 256 y.
.macro BASE_SAMPLE
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
.irp i, 0, 1, 2, 3, 4
    ld      t2, 16 * \i(a5)
    ld      t5, 16 * \i + 8(a5)
    vmsltu.vx v0, v8, t2
    vmsbc.vxm v0, v12, t5, v0
    vadc.vim v16, v16, 0, v0
.endr
    # To the others, a value with high bits is as good as the largest one without.
    vmsne.vi v0, v12, 0
    vmerge.vim v8, v8, -1, v0
.irp i, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld      t2, 16 * \i(a5)
    vmsltu.vx v0, v8, t2
    vadc.vim v16, v16, 0, v0
.endr
.endm

.text
.p2align 2

# pqc_falcon_rvv_prepare(a0 bytes, a1 count, a2 z, a3 stops_below, a4 accepts_below, a5 rows, a6 constants)
#
# The constants: 1 / (2 sigma0^2), the two margins, ln 2, 1023, 3, 1, the series of the logarithm.
.globl pqc_falcon_rvv_prepare
.hidden pqc_falcon_rvv_prepare
.type pqc_falcon_rvv_prepare, @function
pqc_falcon_rvv_prepare:
.irp i, 0, 1, 2, 3, 4, 5, 6
    fld     fa\i, 8 * \i(a6)
.endr
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    fld     ft\i, 56 + 8 * \i(a6)
.endr
    li      t4, 11
1:
    BASE_SAMPLE
    # z0 + 1 where the sign is 1, -z0 where it is 0.
    vzext.vf8 v12, v2
    vand.vi v12, v12, 1
    vmsne.vi v0, v12, 0
    vadd.vi v20, v16, 1
    vrsub.vi v24, v16, 0
    vmerge.vvm v24, v24, v20, v0
    vfcvt.f.x.v v24, v24
    vse64.v v24, (a2)
    # The bounds, from z0^2 / (2 sigma0^2) and the logarithms of the byte and of one more.
    vfcvt.f.xu.v v16, v16
    vfmul.vv v16, v16, v16
    vfmul.vf v16, v16, fa0
    li      t2, (1 << 52) - 1
    li      t5, 1023 << 52
    li      t6, 52
    vzext.vf8 v12, v3
    vfcvt.f.xu.v v12, v12
    LN
    vfadd.vf v20, v16, fa1
    vfsub.vv v20, v20, v12
    vse64.v v20, (a3)
    vzext.vf8 v12, v3
    vfcvt.f.xu.v v12, v12
    vfadd.vf v12, v12, fa6
    LN
    vfadd.vf v20, v16, fa2
    vfsub.vv v20, v20, v12
    vse64.v v20, (a4)
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

# pqc_falcon_rvv_base_samples(a0 bytes, a1 count, a2 samples, a3 rows)
#
# The samples are words of 32 bits.
.globl pqc_falcon_rvv_base_samples
.hidden pqc_falcon_rvv_base_samples
.type pqc_falcon_rvv_base_samples, @function
pqc_falcon_rvv_base_samples:
    mv      a5, a3
    li      t4, 11
1:
    BASE_SAMPLE
    vsetvli zero, zero, e32, m2, ta, ma
    vncvt.x.x.w v8, v16
    vse32.v v8, (a2)
    mul     t1, t0, t4
    add     a0, a0, t1
    sub     a1, a1, t0
    slli    t0, t0, 2
    add     a2, a2, t0
    bnez    a1, 1b
    ret
.size pqc_falcon_rvv_base_samples, . - pqc_falcon_rvv_base_samples

# Two masks for eight trials, in vectors of an LMUL that holds them.
.macro JUDGE
    vle64.v v4, (a0)
    vle64.v v8, (a1)
    vle64.v v12, (a2)
    vfsub.vf v4, v4, fa0
    vfmul.vv v4, v4, v4
    vfmul.vf v4, v4, fa1            # v
    vfadd.vf v8, v8, fa2
    vfadd.vf v12, v12, fa2
    vmflt.vv v0, v4, v8
    vmflt.vv v1, v4, v12
    vsetivli zero, 1, e8, m1, ta, ma
    vmv.x.s a0, v0
    vmv.x.s a1, v1
    andi    a0, a0, 0xFF
    andi    a1, a1, 0xFF
    ret
.endm

# pqc_falcon_rvv_judge(a0 z, a1 stops_below, a2 accepts_below, fa0 = r, fa1 = dss, fa2 = ln_ccs)
#
# Eight trials. Out: a0 stops, a1 accepts.
.globl pqc_falcon_rvv_judge
.hidden pqc_falcon_rvv_judge
.type pqc_falcon_rvv_judge, @function
pqc_falcon_rvv_judge:
    vsetivli t0, 8, e64, m2, ta, ma
    li      t1, 8
    bne     t0, t1, 1f
    JUDGE
1:  # Vectors of 128 bits.
    vsetivli zero, 8, e64, m4, ta, ma
    JUDGE
.size pqc_falcon_rvv_judge, . - pqc_falcon_rvv_judge

.option pop
