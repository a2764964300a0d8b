//! What README.md and the book say, beside the [examples](crate::examples) in them.

#![cfg(unix)]

use crate::common::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All pages with examples, by their path from the top folder.
pub fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md"), "crates/errare/README.md".into()];
    for folder in ["docs/src", "docs/src/agents", "docs/src/start"] {
        let entries = fs::read_dir(top().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(names.filter(|name| name.ends_with(".md")).map(|name| Path::new(folder).join(name)));
    }
    pages.sort();
    pages
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
    let others = ["--path", "--features", "--release", "--example", "--bench", "--rounds"];
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
