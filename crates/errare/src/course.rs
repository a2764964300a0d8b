//! `errare course`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{CourseRequest, CourseResponse, Lesson, Sheet, counted};
use errare_terminal::{Format, Output};

/// List endings to practise, from easy to hard
///
/// Each lesson says which side you play and what is to be done: win, hold a draw, or survive in a lost position. `errare
/// draw --lesson ID` gives its position with your chances, `errare play` plays it. Tables are built when they are first
/// needed; the list says how long that takes, roughly.
///
/// JSON: see `errare schema course`. CSV: a row for each lesson.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare course
  errare course --goals
  errare course --format json")]
pub struct Flags {
    /// Say below each lesson what is to be done, and how
    #[arg(long)]
    goals: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    if flags.format != Format::Table {
        crate::idle_flag::refuse(flags.goals, "--goals", "with --format csv or json, which have them")?;
    }
    let found = settings.run(&CourseRequest {})?;
    Output::stdout().response(flags.format, &found, |output, found| for_people(output, found, flags.goals))?;
    Ok(Exit::Clean)
}

fn for_people(output: &mut Output, found: &CourseResponse, goals: bool) -> Result<()> {
    if goals {
        for lesson in &found.lessons {
            let Lesson { id, title, material, human, task, goal, .. } = lesson;
            output.line(&format!("{title} ({id}; {material}, you are {}, {})", human.title(), task.name()))?;
            output.line(&format!("  {goal}"))?;
        }
        return Ok(());
    }
    let mut grid = Sheet::new(&["lesson", "title", "endgame", "you are", "task", "against", "tables"]);
    for lesson in &found.lessons {
        grid.push([
            lesson.id.clone(),
            lesson.title.clone(),
            lesson.material.clone(),
            lesson.human.title().to_owned(),
            lesson.task.name().to_owned(),
            lesson.opponent.to_string(),
            lesson.tables.words(),
        ]);
    }
    output.table(&grid)?;
    Ok(output.line(&counted(found.lessons.len(), "lesson"))?)
}
