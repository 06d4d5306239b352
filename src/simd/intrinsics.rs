//! What the tokens with intrinsics have in common: operators of vector types, methods of the vocabulary, tokens.
//!
//! A value of a vector type exists only where its token was handed out, so that every operator may use the
//! instruction set. Each backend file names its intrinsics, or functions of its own on registers that are compiled for
//! its features; the text that uses them stands here once.

/// The fraction bits of a double.
pub(super) const FRACTION: i64 = (1 << 52) - 1;
/// A double whose low bits are an integer: 2^52.
#[cfg(target_arch = "x86_64")]
pub(super) const TWO_52: f64 = 4503599627370496.0;

/// A vector type of doubles with the operators of [`super::Float`].
macro_rules! doubles {
    ($name:ident, $vector:ty, add $add:path, sub $sub:path, mul $mul:path, div $div:path, sqrt $sqrt:path,
     splat $splat:path, sign $sign:expr) => {
        #[doc = "Doubles in one register."]
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        $crate::simd::intrinsics::operator!($name, Add, add, $add);
        $crate::simd::intrinsics::operator!($name, Sub, sub, $sub);
        $crate::simd::intrinsics::operator!($name, Mul, mul, $mul);
        $crate::simd::intrinsics::operator!($name, Div, div, $div);

        impl core::ops::Neg for $name {
            type Output = $name;
            #[inline(always)]
            fn neg(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sign(self.0)) }
            }
        }

        impl $crate::simd::Float for $name {
            #[inline(always)]
            fn half(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($mul(self.0, $splat(0.5))) }
            }
            #[inline(always)]
            fn sqrt(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sqrt(self.0)) }
            }
        }
    };
}

/// A vector type of 32-bit integers with the operators of [`super::Int32`].
macro_rules! integers32 {
    ($name:ident, $vector:ty, add $add:path, sub $sub:path, xor $xor:path, and $and:path,
     shl $shl:ident, shr $shr:ident, sar $sar:ident, $(rotate $rotate:ident,)? $(min $min:ident,)?
     minus_one $minus_one:expr $(, sorted $smaller:path, $larger:path)?) => {
        #[doc = "32-bit integers in one register."]
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        $crate::simd::intrinsics::operator!($name, Add, add, $add);
        $crate::simd::intrinsics::operator!($name, Sub, sub, $sub);
        $crate::simd::intrinsics::operator!($name, BitXor, bitxor, $xor);
        $crate::simd::intrinsics::operator!($name, BitAnd, bitand, $and);

        impl $crate::simd::Int32 for $name {
            #[inline(always)]
            fn shr<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::shift!(self, $name, N, $shr, 31 30 29 28 26 24 8 7 20 16 25)
            }
            #[inline(always)]
            fn shl<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::shift!(self, $name, N, $shl, 2 4 6 8)
            }
            #[inline(always)]
            fn sign_mask(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sar::<31>(self.0)) }
            }
            #[inline(always)]
            fn minus_one_where_above(self, a: $name, b: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($minus_one(self.0, a.0, b.0)) }
            }
            #[inline(always)]
            fn rotate_left<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::rotate!(self, $name, N, $shl, $shr, $xor $(, $rotate)?)
            }
            $(
                #[inline(always)]
                fn add_where_negative(self, p: $name) -> $name {
                    // As unsigned numbers a negative one is the larger of the two, another one the smaller.
                    // SAFETY: a value exists only where its token was handed out.
                    unsafe { $name($min(self.0, $add(self.0, p.0))) }
                }
            )?
            $(
                #[inline(always)]
                fn sorted(self, other: $name) -> ($name, $name) {
                    // SAFETY: a value exists only where its token was handed out.
                    unsafe { ($name($smaller(self.0, other.0)), $name($larger(self.0, other.0))) }
                }
            )?
        }
    };
}

