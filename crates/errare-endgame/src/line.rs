//! Lines of play between two strategies, with the marks of Haworth (2000).

use crate::error::EndgameError;
use crate::move_rule::MoveRule;
use crate::strategy::{Goals, Part, Situation, Strategy};
use errare_tables::{Metric, Outcome, Source, Value};
use errare_work::{Progress, Status};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{ByColor, Chess, Move, Position};
use std::sync::Arc;

/// The choice where a strategy allows several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first move in the order of the squares from and to, a1 before b1.
    First,
    /// A random move, drawn by this seed.
    Seed(u64),
}

/// A move of a line, with the facts that its mark shows.
#[derive(Clone, Debug)]
pub struct MarkedMove {
    /// The position that the move is made in.
    pub position: Chess,
    /// The move that is made.
    pub mv: Move,
    /// The moves that the strategy of the side to move allows.
    pub allowed: Vec<Move>,
    /// Whether the move is the only legal one.
    pub only_legal: bool,
    /// Whether the move is the only one that keeps the theoretical value.
    pub only_keeping: bool,
    /// Number of winner's moves by which the move is worse than the strategy's best, by the first metric of the
    /// strategy.
    pub worse_by: u16,
    /// Whether the move changes the theoretical value.
    pub changes_value: bool,
}

impl MarkedMove {
    /// The mark of the move: ° only legal, " only value-preserving, ' only one of the strategy, v value-changing, -n
    /// worse by n.
    pub fn mark(&self) -> String {
        if self.changes_value {
            "v".to_owned()
        } else if self.only_legal {
            "°".to_owned()
        } else if self.only_keeping {
            "\"".to_owned()
        } else if self.worse_by > 0 {
            format!("-{}", self.worse_by)
        } else if self.allowed == [self.mv] {
            "'".to_owned()
        } else {
            String::new()
        }
    }

    /// The other moves that the strategy allows.
    pub fn alternatives(&self) -> impl Iterator<Item = Move> + '_ {
        self.allowed.iter().copied().filter(|&mv| mv != self.mv)
    }
}

/// The beginning of a phase, with its depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseStart {
    /// The number of moves of the line before the phase.
    pub ply: usize,
    /// The depths of the position in each metric asked for.
    pub depths: Vec<(Metric, Value)>,
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The line ends with checkmate.
    Mate,
    /// The line ends with stalemate, or nothing is left to mate with.
    Dead,
    /// A draw can be claimed by the rule.
    Claim,
    /// The line has reached its greatest number of plies.
    Length,
}

/// A line of play with marked moves.
#[derive(Clone, Debug)]
pub struct MarkedLine {
    /// The moves of the line, in their order.
    pub moves: Vec<MarkedMove>,
    /// The beginnings of the line's phases.
    pub phases: Vec<PhaseStart>,
    /// The last position of the line.
    pub last: Chess,
    /// The reason why the line ends.
    pub end: LineEnd,
}

/// A player of lines in which both sides follow strategies.
#[derive(Clone)]
pub struct LinePlayer {
    /// The tables that give depths.
    pub source: Arc<dyn Source>,
    /// The strategy of either side.
    pub strategies: ByColor<Strategy>,
    /// The move rule in force.
    pub rule: MoveRule,
    /// The greatest number of plies of a line.
    pub plies: usize,
    /// The metrics of the depths at the beginnings of phases.
    pub metrics: Vec<Metric>,
}

