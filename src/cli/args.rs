//! The command line as it is written: flags and values, for clap. What they mean stands with each command.

use crate::files::pkcs8::layout::Layout;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Post-quantum keys, signatures and measurements
#[derive(Parser, Debug)]
#[command(name = "pqc", disable_version_flag = true, subcommand_required = false)]
#[command(long_about = "\
To check a file that somebody sent you with its signature FILE.sig, and whose fingerprint you know from them:

    pqc verify -p sha256:FINGERPRINT FILE        (signed --with-key)
    pqc verify -p THEIR.pub FILE

To take the shared secret out of a ciphertext that somebody sent you:

    pqc decaps --secret-out SECRET CIPHERTEXT

To sign files of your own, and to send a fresh shared secret to the owner of a key:

    pqc keygen --alg falcon512
    pqc sign FILE
    pqc encaps -p THEIR.pub -o CIPHERTEXT --secret-out SECRET

Algorithms: pqc list. Exit codes: 0 done or valid; 1 not valid, or a ciphertext that is not for the key; 2 wrong use, an unsuitable input, a refused \
overwrite; 3 a missing or unreadable file, a system error; 130 interrupted.")]
#[command(after_help = "\
Environment: PQC_KEY (the key to sign or decapsulate with), PQC_HOME (the folder of keys), PQC_ISA (the backend), NO_COLOR.")]
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

Without -o the files go to the key home under the algorithm's name, where the other commands find them: $PQC_HOME, \
or $XDG_DATA_HOME/pqc, or ~/.local/share/pqc.

Both files are read back and tried, before they get their names: a signature is made and checked, or a secret \
encapsulated and decapsulated. A private key is never overwritten, not even with --force. Without a password who \
reads the file can sign or decapsulate; --password asks for one, --password-file and --password-env take one from \
elsewhere, and pqc passwd sets, changes or removes one later.

Give the others NAME.pub, or its fingerprint over a channel that they trust.

For signatures: falcon512 (level 1: about as hard to break as AES-128) and falcon1024 (level 5: AES-256), Falcon as \
submitted to round 3 of NIST's project. FN-DSA (FIPS 206), which will follow from it, is not compatible with it.

For shared secrets: mlkem512, mlkem768 and mlkem1024 (levels 1, 3, 5), ML-KEM of FIPS 203. kyber512, kyber768, \
kyber1024 and their variants with -90s are what was submitted to round 3, and not compatible with ML-KEM: legacy.

Also for shared secrets: NTRU as submitted to round 3, where it was a finalist and not selected. ntruhps2048509, \
ntruhps2048677, ntruhps4096821 and ntruhps40961229 (levels 1, 3, 5, 5 if memory costs nothing), \
ntruhrss701 and ntruhrss1373 (levels 3, 5). HPS draws polynomials of a fixed weight: --sampler says how. Keys of \
either sampler are used alike."
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

Before the first signature is written, it is checked that all of them can be: none exists (--force replaces them), and \
no two have one name. A FILE that cannot be signed (missing, unreadable, changed while it was read) gets no signature \
and does not stop the others. Each signature is checked before it is written.

Many files: --files-from LIST takes their names from a file, -j N signs on N threads. The key is read once.

Exit code: 0 if all are signed; else the smallest of 2 (wrong use, a FILE that is itself a signature) and 3 (missing, \
unreadable, a system error)."
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
a signature of this program, malformed), 3 (missing or unreadable).

A file that FAILED is looked at once more, if it is smaller than 64 MiB: whether the signature belongs to it with other \
line ends, with or without a last newline, without a byte order mark, or to another file of the folder (the nearest \
100 in the order of names). What is found is said in the reason and changes nothing: the file stays FAILED.

