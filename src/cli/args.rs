//! The command line as it is written: flags and values, for clap. What they mean stands with each command.

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Post-quantum keys, signatures and measurements
#[derive(Parser, Debug)]
#[command(name = "pqc", disable_version_flag = true, subcommand_required = false)]
#[command(long_about = "\
To check a file that somebody sent you with its signature FILE.sig, and whose fingerprint you know from them:

    pqc verify -p sha256:FINGERPRINT FILE        (signed --with-key)
    pqc verify -p THEIR.pub FILE

To sign files of your own:

    pqc keygen --alg falcon512
    pqc sign FILE

Algorithms: pqc list. Exit codes: 0 done or valid; 1 not valid; 2 wrong use, an unsuitable input, a refused \
overwrite; 3 a missing or unreadable file, a system error; 130 interrupted.")]
#[command(after_help = "\
Environment: PQC_KEY (the key to sign with), PQC_HOME (the folder of keys), PQC_ISA (the backend), NO_COLOR.")]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)
    ///
    /// A backend that is not in this build or that this processor cannot run is an error; there is no fallback.
    #[arg(long, global = true, value_name = "NAME")]
    pub isa: Option<String>,
    /// No notes, no progress, no lines about what went well
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more on standard error
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Colour of help and verdicts
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Print the version (with -v, also the backends and PQC_ISA)
    #[arg(short = 'V', long, global = true)]
    pub version: bool,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make a key pair: NAME.key (private) and NAME.pub
    #[command(
        override_usage = "pqc keygen [OPTIONS] --alg ALG",
        long_about = "\
Make a key pair: NAME.key (private, PKCS#8, mode 0600) and NAME.pub (SPKI).

Without -o the files go to the key home under the algorithm's name, where sign and verify find them: $PQC_HOME, \
or $XDG_DATA_HOME/pqc, or ~/.local/share/pqc.

Both files are read back, and a signature is made and checked with them, before they get their names. A private \
key is never overwritten, not even with --force. It is not protected by a password: who reads the file can sign.

Give your recipients NAME.pub, or its fingerprint over a channel that they trust.

Algorithms: falcon512 (level 1: about as hard to break as AES-128) and falcon1024 (level 5: AES-256), Falcon as \
submitted to round 3 of NIST's project. FN-DSA (FIPS 206), which will follow from it, is not compatible with it."
    )]
    Keygen(Keygen),
    /// Sign files: writes FILE.sig beside each FILE
    #[command(
        override_usage = "pqc sign [OPTIONS] FILE...",
        long_about = "\
Sign files: writes FILE.sig beside each FILE. The key is -k, else $PQC_KEY, else the only private key in the key \
home; it is named on standard error.

What a signature says: who holds the key has signed exactly these bytes. What it does not say: the file's name, \
its version, or when it was signed. An old file under a new name still verifies. To bind names, sign a list of \
checksums:

    sha256sum * > SHA256SUMS && pqc sign SHA256SUMS

Recipients need FILE, FILE.sig and your public key: NAME.pub, or only its fingerprint if you sign --with-key.

Nothing is written unless every FILE could be signed; a file that changes while it is signed gives no signature. \
Each signature is checked before it is written."
    )]
    Sign(Sign),
    /// Check signatures: one line a file
    #[command(long_about = "\
Check signatures, one line a file: OK, FAILED or NOT CHECKED, with the reason. FILE.sig is the signature of FILE. \
Without FILE: every *.sig in the current folder.

OK means: these bytes carry a valid signature by the key that is printed. It says nothing of the file's name, \
version or date.

The key is -p, else the public key in the key home with the fingerprint that the signature names. It is never \
taken from the current folder, from beside FILE or, without a fingerprint to hold it against, from inside the \
signature. -p sha256:FINGERPRINT takes the key with that fingerprint from the key home or from a signature made \
--with-key, and no other.

Exit code: 0 if at least one file was checked and all are OK; else the smallest of 1 (not valid), 2 (no key, not \
a signature of this program, malformed), 3 (missing or unreadable).")]
    Verify(Verify),
    /// Show the algorithms and the backends
    List(List),
    /// Say what a key or signature file is
    #[command(long_about = "\
Say what a key or signature file is: kind, algorithm, object identifier, layout, sizes, fingerprint, and of a \
private key whether its public half belongs to it. Without FILE: every key in the key home.")]
    Inspect(Inspect),
    /// Test this build on this processor: known answers, equal backends, refusals
    #[command(long_about = "\
