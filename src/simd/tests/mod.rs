//! The laws of the vocabulary: every operation of every token against plain arithmetic, on random and on edge lanes.

mod integers16;
mod integers32;

use super::{Float, Int32, Real, Simd};
use crate::isa::{Isa, Op, with};

/// As many lanes as the widest token has.
const WIDEST: usize = 16;

/// Rounds of random lanes.
const ROUNDS: usize = 2000;

/// A reproducible stream of 64-bit values (splitmix64).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A double of exponent below `exponent`, down to its inverse; one in four is an edge.
    fn double(&mut self, exponent: u64) -> f64 {
        /// Halves and their neighbours decide roundings; integers decide floors.
        const EDGES: [f64; 16] = [
            0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.49999999999999994,
            -0.49999999999999994,
            0.9999999999999999,
            -1.0000000000000002,
            7.0,
            -7.999999999999999,
            1e-9,
            -1e-9,
        ];
        let r = self.next();
        if r.is_multiple_of(4) {
            return EDGES[(r >> 8) as usize % EDGES.len()];
        }
        let e = 1023 - exponent + (r >> 1) % (2 * exponent);
        f64::from_bits(self.next() & (1 << 63 | ((1 << 52) - 1)) | e << 52)
    }

    fn integer(&mut self) -> u32 {
        const EDGES: [u32; 8] =
            [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX, 0xFFFF_FFFE, 0xFF_FFFF, 0x100_0000];
        let r = self.next();
        if r.is_multiple_of(4) { EDGES[(r >> 8) as usize % 8] } else { (r >> 32) as u32 }
    }
}

/// All laws on one token; gives how many lanes were compared.
struct Laws;

impl<S: Simd> Op<S> for Laws {
    type Out = usize;

    #[inline(always)]
    fn run(self, s: S) -> usize {
        assert_eq!(S::Half::LANES, S::LANES.div_ceil(2));
        let mut stream = Stream(1);
        let mut compared = 0;
        for _ in 0..ROUNDS {
            compared += doubles(s, &mut stream) + shuffles(s, &mut stream) + integers(s, &mut stream);
        }
        compared + reals::<S>(&mut stream)
    }
}

/// A token without a vocabulary; what it has instead is tested beside it.
#[cfg(target_arch = "riscv64")]
impl Op<super::Rvv> for Laws {
    type Out = usize;

    fn run(self, _: super::Rvv) -> usize {
        0
    }
}

#[test]
fn every_operation_is_that_of_plain_arithmetic_on_every_backend() {
    for isa in Isa::ALL {
        if isa.is_supported() {
            let compared = with(*isa, Laws);
            println!("{}: {compared} lanes equal", isa.name());
            assert!(compared > ROUNDS || isa.name() == "rvv");
        } else {
            println!("{}: NOT TRIED: this processor cannot run it", isa.name());
        }
    }
}

/// Fails unless the lanes of `got` have the bits of `want`.
fn same<S: Simd>(
    s: S,
    what: &str,
    operands: [&[f64]; 2],
    got: S::F64,
    want: impl Fn(f64, f64) -> f64,
) -> usize {
    let mut lanes = [0.0; WIDEST];
    s.store(&mut lanes, got);
    for i in 0..S::LANES {
        let (a, b) = (operands[0][i], operands[1][i]);
        let want = want(a, b);
        assert_eq!(
            lanes[i].to_bits(),
            want.to_bits(),
            "{what}({a:e}, {b:e}), lane {i}: {:e}, {want:e}",
            lanes[i]
        );
    }
    assert!(lanes[S::LANES..].iter().all(|x| *x == 0.0), "{what} wrote behind its lanes");
    S::LANES
}