Many files: --files-from LIST takes their names from a file, -j N checks on N threads.")]
    Verify(Verify),
    /// Make a shared secret and the ciphertext that takes it to the owner of a key
    #[command(
        override_usage = "pqc encaps [OPTIONS] -p PUB --secret-out SECRET",
        long_about = "\
Make a shared secret, 32 bytes that nobody else knows, and the ciphertext from which the owner of the key gets it \
with decaps. Send the ciphertext; the secret is a key for a symmetric cipher.

The ciphertext goes to -o, else to standard output; the secret to --secret-out: a file with mode 0600, or - for \
standard output if that is a pipe. It never goes to a terminal. Neither is written unless both can be.

-p sha256:FINGERPRINT takes the key with that fingerprint from the key home, and no other. This command cannot \
know whose key it is, and the owner of the key cannot know who made the secret: it authenticates nobody.

The file names algorithm and key, and holds a confirmation: 16 bytes of a hash of the secret and the ciphertext, so \
that decaps with a wrong key or a damaged file is an error. It costs this: who guesses the secret can test the \
guess, and everybody with the file and the secret sees whether they belong together, where the bare algorithm \
would keep silent. The secret itself is as hard to guess as ever. Where a proof of security needs the bare \
algorithm, use --format raw, which has no confirmation. Do not use the secret for two things: derive a key for each \
with a label of its own, for example by HKDF."
    )]
    Encaps(Encaps),
    /// Take the shared secret out of a ciphertext
    #[command(
        override_usage = "pqc decaps [OPTIONS] CIPHERTEXT",
        long_about = "\
Take the shared secret out of a ciphertext. The key is -k, else $PQC_KEY, else the one in the key home that the \
ciphertext names; it is named on standard error.

The secret, 32 bytes, goes to --secret-out, a file with mode 0600, else to standard output if that is a pipe. It never \
goes to a terminal.

A wrong key or a damaged ciphertext is exit code 1, and nothing is written. A bare ciphertext (--format raw) cannot \
tell: there, as the standard says, both give another secret and exit code 0, and the key is -k, else $PQC_KEY, \
else the only private key in the key home that decapsulates."
    )]
    Decaps(Decaps),
    /// Show the algorithms and the backends
    List(List),
    /// Say what a key, signature or ciphertext file is
    #[command(long_about = "\
Say what a key, signature or ciphertext file is: kind, algorithm, object identifier, layout, sizes, fingerprint, and of a \
private key whether its public half belongs to it. Without FILE: every key in the key home. PEM and DER are read; \
the raw bytes of a key with --alg.

Of a private key under a password, how the password protects it; with --password, which asks for it, --password-file or \
--password-env, also the key itself.")]
    Inspect(Inspect),
    /// Write a key or signature in another layout or format
    #[command(
        override_usage = "pqc convert [OPTIONS] IN [-o OUT]",
        long_about = "\
Write a key or signature in another layout or format, for another program. IN stays as it is; without an option, OUT is \
in the form that this program prefers.

Keys are read as PEM and DER, in every layout that is about, and as raw bytes with --alg. Layouts of private keys: \
oqs (liboqs, wolfSSL), bouncycastle and bare of Falcon; seed, expanded and both (RFC 9935), bare-seed and bare (its \
drafts, Botan) of ML-KEM; bare (Botan) and bouncycastle of Kyber; bouncycastle and bare of NTRU. --public writes the public key of a private one. \
--oid takes an older object identifier of the algorithm, for programs that know no other: Bouncy Castle up to 1.80 \
wants 1.3.9999.3.6 for Falcon-512 and 1.3.9999.3.9 for Falcon-1024.

Signatures: --encoding turns compressed ones into padded ones and back, --raw gives the bare signature, --pem with -p \
makes a signature file of it. Whether it is valid does not change, and is not looked at.

A private key never replaces a file, goes to a terminal, or loses its password, which OUT has too; with --unprotected \
OUT has none. Its files have mode 0600."
    )]
    Convert(Convert),
    /// Set, change or remove the password of a private key
    #[command(
        override_usage = "pqc passwd [OPTIONS] KEY",
        long_about = "\
Set, change or remove the password of a private key. KEY is replaced by a new file, after that was read back and opened \
with the new password; nothing else in it changes. This is the only command that replaces a private key. What the \
disk still holds of the old file, and copies of it, keep the old password or none.

