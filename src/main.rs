//! The program `pqc`: everything stands in the library's [`pqc::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pqc::cli::main())
}
