//! The commands that README.md and the book show, with the output that they show.
//!
//! A line that begins with `    $ errare` is run, in the order of the page and in one folder for the page; what is shown
//! below it, up to the next command or the end of the block, must be what comes out. A line `...` stands for any lines.
//! Commands that need an engine, tables of others, five men or a person are only read, not run.

#![cfg(unix)]

use crate::common::{fresh, program, shared};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command as a page shows it, and the lines below it.
#[derive(Debug)]
struct Example {
    place: String,
    command: String,
    shown: Vec<String>,
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All pages with examples, by their path from the top folder.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md"), "crates/errare/README.md".into()];
    for folder in ["docs/src", "docs/src/agents", "docs/src/start"] {
        let entries = fs::read_dir(top().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(names.filter(|name| name.ends_with(".md")).map(|name| Path::new(folder).join(name)));
    }
    pages.sort();
    pages
}

/// Indented lines that begin with a prompt, and what is indented below them. Blank lines belong to the output if more of
/// it follows.
fn examples(page: &Path) -> Vec<Example> {
    let text = fs::read_to_string(top().join(page)).unwrap();
    let mut found: Vec<Example> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        match line.strip_prefix("    ") {
            Some(indented) if indented.starts_with("$ ") => {
                let command = indented.trim_start_matches("$ ").to_owned();
                found.push(Example { place: format!("{}:{number}", page.display()), command, shown: Vec::new() });
                is_open = true;
            }
            Some(indented) if is_open => found.last_mut().unwrap().shown.push(indented.trim_end().to_owned()),
            None if is_open && line.trim().is_empty() => found.last_mut().unwrap().shown.push(String::new()),
            _ => is_open = false,
        }
    }
    for example in &mut found {
        while example.shown.last().is_some_and(String::is_empty) {
            example.shown.pop();
        }
    }
    found
}

/// Why a command is not run here.
fn needs(command: &str) -> Option<&'static str> {
    let is_large = command.split([' ', '\'']).any(|word| {
        let ranks = word.split('/').count();
        let men = word.chars().filter(|c| c.is_ascii_alphabetic()).count();
        let is_material = word.len() > 4 && word.starts_with('K') && word.chars().all(|c| "KQRBNP".contains(c));
        (ranks == 8 && men > 4) || is_material
    });
    match command {
        _ if command.contains("/tables/") => Some("tables that others made"),
        _ if command.starts_with("errare play") && !command.contains("--format") => Some("a person who types"),
        _ if command.contains("--engine") || command.contains("uci:") => Some("an engine, or turns that one evaluated"),
        _ if command.contains("turns") || command.contains("part1") => Some("turns that an engine evaluated"),
        _ if command.contains("sf15") || command.contains(".jsonl") => Some("turns that an engine evaluated"),
        _ if command.contains("--men 5") || is_large => Some("tables of five men"),
        _ if command.starts_with("errare serve") || command.starts_with("curl") => Some("a server and its client"),
        _ => None,
    }
}

/// Whether lines are those shown, where `...` stands for any.
fn matches(lines: &[&str], shown: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skipped| matches(&lines[skipped..], rest)),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, lines)| line == first && matches(lines, rest)),
    }
}

#[test]
fn examples_give_what_is_shown() {
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let (mut run, mut wrong) = (0, Vec::new());
    for page in pages() {
        let folder = fresh();
        symlink(top().join("crates"), folder.path().join("crates")).unwrap();
        for Example { place, command, shown } in examples(&page) {
            if needs(&command).is_some() {
                continue;
            }
            run += 1;
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).current_dir(folder.path()).env("PATH", &path).env("ERRARE_TABLES", shared());
            let output = shell.output().unwrap();
            let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let lines: Vec<&str> = stdout.lines().map(str::trim_end).collect();
            // 1 is a finding, which a page may well show.
            let is_done = matches!(output.status.code(), Some(0 | 1));
            if !is_done || !(shown.is_empty() || matches(&lines, &shown)) {
                wrong.push(format!("{place}: $ {command}\nshown:\n{}\nfound:\n{stdout}{stderr}", shown.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {run} examples differ:\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(run >= 20, "only {run} examples were run");
}

/// Commands that are not run here are at least read: `--help` at the end of a line stops it before any work, but not before
/// a flag or a value that there is not.
#[test]
fn examples_have_flags_that_there_are() {
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut read = 0;
    for Example { place, command, .. } in pages().iter().flat_map(|page| examples(page)) {
        let end = [" | ", " > ", " # ", " &", "\\", ";"].iter().filter_map(|mark| command.find(mark)).min();
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

/// The flags in a text: words that begin with two hyphens and a letter.
fn flags(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| word.starts_with("--"));
    words.filter(|word| word[2..].starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn pages_name_flags_that_there_are() {
    let known = Command::new(program()).args(["completions", "bash"]).output().unwrap();
    let known = String::from_utf8(known.stdout).unwrap();
    // Of cargo, of tools/closed_loop.py, and of sbatch and kubectl.
    let others = ["--path", "--features", "--release", "--example", "--rounds"];
    let others =
        [&others[..], &["--dependency", "--requeue", "--partition", "--account", "--for", "--timeout"]].concat();
    for page in pages() {
        let text = fs::read_to_string(top().join(&page)).unwrap();
        for flag in flags(&text).filter(|flag| !others.contains(flag)) {
            assert!(flags(&known).any(|name| name == flag), "{}: errare has no flag {flag}", page.display());
        }
    }
}

/// Who follows the pages from the top does not meet a command before what it needs.
#[test]
fn conditions_come_before_their_examples() {
    let readme = fs::read_to_string(top().join("README.md")).unwrap();
    let place = |words: &str| readme.find(words).unwrap_or_else(|| panic!("README.md has no {words}"));
    assert!(place("--features gaviota") < place("--source gaviota:"));
}

/// What `tests/line.rs` tries is what the page says.
#[test]
fn the_exit_status_of_a_slip_is_said() {
    let page = fs::read_to_string(top().join("docs/src/strategies.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        page.contains(
            "may let the win slip, which is a finding: the exit status is 1. It is 0 where every strategy wins"
        )
    );
}

#[test]
fn dots_stand_for_any_lines() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&["a", "b", "c"], &shown("a\n...\nc")));
    assert!(matches(&["a", "c"], &shown("a\n...\nc")));
    assert!(!matches(&["a", "b"], &shown("a\n...\nc")));
    assert!(!matches(&["a", "b"], &shown("a")));
}

#[test]
fn the_book_lists_all_its_pages() {
    let summary = fs::read_to_string(top().join("docs/src/SUMMARY.md")).unwrap();
    let introduction = fs::read_to_string(top().join("docs/src/introduction.md")).unwrap();
    for page in pages() {
        let Ok(page) = page.strip_prefix("docs/src") else { continue };
        let (name, link) = (page.display().to_string(), format!("({})", page.display()));
        if name != "SUMMARY.md" {
            assert!(summary.contains(&link), "SUMMARY.md does not list {name}");
        }
        // The agents have a page that lists theirs.
        if !["SUMMARY.md", "introduction.md"].contains(&name.as_str()) && !name.starts_with("agents/") {
            assert!(introduction.contains(&link), "introduction.md does not list {name}");
        }
    }
}