/// A vector type of 16-bit integers with the operators of [`super::Int16`].
macro_rules! integers16 {
    ($name:ident, $vector:ty, add $add:path, sub $sub:path, and $and:path, low $low:path, high $high:path,
     high_unsigned $high_unsigned:path, sar $sar:ident, shr $shr:ident $(, minus_one $minus_one:expr)?) => {
        #[doc = "16-bit integers in one register."]
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        // SAFETY: integers side by side.
        unsafe impl $crate::simd::Numbers for $name {}

        $crate::simd::intrinsics::operator!($name, Add, add, $add);
        $crate::simd::intrinsics::operator!($name, Sub, sub, $sub);
        $crate::simd::intrinsics::operator!($name, BitAnd, bitand, $and);
        $crate::simd::intrinsics::operator!($name, Mul, mul, $low);

        impl $crate::simd::Int16 for $name {
            #[inline(always)]
            fn mul_high(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($high(self.0, other.0)) }
            }
            #[inline(always)]
            fn mul_high_unsigned(self, other: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($high_unsigned(self.0, other.0)) }
            }
            #[inline(always)]
            fn sign_mask(self) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($sar::<15>(self.0)) }
            }
            #[inline(always)]
            fn shr<const N: u32>(self) -> $name {
                $crate::simd::intrinsics::shift!(self, $name, N, $shr, 1 2 3 4 6 8 10 12 14)
            }
            $(
                #[inline(always)]
                fn minus_one_where_above(self, a: $name, b: $name) -> $name {
                    // SAFETY: a value exists only where its token was handed out.
                    unsafe { $name($minus_one(self.0, a.0, b.0)) }
                }
            )?
        }
    };
}

/// One binary operator.
macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, $intrinsic:path) => {
        impl core::ops::$trait for $name {
            type Output = $name;
            #[inline(always)]
            fn $method(self, other: $name) -> $name {
                // SAFETY: a value exists only where its token was handed out.
                unsafe { $name($intrinsic(self.0, other.0)) }
            }
        }
    };
}

/// A shift by one of the listed constants (intrinsics take literal counts only).
macro_rules! shift {
    ($self:ident, $name:ident, $n:ident, $intrinsic:ident, $($count:literal)*) => {
        match $n {
            // SAFETY: a value exists only where its token was handed out.
            $($count => unsafe { $name($intrinsic::<$count>($self.0)) },)*
            _ => unreachable!(),
        }
    };
}

/// [`super::Simd::load_four_columns`] of four registers, each of a row in every 128 bits.
macro_rules! columns {
    ($rows:expr, $name:ident, low32 $low32:path, high32 $high32:path, low64 $low64:path, high64 $high64:path) => {{
        let [a, b, c, d] = $rows;
        let (ab, cd) = ($low32(a, b), $low32(c, d));
        let (ab_high, cd_high) = ($high32(a, b), $high32(c, d));
        [
            $name($low64(ab, cd)),
            $name($high64(ab, cd)),
            $name($low64(ab_high, cd_high)),
            $name($high64(ab_high, cd_high)),
        ]
    }};
}

/// A rotation by one of ChaCha's constants.
macro_rules! rotate {
    ($self:ident, $name:ident, $n:ident, $shl:ident, $shr:ident, $xor:path) => {
        match $n {
            // SAFETY: a value exists only where its token was handed out.
            16 => unsafe { $name($xor($shl::<16>($self.0), $shr::<16>($self.0))) },
            // SAFETY: as above.
            12 => unsafe { $name($xor($shl::<12>($self.0), $shr::<20>($self.0))) },
            // SAFETY: as above.
            8 => unsafe { $name($xor($shl::<8>($self.0), $shr::<24>($self.0))) },
            // SAFETY: as above.
            7 => unsafe { $name($xor($shl::<7>($self.0), $shr::<25>($self.0))) },
            _ => unreachable!(),
        }
    };
    ($self:ident, $name:ident, $n:ident, $shl:ident, $shr:ident, $xor:path, $rotate:ident) => {
        $crate::simd::intrinsics::shift!($self, $name, $n, $rotate, 16 12 8 7)
    };
}

