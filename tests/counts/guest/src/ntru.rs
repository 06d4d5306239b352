//! NTRU: the samplers of polynomials of a fixed weight, without their random bytes.

use crate::Region;
use crate::markers::{begin, end};
use pqc::Isa;
use pqc::ntru::known_answers::{FixedWeightStep, run_fixed_weight};
use pqc::ntru::{ParameterSet, Sampler};

macro_rules! samplers {
    ($($n:literal $set:ident),*) => {
        [$(
            Region {
                name: concat!("ntru-sort-", $n),
                units: 1,
                run: |isa| sample(isa, ParameterSet::$set, FixedWeightStep::Single(Sampler::Sort)),
            },
            Region {
                name: concat!("ntru-shuffle-", $n),
                units: 1,
                run: |isa| sample(isa, ParameterSet::$set, FixedWeightStep::Single(Sampler::Shuffle)),
            },
            Region {
                name: concat!("ntru-batch-", $n),
                units: FixedWeightStep::BATCH,
                run: |isa| sample(isa, ParameterSet::$set, FixedWeightStep::Batch),
            },
        )*]
    };
}

pub fn regions() -> impl Iterator<Item = Region> {
    samplers!("509" Hps2048509, "677" Hps2048677, "821" Hps4096821).into_iter()
}

fn sample(isa: Isa, set: ParameterSet, step: FixedWeightStep) {
    run_fixed_weight(set, step, isa, begin, end);
}
