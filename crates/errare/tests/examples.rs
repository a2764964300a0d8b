//! The commands that README.md and the book show, with the output that they show.
//!
//! A line that begins with `    $ ` is run, in the order of the page and in one folder for the page; what is shown below it, up
//! to the next command or the end of the block, must be what comes out. A line `...` stands for any lines, and `...` at the
//! end of a line for the rest of it. What a person types is in a comment above the block, `<!-- typed: hint Ke1 -->`.

#![cfg(unix)]

use crate::common::server::Server;
use crate::common::{fresh, program, shared};
use crate::documents::{pages, top};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A command as a page shows it, and the lines below it.
#[derive(Debug)]
struct Example {
    place: String,
    command: String,
    typed: String,
    shown: Vec<String>,
}

/// The command of a line that begins with a prompt, perhaps one that names a machine.
fn prompted(line: &str) -> Option<&str> {
    let (machine, command) = line.split_once("$ ")?;
    machine.chars().all(|c| c.is_ascii_alphanumeric()).then_some(command)
}

/// Indented lines that begin with a prompt, and what is indented below them. Blank lines belong to the output if more of
/// it follows.
fn examples(page: &Path) -> Vec<Example> {
    let text = fs::read_to_string(top().join(page)).unwrap();
    let mut found: Vec<Example> = Vec::new();
    let (mut is_open, mut typed) = (false, String::new());
    for (number, line) in (1..).zip(text.lines()) {
        let indented = line.strip_prefix("    ");
        match (indented.and_then(prompted), indented, found.last_mut()) {
            (_, Some(more), Some(last)) if is_open && last.shown.is_empty() && last.command.ends_with('\\') => {
                last.command.push('\n');
                last.command.push_str(more);
            }
            (Some(command), ..) => {
                let place = format!("{}:{number}", page.display());
                found.push(Example { place, command: command.into(), typed, shown: Vec::new() });
                (is_open, typed) = (true, String::new());
            }
            (None, Some(indented), Some(last)) if is_open => last.shown.push(indented.trim_end().to_owned()),
            (None, None, Some(last)) if is_open && line.trim().is_empty() => last.shown.push(String::new()),
            _ => is_open = false,
        }
        if let Some(words) = line.strip_prefix("<!-- typed: ").and_then(|line| line.strip_suffix(" -->")) {
            typed = words.split(' ').map(|word| format!("{word}\n")).collect();
        }
    }
    for example in &mut found {
        while example.shown.last().is_some_and(String::is_empty) {
            example.shown.pop();
        }
    }
    found
}

/// Why a command is not run.
fn refusal(command: &str) -> Option<&'static str> {
    match command {
        _ if command.contains("--men 5") => Some("all tables of five men take half an hour"),
        _ if command.contains("fresh.parquet") => Some("the evaluations of 395 games are not in the repository"),
        _ if command.contains("--listen") => Some("a server would let others in"),
        _ if command.contains("gaviota:") && !cfg!(feature = "gaviota") => Some("there is no reader of Gaviota tables"),
        _ if command.starts_with("curl") && Command::new("curl").arg("-V").output().is_err() => {
            Some("there is no curl")
        }
        _ if is_for_engine(command) && !cfg!(feature = "stockfish-15-1") => Some("there is no Stockfish 15.1"),
        _ => None,
    }
}

/// Whether a command asks an engine, or reads what one said before.
fn is_for_engine(command: &str) -> bool {
    let reads_turns = ["errare fit turns", "errare merge part1"].iter().any(|start| command.starts_with(start));
    !command.contains("cluster") && (command.contains("--engine") || command.contains("uci:") || reads_turns)
}

/// Whether a command takes long: one on tables of five men, or a contest.
fn is_slow(command: &str) -> bool {
    let is_large = command.split([' ', '\'']).any(|word| {
        let ranks = word.split('/').count();
        let men = word.chars().filter(|c| c.is_ascii_alphabetic()).count();
        let is_material = word.len() > 4 && word.starts_with('K') && word.chars().all(|c| "KQRBNP".contains(c));
        (ranks == 8 && men > 4) || is_material
    });
    command.starts_with("errare contest") || is_large && !command.contains("cluster")
}

/// Whether lines are those shown, where `...` stands for any, and at the end of a line for the rest of it.
fn matches(lines: &[&str], shown: &[String]) -> bool {
    let is_shown = |line: &str, shown: &str| match shown.strip_suffix("...") {
        Some(start) => line.starts_with(start.trim_end()),
        None => line == shown,
    };
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skipped| matches(&lines[skipped..], rest)),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| is_shown(line, first) && matches(lines, rest))
        }
    }
}

/// The place of a server in examples.
const ADDRESS: &str = "127.0.0.1:7341";

/// Somebody who follows a page from the top.
struct Reader {
    folder: TempDir,
    server: Option<Server>,
}

