//! `errare schema`: the shapes of JSON.

use crate::Exit;
use crate::idle_flag::refuse;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use errare_lab::{OPERATIONS, OperationInfo, Sheet};
use errare_terminal::Output;
use errare_work::did_you_mean;

/// Print the JSON schema of an operation's response or request
///
/// `--format json` of each command, the HTTP API and the Python package give the same response. Without a name the
/// operations are listed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare schema
  errare schema probe
  errare schema probe --of request")]
pub struct Flags {
    /// The operation
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Which of its two shapes [default: response]
    #[arg(long, value_enum, value_name = "SHAPE")]
    of: Option<Shape>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Shape {
    /// The response that it gives
    #[default]
    Response,
    /// The request that it takes
    Request,
}

pub fn run(flags: Flags) -> Result<Exit> {
    let mut output = Output::stdout();
    refuse(flags.of.is_some() && flags.name.is_none(), "--of", "without the name of an operation")?;
    let Some(name) = flags.name else {
        let mut grid = Sheet::new(&["operation", "what it does"]);
        OPERATIONS.iter().for_each(|operation| grid.push([operation.name.to_owned(), operation.about.to_owned()]));
        output.table(&grid)?;
        return Ok(Exit::Clean);
    };
    let Some(operation) = OperationInfo::find(&name) else {
        let names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
        bail!("unknown operation `{name}`: expected one of {}{}", names.join(", "), did_you_mean(&name, &names));
    };
    output.json(&match flags.of.unwrap_or_default() {
        Shape::Response => (operation.response_schema)(),
        Shape::Request => (operation.request_schema)(),
    })?;
    Ok(Exit::Clean)
}
