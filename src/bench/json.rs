//! JSON as it is written: values in the order in which they are put in.
//!
//! Not serde_json's map, which takes random keys from the system.

use std::fmt::{self, Display, Formatter, Write};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Whole(u64),
    /// A number, with four digits behind the point at most; `null` where it is none.
    Real(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object of these members.
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// A string.
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    /// An array of integers.
    pub fn wholes(values: impl IntoIterator<Item = u64>) -> Json {
        Json::List(values.into_iter().map(Json::Whole).collect())
    }

    /// A value, or `null`.
    pub fn or_null<T>(value: Option<T>, json: impl FnOnce(T) -> Json) -> Json {
        value.map_or(Json::Null, json)
    }

    /// Two numbers, or `null`.
    pub fn interval(interval: Option<[f64; 2]>) -> Json {
        Json::or_null(interval, |ends| Json::List(ends.map(Json::Real).to_vec()))
    }
}

/// A string between quotation marks; whatever could steer a terminal is escaped.
fn quoted(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            ' '..='~' => f.write_char(c)?,
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
        }
    }
    f.write_char('"')
}

impl Display for Json {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Whole(value) => write!(f, "{value}"),
            Json::Real(value) if value.is_finite() => write!(f, "{}", (value * 1e4).round() / 1e4),
            Json::Real(_) => f.write_str("null"),
            Json::Text(text) => quoted(f, text),
            Json::List(values) => {
                f.write_char('[')?;
                for (i, value) in values.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{value}")?;
                }
                f.write_char(']')
            }
            Json::Object(members) => {
                f.write_char('{')?;
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    quoted(f, name)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let json = Json::object([
            ("text", Json::text("a\"\\\n\u{1f600}\u{9b}")),
            ("numbers", Json::List(vec![Json::Whole(u64::MAX), Json::Real(1.5), Json::Real(1e-9)])),
            ("none", Json::List(vec![Json::Null, Json::Real(f64::NAN), Json::Bool(true)])),
        ]);
        let text = json.to_string();
        assert!(text.is_ascii(), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read["text"], "a\"\\\n\u{1f600}\u{9b}");
        assert_eq!((read["numbers"][0].as_u64(), read["numbers"][1].as_f64()), (Some(u64::MAX), Some(1.5)));
        assert!(read["none"][1].is_null());
    }
}
