//! The user's browser.

use crate::output::say;
use std::fmt::Display;
use std::process::{Command, Stdio};
use std::thread;

/// Opens a page in the user's browser without waiting for it, and reports on stderr if that cannot be done.
pub fn open_browser(address: &str) {
    let mut command = opener(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // What ends us with Ctrl-C is not to end a browser that we started.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    thread::spawn(move || match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => say(&by_hand(&status)),
        Err(error) => say(&by_hand(&error)),
    });
}

/// The note that asks users to open the page themselves, where there is no display or no browser.
fn by_hand(why: &dyn Display) -> String {
    format!("note: no browser could be opened here ({why}): open the address above in one")
}

fn opener(address: &str) -> Command {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // The empty word is the title of a window, which the first word in quotes would be.
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(address);
    command
}