/// The methods of [`super::Simd`] on doubles, from operations on registers, which every backend names in this order.
macro_rules! double_methods {
    ($name:ident: $lanes:literal, half $half:ident $half_token:expr, load $load:path, store $store:path,
     splat $splat:path, zip $zip:expr, unzip $unzip:expr, floor $floor:expr, split $split:expr, less $less:expr) => {
        const LANES: usize = $lanes;
        type Real = f64;
        type F64 = $name;
        type Half = $half;

        #[inline(always)]
        fn half(self) -> $half {
            $half_token
        }
        #[inline(always)]
        fn load(self, from: &[f64]) -> $name {
            assert!(from.len() >= $lanes);
            // SAFETY: as many doubles are there; the token.
            unsafe { $name($load(from.as_ptr().cast())) }
        }
        #[inline(always)]
        fn store(self, to: &mut [f64], value: $name) {
            assert!(to.len() >= $lanes);
            // SAFETY: as many doubles have room; the token.
            unsafe { $store(to.as_mut_ptr().cast(), value.0) }
        }
        #[inline(always)]
        fn splat(self, value: f64) -> $name {
            // SAFETY: the token.
            unsafe { $name($splat(value)) }
        }
        #[inline(always)]
        fn zip(self, block: usize, a: $name, b: $name) -> ($name, $name) {
            // SAFETY: the token; the operation works on registers.
            let (first, second) = unsafe { $zip(block, a.0, b.0) };
            ($name(first), $name(second))
        }
        #[inline(always)]
        fn unzip(self, block: usize, a: $name, b: $name) -> ($name, $name) {
            // SAFETY: as above.
            let (first, second) = unsafe { $unzip(block, a.0, b.0) };
            ($name(first), $name(second))
        }
        #[inline(always)]
        fn floor(self, value: $name) -> $name {
            // SAFETY: as above.
            unsafe { $name($floor(value.0)) }
        }
        #[inline(always)]
        fn mantissa_and_exponent(self, value: $name) -> ($name, $name) {
            // SAFETY: as above.
            let (mantissa, exponent) = unsafe { $split(value.0) };
            ($name(mantissa), $name(exponent))
        }
        #[inline(always)]
        fn less(self, a: $name, b: $name) -> u32 {
            // SAFETY: as above.
            unsafe { u32::from($less(a.0, b.0)) }
        }
    };
}

