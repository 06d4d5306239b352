//! What four papers claim, beside this machine: the same ratios, measured here where that can be.
//!
//! Each is a speed-up. A row says what was measured and whether that is what the paper measured; there is no verdict.
//! The figures are those that the papers' own programs and their logs give: "Vectorized Falcon-Sign" (TCHES 2026.1),
//! "Kyber on ARM64" (Sanal et al., 2021), "Isochronous fixed-weight sampling" (CiC 1(2), 2024), and "Falcon on GPU"
//! (Seo, An, Choi, CMC 75(1), 2023).

use super::chance::Chance;
use super::check::{first_difference, outputs};
use super::clock::Clock;
use super::fixture::Run;
use super::json::Json;
use super::kernels::{Kernel, kernel};
use super::operation::Operation;
use super::rounds::{Shape, Subject, calls_of_a_sample, measure, order};
use super::row::{Id, Terms};
use super::session::{Failure, Prepared, prepare};
use super::stages;
use super::statistics::{Ratio, Value, ratio, summarize};
use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::falcon::Params;
use crate::isa::Isa;
use crate::kyber::ParameterSet;
use crate::ntru;
use std::time::Duration;

const FALCON: &str = "TCHES 2026.1";
const KYBER: &str = "Sanal et al. 2021";
const NTRU: &str = "CiC 1(2) 2024";
const GPU: &str = "CMC 75(1) 2023";

const I7: &str = "Core i7-11700K";
const X60: &str = "SpacemiT X60";
const A72: &str = "Cortex-A72";
const A75: &str = "Cortex-A75";
const A12: &str = "Apple A12";
const RTX: &str = "RTX 3090 against Ryzen 9 5900X";

/// What is measured for a claim: the time of the first against that of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subjects {
    /// The paper's baseline, the base sampler of the backend.
    BaseSampler,
    /// The core of signing with the paper's baseline as base sampler, and with that of the backend.
    SignCore(Params),
    /// The transform of the scalar backend, and of the backend.
    Fft(Params),
    /// As `Fft`, of Kyber.
    KyberNtt,
    /// An operation on the scalar backend, and on the backend.
    Kem(ParameterSet, Operation),
    /// NTRU's sampler by sorting, and by the shuffle.
    Samplers(ntru::ParameterSet),
    /// An encapsulation with either.
    Encaps(ntru::ParameterSet),
    /// Nothing: what is missing.
    Missing(&'static str),
}

/// A claim.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// What is claimed.
    pub name: &'static str,
    /// The paper.
    pub source: &'static str,
    /// Its figure; `None` where it is not at hand.
    pub paper: Option<f64>,
    /// The processor that it was measured on.
    pub on: &'static str,
    /// The backend that it is about.
    backend: &'static str,
    subjects: Subjects,
}

const fn claim(
    name: &'static str,
    source: &'static str,
    paper: f64,
    on: &'static str,
    backend: &'static str,
    subjects: Subjects,
) -> Claim {
    Claim { name, source, paper: Some(paper), on, backend, subjects }
}

const fn without_figure(
    name: &'static str,
    on: &'static str,
    backend: &'static str,
    params: Params,
) -> Claim {
    Claim { name, source: FALCON, paper: None, on, backend, subjects: Subjects::SignCore(params) }
}

const KYBER512: ParameterSet = ParameterSet::Kyber512;
const KYBER512_90S: ParameterSet = ParameterSet::Kyber512In90s;
const HPS2048509: ntru::ParameterSet = ntru::ParameterSet::Hps2048509;
const HPS2048677: ntru::ParameterSet = ntru::ParameterSet::Hps2048677;
const HPS4096821: ntru::ParameterSet = ntru::ParameterSet::Hps4096821;
const NO_GPU: Subjects = Subjects::Missing("no GPU backend is in this build");

