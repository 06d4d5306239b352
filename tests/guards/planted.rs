//! What the guards must find: a program of its own, as a crate named `pqc`, with `--cfg planted` or
//! without. `selftest.sh` requires that every guard passes the clean build and fails the planted one.

pub mod simd {
    pub struct Soft;
    pub trait Token {
        fn enter(self, a: u64, b: u64) -> u64;
    }

    impl Token for Soft {
        #[inline(never)]
        fn enter(self, a: u64, b: u64) -> u64 {
            a.wrapping_add(b)
        }
    }

    impl Soft {
        #[inline(never)]
        pub fn mul(a: f64, b: f64) -> f64 {
            if cfg!(planted) { a * b } else { f64::from_bits(a.to_bits() ^ b.to_bits()) }
        }
    }
}

pub mod falcon {
    #[inline(never)]
    pub fn fma(a: f64, b: f64, c: f64) -> f64 {
        #[cfg(all(planted, target_arch = "x86_64"))]
        {
            #[target_feature(enable = "fma")]
            #[inline(never)]
            fn fused(a: f64, b: f64, c: f64) -> f64 {
                a.mul_add(b, c)
            }
            // SAFETY: never run.
            unsafe { fused(a, b, c) }
        }
        #[cfg(all(planted, not(target_arch = "x86_64")))]
        {
            a.mul_add(b, c)
        }
        #[cfg(not(planted))]
        {
            a * b + c
        }
    }

    #[inline(never)]
    pub fn reduce(a: u64, q: u64) -> u64 {
        if cfg!(planted) { a % (q | 1) } else { a & q }
    }

    /// By a constant: compiles to a multiplication.
    #[inline(never)]
    pub fn reduce_by_constant(a: u32) -> u32 {
        a % 12289
    }

    #[cfg(all(planted, target_arch = "x86_64"))]
    pub fn intrinsic(x: core::arch::x86_64::__m256d) -> core::arch::x86_64::__m256d {
        // SAFETY: never run.
        unsafe { core::arch::x86_64::_mm256_sqrt_pd(x) }
    }

    #[cfg(all(planted, target_arch = "aarch64"))]
    pub fn intrinsic(x: core::arch::aarch64::uint64x2_t) -> core::arch::aarch64::uint64x2_t {
        // SAFETY: never run.
        unsafe { core::arch::aarch64::vrax1q_u64(x, x) }
    }

    #[cfg(all(planted, target_arch = "riscv64"))]
    core::arch::global_asm!(
        ".option push",
        ".option arch, +v",
        ".globl pqc_falcon_rvv",
        "pqc_falcon_rvv:",
        "vfmacc.vv v8, v16, v24",
        "ret",
        ".option pop",
    );
}

pub fn floor(x: f64) -> i64 {
    #[cfg(planted)]
    {
        x as i64
    }
    #[cfg(not(planted))]
    {
        x.to_bits() as i64
    }
}

#[cfg(all(planted, target_arch = "riscv64"))]
unsafe extern "C" {
    fn pqc_falcon_rvv();
}

/// Names everything, so that the linker keeps it.
fn main() {
    use simd::Token;
    let keep = std::hint::black_box::<*const ()>;
    keep(<simd::Soft as Token>::enter as *const ());
    keep(simd::Soft::mul as *const ());
    keep(falcon::fma as *const ());
    keep(falcon::reduce as *const ());
    keep(falcon::reduce_by_constant as *const ());
    keep(floor as *const ());
    #[cfg(all(planted, not(target_arch = "riscv64")))]
    keep(falcon::intrinsic as *const ());
    #[cfg(all(planted, target_arch = "riscv64"))]
    keep(pqc_falcon_rvv as *const ());
}
