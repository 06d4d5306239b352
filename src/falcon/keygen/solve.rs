//! The NTRU equation f G - g F = q (specification 3.8.2, algorithm 6).
//!
//! Down: f and g by field norms to degree 1 ([`super::field_norm`]); there the equation is one between integers
//! ([`super::bezout`]). Up: F(x) = F'(x^2) g(-x) and G(x) = G'(x^2) f(-x) solve it one depth higher, and are made
//! short by a multiple of (f, g) ([`super::babai`]; the last two depths here).

use super::babai::{Divisor, doubles, fft_pair, ifft, reduce, rounded};
use super::bezout::bezout;
use super::crt::{from_residues, modulo};
use super::field_norm::{LIMBS, Level, tower};
use super::mod_p::{Lanes, Prime, backward_table, enter_rows, forward_table, primes};
use super::ntt::{inverse_ntt, ntt};
use super::zint::{LIMB, Table, narrow, table, to_doubles, widened};
use crate::ct::declassify;
use crate::falcon::params::Q;
use crate::isa::Op;
use crate::simd::{Simd, Work};
use zeroize::Zeroizing;

/// Limbs of F and G by depth before they are reduced (reference program).
const UNREDUCED: [usize; 10] = [2, 2, 5, 7, 12, 21, 40, 78, 157, 308];

/// Largest absolute value of a coefficient of F and G.
const LIMIT: i32 = 127;

/// F and G.
pub(super) type Pair = (Zeroizing<Vec<i8>>, Zeroizing<Vec<i8>>);

/// F and G with f G - g F = q and coefficients in [-127, 127], or nothing where the method finds none: the
/// resultants have a common divisor, or a reduction fails.
pub(super) fn solve<S: Simd>(s: S, f: &[i8], g: &[i8]) -> Option<Pair> {
    let levels = tower(s, f, g);
    let (deepest, others) = levels.split_last()?;
    let mut pair = bottom(deepest)?;
    for level in others.iter().rev() {
        pair = match level.depth {
            0 => last(s, level, &pair),
            1 => last_but_one(s, level, &pair)?,
            _ if level.is_narrow::<S>() => s.in_shorter(Intermediate { level, deeper: &pair })?,
            _ => intermediate(s, level, &pair)?,
        };
    }
    finish(s, f, g, &pair)
}

/// Degree 1: f G - g F = q in integers.
fn bottom(level: &Level) -> Option<Table> {
    let column =
        |at: usize| -> Table { Zeroizing::new(level.limbs.chunks_exact(2).map(|row| row[at]).collect()) };
    let (u, v) = bezout(&column(0), &column(1))?;
    let mut pair = table(u.len(), 2);
    let mut carries = [0; 2];
    for (row, w) in pair.chunks_exact_mut(2).zip(v.iter().zip(u.iter())) {
        for (out, (w, carry)) in row.iter_mut().zip([w.0, w.1].into_iter().zip(&mut carries)) {
            let product = u64::from(*w) * u64::from(Q) + *carry;
            *out = product as u32 & LIMB;
            *carry = product >> 31;
        }
    }
    declassify(carries == [0; 2], "a pair that is rejected is not used").then_some(pair)
}

/// F'(x^2) g(-x) and G'(x^2) f(-x) as transforms modulo the first primes, as many as `out` (2n columns) has rows.
/// In: `deeper` holds F' and G', n columns.
fn lift<S: Simd>(s: S, level: &Level, deeper: &[u32], out: &mut [u32]) {
    let n = level.n;
    let half = n / 2;
    let mut roots = vec![0; n];
    let mut fg = table(1, 2 * n);
    let mut short = table(1, n);
    for (j, out) in out.chunks_exact_mut(2 * n).enumerate() {
        let prime = &primes()[j];
        forward_table(s, prime, &mut roots);
        level.transform(s, j, &roots, &mut fg);
        modulo(s, deeper, prime, &mut short);
        for polynomial in short.chunks_exact_mut(half) {
            ntt(s, prime, &roots[..half], polynomial);
        }
        let (f, g) = fg.split_at(n);
        for (out, (short, other)) in out.chunks_exact_mut(n).zip(short.chunks_exact(half).zip([g, f])) {
            enter_rows(s, half, Lift { prime, short, other, out });
        }
    }
}

/// `short(x^2) other(-x)`: the values of `other` at w and at -w stand side by side.
struct Lift<'a> {
    prime: &'a Prime,
    short: &'a [u32],
    other: &'a [u32],
    out: &'a mut [u32],
}