/// All claims.
pub const CLAIMS: [Claim; 29] = [
    claim("base sampler, SSE2", FALCON, 59.0 / 14.0, I7, "sse2", Subjects::BaseSampler),
    claim("base sampler, AVX2", FALCON, 59.0 / 7.0, I7, "avx2", Subjects::BaseSampler),
    claim("base sampler, AVX-512F", FALCON, 59.0 / 6.0, I7, "avx512f", Subjects::BaseSampler),
    claim(
        "Falcon-512 signing with it, AVX2",
        FALCON,
        542_620.0 / 441_144.0,
        I7,
        "avx2",
        Subjects::SignCore(Params::Falcon512),
    ),
    claim(
        "Falcon-512 signing with it, AVX-512F",
        FALCON,
        535_984.0 / 392_790.0,
        I7,
        "avx512f",
        Subjects::SignCore(Params::Falcon512),
    ),
    claim(
        "Falcon-512 signing with it, NEON",
        FALCON,
        1_229_865.0 / 1_052_943.0,
        A72,
        "neon",
        Subjects::SignCore(Params::Falcon512),
    ),
    claim(
        "Falcon-512 signing with it, RVV",
        FALCON,
        2_529_944.0 / 1_589_675.0,
        X60,
        "rvv",
        Subjects::SignCore(Params::Falcon512),
    ),
    without_figure("Falcon-1024 signing with it, AVX2", I7, "avx2", Params::Falcon1024),
    without_figure("Falcon-1024 signing with it, AVX-512F", I7, "avx512f", Params::Falcon1024),
    claim(
        "FFT-512, layers merged, RVV",
        FALCON,
        35_738.0 / 8_290.0,
        X60,
        "rvv",
        Subjects::Fft(Params::Falcon512),
    ),
    claim(
        "FFT-1024, layers merged, RVV",
        FALCON,
        80_524.0 / 17_181.0,
        X60,
        "rvv",
        Subjects::Fft(Params::Falcon1024),
    ),
    claim(
        "FFT-512, layers merged, RV64D",
        FALCON,
        35_738.0 / 12_818.0,
        X60,
        "scalar",
        Subjects::Missing("the transform without merged layers is not in this build"),
    ),
    claim("Kyber NTT, NEON", KYBER, 6.42, A75, "neon", Subjects::KyberNtt),
    claim("Kyber512 keygen, NEON", KYBER, 1.79, A75, "neon", Subjects::Kem(KYBER512, Operation::Keygen)),
    claim("Kyber512 encaps, NEON", KYBER, 1.96, A75, "neon", Subjects::Kem(KYBER512, Operation::Encaps)),
    claim("Kyber512 decaps, NEON", KYBER, 2.44, A75, "neon", Subjects::Kem(KYBER512, Operation::Decaps)),
    claim("Kyber512-90s keygen", KYBER, 8.57, A12, "neon", Subjects::Kem(KYBER512_90S, Operation::Keygen)),
    claim("Kyber512-90s encaps", KYBER, 6.94, A12, "neon", Subjects::Kem(KYBER512_90S, Operation::Encaps)),
    claim("Kyber512-90s decaps", KYBER, 8.26, A12, "neon", Subjects::Kem(KYBER512_90S, Operation::Decaps)),
    claim(
        "ntruhps2048677 shuffle against sort",
        NTRU,
        21_229.0 / 3_074.0,
        "Cortex-A57",
        "neon",
        Subjects::Samplers(HPS2048677),
    ),
    claim(
        "ntruhps2048677 shuffle against sort",
        NTRU,
        6_243.0 / 1_411.0,
        "Apple M3",
        "neon",
        Subjects::Samplers(HPS2048677),
    ),
    claim(
        "ntruhps2048509 encaps with shuffle",
        NTRU,
        16_081.0 / 12_515.0,
        "Apple M1",
        "neon",
        Subjects::Encaps(HPS2048509),
    ),
    claim(
        "ntruhps4096821 encaps with shuffle",
        NTRU,
        18_135.0 / 12_055.0,
        "Apple M3 with AMX",
        "neon",
        Subjects::Encaps(HPS4096821),
    ),
    claim("Falcon-512 keygen, GPU against a core", GPU, 35.14, RTX, "gpu", NO_GPU),
    claim("Falcon-512 sign, GPU against a core", GPU, 28.84, RTX, "gpu", NO_GPU),
    claim("Falcon-512 verify, GPU against a core", GPU, 34.64, RTX, "gpu", NO_GPU),
    claim("Falcon-1024 keygen, GPU against a core", GPU, 33.31, RTX, "gpu", NO_GPU),
    claim("Falcon-1024 sign, GPU against a core", GPU, 27.45, RTX, "gpu", NO_GPU),
    claim("Falcon-1024 verify, GPU against a core", GPU, 34.40, RTX, "gpu", NO_GPU),
];