The password becomes a key by PBKDF2-HMAC-SHA-256 with 600,000 rounds, and encrypts by AES-256-CBC: PKCS#8, as OpenSSL \
and others read it. Guessing costs an attacker who has the file no more than those rounds, so take a long one."
    )]
    Passwd(Passwd),
    /// Test this build on this processor: known answers, equal backends, refusals
    #[command(long_about = "\
Test this build on this processor, in seconds: keys and signatures from fixed seeds against known answers, \
damaged signatures, ciphertexts and keys that must be refused, and that every backend gives the same bytes. --isa takes names \
with commas between them, or all; without it, the backend that other commands would use.")]
    Selftest(Selftest),
    /// Measure the algorithms
    #[command(
        long_about = "\
Measure the algorithms on this processor: median, quartiles, minimum, operations a second, and how many times as fast \
as the scalar backend, with an interval of 95 %. Without options: Falcon and ML-KEM on the fastest backend, with scalar \
beside it, in less than half a minute. Ctrl-C ends early and shows what was measured so far.

How: the results of every backend are compared with those of scalar before anything is timed. All backends use the \
same 64 keys, messages and seeds, which come from --seed. Backends take turns in rounds of at least 20 ms, in a \
shuffled order; the first 2 ms of each round are dropped. Threads are pinned. A row whose interval is wider than 5 % of its \
median, or whose first and second half differ by more than 3 %, is marked noisy; one with fewer than 100 samples, few.",
        after_long_help = "\
Rows:
  keygen       random bytes to an encoded private and an encoded public key
  sign         encoded private key and message to an encoded signature: decoding, checking and expanding the key, nonce \
and seed from the system, signing, verifying before release, encoding
  sign-kept    the same with a key that is kept expanded, as for several files
  sign-core    sign-kept without the verification before release and without the system's random bytes: what papers report
  sign-batch   sign-kept for --batch messages in one call; times are for one of them
  verify       encoded public key, message and signature to a verdict
  verify-kept  the same with a key that is kept ready
  encaps       encoded public key to ciphertext and secret: decoding, checking and hashing the key, random bytes
  encaps-kept  the same with a key that is kept ready, with its matrix where it has one
  encaps-core  encaps-kept without the system's random bytes
  decaps       stored private key (for ML-KEM its seed) and ciphertext to the secret: reading and checking the key
  decaps-kept  the same with a key that is kept ready, with its matrix where it has one
  keygen-batch keygen for --batch keys in one call, of ML-KEM and Kyber; times are for one of them, as in the next two
  encaps-batch encaps with --batch encoded keys in one call; of NTRU, as many times with one key and one generator
  decaps-batch --batch private keys that were read, without their matrices, and a ciphertext each to the secrets in one call
  keygen-sort  keygen with --sampler sort, of NTRU-HPS
  encaps-sort  encaps with --sampler sort, of NTRU-HPS

A kept key makes 16 operations before the next one has its turn. Times are wall-clock nanoseconds of one operation; ticks \
are those of the processor's time stamp, which has a frequency of its own; core cycles are shown where the system counts \
them. keygen and all that signs have one call a sample, so that quartiles and the second table show how single calls differ; \
other samples are several calls of about 0.1 ms together. The interval of the median is a bootstrap over rounds; where times \
depend on the input (keygen), each is first divided by its own input's median. The ratio to scalar is the median over equal \
inputs, its interval a bootstrap over rounds side by side.

--json and --csv carry every sample; the schema is named in them (pqc-bench-1) and stands in src/bench/schema.json."
    )]
    Bench(Bench),
}

