//! Matches and predictions in plain sentences.

use crate::numbers::{counted, grouped};
use crate::{
    ApparentCompetence, ChooseResponse, ContestResponse, MarkovOutlook, MarkovResponse, MatchResponse,
    MatchScoreSummary, PredictResponse, Side, WholeGamesResponse,
};
use errare_endgame::Hold;

impl MatchResponse {
    /// Describes the match in plain sentences, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let percent = |part: u64| format!("{:.1}%", 100.0 * part as f64 / self.games.max(1) as f64);
        let share = |part: u64| format!("{} ({})", grouped(part), percent(part));
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, games)| format!("{} {}", reason.name(), grouped(*games))).collect();
        // Where colours are exchanged the figures of a side are those of an agent.
        let side = |side: Side| match side {
            Side::White if self.both_colours => self.names.white.clone(),
            Side::Black if self.both_colours => self.names.black.clone(),
            side => side.title().to_owned(),
        };
        let apparent = |agent: &str, seen: &ApparentCompetence| {
            let who = if self.both_colours { agent.to_owned() } else { format!("{} ({agent})", side(seen.side)) };
            format!("apparent c of {who}: mean {:.3}, sd {:.3}, {:.2} to {:.2}", seen.mean, seen.sd, seen.min, seen.max)
        };
        let error = self.sd_moves / (self.games.max(1) as f64).sqrt();
        let (players, model, seed) = (counted(self.games, "game"), self.model.sentence(), self.seed);
        let results = &self.results;
        let mut lines = vec![
            match_heading(self),
            format!(
                "{players}, {} against {}{} ({model}; seed {seed})",
                self.names.white,
                self.names.black,
                if self.both_colours { ", each with both colours" } else { "" }
            ),
            format!(
                "results: 1-0 {}, 0-1 {}, drawn {}; by {}",
                share(results.white),
                share(results.black),
                share(results.drawn),
                reasons.join(", ")
            ),
            format!(
                "moves: mean {:.2} (standard error {error:.2}), sd {:.2}, {} to {}",
                self.mean_moves, self.sd_moves, self.min_moves, self.max_moves
            ),
            format!(
                "won before a draw could be claimed by the {}-move rule: {}",
                self.fifty_moves.moves,
                share(self.fifty_moves.won)
            ),
            apparent(&self.names.white, &self.apparent_c_by_side.white),
            apparent(&self.names.black, &self.apparent_c_by_side.black),
        ];
        if let Some(score) = &self.score {
            lines.insert(3, score_sentence(&self.names.white, score));
        }
        if !self.broken.is_empty() {
            lines.push(format!("broken and not counted: {}", counted(self.broken.len() as u64, "game")));
        }
        if let Some(first) = &self.first_concession {
            lines.push(format!(
                "the value changed hands in {} ({}): first by {} in {}, by {} in {}, \
                 after {:.1} moves of theirs on average (sd {:.1})",
                counted(first.games, "game"),
                percent(first.games),
                side(Side::White),
                grouped(first.white),
                side(Side::Black),
                grouped(first.black),
                first.mean_moves,
                first.sd_moves
            ));
        }
        lines
    }
}

impl WholeGamesResponse {
    /// Describes the games in plain sentences, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, games)| format!("{} {}", reason.name(), grouped(*games))).collect();
        let (results, names) = (&self.results, &self.names);
        let mut lines = vec![
            self.fen.clone().unwrap_or_else(|| format!("{} positions", grouped(self.positions as u64))),
            format!(
                "{}, {} against {}{} (seed {})",
                counted(self.games, "whole game"),
                names.white,
                names.black,
                if self.both_colours { ", each with both colours" } else { "" },
                self.seed
            ),
            format!(
                "results: 1-0 {}, 0-1 {}, drawn {}; by {}",
                grouped(results.white),
                grouped(results.black),
                grouped(results.drawn),
                reasons.join(", ")
            ),
        ];
        lines.extend(self.score.as_ref().map(|score| score_sentence(&names.white, score)));
        lines.push(format!("moves: mean {:.1}, {} to {}", self.mean_moves, self.min_moves, self.max_moves));
        if let Some(advice) = &self.advice {
            let who = advice.engine.as_deref().unwrap_or("our own search");
            lines.push(format!("moves were evaluated by {who} at depth {}", advice.depth));
            lines.extend(advice.caveats.iter().map(|caveat| format!("note: {caveat}")));
        }
        if !self.broken.is_empty() {
            lines.push(format!("broken and not counted: {}", counted(self.broken.len() as u64, "game")));
        }
        lines
    }
}

