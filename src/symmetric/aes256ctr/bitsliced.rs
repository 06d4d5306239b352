//! AES on bits: plane i holds bit i of every byte of four blocks in a lane, and of more blocks in more lanes.
//!
//! Byte (r, c) of block m, row and column as in FIPS 197, section 3.4, is bit 16 r + 4 c + m of a lane. ShiftRows is
//! never done: after t rounds row r stands t r columns too far to the right, which MixColumns takes into account and
//! the round keys as well ("fixslicing": A. Adomnicai and T. Peyrin, "Fixslicing AES-like Ciphers", TCHES 2021).

use super::sbox::{self, sub_bytes};
use super::{BLOCK_LEN, NONCE_LEN, ROUNDS, RoundKeys};
use crate::simd::Token;
use crate::symmetric::lanes::{Lanes, One, WIDEST};
use core::ops::{BitAnd, BitXor};

/// The planes of the round keys, the same for all lanes.
pub(super) type Keys = [[u64; 8]; ROUNDS + 1];

/// Blocks in a lane.
const BLOCKS: usize = 4;

/// A plane, with the operators that [`sub_bytes`] needs.
#[derive(Clone, Copy)]
struct Plane<L>(L);

impl<L: Lanes> BitXor for Plane<L> {
    type Output = Plane<L>;
    #[inline(always)]
    fn bitxor(self, other: Plane<L>) -> Plane<L> {
        Plane(self.0.xor(other.0))
    }
}

impl<L: Lanes> BitAnd for Plane<L> {
    type Output = Plane<L>;
    #[inline(always)]
    fn bitand(self, other: Plane<L>) -> Plane<L> {
        Plane(self.0.and(other.0))
    }
}

/// The planes of the key schedule, with what the rounds leave out: each key but the first has the constant of the S-box
/// added (MixColumns does not change it), and key t, but for the last, has row r moved t r columns to the right.
#[inline(always)]
pub(super) fn prepare<T: Token>(token: T, keys: &RoundKeys) -> Keys {
    let mut sliced = [[0; 8]; ROUNDS + 1];
    for (t, (planes, key)) in sliced.iter_mut().zip(keys).enumerate() {
        let moved = if t == ROUNDS { 0 } else { t };
        let constant = if t == 0 { 0 } else { sbox::CONSTANT };
        let mut columns = [0u32; 4];
        for (c, column) in columns.iter_mut().enumerate() {
            for r in 0..4 {
                // As an index below four: c - t r.
                let from = (c + 3 * moved * r) % 4;
                *column |= (key[from] ^ constant) & 0xFF << (8 * r);
            }
        }
        let words: [u64; 8] = core::array::from_fn(|i| word(&columns, i / BLOCKS));
        let sliced = transpose(
            token,
            words.map(|word| {
                let mut lanes = [0; WIDEST];
                lanes[0] = word;
                Plane(One::load(token, &lanes, 0))
            }),
        );
        for (plane, sliced) in planes.iter_mut().zip(sliced) {
            let mut lanes = [0; WIDEST];
            sliced.0.store(&mut lanes, 0);
            *plane = lanes[0];
        }
    }
    sliced
}

/// The stream.
#[inline(always)]
pub(super) fn keystream<L: Lanes>(
    token: L::Token,
    keys: &Keys,
    nonce: &[u8; NONCE_LEN],
    mut block: u32,
    out: &mut [u8],
) {
    let mut columns = [0; 4];
    for (column, bytes) in columns.iter_mut().zip(nonce.as_chunks().0) {
        *column = u32::from_le_bytes(*bytes);
    }
    for out in out.chunks_mut(BLOCK_LEN * BLOCKS * L::WIDTH) {
        // Word i of lane l belongs to block i mod 4 of that lane.
        let mut words = [[0; WIDEST]; 8];
        for i in 0..BLOCKS * L::WIDTH {
            let (lane, m) = (i / BLOCKS, i % BLOCKS);
            columns[3] = block.swap_bytes();
            words[m][lane] = word(&columns, 0);
            words[BLOCKS + m][lane] = word(&columns, 1);
            block = block.wrapping_add(1);
        }
        let mut planes = [Plane(L::splat(token, 0)); 8];
        for (plane, lanes) in planes.iter_mut().zip(&words) {
            *plane = Plane(L::load(token, lanes, 0));
        }
        let planes = transpose(token, encrypt(token, keys, transpose(token, planes)));
        for (lanes, plane) in words.iter_mut().zip(planes) {
            plane.0.store(lanes, 0);
        }
        for (i, out) in out.chunks_mut(BLOCK_LEN).enumerate() {
            let (lane, m) = (i / BLOCKS, i % BLOCKS);
            let block = block_of(words[m][lane], words[BLOCKS + m][lane]);
            match out.as_chunks_mut() {
                ([whole], _) => *whole = block,
                _ => out.iter_mut().zip(block).for_each(|(to, from)| *to = from),
            }
        }
    }
}

/// Columns `parity` and `parity + 2` of a block: byte 2 r is row r of the first, byte 2 r + 1 of the second.
#[inline(always)]
fn word(columns: &[u32; 4], parity: usize) -> u64 {
    let spread = |column: u32| {
        let x = u64::from(column);
        let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
        (x | x << 8) & 0x00FF_00FF_00FF_00FF
    };
    spread(columns[parity]) | spread(columns[parity + 2]) << 8
}

