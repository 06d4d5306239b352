//! From words to [`Cli`]: help, errors in one line, and the JSON object where the words cannot be understood.

use super::args::{self, Cli};
use super::exit::{Kind, os_message};
use super::report::{json_object, sanitized};
use super::{generate, io};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::path::PathBuf;

/// What the words say.
pub enum Parsed {
    /// A command.
    Run(Box<Cli>),
    /// The hidden command, and its folder.
    Generate(PathBuf),
    /// Help or an error was printed.
    Done(u8),
}

/// Parses a command line, program name first.
pub fn parse(words: &[OsString]) -> Parsed {
    let parsed = args::documented().subcommand(generate::command()).try_get_matches_from(words);
    let outcome = parsed.and_then(|matches| match matches.subcommand() {
        Some(("generate", sub)) => {
            Ok(Parsed::Generate(sub.get_one::<PathBuf>("DIR").cloned().unwrap_or_else(|| ".".into())))
        }
        _ => Cli::from_arg_matches(&matches).map(|cli| Parsed::Run(Box::new(cli))),
    });
    outcome.unwrap_or_else(|error| Parsed::Done(refuse(words, &error)))
}

/// `pqc` alone.
pub fn no_command() -> u8 {
    io::write_stderr(&format!("{}\n", args::documented().render_help()));
    io::write_stderr("pqc: no command; pqc --help shows them\n");
    Kind::Usage.code()
}

/// Prints help, or says in one line what is wrong with the words.
fn refuse(words: &[OsString], error: &clap::Error) -> u8 {
    let text = error.render();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let colored = match color_of(words) {
            Some(color) => color == "always",
            None => io::stdout_wants_color(),
        };
        let text = if colored { text.ansi().to_string() } else { text.to_string() };
        return match io::write_stdout(text.as_bytes()) {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                io::write_stderr(&format!("pqc: standard output: {}\n", os_message(&e)));
                Kind::System.code()
            }
            _ => 0,
        };
    }
    let command = command_of(words);
    let help = if command.is_empty() { "pqc --help".into() } else { format!("pqc {command} --help") };
    let message = sanitized(&format!("{}; see {help}", one_line(&text.to_string())));
    io::write_stderr(&format!("pqc: {message}\n"));
    if words.iter().any(|word| word == "--json" || word.as_encoded_bytes().starts_with(b"--json=")) {
        let object = json_object(command, Kind::Usage.code(), &[], Some((Kind::Usage, message)));
        let _ = io::write_stdout(object.as_bytes());
    }
    Kind::Usage.code()
}

/// The value of `--color`, from words that clap refused or answered with help.
fn color_of(words: &[OsString]) -> Option<&str> {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let joined = words.iter().find_map(|word| word.strip_prefix("--color="));
    let pair = words.iter().zip(words.iter().skip(1)).find(|(word, _)| **word == "--color");
    joined.or(pair.map(|(_, value)| *value)).filter(|value| *value != "auto")
}

/// The command that the words name; empty if none does.
fn command_of(words: &[OsString]) -> &'static str {
    const COMMANDS: [&str; 11] = [
        "keygen", "sign", "verify", "encaps", "decaps", "list", "inspect", "convert", "passwd", "selftest",
        "bench",
    ];
    let named = words.iter().skip(1).find_map(|word| COMMANDS.into_iter().find(|command| word == command));
    named.unwrap_or("")
}

/// clap's message and hints without its usage lines, on one line.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if part.starts_with("Usage:") || part.starts_with("For more information") {
            break;
        }
        match part.strip_prefix("tip: ") {
            Some(tip) => line += &format!("; {tip}"),
            None if line.is_empty() => line += part.strip_prefix("error: ").unwrap_or(part),
            None => line += &format!(" {part}"),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn error_of(words: &[&str]) -> String {
        match Cli::command().try_get_matches_from(words) {
            Ok(_) => String::new(),
            Err(error) => one_line(&error.render().to_string()),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_error_is_one_line_and_names_the_flag() {
        for (words, flag) in [
            (&["pqc", "sign", "--frmat", "raw", "x"][..], "--frmat"),
            (&["pqc", "sign", "--format", "der", "x"], "--format"),
            (&["pqc", "sign", "-k"], "--key"),
            (&["pqc", "sign", "-k", "a", "-k", "b", "x"], "--key"),
            (&["pqc", "sign", "-o", "a", "--sig-dir", "b", "x"], "--sig-dir"),
            (&["pqc", "encaps", "--encode", "octal"], "--encode"),
            (&["pqc", "decaps", "a", "b"], "b"),
            (&["pqc", "convert", "--layout", "x"], "--layout"),
            (&["pqc", "keygen", "--password", "--password-env", "X"], "--password"),
        ] {
            let line = error_of(words);
            assert!(line.contains(flag) && !line.contains('\n'), "{words:?}: {line}");
        }
    }

    #[test]
    fn the_list_of_commands_is_complete() {
        for command in Cli::command().get_subcommands() {
            assert_eq!(command_of(&["pqc".into(), command.get_name().into()]), command.get_name());
        }
    }
}
