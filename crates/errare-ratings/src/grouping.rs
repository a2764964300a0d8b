//! Groups of turns, each of which is fitted by itself.

use crate::sample::Sample;
use crate::turns::{Turn, Turns};
use errare_work::{Cancelled, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The property that turns are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// Turns are grouped by the Elo that both players are near to.
    Milepost,
    /// Turns are grouped by the player who moved.
    Player,
    /// Turns are grouped by the event of the game.
    Event,
    /// Turns are grouped by the year of the game's date.
    Year,
}

/// A text that names no grouping.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid grouping `{0}`: expected milepost, player, event or year")]
pub struct GroupingError(String);

impl Grouping {
    /// All groupings.
    pub const ALL: [Grouping; 4] = [Grouping::Milepost, Grouping::Player, Grouping::Event, Grouping::Year];

    /// The name of the grouping, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Grouping::Milepost => "milepost",
            Grouping::Player => "player",
            Grouping::Event => "event",
            Grouping::Year => "year",
        }
    }

    /// The group of a turn; empty if it is unknown.
    fn key(self, turn: Turn<'_>) -> String {
        let game = turn.game();
        match self {
            Grouping::Milepost => game.milepost.map_or_else(String::new, |elo| elo.to_string()),
            Grouping::Player => turn.player().name.clone(),
            Grouping::Event => game.event.clone(),
            Grouping::Year => game.year().map_or_else(String::new, |year| year.to_string()),
        }
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Grouping {
    type Err = GroupingError;

    fn from_str(text: &str) -> Result<Grouping, GroupingError> {
        let wanted = text.trim().to_ascii_lowercase();
        Grouping::ALL.into_iter().find(|by| by.name() == wanted).ok_or_else(|| GroupingError(text.to_owned()))
    }
}

/// A named group of turns.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name of the group: a player, an event, an Elo or a year; `unknown`, or `all` where turns are not grouped.
    pub name: String,
    /// The turns of the group.
    pub sample: Sample,
}

/// Groups turns, in the order of the groups' names; one group of all turns if they are not grouped.
///
/// # Errors
/// [`Cancelled`] if the work is cancelled.
pub fn groups(turns: &Arc<Turns>, by: Option<Grouping>, progress: &dyn Progress) -> Result<Vec<Group>, Cancelled> {
    let Some(by) = by else { return Ok(vec![Group { name: "all".to_owned(), sample: Sample::all(turns) }]) };
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for turn in turns.iter() {
        progress.proceed()?;
        members.entry(by.key(turn)).or_default().push(turn.index());
    }
    let named = |name: String| if name.is_empty() { "unknown".to_owned() } else { name };
    let group = |(name, indices)| Group { name: named(name), sample: Sample::listed(turns, indices) };
    Ok(members.into_iter().map(group).collect())
}
