//! A dialogue with the engine, as a chess program has it.

#![allow(dead_code)] // no test file needs all of it

use crate::common::program;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// What nobody waits longer for, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Dialogue {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

/// How a dialogue ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stderr: String,
    /// From `quit`, or the end of its input, to its end.
    pub after: Duration,
    /// The lines written after the end was asked for.
    pub last: Vec<String>,
}

impl Dialogue {
    pub fn new(tables: &Path, arguments: &[&str]) -> Dialogue {
        let mut command = Command::new(program());
        command.env_remove("ERRARE_TABLES").arg("--tables").arg(tables).arg("uci").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (say, lines) = mpsc::channel();
        let (complain, errors) = mpsc::channel();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
        thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| complain.send(line))
        });
        Dialogue { child, stdin, lines, errors }
    }

    /// Sends bytes as they are. An engine that has gone hears nothing.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stdin.as_mut().is_some_and(|stdin| stdin.write_all(bytes).and_then(|()| stdin.flush()).is_ok())
    }

    pub fn say(&mut self, line: &str) {
        assert!(self.send(format!("{line}\n").as_bytes()), "the engine has gone: {line}");
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.say(&format!("setoption name {name} value {value}"));
    }

    /// All lines up to the first that begins like this.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("{error} for {start} after {heard:#?}"),
            }
            if heard[heard.len() - 1].starts_with(start) {
                return heard;
            }
        }
    }

    /// A line, if one comes in time.
    pub fn line_within(&self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    pub fn is_ready(&mut self) -> Vec<String> {
        self.say("isready");
        self.until("readyok")
    }

    /// Asks for a move and tells it, with all that was said before.
    pub fn go(&mut self, how: &str) -> (String, Vec<String>) {
        self.say(&format!("go {how}"));
        self.answer()
    }

    /// The move that was asked for before.
    pub fn answer(&mut self) -> (String, Vec<String>) {
        let heard = self.until("bestmove");
        let best = heard[heard.len() - 1].split(' ').nth(1).unwrap().to_owned();
        (best, heard)
    }

    /// Ends it, with a word or without.
    pub fn end(mut self, word: Option<&str>) -> Ended {
        if let Some(word) = word {
            self.send(format!("{word}\n").as_bytes());
        }
        let begun = Instant::now();
        if word.is_none() {
            self.stdin = None;
        }
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(1));
        };
        let after = begun.elapsed();
        let stderr = self.errors.iter().collect::<Vec<_>>().join("\n");
        Ended { code, stderr, after, last: self.lines.iter().collect() }
    }

    /// Ends it in good order.
    pub fn quit(self) {
        let ended = self.end(Some("quit"));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        // It has gone already, as a rule.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
