//! `errare uci` against chess programs that have lost their minds: random bytes, commands in random order, lines without
//! end, a stream that breaks off. Everything is settled by a seed.
//!
//! `ERRARE_FUZZ_SECONDS` makes it longer, `ERRARE_FUZZ_SEED` different.

use crate::common::shared;
use crate::dialogue::Dialogue;
use errare_uci::server::Command;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::time::{Duration, Instant};

const FENS: [&str; 12] = [
    "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1",
    "8/8/8/8/8/2k5/1R6/K7 w - - 99 80",
    "8/8/8/8/8/2k5/1R6/K7 b - - 4294967295 1",
    "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1",
    "8/2P5/8/8/8/k7/8/K7 w - - 0 1",
    "8/8/8/3pP3/8/k7/8/K7 w - d6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/8/K6k w - - 0 1",
    "8/8/8/8/8/8/kK6/8 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/7k/K7 w - - 0 1",
    "8/8/8/2k5/8/1P1P4/1K1p4/8 w - - 0 1",
];

const MOVES: [&str; 12] =
    ["e2e4", "e7e5", "g1f3", "h1b1", "c2c3", "a1b1", "c7c8q", "e5d6", "0000", "Q@f7", "e1g1", "xyz"];

const OPTIONS: [&str; 24] = [
    "Agent value predator",
    "Agent value emulator",
    "Agent value infallible",
    "Agent value levy",
    "Agent value strategy",
    "Agent value player",
    "agent VALUE x",
    "Competence value inf",
    "Competence value -inf",
    "Competence value 0",
    "Competence value nan",
    "Kappa value 0+",
    "Metric value dtm",
    "Metric value dtc",
    "Hold Value value true",
    "hold value value false",
    "MultiPV value 500",
    "MultiPV value 1",
    "Hash value 2",
    "UCI_ShowWDL value true",
    "Seed value 5",
    "Clear Hash",
    "Strategy value SMC*",
    "Horizon value 1000",
];

const LIMITS: [&str; 14] = [
    "depth 1",
    "depth 3",
    "movetime 5",
    "movetime 0",
    "infinite",
    "ponder",
    "nodes 3000",
    "mate 2",
    "wtime 100 btime 100",
    "wtime -5 winc 10",
    "searchmoves e2e4 h1b1",
    "searchmoves",
    "depth",
    "movestogo 0 wtime 18446744073709551616",
];

struct Fuzz {
    random: Pcg64,
}

impl Fuzz {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from.choose(&mut self.random).unwrap()
    }

    fn some(&mut self, from: &[&'static str], most: usize) -> String {
        let count = self.random.random_range(0..=most);
        (0..count).map(|_| self.pick(from)).collect::<Vec<_>>().join(" ")
    }

    /// A line of the protocol, or one that looks like it.
    fn command(&mut self) -> String {
        match self.random.random_range(0..15) {
            0 => "uci".to_owned(),
            1 => format!("debug {}", self.pick(&["on", "off", ""])),
            2 => "ucinewgame".to_owned(),
            3 | 4 => format!("setoption name {}", self.pick(&OPTIONS)),
            5 => format!("position startpos moves {}", self.some(&MOVES, 4)),
            6 | 7 => format!("position fen {} moves {}", self.pick(&FENS), self.some(&MOVES, 2)),
            8 => format!("position fen {}", self.pick(&FENS)),
            9..=11 => format!("go {}", self.some(&LIMITS, 2)),
            12 => self.pick(&["stop", "ponderhit", "isready", "register later"]).to_owned(),
            13 => format!("joho {} hoho", self.pick(&["isready", "stop", "go depth 1", "debug on"])),
            _ => "stop".to_owned(),
        }
    }

    /// Bytes without a line break.
    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.random.random_range(0..=most);
        (0..length).map(|_| self.random.random::<u8>()).filter(|&byte| byte != b'\n').collect()
    }

    fn line(&mut self) -> Vec<u8> {
        match self.random.random_range(0..20) {
            0 | 1 => self.bytes(200),
            2 => {
                let mut command = self.command().into_bytes();
                let at = self.random.random_range(0..=command.len());
                command.splice(at..at, self.bytes(5));
                command
            }
            // 64 KiB and more, sometimes beyond what is read.
            3 => {
                let words = self.pick(&["x", "position startpos moves g1f3 g8f6 f3g1 f6g8 ", "go ", "\u{fffd}"]);
                let length = *[65_536, 70_000, 300_000].choose(&mut self.random).unwrap();
                words.repeat(length / words.len() + 1).into_bytes()
            }
            _ => self.command().into_bytes(),
        }
    }
}

