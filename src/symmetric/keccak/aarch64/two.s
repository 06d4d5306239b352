# Keccak-f[1600] (FIPS 202, section 3) in vectors: two states, or one in the lower halves.
#
# The text stands here once; \set is `neon`, or `sha3` for the instructions that are made for it. Lane 5y + x is in
# register 5y + x before and after each round, and no lane is moved in between: theta leaves two registers that nobody
# needs, lanes go from there along the two chains of the list below, each into the register that the one before it left,
# so that in each row of chi two lanes stand where no lane of that row is written.

# to = a ^ b ^ c ^ d ^ e.
.macro PARITY_neon to, a, b, c, d, e
    eor     \to\().16b, \a\().16b, \b\().16b
    eor     \to\().16b, \to\().16b, \c\().16b
    eor     \to\().16b, \to\().16b, \d\().16b
    eor     \to\().16b, \to\().16b, \e\().16b
.endm
.macro PARITY_sha3 to, a, b, c, d, e
    eor3    \to\().16b, \a\().16b, \b\().16b, \c\().16b
    eor3    \to\().16b, \to\().16b, \d\().16b, \e\().16b
.endm

# to = before ^ (after <<< 1). In: to is neither of them.
.macro THETA_neon to, before, after
    add     \to\().2d, \after\().2d, \after\().2d
    sri     \to\().2d, \after\().2d, #63
    eor     \to\().16b, \to\().16b, \before\().16b
.endm
.macro THETA_sha3 to, before, after
    rax1    \to\().2d, \before\().2d, \after\().2d
.endm

# to = (from ^ theta) <<< left; from is lost. In: to is not from.
.macro ROTATE_neon to, from, theta, left
  .if \left
    eor     \from\().16b, \from\().16b, \theta\().16b
    shl     \to\().2d, \from\().2d, #\left
    sri     \to\().2d, \from\().2d, #(64 - \left)
  .else
    eor     \to\().16b, \from\().16b, \theta\().16b
  .endif
.endm
.macro ROTATE_sha3 to, from, theta, left
  .if \left
    xar     \to\().2d, \from\().2d, \theta\().2d, #(64 - \left)
  .else
    eor     \to\().16b, \from\().16b, \theta\().16b
  .endif
.endm

# to = a ^ (!b & c). v25 is scratch.
.macro CHI_neon to, a, b, c
    bic     v25.16b, \c\().16b, \b\().16b
    eor     \to\().16b, \a\().16b, v25.16b
.endm
.macro CHI_sha3 to, a, b, c
    bcax    \to\().16b, \a\().16b, \c\().16b, \b\().16b
.endm

