//! Chess endgame tables: solved, stored, probed, counted and verified.
//!
//! A table has the outcome and the depth of every position of an endgame, in one of the metrics DTM, DTC, DTZ, DTZ50
//! (or any other move rule) and DTR. [`Tables`] opens those of a [`Library`] and builds missing ones, sub-endgames
//! first. [`probe`](probe()) looks up a position and its moves, [`statistics`] counts the positions of a table,
//! [`find`](find()) searches it, and [`verify`](verify()) recomputes entries with a move generator that the solver does not use. Syzygy and Gaviota
//! tables are a [`Source`] too: [`SourceSpec`] opens them, and [`compare`](compare()) compares them with ours.
//!
//! ```
//! use errare_tables::{Library, Metric, Tables, parse_fen, probe};
//! use errare_work::Silent;
//!
//! let folder = tempfile::tempdir()?;
//! let tables = Tables::new(Library::new(folder.path()), 1 << 30);
//! tables.ensure("KRK".parse()?, Metric::Dtm, &Silent)?;
//!
//! let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?;
//! let found = probe(&**tables.library(), &position, Metric::Dtm)?;
//! assert_eq!(found.value.to_string(), "win in 31 plies");
//! assert_eq!(found.successors[0].value.to_string(), "win in 30 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The solver works on sets of 64 positions as machine words; `ARCHITECTURE.md` has a map of the modules.

mod address;
mod attacks;
mod build;
mod census;
mod combinations;
mod compare;
mod conversion_goal;
mod decided;
mod deepest;
mod error;
mod extent;
mod find;
mod joint_count;
mod journal;
mod kernel;
mod kings;
mod layout;
mod legality;
mod library;
mod many;
mod material;
mod metric;
mod other_side;
mod owned;
mod packed;
mod pawns;
mod placement;
mod plan;
mod position;
mod pread;
mod probe;
mod quiet;
mod reach;
mod replay;
mod retrograde;
mod seeds;
mod slices;
mod solve;
mod source;
mod spill;
mod stalemate;
mod stats;
mod store;
mod structures;
mod survey;
mod symmetry;
mod table_source;
mod tables;
mod threads;
pub mod usage;
mod value;
mod verify;
mod view;
mod words;

pub use build::{BuildObserver, BuildReport};
pub use census::{Counting, CountingError};
pub use compare::{Comparison, Difference, compare};
pub use conversion_goal::build_conversion_goal;
pub use deepest::deepest;
pub use error::{Fault, TableError};
pub use extent::{Cells, Extent, nth_draw};
pub use find::{
    CountRange, Criteria, DepthRange, Found, FoundPosition, Listing, RangeError, WantedOutcome, WantedOutcomeError,
    find,
};
pub use joint_count::{JointCount, MAX_JOINT_TABLES, count_jointly};
pub use library::{Library, Listed};
pub use many::{ManyError, readings};
pub use material::{MAX_MEN, MAX_MEN_WITH_PAWNS, Man, Material, MaterialError};
pub use metric::{Metric, MetricError};
#[cfg(feature = "gaviota")]
pub use owned::Gaviota;
pub use owned::{ChecksumChecks, Maker, OwnedError, SourceSpec, SourceSpecError, Syzygy};
pub use placement::{Misplaced, Placement, placements};
pub use plan::{Planned, needed_first};
pub use position::{FenError, parse_fen, parse_fen_within};
pub use probe::{Probe, Successor, probe, successors};
pub use quiet::{NO_POSITION, OtherMoves, Push, QuietMoves};
pub use reach::{endgames_after, tables_after, tables_to_mate};
pub use source::{Reading, Source};
pub use stats::{SideStatistics, Statistics, Zugzwang, Zugzwangs, statistics};
pub use store::{Counts, Header, Table};
pub use survey::{Arrival, Surveyor, survey, survey_source};
pub use table_source::TableSource;
pub use tables::{MAX_MEN_BUILT_ON_DEMAND, TableFailure, Tables};
pub use value::{Outcome, Plies, Value, WinnerMoves};
pub use verify::{Disagreement, Verification, verify};
