//! The dialogue with a chess program. Each command is answered, or handed on, at once; other threads do what takes time.

use crate::control::SearchControl;
use crate::game::GameSoFar;
use crate::options::{Effect, EngineOptions};
use crate::search_thread::{Job, SearchJob};
use crate::writer::UciWriter;
use errare_uci::server::{Command, Go, InputLine, LONGEST, Message, Start};
use shakmaty::uci::UciMove;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether the dialogue goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Continue,
    Quit,
}

/// The state of a dialogue.
pub struct Dialogue {
    writer: Arc<UciWriter>,
    jobs: Sender<Job>,
    options: EngineOptions,
    game: GameSoFar,
    is_debug: bool,
    seeds: Seeds,
    /// The control of the search that the last `go` started.
    control: Option<Arc<SearchControl>>,
}

impl Dialogue {
    /// Begins a dialogue whose searches another thread takes from `jobs`.
    pub fn new(writer: Arc<UciWriter>, jobs: Sender<Job>, options: EngineOptions) -> Dialogue {
        let (game, seeds) = (GameSoFar::default(), Seeds::new(options.seed));
        let dialogue = Dialogue { writer, jobs, options, game, is_debug: false, seeds, control: None };
        dialogue.prepare();
        dialogue
    }

    /// Opens tables and engines ahead of the next `go`.
    fn prepare(&self) {
        self.hand_on(Job::Prepare(Box::new(self.options.clone())));
    }

    /// Stops the search that runs, if there is one.
    pub fn stop_search(&self) {
        self.control.iter().for_each(|control| control.stop());
    }

    /// Handles a line of the chess program.
    pub fn handle(&mut self, line: InputLine) -> Next {
        let text = match line {
            InputLine::Text(text) => text,
            InputLine::TooLong => {
                self.writer.note(format!("a line of more than {LONGEST} bytes was ignored"));
                return Next::Continue;
            }
        };
        match Command::parse(&text) {
            Ok(Some(Command::Quit)) => return Next::Quit,
            Ok(Some(command)) => self.execute(command),
            Ok(None) => {}
            Err(error) => self.writer.note(error.to_string()),
        }
        Next::Continue
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.is_debug = on,
            Command::IsReady => self.confirm_ready(),
            Command::SetOption { name, value } => self.set(&name, value.as_deref()),
            Command::NewGame => {
                self.seeds.next_game();
                self.game = GameSoFar::default();
                self.hand_on(Job::NewGame);
            }
            Command::Position { start, moves } => self.place(&start, &moves),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop_search(),
            Command::PonderHit => self.control.iter().for_each(|control| control.ponder_hit()),
            Command::Register(_) | Command::Quit => {}
        }
    }

    /// Answers `isready` when all earlier settings have taken effect; during a search at once, as UCI asks.
    fn confirm_ready(&self) {
        if self.control.as_ref().is_some_and(|control| !control.is_answered()) {
            self.writer.send(&Message::ReadyOk);
        } else {
            self.hand_on(Job::Ready);
        }
    }

    fn introduce(&self) {
        self.writer.send(&Message::Name(format!("errare {}", env!("CARGO_PKG_VERSION"))));
        self.writer.send(&Message::Author("the errare contributors".to_owned()));
        self.options.declarations().0.into_iter().for_each(|option| self.writer.send(&Message::Option(option)));
        self.writer.send(&Message::UciOk);
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(Effect::Reseed) => self.seeds = Seeds::new(self.options.seed),
            Ok(Effect::ClearHash) => self.hand_on(Job::ClearHash),
            Ok(Effect::Prepare) => self.prepare(),
            Ok(Effect::Nothing) => {}
            Err(error) => self.writer.note(error.to_string()),
        }
    }

    /// Sets up a position. An illegal one leaves the position as it was.
    fn place(&mut self, start: &Start, moves: &[UciMove]) {
        match GameSoFar::new(start, moves) {
            Ok(game) => {
                if !game.starts_like(&self.game) {
                    self.seeds.next_game();
                }
                self.game = game;
            }
            Err(error) => self.writer.note(format!("{error}; the position stays as it was")),
        }
    }

    fn go(&mut self, go: Go) {
        // A second `go` asks for the answer to the first one.
        self.stop_search();
        let control = Arc::new(SearchControl::new(&go));
        self.control = Some(Arc::clone(&control));
        let job = SearchJob {
            go,
            options: self.options.clone(),
            game: self.game.clone(),
            seed: self.seeds.take(),
            debug: self.is_debug,
            control,
        };
        self.hand_on(Job::Search(Box::new(job)));
    }

    fn hand_on(&self, job: Job) {
        // It fails only if the search thread has ended, which raises the alarm.
        drop(self.jobs.send(job));
    }
}

/// The seeds of games: the seed that was set, then for each further game the next number.
#[derive(Debug)]
struct Seeds {
    now: u64,
    is_used: bool,
}

impl Seeds {
    /// Begins with this seed, or with one from the clock if the seed is 0.
    fn new(seed: u64) -> Seeds {
        let clock = || {
            let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            // As far as a seed can be set again, and never 0.
            1 + (time.as_nanos() as u64 >> 10) % (i32::MAX as u64 - 1)
        };
        Seeds { now: if seed == 0 { clock() } else { seed }, is_used: false }
    }

    fn take(&mut self) -> u64 {
        self.is_used = true;
        self.now
    }

    /// Moves on to the seed of the next game, unless the seed of the game before was not used.
    fn next_game(&mut self) {
        if self.is_used {
            *self = Seeds { now: self.now.wrapping_add(1), is_used: false };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_seed_that_can_be_set_again() {
        let mut seeds = Seeds::new(5);
        seeds.next_game();
        assert_eq!((seeds.take(), seeds.take()), (5, 5));
        seeds.next_game();
        seeds.next_game();
        assert_eq!(seeds.take(), 6);
        let clock = Seeds::new(0).now;
        assert!((1..=i32::MAX as u64).contains(&clock));
    }
}
