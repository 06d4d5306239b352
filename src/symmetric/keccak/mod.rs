//! Keccak-f[1600] and SHAKE256 (FIPS 202) on one state.
//!
//! The permutation is written once for all backends; AVX-512F has its own ([`planes`]). The sponge takes a message
//! in pieces and gives whole blocks.

#[cfg(target_arch = "x86_64")]
mod planes;

use crate::isa::{self, Isa, Op};
use crate::secret::Secret;
use crate::simd::{Scalar, Soft, Token};

/// Bytes that SHAKE256 takes or gives per permutation.
pub(crate) const RATE: usize = 136;

/// Lane (x, y) is the word x + 5 y.
type State = [u64; 25];

/// Constants of step iota (FIPS 202, 3.2.5).
const ROUND_CONSTANTS: [u64; 24] = round_constants();

const fn round_constants() -> [u64; 24] {
    let mut constants = [0; 24];
    // Bits rc(t) of the register x^8 + x^6 + x^5 + x^4 + 1: bit 2^j - 1 of round i is rc(7 i + j).
    let mut register = 1u8;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= (register as u64 & 1) << ((1 << j) - 1);
            register = register << 1 ^ (register >> 7) * 0x71;
            j += 1;
        }
        round += 1;
    }
    constants
}

/// Rotations of step rho (FIPS 202, table 2, modulo 64), by row and column.
const RHO: [[u32; 5]; 5] = {
    let mut offsets = [[0; 5]; 5];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        offsets[y][x] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// The permutation on a backend.
pub(crate) trait Keccak: Token {
    /// Keccak-f[1600].
    #[inline(always)]
    fn permute(self, state: &mut State) {
        permute(state);
    }
}

impl Keccak for Soft {}
impl Keccak for Scalar {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Sse2 {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx2 {}
#[cfg(target_arch = "x86_64")]
impl Keccak for crate::simd::Avx512f {
    #[inline(always)]
    fn permute(self, state: &mut State) {
        planes::permute(self, state);
    }
}

#[inline(always)]
fn permute(state: &mut State) {
    let mut a = *state;
    for constant in ROUND_CONSTANTS {
        a = round(a, constant);
    }
    *state = a;
}

#[inline(always)]
fn round(mut a: State, constant: u64) -> State {
    // Theta.
    let mut parity = [0; 5];
    for x in 0..5 {
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    for x in 0..5 {
        let d = parity[(x + 4) % 5] ^ parity[(x + 1) % 5].rotate_left(1);
        for y in 0..5 {
            a[x + 5 * y] ^= d;
        }
    }
    // Rho and pi.
    let mut b = [0; 25];
    for y in 0..5 {
        for x in 0..5 {
            b[y + 5 * ((2 * x + 3 * y) % 5)] = a[x + 5 * y].rotate_left(RHO[y][x]);
        }
    }
    // Chi and iota.
    for y in 0..5 {
        for x in 0..5 {
            a[x + 5 * y] = b[x + 5 * y] ^ !b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y];
        }
    }
    a[0] ^= constant;
    a
}

struct Permute<'a>(&'a mut State);

impl<K: Keccak> Op<K> for Permute<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        k.permute(self.0);
    }
}

/// SHAKE256 while it takes its message.
pub(crate) struct Shake256 {
    isa: Isa,
    state: Secret<State>,
    /// Bytes of the current block that were taken, below `RATE`.
    taken: usize,
}

impl Shake256 {
    /// The hash of nothing, to be computed on a backend.
    pub fn new(isa: Isa) -> Shake256 {
        Shake256 { isa, state: Secret::new([0; 25]), taken: 0 }
    }

    /// Takes the next piece of the message.
    pub fn update(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let (now, later) = piece.split_at(piece.len().min(RATE - self.taken));
            absorb(self.state.expose_mut(), self.taken, now);
            self.taken += now.len();
            if self.taken == RATE {
                isa::with(self.isa, Permute(self.state.expose_mut()));
                self.taken = 0;
            }
            piece = later;
        }
    }

    /// The output.
    pub fn finish(mut self) -> Output {
        absorb(self.state.expose_mut(), self.taken, &[0x1F]);
        absorb(self.state.expose_mut(), RATE - 1, &[0x80]);
        Output { isa: self.isa, state: self.state }
    }
}

/// Adds bytes to the state from byte `at` on. In: they end inside the state.
fn absorb(state: &mut State, mut at: usize, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let shift = 8 * (at % 8);
        let len = bytes.len().min(8 - at % 8);
        let (now, later) = bytes.split_at(len);
        let mut word = [0; 8];
        match now.first_chunk() {
            Some(whole) => word = *whole,
            None => word.iter_mut().zip(now).for_each(|(to, from)| *to = *from),
        }
        state[at / 8] ^= u64::from_le_bytes(word) << shift;
        (at, bytes) = (at + len, later);
    }
}

/// What SHAKE256 gives, block by block.
pub(crate) struct Output {
    isa: Isa,
    state: Secret<State>,
}

impl Output {
    /// The next `RATE` bytes.
    pub fn next_block(&mut self, block: &mut [u8; RATE]) {
        isa::with(self.isa, Permute(self.state.expose_mut()));
        for (to, word) in block.as_chunks_mut::<8>().0.iter_mut().zip(self.state.expose()) {
            *to = word.to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!(ROUND_CONSTANTS[..3], [1, 0x8082, 0x8000_0000_0000_808A]);
        assert_eq!(ROUND_CONSTANTS[23], 0x8000_0000_8000_8008);
        assert_eq!(RHO[0], [0, 1, 62, 28, 27]);
        assert_eq!(RHO[4], [18, 2, 61, 56, 14]);
    }

    /// All lengths around the block, in pieces of all lengths, against another implementation.
    #[test]
    fn shake256_is_that_of_the_sha3_crate_on_every_backend() {
        let message: Vec<u8> = (0..1000u32).map(|i| (i * i >> 3) as u8).collect();
        for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
            for len in (0..300).chain([407, 408, 409, 1000]) {
                let mut theirs = sha3::Shake256::default();
                theirs.update(&message[..len]);
                let mut expected = [0; 4 * RATE];
                theirs.finalize_xof().read(&mut expected);
                let mut ours = Shake256::new(*isa);
                for piece in message[..len].chunks(1 + len % 150) {
                    ours.update(piece);
                }
                let mut output = ours.finish();
                let mut block = [0; RATE];
                for expected in expected.as_chunks::<RATE>().0 {
                    output.next_block(&mut block);
                    assert_eq!(block, *expected, "{len} bytes on {}", isa.name());
                }
            }
        }
    }
}
