//! The dialogue: each command is answered, or handed on, at once. Whatever takes time is done by other threads.

use super::control::Control;
use super::game::Game;
use super::options::Choices;
use super::thinker::{Job, Thought};
use super::voice::Voice;
use errare_uci::server::{Command, Go, LONGEST, Line, Message, Start};
use shakmaty::uci::UciMove;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether the dialogue goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Stay,
    Leave,
}

pub struct Engine {
    voice: Arc<Voice>,
    jobs: Sender<Job>,
    choices: Choices,
    game: Game,
    is_debug: bool,
    seeds: Seeds,
    /// Of the last `go`.
    control: Option<Arc<Control>>,
}

impl Engine {
    pub fn new(voice: Arc<Voice>, jobs: Sender<Job>, choices: Choices) -> Engine {
        let seeds = Seeds::new(choices.seed);
        let engine = Engine { voice, jobs, choices, game: Game::default(), is_debug: false, seeds, control: None };
        engine.prepare();
        engine
    }

    /// Has done beforehand what takes a while.
    fn prepare(&self) {
        self.hand_on(Job::Prepare(Box::new(self.choices.clone())));
    }

    /// Takes a line in.
    pub fn hear(&mut self, line: Line) -> Wish {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                self.voice.tell(format!("a line of more than {LONGEST} bytes was passed over"));
                return Wish::Stay;
            }
        };
        match Command::parse(&text) {
            Ok(Some(Command::Quit)) => return Wish::Leave,
            Ok(Some(command)) => self.obey(command),
            Ok(None) => {}
            Err(error) => self.voice.tell(error.to_string()),
        }
        Wish::Stay
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.is_debug = on,
            Command::IsReady => self.voice.say(&Message::ReadyOk),
            Command::SetOption { name, value } => self.set(&name, value.as_deref()),
            Command::NewGame => {
                self.seeds.next_game();
                self.game = Game::default();
                self.hand_on(Job::NewGame);
            }
            Command::Position { start, moves } => self.place(&start, &moves),
            Command::Go(go) => self.go(go),
            Command::Stop => self.control.iter().for_each(|control| control.stop()),
            Command::PonderHit => self.control.iter().for_each(|control| control.ponder_hit()),
            Command::Register(_) | Command::Quit => {}
        }
    }

    fn introduce(&self) {
        self.voice.say(&Message::Name(format!("errare {}", env!("CARGO_PKG_VERSION"))));
        self.voice.say(&Message::Author("the errare contributors".to_owned()));
        self.choices.declarations().0.into_iter().for_each(|option| self.voice.say(&Message::Option(option)));
        self.voice.say(&Message::UciOk);
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        match self.choices.set(name, value) {
            Ok("Seed") => self.seeds = Seeds::new(self.choices.seed),
            Ok("Clear Hash") => self.hand_on(Job::ClearHash),
            Ok("Fallback Engine" | "SyzygyPath") => self.prepare(),
            Ok(_) => {}
            Err(error) => self.voice.tell(error.to_string()),
        }
    }

    /// What is no position, or no game, leaves things as they were.
    fn place(&mut self, start: &Start, moves: &[UciMove]) {
        match Game::new(start, moves) {
            Ok(game) => {
                if !game.starts_like(&self.game) {
                    self.seeds.next_game();
                }
                self.game = game;
            }
            Err(error) => self.voice.tell(format!("{error}; the position stays as it was")),
        }
    }

    fn go(&mut self, go: Go) {
        // Whoever asks again wants no more of the last question than its answer.
        self.control.iter().for_each(|control| control.stop());
        let control = Arc::new(Control::new(&go));
        self.control = Some(Arc::clone(&control));
        let thought = Thought {
            go,
            choices: self.choices.clone(),
            game: self.game.clone(),
            seed: self.seeds.take(),
            debug: self.is_debug,
            control,
        };
        self.hand_on(Job::Think(Box::new(thought)));
    }

    fn hand_on(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            // Without the thread that thinks there would never be an answer.
            crate::say("error: the thread that thinks has ended");
            std::process::exit(2);
        }
    }
}

/// Seeds of games: the one that was set, and for each further game the next number.
#[derive(Debug)]
struct Seeds {
    now: u64,
    is_used: bool,
}

impl Seeds {
    /// Starting with this one, or with one from the clock for 0.
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

    /// A game in which nothing was thought about needs no other seed.
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
