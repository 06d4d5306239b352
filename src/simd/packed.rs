//! Numbers of D bits without space between them, the first in the lowest bits, as words in lanes and back: by
//! permutations of bytes, on AVX2 and on AVX-512 with VBMI.
//!
//! Eight numbers are D bytes. All of it is for D up to 12. [`super::Simd::load_packed_i16`] and
//! [`super::Simd::store_packed_i16`] say what is wanted.

use core::arch::x86_64::*;

/// "This byte is zero" to a permutation of sixteen bytes.
const NONE: u8 = 0x80;

/// Where the eight numbers of each half of a register are: the bytes that hold each, and how far up in them it begins.
struct Holders {
    bytes: [[u8; 32]; 2],
    shifts: [[i32; 8]; 2],
}

/// Of the first and the last four numbers in each half; the first half begins at its byte 0, the second one at `second`.
const fn holders(d: usize, second: usize) -> Holders {
    let mut holders = Holders { bytes: [[NONE; 32]; 2], shifts: [[0; 8]; 2] };
    let mut i = 0;
    while i < 16 {
        let (half, four, lane) = (i / 8, i / 4 % 2, i / 8 * 4 + i % 4);
        let bit = i % 8 * d;
        holders.shifts[four][lane] = (bit % 8) as i32;
        let mut byte = 0;
        while 8 * byte < bit % 8 + d {
            holders.bytes[four][4 * lane + byte] = (half * second + bit / 8 + byte) as u8;
            byte += 1;
        }
        i += 1;
    }
    holders
}

/// Reads sixteen numbers of `D` bits.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn load_16<const D: usize>(from: &[u8]) -> __m256i {
    let from = &from[..2 * D];
    // Sixteen bytes at the beginning and sixteen at the end, or all of them twice.
    let holders = const { &holders(D, if D < 8 { D } else { 16 - D }) };
    let mut short = [0; 16];
    let (first, last) = if D < 8 {
        short[..2 * D].copy_from_slice(from);
        (short.as_ptr(), short.as_ptr())
    } else {
        (from.as_ptr(), from[2 * D - 16..].as_ptr())
    };
    // SAFETY: AVX2 by the contract; sixteen bytes are there from both on, and as many as are read in the tables.
    unsafe {
        let first = _mm256_castsi128_si256(_mm_loadu_si128(first.cast()));
        let bytes = _mm256_inserti128_si256::<1>(first, _mm_loadu_si128(last.cast()));
        let mut fours = [bytes; 2];
        for ((four, at), shifts) in fours.iter_mut().zip(&holders.bytes).zip(&holders.shifts) {
            *four = _mm256_shuffle_epi8(*four, _mm256_loadu_si256(at.as_ptr().cast()));
            *four = _mm256_srlv_epi32(*four, _mm256_loadu_si256(shifts.as_ptr().cast()));
            *four = _mm256_and_si256(*four, _mm256_set1_epi32((1 << D) - 1));
        }
        _mm256_packus_epi32(fours[0], fours[1])
    }
}

/// Which byte of two quads of 4 D bits is which byte of the eight numbers together: of the first quad, and of the second
/// one, which for odd D is moved up by four bits. Once for each of four registers' quarters.
struct Joined {
    first: [u8; 64],
    second: [u8; 64],
}

const fn joined(d: usize) -> Joined {
    let mut joined = Joined { first: [NONE; 64], second: [NONE; 64] };
    let mut i = 0;
    while i < 64 {
        let byte = i % 16;
        if 2 * byte < d {
            joined.first[i] = byte as u8;
        }
        if byte >= d / 2 && byte < d {
            joined.second[i] = (8 + byte - d / 2) as u8;
        }
        i += 1;
    }
    joined
}

