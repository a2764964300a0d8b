//! The book hangs together: every link leads somewhere, and every command has its row.

use crate::common::{errare, stdout};
use std::fs;
use std::path::{Path, PathBuf};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All pages below a folder.
fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let pages = files.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages.chain(folders.iter().flat_map(|folder| pages_of(folder))).collect()
}

/// The goals of all links and pictures of a page, as in `[text](goal)`; what is in code is none.
fn goals(text: &str) -> Vec<&str> {
    let prose = text.lines().filter(|line| !line.starts_with("    "));
    let ends = prose.flat_map(|line| line.split("](").skip(1));
    ends.filter_map(|rest| rest.split_once(')').map(|(goal, _)| goal)).collect()
}

/// The name that mdBook and GitHub give a heading: small letters, hyphens for spaces, nothing else.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages_of(&top().join("docs/src"));
    pages.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| top().join(name)));
    let mut tried = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for goal in goals(&text).into_iter().filter(|goal| !goal.contains("://") && !goal.starts_with("mailto:")) {
            let (path, heading) = goal.split_once('#').unwrap_or((goal, ""));
            let file = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(file.exists(), "{}: nothing at {goal}", page.display());
            if !heading.is_empty() {
                let there = fs::read_to_string(&file).unwrap();
                let mut headings = there.lines().filter_map(|line| line.strip_prefix('#'));
                let is_there = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(is_there, "{}: no heading for {goal}", page.display());
            }
            tried += 1;
        }
    }
    assert!(tried > 100, "only {tried} links");
}

#[test]
fn the_page_of_commands_has_them_all() {
    let page = fs::read_to_string(top().join("docs/src/commands.md")).unwrap();
    let help = stdout(errare().arg("--help"));
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let names: Vec<&str> = commands.map(|(name, _)| name).filter(|name| !name.is_empty() && is_name(name)).collect();
    assert!(names.contains(&"table") && names.len() > 20, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("| `errare {name}` |")), "commands.md has no row for {name}");
    }
}
