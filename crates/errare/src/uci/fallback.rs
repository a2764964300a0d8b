//! Another engine as the adviser.

use super::advice::{Advice, Line};
use super::control::{Control, Limits};
use super::game::Game;
use super::search::{MATE, Question, Wanted};
use super::telling::uci;
use errare_uci::Score;
use errare_uci::client::{Engine, EngineConfig, EngineError, Limit, Lines, PositionRequest, Restart, Search, Timeouts};
use errare_work::{Cancel, Silent};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often the clock is looked at for the engine.
const GLANCE: Duration = Duration::from_millis(5);

/// Deeper no engine is sent: it is stopped by the clock.
const DEEPEST: u32 = 99;

/// Longer games than any that was played are not told whole.
const MOST_PLIES: usize = 5000;

/// The engine of a command, as long as it does its work.
#[derive(Default)]
pub struct Fallback {
    command: String,
    engine: Option<Engine>,
}

impl Fallback {
    /// Runs this engine, or none for an empty command. One that failed is tried again when it is named again.
    pub fn set(&mut self, command: &str) -> Result<(), EngineError> {
        if self.command == command {
            return Ok(());
        }
        self.command = command.to_owned();
        self.engine = None;
        if command.is_empty() {
            return Ok(());
        }
        let day = Duration::from_secs(24 * 60 * 60);
        let timeouts = Timeouts { search: day, overrun: Duration::from_secs(1), ..Timeouts::default() };
        let config = EngineConfig::new(command).timeouts(timeouts).restart(Restart::Once);
        self.engine = Some(Engine::start(&config, &Silent)?);
        Ok(())
    }

    /// Has the engine forget what it knows of the game.
    pub fn new_game(&mut self) {
        // If it cannot, the next question will tell.
        self.engine.iter_mut().for_each(|engine| drop(engine.new_game(&Silent)));
    }

    /// What the engine says to a question; none if there is no engine. One that fails is given up.
    pub fn advise(
        &mut self,
        game: &Game,
        question: &Question<'_>,
        depth: u32,
        limits: &Limits,
        control: &Control,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Option<Result<Advice, EngineError>> {
        let engine = self.engine.as_mut()?;
        let most = if depth == 0 { DEEPEST } else { depth };
        let limit = match limits.nodes {
            u64::MAX => Limit::Depth(limits.depth.clamp(1, most)),
            nodes => Limit::Nodes(nodes.max(1)),
        };
        let lines = match question.wanted {
            Wanted::All => Lines::All,
            Wanted::Best(count) => Lines::Count(u32::try_from(count).unwrap_or(u32::MAX)),
        };
        let (flag, is_done) = (Cancel::new(), AtomicBool::new(false));
        let is_all = question.moves.len() == question.position.legal_moves().len();
        let among = question.moves.iter().copied().map(uci).filter(|_| !is_all);
        let search = Search::new(limit).lines(lines).among(among).until(&flag);
        let found = thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Acquire) {
                    if control.is_up(limits.most) || is_over() {
                        return flag.cancel();
                    }
                    thread::sleep(GLANCE);
                }
            });
            let found = engine.analyse(&request(game), &search, &Silent);
            is_done.store(true, Ordering::Release);
            found
        });
        let found = found.map(|analysis| {
            let told = |line: &errare_uci::client::Line| {
                let pv = legal(question.position, &line.pv);
                Some(Line { mv: *pv.first()?, score: number(line.score), pv })
            };
            let mut lines: Vec<Line> = analysis.lines.iter().filter_map(told).collect();
            // Stopped before it had shown anything.
            if let (true, Some(best)) = (lines.is_empty(), analysis.best) {
                lines.extend(legal(question.position, &[best]).first().map(|&mv| Line::bare(mv)));
            }
            let newest = analysis.lines.first();
            let nodes = newest.and_then(|line| line.nodes).unwrap_or(0);
            Advice { depth: newest.map_or(0, |line| line.depth), nodes, lines }
        });
        if found.is_err() {
            self.engine = None;
        }
        Some(found)
    }
}

fn request(game: &Game) -> PositionRequest {
    if game.plies() > MOST_PLIES {
        return PositionRequest::new(game.position().clone());
    }
    let mut request = PositionRequest::new(game.start().clone());
    for (_, mv) in game.steps_from(0) {
        if request.push(uci(mv)).is_err() {
            return PositionRequest::new(game.position().clone());
        }
    }
    request
}

/// The moves of a line as far as they are legal.
fn legal(position: &Chess, line: &[UciMove]) -> Vec<Move> {
    let mut position = position.clone();
    let mut found = Vec::new();
    for mv in line {
        let Ok(mv) = mv.to_move(&position) else { break };
        position.play_unchecked(mv);
        found.push(mv);
    }
    found
}

/// A score on the scale of our search.
fn number(score: Score) -> i32 {
    const MOST: i32 = MATE - 2000;
    match score {
        Score::Centipawns(lead) => lead.clamp(-MOST, MOST),
        Score::Mate(moves) if moves > 0 => MATE - (2 * moves.min(400) - 1),
        Score::Mate(moves) => -MATE - 2 * moves.max(-400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::search::score;

    #[test]
    fn scores_keep_their_meaning() {
        for told in [Score::Mate(1), Score::Mate(5), Score::Mate(-1), Score::Mate(-7), Score::Centipawns(-321)] {
            assert_eq!(score(number(told)), told);
        }
        assert_eq!(score(number(Score::Centipawns(i32::MAX))), Score::Centipawns(MATE - 2000));
        assert!(matches!(score(number(Score::Mate(i32::MIN))), Score::Mate(moves) if moves < 0));
    }
}
