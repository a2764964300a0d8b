//! The workbench: the lab over HTTP for a browser, and operations with JSON in and JSON out for programs.
//!
//! A request passes `connections`, `guard` and `routes`; `work` bounds what takes time, `jobs` is for what takes long,
//! and `games` are saved as they happen. No request reaches a file that it names (`Lab::for_clients`): what lasts is
//! tables that are built, and the games and jobs in the `store`.
//!
//! ```no_run
//! use errare_lab::{BenchRequest, Lab, LabConfig};
//! use errare_server::Server;
//! use errare_work::{Cancel, Silent};
//!
//! let server = Server::bind(([127, 0, 0, 1], 7341).into())?;
//! let lab = Lab::new(LabConfig::default());
//! let bench = lab.rating_bench(&BenchRequest::default(), &Silent)?;
//! println!("{}", server.page());
//! server.serve(lab, bench, &Cancel::new())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod beliefs;
mod body;
mod bundle;
mod calls;
mod connections;
mod content;
mod game_routes;
mod games;
mod guard;
mod hosts;
mod job_events;
mod job_progress;
mod job_status;
mod jobs;
mod kept;
mod lanes;
mod openapi;
mod panics;
mod questions;
mod rating_routes;
mod refusal;
mod routes;
mod saved_game;
mod server;
mod store;
mod unique_id;
mod work;

pub use hosts::{HostName, HostNameError};
pub use server::{Server, ServerError};
pub use store::StoreError;