/// Where the password of a private key comes from, if not from the terminal.
#[derive(Args, Debug, Default)]
pub struct PasswordOptions {
    /// File with the password of the private key (one line end is left out); - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "password_env")]
    pub password_file: Option<PathBuf>,
    /// Variable of the environment with the password of the private key
    #[arg(long, value_name = "VAR")]
    pub password_env: Option<OsString>,
}

impl PasswordOptions {
    /// Whether one of them was given.
    pub fn is_given(&self) -> bool {
        self.password_file.is_some() || self.password_env.is_some()
    }
}

/// Where a new password comes from, if not from the terminal.
#[derive(Args, Debug, Default)]
pub struct NewPasswordOptions {
    /// File with the new password; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "new_password_env")]
    pub new_password_file: Option<PathBuf>,
    /// Variable of the environment with the new password
    #[arg(long, value_name = "VAR")]
    pub new_password_env: Option<OsString>,
}

/// `pqc keygen`.
#[derive(Args, Debug)]
pub struct Keygen {
    /// Algorithm, for example falcon512 or mlkem768; pqc list shows all
    #[arg(long, value_name = "ALG")]
    pub alg: Option<String>,
    /// Write NAME.key and NAME.pub instead of using the key home
    #[arg(short, long, value_name = "NAME")]
    pub output: Option<PathBuf>,
    /// Make N pairs: NAME-000001.key, NAME-000001.pub and so on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub count: Option<u32>,
    /// Threads for --count; 0 is one for each processor
    #[arg(short, long, value_name = "N", requires = "count", default_value_t = 1, hide_default_value = true, value_parser = jobs())]
    pub jobs: u16,
    /// Protect NAME.key by a password that is asked for
    #[arg(long, conflicts_with_all = ["password_file", "password_env"])]
    pub password: bool,
    /// Protect it by a password from elsewhere.
    #[command(flatten)]
    pub password_options: PasswordOptions,
    /// How NTRU-HPS draws polynomials of a fixed weight
    #[arg(long, value_enum, value_name = "SAMPLER")]
    pub sampler: Option<SamplerArg>,
    /// Replace NAME.pub if it exists (never NAME.key)
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `sign` and `verify` take for many files.
#[derive(Args, Debug)]
pub struct Batch {
    /// Read names of further files from LIST, one a line; - is standard input
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// The names in LIST end with a zero byte, as find -print0 writes them
    #[arg(short = '0', long, requires = "files_from")]
    pub null: bool,
    /// Threads for many files; 0 is one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs())]
    pub jobs: u16,
}

/// The values of `-j`.
fn jobs() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(0..=256)
}

/// `pqc sign`.
#[derive(Args, Debug)]
pub struct Sign {
    /// Files to sign; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Many files.
    #[command(flatten)]
    pub batch: Batch,
    /// Private key to sign with; - is standard input
    #[arg(short, long, value_name = "KEY")]
    pub key: Option<PathBuf>,
    /// Of the private key.
    #[command(flatten)]
    pub password: PasswordOptions,
    /// Where the signature goes, for one FILE; - is standard output
    #[arg(short, long, value_name = "SIG", conflicts_with_all = ["sig_dir", "files_from"])]
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
    /// The algorithm's own bytes and nothing else.
    Raw,
}

impl Format {
    /// The word in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pem => "pem",
            Format::Raw => "raw",
        }
    }
}

/// `--sampler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SamplerArg {
    /// Drawn without replacement, in linear time, exactly uniform (the default).
    Shuffle,
    /// Random keys sorted by a network, as submitted to NIST: slower, and gives its known answers.
    Sort,
}

