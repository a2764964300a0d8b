//! A position that tables know, with the probabilities of an agent, and how UCI shows it.

use crate::options::EngineOptions;
use crate::scores::{table_chances, table_score, uci};
use crate::search::key;
use errare_endgame::{EndgameError, Judgement, Options, Oracle};
use errare_tables::{Successor, successors};
use errare_uci::server::{Info, Message};
use shakmaty::{Move, Position};
use std::cmp::Reverse;
use std::time::Duration;

/// A position with the judgement of an agent on the moves that are allowed.
pub struct JudgedPosition<'a> {
    oracle: &'a Oracle,
    options: Options,
    judgement: Judgement,
    successors: Vec<Successor>,
    /// The Zobrist keys of the positions that came before.
    past: &'a [u64],
    /// Places of the moves that may be made, best first by the metric.
    allowed: Vec<usize>,
    probabilities: Vec<f64>,
}

impl<'a> JudgedPosition<'a> {
    /// Restricts the agent to the moves that are allowed; if the agent would make none of them, the best of them gets
    /// all probability.
    pub fn new(
        oracle: &'a Oracle,
        options: Options,
        judgement: Judgement,
        past: &'a [u64],
        allowed: &[Move],
    ) -> Result<JudgedPosition<'a>, EndgameError> {
        let candidates = &options.candidates;
        let mut places: Vec<usize> = (0..candidates.len()).collect();
        places.retain(|&place| allowed.contains(&candidates[place].choice().mv));
        places.sort_by_key(|&place| Reverse((candidates[place].state(), candidates[place].choice().rank)));
        let sum: f64 = places.iter().map(|&place| judgement.probabilities[place]).sum();
        let mut probabilities = vec![0.0; candidates.len()];
        if sum > 0.0 {
            places.iter().for_each(|&place| probabilities[place] = judgement.probabilities[place] / sum);
        } else {
            places.first().iter().for_each(|&&best| probabilities[best] = 1.0);
        }
        // In the order of the candidates.
        let successors = successors(&**oracle.source(), &options.position, oracle.metric())?;
        Ok(JudgedPosition { oracle, options, judgement, successors, past, allowed: places, probabilities })
    }

    /// The probability of each move, by its place.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The move at a place of the position's list.
    pub fn move_at(&self, place: usize) -> Move {
        self.options.candidates[place].choice().mv
    }

    /// The best reply to a move; none where the game is over or can be claimed as drawn.
    pub fn reply(&self, place: usize) -> Option<Move> {
        let after = self.options.after(place);
        let is_third = self.past.iter().filter(|&&before| before == key(&after)).count() >= 2;
        if after.halfmoves() >= 100 || is_third || after.is_insufficient_material() {
            return None;
        }
        let theirs = self.oracle.options(&after).ok()?;
        theirs.optimal().first().map(|&best| theirs.candidates[best].choice().mv)
    }

    /// The lines to show: the candidates, best first, with their probabilities, or with MultiPV 1 the move chosen.
    /// `depth` is the depth that was asked for: the values of tables hold at every depth.
    pub fn messages(&self, options: &EngineOptions, chosen: usize, depth: u32, time: Duration) -> Vec<Message> {
        if options.multi_pv == 1 {
            return vec![Message::Info(Info { depth, ..self.info(options, chosen, None, time) })];
        }
        let shown = (1..).zip(self.allowed.iter().take(options.multi_pv));
        let lines = shown.flat_map(|(number, &place)| {
            let figure = match (self.judgement.figure, self.judgement.figures[place]) {
                (Some(figure), Some(value)) => format!(", {} {value:.4}", figure.name()),
                _ => String::new(),
            };
            let mv = uci(self.move_at(place));
            let words = format!("{mv} probability {:.6}{figure}", self.probabilities[place]);
            [Message::Info(Info { depth, ..self.info(options, place, Some(number), time) }), Message::Text(words)]
        });
        lines.collect()
    }

    fn info(&self, options: &EngineOptions, place: usize, number: Option<u32>, time: Duration) -> Info {
        let (successor, fifty) = (&self.successors[place], options.play.fifty);
        let looked_up = self.successors.len() as u64;
        Info {
            depth: 1,
            multi_pv: number,
            score: Some(table_score(self.oracle.metric(), successor, fifty)),
            chances: options.show_wdl.then(|| table_chances(successor.value.outcome, fifty)),
            nodes: looked_up,
            time: time.as_millis() as u64,
            table_hits: Some(looked_up),
            line: [Some(successor.mv), self.reply(place)].into_iter().flatten().map(uci).collect(),
        }
    }
}
