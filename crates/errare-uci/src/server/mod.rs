//! The engine's side of the protocol: commands, answers and options.
//!
//! Nothing here plays chess. [`Lines`] reads the lines of a chess program, [`Command`] is the meaning of a line,
//! [`Declarations`] are the options that an engine offers, and a [`Message`] is a line of the answer.
//!
//! ```
//! use errare_uci::server::{Command, Declaration, Declarations, Kind, Message, Setting};
//!
//! // Unknown words before a command are skipped.
//! assert_eq!(Command::parse("joho debug on")?, Some(Command::Debug(true)));
//! let Some(Command::Go(go)) = Command::parse("go wtime 60000 btime 60000")? else { panic!("a search") };
//! assert_eq!(go.white.left, Some(60_000));
//!
//! let options = Declarations(vec![Declaration::new("Horizon", Kind::Spin { default: 0, min: 0, max: 500 })]);
//! assert_eq!(options.set("horizon", Some("7"))?, ("Horizon", Setting::Spin(7)));
//! let refused = options.set("horizon", Some("x")).unwrap_err();
//! assert_eq!(refused.to_string(), "invalid value `x` for the option Horizon: expected a whole number");
//!
//! let declared = Message::Option(options.0[0].clone());
//! assert_eq!(declared.to_string(), "option name Horizon type spin default 0 min 0 max 500");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod go;
mod lines;
mod message;
mod option;
mod words;

pub use command::{Command, CommandError, Start};
pub use go::{Clock, Go};
pub use lines::{InputLine, LONGEST, Lines};
pub use message::{Info, Message, Permille};
pub use option::{Declaration, Declarations, Kind, OptionError, Setting};
