# The transforms and products of ntt.rs for the vector extension of RISC-V, for vectors of any length.
#
# A transform is three passes of two layers and one of the last layer, each from one array to the other. A pass reads the
# quarters of the array and writes fours side by side: the two bits of the index that are done with go to its lower end,
# so that the next two are at the upper end, and all passes are alike. The last one leaves the order of FIPS 203. Factors
# are those of Barrett's product, each 64 values and behind them 64 helpers, in the order in which they are used.

.option push
.option arch, +m, +v

# x = x times a factor, at most about q / 2. t is scratch. In: t1 = q, vxrm rounds to nearest.
.macro PRODUCT x, value, helper, t
    vsmul.vv \t, \x, \helper
    vmul.vv \x, \x, \value
    vnmsac.vx \x, t1, \t
.endm

# The same with a factor in registers.
.macro PRODUCT_X x, value, helper, t
    vsmul.vx \t, \x, \helper
    vmul.vx \x, \x, \value
    vnmsac.vx \x, t1, \t
.endm

# The same class with a smaller representative: the product with 1, whose helper is t3 = 10.
.macro REDUCE x, t
    vsmul.vx \t, \x, t3
    vnmsac.vx \x, t1, \t
.endm

# The factor `number` of a pass.
.macro FACTOR number, value, helper
    addi    t3, a2, 256 * \number
    vle16.v \value, (t3)
    addi    t3, t3, 128
    vle16.v \helper, (t3)
.endm

# Begins a pass: a3 to a6 are the quarters of `quarters`, a7 is the other array.
.macro PASS quarters, fours
    li      t0, 64
    mv      a3, \quarters
    addi    a4, a3, 128
    addi    a5, a4, 128
    addi    a6, a5, 128
    mv      a7, \fours
.endm

# The next lanes.
.macro LANES
    vsetvli t2, t0, e16, m2, ta, ma
    slli    t4, t2, 1
.endm

.macro LOAD_QUARTERS
    vle16.v v0, (a3)
    vle16.v v2, (a4)
    vle16.v v4, (a5)
    vle16.v v6, (a6)
.endm

.macro STORE_QUARTERS v0, v1, v2, v3
    vse16.v \v0, (a3)
    vse16.v \v1, (a4)
    vse16.v \v2, (a5)
    vse16.v \v3, (a6)
.endm

# Ends one: back to 1 while lanes are left, then to the factors of the next pass.
.macro NEXT factors
    add     a3, a3, t4
    add     a4, a4, t4
    add     a5, a5, t4
    add     a6, a6, t4
    add     a2, a2, t4
    slli    t4, t4, 2
    add     a7, a7, t4
    sub     t0, t0, t2
    bnez    t0, 1b
    addi    a2, a2, 256 * \factors - 128
.endm

# Two layers: the first pairs quarters 0 and 2, 1 and 3.
.macro FORWARD_TWO from, to
    PASS    \from, \to
1:
    LANES
    LOAD_QUARTERS
    FACTOR  0, v8, v10
    PRODUCT v4, v8, v10, v12
    PRODUCT v6, v8, v10, v12
    vsub.vv v16, v0, v4
    vadd.vv v0, v0, v4
    vsub.vv v18, v2, v6
    vadd.vv v2, v2, v6
    FACTOR  1, v8, v10
    PRODUCT v2, v8, v10, v12
    FACTOR  2, v8, v10
    PRODUCT v18, v8, v10, v12
    vadd.vv v8, v0, v2
    vsub.vv v10, v0, v2
    vadd.vv v12, v16, v18
    vsub.vv v14, v16, v18
    vsseg4e16.v v8, (a7)
    NEXT    3
.endm

# Its inverse. `reduce` says whether the first sums are reduced, `scale` whether the last ones are multiplied by t5, t6.
.macro BACKWARD_TWO from, to, reduce, scale
    PASS    \to, \from
1:
    LANES
    vlseg4e16.v v0, (a7)
    vsub.vv v8, v0, v2
    vadd.vv v0, v0, v2
    vsub.vv v10, v4, v6
    vadd.vv v4, v4, v6
  .if \reduce
    li      t3, 10
    REDUCE  v0, v16
    REDUCE  v4, v16
  .endif
    FACTOR  0, v12, v14
    PRODUCT v8, v12, v14, v16
    FACTOR  1, v12, v14
    PRODUCT v10, v12, v14, v16
    vsub.vv v2, v0, v4
    vadd.vv v0, v0, v4
    vsub.vv v4, v8, v10
    vadd.vv v8, v8, v10
  .if \scale
    PRODUCT_X v0, t5, t6, v16
    PRODUCT_X v8, t5, t6, v16
  .endif
    FACTOR  2, v12, v14
    PRODUCT v2, v12, v14, v16
    PRODUCT v4, v12, v14, v16
    STORE_QUARTERS v0, v8, v2, v4
    NEXT    3
.endm

.text
.p2align 2