/// A claim beside this machine.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The claim.
    pub claim: Claim,
    /// The backend that ran.
    pub isa: Option<Isa>,
    /// The speed-up here.
    pub here: Option<Ratio>,
    /// Whether one of the two times is noisy.
    pub is_noisy: Option<bool>,
    /// Why it is not measured, or in what it differs from what the paper measured.
    pub why: Option<String>,
}

impl Outcome {
    /// Rows, units and message sizes are those of the paper.
    pub fn is_comparable(&self) -> bool {
        self.here.is_some() && self.why.is_none()
    }

    /// `yes`, `cannot run here: why`, `not comparable: why`.
    pub fn verdict(&self) -> String {
        match (&self.here, &self.why) {
            (Some(_), None) => "yes".into(),
            (Some(_), Some(why)) => format!("not comparable: {why}"),
            (None, why) => format!("cannot run here: {}", why.as_deref().unwrap_or("stopped")),
        }
    }

    /// As an element of the document's `results`.
    pub fn json(&self) -> Json {
        Json::object([
            ("claim", Json::text(self.claim.name)),
            ("source", Json::text(self.claim.source)),
            ("paper", Json::or_null(self.claim.paper, Json::Real)),
            ("paper_processor", Json::text(self.claim.on)),
            ("backend", Json::or_null(self.isa, |isa| Json::text(isa.name()))),
            ("here", Json::or_null(self.here, |ratio| Json::Real(ratio.value))),
            ("here_interval", Json::interval(self.here.and_then(|ratio| ratio.interval))),
            ("noisy", Json::or_null(self.is_noisy, Json::Bool)),
            ("comparable", Json::Bool(self.is_comparable())),
            ("why", Json::or_null(self.why.clone(), Json::Text)),
        ])
    }
}

/// The backend for a claim, or why there is none. A base sampler is one of its own instruction set; all else is also
/// measured on the fastest backend where the paper's cannot run.
fn backend(claim: &Claim) -> Result<(Isa, Option<String>), String> {
    if let Subjects::Missing(why) = claim.subjects {
        return Err(why.into());
    }
    match Isa::from_name(claim.backend) {
        Ok(isa) => Ok((isa, None)),
        Err(error) if claim.subjects == Subjects::BaseSampler => Err(error.to_string()),
        Err(_) => {
            let isa = Isa::detect();
            Ok((isa, Some(format!("{} here, {} there", isa.name(), claim.backend))))
        }
    }
}

/// What makes a measured claim another one than the paper's, on the paper's own backend too.
fn difference(subjects: Subjects) -> Option<&'static str> {
    match subjects {
        Subjects::BaseSampler | Subjects::Missing(_) => None,
        Subjects::SignCore(_) => Some("computed from parts, since signing has no variant without it"),
        Subjects::Fft(_) => Some("the transform it is set against has merged layers too"),
        Subjects::KyberNtt | Subjects::Kem(..) => {
            Some("set against scalar, there against C of the reference")
        }
        Subjects::Samplers(_) | Subjects::Encaps(_) => {
            Some("both samplers are other programs than the paper's")
        }
    }
}

/// Two subjects, one against the other.
struct Pair {
    what: Subjects,
    isa: Isa,
}

/// What the claims take to be measured.
pub struct Session<'f> {
    pairs: Vec<Pair>,
    /// Two a pair: the base, and what is set against it.
    subjects: Vec<Subject<'f>>,
}

/// Keys for the claims about whole operations.
///
/// # Errors
/// Those of making keys.
pub fn prepare_keys(terms: &Terms) -> Result<Vec<Prepared>, Failure> {
    prepare(
        &[
            Algorithm::Kyber(KYBER512),
            Algorithm::Kyber(KYBER512_90S),
            Algorithm::Falcon(Params::Falcon512),
            Algorithm::Falcon(Params::Falcon1024),
            Algorithm::Ntru(HPS2048509),
            Algorithm::Ntru(HPS4096821),
        ],
        terms,
    )
}

