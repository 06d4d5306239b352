//! Workers, each a process of one implementation, and the medians of what they answer.

use pqc::bench::chance::Chance;
use pqc::bench::statistics;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// One process: it answers each line of its standard input with one line.
pub struct Worker {
    pub name: String,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Worker {
    /// From `NAME=COMMAND`.
    pub fn start(argument: &str) -> Worker {
        let (name, command) = argument.split_once('=').expect("NAME=COMMAND");
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().expect("command"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{command}: {e}"));
        let to = child.stdin.take().expect("standard input");
        let from = BufReader::new(child.stdout.take().expect("standard output"));
        Worker { name: name.into(), child, to, from }
    }

    /// The answer to one request.
    pub fn ask(&mut self, request: &str) -> String {
        let mut answer = String::new();
        writeln!(self.to, "{request}")
            .and_then(|()| self.to.flush())
            .and_then(|()| self.from.read_line(&mut answer))
            .unwrap_or_else(|e| panic!("{}: {e}", self.name));
        assert!(answer.ends_with('\n'), "{} ended at: {}", self.name, &request[..request.len().min(40)]);
        answer.trim().into()
    }

    /// The median of `count` times in microseconds; `of`: a degree or a parameter set.
    pub fn time(&mut self, operation: &str, of: impl Display, count: usize) -> Option<f64> {
        let mut times = self.times(&format!("{operation} {of} {count}"));
        (!times.is_empty()).then(|| median(&mut times))
    }

    /// The times that the worker answers with, in microseconds.
    pub fn times(&mut self, request: &str) -> Vec<f64> {
        let answer = self.ask(request);
        let words = answer.split_whitespace().filter(|word| *word != "none");
        words.map(|t| t.parse::<f64>().expect("time") / 1000.0).collect()
    }

    /// Ends the process.
    pub fn end(mut self) {
        drop(self.to);
        self.child.wait().expect("worker");
    }
}

/// The median.
pub fn median(values: &mut [f64]) -> f64 {
    statistics::median(values)
}

/// The 95 % interval of the median of ratios of rounds, as `pqc bench` has it.
pub fn interval(ratios: &[f64]) -> String {
    match statistics::bootstrap(ratios, &mut Chance::new(0)) {
        Some([low, high]) => format!("{low:.3} to {high:.3}"),
        None => "unknown".into(),
    }
}