# In: a0 values, a1 room for as many, a2 factors.
.globl pqc_kyber_rvv_ntt
.hidden pqc_kyber_rvv_ntt
.type pqc_kyber_rvv_ntt, @function
pqc_kyber_rvv_ntt:
    csrwi   vxrm, 0
    li      t1, 3329
    FORWARD_TWO a0, a1
    FORWARD_TWO a1, a0
    FORWARD_TWO a0, a1
    # The last layer pairs quarters 0 and 2, 1 and 3: the halves of pairs are apart.
    PASS    a1, a0
1:
    LANES
    LOAD_QUARTERS
    FACTOR  0, v8, v10
    PRODUCT v4, v8, v10, v12
    PRODUCT v6, v8, v10, v12
    vadd.vv v8, v0, v4
    vadd.vv v10, v2, v6
    vsub.vv v12, v0, v4
    vsub.vv v14, v2, v6
    vsseg4e16.v v8, (a7)
    NEXT    1
    ret
.size pqc_kyber_rvv_ntt, . - pqc_kyber_rvv_ntt

# As the other; a3, a4 = the factor of the last sums, value and helper.
.globl pqc_kyber_rvv_intt
.hidden pqc_kyber_rvv_intt
.type pqc_kyber_rvv_intt, @function
pqc_kyber_rvv_intt:
    csrwi   vxrm, 0
    li      t1, 3329
    mv      t5, a3
    mv      t6, a4
    PASS    a1, a0
1:
    LANES
    vlseg4e16.v v0, (a7)
    vsub.vv v8, v0, v4
    vadd.vv v0, v0, v4
    vsub.vv v10, v2, v6
    vadd.vv v2, v2, v6
    li      t3, 10
    REDUCE  v0, v16
    REDUCE  v2, v16
    FACTOR  0, v12, v14
    PRODUCT v8, v12, v14, v16
    PRODUCT v10, v12, v14, v16
    STORE_QUARTERS v0, v2, v8, v10
    NEXT    1
    BACKWARD_TWO a1, a0, 0, 0
    BACKWARD_TWO a0, a1, 1, 0
    BACKWARD_TWO a1, a0, 0, 1
    ret
.size pqc_kyber_rvv_intt, . - pqc_kyber_rvv_intt

# In: a0 128 pairs, a1 the factors gamma: 128 values and as many helpers; a2 = room for b0, b1 gamma, b1.
.globl pqc_kyber_rvv_set_multiplier
.hidden pqc_kyber_rvv_set_multiplier
.type pqc_kyber_rvv_set_multiplier, @function
pqc_kyber_rvv_set_multiplier:
    csrwi   vxrm, 0
    li      t0, 128
    li      t1, 3329
1:
    LANES
    vlseg2e16.v v0, (a0)
    vle16.v v4, (a1)
    addi    t3, a1, 256
    vle16.v v6, (t3)
    vse16.v v0, (a2)
    addi    t3, a2, 512
    vse16.v v2, (t3)
    PRODUCT v2, v4, v6, v8
    addi    t3, a2, 256
    vse16.v v2, (t3)
    add     a1, a1, t4
    add     a2, a2, t4
    slli    t4, t4, 1
    add     a0, a0, t4
    sub     t0, t0, t2
    bnez    t0, 1b
    ret
.size pqc_kyber_rvv_set_multiplier, . - pqc_kyber_rvv_set_multiplier

# narrow = sum / R (Montgomery), in lanes of half the width; t is scratch.
.macro OVER_R narrow, sum, t
    vnsrl.wi \t, \sum, 0
    vmul.vx \t, \t, a5
    vwmacc.vx \sum, a6, \t
    vnsra.wi \narrow, \sum, 16
.endm

# In: a0 polynomials, a1 bytes from one to the next, a2 multipliers, 1024 bytes each, a3 = how many, a4 = 128 pairs.
.globl pqc_kyber_rvv_multiply
.hidden pqc_kyber_rvv_multiply
.type pqc_kyber_rvv_multiply, @function
pqc_kyber_rvv_multiply:
    li      t0, 128
    li      a5, 62209
    li      a6, -3329
1:
    vsetvli t2, t0, e32, m4, ta, ma
    vmv.v.i v16, 0
    vmv.v.i v20, 0
    LANES
    mv      t3, a0
    mv      t5, a2
    mv      a7, a3
2:
    vlseg2e16.v v0, (t3)
    vle16.v v4, (t5)
    addi    t6, t5, 256
    vle16.v v6, (t6)
    addi    t6, t5, 512
    vle16.v v8, (t6)
    vwmacc.vv v16, v0, v4
    vwmacc.vv v16, v2, v6
    vwmacc.vv v20, v0, v8
    vwmacc.vv v20, v2, v4
    add     t3, t3, a1
    addi    t5, t5, 1024
    addi    a7, a7, -1
    bnez    a7, 2b
    OVER_R  v8, v16, v0
    OVER_R  v10, v20, v2
    vsseg2e16.v v8, (a4)
    add     a2, a2, t4
    slli    t4, t4, 1
    add     a0, a0, t4
    add     a4, a4, t4
    sub     t0, t0, t2
    bnez    t0, 1b
    ret
.size pqc_kyber_rvv_multiply, . - pqc_kyber_rvv_multiply

.option pop