impl<'f> Session<'f> {
    /// Checks that both of each pair give the same, and finds out how many calls make a sample.
    ///
    /// # Errors
    /// [`Failure::Differs`], and those of operations.
    pub fn new(prepared: &'f [Prepared], clock: &mut impl Clock) -> Result<Session<'f>, Failure> {
        let mut session = Session { pairs: Vec::new(), subjects: Vec::new() };
        for claim in &CLAIMS {
            let Ok((isa, _)) = backend(claim) else { continue };
            let mut wanted = vec![claim.subjects];
            if let Subjects::SignCore(_) = claim.subjects {
                wanted.push(Subjects::BaseSampler);
            }
            for what in wanted {
                if session.find(what, isa).is_none() {
                    session.add(what, isa, prepared, clock)?;
                }
            }
        }
        Ok(session)
    }

    fn find(&self, what: Subjects, isa: Isa) -> Option<usize> {
        self.pairs.iter().position(|pair| pair.what == what && pair.isa == isa)
    }

    fn add(
        &mut self,
        what: Subjects,
        isa: Isa,
        prepared: &'f [Prepared],
        clock: &mut impl Clock,
    ) -> Result<(), Failure> {
        let whole = |algorithm, operation, isa| -> Result<Box<dyn Run + 'f>, Error> {
            let found = prepared.iter().find(|prepared| prepared.algorithm == algorithm);
            let run = found.map(|prepared| prepared.fixture.run(operation, isa)).transpose()?.flatten();
            run.ok_or(Error::SelfCheck)
        };
        let sampler = |set, sampler, isa| kernel(Kernel::FixedWeight(set, sampler), isa);
        // The two on a backend.
        let of = |what, isa| -> Result<Option<[Box<dyn Run + 'f>; 2]>, Error> {
            let step = |step| -> [Box<dyn Run + 'f>; 2] { [kernel(step, Isa::Scalar), kernel(step, isa)] };
            Ok(Some(match what {
                Subjects::BaseSampler => {
                    [kernel(Kernel::PaperBaseSampler, isa), kernel(Kernel::BaseSampler, isa)]
                }
                Subjects::Fft(params) => step(Kernel::Fft(params)),
                Subjects::KyberNtt => step(Kernel::KyberNtt),
                Subjects::Kem(set, operation) => {
                    let of = |isa| whole(Algorithm::Kyber(set), operation, isa);
                    [of(Isa::Scalar)?, of(isa)?]
                }
                Subjects::SignCore(params) => {
                    let of = |isa| whole(Algorithm::Falcon(params), Operation::SignCore, isa);
                    [of(Isa::Scalar)?, of(isa)?]
                }
                Subjects::Samplers(set) => {
                    [sampler(set, ntru::Sampler::Sort, isa), sampler(set, ntru::Sampler::Shuffle, isa)]
                }
                Subjects::Encaps(set) => {
                    let of = |operation| whole(Algorithm::Ntru(set), operation, isa);
                    [of(Operation::EncapsSort)?, of(Operation::Encaps)?]
                }
                Subjects::Missing(_) => return Ok(None),
            }))
        };
        let (Some(pair), Some(scalar)) = (of(what, isa)?, of(what, Isa::Scalar)?) else { return Ok(()) };
        for (run, expected) in pair.iter().zip(&scalar) {
            if let Some(input) = first_difference(&outputs(&**expected)?, &**run)? {
                let (algorithm, operation) = match what {
                    Subjects::Kem(set, operation) => (Algorithm::Kyber(set), operation),
                    Subjects::KyberNtt => (Algorithm::Kyber(KYBER512), Operation::Keygen),
                    Subjects::Samplers(set) | Subjects::Encaps(set) => {
                        (Algorithm::Ntru(set), Operation::Encaps)
                    }
                    _ => (Algorithm::Falcon(Params::Falcon512), Operation::SignCore),
                };
                return Err(Failure::Differs { id: Id { algorithm, operation, isa }, input });
            }
        }
        let [base, this] = pair;
        let before = clock.before();
        this.time(0)?;
        let calls = calls_of_a_sample(false, clock.after().ns.saturating_sub(before.ns));
        let group = self.pairs.len();
        self.pairs.push(Pair { what, isa });
        self.subjects.push(Subject::new(group, vec![base], calls));
        self.subjects.push(Subject::new(group, vec![this], calls));
        Ok(())
    }

    /// How many subjects there are.
    pub fn len(&self) -> usize {
        self.subjects.len()
    }

    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.subjects.is_empty()
    }

    /// Measures all in interleaved rounds.
    ///
    /// # Errors
    /// Those of operations.
    pub fn measure<C: Clock + Sync>(
        &mut self,
        rounds: usize,
        seed: u64,
        clock: &mut C,
        between: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let groups: Vec<usize> = self.subjects.iter().map(|subject| subject.group).collect();
        let order = order(&groups, rounds, false, &mut Chance::new(seed));
        measure(&mut self.subjects, &order, Shape::default(), clock, &[], between)
    }