/// `--encode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encode {
    /// One line of base64.
    Base64,
    /// One line of hexadecimal digits.
    Hex,
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
    /// Many files.
    #[command(flatten)]
    pub batch: Batch,
    /// Public key file, or sha256:FINGERPRINT
    #[arg(short, long, value_name = "PUB")]
    pub public_key: Option<PathBuf>,
    /// The signature, for one FILE; - is standard input
    #[arg(short, long, value_name = "SIG", conflicts_with_all = ["sig_dir", "files_from"])]
    pub signature: Option<PathBuf>,
    /// Folder of the signatures, instead of beside each FILE
    #[arg(long, value_name = "DIR")]
    pub sig_dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc encaps`.
#[derive(Args, Debug)]
pub struct Encaps {
    /// Public key file, or sha256:FINGERPRINT; - is standard input
    #[arg(short, long, value_name = "PUB")]
    pub public_key: Option<PathBuf>,
    /// Where the ciphertext goes; without it, or with -, standard output
    #[arg(short, long, value_name = "CIPHERTEXT")]
    pub output: Option<PathBuf>,
    /// Where the secret goes, a file with mode 0600; - is standard output, if that is a pipe
    #[arg(long, value_name = "SECRET")]
    pub secret_out: Option<PathBuf>,
    /// Format of the ciphertext: pem names algorithm and key, raw is the bare ciphertext as other programs take it
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    pub format: Format,
    /// How NTRU-HPS draws the message, a polynomial of a fixed weight; decaps sees no difference
    #[arg(long, value_enum, value_name = "SAMPLER")]
    pub sampler: Option<SamplerArg>,
    /// Write the secret as text instead of as 32 bytes
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub encode: Option<Encode>,
    /// Replace outputs that exist (never a private key)
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc decaps`.
#[derive(Args, Debug)]
pub struct Decaps {
    /// The ciphertext; - is standard input
    #[arg(value_name = "CIPHERTEXT")]
    pub file: Option<PathBuf>,
    /// Private key to decapsulate with; - is standard input
    #[arg(short, long, value_name = "KEY")]
    pub key: Option<PathBuf>,
    /// Of the private key.
    #[command(flatten)]
    pub password: PasswordOptions,
    /// Where the secret goes, a file with mode 0600; without it, or with -, standard output, if that is a pipe
    #[arg(long, value_name = "SECRET")]
    pub secret_out: Option<PathBuf>,
    /// Format of the ciphertext: raw is the bare ciphertext of other programs, in which nothing tells a wrong key
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    pub format: Format,
    /// Write the secret as text instead of as 32 bytes
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub encode: Option<Encode>,
    /// Replace the file of --secret-out if it exists (never a private key)
    #[arg(long)]
    pub force: bool,
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
    /// Key, signature and ciphertext files; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the public key of a private key
    #[arg(long)]
    pub public: bool,
    /// Algorithm of a key that is raw bytes
    #[arg(long, value_name = "ALG")]
    pub alg: Option<String>,
    /// Ask for the password of a private key, and look into it
    #[arg(long, conflicts_with_all = ["password_file", "password_env"])]
    pub password: bool,
    /// Of the private keys.
    #[command(flatten)]
    pub password_options: PasswordOptions,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `pqc convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// Key or signature; - is standard input
    #[arg(value_name = "IN")]
    pub file: Option<PathBuf>,
    /// Where the result goes; without it, or with -, standard output (a private key only if that is a pipe)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Layout of a private key; without it, the preferred one
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub layout: Option<Layout>,
    /// Spelling of a Falcon signature
    #[arg(long, value_enum)]
    pub encoding: Option<EncodingArg>,
    /// Write the public key of a private key
    #[arg(long)]
    pub public: bool,
    /// Write PEM (the default)
    #[arg(long)]
    pub pem: bool,
    /// Write the structure of a key without PEM lines
    #[arg(long, conflicts_with = "pem")]
    pub der: bool,
    /// Write the algorithm's own bytes; of ML-KEM and Kyber the expanded private key, or with --layout seed the seed
    #[arg(long, conflicts_with_all = ["pem", "der"])]
    pub raw: bool,
    /// Algorithm of a key that is raw bytes
    #[arg(long, value_name = "ALG")]
    pub alg: Option<String>,
    /// Object identifier to write, of those that the algorithm has
    #[arg(long, value_name = "OID")]
    pub oid: Option<String>,
    /// Public key that a bare signature is by, to make a signature file of it
    #[arg(short = 'p', long, value_name = "PUB")]
    pub public_key: Option<PathBuf>,
    /// Of the private key.
    #[command(flatten)]
    pub password: PasswordOptions,
    /// Leave the password of the private key out of the result
    #[arg(long)]
    pub unprotected: bool,
    /// Replace OUT if it exists (never by or for a private key)
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The names of layouts.
fn layouts() -> impl clap::builder::TypedValueParser<Value = Layout> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Layout::ALL.map(Layout::name))
        .try_map(|name| Layout::ALL.into_iter().find(|layout| layout.name() == name).ok_or("no layout"))
}

/// `pqc passwd`.
#[derive(Args, Debug)]
pub struct Passwd {
    /// Private key
    #[arg(value_name = "KEY")]
    pub key: Option<PathBuf>,
    /// Of the private key as it is.
    #[command(flatten)]
    pub password: PasswordOptions,
    /// Of the private key as it will be.
    #[command(flatten)]
    pub new_password: NewPasswordOptions,
    /// Remove the password
    #[arg(long, conflicts_with_all = ["new_password_file", "new_password_env"])]
    pub remove: bool,
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
    /// Algorithms, with commas between them, or all; without it, Falcon and ML-KEM
    #[arg(long, value_name = "ALG", conflicts_with = "claims")]
    pub alg: Option<String>,
    /// Operations, with commas between them, or all: the rows below
    ///
    /// keygen, sign, sign-kept, sign-core, sign-batch, verify, verify-kept, encaps, encaps-kept, encaps-core, decaps, decaps-kept, keygen-batch, encaps-batch, decaps-batch, keygen-sort, encaps-sort.
    #[arg(long, value_name = "OP", conflicts_with_all = ["claims", "stages"])]
    pub op: Option<String>,
    /// Seconds for each row on each backend (0.25; with --stages 1)
    #[arg(long, value_name = "S")]
    pub seconds: Option<f64>,
    /// Threads that work at the same time, each pinned to a processor: the throughput of a server
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["claims", "stages"])]
    pub threads: usize,
    /// Operations in one call of sign-batch, keygen-batch, encaps-batch and decaps-batch; their times are for one of them
    #[arg(long, value_name = "N", default_value_t = crate::falcon::BATCH)]
    pub batch: usize,
    /// Bytes of the messages that are signed
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub message_bytes: usize,
    /// Number that keys, messages, seeds and the order of rounds come from; without it, a random one, which is shown
    #[arg(long, value_name = "X")]
    pub seed: Option<u64>,
    /// Measure each backend alone, to show that taking turns did not decide the ratios
    #[arg(long, conflicts_with_all = ["claims", "stages"])]
    pub isolated: bool,
    /// Show where the time of a signature, an encapsulation and a decapsulation goes
    #[arg(long, conflicts_with = "claims")]
    pub stages: bool,
    /// Show what four papers claim, and the same ratios on this machine
    #[arg(long)]
    pub claims: bool,
    /// Print a line and a LaTeX row for each figure; writes the JSON too (pqc-bench.json, or the FILE of --json)
    #[arg(long, conflicts_with_all = ["claims", "stages"])]
    pub cite: bool,
    /// Print one JSON object with every sample, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub json: Option<Option<PathBuf>>,
    /// Print one line a sample, or write them to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["claims", "stages"])]
    pub csv: Option<Option<PathBuf>>,
    /// Draw a bar chart to FILE, an SVG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claims", "stages"])]
    pub plot: Option<PathBuf>,
    /// Compare with FILE, which --json wrote earlier; without --alg, --op and --seed, measures what it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claims", "stages"])]
    pub compare: Option<PathBuf>,
    /// Replace the files of --json, --csv and --plot if they exist
    #[arg(long)]
    pub force: bool,
}

/// The command line that is documented, without the hidden command of [`super::generate`].
pub fn documented() -> clap::Command {
    Cli::command()
}