/// The inverse of [`word`], of both parities.
#[inline(always)]
fn block_of(even: u64, odd: u64) -> [u8; BLOCK_LEN] {
    let gather = |x: u64| {
        let x = x & 0x00FF_00FF_00FF_00FF;
        let x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
        u128::from((x | x >> 16) as u32)
    };
    (gather(even) | gather(odd) << 32 | gather(even >> 8) << 64 | gather(odd >> 8) << 96).to_le_bytes()
}

/// Bit i of byte p of word w becomes bit 8 p + w of plane i; its own inverse. With the words of [`word`], parity after
/// parity, that is the order of this module.
#[inline(always)]
fn transpose<L: Lanes>(token: L::Token, mut q: [Plane<L>; 8]) -> [Plane<L>; 8] {
    macro_rules! exchange {
        ($shift:literal, $mask:literal, $($low:literal $high:literal),*) => {
            $({
                let (low, high) = (q[$low].0, q[$high].0);
                let mask = L::splat(token, $mask);
                let difference = low.shr::<$shift>().xor(high).and(mask);
                q[$high] = Plane(high.xor(difference));
                q[$low] = Plane(low.xor(difference.shl::<$shift>()));
            })*
        };
    }
    exchange!(1, 0x5555_5555_5555_5555, 0 1, 2 3, 4 5, 6 7);
    exchange!(2, 0x3333_3333_3333_3333, 0 2, 1 3, 4 6, 5 7);
    exchange!(4, 0x0F0F_0F0F_0F0F_0F0F, 0 4, 1 5, 2 6, 3 7);
    q
}

/// FIPS 197, section 5.1 (Cipher).
#[inline(always)]
fn encrypt<L: Lanes>(token: L::Token, keys: &Keys, mut q: [Plane<L>; 8]) -> [Plane<L>; 8] {
    q = add_round_key(token, &keys[0], q);
    let (quads, rest) = keys[1..ROUNDS].as_chunks::<4>();
    for keys in quads {
        q = add_round_key(token, &keys[0], mix_columns::<1, L>(token, sub_bytes(q)));
        q = add_round_key(token, &keys[1], mix_columns::<2, L>(token, sub_bytes(q)));
        q = add_round_key(token, &keys[2], mix_columns::<3, L>(token, sub_bytes(q)));
        q = add_round_key(token, &keys[3], mix_columns::<0, L>(token, sub_bytes(q)));
    }
    // 14 is 3 times 4 and 2: one round more, and the last one without MixColumns.
    for key in rest {
        q = add_round_key(token, key, mix_columns::<1, L>(token, sub_bytes(q)));
    }
    // After 14 rounds rows 1 and 3 are two columns away from their place, the others in it.
    let rows_1_and_3 = L::splat(token, 0xFFFF_0000_FFFF_0000);
    q = sub_bytes(q);
    for Plane(x) in &mut q {
        let moved = rotate_columns::<2, L>(token, *x);
        *x = x.xor(x.xor(moved).and(rows_1_and_3));
    }
    add_round_key(token, &keys[ROUNDS], q)
}

#[inline(always)]
fn add_round_key<L: Lanes>(token: L::Token, key: &[u64; 8], mut q: [Plane<L>; 8]) -> [Plane<L>; 8] {
    for (plane, key) in q.iter_mut().zip(key) {
        *plane = *plane ^ Plane(L::splat(token, *key));
    }
    q
}

/// In every row, column c takes what column c + `BY` holds.
#[inline(always)]
fn rotate_columns<const BY: usize, L: Lanes>(token: L::Token, x: L) -> L {
    let (right, left, from_right) = match BY {
        0 => return x,
        1 => (x.shr::<4>(), x.shl::<12>(), 0x0FFF_0FFF_0FFF_0FFF),
        2 => (x.shr::<8>(), x.shl::<8>(), 0x00FF_00FF_00FF_00FF),
        _ => (x.shr::<12>(), x.shl::<4>(), 0x000F_000F_000F_000F),
    };
    right.and(L::splat(token, from_right)).xor(left.and(L::splat(token, !from_right)))
}

/// MixColumns (section 5.1.3) where row r stands `MOVED` r columns too far to the right: the next row of the same
/// column is `MOVED` columns on. A column [a0, a1, a2, a3] becomes x (a0 + a1) + a1 + (a2 + a3), and so on.
#[inline(always)]
fn mix_columns<const MOVED: usize, L: Lanes>(token: L::Token, a: [Plane<L>; 8]) -> [Plane<L>; 8] {
    let mut b = a;
    for Plane(x) in &mut b {
        *x = rotate_columns::<MOVED, L>(token, x.rotate::<48, 16>());
    }
    let mut sum = a;
    for (sum, b) in sum.iter_mut().zip(b) {
        *sum = *sum ^ b;
    }
    let mut mixed = b;
    for i in 0..8 {
        let two_rows_down = sum[i].0.rotate::<32, 32>();
        let two_rows_down = if MOVED.is_multiple_of(2) {
            two_rows_down
        } else {
            rotate_columns::<2, L>(token, two_rows_down)
        };
        mixed[i] = mixed[i] ^ Plane(two_rows_down) ^ sum[(i + 7) % 8];
        // Times x, modulo x^8 + x^4 + x^3 + x + 1.
        if matches!(i, 1 | 3 | 4) {
            mixed[i] = mixed[i] ^ sum[7];
        }
    }
    mixed
}