impl<S: Simd> Op<S> for Lift<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let m = Lanes::new(s, self.prime);
        let r2 = m.splat(self.prime.r2);
        let pairs = self.other.chunks_exact(2 * S::LANES32).zip(self.out.chunks_exact_mut(2 * S::LANES32));
        for (short, (other, out)) in self.short.chunks_exact(S::LANES32).zip(pairs) {
            let short = m.mul(s.load_i32(short), r2);
            let (at_w, at_minus_w) = s.unzip_i32(1, s.load_i32(other), s.load_i32(&other[S::LANES32..]));
            let (low, high) = s.zip_i32(1, m.mul(short, at_minus_w), m.mul(short, at_w));
            s.store_i32(out, low);
            s.store_i32(&mut out[S::LANES32..], high);
        }
    }
}

/// Transforms, `2 n` columns, to polynomials modulo the primes.
fn inverse_transforms<S: Simd>(s: S, n: usize, transforms: &mut [u32]) {
    let mut roots = vec![0; n];
    for (prime, row) in primes().iter().zip(transforms.chunks_exact_mut(2 * n)) {
        backward_table(s, prime, &mut roots);
        for polynomial in row.chunks_exact_mut(n) {
            inverse_ntt(s, prime, &roots, polynomial);
        }
    }
}

/// Depths logn - 1 to 2.
fn intermediate<S: Simd>(s: S, level: &Level, deeper: &[u32]) -> Option<Table> {
    let columns = 2 * level.n;
    let mut pair = table(UNREDUCED[level.depth], columns);
    lift(s, level, deeper, &mut pair);
    inverse_transforms(s, level.n, &mut pair);
    // Columns that fill a vector.
    let wide = columns.max(S::LANES32);
    if wide > columns {
        pair = widened(&pair, columns, wide);
    }
    from_residues(s, &mut pair, wide, true);
    reduce(s, level, &mut pair, wide)?;
    let mut reduced = table(LIMBS[level.depth], columns);
    narrow(&pair, wide, &mut reduced, columns);
    Some(reduced)
}

/// [`intermediate`] as work.
struct Intermediate<'a> {
    level: &'a Level,
    deeper: &'a [u32],
}

impl Work for Intermediate<'_> {
    type Out = Option<Table>;
    fn run<S: Simd>(self, s: S) -> Option<Table> {
        intermediate(s, self.level, self.deeper)
    }
}

/// Depth 1: F and G have about 39 bits and fit doubles, so that one quotient is enough; the result has one limb.
fn last_but_one<S: Simd>(s: S, level: &Level, deeper: &[u32]) -> Option<Table> {
    let n = level.n;
    let mut pair = table(UNREDUCED[1], 2 * n);
    lift(s, level, deeper, &mut pair);
    // The result is computed modulo one prime.
    let mut result = Zeroizing::new(pair[..2 * n].to_vec());
    inverse_transforms(s, n, &mut pair);
    from_residues(s, &mut pair, 2 * n, true);
    let mut quotient = doubles(2 * n);
    to_doubles(s, &pair, &mut quotient);
    let mut fg = doubles(2 * n);
    to_doubles(s, &level.limbs, &mut fg);
    Divisor::new(s, fg).quotient(s, &mut quotient);
    let mut k = Zeroizing::new(vec![0; n]);
    // The reference program's limit is 2^63; quotients have about 28 bits.
    if !rounded(s, &quotient[..n], 1.0, (1u64 << 50) as f64, &mut k) {
        return None;
    }
    sub_multiple(s, level, &k, &mut result);
    Some(result)
}

/// Depth 0: numerator and denominator of the quotient are exact integers, found modulo one prime.
fn last<S: Simd>(s: S, level: &Level, deeper: &[u32]) -> Table {
    let n = level.n;
    let prime = &primes()[0];
    let mut result = table(1, 2 * n);
    lift(s, level, deeper, &mut result);
    let ((f, g), (x, y)) = (level.transforms.split_at(n), result.split_at(n));
    let mut fraction = table(1, 2 * n);
    let (above, below) = fraction.split_at_mut(n);
    for i in 0..n {
        // The adjoint has at w the value at 1/w.
        let (f_adj, g_adj) = (prime.mul(f[n - 1 - i], prime.r2), prime.mul(g[n - 1 - i], prime.r2));
        above[i] = prime.add(prime.mul(x[i], f_adj), prime.mul(y[i], g_adj));
        below[i] = prime.add(prime.mul(f[i], f_adj), prime.mul(g[i], g_adj));
    }
    let mut roots = vec![0; n];
    backward_table(s, prime, &mut roots);
    let mut quotient = doubles(2 * n);
    for polynomial in fraction.chunks_exact_mut(n) {
        inverse_ntt(s, prime, &roots, polynomial);
    }
    to_signed_limbs(prime, &mut fraction);
    to_doubles(s, &fraction, &mut quotient);
    fft_pair(s, &mut quotient);
    s.enter(DivideSelfAdjoint { pair: &mut quotient });
    ifft(s, &mut quotient[..n]);
    let mut k = Zeroizing::new(vec![0; n]);
    let fits = rounded(s, &quotient[..n], 1.0, (1u64 << 50) as f64, &mut k);
    // The orthogonalised norm bounds 1/(|f|^2 + |g|^2), so quotients have less than 41 bits.
    debug_assert!(fits);
    sub_multiple(s, level, &k, &mut result);
    result
}

