//! What can stand where a value is wanted: names of algorithms and backends, files of one kind, folders.

use crate::algorithm::Algorithm;
use crate::bench::operation::Operation;
use crate::isa::Isa;
use clap::builder::{PossibleValuesParser, ValueHint};
use clap::{Arg, Command};
use clap_complete::Shell;

/// What completes a value.
pub(super) enum Values {
    /// One of these.
    Words(Vec<String>),
    /// Several of these with commas between them.
    List(Vec<String>),
    /// A file whose name has this ending, or one in a folder below.
    Ending(&'static str),
    /// Any file.
    File,
    /// A folder.
    Folder,
    /// Nothing that could be guessed.
    Free,
}

/// What completes the value of an argument of a command.
pub(super) fn of(command: &str, arg: &Arg) -> Values {
    let id = arg.get_id().as_str();
    match (names(command, id), KINDS.iter().find(|(known, ..)| *known == id)) {
        (Some(words), _) if words.contains(&ALL) => Values::List(owned(words)),
        (Some(words), _) => Values::Words(owned(words)),
        (None, Some((.., ending))) => Values::Ending(ending),
        (None, None) => of_type(arg),
    }
}

/// What stands for all names, where several can be given.
const ALL: &str = "all";

/// The names that an argument takes, where the definition leaves them to the command.
fn names(command: &str, id: &str) -> Option<Vec<&'static str>> {
    let mut names: Vec<&str> = match id {
        "alg" => Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect(),
        // Those of all processors: the files are the same everywhere.
        "isa" => std::iter::once("auto").chain(Isa::known_names()).collect(),
        "op" => Operation::ALL.iter().map(|operation| operation.name()).collect(),
        _ => return None,
    };
    if matches!(command, "bench" | "selftest") {
        names.push(ALL);
    }
    Some(names)
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

fn of_type(arg: &Arg) -> Values {
    let words: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    match (words.is_empty(), arg.get_id().as_str(), arg.get_value_hint()) {
        (false, ..) => Values::Words(words),
        (_, "sig_dir", _) => Values::Folder,
        (.., ValueHint::AnyPath) => Values::File,
        _ => Values::Free,
    }
}

/// The arguments that take files of one kind: name, name of the value, ending.
const KINDS: [(&str, &str, &str); 3] =
    [("key", "KEY", ".key"), ("public_key", "PUB", ".pub"), ("signature", "SIG", ".sig")];

/// The definition as clap's own generators need it, with the words where they can be listed.
pub(super) fn listed(root: Command) -> Command {
    let names: Vec<String> = root.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let root = root.mut_args(|arg| with_words("", arg));
    names
        .into_iter()
        .fold(root, |root, name| root.mut_subcommand(&name, |sub| sub.mut_args(|arg| with_words(&name, arg))))
}

fn with_words(command: &str, arg: Arg) -> Arg {
    match (names(command, arg.get_id().as_str()), of(command, &arg)) {
        (Some(words), _) => arg.value_parser(PossibleValuesParser::new(words)),
        (None, Values::Folder) => arg.value_hint(ValueHint::DirPath),
        _ => arg,
    }
}

/// What clap's generators wrote for fish or zsh, with files of the right kind and without hidden options.
pub(super) fn with_file_kinds(script: &str, shell: Shell, root: &Command) -> String {
    let hidden: Vec<String> = root
        .get_subcommands()
        .flat_map(Command::get_arguments)
        .filter(|arg| arg.is_hide_set())
        .filter_map(|arg| arg.get_help().map(ToString::to_string))
        .collect();
    let lines = script.lines().filter(|line| !hidden.iter().any(|help| line.contains(help.as_str())));
    lines.map(|line| with_file_kind(line, shell) + "\n").collect()
}

fn with_file_kind(line: &str, shell: Shell) -> String {
    let changed = KINDS.iter().find_map(|(id, value, ending)| match shell {
        Shell::Fish => line
            .strip_suffix(" -r -F")
            .filter(|start| start.contains(&format!(" -l {} ", id.replace('_', "-"))))
            .map(|start| format!("{start} -r -k -a \"(__fish_complete_suffix {ending})\"")),
        _ => line
            .strip_suffix(&format!(":{value}:_files' \\"))
            .map(|start| format!("{start}:{value}:_files -g \"*{ending}\"' \\")),
    });
    changed.unwrap_or_else(|| line.to_owned())
}
