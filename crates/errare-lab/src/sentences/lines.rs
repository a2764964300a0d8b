//! Lines of play as text, with marks and alternatives.

use crate::numbers::{counted, grouped};
use crate::value_words::depth_phrase;
use crate::{LabError, LineEnd, LineOfPlay, LinePhase, LineResponse, Side, StrategyCompareResponse};
use errare_tables::{Metric, parse_fen_within};
use shakmaty::{Chess, Color, Position};

/// A number of men greater than any tables have.
const ANY_MEN: usize = 32;

impl StrategyCompareResponse {
    /// Describes what was compared, and how many wins there are.
    #[must_use]
    pub fn headline(&self) -> String {
        let of = match (self.sample, self.seed) {
            (Some(sample), Some(seed)) => format!("{} drawn by seed {seed}", counted(sample, "placement")),
            _ => "the whole endgame".to_owned(),
        };
        let (rule, wins) = (counted(self.rule, "move"), counted(self.wins, "win"));
        format!("{}, rule of {rule}, against {}: {wins} in {of}", self.material, self.defence)
    }

    /// Describes the positions in which all strategies slip, and strategies for which a sample was drawn.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = vec![format!("all of them slip: {}", grouped(self.all_slip.count))];
        lines.extend(self.all_slip.examples.iter().map(|fen| format!("  {fen}")));
        let drawn = self.strategies.iter().filter_map(|strategy| Some((&strategy.strategy, strategy.drawn?)));
        lines.extend(drawn.map(|(strategy, count)| {
            format!(
                "{strategy} was followed only from the wins of {} drawn by seed 0, not counted above",
                counted(count, "placement")
            )
        }));
        lines
    }
}

impl LineResponse {
    /// Writes the lines of play for people: what was asked, then a paragraph for each line and phase, which begins with
    /// the depths in the order of `metrics`, or DTZ first if that is empty. `fold` breaks the moves of a phase into
    /// lines.
    ///
    /// # Errors
    /// If the response has an invalid position or metric.
    pub fn movetext(&self, metrics: &[Metric], fold: impl Fn(&str) -> Vec<String>) -> Result<Vec<String>, LabError> {
        let start = parse_fen_within(&self.fen, ANY_MEN)?;
        let rule = match (self.rule, self.mleft) {
            (Some(rule), Some(left)) => format!("rule of {}, {left} left", counted(rule, "move")),
            _ => "no rule".to_owned(),
        };
        let header = format!("{} for White, {} for Black; {rule}", self.white, self.black);
        let mut texts = vec![self.fen.clone(), header];
        for line in &self.lines {
            texts.push(String::new());
            texts.extend(movetext(line, &start, metrics, &fold)?);
        }
        Ok(texts)
    }
}

/// Writes movetext with marks, a paragraph for each phase.
fn movetext(
    line: &LineOfPlay,
    start: &Chess,
    metrics: &[Metric],
    fold: impl Fn(&str) -> Vec<String>,
) -> Result<Vec<String>, LabError> {
    let mut texts = Vec::new();
    let starts: Vec<usize> = line.phases.iter().map(|phase| phase.ply).chain([line.moves.len()]).collect();
    for (phase, range) in line.phases.iter().zip(starts.windows(2)) {
        texts.push(format!("{{{}}}", depths(phase, metrics)?));
        let words: Vec<String> = (range[0]..range[1]).map(|ply| word(line, start, ply, ply == range[0])).collect();
        texts.extend(fold(&words.join(" ")));
    }
    let winner = parse_fen_within(&line.last, ANY_MEN)?.turn().other();
    texts.push(match line.end {
        LineEnd::Mate => format!("mate: {} wins", Side::from(winner).title()),
        LineEnd::Draw => "drawn".to_owned(),
        LineEnd::DrawClaim => format!("a draw can be claimed: {}", line.last),
        LineEnd::BrokenOff => format!("{{{}}}", line.last),
    });
    Ok(texts)
}

/// Writes the depths of a phase in the order asked for, or else DTZ first.
fn depths(phase: &LinePhase, metrics: &[Metric]) -> Result<String, LabError> {
    let usual = [Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr];
    let first = if metrics.is_empty() { &usual } else { metrics };
    let mut known = phase
        .depths
        .iter()
        .map(|(name, depth)| {
            Ok((name.parse().map_err(|_| LabError::Internal("a line has a depth in an unknown metric"))?, depth))
        })
        .collect::<Result<Vec<(Metric, _)>, LabError>>()?;
    known.sort_by_key(|(metric, _)| first.iter().position(|other| other == metric).unwrap_or(first.len()));
    let described = known.iter().map(|(metric, depth)| match depth_phrase(&depth.value(None), *metric).as_str() {
        "" => format!("{metric} draw"),
        words => format!("{metric} {words}"),
    });
    Ok(described.collect::<Vec<_>>().join("; "))
}

fn word(line: &LineOfPlay, start: &Chess, ply: usize, begins: bool) -> String {
    let mv = &line.moves[ply];
    // Plies since White's move of the number of the start.
    let plies = ply + usize::from(start.turn() == Color::Black);
    let number = start.fullmoves().get() as usize + plies / 2;
    let number = match plies % 2 {
        0 => format!("{number}. "),
        _ if begins => format!("{number}... "),
        _ => String::new(),
    };
    let is_error = mv.mark == "v" || mv.mark.starts_with('-');
    let others = if mv.alternatives.is_empty() || is_error {
        String::new()
    } else {
        format!(" [{}]", mv.alternatives.join(", "))
    };
    format!("{number}{}{}{others}", mv.san, mv.mark)
}
