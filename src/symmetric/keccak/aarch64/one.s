# Keccak-f[1600] (FIPS 202, section 3) of one state in general registers.
#
# The last operand of an instruction is rotated for nothing, a result is not. So no result is: each lane has a turn that it
# still lacks, the same number in all rounds, and where two lanes meet, one is rotated by the difference. A result lacks
# what its first operand lacked; which of two is the first one was chosen so that a round leaves the turns as they were,
# with many of 0. Lanes 2 to 24 are in registers, of which theta and chi leave seven; lanes 0 and 1 are on the stack.

# Where lanes 0 and 1, the next constant and the state are on the stack, behind the registers of the caller.
.set KEPT, 96
.set CONSTANT, 112
.set STATE, 120
.set FRAME, 128

# The turns of the lanes in registers: `sign` 1 gives them, -1 takes them.
.macro TURN sign
    ror     x0, x0, #(20 * \sign & 63)
    ror     x2, x2, #(13 * \sign & 63)
    ror     x3, x3, #(28 * \sign & 63)
    ror     x5, x5, #(61 * \sign & 63)
    ror     x7, x7, #(2 * \sign & 63)
    ror     x8, x8, #(44 * \sign & 63)
    ror     x9, x9, #(57 * \sign & 63)
    ror     x10, x10, #(46 * \sign & 63)
    ror     x11, x11, #(19 * \sign & 63)
    ror     x12, x12, #(57 * \sign & 63)
    ror     x14, x14, #(28 * \sign & 63)
    ror     x19, x19, #(1 * \sign & 63)
    ror     x20, x20, #(1 * \sign & 63)
    ror     x21, x21, #(52 * \sign & 63)
    ror     x22, x22, #(23 * \sign & 63)
    ror     x23, x23, #(43 * \sign & 63)
.endm

