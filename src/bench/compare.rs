//! An earlier run beside this one: read from its JSON, refused where it is of something else, compared row by row.

use super::chance::Chance;
use super::inputs::INPUTS;
use super::operation::Operation;
use super::row::{Id, Row, Terms};
use super::schema::SCHEMA;
use super::statistics::{Ratio, Value, ratio};
use serde_json::Value as Read;

/// An earlier run.
#[derive(Clone, Debug)]
pub struct Earlier {
    header: Vec<(String, String)>,
    rows: Vec<EarlierRow>,
}

/// One of its rows.
#[derive(Clone, Debug)]
pub struct EarlierRow {
    /// Algorithm, operation, backend.
    names: [String; 3],
    version: u64,
    /// Threads, operations of a call, bytes of a message.
    terms: [Option<u64>; 3],
    values: Vec<Value>,
    /// Its median, in nanoseconds.
    pub median: f64,
    /// Whether it was marked.
    pub is_noisy: bool,
}

/// The time of a row against an earlier one's: 1 is no change, less is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change(pub Ratio);

impl Earlier {
    /// Reads what `--json` wrote.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(bytes: &[u8]) -> Result<Earlier, String> {
        let document: Read = serde_json::from_slice(bytes).map_err(|_| "is no JSON".to_owned())?;
        match document["schema"].as_str() {
            Some(SCHEMA) => {}
            Some(other) if other.starts_with("pqc-bench-") => {
                return Err(format!("has the schema {other}; this version compares {SCHEMA}"));
            }
            _ => return Err("is not what pqc bench --json writes".into()),
        }
        let text = |value: &Read| value.as_str().map(str::to_owned);
        let header = document["header"].as_object().into_iter().flatten();
        let header = header.filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect();
        let rows = document["results"].as_array().into_iter().flatten();
        let rows: Option<Vec<EarlierRow>> =
            rows.filter(|row| row.get("row_version").is_some()).map(EarlierRow::read).collect();
        let rows = rows.ok_or("has a row without figures or samples")?;
        if rows.is_empty() {
            return Err("has no rows to compare with".into());
        }
        Ok(Earlier { header, rows })
    }

    /// A value of its header.
    pub fn header(&self, name: &str) -> Option<String> {
        self.header.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    }

    /// The names of what it measured, each once, comma between them: algorithms (0), operations (1).
    pub fn names(&self, which: usize) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in self.rows.iter().filter_map(|row| row.names.get(which)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names.join(",")
    }

    fn find(&self, id: &Id) -> Option<&EarlierRow> {
        let names = [id.algorithm.name(), id.operation.name(), id.isa.name()];
        self.rows.iter().find(|row| row.names == names)
    }

    /// Refuses rows that were not measured there, or under other terms, or by another definition. A backend that was not
    /// measured there is no reason, as long as one of the row was.
    ///
    /// # Errors
    /// The first reason, in words.
    pub fn is_comparable(&self, wanted: &[Id], terms: &Terms) -> Result<(), String> {
        for id in wanted {
            let what = format!("{} {}", id.algorithm.name(), id.operation.name());
            let of = |row: &&EarlierRow| {
                row.names.iter().zip([id.algorithm.name(), id.operation.name()]).all(|(a, b)| a == b)
            };
            let Some(row) = self.rows.iter().find(of) else { return Err(format!("has no row {what}")) };
            let version = id.operation.version();
            if row.version != version {
                return Err(format!(
                    "has version {} of the row {what}, this is version {version}",
                    row.version
                ));
            }
            let message = id.operation.has_message().then_some(terms.message_len as u64);
            let batch = terms.operations_of_a_call(id.operation) as u64;
            let names = ["threads", "operations of a call", "bytes of a message"];
            let here = [Some(terms.threads as u64), Some(batch), message];
            for ((name, there), here) in names.iter().zip(row.terms).zip(here) {
                if there != here {
                    let shown = |value: Option<u64>| value.map_or("none".into(), |value| value.to_string());
                    return Err(format!("{what}: {name}: {} there, {} here", shown(there), shown(here)));
                }
            }
        }
        Ok(())
    }

    /// A row and its change; `None` where the backend was not measured there.
    pub fn change(&self, row: &Row, seed: u64) -> Option<(&EarlierRow, Change)> {
        let earlier = self.find(&row.id)?;
        let change = ratio(&row.values(), &earlier.values, &mut Chance::new(seed))?;
        Some((earlier, Change(change)))
    }
}

impl EarlierRow {
    fn read(row: &Read) -> Option<EarlierRow> {
        let text = |name: &str| Some(row[name].as_str()?.to_owned());
        let names = [text("algorithm")?, text("operation")?, text("backend")?];
        let wholes =
            |name: &str| row[name].as_array()?.iter().map(Read::as_u64).collect::<Option<Vec<u64>>>();
        let (rounds, calls, times) = (wholes("sample_round")?, wholes("sample_call")?, wholes("sample_ns")?);
        let batch = row["batch"].as_u64()?;
        let operations = (batch * row["calls_per_sample"].as_u64()?).max(1);
        let varies = Operation::from_name(&names[1]).is_some_and(Operation::varies_with_input);
        let value = |((round, call), ns): ((u64, u64), u64)| {
            let input = if varies { call as usize % INPUTS } else { 0 };
            Value { round: round as u32, input, ns: ns as f64 / operations as f64 }
        };
        Some(EarlierRow {
            names,
            version: row["row_version"].as_u64()?,
            terms: [row["threads"].as_u64(), Some(batch), row["message_bytes"].as_u64()],
            values: rounds.into_iter().zip(calls).zip(times).map(value).collect(),
            median: row["median_ns"].as_f64()?,
            is_noisy: row["noisy"].as_bool()?,
        })
    }
}
