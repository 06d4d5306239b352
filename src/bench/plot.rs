//! A bar chart as SVG, written by hand: one panel an operation, one bar a backend, shorter is better.
//!
//! The bars of a panel share a scale, so that lengths within it are the ratios; a thin line spans the quartiles. The
//! figures stand beside the bars, and at the end what the marks mean.

use super::environment::Environment;
use super::row::Row;
use super::units::time;

/// Colours that people tell apart whatever colours they see (Okabe and Ito, 2008).
const COLOURS: [&str; 8] =
    ["#999999", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#f0e442"];

const WIDTH: usize = 900;
/// Where bars begin, and the length of the longest.
const LEFT: usize = 110;
const LENGTH: f64 = 420.0;
/// Heights of a bar with its room, of a panel's title with its room, of the page's title.
const BAR: usize = 20;
const TITLE: usize = 34;
const TOP: usize = 78;
const BOTTOM: usize = 62;

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn text(x: usize, y: usize, size: usize, anchor: &str, content: &str) -> String {
    let content = escaped(content);
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{content}</text>\n")
}

/// The whole picture.
pub fn svg(environment: &Environment, rows: &[Row]) -> String {
    let panels: Vec<&[Row]> =
        rows.chunk_by(|a, b| (a.id.algorithm, a.id.operation) == (b.id.algorithm, b.id.operation)).collect();
    let height = TOP + panels.iter().map(|panel| TITLE + BAR * panel.len()).sum::<usize>() + BOTTOM;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    out += &text(20, 30, 18, "start", "Time of one operation (shorter bars are better)");
    let of = |name| environment.get(name);
    let dirty = if of("dirty") == "no" {
        ""
    } else {
        ", with changes that are in no commit, or not known to have none"
    };
    out += &text(20, 50, 12, "start", of("processor"));
    let build = format!("pqc {}, commit {}{dirty}; {}", of("version"), of("commit"), of("compiler"));
    out += &text(20, 66, 12, "start", &build);
    let mut y = TOP;
    for panel in panels {
        y += TITLE;
        let Some(first) = panel.first() else { continue };
        let of_batch =
            if first.batch > 1 { format!(" ({} at once, time of one)", first.batch) } else { String::new() };
        let of_threads =
            if first.threads > 1 { format!(", {} threads", first.threads) } else { String::new() };
        let title =
            format!("{} {}{of_batch}{of_threads}", first.id.algorithm.name(), first.id.operation.name());
        out += &text(20, y - 8, 14, "start", &title);
        let longest = panel.iter().map(|row| row.summary.upper_quartile).fold(f64::MIN_POSITIVE, f64::max);
        let at = |ns: f64| LEFT as f64 + LENGTH * ns / longest;
        for row in panel {
            let (summary, middle) = (&row.summary, y + BAR / 2);
            let colour = crate::isa::Isa::ALL.iter().position(|isa| *isa == row.id.isa).unwrap_or(0);
            let colour = COLOURS[colour % COLOURS.len()];
            let length = at(summary.median) - LEFT as f64;
            out += &text(LEFT - 8, middle + 4, 12, "end", row.id.isa.name());
            out += &format!(
                "<rect x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" fill=\"{colour}\"/>\n",
                y + 3,
                BAR - 6
            );
            out += &format!(
                "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"black\"/>\n",
                at(summary.lower_quartile),
                at(summary.upper_quartile)
            );
            let mut figures = time(summary.median);
            if let Some(ratio) = row.ratio {
                figures += &format!(", {:.2} times as fast as scalar", ratio.value);
            }
            for mark in row.marks() {
                figures += &format!(", {mark}");
            }
            let x = at(summary.upper_quartile.max(summary.median)) as usize + 8;
            out += &text(x, middle + 4, 12, "start", &figures);
            y += BAR;
        }
    }
    for (line, note) in [
        "Bars: medians, with one scale for each operation. Black lines: from the lower to the upper quartile.",
        "noisy: the machine was not quiet enough to trust this figure to a few percent. few: fewer than 100 samples.",
    ]
    .iter()
    .enumerate()
    {
        out += &text(20, y + 24 + 18 * line, 11, "start", note);
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_end_the_markup() {
        assert_eq!(escaped("<a & \"b\">\u{1b}"), "&lt;a &amp; &quot;b&quot;&gt; ");
    }
}