# A round; x1 goes to the next constant.
.macro ROUND set
    PARITY_\set v25, v0, v5, v10, v15, v20
    PARITY_\set v26, v1, v6, v11, v16, v21
    PARITY_\set v27, v2, v7, v12, v17, v22
    PARITY_\set v28, v3, v8, v13, v18, v23
    PARITY_\set v29, v4, v9, v14, v19, v24
    # Of columns 0 to 4: v28, v30, v25, v26, v31.
    THETA_\set v30, v25, v27
    THETA_\set v31, v28, v25
    THETA_\set v25, v26, v28
    THETA_\set v28, v29, v26
    THETA_\set v26, v27, v29

    ROTATE_\set v27, v14, v31, 39
    ROTATE_\set v29, v15, v28, 41
    ROTATE_\set v14, v20, v28, 18
    ROTATE_\set v20, v2, v25, 62
    ROTATE_\set v2, v12, v25, 43
    ROTATE_\set v12, v13, v26, 25
    ROTATE_\set v13, v19, v31, 8
    ROTATE_\set v19, v23, v26, 56
    ROTATE_\set v23, v5, v28, 36
    ROTATE_\set v5, v3, v26, 28
    ROTATE_\set v3, v18, v26, 21
    ROTATE_\set v18, v17, v25, 15
    ROTATE_\set v17, v11, v30, 10
    ROTATE_\set v15, v1, v30, 1
    ROTATE_\set v11, v10, v28, 3
    ROTATE_\set v10, v9, v31, 20
    ROTATE_\set v9, v22, v25, 61
    ROTATE_\set v22, v4, v31, 27
    ROTATE_\set v4, v24, v31, 14
    ROTATE_\set v24, v21, v30, 2
    ROTATE_\set v21, v8, v26, 55
    ROTATE_\set v8, v16, v30, 45
    ROTATE_\set v16, v7, v25, 6
    ROTATE_\set v7, v6, v30, 44
    ROTATE_\set v6, v0, v28, 0

    CHI_\set v0, v6, v7, v2
    CHI_\set v1, v7, v2, v3
    CHI_\set v2, v2, v3, v4
    CHI_\set v3, v3, v4, v6
    CHI_\set v4, v4, v6, v7

    CHI_\set v6, v10, v11, v8
    CHI_\set v7, v11, v8, v9
    CHI_\set v8, v8, v9, v5
    CHI_\set v9, v9, v5, v10
    CHI_\set v5, v5, v10, v11

    CHI_\set v10, v15, v16, v12
    CHI_\set v11, v16, v12, v13
    CHI_\set v12, v12, v13, v14
    CHI_\set v13, v13, v14, v15
    CHI_\set v14, v14, v15, v16

    CHI_\set v15, v22, v23, v17
    CHI_\set v16, v23, v17, v18
    CHI_\set v17, v17, v18, v19
    CHI_\set v18, v18, v19, v22
    CHI_\set v19, v19, v22, v23

    CHI_\set v22, v27, v29, v24
    CHI_\set v23, v29, v24, v20
    CHI_\set v24, v24, v20, v21
    CHI_\set v20, v20, v21, v27
    CHI_\set v21, v21, v27, v29
    ld1r    {v26.2d}, [x1], #8
    eor     v0.16b, v0.16b, v26.16b
.endm

# Registers from or to x0: pairs of lanes, a row of 64 bytes each.
.macro LANES_two load_or_store, pair
  .irp lane, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    \load_or_store q\lane, [x0, #(64 * \lane)]
  .endr
.endm
# Lanes side by side, with the instruction for two of them.
.macro LANES_one load_or_store, pair
    \pair   d0, d1, [x0]
    \pair   d2, d3, [x0, #16]
    \pair   d4, d5, [x0, #32]
    \pair   d6, d7, [x0, #48]
    \pair   d8, d9, [x0, #64]
    \pair   d10, d11, [x0, #80]
    \pair   d12, d13, [x0, #96]
    \pair   d14, d15, [x0, #112]
    \pair   d16, d17, [x0, #128]
    \pair   d18, d19, [x0, #144]
    \pair   d20, d21, [x0, #160]
    \pair   d22, d23, [x0, #176]
    \load_or_store d24, [x0, #192]
.endm

# In: x0 states, x1 the constants, which end at a multiple of 256 bytes.
.macro PERMUTATION name, set, states
.globl \name
.hidden \name
.type \name, %function
\name:
    stp     d8, d9, [sp, #-64]!
    stp     d10, d11, [sp, #16]
    stp     d12, d13, [sp, #32]
    stp     d14, d15, [sp, #48]
    LANES_\states ldr, ldp
1:
  .rept 6
    ROUND   \set
  .endr
    tst     x1, #255
    b.ne    1b
    LANES_\states str, stp
    ldp     d14, d15, [sp, #48]
    ldp     d12, d13, [sp, #32]
    ldp     d10, d11, [sp, #16]
    ldp     d8, d9, [sp], #64
    ret
.size \name, . - \name
.endm

.text
.p2align 4
PERMUTATION pqc_keccak_two, neon, two

.arch_extension sha3
.p2align 4
PERMUTATION pqc_keccak_two_sha3, sha3, two
.p2align 4
PERMUTATION pqc_keccak_one_sha3, sha3, one
.arch_extension nosha3
