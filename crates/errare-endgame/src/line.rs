//! Lines of play: both sides following strategies, with the papers' marks.

use crate::error::EndgameError;
use crate::strategy::{Goals, Part, Situation, Strategy};
use errare_tables::{Metric, Outcome, Source, Value};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{ByColor, Chess, Move, Position};

/// How a line goes on where a strategy allows several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// By the order of the squares from and to, a1 before b1.
    First,
    /// By chance, drawn by a seed.
    Seed(u64),
}

/// A move of a line.
#[derive(Clone, Debug)]
pub struct LineMove {
    /// The position it is made in.
    pub position: Chess,
    /// The move.
    pub mv: Move,
    /// What the strategy of the side to move allows.
    pub allowed: Vec<Move>,
    /// Whether it is the only legal move.
    pub only_legal: bool,
    /// Whether it is the only one that keeps the theoretical value.
    pub only_keeping: bool,
    /// Winner's moves by which it is worse than the strategy's best, by the first metric of the strategy.
    pub worse_by: u16,
    /// Whether it changes the theoretical value.
    pub changes_value: bool,
}

impl LineMove {
    /// The papers' marks: ° only legal, " only value-preserving, ' only optimal, v value-changing, -n worse by n.
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

/// Where a phase begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseStart {
    /// Before the move of this place, from 0.
    pub ply: usize,
    /// The depths of the position in each metric asked for.
    pub depths: Vec<(Metric, Value)>,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// Mate.
    Mate,
    /// Stalemate, or nothing left to mate with.
    Dead,
    /// A draw can be claimed by the rule.
    Claim,
    /// It was broken off.
    Length,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// The moves.
    pub moves: Vec<LineMove>,
    /// Its phases.
    pub phases: Vec<PhaseStart>,
    /// The last position.
    pub last: Chess,
    /// Why it ends there.
    pub end: LineEnd,
}

/// Plays lines.
pub struct Liner<'a> {
    /// Where values come from.
    pub source: &'a dyn Source,
    /// What either side follows.
    pub strategies: ByColor<Strategy>,
    /// The rule in force.
    pub rule: Option<u16>,
    /// The most plies of a line.
    pub plies: usize,
    /// The metrics in which the beginnings of phases are told.
    pub metrics: Vec<Metric>,
}

impl Liner<'_> {
    /// A line from a position.
    pub fn line(&self, start: &Chess, pick: Pick) -> Result<Line, EndgameError> {
        let mut random = match pick {
            Pick::First => None,
            Pick::Seed(seed) => Some(Pcg64::seed_from_u64(seed)),
        };
        let mut choose = |allowed: &[Move]| match &mut random {
            Some(random) => allowed[random.random_range(0..allowed.len())],
            None => allowed[0],
        };
        self.follow(start, |_, allowed| Some(choose(allowed)))
    }

    /// Given moves, marked by the strategies; the line ends with them.
    pub fn mark(&self, start: &Chess, moves: &[Move]) -> Result<Line, EndgameError> {
        self.follow(start, |ply, _| moves.get(ply).copied())
    }

    /// All lines, depth first, but no more than so many.
    pub fn all(&self, start: &Chess, most: usize) -> Result<Vec<Line>, EndgameError> {
        let mut lines: Vec<Line> = Vec::new();
        // At each ply of the line in work, which of the allowed moves it takes.
        let mut path: Vec<(usize, usize)> = Vec::new();
        while lines.len() < most {
            let mut ply_path = std::mem::take(&mut path);
            let line = self.follow(start, |ply, allowed| {
                if ply == ply_path.len() {
                    ply_path.push((0, allowed.len()));
                }
                allowed.get(ply_path[ply].0).copied()
            })?;
            lines.push(line);
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
    ) -> Result<Line, EndgameError> {
        let mut goals: ByColor<Goals> = ByColor::default();
        let mut line = Line { moves: Vec::new(), phases: Vec::new(), last: start.clone(), end: LineEnd::Length };
        let mut begins = true;
        while line.moves.len() < self.plies {
            let position = line.last.clone();
            if begins {
                line.phases.push(self.phase(line.moves.len(), &position)?);
            }
            if let Some(end) = self.end(&position) {
                line.end = end;
                break;
            }
            let situation = Situation::new(self.source, &position, self.rule)?;
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
            let over = self.rule.is_some_and(|moves| position.halfmoves() >= 2 * u32::from(moves));
            over.then_some(LineEnd::Claim)
        }
    }

    fn marked(
        &self,
        situation: &Situation<'_>,
        strategy: &Strategy,
        mv: Move,
        allowed: Vec<Move>,
    ) -> Result<LineMove, EndgameError> {
        let illegal = || EndgameError::Illegal(mv.to_string());
        let place = situation.moves().iter().position(|&legal| legal == mv).ok_or_else(illegal)?;
        let keeping = situation.keeping()?;
        let changes_value = !keeping.contains(&place);
        let mut worse_by = 0;
        if !changes_value && situation.value() != Outcome::Draw && !allowed.contains(&mv) {
            let metric = strategy.first_metric();
            let after = situation.successors(metric)?;
            let moves_of = |place: usize| {
                let there = after[place].through;
                there.winner_moves(metric).map_or(0, |moves| moves.0)
            };
            let best = situation.moves().iter().position(|mv| allowed.first() == Some(mv)).map_or(0, moves_of);
            worse_by = moves_of(place).abs_diff(best);
        }
        Ok(LineMove {
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
    /// The metric that the strategy looks at first.
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