/// Describes a score in words: points, share, and the difference in Elo with its interval.
fn score_sentence(player: &str, score: &MatchScoreSummary) -> String {
    let games = score.won + score.drawn + score.lost;
    let halves = 2 * score.won + score.drawn;
    let points = format!("{}{}", grouped(halves / 2), if halves % 2 == 1 { ".5" } else { "" });
    let [low, high] = score.elo_interval;
    let by_pairs = score.pairs.map_or_else(String::new, |pairs| {
        format!(" (by {} {})", grouped(pairs), if pairs == 1 { "pair" } else { "pairs" })
    });
    format!(
        "score of {player}: {points} of {} ({:.1}%); Elo difference {:+.0}, 95% interval {:+.0} to {:+.0}{by_pairs}",
        grouped(games),
        100.0 * score.share,
        score.elo.0,
        low.0,
        high.0
    )
}

/// The first line on a match: the position, or how many positions there are.
fn match_heading(found: &MatchResponse) -> String {
    found.fen.clone().unwrap_or_else(|| format!("{} positions", grouped(found.starts.len() as u64)))
}

impl PredictResponse {
    /// Describes the prediction in plain sentences, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let depth = self.depth.map_or_else(String::new, |depth| format!(" in {}", counted(depth, "move")));
        let (side, model) = (self.fallible.title(), &self.model);
        let mut lines = vec![
            self.fen.clone(),
            format!("{side} errs, competence {} ({})", self.competence, model.sentence()),
            format!("for {side}: {}{depth} by {}", self.outcome.name(), model.metric),
            format!("expected: {} moves, sd {}", readable(self.expected_moves), readable(self.sd_moves)),
        ];
        lines.extend(self.sample.map(|sample| format!("estimated from {} placements", grouped(sample))));
        lines.extend(self.within.iter().map(|(moves, chances)| {
            format!(
                "within {} ({} left): {side} has won with probability {:.4}, lost {:.4}",
                counted(*moves, "move"),
                chances.left,
                chances.won,
                chances.lost
            )
        }));
        lines
    }
}

/// Formats a number with as many digits as are meaningful.
fn readable(number: f64) -> String {
    if number < 1e6 { format!("{number:.1}") } else { format!("{number:.2e}") }
}

impl ContestResponse {
    /// Describes what was played and by which model, in two lines.
    #[must_use]
    pub fn headline(&self) -> String {
        let depths = self.starts.iter().map(|start| start.depth);
        format!(
            "{}: {} of White, {} {} to {}; engines without tables against the infallible player\n\
             ({}; grid {}; seed {})",
            self.material,
            counted(self.starts.len(), "win"),
            self.model.metric,
            depths.clone().min().unwrap_or(0),
            counted(depths.max().unwrap_or(0), "move"),
            self.model.sentence(),
            self.grid,
            self.seed
        )
    }
}

impl ChooseResponse {
    /// Describes the move that was chosen, by which agent and which model.
    #[must_use]
    pub fn headline(&self) -> String {
        let who = match (&self.competence, &self.opponent, self.mleft) {
            (_, Some(opponent), _) => format!("{} against {opponent}", self.agent),
            (Some(c), ..) => {
                let like = self.like.as_ref().map_or_else(String::new, |like| format!(", {} here", like.words));
                format!("{} of competence {c}{like}", self.agent)
            }
            (.., Some(left)) => format!("{}, {} left", self.agent, counted(left, "move")),
            _ => self.agent.clone(),
        };
        format!("{} ({who}; {}; seed {})", self.chosen.san, self.model.sentence(), self.seed)
    }

    /// Describes which moves of the sweep are best, and where one gives way to another, after an empty line; no lines
    /// without a sweep.
    #[must_use]
    pub fn sweep_sentences(&self) -> Vec<String> {
        let Some(sweep) = &self.sweep else { return Vec::new() };
        let best = sweep
            .best
            .iter()
            .map(|best| format!("best for c from {:.2} to {:.2}: {}", best.from, best.to, best.moves.join(", ")));
        let crossovers = sweep
            .crossovers
            .iter()
            .map(|cross| format!("{} gives way to {} at c = {:.2}", cross.below, cross.above, cross.competence));
        std::iter::once(String::new()).chain(best).chain(crossovers).collect()
    }
}

impl MarkovResponse {
    /// Describes each competence beside the lengths: the condition number, and how drawn positions end.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let condition =
            |outlook: &MarkovOutlook| format!("c = {}: condition {:.3e}", outlook.competence, outlook.condition);
        let draw = |outlook: &MarkovOutlook| {
            let free = *self.model.hold == Hold::Nothing || self.opponent.is_some();
            let draw = outlook.draw.as_ref().filter(|draw| free && (draw.lost > 0.0 || draw.won > 0.0))?;
            Some(format!(
                "; from a drawn position {:.1} moves to the end, won {:.4}, lost {:.4}, drawn for good {:.4}",
                draw.length, draw.won, draw.lost, draw.drawn
            ))
        };
        self.results.iter().map(|outlook| condition(outlook) + &draw(outlook).unwrap_or_default()).collect()
    }
}