impl LinePlayer {
    /// Plays a line from a position.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn line(&self, start: &Chess, pick: Pick, progress: &dyn Progress) -> Result<MarkedLine, EndgameError> {
        let mut random = match pick {
            Pick::First => None,
            Pick::Seed(seed) => Some(Pcg64::seed_from_u64(seed)),
        };
        let mut choose = |allowed: &[Move]| match &mut random {
            Some(random) => allowed[random.random_range(0..allowed.len())],
            None => allowed[0],
        };
        self.follow(start, |_, allowed| Some(choose(allowed)), progress)
    }

    /// Marks given moves by the strategies. The line ends with the last of them.
    ///
    /// # Errors
    /// If a move is illegal, a table is missing or damaged, or the work is cancelled.
    pub fn mark(&self, start: &Chess, moves: &[Move], progress: &dyn Progress) -> Result<MarkedLine, EndgameError> {
        self.follow(start, |ply, _| moves.get(ply).copied(), progress)
    }

    /// Plays all lines, depth first, but at most `most` of them.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn all(&self, start: &Chess, most: usize, progress: &dyn Progress) -> Result<Vec<MarkedLine>, EndgameError> {
        let mut lines: Vec<MarkedLine> = Vec::new();
        // At each ply of the line in work, which of the allowed moves it takes.
        let mut path: Vec<(usize, usize)> = Vec::new();
        while lines.len() < most {
            progress.report(&Status::new("playing lines", "lines").at(lines.len() as u64, most as u64));
            let mut ply_path = std::mem::take(&mut path);
            let choose = |ply: usize, allowed: &[Move]| {
                if ply == ply_path.len() {
                    ply_path.push((0, allowed.len()));
                }
                allowed.get(ply_path[ply].0).copied()
            };
            lines.push(self.follow(start, choose, progress)?);
            while ply_path.last().is_some_and(|&(taken, count)| taken + 1 == count) {
                ply_path.pop();
            }
            match ply_path.last_mut() {
                Some((taken, _)) => *taken += 1,
                None => break,
            }
            path = ply_path;
        }
        Ok(lines)
    }

    fn follow(
        &self,
        start: &Chess,
        mut choose: impl FnMut(usize, &[Move]) -> Option<Move>,
        progress: &dyn Progress,
    ) -> Result<MarkedLine, EndgameError> {
        let mut goals: ByColor<Goals> = ByColor::default();
        let mut line = MarkedLine { moves: Vec::new(), phases: Vec::new(), last: start.clone(), end: LineEnd::Length };
        let mut begins = true;
        while line.moves.len() < self.plies {
            progress.proceed()?;
            let position = line.last.clone();
            if begins {
                line.phases.push(self.phase(line.moves.len(), &position)?);
            }
            if let Some(end) = self.end(&position) {
                line.end = end;
                break;
            }
            let situation = Situation::new(&*self.source, &position, self.rule.moves())?;
            let strategy = self.strategies.get(position.turn());
            let places = strategy.select(&situation, goals.get_mut(position.turn()))?;
            let mut allowed: Vec<Move> = places.iter().map(|&place| situation.moves()[place]).collect();
            allowed.sort_by_key(|mv| (mv.from().map(u32::from), u32::from(mv.to()), std::cmp::Reverse(mv.promotion())));
            let Some(mv) = choose(line.moves.len(), &allowed) else { break };
            line.moves.push(self.marked(&situation, strategy, mv, allowed)?);
            begins = mv.is_zeroing();
            line.last.play_unchecked(mv);
        }
        if let Some(end) = self.end(&line.last) {
            line.end = end;
        }
        Ok(line)
    }

    fn phase(&self, ply: usize, position: &Chess) -> Result<PhaseStart, EndgameError> {
        let depth = |&metric: &Metric| Ok((metric, self.source.value(position, metric)?));
        Ok(PhaseStart { ply, depths: self.metrics.iter().map(depth).collect::<Result<_, EndgameError>>()? })
    }

    fn end(&self, position: &Chess) -> Option<LineEnd> {
        if position.is_checkmate() {
            Some(LineEnd::Mate)
        } else if position.legal_moves().is_empty() || position.is_insufficient_material() {
            Some(LineEnd::Dead)
        } else {
            let over = self.rule.moves().is_some_and(|moves| position.halfmoves() >= 2 * u32::from(moves));
            over.then_some(LineEnd::Claim)
        }
    }

    fn marked(
        &self,
        situation: &Situation<'_>,
        strategy: &Strategy,
        mv: Move,
        allowed: Vec<Move>,
    ) -> Result<MarkedMove, EndgameError> {
        let illegal = || EndgameError::Illegal(mv.to_string());
        let place = situation.moves().iter().position(|&legal| legal == mv).ok_or_else(illegal)?;
        let keeping = situation.keeping()?;
        let changes_value = !keeping.contains(&place);
        let mut worse_by = 0;
        if !changes_value && situation.value() != Outcome::Draw && !allowed.contains(&mv) {
            let metric = strategy.first_metric();
            let after = situation.successors(metric)?;
            let moves_of = |place: usize| {
                let moves = after[place].ranked(metric).winner_moves(metric);
                moves.map(|moves| moves.0).ok_or(EndgameError::Internal("a move that keeps a win has no depth"))
            };
            let best = situation.moves().iter().position(|mv| allowed.first() == Some(mv));
            let best = best.ok_or(EndgameError::Internal("a strategy allows a move that is not legal"))?;
            worse_by = moves_of(place)?.abs_diff(moves_of(best)?);
        }
        Ok(MarkedMove {
            position: situation.position().clone(),
            mv,
            only_legal: situation.moves().len() == 1,
            only_keeping: keeping == [place],
            worse_by,
            changes_value,
            allowed,
        })
    }
}

impl Strategy {
    /// The metric by which the strategy ranks moves first.
    fn first_metric(&self) -> Metric {
        match self {
            Strategy::Parts { parts, .. } => match parts.first() {
                Some(Part::Minimax(metric)) => *metric,
                Some(Part::Phase | Part::Goal(_)) => Metric::Dtr,
                Some(Part::Guard) | None => Metric::Dtz,
            },
            Strategy::A1 | Strategy::A2 => Metric::Dtm,
        }
    }
}
