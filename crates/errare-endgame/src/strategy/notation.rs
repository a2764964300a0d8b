//! The notation of strategies: reading and writing.

use super::{Part, Strategy};
use errare_tables::Metric;
use errare_work::did_you_mean;
use std::fmt;
use std::str::FromStr;

/// The strategies of Haworth (2000) that people name most.
const WELL_KNOWN: [&str; 14] =
    ["SZ", "SC", "SM", "SR", "SRP", "SZ50", "SMC", "SZCM", "SC*", "SM*", "SMC*", "SA1", "SA2", "SR3ZCM*"];

/// The name of the strategy that allows every move that keeps the value.
const ANY: &str = "any";

/// Suggests the strategy that was meant by a text that does not begin with S.
fn with_s(text: &str) -> String {
    let whole = format!("S{text}");
    match whole.parse::<Strategy>() {
        Ok(strategy) => format!("; did you mean {strategy}?"),
        Err(_) => did_you_mean(text, WELL_KNOWN),
    }
}

/// A text that is not a valid strategy, and the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The text does not begin with S.
    #[error("invalid strategy `{0}`: expected S and its parts, as in SZ or SMC*{near}", near = with_s(.0))]
    NoS(String),
    /// Nothing follows the S.
    #[error("invalid strategy `{0}`: expected parts after S, such as Z, C, M, R, Z', R3, Z50, or A1, A2")]
    Empty(String),
    /// A letter is not a part of a strategy.
    #[error(
        "invalid strategy `{text}`: unknown part `{found}` at character {place}: expected Z, C, M, R, P, Z' or R1 to R4{}",
        did_you_mean(.text, WELL_KNOWN)
    )]
    Part {
        /// The text of the strategy.
        text: String,
        /// The letter that names no part.
        found: char,
        /// The place of the letter in the text, from 1.
        place: usize,
    },
    /// A part cannot have this number.
    #[error("invalid strategy `{text}`: expected {what} at character {place}")]
    Number {
        /// The text of the strategy.
        text: String,
        /// A description of what is expected.
        what: &'static str,
        /// The place of the number in the text, from 1.
        place: usize,
    },
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Strategy, StrategyError> {
        if text.eq_ignore_ascii_case(ANY) {
            return Ok(Strategy::ANY);
        }
        let Some(rest) = text.strip_prefix(['S', 's']) else { return Err(StrategyError::NoS(text.to_owned())) };
        match rest {
            "" | "*" => return Err(StrategyError::Empty(text.to_owned())),
            "A1" | "A_1" | "a1" => return Ok(Strategy::A1),
            "A2" | "A_2" | "a2" => return Ok(Strategy::A2),
            _ => {}
        }
        let (body, starred) = rest.strip_suffix('*').map_or((rest, false), |body| (body, true));
        let letters: Vec<char> = body.chars().collect();
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(&letter) = letters.get(at) {
            // The number of the letter, the S before it counted.
            let place = at + 2;
            at += 1;
            let wrong = |what| StrategyError::Number { text: text.to_owned(), what, place: place + 1 };
            let has_underscore = letters.get(at) == Some(&'_');
            let digits: String =
                letters[at + usize::from(has_underscore)..].iter().take_while(|c| c.is_ascii_digit()).collect();
            let taken = digits.len() + usize::from(has_underscore);
            parts.push(match letter.to_ascii_uppercase() {
                'Z' if letters.get(at) == Some(&'\'') => {
                    at += 1;
                    Part::Guard
                }
                'Z' if taken > 0 => {
                    let moves = digits.parse().ok().filter(|moves| (1..=9999).contains(moves));
                    at += taken;
                    Part::Minimax(Metric::DtzRule(moves.ok_or(wrong("a move rule from 1 to 9999"))?))
                }
                'R' if taken > 0 => {
                    let kind = digits.parse().ok().filter(|kind| (1..=4).contains(kind));
                    at += taken;
                    Part::Goal(kind.ok_or(wrong("R1 to R4"))?)
                }
                'Z' => Part::Minimax(Metric::Dtz),
                'C' => Part::Minimax(Metric::Dtc),
                'M' => Part::Minimax(Metric::Dtm),
                'R' => Part::Minimax(Metric::Dtr),
                'P' => Part::Phase,
                _ => return Err(StrategyError::Part { text: text.to_owned(), found: letter, place }),
            });
        }
        Ok(Strategy::Parts { parts, starred })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Minimax(Metric::Dtz) => f.write_str("Z"),
            Part::Minimax(Metric::Dtc) => f.write_str("C"),
            Part::Minimax(Metric::Dtm) => f.write_str("M"),
            Part::Minimax(Metric::Dtr) => f.write_str("R"),
            Part::Minimax(Metric::DtzRule(moves)) => write!(f, "Z{moves}"),
            Part::Phase => f.write_str("P"),
            Part::Guard => f.write_str("Z'"),
            Part::Goal(kind) => write!(f, "R{kind}"),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::A1 => f.pad("SA1"),
            Strategy::A2 => f.pad("SA2"),
            any if *any == Strategy::ANY => f.pad(ANY),
            Strategy::Parts { parts, starred } => {
                let parts: String = parts.iter().map(Part::to_string).collect();
                f.pad(&format!("S{parts}{}", if *starred { "*" } else { "" }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place_of_a_fault() {
        let refused = |text: &str| text.parse::<Strategy>().map_err(|error| error.to_string()).err();
        for (text, words) in [
            ("ZC", "expected S and its parts, as in SZ or SMC*; did you mean SZC?"),
            ("XMC", "as in SZ or SMC*; did you mean SMC?"),
            ("SZKM", "expected Z, C, M, R, P, Z' or R1 to R4; did you mean SZCM?"),
            ("S", "expected parts after S"),
            ("S*", "expected parts after S"),
            ("SZQ", "unknown part `Q` at character 3"),
            ("SZ*C", "unknown part `*` at character 3"),
            ("SC'", "unknown part `'` at character 3"),
            ("SR5", "R1 to R4 at character 3"),
            ("SZ0", "from 1 to 9999 at character 3"),
            ("SMR_", "R1 to R4 at character 4"),
            ("SA3", "unknown part `A` at character 2"),
        ] {
            let found = refused(text).unwrap_or_default();
            assert!(found.contains(words), "{text}: {found}");
        }
    }
}