impl Reader {
    /// The files that pages speak of are there.
    fn new() -> Reader {
        let folder = fresh();
        let path = |name: &str| folder.path().join(name);
        symlink(top().join("crates"), path("crates")).unwrap();
        let games = fs::read(top().join("crates/errare/tests/data/evaluate.pgn")).unwrap();
        fs::write(path("games.pgn.zst"), zstd::encode_all(&games[..], 0).unwrap()).unwrap();
        fs::write(path("games.pgn"), games).unwrap();
        fs::copy(top().join("crates/errare-ratings/tests/data/mileposts.jsonl.gz"), path("1900.jsonl.gz")).unwrap();
        fs::write(path("starts.txt"), "8/8/8/8/8/2k5/1R6/K7 w - - 0 1\n8/8/8/8/2r5/8/2k5/K6Q w - - 0 1\n").unwrap();
        if let Some(engine) = std::env::var_os("ERRARE_STOCKFISH") {
            symlink(engine, path("stockfish")).unwrap();
        }
        Reader { folder, server: None }
    }

    /// The folders of others and of a cluster, in examples and here.
    fn folders(&self) -> [(&'static str, String); 3] {
        let owned = top().join("crates/errare/tests/data/owned/");
        let folder = self.folder.path().display();
        [
            (":/tables/", format!(":{}", owned.display())),
            (" /shared", format!(" {folder}")),
            (" /data", format!(" {folder}")),
        ]
    }

    fn shell(&self, command: &str) -> Command {
        let programs = program().parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{programs}:{}:{path}:/usr/games", self.folder.path().display());
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.folder.path());
        shell.env("PATH", path).env("ERRARE_TABLES", shared()).env("ERRARE_DATA", self.folder.path().join("data"));
        shell
    }

    /// Starts a server with flags, on a port that is free.
    fn serve(&mut self, flags: &str) -> &Server {
        let command = self.shell(&format!("exec errare serve --port 0 {flags}"));
        self.server.insert(Server::spawned(command))
    }

    /// Runs a command; says what is wrong if it does not give what is shown.
    fn follow(&mut self, Example { place, command, typed, shown }: &Example) -> Option<String> {
        if let Some(flags) = command.strip_prefix("errare serve") {
            let flags = flags.trim_end_matches('&').replace("--port 7341", "").replace("--open", "");
            let reply = self.serve(&flags).get("/");
            return (reply.status != 200).then(|| format!("{place}: $ {command}\n{}", reply.body));
        }
        let mut line = command.clone();
        if line.contains(ADDRESS) {
            let address = match &self.server {
                Some(server) => server.address,
                None => self.serve("").address,
            };
            line = line.replace(ADDRESS, &address.to_string());
        }
        // Nothing is submitted to a cluster.
        if line.contains("cluster slurm") && !line.contains("--dry-run") {
            line.push_str(" --dry-run");
        }
        for (there, here) in self.folders() {
            line = line.replace(there, &here);
        }
        let mut shell = self.shell(&line);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that reads nothing may have ended.
        drop(child.stdin.take().unwrap().write_all(typed.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let mut stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        for (there, here) in self.folders() {
            stdout = stdout.replace(&here, there);
        }
        let lines: Vec<&str> = stdout.lines().map(str::trim_end).collect();
        // 1 is a finding, which a page may well show.
        let is_done = matches!(output.status.code(), Some(0 | 1));
        let is_right = is_done && (shown.is_empty() || matches(&lines, shown));
        let stderr = String::from_utf8_lossy(&output.stderr);
        (!is_right).then(|| format!("{place}: $ {command}\nshown:\n{}\nfound:\n{stdout}{stderr}", shown.join("\n")))
    }
}

/// Follows pages, as far as their commands are chosen. There must be at least so many.
fn follow(is_chosen: impl Fn(&str) -> bool, least: usize) {
    let (mut run, mut wrong) = (0, Vec::new());
    for page in pages() {
        let mut reader = Reader::new();
        for example in examples(&page) {
            let Example { place, command, .. } = &example;
            match refusal(command) {
                Some(reason) => println!("{place} is not run, because {reason}: $ {command}"),
                None if is_chosen(command) => {
                    run += 1;
                    wrong.extend(reader.follow(&example));
                }
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {run} examples differ:\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(run >= least, "only {run} examples were run");
}

#[test]
fn examples_give_what_is_shown() {
    follow(|command| !is_slow(command), 45);
}

#[test]
#[ignore = "builds tables of five men, and holds contests of an engine"]
fn slow_examples_give_what_is_shown() {
    follow(is_slow, 12);
}

/// Commands that are not run here are at least read: `--help` at the end of a line stops it before any work, but not before
/// a flag or a value that there is not.
#[test]
fn examples_have_flags_that_there_are() {
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut read = 0;
    for Example { place, command, .. } in pages().iter().flat_map(|page| examples(page)) {
        let command = command.replace("\\\n", "");
        let end = [" | ", " > ", " # ", " &", ";"].iter().filter_map(|mark| command.find(mark)).min();
        let line = command[..end.unwrap_or(command.len())].trim_end();
        if !line.starts_with("errare ") {
            continue;
        }
        read += 1;
        let output = Command::new("sh").args(["-c", &format!("{line} --help")]).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{place}: $ {command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(read >= 60, "only {read} commands were read");
}

#[test]
fn dots_stand_for_any_lines() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&["a", "b", "c"], &shown("a\n...\nc")));
    assert!(matches(&["a", "c"], &shown("a\n...\nc")));
    assert!(!matches(&["a", "b"], &shown("a\n...\nc")));
    assert!(!matches(&["a", "b"], &shown("a")));
    assert!(matches(&["abc", "d"], &shown("ab ...\nd")));
    assert!(!matches(&["abc"], &shown("ac...")));
}
