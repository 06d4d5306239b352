//! Laws of the integer lanes, checked for every token against one number at a time.

use crate::simd::*;

/// Numbers below `bound`, reproducible; the first are the extremes.
fn numbers(bound: u64, count: usize) -> Vec<u32> {
    let mut state = bound;
    let mut next = || {
        state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        (((state >> 32) * bound) >> 32) as u32
    };
    (0..count)
        .map(|i| match i {
            0 => (bound - 1) as u32,
            1 => 0,
            _ => next(),
        })
        .collect()
}

/// The products of `a` and `b` of `N` consecutive vectors, and what [`Simd::montgomery_sum`] makes of them.
fn sums<S: Simd, const N: usize>(s: S, p: u32, bounds: [u64; 2]) {
    let mut inverse = p;
    for _ in 0..4 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
    }
    let count = 64 * N * S::LANES32;
    let (a, b) = (numbers(bounds[0], count), numbers(bounds[1], count));
    let vectors = |x: &[u32]| -> [S::I32; N] { core::array::from_fn(|i| s.load_i32(&x[i * S::LANES32..])) };
    for (a, b) in a.chunks_exact(N * S::LANES32).zip(b.chunks_exact(N * S::LANES32)) {
        let (p_lanes, inverse) = (s.splat_i32(p as i32), s.splat_i32(inverse as i32));
        let found = s.lanes(s.montgomery_sum(vectors(a), vectors(b), p_lanes, inverse));
        for (lane, found) in found.into_iter().enumerate().take(S::LANES32) {
            let products = a.iter().zip(b).skip(lane).step_by(S::LANES32);
            let sum: u128 = products.map(|(a, b)| u128::from(*a) * u128::from(*b)).sum();
            assert!(found < p);
            let difference = (u128::from(found) << 32) + u128::from(p) * (1 << 40) - sum;
            assert_eq!(difference % u128::from(p), 0, "{N} products modulo {p}");
        }
    }
}

fn laws<S: Simd>(s: S) {
    for p in [2147473409, 2140866561, 12289] {
        let below_p = u64::from(p);
        sums::<S, 1>(s, p, [1 << 32, below_p]);
        sums::<S, 2>(s, p, [below_p.min(1 << 31), below_p]);
        sums::<S, 4>(s, p, [1 << 31, below_p]);
    }
    let count = 64 * S::LANES32;
    let [a, b, addend, carry] = [1, 2, 3, 4].map(|i| numbers((1 << 31) - i, count));
    for at in (0..count).step_by(S::LANES32) {
        let [x, y, z, w] = [&a, &b, &addend, &carry].map(|numbers| s.load_i32(&numbers[at..]));
        let (limb, above) = s.carrying_mul(x, y, z, w);
        let (limb, above) = (s.lanes(limb), s.lanes(above));
        for i in 0..S::LANES32 {
            let [a, b, c, d] = [&a, &b, &addend, &carry].map(|numbers| u64::from(numbers[at + i]));
            assert!(limb[i] < 1 << 31);
            assert_eq!(u64::from(above[i]) << 31 | u64::from(limb[i]), a * b + c + d);
        }
    }
    let p = 2147473409;
    for d in numbers(2 * u64::from(p), 1000) {
        let d = d.wrapping_sub(p);
        let expected = if (d as i32) < 0 { d.wrapping_add(p) } else { d };
        let found = s.lanes(s.splat_i32(d as i32).add_where_negative(s.splat_i32(p as i32)));
        assert!(found[..S::LANES32].iter().all(|x| *x == expected));
    }
    for pair in numbers(u64::from(u32::MAX) + 1, 1000).windows(2) {
        let (a, b) = s.splat_i32(pair[0] as i32).sorted(s.splat_i32(pair[1] as i32));
        let (a, b) = (s.lanes(a)[0] as i32, s.lanes(b)[0] as i32);
        let (x, y) = (pair[0] as i32, pair[1] as i32);
        assert_eq!((a, b), (x.min(y), x.max(y)));
    }
    let lanes: Vec<u32> = (0..2 * S::LANES32 as u32).collect();
    let (a, b) = (s.load_i32(&lanes), s.load_i32(&lanes[S::LANES32..]));
    let mut block = 1;
    while block < S::LANES32.max(2) {
        let (x, y) = s.unzip_i32(block, a, b);
        let even = |i: &u32| (*i as usize / block).is_multiple_of(2);
        let expected: Vec<u32> = lanes.iter().copied().filter(even).collect();
        assert_eq!(s.lanes(x)[..S::LANES32], expected, "even blocks of {block}");
        let expected: Vec<u32> = lanes.iter().copied().filter(|i| !even(i)).collect();
        assert_eq!(s.lanes(y)[..S::LANES32], expected, "odd blocks of {block}");
        let (x, y) = s.zip_i32(block, x, y);
        assert_eq!(s.lanes(x)[..S::LANES32], lanes[..S::LANES32], "blocks of {block}, zipped again");
        assert_eq!(s.lanes(y)[..S::LANES32], lanes[S::LANES32..], "blocks of {block}, zipped again");
        for bits in [block, 2 * block - 1].into_iter().filter(|bits| *bits < S::LANES32) {
            let expected: Vec<u32> = (0..S::LANES32 as u32).map(|i| i ^ bits as u32).collect();
            assert_eq!(s.lanes(s.flip_i32(bits, a))[..S::LANES32], expected, "flipped by {bits}");
        }
        let expected: Vec<u32> =
            (0..S::LANES32).map(|i| lanes[if even(&(i as u32)) { i } else { i + S::LANES32 }]).collect();
        assert_eq!(s.lanes(s.blend_i32(block, a, b))[..S::LANES32], expected, "blocks of {block}, blended");
        block *= 2;
    }
}

#[test]
fn integer_lanes_on_every_backend() {
    laws(Scalar::get());
    laws(Soft::get());
    #[cfg(target_arch = "x86_64")]
    {
        laws(Sse2::get().expect("SSE2"));
        match Avx2::get() {
            Some(s) => laws(s),
            None => println!("not run: AVX2"),
        }
        match Avx512f::get() {
            Some(s) => laws(s),
            None => println!("not run: AVX-512F"),
        }
    }
}