# In: x0 = 25 lanes, x1 = the constants, which end at a multiple of 256 bytes.
.text
.p2align 4
.globl pqc_keccak_one
.hidden pqc_keccak_one
.type pqc_keccak_one, %function
pqc_keccak_one:
    sub     sp, sp, #FRAME
    stp     x19, x20, [sp]
    stp     x21, x22, [sp, #16]
    stp     x23, x24, [sp, #32]
    stp     x25, x26, [sp, #48]
    stp     x27, x28, [sp, #64]
    stp     x29, x30, [sp, #80]
    stp     x1, x0, [sp, #CONSTANT]
    ldp     x24, x25, [x0]
    ror     x25, x25, #(-1 & 63)
    stp     x24, x25, [sp, #KEPT]
    ldp     x1, x2, [x0, #24]
    ldp     x3, x4, [x0, #40]
    ldp     x5, x6, [x0, #56]
    ldp     x7, x8, [x0, #72]
    ldp     x9, x10, [x0, #88]
    ldp     x11, x12, [x0, #104]
    ldp     x13, x14, [x0, #120]
    ldp     x15, x16, [x0, #136]
    ldp     x17, x19, [x0, #152]
    ldp     x20, x21, [x0, #168]
    ldp     x22, x23, [x0, #184]
    ldr     x0, [x0, #16]
    TURN    -1
1:
    // Parities of columns 0 to 4: x24 to x28.
    ldp     x24, x25, [sp, #KEPT]
    eor     x24, x8, x24, ror #20
    eor     x24, x13, x24, ror #44
    eor     x24, x19, x24, ror #63
    eor     x24, x3, x24, ror #37
    eor     x25, x25, x4, ror #63
    eor     x25, x25, x9, ror #56
    eor     x25, x25, x14, ror #27
    eor     x25, x25, x20
    eor     x26, x0, x5, ror #41
    eor     x26, x15, x26, ror #20
    eor     x26, x21, x26, ror #12
    eor     x26, x10, x26, ror #6
    eor     x27, x6, x11, ror #19
    eor     x27, x16, x27
    eor     x27, x22, x27, ror #41
    eor     x27, x1, x27, ror #23
    eor     x28, x2, x7, ror #53
    eor     x28, x17, x28, ror #13
    eor     x28, x23, x28, ror #21
    eor     x28, x12, x28, ror #50
    // Theta of columns 1, 4, 2, 0, 3: x29, x30, x24, x27, x25.
    eor     x29, x26, x24, ror #47
    eor     x30, x24, x27, ror #37
    eor     x24, x27, x25, ror #2
    eor     x27, x25, x28, ror #57
    eor     x25, x28, x26, ror #54
    // Theta is added; by pi, each lane goes where another one left, from x26 and from x28 on.
    eor     x26, x27, x13
    eor     x28, x29, x20, ror #20
    eor     x13, x30, x17, ror #37
    eor     x20, x25, x6, ror #8
    eor     x17, x25, x22, ror #31
    eor     x6, x29, x14, ror #47
    eor     x22, x30, x2, ror #50
    eor     x14, x27, x19, ror #1
    eor     x2, x30, x23, ror #16
    eor     x19, x24, x0, ror #21
    eor     x23, x27, x3, ror #28
    eor     x0, x24, x10, ror #47
    eor     x3, x25, x1, ror #8
    eor     x10, x25, x11, ror #27
    eor     x1, x25, x16, ror #8
    eor     x11, x30, x7, ror #39
    eor     x16, x24, x15, ror #1
    eor     x7, x24, x21, ror #53
    eor     x15, x29, x9, ror #12
    eor     x21, x30, x12, ror #30
    eor     x9, x24, x5, ror #62
    eor     x12, x27, x8, ror #44
    eor     x5, x29, x4, ror #19
    ldp     x4, x8, [sp, #KEPT]
    eor     x4, x27, x4
    eor     x8, x29, x8, ror #20
    // Chi, row by row; in the first one, iota is added.
    bic     x24, x0, x5, ror #45
    eor     x27, x4, x24, ror #20
    bic     x25, x1, x0, ror #49
    eor     x29, x5, x25, ror #34
    ldr     x24, [sp, #CONSTANT]
    ldr     x25, [x24], #8
    str     x24, [sp, #CONSTANT]
    tst     x24, #255
    eor     x27, x27, x25
    stp     x27, x29, [sp, #KEPT]
    bic     x30, x2, x1, ror #22
    eor     x0, x0, x30, ror #57
    bic     x24, x4, x2, ror #13
    eor     x1, x24, x1, ror #35
    bic     x25, x5, x4, ror #63
    eor     x2, x2, x25, ror #52

    bic     x30, x6, x12, ror #61
    eor     x4, x30, x11, ror #7
    bic     x24, x7, x6, ror #62
    eor     x5, x12, x24, ror #5
    bic     x25, x3, x7, ror #38
    eor     x6, x6, x25, ror #28
    bic     x30, x11, x3, ror #21
    eor     x7, x7, x30, ror #5
    bic     x24, x12, x11, ror #10
    eor     x3, x3, x24, ror #33

    bic     x25, x8, x14, ror #2
    eor     x11, x13, x25, ror #25
    bic     x30, x9, x8, ror #51
    eor     x12, x30, x14, ror #53
    bic     x24, x10, x9, ror #26
    eor     x8, x8, x24, ror #51
    bic     x25, x13, x10, ror #12
    eor     x9, x9, x25, ror #26
    bic     x30, x14, x13, ror #37
    eor     x10, x30, x10, ror #49

    bic     x24, x15, x23, ror #57
    eor     x13, x22, x24, ror #35
    bic     x25, x16, x15, ror #51
    eor     x14, x23, x25, ror #20
    bic     x30, x17, x16, ror #48
    eor     x15, x30, x15, ror #35
    bic     x24, x22, x17
    eor     x16, x24, x16, ror #48
    bic     x25, x23, x22, ror #36
    eor     x17, x17, x25, ror #28

    bic     x30, x19, x28, ror #42
    eor     x22, x26, x30, ror #42
    bic     x24, x20, x19
    eor     x23, x28, x24, ror #22
    bic     x25, x21, x20, ror #13
    eor     x19, x19, x25, ror #51
    bic     x30, x26, x21, ror #29
    eor     x20, x20, x30, ror #22
    bic     x24, x28, x26, ror #44
    eor     x21, x21, x24, ror #55
    b.ne    1b

    TURN    1
    mov     x24, x0
    ldr     x0, [sp, #STATE]
    str     x24, [x0, #16]
    stp     x1, x2, [x0, #24]
    stp     x3, x4, [x0, #40]
    stp     x5, x6, [x0, #56]
    stp     x7, x8, [x0, #72]
    stp     x9, x10, [x0, #88]
    stp     x11, x12, [x0, #104]
    stp     x13, x14, [x0, #120]
    stp     x15, x16, [x0, #136]
    stp     x17, x19, [x0, #152]
    stp     x20, x21, [x0, #168]
    stp     x22, x23, [x0, #184]
    ldp     x24, x25, [sp, #KEPT]
    ror     x25, x25, #1
    stp     x24, x25, [x0]
    ldp     x19, x20, [sp]
    ldp     x21, x22, [sp, #16]
    ldp     x23, x24, [sp, #32]
    ldp     x25, x26, [sp, #48]
    ldp     x27, x28, [sp, #64]
    ldp     x29, x30, [sp, #80]
    add     sp, sp, #FRAME
    ret
.size pqc_keccak_one, . - pqc_keccak_one
