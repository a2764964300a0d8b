//! Listing the tables that exist.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_tables::{Counts, Table};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks which tables exist.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {}

/// The tables of the folder, and the files that cannot be used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListResponse {
    /// The folder of the tables.
    pub folder: String,
    /// The tables, small ones first.
    pub tables: Vec<ListedTable>,
    /// Files that cannot be used as tables; such tables are built again when they are needed.
    pub unusable: Vec<UnusableTable>,
    /// Number of bytes of all usable tables.
    pub total_bytes: u64,
}

/// A table with its counts, each position counted once up to symmetry.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedTable {
    /// The endgame of the table.
    pub material: String,
    /// The metric of the table.
    pub metric: String,
    /// Number of men, kings included.
    pub men: usize,
    /// Number of bytes of the file.
    pub bytes: u64,
    /// Counts with White, the side named first, to move.
    pub white_to_move: ListedCounts,
    /// Counts with Black to move.
    pub black_to_move: ListedCounts,
}

/// Numbers of positions that are won, drawn and lost with one side to move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedCounts {
    /// Number of wins within the move rule, if there is one.
    pub wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of losses within the move rule, if there is one.
    pub losses: u64,
    /// The depth of the deepest win, cursed or not.
    pub max_win_plies: Option<u16>,
    /// The depth of the deepest loss, blessed or not.
    pub max_loss_plies: Option<u16>,
    /// Number of wins that the move rule spoils.
    pub cursed_wins: u64,
    /// Number of losses that the move rule saves.
    pub blessed_losses: u64,
}

/// A file that cannot be used as a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnusableTable {
    /// The endgame that the name of the file promises.
    pub material: String,
    /// The metric that the name of the file promises.
    pub metric: String,
    /// The reason why the file cannot be used.
    pub reason: String,
}

impl Operation for ListRequest {
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List the tables that are there";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = ListResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ListResponse, LabError> {
        let library = lab.tables()?.library();
        let (mut tables, mut unusable) = (Vec::new(), Vec::new());
        for listed in library.list()? {
            progress.proceed()?;
            match listed.table {
                Ok(table) => tables.push(ListedTable::new(&table)),
                Err(error) => unusable.push(UnusableTable {
                    material: listed.material.to_string(),
                    metric: listed.metric.to_string(),
                    reason: error.to_string(),
                }),
            }
        }
        let total_bytes = tables.iter().map(|table| table.bytes).sum();
        Ok(ListResponse { folder: library.folder().display().to_string(), tables, unusable, total_bytes })
    }
}

impl ListedTable {
    fn new(table: &Table) -> ListedTable {
        let counts = &table.header().counts;
        ListedTable {
            material: table.material().to_string(),
            metric: table.metric().to_string(),
            men: table.material().men(),
            bytes: table.file_len(),
            white_to_move: ListedCounts::new(&counts.white),
            black_to_move: ListedCounts::new(&counts.black),
        }
    }
}

impl ListedCounts {
    fn new(counts: &Counts) -> ListedCounts {
        ListedCounts {
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            max_win_plies: counts.deepest_win().map(|plies| plies.0),
            max_loss_plies: counts.deepest_loss().map(|plies| plies.0),
            cursed_wins: counts.cursed_wins,
            blessed_losses: counts.blessed_losses,
        }
    }
}