/// Writes sixteen numbers of `D` bits. In: none has more.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn store_16<const D: usize>(to: &mut [u8], words: __m256i) {
    let to = &mut to[..2 * D];
    let joined = const { &joined(D) };
    let mut eights = [[0; 16]; 2];
    // SAFETY: AVX2 by the contract; a register has the 32 bytes that are read of each table and written.
    unsafe {
        let pairs = _mm256_madd_epi16(words, _mm256_set1_epi32(1 | 1 << (16 + D)));
        let up = _mm256_sllv_epi32(pairs, _mm256_set1_epi64x(32 - 2 * D as i64));
        let quads = _mm256_srl_epi64(up, _mm_cvtsi32_si128(32 - 2 * D as i32));
        let odd = (4 * D % 8) as i64;
        let quads = _mm256_sllv_epi64(quads, _mm256_setr_epi64x(0, odd, 0, odd));
        let first = _mm256_shuffle_epi8(quads, _mm256_loadu_si256(joined.first.as_ptr().cast()));
        let second = _mm256_shuffle_epi8(quads, _mm256_loadu_si256(joined.second.as_ptr().cast()));
        _mm256_storeu_si256(eights.as_mut_ptr().cast(), _mm256_or_si256(first, second));
    }
    to[..D].copy_from_slice(&eights[0][..D]);
    to[D..].copy_from_slice(&eights[1][..D]);
}

/// Where four numbers are that go into eight bytes, for each of eight such quads: the bytes that hold them, and in those
/// the bit at which each byte of the four words begins.
struct Quads {
    bytes: [u8; 64],
    bits: [u8; 64],
}

const fn quads(d: usize) -> Quads {
    let mut quads = Quads { bytes: [0; 64], bits: [0; 64] };
    let mut i = 0;
    while i < 64 {
        let (bit, word, upper) = (i / 8 * 4 * d, i % 8 / 2, i % 2);
        quads.bytes[i] = (bit / 8 + i % 8) as u8;
        quads.bits[i] = (bit % 8 + word * d + 8 * upper) as u8;
        i += 1;
    }
    quads
}

/// Reads 32 numbers of `D` bits.
///
/// # Safety
/// The processor has AVX-512BW and VBMI.
#[inline(always)]
pub(super) unsafe fn load_32<const D: usize>(from: &[u8]) -> __m512i {
    let from = &from[..4 * D];
    let quads = const { &quads(D) };
    // SAFETY: the features by the contract; 4 D bytes are read, and 64 of each table.
    unsafe {
        let bytes = _mm512_maskz_loadu_epi8((1 << (4 * D)) - 1, from.as_ptr().cast());
        let bytes = _mm512_permutexvar_epi8(_mm512_loadu_si512(quads.bytes.as_ptr().cast()), bytes);
        let words = _mm512_multishift_epi64_epi8(_mm512_loadu_si512(quads.bits.as_ptr().cast()), bytes);
        _mm512_and_si512(words, _mm512_set1_epi16((1 << D) - 1))
    }
}

/// Where the bytes of each eight numbers are after [`joined`], as they follow each other.
const fn closed_up(d: usize) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 4 * d {
        bytes[i] = (i / d * 16 + i % d) as u8;
        i += 1;
    }
    bytes
}

/// Writes 32 numbers of `D` bits. In: none has more.
///
/// # Safety
/// The processor has AVX-512BW and VBMI.
#[inline(always)]
pub(super) unsafe fn store_32<const D: usize>(to: &mut [u8], words: __m512i) {
    let to = &mut to[..4 * D];
    let (joined, closed_up) = const { (&joined(D), &closed_up(D)) };
    // SAFETY: the features by the contract; 64 bytes of each table are read, 4 D bytes written.
    unsafe {
        let pairs = _mm512_madd_epi16(words, _mm512_set1_epi32(1 | 1 << (16 + D)));
        let up = _mm512_sllv_epi32(pairs, _mm512_set1_epi64(32 - 2 * D as i64));
        let quads = _mm512_srl_epi64(up, _mm_cvtsi32_si128(32 - 2 * D as i32));
        let odd = (4 * D % 8) as i64;
        let quads = _mm512_sllv_epi64(quads, _mm512_setr_epi64(0, odd, 0, odd, 0, odd, 0, odd));
        let first = _mm512_shuffle_epi8(quads, _mm512_loadu_si512(joined.first.as_ptr().cast()));
        let second = _mm512_shuffle_epi8(quads, _mm512_loadu_si512(joined.second.as_ptr().cast()));
        let at = _mm512_loadu_si512(closed_up.as_ptr().cast());
        let bytes = _mm512_permutexvar_epi8(at, _mm512_or_si512(first, second));
        _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), (1 << (4 * D)) - 1, bytes);
    }
}
