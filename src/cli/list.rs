//! `pqc list`: the algorithms of this build, and every backend.

use super::report::{Object, Report};
use crate::algorithm::Algorithm;
use crate::error::{Error, IsaError};
use crate::isa::Isa;
use crate::kem::SharedSecret;
use anyhow::Result;

/// Runs the command.
///
/// # Errors
/// None.
pub fn run(isa: Isa, report: &mut Report) -> Result<u8> {
    let mut table = vec![
        ["ALGORITHM", "FAMILY", "LEVEL", "STATUS", "PUBLIC", "PRIVATE", "SIGNATURE", "CIPHERTEXT", "BACKEND"]
            .map(str::to_owned),
    ];
    for algorithm in Algorithm::ALL {
        let signature = match algorithm {
            Algorithm::Falcon(params) => Some(params.padded_len()),
            Algorithm::Kyber(_) | Algorithm::Ntru(_) => None,
        };
        let cell = |len: Option<usize>| len.map_or_else(|| "-".into(), |len| len.to_string());
        table.push([
            algorithm.name().into(),
            algorithm.family().into(),
            algorithm.security_level().to_string(),
            algorithm.status().name().into(),
            algorithm.public_key_len().to_string(),
            algorithm.private_key_len().to_string(),
            cell(signature),
            cell(algorithm.ciphertext_len()),
            isa.name().into(),
        ]);
        let mut object = Object::new();
        object.insert("kind".into(), "algorithm".into());
        object.insert("algorithm".into(), algorithm.name().into());
        object.insert("name".into(), algorithm.display_name().into());
        object.insert("family".into(), algorithm.family().into());
        object.insert("security_level".into(), algorithm.security_level().into());
        object.insert("status".into(), algorithm.status().name().into());
        object.insert("oid".into(), algorithm.object_identifier().to_string().into());
        object.insert("public_key_bytes".into(), algorithm.public_key_len().into());
        object.insert("private_key_bytes".into(), algorithm.private_key_len().into());
        if let Algorithm::Falcon(params) = algorithm {
            object.insert("signature_bytes".into(), params.padded_len().into());
            object.insert("signature_max_bytes".into(), params.compressed_max_len().into());
        }
        if let Some(len) = algorithm.ciphertext_len() {
            object.insert("ciphertext_bytes".into(), len.into());
            object.insert("shared_secret_bytes".into(), SharedSecret::LEN.into());
        }
        object.insert("backend".into(), isa.name().into());
        report.result(object);
    }
    print_table(&table, report);
    report.line("");
    let mut table = vec![["BACKEND", "STATE", "FEATURES"].map(str::to_owned)];
    for name in backend_names(isa) {
        let state = state(name, isa);
        let features = features(name);
        table.push([name.into(), state.into(), features.join(" ")]);
        let mut object = Object::new();
        object.insert("kind".into(), "backend".into());
        object.insert("backend".into(), name.into());
        object.insert("state".into(), state.into());
        object.insert("features".into(), features.into());
        report.result(object);
    }
    print_table(&table, report);
    Ok(0)
}

/// Every backend name of the product, without a second name for one that this build has, and without levels that
/// lack their extra features, unless one is in use.
pub fn backend_names(in_use: Isa) -> impl Iterator<Item = &'static str> {
    Isa::known_names().filter(move |name| match Isa::from_name(name) {
        Ok(isa) => isa.name() == *name && (!isa.is_base() || isa == in_use),
        Err(_) => !name.ends_with("-base"),
    })
}

/// The processor features that a backend uses here.
pub fn features(name: &str) -> &'static [&'static str] {
    Isa::from_name(name).map_or(&[], Isa::features)
}

/// What a backend is to this build and processor.
pub fn state(name: &str, in_use: Isa) -> &'static str {
    match Isa::from_name(name) {
        Ok(isa) if isa == in_use => "in use",
        Ok(_) => "available",
        Err(Error::Isa { why: IsaError::NotSupported, .. }) => "built but not supported by this processor",
        Err(_) => "not in this build",
    }
}

/// Prints columns of the width of their widest cell.
pub fn print_table<R: AsRef<[String]>>(rows: &[R], report: &mut Report) {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.as_ref().get(column)).map(|cell| cell.chars().count()).max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    for row in rows {
        let cells = row.as_ref().iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        report.line(line.trim_end());
    }
}