/// [`double_methods`] for 32-bit integers. `widen` gives the lower and the upper half of the lanes as doubles.
macro_rules! integer32_methods {
    ($name:ident: $lanes:literal, load $load:path, store $store:path, splat $splat:path,
     widen $widen:expr => $doubles:ident $(, zip $zip:expr, unzip $unzip:expr, flip $flip:expr, blend $blend:expr)?) => {
        const LANES32: usize = $lanes;
        type I32 = $name;

        #[inline(always)]
        fn load_i32(self, from: &[u32]) -> $name {
            assert!(from.len() >= $lanes);
            // SAFETY: as many integers are there; the token.
            unsafe { $name($load(from.as_ptr().cast())) }
        }
        #[inline(always)]
        fn store_i32(self, to: &mut [u32], value: $name) {
            assert!(to.len() >= $lanes);
            // SAFETY: as many integers have room; the token.
            unsafe { $store(to.as_mut_ptr().cast(), value.0) }
        }
        #[inline(always)]
        fn splat_i32(self, value: i32) -> $name {
            // SAFETY: the token.
            unsafe { $name($splat(value)) }
        }
        #[inline(always)]
        fn store_as_f64(self, to: &mut [f64], value: $name) {
            // SAFETY: the token; the operation works on registers.
            let (lower, upper) = unsafe { $widen(value.0) };
            let (to, rest) = to.split_at_mut(Self::LANES);
            self.store(to, $doubles(lower));
            self.store(rest, $doubles(upper));
        }
        $(
            #[inline(always)]
            fn zip_i32(self, block: usize, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: the token; the operation works on registers.
                let (first, second) = unsafe { $zip(block, a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn unzip_i32(self, block: usize, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: as above.
                let (first, second) = unsafe { $unzip(block, a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn flip_i32(self, bits: usize, value: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($flip(bits, value.0)) }
            }
            #[inline(always)]
            fn blend_i32(self, block: usize, a: $name, b: $name) -> $name {
                // SAFETY: as above.
                unsafe { $name($blend(block, a.0, b.0)) }
            }
        )?
    };
}

/// [`double_methods`] for 16-bit integers. `dot` gives lanes of 32 bits, `halves` takes them; `bytes` loads from any place.
macro_rules! integer16_methods {
    ($name:ident: $lanes:literal, load $load:path, bytes $bytes:path, store $store:path, splat $splat:path,
     zip $zip:expr, unzip $unzip:expr, negative $negative:expr, below $below:expr, dot $dot:expr => $sums:ident, halves $halves:expr
     $(, swap $swap:expr, zip_pairs $zip_pairs:expr, unzip_pairs $unzip_pairs:expr, zip_eights $zip_eights:expr,
        load_eights $load_eights:path, store_eights $store_eights:path)?) => {
        const LANES16: usize = $lanes;
        type I16 = $name;

        #[inline(always)]
        fn unwritten_i16<const N: usize>(
            self,
            memory: &mut core::mem::MaybeUninit<[$name; N]>,
        ) -> &mut [$name; N] {
            $crate::simd::unwritten(memory)
        }
        #[inline(always)]
        fn load_i16(self, from: &[i16]) -> $name {
            assert!(from.len() >= $lanes);
            // SAFETY: as many integers are there; the token.
            unsafe { $name($load(from.as_ptr().cast())) }
        }
        #[inline(always)]
        fn store_i16(self, to: &mut [i16], value: $name) {
            assert!(to.len() >= $lanes);
            // SAFETY: as many integers have room; the token.
            unsafe { $store(to.as_mut_ptr().cast(), value.0) }
        }
        #[inline(always)]
        fn splat_i16(self, value: i16) -> $name {
            // SAFETY: the token.
            unsafe { $name($splat(value)) }
        }
        #[inline(always)]
        fn zip_i16(self, a: $name, b: $name) -> ($name, $name) {
            // SAFETY: the token; the operation works on registers.
            let (first, second) = unsafe { $zip(a.0, b.0) };
            ($name(first), $name(second))
        }
        #[inline(always)]
        fn unzip_i16(self, a: $name, b: $name) -> ($name, $name) {
            // SAFETY: as above.
            let (first, second) = unsafe { $unzip(a.0, b.0) };
            ($name(first), $name(second))
        }
        #[inline(always)]
        fn count_negative_i16(self, value: $name) -> u32 {
            // SAFETY: as above.
            unsafe { $negative(value.0) }
        }
        #[inline(always)]
        fn below_i16(self, a: $name, b: $name) -> u32 {
            // SAFETY: as above.
            unsafe { $below(a.0, b.0) }
        }
        #[inline(always)]
        fn dot_i16(self, a: $name, b: $name) -> $sums {
            // SAFETY: as above.
            unsafe { $sums($dot(a.0, b.0)) }
        }
        #[inline(always)]
        fn halves_i16(self, even: $sums, odd: $sums) -> ($name, $name) {
            // SAFETY: as above.
            let (lower, upper) = unsafe { $halves(even.0, odd.0) };
            ($name(lower), $name(upper))
        }
        #[inline(always)]
        fn load_bytes_i16(self, from: &[u8]) -> $name {
            assert!(from.len() >= 2 * $lanes);
            // SAFETY: as many bytes are there; the token, whose integers are little-endian.
            unsafe { $name($bytes(from.as_ptr().cast())) }
        }
        $(
            const SWAPS: bool = true;
            #[inline(always)]
            fn swap_i16(self, block: usize, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: the token; the operation works on registers.
                let (first, second) = unsafe { $swap(block, a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn zip_pairs_i16(self, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: as above.
                let (first, second) = unsafe { $zip_pairs(a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn unzip_pairs_i16(self, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: as above.
                let (first, second) = unsafe { $unzip_pairs(a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn zip_eights_i16(self, a: $name, b: $name) -> ($name, $name) {
                // SAFETY: as above.
                let (first, second) = unsafe { $zip_eights(a.0, b.0) };
                ($name(first), $name(second))
            }
            #[inline(always)]
            fn load_eights_i16(self, from: &[i16], stride: usize) -> $name {
                assert!(stride <= 1 << 16 && from.len() >= ($lanes / 8 - 1) * stride + 8);
                // SAFETY: the last eight integers end there; the token.
                unsafe { $name($load_eights(from.as_ptr(), stride)) }
            }
            #[inline(always)]
            fn store_eights_i16(self, to: &mut [i16], stride: usize, value: $name) {
                assert!(stride <= 1 << 16 && to.len() >= ($lanes / 8 - 1) * stride + 8);
                // SAFETY: the last eight integers end there; the token.
                unsafe { $store_eights(to.as_mut_ptr(), stride, value.0) }
            }
        )?
    };
}

/// The methods of [`super::Simd`] that multiply 32-bit integers to 64-bit ones, which the instruction sets do for
/// the even lanes; odd lanes are shifted there. `odd` takes the odd lanes of its second argument and the even lanes
/// of its first.
#[cfg(target_arch = "x86_64")]
macro_rules! wide_products {
    ($name:ident, mul $mul:ident, add $add:ident, sub $sub:ident, shl $shl:ident, shr $shr:ident, and $and:ident,
     splat $splat:ident, opaque $opaque:ident, odd $odd:expr) => {
        #[inline(always)]
        fn montgomery_sum<const N: usize>(
            self,
            a: [$name; N],
            b: [$name; N],
            p: $name,
            inverse: $name,
        ) -> $name {
            use $crate::simd::Int32;
            // SAFETY: the token; every intrinsic works on registers.
            unsafe {
                let mut even = $mul(a[0].0, b[0].0);
                let mut odd = $mul($shr::<32>(a[0].0), $shr::<32>(b[0].0));
                for i in 1..N {
                    even = $add(even, $mul(a[i].0, b[i].0));
                    odd = $add(odd, $mul($shr::<32>(a[i].0), $shr::<32>(b[i].0)));
                }
                // The multiples of p with the same lower half.
                let even_multiple = $mul($opaque($mul(even, inverse.0)), p.0);
                let odd_multiple = $mul($opaque($mul(odd, inverse.0)), p.0);
                if N > 2 {
                    let high = $name($odd($shr::<32>(even), odd));
                    let multiple = $name($odd($shr::<32>(even_multiple), odd_multiple));
                    return ((high - p).add_where_negative(p) - multiple).add_where_negative(p);
                }
                let (even, odd) = ($sub(even, even_multiple), $sub(odd, odd_multiple));
                $name($odd($shr::<32>(even), odd)).add_where_negative(p)
            }
        }
        #[inline(always)]
        fn carrying_mul(self, a: $name, b: $name, addend: $name, carry: $name) -> ($name, $name) {
            let added = addend + carry;
            // SAFETY: the token; every intrinsic works on registers.
            unsafe {
                let even = $add($mul(a.0, b.0), $odd(added.0, $splat(0)));
                let odd = $add($mul($shr::<32>(a.0), $shr::<32>(b.0)), $shr::<32>(added.0));
                let limb = $and($odd(even, $shl::<32>(odd)), $splat(i32::MAX));
                ($name(limb), $name($odd($shr::<31>(even), $shl::<1>(odd))))
            }
        }
    };
}

/// The same register, about which the compiler knows nothing: of a product whose upper half is not used it would
/// make a whole 64-bit product, of three, as the masks of its factors look redundant.
#[cfg(target_arch = "x86_64")]
macro_rules! opaque {
    ($name:ident, $feature:literal, $vector:ty, $class:ident) => {
        #[target_feature(enable = $feature)]
        #[inline]
        fn $name(mut x: $vector) -> $vector {
            // SAFETY: no instruction; the register is said to be changed.
            unsafe {
                core::arch::asm!("/* {0} */", inout($class) x, options(pure, nomem, nostack, preserves_flags));
            }
            x
        }
    };
}

/// The two tokens of a level, one type with a switch so that their vocabulary is one text: `EXTRA` has the features of
/// the level's name and more.
macro_rules! tokens {
    ($level:ident, $detected:ident, $base:ident [$($feature:tt)*], $extra:ident [$($more:tt)*]) => {
        /// The tokens of a level: its name's instruction set, and that with what most processors have beside it.
        #[derive(Clone, Copy)]
        pub struct $level<const EXTRA: bool>(());

        /// The base of its level.
        pub type $base = $level<false>;
        /// The base and its extra features.
        pub type $extra = $level<true>;

        impl $base {
            /// The token, for a wider one that stands for these features too.
            pub(super) fn of_wider() -> $base {
                $level(())
            }
        }

        $crate::simd::intrinsics::token!($base, $base, $detected, $($feature)*);
        $crate::simd::intrinsics::token!($extra, $base, $detected, $($feature)* $($more)*);
    };
}

/// `Token` of an instruction set: whole operations compiled for these features, which are what is asked for as well.
macro_rules! token {
    ($name:ident, $base:ident, $detected:ident, $($feature:tt)*) => {
        impl $name {
            /// The token, where this processor and operating system can run the instruction set.
            pub fn get() -> Option<$name> {
                // One look for all features: an operation may enter a backend a dozen times.
                static USABLE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
                let usable = USABLE.get_or_init(|| $(std::arch::$detected!($feature))&&*);
                usable.then_some(Self(()))
            }
        }

        impl $crate::simd::Token for $name {
            const FEATURES: &'static [&'static str] = &[$($feature),*];
            type Base = $base;

            #[inline(always)]
            fn base(self) -> $base {
                <$base>::of_wider()
            }

            #[inline(always)]
            fn enter<O: $crate::isa::Op<Self>>(self, op: O) -> O::Out {
                $(#[target_feature(enable = $feature)])*
                #[inline(never)]
                fn entered<O: $crate::isa::Op<$name>>(token: $name, op: O) -> O::Out {
                    op.run(token)
                }
                // SAFETY: the token exists only where all of these features were seen, by `get`.
                unsafe { entered(self, op) }
            }
        }
    };
}

pub(super) use {columns, doubles, integers16, integers32, operator, rotate, shift, token, tokens};
pub(super) use {double_methods, integer16_methods, integer32_methods};
#[cfg(target_arch = "x86_64")]
pub(super) use {opaque, wide_products};
