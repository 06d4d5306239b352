//! The completion script for bash.
//!
//! Not clap's: that one splits file names at blanks and knows neither kinds of files nor lists with commas.

use super::values::{Values, of};
use clap::{Arg, Command};
use std::fmt::Write as _;

/// The functions that every script needs. `_pqc_files` offers folders too, since the file may be in one, and
/// every file where none has the ending.
const FUNCTIONS: &str = r#"# bash completion for pqc, made by `pqc generate`; needs bash 4.
_pqc_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# The words after the last comma.
_pqc_list() {
    local head=
    [[ $cur == *,* ]] && head=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "${cur##*,}")
}

_pqc_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_pqc_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        if [[ -n $1 && -n $(compgen -f -X "!*$1" -- "$cur") ]]; then
            compgen -f -X "!*$1" -- "$cur"
            compgen -d -- "$cur"
        else
            compgen -f -- "$cur"
        fi
    )
}

_pqc() {
    local cur=$2 previous=$3 command= skip= i
    COMPREPLY=()
    # bash makes three words of --option=value.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
"#;

/// The script.
pub(super) fn script(root: &Command) -> String {
    let commands: Vec<&Command> = root.get_subcommands().filter(|sub| !sub.is_hide_set()).collect();
    let names = commands.iter().map(|sub| sub.get_name()).collect::<Vec<_>>();
    let mut out = String::from(FUNCTIONS);
    // The command is the first word that is neither an option nor the value of one.
    let before: Vec<String> = options(root).filter(|arg| takes_value(arg)).flat_map(spellings).collect();
    let _ = write!(
        out,
        r#"    for ((i = 1; i < COMP_CWORD; i++)); do
        case $skip${{COMP_WORDS[i]}} in
            {before}) skip=skip: ;;
            skip:=) ;;
            skip:*) skip= ;;
            {commands})
                command=${{COMP_WORDS[i]}}
                break
                ;;
        esac
    done
"#,
        before = before.join("|"),
        commands = names.join("|"),
    );
    out += "    case $command,$previous in\n";
    for (name, command) in
        std::iter::once(("", root)).chain(commands.iter().map(|sub| (sub.get_name(), *sub)))
    {
        for arg in options(command).filter(|arg| takes_value(arg)) {
            let patterns: Vec<String> = spellings(arg).map(|spelling| format!("{name},{spelling}")).collect();
            let _ = writeln!(out, "        {}) {}; return ;;", patterns.join("|"), completes(&of(name, arg)));
        }
    }
    out += "    esac\n    case $command in\n";
    let _ = writeln!(out, "        '')");
    let _ = writeln!(out, "            if [[ $cur == -* ]]; then");
    let _ = writeln!(out, "                _pqc_words '{}'", all_spellings(root));
    let _ =
        writeln!(out, "            else\n                _pqc_words '{}'\n            fi", names.join(" "));
    let _ = writeln!(out, "            ;;");
    for command in commands {
        let name = command.get_name();
        let _ = writeln!(out, "        {name})");
        let _ = writeln!(out, "            if [[ $cur == -* ]]; then");
        let _ = writeln!(out, "                _pqc_words '{}'", all_spellings(command));
        if let Some(arg) = command.get_positionals().next() {
            let _ = writeln!(out, "            else\n                {}", completes(&of(name, arg)));
        }
        let _ = writeln!(out, "            fi\n            ;;");
    }
    out + "    esac\n}\n\ncomplete -F _pqc pqc\n"
}

/// The call that completes values of a kind.
fn completes(values: &Values) -> String {
    match values {
        Values::Words(words) => format!("_pqc_words '{}'", words.join(" ")),
        Values::List(words) => format!("_pqc_list '{}'", words.join(" ")),
        Values::Ending(ending) => format!("_pqc_files {ending}"),
        Values::File => "_pqc_files ''".into(),
        Values::Folder => "_pqc_folders".into(),
        Values::Free => ":".into(),
    }
}

fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set())
}

/// Whether the next word belongs to the option. One with an optional value is not asked for it.
fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values() && arg.get_num_args().is_none_or(|range| range.min_values() > 0)
}

/// `--long`, `-s`.
fn spellings(arg: &Arg) -> impl Iterator<Item = String> {
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    long.into_iter().chain(short)
}

fn all_spellings(command: &Command) -> String {
    options(command).flat_map(spellings).collect::<Vec<_>>().join(" ")
}
