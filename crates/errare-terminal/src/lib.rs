//! What people see and type in a terminal: tables, boards, progress, help, and text from outside made safe.
//!
//! ```
//! use errare_lab::Sheet;
//! use errare_terminal::table_text;
//!
//! let mut sheet = Sheet::new(&["move", "depth"]);
//! sheet.push(["Qd5".to_owned(), "31".to_owned()]);
//! sheet.push(["Kb7".to_owned(), String::new()]);
//! assert_eq!(table_text(&sheet, None), "move  depth\nQd5      31\nKb7       -\n");
//! ```

mod assessment;
mod board;
mod browser;
mod built_tables;
mod byte_size;
mod cluster;
mod game_commands;
mod help;
mod listed_tables;
mod output;
mod safe_text;
mod session;
mod square_values;
mod table;
mod terminal;
mod time_left;
mod typed_lines;

pub use assessment::{AssessmentLayout, assessed_game, assessment_summary};
pub use board::{BoardPainter, BoardStyle};
pub use browser::open_browser;
pub use built_tables::BuiltTables;
pub use byte_size::ByteSize;
pub use cluster::{cluster_run, cluster_status};
pub use game_commands::{GAME_COMMANDS, GameCommand, move_words};
pub use help::{CommandGroups, Refused, arranged, parse_command_line, parse_words};
pub use listed_tables::listed_tables;
pub use output::{Format, Output, OutputError, Report, say};
pub use safe_text::{safe, safe_line};
pub use session::{AskGame, Session, SessionError};
pub use square_values::square_values;
pub use table::{FixedColumn, FixedColumns, table_text, wrapped};
pub use terminal::{INTERRUPTED, Interrupted, Terminal};
pub use typed_lines::{Awaited, TypedLines};