fn doubles<S: Simd>(s: S, stream: &mut Stream) -> usize {
    let x: [f64; WIDEST] = core::array::from_fn(|_| stream.double(50));
    let y: [f64; WIDEST] = core::array::from_fn(|_| stream.double(50));
    // From an odd place, so that no load or store needs an aligned one.
    let mut moved = [0.0; WIDEST + 1];
    moved[1..].copy_from_slice(&x);
    let (a, b) = (s.load(&moved[1..]), s.load(&y));
    let both = [x.as_slice(), y.as_slice()];
    let positive: [f64; WIDEST] = core::array::from_fn(|i| x[i].abs() + 1e-3);
    let p = s.load(&positive);
    let divisor: [f64; WIDEST] = core::array::from_fn(|i| if y[i] == 0.0 { 3.0 } else { y[i] });
    let mut compared = same(s, "add", both, a + b, |a, b| a + b)
        + same(s, "sub", both, a - b, |a, b| a - b)
        + same(s, "mul", both, a * b, |a, b| a * b)
        + same(s, "div", [&x, &divisor], a / s.load(&divisor), |a, b| a / b)
        + same(s, "neg", both, -a, |a, _| -a)
        + same(s, "half", both, a.half(), |a, _| a * 0.5)
        + same(s, "sqrt", [&positive, &y], p.sqrt(), |a, _| a.sqrt())
        + same(s, "mul then sub, two roundings", both, a * b - a, |a, b| a * b - a)
        + same(s, "mul then add, two roundings", both, a * b + b, |a, b| a * b + b)
        + same(s, "splat", [&[x[0]; WIDEST], &y], s.splat(x[0]), |a, _| a)
        // The sign of a zero is no part of it.
        + same(s, "floor", both, s.floor(a) + s.splat(0.0), |a, _| a.floor() + 0.0);
    let bits = s.less(a, b);
    for i in 0..S::LANES {
        assert_eq!(bits >> i & 1 == 1, x[i] < y[i], "{:e} < {:e}, lane {i}", x[i], y[i]);
    }
    assert_eq!(u64::from(bits) >> S::LANES, 0, "less sets bits of lanes only");
    assert_eq!(s.less(a, a), 0);
    compared += S::LANES;
    let (m, e) = s.mantissa_and_exponent(p);
    let mantissa = |a: f64| f64::from_bits(a.to_bits() & ((1 << 52) - 1) | 1.0f64.to_bits());
    compared += same(s, "mantissa", [&positive, &y], m, |a, _| mantissa(a))
        + same(s, "exponent", [&positive, &y], e, |a, _| f64::from((a.to_bits() >> 52) as i32 - 1023));
    let (m, e) = s.mantissa_and_exponent(s.splat(0.0));
    compared += same(s, "mantissa of zero", [&y, &y], m, |_, _| 1.0);
    assert_eq!(s.less(e, s.splat(-1022.0)).count_ones() as usize, S::LANES, "exponent of zero");
    compared
}

fn shuffles<S: Simd>(s: S, stream: &mut Stream) -> usize {
    let x: [f64; 2 * WIDEST] = core::array::from_fn(|_| stream.double(50));
    let mut block = 1;
    let mut compared = 0;
    while block < S::LANES {
        let unzipped = s.unzip(block, s.load(&x), s.load(&x[S::LANES..]));
        for (odd, got) in [unzipped.0, unzipped.1].into_iter().enumerate() {
            let want: Vec<f64> =
                x[..2 * S::LANES].chunks_exact(block).skip(odd).step_by(2).flatten().copied().collect();
            compared += same(s, "unzip", [&want, &want], got, |a, _| a);
        }
        let zipped = s.zip(block, unzipped.0, unzipped.1);
        compared += same(s, "zip", [&x, &x], zipped.0, |a, _| a);
        compared += same(s, "zip", [&x[S::LANES..], &x], zipped.1, |a, _| a);
        block *= 2;
    }
    compared
}

/// [`same`] for integers.
fn same_integers<S: Simd>(
    s: S,
    what: &str,
    operands: [&[u32]; 2],
    got: S::I32,
    want: impl Fn(u32, u32) -> u32,
) -> usize {
    let mut lanes = [0; WIDEST];
    s.store_i32(&mut lanes, got);
    for i in 0..S::LANES32 {
        let (a, b) = (operands[0][i], operands[1][i]);
        assert_eq!(lanes[i], want(a, b), "{what}({a:x}, {b:x}), lane {i}");
    }
    assert!(lanes[S::LANES32..].iter().all(|x| *x == 0), "{what} wrote behind its lanes");
    S::LANES32
}

/// All ones or zero.
fn mask(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}

