//! The fallback engine: another engine that evaluates moves where no table knows them.

use crate::advice::{Advice, AdvisedMove};
use crate::control::{SearchControl, SearchLimits};
use crate::game::GameSoFar;
use crate::scores::{number, uci};
use crate::search::{Question, Wanted};
use errare_uci::client::{Engine, EngineError, EngineSpec, Limit, Lines, PositionRequest, Restart, Search, Timeouts};
use errare_work::Cancel;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time between two checks of the clock while the engine searches.
const GLANCE: Duration = Duration::from_millis(5);

/// The depth of a search that only the clock ends.
const DEEPEST: u32 = 99;

/// The time that the engine may take to start: `readyok`, and a `go` that does not wait for it, come no sooner.
const START: Duration = Duration::from_secs(5);

/// The time that the engine may take to be ready for a game.
const READY: Duration = Duration::from_secs(10);

/// Options that are set on engines that have them, as for evaluations that ratings are made from.
const DEFAULTS: [(&str, &str); 2] = [("Threads", "1"), ("Hash", "64")];

/// The knowledge of a game that the engine has when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The engine knows the moves so far, and what it found before.
    Game,
    /// The engine knows the position alone, as if it had never seen another: so evaluations are those that ratings are
    /// made from.
    Position,
}

/// The engine that a command starts, as long as it works.
pub struct FallbackEngine {
    command: String,
    engine: Option<Engine>,
    shutdown: Cancel,
}

impl FallbackEngine {
    /// Makes a fallback without an engine; engines that are set later give up soon after `shutdown`.
    pub fn new(shutdown: Cancel) -> FallbackEngine {
        FallbackEngine { command: String::new(), engine: None, shutdown }
    }

    /// Starts the engine of a command, which may have arguments after spaces; an empty command stands for no engine. An
    /// engine that failed is started again when another command was set in between.
    ///
    /// # Errors
    /// If the engine cannot be started, or `shutdown` is cancelled.
    pub fn set(&mut self, command: &str) -> Result<(), EngineError> {
        if self.command == command {
            return Ok(());
        }
        self.command = command.to_owned();
        self.engine = None;
        let day = Duration::from_secs(24 * 60 * 60);
        let overrun = Duration::from_secs(1);
        let timeouts = Timeouts { start: START, ready: READY, search: day, overrun, ..Timeouts::default() };
        let Ok(spec) = command.parse::<EngineSpec>() else { return Ok(()) };
        let (engine, _) = spec.start(timeouts, Restart::Once, &DEFAULTS, &self.shutdown)?;
        self.engine = Some(engine);
        Ok(())
    }

    /// The name that the engine gives itself; none without an engine.
    pub fn name(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.identity().name.as_str())
    }

    /// Makes the engine forget the game.
    pub fn new_game(&mut self) {
        // If it cannot, the next search will fail.
        self.engine.iter_mut().for_each(|engine| drop(engine.new_game(&self.shutdown)));
    }

    /// Asks the engine for its evaluations; none without an engine. An engine that fails, or does not show the moves
    /// that it is asked for, is given up; the error is the reason.
    pub fn advise(
        &mut self,
        (game, memory): (&GameSoFar, Memory),
        question: &Question<'_>,
        depth: u32,
        limits: &SearchLimits,
        control: &SearchControl,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Option<Result<Advice, String>> {
        let (engine, shutdown) = (self.engine.as_mut()?, &self.shutdown);
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
            let found = match memory {
                Memory::Game => engine.analyse(&request(game), &search, shutdown),
                Memory::Position => engine
                    .new_game(shutdown)
                    .and_then(|()| engine.analyse(&PositionRequest::new(game.position().clone()), &search, shutdown)),
            };
            is_done.store(true, Ordering::Release);
            found
        });
        let name = engine.identity().name.clone();
        let found = found.map_err(|error| error.to_string()).and_then(|analysis| {
            // Of a search that the clock ended a part is better than nothing.
            if let Some(shortfall) = analysis.shortfall().filter(|_| !flag.is_cancelled()) {
                return Err(format!("{name} {shortfall}"));
            }
            let advised = |line: &errare_uci::client::SearchLine| {
                let pv = legal(question.position, &line.pv);
                Some(AdvisedMove { mv: *pv.first()?, score: number(line.score), pv })
            };
            let mut moves: Vec<AdvisedMove> = analysis.lines.iter().filter_map(advised).collect();
            // Stopped before it had shown anything.
            if let (true, Some(best)) = (moves.is_empty(), analysis.best) {
                moves.extend(legal(question.position, &[best]).first().map(|&mv| AdvisedMove::bare(mv)));
            }
            let newest = analysis.lines.first();
            let nodes = newest.and_then(|line| line.nodes).unwrap_or(0);
            Ok(Advice { depth: newest.map_or(0, |line| line.depth), nodes, moves })
        });
        if found.is_err() {
            self.engine = None;
        }
        Some(found)
    }
}

fn request(game: &GameSoFar) -> PositionRequest {
    let mut request = PositionRequest::new(game.start().clone());
    for (_, mv) in game.steps_from(0) {
        if request.push(uci(mv)).is_err() {
            return PositionRequest::new(game.position().clone());
        }
    }
    request
}

/// The beginning of a line, as far as its moves are legal.
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
