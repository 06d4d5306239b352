//! Key generation.
use super::expanded::Basis;
use super::kernels::Kernels;
use super::params::Params;
use crate::isa::Op;
use crate::secret::Secret;

pub(crate) struct Generate<'a> {
    pub params: Params,
    pub seed: &'a [u8; 48],
}
impl<K: Kernels> Op<K> for Generate<'_> {
    type Out = [Secret<Vec<i8>>; 3];
    fn run(self, _k: K) -> Self::Out {
        unimplemented!()
    }
}
pub(crate) fn is_ntru_solution(params: Params, b: Basis) -> bool {
    let n = params.n();
    let mut r = vec![0i32; n];
    for i in 0..n {
        for j in 0..n {
            let p = i32::from(b.f[i]) * i32::from(b.big_g[j]) - i32::from(b.g[i]) * i32::from(b.big_f[j]);
            if i + j >= n { r[i + j - n] -= p } else { r[i + j] += p }
        }
    }
    r[0] -= 12289;
    r.iter().all(|x| *x == 0)
}
