//! Streams where a permutation has two: each of both sides takes its next work when it is done with one.
//!
//! One side prefers the serial hash and then entries of the matrix, the other one noise: so that both end together. What
//! a stream is made of and gives is in [`super`].

use super::super::kernels::Kernels;
use super::{
    ENTRY_BLOCKS, ENTRY_BYTES, ENTRY_NUMBERS, Entries, Noise, SHAKE128_RATE, SHAKE256_RATE, begin,
    centred_binomial, finish_entry,
};
use crate::isa::Op;
use crate::symmetric::keccak::hash::Sponge;
use crate::symmetric::keccak::{Permute, States};

/// As [`super::sample`].
pub(super) struct Pair<'a, 'b, 'c> {
    pub entries: Entries<'a>,
    pub noise: Noise<'a>,
    pub beside: Option<&'b mut Sponge<'c>>,
}

/// What a side is at, and its block.
#[derive(Clone, Copy)]
enum Work {
    Nothing,
    Hash,
    Entry(usize, usize),
    Noise(usize, usize),
}

impl<K: Kernels> Op<K> for Pair<'_, '_, '_> {
    type Out = ();

    #[inline(always)]
    fn run(self, k: K) {
        let Pair { entries, noise, mut beside } = self;
        let (mut entry, mut polynomial) = (0, 0);
        let mut states = States::new();
        let (mut bytes, mut numbers) = ([[0; ENTRY_BYTES]; 2], [0; ENTRY_NUMBERS]);
        let mut sides = [Work::Nothing; 2];
        loop {
            for (side, work) in sides.iter_mut().enumerate() {
                if let (0, Work::Nothing | Work::Hash, Some(sponge)) = (side, &work, &mut beside)
                    && sponge.absorb_block()
                {
                    states.put(side, &sponge.state);
                    *work = Work::Hash;
                } else if let Work::Nothing | Work::Hash = work {
                    let prefers_noise = side == 1 || entry == entries.polys.len();
                    if polynomial < noise.polys.len() && prefers_noise {
                        states.clear(side);
                        begin(
                            &mut states,
                            side,
                            noise.sigma,
                            &[(noise.first + polynomial) as u8],
                            SHAKE256_RATE,
                        );
                        *work = Work::Noise(polynomial, 0);
                        polynomial += 1;
                    } else if let Some(number) = entries.numbers.get(entry) {
                        states.clear(side);
                        begin(&mut states, side, entries.rho, number, SHAKE128_RATE);
                        *work = Work::Entry(entry, 0);
                        entry += 1;
                    } else {
                        *work = Work::Nothing;
                    }
                }
            }
            match sides {
                [Work::Nothing, Work::Nothing] => break,
                [Work::Nothing, _] => {
                    let mut state = states.take(1);
                    k.enter(Permute(&mut state));
                    states.put(1, &state);
                }
                [_, Work::Nothing] => k.permute_streams(&mut states, 1),
                _ => k.permute_streams(&mut states, 2),
            }
            for (side, (work, bytes)) in sides.iter_mut().zip(&mut bytes).enumerate() {
                match (*work, &mut beside) {
                    (Work::Hash, Some(sponge)) => sponge.state = states.take(side),
                    (Work::Entry(i, block), _) => {
                        states.squeeze(side, &mut bytes.as_chunks_mut::<SHAKE128_RATE>().0[block]);
                        *work = Work::Entry(i, block + 1);
                        if block + 1 == ENTRY_BLOCKS {
                            finish_entry(k, &states, side, bytes, &mut entries.polys[i], &mut numbers);
                            *work = Work::Nothing;
                        }
                    }
                    (Work::Noise(i, block), _) => {
                        states.squeeze(side, &mut bytes.as_chunks_mut::<SHAKE256_RATE>().0[block]);
                        *work = Work::Noise(i, block + 1);
                        if block + 1 == noise.blocks(i) {
                            let eta = noise.eta(i);
                            centred_binomial(k, eta, &bytes[..64 * eta], &mut noise.polys[i]);
                            *work = Work::Nothing;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