    /// Two subjects' ratio, and whether one is noisy.
    fn ratio(&self, what: Subjects, isa: Isa, seed: u64) -> Option<(Ratio, bool)> {
        let at = 2 * self.find(what, isa)?;
        let (base, this) = (values(self.subjects.get(at)?), values(self.subjects.get(at + 1)?));
        if base.is_empty() || this.is_empty() {
            return None;
        }
        let chance = &mut Chance::new(seed);
        let is_noisy = summarize(&base, chance).is_noisy() || summarize(&this, chance).is_noisy();
        Some((ratio(&base, &this, chance)?, is_noisy))
    }

    /// Every claim beside what was measured.
    ///
    /// # Errors
    /// Those of signing, whose share of the base sampler is looked up.
    pub fn outcomes(&self, seed: u64) -> Result<Vec<Outcome>, Error> {
        CLAIMS.iter().map(|claim| self.outcome(claim, seed)).collect()
    }

    fn outcome(&self, claim: &Claim, seed: u64) -> Result<Outcome, Error> {
        let nothing = |why| Outcome { claim: *claim, isa: None, here: None, is_noisy: None, why };
        let (isa, other) = match backend(claim) {
            Ok(found) => found,
            Err(why) => return Ok(nothing(Some(why))),
        };
        let Some((mut here, mut is_noisy)) = self.ratio(claim.subjects, isa, seed) else {
            return Ok(nothing(None));
        };
        if let Subjects::SignCore(params) = claim.subjects {
            let Some((sampler, noisy)) = self.ratio(Subjects::BaseSampler, isa, seed) else {
                return Ok(nothing(None));
            };
            let share = share_of_the_sampler(params, isa)?;
            let with = |sampler: f64| 1.0 + share * (sampler - 1.0);
            here =
                Ratio { value: with(sampler.value), interval: sampler.interval.map(|ends| ends.map(with)) };
            is_noisy |= noisy;
        }
        let mut why: Vec<String> = other.into_iter().collect();
        why.extend(difference(claim.subjects).map(str::to_owned));
        let why = (!why.is_empty()).then(|| why.join("; "));
        Ok(Outcome { claim: *claim, isa: Some(isa), here: Some(here), is_noisy: Some(is_noisy), why })
    }
}

/// The part of a signature that its base samples take.
fn share_of_the_sampler(params: Params, isa: Isa) -> Result<f64, Error> {
    /// As in the papers' programs.
    const MESSAGE: [u8; 32] = [0x5A; 32];
    let budget = Duration::from_millis(100);
    let all = stages::measure(Algorithm::Falcon(params), &[isa], &MESSAGE, budget)?;
    let share = all.first().map(|one| {
        let of = |name| one.stages.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, time)| *time);
        // The core of signing is the signature without its verification.
        of("base sampler") / (one.whole - of("verify before release"))
    });
    Ok(share.unwrap_or(0.0))
}

fn values(subject: &Subject<'_>) -> Vec<Value> {
    let calls = subject.calls as f64;
    let of = |sample: &super::rounds::Sample| Value {
        round: sample.round,
        input: 0,
        ns: sample.ns as f64 / calls,
    };
    subject.samples.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::clock::System;
    use super::*;

    #[test]
    fn every_claim_has_a_row_and_every_row_a_figure_or_a_reason() {
        let terms = Terms { threads: 1, batch: 1, message_len: 32, seed: 1 };
        let prepared = prepare_keys(&terms).expect("keys");
        let mut clock = System::new();
        let mut session = Session::new(&prepared, &mut clock).expect("equal backends");
        assert!(!session.is_empty());
        session.measure(1, 1, &mut clock, &mut || true).expect("rounds");
        let outcomes = session.outcomes(1).expect("outcomes");
        assert_eq!(outcomes.len(), CLAIMS.len());
        for outcome in outcomes {
            assert!(outcome.here.is_some() || outcome.why.is_some(), "{}", outcome.claim.name);
            assert!(outcome.here.is_none_or(|ratio| ratio.value > 0.0), "{}", outcome.claim.name);
            assert!(!outcome.verdict().contains("pass") && !outcome.verdict().contains("fail"));
            assert_eq!(outcome.is_comparable(), outcome.verdict() == "yes");
        }
    }
}