/// What one dialogue showed.
struct Told {
    lines: u64,
    answers: u64,
    slowest_ready: Duration,
    end: Duration,
}

fn dialogue(seed: u64) -> Told {
    let mut fuzz = Fuzz { random: Pcg64::seed_from_u64(seed) };
    let mut engine = Dialogue::new(shared(), &[]);
    let (mut asked, mut answered, mut lines) = (0_u64, 0_u64, 0_u64);
    let mut slowest_ready = Duration::ZERO;
    // `isready` may come from the dice too.
    let mut owed = 0_u64;
    for _ in 0..fuzz.random.random_range(1..40) {
        let mut line = fuzz.line();
        line.retain(|&byte| byte != b'\n');
        match Command::parse(&String::from_utf8_lossy(&line)) {
            Ok(Some(Command::Quit)) => continue,
            Ok(Some(Command::Go(_))) if line.len() <= errare_uci::server::LONGEST => asked += 1,
            Ok(Some(Command::IsReady)) if line.len() <= errare_uci::server::LONGEST => owed += 1,
            _ => {}
        }
        line.push(b'\n');
        assert!(engine.send(&line), "seed {seed}: it has gone");
        lines += 1;
        if fuzz.random.random_range(0..4) == 0 {
            owed += 1;
            let begun = Instant::now();
            engine.say("isready");
            while owed > 0 {
                let heard = engine.until("readyok");
                answered += heard.iter().filter(|line| line.starts_with("bestmove")).count() as u64;
                owed -= 1;
            }
            slowest_ready = slowest_ready.max(begun.elapsed());
        }
    }
    let is_polite = fuzz.random.random_range(0..3) > 0;
    let is_cut_off = !is_polite && fuzz.random.random_range(0..2) == 0;
    if is_polite {
        engine.say("stop");
        while answered < asked {
            engine.until("bestmove");
            answered += 1;
        }
    } else if is_cut_off {
        engine.send(b"go infin");
    }
    let says_quit = !is_cut_off && fuzz.random.random_range(0..2) == 0;
    let ended = engine.end(says_quit.then_some("quit"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "seed {seed}");
    if is_polite {
        assert!(
            !ended.last.iter().any(|line| line.starts_with("bestmove")),
            "seed {seed}: more answers than questions"
        );
    }
    Told { lines, answers: answered, slowest_ready, end: ended.after }
}

#[test]
fn nothing_that_comes_in_stops_it() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seconds, first) = (number("ERRARE_FUZZ_SECONDS", 10), number("ERRARE_FUZZ_SEED", 1));
    let begun = Instant::now();
    let mut told = Vec::new();
    let mut seed = first;
    while begun.elapsed() < Duration::from_secs(seconds) {
        told.push(dialogue(seed));
        seed += 1;
    }
    let (ends, waits) = (sorted(&told, |told| told.end), sorted(&told, |told| told.slowest_ready));
    let (lines, answers) =
        told.iter().fold((0, 0), |(lines, answers), told| (lines + told.lines, answers + told.answers));
    println!(
        "{} dialogues from seed {first}, {lines} lines, {answers} moves; of 95 in 100 and of all: readyok within {:?}, {:?}; \
         ended within {:?}, {:?}",
        told.len(),
        nearly_all(&waits),
        waits[waits.len() - 1],
        nearly_all(&ends),
        ends[ends.len() - 1]
    );
    assert!(told.len() >= 5, "only {} dialogues", told.len());
    // One in twenty may fall into a moment when the machine does something else.
    assert!(nearly_all(&ends) < Duration::from_millis(200), "{ends:?}");
    assert!(nearly_all(&waits) < Duration::from_secs(1), "{waits:?}");
}

fn sorted(told: &[Told], time: impl Fn(&Told) -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = told.iter().map(time).collect();
    times.sort();
    times
}

/// What 95 in 100 of some sorted times do not exceed.
fn nearly_all(times: &[Duration]) -> Duration {
    times[(times.len() - 1) * 95 / 100]
}
