# One layer of the transforms of ntt.rs for the vector extension of RISC-V: the same integers, for vectors of any length.
#
# In: a0 from, a1 to, a2 = pairs, a3 roots, a4 roots over q, a5 = how many of them before they repeat, a6 = 0 or, where
# the layer reduces, the factor 1 (its value in the low half, over q in the high half of a word). Values are 16 bits wide.

.option push
.option arch, +m, +d, +v

# The next lanes t2, no more than there are roots from t4, of a5, on.
.macro LANES
    sub     t2, a5, t4
    bleu    t2, a2, 2f
    mv      t2, a2
2:
    vsetvli t2, t2, e16, m4, ta, ma
    slli    t3, t4, 1
    add     t5, a3, t3
    add     t6, a4, t3
    vle16.v v16, (t5)
    vle16.v v20, (t6)
    slli    t3, t2, 1
    add     t4, t4, t2
    bltu    t4, a5, 3f
    li      t4, 0
3:
.endm

# x = the Montgomery product of x and the roots of LANES.
.macro PRODUCT_Q x
    vmul.vv v20, \x, v20
    vmulh.vv \x, \x, v16
    vmulh.vx v20, v20, t1
    vsub.vv \x, \x, v20
.endm

# The same class with a smaller representative, where the layer reduces. t is scratch.
.macro REDUCE x, t
    beqz    a6, 4f
    vmul.vx \t, \x, t0
    vmulh.vx \x, \x, a6
    vmulh.vx \t, \t, t1
    vsub.vv \x, \x, \t
4:
.endm

# a7 = the second half of the array at \of; t0, a6 the factor 1 over q and its value; t1 = q; t4 = 0.
.macro BEGIN of
    slli    a7, a2, 1
    add     a7, a7, \of
    srli    t0, a6, 16
    li      t1, 12289
    li      t4, 0
.endm

.text
.p2align 2

# x and y from the halves of an array; x + y w and x - y w side by side.
.globl pqc_falcon_rvv_ntt_layer
.hidden pqc_falcon_rvv_ntt_layer
.type pqc_falcon_rvv_ntt_layer, @function
pqc_falcon_rvv_ntt_layer:
    BEGIN   a0
1:
    LANES
    vle16.v v0, (a0)
    vle16.v v4, (a7)
    REDUCE  v0, v8
    PRODUCT_Q v4
    vadd.vv v8, v0, v4
    vsub.vv v12, v0, v4
    vsseg2e16.v v8, (a1)
    sub     a2, a2, t2
    add     a0, a0, t3
    add     a7, a7, t3
    slli    t3, t3, 1
    add     a1, a1, t3
    bnez    a2, 1b
    ret
.size pqc_falcon_rvv_ntt_layer, . - pqc_falcon_rvv_ntt_layer

# x and y from places side by side; x + y and (x - y) w into the halves of an array.
.globl pqc_falcon_rvv_intt_layer
.hidden pqc_falcon_rvv_intt_layer
.type pqc_falcon_rvv_intt_layer, @function
pqc_falcon_rvv_intt_layer:
    BEGIN   a1
1:
    LANES
    vlseg2e16.v v0, (a0)
    vadd.vv v8, v0, v4
    vsub.vv v12, v0, v4
    REDUCE  v8, v0
    PRODUCT_Q v12
    vse16.v v8, (a1)
    vse16.v v12, (a7)
    sub     a2, a2, t2
    add     a1, a1, t3
    add     a7, a7, t3
    slli    t3, t3, 1
    add     a0, a0, t3
    bnez    a2, 1b
    ret
.size pqc_falcon_rvv_intt_layer, . - pqc_falcon_rvv_intt_layer

.option pop