Test this build on this processor, in seconds: keys and signatures from fixed seeds against known answers, \
damaged signatures and keys that must be refused, and that every backend gives the same bytes. --isa takes names \
with commas between them, or all; without it, the backend that other commands would use.")]
    Selftest(Selftest),
    /// Measure the algorithms
    #[command(long_about = "\
Measure the algorithms: median, minimum and operations a second. --alg, --op and --isa take names with commas \
between them, or all. Operations: keygen; sign (with a key as it is read from a file); sign-kept (with a key that \
is kept ready, as for several files); verify. Messages have 64 bytes.")]
    Bench(Bench),
}

/// `pqc keygen`.
#[derive(Args, Debug)]
pub struct Keygen {
    /// Algorithm: falcon512 or falcon1024
    #[arg(long, value_name = "ALG")]
    pub alg: Option<String>,
    /// Write NAME.key and NAME.pub instead of using the key home
    #[arg(short, long, value_name = "NAME")]
    pub output: Option<PathBuf>,
    /// Replace NAME.pub if it exists (never NAME.key)
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc sign`.
#[derive(Args, Debug)]
pub struct Sign {
    /// Files to sign; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Private key to sign with; - is standard input
    #[arg(short, long, value_name = "KEY")]
    pub key: Option<PathBuf>,
    /// Where the signature goes, for one FILE; - is standard output
    #[arg(short, long, value_name = "SIG", conflicts_with = "sig_dir")]
    pub output: Option<PathBuf>,
    /// Folder for the signatures, instead of beside each FILE
    #[arg(long, value_name = "DIR")]
    pub sig_dir: Option<PathBuf>,
    /// File format: pem names algorithm and key, raw is the bare signature as other programs take it
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    pub format: Format,
    /// Spelling of the signature: padded has a fixed length (666 or 1280 bytes)
    #[arg(long, value_enum, default_value_t = EncodingArg::Padded)]
    pub encoding: EncodingArg,
    /// Put the public key into the signature
    #[arg(long)]
    pub with_key: bool,
    /// Replace signatures that exist
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// What signify and minisign call the private key; answered with a hint.
    #[arg(short = 's', hide = true, num_args = 0..=1, value_name = "KEY")]
    pub secret: Option<Option<PathBuf>>,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A PEM block that names algorithm and key.
    Pem,
    /// The bare signature.
    Raw,
}

/// `--encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncodingArg {
    /// Fixed length.
    Padded,
    /// As short as possible.
    Compressed,
}

/// `pqc verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// Files to check; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Public key file, or sha256:FINGERPRINT
    #[arg(short, long, value_name = "PUB")]
    pub public_key: Option<PathBuf>,
    /// The signature, for one FILE; - is standard input
    #[arg(short, long, value_name = "SIG", conflicts_with = "sig_dir")]
    pub signature: Option<PathBuf>,
    /// Folder of the signatures, instead of beside each FILE
    #[arg(long, value_name = "DIR")]
    pub sig_dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc list`.
#[derive(Args, Debug)]
pub struct List {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc inspect`.
#[derive(Args, Debug)]
pub struct Inspect {
    /// Key and signature files; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the public key of a private key
    #[arg(long)]
    pub public: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc selftest`.
#[derive(Args, Debug)]
pub struct Selftest {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Algorithms, with commas between them, or all
    #[arg(long, value_name = "ALG", default_value = "all")]
    pub alg: String,
    /// Operations, with commas between them, or all: keygen, sign, sign-kept, sign-batch, verify
    #[arg(long, value_name = "OP", default_value = "all")]
    pub op: String,
    /// Messages that sign-batch signs at once; its times are for one of them
    #[arg(long, value_name = "N", default_value_t = crate::falcon::BATCH)]
    pub batch: usize,
    /// Show where the time of a signature goes: the stages of signing with a kept key
    #[arg(long, conflicts_with = "op")]
    pub stages: bool,
    /// Seconds for each row; with --stages, for each backend
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Print one JSON object, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub json: Option<Option<PathBuf>>,
    /// Replace the file of --json if it exists
    #[arg(long)]
    pub force: bool,
}

/// The command line that is documented, without the hidden command of [`super::generate`].
pub fn documented() -> clap::Command {
    Cli::command()
}
