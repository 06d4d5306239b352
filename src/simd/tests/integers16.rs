//! Laws of the 16-bit lanes, on every token, against plain integers.

use crate::isa::{self, Isa, Op};
use crate::simd::{Int16, MAX_LANES16, Simd};

/// Values with the extremes, in an order that differs from one stream to another.
fn values(mut seed: u32) -> Vec<i16> {
    let mut next = || {
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        (seed >> 16) as i16
    };
    let mut values: Vec<i16> = (0..4096).map(|_| next()).collect();
    for extreme in [i16::MIN, i16::MIN + 1, -12289, -1, 0, 1, 12289, i16::MAX] {
        for _ in 0..64 {
            values[next() as usize % 4096] = extreme;
        }
    }
    values
}

/// Bit `i` of numbers of `width` bits.
fn bit(numbers: &[i16], width: usize, i: usize) -> u8 {
    (numbers[i / width] >> (i % width) & 1) as u8
}

struct Laws;

impl<S: Simd> Op<S> for Laws {
    type Out = ();

    #[inline(always)]
    fn run(self, s: S) {
        let lanes = S::LANES16;
        assert!(lanes.is_power_of_two() && lanes <= MAX_LANES16);
        let (a, b) = (values(1), values(2));
        let (mut first, mut second) = ([0i16; 32], [0i16; 32]);
        for (a, b) in a.chunks_exact(lanes).zip(b.chunks_exact(lanes)) {
            let (x, y) = (s.load_i16(a), s.load_i16(b));
            let mut check = |what: &str, value: S::I16, law: &dyn Fn(i16, i16) -> i16| {
                s.store_i16(&mut first, value);
                for i in 0..lanes {
                    assert_eq!(first[i], law(a[i], b[i]), "{what}({}, {})", a[i], b[i]);
                }
            };
            check("add", x + y, &i16::wrapping_add);
            check("sub", x - y, &i16::wrapping_sub);
            check("mul", x * y, &i16::wrapping_mul);
            check("and", x & y, &|a, b| a & b);
            check("mul_high", x.mul_high(y), &|a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16);
            check("mul_high_unsigned", x.mul_high_unsigned(y), &|a, b| {
                ((u32::from(a as u16) * u32::from(b as u16)) >> 16) as i16
            });
            check("sign_mask", x.sign_mask(), &|a, _| if a < 0 { -1 } else { 0 });
            check("splat", s.splat_i16(a[0]), &|_, _| a[0]);
            // Of numbers whose difference fits.
            let (half_x, half_y) = (s.splat_i16(a[0] / 2), s.splat_i16(b[0] / 2));
            let below = i16::from(a[0] / 2 > b[0] / 2);
            check("minus_one", x.minus_one_where_above(half_x, half_y), &|a, _| a.wrapping_sub(below));
            let negative = a.iter().filter(|a| **a < 0).count();
            assert_eq!(s.count_negative_i16(x) as usize, negative);
            let below =
                a.iter().zip(b).rev().fold(0, |bits, (a, b)| 2 * bits + u32::from((*a as u16) < *b as u16));
            assert_eq!(s.below_i16(x, y), below);

            let (low, high) = s.zip_i16(x, y);
            s.store_i16(&mut first, low);
            s.store_i16(&mut second, high);
            let zipped: Vec<i16> = first[..lanes].iter().chain(&second[..lanes]).copied().collect();
            let in_turn: Vec<i16> = a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect();
            assert_eq!(zipped, in_turn);
            let (low, high) = s.unzip_i16(low, high);
            s.store_i16(&mut first, low);
            s.store_i16(&mut second, high);
            assert!(first[..lanes] == *a && second[..lanes] == *b);
            if lanes > 1 {
                let (low, high) = s.zip_eights_i16(x, y);
                s.store_i16(&mut first, low);
                s.store_i16(&mut second, high);
                for (i, (a, b)) in a.chunks_exact(8).zip(b.chunks_exact(8)).enumerate() {
                    let in_turn: Vec<i16> = a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect();
                    let found = [&first[8 * i..8 * i + 8], &second[8 * i..8 * i + 8]].concat();
                    assert_eq!(found, in_turn);
                }
            }

            // Without the one sum that does not fit: 2 (-2^15)^2.
            let halves = [a, b].map(|v| v.iter().map(|c| c / 2).collect::<Vec<_>>());
            let mut sums = [0u32; 16];
            s.store_i32(&mut sums, s.dot_i16(s.load_i16(&halves[0]), s.load_i16(&halves[1])));
            let total: i64 = sums[..S::LANES32].iter().map(|sum| i64::from(*sum as i32)).sum();
            let products = halves[0].iter().zip(&halves[1]).map(|(a, b)| i64::from(*a) * i64::from(*b));
            assert_eq!(total, products.sum::<i64>());
            if lanes > 1 {
                let pairs: Vec<i32> = (0..lanes / 2)
                    .map(|i| [2 * i, 2 * i + 1].map(|i| i32::from(halves[0][i]) * i32::from(halves[1][i])))
                    .map(|[even, odd]| even + odd)
                    .collect();
                assert!(sums.iter().zip(&pairs).all(|(sum, pair)| *sum as i32 == *pair));
                let twice = s.add_dot_i16(s.load_i32(&sums), s.load_i16(&halves[0]), s.load_i16(&halves[1]));
                let mut twices = [0u32; 16];
                s.store_i32(&mut twices, twice);
                assert!(twices.iter().zip(&pairs).all(|(sum, pair)| *sum as i32 == 2 * *pair));
                s.store_i16(&mut first, s.splat_pair_i16(&[a[0], b[1], 7]));
                assert!(first[..lanes].as_chunks().0.iter().all(|pair| *pair == [a[0], b[1]]));
                // Of these sums and of their squares' halves.
                let other = s.dot_i16(s.load_i16(&halves[0]), s.load_i16(&halves[0]));
                let mut others = [0u32; 16];
                s.store_i32(&mut others, other);
                let (low, high) =
                    s.halves_i16(s.dot_i16(s.load_i16(&halves[0]), s.load_i16(&halves[1])), other);
                s.store_i16(&mut first, low);
                s.store_i16(&mut second, high);
                for i in 0..lanes {
                    let sum = if i % 2 == 0 { sums[i / 2] } else { others[i / 2] };
                    assert_eq!((first[i], second[i]), (sum as i16, (sum >> 16) as i16), "lane {i}");
                }
            }
        }
        if S::SWAPS {
            let (x, y) = (s.load_i16(&a), s.load_i16(&b));
            let mut block = 2;
            while block < lanes {
                let (even, odd) = s.swap_i16(block, x, y);
                s.store_i16(&mut first, even);
                s.store_i16(&mut second, odd);
                for i in 0..lanes {
                    let want = if i / block % 2 == 0 { (a[i], a[i + block]) } else { (b[i - block], b[i]) };
                    assert_eq!((first[i], second[i]), want, "lane {i} of blocks of {block}");
                }
                block *= 2;
            }
            let (low, high) = s.zip_pairs_i16(x, y);
            let mut both = [0; 2 * MAX_LANES16];
            s.store_i16(&mut both, low);
            s.store_i16(&mut both[lanes..], high);
            for i in 0..lanes {
                let at = i / 2 * 4 + i % 2;
                assert_eq!((both[at], both[at + 2]), (a[i], b[i]), "lane {i}");
            }
            let (x, y) = s.unzip_pairs_i16(low, high);
            s.store_i16(&mut first, x);
            s.store_i16(&mut second, y);
            assert!(first[..lanes] == a[..lanes] && second[..lanes] == b[..lanes]);
        }
        let words: Vec<u8> = a.iter().flat_map(|word| word.to_le_bytes()).collect();
        s.store_i16(&mut first, s.load_bytes_i16(&words[..2 * lanes]));
        assert_eq!(first[..lanes], a[..lanes]);
        macro_rules! packed {
            ($($d:literal)*) => {$(
                let numbers: Vec<i16> = a.iter().map(|word| word & ((1 << $d) - 1)).collect();
                let mut bytes = vec![0; lanes * $d / 8];
                for (at, byte) in bytes.iter_mut().enumerate() {
                    *byte = (0..8).map(|i| bit(&numbers, $d, 8 * at + i) << i).sum();
                }
                let mut stored = vec![0xA5; bytes.len()];
                s.store_packed_i16::<$d>(&mut stored, s.load_i16(&numbers));
                assert_eq!(stored, bytes, "{} bits", $d);
                s.store_i16(&mut first, s.load_packed_i16::<$d>(&bytes));
                assert_eq!(first[..lanes], numbers[..lanes], "{} bits", $d);
            )*};
        }
        if S::PACKS {
            packed!(1 2 3 4 5 6 7 8 9 10 11 12);
        }
        macro_rules! shifts {
            ($($n:literal)*) => {$(
                s.store_i16(&mut first, s.load_i16(&a).shr::<$n>());
                let want: Vec<i16> = a[..lanes].iter().map(|c| (*c as u16 >> $n) as i16).collect();
                assert_eq!(first[..lanes], want);
            )*};
        }
        shifts!(1 2 4 6 8 10 12 14);
        for limit in [0, 1, 2048, 3329, 4095, 4096] {
            for chunk in words.as_chunks::<24>().0 {
                let bits = |at: usize| {
                    (0..12).map(move |i| i16::from(chunk[(at + i) / 8] >> ((at + i) % 8) & 1) << i)
                };
                let numbers = (0..16).map(|i| bits(12 * i).sum());
                let kept: Vec<i16> = numbers.filter(|number| *number < limit).collect();
                // Exactly the room that may be written.
                let count = s.keep_12_bits_below(limit, &mut first[..16], chunk);
                assert_eq!(first[..count], kept);
            }
            for chunk in words.as_chunks::<48>().0 {
                let mut kept = [0; 32];
                let (from, rest) = (&chunk.as_chunks::<24>().0[0], &chunk.as_chunks::<24>().0[1]);
                let mut len = s.keep_12_bits_below(limit, &mut kept, from);
                len += s.keep_12_bits_below(limit, &mut kept[len..], rest);
                let mut together = [0; 32];
                assert_eq!(s.keep_32_of_12_bits_below(limit, &mut together, chunk), len);
                assert_eq!(together[..len], kept[..len]);
            }
        }
        if lanes > 1 {
            for stride in [8, 11, 64] {
                let mut expected = [0; MAX_LANES16];
                for (i, eight) in expected[..lanes].chunks_exact_mut(8).enumerate() {
                    eight.copy_from_slice(&a[i * stride..][..8]);
                }
                let eights = s.load_eights_i16(&a, stride);
                s.store_i16(&mut first, eights);
                assert_eq!(first[..lanes], expected[..lanes]);
                let mut written = vec![0; 256];
                s.store_eights_i16(&mut written, stride, eights);
                for i in 0..lanes / 8 {
                    assert_eq!(written[i * stride..][..8], a[i * stride..][..8]);
                }
            }
        }
        let bytes: Vec<u8> = a.iter().flat_map(|word| word.to_be_bytes()).collect();
        for limit in [0, 1, 1 << 15, 61445, u16::MAX] {
            for chunk in bytes.as_chunks::<32>().0 {
                let words = chunk.as_chunks::<2>().0.iter().map(|word| u16::from_be_bytes(*word));
                let kept: Vec<i16> = words.filter(|word| *word < limit).map(|word| word as i16).collect();
                let count = s.keep_words_below(limit, &mut first, chunk);
                assert_eq!(first[..count], kept);
            }
        }
    }
}

crate::simd::scalar_on_rvv!(Laws);

#[test]
fn sixteen_bit_lanes() {
    let mut names = Vec::new();
    for isa in Isa::ALL.iter().filter(|isa| isa.is_supported()) {
        isa::with(*isa, Laws);
        names.push(isa.name());
    }
    println!("16-bit lanes: {}", names.join(", "));
}
