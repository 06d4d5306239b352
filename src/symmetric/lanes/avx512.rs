//! Eight lanes on AVX-512F, and four in half a register where AVX-512VL is there too. Rotations, and any function of
//! three operands, are one instruction.

use crate::simd::{Avx512, Avx512f};
use core::arch::x86_64::*;

/// a ^ b ^ c, a ^ (!b & c), and b where a is set, else c, as truth tables.
const XOR3: i32 = 0x96;
const CHI: i32 = 0xD2;
const SELECT: i32 = 0xCA;

/// Both sizes of register.
macro_rules! ternary {
    ($name:ident, $vector:ty, $width:literal, $token:ty, load $load:ident, store $store:ident, splat $splat:ident,
     xor $xor:ident, and $and:ident, shl $shl:ident, shr $shr:ident, rotate $rotate:ident, ternary $ternary:ident,
     up $up:expr, down $down:expr $(, $($own:tt)*)?) => {
        register! { $name($vector): $width on $token, load $load, store $store, splat $splat, xor $xor, and $and,
            shl $shl, shr $shr, chi $ternary::<CHI>, up $up, down $down,
            #[inline(always)]
            fn rotate<const LEFT: i32, const RIGHT: i32>(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($rotate::<LEFT>(self.0)) }
            }
            #[inline(always)]
            fn parity(a: $name, b: $name, c: $name, d: $name, e: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($ternary::<XOR3>($ternary::<XOR3>(a.0, b.0, c.0), d.0, e.0)) }
            }
            #[inline(always)]
            fn select(mask: $name, on: $name, off: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($ternary::<SELECT>(mask.0, on.0, off.0)) }
            }
            $($($own)*)?
        }
    };
}

ternary!(Eight, __m512i, 8, Avx512f, load _mm512_loadu_epi64, store _mm512_storeu_epi64, splat _mm512_set1_epi64,
    xor _mm512_xor_si512, and _mm512_and_si512, shl shift_left, shr shift_right, rotate _mm512_rol_epi64,
    ternary _mm512_ternarylogic_epi64, up |v, below| _mm512_alignr_epi64::<7>(v, below),
    down |v, above| _mm512_alignr_epi64::<1>(above, v));

// As `Eight`; a shift over two operands, of VBMI2, is one instruction.
ternary!(EightFunnel, __m512i, 8, Avx512, load _mm512_loadu_epi64, store _mm512_storeu_epi64, splat _mm512_set1_epi64,
xor _mm512_xor_si512, and _mm512_and_si512, shl shift_left, shr shift_right, rotate _mm512_rol_epi64,
ternary _mm512_ternarylogic_epi64, up |v, below| _mm512_alignr_epi64::<7>(v, below),
down |v, above| _mm512_alignr_epi64::<1>(above, v),
#[inline(always)]
fn up_bit(self, below: EightFunnel) -> EightFunnel {
    // SAFETY: a value exists only where its token was handed out.
    unsafe { EightFunnel(_mm512_shldi_epi64::<1>(self.0, self.up(below).0)) }
}
#[inline(always)]
fn down_bit(self, above: EightFunnel) -> EightFunnel {
    // SAFETY: a value exists only where its token was handed out.
    unsafe { EightFunnel(_mm512_shrdi_epi64::<1>(self.0, self.down(above).0)) }
});

ternary!(Half, __m256i, 4, Avx512, load _mm256_loadu_epi64, store _mm256_storeu_epi64, splat _mm256_set1_epi64x,
    xor _mm256_xor_si256, and _mm256_and_si256, shl _mm256_slli_epi64, shr _mm256_srli_epi64,
    rotate _mm256_rol_epi64, ternary _mm256_ternarylogic_epi64, up |v, below| _mm256_alignr_epi64::<3>(v, below),
    down |v, above| _mm256_alignr_epi64::<1>(above, v));

// The intrinsics with a constant count take it as an unsigned number.
#[target_feature(enable = "avx512f")]
#[inline]
fn shift_left<const N: i32>(v: __m512i) -> __m512i {
    _mm512_sll_epi64(v, _mm_cvtsi32_si128(N))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn shift_right<const N: i32>(v: __m512i) -> __m512i {
    _mm512_srl_epi64(v, _mm_cvtsi32_si128(N))
}
