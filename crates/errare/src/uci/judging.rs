//! What tables and an agent make of a position, and how it is shown.

use super::options::Choices;
use super::search::key;
use super::telling::{table_chances, table_score, uci};
use errare_endgame::{EndgameError, Judgement, Options, Oracle};
use errare_tables::{Successor, successors};
use errare_uci::server::{Info, Message};
use shakmaty::{Move, Position};
use std::cmp::Reverse;
use std::time::Duration;

/// A position with the judgement of an agent, of which some moves may be left out.
pub struct Judged<'a> {
    oracle: &'a Oracle,
    options: Options,
    judgement: Judgement,
    successors: Vec<Successor>,
    /// Keys of the positions that came before.
    past: &'a [u64],
    /// Places of the moves that may be made, best first by the metric.
    allowed: Vec<usize>,
    probabilities: Vec<f64>,
}

impl<'a> Judged<'a> {
    /// The probabilities of the agent among the moves that are allowed; if it would make none of them, the best of them.
    pub fn new(
        oracle: &'a Oracle,
        options: Options,
        judgement: Judgement,
        past: &'a [u64],
        allowed: &[Move],
    ) -> Result<Judged<'a>, EndgameError> {
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
        Ok(Judged { oracle, options, judgement, successors, past, allowed: places, probabilities })
    }

    /// By place of the move.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    pub fn move_at(&self, place: usize) -> Move {
        self.options.candidates[place].choice().mv
    }

    /// The best reply to a move; none where the game is over, or can be claimed to be.
    pub fn reply(&self, place: usize) -> Option<Move> {
        let after = self.options.after(place);
        let is_third = self.past.iter().filter(|&&before| before == key(&after)).count() >= 2;
        if after.halfmoves() >= 100 || is_third || after.is_insufficient_material() {
            return None;
        }
        let theirs = self.oracle.options(&after).ok()?;
        theirs.optimal().first().map(|&best| theirs.candidates[best].choice().mv)
    }

    /// The candidates, best first, with their probabilities; or, if only one line is wanted, what was chosen.
    pub fn told(&self, choices: &Choices, chosen: usize, time: Duration) -> Vec<Message> {
        if choices.multi_pv == 1 {
            return vec![Message::Info(self.info(choices, chosen, None, time))];
        }
        let shown = (1..).zip(self.allowed.iter().take(choices.multi_pv));
        let lines = shown.flat_map(|(number, &place)| {
            let figure = match (self.judgement.figure, self.judgement.figures[place]) {
                (Some(figure), Some(value)) => format!(", {} {value:.4}", figure.name()),
                _ => String::new(),
            };
            let mv = uci(self.move_at(place));
            let words = format!("{mv} probability {:.6}{figure}", self.probabilities[place]);
            [Message::Info(self.info(choices, place, Some(number), time)), Message::Text(words)]
        });
        lines.collect()
    }

    fn info(&self, choices: &Choices, place: usize, number: Option<u32>, time: Duration) -> Info {
        let (successor, fifty) = (&self.successors[place], choices.character.fifty);
        let looked_up = self.successors.len() as u64;
        Info {
            depth: 1,
            multi_pv: number,
            score: Some(table_score(self.oracle.metric(), successor, fifty)),
            chances: choices.show_wdl.then(|| table_chances(successor.value.outcome, fifty)),
            nodes: looked_up,
            time: time.as_millis() as u64,
            table_hits: Some(looked_up),
            line: [Some(successor.mv), self.reply(place)].into_iter().flatten().map(uci).collect(),
        }
    }
}
