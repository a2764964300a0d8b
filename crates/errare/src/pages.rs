//! Documentation that the command line prints about itself: completion scripts and manual pages.

use crate::Exit;
use crate::cli::Cli;
use anyhow::{Result, bail};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use errare_terminal::Output;

/// `errare completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "errare", &mut script);
        Output::stdout().bytes(&script)?;
        Ok(Exit::Clean)
    }
}

/// `errare man`.
#[derive(Args, Debug)]
pub struct Man {
    /// The command, word by word; none for errare itself
    command: Vec<String>,
}

impl Man {
    pub fn run(self) -> Result<Exit> {
        let mut whole = Cli::command();
        whole.build();
        let mut command = &whole;
        for (depth, word) in self.command.iter().enumerate() {
            let Some(found) = command.find_subcommand(word) else {
                bail!("errare has no command `{}`", self.command[..=depth].join(" "));
            };
            command = found;
        }
        let title = command.get_display_name().unwrap_or("errare").to_owned();
        let mut page = Vec::new();
        let source = concat!("errare ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(command.clone()).title(title).source(source).render(&mut page)?;
        Output::stdout().bytes(&page)?;
        Ok(Exit::Clean)
    }
}
