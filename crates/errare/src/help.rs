//! The groups of commands in the help, and the reading of the command line.

use crate::cli::Cli;
use errare_terminal::{Refused, parse_command_line};

/// The commands in groups, as `errare --help` lists them. Commands that no group names are among the others.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Tables", &["table", "strategy", "line"]),
    ("Play and assess", &["course", "draw", "play", "choose", "match", "assess", "scale"]),
    ("Models", &["markov", "predict", "reproduce", "experiment"]),
    ("Ratings", &["evaluate", "merge", "fit", "calibrate", "rate", "screen", "report"]),
    ("Engines and servers", &["uci", "contest", "serve", "cluster"]),
];

/// Reads the command line.
pub fn parse() -> Result<Cli, Refused> {
    parse_command_line(&GROUPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, CommandFactory};
    use errare_terminal::{arranged, parse_words};
    use std::ffi::OsString;

    fn parse_from(words: impl IntoIterator<Item = OsString>) -> Result<Cli, Refused> {
        parse_words(&GROUPS, words)
    }

    fn commands(command: &Command) -> Vec<Command> {
        let mut found = vec![command.clone()];
        let others = command.get_subcommands().filter(|sub| sub.get_name() != "help");
        others.for_each(|sub| found.extend(commands(sub)));
        found
    }

    fn all() -> Vec<Command> {
        let mut whole = Cli::command();
        whole.build();
        commands(&whole)
    }

    /// The words of a line as a shell reads them, up to a comment, a pipe or a file for the output.
    fn words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        let (mut word, mut quote) = (None::<String>, None);
        for c in line.chars() {
            match (c, quote) {
                ('\'' | '"', None) => (quote, word) = (Some(c), Some(word.unwrap_or_default())),
                (c, Some(end)) if c == end => quote = None,
                ('#' | '|' | '>', None) if word.is_none() => return words,
                (' ', None) => words.extend(word.take()),
                (c, _) => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        words
    }

    #[test]
    fn every_command_has_examples_that_are_read() {
        for command in all() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  errare ")).collect();
            assert!(!examples.is_empty(), "{} has no examples", command.get_name());
            for example in examples {
                let read = parse_from(words(example.trim()).into_iter().map(OsString::from));
                assert!(read.is_ok(), "{example}: {}", read.err().map(|error| error.to_string()).unwrap_or_default());
            }
        }
    }

    #[test]
    fn arguments_cannot_command_the_terminal() {
        let words = ["errare", "table", "stats", "K\u{1b}[2JQ"].map(OsString::from);
        let said = parse_from(words).map(|_| ()).expect_err("bad use").to_string();
        assert!(said.contains("K\\u{1b}[2JQ"), "{said}");
    }

    #[test]
    fn usage_shows_no_flag_that_need_not_be_given() {
        for line in ["errare --tables x assess", "errare table --tables x build", "errare -q match --white levy"] {
            let error = parse_from(line.split(' ').map(OsString::from)).map(|_| ()).expect_err("bad use").to_string();
            let usage = error.lines().find(|line| line.starts_with("Usage:")).unwrap_or_default();
            assert!(!usage.contains("--tables") && usage.contains("[OPTIONS]"), "{error}");
        }
    }

    #[test]
    fn groups_name_commands_that_there_are() {
        let command = Cli::command();
        let optional = ["play", "evaluate", "merge", "serve"];
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            assert!(command.find_subcommand(name).is_some() || optional.contains(name), "{name}");
        }
        let help = arranged(command, &GROUPS).render_long_help().to_string();
        let others = help.split_once("Other:\n").and_then(|(_, others)| others.split_once("\n\n"));
        let others = others.map(|(others, _)| others).unwrap_or_default();
        let others: Vec<&str> = others.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(others, ["schema", "completions", "man"]);
    }

    #[test]
    fn usage_and_examples_come_before_flags_and_details() {
        let mut whole = arranged(Cli::command(), &GROUPS);
        whole.build();
        for mut command in commands(&whole) {
            let help = command.render_long_help().to_string();
            let place = |words: &str| help.find(words).unwrap_or(help.len());
            assert!(place("Usage:") < place("xample"), "{help}");
            assert!(place("xample") < place("Options:").min(place("Arguments:")), "{help}");
            assert!(place("Options:") < place("JSON: see"), "{help}");
        }
    }
}
