//! One lane: an integer, for instruction sets without vectors.

use super::{Lanes, WIDEST};
use crate::simd::Token;
use core::marker::PhantomData;

/// One lane.
#[derive(Clone, Copy)]
pub(crate) struct One<T>(u64, PhantomData<T>);

impl<T: Token> Lanes for One<T> {
    type Token = T;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn load(_: T, from: &[u64; WIDEST], first: usize) -> One<T> {
        One(from[first], PhantomData)
    }
    #[inline(always)]
    fn store(self, to: &mut [u64; WIDEST], first: usize) {
        to[first] = self.0;
    }
    #[inline(always)]
    fn splat(_: T, value: u64) -> One<T> {
        One(value, PhantomData)
    }
    #[inline(always)]
    fn xor(self, other: One<T>) -> One<T> {
        One(self.0 ^ other.0, PhantomData)
    }
    #[inline(always)]
    fn and(self, other: One<T>) -> One<T> {
        One(self.0 & other.0, PhantomData)
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> One<T> {
        One(self.0 << N, PhantomData)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> One<T> {
        One(self.0 >> N, PhantomData)
    }
    #[inline(always)]
    fn chi(self, b: One<T>, c: One<T>) -> One<T> {
        One(self.0 ^ (!b.0 & c.0), PhantomData)
    }
    #[inline(always)]
    fn up(self, below: One<T>) -> One<T> {
        below
    }
    #[inline(always)]
    fn down(self, above: One<T>) -> One<T> {
        above
    }
}