fn integers<S: Simd>(s: S, stream: &mut Stream) -> usize {
    let x: [u32; WIDEST] = core::array::from_fn(|_| stream.integer());
    let y: [u32; WIDEST] = core::array::from_fn(|_| stream.integer());
    let mut moved = [0; WIDEST + 1];
    moved[1..].copy_from_slice(&x);
    let (a, b) = (s.load_i32(&moved[1..]), s.load_i32(&y));
    let both = [x.as_slice(), y.as_slice()];
    let mut compared = same_integers(s, "add", both, a + b, u32::wrapping_add)
        + same_integers(s, "sub", both, a - b, u32::wrapping_sub)
        + same_integers(s, "xor", both, a ^ b, |a, b| a ^ b)
        + same_integers(s, "and", both, a & b, |a, b| a & b)
        + same_integers(s, "shr 7", both, a.shr::<7>(), |a, _| a >> 7)
        + same_integers(s, "shr 8", both, a.shr::<8>(), |a, _| a >> 8)
        + same_integers(s, "shr 16", both, a.shr::<16>(), |a, _| a >> 16)
        + same_integers(s, "shr 24", both, a.shr::<24>(), |a, _| a >> 24)
        + same_integers(s, "shr 26", both, a.shr::<26>(), |a, _| a >> 26)
        + same_integers(s, "shr 28", both, a.shr::<28>(), |a, _| a >> 28)
        + same_integers(s, "shl 2", both, a.shl::<2>(), |a, _| a << 2)
        + same_integers(s, "shl 4", both, a.shl::<4>(), |a, _| a << 4)
        + same_integers(s, "shl 6", both, a.shl::<6>(), |a, _| a << 6)
        + same_integers(s, "shl 8", both, a.shl::<8>(), |a, _| a << 8)
        + same_integers(s, "shr 31", both, a.shr::<31>(), |a, _| a >> 31)
        + same_integers(s, "sign_mask", both, a.sign_mask(), |a, _| mask(a >> 31 == 1))
        + same_integers(s, "minus_one_where_above", both, b.minus_one_where_above(a, b), |a, b| {
            b.wrapping_sub(u32::from(a as i32 > b as i32))
        })
        + same_integers(s, "rotate 16", both, a.rotate_left::<16>(), |a, _| a.rotate_left(16))
        + same_integers(s, "rotate 12", both, a.rotate_left::<12>(), |a, _| a.rotate_left(12))
        + same_integers(s, "rotate 8", both, a.rotate_left::<8>(), |a, _| a.rotate_left(8))
        + same_integers(s, "rotate 7", both, a.rotate_left::<7>(), |a, _| a.rotate_left(7))
        + same_integers(s, "splat", [&[x[0]; WIDEST], &y], s.splat_i32(x[0] as i32), |a, _| a);
    let bytes: Vec<u8> = (0..20 * WIDEST).map(|_| stream.next() as u8).collect();
    for stride in [1, 4, 11, 17] {
        // Exactly as many bytes as are allowed to be read.
        let from = &bytes[3..3 + (S::LANES32 - 1) * stride + 16];
        for (column, got) in s.load_four_columns(from, stride).into_iter().enumerate() {
            let want: Vec<u32> = (0..S::LANES32)
                .map(|i| u32::from_le_bytes(core::array::from_fn(|j| from[i * stride + 4 * column + j])))
                .collect();
            compared += same_integers(s, "load_four_columns", [&want, &want], got, |a, _| a);
        }
    }
    let mut out = [0.0; WIDEST];
    s.store_as_f64(&mut out, a);
    for i in 0..S::LANES32 {
        assert_eq!(out[i], f64::from(x[i] as i32), "store_as_f64, lane {i}");
    }
    compared + S::LANES32
}

/// Single doubles.
fn reals<S: Simd>(stream: &mut Stream) -> usize {
    for _ in 0..20 * ROUNDS {
        let (a, b) = (stream.double(50), stream.double(50));
        let (x, y) = (S::Real::new(a), S::Real::new(b));
        assert_eq!(x.get().to_bits(), a.to_bits());
        assert_eq!(x.lt(y), u64::from(a < b), "{a:e} < {b:e}");
        assert_eq!(x.floor().get(), a.floor(), "floor({a:e})");
        assert_eq!(x.rint().get(), a.round_ties_even(), "rint({a:e})");
        assert_eq!(x.rint().to_integer(), a.round_ties_even() as i64, "to_integer({a:e})");
        let integer = stream.next() as i64 >> 11;
        assert_eq!(S::Real::of(integer).get(), integer as f64);
        assert_eq!((x * y - x).get(), a * b - a);
    }
    20 * ROUNDS
}
