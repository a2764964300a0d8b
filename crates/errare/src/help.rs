//! Help texts and messages of bad use: what a command is for, how it is used and examples come first, details last.

use crate::cli::Cli;
use crate::safe_text::safe_line;
use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;

/// The commands in groups, as `errare --help` lists them. Commands that no group names are among the others.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Tables", &["table", "strategy", "line"]),
    ("Play and assess", &["course", "draw", "play", "choose", "match", "assess"]),
    ("Models", &["markov", "predict"]),
    ("Ratings", &["evaluate", "merge", "fit", "calibrate", "rate", "screen", "report"]),
    ("Engines and servers", &["uci", "contest", "serve"]),
];

const OTHERS: &str = "Other";

/// A command line that is not carried out: it asks for help, or it is wrong.
#[derive(Debug)]
pub struct Refused(clap::Error);

/// Reads the command line.
pub fn parse() -> Result<Cli, Refused> {
    parse_from(std::env::args_os())
        .map_err(|error| Refused(error_with_safe_words(std::env::args_os()).unwrap_or(error)))
}

fn parse_from(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let matches = arranged(Cli::command()).try_get_matches_from(words);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(with_plain_usage)
}

/// What is wrong with a command line, its words made safe for a terminal: messages quote them, and clap leaves them as
/// they are.
fn error_with_safe_words(words: impl Iterator<Item = OsString>) -> Option<clap::Error> {
    parse_from(words.map(|word| safe_line(&word.to_string_lossy()).into_owned().into())).err()
}

impl Refused {
    /// Writes the help that was asked for, or what is wrong.
    pub fn show(self) -> ExitCode {
        // A reader that has seen enough of the help is not an error.
        drop(self.0.print());
        ExitCode::from(if self.0.use_stderr() { 2 } else { 0 })
    }
}

/// The command with its help texts in the order in which people read them.
fn arranged(command: Command) -> Command {
    let (listing, (examples, remarks)) = (listing(&command), notes(&command));
    let template = template(&examples, &format!("{listing}Options:\n{{options}}"));
    command.mut_subcommands(arranged_part).after_help(remarks).help_template(template)
}

/// What a command is for, its usage and its examples, then its flags, then the rest. Examples are part of the template
/// because clap would break their lines.
fn template(examples: &str, flags: &str) -> String {
    let examples = if examples.is_empty() { String::new() } else { format!("{examples}\n\n") };
    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{examples}{flags}{{after-help}}")
}

fn arranged_part(command: Command) -> Command {
    let short = command.get_about().cloned().unwrap_or_default();
    let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let details = long.strip_prefix(&short.to_string()).unwrap_or(&long).trim().to_owned();
    let (examples, remarks) = notes(&command);
    let details = if details.is_empty() { details } else { format!("Details:\n{details}") };
    let all: Vec<&str> = [&remarks, &details].into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    command
        .mut_subcommands(arranged_part)
        .long_about(short)
        .after_help(text(&remarks))
        .after_long_help(text(&all.join("\n\n")))
        .help_template(template(&examples, "{all-args}"))
}

/// A text, or none where there is nothing in it.
fn text(text: &str) -> Resettable<StyledStr> {
    if text.is_empty() { Resettable::Reset } else { Resettable::Value(text.to_owned().into()) }
}

/// What a command notes after its flags: its examples, and the other paragraphs.
fn notes(command: &Command) -> (String, String) {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, others): (Vec<&str>, Vec<&str>) =
        notes.trim_end().split("\n\n").partition(|paragraph| paragraph.starts_with("Example"));
    (examples.join("\n\n"), others.join("\n\n"))
}

/// All commands, group by group.
fn listing(command: &Command) -> String {
    let known: Vec<&Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let width = known.iter().map(|command| command.get_name().len()).max().unwrap_or(0);
    let line = |command: &Command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:width$}  {about}\n", command.get_name())
    };
    let named = |name: &&str| known.iter().find(|command| command.get_name() == *name).map(|command| line(command));
    let is_grouped = |command: &&&Command| GROUPS.iter().any(|(_, names)| names.contains(&command.get_name()));
    let mut groups: Vec<(&str, String)> =
        GROUPS.iter().map(|(title, names)| (*title, names.iter().filter_map(named).collect())).collect();
    groups.push((OTHERS, known.iter().filter(|command| !is_grouped(command)).map(|command| line(command)).collect()));
    groups.iter().filter(|(_, lines)| !lines.is_empty()).map(|(title, lines)| format!("{title}:\n{lines}\n")).collect()
}

/// The usage of the command that was meant. Clap shows the flags that were given, or that the environment gives, as if they
/// were required.
fn with_plain_usage(mut error: clap::Error) -> clap::Error {
    if !matches!(error.get(ContextKind::Usage), Some(ContextValue::StyledStr(_)))
        || error.kind() == ErrorKind::DisplayHelp
    {
        return error;
    }
    let given = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let mut whole = arranged(Cli::command());
    whole.build();
    let mut command = whole;
    for word in given.split_whitespace() {
        if let Some(found) = command.find_subcommand(word).cloned() {
            command = found;
        }
    }
    let usage: StyledStr = command.render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    error
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let said = error_with_safe_words(words.into_iter()).map(|error| error.to_string()).unwrap_or_default();
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
        let others = listing(&command);
        let others = others.split_once("Other:\n").map(|(_, others)| others).unwrap_or_default();
        let others: Vec<&str> = others.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(others, ["schema", "completions", "man"]);
    }

    #[test]
    fn usage_and_examples_come_before_flags_and_details() {
        for command in all() {
            let mut arranged = arranged_part(command.clone());
            if command.get_name() == "errare" {
                arranged = super::arranged(Cli::command());
            }
            let help = arranged.render_long_help().to_string();
            let place = |words: &str| help.find(words).unwrap_or(help.len());
            assert!(place("Usage:") < place("xample"), "{help}");
            assert!(place("xample") < place("Options:").min(place("Arguments:")), "{help}");
            assert!(place("Options:") < place("JSON: see"), "{help}");
        }
    }
}