/// a /= b, the halves of a pair in Fourier form, b self-adjoint.
struct DivideSelfAdjoint<'a> {
    pair: &'a mut [f64],
}

impl<S: Simd> Op<S> for DivideSelfAdjoint<'_> {
    type Out = ();
    #[inline(always)]
    fn run(self, s: S) {
        let n = self.pair.len() / 2;
        let (a, b) = self.pair.split_at_mut(n);
        let (re, im) = a.split_at_mut(n / 2);
        for j in (0..n / 2).step_by(S::LANES) {
            let inverse = s.splat(1.0) / s.load(&b[j..]);
            let (x, y) = (s.load(&re[j..]) * inverse, s.load(&im[j..]) * inverse);
            s.store(&mut re[j..], x);
            s.store(&mut im[j..], y);
        }
    }
}

/// F - k f and G - k g, from transforms modulo the first prime to signed limbs.
fn sub_multiple<S: Simd>(s: S, level: &Level, k: &[i64], pair: &mut [u32]) {
    let n = level.n;
    let prime = &primes()[0];
    let mut roots = vec![0; n];
    forward_table(s, prime, &mut roots);
    let mut transformed = table(1, n);
    for (t, k) in transformed.iter_mut().zip(k) {
        *t = prime.montgomery_of(*k);
    }
    ntt(s, prime, &roots, &mut transformed);
    backward_table(s, prime, &mut roots);
    for (pair, fg) in pair.chunks_exact_mut(n).zip(level.transforms.chunks_exact(n)) {
        for ((x, k), y) in pair.iter_mut().zip(&*transformed).zip(fg) {
            *x = prime.sub(*x, prime.mul(*k, *y));
        }
        inverse_ntt(s, prime, &roots, pair);
    }
    to_signed_limbs(prime, pair);
}

/// Residues to limbs of the representatives nearest to zero.
fn to_signed_limbs(prime: &Prime, x: &mut [u32]) {
    for x in x {
        *x = prime.centred(*x) as u32 & LIMB;
    }
}

/// Limbs to bytes, with a check of the range and of the equation (which also finds faults of the machine).
fn finish<S: Simd>(s: S, f: &[i8], g: &[i8], pair: &[u32]) -> Option<Pair> {
    let n = f.len();
    let mut outside = 0;
    let mut bytes = |limbs: &[u32]| -> Zeroizing<Vec<i8>> {
        let signed = limbs.iter().map(|w| {
            let x = (*w << 1) as i32 >> 1;
            outside |= (LIMIT - x) >> 31 | (LIMIT + x) >> 31;
            x as i8
        });
        Zeroizing::new(signed.collect())
    };
    let (large_f, large_g) = (bytes(&pair[..n]), bytes(&pair[n..]));
    if !declassify(outside == 0, "a pair that is rejected is not used") {
        return None;
    }
    is_solution(s, f, g, &large_f, &large_g).then_some((large_f, large_g))
}

/// Whether f G - g F = q. In: degree at most 1024.
pub(super) fn is_solution<S: Simd>(s: S, f: &[i8], g: &[i8], large_f: &[i8], large_g: &[i8]) -> bool {
    // Coefficients of f G - g F are at most 2 * 1024 * 2^14 = 2^25: equality modulo p is equality.
    let n = f.len();
    let prime = &primes()[0];
    let mut roots = vec![0; n];
    forward_table(s, prime, &mut roots);
    let transform = |x: &[i8]| {
        let mut transformed = table(1, n);
        for (t, x) in transformed.iter_mut().zip(x) {
            *t = prime.of_signed(i32::from(*x));
        }
        ntt(s, prime, &roots, &mut transformed);
        transformed
    };
    let (f, g, x, y) = (transform(f), transform(g), transform(large_f), transform(large_g));
    // q / 2^32: as it comes out of Montgomery products.
    let wanted = prime.mul(Q, 1);
    let mut difference = 0;
    for i in 0..n {
        difference |= prime.sub(prime.mul(f[i], y[i]), prime.mul(g[i], x[i])) ^ wanted;
    }
    declassify(difference == 0, "what does not solve the equation is not used")
}
