//! Help texts and messages of bad use: what a command is for, how it is used and examples come first, details last.

use crate::safe_text::safe_line;
use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

/// The title under which commands are listed that belong to no group.
const OTHERS: &str = "Other";

/// Commands in groups, each with its title, as the help of the whole program lists them.
pub type CommandGroups<'a> = &'a [(&'a str, &'a [&'a str])];

/// A command line that is not carried out: it asks for help, or it is wrong.
#[derive(Debug)]
pub struct Refused(clap::Error);

/// Reads the command line of this process.
///
/// # Errors
/// If it asks for help, or is wrong.
pub fn parse_command_line<T: CommandFactory + FromArgMatches>(groups: CommandGroups<'_>) -> Result<T, Refused> {
    parse_words(groups, std::env::args_os())
}

/// Reads the words of a command line, the name of the program first.
///
/// # Errors
/// If it asks for help, or is wrong.
pub fn parse_words<T: CommandFactory + FromArgMatches>(
    groups: CommandGroups<'_>,
    words: impl IntoIterator<Item = OsString>,
) -> Result<T, Refused> {
    let words: Vec<OsString> = words.into_iter().collect();
    let read = |words: Vec<OsString>| {
        let matches = arranged(T::command(), groups).try_get_matches_from(words);
        matches
            .and_then(|matches| T::from_arg_matches(&matches))
            .map_err(|error| with_plain_usage(error, arranged(T::command(), groups)))
    };
    read(words.clone()).map_err(|error| {
        // Messages quote the words, and clap leaves them as they are: they are made safe for a terminal.
        let safe = words.iter().map(|word| safe_line(&word.to_string_lossy()).into_owned().into()).collect();
        Refused(read(safe).err().unwrap_or(error))
    })
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Refused {
    /// Writes the help that was asked for, or what is wrong with the command line, and returns the exit status.
    #[must_use]
    pub fn show(self) -> ExitCode {
        // A reader that has seen enough of the help is not an error.
        drop(self.0.print());
        ExitCode::from(if self.0.use_stderr() { 2 } else { 0 })
    }
}

/// Puts the help texts of a program and its commands in the order in which people read them: usage and examples before
/// flags and details, and commands in groups.
#[must_use]
pub fn arranged(command: Command, groups: CommandGroups<'_>) -> Command {
    let (listing, (examples, remarks)) = (listing(&command, groups), notes(&command));
    let template = template(&examples, &format!("{listing}Options:\n{{options}}"));
    command.mut_subcommands(arranged_part).after_help(remarks).help_template(template)
}

/// The template for a command's help: what it is for, its usage and its examples, then its flags, then the rest.
/// Examples are part of the template because clap would break their lines.
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

/// Wraps a text for clap; an empty text resets what clap would show.
fn text(text: &str) -> Resettable<StyledStr> {
    if text.is_empty() { Resettable::Reset } else { Resettable::Value(text.to_owned().into()) }
}

/// Splits the paragraphs after a command's flags into its examples and the others.
fn notes(command: &Command) -> (String, String) {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, others): (Vec<&str>, Vec<&str>) =
        notes.trim_end().split("\n\n").partition(|paragraph| paragraph.starts_with("Example"));
    (examples.join("\n\n"), others.join("\n\n"))
}

/// Lists all commands with their descriptions, group by group.
fn listing(command: &Command, groups: CommandGroups<'_>) -> String {
    let known: Vec<&Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let width = known.iter().map(|command| command.get_name().len()).max().unwrap_or(0);
    let line = |command: &Command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:width$}  {about}\n", command.get_name())
    };
    let named = |name: &&str| known.iter().find(|command| command.get_name() == *name).map(|command| line(command));
    let is_grouped = |command: &&&Command| groups.iter().any(|(_, names)| names.contains(&command.get_name()));
    let mut listed: Vec<(&str, String)> =
        groups.iter().map(|(title, names)| (*title, names.iter().filter_map(named).collect())).collect();
    listed.push((OTHERS, known.iter().filter(|command| !is_grouped(command)).map(|command| line(command)).collect()));
    listed.iter().filter(|(_, lines)| !lines.is_empty()).map(|(title, lines)| format!("{title}:\n{lines}\n")).collect()
}

/// Replaces the usage in an error by the plain usage of the command that was meant. Clap shows the flags that were
/// given, or that the environment gives, as if they were required.
fn with_plain_usage(mut error: clap::Error, mut whole: Command) -> clap::Error {
    if !matches!(error.get(ContextKind::Usage), Some(ContextValue::StyledStr(_)))
        || error.kind() == ErrorKind::DisplayHelp
    {
        return error;
    }
    let given = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
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
